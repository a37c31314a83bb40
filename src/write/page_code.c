/* The page's sources, and what the reports of Pascal and Z80 programs print. */
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "pascal/program.h"
#include "write/json.h"
#include "write/page.h"
#include "write/statements.h"
#include "write/writers.h"
#include "write/z80.h"

/* --- excerpts of sources ---------------------------------------------------------------------- */

static int same_file(const struct dp_excerpt *a, const struct dp_excerpt *b)
{
    return a->nfile == b->nfile && !memcmp(a->file, b->file, a->nfile);
}

void dp_html_put_sources(struct dp_html *page)
{
    const struct dp_view *view = page->job->view;

    dp_puts(page->out, ",\"sources\":[");
    for (uint32_t i = 0; i < view->nexcerpts; i++) {
        const struct dp_excerpt *now = &view->excerpts[i];

        if (!i || !same_file(now, now - 1)) {
            dp_putf(page->out, "%s{\"changed\":%d", i ? "]},\n" : "", now->changed);
            dp_html_text(page, "file", now->file, now->nfile);
            dp_puts(page->out, ",\"pieces\":[");
        } else {
            dp_putc(page->out, ',');
        }
        dp_putf(page->out, "{\"line\":%" PRIu32, now->line);
        dp_html_text(page, "text", now->text, now->ntext);
        dp_putc(page->out, '}');
    }
    dp_puts(page->out, view->nexcerpts ? "]}]\n" : "]\n");
}

/* --- what other reports print ----------------------------------------------------------------- */

struct memory {
    char *bytes;
    size_t n;
    size_t room;
};

static int to_memory(void *ctx, const char *bytes, size_t n)
{
    struct memory *memory = ctx;

    if (memory->n + n > memory->room) {
        memory->room = 2 * (memory->n + n);
        memory->bytes = dp_grow(memory->bytes, memory->room);
    }
    memcpy(memory->bytes + memory->n, bytes, n);
    memory->n += n;
    return 0;
}

static void put_report(struct dp_html *page, const char *key, const struct dp_writer *writer)
{
    struct dp_out *out = dp_alloc(sizeof *out);
    struct dp_job job = *page->job;
    struct memory memory = {NULL, 0, 0};
    struct dp_err err;

    memset(&err, 0, sizeof err);
    dp_out_init(out, to_memory, &memory);
    job.out = out;
    if (writer->write(&job, &err) == 0) {
        dp_flush(out);
        if (memory.n)
            dp_html_text(page, key, memory.bytes, memory.n);
    }
    dp_free(memory.bytes);
    dp_free(out);
}

void dp_html_put_listings(struct dp_html *page)
{
    const struct dp_profile *prof = page->job->prof;

    if (prof->statements && dp_foreign(prof, "pascal")) {
        put_report(page, "listing", &dp_write_listing);
    } else if (prof->counts) {
        if (dp_foreign(prof, "z80") || dp_foreign(prof, "z80 listing"))
            put_report(page, "walkback", &dp_write_walkback);
        put_report(page, "callgraph", &dp_write_callgraph);
    }
}
