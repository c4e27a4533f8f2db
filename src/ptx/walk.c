#include "ptx/walk.h"

#include "ptx/opcode.h"

RegisterWalk walk_reads(const Insn *insn) {
    RegisterWalk walk = {.operands = insn->operands, .next = insn->n_dst, .end = (uint32_t)insn->n_dst + insn->n_src};
    if (insn->guarded) walk.alone[walk.n_alone++] = insn->guard;
    if (insn->op != OP_call) return walk;
    if (insn->call->function == NO_INDEX) walk.alone[walk.n_alone++] = insn->call->pointer;
    walk.of_call = insn->call->arguments;
    walk.n_of_call = insn->call->n_arguments;
    return walk;
}

RegisterWalk walk_writes(const Insn *insn) {
    RegisterWalk walk = {.operands = insn->operands, .end = insn->n_dst};
    if (insn->op != OP_call) return walk;
    walk.of_call = insn->call->results;
    walk.n_of_call = insn->call->n_results;
    return walk;
}

bool walk_next(RegisterWalk *walk) {
    if (walk->n_alone) {
        walk->index = walk->alone[--walk->n_alone];
        return true;
    }
    for (;;) {
        while (walk->next < walk->end) {
            const Operand *operand = &walk->operands[walk->next++];
            walk->index = operand->index;
            if (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS) return true;
        }
        if (!walk->n_of_call) return false;
        walk->operands = walk->of_call;
        walk->next = 0;
        walk->end = walk->n_of_call;
        walk->n_of_call = 0;
    }
}

BranchTable insn_targets(const Insn *insn) {
    if (insn->op == OP_brx) return *insn->table;
    return (BranchTable){.count = insn->op == OP_bra, .targets = &insn->target};
}

bool insn_leaves(const Insn *insn) { return insn->op == OP_ret || insn->op == OP_exit || insn->op == OP_trap; }

bool insn_branches(const Insn *insn) { return insn->op == OP_bra || insn->op == OP_brx || insn_leaves(insn); }

bool insn_falls(const Insn *insn) { return !insn_branches(insn) || insn->guarded; }
