/* Symbols, line by line: whatever looks like a name and an address in one of the known ways. */
#include "z80/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct word {
    const char *at;
    size_t n;
};

static int next_word(struct word *word, const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t' || **at == '\r'))
        ++*at;
    word->at = *at;
    while (*at < end && **at != ' ' && **at != '\t' && **at != '\r' && **at != ';')
        ++*at;
    word->n = (size_t)(*at - word->at);
    return word->n > 0;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* 1F, $1F, 0x1F, 01FH: 1, or 0 if it is no address. `least`: digits that must be there. */
static int is_address(struct word word, size_t least, uint16_t *addr)
{
    uint32_t value = 0;

    if (word.n > 1 && word.at[word.n - 1] == ',') /* z88dk of old */
        word.n--;
    if (word.n > 1 && (word.at[0] == '$' || word.at[0] == '#')) {
        word.at++;
        word.n--;
    } else if (word.n > 2 && word.at[0] == '0' && (word.at[1] | 32) == 'x') {
        word.at += 2;
        word.n -= 2;
    } else if (word.n > 1 && (word.at[word.n - 1] | 32) == 'h') {
        word.n--;
    }
    if (word.n < least || word.n > 8)
        return 0;
    for (size_t i = 0; i < word.n; i++) {
        if (digit(word.at[i]) < 0)
            return 0;
        value = value << 4 | (uint32_t)digit(word.at[i]);
    }
    *addr = (uint16_t)value;
    return value <= 0xFFFF;
}

static int is_name(struct word word)
{
    char c = word.at[0];

    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '?' ||
           (unsigned char)c >= 0x80;
}

static int is(struct word word, const char *text)
{
    return word.n == strlen(text) && memcmp(word.at, text, word.n) == 0;
}

/* What only measures a segment is no place: s__CODE, l__CODE, .__.ABS. and __CODE_head. */
static int is_of_linker(struct word word)
{
    return word.n > 3 &&
           (!memcmp(word.at, "s__", 3) || !memcmp(word.at, "l__", 3) || !memcmp(word.at, ".__", 3));
}

static void add_symbol(struct dp_z80_symbols *symbols, const struct dp_z80_symbol *symbol)
{
    symbols->all = dp_more(symbols->all, symbols->n, sizeof *symbols->all);
    symbols->all[symbols->n++] = *symbol;
}

/* Lx$..., with a second $: a name that only sdcc --debug makes. */
static int is_debug(struct word name)
{
    const char *first = memchr(name.at, '$', name.n);

    return first && memchr("ACFGLX", *name.at, 6) &&
           memchr(first + 1, '$', (size_t)(name.at + name.n - first - 1));
}

/* What sdcc --debug says of C's names, static ones too: G$name$0$0 and Fmodule$name$0$0. The others
   of that kind (A$, C$, XG$, L) are lines of the source, ends, and what lives in a function. */
static void add_debug(struct dp_z80_symbols *symbols, struct word name, uint16_t addr)
{
    const char *end = name.at + name.n, *from = memchr(name.at, '$', name.n), *to;
    struct dp_z80_symbol symbol = {addr, 0, NULL, 1, 0};

    if (*name.at != 'F' && !(*name.at == 'G' && from == name.at + 1))
        return;
    from++;
    to = memchr(from, '$', (size_t)(end - from));
    if (!to || to == from || end - to < 3 || memcmp(to, "$0$", 3) != 0)
        return;
    symbol.name = from;
    symbol.length = (uint32_t)(to - from);
    add_symbol(symbols, &symbol);
}

static void add(struct dp_z80_symbols *symbols, struct word name, uint16_t addr, int is_local)
{
    struct dp_z80_symbol symbol = {addr, (uint32_t)name.n, name.at, 0, is_local};

    if (is_debug(name) && name.n <= 255) {
        add_debug(symbols, name, addr);
        return;
    }
    if (!is_name(name) || is_of_linker(name) || name.n > 255)
        return;
    if (name.n > 1 && name.at[0] == '_') { /* C compilers put it in front */
        symbol.name++;
        symbol.length--;
        symbol.is_c = 1;
    }
    add_symbol(symbols, &symbol);
}

/* "L:Fmodule$name$0$0:22B" (.cdb of sdcc --debug). 0: it is no such line. */
static int read_debug(struct dp_z80_symbols *symbols, const char *at, const char *end)
{
    const char *colon = end;
    struct word name, number;
    uint16_t addr;

    if (end - at < 4 || at[0] != 'L' || at[1] != ':')
        return 0;
    while (colon > at + 2 && colon[-1] != ':')
        colon--;
    name.at = at + 2;
    name.n = colon > at + 2 ? (size_t)(colon - 1 - name.at) : 0;
    number.at = colon;
    number.n = (size_t)(end - colon);
    if (number.n && number.at[number.n - 1] == '\r')
        number.n--;
    if (name.n && is_debug(name) && is_address(number, 1, &addr))
        add(symbols, name, addr, 0);
    return 1;
}

/* z88dk says more behind "name = $1F": "; addr, local, , module, section, file:line". */
static void add_described(struct dp_z80_symbols *symbols, struct word name, uint16_t addr,
                          const char *at, const char *end)
{
    struct word what, scope;

    while (at < end && (*at == ' ' || *at == ';'))
        at++;
    if (!next_word(&what, &at, end) || !next_word(&scope, &at, end))
        what.n = scope.n = 0;
    if (!is(what, "const,")) /* a number, not a place */
        add(symbols, name, addr, is(scope, "local,"));
}

/* "DEF name 0x1F" (.noi), "name = $1F ; ..." and "name EQU 01FH" (.map of z88dk, .sym),
   "NAME 001F R  NAME 0020 R" (ZLINK), "0000001F  name  module" (.map of sdcc). */
static void read_line(struct dp_z80_symbols *symbols, const char *at, const char *end)
{
    struct word first, second, third;
    uint16_t addr;

    if (read_debug(symbols, at, end) || !next_word(&first, &at, end) ||
        !next_word(&second, &at, end))
        return;
    if (first.n <= 2 && first.at[first.n - 1] == ':') { /* sdcc: "C:   0000001F  name" */
        first = second;
        if (!next_word(&second, &at, end))
            return;
    }
    if (is_address(first, 4, &addr) && is_name(second) && !is(second, "R")) {
        add(symbols, second, addr, 0);
        return;
    }
    if (!next_word(&third, &at, end))
        return;
    if (is(first, "DEF") && is_address(third, 1, &addr))
        add(symbols, second, addr, 0);
    else if ((is(second, "=") || is(second, "EQU") || is(second, "equ")) &&
             is_address(third, 1, &addr))
        add_described(symbols, first, addr, at, end);
    while (is(third, "R") && is_address(second, 4, &addr)) {
        add(symbols, first, addr, 0);
        if (!next_word(&first, &at, end) || !next_word(&second, &at, end) ||
            !next_word(&third, &at, end))
            return;
    }
}

/* How little it looks like a function's name. */
static int rank(const struct dp_z80_symbol *symbol)
{
    return (symbol->name[0] == '.' || symbol->name[0] == '_') * 4 + symbol->is_local * 2 +
           !symbol->is_c;
}

/* Of several names the one that looks most like a function's comes first. */
static int by_address(const void *a, const void *b)
{
    const struct dp_z80_symbol *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    if (rank(x) != rank(y))
        return rank(x) - rank(y);
    return x->name < y->name ? -1 : x->name > y->name;
}

struct dp_z80_symbols *dp_z80_symbols_new(const char *bytes, size_t n)
{
    struct dp_z80_symbols *symbols = dp_alloc(sizeof *symbols);
    const char *at, *end;
    uint32_t kept = 0;

    symbols->bytes = dp_alloc(n + 1);
    if (n)
        memcpy(symbols->bytes, bytes, n);
    for (at = symbols->bytes, end = at + n; at < end; at++) {
        const char *line = at;

        while (at < end && *at != '\n')
            at++;
        read_line(symbols, line, at);
    }
    if (symbols->n)
        qsort(symbols->all, symbols->n, sizeof *symbols->all, by_address);
    for (uint32_t i = 0; i < symbols->n; i++)
        if (!kept || symbols->all[kept - 1].addr != symbols->all[i].addr)
            symbols->all[kept++] = symbols->all[i];
    symbols->n = kept;
    return symbols;
}

void dp_z80_symbols_free(struct dp_z80_symbols *symbols)
{
    if (!symbols)
        return;
    dp_free(symbols->bytes);
    dp_free(symbols->all);
    dp_free(symbols);
}

const struct dp_z80_symbol *dp_z80_symbol_at(const struct dp_z80_symbols *symbols, uint16_t addr,
                                             int exact)
{
    uint32_t low = 0, high = symbols ? symbols->n : 0;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (symbols->all[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || (exact && symbols->all[low - 1].addr != addr))
        return NULL;
    return &symbols->all[low - 1];
}
