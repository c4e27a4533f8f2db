/* Every kernel of any PTX that parses is launched: five blocks of 48 threads, so that a warp is partly empty, its pointers leading
 * to one small buffer. It ends with counters, with a fault that names what the contract says, or is refused with a message; the
 * same on one host thread and on two. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "ptx/program.h"

enum { BUFFER_BYTES = 4096, STEPS_MOST = 1000, PARAM_BYTES_MOST = 4096 };

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

typedef struct Outcome {
    bool ran;
    Fault fault;
    Counters counters; /* insns is NULL */
    Text output;
    uint8_t buffer[BUFFER_BYTES];
} Outcome;

static void launch(const Program *program, const Function *kernel, unsigned threads, Outcome *outcome) {
    Memory *memory = memory_new();
    Allocation *buffer = memory_allocate(memory, BUFFER_BYTES, "buffer", false);
    buffer->initialized = true;
    uint8_t params[PARAM_BYTES_MOST] = {0};
    fill_params(program, kernel, buffer->address, params);
    Diag diag = {0};
    LaunchRequest request = {.launch.kernel = kernel_prepare(program, kernel),
                             .launch.grid = {5, 1, 1},
                             .launch.block = {24, 2, 1},
                             .launch.shared_bytes = 256,
                             .launch.params = params,
                             .launch.memory = memory,
                             .profile = profile_at(0),
                             .l1 = true,
                             .launch.checks = true,
                             .launch.threads = threads,
                             .launch.max_steps = STEPS_MOST};
    LaunchResult result = {0};
    memset(outcome, 0, sizeof *outcome);
    outcome->ran = device_launch(&request, &result, &diag);
    if (outcome->ran) {
        check_fault(program, &result.fault);
        PROMISE(result.counters != NULL && result.counters->thread_instructions <= 32 * result.counters->instructions);
        outcome->fault = result.fault;
        outcome->counters = *result.counters;
        outcome->counters.insns = NULL;
        text_add_bytes(&outcome->output, text_string(&result.output), result.output.length);
        memcpy(outcome->buffer, buffer->host, BUFFER_BYTES);
        device_result_free(&result);
    } else {
        PROMISE(diag.set && diag.message[0]);
    }
    memory_free(memory);
}

/* Results and counts do not depend on the number of host threads. Of kernels with faults only the fact that there is one does not:
 * which comes first depends on the threads, and so does whether two blocks that race are seen to. */
static void check_threads(const Program *program, const Function *kernel) {
    Outcome one, two;
    launch(program, kernel, 1, &one);
    launch(program, kernel, 2, &two);
    PROMISE(one.ran == two.ran);
    if (one.fault.kind != two.fault.kind)
        fprintf(stderr, "one thread: %s\ntwo threads: %s\n", one.fault.message, two.fault.message);
    PROMISE(one.fault.kind != FAULT_none || two.fault.kind == FAULT_none || two.fault.kind == FAULT_global_race);
    PROMISE(two.fault.kind != FAULT_none || one.fault.kind == FAULT_none || one.fault.kind == FAULT_global_race);
    if (one.fault.kind == FAULT_none && two.fault.kind == FAULT_none) {
        PROMISE(memcmp(&one.counters, &two.counters, offsetof(Counters, n_insns)) == 0);
        PROMISE(memcmp(one.buffer, two.buffer, BUFFER_BYTES) == 0);
        PROMISE(strcmp(text_string(&one.output), text_string(&two.output)) == 0);
    }
    text_free(&one.output);
    text_free(&two.output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Diag diag = {0};
    Program *program = program_parse((const char *)data, size, "fuzz.ptx", &diag);
    if (!program) return 0;
    uint32_t launched = 0;
    for (uint32_t i = 0; i < program->n_functions && launched < 4; i++) {
        const Function *function = &program->functions[i];
        if (!function->is_entry || !function->is_defined || function->param_bytes > PARAM_BYTES_MOST) continue;
        check_threads(program, function);
        launched++;
    }
    program_free(program);
    return 0;
}
