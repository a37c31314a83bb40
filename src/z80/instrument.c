/*
 * Instrumenting. All compilers say where a function begins: a comment "; Function NAME" and then
 * its label, `_f::` or `_f:` of sdcc (also as z88dk has it), `._f` of sccz80. A stub goes there,
 * the header behind it, the entry code, and then the function as it was.
 */
#include "z80/instrument.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define LONGEST 31

struct line {
    const char *at;
    size_t n; /* without its end */
};

/* A function that gets a header. */
struct function {
    uint32_t line; /* of its label */
    const char *name;
    size_t length;
};

struct text {
    struct line *lines;
    uint32_t n;
    struct function *functions;
    uint32_t nfunctions;
    uint32_t skipped; /* interrupt routines */
    uint32_t naked;
    int z88dk; /* 1: for z88dk's assembler, 0: for sdcc's */
    int has_main;
};

static void read_lines(struct text *text, const char *at, const char *end)
{
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct line line = {at, (size_t)((stop ? stop : end) - at)};

        if (line.n && line.at[line.n - 1] == '\r')
            line.n--;
        text->lines = dp_more(text->lines, text->n, sizeof *text->lines);
        text->lines[text->n++] = line;
        at = stop ? stop + 1 : end;
    }
}

static int begins(struct line line, const char *with)
{
    size_t n = strlen(with);

    return line.n >= n && memcmp(line.at, with, n) == 0;
}

static int has(struct line line, const char *word)
{
    size_t n = strlen(word);

    for (size_t i = 0; i + n <= line.n; i++)
        if (memcmp(line.at + i, word, n) == 0)
            return 1;
    return 0;
}

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* --- which functions ---------------------------------------------------------------------------*/

/* The label that stands in this line, without colons and point; 0: none. */
static size_t label_of(struct line line, const char **label)
{
    size_t from = line.n && line.at[0] == '.' ? 1 : 0, n = 0;

    *label = line.at + from;
    while (from + n < line.n && is_word(line.at[from + n]))
        n++;
    if (from)
        return from + n == line.n ? n : 0;
    return n < line.n && line.at[n] == ':' ? n : 0;
}

/* Interrupt routines return to whatever was running, and may come in the middle of ccregis. */
static int is_interrupt(const struct text *text, uint32_t label)
{
    for (uint32_t i = label + 1; i < text->n && !begins(text->lines[i], "; Function "); i++)
        if (has(text->lines[i], "\treti") || has(text->lines[i], "\tretn"))
            return 1;
    return 0;
}

static void add(struct text *text, uint32_t line, const char *label, size_t n)
{
    struct function function = {line, label, n};

    if (is_interrupt(text, line)) {
        text->skipped++;
        return;
    }
    if (function.length > 1 && *label == '_') {
        function.name++;
        function.length--;
    }
    if (function.length > LONGEST)
        function.length = LONGEST;
    text->has_main |= function.length == 4 && !memcmp(function.name, "main", 4);
    text->functions = dp_more(text->functions, text->nfunctions, sizeof *text->functions);
    text->functions[text->nfunctions++] = function;
}

/* The first label after the comment, with nothing but comments and directives between. */
static void find_functions(struct text *text)
{
    for (uint32_t i = 0; i < text->n; i++) {
        if (!begins(text->lines[i], "; Function "))
            continue;
        if (has(text->lines[i], " __naked")) { /* it may be data, or read what follows its call */
            text->naked++;
            continue;
        }
        for (uint32_t k = i + 1; k < text->n && k < i + 32; k++) {
            const char *label = NULL;
            size_t n = label_of(text->lines[k], &label);

            if (begins(text->lines[k], "; Function "))
                break;
            if (n) {
                add(text, k, label, n);
                i = k;
                break;
            }
        }
    }
}

/* --- writing -----------------------------------------------------------------------------------*/

struct words {
    const char *word, *byte, *zeros, *string, *colon, *immediate;
};
static const struct words sdcc = {".dw", ".db", ".db\t0,0,0", ".ascii", ":", "#"};
static const struct words z88dk = {"defw", "defb", "defb\t0,0,0", "defm", "", ""};

static void put_line(struct dp_out *out, struct line line)
{
    dp_put(out, line.at, line.n);
    dp_putc(out, '\n');
}

static void put_label(const struct text *text, struct dp_out *out, const char *stem, uint32_t i)
{
    const struct words *words = text->z88dk ? &z88dk : &sdcc;

    dp_putf(out, "%s%s%" PRIu32 "%s\n", text->z88dk ? "." : "", stem, i, words->colon);
}

static void put_header(const struct text *text, struct dp_out *out, uint32_t i)
{
    const struct words *words = text->z88dk ? &z88dk : &sdcc;
    const struct function *function = &text->functions[i];

    if (i == 0 && text->z88dk)
        dp_puts(out, "\tEXTERN\tccregis\n");
    dp_puts(out, "\tpush\thl\n");
    dp_putf(out, "\tjr\tccentry%" PRIu32 "\n\t%s\t0\n", i, words->byte);
    if (i == 0 && text->has_main)
        dp_puts(out, text->z88dk ? "\tPUBLIC\tcchead\n.cchead\n" : "cchead::\n");
    put_label(text, out, "ccheader", i);
    if (i + 1 < text->nfunctions)
        dp_putf(out, "\t%s\tccheader%" PRIu32 "\n", words->word, i + 1);
    else
        dp_putf(out, "\t%s\t0\n", words->word);
    dp_putf(out, "\t%s\n", words->zeros);
    put_label(text, out, "ccname", i);
    dp_putf(out, "\t%s\t\"%.*s\"\n\t%s\t0\n", words->string, (int)function->length, function->name,
            words->byte);
    put_label(text, out, "ccentry", i);
    dp_putf(out, "\tld\thl,%sccname%" PRIu32 "\n\tpush\thl\n\tcall\tccregis\n", words->immediate,
            i);
}

/* The functions lie further apart now: `jr _f` and `jr cc,_f` to a function become jp. */
static int put_jump(struct dp_out *out, struct line line)
{
    const char *at = line.at + 3, *comma;

    if (!begins(line, "\tjr"))
        return 0;
    while (at < line.at + line.n && (*at == '\t' || *at == ' '))
        at++;
    comma = memchr(at, ',', (size_t)(line.at + line.n - at));
    for (const char *target = comma ? comma + 1 : at; target < line.at + line.n; target++)
        if (*target != ' ' && *target != '\t') {
            if (*target != '_')
                return 0;
            dp_puts(out, "\tjp\t");
            dp_put(out, at, (size_t)(line.at + line.n - at));
            dp_putc(out, '\n');
            return 1;
        }
    return 0;
}

static void put_end(const struct text *text, struct dp_out *out)
{
    if (text->z88dk)
        dp_puts(out, "\tSECTION\tccheads\n\tdefw\tccheader0\n\tSECTION\tcode_compiler\n");
    else
        dp_puts(out, "\t.area\t_CCHEADS\n\t.dw\tccheader0\n\t.area\t_CODE\n");
}

static void put_text(const struct text *text, struct dp_out *out)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i < text->n; i++) {
        if (!put_jump(out, text->lines[i]))
            put_line(out, text->lines[i]);
        if (!text->z88dk && begins(text->lines[i], "\t.module"))
            dp_puts(out, "\t.globl\tccregis\n");
        if (next < text->nfunctions && text->functions[next].line == i)
            put_header(text, out, next++);
    }
    put_end(text, out);
}

/* --- all of it ---------------------------------------------------------------------------------*/

static int understand(struct text *text, struct dp_err *err)
{
    int sdcc_text = 0;

    for (uint32_t i = 0; i < text->n; i++) {
        if (has(text->lines[i], "ccregis"))
            return dp_fail(err, "this text has profile headers already");
        text->z88dk |= begins(text->lines[i], "\tSECTION\t") ||
                       begins(text->lines[i], "\tSECTION ") || begins(text->lines[i], "\tMODULE\t");
        sdcc_text |= begins(text->lines[i], "\t.area") || begins(text->lines[i], "\t.module");
    }
    if (!text->z88dk && !sdcc_text)
        return dp_fail(err,
                       "expected the assembler text of sdcc (.module, .area; sdcc -S makes it) or "
                       "of z88dk (MODULE, SECTION; zcc -a makes it); found neither");
    find_functions(text);
    if (!text->nfunctions)
        return dp_fail(err, "expected comments \"; Function NAME\" with a label after each, as the "
                            "compilers write them; found none");
    return 0;
}

int dp_z80_instrument(const char *bytes, size_t n, struct dp_out *out,
                      struct dp_z80_instrumented *done, struct dp_err *err)
{
    struct text text;
    int status;

    memset(&text, 0, sizeof text);
    read_lines(&text, bytes, bytes + n);
    status = understand(&text, err);
    if (status == 0)
        put_text(&text, out);
    done->functions = text.nfunctions;
    done->skipped = text.skipped;
    done->naked = text.naked;
    dp_free(text.lines);
    dp_free(text.functions);
    return status;
}
