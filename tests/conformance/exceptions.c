#include "exceptions.h"

#include "ptx/opcode.h"
#include <string.h>

typedef enum Treatment {
    LEAVES_UNGUARDED, /* lanes whose guard is false */
    NANS_ALIKE,       /* which NaN it is */
    KIND_ALONE,       /* all but whether it is NaN, infinite or finite */
    LEAVES_ALL,
} Treatment;

static bool is_op(const Case *test, Opcode op) { return test->candidate.insn.op == op; }

static bool is_guarded_set(const Case *test) { return case_guarded(test) && (is_op(test, OP_set) || is_op(test, OP_testp)); }
static bool is_approximate(const Case *test) { return test->candidate.insn.flags & (INSN_APPROX | INSN_FULL); }
static bool is_double_with_constant(const Case *test) { return test->line.immediate && test->candidate.insn.type == TYPE_f64; }
static bool is_double_atomic(const Case *test) {
    return (is_op(test, OP_atom) || is_op(test, OP_red)) && test->candidate.insn.type == TYPE_f64;
}
static bool is_cvta_of_const(const Case *test) { return is_op(test, OP_cvta) && test->candidate.insn.space == SPACE_CONST; }

static const struct {
    bool (*applies)(const Case *test);
    Treatment treatment;
    const char *why;
} exceptions[] = {
    {is_guarded_set, LEAVES_UNGUARDED,
     "ptxas makes several instructions of these, and not all have the guard: a lane whose guard is false "
     "gets what its destination held, converted, or a true predicate"},
    {is_approximate, KIND_ALONE, "the hardware approximates"},
    {is_double_with_constant, NANS_ALIKE, "ptxas moves a constant to the second source, so that another NaN is handed on"},
    {is_double_atomic, NANS_ALIKE,
     "atomics leave a signalling NaN as it is in global memory, and make it quiet in shared memory"},
    {is_cvta_of_const, LEAVES_ALL, "an address of .const is no generic one"},
};
enum { EXCEPTIONS = sizeof exceptions / sizeof *exceptions };

/* 0: finite, 1: infinite, 2: NaN. */
static unsigned kind_of(uint64_t value, Type type) {
    const unsigned mantissa = type == TYPE_f64 ? 52 : type == TYPE_f32 ? 23 : type == TYPE_f16 || type == TYPE_f16x2 ? 10 : 7;
    const unsigned exponent = type == TYPE_f64 ? 11 : type == TYPE_f16 || type == TYPE_f16x2 ? 5 : 8;
    const uint64_t special = (UINT64_C(1) << exponent) - 1;
    if ((value >> mantissa & special) != special) return 0;
    return value & ((UINT64_C(1) << mantissa) - 1) ? 2 : 1;
}

uint64_t case_seen(const Case *test, unsigned result, uint64_t value, bool guard) {
    const Type type = (Type)test->candidate.insn.type;
    const unsigned bytes = case_result_bytes(test, result);
    value &= UINT64_MAX >> (64 - 8 * bytes);
    for (unsigned i = 0; i < EXCEPTIONS; i++) {
        if (!exceptions[i].applies(test)) continue;
        const bool pair = type == TYPE_f16x2 || type == TYPE_bf16x2;
        switch (exceptions[i].treatment) {
        case LEAVES_UNGUARDED: value = guard ? value : 0; break;
        case NANS_ALIKE: value = kind_of(value, type) == 2 ? 2 : value; break;
        case KIND_ALONE:
            value = kind_of(value & (pair ? 0xffff : UINT64_MAX), type) | (pair ? kind_of(value >> 16, type) << 2 : 0);
            break;
        case LEAVES_ALL: value = 0;
        }
    }
    return value;
}

void exceptions_list(const Plan *plan, Text *out) {
    for (unsigned i = 0; i < EXCEPTIONS; i++) {
        unsigned count = 0;
        for (uint32_t c = 0; c < plan->n_cases; c++) count += exceptions[i].applies(&plan->cases[c]);
        text_add(out, "%u lines: %s\n", count, exceptions[i].why);
    }
}
