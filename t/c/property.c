/*
 * Random call trees with known times, written in every dialect, some damaged, must be read as what
 * they are. The truth is kept by a model of its own that is too simple to be wrong: lists that are
 * searched from the start, and recursion. property [SEED [ROUNDS]]
 */
#include <stdint.h>

#include "model/change.h"
#include "model/sums.h"
#include "profiles.h"
#include "read/parts.h"

/* --- chance --- */

static uint64_t state;

static long chance(long n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (long)((state >> 20) % (uint64_t)n);
}

/* --- what happens --- */

#define MOST_EVENTS 400
#define NSUBS 9

static const char *const packages[NSUBS] = {"main", "main", "A::B", "A",   "A::B",
                                            "main", "X",    "X",    "main"};
static const char *const names[NSUBS] = {
    "a", "bb",        "c", "with blank", "__ANON__[x.pl:3]", "a_long_name_of_a_sub_that_does_much",
    "e", "f\xc3\xa9", "g"};

/* '+' enter, '-' leave, '*' goto, 'g' a gap: after so much time passed. */
struct event {
    char what;
    int sub;
    long user, sys, real;
};

static struct event events[MOST_EVENTS];
static int nevents;

static void time_passes(struct event *event)
{
    int grain = chance(3) ? 3 : 5000;

    event->real = chance(2) ? chance(grain) : 0;
    event->user = event->real ? chance(event->real + 1) : 0;
    event->sys = event->real ? chance(event->real - event->user + 1) : 0;
}

/* A run of so many events that ends with all frames closed. */
static void invent(int most)
{
    int stack[MOST_EVENTS], depth = 0;

    for (nevents = 0; nevents < most || depth; nevents++) {
        struct event *event = &events[nevents];
        int closing = nevents >= most - depth;

        time_passes(event);
        event->sub = (int)chance(NSUBS);
        if (!closing && chance(40) == 0) {
            event->what = 'g';
        } else if (!closing && depth && chance(15) == 0) {
            event->what = '*';
        } else if (depth && (closing || chance(depth > 5 ? 2 : 5) == 0)) {
            event->what = '-';
            event->sub = stack[--depth];
        } else {
            event->what = '+';
            stack[depth++] = event->sub;
        }
    }
}

/* --- the truth --- */

struct place {
    int parent, sub;
    long calls, user, sys, real;
};

static struct place places[MOST_EVENTS + 1];
static int nplaces;

static int place(int parent, int sub)
{
    for (int i = 1; i < nplaces; i++)
        if (places[i].parent == parent && places[i].sub == sub)
            return i;
    places[nplaces] = (struct place){parent, sub, 0, 0, 0, 0};
    return nplaces++;
}

/* What the first n events amount to. Returns how many frames are open after them. */
static int happen(int n)
{
    int at = 0, depth = 0, stack[MOST_EVENTS];

    nplaces = 1;
    memset(&places[0], 0, sizeof places[0]);
    for (int i = 0; i < n; i++) {
        const struct event *event = &events[i];

        places[at].user += event->user;
        places[at].sys += event->sys;
        places[at].real += event->real;
        if (event->what == '-') {
            at = stack[--depth];
        } else if (event->what == '*') {
            at = place(stack[depth - 1], event->sub);
            places[at].calls++;
        } else if (event->what == '+') {
            stack[depth++] = at;
            at = place(at, event->sub);
            places[at].calls++;
        }
    }
    return depth;
}

static void print_place(char **to, int at, int depth)
{
    *to +=
        at ? sprintf(*to, "%*s%s::%s x%ld %ld %ld %ld\n", depth - 1, "", packages[places[at].sub],
                     names[places[at].sub], places[at].calls, places[at].user, places[at].sys,
                     places[at].real)
           : sprintf(*to, "(root) x0 %ld %ld %ld\n", places[0].user, places[0].sys, places[0].real);
    for (int i = 1; i < nplaces; i++)
        if (places[i].parent == at)
            print_place(to, i, depth + 1);
}

/* --- writing it --- */

enum dialect { TEXT, COMPACT, NAMED, MIXED, NDIALECTS };

struct file {
    enum dialect dialect;
    int compact; /* now */
    const char *newline;
    char bytes[MOST_EVENTS * 4000];
    char *at;
    char *whole[MOST_EVENTS + 1]; /* after that many events the file is so long */
    int damage;
    int ours; /* written by us, not by the original */
    int introduced[NSUBS];
    long user, sys, real;             /* now */
    long was_user, was_sys, was_real; /* at the last @ or absolute mark */
};

static struct file file;

static void put(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    file.at += vsprintf(file.at, format, args);
    va_end(args);
    file.at += sprintf(file.at, "%s", file.newline);
}

static void told_time(void)
{
    file.was_user = file.user;
    file.was_sys = file.sys;
    file.was_real = file.real;
}

static void put_ticks(void)
{
    long user = file.user - file.was_user, sys = file.sys - file.was_sys,
         real = file.real - file.was_real;

    if (user || sys || real)
        put("@ %ld %ld %ld", user, sys, real);
    told_time();
}

static void put_mark(char sign, int sub)
{
    if (file.dialect == MIXED && !file.compact && chance(20) == 0)
        file.compact = 1;
    if (chance(30) == 0)
        put("# a comment");
    if (chance(60) == 0)
        put("#word that nobody knows");
    if (!file.compact) {
        put("%c %ld %ld %ld %s::%s", sign, file.user, file.sys, file.real, packages[sub],
            names[sub]);
        told_time();
        return;
    }
    put_ticks();
    if (file.dialect == NAMED) {
        put("%c & %s::%s", sign, packages[sub], names[sub]);
        return;
    }
    if (!file.introduced[sub])
        put("& %x %s %s", sub * 37 + 2, packages[sub], names[sub]);
    file.introduced[sub] = 1;
    put("%c %x", sign, sub * 37 + 2);
}

/* An exit of a sub that is never entered: to be left out. */
static void put_bogus(void)
{
    if (!file.compact)
        put("- %ld %ld %ld Never::entered", file.user, file.sys, file.real);
    else if (put_ticks(), file.dialect == NAMED)
        put("- & Never::entered");
    else
        put("- fff1");
    told_time();
}

static void put_gap(const int *shown, int depth)
{
    for (int i = depth; i--;)
        put_mark('-', shown[i]);
    if (file.compact)
        put_ticks();
    put("#stop %ld %ld %ld", file.user, file.sys, file.real);
    file.user += chance(1000);
    file.real += 1000 + chance(100000);
    put("#start %ld %ld %ld", file.user, file.sys, file.real);
    told_time();
    if (depth)
        put("#open %d", depth);
    for (int i = 0; i < depth; i++)
        put_mark('+', shown[i]);
}

static void put_header(void)
{
    put("#fOrTyTwO");
    put("$hz=1000000;");
    put("$XS_VERSION='DProf 20261129';");
    put("PART2");
    if (file.ours)
        put("#run id=1 pid=2");
    if (file.damage)
        put("& fff1 Never entered");
}

/* The frames as they are, and as the exits of `*` marks name them. */
static void write_events(enum dialect dialect, const char *newline, int damage)
{
    int shown[MOST_EVENTS], actual[MOST_EVENTS], depth = 0;

    memset(&file, 0, sizeof file);
    file.dialect = dialect;
    file.compact = dialect == COMPACT || dialect == NAMED;
    file.newline = newline;
    file.at = file.bytes;
    file.damage = damage;
    file.ours = (int)chance(2);
    if (!file.compact || file.ours) {
        file.user = chance(100000);
        file.sys = chance(1000);
        file.real = 1000000000 + chance(1000000000);
    }
    told_time();
    put_header();
    if (file.compact && file.ours) /* the first time of all */
        put("@ %ld %ld %ld", file.user, file.sys, file.real);
    else if (!file.compact)
        put("#start %ld %ld %ld", file.user, file.sys, file.real);
    for (int i = 0; i < nevents; i++) {
        const struct event *event = &events[i];

        file.whole[i] = file.at;
        file.user += event->user;
        file.sys += event->sys;
        file.real += event->real;
        if (damage && chance(10) == 0)
            put_bogus();
        if (event->what == '+') {
            shown[depth] = actual[depth] = event->sub;
            put_mark('+', actual[depth++]);
        } else if (event->what == '-') {
            depth--;
            put_mark('-', shown[depth]);
        } else if (event->what == 'g') {
            put_gap(actual, depth);
            memcpy(shown, actual, (size_t)depth * sizeof *shown);
        } else if (file.compact) {
            put_mark('*', event->sub);
            actual[depth - 1] = event->sub;
        } else {
            put_mark('-', shown[depth - 1]);
            shown[depth - 1] = actual[depth - 1] = event->sub;
            put_mark('+', event->sub);
        }
    }
    file.whole[nevents] = file.at;
}

/* --- comparing --- */

static uint64_t seed_now;
static const char *const dialect_names[] = {"text", "compact", "named", "mixed"};

static void complain(const char *what, const char *found, const char *wanted)
{
    ok(0, "seed %llu, %s: %s", (unsigned long long)seed_now, dialect_names[file.dialect], what);
    explain("found", found);
    explain("wanted", wanted);
}

/* Only the tree of a dump. */
static void cut_notes(char *text)
{
    for (char *c = text; *c; c += strcspn(c, "\n"), c += *c == '\n')
        if (strncmp(c, "note ", 5) == 0 || strncmp(c, "open since", 10) == 0) {
            *c = '\0';
            return;
        }
}

static char truth[MOST_EVENTS * 200];

/* n bytes of the file are read: they hold the first `whole` events. */
static struct dp_profile *compare(size_t n, int whole)
{
    struct dp_profile *prof = profile_of(file.bytes, n);
    int open = happen(whole);
    char *end = truth, *found;

    print_place(&end, 0, 0);
    if (!prof) {
        complain("cannot be read", "", truth);
        return NULL;
    }
    found = dump(prof);
    cut_notes(found);
    if (strcmp(found, truth) != 0)
        complain("another tree", found, truth);
    free(found);
    if (prof->nopen != (uint32_t)open)
        complain("another number of open frames", "", "");
    return prof;
}

/* --- sums: by recursion --- */

static long inclusive(int at)
{
    long sum = places[at].real;

    for (int i = 1; i < nplaces; i++)
        if (places[i].parent == at)
            sum += inclusive(i);
    return sum;
}

static int is_inside(int at, int sub)
{
    for (at = places[at].parent; at; at = places[at].parent)
        if (places[at].sub == sub)
            return 1;
    return 0;
}

static int edge_is_inside(int at, int caller, int callee)
{
    for (at = places[at].parent; at; at = places[at].parent)
        if (places[at].sub == callee &&
            (places[at].parent ? places[places[at].parent].sub : -1) == caller)
            return 1;
    return 0;
}

static int sub_of(const struct dp_profile *prof, uint32_t sub)
{
    for (int i = 0; i < NSUBS; i++) {
        char name[100];

        snprintf(name, sizeof name, "%s::%s", packages[i], names[i]);
        if (strcmp(name, dp_string(prof, prof->subs[sub].name, NULL)) == 0)
            return i;
    }
    return -1;
}

static void compare_sub(const struct dp_sum *sum, int sub)
{
    long calls = 0, self = 0, incl = 0;

    for (int i = 1; i < nplaces; i++)
        if (places[i].sub == sub) {
            calls += places[i].calls;
            self += places[i].real;
            incl += is_inside(i, sub) ? 0 : inclusive(i);
        }
    if ((long)sum->calls != calls || sum->self.real != self || sum->incl.real != incl)
        complain("other sums", names[sub], "");
}

static void compare_edge(const struct dp_edge *edge, int caller, int callee)
{
    long calls = 0, incl = 0;

    for (int i = 1; i < nplaces; i++)
        if (places[i].sub == callee &&
            (places[i].parent ? places[places[i].parent].sub : -1) == caller) {
            calls += places[i].calls;
            incl += edge_is_inside(i, caller, callee) ? 0 : inclusive(i);
        }
    if ((long)edge->calls != calls || edge->incl.real != incl)
        complain("another edge", names[callee], "");
}

static void compare_sums(const struct dp_profile *prof)
{
    struct dp_sums *sums = dp_sums_new(prof);

    for (uint32_t i = 0; i < sums->nsubs; i++) {
        int sub = sub_of(prof, i);

        if (sub < 0)
            continue;
        compare_sub(&sums->subs[i], sub);
        for (uint32_t e = sums->first_callee[i]; e < sums->first_callee[i + 1]; e++)
            compare_edge(&sums->edges[e], sub, sub_of(prof, sums->edges[e].callee));
        for (uint32_t e = sums->first_caller[i]; e < sums->first_caller[i + 1]; e++) {
            const struct dp_edge *edge = &sums->edges[sums->by_callee[e]];

            if (edge->callee != i)
                complain("an edge of another callee", names[sub], "");
            compare_edge(edge, edge->caller == sums->nsubs ? -1 : sub_of(prof, edge->caller), sub);
        }
    }
    if (sums->total.real != inclusive(0))
        complain("another total", "", "");
    dp_sums_free(sums);
}

/* --- in parts --- */

#define MOST_PARTS 5

struct parts {
    const char *bytes;
    uint64_t cuts[MOST_PARTS + 1]; /* part i is from cuts[i] to cuts[i + 1] */
    int n;
    int asked; /* parts that were handed out */
    struct dp_piece *pieces[MOST_PARTS];
    uint64_t at, end; /* what fill() gives */
};

static ptrdiff_t fill_part(void *ctx, char *to, size_t room)
{
    struct parts *parts = ctx;
    uint64_t n = parts->end - parts->at;

    if (n > room)
        n = room;
    if (n > 100)
        n = 1 + n / 2;
    memcpy(to, parts->bytes + parts->at, n);
    parts->at += n;
    return (ptrdiff_t)n;
}

static const struct dp_piece *next_piece(void *ctx, uint64_t *from, uint64_t *to)
{
    struct parts *parts = ctx;
    int i = ++parts->asked;

    *to = 0;
    if (i >= parts->n)
        return NULL;
    *from = parts->cuts[i];
    *to = parts->cuts[i + 1];
    return parts->pieces[i];
}

static void seek_part(void *ctx, uint64_t from, uint64_t to)
{
    struct parts *parts = ctx;

    parts->at = from;
    parts->end = to;
}

static void cut_in_parts(struct parts *parts, const char *bytes, size_t n)
{
    const char *after_header = strstr(bytes, "PART2") + 5;

    memset(parts, 0, sizeof *parts);
    parts->bytes = bytes;
    parts->n = 2 + (int)chance(MOST_PARTS - 1);
    for (int i = 1; i < parts->n; i++) {
        uint64_t low = i > 1 ? parts->cuts[i - 1] : (uint64_t)(after_header - bytes);
        const char *from = bytes + low + (low < n ? (uint64_t)chance((long)(n - low)) : 0);
        const char *line = memchr(from, '\n', (size_t)(bytes + n - from));

        parts->cuts[i] = line ? (uint64_t)(line + 1 - bytes) : n;
    }
    parts->cuts[parts->n] = n;
    parts->end = parts->cuts[1];
}

static void compare_parts(const char *bytes, size_t n)
{
    struct dp_profile *serial = read_bytes(bytes, n, NULL, NULL), *prof;
    struct dp_err err = {0, 0, ""};
    struct dp_parts interface = {next_piece, seek_part, NULL};
    struct parts parts;
    struct dp_in in;
    char *found, *wanted;

    cut_in_parts(&parts, bytes, n);
    for (int i = 1; i < parts.n; i++) {
        struct dp_in piece;

        dp_in_bytes(&piece, bytes + parts.cuts[i], parts.cuts[i + 1] - parts.cuts[i]);
        parts.pieces[i] = chance(9) ? dp_piece_read(&piece, 1000000) : NULL;
        dp_in_free(&piece);
    }
    dp_in_source(&in, fill_part, &parts);
    interface.ctx = &parts;
    in.parts = &interface;
    prof = dp_read(&in, NULL, &err);
    dp_in_free(&in);
    found = dump(prof);
    wanted = dump(serial);
    if (dp_profile_check(prof, &err) < 0 || strcmp(found, wanted) != 0 ||
        prof->marks != serial->marks || prof->lost != serial->lost)
        complain("something else in parts", found, wanted);
    free(found);
    free(wanted);
    for (int i = 1; i < parts.n; i++)
        dp_piece_free(parts.pieces[i]);
    dp_profile_free(prof);
    dp_profile_free(serial);
}

/* --- rounds --- */

static void one_round(void)
{
    enum dialect dialect = (enum dialect)chance(NDIALECTS);
    struct dp_profile *prof;

    invent(2 + (int)chance(chance(4) ? 60 : MOST_EVENTS - 2));
    write_events(dialect, chance(4) ? "\n" : "\r\n", chance(4) == 0);
    prof = compare((size_t)(file.at - file.bytes), nevents);
    if (prof) {
        compare_sums(prof);
        if (file.damage && !prof->lost && strstr(file.bytes, "- fff1"))
            complain("damage that is not noted", "", "");
        if (!file.damage && prof->lost)
            complain("something is said to be lost", "", "");
    }
    dp_profile_free(prof);
    if (chance(3) == 0 && !file.damage) {
        int cut = (int)chance(nevents);
        size_t line = strcspn(file.whole[cut], "\n");
        size_t n = (size_t)(file.whole[cut] - file.bytes) + (size_t)chance((long)line + 1);

        dp_profile_free(compare(n, cut));
        compare_parts(file.bytes, n);
    }
    compare_parts(file.bytes, (size_t)(file.at - file.bytes));
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    long rounds = argc > 2 ? atol(argv[2]) : 1500;
    int failed = tap_failed;

    for (long i = 0; i < rounds && tap_failed < 5; i++) {
        seed_now = seed + (uint64_t)i;
        state = seed_now * 0x9E3779B97F4A7C15u + 1;
        for (int k = 0; k < 5; k++)
            chance(2);
        one_round();
    }
    ok(tap_failed == failed, "%ld random runs are read as what they are", rounds);
    return done();
}
