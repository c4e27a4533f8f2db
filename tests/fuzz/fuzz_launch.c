/* Every kernel of any PTX that parses is launched: two blocks of 48 threads, so that a warp is partly empty, its pointers leading
 * to one small buffer. It ends with counters, with a fault that names what the contract says, or is refused with a message. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "ptx/program.h"

enum { BUFFER_BYTES = 4096, STEPS_MOST = 3000, PARAM_BYTES_MOST = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise_broken(const char *what, int line) {
    fprintf(stderr, "fuzz_launch.c:%d: broken promise: %s\n", line, what);
    abort();
}

#define PROMISE(condition) ((condition) ? (void)0 : promise_broken(#condition, __LINE__))

static void fill_params(const Program *program, const Function *kernel, uint64_t address, uint8_t *params) {
    for (uint32_t i = 0; i < kernel->n_params; i++) {
        const Variable *param = &program->variables[kernel->params[i]];
        if (param->bytes == 8) memcpy(params + param->offset, &address, 8);
        if (param->bytes == 4) memcpy(params + param->offset, &(uint32_t){17}, 4);
    }
}

static void check_fault(const Program *program, const Fault *fault) {
    PROMISE(fault->kind < FAULT_COUNT);
    if (fault->kind == FAULT_none) return;
    PROMISE(fault->pc == NO_INSN || fault->pc < program->n_insns);
    PROMISE(fault->other_pc == NO_INSN || fault->other_pc < program->n_insns);
    PROMISE(memchr(fault->message, 0, sizeof fault->message) != NULL && fault->message[0]);
}

static void launch(const Program *program, const Function *kernel) {
    Memory *memory = memory_new();
    Allocation *buffer = memory_allocate(memory, BUFFER_BYTES, "buffer", false);
    buffer->initialized = true;
    uint8_t params[PARAM_BYTES_MOST] = {0};
    if (kernel->param_bytes <= sizeof params) {
        fill_params(program, kernel, buffer->address, params);
        Diag diag = {0};
        LaunchRequest request = {.program = program,
                                 .kernel = kernel,
                                 .grid = {2, 1, 1},
                                 .block = {24, 2, 1},
                                 .shared_bytes = 256,
                                 .params = params,
                                 .memory = memory,
                                 .profile = profile_at(0),
                                 .l1 = true,
                                 .checks = true,
                                 .threads = 1,
                                 .max_steps = STEPS_MOST};
        LaunchResult result = {0};
        if (device_launch(&request, &result, &diag)) {
            check_fault(program, &result.fault);
            PROMISE(result.counters != NULL && result.counters->thread_instructions <= 32 * result.counters->instructions);
            device_result_free(&result);
        } else {
            PROMISE(diag.set && diag.message[0]);
        }
    }
    memory_free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Diag diag = {0};
    Program *program = program_parse((const char *)data, size, "fuzz.ptx", &diag);
    if (!program) return 0;
    uint32_t launched = 0;
    for (uint32_t i = 0; i < program->n_functions && launched < 4; i++) {
        const Function *function = &program->functions[i];
        if (!function->is_entry || !function->is_defined) continue;
        launch(program, function);
        launched++;
    }
    program_free(program);
    return 0;
}
