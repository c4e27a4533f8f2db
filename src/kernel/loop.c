#include "kernel/loop.h"

#include "ptx/opcode.h"

static bool has_line(const Program *program, uint32_t pc) { return program->locations[program->insns[pc].location].line != 0; }

Loop loop_around(const Program *program, uint32_t pc) {
    Loop loop = {.pc = pc};
    uint32_t begin = 0, last = pc;
    for (uint32_t f = 0; f < program->n_functions; f++)
        if (pc - program->functions[f].first < program->functions[f].count) begin = program->functions[f].first;
    while (last < program->n_insns && (program->insns[last].op != OP_bra || program->insns[last].target > pc)) last++;
    if (last == program->n_insns) return loop;
    const uint32_t first = program->insns[last].target;
    loop.empty = true;
    for (uint32_t i = first; i <= last; i++) loop.empty &= program->insns[i].op == OP_bra;
    while (loop.pc < last && !has_line(program, loop.pc)) loop.pc++;
    while (loop.pc > begin && !has_line(program, loop.pc)) loop.pc--;
    return loop;
}
