#include "device/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/arithmetic.h"
#include "kernel/unrolls.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

enum { ROUND_TRIPS_MAX = 256 /* of one basic block; deeper chains count as the last */ };

/* Of one round trip's loads: the most requests that any of them made, and the most that missed L1; the requests of all. */
typedef struct RoundTrip {
    double requests, beyond, all, peers;
    bool alone; /* one of them cannot be made before the iteration ahead has ended */
} RoundTrip;

typedef struct Scan {
    const Kernel *kernel;
    const Counters *counters;
    double entered; /* how often the current basic block ran */
    double share;   /* of an iteration's round trips, where the assembler makes iterations one */
    uint32_t n_trips;
    RoundTrip trips[ROUND_TRIPS_MAX]; /* of the current basic block */
    Waits sum;
} Scan;

/* A round trip is waited for each time that one of its loads runs. Loads that all run each time are waited for as often as any of them; those that
 * alternate, iteration by iteration, as often as all of them, but no oftener than the block runs. */
static void end_round_trips(Scan *scan) {
    for (uint32_t r = 0; r < scan->n_trips; r++) {
        const RoundTrip *trip = &scan->trips[r];
        const double each = fmax(trip->requests, fmin(trip->all, scan->entered)),
                     waited = trip->alone ? each : each * scan->share;
        const double beyond = trip->requests > 0 ? waited * trip->beyond / trip->requests : 0;
        const double peers = trip->requests > 0 ? waited * trip->peers / trip->requests : 0;
        scan->sum.l1 += fmax(0, waited - beyond - peers);
        scan->sum.beyond += beyond;
        scan->sum.peers += peers;
    }
    memset(scan->trips, 0, scan->n_trips * sizeof *scan->trips);
    scan->n_trips = 0;
}

/* No load behind a store goes before it, even where the store never runs: the assembler does not know that. */
static uint8_t errand_by_text(const Insn *insn) {
    if (insn->space == SPACE_SHARED) return insn->op == OP_st || insn->op == OP_st_async ? ERRAND_SHARED_STORE : 0;
    return trips_errand(insn) & ERRAND_STORE;
}

/* Of loads those that ran; parameters and constants are waited for elsewhere. */
static uint8_t errand_of(const Scan *scan, uint32_t pc) {
    const Insn *insn = &scan->kernel->program->insns[pc];
    const InsnCounters *counts = &scan->counters->insns[pc];
    const bool peers = counts->peers.requests;
    const bool counted = counts->sectors.requests || counts->banks.requests || counts->banks.joined || peers;
    const bool shared = counts->space == SPACE_SHARED || (peers && !counts->sectors.requests);
    if (opcode_classes[insn->op] != CLASS_MEMORY || scan->kernel->traits[pc] & TRAIT_UNREAD) return 0;
    if (!counted) return errand_by_text(insn);
    const bool stores = insn->op == OP_st || insn->op == OP_st_async || insn->op == OP_red || insn->op == OP_red_async;
    if (stores) return shared ? ERRAND_SHARED_STORE : ERRAND_STORE;
    if (insn->op == OP_cp_async) return 0; /* see add_copies */
    if (shared && !peers) return ERRAND_SHARED_LOAD;
    return scan->kernel->traits[pc] & TRAIT_AHEAD ? ERRAND_LOAD | ERRAND_AHEAD : ERRAND_LOAD;
}

static void add_load(Scan *scan, uint32_t pc, const Trip *of) {
    const SectorCounters *counts = &scan->counters->insns[pc].sectors;
    const bool is_load = scan->kernel->program->insns[pc].op == OP_ld;
    const double peers = (double)scan->counters->insns[pc].peers.requests;
    const double requests = (double)counts->requests + peers, sectors = (double)counts->sectors;
    const double late = counts->first_hits ? (double)counts->late_hits / (double)counts->first_hits : 0;
    const double beyond =
        sectors > 0 ? (double)counts->requests * (1 - (double)counts->l1_hit_sectors * (1 - late) / sectors) : 0;
    const uint32_t level = of->level < ROUND_TRIPS_MAX ? of->level : ROUND_TRIPS_MAX - 1;
    if (level >= scan->n_trips) scan->n_trips = level + 1;
    RoundTrip *trip = &scan->trips[level];
    trip->requests = fmax(trip->requests, requests);
    trip->beyond = fmax(trip->beyond, beyond);
    trip->peers = fmax(trip->peers, is_load ? peers : PEER_ATOMIC_LOADS * peers);
    trip->all += requests;
    trip->alone |= !of->again;
}

/* How often the loop that begins at this instruction of the function is come to. */
static double arrivals_of(const Scan *scan, const Function *function, uint32_t head) {
    const Insn *insns = scan->kernel->program->insns;
    const InsnCounters *counts = scan->counters->insns;
    double arrivals = head > function->first && insn_falls(&insns[head - 1]) ? (double)counts[head - 1].executed : 0;
    for (uint32_t pc = function->first; pc < head; pc++)
        if (insns[pc].op == OP_bra && insns[pc].target == head) arrivals += (double)counts[pc].executed;
    return fmin(fmax(arrivals, 1), (double)counts[head].executed);
}

/* Four iterations are waited for as one; of what is left over, two, and one. */
static double share_of(const Scan *scan, const Function *function, uint32_t head) {
    const double iterations = (double)scan->counters->insns[head].executed / arrivals_of(scan, function, head);
    const double left = fmod(iterations, UNROLLED), pairs = floor(left / 2);
    return iterations > 0 ? (floor(iterations / UNROLLED) + pairs + left - 2 * pairs) / iterations : 1;
}

static void add_round_trips(Scan *scan, const Function *function, const Regions *regions) {
    FREED uint8_t *errands = alloc_zeroed(function->count + 1, sizeof *errands);
    FREED Trip *trips = alloc_zeroed(function->count + 1, sizeof *trips);
    FREED bool *unrolls = alloc_zeroed(function->count + 1, sizeof *unrolls);
    uint32_t block = NO_INSN;
    for (uint32_t i = 0; i < function->count; i++) errands[i] = errand_of(scan, function->first + i);
    trips_find(scan->kernel->program, function, regions, errands, trips);
    unrolls_find(scan->kernel->program, function, regions, unrolls);
    for (uint32_t at = 0; at < function->count; at++) {
        const uint32_t i = regions->order[at];
        if (!(errands[i] & ERRAND_LOAD)) continue;
        if (trips[i].block != block) end_round_trips(scan);
        block = trips[i].block;
        scan->entered = (double)scan->counters->insns[block].executed;
        scan->share = unrolls[block - function->first] ? share_of(scan, function, block) : 1;
        add_load(scan, function->first + i, &trips[i]);
    }
    end_round_trips(scan);
}

/* Asynchronous copies are waited for where their groups are: by L1, those of which it has the sectors. */
static void add_copies(Scan *scan) {
    const Counters *counters = scan->counters;
    const double waited = (double)counters->copy_waits.shares / COPY_SHARES;
    double sectors = 0, hits = 0;
    for (uint32_t pc = 0; waited > 0 && pc < counters->n_insns; pc++) {
        if (scan->kernel->program->insns[pc].op != OP_cp_async) continue;
        sectors += (double)counters->insns[pc].sectors.sectors;
        hits += (double)counters->insns[pc].sectors.l1_hit_sectors;
    }
    const double beyond = sectors > 0 ? waited * (1 - hits / sectors) : 0;
    scan->sum.beyond += beyond;
    scan->sum.l1 += waited - beyond;
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

/* At the cluster's barrier: who arrives waits. */
static void add_meetings(Scan *scan) {
    for (uint32_t pc = 0; pc < scan->counters->n_insns; pc++) {
        const Insn *insn = &scan->kernel->program->insns[pc];
        const bool arrives = insn->op == OP_barrier_cluster && insn->variant == CLUSTER_ARRIVE;
        scan->sum.meetings += arrives ? (double)scan->counters->insns[pc].executed : 0;
    }
}

Waits waits_find(const Kernel *kernel, const Counters *counters) {
    Scan scan = {.kernel = kernel, .counters = counters};
    for (uint32_t f = 0; f < kernel->program->n_functions; f++) {
        if (!kernel->program->functions[f].is_defined) continue;
        add_round_trips(&scan, &kernel->program->functions[f], &kernel->regions[f]);
        add_chains(&scan, &kernel->program->functions[f], &kernel->regions[f]);
    }
    add_copies(&scan);
    add_meetings(&scan);
    return scan.sum;
}
