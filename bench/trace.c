/*
 * Writes a large tmon.out to standard output: the trace of an invented program, the same for the
 * same arguments. trace FORMAT MARKS [SHAPE] FORMAT text, compact, classic (text at hz=100) or
 * mixed; SHAPE usual (a few dozen subs, nested calls with loops), deep (one recursion), wide (each
 * call another sub), subs (a million names).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint32_t chance(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

static int compact, classic, mixed;
static uint64_t user = 26012, sys = 2801, real = 566822884101, marks, most;
static uint64_t last_user, last_sys, last_real;
static unsigned char known[1 << 21];

static const char *name_of(uint32_t sub)
{
    static const char *const packages[] = {"main", "Pod::Man", "Text::Wrap", "My::Parser::Token",
                                           "Data::Store"};
    static const char *const verbs[] = {"bar", "parse_line",   "next", "get_value",
                                        "new", "_format_text", "add",  "handle_start_tag"};
    static char name[80];

    if (sub < 40)
        snprintf(name, sizeof name, "%s::%s", packages[sub % 5], verbs[sub / 5]);
    else
        snprintf(name, sizeof name, "Gen::P%u::method_%u", sub % 97, sub);
    return name;
}

static void let_time_pass(void)
{
    uint32_t step = chance(3) ? chance(2) : chance(30);

    if (classic)
        step = chance(400) ? 0 : 1;
    user += step;
    real += step + (chance(10) == 0);
    sys += chance(classic ? 9000 : 50) == 0;
}

static void mark(char sign, uint32_t sub)
{
    let_time_pass();
    marks++;
    if (!compact) {
        printf("%c %llu %llu %llu %s\n", sign, (unsigned long long)user, (unsigned long long)sys,
               (unsigned long long)real, name_of(sub));
        if (mixed && marks == most / 2)
            compact = 1;
        last_user = user, last_sys = sys, last_real = real;
        return;
    }
    if (user != last_user || sys != last_sys || real != last_real)
        printf("@ %llu %llu %llu\n", (unsigned long long)(user - last_user),
               (unsigned long long)(sys - last_sys), (unsigned long long)(real - last_real));
    last_user = user, last_sys = sys, last_real = real;
    if (!known[sub]) {
        char name[80], *split = NULL;

        known[sub] = 1;
        strcpy(name, name_of(sub));
        for (char *c = name; *c; c++)
            if (*c == ':')
                split = c;
        split[-1] = '\0';
        printf("& %x %s %s\n", sub + 2, name, split + 1);
    }
    printf("%c %x\n", sign, sub + 2);
}

/* Some call with what is below it. */
static void call(uint32_t sub, int depth)
{
    uint32_t loops = depth > 6 ? 0 : chance(4);

    mark('+', sub);
    for (uint32_t i = 0; i < loops && marks < most; i++)
        call((sub * 7 + i * (1 + chance(8) / 7)) % 40, depth + 1);
    mark('-', sub);
}

static void run(const char *shape)
{
    uint32_t n = 0;

    if (strcmp(shape, "deep") == 0) {
        for (; marks < most / 2; n++)
            mark('+', 1);
        for (; n; n--)
            mark('-', 1);
    }
    while (marks < most) {
        if (strcmp(shape, "usual") == 0)
            call(chance(5), 0);
        else
            call(7 + (strcmp(shape, "subs") == 0 ? n++ : chance(1000000)) % 1000000, 7);
    }
}

int main(int argc, char **argv)
{
    const char *format = argc > 1 ? argv[1] : "";

    if (argc < 3)
        return fprintf(stderr,
                       "usage: trace text|compact|classic|mixed MARKS [usual|deep|wide|subs]\n"),
               2;
    compact = strcmp(format, "compact") == 0;
    classic = strcmp(format, "classic") == 0;
    mixed = strcmp(format, "mixed") == 0;
    most = strtoull(argv[2], NULL, 10);
    if (compact)
        user = sys = real = 0;
    if (classic)
        user /= 10000, sys /= 10000, real /= 10000;
    printf("#fOrTyTwO\n$hz=%d;\n$XS_VERSION='DProf 20261129';\n# All values are given in HZ\n"
           "$rrun_utime=0; $rrun_stime=0; $rrun_rtime=0\nPART2\n"
           "#run id=5f2c91d07a pid=4711 started=1764400000.123456 cpu=thread\n",
           classic ? 100 : 1000000);
    run(argc > 3 ? argv[3] : "usual");
    printf("#end 0 %llu %llu %llu %llu\n", (unsigned long long)user, (unsigned long long)sys,
           (unsigned long long)real, (unsigned long long)marks);
    return fflush(stdout) != 0 || ferror(stdout);
}
