/*
 * Where counting goes in a program's text: pieces that are put before or behind tokens, found in a
 * walk over the statements with a stack of its own.
 */
#include "pascal/instrument.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pascal/instrument_text.h"
#include "pascal/names.h"
#include "pascal/returns.h"
#include "pascal/runtime.h"

#define MOST_NAME 60      /* bytes of a name that a report of the run tells */
#define MOST_COUNTING 400 /* of what is put in at one place: three counters and a halt */
#define MOST_CONSTANT 200 /* and of a label; a string of Free Pascal's has 255 at most */

struct level {
    uint32_t node;
    uint32_t child;
    int in_list;
};

struct maker {
    const struct dp_pascal *pascal;
    struct dp_arena arena;
    struct dp_piece *pieces;
    uint32_t npieces;
    uint32_t room;
    struct level *levels;
    uint32_t nlevels;
    uint32_t room_levels;
    uint32_t labels; /* single case labels that are counted */
    char *label;     /* the text of one */
    size_t nlabel;
    size_t room_label;
    char *calls; /* that tell their counts */
    size_t ncalls;
    size_t room_calls;
    struct dp_pascal_names names;
    struct dp_pascal_returns returns;
    uint32_t routine; /* whose body is walked */
    char prefix[16];  /* of all names that are put in */
};

static const struct dp_pascal_node *node(const struct maker *m, uint32_t n)
{
    return &m->pascal->nodes[n];
}

static const struct dp_pascal_counters *counters(const struct maker *m, uint32_t n)
{
    return &m->pascal->counters[node(m, n)->count];
}

static void add(struct maker *m, uint32_t token, int behind, const char *text)
{
    struct dp_piece *piece;

    if (m->npieces == m->room) {
        m->room = m->room ? 2 * m->room : 256;
        m->pieces = dp_grow(m->pieces, m->room * sizeof *m->pieces);
    }
    piece = &m->pieces[m->npieces];
    piece->at = 2 * token + (behind != 0);
    piece->order = m->npieces++;
    piece->text = text ? dp_arena_copy(&m->arena, text, strlen(text)) : NULL;
}

/* "{$push}{$R-}{$Q-}zzc^[7]:=zzc^[7]+1{$pop};" of the counters' array, or another: they go round,
   whatever the program has checked. No inc: a program may have one of its own, and old ones do. */
static int increment(const struct maker *m, char *to, size_t room, char array, uint32_t number)
{
    return snprintf(to, room, "{$push}{$R-}{$Q-}%s%c^[%" PRIu32 "]:=%s%c^[%" PRIu32 "]+1{$pop};",
                    m->prefix, array, number, m->prefix, array, number);
}

/* For the counters that are not 0. The file has four words before the first one. */
static int increments(const struct maker *m, char *to, size_t room, uint32_t a, uint32_t b)
{
    int n = 0;

    to[0] = '\0';
    if (a)
        n = increment(m, to, room, 'c', a + 4);
    if (b)
        n += increment(m, to + n, room - (size_t)n, 'c', b + 4);
    return n;
}

/* --- statements --- */

static int is_walked(unsigned kind)
{
    return (kind >= DP_P_EMPTY && kind <= DP_P_ASSERT) || kind == DP_P_ARM ||
           kind == DP_P_OTHERWISE || kind == DP_P_LIST;
}

/* The counter of the parent that is due when this child is reached. */
static uint32_t body_counter(const struct maker *m, uint32_t parent, uint32_t child)
{
    uint32_t first;

    if (!parent || !counters(m, parent)->body)
        return 0;
    first = node(m, parent)->child;
    switch (node(m, parent)->kind) {
    case DP_P_IF:
    case DP_P_ARM:
        return node(m, first)->next == child ? counters(m, parent)->body : 0;
    case DP_P_WHILE:
    case DP_P_FOR:
        return node(m, child)->next ? 0 : counters(m, parent)->body;
    default:
        return 0;
    }
}

/* Is it a call of this procedure, which the program does not declare? */
static int is_predefined(const struct maker *m, uint32_t n, const char *name, size_t length)
{
    return node(m, n)->kind == DP_P_CALL &&
           dp_pascal_same(m->pascal, node(m, n)->tok, name, length) &&
           !dp_pascal_name(&m->names, node(m, n)->tok, m->routine);
}

/* "zzr^[3]:=zzr^[3]+1" where it is counted that a statement's calls came back. */
static int returned(const struct maker *m, char *to, size_t room, uint32_t n)
{
    to[0] = '\0';
    if (!m->returns.number[n])
        return 0;
    return increment(m, to, room, 'r', m->returns.number[n]);
}

/* Is there something to be counted behind the statement? */
static int counts_behind(const struct maker *m, uint32_t n)
{
    unsigned kind = node(m, n)->kind;

    return counters(m, n)->after ||
           (m->returns.number[n] && (kind == DP_P_ASSIGN || kind == DP_P_CALL ||
                                     kind == DP_P_WHILE || kind == DP_P_REPEAT));
}

/* Does the parent's count of what came back belong to the beginning of this child: of the else, of
   the body of a with? */
static uint32_t counts_parent(const struct maker *m, uint32_t parent, uint32_t child)
{
    unsigned kind = parent ? node(m, parent)->kind : DP_P_NONE;

    if (!parent || !m->returns.number[parent] || node(m, child)->next)
        return 0;
    if (kind == DP_P_WITH)
        return parent;
    return kind == DP_P_IF && node(m, node(m, parent)->child)->next != child ? parent : 0;
}

/* "zzhalts('step',12);" before a halt: its routine and line. */
static int halting(const struct maker *m, char *to, size_t room, uint32_t n)
{
    const struct dp_pascal_routine *r = &m->pascal->routines[m->routine];
    size_t length;
    const char *name = dp_pascal_text(m->pascal, r->name, &length);

    if (!is_predefined(m, n, "halt", 4) || length > MOST_NAME)
        return 0;
    if (r->kind == DP_T_PROGRAM) {
        name = "main";
        length = 4;
    }
    return snprintf(to, room, "%shalts('%.*s',%" PRIu32 ");", m->prefix, (int)length, name,
                    m->pascal->tokens[node(m, n)->tok].line);
}

/* What is done at the beginning of a statement: the counter of what is around it, that its parent
   came this far, its own. */
static int at_beginning(const struct maker *m, char *to, size_t room, uint32_t parent, uint32_t n)
{
    int used = increments(m, to, room, body_counter(m, parent, n), counters(m, n)->before);
    uint32_t of = counts_parent(m, parent, n);

    if (of)
        used += returned(m, to + used, room - (size_t)used, of);
    return used + halting(m, to + used, room - (size_t)used, n);
}

static void before_statement(struct maker *m, uint32_t parent, uint32_t n, int in_list)
{
    char text[MOST_COUNTING], all[MOST_COUNTING + 20];
    int any = at_beginning(m, text, sizeof text, parent, n), behind = counts_behind(m, n);
    unsigned kind = node(m, n)->kind;

    if (!any && !(behind && !in_list))
        return;
    if (kind == DP_P_EMPTY) {
        snprintf(all, sizeof all, " begin %s end ", text);
        add(m, node(m, n)->tok - 1, 1, all);
    } else if (in_list) {
        add(m, node(m, n)->tok, 0, text);
    } else if (kind == DP_P_COMPOUND && !behind) {
        snprintf(all, sizeof all, " %s", text);
        add(m, node(m, n)->tok, 1, all);
    } else {
        snprintf(all, sizeof all, "begin %s", text);
        add(m, node(m, n)->tok, 0, all);
    }
}

static void after_statement(struct maker *m, uint32_t parent, uint32_t n, int in_list)
{
    unsigned kind = node(m, n)->kind;
    char text[MOST_COUNTING], all[MOST_COUNTING + 20];
    int any = at_beginning(m, text, sizeof text, parent, n), used;

    if (kind == DP_P_EMPTY || (!any && !counts_behind(m, n)))
        return;
    if (counts_behind(m, n)) {
        used = increments(m, text, sizeof text, counters(m, n)->after, 0);
        if (kind != DP_P_IF && kind != DP_P_CASE && kind != DP_P_WITH)
            returned(m, text + used, sizeof text - (size_t)used, n);
        snprintf(all, sizeof all, "; %s%s", text, in_list ? "" : " end ");
        if (in_list)
            all[strlen(all) - 1] = '\0'; /* the `;` that follows is the text's own */
        add(m, node(m, n)->last, 1, all);
    } else if (!in_list && kind != DP_P_COMPOUND) {
        add(m, node(m, n)->last, 1, " end ");
    }
}

/* An if without else, or with an empty one that has no text of its own to be counted in. */
static void count_no_else(struct maker *m, uint32_t n)
{
    char text[MOST_COUNTING], all[MOST_COUNTING + 20];

    if (node(m, n)->kind != DP_P_IF || node(m, node(m, node(m, n)->child)->next)->next ||
        !returned(m, text, sizeof text, n))
        return;
    text[strlen(text) - 1] = '\0';
    snprintf(all, sizeof all, " else %s", text);
    add(m, node(m, n)->last, 1, all);
}

/* --- case labels: where an arm has several, each is counted ---
 * zzi is the runtime's name for a type of integers: what any ordinal value is made one with, as the
 * program may have an ord of its own. */

/* Is the token a string that is no character? */
static int is_long_string(const struct maker *m, uint32_t token)
{
    size_t n;
    const char *text = dp_pascal_text(m->pascal, token, &n);

    if (m->pascal->tokens[token].kind != DP_T_STRING)
        return 0;
    if (text[0] != '#')
        return n != 3 && !(n == 4 && memcmp(text, "''''", 4) == 0);
    for (size_t i = 1; i < n; i++)
        if (text[i] < '0' || text[i] > '9')
            return 1;
    return 0;
}

/* Is the label one that only Free Pascal knows, a range or a string, which no integer can be made
   of? */
static int is_no_ordinal(const struct maker *m, uint32_t label)
{
    const struct dp_pascal_symbol *constant;

    if (node(m, label)->kind == DP_P_SUBRANGE || is_long_string(m, node(m, label)->tok))
        return 1;
    if (node(m, label)->kind != DP_P_NAME)
        return 0;
    constant = dp_pascal_name(&m->names, node(m, label)->tok, m->routine);
    return constant && m->pascal->tokens[constant->token + 1].kind == DP_T_EQUAL &&
           is_long_string(m, constant->token + 2);
}

static int has_label_lists(const struct maker *m, uint32_t n)
{
    for (uint32_t arm = node(m, node(m, n)->child)->next; arm; arm = node(m, arm)->next) {
        uint32_t first = node(m, arm)->kind == DP_P_ARM ? node(m, node(m, arm)->child)->child : 0;

        for (uint32_t label = first; label; label = node(m, label)->next)
            if (is_no_ordinal(m, label))
                return 0;
    }
    for (uint32_t arm = node(m, node(m, n)->child)->next; arm; arm = node(m, arm)->next)
        if (node(m, arm)->kind == DP_P_ARM && node(m, node(m, node(m, arm)->child)->child)->next)
            return 1;
    return 0;
}

static int to_label(void *ctx, const char *bytes, size_t n)
{
    struct maker *m = ctx;

    if (m->nlabel + n >= m->room_label) {
        m->room_label = 2 * (m->nlabel + n) + 1;
        m->label = dp_grow(m->label, m->room_label);
    }
    memcpy(m->label + m->nlabel, bytes, n);
    m->nlabel += n;
    m->label[m->nlabel] = '\0';
    return 0;
}

/* Does something stand between a token and the one before? */
static int has_gap(const struct maker *m, uint32_t token)
{
    const struct dp_pascal_token *t = &m->pascal->tokens[token];

    return t->file != t[-1].file || t->offset != t[-1].offset + t[-1].bytes;
}

/* A label's text, until the next one is asked for: as it stands there, or as Free Pascal has it. */
static const char *label_text(struct maker *m, uint32_t label, int converted)
{
    struct dp_out out;
    size_t n;

    dp_out_init(&out, to_label, m);
    m->nlabel = 0;
    for (uint32_t t = node(m, label)->tok; t <= node(m, label)->last; t++) {
        const char *text = dp_pascal_text(m->pascal, t, &n);

        if (t > node(m, label)->tok && has_gap(m, t))
            dp_putc(&out, ' ');
        if (converted)
            dp_put_pascal_token(m->pascal, &out, t);
        else
            dp_put(&out, text, n);
    }
    dp_flush(&out);
    return m->label;
}

/* "zzlabel(1,20,'a');" */
static void tell_label(struct maker *m, uint32_t token, const char *constant)
{
    size_t room = strlen(m->prefix) + 2 * strlen(constant) + 60;

    if (m->ncalls + room > m->room_calls) {
        m->room_calls = 2 * m->room_calls + room;
        m->calls = dp_grow(m->calls, m->room_calls);
    }
    m->ncalls += (size_t)sprintf(m->calls + m->ncalls, "%slabel(%" PRIu32 ",%" PRIu32 ",'",
                                 m->prefix, m->labels, m->pascal->tokens[token].line);
    for (size_t i = 0; i < MOST_CONSTANT && constant[i]; i++) {
        if (constant[i] == '\'')
            m->calls[m->ncalls++] = '\'';
        m->calls[m->ncalls++] = constant[i];
    }
    memcpy(m->calls + m->ncalls, "');", 4);
    m->ncalls += 3;
}

/* Counts the labels of one arm, by the selector that was kept. */
static void count_labels(struct maker *m, uint32_t arm)
{
    uint32_t label = node(m, node(m, arm)->child)->child;
    char text[MOST_COUNTING];
    int used;

    if (!node(m, label)->next)
        return;
    snprintf(text, sizeof text, "begin case %ss of ", m->prefix);
    add(m, node(m, arm)->at, 1, text);
    for (; label; label = node(m, label)->next) {
        snprintf(text, sizeof text, "%si(", m->prefix);
        add(m, node(m, arm)->at, 1, text);
        add(m, node(m, arm)->at, 1, label_text(m, label, 1));
        used = snprintf(text, sizeof text, "): ");
        used += increment(m, text + used, sizeof text - (size_t)used, 'l', ++m->labels);
        snprintf(text + used, sizeof text - (size_t)used, "%s",
                 node(m, label)->next ? " " : " end; ");
        add(m, node(m, arm)->at, 1, text);
        tell_label(m, node(m, label)->tok, label_text(m, label, 0));
    }
}

static void before_case(struct maker *m, uint32_t n)
{
    uint32_t selector = node(m, n)->child;
    char text[60], integer[20];

    if (!has_label_lists(m, n))
        return;
    snprintf(text, sizeof text, "begin %ss := %si(", m->prefix, m->prefix);
    add(m, node(m, n)->tok, 0, text);
    add(m, node(m, n)->tok, 0, NULL);
    snprintf(text, sizeof text, "); case %ss ", m->prefix);
    add(m, node(m, selector)->last, 1, text);
    snprintf(integer, sizeof integer, "%si(", m->prefix);
    for (uint32_t arm = node(m, selector)->next; arm; arm = node(m, arm)->next) {
        if (node(m, arm)->kind != DP_P_ARM)
            continue;
        for (uint32_t label = node(m, node(m, arm)->child)->child; label;
             label = node(m, label)->next) {
            add(m, node(m, label)->tok, 0, integer);
            add(m, node(m, label)->last, 1, ")");
        }
    }
}

/* --- the walk --- */

/* Berkeley's procedure that does nothing. Free Pascal has none, but a unit of it may. */
static int is_null(const struct maker *m, uint32_t n)
{
    return node(m, n)->missing && is_predefined(m, n, "null", 4) && !dp_pascal_uses(m->pascal);
}

static void enter(struct maker *m, uint32_t parent, uint32_t n)
{
    unsigned above = parent ? node(m, parent)->kind : DP_P_LIST;
    unsigned kind = node(m, n)->kind;
    int in_list = parent && (above == DP_P_COMPOUND || above == DP_P_LIST);
    struct level *level;
    char text[MOST_COUNTING];

    if (kind == DP_P_ARM && has_label_lists(m, parent))
        count_labels(m, n);
    if (kind != DP_P_ARM && kind != DP_P_LIST && kind != DP_P_OTHERWISE)
        before_statement(m, parent, n, in_list);
    if (kind == DP_P_CASE)
        before_case(m, n);
    if (is_null(m, n))
        add(m, node(m, n)->tok, 0, NULL);
    if (kind == DP_P_REPEAT || kind == DP_P_OTHERWISE) {
        increments(m, text, sizeof text, counters(m, n)->body, 0);
        add(m, node(m, n)->tok, 1, " ");
        add(m, node(m, n)->tok, 1, text);
    }
    if (m->nlevels == m->room_levels) {
        m->room_levels = m->room_levels ? 2 * m->room_levels : 64;
        m->levels = dp_grow(m->levels, m->room_levels * sizeof *m->levels);
    }
    level = &m->levels[m->nlevels++];
    level->node = n;
    level->child = node(m, n)->child;
    level->in_list = in_list;
}

static void leave(struct maker *m, uint32_t parent, uint32_t n, int in_list)
{
    unsigned kind = node(m, n)->kind;

    count_no_else(m, n);
    if (kind == DP_P_CASE && has_label_lists(m, n))
        add(m, node(m, n)->last, 1, " end ");
    if (kind == DP_P_ARM && has_label_lists(m, parent) &&
        node(m, node(m, node(m, n)->child)->child)->next)
        add(m, node(m, n)->last, 1, " end ");
    if (kind != DP_P_ARM && kind != DP_P_LIST && kind != DP_P_OTHERWISE)
        after_statement(m, parent, n, in_list);
}

static void body(struct maker *m, const struct dp_pascal_routine *r)
{
    enter(m, 0, r->body);
    while (m->nlevels) {
        struct level *level = &m->levels[m->nlevels - 1];
        uint32_t child = level->child, parent;

        while (child && !is_walked(node(m, child)->kind))
            child = node(m, child)->next;
        /* The lists of a with and of an arm's labels hold no statements. */
        if (child && node(m, child)->kind == DP_P_LIST &&
            (node(m, level->node)->kind == DP_P_WITH || node(m, level->node)->kind == DP_P_ARM)) {
            level->child = node(m, child)->next;
            continue;
        }
        if (child) {
            level->child = node(m, child)->next;
            enter(m, level->node, child);
            continue;
        }
        parent = m->nlevels > 1 ? m->levels[m->nlevels - 2].node : 0;
        leave(m, parent, level->node, level->in_list);
        m->nlevels--;
    }
}

/* Nothing else goes by the program's name: it is another one where it would hide something from
   what is put in. */
static void rename_program(struct maker *m)
{
    uint32_t token = m->pascal->routines[0].name;
    size_t n;
    const char *name = dp_pascal_text(m->pascal, token, &n);
    char text[40];

    if (!dp_runtime_says(name, n))
        return;
    snprintf(text, sizeof text, "%sprogram", m->prefix);
    add(m, token, 0, NULL);
    add(m, token, 1, text);
}

/* What a body begins with: its heading's counter, and that of the forward one. */
static void heading(struct maker *m, uint32_t r)
{
    const struct dp_pascal_routine *routine = &m->pascal->routines[r];
    uint32_t other = routine->other != DP_PASCAL_NOWHERE && routine->other < r
                         ? m->pascal->routines[routine->other].counter
                         : 0;
    char text[MOST_COUNTING];

    if (routine->kind == DP_T_PROGRAM) {
        snprintf(text, sizeof text, " %sopen;", m->prefix);
        add(m, node(m, routine->body)->tok, 1, text);
    }
    text[0] = ' ';
    increments(m, text + 1, sizeof text - 1, other ? other : routine->counter,
               other ? routine->counter : 0);
    add(m, node(m, routine->body)->tok, 1, text);
}

/* --- names --- */

static int is_taken(const struct dp_pascal *pascal, const char *prefix)
{
    size_t n = strlen(prefix), length;

    for (uint32_t i = 0; i < pascal->ntokens; i++) {
        const char *text = dp_pascal_text(pascal, i, &length);

        if (pascal->tokens[i].kind != DP_T_NAME || length < n)
            continue;
        for (length = 0; length < n; length++)
            if ((text[length] | 0x20) != prefix[length])
                break;
        if (length == n)
            return 1;
    }
    return 0;
}

static void choose_prefix(struct maker *m)
{
    snprintf(m->prefix, sizeof m->prefix, "zz");
    for (int i = 0; is_taken(m->pascal, m->prefix) && i < 100; i++)
        snprintf(m->prefix, sizeof m->prefix, "zz%c%c", 'a' + i / 10, 'a' + i % 10);
}

uint32_t dp_pascal_uses(const struct dp_pascal *pascal)
{
    uint32_t first = pascal->routines[0].decls;

    return first && pascal->nodes[first].kind == DP_P_USES ? first : 0;
}

uint64_t dp_pascal_fingerprint(const struct dp_pascal *pascal)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (uint32_t f = 0; f < pascal->nfiles; f++)
        for (uint32_t i = 0; i < pascal->files[f].bytes; i++)
            hash = (hash ^ (unsigned char)pascal->files[f].text[i]) * 0x100000001b3u;
    return hash;
}

int dp_pascal_instrument(const struct dp_pascal *pascal, struct dp_out *out, struct dp_err *err)
{
    struct maker m = {0};
    struct dp_runtime runtime;
    uint32_t used;
    char *text;

    if (!pascal->has_program || !pascal->routines[0].body)
        return dp_fail(err, "only a program can be instrumented: this has no program heading");
    used = dp_pascal_uses(pascal);
    m.pascal = pascal;
    choose_prefix(&m);
    dp_pascal_names_init(&m.names, pascal);
    dp_pascal_returns_init(&m.returns, pascal);
    for (uint32_t r = 0; r < pascal->nroutines; r++) {
        if (!pascal->routines[r].body)
            continue;
        m.routine = r;
        heading(&m, r);
        body(&m, &pascal->routines[r]);
    }
    runtime = (struct dp_runtime){m.prefix, m.labels, m.calls ? m.calls : "", m.returns.n,
                                  dp_pascal_fingerprint(pascal)};
    rename_program(&m);
    text = dp_runtime_text(pascal, &runtime);
    add(&m, used ? pascal->nodes[used].last : pascal->routines[0].semi, 1, text);
    dp_put_pieces(pascal, m.pieces, m.npieces, out);
    dp_free(text);
    dp_free(m.pieces);
    dp_free(m.levels);
    dp_free(m.calls);
    dp_free(m.label);
    dp_pascal_names_free(&m.names);
    dp_pascal_returns_free(&m.returns);
    dp_arena_free(&m.arena);
    return 0;
}
