/*
 * Calls of an emulated program as they are written down, read again: single calls, and call paths
 * where those are too many.
 */
#include "tap.h"

#include <string.h>

#include "base/mem.h"
#include "model/check.h"
#include "model/sums.h"
#include "read/read.h"
#include "z80/trace.h"

struct sink {
    char *bytes;
    size_t n;
};

static int keep(void *ctx, const char *bytes, size_t n)
{
    struct sink *sink = ctx;

    sink->bytes = dp_grow(sink->bytes, sink->n + n);
    memcpy(sink->bytes + sink->n, bytes, n);
    sink->n += n;
    return 0;
}

static const char map[] = "_main = $0200\n_leaf = $0300\n_deep = $0400\n";

/* main calls leaf `n` times, and deep, which calls itself three deep. Ten T-states in each call of
   leaf, one in each other step. */
static void run(struct dp_z80_trace *trace, int n)
{
    uint64_t now = 0;

    dp_z80_trace_flow(trace, DP_Z80_CALL, 0x200, 0xF000, now);
    for (int i = 0; i < n; i++) {
        dp_z80_trace_flow(trace, DP_Z80_CALL, 0x300, 0xEFFE, ++now);
        dp_z80_trace_flow(trace, DP_Z80_RET, 0x210, 0xF000, now += 10);
    }
    for (uint16_t i = 0; i < 3; i++)
        dp_z80_trace_flow(trace, DP_Z80_CALL, 0x400, (uint16_t)(0xEFFE - 2 * i), ++now);
    dp_z80_trace_flow(trace, DP_Z80_RET, 0x220, 0xF000, ++now); /* longjmp out of all three */
    dp_z80_trace_flow(trace, DP_Z80_RET, 0x100, 0xF002, ++now);
    dp_z80_trace_end(trace, 1, now);
}

static struct dp_profile *profile_of(int n, uint64_t most)
{
    static const char head[] = "#fOrTyTwO\n$hz=4000000;\n# All values are given in HZ\n\n\nPART2\n";
    struct sink sink = {NULL, 0};
    struct dp_z80_symbols *symbols = dp_z80_symbols_new(map, sizeof map - 1);
    static struct dp_out out;
    struct dp_z80_trace *trace;
    struct dp_profile *prof;
    struct dp_in in;

    dp_out_init(&out, keep, &sink);
    dp_puts(&out, head);
    trace = dp_z80_trace_new(&out, NULL, symbols);
    trace->most = most;
    run(trace, n);
    dp_flush(&out);
    ok((trace->nnodes > 0) == (most != UINT64_MAX), "written as it should be");
    dp_z80_trace_free(trace);
    dp_z80_symbols_free(symbols);
    dp_in_bytes(&in, sink.bytes, sink.n);
    prof = dp_read(&in, NULL, NULL);
    dp_in_free(&in);
    dp_free(sink.bytes);
    return prof;
}

static const struct dp_sum *sum_of(const struct dp_profile *prof, const struct dp_sums *sums,
                                   const char *name)
{
    for (uint32_t i = 0; i < prof->nsubs; i++)
        if (!strcmp(dp_string(prof, prof->subs[i].name, NULL), name))
            return &sums->subs[i];
    return &sums->subs[prof->nsubs];
}

static void check(const char *what, int n, uint64_t most)
{
    struct dp_profile *prof = profile_of(n, most);
    struct dp_sums *sums;
    struct dp_err err = {0, 0, ""};

    if (!prof) {
        ok(0, what);
        return;
    }
    sums = dp_sums_new(prof);
    ok(dp_profile_check(prof, &err) == 0, what);
    ok(!prof->lost, "nothing is lost");
    ok(sum_of(prof, sums, "main")->calls == 1, "main once");
    ok(sum_of(prof, sums, "leaf")->calls == (uint64_t)n, "leaf as often as it was called");
    ok(sum_of(prof, sums, "leaf")->self.real == 10 * n, "its T-states");
    ok(sum_of(prof, sums, "deep")->calls == 3, "deep three times");
    ok(sum_of(prof, sums, "deep")->incl.real == 3, "its T-states, once");
    ok(sum_of(prof, sums, "main")->incl.real == 11 * n + 5, "all of it");
    dp_sums_free(sums);
    dp_profile_free(prof);
}

int main(void)
{
    check("single calls", 1000, UINT64_MAX);
    check("call paths, once there are too many of them", 3000, 20000);
    return done();
}
