#include "observe/imprint.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "observe/race_rows.h"

void imprint_free(Imprint *imprint) {
    free(imprint->runs);
    imprint->runs = NULL;
    imprint->count = 0;
}

void imprint_add(Imprint *imprint, uint64_t from, uint64_t to, uint32_t how) {
    ImprintRun *last = imprint->count ? &imprint->runs[imprint->count - 1] : NULL;
    if (from >= to || (last && from < last->to)) return;
    if (last && from == last->to && how == last->how) {
        last->to = to;
        return;
    }
    if (imprint->count == IMPRINT_RUNS_MOST) return;
    ALLOC_ADD(imprint->runs, imprint->count) = (ImprintRun){from, to, how};
}

/* --- of a launch --- */

static uint32_t how_of(uint64_t write, uint64_t read) {
    uint32_t how = 0;
    if (write) how |= write & WRITE_STRONG ? IMPRINT_WRITE_ATOMIC : IMPRINT_WRITE;
    if (write & WRITE_PLAINLY) how |= IMPRINT_WRITE;
    if (read) how |= read & READ_STRONG ? IMPRINT_READ_ATOMIC : IMPRINT_READ;
    if (read & READ_STRONG_TOO) how |= IMPRINT_READ_ATOMIC;
    return how;
}

Imprint imprint_of_launch(Memory *memory, const Allocation *allocation, const Kernel *kernel, uint64_t blocks) {
    Imprint imprint = {.address = allocation->address};
    if (!allocation->marks || (!allocation->marks_written && !allocation->marks_read)) return imprint;
    MarkLayout at = mark_layout(kernel, blocks, memory_last_generation(memory));
    MarkPool pool = mark_pool(memory, false);
    const Marks writes = marks_of(allocation, false, &pool), reads = marks_of(allocation, true, &pool);
    const uint64_t granule = allocation->marks_granule, bytes = allocation->bytes;
    for (uint64_t row = 0; row < allocation_rows(allocation); row++) {
        const uint64_t write = row_at(&at, &writes, row), read = row_at(&at, &reads, row);
        for (uint32_t i = 0; (write || read) && i < MARKS_ROW; i++) {
            const uint64_t cell = row * MARKS_ROW + i, from = cell * granule, to = from + granule;
            const uint32_t how = how_of(row_mark(&at, &writes, write, cell), row_mark(&at, &reads, read, cell));
            if (how && from < bytes) imprint_add(&imprint, from, to < bytes ? to : bytes, how);
        }
    }
    mark_layout_free(&at);
    return imprint;
}

/* --- questions --- */

uint32_t imprint_at(const Imprint *imprint, uint64_t offset) {
    size_t low = 0, high = imprint->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (imprint->runs[middle].to <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < imprint->count && imprint->runs[low].from <= offset ? imprint->runs[low].how : 0;
}

bool imprint_ways_clash(uint32_t one, uint32_t other, bool strict) {
    if (!((one | other) & IMPRINT_WRITES) || !one || !other) return false;
    if (one & IMPRINT_WRITE || other & IMPRINT_WRITE) return true;
    if (!((one | other) & IMPRINT_READ)) return false; /* all is atomic */
    return strict || !(one & other & IMPRINT_WRITE_ATOMIC);
}

bool imprint_clash(const Imprint *one, const Imprint *other, bool strict, ImprintClash *clash) {
    for (size_t i = 0, j = 0; i < one->count && j < other->count;) {
        const ImprintRun *a = &one->runs[i], *b = &other->runs[j];
        const uint64_t from = a->from > b->from ? a->from : b->from, to = a->to < b->to ? a->to : b->to;
        if (from < to && imprint_ways_clash(a->how, b->how, strict)) {
            *clash = (ImprintClash){from, a->how, b->how};
            return true;
        }
        if (a->to < b->to)
            i++;
        else
            j++;
    }
    return false;
}
