#include "kernel/skipped.h"

#include "kernel/dominance.h"
#include "kernel/uniform.h"
#include "ptx/opcode.h"

static bool leads_over(const Insn *branch, uint32_t barrier, uint32_t second) {
    return branch->op == OP_bra && branch->target > barrier && branch->target <= second;
}

/* clang has a second branch, which is not guarded, for the other way. */
static bool is_skipped(const Program *program, const Function *function, const Uniform *uniform, uint32_t barrier,
                       uint32_t second) {
    for (uint32_t pc = function->first; pc < barrier; pc++) {
        const Insn *insn = &program->insns[pc];
        if (insn->op != OP_bra || !insn->guarded || !uniform->differs[insn->guard]) continue;
        if (leads_over(insn, barrier, second) || (!insn[1].guarded && leads_over(insn + 1, barrier, second))) return true;
    }
    return false;
}

uint32_t skipped_barrier(const Kernel *kernel, uint32_t first, uint32_t second) {
    const Program *program = kernel->program;
    const Function *function = kernel->function;
    const Flow *flow = &kernel->flows[function - program->functions];
    if (first == NO_INSN || first < function->first || second - function->first >= function->count) return NO_INSN;
    Arena *arena = arena_new();
    const Dominance dominance = dominance_find(program, function, flow, arena);
    const Uniform uniform = uniform_find(program, function, flow, arena);
    uint32_t found = NO_INSN;
    for (uint32_t pc = first + 1; pc < second; pc++)
        if (insn_waits(&program->insns[pc]) &&
            !dominates(&dominance, flow->block_of[pc - function->first], flow->block_of[second - function->first]) &&
            is_skipped(program, function, &uniform, pc, second))
            found = pc;
    arena_free(arena);
    return found;
}
