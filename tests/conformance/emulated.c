#include "emulated.h"

#include <string.h>

#include "base/text.h"
#include "device/device.h"
#include "machine/alu.h"
#include "machine/code.h"
#include "machine/module.h"
#include "plan.h"

static const char head[] = ".version 8.6\n.target sm_90\n.address_size 64\n.const .align 32 .b64 cn[64];\n.entry k(%s) {\n%s";

bool line_admitted(const Candidate *candidate, const Line *line, unsigned *since, Diag *diag) {
    Text text = {0};
    text_add(&text, head, line_parameter, line_registers);
    text_add(&text, "%s %s; %s\nret;\n}\n", line->before, line->text, line->after);
    Program *program = program_parse(text_string(&text), text.length, "line", diag);
    text_free(&text);
    if (!program) return false;
    const Function *function = &program->functions[0];
    bool fine = !function->refused;
    *since = function->need.since;
    if (!fine) *diag = *function->refused;
    if (fine && opcode_classes[candidate->insn.op] == CLASS_ALU) fine = alu_select(&program->insns[function->first], diag);
    if (fine && opcode_classes[candidate->insn.op] != CLASS_ALU) {
        const uint8_t params[32] = {0};
        Memory *memory = memory_new();
        Module *module = module_load(program, memory, NULL);
        Code *code = code_new(kernel_prepare(program, function), module, params, (CodeWanted){0}, diag);
        fine = code && *since <= 90;
        code_free(code);
        module_unload(module, memory);
        memory_free(memory);
    }
    program_free(program);
    return fine;
}

bool emulator_run(const Job *job, Diag *diag) {
    Program *program = program_parse(text_string(&job->ptx), job->ptx.length, "conformance.ptx", diag);
    if (!program) return false;
    Memory *memory = memory_new();
    Allocation *of[3] = {memory_allocate(memory, job->values_bytes, "values", false),
                         memory_allocate(memory, job->masks_bytes, "masks", false),
                         memory_allocate(memory, job->results_bytes, "results", false)};
    memcpy(of[0]->host, job->values, job->values_bytes);
    memcpy(of[1]->host, job->masks, job->masks_bytes);
    memcpy(of[2]->host, job->results, job->results_bytes);
    uint64_t params[8] = {of[0]->address, of[1]->address, of[2]->address};
    memcpy(&params[4], line_block, sizeof line_block);
    const Function *function = program_kernel(program, "k", diag);
    LaunchRequest request = {
        .launch = {.shared_bytes = job->shared_bytes, .params = (const uint8_t *)params, .memory = memory, .threads = 1},
        .profile = profile_find("h200", diag),
        .l1 = true};
    if (function) request.launch.kernel = kernel_prepare(program, function);
    memcpy(request.launch.grid, job->grid, sizeof request.launch.grid);
    memcpy(request.launch.block, job->block, sizeof request.launch.block);
    LaunchResult result = {0};
    bool fine = function && device_launch(&request, &result, diag);
    if (fine && result.fault.kind != FAULT_none) fine = diag_say(diag, "%s", result.fault.message);
    memcpy(job->results, of[2]->host, job->results_bytes);
    device_result_free(&result);
    memory_free(memory);
    program_free(program);
    return fine;
}
