#include "record/units.h"

#include "record/definitions.h"
#include "record/interp.h"
#include "record/place.h"
#include "record/signals.h"

#include <stdlib.h>

#define FIRST_LINES 512
#define LONGEST_PROBE 16

static Perl_check_t check_anoncode;

/* --- the units that are open ---------------------------------------------------------------------- */

static int is_compiled(pTHX_ const struct dp_unit *unit)
{
    const yy_parser *parser = PL_parser;

    if (!parser)
        return 0;
    do
        parser = parser->old_parser;
    while (parser && parser != unit->outer);
    return parser == unit->outer;
}

/* A unit that died was left without a word; then perl is back at a parser that its own does not lie upon. So it is before a
   unit has begun, while the text of an eval is fetched; but then what began it is still on the C stack. */
static int is_alive(pTHX_ struct dp_unit *unit, const char *here)
{
    if (is_compiled(aTHX_ unit)) {
        unit->has_started = 1;
        return 1;
    }
    return !unit->has_started && here < unit->frame;
}

static void forget_dead(pTHX_ struct dp_known *known, const char *here)
{
    while (known->nopen && !is_alive(aTHX_ & known->open[known->nopen - 1], here))
        known->nopen--;
}

uint32_t dp_unit_begin(pTHX_ struct dp_known *known, const void *frame, U32 eval, const char *text)
{
    struct dp_unit unit = {PL_parser, frame, 0, 0, eval, text};
    uint32_t depth;

    forget_dead(aTHX_ known, frame);
    depth = known->nopen;
    if (depth >= known->open_room) {
        uint32_t room = known->open_room ? known->open_room * 2 : 16;
        struct dp_unit *more = realloc(known->open, room * sizeof *more);

        if (!more)
            return depth;
        known->open = more;
        known->open_room = room;
    }
    unit.id = ++known->units;
    known->open[known->nopen++] = unit;
    return depth;
}

void dp_unit_end(struct dp_known *known, uint32_t depth)
{
    if (known->nopen > depth)
        known->nopen = depth;
}

static int is_open(const struct dp_known *known, uint32_t id)
{
    uint32_t i;

    for (i = known->nopen; i > 0 && known->open[i - 1].id != id; i--)
        ;
    return i > 0 || id == 0;
}

/* What is compiled now. perl numbers an eval after it has fetched its text, for which others may have run. */
static uint32_t unit_now(pTHX_ struct dp_known *known)
{
    struct dp_unit *unit;
    char here;

    forget_dead(aTHX_ known, &here);
    if (!known->nopen)
        return 0;
    unit = &known->open[known->nopen - 1];
    if (unit->eval)
        unit->eval = dp_place_settle(aTHX_ known, unit->eval, CopFILE(&PL_compiling), unit->text);
    return unit->id;
}

/* --- their lines ------------------------------------------------------------------------------------ */

/* Its place, or one that may become it; NULL: there is no room. */
static struct dp_line_seen *place_for(const struct dp_known *known, uint32_t unit, uint32_t line)
{
    uint32_t i = (unit * 0x85ebca6bu) ^ (line * 0x9e3779b1u), tries;
    struct dp_line_seen *room = NULL;

    i ^= i >> 16;
    for (tries = 0; known->lines && tries < LONGEST_PROBE; tries++, i++) {
        struct dp_line_seen *seen = &known->lines[i & known->lines_mask];

        if (seen->line == line && seen->unit == unit)
            return seen;
        if (!room && (!seen->line || !is_open(known, seen->unit)))
            room = seen;
    }
    return room;
}

static int grow_lines(struct dp_known *known)
{
    struct dp_line_seen *old = known->lines;
    uint32_t n = old ? known->lines_mask + 1 : 0, room = n ? n * 2 : FIRST_LINES, i;
    struct dp_line_seen *fresh = calloc(room, sizeof *fresh);

    if (!fresh)
        return -1;
    known->lines = fresh;
    known->lines_mask = room - 1;
    for (i = 0; i < n; i++) {
        struct dp_line_seen *to = old[i].line && is_open(known, old[i].unit)
                                      ? place_for(known, old[i].unit, old[i].line)
                                      : NULL;

        if (to)
            *to = old[i];
    }
    free(old);
    return 0;
}

static struct dp_line_seen *line_of(pTHX_ struct dp_known *known, uint32_t line)
{
    uint32_t unit = unit_now(aTHX_ known);
    struct dp_line_seen *seen;

    while ((seen = place_for(known, unit, line)) == NULL)
        if (grow_lines(known) != 0)
            return NULL;
    if (seen->line != line || seen->unit != unit) {
        memset(seen, 0, sizeof *seen);
        seen->unit = unit;
        seen->line = line;
    }
    return seen;
}

uint32_t dp_unit_begin_block(pTHX_ struct dp_known *known, uint32_t line)
{
    struct dp_line_seen *seen = line_of(aTHX_ known, line);

    return seen ? ++seen->begins : 1;
}

/* --- anonymous subs --------------------------------------------------------------------------------- */

static void number(pTHX_ struct dp_known *known, CV *cv)
{
    struct dp_line_seen *seen;
    uint32_t line;

    dp_heritage_disown(known, CvROOT(cv));
    dp_place_of(cv, &line);
    seen = line_of(aTHX_ known, line);
    if (seen && ++seen->anonymous > 1)
        dp_definition_number(aTHX_ known, cv, seen->anonymous);
}

/* perl makes an op of an anonymous sub that it has compiled. */
static OP *note_anoncode(pTHX_ OP *op)
{
    struct dp_recorder *recorder = dp_interp_find(aTHX);
    SV *sv = cSVOPx(op)->op_sv;

    if (recorder && recorder->known && sv && SvTYPE(sv) == SVt_PVCV && !CvISXSUB((CV *)sv)) {
        dp_busy(recorder);
        number(aTHX_ recorder->known, (CV *)sv);
        dp_idle(recorder);
    }
    return check_anoncode(aTHX_ op);
}

void dp_units_install(pTHX)
{
    wrap_op_checker(OP_ANONCODE, note_anoncode, &check_anoncode);
}
