#include "kernel/unswitched.h"

#include "kernel/uniform.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

/* Instructions of a loop, from its head to the branch back. */
typedef struct Turns {
    const Program *program;
    uint32_t first, last;
} Turns;

static bool is_written(const Turns *loop, uint32_t reg) {
    for (uint32_t pc = loop->first; pc <= loop->last; pc++)
        for (RegisterWalk at = walk_writes(&loop->program->insns[pc]); walk_next(&at);)
            if (at.index == reg) return true;
    return false;
}

static bool has_access(const Turns *loop) {
    for (uint32_t pc = loop->first; pc <= loop->last; pc++)
        if (trips_errand(&loop->program->insns[pc]) & (ERRAND_LOAD | ERRAND_STORE)) return true;
    return false;
}

static uint32_t branch_in(const Turns *loop, const Uniform *uniform) {
    for (uint32_t pc = loop->first; pc < loop->last; pc++) {
        const Insn *insn = &loop->program->insns[pc];
        const bool inside = insn->op == OP_bra && insn->guarded && insn->target > pc && insn->target <= loop->last;
        if (inside && !uniform->differs[insn->guard] && !is_written(loop, insn->guard)) return pc;
    }
    return NO_INSN;
}

uint32_t unswitched_branch(const Kernel *kernel) {
    const Program *program = kernel->program;
    const Function *function = kernel->function;
    Arena *arena = arena_new();
    const Uniform uniform = uniform_find(program, function, &kernel->flows[function - program->functions], arena);
    uint32_t found = NO_INSN;
    for (uint32_t pc = function->first; found == NO_INSN && pc < function->first + function->count; pc++) {
        const Insn *insn = &program->insns[pc];
        if (insn->op != OP_bra || insn->target > pc || insn->target < function->first) continue;
        const Turns loop = {program, insn->target, pc};
        if (has_access(&loop)) found = branch_in(&loop, &uniform);
    }
    arena_free(arena);
    return found;
}
