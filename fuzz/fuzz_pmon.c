/*
 * Any bytes as a pmon.out of a small program: layouts, core images, uuencode and od text. What is
 * taken must make a profile without faults.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/check.h"
#include "model/sums.h"
#include "read/pmon.h"
#include "write/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const char source[] =
    "program p(output);\nlabel 9;\nvar i: integer;\nprocedure f; forward;\n"
    "function g(n: integer): integer; begin if n > 3 then goto 9; f; g := n end;\n"
    "procedure f; begin if i > 2 then i := g(i) else i := i + 1 end;\n"
    "begin for i := 1 to 3 do f; repeat i := g(1) until i > 0;\n"
    "case i of 1: f; 2, 3: halt end; 9: end.\n";

static int drop(void *ctx, const char *bytes, size_t n)
{
    (void)ctx;
    (void)bytes;
    (void)n;
    return 0;
}

static void report(const struct dp_profile *prof)
{
    static const char *const names[] = {"top", "callers", "callees", "tree", "listing",
                                        "routines", "unexecuted", "json"};
    static struct dp_out out;
    struct dp_view view = {0};
    struct dp_sums *sums = dp_sums_new(prof);
    struct dp_job job = {0};
    struct dp_err err;

    view.rows = -1;
    view.header = 1;
    job.prof = prof;
    job.sums = sums;
    job.view = &view;
    job.out = &out;
    dp_out_init(&out, drop, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        dp_writer_named(names[i])->write(&job, &err);
    dp_flush(&out);
    dp_sums_free(sums);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const uint32_t returned[8] = {1, 0, 2, 1};
    struct dp_pmon pmon;
    struct dp_err err = {0, 0, ""};
    struct dp_pascal *pascal;
    struct dp_pascal_program *program;
    struct dp_profile *prof;
    struct dp_build *build;

    if (dp_pmon_decode((const char *)bytes, n, &pmon, &err) < 0)
        return 0;
    pascal = dp_pascal_parse("p.p", source, sizeof source - 1, 0, NULL, NULL);
    program = dp_pmon_match(pascal, &pmon, &err);
    if (program) {
        if (n & 1)
            dp_pmon_add(program, &pmon, &err);
        program->style.marks = 1;
        if (n & 2)
            dp_pascal_program_returned(program, returned, n % 8);
        prof = dp_profile_new();
        build = dp_build_new(prof);
        dp_pmon_fill(build, program);
        dp_build_free(build);
        if (dp_profile_check(prof, &err) < 0) {
            fprintf(stderr, "%s\n", err.text);
            abort();
        }
        report(prof);
        dp_profile_free(prof);
    }
    dp_pmon_free(&pmon);
    return 0;
}
