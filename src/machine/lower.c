/* Every class of instructions but those on memory. */
#include "machine/lower.h"

#include <string.h>

enum { UNCOUNTED_MAX = 100 };

static unsigned destination_width(const Insn *insn) {
    switch ((Opcode)insn->op) {
    case OP_setp:
    case OP_testp: return 0;
    case OP_popc:
    case OP_clz:
    case OP_bfind:
    case OP_fns:
    case OP_dp4a:
    case OP_dp2a: return 4;
    case OP_mul:
    case OP_mad: return insn->mode == MODE_WIDE && type_bytes[insn->type] == 4 ? 8 : lower_width(insn->type);
    default: return lower_width(insn->type);
    }
}

static unsigned source_width(const Insn *insn, unsigned i) {
    switch ((Opcode)insn->op) {
    case OP_cvt: return lower_width(insn->type2);
    case OP_set: return i == 2 ? 0 : lower_width(insn->type2);
    case OP_setp: return i == 2 ? 0 : lower_width(insn->type);
    case OP_selp: return i == 2 ? 0 : lower_width(insn->type);
    case OP_slct: return i == 2 ? lower_width(insn->type2) : lower_width(insn->type);
    case OP_shl:
    case OP_shr: return i == 1 ? 4 : lower_width(insn->type);
    case OP_bfe: return i >= 1 ? 4 : lower_width(insn->type);
    case OP_bfi: return i >= 2 ? 4 : lower_width(insn->type);
    case OP_fns:
    case OP_dp4a:
    case OP_dp2a:
    case OP_szext:
    case OP_bmsk:
    case OP_shf: return 4;
    case OP_mul:
    case OP_mad: return i == 2 ? destination_width(insn) : lower_width(insn->type);
    default: return lower_width(insn->type);
    }
}

static bool lower_alu(Lower *lower) {
    const Insn *insn = lower->insn;
    Alu *alu = alu_select(insn, lower->diag);
    if (!alu) return false;
    unsigned n_src = insn->n_src;
    uint32_t imm = 0;
    if (insn->op == OP_lop3) imm = (uint32_t)insn->operands[insn->n_dst + --n_src].bits;
    if (n_src > 4 || insn->n_dst > 2 || !insn->n_dst) return lower_refuse(lower, "operands of this form are not emulated");
    Slot s[4] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT}, d, widen, d2 = NO_SLOT, unused;
    bool negated = false;
    for (unsigned i = 0; i < n_src; i++) {
        const Operand *operand = &insn->operands[insn->n_dst + i];
        if (!lower_source(lower, operand, source_width(insn, i), &s[i])) return false;
        if (operand->negated && (insn->op == OP_setp || insn->op == OP_set) && i == 2)
            negated = true;
        else if (operand->negated)
            return lower_refuse(lower, "'!' is not allowed here");
    }
    unsigned width = destination_width(insn);
    if (!lower_destination(lower, &insn->operands[0], width, &d, &widen)) return false;
    if (insn->n_dst == 2) {
        if (insn->op != OP_setp) return lower_refuse(lower, "a second destination is not emulated");
        if (!lower_destination(lower, &insn->operands[1], 0, &d2, &unused)) return false;
    }
    bool combines = insn->op == OP_setp && (insn->boolop != BOOL_NONE || insn->n_dst == 2);
    Step *step = lower_emit(lower, insn->op == OP_set                 ? EXEC_SET
                                   : combines                         ? EXEC_SETP
                                   : n_src > 2 || insn->op == OP_lop3 ? EXEC_ALU_MORE
                                                                      : EXEC_ALU);
    step->alu = alu;
    step->imm = imm;
    step->d = d;
    step->d2 = d2;
    memcpy(step->s, s, sizeof s);
    step->negated = negated;
    lower_finish(lower, d, widen, type_kinds[insn->type] == KIND_SIGNED);
    return true;
}

/* mov.b64 d, {a, b} and mov.b64 {a, b}, s: parts in order from the low bits up. */
static bool lower_vector_move(Lower *lower) {
    const Insn *insn = lower->insn;
    bool pack = insn->n_dst == 1;
    unsigned count = pack ? insn->n_src : insn->n_dst, whole = lower_width(insn->type);
    if (type_bytes[insn->type] > 8 || type_bytes[insn->type] < count)
        return lower_refuse(lower, "vectors of this width are not emulated");
    Slot *parts = ARENA_ARRAY(lower->code->arena, Slot, count), one, widen;
    const Operand *part = &insn->operands[pack ? 1 : 0];
    unsigned part_bytes = type_bytes[insn->type] / count;
    for (unsigned i = 0; i < count; i++) {
        parts[i] = NO_SLOT;
        if (part[i].kind == OPERAND_SINK) continue;
        if (pack ? !lower_source(lower, &part[i], part_bytes == 8 ? 8 : 4, &parts[i])
                 : !lower_destination(lower, &part[i], part_bytes == 8 ? 8 : 4, &parts[i], &widen))
            return false;
    }
    if (pack ? !lower_destination(lower, &insn->operands[0], whole, &one, &widen)
             : !lower_source(lower, &insn->operands[insn->n_dst], whole, &one))
        return false;
    Step *step = lower_emit(lower, pack ? EXEC_PACK : EXEC_UNPACK);
    step->vec = (uint8_t)count;
    step->bytes = (uint8_t)part_bytes;
    step->lane_bytes = (uint8_t)whole;
    step->data = parts;
    if (pack)
        step->d = one;
    else
        step->s[0] = one;
    if (pack) lower_finish(lower, one, widen, false);
    return true;
}

static bool lower_move(Lower *lower) {
    const Insn *insn = lower->insn;
    if (insn->n_dst > 1 || insn->n_src > 1) return lower_vector_move(lower);
    unsigned width = insn->type == TYPE_pred ? 0 : lower_width(insn->type);
    Slot s, d, widen;
    if (!lower_source(lower, &insn->operands[1], width, &s) || !lower_destination(lower, &insn->operands[0], width, &d, &widen))
        return false;
    Step *step = lower_emit(lower, width == 8 ? EXEC_MOVE8 : width == 4 ? EXEC_MOVE4 : EXEC_MOVE_PREDICATE);
    step->s[0] = s;
    step->d = d;
    lower_finish(lower, d, widen, false);
    return true;
}

static uint64_t window_of(Lower *lower, uint8_t space) {
    switch ((Space)space) {
    case SPACE_SHARED: return WINDOW_SHARED;
    case SPACE_LOCAL: return WINDOW_LOCAL;
    case SPACE_PARAM: return lower->function->is_entry ? WINDOW_PARAM : WINDOW_LOCAL;
    case SPACE_CONST: /* constant variables have addresses of their window already */
    case SPACE_GLOBAL:
    case SPACE_GENERIC:
    case SPACE_COUNT: break;
    }
    return 0;
}

static bool lower_cvta(Lower *lower) {
    const Insn *insn = lower->insn;
    Slot s, d, widen;
    unsigned width = lower_width(insn->type);
    if (width != 8) return lower_refuse(lower, "only 64-bit addresses are emulated");
    if (!lower_source(lower, &insn->operands[1], width, &s) || !lower_destination(lower, &insn->operands[0], width, &d, &widen))
        return false;
    Step *step = lower_emit(lower, EXEC_CVTA);
    step->s[0] = s;
    step->d = d;
    step->offset = window_of(lower, insn->space);
    if (insn->variant == CVTA_TO) step->offset = -step->offset;
    return true;
}

static bool lower_isspacep(Lower *lower) {
    const Insn *insn = lower->insn;
    Slot s, d, widen;
    if (!lower_source(lower, &insn->operands[1], 8, &s) || !lower_destination(lower, &insn->operands[0], 0, &d, &widen))
        return false;
    Step *step = lower_emit(lower, EXEC_ISSPACEP);
    step->s[0] = s;
    step->d = d;
    step->space = insn->space;
    return true;
}

/* Instructions in which lanes exchange values, and barriers: sources in order with these widths. */
static bool lower_collective(Lower *lower, Exec exec, const unsigned *widths) {
    const Insn *insn = lower->insn;
    Slot s[4] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT}, d = NO_SLOT, d2 = NO_SLOT, widen = NO_SLOT, unused;
    bool negated = false;
    if (insn->n_src > 4 || insn->n_dst > 2) return lower_refuse(lower, "too many operands");
    for (unsigned i = 0; i < insn->n_src; i++) {
        if (!lower_source(lower, &insn->operands[insn->n_dst + i], widths[i], &s[i])) return false;
        if (insn->operands[insn->n_dst + i].negated) negated = true;
    }
    bool predicate =
        (exec == EXEC_VOTE && insn->variant != VOTE_BALLOT) || (exec == EXEC_BARRIER && insn->variant != BAR_RED_POPC);
    if (insn->n_dst && !lower_destination(lower, &insn->operands[0], predicate ? 0 : 4, &d, &widen)) return false;
    if (insn->n_dst > 1 && !lower_destination(lower, &insn->operands[1], 0, &d2, &unused)) return false;
    Step *step = lower_emit(lower, exec);
    step->d = d;
    step->d2 = d2;
    memcpy(step->s, s, sizeof s);
    step->negated = negated;
    lower_finish(lower, d, widen, false);
    return true;
}

static bool lower_barrier(Lower *lower) {
    const Insn *insn = lower->insn;
    unsigned widths[4] = {4, 4, 4, 4};
    if (insn->variant == BAR_WARP_SYNC) return lower_collective(lower, EXEC_WARP_SYNC, widths);
    if (insn->n_dst) widths[insn->n_src - 1] = 0; /* bar.red: the predicate comes last */
    return lower_collective(lower, EXEC_BARRIER, widths);
}

static bool lower_call(Lower *lower) {
    const CallSite *call = lower->insn->call;
    Slot pointer = NO_SLOT;
    if (call->function == NO_INDEX) {
        if (lower_register_width(lower->function, call->pointer) != 8)
            return lower_refuse(lower, "a function's address has 64 bits");
        pointer = lower->slots[call->pointer];
    }
    Slot *data = ARENA_ARRAY(lower->code->arena, Slot, call->n_arguments + call->n_results + 1);
    for (uint32_t i = 0; i < call->n_arguments; i++) {
        data[i] = NO_SLOT;
        const Operand *argument = &call->arguments[i];
        if (argument->kind != OPERAND_REGISTER && argument->kind != OPERAND_IMMEDIATE) continue;
        unsigned width = argument->kind == OPERAND_REGISTER ? lower_register_width(lower->function, argument->index) : 8;
        if (!width || !lower_source(lower, argument, width, &data[i]))
            return lower_refuse(lower, "a predicate cannot be an argument");
    }
    for (uint32_t i = 0; i < call->n_results; i++)
        data[call->n_arguments + i] =
            call->results[i].kind == OPERAND_REGISTER ? lower->slots[call->results[i].index] : NO_SLOT;
    Step *step = lower_emit(lower, EXEC_CALL);
    step->s[0] = pointer;
    step->data = data;
    return true;
}

static bool lower_warp_class(Lower *lower) {
    const Insn *insn = lower->insn;
    unsigned widths[4] = {4, 4, 4, 4};
    switch ((Opcode)insn->op) {
    case OP_shfl: return lower_collective(lower, EXEC_SHFL, widths);
    case OP_vote: widths[0] = 0; return lower_collective(lower, EXEC_VOTE, widths);
    case OP_match: widths[0] = lower_width(insn->type); return lower_collective(lower, EXEC_MATCH, widths);
    case OP_redux: return lower_collective(lower, EXEC_REDUX, widths);
    case OP_elect: return lower_collective(lower, EXEC_ELECT, widths);
    default: return lower_collective(lower, EXEC_ACTIVEMASK, widths);
    }
}

static bool lower_control_class(Lower *lower) {
    const Insn *insn = lower->insn;
    switch ((Opcode)insn->op) {
    case OP_bra: lower_emit(lower, EXEC_BRANCH); return true;
    case OP_brx: {
        Slot index;
        if (!lower_source(lower, &insn->operands[0], 4, &index)) return false;
        lower_emit(lower, EXEC_BRANCH_TABLE)->s[0] = index;
        return true;
    }
    case OP_call: return lower_call(lower);
    case OP_ret: lower_emit(lower, lower->function->is_entry ? EXEC_EXIT : EXEC_RETURN); return true;
    case OP_exit: lower_emit(lower, EXEC_EXIT); return true;
    default: lower_emit(lower, EXEC_TRAP); return true;
    }
}

bool lower_insn(Lower *lower) {
    const Insn *insn = lower->insn;
    if (lower->known[lower->pc]) {
        bool last = lower->pc + 1 == lower->function->first + lower->function->count;
        if (last || lower->joins[lower->pc + 1] || lower->uncounted >= UNCOUNTED_MAX)
            lower_emit(lower, EXEC_NOTHING);
        else
            lower->uncounted++;
        return true;
    }
    switch ((OpClass)opcode_classes[insn->op]) {
    case CLASS_ALU: return lower_alu(lower);
    case CLASS_MOVE:
        return insn->op == OP_mov ? lower_move(lower) : insn->op == OP_cvta ? lower_cvta(lower) : lower_isspacep(lower);
    case CLASS_MEMORY: return lower_memory_class(lower);
    case CLASS_WARP: return lower_warp_class(lower);
    case CLASS_SYNC:
        if (insn->op == OP_bar || insn->op == OP_barrier) return lower_barrier(lower);
        lower_emit(lower, EXEC_FENCE);
        return true;
    case CLASS_CONTROL: return lower_control_class(lower);
    case CLASS_NOTHING: lower_emit(lower, EXEC_NOTHING); return true;
    }
    return lower_refuse(lower, "unknown class of instruction");
}
