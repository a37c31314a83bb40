/* A part of a trace, read without what is before it. It ends where a line needs that: at a stop, a
   start, a tree, the end, at anything odd. What it holds is put behind the rest by dp_tmon_join().
 */
#include "base/tmon_tags.h"
#include "read/parts.h"
#include "read/tmon.h"

struct dp_piece {
    struct dp_tmon tmon;
    struct dp_profile *prof;
    int relative;    /* it knows no absolute time: its clock began at 0 */
    int odd;         /* it cannot be used */
    uint64_t offset; /* of the first line that was not read, from the start of the part */

    /* Lines to be read again behind the rest: #sub and its kin, & */
    struct dp_line *later;
    uint32_t nlater;
};

/* --- reading it ----------------------------------------------------------------------------------
 */

static void keep(struct dp_piece *piece, struct dp_line line)
{
    size_t n = (size_t)(line.end - line.at);
    char *copy = dp_arena_copy(&piece->tmon.arena, line.at, n);
    const struct dp_line kept = {copy, copy + n};

    piece->later = dp_more(piece->later, piece->nlater, sizeof *piece->later);
    piece->later[piece->nlater++] = kept;
}

static int is_one_of(struct dp_line word, const char *const *words)
{
    for (; *words; words++)
        if (dp_line_is(word, *words))
            return 1;
    return 0;
}

/* Some words say the same wherever they stand, some end the piece, the rest is skipped as ever. */
static int meta(struct dp_piece *piece, struct dp_line line)
{
    static const char *const later[] = {DP_TMON_SUB,  DP_TMON_FILE, DP_TMON_CHILD, DP_TMON_NOTE,
                                        DP_TMON_OVER, DP_TMON_MARK, DP_TMON_SITE,  NULL};
    static const char *const ends[] = {DP_TMON_RUN,   DP_TMON_CMD,  DP_TMON_PERL,
                                       DP_TMON_HOST,  DP_TMON_OPEN, DP_TMON_STOP,
                                       DP_TMON_START, DP_TMON_END,  NULL};
    struct dp_line rest = {line.at + 1, line.end}, word;

    if (!dp_line_field(&rest, &word) || line.at[1] == ' ')
        return 1;
    if (is_one_of(word, later))
        keep(piece, line);
    return !is_one_of(word, ends);
}

static int mark(struct dp_piece *piece, struct dp_line line)
{
    struct dp_tmon *tmon = &piece->tmon;
    char sign = *line.at++;
    struct dp_line rest = line, field;

    if (!tmon->build->began && !piece->relative)
        return 0;
    while (dp_line_field(&rest, &field))
        if (dp_line_is(field, "&"))
            return 0;
    if (!piece->relative && dp_tmon_text_mark(tmon, sign, line))
        return 1;
    return dp_tmon_compact_mark(tmon, sign, line);
}

/* 1: it is read. 0: here the piece ends. */
static int line_of(struct dp_piece *piece, struct dp_line line)
{
    struct dp_tmon *tmon = &piece->tmon;

    if (line.at == line.end)
        return 1;
    if (*line.at == DP_TMON_META)
        return meta(piece, line);
    if (*line.at == DP_TMON_NAME) {
        keep(piece, line);
        line.at++;
        return dp_tmon_compact_name(tmon, line);
    }
    if (*line.at == DP_TMON_TICKS && tmon->build->began) {
        line.at++;
        return dp_tmon_compact_ticks(tmon, line);
    }
    if (*line.at == DP_TMON_ENTER || *line.at == DP_TMON_LEAVE)
        return mark(piece, line);
    return 0;
}

/* Is the first mark one that has its own absolute time? Until then lines are only looked at. */
static void find_clock(struct dp_piece *piece)
{
    const struct dp_time zero = {0, 0, 0};
    struct dp_in *in = piece->tmon.in;
    const char *c;

    dp_in_more(in);
    for (c = in->at; c < in->end && (*c == DP_TMON_META || *c == DP_TMON_NAME);) {
        c = memchr(c, '\n', (size_t)(in->end - c));
        if (!c)
            return;
        c++;
    }
    if (c < in->end && (*c == DP_TMON_ENTER || *c == DP_TMON_LEAVE)) {
        struct dp_line line = {c + 1, memchr(c, '\n', (size_t)(in->end - c))}, field;
        int fields = 0;

        while (line.end && dp_line_field(&line, &field))
            fields++;
        if (fields != 1) {
            piece->tmon.build->began = 0;
            return;
        }
    }
    piece->relative = 1;
    dp_build_tick(piece->tmon.build, &zero);
}

struct dp_piece *dp_piece_read(struct dp_in *in, uint64_t hz)
{
    struct dp_piece *piece = dp_alloc(sizeof *piece);
    struct dp_tmon *tmon = &piece->tmon;
    struct dp_line line;

    piece->prof = dp_profile_new();
    piece->prof->hz = hz;
    tmon->in = in;
    tmon->prof = piece->prof;
    tmon->build = dp_build_new(piece->prof);
    tmon->part = DP_PART_MARKS;
    tmon->piece = piece;
    dp_build_anywhere(tmon->build);
    find_clock(piece);
    do {
        dp_tmon_plain_marks(tmon, piece->relative);
        piece->offset = dp_in_offset(in);
    } while (piece->prof->nnotes == 0 && dp_tmon_next_line(tmon, &line) && line_of(piece, line));
    tmon->build->line--;
    piece->odd = piece->prof->nnotes > 0 || in->failed || in->stopped;
    tmon->in = NULL;
    return piece;
}

void dp_piece_free(struct dp_piece *piece)
{
    if (!piece)
        return;
    dp_build_free(piece->tmon.build);
    dp_profile_free(piece->prof);
    dp_tmon_names_free(&piece->tmon);
    dp_free(piece->later);
    dp_free(piece);
}

/* A sub that is only known by an id: it was introduced before the piece. */
uint32_t dp_tmon_foreign_id(struct dp_tmon *tmon, uint64_t id)
{
    uint32_t sub = dp_add_sub(tmon->prof, DP_NONE);

    dp_idmap_set(&tmon->ids, id, sub);
    dp_tmon_written_as(tmon, sub, id);
    tmon->foreign = dp_more(tmon->foreign, tmon->nforeign, sizeof *tmon->foreign);
    tmon->foreign[tmon->nforeign].id = id;
    tmon->foreign[tmon->nforeign++].index = sub;
    return sub;
}

/* --- putting it behind the rest
 * ------------------------------------------------------------------- */

/* The subs of the piece among those of the whole; NULL if one is not known there. */
static uint32_t *subs_of(struct dp_tmon *tmon, const struct dp_piece *piece)
{
    const struct dp_profile *prof = piece->prof;
    uint32_t *sub_of = dp_alloc_array(prof->nsubs, sizeof *sub_of);
    uint32_t foreign = 0;

    for (uint32_t i = 0; i < prof->nsubs; i++) {
        size_t n;
        const char *name;

        if (foreign < piece->tmon.nforeign && piece->tmon.foreign[foreign].index == i) {
            sub_of[i] = dp_idmap_find(&tmon->ids, piece->tmon.foreign[foreign++].id);
            if (sub_of[i] == DP_NONE) {
                dp_free(sub_of);
                return NULL;
            }
            continue;
        }
        name = dp_string(prof, prof->subs[i].name, &n);
        sub_of[i] = dp_build_sub(tmon->build, name, n);
    }
    return sub_of;
}

/* Would its clock run out of what is believed? */
static int too_late(const struct dp_build *build, const struct dp_build *piece)
{
    return build->now.user + piece->now.user > DP_TMON_MOST ||
           build->now.sys + piece->now.sys > DP_TMON_MOST ||
           build->now.real + piece->now.real > DP_TMON_MOST;
}

static void read_later(struct dp_tmon *tmon, const struct dp_piece *piece)
{
    for (uint32_t i = 0; i < piece->nlater; i++) {
        struct dp_line line = piece->later[i];

        if (*line.at == DP_TMON_META) {
            dp_tmon_meta(tmon, line);
        } else {
            line.at++;
            dp_tmon_compact_name(tmon, line);
        }
    }
}

uint64_t dp_tmon_join(struct dp_tmon *tmon, const struct dp_piece *piece)
{
    uint32_t *sub_of;
    int joined;

    if (piece->odd || tmon->part != DP_PART_MARKS || (piece->relative && !tmon->build->began) ||
        (piece->relative && too_late(tmon->build, piece->tmon.build)) ||
        !(sub_of = subs_of(tmon, piece)))
        return 0;
    joined = dp_build_join(tmon->build, piece->tmon.build, sub_of, piece->relative);
    dp_free(sub_of);
    if (!joined)
        return 0;
    read_later(tmon, piece);
    return piece->offset;
}
