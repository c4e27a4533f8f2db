#include "kernel/traits.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

static uint8_t own_traits(const Insn *insn) {
    if (insn->op != OP_atom && insn->op != OP_red) return 0;
    if (insn->variant == ATOM_CAS || insn->variant == ATOM_MIN || insn->variant == ATOM_MAX) return TRAIT_CORRECTS;
    if (insn->variant == ATOM_ADD && type_kinds[insn->type] == KIND_FLOAT) return TRAIT_SUMS;
    return insn->variant == ATOM_EXCH ? TRAIT_EXCHANGE : 0;
}

/* Which registers loads have as their address, with one offset or with several. */
enum { IS_READ = 1, IS_BASE = 2, IS_BASE_AGAIN = 4 };

static const Operand *load_address(const Insn *insn) {
    const bool loads = insn->op == OP_ld && insn->operands[insn->n_dst].kind == OPERAND_ADDRESS;
    return loads ? &insn->operands[insn->n_dst] : NULL;
}

static void mark_reads(const Insn *insn, uint8_t *reads, uint64_t *offsets) {
    for (RegisterWalk at = walk_reads(insn); walk_next(&at);) reads[at.index] |= IS_READ;
    const Operand *address = load_address(insn);
    if (!address) return;
    const bool again = reads[address->index] & IS_BASE && offsets[address->index] != address->bits;
    reads[address->index] |= IS_BASE | (again ? IS_BASE_AGAIN : 0);
    offsets[address->index] = address->bits;
}

static bool is_piece(const Insn *insn, const uint8_t *reads) {
    const Operand *address = load_address(insn);
    return address && (insn->vec > 1 || reads[address->index] & IS_BASE_AGAIN);
}

static bool gives(const Insn *insn, const uint8_t *reads, uint8_t what) {
    for (RegisterWalk at = walk_writes(insn); walk_next(&at);)
        if (reads[at.index] & what) return true;
    return false;
}

/* Of arithmetic with a destination that is thrown away, ptxas keeps the other. */
static bool is_unread(const Insn *insn, const uint8_t *reads) {
    for (unsigned i = 0; i < insn->n_dst && opcode_classes[insn->op] != CLASS_MEMORY; i++)
        if (insn->operands[i].kind != OPERAND_REGISTER) return false;
    return insn->n_dst && !gives(insn, reads, IS_READ);
}

void traits_find(const Program *program, const Function *function, uint8_t *traits) {
    FREED uint8_t *reads = alloc_zeroed(function->n_registers + 1, sizeof *reads);
    FREED uint64_t *offsets = alloc_zeroed(function->n_registers + 1, sizeof *offsets);
    const uint32_t end = function->first + function->count;
    for (uint32_t pc = function->first; pc < end; pc++) mark_reads(&program->insns[pc], reads, offsets);
    for (uint32_t pc = function->first; pc < end; pc++) {
        const Insn *insn = &program->insns[pc];
        traits[pc] |=
            own_traits(insn) | (is_piece(insn, reads) ? TRAIT_PIECE : 0) | (is_unread(insn, reads) ? TRAIT_UNREAD : 0);
    }
}
