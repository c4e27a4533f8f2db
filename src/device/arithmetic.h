/* arithmetic.h: what single instructions cost, and how long a basic block takes a warp that waits for nothing but these.
 *
 * Cycles are those measured on an H200 (tests/hardware/h200-operations.csv): `latency` until the next instruction can use the result, `slow` of a
 * quarter of an SM that an instruction keeps busy, where that is more than the one or two of ordinary arithmetic. */
#pragma once

#include "kernel/traits.h"
#include "ptx/program.h"

/* Fitted: from one instruction of a warp to its next, where nothing else holds it up. */
#define ARITHMETIC_INSN_CYCLES 3.3

typedef struct Cost {
    double latency, slow;
} Cost;

/* Loads from global and local memory cost nothing here: round trips are counted elsewhere (device/waits.h). */
Cost arithmetic_cost(const Insn *insn);

/* ptxas has left it out. */
static inline bool arithmetic_is_dead(const Insn *insn, uint8_t traits) {
    return traits & TRAIT_UNREAD && opcode_classes[insn->op] != CLASS_MEMORY;
}

/* For block_cycles: one for a function, all 0 at first. */
typedef struct Ready {
    uint32_t blocks; /* that were looked at */
    double *at;      /* by register: the cycle in which its value can be used */
    uint32_t *block; /* by register: the block in which `at` was set */
} Ready;

/* Cycles from the beginning of the region of these `count` instructions, in this order, to the beginning of the next, which is taken to be the same again: so it is in a loop.
 * An instruction starts as soon as what it needs is there, in whichever order, since ptxas orders them so; the block ends when the last
 * has started, since a warp does not run past a branch. order: indices into insns and traits. */
double arithmetic_block_cycles(const Insn *insns, const uint8_t *traits, const uint32_t *order, uint32_t count, Ready *ready);
