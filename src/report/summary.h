/* summary.h: a program's launches at a glance: kernels in order of their modelled time, and the copies. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "report/page.h"

/* Launches of one kernel with one shape, or with several: from the least of each dimension to the most. */
typedef struct SummaryRow {
    const char *kernel; /* demangled */
    const void *is,
        *launcher; /* whose rows are of one kernel have one `is`; launcher: that of the kernel that launches it; NULL: the host does */
    const uint32_t *grid, *block;
    uint32_t shared_bytes;                  /* dynamic shared memory of a block */
    const uint32_t *grid_most, *block_most; /* NULL: one shape */
    uint32_t shared_most;
    size_t shapes;
    uint64_t launches, replayed; /* replayed ones among them */
    double time_us;              /* modelled, of all */
} SummaryRow;

/* What kernels launch stands below the first row of theirs, set in. calibrated: the device's times were measured, see model.h; that they were not is said. */
void summary_add(const char *device, bool calibrated, const SummaryRow *rows, size_t count, Page page, Text *out);

/* "copies to the device: 3, 12 kB, 0.2 us"; nothing when there were none. */
void summary_add_copies(const char *where, uint64_t copies, uint64_t bytes, double time_us, Text *out);
