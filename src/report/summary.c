#include "report/summary.h"

#include <stdio.h>
#include <string.h>

#include "report/paint.h"
#include "report/plain.h"

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
    if (!count) return;
    char line[PAGE_COLUMNS + 1];
    bool shared = false;
    for (size_t i = 0; i < count; i++) shared |= rows[i].shared_bytes > 0;
    snprintf(line, sizeof line, "%10s%15s%8s  %s", "launches", "modelled time", "share",
             shared ? "kernel, grid, block + shared bytes" : "kernel, grid, block");
    paint(out, page, PAINT_HEAD, line);
    text_add(out, "\n");
    for (size_t i = 0; i < count; i++) {
        const SummaryRow *row = &rows[i];
        LOCAL_TEXT shape = text_from(" (%u,%u,%u) (%u,%u,%u)", row->grid[0], row->grid[1], row->grid[2], row->block[0],
                                     row->block[1], row->block[2]);
        if (row->shared_bytes) text_add(&shape, " +%u", row->shared_bytes);
        text_add(out, "%10s%15s", plain_number(row->launches).text, plain_time(row->time_us).text);
        text_add(out, "%7.1f%%  ", all_us > 0 ? 100 * row->time_us / all_us : 0);
        size_t room = page.columns - 35 > shape.length + 12 ? page.columns - 35 - shape.length : 12;
        add_kernel(row->kernel, room, out);
        text_add(out, "%s\n", text_string(&shape));
    }
}

void summary_add_copies(const char *where, uint64_t copies, uint64_t bytes, double time_us, Text *out) {
    if (!copies) return;
    text_add(out, "%10s%15s          copies %s, %s\n", plain_number(copies).text, plain_time(time_us).text, where,
             plain_bytes(bytes).text);
}
