#include "observe/race_mark.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { PC_BITS_MOST = 14, TIME_BITS_LEAST = 8 };

static uint32_t bits_for(uint64_t most) {
    uint32_t bits = 1;
    while (most >> bits) bits++;
    return bits;
}

static bool may_access(const Insn *insn) {
    return opcode_classes[insn->op] == CLASS_MEMORY && (insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC);
}

MarkLayout mark_layout(const Kernel *kernel, uint64_t blocks, uint32_t launch) {
    const Program *program = kernel->program;
    const uint32_t block_bits = bits_for(blocks - 1);
    uint32_t room = MARK_LAUNCH_AT - MARK_FLAGS - MARK_THREAD - TIME_BITS_LEAST - block_bits, count = 0;
    MarkLayout layout = {.numbers = alloc_zeroed(program->n_insns + 1, sizeof(uint32_t)),
                         .insns = alloc_zeroed(program->n_insns + 1, sizeof(uint32_t))};
    if (room > PC_BITS_MOST) room = PC_BITS_MOST;
    for (uint32_t f = 0; f < kernel->reach.n_functions; f++) {
        const Function *function = &program->functions[kernel->reach.functions[f]];
        for (uint32_t pc = function->first; pc < function->first + function->count; pc++) {
            if (!may_access(&program->insns[pc]) || (count + 2) >> room) continue;
            layout.numbers[pc] = ++count;
            layout.insns[count] = pc;
        }
    }
    layout.pc_bits = bits_for(count + 1);
    layout.thread_at = MARK_FLAGS + layout.pc_bits;
    layout.time_at = layout.thread_at + MARK_THREAD;
    layout.block_at = MARK_LAUNCH_AT - block_bits;
    layout.lane_bits = MARK_NEAR;
    layout.floor = (uint64_t)launch << MARK_LAUNCH_AT;
    layout.own = (UINT64_C(1) << layout.time_at) - 1;
    layout.no_pc = ((UINT64_C(1) << layout.pc_bits) - 1) << MARK_FLAGS;
    return layout;
}

void mark_layout_free(MarkLayout *layout) {
    free(layout->numbers);
    free(layout->insns);
}
