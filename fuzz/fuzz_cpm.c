/* The Z80 reader and its writers against any bytes: images, listings, map files. */
#include <stdint.h>
#include <string.h>

#include "base/out.h"
#include "model/change.h"
#include "model/check.h"
#include "read/read.h"
#include "write/write.h"
#include "z80/instrument.h"
#include "z80/symbols.h"

static int nowhere(void *ctx, const char *bytes, size_t n)
{
    (void)ctx;
    (void)bytes;
    (void)n;
    return 0;
}

static void show(const struct dp_profile *prof, const char *report)
{
    static const struct dp_view view = {.rows = -1, .header = 1};
    struct dp_sums *sums = dp_sums_new(prof);
    struct dp_job job = {.prof = prof, .sums = sums, .view = &view};
    static struct dp_out out;

    dp_out_init(&out, nowhere, NULL);
    job.out = &out;
    dp_writer_named(report)->write(&job, NULL);
    dp_sums_free(sums);
}

/* What is read beside images: map files and the texts of compilers. */
static void others(const char *text, size_t n)
{
    static struct dp_out out;
    struct dp_z80_instrumented done;
    struct dp_z80_symbols *symbols = dp_z80_symbols_new(text, n);

    dp_z80_symbol_at(symbols, 0x100, 0);
    dp_z80_symbols_free(symbols);
    dp_out_init(&out, nowhere, NULL);
    dp_z80_instrument(text, n, &out, &done, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const reports[] = {"top",        "walkback", "callgraph", "listing", "image",
                                          "unexecuted", "callers",  "callees",   "json"};
    const char *text = (const char *)bytes;
    struct dp_hints hints = {-1, text, n, -1, 0};
    struct dp_read_options options = {.from = "z80", .hints = &hints};
    struct dp_profile *prof;
    struct dp_in in;

    others(text, n);
    if (n && bytes[n - 1] & 1)
        hints.origin = bytes[n - 1] << 8;
    else if (n && bytes[n - 1] & 2)
        hints.bank = bytes[n - 1] >> 5;
    dp_in_bytes(&in, text, n);
    prof = dp_read(&in, &options, NULL);
    dp_in_free(&in);
    if (!prof)
        return 0;
    if (dp_profile_check(prof, NULL) < 0)
        __builtin_trap();
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
        show(prof, reports[i]);
    dp_profile_free(prof);
    return 0;
}
