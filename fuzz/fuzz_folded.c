/*
 * Any bytes as folded stacks: what is read is a whole profile, and its folded stacks read back are
 * the same ones.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/check.h"
#include "model/sums.h"
#include "read/read.h"
#include "write/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

struct text {
    char *bytes;
    size_t n;
};

static int add(void *ctx, const char *bytes, size_t n)
{
    struct text *text = ctx;

    text->bytes = dp_grow(text->bytes, text->n + n + 1);
    memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
    return 0;
}

static struct dp_profile *read_text(const char *bytes, size_t n)
{
    const struct dp_read_options options = {.from = "folded"};
    struct dp_in in;
    struct dp_profile *prof;

    dp_in_bytes(&in, bytes, n);
    prof = dp_read(&in, &options, NULL);
    dp_in_free(&in);
    if (prof && dp_profile_check(prof, NULL) < 0)
        abort();
    return prof;
}

static struct text written(const struct dp_profile *prof)
{
    static struct dp_out out;
    struct text text = {NULL, 0};
    struct dp_sums *sums = dp_sums_new(prof);
    struct dp_view view;
    struct dp_job job;

    memset(&view, 0, sizeof view);
    view.rows = -1;
    memset(&job, 0, sizeof job);
    job.prof = prof;
    job.sums = sums;
    job.view = &view;
    job.out = &out;
    dp_out_init(&out, add, &text);
    dp_writer_named("folded")->write(&job, NULL);
    dp_flush(&out);
    dp_sums_free(sums);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct dp_profile *prof = read_text((const char *)bytes, n), *again;
    struct text first, second;

    if (!prof)
        return 0;
    first = written(prof);
    dp_profile_free(prof);
    again = first.n ? read_text(first.bytes, first.n) : NULL;
    if (first.n && !again)
        abort();
    if (again) {
        second = written(again);
        if (second.n != first.n || memcmp(first.bytes, second.bytes, first.n) != 0)
            abort();
        dp_free(second.bytes);
        dp_profile_free(again);
    }
    dp_free(first.bytes);
    return 0;
}
