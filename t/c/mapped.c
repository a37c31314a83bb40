/* The tree that a killed run leaves beside its profile. */
#include "base/tree_file.h"
#include "profiles.h"

#define NSLOTS 6

static const char trace[] =
    HEADER "#run id=abc\n#site 1 /x/y.pl\n& 3 main a\n& 1f main b\n#tree tmon.out.tree\n####";

static struct {
    union {
        struct dp_tree_header header;
        char page[DP_TREE_PAGE];
    } first;
    struct dp_tree_slot slots[NSLOTS];
} file;

/* root -> a -> b, with an extension of b's buckets between, and a slot that was never used. */
static void make(void)
{
    static const struct dp_tree_header header = {
        DP_TREE_MAGIC, DP_TREE_ORDER, sizeof(struct dp_tree_slot), 1000, 0.5, 4, 3, 0, 0, "abc"};
    struct dp_tree_extension wide = {DP_TREE_EXTENSION, 0, {7}};

    memset(&file, 0, sizeof file);
    file.first.header = header;
    file.slots[0].real = 20;
    file.slots[1] = (struct dp_tree_slot){.sub = 3,
                                          .calls = 2,
                                          .real = 100,
                                          .wait = 10,
                                          .sys = 5,
                                          .min = 3,
                                          .max = 90,
                                          .bucket = {0, 0, 2}};
    memcpy(&file.slots[2], &wide, sizeof wide);
    file.slots[3] = (struct dp_tree_slot){.sub = 0x1f,
                                          .parent = 1,
                                          .wide = 2,
                                          .calls = 8,
                                          .real = 8,
                                          .min = 1,
                                          .max = 40000,
                                          .bucket = {0, 1}};
}

static struct dp_profile *read_with(const char *text, size_t bytes)
{
    struct dp_err err = {0, 0, ""};
    struct dp_in in;
    struct dp_profile *prof;

    dp_in_bytes(&in, text, strlen(text));
    in.beside = (const char *)&file;
    in.nbeside = bytes;
    prof = dp_read(&in, NULL, &err);
    dp_in_free(&in);
    if (!prof || dp_profile_check(prof, &err) < 0)
        ok(0, "read, and whole: %s", err.text);
    return prof;
}

static void is_read_as(const char *text, size_t bytes, const char *wanted, const char *name)
{
    struct dp_profile *prof = read_with(text, bytes);
    char *found = dump(prof);

    is_text(found, wanted, name);
    free(found);
    dp_profile_free(prof);
}

int main(void)
{
    static const char left_out[] = "(root) x0 0 0 0\nnote bad-tree line 0 x1\n"
                                   "note unfinished line 0 x1\n";
    struct dp_profile *prof;

    ok(sizeof(struct dp_tree_extension) <= sizeof(struct dp_tree_slot),
       "an extension lies over one slot and not into the next: %lu bytes in %lu",
       (unsigned long)sizeof(struct dp_tree_extension), (unsigned long)sizeof(struct dp_tree_slot));
    make();
    is_read_as(trace, sizeof file,
               "(root) x0 10 0 10\nmain::a x2 35 5 50\n main::b x8 4 0 4\n"
               "open since 0 0 0 main::a x2 35 5 50\nopen since 0 0 0  main::b x8 4 0 4\n"
               "note open-frames line 0 x1\nnote unfinished line 0 x1\n",
               "nodes, times from counter units, open frames");
    file.slots[1].site = file.slots[3].site = 1;
    file.slots[1].line = 7;
    file.slots[3].line = 30;
    is_read_as(trace, sizeof file,
               "(root) x0 10 0 10\nmain::a x2 35 5 50\n main::b x8 4 0 4\n"
               "from /x/y.pl:7 x2 39 5 54 of main::a x2 35 5 50\n"
               "from /x/y.pl:30 x8 4 0 4 of  main::b x8 4 0 4\n"
               "open since 0 0 0 main::a x2 35 5 50\nopen since 0 0 0  main::b x8 4 0 4\n"
               "note open-frames line 0 x1\nnote unfinished line 0 x1\n",
               "the places of the calls");
    make();
    prof = read_with(trace, sizeof file);
    ok(prof->nhists == 2 && prof->hists[1].bucket[1] == 1 &&
           prof->hists[1].bucket[DP_TREE_BUCKETS] == 7 && prof->hists[1].max == 40000,
       "buckets, those of the extension too");
    dp_profile_free(prof);

    is_read_as(HEADER "#run id=abc\n#end 0 0 0 0 0\n", sizeof file, "(root) x0 0 0 0\n",
               "a run that ended has no use for it");
    is_read_as(HEADER "#run id=xyz\n", sizeof file, "(root) x0 0 0 0\nnote unfinished line 0 x1\n",
               "another run's is not taken");
    is_read_as(trace, DP_TREE_PAGE + sizeof file.slots[0] + 5,
               "(root) x0 10 0 10\nnote unfinished line 0 x1\n", "cut off: what is there of it");
    is_read_as(trace, 100, left_out, "too short to be one");
    file.slots[3].parent = 5;
    is_read_as(trace, sizeof file,
               "(root) x0 10 0 10\nmain::a x2 35 5 50\nnote bad-tree line 0 x1\n"
               "note unfinished line 0 x1\n",
               "a node before its parent");
    file.first.header.order = 0x04030201;
    is_read_as(trace, sizeof file, left_out, "of a machine of the other byte order");
    make();
    file.first.header.ticks = -1;
    is_read_as(trace, sizeof file, left_out, "a clock that cannot be");
    return done();
}
