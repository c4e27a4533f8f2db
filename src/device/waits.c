#include "device/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/arithmetic.h"
#include "ptx/opcode.h"

enum { ROUND_TRIPS_MAX = 256 /* of one basic block; deeper chains count as the last */ };

/* Of one round trip's loads: the most requests that any of them made, and the most that missed L1; the requests of all. */
typedef struct RoundTrip {
    double requests, beyond, all;
} RoundTrip;

typedef struct Scan {
    const Kernel *kernel;
    const Counters *counters;
    double entered; /* how often the current basic block ran */
    uint32_t n_trips;
    RoundTrip trips[ROUND_TRIPS_MAX]; /* of the current basic block */
    Waits sum;
} Scan;

/* A round trip is waited for each time that one of its loads runs. Loads that all run each time are waited for as often as any of them; those that
 * alternate, iteration by iteration, as often as all of them, but no oftener than the block runs. */
static void end_round_trips(Scan *scan) {
    for (uint32_t r = 0; r < scan->n_trips; r++) {
        const RoundTrip *trip = &scan->trips[r];
        const double waited = fmax(trip->requests, fmin(trip->all, scan->entered));
        const double beyond = trip->requests > 0 ? waited * trip->beyond / trip->requests : 0;
        scan->sum.l1 += waited - beyond;
        scan->sum.beyond += beyond;
    }
    memset(scan->trips, 0, scan->n_trips * sizeof *scan->trips);
    scan->n_trips = 0;
}

/* No load behind a store goes before it, even where the store never runs: the assembler does not know that. */
static uint8_t errand_by_text(const Insn *insn) {
    if (insn->space == SPACE_SHARED) return insn->op == OP_st ? ERRAND_SHARED_STORE : 0;
    return trips_errand(insn) & ERRAND_STORE;
}

/* Of loads those that ran; parameters and constants are waited for elsewhere. */
static uint8_t errand_of(const Scan *scan, uint32_t pc) {
    const Insn *insn = &scan->kernel->program->insns[pc];
    const InsnCounters *counts = &scan->counters->insns[pc];
    const bool counted = counts->sectors.requests || counts->banks.requests || counts->banks.joined;
    const bool shared = counts->space == SPACE_SHARED;
    if (opcode_classes[insn->op] != CLASS_MEMORY) return 0;
    if (!counted) return errand_by_text(insn);
    if (insn->op == OP_st || insn->op == OP_red) return shared ? ERRAND_SHARED_STORE : ERRAND_STORE;
    if (insn->op != OP_cp_async && scan->kernel->traits[pc] & TRAIT_UNREAD) return 0;
    return shared ? ERRAND_SHARED_LOAD : ERRAND_LOAD;
}

static void add_load(Scan *scan, const SectorCounters *counts, uint32_t level) {
    const double requests = (double)counts->requests, sectors = (double)counts->sectors;
    const double beyond = sectors > 0 ? requests * (1 - (double)counts->l1_hit_sectors / sectors) : 0;
    if (level >= ROUND_TRIPS_MAX) level = ROUND_TRIPS_MAX - 1;
    if (level >= scan->n_trips) scan->n_trips = level + 1;
    RoundTrip *trip = &scan->trips[level];
    trip->requests = fmax(trip->requests, requests);
    trip->beyond = fmax(trip->beyond, beyond);
    trip->all += requests;
}

static void add_round_trips(Scan *scan, const Function *function, const Regions *regions) {
    uint8_t *errands = alloc_zeroed(function->count + 1, sizeof *errands);
    Trip *trips = alloc_zeroed(function->count + 1, sizeof *trips);
    uint32_t block = NO_INSN;
    for (uint32_t i = 0; i < function->count; i++) errands[i] = errand_of(scan, function->first + i);
    trips_find(scan->kernel->program, function, regions, errands, trips);
    for (uint32_t at = 0; at < function->count; at++) {
        const uint32_t i = regions->order[at];
        if (!(errands[i] & ERRAND_LOAD)) continue;
        if (trips[i].block != block) end_round_trips(scan);
        block = trips[i].block;
        scan->entered = (double)scan->counters->insns[block].executed;
        add_load(scan, &scan->counters->insns[function->first + i].sectors, trips[i].level);
    }
    end_round_trips(scan);
    free(errands);
    free(trips);
}

/* The warp issues one instruction of the region after the other; where they wait for each other, it takes longer. */
static void add_chain(Scan *scan, uint32_t base, const uint32_t *order, uint32_t count, Ready *ready) {
    const Insn *insns = &scan->kernel->program->insns[base];
    const uint8_t *traits = &scan->kernel->traits[base];
    const InsnCounters *counts = &scan->counters->insns[base];
    const double cycles = arithmetic_block_cycles(insns, traits, order, count, ready);
    double issued = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t pc = order[i];
        if (arithmetic_is_dead(&insns[pc], traits[pc])) continue;
        issued += (double)counts[pc].executed;
        scan->sum.slow += (double)counts[pc].executed * arithmetic_cost(&insns[pc]).slow;
    }
    scan->sum.chains += fmax(0, cycles * (double)counts[order[0]].executed - issued * ARITHMETIC_INSN_CYCLES);
}

static void add_chains(Scan *scan, const Function *function, const Regions *regions) {
    Ready ready = {.at = alloc_zeroed(function->n_registers, sizeof *ready.at),
                   .block = alloc_zeroed(function->n_registers, sizeof *ready.block)};
    for (uint32_t from = 0, to; from < function->count; from = to) {
        for (to = from + 1; to < function->count && !regions->begins[to]; to++) {}
        add_chain(scan, function->first, &regions->order[from], to - from, &ready);
    }
    free(ready.at);
    free(ready.block);
}

Waits waits_find(const Kernel *kernel, const Counters *counters) {
    Scan scan = {.kernel = kernel, .counters = counters};
    for (uint32_t f = 0; f < kernel->program->n_functions; f++) {
        if (!kernel->program->functions[f].is_defined) continue;
        add_round_trips(&scan, &kernel->program->functions[f], &kernel->regions[f]);
        add_chains(&scan, &kernel->program->functions[f], &kernel->regions[f]);
    }
    return scan.sum;
}
