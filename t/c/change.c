/* Profiles out of profiles: overhead, other names, parts, sums of several. */
#include "model/callsites.h"
#include "model/change.h"
#include "model/links.h"
#include "model/strings.h"
#include "model/sums.h"
#include "profiles.h"

static struct dp_profile *read_text(const char *text)
{
    struct dp_profile *prof = profile_of(text, strlen(text));

    if (!prof)
        ok(0, "the test's own profile is read");
    return prof;
}

/* Frees the profile. */
static void is_profile(struct dp_profile *prof, const char *wanted, const char *name)
{
    struct dp_err err = {0, 0, ""};
    char *found = dump(prof);

    if (dp_profile_check(prof, &err) < 0)
        ok(0, "%s: not whole: %s", name, err.text);
    is_text(found, wanted, name);
    free(found);
    dp_profile_free(prof);
}

/* 10 calls of b from a, 4 of c from a and 1 from outside; 100 calls cost 40 ticks of user time. */
static const char text[] =
    HEADER "#run id=1\n#over 40 0 80 100\nPART3\n0 0 - 0 3 0 6 - - - (root)\n"
           "1 0 - 5 30 4 50 - - - A::a\n2 1 - 10 20 0 20 - - - A::b\n3 1 - 4 1 0 1 - - - A::c\n"
           "4 0 - 1 9 0 9 - - - A::c\n#end 5\n#end 0 0 0 0 0\n";

static void overhead(void)
{
    struct dp_profile *prof = read_text(text);
    struct dp_sums *sums = dp_sums_new(prof);

    ok(sums->over.user == 8 && sums->over.real == 16 && sums->over.sys == 0,
       "20 calls cost 8 ticks of user, 16 of real time");
    ok(sums->subs[0].over.real == 8, "a bears half of its 5 calls' and of the 14 it makes: %lld",
       (long long)sums->subs[0].over.real);
    ok(sums->subs[1].over.real == 4 && sums->subs[2].over.real == 2, "b and c half of their own");
    ok(sums->subs[3].over.real == 2, "the code outside half of the 6 it makes");
    dp_sums_free(sums);
    dp_profile_clean(prof);
    dp_profile_clean(prof);
    ok(prof->taken.real == 16 && prof->taken.user == 8, "all of it is taken off, once");
    ok(prof->total.real == 86 - 16, "the total is less");
    is_profile(prof,
               "(root) x0 2 0 4\nA::a x5 26 4 42\n A::b x10 18 0 16\n A::c x4 0 0 0\n"
               "A::c x1 9 0 8\n",
               "what c's place in a cannot bear is taken from its other place");
}

static void more_than_there_is(void)
{
    struct dp_profile *prof =
        read_text(HEADER "#run id=1\n#over 1000 0 1000 10\nPART3\n1 0 - 5 30 4 50 - - - A::a\n"
                         "#end 1\n#end 0 0 0 0 0\n");

    dp_profile_clean(prof);
    ok(prof->taken.real == 50 && prof->taken.user == 30, "no more is taken than there is");
    is_profile(prof, "(root) x0 0 0 0\nA::a x5 0 4 0\n", "nothing falls below zero");
}

/* Half a tick a call, on many paths: it is the sum that must be right. */
static void fractions(void)
{
    static char many[40000];
    char *to = many + sprintf(many, HEADER "#run id=1\n#over 1 0 1 4\nPART3\n");
    struct dp_profile *prof;

    for (int i = 1; i <= 400; i++)
        to += sprintf(to, "%d %d - 1 1 0 1 - - - A::a\n", i, i - 1);
    sprintf(to, "#end 400\n#end 0 0 0 0 0\n");
    prof = read_text(many);
    dp_profile_clean(prof);
    ok(prof->taken.user >= 99 && prof->taken.user <= 100,
       "400 calls of a quarter of a tick: %lld ticks in all", (long long)prof->taken.user);
    dp_profile_free(prof);
}

static void kinds_of_calls(void)
{
    struct dp_profile *prof =
        read_text(HEADER "#run id=1\n#over 100 0 100 100\n#over 1000 0 1000 100 xsub\n"
                         "#sub A::x - 0 xsub\n#sub A::a - 0 perl\nPART3\n"
                         "1 0 - 4 100 0 100 - - - A::a\n2 0 - 4 100 0 100 - - - A::x\n"
                         "0 0 - 0 100 0 100 - - - (root)\n#end 3\n#end 0 0 0 0 0\n");

    dp_profile_clean(prof);
    is_profile(prof, "(root) x0 78 0 78\nA::a x4 98 0 98\nA::x x4 80 0 80\n",
               "a kind with a calibration of its own");
}

static uint32_t *same_names(const struct dp_profile *prof)
{
    uint32_t *as = calloc(prof->nsubs, sizeof *as);

    for (uint32_t i = 0; i < prof->nsubs; i++)
        as[i] = prof->subs[i].name;
    return as;
}

static void other_names(void)
{
    struct dp_profile *prof = read_text(text);
    uint32_t *as = same_names(prof);

    as[1] = prof->subs[2].name;
    is_profile(dp_profile_renamed(prof, as),
               "(root) x0 3 0 6\nA::a x5 30 4 50\n A::c x14 21 0 21\nA::c x1 9 0 9\n",
               "b is shown as c: their places become one");
    as[1] = prof->subs[1].name;
    as[0] = DP_NONE;
    is_profile(dp_profile_renamed(prof, as),
               "(root) x0 33 4 56\nA::b x10 20 0 20\nA::c x5 10 0 10\n",
               "a is left out: its time and its calls go to its caller");
    for (uint32_t i = 0; i < prof->nsubs; i++)
        as[i] = DP_NONE;
    is_profile(dp_profile_renamed(prof, as), "(root) x0 63 4 86\n", "all are left out");
    free(as);
    dp_profile_free(prof);
}

static void parts(void)
{
    struct dp_profile *prof = read_text(
        HEADER "#run id=1\n+ 0 0 0 A::a\n+ 1 0 1 A::b\n+ 3 0 3 A::a\n- 6 0 6 A::a\n- 10 0 10 A::b\n"
               "- 15 0 15 A::a\n+ 15 0 15 A::b\n- 21 0 21 A::b\n#end 0 30 0 30 8\n");
    unsigned char wanted[2] = {0, 1};

    is_profile(dp_profile_within(prof, wanted),
               "(root) x0 0 0 0\nA::b x2 12 0 12\n A::a x1 3 0 3\n",
               "inside b, wherever it was called");
    wanted[0] = 1;
    is_profile(dp_profile_within(prof, wanted),
               "(root) x0 0 0 0\nA::a x1 6 0 6\n A::b x1 6 0 6\n  A::a x1 3 0 3\nA::b x1 6 0 6\n",
               "inside a or b: the outermost call counts");
    wanted[0] = wanted[1] = 0;
    is_profile(dp_profile_within(prof, wanted), "(root) x0 0 0 0\n", "inside nothing");
    dp_profile_free(prof);
}

static void together(void)
{
    struct dp_profile *prof = read_text(text), *same = read_text(text);

    dp_profile_merge(prof, same);
    is_profile(prof,
               "(root) x0 6 0 12\nA::a x10 60 8 100\n A::b x20 40 0 40\n A::c x8 2 0 2\n"
               "A::c x2 18 0 18\n",
               "twice the same is twice as much");
    dp_profile_free(same);

    for (int turned = 0; turned < 2; turned++) {
        struct dp_profile *coarse =
            read_text("#fOrTyTwO\n$hz=100;\nPART2\n#run id=1\n+ 0 0 0 A::a\n- 1 0 2 A::a\n"
                      "#end 0 1 0 3 2\n");
        struct dp_profile *fine =
            read_text(HEADER "#run id=2\n+ 0 0 0 A::a\n+ 0 0 0 A::b\n- 5 0 6 A::b\n"
                             "- 5 0 7 A::a\n#end 0 5 0 7 4\n");
        struct dp_profile *into = turned ? fine : coarse, *from = turned ? coarse : fine;

        dp_profile_merge(into, from);
        ok(into->hz == 1000 && into->marks == 6, "the finer clock is kept, marks add up");
        is_profile(into, "(root) x0 0 0 10\nA::a x2 10 0 21\n A::b x1 5 0 6\nnote hz line 0 x1\n",
                   "100 and 1000 ticks a second together, either into the other");
        dp_profile_free(from);
    }
}

/* Times before the clock's zero grow, too. */
static void long_before(void)
{
    struct dp_profile *into =
        read_text("#fOrTyTwO\n$hz=100;\nPART2\n#run id=1\n+ 0 0 -900000000000000000 A::a\n"
                  "- 0 0 -899999999999999999 A::a\n#end 0 0 0 1 2\n");
    struct dp_profile *from = read_text(HEADER "#run id=2\n+ 0 0 0 A::a\n- 0 0 1 A::a\n");

    dp_profile_merge(into, from);
    ok(into->first.real == -2000000000000000000, "the earliest time stays in its bounds: %lld",
       (long long)into->first.real);
    dp_profile_free(into);
    dp_profile_free(from);
}

static void names(void)
{
    struct dp_profile *prof = read_text(
        HEADER
        "+ 1 0 1 main::BEGIN[x.pl:3]\n+ 1 0 1 main::__ANON__[x.pl:3]\n+ 1 0 1 A::BEGINNER[x]\n"
        "+ 1 0 1 A::b::c\n#sub A::b::c - 0 autoload\n");
    static const char *const plain[] = {"main::BEGIN", "main::__ANON__[x.pl:3]", "A::BEGINNER[x]",
                                        "A::b::c"};

    for (uint32_t i = 0; i < 4; i++)
        is_text(dp_string(prof, dp_plain_name(prof, i), NULL), plain[i], "the plain name");
    is_text(dp_string(prof, dp_autoload_name(prof, 3), NULL), "A::b::AUTOLOAD", "what autoloaded");
    is_text(dp_string(prof, dp_autoload_name(prof, 2), NULL), "A::BEGINNER[x]", "what did not");
    dp_profile_free(prof);
}

/* An amount of n intervals is off by some sqrt(n / 6) ticks. */
static void doubt(void)
{
    struct dp_profile *prof =
        read_text(HEADER "#run id=1\nPART3\n1 0 - 600 9 0 99 - - - A::a\n"
                         "2 0 - 1 0 0 5 - - - A::b\n#end 2\n#end 0 0 0 0 0\n");
    struct dp_sums *sums = dp_sums_new(prof);

    ok(sums->subs[0].self_unsure.real == 10, "600 stretches: 10 ticks, found %lld",
       (long long)sums->subs[0].self_unsure.real);
    ok(sums->subs[1].self_unsure.real <= 1, "one stretch: not more than a tick");
    dp_sums_free(sums);
    dp_profile_free(prof);
}

/* a is called from two lines, b from two files below one of them. */
static const char sites[] =
    HEADER "#run id=1\nPART3\n0 0 - 0 1 0 1 - - - (root)\n1 0 x.pl:3 5 10 0 10 - - - A::a\n"
           "2 0 x.pl:9 2 20 0 20 - - - A::a\n3 1 C:x.pm:4 4 1 0 1 - - - B::b\n"
           "4 2 y\\x20z.pm:1 3 2 0 2 - - - B::b\n5 2 C:x.pm:4 1 4 0 4 - - - B::b\n"
           "6 2 nowhere 1 1 0 1 - - - B::b\n#end 7\n#end 0 0 0 0 0\n";

static void callsites(void)
{
    struct dp_profile *prof = read_text(sites), *other;
    uint32_t as[2] = {DP_NONE, 0}, n;

    ok(dp_callsites_of(prof, 1, &n) && n == 2 && !dp_callsites_of(prof, 0, &n) && n == 0,
       "those of a node are found");
    as[1] = prof->subs[1].name;
    is_profile(dp_profile_renamed(prof, as), "(root) x0 31 0 31\nB::b x9 8 0 8\n",
               "without a: nobody knows where its caller would have called b");
    as[0] = prof->subs[0].name;
    as[1] = DP_NONE;
    is_profile(dp_profile_renamed(prof, as),
               "(root) x0 1 0 1\nA::a x7 38 0 38\nfrom x.pl:3 x5 11 0 11 of A::a x7 38 0 38\n"
               "from x.pl:9 x2 27 0 27 of A::a x7 38 0 38\n",
               "without b");
    other = read_text(sites);
    dp_profile_merge(prof, other);
    dp_profile_free(other);
    is_profile(prof,
               "(root) x0 2 0 2\nA::a x14 60 0 60\n B::b x18 16 0 16\n"
               "from x.pl:3 x10 22 0 22 of A::a x14 60 0 60\n"
               "from x.pl:9 x4 54 0 54 of A::a x14 60 0 60\n"
               "from C:x.pm:4 x10 10 0 10 of  B::b x18 16 0 16\n"
               "from y z.pm:1 x6 4 0 4 of  B::b x18 16 0 16\n",
               "added up, place by place; no place: no site");
}

/* A profile of counts: a, b, m, x, in this order. */
static struct dp_profile *counted(const uint64_t *calls, const struct dp_link *links, int nlinks)
{
    static const char *const names[] = {"a", "b", "m", "x"};
    struct dp_profile *prof = dp_profile_new();

    prof->counts = 1;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t sub = dp_add_sub(prof, dp_intern(prof->strings, names[i], 1));

        prof->nodes[dp_add_node(prof, 0, sub)].calls = calls[i];
    }
    for (int i = 0; i < nlinks; i++)
        dp_add_link(prof, &links[i]);
    return prof;
}

/* Leaves m out; frees the profile. */
static void has_links(struct dp_profile *prof, const char *wanted, const char *name)
{
    uint32_t *as = same_names(prof);
    struct dp_profile *less;
    char found[400] = "", *to = found;

    as[2] = DP_NONE;
    less = dp_profile_renamed(prof, as);
    for (uint32_t i = 0; i < less->nlinks; i++) {
        const struct dp_link *link = &less->links[i];

        to += sprintf(
            to, "%s-%s %d..%d\n",
            link->caller == DP_NONE ? "?" : dp_string(less, less->subs[link->caller].name, NULL),
            dp_string(less, less->subs[link->callee].name, NULL), (int)link->least,
            (int)link->most);
    }
    is_text(found, wanted, name);
    dp_profile_free(less);
    dp_profile_free(prof);
    free(as);
}

static void links_of_left_out(void)
{
    static const uint64_t calls[] = {1, 1, 3, 3};
    static const struct dp_link exact[] = {{0, 2, 1, 3, 3, 0, 0}, {2, 3, 2, 3, 3, 0, 0}};
    static const struct dp_link several[] = {
        {0, 2, 1, 0, 3, 0, 0}, {1, 2, 1, 0, 3, 0, 0}, {2, 3, 1, 0, 2, 0, 0}, {1, 3, 1, 1, 3, 0, 0}};
    static const struct dp_link pointer[] = {{0, 2, 1, 0, 3, 0, 0}, {2, 3, 1, 3, 3, 0, 0}};
    static const struct dp_link never[] = {{0, 2, 1, 0, 0, 0, 0}, {2, 3, 1, 3, 3, 0, 0}};

    has_links(counted(calls, exact, 2), "a-x 3..3\n",
              "one called it: that one calls what it called");
    has_links(counted(calls, several, 4), "b-x 1..3\na-x 0..2\n",
              "two may have: so often at most, and not more than there were calls");
    has_links(counted(calls, pointer, 2), "a-x 0..3\n", "or who is not seen in the code");
    has_links(counted(calls, never, 2), "a-x 0..0\n?-x 3..3\n", "the one that is seen did not");
    has_links(counted(calls, exact + 1, 1), "?-x 3..3\n", "nobody is seen: from outside");
}

/* --- groups in a profile of statements: what a random program does is known --- */

#define NSUBS 7
#define NSTEPS 60

static uint32_t state = 7;

static uint32_t chance(uint32_t n)
{
    state = state * 1103515245 + 12345;
    return (state >> 16) % n;
}

struct run {
    unsigned may_call[NSUBS]; /* bits */
    uint32_t stack[10];
    uint32_t depth;
    uint64_t calls[NSUBS], links[NSUBS][NSUBS];
    int64_t own[NSUBS], all[NSUBS];
    unsigned group; /* bits */
    int64_t inside; /* statements while a member is open: what must come out */
};

static void state_one(struct run *run)
{
    unsigned open = 0;

    for (uint32_t i = 0; i < run->depth; i++)
        open |= 1u << run->stack[i];
    run->own[run->stack[run->depth - 1]]++;
    for (uint32_t i = 0; i < NSUBS; i++)
        run->all[i] += open >> i & 1;
    run->inside += (open & run->group) != 0;
}

/* The program is sub 0; statements, calls of what may be called, returns. */
static void run_one(struct run *run)
{
    for (uint32_t i = 0; i < NSUBS; i++)
        run->may_call[i] = chance(128) & chance(128) & ~1u;
    run->group = chance(128);
    run->depth = 1;
    run->calls[0] = 1;
    for (int step = 0; step < NSTEPS; step++) {
        uint32_t top = run->stack[run->depth - 1], callee = chance(NSUBS);

        state_one(run);
        if (run->depth < 10 && run->may_call[top] >> callee & 1) {
            run->stack[run->depth++] = callee;
            run->calls[callee]++;
            run->links[top][callee]++;
        } else if (run->depth > 1 && chance(3) == 0) {
            run->depth--;
        }
    }
}

static struct dp_profile *stated(const struct run *run)
{
    struct dp_profile *prof = dp_profile_new();

    prof->counts = prof->statements = 1;
    prof->total.user = NSTEPS;
    for (uint32_t i = 0; i < NSUBS; i++) {
        char name = (char)('a' + i);
        uint32_t sub = dp_add_sub(prof, dp_intern(prof->strings, &name, 1));
        uint32_t node = dp_add_node(prof, 0, sub);

        prof->subs[sub].all = (double)run->all[i];
        prof->nodes[node].calls = run->calls[i];
        prof->nodes[node].self.user = run->own[i];
    }
    for (uint32_t i = 0; i < NSUBS * NSUBS; i++) {
        uint64_t n = run->links[i / NSUBS][i % NSUBS];
        const struct dp_link link = {i / NSUBS, i % NSUBS, 1, n, n, 0, 0};

        if (n)
            dp_add_link(prof, &link);
    }
    return prof;
}

/* 1: the group's statements are exact, 0: they are marked as a guess, -1: wrong. */
static int group_of(const struct run *run)
{
    struct dp_profile *prof = stated(run), *grouped;
    uint32_t *as = same_names(prof), group = dp_intern(prof->strings, "group", 5), sub = 0;
    int64_t all;
    int guessed;

    for (uint32_t i = 0; i < NSUBS; i++)
        if (run->group >> i & 1)
            as[i] = group;
    grouped = dp_profile_renamed(prof, as);
    while (strcmp(dp_string(grouped, grouped->subs[sub].name, NULL), "group") != 0)
        sub++;
    all = (int64_t)(grouped->subs[sub].all + 0.5);
    guessed = grouped->subs[sub].guessed;
    dp_profile_free(grouped);
    dp_profile_free(prof);
    free(as);
    if (guessed)
        return all <= NSTEPS ? 0 : -1;
    return all == run->inside ? 1 : -1;
}

static void groups(void)
{
    int found[3] = {0, 0, 0};

    for (int i = 0; i < 4000; i++) {
        struct run run;

        memset(&run, 0, sizeof run);
        run_one(&run);
        if (run.group)
            found[group_of(&run) + 1]++;
    }
    ok(found[0] == 0, "what happened inside a group counts once, or is marked: %d are wrong",
       found[0]);
    ok(found[1] > 100 && found[2] > 2000, "both happen: %d marked, %d exact", found[1], found[2]);
}

int main(void)
{
    groups();
    links_of_left_out();
    callsites();
    overhead();
    more_than_there_is();
    fractions();
    kinds_of_calls();
    other_names();
    parts();
    together();
    long_before();
    names();
    doubt();
    return done();
}
