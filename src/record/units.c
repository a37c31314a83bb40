#include "record/units.h"

#include "record/definitions.h"
#include "record/interp.h"
#include "record/place.h"
#include "record/signals.h"

#include <stdlib.h>

/* Lines that are remembered. One that is forgotten, since another took its place, is numbered from 1 again; that takes
   a further sub on it after something a multiple of so many lines away. */
#define LINES 2048

static Perl_check_t check_anoncode;

static struct dp_line_seen *line_of(struct dp_known *known, uint32_t line)
{
    struct dp_line_seen *seen;

    if (!known->lines)
        known->lines = calloc(LINES, sizeof *known->lines);
    if (!known->lines)
        return NULL;
    seen = &known->lines[line % LINES];
    if (seen->unit != known->unit || seen->line != line) {
        memset(seen, 0, sizeof *seen);
        seen->unit = known->unit;
        seen->line = line;
    }
    return seen;
}

static void number(pTHX_ struct dp_known *known, CV *cv)
{
    struct dp_line_seen *seen;
    uint32_t line;

    dp_place_of(cv, &line);
    seen = line_of(known, line);
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

uint32_t dp_unit_begin(struct dp_known *known)
{
    uint32_t before = known->unit;

    known->unit = ++known->units;
    return before;
}

void dp_unit_end(struct dp_known *known, uint32_t before)
{
    known->unit = before;
}

uint32_t dp_unit_begin_block(struct dp_known *known, uint32_t line, UV definition)
{
    struct dp_line_seen *seen = line_of(known, line);

    if (!seen)
        return 1;
    if (seen->begin != definition)
        seen->begins++;
    seen->begin = definition;
    return seen->begins;
}
