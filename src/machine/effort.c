#include "machine/effort.h"

/* Measured: an instruction that only computes takes 7 ns, starting a block 160 ns and 40 ns for each warp; 150 bytes are filled in 7 ns. */
enum { BLOCK_EFFORT = 16, WARP_EFFORT = 6, FILLED_BYTES = 128, CHARACTERS = 2 };

void effort_block(Block *block) {
    const Code *code = block->worker->code;
    uint64_t filled = block->shared_bytes;
    if (code->has_local) filled += (uint64_t)code->stack_local_bytes * WARP_LANES * block->n_warps;
    block->worker->effort += BLOCK_EFFORT + (uint64_t)WARP_EFFORT * block->n_warps + filled / FILLED_BYTES;
}

void effort_print(Worker *worker, uint64_t characters) { worker->effort += 1 + characters / CHARACTERS; }

bool effort_fault(Fault *fault, uint64_t most, uint32_t pc) {
    fault_hint(fault, "an endless loop? --max-steps allows more");
    return fault_set(fault, FAULT_effort_limit, pc,
                     "the launch has run %llu instructions, what blocks and printf cost included, and does not end",
                     (unsigned long long)most);
}

bool effort_fits(const Warp *warp) {
    Worker *worker = warp->worker;
    uint64_t most = worker->launch->max_effort;
    if (!most || worker->effort <= most) return true;
    const SimtStack *stack = &warp->stack;
    return effort_fault(&worker->fault, most, stack->depth ? worker->code->steps[stack_top(stack)->pc].pc : NO_INSN);
}
