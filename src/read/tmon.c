/* tmon.out, the Perl profile: lines, and which part of the file they belong to. */
#include "read/tmon.h"

#include "base/tmon_tags.h"
#include "read/parts.h"
#include "read/read.h"

/* No line that means something is longer. */
#define LONGEST_LINE ((size_t)1 << 20)

static enum dp_claim claims(const char *bytes, size_t n)
{
    static const char magic[] = DP_TMON_MAGIC;
    size_t wanted = sizeof magic - 1;

    if (n < wanted)
        return n == 0 || memcmp(bytes, magic, n) == 0 ? DP_CLAIM_MORE : DP_CLAIM_NO;
    if (memcmp(bytes, magic, wanted) != 0)
        return DP_CLAIM_NO;
    if (n == wanted)
        return DP_CLAIM_MORE;
    return bytes[wanted] == '\n' || bytes[wanted] == '\r' ? DP_CLAIM_YES : DP_CLAIM_NO;
}

static int is_comment(char c)
{
    return c == DP_TMON_META || c == '\0';
}

/* What follows the last newline is nothing; only if it was to be a line, that is said. */
static void end_of_input(struct dp_tmon *tmon, char first)
{
    struct dp_in *in = tmon->in;

    if (in->at < in->end && !is_comment(first) && !tmon->piece)
        dp_note(tmon->prof, DP_NOTE_CUT_LINE, tmon->build->line,
                "the last line is cut off; left out");
    in->at = in->end;
}

int dp_tmon_next_line(struct dp_tmon *tmon, struct dp_line *line)
{
    struct dp_in *in = tmon->in;
    size_t seen = 0;
    int too_long = 0;
    char first = '\n';

    tmon->build->line++;
    for (;;) {
        const char *from = in->at + seen;
        const char *stop = in->end > from ? memchr(from, '\n', (size_t)(in->end - from)) : NULL;

        if (in->end > in->at && !too_long)
            first = *in->at;
        if (stop) {
            line->at = too_long ? stop : in->at;
            line->end = stop > line->at && stop[-1] == '\r' ? stop - 1 : stop;
            in->at = stop + 1;
            if (too_long && !is_comment(first))
                dp_note(tmon->prof, DP_NOTE_BAD_LINE, tmon->build->line,
                        "a line of more than %lu bytes; left out", (unsigned long)LONGEST_LINE);
            return 1;
        }
        seen = (size_t)(in->end - in->at);
        if (seen > LONGEST_LINE) {
            too_long = 1;
            in->at = in->end;
            seen = 0;
        }
        if (!dp_in_more(in)) {
            end_of_input(tmon, first);
            return 0;
        }
    }
}

static int is_blank_line(struct dp_line line)
{
    while (line.at < line.end && (*line.at == ' ' || *line.at == '\t'))
        line.at++;
    return line.at == line.end;
}

static int is_mark(char c)
{
    return c == DP_TMON_ENTER || c == DP_TMON_LEAVE || c == DP_TMON_JUMP || c == DP_TMON_UNWIND;
}

static void begin_marks(struct dp_tmon *tmon)
{
    if (tmon->part == DP_PART_HEADER)
        dp_tmon_header_done(tmon);
    tmon->part = DP_PART_MARKS;
}

/* A PART line is one in whatever part of the file it comes. */
static int part_line(struct dp_tmon *tmon, struct dp_line line)
{
    struct dp_line word;

    if (*line.at != 'P' || !dp_line_field(&line, &word) || word.end - word.at < 4 ||
        memcmp(word.at, DP_TMON_PART2, 4) != 0)
        return 0;
    begin_marks(tmon);
    if (dp_line_is(word, DP_TMON_PART3))
        dp_tmon_tree_begin(tmon);
    return 1;
}

static int mark_line(struct dp_tmon *tmon, struct dp_line line)
{
    char sign = *line.at++;

    if (sign == DP_TMON_TICKS)
        return dp_tmon_compact_ticks(tmon, line);
    if (sign == DP_TMON_NAME)
        return dp_tmon_compact_name(tmon, line);
    return is_mark(sign) &&
           (dp_tmon_text_mark(tmon, sign, line) || dp_tmon_compact_mark(tmon, sign, line));
}

static void header_line(struct dp_tmon *tmon, struct dp_line line)
{
    if (is_mark(*line.at) || *line.at == DP_TMON_TICKS || *line.at == DP_TMON_NAME) {
        dp_note(tmon->prof, DP_NOTE_HEADER, tmon->build->line, "expected PART2 before the marks");
        begin_marks(tmon);
        mark_line(tmon, line);
    } else {
        dp_tmon_header(tmon, line);
    }
}

static void any_line(struct dp_tmon *tmon, struct dp_line line)
{
    if (is_blank_line(line) || *line.at == '\0' || part_line(tmon, line))
        return;
    if (*line.at == DP_TMON_META)
        dp_tmon_meta(tmon, line);
    else if (tmon->part == DP_PART_HEADER)
        header_line(tmon, line);
    else if (tmon->part == DP_PART_TREE)
        dp_tmon_tree_node(tmon, line);
    else if (!mark_line(tmon, line))
        dp_tmon_bad_line(tmon, "a mark", line);
}

void dp_tmon_plain_marks(struct dp_tmon *tmon, int relative)
{
    struct dp_in *in = tmon->in;
    const char *before;

    do {
        before = in->at;
        if (!relative)
            in->at = dp_tmon_text_marks(tmon, in->at, in->end);
        in->at = dp_tmon_compact_marks(tmon, in->at, in->end);
    } while (in->at != before);
}

/* The run's totals, and whether it came to its end. */
static void finish(struct dp_tmon *tmon)
{
    struct dp_build *build = tmon->build;
    struct dp_time *stated = &build->stated;
    const struct dp_time *first = &tmon->prof->first, *gone = &build->gone;
    int clean = tmon->has_end || (!tmon->ours && !tmon->needs_end && tmon->has_rrun);

    if (tmon->part == DP_PART_HEADER)
        dp_tmon_header_done(tmon);
    /* A tree that was being written when the run was killed is in FILE.tree whole. */
    if (!dp_tmon_mapped(tmon))
        dp_tmon_tree_done(tmon);
    *stated = tmon->rrun;
    if (!tmon->ours && tmon->has_rrun) {
        /* The original leaves the time of writing out of its totals. */
        stated->user += gone->user;
        stated->sys += gone->sys;
        stated->real += gone->real;
    } else if (tmon->has_end && stated->real == 0 && build->began) {
        stated->user = tmon->end.user - first->user;
        stated->sys = tmon->end.sys - first->sys;
        stated->real = tmon->end.real - first->real;
    }
    dp_build_end(build, clean);
}

/* A file that ends well but has fewer marks than it says has lost some. What was left out as no
   mark was noted by itself. */
static void count_marks(struct dp_tmon *tmon)
{
    uint64_t marks = tmon->build->marks;

    if (tmon->stated_marks < 0 || marks >= (uint64_t)tmon->stated_marks || tmon->in->stopped ||
        tmon->part != DP_PART_MARKS || tmon->has_tree || tmon->prof->lost)
        return;
    dp_note(tmon->prof, DP_NOTE_MISSING, 0, "the file says %lld marks, %llu are there",
            (long long)tmon->stated_marks, (unsigned long long)marks);
}

static void read_lines(struct dp_tmon *tmon)
{
    struct dp_line line;

    while (dp_tmon_next_line(tmon, &line)) {
        if (line.at < line.end)
            any_line(tmon, line);
        if (tmon->part == DP_PART_MARKS)
            dp_tmon_plain_marks(tmon, 0);
    }
    tmon->build->line--;
}

/* The next part of a file that is read in several: what another thread has read of it is taken
   over, the rest follows. 0: there is none. */
static int next_part(struct dp_tmon *tmon)
{
    const struct dp_parts *parts = tmon->in->parts;
    const struct dp_piece *piece;
    uint64_t from = 0, to = 0;

    if (!parts || tmon->in->stopped)
        return 0;
    piece = parts->next(parts->ctx, &from, &to);
    if (to == 0)
        return 0;
    if (piece)
        from += dp_tmon_join(tmon, piece);
    parts->seek(parts->ctx, from, to);
    dp_in_moved(tmon->in, from);
    return 1;
}

static int read_tmon(struct dp_in *in, struct dp_build *build, struct dp_err *err)
{
    struct dp_tmon tmon;

    memset(&tmon, 0, sizeof tmon);
    tmon.in = in;
    tmon.build = build;
    tmon.prof = build->prof;
    tmon.stated_marks = -1;
    build->beside = dp_tmon_overlay;
    /* cppcheck-suppress autoVariables ; it goes with `beside`, below */
    build->beside_ctx = &tmon;
    (void)err;
    do
        read_lines(&tmon);
    while (next_part(&tmon));
    count_marks(&tmon);
    finish(&tmon);
    build->beside = NULL;
    dp_free(tmon.overlay);
    dp_tmon_tree_free(&tmon);
    dp_tmon_names_free(&tmon);
    return 0;
}

const struct dp_reader dp_read_tmon = {
    .name = "tmon",
    .about = "the Perl profile: tmon.out, of this and of the original Devel::DProf",
    .claims = claims,
    .read = read_tmon,
};
