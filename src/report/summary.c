#include "report/summary.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "report/paint.h"
#include "report/plain.h"

enum { SUMMARY_ROWS = 40 }; /* shown */

/* "scale<float>" of "void scale<float>(float*, int)": what tells kernels apart in little room. */
static void add_kernel(const char *name, size_t columns, Text *out) {
    size_t depth = 0, length = 0;
    const char *start = name;
    for (; name[length] && (name[length] != '(' || depth || strncmp(name + length, "(anonymous", 10) == 0); length++) {
        depth += name[length] == '<';
        depth -= depth && name[length] == '>';
        if (!depth && name[length] == ' ' && strncmp(name + length, " namespace)", 11) != 0) start = name + length + 1;
    }
    plain_line(out, start, (size_t)(name + length - start), columns);
}

/* "(8,1,1)", or of several shapes "(8-64,1,1)". */
static void add_sizes(const uint32_t *least, const uint32_t *most, Text *out) {
    for (int i = 0; i < 3; i++) {
        text_add(out, "%s%u", i ? "," : " (", least[i]);
        if (most && most[i] != least[i]) text_add(out, "-%u", most[i]);
    }
    text_add(out, ")");
}

static void add_shape(const SummaryRow *row, Text *out) {
    add_sizes(row->grid, row->grid_most, out);
    add_sizes(row->block, row->block_most, out);
    if (row->shared_bytes || row->shared_most) text_add(out, " +%u", row->shared_bytes);
    if (row->shared_most > row->shared_bytes) text_add(out, "-%u", row->shared_most);
    if (row->shapes > 1) text_add(out, ", %s shapes", plain_number(row->shapes).text);
}

static void add_row(const SummaryRow *row, unsigned depth, double all_us, Page page, Text *out) {
    LOCAL_TEXT shape = {0};
    add_shape(row, &shape);
    text_add(out, "%10s%15s", plain_number(row->launches).text, plain_time(row->time_us).text);
    text_add(out, "%7.1f%%  %*s", all_us > 0 ? 100 * row->time_us / all_us : 0, (int)depth, "");
    const size_t taken = 35 + depth + shape.length;
    add_kernel(row->kernel, page.columns > taken + 12 ? page.columns - taken : 12, out);
    text_add(out, "%s\n", text_string(&shape));
}

/* The rows in the order in which they are shown, and how far each is set in. */
typedef struct RowOrder {
    const SummaryRow *rows;
    size_t count, placed;
    size_t *order;
    unsigned *depth; /* by row; 0: not placed; else one more than it is set in */
} RowOrder;

enum { SET_IN = 2, SET_IN_MOST = 12 };

/* A row, and below it what its kernel launches. */
static void place_row(RowOrder *to, size_t row) {
    to->order[to->placed++] = row;
    for (size_t i = 0; i < to->count; i++) {
        if (to->depth[i] || !to->rows[i].launcher || to->rows[i].launcher != to->rows[row].is) continue;
        to->depth[i] = to->depth[row] < SET_IN_MOST ? to->depth[row] + SET_IN : to->depth[row];
        place_row(to, i);
    }
}

/* The host's first. */
static void place_rows(RowOrder *to) {
    for (int launched = 0; launched < 2; launched++)
        for (size_t i = 0; i < to->count; i++) {
            if (to->depth[i] || (to->rows[i].launcher && !launched)) continue;
            to->depth[i] = 1;
            place_row(to, i);
        }
}

void summary_add(const char *device, bool calibrated, const SummaryRow *rows, size_t count, Page page, Text *out) {
    double all_us = 0;
    uint64_t launches = 0, replayed = 0;
    for (size_t i = 0; i < count; i++) {
        all_us += rows[i].time_us;
        launches += rows[i].launches;
        replayed += rows[i].replayed;
    }
    text_add(out, "\n");
    paint(out, page, PAINT_HEAD, device);
    text_add(out, ": %s launch%s", plain_number(launches).text, launches == 1 ? "" : "es");
    if (replayed) text_add(out, " (%s of them repeated others, and were not executed again)", plain_number(replayed).text);
    text_add(out, "%s\n", count && !calibrated ? "; the model of its times is not calibrated" : "");
    if (replayed)
        text_add(out, "  A timer on the host hardly sees those that were repeated, and no GPU: cudaEventElapsedTime has "
                      "modelled time.\n");
    if (!count) return;
    char line[PAGE_COLUMNS + 1];
    bool shared = false;
    for (size_t i = 0; i < count; i++) shared |= rows[i].shared_bytes > 0 || rows[i].shared_most > 0;
    snprintf(line, sizeof line, "%10s%15s%8s  %s", "launches", "modelled time", "share",
             shared ? "kernel, grid, block + shared bytes" : "kernel, grid, block");
    paint(out, page, PAINT_HEAD, line);
    text_add(out, "\n");
    const size_t shown = count > SUMMARY_ROWS ? SUMMARY_ROWS : count;
    FREED size_t *order = alloc_zeroed(count, sizeof *order);
    FREED unsigned *depth = alloc_zeroed(count, sizeof *depth);
    RowOrder placed = {.rows = rows, .count = count, .order = order, .depth = depth};
    place_rows(&placed);
    double more_us = 0;
    for (size_t i = 0; i < placed.placed; i++) {
        const SummaryRow *row = &rows[order[i]];
        if (i < shown)
            add_row(row, depth[order[i]] - 1, all_us, page, out);
        else
            more_us += row->time_us;
    }
    if (shown < count)
        text_add(out, "%10s%15s%7.1f%%  %s more rows\n", "", plain_time(more_us).text, all_us > 0 ? 100 * more_us / all_us : 0,
                 plain_number(count - shown).text);
}

void summary_add_copies(const char *where, uint64_t copies, uint64_t bytes, double time_us, Text *out) {
    if (!copies) return;
    text_add(out, "%10s%15s          copies %s, %s\n", plain_number(copies).text, plain_time(time_us).text, where,
             plain_bytes(bytes).text);
}
