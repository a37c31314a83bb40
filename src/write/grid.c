#include "write/grid.h"

#include <string.h>

#include "write/colour.h"

/* Heads and widths of old; `gap` blanks come before a column. */
static const struct {
    const char *head;
    int width;
    int gap;
} columns[DP_NCOLUMNS] = {
    {"%Time", 5, 0},  {"ExclSec", 7, 1},  {"CumulS", 6, 1},
    {"#Calls", 6, 1}, {"sec/call", 8, 1}, {"Csec/c", 6, 1},
};

/* The least room for a name on a terminal that is narrower than the numbers. */
enum { LEAST_NAME = 20 };

static struct dp_cell cell(const struct dp_job *job, const struct dp_figures *figures, int column)
{
    int own = column == DP_COLUMN_EXCLUSIVE || column == DP_COLUMN_EACH;
    const struct dp_time *time = own ? figures->self : figures->incl;
    const struct dp_time *unsure = own ? figures->self_unsure : figures->incl_unsure;

    if (column == DP_COLUMN_EACH || column == DP_COLUMN_CUMULATIVE_EACH)
        return dp_average_cell(job, time, unsure, figures->calls);
    return dp_time_cell(job, time, unsure);
}

/* The room for averages: their digits are those of the smallest, their width that of the largest.
 */
static int fit_average(struct dp_grid *grid, int column, const struct dp_cell *average)
{
    struct dp_cell widest = *average;
    int digits = dp_digits_to_say(average, grid->job->prof->hz);

    if (digits > grid->digits[column])
        grid->digits[column] = digits;
    if (!average->unsure && average->seconds > grid->most[column])
        grid->most[column] = average->seconds;
    widest.seconds = grid->most[column];
    widest.digits = grid->digits[column];
    widest.unsure = 0;
    return grid->most[column] > 0 ? dp_cell_width(&widest) : 0;
}

static int is_blank(const struct dp_figures *figures, int column)
{
    return !figures->calls && column >= DP_COLUMN_CALLS;
}

void dp_grid_init(struct dp_grid *grid, const struct dp_job *job)
{
    grid->job = job;
    for (int c = 0; c < DP_NCOLUMNS; c++) {
        grid->width[c] = columns[c].width;
        grid->digits[c] = 0;
        grid->most[c] = 0;
    }
}

void dp_grid_fit(struct dp_grid *grid, const struct dp_figures *figures)
{
    for (int c = DP_COLUMN_EXCLUSIVE; c < DP_NCOLUMNS; c++) {
        int need = 0;

        if (is_blank(figures, c))
            continue;
        if (c == DP_COLUMN_CALLS) {
            need = dp_count_width(figures->calls);
        } else {
            struct dp_cell shown = cell(grid->job, figures, c);

            need = c >= DP_COLUMN_EACH ? fit_average(grid, c, &shown) : dp_cell_width(&shown);
        }
        if (need > grid->width[c])
            grid->width[c] = need;
    }
}

void dp_grid_heads(const struct dp_grid *grid, const char *name)
{
    struct dp_out *out = grid->job->out;

    dp_colour_head(grid->job);
    for (int c = 0; c < DP_NCOLUMNS; c++) {
        dp_pad(out, ' ', (size_t)(columns[c].gap + grid->width[c]) - strlen(columns[c].head));
        dp_puts(out, columns[c].head);
    }
    dp_puts(out, "  ");
    dp_puts(out, name);
    dp_colour_end(grid->job);
    dp_putc(out, '\n');
}

/* Columns that a name may take, 0: any. */
static size_t name_room(const struct dp_grid *grid)
{
    size_t used = 2;

    if (!grid->job->view->width)
        return 0;
    for (int c = 0; c < DP_NCOLUMNS; c++)
        used += (size_t)(columns[c].gap + grid->width[c]);
    return grid->job->view->width < used + LEAST_NAME ? LEAST_NAME : grid->job->view->width - used;
}

static void put_column(const struct dp_grid *grid, const struct dp_figures *figures, int column)
{
    struct dp_out *out = grid->job->out;
    int width = grid->width[column];
    struct dp_cell shown;

    if (is_blank(figures, column)) {
        dp_pad(out, ' ', (size_t)width);
    } else if (column == DP_COLUMN_PERCENT) {
        dp_put_percent(out, figures->part, figures->whole, width);
    } else if (column == DP_COLUMN_CALLS) {
        dp_put_count(out, figures->calls, width);
    } else {
        shown = cell(grid->job, figures, column);
        if (column >= DP_COLUMN_EACH)
            shown.digits = grid->digits[column];
        dp_put_cell(out, &shown, width);
    }
}

void dp_grid_row(const struct dp_grid *grid, const struct dp_figures *figures, const char *name,
                 size_t n)
{
    struct dp_out *out = grid->job->out;

    dp_colour_share(grid->job, figures->part, figures->whole);
    for (int c = 0; c < DP_NCOLUMNS; c++) {
        dp_pad(out, ' ', (size_t)columns[c].gap);
        put_column(grid, figures, c);
    }
    dp_put(out, "  ", 2);
    dp_put_fitted(out, name, n, name_room(grid));
    dp_colour_end(grid->job);
    dp_putc(out, '\n');
}
