#include "device/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/arithmetic.h"
#include "ptx/opcode.h"
#include "ptx/trips.h"

enum { ROUND_TRIPS_MAX = 256 /* of one basic block; deeper chains count as the last */ };

/* What is waited for in one round trip: the most requests that any of its loads made, and the most that missed L1. */
typedef struct RoundTrip {
    double requests, beyond;
} RoundTrip;

typedef struct Scan {
    const Program *program;
    const Counters *counters;
    uint16_t *level; /* by register of the function: the round trip that its value waits for, in this block; 0: none */
    uint32_t *block; /* by register: the number of the block in which level was set */
    bool *read;      /* by register: some instruction uses it */
    uint32_t number; /* of the current block */
    uint32_t chains; /* blocks whose chain was followed */
    Ready ready;
    uint16_t after_global, after_shared; /* the round trip that a store waits for, and a load after it must follow */
    uint16_t n_trips;
    RoundTrip trips[ROUND_TRIPS_MAX];
    Waits sum;
} Scan;

static bool is_register(const Operand *operand) {
    return operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS;
}

static void end_round_trips(Scan *scan) {
    for (uint32_t r = 0; r < scan->n_trips; r++) {
        const RoundTrip *trip = &scan->trips[r];
        scan->sum.l1 += trip->requests - trip->beyond;
        scan->sum.beyond += trip->beyond;
    }
    memset(scan->trips, 0, scan->n_trips * sizeof *scan->trips);
    scan->n_trips = 0;
    scan->after_global = scan->after_shared = 0;
    scan->number++;
}

static uint16_t later(uint16_t a, uint16_t b) { return a > b ? a : b; }

static uint16_t level_of(const Scan *scan, uint32_t reg) { return scan->block[reg] == scan->number ? scan->level[reg] : 0; }

/* The round trip that an instruction's sources wait for. */
static uint16_t sources_level(const Scan *scan, const Insn *insn) {
    uint16_t level = insn->guarded ? level_of(scan, insn->guard) : 0;
    for (uint32_t i = insn->n_dst; i < (uint32_t)insn->n_dst + insn->n_src; i++)
        if (is_register(&insn->operands[i])) level = later(level, level_of(scan, insn->operands[i].index));
    return level;
}

static bool result_used(const Scan *scan, const Insn *insn) {
    for (uint32_t i = 0; i < insn->n_dst; i++)
        if (insn->operands[i].kind == OPERAND_REGISTER && scan->read[insn->operands[i].index]) return true;
    return false;
}

/* Puts a load into its round trip, which it returns. */
static uint16_t add_load(Scan *scan, const Insn *insn, uint32_t pc, uint16_t level) {
    const InsnCounters *counts = &scan->counters->insns[pc];
    if (counts->space == SPACE_SHARED) return later(level, scan->after_shared);
    if (insn->policy != POLICY_NC) level = later(level, scan->after_global);
    if (level >= ROUND_TRIPS_MAX) level = ROUND_TRIPS_MAX - 1;
    scan->n_trips = later(scan->n_trips, (uint16_t)(level + 1));
    RoundTrip *trip = &scan->trips[level];
    double requests = (double)counts->sectors.requests, sectors = (double)counts->sectors.sectors;
    double beyond = sectors > 0 ? requests * (1 - (double)counts->sectors.l1_hit_sectors / sectors) : 0;
    if (requests > trip->requests) trip->requests = requests;
    if (beyond > trip->beyond) trip->beyond = beyond;
    return (uint16_t)(level + 1);
}

static void add_store(Scan *scan, uint32_t pc, uint16_t level) {
    uint8_t space = scan->counters->insns[pc].space;
    if (space == SPACE_SHARED)
        scan->after_shared = later(scan->after_shared, level);
    else
        scan->after_global = later(scan->after_global, level);
}

static void add_insn(Scan *scan, uint32_t pc) {
    const Insn *insn = &scan->program->insns[pc];
    const InsnCounters *counts = &scan->counters->insns[pc];
    bool counted = counts->sectors.requests || counts->banks.requests || counts->banks.joined;
    uint16_t level = sources_level(scan, insn);
    switch ((OpClass)opcode_classes[insn->op]) {
    case CLASS_MEMORY:
        if (!counted) break; /* parameters, constants, or never run */
        if (insn->op == OP_st || insn->op == OP_red)
            add_store(scan, pc, level);
        else if (insn->op == OP_cp_async || result_used(scan, insn))
            level = add_load(scan, insn, pc, level);
        break;
    case CLASS_SYNC:
        if (insn->op == OP_bar || insn->op == OP_barrier) end_round_trips(scan);
        break;
    case CLASS_ALU:
    case CLASS_MOVE:
    case CLASS_WARP:
    case CLASS_CONTROL:
    case CLASS_NOTHING: break;
    }
    for (uint32_t i = 0; i < insn->n_dst; i++) {
        if (insn->operands[i].kind != OPERAND_REGISTER) continue;
        scan->level[insn->operands[i].index] = level;
        scan->block[insn->operands[i].index] = scan->number;
    }
}

/* Marks the registers that are read. */
static void find_read(Scan *scan, const Function *function) {
    for (uint32_t pc = function->first; pc < function->first + function->count; pc++) {
        const Insn *insn = &scan->program->insns[pc];
        if (insn->op == OP_call)
            for (uint32_t a = 0; a < insn->call->n_arguments; a++)
                if (insn->call->arguments[a].kind == OPERAND_REGISTER) scan->read[insn->call->arguments[a].index] = true;
        for (uint32_t i = insn->n_dst; i < (uint32_t)insn->n_dst + insn->n_src; i++)
            if (is_register(&insn->operands[i])) scan->read[insn->operands[i].index] = true;
        if (insn->guarded) scan->read[insn->guard] = true;
    }
}

/* The warp issues one instruction after the other; where they wait for each other, it takes longer. */
static void add_chain(Scan *scan, uint32_t first, uint32_t end) {
    const InsnCounters *counts = scan->counters->insns;
    double cycles = arithmetic_block_cycles(scan->program->insns, first, end, scan->read, &scan->ready, ++scan->chains);
    double issued = 0;
    for (uint32_t pc = first; pc < end; pc++) {
        if (arithmetic_is_dead(&scan->program->insns[pc], scan->read)) continue;
        issued += (double)counts[pc].executed;
        scan->sum.slow += (double)counts[pc].executed * arithmetic_cost(&scan->program->insns[pc]).slow;
    }
    scan->sum.chains += fmax(0, cycles * (double)counts[first].executed - issued * ARITHMETIC_INSN_CYCLES);
}

static void scan_function(Scan *scan, const Function *function) {
    uint32_t first = function->first;
    bool *begins = alloc_zeroed(function->count, sizeof *begins);
    scan->level = alloc_zeroed(function->n_registers, sizeof *scan->level);
    scan->block = alloc_zeroed(function->n_registers, sizeof *scan->block);
    scan->read = alloc_zeroed(function->n_registers, sizeof *scan->read);
    scan->ready = (Ready){.at = alloc_zeroed(function->n_registers, sizeof *scan->ready.at),
                          .block = alloc_zeroed(function->n_registers, sizeof *scan->ready.block)};
    scan->number = 1;
    trips_blocks(scan->program, function, begins);
    find_read(scan, function);
    for (uint32_t i = 0; i < function->count; i++) {
        if (begins[i]) {
            end_round_trips(scan);
            if (i) add_chain(scan, first, function->first + i);
            first = function->first + i;
        }
        add_insn(scan, function->first + i);
    }
    end_round_trips(scan);
    if (function->count) add_chain(scan, first, function->first + function->count);
    free(scan->ready.at);
    free(scan->ready.block);
    free(begins);
    free(scan->level);
    free(scan->block);
    free(scan->read);
}

Waits waits_find(const Program *program, const Counters *counters) {
    Scan *scan = alloc_zeroed(1, sizeof *scan);
    scan->program = program;
    scan->counters = counters;
    for (uint32_t f = 0; f < program->n_functions; f++)
        if (program->functions[f].is_defined) scan_function(scan, &program->functions[f]);
    Waits sum = scan->sum;
    free(scan);
    return sum;
}
