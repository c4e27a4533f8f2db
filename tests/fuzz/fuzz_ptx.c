/* Any bytes at all go through program_parse: it returns a program that keeps every promise of program.h, or NULL and a message. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise_broken(const char *what, int line) {
    fprintf(stderr, "fuzz_ptx.c:%d: broken promise: %s\n", line, what);
    abort();
}

#define PROMISE(condition) ((condition) ? (void)0 : promise_broken(#condition, __LINE__))

static void check_operand(const Program *program, const Function *function, const Operand *operand) {
    switch ((OperandKind)operand->kind) {
    case OPERAND_REGISTER:
    case OPERAND_ADDRESS: PROMISE(operand->index < function->n_registers); return;
    case OPERAND_SPECIAL: PROMISE(operand->index < SPECIAL_COUNT); return;
    case OPERAND_VARIABLE:
    case OPERAND_ADDRESS_VARIABLE: PROMISE(operand->index < program->n_variables); return;
    case OPERAND_FUNCTION: PROMISE(operand->index < program->n_functions); return;
    case OPERAND_IMMEDIATE:
    case OPERAND_ADDRESS_IMMEDIATE:
    case OPERAND_SINK: return;
    }
    PROMISE(!"an operand kind of the list");
}

static void check_call(const Program *program, const Function *function, const CallSite *call) {
    PROMISE(call != NULL);
    if (call->function == NO_INDEX)
        PROMISE(call->pointer < function->n_registers);
    else
        PROMISE(call->function < program->n_functions);
    PROMISE(call->n_results <= 1);
    for (uint32_t i = 0; i < call->n_results; i++) check_operand(program, function, &call->results[i]);
    for (uint32_t i = 0; i < call->n_arguments; i++) check_operand(program, function, &call->arguments[i]);
}

static bool inside(const Function *function, uint32_t insn) {
    return insn >= function->first && insn - function->first < function->count;
}

static void check_insn(const Program *program, const Function *function, const Insn *insn) {
    PROMISE(insn->op < OP_COUNT && insn->type < TYPE_COUNT && insn->type2 < TYPE_COUNT);
    PROMISE(insn->space < SPACE_COUNT && insn->mode <= MODE_WIDE && insn->rounding <= ROUND_RPI);
    PROMISE(insn->compare <= CMP_NAN && insn->boolop <= BOOL_XOR && insn->policy <= POLICY_NC && insn->order <= ORDER_SC);
    PROMISE(insn->variant <= PROXY_OTHER);
    PROMISE(insn->location < program->n_locations);
    if (insn->guarded) {
        PROMISE(insn->guard < function->n_registers);
        PROMISE(function->registers[insn->guard].type == TYPE_pred);
    }
    for (uint32_t i = 0; i < (uint32_t)insn->n_dst + insn->n_src; i++) {
        check_operand(program, function, &insn->operands[i]);
        PROMISE(i >= insn->n_dst || insn->operands[i].kind == OPERAND_REGISTER || insn->operands[i].kind == OPERAND_SINK);
    }
    if (insn->op == OP_bra) PROMISE(inside(function, insn->target));
    if (insn->op == OP_brx) {
        PROMISE(insn->table != NULL && insn->table->count > 0);
        for (uint32_t i = 0; i < insn->table->count; i++) PROMISE(inside(function, insn->table->targets[i]));
    }
    if (insn->op == OP_call) check_call(program, function, insn->call);
}

static void check_function(const Program *program, const Function *function) {
    PROMISE(function->name != NULL);
    PROMISE(function->result == NO_INDEX || function->result < program->n_variables);
    for (uint32_t i = 0; i < function->n_params; i++) {
        PROMISE(function->params[i] < program->n_variables);
        const Variable *param = &program->variables[function->params[i]];
        if (function->is_entry) PROMISE(param->offset + param->bytes <= function->param_bytes);
    }
    for (uint32_t i = 0; i < function->n_registers; i++) PROMISE(function->registers[i].type < TYPE_COUNT);
    if (!function->is_defined) return;
    PROMISE(function->count > 0 && function->first + (uint64_t)function->count <= program->n_insns);
    const Insn *last = &program->insns[function->first + function->count - 1];
    PROMISE((last->op == OP_ret || last->op == OP_exit) && !last->guarded);
    for (uint32_t i = 0; i < function->count; i++) check_insn(program, function, &program->insns[function->first + i]);
}

static void check_variable(const Program *program, const Variable *variable) {
    PROMISE(variable->space < SPACE_COUNT);
    PROMISE(variable->align > 0 && (variable->align & (variable->align - 1)) == 0);
    PROMISE(variable->function == NO_INDEX || variable->function < program->n_functions);
    bool in_frame = variable->function != NO_INDEX && program->functions[variable->function].is_defined &&
                    (variable->space == SPACE_LOCAL ||
                     (variable->space == SPACE_PARAM && !program->functions[variable->function].is_entry));
    if (in_frame) PROMISE(variable->offset + variable->bytes <= program->functions[variable->function].frame_bytes);
    if (in_frame) PROMISE(variable->offset % variable->align == 0);
    unsigned sum = 0; /* reads every byte, for AddressSanitizer's sake */
    for (uint64_t i = 0; variable->init && i < variable->bytes; i++) sum += variable->init[i];
    PROMISE(sum <= 255 * variable->bytes || !variable->init);
    for (uint32_t i = 0; i < variable->n_relocations; i++) {
        const Relocation *relocation = &variable->relocations[i];
        PROMISE(relocation->at + 8 <= variable->bytes);
        PROMISE(relocation->index < (relocation->is_function ? program->n_functions : program->n_variables));
    }
}

/* Of each function, which a kernel brings: blocks follow each other, and lanes reconverge where one begins. */
static void check_flow(const Program *program, const Function *function, const Flow *flow) {
    PROMISE(flow->n_blocks > 0 && flow->blocks[0].first == function->first);
    PROMISE(flow->blocks[flow->n_blocks - 1].end == function->first + function->count);
    for (uint32_t b = 0; b < flow->n_blocks; b++) {
        const BasicBlock *block = &flow->blocks[b];
        PROMISE(block->first < block->end && (b == 0 || flow->blocks[b - 1].end == block->first));
        PROMISE(insn_branches(&program->insns[block->end - 1]) || block->reconverge == NO_INSN);
        if (block->reconverge == NO_INSN) continue;
        PROMISE(inside(function, block->reconverge));
        PROMISE(flow->blocks[flow->block_of[block->reconverge - function->first]].first == block->reconverge);
    }
}

static void check_kernel(const Kernel *kernel) {
    const Program *program = kernel->program;
    for (uint32_t f = 0; f < program->n_functions; f++)
        if (program->functions[f].is_defined) check_flow(program, &program->functions[f], &kernel->flows[f]);
    PROMISE(kernel->reach.n_functions > 0 && &program->functions[kernel->reach.functions[0]] == kernel->function);
}

static void check_program(const Program *program) {
    PROMISE(program->n_locations > 0 && program->n_files > 0);
    for (uint32_t i = 0; i < program->n_files; i++) PROMISE(program->files[i] != NULL);
    for (uint32_t i = 0; i < program->n_locations; i++) {
        PROMISE(program->locations[i].file < program->n_files);
        PROMISE(program->locations[i].inlined_at < program->n_locations);
    }
    for (uint32_t i = 0; i < program->n_variables; i++) check_variable(program, &program->variables[i]);
    for (uint32_t i = 0; i < program->n_functions; i++) check_function(program, &program->functions[i]);
    for (uint32_t i = 0; i < program->n_insns; i++) {
        PROMISE(program_location(program, i, NULL) != NULL);
        PROMISE(program_location(program, i, "kernel.cu") != NULL);
    }
    for (uint32_t i = 0, kernels = 0; i < program->n_functions && kernels < 4; i++) {
        if (!program->functions[i].is_entry || !program->functions[i].is_defined) continue;
        check_kernel(kernel_prepare(program, &program->functions[i]));
        kernels++;
    }
    Diag none = {0};
    PROMISE(program_kernel(program, "no such kernel", &none) == NULL && none.set); /* reads every kernel's name */
    for (uint32_t i = 0; i < program->n_functions; i++) {
        const Function *function = &program->functions[i];
        if (!function->is_entry || !function->is_defined) continue;
        Diag diag = {0};
        PROMISE(program_kernel(program, function->name, &diag) != NULL || diag.set);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Diag diag = {0};
    Program *program = program_parse((const char *)data, size, "fuzz.ptx", &diag);
    if (program) {
        PROMISE(!diag.set);
        check_program(program);
        program_free(program);
    } else {
        PROMISE(diag.set && diag.message[0]);
        Text message = {0};
        diag_format(&diag, &message);
        text_free(&message);
    }
    return 0;
}
