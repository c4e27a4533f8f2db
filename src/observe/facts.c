#include "observe/facts.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "machine/reach.h"
#include "ptx/opcode.h"

static uint32_t access_width(const Insn *insn) { return type_bytes[insn->type] * (insn->vec > 1 ? insn->vec : 1u); }

static void narrow(uint32_t *granule, uint32_t width) {
    if (width && width < *granule) *granule = width;
}

static void find_width(Facts *facts, const Insn *insn) {
    bool generic = insn->space == SPACE_GENERIC;
    if (generic || insn->space == SPACE_GLOBAL) narrow(&facts->global_granule, access_width(insn));
    if (generic || insn->space == SPACE_SHARED) narrow(&facts->shared_granule, access_width(insn));
}

static uint8_t atomic_traits(const Insn *insn) {
    switch (insn->variant) {
    case ATOM_CAS:
    case ATOM_MIN:
    case ATOM_MAX: return TRAIT_CORRECTS;
    case ATOM_EXCH: return TRAIT_EXCHANGE;
    default: return 0;
    }
}

static void find_insn(Facts *facts, const Program *program, uint32_t pc) {
    const Insn *insn = &program->insns[pc];
    switch (insn->op) {
    case OP_ld:
    case OP_ldu:
    case OP_st: find_width(facts, insn); break;
    case OP_atom:
    case OP_red:
        find_width(facts, insn);
        facts->traits[pc] |= atomic_traits(insn);
        break;
    case OP_cp_async: facts->traits[pc] |= TRAIT_COPY; break;
    case OP_membar:
    case OP_fence: facts->fenced = true; break;
    case OP_bar:
    case OP_barrier:
        if (insn->variant != BAR_WARP_SYNC && insn->n_src >= (insn->n_dst ? 3 : 2)) facts->counted_barriers = true;
        break;
    default: break;
    }
    if (insn->order >= ORDER_ACQUIRE) facts->fenced = true;
    if (insn->op == OP_mov || insn->op == OP_cvta) {
        /* A parameter of a device function that is in memory: the call writes it, unseen by observers. */
        for (int i = 0; i < insn->n_dst + insn->n_src; i++) {
            const Operand *operand = &insn->operands[i];
            if (operand->kind != OPERAND_VARIABLE) continue;
            const Variable *variable = &program->variables[operand->index];
            if (variable->space == SPACE_PARAM &&
                (variable->function == NO_INDEX || !program->functions[variable->function].is_entry))
                facts->local = false;
        }
    }
}

static bool is_register(const Operand *operand) {
    return operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS;
}

static void mark_uses(const Insn *insn, uint8_t *used) {
    /* st: the address comes first, then the values; storing them is no use. */
    int uses = insn->op == OP_st && insn->space != SPACE_PARAM && insn->n_src ? 1 : insn->n_src;
    for (int i = 0; i < uses; i++) {
        const Operand *operand = &insn->operands[insn->n_dst + i];
        if (is_register(operand)) used[operand->index] = 1;
    }
    if (insn->guarded) used[insn->guard] = 1;
    if (!insn->call) return;
    for (uint32_t i = 0; i < insn->call->n_arguments; i++)
        if (is_register(&insn->call->arguments[i])) used[insn->call->arguments[i].index] = 1;
    if (insn->call->function == NO_INDEX) used[insn->call->pointer] = 1;
}

static void find_copies(Facts *facts, const Program *program, const Function *function) {
    if (!function->n_registers) return;
    uint8_t *used = alloc_zeroed(function->n_registers, 1);
    uint32_t end = function->first + function->count;
    for (uint32_t pc = function->first; pc < end; pc++) mark_uses(&program->insns[pc], used);
    for (uint32_t pc = function->first; pc < end; pc++) {
        const Insn *insn = &program->insns[pc];
        if (insn->op != OP_ld && insn->op != OP_ldu) continue;
        bool copy = true;
        for (int i = 0; i < insn->n_dst; i++)
            if (insn->operands[i].kind == OPERAND_REGISTER && used[insn->operands[i].index]) copy = false;
        if (copy) facts->traits[pc] |= TRAIT_COPY;
    }
    free(used);
}

void facts_find(Facts *facts, const Program *program, const Function *kernel) {
    *facts = (Facts){.n_insns = program->n_insns, .global_granule = 4, .shared_granule = 4, .local = true};
    facts->traits = alloc_zeroed(program->n_insns + 1, 1);
    Arena *arena = arena_new();
    Reach reach;
    reach_functions(program, kernel, arena, &reach);
    for (uint32_t f = 0; f < reach.n_functions; f++) {
        const Function *function = &program->functions[reach.functions[f]];
        for (uint32_t i = 0; i < function->count; i++) find_insn(facts, program, function->first + i);
        find_copies(facts, program, function);
    }
    arena_free(arena);
}

void facts_free(Facts *facts) { free(facts->traits); }

Strength strength_of(const Access *access) {
    if (access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION) return STRENGTH_ATOMIC;
    switch ((Order)access->order) {
    case ORDER_WEAK: return STRENGTH_PLAIN;
    case ORDER_VOLATILE: return STRENGTH_VOLATILE;
    case ORDER_RELAXED:
    case ORDER_ACQUIRE:
    case ORDER_RELEASE:
    case ORDER_ACQ_REL:
    case ORDER_SC: break;
    }
    return STRENGTH_ATOMIC;
}

void touch_fill(Touch *touch, const uint64_t *addr, uint32_t active, uint64_t base, uint32_t bytes) {
    uint32_t first = (uint32_t)__builtin_ctz(active);
    uint64_t start = addr[first] - base;
    if (active == LANES_ALL) {
        for (uint32_t l = 0; l < WARP_LANES; l++) touch->lane[l] = l;
        for (uint32_t l = 0; l < WARP_LANES; l++) touch->offset[l] = addr[l] - base;
    } else {
        for (uint32_t l = 0; l < WARP_LANES; l++) touch->lane[l] = active >> l & 1 ? l : first;
        for (uint32_t l = 0; l < WARP_LANES; l++) touch->offset[l] = active >> l & 1 ? addr[l] - base : start;
    }
    uint64_t gap = 0, upper_gap = 0;
    uint32_t runs = 1;
    for (uint32_t l = 0; l < WARP_LANES / 2; l++) gap |= touch->offset[l] - start - (uint64_t)l * bytes;
    for (uint32_t l = 0; l < WARP_LANES / 2; l++)
        upper_gap |= touch->offset[l + WARP_LANES / 2] - touch->offset[WARP_LANES / 2] - (uint64_t)l * bytes;
    touch->halves = active == LANES_ALL && !gap && !upper_gap;
    touch->contiguous = touch->rising = touch->halves && touch->offset[WARP_LANES / 2] - start == WARP_LANES / 2 * bytes;
    touch->lowest = start;
    touch->highest = start + (uint64_t)(WARP_LANES - 1) * bytes;
    touch->runs = LANES_ALL;
    if (touch->contiguous) return;
    uint64_t low = start, high = start, falls = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) low = touch->offset[l] < low ? touch->offset[l] : low;
    for (uint32_t l = 0; l < WARP_LANES; l++) high = touch->offset[l] > high ? touch->offset[l] : high;
    for (uint32_t l = 1; l < WARP_LANES; l++) falls |= touch->offset[l] <= touch->offset[l - 1];
    for (uint32_t l = 1; l < WARP_LANES; l++) runs |= (uint32_t)(touch->offset[l] != touch->offset[l - 1]) << l;
    touch->rising = !falls;
    touch->runs = runs;
    touch->lowest = low;
    touch->highest = high;
}
