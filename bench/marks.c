/*
 * marks N [text|compact] [SUBS]: prints a profile of N marks, as the recorder writes it: a
 * random program of SUBS subs (1000) whose calls nest up to 9 deep. Each sub calls one of
 * three others, so that the call paths are some ten thousands, however long it runs, as in a
 * real program. The same arguments give the same bytes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 9 };

static uint64_t state = 88172645463325252u;

static unsigned below(unsigned limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % limit;
}

static void name(char *to, size_t size, unsigned sub)
{
    static const char *const words[] = {"read", "write", "find_entry", "as_string", "new"};

    snprintf(to, size, "My::Package%u::%s_%u", sub / 20, words[sub % 5], sub);
}

/* One of the three that this sub calls at that depth. */
static unsigned callee(unsigned caller, unsigned depth, unsigned subs)
{
    return (caller * 31 + depth * 131 + below(3) * 17 + 1) % subs;
}

static void head(uint64_t marks)
{
    printf(
        "#fOrTyTwO\n$hz=1000000;\n$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n");
    printf("$rrun_utime=%llu; $rrun_stime=0; $rrun_rtime=%llu\nPART2\n", (unsigned long long)marks,
           (unsigned long long)marks);
}

int main(int argc, char **argv)
{
    uint64_t marks = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    int compact = argc > 2 && !strcmp(argv[2], "compact");
    unsigned subs = argc > 3 ? (unsigned)atoi(argv[3]) : 1000;
    unsigned stack[DEPTH], depth = 0;
    char text[100], *seen = calloc(subs, 1);
    uint64_t ticks = 61000;

    if (!seen)
        return 1;
    if (!marks || !subs) {
        free(seen);
        fprintf(stderr, "usage: marks N [text|compact] [SUBS]\n");
        return 2;
    }
    head(marks);
    for (uint64_t left = marks; left > 0; left--) {
        unsigned step = below(3);
        int enter = depth == 0 || (depth < DEPTH && depth < left - 1 && below(2));
        if (enter)
            stack[depth] = callee(depth ? stack[depth - 1] : 0, depth, subs), depth++;
        unsigned sub = enter ? stack[depth - 1] : stack[--depth];
        name(text, sizeof(text), sub);
        if (compact) {
            if (step)
                printf("@ %u 0 %u\n", step, step);
            if (!seen[sub])
                printf("& %x %.*s %s\n", sub, (int)(strrchr(text, ':') - text - 1), text,
                       strrchr(text, ':') + 1);
            seen[sub] = 1;
            printf("%c %x\n", enter ? '+' : '-', sub);
        } else {
            ticks += step;
            printf("%c %llu %u %llu %s\n", enter ? '+' : '-', (unsigned long long)ticks, 2801u,
                   (unsigned long long)(566822884101u + ticks), text);
        }
    }
    free(seen);
    return 0;
}
