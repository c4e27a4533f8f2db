/* imprint.h: which bytes of an allocation a launch has read and written, as the marks of its race check have it (race_mark.h); or a copy or a
 * fill, which says so itself. Two of them clash where both touch the same bytes, one writes, and not both are atomic there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "machine/memory.h"

/* How bytes were touched, joined by |. Atomically: as global_race.h has it. */
enum { IMPRINT_READ = 1, IMPRINT_WRITE = 2, IMPRINT_READ_ATOMIC = 4, IMPRINT_WRITE_ATOMIC = 8 };
enum { IMPRINT_READS = IMPRINT_READ | IMPRINT_READ_ATOMIC, IMPRINT_WRITES = IMPRINT_WRITE | IMPRINT_WRITE_ATOMIC };

typedef struct ImprintRun {
    uint64_t from, to; /* offsets in the allocation; to is behind the last */
    uint32_t how;
} ImprintRun;

typedef struct Imprint {
    uint64_t address; /* of the allocation */
    ImprintRun *runs; /* in order, none overlapping */
    size_t count;
} Imprint;

enum { IMPRINT_RUNS_MOST = 1 << 20 }; /* further ones are left out */

void imprint_free(Imprint *imprint);

/* Adds bytes behind those that it has; others are left out. */
void imprint_add(Imprint *imprint, uint64_t from, uint64_t to, uint32_t how);

/* Of the last launch that races were looked for in: of this kernel, with so many blocks. */
Imprint imprint_of_launch(Memory *memory, const Allocation *allocation, const Kernel *kernel, uint64_t blocks);

/* How this byte was touched; 0: not at all. */
uint32_t imprint_at(const Imprint *imprint, uint64_t offset);

/* Whether two ways to touch the same byte need an order. strict: also of a plain read before atomic writes by both, which these correct. */
bool imprint_ways_clash(uint32_t one, uint32_t other, bool strict);

typedef struct ImprintClash {
    uint64_t offset;
    uint32_t one, other; /* how it was touched by each */
} ImprintClash;

/* Finds the first byte that needs an order. */
bool imprint_clash(const Imprint *one, const Imprint *other, bool strict, ImprintClash *clash);
