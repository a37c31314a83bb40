/*
 * Any bytes as a Pascal program: parsed in either dialect, printed in every way, counted, searched
 * for calls, instrumented. What the pretty printer makes of a program without mistakes is one
 * again (it may have more counters: an empty else becomes `null`).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pascal/instrument.h"
#include "pascal/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

struct text {
    char *bytes;
    size_t n;
};

static int keep(void *ctx, const char *bytes, size_t n)
{
    struct text *text = ctx;

    text->bytes = dp_grow(text->bytes, text->n + n + 1);
    memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
    return 0;
}

static int drop(void *ctx, const char *bytes, size_t n)
{
    (void)ctx;
    (void)bytes;
    (void)n;
    return 0;
}

/* Included files: a short one, and one that includes itself. */
static int load(void *ctx, const char *name, const char **bytes, size_t *n, int64_t *mtime)
{
    static const char once[] = "{ i } procedure inc1; begin end;\n";
    static const char again[] = "#include \"again.i\"\n";

    (void)ctx;
    *mtime = 0;
    *bytes = strcmp(name, "again.i") == 0 ? again : once;
    *n = strlen(*bytes);
    return strcmp(name, "none.i") == 0 ? -1 : 0;
}

static struct dp_out out;

static void print_all(const struct dp_pascal *pascal, const uint8_t *bytes, size_t n)
{
    struct dp_pascal_program *program = dp_alloc(sizeof *program);
    static const char *const only[] = {"p", "x.i"};
    struct dp_err err;

    program->pascal = (struct dp_pascal *)(uintptr_t)pascal;
    program->values = dp_alloc_array(pascal->ntaken + 1, sizeof *program->values);
    for (uint32_t i = 0; i < pascal->ntaken; i++)
        program->values[i] = n ? bytes[i % n] % 5 : 0;
    dp_pascal_program_derive(program);
    dp_pascal_style_init(&program->style);
    program->style.all_bodies = n & 1;
    program->style.nonly = n % 3 == 0 ? 2 : 0;
    program->style.only = only;
    program->style.pages = n & 2;
    dp_out_init(&out, drop, NULL);
    dp_pascal_listing(pascal, &program->counts, &program->style, &out);
    dp_pascal_routines(pascal, &program->counts, &program->style, 1, &out);
    program->style.width = 30;
    program->style.echo = program->style.full_parens = program->style.underline = 1;
    program->style.others = program->style.no_declarations = 1;
    dp_pascal_pretty(pascal, &program->style, &out);
    dp_pascal_instrument(pascal, &out, &err);
    dp_flush(&out);
    program->pascal = NULL;
    dp_pascal_program_free(program);
}

static void print_again(const struct dp_pascal *pascal, const struct dp_pascal_options *options)
{
    const struct dp_pascal_loader loader = {load, NULL};
    struct dp_pascal_options same = *options;
    struct dp_pascal_style style;
    struct text text = {NULL, 0};
    struct dp_pascal *again;

    dp_pascal_style_init(&style);
    dp_out_init(&out, keep, &text);
    dp_pascal_pretty(pascal, &style, &out);
    dp_flush(&out);
    same.dialect = pascal->dialect;
    same.card = 0;
    again = dp_pascal_parse("again", text.bytes ? text.bytes : "", text.n, 0, &loader, &same);
    if (again->nhard) {
        fprintf(stderr, "printed: %u mistakes, %u counters, were %u: %s\n%.*s\n", again->nhard,
                again->ntaken, pascal->ntaken, again->nmistakes ? again->mistakes[0].text : "",
                (int)text.n, text.bytes);
        abort();
    }
    dp_pascal_free(again);
    dp_free(text.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const struct dp_pascal_loader loader = {load, NULL};
    struct dp_pascal_options options = {DP_PASCAL_EITHER, 0};
    struct dp_pascal *pascal;

    options.card = n % 7 == 6;
    pascal = dp_pascal_parse("fuzz.p", (const char *)bytes, n, 0, &loader, &options);
    if (!pascal->nhard) {
        print_all(pascal, bytes, n);
        if (!pascal->nmistakes && !options.card)
            print_again(pascal, &options);
    }
    dp_pascal_free(pascal);
    return 0;
}
