/* Orders, scopes and cache words of loads, stores, atomics and fences: which go together. PTX ISA, in the sections of these instructions, as
 * ptxas 13.0 holds to it (tests/conformance). None of them changes a result here. */
#include "ptx/opcode.h"
#include "ptx/parser.h"

static bool refuse(const Reading *reading, const char *why) {
    return parser_fail(reading->parser, &reading->opcode, "'%.*s' %s", TOKEN_TEXT(&reading->opcode), why);
}

/* ld, st */
static bool access_check(const Reading *reading) {
    const Insn *insn = &reading->insn;
    const bool is_load = insn->op == OP_ld, is_ordered = insn->order >= ORDER_RELAXED, mmio = reading_has(reading, GROUP_MMIO);
    const bool is_own = insn->space == SPACE_LOCAL || insn->space == SPACE_CONST || insn->space == SPACE_PARAM;
    if (is_ordered != reading_has(reading, GROUP_SCOPE))
        return refuse(reading, "has an order, such as .relaxed, and a scope, or neither");
    if (insn->order != ORDER_WEAK && is_own) return refuse(reading, "has no order where no thread sees what another writes");
    const bool is_device = insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC;
    if (mmio && (insn->order != ORDER_RELAXED || reading->value[GROUP_SCOPE] != SCOPE_SYS || !is_device))
        return refuse(reading, "with .mmio is .relaxed.sys, in global memory");
    if (insn->policy == POLICY_NC && reading_has(reading, GROUP_POLICY) && reading->value[GROUP_POLICY] > POLICY_CS)
        return refuse(reading, "with .nc takes .ca, .cg or .cs");
    const unsigned bytes = reading->value[GROUP_VECTOR] * type_bytes[insn->type];
    const unsigned cache = CACHE_HINT | CACHE_L1 | (is_load ? CACHE_BYTES | CACHE_256B : 0) | (bytes == 32 ? CACHE_L2 : 0);
    return !(reading->cache & ~cache) || refuse(reading, "does not take this cache word");
}

/* atom, red */
static bool atom_check(const Reading *reading) {
    const Insn *insn = &reading->insn;
    const Order order = (Order)insn->order;
    const bool releases = order == ORDER_RELAXED || order == ORDER_RELEASE;
    const bool taken = releases || (insn->op == OP_atom && (order == ORDER_ACQUIRE || order == ORDER_ACQ_REL));
    if (reading_has(reading, GROUP_ORDER) && !taken)
        return refuse(reading,
                      insn->op == OP_red ? "takes .relaxed or .release" : "takes .relaxed, .acquire, .release or .acq_rel");
    if (reading->cache & ~(unsigned)CACHE_HINT) return refuse(reading, "takes no cache word but .L2::cache_hint");
    const bool halves = type_kinds[insn->type] == KIND_FLOAT && insn->type != TYPE_f32 && insn->type != TYPE_f64;
    if (halves == !(insn->flags & INSN_NOFTZ))
        return refuse(reading, halves ? "of halves is written .noftz" : "takes .noftz with halves only");
    return true;
}

static bool fence_check(const Reading *reading) {
    const Order order = (Order)reading->insn.order;
    const bool taken = order >= ORDER_ACQUIRE || !reading_has(reading, GROUP_ORDER);
    return taken || refuse(reading, "takes .sc, .acq_rel, .acquire or .release");
}

bool order_check(const Reading *reading) {
    const Opcode op = (Opcode)reading->insn.op;
    const bool scoped = reading_has(reading, GROUP_SCOPE);
    const ThreadScope scope = (ThreadScope)reading->value[GROUP_SCOPE];
    if (op == OP_membar && scope != SCOPE_CTA && scope != SCOPE_GL && scope != SCOPE_SYS)
        return refuse(reading, "takes .cta, .gl or .sys");
    if (op != OP_membar && scoped && scope == SCOPE_GL) return refuse(reading, "takes .gpu where membar takes .gl");
    if (op == OP_ld || op == OP_st) return access_check(reading);
    if (op == OP_atom || op == OP_red) return atom_check(reading);
    return op != OP_fence || fence_check(reading);
}
