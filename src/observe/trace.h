/* trace.h: what the warps of one block do, instruction by instruction: an observer, for figures that a reader steps through. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "machine/memory.h"
#include "machine/observer.h"
#include "observe/banks.h"
#include "observe/sectors.h"

enum { TRACE_STEPS_MOST = 1 << 16, TRACE_NONE = -1 };

/* What global or constant memory held when the launch began, the program's variables among it: in order of address. */
typedef struct TracedArray {
    const char *name;
    uint64_t address, bytes;
} TracedArray;

/* A line that an access touches: its number (Footprint.line), and of its sectors those touched and those that were in L1. */
typedef struct TracedLine {
    uint32_t number;
    uint8_t sectors, hits;
} TracedLine;

/* An access as it is counted. Global and local memory: footprint's counts, lines; shared memory: banks, served; constant memory: words. */
typedef struct TracedAccess {
    uint8_t space, kind, bytes; /* these, active and addr as in Access */
    uint32_t active;
    uint64_t addr[WARP_LANES];
    uint32_t sectors, unique_bytes, hits, n_lines;
    const TracedLine *lines;
    BankCount banks;
    uint8_t served[WARP_LANES]; /* these and late: see banks_serve */
    uint32_t late;
    uint32_t words; /* of constant memory that differ */
    bool
        joined; /* part of another's request (kernel/joins.h), which has its counts; what joins others has the addresses and bytes of all */
} TracedAccess;

/* What an instruction wrote into one of its destinations: see Written. */
typedef struct TracedValue {
    uint8_t index, bytes;
    uint32_t active;
    uint64_t lanes[WARP_LANES]; /* a predicate: 0 and 1 */
} TracedValue;

typedef struct TracedStep {
    uint32_t warp;
    Shown shown;
    int32_t access; /* the first of n_accesses in Trace.accesses; TRACE_NONE */
    int32_t value;  /* the first of n_values in Trace.values; TRACE_NONE */
    uint16_t n_accesses, n_values;
} TracedStep;

typedef struct Trace {
    uint64_t block; /* which one, to be set by the owner */
    Place place;    /* of its first warp; threads is 0 where it has not run */
    bool complete;  /* false: it ran more than TRACE_STEPS_MOST instructions, or did not end; those until then are here */
    uint32_t n_steps, n_accesses, n_values, n_arrays;
    TracedStep *steps; /* in the order in which they ran: the block's warps take turns */
    TracedAccess *accesses;
    TracedValue *values;
    TracedArray *arrays;
    uint64_t *runs; /* by pc: how often the block's warps ran it, also beyond n_steps */
    bool *awaited;  /* by pc: lanes have waited to go on there */
    /* Its own. */
    Observer observer;
    const Observer *counters;
    Arena *arena;
    int32_t last[WARP_LANES]; /* by warp: its last step, TRACE_NONE */
} Trace;

/* For a launch of a program with so many instructions on one host thread; counters: the observer that counts them (counters.h), which comes
 * behind this one. The trace keeps only what is its owner's before. */
Observer *trace_begin(Trace *trace, uint32_t n_insns, const Memory *memory, const Observer *counters);
void trace_free(Trace *trace);
