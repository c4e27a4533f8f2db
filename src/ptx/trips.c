#include "ptx/trips.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/opcode.h"

enum { GUARDED_MAX = 12 /* instructions that a branch leaps over, for them to be guarded instead */ };

/* Whether a branch leaps over so few instructions, none of which branches or waits for others, that the compiler guards these one by one
 * instead. clang writes such a branch as two, of which the second leads to the next instruction. */
static bool is_guard(const Insn *insns, uint32_t pc) {
    uint32_t target = insns[pc].target;
    if (insns[pc].op != OP_bra || target <= pc || target - pc > GUARDED_MAX + 1) return false;
    for (uint32_t at = pc + 1; at < target; at++) {
        bool to_next = insns[at].op == OP_bra && insns[at].target == at + 1;
        OpClass class = (OpClass)opcode_classes[insns[at].op];
        if (!to_next && (class == CLASS_CONTROL || class == CLASS_SYNC)) return false;
    }
    return true;
}

void trips_blocks(const Program *program, const Function *function, bool *begins) {
    const Insn *insns = program->insns;
    uint32_t end = function->first + function->count;
    for (uint32_t pc = function->first; pc < end; pc++) {
        bool branches = opcode_classes[insns[pc].op] == CLASS_CONTROL && !is_guard(insns, pc);
        if (insns[pc].op == OP_bra && branches) begins[insns[pc].target - function->first] = true;
        if (insns[pc].op == OP_brx)
            for (uint32_t t = 0; t < insns[pc].table->count; t++) begins[insns[pc].table->targets[t] - function->first] = true;
        if (branches && pc + 1 < end) begins[pc + 1 - function->first] = true;
    }
}

static bool is_register(const Operand *operand) {
    return operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS;
}

/* May go to global or local memory. */
static bool is_far(const Insn *insn) {
    bool far = insn->space == SPACE_GLOBAL || insn->space == SPACE_LOCAL || insn->space == SPACE_GENERIC;
    return opcode_classes[insn->op] == CLASS_MEMORY && far;
}

static bool loads(const Insn *insn) { return is_far(insn) && insn->op != OP_st && insn->op != OP_red; }

static bool stores(const Insn *insn) { return is_far(insn) && insn->op != OP_ld && insn->op != OP_cp_async; }

static bool any_source(const Insn *insn, const bool *registers) {
    for (uint32_t i = insn->n_dst; i < (uint32_t)insn->n_dst + insn->n_src; i++)
        if (is_register(&insn->operands[i]) && registers[insn->operands[i].index]) return true;
    return insn->guarded && registers[insn->guard];
}

/* Marks the registers whose values come from loads. */
static void find_loaded(const Program *program, const Function *function, bool *loaded) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t pc = function->first; pc < function->first + function->count; pc++) {
            const Insn *insn = &program->insns[pc];
            if (!loads(insn) && !any_source(insn, loaded)) continue;
            for (uint32_t i = 0; i < insn->n_dst; i++) {
                if (insn->operands[i].kind != OPERAND_REGISTER || loaded[insn->operands[i].index]) continue;
                loaded[insn->operands[i].index] = changed = true;
            }
        }
    }
}

/* A register's round trip, where it was set in this basic block. */
typedef struct Level {
    uint32_t block;
    uint16_t level;
} Level;

static uint16_t later(uint16_t a, uint16_t b) { return a > b ? a : b; }

static uint16_t level_of(const Level *levels, uint32_t reg, uint32_t block) {
    return levels[reg].block == block ? levels[reg].level : 0;
}

static uint16_t sources_level(const Insn *insn, const Level *levels, uint32_t block) {
    uint16_t level = insn->guarded ? level_of(levels, insn->guard, block) : 0;
    for (uint32_t i = insn->n_dst; i < (uint32_t)insn->n_dst + insn->n_src; i++)
        if (is_register(&insn->operands[i])) level = later(level, level_of(levels, insn->operands[i].index, block));
    return level;
}

void trips_find(const Program *program, const Function *function, Trip *trips) {
    bool *begins = alloc_zeroed(function->count + 1, sizeof *begins);
    bool *loaded = alloc_zeroed(function->n_registers + 1, sizeof *loaded);
    Level *levels = alloc_zeroed(function->n_registers + 1, sizeof *levels);
    trips_blocks(program, function, begins);
    find_loaded(program, function, loaded);
    for (uint32_t r = 0; r < function->n_registers; r++) levels[r].block = UINT32_MAX;
    uint32_t block = function->first;
    uint16_t after_store = 0;
    for (uint32_t i = 0; i < function->count; i++) {
        const Insn *insn = &program->insns[function->first + i];
        if (begins[i] || insn->op == OP_bar || insn->op == OP_barrier) block = function->first + i, after_store = 0;
        uint16_t level = sources_level(insn, levels, block);
        if (stores(insn)) after_store = later(after_store, level);
        if (loads(insn)) {
            if (insn->policy != POLICY_NC) level = later(level, after_store);
            trips[function->first + i] = (Trip){.block = block, .level = level, .follows = any_source(insn, loaded)};
            level++;
        }
        for (uint32_t d = 0; d < insn->n_dst; d++)
            if (insn->operands[d].kind == OPERAND_REGISTER) levels[insn->operands[d].index] = (Level){block, level};
    }
    free(begins);
    free(loaded);
    free(levels);
}
