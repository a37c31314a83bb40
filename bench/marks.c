/*
 * marks N [text|compact] [SUBS]: prints a profile of N marks, as the recorder writes it: a
 * random program of SUBS subs (1000) whose calls nest up to 9 deep and which does the same
 * things again and again, so that the call paths are some thousands, however long it runs.
 * The same arguments give the same bytes.
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

/* A sub in this program: it makes up to four loops of calls, always the same ones, but now and then
   (one call in sixteen) it takes another turn. In the trace of a real program, Pod::Man at work,
   one entry in sixteen is not the one that followed at that place the last time. */
struct frame {
    unsigned sub;
    unsigned loop; /* which of its loops it is in */
    unsigned turn; /* and how often it went round */
};

static unsigned mix(unsigned a, unsigned b, unsigned c)
{
    uint64_t x = ((uint64_t)a << 40 | (uint64_t)b << 20 | c) * 0x9E3779B97F4A7C15u;

    x ^= x >> 29;
    return (unsigned)((x * 0xD6E8FEB86659FD93u) >> 40);
}

/* The next call of that frame: 1, or 0 if it has none left. */
static int next_call(struct frame *frame, unsigned depth, unsigned subs, unsigned *callee)
{
    unsigned loops = depth >= DEPTH ? 0 : mix(frame->sub, depth, 99) % 5;

    if (frame->loop < loops && frame->turn++ > mix(frame->sub, depth, frame->loop) % 6) {
        frame->turn = 0;
        frame->loop++;
    }
    if (frame->loop >= loops)
        return 0;
    *callee = mix(frame->sub, depth, 7 + (below(16) ? frame->loop : below(5))) % subs;
    return 1;
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
    struct frame stack[DEPTH];
    unsigned depth = 0, runs = 0;
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
        unsigned sub = runs % 3;
        int enter =
            depth == 0 || (depth < left - 1 && next_call(&stack[depth - 1], depth, subs, &sub));

        if (enter) {
            runs += depth == 0;
            stack[depth++] = (struct frame){sub, 0, 0};
        } else {
            sub = stack[--depth].sub;
        }
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
    printf("#end 0 %llu 2801 %llu %llu\n", (unsigned long long)ticks,
           (unsigned long long)(566822884101u + ticks), (unsigned long long)marks);
    free(seen);
    return 0;
}
