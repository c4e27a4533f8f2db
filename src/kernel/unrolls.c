#include "kernel/unrolls.h"

#include "ptx/opcode.h"
#include "ptx/walk.h"

enum { INSNS_MAX = 48, LOADS_MAX = 15 };

/* A region that may be a loop. */
typedef struct Stretch {
    const Insn *insns; /* of the function, from its first */
    const uint32_t *order;
    uint32_t count;
} Stretch;

/* The only instruction of the loop that writes a register, or NULL: there are several, or none. */
static const Insn *writer_of(const Stretch *loop, uint32_t reg, uint32_t *writers) {
    const Insn *found = NULL;
    *writers = 0;
    for (uint32_t i = 0; i < loop->count; i++)
        for (RegisterWalk at = walk_writes(&loop->insns[loop->order[i]]); walk_next(&at);)
            if (at.index == reg) found = &loop->insns[loop->order[i]], ++*writers;
    return *writers == 1 ? found : NULL;
}

static bool is_constant(const Stretch *loop, const Operand *operand) {
    uint32_t writers;
    if (operand->kind == OPERAND_REGISTER) writer_of(loop, operand->index, &writers);
    return operand->kind == OPERAND_IMMEDIATE || (operand->kind == OPERAND_REGISTER && writers == 0);
}

/* i = i + 4, or by another register: t = i + 4; …; i = t. */
static bool is_stepped(const Stretch *loop, const Operand *operand) {
    uint32_t writers;
    if (operand->kind != OPERAND_REGISTER) return false;
    const Insn *step = writer_of(loop, operand->index, &writers);
    if (!step || (step->op != OP_add && step->op != OP_sub) || step->guarded || step->operands[1].kind != OPERAND_REGISTER ||
        step->operands[2].kind != OPERAND_IMMEDIATE)
        return false;
    const uint32_t from = step->operands[1].index;
    if (from == operand->index) return true;
    const Insn *back = writer_of(loop, from, &writers);
    return back && back->op == OP_mov && !back->guarded && back->operands[1].kind == OPERAND_REGISTER &&
           back->operands[1].index == operand->index;
}

static bool is_counted(const Stretch *loop, const Insn *branch) {
    uint32_t writers;
    const Insn *test = writer_of(loop, branch->guard, &writers);
    if (!test || test->op != OP_setp || test->boolop || test->guarded) return false;
    const Operand *sides = &test->operands[test->n_dst];
    return (is_stepped(loop, &sides[0]) && is_constant(loop, &sides[1])) ||
           (is_stepped(loop, &sides[1]) && is_constant(loop, &sides[0]));
}

/* Nothing in it becomes a loop or a call, or leaves it but its end. */
static bool is_simple(const Stretch *loop) {
    uint32_t made = 0, loads = 0;
    for (uint32_t i = 0; i < loop->count; i++) {
        const Insn *insn = &loop->insns[loop->order[i]];
        if (insn_expands(insn) || insn->op == OP_call || insn_leaves(insn)) return false;
        made += insn->op != OP_mov && insn->op != OP_cvta;
        loads += insn->op == OP_ld && insn->space != SPACE_SHARED && insn->space != SPACE_PARAM;
    }
    return made <= INSNS_MAX && loads <= LOADS_MAX;
}

static bool is_unrolled(const Stretch *loop, uint32_t first) {
    const Insn *head = &loop->insns[loop->order[0]], *end = &loop->insns[loop->order[loop->count - 1]];
    return end->op == OP_bra && end->guarded && end->target == first + loop->order[0] && !(head->flags & INSN_NOUNROLL) &&
           is_simple(loop) && is_counted(loop, end);
}

void unrolls_find(const Program *program, const Function *function, const Regions *regions, bool *unrolls) {
    for (uint32_t from = 0, to; from < function->count; from = to) {
        for (to = from + 1; to < function->count && !regions->begins[to]; to++) {}
        const Stretch loop = {&program->insns[function->first], &regions->order[from], to - from};
        unrolls[regions->order[from]] = is_unrolled(&loop, function->first);
    }
}
