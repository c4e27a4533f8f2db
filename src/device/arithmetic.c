#include "device/arithmetic.h"

#include "ptx/opcode.h"

#include <math.h>

#include "ptx/walk.h"

static const double ordinary = 4.4;    /* fma_f32, mul_lo_u32, shr_u32, ... */
static const double branch_cycles = 9; /* fitted: from a predicate to the instruction behind the branch that it decides */

static bool is_wide(const Insn *insn) { return type_bytes[insn->type] == 8; }
static bool is_float(const Insn *insn) { return type_kinds[insn->type] == KIND_FLOAT; }
static bool is_approximate(const Insn *insn) { return insn->flags & (INSN_APPROX | INSN_FULL); }

static Cost division(const Insn *insn) {
    if (is_float(insn)) {
        if (is_wide(insn)) return (Cost){112, 23};
        return is_approximate(insn) ? (Cost){41, 8.5} : (Cost){45, 17};
    }
    if (is_wide(insn)) return (Cost){303, 117};
    return insn->op == OP_rem ? (Cost){60, 11} : (Cost){130, 28};
}

/* Without .ftz, an argument too small is scaled before and the result after. */
static Cost special(const Insn *insn, bool scales) {
    if (is_wide(insn)) {
        if (insn->op == OP_sqrt) return (Cost){80, 25};
        return insn->op == OP_rcp ? (Cost){61, 13} : (Cost){55, 16};
    }
    if (!is_approximate(insn)) return insn->op == OP_rcp ? (Cost){64, 10} : (Cost){43, 9};
    return scales && !(insn->flags & INSN_FTZ) ? (Cost){39, 8} : (Cost){17, 8};
}

static Cost conversion(const Insn *insn) {
    bool from_float = type_kinds[insn->type2] == KIND_FLOAT;
    if (!is_float(insn) && !from_float) return (Cost){ordinary, 0};
    if (is_wide(insn) || type_bytes[insn->type2] == 8) return (Cost){18, 8.5};
    return is_float(insn) != from_float ? (Cost){11.6, 4.2} : (Cost){5.2, 0};
}

/* Of 32 bits and fewer, of 64, of doubles; all 0: ordinary arithmetic. */
typedef struct OpCost {
    Cost narrow, wide, doubles;
} OpCost;

#define ALIKE(...)                                    \
    {                                                 \
        {__VA_ARGS__}, {__VA_ARGS__}, { __VA_ARGS__ } \
    }

static const OpCost op_costs[OP_COUNT] = {
    [OP_sin] = ALIKE(23, 8),
    [OP_cos] = ALIKE(23, 8),
    [OP_popc] = ALIKE(17, 8),
    [OP_brev] = ALIKE(17, 8),
    [OP_bfind] = ALIKE(17, 8),
    [OP_clz] = ALIKE(23, 8),
    [OP_add] = {{0, 0}, {4.8, 0}, {8.2, 2}},
    [OP_sub] = {{0, 0}, {4.8, 0}, {8.2, 2}},
    [OP_fma] = {{0, 0}, {4.8, 0}, {8.2, 2}},
    [OP_min] = {{0, 0}, {24.7, 9.6}, {24.7, 9.6}},
    [OP_max] = {{0, 0}, {24.7, 9.6}, {24.7, 9.6}},
    [OP_setp] = {{0, 0}, {0, 0}, {10, 2}},
    [OP_shr] = {{0, 0}, {6.5, 4}, {0, 0}},
    [OP_shfl] = ALIKE(24, 2),
    [OP_vote] = ALIKE(13, 2),
    [OP_match] = ALIKE(28, 8),
    [OP_redux] = ALIKE(44, 8),
};

static Cost listed(const Insn *insn) {
    const OpCost *cost = &op_costs[insn->op];
    return !is_wide(insn) ? cost->narrow : is_float(insn) ? cost->doubles : cost->wide;
}

static Cost product(const Insn *insn) {
    if (is_wide(insn) && is_float(insn)) return (Cost){8.2, 2};
    if (is_wide(insn) && insn->mode != MODE_WIDE) return insn->mode == MODE_HI ? (Cost){19, 12} : (Cost){12.5, 8};
    return insn->mode == MODE_HI ? (Cost){9.3, 4} : (Cost){ordinary, 0};
}

static Cost alu(const Insn *insn) {
    if (insn->op == OP_div || insn->op == OP_rem) return division(insn);
    if (insn->op == OP_rcp || insn->op == OP_sqrt || insn->op == OP_rsqrt || insn->op == OP_lg2) return special(insn, true);
    if (insn->op == OP_ex2 || insn->op == OP_tanh) return special(insn, false);
    if (insn->op == OP_cvt) return conversion(insn);
    if (insn->op == OP_mul || insn->op == OP_mad) return product(insn);
    const Cost cost = listed(insn);
    return cost.latency > 0 ? cost : (Cost){ordinary, 0};
}

Cost arithmetic_cost(const Insn *insn) {
    switch ((OpClass)opcode_classes[insn->op]) {
    case CLASS_ALU: return alu(insn);
    case CLASS_MEMORY: return insn->space != SPACE_SHARED ? (Cost){0} : insn->op == OP_ld ? (Cost){21, 0} : (Cost){50, 0};
    case CLASS_WARP: return listed(insn);
    case CLASS_MOVE:
    case CLASS_SYNC:
    case CLASS_CONTROL:
    case CLASS_NOTHING: break;
    }
    return (Cost){0};
}

static double ready_at(const Ready *ready, uint32_t reg) { return ready->block[reg] == ready->blocks ? ready->at[reg] : 0; }

typedef struct Chain {
    Ready *ready;
    double begins;      /* no instruction starts before */
    double last;        /* start of the one that started last */
    double all_ready;   /* when all results can be used */
    double shared_from; /* when the last store to shared memory started: loads do not overtake it */
} Chain;

static double start_of(const Chain *chain, const Insn *insn) {
    /* Before code with branches all results are waited for. */
    double start = insn_expands(insn) ? chain->all_ready : chain->begins;
    if (insn->op == OP_ld && insn->space == SPACE_SHARED) start = fmax(start, chain->shared_from);
    if (insn->guarded && insn->op == OP_bra) start = fmax(start, ready_at(chain->ready, insn->guard) + branch_cycles);
    for (RegisterWalk at = walk_reads(insn); walk_next(&at);) start = fmax(start, ready_at(chain->ready, at.index));
    return start;
}

static void follow(Chain *chain, const Insn *insn) {
    double start = start_of(chain, insn), ready = start + arithmetic_cost(insn).latency;
    for (RegisterWalk at = walk_writes(insn); walk_next(&at);) {
        chain->ready->at[at.index] = ready;
        chain->ready->block[at.index] = chain->ready->blocks;
    }
    if (insn->op == OP_st && insn->space == SPACE_SHARED) chain->shared_from = start;
    if (insn_expands(insn)) chain->begins = start = ready;
    chain->last = fmax(chain->last, start);
    chain->all_ready = fmax(chain->all_ready, ready);
}

double arithmetic_block_cycles(const Insn *insns, const uint8_t *traits, const uint32_t *order, uint32_t count, Ready *ready) {
    Chain chain = {.ready = ready};
    ready->blocks++;
    double begins = 0;
    for (int round = 0; round < 2; round++) {
        chain.begins = begins = chain.last;
        for (uint32_t i = 0; i < count; i++)
            if (!arithmetic_is_dead(&insns[order[i]], traits[order[i]])) follow(&chain, &insns[order[i]]);
    }
    return chain.last - begins;
}
