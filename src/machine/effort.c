#include "machine/effort.h"

/* Measured: an instruction that only computes takes 7 ns, starting a block 160 ns and 40 ns for each warp; 150 bytes are filled in 7 ns. */
enum { BLOCK_EFFORT = 16, WARP_EFFORT = 6, FILLED_BYTES = 128, CHARACTERS = 2 };

#define MORE "an endless loop? --max-steps allows more"

static uint64_t start_effort(const Code *code, uint32_t warps, uint64_t shared_bytes) {
    uint64_t filled = shared_bytes;
    if (code->has_local) filled += (uint64_t)code->stack_local_bytes * WARP_LANES * warps;
    return BLOCK_EFFORT + (uint64_t)WARP_EFFORT * warps + filled / FILLED_BYTES;
}

void effort_block(Block *block) {
    block->worker->effort += start_effort(block->worker->code, block->n_warps, block->shared_bytes);
}

bool effort_starts_fit(const Launch *launch, const Code *code, Fault *fault) {
    const uint64_t blocks = launch_blocks(launch), most = launch->max_starts;
    const uint64_t each = start_effort(code, (launch_threads(launch) + WARP_LANES - 1) / WARP_LANES, launch_shared(launch));
    if (!most || blocks <= most / each) return true;
    fault_hint(fault, "fewer blocks, each of which does more? --max-steps allows more");
    return fault_set(fault, FAULT_effort_limit, NO_INSN,
                     "starting the launch's %llu blocks costs as much as %llu instructions each, and may cost %llu in all",
                     (unsigned long long)blocks, (unsigned long long)each, (unsigned long long)most);
}

void effort_run(Worker *worker, uint64_t instructions) {
    worker->effort += instructions;
    for (uint32_t o = 0; o < worker->n_observers; o++) {
        worker->effort += worker->observers[o]->effort;
        worker->observers[o]->effort = 0;
    }
}

void effort_print(Worker *worker, uint64_t characters) { worker->effort += 1 + characters / CHARACTERS; }

bool effort_fault(Fault *fault, uint64_t most, uint32_t pc) {
    fault_hint(fault, MORE);
    return fault_set(
        fault, FAULT_effort_limit, pc,
        "the launch has run %llu instructions, what blocks, scattered accesses and printf cost included, and does not end",
        (unsigned long long)most);
}

void effort_block_ended(Worker *worker) { worker->ended_effort = worker->effort; }

static bool unended_fault(Fault *fault, uint64_t most, uint32_t pc) {
    fault_hint(fault, MORE);
    return fault_set(
        fault, FAULT_effort_limit, pc,
        "no block has ended while those that run together have run %llu instructions, or scattered accesses that take as long",
        (unsigned long long)most);
}

bool effort_fits(const Warp *warp) {
    Worker *worker = warp->worker;
    const Launch *launch = worker->launch;
    bool dear = launch->max_effort && worker->effort > launch->max_effort;
    bool unended = launch->max_unended && worker->effort - worker->ended_effort > launch->max_unended;
    if (!dear && !unended) return true;
    const SimtStack *stack = &warp->stack;
    uint32_t pc = stack->depth ? program_lined(launch->kernel->program, worker->code->steps[stack_top(stack)->pc].pc) : NO_INSN;
    return dear ? effort_fault(&worker->fault, launch->max_effort, pc) : unended_fault(&worker->fault, launch->max_unended, pc);
}
