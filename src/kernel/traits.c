#include "kernel/traits.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

static uint8_t own_traits(const Insn *insn) {
    if (insn->op == OP_cp_async) return TRAIT_COPY;
    if (insn->op != OP_atom && insn->op != OP_red) return 0;
    if (insn->variant == ATOM_CAS || insn->variant == ATOM_MIN || insn->variant == ATOM_MAX) return TRAIT_CORRECTS;
    return insn->variant == ATOM_EXCH ? TRAIT_EXCHANGE : 0;
}

/* A register is read, and more than stored: st has the address first, then the values. */
enum { IS_READ = 1, IS_USED = 2 };

static void mark_reads(const Insn *insn, uint8_t *reads) {
    const bool stores = insn->op == OP_st && insn->space != SPACE_PARAM && insn->n_src;
    for (RegisterWalk at = walk_reads(insn); walk_next(&at);) reads[at.index] |= stores ? IS_READ : IS_READ | IS_USED;
    if (!stores) return;
    if (insn->guarded) reads[insn->guard] |= IS_USED;
    if (insn->operands->kind == OPERAND_ADDRESS) reads[insn->operands->index] |= IS_USED;
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
    uint8_t *reads = alloc_zeroed(function->n_registers + 1, sizeof *reads);
    const uint32_t end = function->first + function->count;
    for (uint32_t pc = function->first; pc < end; pc++) mark_reads(&program->insns[pc], reads);
    for (uint32_t pc = function->first; pc < end; pc++) {
        const Insn *insn = &program->insns[pc];
        const bool copies = (insn->op == OP_ld || insn->op == OP_ldu) && !gives(insn, reads, IS_USED);
        traits[pc] |= own_traits(insn) | (copies ? TRAIT_COPY : 0) | (is_unread(insn, reads) ? TRAIT_UNREAD : 0);
    }
    free(reads);
}
