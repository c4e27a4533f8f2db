#include "machine/code.h"

#include <stdlib.h>
#include <string.h>

#include "machine/lower.h"
#include "machine/slots.h"
#include "ptx/walk.h"

/* Of a function's steps, which are the last. */
static void lower_targets(Lower *lower, const CodeFunction *lowered) {
    Code *code = lower->code;
    const Flow *flow = &code->kernel->flows[lowered->function];
    for (uint32_t i = lowered->first; i < code->n_steps; i++) {
        Step *step = &code->steps[i];
        const BranchTable *to = step->insn->table;
        if (step->exec != EXEC_BRANCH && step->exec != EXEC_BRANCH_TABLE) continue;
        const uint32_t meet = flow->blocks[flow->block_of[step->pc - lower->function->first]].reconverge;
        step->reconverge = meet == NO_INSN ? NO_INSN : lower->step_of[meet];
        if (step->exec == EXEC_BRANCH) {
            if (lower->function == code->kernel->function && code->kernel->leaving)
                step->leaving = code->kernel->leaving[step->pc - lower->function->first];
            step->target = lower->step_of[step->insn->target];
        } else {
            uint32_t *table = ARENA_ARRAY(code->arena, uint32_t, to->count);
            for (uint32_t k = 0; k < to->count; k++) table[k] = lower->step_of[to->targets[k]];
            step->table = table;
            step->imm = to->count;
        }
    }
}

static bool lower_function(Lower *lower, uint32_t index) {
    Code *code = lower->code;
    const Program *program = code->program;
    const Function *function = &program->functions[index];
    const Flow *flow = &code->kernel->flows[index];
    lower->function = function;
    CodeFunction *result = &code->functions[code->n_functions];
    code->function_of[index] = code->n_functions++;
    result->function = index;
    result->first = code->n_steps;
    lower->slots = slots_assign(code->kernel, index, code->arena, result, &code->reads_undefined);
    lower_known_values(lower);
    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        const Insn *insn = &program->insns[i];
        const BranchTable to = insn_targets(insn);
        for (uint32_t t = 0; t < to.count; t++) lower->entered[to.targets[t]] = true;
        if (insn->target <= i) memset(lower->repeats + insn->target, true, i + 1 - insn->target); /* a bra; else NO_INSN */
    }
    for (uint32_t b = 0; b < flow->n_blocks; b++)
        if (flow->blocks[b].reconverge != NO_INSN) lower->entered[flow->blocks[b].reconverge] = true;
    result->frame_local_bytes = (uint32_t)((function->frame_bytes + 15) / 16 * 16);
    if (function->frame_bytes > 512 * 1024) {
        diag_error(lower->diag, program->name, function->line, 0,
                   "'%s' wants %llu bytes of local memory for each thread; a GPU gives at most 524288", function->name,
                   (unsigned long long)function->frame_bytes);
        return diag_hint(lower->diag, "keep large arrays in global or shared memory");
    }
    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        lower->step_of[i] = code->n_steps;
        lower->scratch_used = 0;
        lower->pc = i;
        lower->insn = &program->insns[i];
        if (lower->traced) lower_trace(lower);
        if (!lower_insn(lower)) {
            lower->diag->line = lower->insn->line;
            return false;
        }
    }
    lower_targets(lower, result);
    return true;
}

static void lower_stack_sizes(Code *code) {
    const Reach *reach = &code->kernel->reach;
    uint32_t slots = 64, local = 16;
    for (uint32_t f = 0; f < code->n_functions; f++) {
        if (code->functions[f].frame_slots_bytes > slots) slots = code->functions[f].frame_slots_bytes;
        if (code->functions[f].frame_local_bytes > local) local = code->functions[f].frame_local_bytes;
    }
    uint64_t depth = reach->unbounded_calls ? 64 : reach->call_depth;
    uint64_t local_total = depth * local, slots_total = depth * slots;
    code->stack_local_bytes = (uint32_t)(local_total > 512 * 1024 ? 512 * 1024 : local_total);
    code->stack_slots_bytes = (uint32_t)(slots_total > STACK_SLOTS_MOST ? STACK_SLOTS_MOST : slots_total);
}

Code *code_new(const Kernel *kernel, const Module *module, const uint8_t *params, CodeWanted wanted, Diag *diag) {
    const Program *program = kernel->program;
    const Reach *reach = &kernel->reach;
    Arena *arena = arena_new();
    Code *code = ARENA_NEW(arena, Code);
    code->arena = arena;
    code->kernel = kernel;
    code->program = program;
    code->module = module;
    code->params = params;
    code->clustered = wanted.clustered;
    code->functions = ARENA_ARRAY(arena, CodeFunction, reach->n_functions);
    code->function_of = ARENA_ARRAY(arena, uint32_t, program->n_functions);
    memset(code->function_of, 0xff, program->n_functions * sizeof *code->function_of);
    for (int s = 0; s < SPECIAL_COUNT; s++) code->specials[s] = NO_SLOT;
    code->scratch = SLOT(AREA_WARP, 0);
    code->warp_area_bytes = LOWER_SCRATCH_SLOTS * 8 * WARP_LANES;

    Lower lower = {.code = code, .diag = diag, .traced = wanted.traced};
    lower.step_of = ARENA_ARRAY(arena, uint32_t, program->n_insns + 1);
    lower.known = ARENA_ARRAY(arena, bool, program->n_insns + 1);
    lower.entered = ARENA_ARRAY(arena, bool, program->n_insns + 1);
    lower.repeats = ARENA_ARRAY(arena, bool, program->n_insns);
    bool fine = true;
    for (uint32_t f = 0; f < reach->n_functions && fine; f++) fine = lower_function(&lower, reach->functions[f]);
    if (!fine) {
        if (diag->set && !diag->file[0]) strncpy(diag->file, program->name, sizeof diag->file - 1);
        code_free(code);
        return NULL;
    }
    for (int s = SPECIAL_clusterid_x; s <= SPECIAL_is_explicit_cluster; s++)
        code->reads_cluster |= code->specials[s] != NO_SLOT;
    for (uint32_t v = 0; v < program->n_variables; v++) code->has_local |= program->variables[v].space == SPACE_LOCAL;
    lower_stack_sizes(code);
    return code;
}

void code_stack(Code *code, uint64_t bytes) {
    const uint64_t most = 512 * 1024;
    if (bytes > most) bytes = most;
    if (code->kernel->reach.unbounded_calls && bytes > code->stack_local_bytes)
        code->stack_local_bytes = (uint32_t)(bytes & ~15u);
}

void code_free(Code *code) {
    if (!code) return;
    free(code->constants);
    arena_free(code->arena);
}
