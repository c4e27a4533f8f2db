#include "kernel/bases.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

/* Of a register's value: bit i: derived from bases[i]; behind these the two others. */
enum { BASES_MOST = 62, HALF_BIT = BASES_MOST, ANY_BIT, POINTER_BYTES = 8 };
#define HALF (UINT64_C(1) << HALF_BIT) /* narrower than a pointer, from memory: with another it may be one */
#define ANY (UINT64_C(1) << ANY_BIT)
_Static_assert(ANY_BIT < 64, "a register's bits are one word");

typedef struct BaseSurvey {
    const Program *program;
    const Function *function;
    Arena *arena;
    StoreBase *bases;
    size_t count;
    uint64_t *derived; /* by register of the function */
    bool changed;
} BaseSurvey;

static uint64_t base_bit(BaseSurvey *survey, StoreBase base) {
    size_t i = 0;
    while (i < survey->count && (survey->bases[i].is_variable != base.is_variable || survey->bases[i].at != base.at)) i++;
    if (i == BASES_MOST) return ANY;
    if (i == survey->count) ARENA_ADD(survey->arena, survey->bases, survey->count) = base;
    return UINT64_C(1) << i;
}

static uint64_t derived_from(BaseSurvey *survey, const Operand *operand) {
    if (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS) return survey->derived[operand->index];
    const bool names = operand->kind == OPERAND_VARIABLE || operand->kind == OPERAND_ADDRESS_VARIABLE;
    if (!names || survey->program->variables[operand->index].space != SPACE_GLOBAL) return 0;
    return base_bit(survey, (StoreBase){true, operand->index});
}

/* What a load gives; of a vector, all of it together. */
static uint64_t loaded(BaseSurvey *survey, const Insn *insn) {
    const Operand *from = &insn->operands[insn->n_dst];
    if (type_bytes[insn->type] < POINTER_BYTES) return HALF;
    if (insn->op != OP_ld || insn->space != SPACE_PARAM || from->kind != OPERAND_ADDRESS_VARIABLE) return ANY;
    const Variable *variable = &survey->program->variables[from->index];
    if (!survey->function->is_entry || !variable->formal || type_bytes[insn->type] > POINTER_BYTES) return ANY;
    uint64_t derived = 0;
    for (unsigned i = 0; i < insn->n_dst; i++)
        derived |= base_bit(survey, (StoreBase){false, (uint32_t)(variable->offset + from->bits) + i * POINTER_BYTES});
    return derived;
}

/* It gives no pointer, unless by a distance of two that have one as a factor. */
static bool gives_distance(const Insn *insn) {
    switch (insn->op) {
    case OP_mul:
    case OP_mul24:
    case OP_div:
    case OP_rem:
    case OP_shl: return true;
    case OP_cvt: return type_bytes[insn->type2] < POINTER_BYTES;
    }
    return false;
}

static bool adds_product(const Insn *insn) { return insn->op == OP_mad || insn->op == OP_mad24 || insn->op == OP_madc; }

static uint64_t result_of(BaseSurvey *survey, const Insn *insn) {
    if (insn->op == OP_call) return ANY;
    if (opcode_classes[insn->op] == CLASS_MEMORY) return loaded(survey, insn);
    if (insn->op == OP_setp) return 0;
    uint64_t derived = 0;
    for (unsigned i = 0; i < insn->n_src; i++) {
        const uint64_t more = derived_from(survey, &insn->operands[insn->n_dst + i]);
        derived |= gives_distance(insn) || (adds_product(insn) && i < 2) ? more & ~(HALF | ANY) : more;
    }
    const bool joins_halves = insn->op == OP_mov && insn->n_src > 1;
    return joins_halves && derived & HALF ? ANY : derived;
}

static void take_insn(BaseSurvey *survey, const Insn *insn) {
    for (RegisterWalk at = walk_writes(insn); walk_next(&at);) {
        uint64_t *derived = &survey->derived[at.index], more = result_of(survey, insn) & ~*derived;
        survey->changed |= more != 0;
        *derived |= more;
    }
}

static bool stores(const Insn *insn) {
    if (insn->space != SPACE_GLOBAL && insn->space != SPACE_GENERIC) return false;
    return insn->op == OP_st || insn->op == OP_atom || insn->op == OP_red || insn->op == OP_sust ||
           (insn->op == OP_cp_bulk && insn->n_src);
}

static uint64_t stored(BaseSurvey *survey, const Insn *insn) {
    const Operand *to = &insn->operands[insn->n_dst];
    if (insn->flags & INSN_TENSOR) return ANY; /* its map tells */
    if (to->kind != OPERAND_ADDRESS && to->kind != OPERAND_ADDRESS_VARIABLE) return ANY;
    const uint64_t derived = derived_from(survey, to);
    return derived & ~HALF ? derived : ANY; /* of nothing that is known, or of parts that were put together */
}

/* Of all the stores of a function. */
static uint64_t take_function(BaseSurvey *survey, const Function *function) {
    const Insn *insns = survey->program->insns + function->first;
    FREED uint64_t *derived = alloc_zeroed(function->n_registers + 1, sizeof *derived);
    uint64_t all = 0;
    survey->function = function;
    survey->derived = derived;
    for (survey->changed = true; survey->changed;) {
        survey->changed = false;
        for (uint32_t i = 0; i < function->count; i++) take_insn(survey, &insns[i]);
    }
    for (uint32_t i = 0; i < function->count; i++) all |= stores(&insns[i]) ? stored(survey, &insns[i]) : 0;
    return all;
}

StoreBases bases_find(const Program *program, const Reach *reach, Arena *arena) {
    BaseSurvey survey = {.program = program, .arena = arena};
    StoreBases found = {0};
    uint64_t all = 0;
    for (uint32_t f = 0; f < reach->n_functions; f++) all |= take_function(&survey, &program->functions[reach->functions[f]]);
    for (size_t i = 0; i < survey.count; i++)
        if (all >> i & 1) survey.bases[found.count++] = survey.bases[i];
    found.any = all & ANY;
    found.bases = survey.bases;
    return found;
}
