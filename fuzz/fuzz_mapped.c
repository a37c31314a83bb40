/*
 * Any bytes as the tree beside a profile that a killed run left: the first ones are its header, the
 * rest its slots.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/tree_file.h"
#include "model/change.h"
#include "model/check.h"
#include "model/sums.h"
#include "read/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const char trace[] =
    "#fOrTyTwO\n$hz=1000000;\n$XS_VERSION='DProf 20261129';\n$rrun_utime=0; $rrun_stime=0; "
    "$rrun_rtime=0\nPART2\n#run id=abc pid=1 started=1.5 cpu=thread\n#over 1 0 1 10\n"
    "#site 1 /x/y.pl\n#site 2 z.pm\n@ 10 0 10\n& 1 main a\n+ 1\n& 2 main b\n@ 1 0 1\n+ 2\n- 2\n& 3 "
    "C "
    "BEGIN[/x/y.pl:3]\n#tree tmon.out.tree\n####";

static void must(int good, const char *what, const struct dp_err *err)
{
    if (good)
        return;
    fprintf(stderr, "%s: %s\n", what, err ? err->text : "");
    abort();
}

static void check(const struct dp_profile *prof, const char *what)
{
    struct dp_err err = {0, 0, ""};

    must(dp_profile_check(prof, &err) == 0, what, &err);
}

static struct dp_profile *read_beside(const char *file, size_t n)
{
    const struct dp_read_options options = {.from = "tmon"};
    struct dp_in in;
    struct dp_profile *prof;

    dp_in_bytes(&in, trace, sizeof trace - 1);
    in.beside = file;
    in.nbeside = n;
    prof = dp_read(&in, &options, NULL);
    dp_in_free(&in);
    return prof;
}

static void change(struct dp_profile *prof, struct dp_profile *other)
{
    uint32_t *as = dp_alloc_array(prof->nsubs, sizeof *as);
    struct dp_profile *new;

    for (uint32_t i = 0; i < prof->nsubs; i++)
        as[i] = i % 3 == 1 ? DP_NONE : dp_plain_name(prof, i);
    new = dp_profile_renamed(prof, as);
    check(new, "renamed");
    dp_profile_merge(new, other);
    check(new, "merged");
    dp_sums_free(dp_sums_new(new));
    dp_profile_free(new);
    dp_free(as);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    size_t head = n < sizeof(struct dp_tree_header) ? n : sizeof(struct dp_tree_header);
    size_t all = DP_TREE_PAGE + (n - head);
    char *file = dp_alloc(all);
    struct dp_profile *prof, *other;

    memcpy(file, bytes, head);
    memcpy(file + DP_TREE_PAGE, bytes + head, n - head);
    prof = read_beside(file, all);
    other = read_beside(file, all);
    check(prof, "read");
    dp_profile_clean(prof);
    check(prof, "cleaned");
    change(prof, other);
    dp_profile_free(prof);
    dp_profile_free(other);
    dp_free(file);
    return 0;
}
