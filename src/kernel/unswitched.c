#include "kernel/unswitched.h"

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

static bool goes_one_way(Unswitched *of, const Turns *loop, uint32_t pc) {
    const Insn *insn = &of->program->insns[pc];
    if (insn->target > loop->last || is_written(loop, insn->guard) || !has_access(loop)) return false;
    if (!of->uniform.differs) of->uniform = uniform_find(of->program, of->function, of->flow, of->arena);
    return !of->uniform.differs[insn->guard];
}

bool unswitched_at(Unswitched *of, uint32_t pc) {
    const Insn *insns = of->program->insns;
    if (insns[pc].op != OP_bra || !insns[pc].guarded || insns[pc].target <= pc) return false;
    for (uint32_t last = pc + 1; last < of->function->first + of->function->count; last++) {
        const Turns loop = {of->program, insns[last].target, last};
        const bool is_loop = insns[last].op == OP_bra && loop.first <= pc && loop.first >= of->function->first;
        if (is_loop && goes_one_way(of, &loop, pc)) return true;
    }
    return false;
}

uint32_t unswitched_branch(const Kernel *kernel) {
    const Function *function = kernel->function;
    const size_t own = (size_t)(function - kernel->program->functions);
    const Regions *regions = &kernel->regions[own];
    Arena *arena = arena_new();
    Unswitched of = {.program = kernel->program, .function = function, .flow = &kernel->flows[own], .arena = arena};
    uint32_t found = NO_INSN;
    for (uint32_t at = 0; at + 1 < function->count; at++) {
        const uint32_t pc = function->first + regions->order[at];
        if (regions->begins[at + 1] && pc < found && unswitched_at(&of, pc)) found = pc;
    }
    arena_free(arena);
    return found;
}
