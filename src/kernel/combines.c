#include "kernel/combines.h"

#include "kernel/traits.h"
#include "kernel/uniform.h"
#include "ptx/opcode.h"

static bool is_atomic(const Insn *insn) { return insn->op == OP_atom || insn->op == OP_red; }

static bool gives_nothing(const Insn *insn, uint8_t traits) {
    return insn->n_dst == 0 || insn->operands->kind == OPERAND_SINK || traits & TRAIT_UNREAD;
}

/* Shared memory, or a generic address that may lead there. */
static bool may_loop(const Insn *insn) {
    const bool swaps = insn->variant == ATOM_EXCH || insn->variant == ATOM_CAS;
    const bool wide = type_kinds[insn->type] == KIND_FLOAT || type_bytes[insn->type] != 4;
    return (insn->space == SPACE_SHARED || insn->space == SPACE_GENERIC) && wide && !swaps;
}

static Combine combine_wide(const Insn *insn, bool same) {
    const bool adds = insn->variant == ATOM_ADD && type_kinds[insn->type] != KIND_FLOAT && type_bytes[insn->type] == 8;
    if (may_loop(insn)) return adds && same ? COMBINE_EQUAL_LOOP : COMBINE_LOOP;
    return adds && same ? COMBINE_EQUAL : COMBINE_NONE;
}

static Combine combine_word(const Insn *insn, bool same_address, bool same_value, bool counts, bool unread) {
    switch ((AtomOp)insn->variant) {
    case ATOM_ADD:
        if (counts && unread) return same_address ? COMBINE_COUNT_EQUAL : COMBINE_COUNT;
        if (!same_address) return COMBINE_NONE;
        return same_value ? COMBINE_EQUAL : unread ? COMBINE_REDUCE : COMBINE_SCAN;
    case ATOM_MIN:
    case ATOM_MAX:
    case ATOM_AND:
    case ATOM_OR:
    case ATOM_XOR: return same_address && unread ? COMBINE_REDUCE : COMBINE_NONE;
    case ATOM_EXCH:
    case ATOM_CAS:
    case ATOM_INC:
    case ATOM_DEC: break;
    }
    return COMBINE_NONE;
}

static Combine combine_of(const Insn *insn, const Uniform *uniform, uint8_t traits) {
    const Operand *address = &insn->operands[insn->n_dst], *value = address + 1, *number = uniform_number(uniform, value);
    const bool same_address = !uniform_differs(uniform, address), same_value = !uniform_differs(uniform, value);
    if (type_kinds[insn->type] == KIND_FLOAT || type_bytes[insn->type] != 4)
        return combine_wide(insn, same_address && same_value);
    const bool counts = number && (uint32_t)number->bits == 1 && insn->type == TYPE_u32 && insn->space == SPACE_SHARED;
    return combine_word(insn, same_address, same_value, counts, gives_nothing(insn, traits));
}

bool combines_find(const Program *program, const Function *function, const Flow *flow, const uint8_t *traits,
                   uint8_t *combines) {
    const Insn *insns = &program->insns[function->first];
    bool found = false;
    for (uint32_t i = 0; i < function->count; i++) found |= is_atomic(&insns[i]);
    if (program->debug || !found) return false;
    Arena *arena = arena_new();
    const Uniform uniform = uniform_find(program, function, flow, arena);
    found = false;
    for (uint32_t i = 0; i < function->count; i++) {
        if (is_atomic(&insns[i])) combines[i] = (uint8_t)combine_of(&insns[i], &uniform, traits[i]);
        found |= combines[i] != COMBINE_NONE;
    }
    arena_free(arena);
    return found;
}
