#include "kernel/reach.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kernel/traits.h"
#include "ptx/opcode.h"

enum { CALL_DEPTH = 64 }; /* a longer chain of calls counts as unbounded */

static void reach_add(Reach *reach, bool *seen, uint32_t index) {
    if (seen[index]) return;
    seen[index] = true;
    reach->functions[reach->n_functions++] = index;
}

/* Breadth first. */
static void reach_functions(const Program *program, const Function *kernel, Arena *arena, Reach *reach) {
    FREED bool *seen = alloc_zeroed(program->n_functions, sizeof *seen);
    *reach = (Reach){.functions = ARENA_ARRAY(arena, uint32_t, program->n_functions)};
    reach_add(reach, seen, (uint32_t)(kernel - program->functions));
    for (uint32_t next = 0; next < reach->n_functions; next++) {
        const Function *function = &program->functions[reach->functions[next]];
        for (uint32_t i = function->first; i < function->first + function->count; i++) {
            if (program->insns[i].op != OP_call) continue;
            uint32_t callee = program->insns[i].call->function;
            if (callee != NO_INDEX) {
                if (program->functions[callee].is_defined) reach_add(reach, seen, callee);
                continue;
            }
            for (uint32_t f = 0; f < program->n_functions && !reach->unbounded_calls; f++)
                if (program->functions[f].is_defined && !program->functions[f].is_entry) reach_add(reach, seen, f);
            reach->unbounded_calls = true;
        }
    }
}

/* Longest chain of calls from each function: relaxed CALL_DEPTH times; what still grows then is recursion, or as deep. */
static void reach_depth(const Program *program, uint32_t kernel, Reach *reach) {
    FREED uint32_t *height = alloc_zeroed(program->n_functions, sizeof *height);
    bool changed = true;
    for (unsigned iteration = 0; changed && iteration <= CALL_DEPTH; iteration++) {
        changed = false;
        for (uint32_t next = reach->n_functions; next-- > 0;) {
            uint32_t index = reach->functions[next], below = 0;
            const Function *function = &program->functions[index];
            for (uint32_t i = function->first; i < function->first + function->count; i++) {
                if (program->insns[i].op != OP_call || program->insns[i].call->function == NO_INDEX) continue;
                uint32_t callee = height[program->insns[i].call->function];
                if (callee > below) below = callee;
            }
            if (height[index] != below + 1) changed = true;
            height[index] = below + 1;
        }
    }
    if (changed) reach->unbounded_calls = true;
    reach->call_depth = height[kernel];
}

static bool is_commutative(const Insn *insn) {
    if (type_kinds[insn->type] == KIND_FLOAT) return false;
    switch ((AtomOp)insn->variant) {
    case ATOM_ADD:
    case ATOM_MIN:
    case ATOM_MAX:
    case ATOM_AND:
    case ATOM_OR:
    case ATOM_XOR: return true;
    case ATOM_EXCH:
    case ATOM_CAS:
    case ATOM_INC:
    case ATOM_DEC: break;
    }
    return false;
}

/* The address that malloc returns to a block depends on what others have allocated, and the order of launches on that of the blocks. */
static bool is_ordered_call(const Program *program, const Insn *insn) {
    if (insn->call->function == NO_INDEX) return false;
    const Function *callee = &program->functions[insn->call->function];
    return !callee->is_defined && (strcmp(callee->name, "malloc") == 0 || strcmp(callee->name, "free") == 0 ||
                                   strncmp(callee->name, "__cudaCDP2", strlen("__cudaCDP2")) == 0);
}

/* An instruction by which a block can learn what another one did, or whose outcome depends on the order of blocks. */
static bool communicates(const Program *program, const Insn *insn, uint8_t traits) {
    bool global = insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC;
    switch ((OpClass)opcode_classes[insn->op]) {
    case CLASS_MEMORY:
        if (insn->op != OP_atom && insn->op != OP_red) return global && insn->order != ORDER_WEAK;
        return global && (!is_commutative(insn) || (insn->op == OP_atom && !(traits & TRAIT_UNREAD)));
    case CLASS_SYNC: return insn->op == OP_membar || insn->op == OP_fence;
    case CLASS_CONTROL: return insn->op == OP_call && is_ordered_call(program, insn);
    case CLASS_ALU:
    case CLASS_MOVE:
    case CLASS_WARP:
    case CLASS_NOTHING: break;
    }
    return false;
}

/* By variable: marks what the instruction names. */
static void mark_variables(const Insn *insn, bool *used) {
    for (unsigned k = 0; k < (unsigned)insn->n_dst + insn->n_src; k++)
        if (insn->operands[k].kind == OPERAND_VARIABLE || insn->operands[k].kind == OPERAND_ADDRESS_VARIABLE)
            used[insn->operands[k].index] = true;
}

/* As ptxas does: in the order of their declarations, those that are not used left out; dynamic arrays begin behind the last. */
static void reach_variables(const Program *program, const bool *used, Reach *reach) {
    memset(reach->shared_offset, 0xff, program->n_variables * sizeof *reach->shared_offset);
    uint64_t end = 0, dynamic_align = 0; /* 0: there is no dynamic array, and what follows the last static one is outside */
    for (int dynamic = 0; dynamic < 2; dynamic++) {
        if (dynamic && dynamic_align) end = (end + dynamic_align - 1) / dynamic_align * dynamic_align;
        for (uint32_t v = 0; v < program->n_variables; v++) {
            const Variable *variable = &program->variables[v];
            if (!used[v] || variable->space != SPACE_SHARED) continue;
            bool is_dynamic = variable->external && variable->bytes == 0;
            if (is_dynamic && dynamic_align < 16) dynamic_align = 16;
            if (is_dynamic && variable->align > dynamic_align) dynamic_align = variable->align;
            if (is_dynamic != (dynamic == 1)) continue;
            uint64_t align = variable->align ? variable->align : 1;
            reach->shared_offset[v] = is_dynamic ? end : (end + align - 1) / align * align;
            if (!is_dynamic) end = reach->shared_offset[v] + variable->bytes;
        }
    }
    reach->shared_static = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
}

void reach_find(const Program *program, const Function *kernel, const uint8_t *traits, Arena *arena, Reach *reach) {
    reach_functions(program, kernel, arena, reach);
    FREED bool *used = alloc_zeroed(program->n_variables + 1, sizeof *used);
    for (uint32_t f = 0; f < reach->n_functions; f++) {
        const Function *function = &program->functions[reach->functions[f]];
        for (uint32_t i = function->first; i < function->first + function->count; i++) {
            mark_variables(&program->insns[i], used);
            reach->ordered |= communicates(program, &program->insns[i], traits[i]);
        }
    }
    reach->shared_offset = ARENA_ARRAY(arena, uint64_t, program->n_variables + 1);
    reach_variables(program, used, reach);
    reach_depth(program, (uint32_t)(kernel - program->functions), reach);
}
