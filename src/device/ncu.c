#include "device/ncu.h"

#include <stdlib.h>
#include <string.h>

const NcuMetric ncu_metrics[NCU_METRIC_COUNT] = {
#define METRIC(group, op, name, ncu) {group, op, name, ncu},
    NCU_METRICS(METRIC)
#undef METRIC
};

enum { CELLS_MOST = 1024, CELL_KERNEL = -1, CELL_UNKNOWN = -2 };

/* One cell of a line of quoted cells, which it ends in place; NULL behind the last. The tool doubles no quotes. */
static char *next_cell(char **at) {
    char *cell = *at;
    if (*cell != '"') return NULL;
    char *end = strchr(++cell, '"');
    if (!end) return NULL;
    *end++ = 0;
    *at = *end == ',' ? end + 1 : end;
    return cell;
}

static int column_of(const char *title) {
    if (strcmp(title, "Kernel Name") == 0) return CELL_KERNEL;
    for (int i = 0; i < NCU_METRIC_COUNT; i++)
        if (strcmp(title, ncu_metrics[i].ncu) == 0) return i;
    return CELL_UNKNOWN;
}

/* Thousands are set off by commas. Beyond 2^53 a double has not every whole number: no counter is read there. */
static bool number_of(char *text, double *value) {
    char *to = text, *end;
    for (const char *from = text; *from; from++)
        if (*from != ',') *to++ = *from;
    *to = 0;
    *value = strtod(text, &end);
    return end != text && !*end && *value >= 0 && *value <= 0x1p53;
}

static void add_launch(NcuRun *run, char *line, const int *columns, int n, Arena *arena) {
    NcuLaunch *launch = &ARENA_ADD(arena, run->launches, run->count);
    *launch = (NcuLaunch){.kernel = ""};
    for (int i = 0; i < n; i++) {
        char *cell = next_cell(&line);
        if (!cell) break;
        if (columns[i] == CELL_KERNEL) launch->kernel = cell;
        if (columns[i] >= 0) launch->has[columns[i]] = number_of(cell, &launch->values[columns[i]]);
    }
}

bool ncu_parse(const char *text, Arena *arena, NcuRun *run, Diag *diag) {
    int columns[CELLS_MOST], n = 0;
    *run = (NcuRun){0};
    char *copy = arena_alloc(arena, strlen(text) + 1);
    strcpy(copy, text);
    for (char *line = copy, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        bool head = strncmp(line, "\"ID\"", 4) == 0;
        /* Launches are numbered; the line of units has no number. */
        bool launch = n && line[0] == '"' && line[1] >= '0' && line[1] <= '9';
        if (launch) add_launch(run, line, columns, n, arena);
        if (!head) continue;
        n = 0;
        for (char *cell; n < CELLS_MOST && (cell = next_cell(&line));) columns[n++] = column_of(cell);
    }
    if (n) return true;
    diag_say(diag, "no table of Nsight Compute is in it");
    return diag_hint(diag, "write it with ncu --csv --page raw --print-units base --print-kernel-base mangled");
}
