/* Bulk copies of tensors, and hints about their maps. */
#include "ptx/opcode.h"
#include "ptx/parser.h"

static bool tensor_fail(const Reading *reading) {
    return parser_fail(reading->parser, &reading->opcode, "'%s.tensor' has no such form",
                       reading_has(reading, GROUP_REDUCE) ? "cp.reduce.async.bulk" : "cp.async.bulk");
}

/* [d], [map, {c..}], [b]{, mask} */
static bool tensor_comes_in(Reading *reading) {
    Parser *parser = reading->parser;
    return operand_address(reading, SPACE_SHARED, 0, true) && parser_expect(parser, ',') &&
           operand_tensor(reading, reading->insn.vec) && parser_expect(parser, ',') &&
           operand_address(reading, SPACE_SHARED, MBARRIER_BYTES, true) && bulk_multicasts(reading) &&
           reading_drop_policy(reading);
}

/* [map, {c..}], [s] */
static bool tensor_goes_out(Reading *reading) {
    return operand_tensor(reading, reading->insn.vec) && parser_expect(reading->parser, ',') &&
           operand_address(reading, SPACE_SHARED, 0, false) && reading_drop_policy(reading);
}

static bool tensor_is_prefetched(Reading *reading) {
    const bool fine = reading->n_spaces == 1 && reading->spaces[0] == SPACE_GLOBAL && reading->value[GROUP_LEVEL] == 2;
    reading->insn.variant = BULK_PREFETCH;
    reading->insn.space = SPACE_GLOBAL;
    if (!fine) return tensor_fail(reading);
    return operand_tensor(reading, reading->insn.vec) && reading_drop_policy(reading);
}

bool special_tensor(Reading *reading) {
    Insn *insn = &reading->insn;
    const bool reduces = reading_has(reading, GROUP_REDUCE), completes = reading_has(reading, GROUP_COMPLETION);
    const bool multicasts = reading_has(reading, GROUP_MULTICAST), prefetches = reading_has(reading, GROUP_PREFETCH);
    const bool other = reading_has(reading, GROUP_COPY) || reading_has(reading, GROUP_READ) || insn->type || insn->flags;
    if (other || !reading_has(reading, GROUP_RANK)) return tensor_fail(reading);
    if (reduces != (insn->variant != VARIANT_NONE) || (reduces && prefetches)) return tensor_fail(reading);
    if (prefetches == completes || (prefetches && multicasts)) return tensor_fail(reading);
    insn->flags |= INSN_TENSOR;
    insn->vec = reading->value[GROUP_RANK];
    if (prefetches) return tensor_is_prefetched(reading);
    const bool outside = reading->value[GROUP_COMPLETION] == 1;
    const Space to = outside ? SPACE_GLOBAL : SPACE_SHARED, from = outside ? SPACE_SHARED : SPACE_GLOBAL;
    const bool placed = reading->n_spaces == 2 && reading->spaces[0] == to && reading->spaces[1] == from;
    if (!placed || reading_has(reading, GROUP_LEVEL) || (reduces && !outside) || (multicasts && outside))
        return tensor_fail(reading);
    insn->space = (uint8_t)to;
    if (outside) insn->flags |= INSN_FROM_SHARED;
    if (reduces && (insn->variant == ATOM_EXCH || insn->variant == ATOM_CAS)) return tensor_fail(reading);
    if (!reduces) insn->variant = BULK_COPY;
    return outside ? tensor_goes_out(reading) : tensor_comes_in(reading);
}

/* prefetch{.space}.level [a], prefetch{.space}.tensormap [a] */
bool special_prefetch(Reading *reading) {
    const bool of_map = reading_has(reading, GROUP_TENSORMAP), levels = reading_has(reading, GROUP_LEVEL);
    const Space space = (Space)reading->insn.space;
    if (of_map && (levels || reading->cache || (space != SPACE_GENERIC && space != SPACE_CONST && space != SPACE_PARAM)))
        return parser_fail(reading->parser, &reading->opcode, "'prefetch.tensormap' has no such form");
    return operand_address(reading, space, 0, false);
}
