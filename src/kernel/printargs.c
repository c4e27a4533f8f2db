#include "kernel/printargs.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kernel/traits.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

/* A function, and by register the only instruction that writes it: NO_INSN where none or several do. */
typedef struct PrintingFunction {
    const Program *program;
    const Function *function;
    uint32_t *definition;
} PrintingFunction;

static void find_definitions(PrintingFunction *body) {
    const Function *function = body->function;
    FREED bool *seen = alloc_zeroed(function->n_registers + 1, sizeof *seen);
    body->definition = alloc_zeroed(function->n_registers + 1, sizeof *body->definition);
    for (uint32_t r = 0; r < function->n_registers; r++) body->definition[r] = NO_INSN;
    for (uint32_t i = function->first; i < function->first + function->count; i++)
        for (RegisterWalk at = walk_writes(&body->program->insns[i]); walk_next(&at); seen[at.index] = true)
            body->definition[at.index] = seen[at.index] ? NO_INSN : i;
}

/* A place in the frame: a .local variable and bytes into it. variable is NO_INDEX where the register holds something else. */
typedef struct FramePlace {
    uint32_t variable;
    uint64_t offset;
} FramePlace;

static const FramePlace nowhere = {NO_INDEX, 0};

/* What mov, cvta and add of a constant make of a variable's address. */
static FramePlace place_of(const PrintingFunction *body, uint32_t reg) {
    const Program *program = body->program;
    FramePlace place = {NO_INDEX, 0};
    for (int steps = 0; steps < 4; steps++) {
        uint32_t at = reg < body->function->n_registers ? body->definition[reg] : NO_INSN;
        const Insn *insn = at == NO_INSN ? NULL : &program->insns[at];
        if (!insn || (insn->op != OP_mov && insn->op != OP_cvta && insn->op != OP_add)) return nowhere;
        const Operand *from = &insn->operands[insn->n_dst];
        if (insn->op == OP_add && (insn->n_src != 2 || from[1].kind != OPERAND_IMMEDIATE)) return nowhere;
        if (insn->op == OP_add) place.offset += from[1].bits;
        if (from->kind == OPERAND_VARIABLE && program->variables[from->index].space == SPACE_LOCAL) {
            place.variable = from->index;
            place.offset += from->bits;
            return place;
        }
        if (from->kind != OPERAND_REGISTER) return nowhere;
        reg = from->index;
    }
    return nowhere;
}

static bool prints(const Program *program, const Insn *insn) {
    if (insn->op != OP_call || insn->call->function == NO_INDEX || insn->call->n_arguments != 2) return false;
    const Function *callee = &program->functions[insn->call->function];
    return !callee->is_defined && strcmp(callee->name, "vprintf") == 0;
}

/* The register with the arguments' address: the call's, or what the last instruction in front of it stored in its parameter. */
static uint32_t arguments_register(const PrintingFunction *body, uint32_t call) {
    const Operand *pointer = &body->program->insns[call].call->arguments[1];
    if (pointer->kind == OPERAND_REGISTER) return pointer->index;
    for (uint32_t i = call; pointer->kind == OPERAND_VARIABLE && i-- > body->function->first;) {
        const Insn *insn = &body->program->insns[i];
        if (insn->op == OP_call || insn->op == OP_bra) break;
        bool sets = insn->op == OP_st && insn->operands[0].kind == OPERAND_ADDRESS_VARIABLE &&
                    insn->operands[0].index == pointer->index;
        if (sets) return insn->operands[1].kind == OPERAND_REGISTER ? insn->operands[1].index : NO_INDEX;
    }
    return NO_INDEX;
}

static void mark_stores(const PrintingFunction *body, FramePlace place, uint8_t *traits) {
    const Function *function = body->function;
    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        const Insn *insn = &body->program->insns[i];
        bool stores = insn->op == OP_st && (insn->space == SPACE_LOCAL || insn->space == SPACE_GENERIC) &&
                      insn->operands[0].kind == OPERAND_ADDRESS;
        if (!stores) continue;
        FramePlace base = place_of(body, insn->operands[0].index);
        if (base.variable == place.variable && base.offset == place.offset) traits[i] |= TRAIT_PRINTS;
    }
}

/* The calls of a function mostly share one place; more than a few are not looked at. */
enum { PLACES_MOST = 8 };

bool printargs_find(const Program *program, const Function *function, uint8_t *traits) {
    PrintingFunction body = {.program = program, .function = function};
    FramePlace places[PLACES_MOST];
    size_t count = 0;
    bool found = false;
    for (uint32_t i = function->first; i < function->first + function->count && count < PLACES_MOST; i++) {
        if (!prints(program, &program->insns[i])) continue;
        if (!found) find_definitions(&body);
        found = true;
        places[count] = place_of(&body, arguments_register(&body, i));
        bool known = places[count].variable == NO_INDEX;
        for (size_t k = 0; k < count; k++)
            known |= places[k].variable == places[count].variable && places[k].offset == places[count].offset;
        if (!known) mark_stores(&body, places[count++], traits);
    }
    free(body.definition);
    return found;
}
