/* Every class of instructions but those on memory. */
#include "machine/lower.h"

#include "machine/collective.h"
#include "ptx/opcode.h"

#include <string.h>

enum { UNCOUNTED_MAX = 100 };

/* Of an fma that was made of a product and a sum: the slot, negated. */
static Slot lower_negated(Lower *lower, Slot slot) {
    const Insn negate = {.op = OP_neg, .type = lower->insn->type};
    const Slot result = lower_scratch(lower);
    Step *step = lower_emit_helper(lower, EXEC_ALU);
    step->alu = alu_select(&negate, lower->diag);
    step->s[0] = slot;
    step->d = result;
    return result;
}

static bool lower_alu(Lower *lower) {
    const Insn *insn = lower->insn;
    Alu *alu = alu_select(insn, lower->diag);
    if (!alu) return false;
    Slot s[4] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT}, d, widen, d2 = NO_SLOT, unused;
    uint32_t imm = 0;
    bool negated = false, more = insn->n_src > 2;
    for (unsigned i = 0; i < insn->n_src; i++) {
        const unsigned index = insn->n_dst + i;
        const Operand *operand = &insn->operands[index];
        negated |= operand->negated;
        if (insn_letter(insn, index) == 'i') {
            imm = (uint32_t)operand->bits;
            more = true;
        } else if (!lower_source(lower, operand, lower_operand_width(insn, index), &s[i])) {
            return false;
        }
    }
    if (insn->variant == FMA_NEGATES_PRODUCT || insn->variant == FMA_NEGATES_BOTH) s[0] = lower_negated(lower, s[0]);
    if (insn->variant == FMA_NEGATES_ADDEND || insn->variant == FMA_NEGATES_BOTH) s[2] = lower_negated(lower, s[2]);
    if (!lower_destination(lower, &insn->operands[0], lower_operand_width(insn, 0), &d, &widen)) return false;
    if (insn->n_dst == 2 && !lower_destination(lower, &insn->operands[1], 0, &d2, &unused)) return false;
    bool combines = insn->op == OP_setp && (insn->boolop != BOOL_NONE || insn->n_dst == 2);
    Step *step = lower_emit(lower, insn->op == OP_set ? EXEC_SET : combines ? EXEC_SETP : more ? EXEC_ALU_MORE : EXEC_ALU);
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

/* In a function as well cvta.param is of a kernel's parameters: an H100 finds no parameter of its own by it. */
static uint64_t window_of(uint8_t space) {
    switch ((Space)space) {
    case SPACE_SHARED: return WINDOW_SHARED;
    case SPACE_LOCAL: return WINDOW_LOCAL;
    case SPACE_PARAM: return WINDOW_PARAM;
    case SPACE_CONST: return WINDOW_CONST;
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
    step->offset = window_of(insn->space);
    if (insn->variant == CVTA_TO) step->offset = -step->offset;
    return true;
}

/* mapa d, a, rank; getctarank d, a */
static bool lower_cluster_address(Lower *lower, Exec exec) {
    const Insn *insn = lower->insn;
    const unsigned width = lower_width(insn->type);
    Slot s, rank = NO_SLOT, d, widen;
    if (!lower_source(lower, &insn->operands[1], width, &s)) return false;
    if (exec == EXEC_MAPA && !lower_source(lower, &insn->operands[2], 4, &rank)) return false;
    if (!lower_destination(lower, &insn->operands[0], exec == EXEC_MAPA ? width : 4, &d, &widen)) return false;
    Step *step = lower_emit(lower, exec);
    step->s[0] = s;
    step->s[1] = rank;
    step->d = d;
    step->lane_bytes = (uint8_t)width;
    lower_finish(lower, d, widen, false);
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

/* The slot's lanes are an immediate of all ones. */
static bool is_all_ones(const Lower *lower, Slot slot) {
    return SLOT_AREA(slot) == AREA_CONSTANT && *(const uint32_t *)(lower->code->constants + SLOT_OFFSET(slot)) == UINT32_MAX;
}

/* Instructions in which lanes exchange values, and barriers, whose operands have 32 bits but for the predicate of bar.red, the last. */
static bool lower_collective(Lower *lower, Exec exec) {
    const Insn *insn = lower->insn;
    Slot s[4] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT}, d = NO_SLOT, d2 = NO_SLOT, widen = NO_SLOT, unused;
    bool negated = false;
    for (unsigned i = 0; i < insn->n_src; i++) {
        const unsigned index = insn->n_dst + i;
        const bool reduced = exec == EXEC_BARRIER && insn->n_dst && i + 1u == insn->n_src;
        if (!lower_source(lower, &insn->operands[index], reduced ? 0 : lower_operand_width(insn, index), &s[i])) return false;
        negated |= insn->operands[index].negated;
    }
    unsigned width = exec == EXEC_BARRIER ? lower_width(insn->type) : lower_operand_width(insn, 0);
    if (insn->n_dst && !lower_destination(lower, &insn->operands[0], width, &d, &widen)) return false;
    if (insn->n_dst > 1 && !lower_destination(lower, &insn->operands[1], 0, &d2, &unused)) return false;
    Step *step = lower_emit(lower, exec);
    step->d = d;
    step->d2 = d2;
    memcpy(step->s, s, sizeof s);
    step->negated = negated;
    step->names_all = is_all_ones(lower, collective_mask(step));
    lower_finish(lower, d, widen, false);
    return true;
}

static bool lower_mma(Lower *lower) {
    const Insn *insn = lower->insn;
    Slot *data = ARENA_ARRAY(lower->code->arena, Slot, insn->n_dst + insn->n_src);
    for (unsigned i = 0; i < insn->n_dst; i++) data[i] = lower->slots[insn->operands[i].index];
    for (unsigned i = insn->n_dst; i < (unsigned)insn->n_dst + insn->n_src; i++)
        if (!lower_source(lower, &insn->operands[i], 4, &data[i])) return false;
    lower_emit(lower, EXEC_MMA)->data = data;
    return true;
}

/* txq d, [t] */
static bool lower_query(Lower *lower) {
    Slot s, d, widen;
    if (!lower_source(lower, &lower->insn->operands[1], 8, &s) ||
        !lower_destination(lower, &lower->insn->operands[0], 4, &d, &widen))
        return false;
    Step *step = lower_emit(lower, EXEC_TEXTURE_QUERY);
    step->s[0] = s;
    step->d = d;
    return true;
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

static bool lower_branch_table(Lower *lower) {
    Slot index;
    if (!lower_source(lower, &lower->insn->operands[0], 4, &index)) return false;
    lower_emit(lower, EXEC_BRANCH_TABLE)->s[0] = index;
    return true;
}

/* One step, which needs no operands. */
static bool lower_plain(Lower *lower, Exec exec) {
    lower_emit(lower, exec);
    return true;
}

void lower_trace(Lower *lower) {
    const Insn *insn = lower->insn;
    Slot *written = ARENA_ARRAY(lower->code->arena, Slot, insn->n_dst + 1u);
    for (unsigned k = 0; k < insn->n_dst; k++)
        written[k] = insn->operands[k].kind == OPERAND_REGISTER ? lower->slots[insn->operands[k].index] : NO_SLOT;
    Step *step = lower_emit_helper(lower, EXEC_TRACE);
    step->pc = lower->pc;
    step->s[0] = step->guard;
    step->guard_is = GUARD_NONE;
    step->vec = insn->n_dst;
    step->data = written;
}

/* Labels for the classes whose opcodes are all lowered alike, so that the compiler names an opcode that has no case below. */
#define REFUSED(name, reason)
#define OP(name, class, ...) LABEL_##class(name)
#define LABEL_ALU(name) case OP_##name:
#define LABEL_NOTHING(name) case OP_##name:
#define LABEL_MOVE(name)
#define LABEL_MEMORY(name)
#define LABEL_WARP(name)
#define LABEL_SYNC(name)
#define LABEL_CONTROL(name)

bool lower_insn(Lower *lower) {
    const Insn *insn = lower->insn;
    if (lower->known[lower->pc]) {
        if (lower->entered[lower->pc + 1] ||
            lower->uncounted >= UNCOUNTED_MAX) /* no function ends with it, but by a ret or exit */
            lower_emit(lower, EXEC_NOTHING);
        else
            lower->uncounted++;
        return true;
    }
    switch ((Opcode)insn->op) {
#include "ptx/opcodes.def"
        return opcode_classes[insn->op] == CLASS_ALU ? lower_alu(lower) : lower_plain(lower, EXEC_NOTHING);
    case OP_mov: return lower_move(lower);
    case OP_cvta: return lower_cvta(lower);
    case OP_isspacep: return lower_isspacep(lower);
    case OP_mapa: return lower_cluster_address(lower, EXEC_MAPA);
    case OP_getctarank: return lower_cluster_address(lower, EXEC_GETCTARANK);
    case OP_barrier_cluster:
        return lower_plain(lower, insn->variant == CLUSTER_ARRIVE ? EXEC_CLUSTER_ARRIVE : EXEC_CLUSTER_WAIT);
    case OP_ld:
    case OP_ldu:
    case OP_st:
    case OP_atom:
    case OP_red:
    case OP_ldmatrix:
    case OP_stmatrix:
    case OP_tex:
    case OP_tld4:
    case OP_suld:
    case OP_sust:
    case OP_cp_async:
    case OP_cp_bulk:
    case OP_st_async:
    case OP_red_async:
    case OP_mbarrier: return lower_memory_class(lower);
    case OP_mma: return lower_mma(lower);
    case OP_txq:
    case OP_suq: return lower_query(lower);
    case OP_shfl: return lower_collective(lower, EXEC_SHFL);
    case OP_vote: return lower_collective(lower, EXEC_VOTE);
    case OP_match: return lower_collective(lower, EXEC_MATCH);
    case OP_redux: return lower_collective(lower, EXEC_REDUX);
    case OP_elect: return lower_collective(lower, EXEC_ELECT);
    case OP_wmma: return lower_collective(lower, EXEC_WHOLE);
    case OP_activemask: return lower_collective(lower, EXEC_ACTIVEMASK);
    case OP_bar:
    case OP_barrier: return lower_collective(lower, insn->variant == BAR_WARP_SYNC ? EXEC_WARP_SYNC : EXEC_BARRIER);
    case OP_membar:
    case OP_fence: return lower_plain(lower, EXEC_FENCE);
    case OP_fence_proxy: return lower_plain(lower, EXEC_ASYNC_GROUP);
    case OP_bra: return lower_plain(lower, EXEC_BRANCH);
    case OP_brx: return lower_branch_table(lower);
    case OP_call: return lower_call(lower);
    case OP_ret: return lower_plain(lower, lower->function->is_entry ? EXEC_EXIT : EXEC_RETURN);
    case OP_exit: return lower_plain(lower, EXEC_EXIT);
    case OP_trap: return lower_plain(lower, EXEC_TRAP);
    case OP_COUNT: break;
    }
    return lower_refuse(lower, "unknown opcode");
}
