/*
 * Cells of a report. Figures are made from integers, not with printf: a report may have a million
 * rows.
 */
#include "write/cells.h"

#include <string.h>

#include "base/escape.h"
#include "base/mem.h"

/* Below this the split of user and system time is the kernel's guess (formats/tmon.md). */
#define COARSE_SECONDS 0.1

enum { MOST_DIGITS = 9 };

const char *const dp_clock_names[DP_NCLOCKS] = {"cpu", "user", "system", "real"};
const char *const dp_clock_labels[DP_NCLOCKS] = {"User+System", "User", "System", "Real"};

int64_t dp_clock_of(const struct dp_time *time, enum dp_clock clock)
{
    switch (clock) {
    case DP_CLOCK_USER:
        return time->user;
    case DP_CLOCK_SYSTEM:
        return time->sys;
    case DP_CLOCK_REAL:
        return time->real;
    default:
        return time->user + time->sys;
    }
}

int64_t dp_unsure_of(const struct dp_time *unsure, enum dp_clock clock)
{
    if (clock == DP_CLOCK_CPU)
        return unsure->user > unsure->sys ? unsure->user : unsure->sys;
    return dp_clock_of(unsure, clock);
}

int dp_clock_digits(uint64_t hz)
{
    int digits = 0;

    for (uint64_t unit = 1; unit < hz && digits < MOST_DIGITS; unit *= 10)
        digits++;
    return digits;
}

int dp_time_digits(uint64_t hz)
{
    int digits = dp_clock_digits(hz);

    return digits < 3 ? 3 : digits;
}

int dp_average_digits(uint64_t hz)
{
    int digits = dp_time_digits(hz) + 1;

    return digits > MOST_DIGITS ? MOST_DIGITS : digits;
}

static uint64_t power(int digits)
{
    uint64_t p = 1;

    while (digits-- > 0)
        p *= 10;
    return p;
}

/* number * 10^digits, rounded; what does not fit is the largest number that does. */
static uint64_t scaled(double number, int digits)
{
    double value = number * (double)power(digits) + 0.5;

    if (!(value > 0))
        return 0;
    return value < 1.8e19 ? (uint64_t)value : UINT64_C(18000000000000000000);
}

int dp_count_width(uint64_t count)
{
    int width = 1;

    while (count >= 10) {
        count /= 10;
        width++;
    }
    return width;
}

int dp_number_width(double number, int digits)
{
    int width = dp_count_width(scaled(number, digits) / power(digits));

    return digits ? width + 1 + digits : width;
}

static void pad_to(struct dp_out *out, int have, int width)
{
    if (width > have)
        dp_pad(out, ' ', (size_t)(width - have));
}

void dp_put_count(struct dp_out *out, uint64_t count, int width)
{
    pad_to(out, dp_count_width(count), width);
    dp_put_u64(out, count);
}

void dp_put_number(struct dp_out *out, double number, int digits, int width)
{
    uint64_t value = scaled(number, digits);
    uint64_t unit = power(digits);
    uint64_t fraction = value % unit;
    char text[24];

    pad_to(out, dp_number_width(number, digits), width);
    dp_put_u64(out, value / unit);
    if (!digits)
        return;
    text[0] = '.';
    for (int i = digits; i > 0; i--) {
        text[i] = (char)('0' + fraction % 10);
        fraction /= 10;
    }
    dp_put(out, text, (size_t)digits + 1);
}

void dp_put_percent(struct dp_out *out, double part, double whole, int width)
{
    double percent = whole > 0 ? 100 * part / whole : 0;

    dp_put_number(out, percent, percent < 9.995 ? 2 : percent < 99.95 ? 1 : 0, width);
}

int dp_cell_width(const struct dp_cell *cell)
{
    if (cell->unsure)
        return 2;
    return dp_number_width(cell->seconds, cell->digits) + cell->coarse;
}

void dp_put_cell(struct dp_out *out, const struct dp_cell *cell, int width)
{
    pad_to(out, dp_cell_width(cell), width);
    if (cell->unsure) {
        dp_put(out, "~0", 2);
        return;
    }
    if (cell->coarse)
        dp_putc(out, '~');
    dp_put_number(out, cell->seconds, cell->digits, 0);
}

/* At hz=100 the grain of the clock says it already. */
static int coarse(const struct dp_job *job, double seconds)
{
    enum dp_clock clock = job->view->clock;

    return (clock == DP_CLOCK_USER || clock == DP_CLOCK_SYSTEM) && job->prof->hz > 100 &&
           seconds < COARSE_SECONDS;
}

struct dp_cell dp_time_cell(const struct dp_job *job, const struct dp_time *time,
                            const struct dp_time *unsure)
{
    int64_t ticks = dp_clock_of(time, job->view->clock);
    struct dp_cell cell;

    cell.seconds = (double)ticks / (double)job->prof->hz;
    cell.digits = dp_time_digits(job->prof->hz);
    cell.unsure = ticks <= 0 || (unsure && ticks < dp_unsure_of(unsure, job->view->clock));
    cell.coarse = coarse(job, cell.seconds);
    return cell;
}

struct dp_cell dp_average_cell(const struct dp_job *job, const struct dp_time *time,
                               const struct dp_time *unsure, uint64_t calls)
{
    struct dp_cell cell = dp_time_cell(job, time, unsure);

    cell.digits = dp_average_digits(job->prof->hz);
    if (calls)
        cell.seconds /= (double)calls;
    /* An average that rounds to zero is no measurement either. */
    if (scaled(cell.seconds, MOST_DIGITS) == 0)
        cell.unsure = 1;
    return cell;
}

/* One digit at the classic clock, as of old; two at a finer one. */
int dp_digits_to_say(const struct dp_cell *average, uint64_t hz)
{
    uint64_t enough = hz > 100 ? 10 : 1;
    int digits = average->digits;

    while (digits < MOST_DIGITS && !average->unsure && scaled(average->seconds, digits) < enough)
        digits++;
    return digits;
}

void dp_put_indent(struct dp_out *out, size_t level, size_t blanks)
{
    if (level <= DP_DEEPEST) {
        dp_pad(out, ' ', level * blanks);
        return;
    }
    dp_pad(out, ' ', DP_DEEPEST * blanks);
    dp_putc(out, '[');
    dp_put_u64(out, level);
    dp_put(out, "] ", 2);
}

const char *dp_sub_name(const struct dp_profile *prof, uint32_t sub, size_t *n)
{
    if (sub < prof->nsubs)
        return dp_string(prof, prof->subs[sub].name, n);
    *n = sizeof DP_OUTSIDE - 1;
    return DP_OUTSIDE;
}

/* Where the last `columns` columns of a name begin, at a whole character. */
static size_t tail(const char *bytes, size_t n, size_t columns)
{
    size_t drop = dp_name_columns(bytes, n) - columns;
    size_t from = dp_name_fit(bytes, n, drop);

    while (from < n && dp_name_columns(bytes + from, n - from) > columns) {
        size_t length;

        dp_utf8(bytes + from, bytes + n, &length);
        from += length;
    }
    return from;
}

/* The end of a name says more than its beginning, so it gets two thirds of the room. */
void dp_put_fitted(struct dp_out *out, const char *bytes, size_t n, size_t columns)
{
    size_t head, from;

    if (!columns || dp_name_columns(bytes, n) <= columns || columns < 4) {
        dp_put_name(out, bytes, n);
        return;
    }
    head = (columns - 2) / 3;
    from = tail(bytes, n, columns - 2 - head);
    dp_put_name(out, bytes, dp_name_fit(bytes, n, head));
    dp_put(out, "..", 2);
    dp_put_name(out, bytes + from, n - from);
}
