#include "record/place.h"

#include "record/names.h"

#include <stdlib.h>
#include <string.h>

/* Escaped texts of files and evals: few, found by content, never freed. */
struct text {
    struct text *next;
    char bytes[1];
};
#define TEXTS 1024
static struct text *texts[TEXTS];
static pthread_mutex_t texts_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *keep(const char *bytes)
{
    struct text *text;
    uint32_t hash = 0;
    size_t i, n = strlen(bytes);

    for (i = 0; i < n; i++)
        hash = hash * 31 + (unsigned char)bytes[i];
    pthread_mutex_lock(&texts_lock);
    for (text = texts[hash % TEXTS]; text && strcmp(text->bytes, bytes) != 0; text = text->next)
        ;
    if (!text && (text = malloc(sizeof *text + n)) != NULL) {
        memcpy(text->bytes, bytes, n + 1);
        text->next = texts[hash % TEXTS];
        texts[hash % TEXTS] = text;
    }
    pthread_mutex_unlock(&texts_lock);
    return text ? text->bytes : "-";
}

/* "(eval 17)" -> 17, else 0. */
static U32 eval_number(const char *file)
{
    unsigned long number = 0;
    const char *s;

    if (strncmp(file, "(eval ", 6) != 0)
        return 0;
    for (s = file + 6; *s >= '0' && *s <= '9'; s++)
        number = number * 10 + (unsigned long)(*s - '0');
    return *s == ')' && s[1] == '\0' ? (U32)number : 0;
}

static const char *find_eval(const struct dp_known *known, U32 number)
{
    uint32_t low = 0, high = known->nplaces;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (known->places[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < known->nplaces && known->places[low].number == number ? known->places[low].text
                                                                         : "(eval)";
}

const char *dp_place_file(struct dp_recorder *recorder, const char *file, U32 *eval)
{
    char *escaped;
    const char *kept;

    *eval = eval_number(file);
    if (*eval)
        return find_eval(recorder->known, *eval);
    escaped = malloc(strlen(file) * 4 + 1);
    if (!escaped)
        return "-";
    *dp_escape(escaped, file, strlen(file)) = '\0';
    kept = keep(escaped);
    free(escaped);
    return kept;
}

uint32_t dp_place_eval(pTHX_ struct dp_recorder *recorder)
{
    struct dp_known *known = recorder->known;
    const char *file = CopFILE(PL_curcop);
    const char *outer;
    U32 number = PL_evalseq + 1, unused;
    char *text;
    size_t n;

    /* After a fork or a failed eval the sequence may stand where it stood before. */
    while (known->nplaces && known->places[known->nplaces - 1].number >= number)
        known->nplaces--;
    if (known->nplaces == known->places_room) {
        uint32_t room = known->places_room ? known->places_room * 2 : 64;
        struct dp_place *more = realloc(known->places, room * sizeof *more);

        if (!more)
            return known->nplaces;
        known->places = more;
        known->places_room = room;
    }
    outer = dp_place_file(recorder, file ? file : "-", &unused);
    n = strlen(outer) + 32;
    text = malloc(n);
    if (!text)
        return known->nplaces;
    snprintf(text, n, "%s:%lu/eval", outer, (unsigned long)CopLINE(PL_curcop));
    known->places[known->nplaces].number = number;
    known->places[known->nplaces].text = keep(text);
    free(text);
    return known->nplaces++;
}

void dp_place_eval_done(struct dp_recorder *recorder, uint32_t mark)
{
    if (recorder->known->nplaces > mark)
        recorder->known->nplaces = mark;
}

const char *dp_place_of(CV *cv, uint32_t *line)
{
    const OP *op = CvSTART(cv);
    int steps = 0;

    for (; op && steps < 16; op = op->op_next, steps++) {
        if (op->op_type == OP_NEXTSTATE || op->op_type == OP_DBSTATE) {
            *line = (uint32_t)CopLINE((const COP *)op);
            return CopFILE((const COP *)op);
        }
    }
    *line = 0;
    return CvFILE(cv);
}
