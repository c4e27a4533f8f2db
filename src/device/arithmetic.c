#include "device/arithmetic.h"

#include "ptx/opcode.h"

#include <math.h>

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

static Cost memory(const Insn *insn) {
    switch ((Space)insn->space) {
    case SPACE_SHARED: return insn->op == OP_ld ? (Cost){21, 0} : (Cost){50, 0};
    default: return (Cost){0};
    }
}

Cost arithmetic_cost(const Insn *insn) {
    bool wide = is_wide(insn), wide_float = wide && is_float(insn), wide_integer = wide && !is_float(insn);
    switch ((Opcode)insn->op) {
    case OP_div:
    case OP_rem: return division(insn);
    case OP_rcp:
    case OP_sqrt:
    case OP_rsqrt:
    case OP_lg2: return special(insn, true);
    case OP_ex2:
    case OP_tanh: return special(insn, false);
    case OP_sin:
    case OP_cos: return (Cost){23, 8};
    case OP_cvt: return conversion(insn);
    case OP_popc:
    case OP_brev:
    case OP_bfind: return (Cost){17, 8};
    case OP_clz: return (Cost){23, 8};
    case OP_add:
    case OP_sub:
    case OP_fma:
        if (wide_float) return (Cost){8.2, 2};
        return (Cost){wide_integer ? 4.8 : ordinary, 0};
    case OP_mul:
    case OP_mad:
        if (wide_float) return (Cost){8.2, 2};
        if (wide_integer && insn->mode != MODE_WIDE) return insn->mode == MODE_HI ? (Cost){19, 12} : (Cost){12.5, 8};
        return insn->mode == MODE_HI ? (Cost){9.3, 4} : (Cost){ordinary, 0};
    case OP_min:
    case OP_max: return wide ? (Cost){24.7, 9.6} : (Cost){ordinary, 0};
    case OP_setp: return wide_float ? (Cost){10, 2} : (Cost){ordinary, 0};
    case OP_shr: return wide ? (Cost){6.5, 4} : (Cost){ordinary, 0};
    case OP_shfl: return (Cost){24, 2};
    case OP_vote: return (Cost){13, 2};
    case OP_match: return (Cost){28, 8};
    case OP_redux: return (Cost){44, 8};
    case OP_mov:
    case OP_cvta: return (Cost){0};
    case OP_ld:
    case OP_st:
    case OP_atom:
    case OP_red: return memory(insn);
    default: return (Cost){opcode_classes[insn->op] == CLASS_ALU ? ordinary : 0, 0};
    }
}

static bool is_register(const Operand *operand) {
    return operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS;
}

static double ready_at(const Ready *ready, uint32_t reg, uint32_t number) {
    return ready->block[reg] == number ? ready->at[reg] : 0;
}

bool arithmetic_is_dead(const Insn *insn, const bool *read) {
    for (uint32_t i = 0; i < insn->n_dst; i++)
        if (insn->operands[i].kind != OPERAND_REGISTER || read[insn->operands[i].index]) return false;
    return insn->n_dst && opcode_classes[insn->op] != CLASS_MEMORY;
}

/* ptxas expands it into code with branches, before which all results are waited for. */
static bool is_expanded(const Insn *insn) {
    switch ((Opcode)insn->op) {
    case OP_div:
    case OP_rem: return !is_approximate(insn);
    case OP_rcp:
    case OP_sqrt: return !(insn->flags & INSN_APPROX);
    default: return false;
    }
}

typedef struct Chain {
    const bool *read;
    Ready *ready;
    uint32_t number;
    double begins;      /* no instruction starts before */
    double last;        /* start of the one that started last */
    double all_ready;   /* when all results can be used */
    double shared_from; /* when the last store to shared memory started: loads do not overtake it */
} Chain;

static double start_of(const Chain *chain, const Insn *insn) {
    double start = is_expanded(insn) ? chain->all_ready : chain->begins;
    if (insn->op == OP_ld && insn->space == SPACE_SHARED) start = fmax(start, chain->shared_from);
    if (insn->guarded)
        start = fmax(start, ready_at(chain->ready, insn->guard, chain->number) + (insn->op == OP_bra ? branch_cycles : 0));
    for (uint32_t i = insn->n_dst; i < (uint32_t)insn->n_dst + insn->n_src; i++)
        if (is_register(&insn->operands[i]))
            start = fmax(start, ready_at(chain->ready, insn->operands[i].index, chain->number));
    return start;
}

static void follow(Chain *chain, const Insn *insn) {
    double start = start_of(chain, insn), ready = start + arithmetic_cost(insn).latency;
    for (uint32_t i = 0; i < insn->n_dst; i++) {
        if (insn->operands[i].kind != OPERAND_REGISTER) continue;
        chain->ready->at[insn->operands[i].index] = ready;
        chain->ready->block[insn->operands[i].index] = chain->number;
    }
    if (insn->op == OP_st && insn->space == SPACE_SHARED) chain->shared_from = start;
    if (is_expanded(insn)) chain->begins = start = ready;
    chain->last = fmax(chain->last, start);
    chain->all_ready = fmax(chain->all_ready, ready);
}

double arithmetic_block_cycles(const Insn *insns, uint32_t first, uint32_t end, const bool *read, Ready *ready,
                               uint32_t number) {
    Chain chain = {.read = read, .ready = ready, .number = number};
    double begins = 0;
    for (int round = 0; round < 2; round++) {
        chain.begins = begins = chain.last;
        for (uint32_t pc = first; pc < end; pc++)
            if (!arithmetic_is_dead(&insns[pc], read)) follow(&chain, &insns[pc]);
    }
    return chain.last - begins;
}
