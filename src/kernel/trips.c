#include "kernel/trips.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

uint8_t trips_errand(const Insn *insn) {
    bool far = insn->space == SPACE_GLOBAL || insn->space == SPACE_LOCAL || insn->space == SPACE_GENERIC;
    if (opcode_classes[insn->op] != CLASS_MEMORY || !far) return 0;
    if (insn->op == OP_ld || insn->op == OP_cp_async) return ERRAND_LOAD;
    return insn->op == OP_st || insn->op == OP_red ? ERRAND_STORE : ERRAND_LOAD | ERRAND_STORE;
}

static bool reads_any(const Insn *insn, const bool *registers) {
    for (RegisterWalk at = walk_reads(insn); walk_next(&at);)
        if (registers[at.index]) return true;
    return false;
}

/* What a called function returns does not count as loaded, whatever it was called with. */
void trips_follow(const Program *program, const Function *function, Trip *trips) {
    bool *loaded = alloc_zeroed(function->n_registers + 1, sizeof *loaded);
    const Insn *insns = program->insns;
    const uint32_t end = function->first + function->count;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t pc = function->first; pc < end; pc++) {
            if (insns[pc].op == OP_call || (!(trips_errand(&insns[pc]) & ERRAND_LOAD) && !reads_any(&insns[pc], loaded)))
                continue;
            for (RegisterWalk at = walk_writes(&insns[pc]); walk_next(&at); loaded[at.index] = true)
                changed |= !loaded[at.index];
        }
    }
    for (uint32_t pc = function->first; pc < end; pc++)
        if (trips_errand(&insns[pc]) & ERRAND_LOAD) trips[pc - function->first].follows = reads_any(&insns[pc], loaded);
    free(loaded);
}

/* A register's round trip, where it was set in this basic block. */
typedef struct Level {
    uint32_t block;
    uint16_t level;
} Level;

static uint16_t later(uint16_t a, uint16_t b) { return a > b ? a : b; }

void trips_find(const Program *program, const Function *function, const Regions *regions, const uint8_t *errands, Trip *trips) {
    Level *levels = alloc_zeroed(function->n_registers + 1, sizeof *levels);
    for (uint32_t r = 0; r < function->n_registers; r++) levels[r].block = UINT32_MAX;
    uint32_t block = function->first;
    uint16_t after_store = 0, after_shared = 0;
    for (uint32_t at = 0; at < function->count; at++) {
        const uint32_t i = regions->order[at];
        const Insn *insn = &program->insns[function->first + i];
        if (regions->begins[at] || insn->op == OP_bar || insn->op == OP_barrier)
            block = function->first + i, after_store = after_shared = 0;
        uint16_t level = 0;
        for (RegisterWalk of = walk_reads(insn); walk_next(&of);)
            if (levels[of.index].block == block) level = later(level, levels[of.index].level);
        if (errands[i] & ERRAND_STORE) after_store = later(after_store, level);
        if (errands[i] & ERRAND_SHARED_STORE) after_shared = later(after_shared, level);
        if (errands[i] & ERRAND_SHARED_LOAD) level = later(level, after_shared);
        if (errands[i] & ERRAND_LOAD) {
            if (insn->policy != POLICY_NC) level = later(level, after_store);
            trips[i] = (Trip){.block = block, .level = level};
            level += level < UINT16_MAX;
        }
        for (RegisterWalk of = walk_writes(insn); walk_next(&of);) levels[of.index] = (Level){block, level};
    }
    free(levels);
}
