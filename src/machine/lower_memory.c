/* Loads, stores, atomics and asynchronous copies. */
#include "machine/lower.h"

#include <assert.h>

#include "machine/mbarrier.h"
#include "ptx/opcode.h"

/* Address of a memory operand: a slot (or NO_SLOT) and an offset; frame_relative: the offset counts from the frame's local memory. */
static bool address(Lower *lower, const Operand *operand, Slot *slot, uint64_t *offset, uint8_t *slot_bytes,
                    bool *frame_relative) {
    *slot = NO_SLOT;
    *offset = operand->bits;
    *slot_bytes = 8;
    *frame_relative = false;
    if (operand->kind == OPERAND_ADDRESS) {
        *slot = lower->slots[operand->index];
        *slot_bytes = (uint8_t)lower_register_width(lower->function, operand->index);
        return *slot_bytes ? true : lower_refuse(lower, "a predicate is no address");
    }
    if (operand->kind == OPERAND_ADDRESS_IMMEDIATE) return true;
    if (operand->kind != OPERAND_ADDRESS_VARIABLE) return lower_refuse(lower, "an address is wanted here");
    uint64_t base;
    *frame_relative = !lower_variable_address(lower, operand->index, &base);
    *offset += base;
    return true;
}

/* Space in which a load or store with this operand happens. */
static uint8_t memory_space(const Lower *lower, const Operand *operand) {
    const Insn *insn = lower->insn;
    if (insn->space == SPACE_PARAM && operand->kind == OPERAND_ADDRESS)
        return lower->function->is_entry ? SPACE_PARAM : SPACE_LOCAL;
    if (insn->space == SPACE_GENERIC && operand->kind == OPERAND_ADDRESS_VARIABLE)
        return lower->code->program->variables[operand->index].space;
    return insn->space;
}

static bool lower_memory(Lower *lower) {
    const Insn *insn = lower->insn;
    bool load = insn->n_dst > 0;
    unsigned count = load ? insn->n_dst : insn->n_src - 1u;
    const Operand *where = &insn->operands[load ? insn->n_dst : 0], *element = &insn->operands[load ? 0 : 1];
    Slot *data = ARENA_ARRAY(lower->code->arena, Slot, count);
    unsigned lane_bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        data[i] = NO_SLOT;
        if (element[i].kind == OPERAND_SINK && load) continue;
        unsigned width = element[i].kind == OPERAND_REGISTER ? lower_register_width(lower->function, element[i].index)
                                                             : lower_width(insn->type);
        if (!width) return lower_refuse(lower, "a predicate cannot be loaded or stored");
        if (width < lower_width(insn->type)) return lower_refuse(lower, "the register is narrower than the instruction's type");
        if (lane_bytes && width != lane_bytes) return lower_refuse(lower, "the vector's registers differ in width");
        lane_bytes = width;
        if (load)
            data[i] = lower->slots[element[i].index];
        else if (!lower_source(lower, &element[i], width, &data[i]))
            return false;
    }
    Slot slot;
    uint64_t offset;
    uint8_t slot_bytes;
    bool frame_relative;
    if (!address(lower, where, &slot, &offset, &slot_bytes, &frame_relative)) return false;
    uint8_t space = memory_space(lower, where);
    Exec exec = load ? EXEC_LOAD : EXEC_STORE;
    if (space == SPACE_PARAM && frame_relative)
        exec = load ? EXEC_FRAME_LOAD : EXEC_FRAME_STORE;
    else if (space == SPACE_PARAM && slot == NO_SLOT && load)
        exec = EXEC_PARAM;
    Step *step = lower_emit(lower, exec);
    step->space = space;
    step->bytes = type_bytes[insn->type];
    step->lane_bytes = (uint8_t)(lane_bytes ? lane_bytes : lower_width(insn->type));
    step->vec = (uint8_t)count;
    step->whole = (uint8_t)(step->bytes * count);
    step->sign = type_kinds[insn->type] == KIND_SIGNED;
    step->s[0] = slot;
    step->address_bytes = slot_bytes;
    step->offset = offset;
    step->frame_relative = frame_relative;
    step->data = data;
    if (space == SPACE_GLOBAL || space == SPACE_GENERIC) {
        step->after_store = load && lower->stored && lower->repeats[lower->pc] && insn->policy != POLICY_NC;
        lower->stored = !load || (lower->stored && insn->policy == POLICY_NC);
    }
    return true;
}

static bool lower_atomic(Lower *lower) {
    const Insn *insn = lower->insn;
    unsigned width = lower_width(insn->type);
    Slot d = NO_SLOT, widen = NO_SLOT, s[2] = {NO_SLOT, NO_SLOT}, slot;
    uint64_t offset;
    uint8_t slot_bytes;
    bool frame_relative;
    const Operand *where = &insn->operands[insn->n_dst];
    for (unsigned i = 1; i < insn->n_src; i++)
        if (!lower_source(lower, &where[i], width, &s[i - 1])) return false;
    if (insn->n_dst && insn->operands[0].kind != OPERAND_SINK &&
        !lower_destination(lower, &insn->operands[0], width, &d, &widen))
        return false;
    if (!address(lower, where, &slot, &offset, &slot_bytes, &frame_relative)) return false;
    Step *step = lower_emit(lower, EXEC_ATOM);
    step->space = memory_space(lower, where);
    step->bytes = step->whole = type_bytes[insn->type];
    step->d = d;
    step->s[0] = slot;
    step->s[1] = s[0];
    step->s[2] = s[1];
    step->address_bytes = slot_bytes;
    step->offset = offset;
    step->frame_relative = frame_relative;
    lower_finish(lower, d, widen, type_kinds[insn->type] == KIND_SIGNED);
    return true;
}

/* Sources: an address, but of pending_count; then a count, a state or a parity, lane_bytes wide, where there is one. */
static bool lower_mbarrier(Lower *lower) {
    const Insn *insn = lower->insn;
    const bool waits = mbarrier_is_wait(insn);
    const bool counts = insn->variant == MBARRIER_PENDING_COUNT, by_state = counts || (waits && !(insn->flags & INSN_PARITY));
    const Operand *source = &insn->operands[insn->n_dst + !counts];
    Slot d = NO_SLOT, widen = NO_SLOT, value = NO_SLOT, slot = NO_SLOT;
    uint64_t offset = 0;
    uint8_t slot_bytes = 8;
    bool relative;
    if (insn->n_src > !counts && !lower_source(lower, source, by_state ? 8 : 4, &value)) return false;
    if (insn->n_dst && insn->operands[0].kind != OPERAND_SINK &&
        !lower_destination(lower, &insn->operands[0],
                           waits    ? 0
                           : counts ? 4
                                    : 8,
                           &d, &widen))
        return false;
    if (!counts && !address(lower, &insn->operands[insn->n_dst], &slot, &offset, &slot_bytes, &relative)) return false;
    Step *step = lower_emit(lower, EXEC_MBARRIER);
    if (!counts) step->space = memory_space(lower, &insn->operands[insn->n_dst]);
    step->whole = MBARRIER_BYTES;
    step->lane_bytes = by_state ? 8 : 4;
    step->d = d;
    step->s[0] = slot;
    step->s[1] = value;
    step->address_bytes = slot_bytes;
    step->offset = offset;
    lower_finish(lower, d, widen, false);
    return true;
}

static bool lower_matrix(Lower *lower) {
    const Insn *insn = lower->insn;
    const bool loads = insn->op == OP_ldmatrix;
    const Operand *where = &insn->operands[loads ? insn->vec : 0], *element = &insn->operands[loads ? 0 : 1];
    Slot *data = ARENA_ARRAY(lower->code->arena, Slot, insn->vec), slot;
    uint64_t offset;
    uint8_t slot_bytes;
    bool relative;
    for (unsigned i = 0; i < insn->vec; i++) {
        data[i] = loads && element[i].kind != OPERAND_SINK ? lower->slots[element[i].index] : NO_SLOT;
        if (!loads && !lower_source(lower, &element[i], 4, &data[i])) return false;
    }
    if (!address(lower, where, &slot, &offset, &slot_bytes, &relative)) return false;
    Step *step = lower_emit(lower, EXEC_MATRIX);
    step->space = memory_space(lower, where);
    step->whole = MATRIX_ROW_BYTES;
    step->bytes = step->lane_bytes = 4;
    step->vec = insn->vec;
    step->s[0] = slot;
    step->address_bytes = slot_bytes;
    step->offset = offset;
    step->data = data;
    return true;
}

/* The object's operand and what stands in registers beside it: the elements, the layer and the coordinates. */
static bool lower_texel(Lower *lower) {
    const Insn *insn = lower->insn;
    const bool texture = insn->op == OP_tex || insn->op == OP_tld4;
    const unsigned at = geometry_dimensions(insn->geometry) + geometry_layered(insn->geometry);
    const Operand *object = &insn->operands[insn->n_dst], *element = insn->n_dst ? insn->operands : object + 1 + at;
    Slot *data = ARENA_ARRAY(lower->code->arena, Slot, insn->vec + at), handle;
    const unsigned width = lower_width(insn->type);
    if (!lower_source(lower, object, 8, &handle)) return false;
    for (unsigned i = 0; i < insn->vec; i++) {
        data[i] = NO_SLOT;
        if (element[i].kind == OPERAND_SINK) continue;
        if (element[i].kind == OPERAND_REGISTER && lower_register_width(lower->function, element[i].index) != width)
            return lower_refuse(lower, "the register is wider than the element");
        if (insn->n_dst)
            data[i] = lower->slots[element[i].index];
        else if (!lower_source(lower, &element[i], width, &data[i]))
            return false;
    }
    for (unsigned i = 0; i < at; i++)
        if (!lower_source(lower, &object[1 + i], 4, &data[insn->vec + i])) return false;
    Step *step = lower_emit(lower, texture ? EXEC_TEXTURE : EXEC_SURFACE);
    step->space = SPACE_GLOBAL;
    step->bytes = type_bytes[insn->type];
    step->lane_bytes = (uint8_t)width;
    step->vec = insn->vec;
    step->whole = (uint8_t)(step->bytes * insn->vec);
    step->s[0] = handle;
    step->data = data;
    return true;
}

static AsyncCopy *copy_new(Lower *lower) {
    const CopyPlace none = {.slot = NO_SLOT, .slot_bytes = 8};
    AsyncCopy *copy = ARENA_NEW(lower->code->arena, AsyncCopy);
    *copy = (AsyncCopy){.to = none, .from = none, .barrier = none, .size = NO_SLOT, .mask = NO_SLOT, .map = none};
    for (unsigned d = 0; d < TENSOR_DIMENSIONS; d++) copy->at[d] = NO_SLOT;
    return copy;
}

static bool copy_place(Lower *lower, const Operand *operand, CopyPlace *place) {
    bool relative;
    return address(lower, operand, &place->slot, &place->offset, &place->slot_bytes, &relative);
}

/* What names the blocks that get the copy, behind all else. */
static bool copy_mask(Lower *lower, const Operand *operand, AsyncCopy *copy) {
    return !(lower->insn->flags & INSN_MULTICAST) || lower_source(lower, operand, 4, &copy->mask);
}

/* {[to], }[map, {coordinates}]{, [from]}{, [barrier]} */
static bool lower_tensor(Lower *lower) {
    const Insn *insn = lower->insn;
    const bool outside = insn->flags & INSN_FROM_SHARED, prefetches = insn->variant == BULK_PREFETCH;
    const Operand *operand = insn->operands;
    AsyncCopy *copy = copy_new(lower);
    if (!outside && !prefetches && !copy_place(lower, operand++, &copy->to)) return false;
    if (!copy_place(lower, operand++, &copy->map)) return false;
    for (unsigned d = 0; d < insn->vec; d++)
        if (!lower_source(lower, operand++, 4, &copy->at[d])) return false;
    if (outside && !copy_place(lower, operand, &copy->from)) return false;
    if (!outside && !prefetches && !copy_place(lower, operand++, &copy->barrier)) return false;
    if (!copy_mask(lower, operand, copy)) return false;
    lower_emit(lower, EXEC_TENSOR)->copy = copy;
    return true;
}

/* [to], [from], size{, [barrier]}; a prefetch has no `to` */
static bool lower_bulk(Lower *lower) {
    const Insn *insn = lower->insn;
    const Operand *operand = insn->operands;
    if (insn->flags & INSN_TENSOR) return lower_tensor(lower);
    if (insn->variant >= BULK_COMMIT) {
        lower_emit(lower, EXEC_ASYNC_GROUP)->imm = insn->n_src ? (uint32_t)operand->bits : 0;
        return true;
    }
    AsyncCopy *copy = copy_new(lower);
    if (insn->variant != BULK_PREFETCH && !copy_place(lower, operand++, &copy->to)) return false;
    if (!copy_place(lower, operand++, &copy->from) || !lower_source(lower, operand++, 4, &copy->size)) return false;
    if (operand < insn->operands + insn->n_src && !copy_place(lower, operand++, &copy->barrier)) return false;
    if (!copy_mask(lower, operand, copy)) return false;
    Step *step = lower_emit(lower, EXEC_BULK);
    step->copy = copy;
    step->bytes = type_bytes[insn->type];
    return true;
}

static bool lower_async_copy(Lower *lower) {
    const Insn *insn = lower->insn;
    if (insn->variant == CP_ASYNC_ARRIVE || insn->variant == CP_ASYNC_ARRIVE_NOINC) return lower_mbarrier(lower);
    if (insn->variant != CP_ASYNC_COPY) {
        lower_emit(lower, EXEC_ASYNC_GROUP)->imm = insn->n_src ? (uint32_t)insn->operands[0].bits : 0;
        return true;
    }
    AsyncCopy *copy = copy_new(lower);
    if (!copy_place(lower, &insn->operands[0], &copy->to) || !copy_place(lower, &insn->operands[1], &copy->from)) return false;
    copy->bytes = (uint32_t)insn->operands[2].bits;
    if (insn->operands[2].kind != OPERAND_IMMEDIATE || (copy->bytes != 4 && copy->bytes != 8 && copy->bytes != 16))
        return lower_refuse(lower, "it copies 4, 8 or 16 bytes");
    if (insn->n_src > 3 && !lower_source(lower, &insn->operands[3], 4, &copy->size)) return false;
    Step *step = lower_emit(lower, EXEC_CP_ASYNC);
    step->copy = copy;
    step->whole = (uint8_t)copy->bytes;
    return true;
}

/* A store, or an update, and the completion of its bytes on the mbarrier, the last operand: two steps of one instruction. */
static bool lower_remote_async(Lower *lower) {
    const Insn *insn = lower->insn;
    const bool stores = insn->op == OP_st_async;
    Arena *arena = lower->code->arena;
    Insn *access = ARENA_NEW(arena, Insn), *completes = ARENA_NEW(arena, Insn);
    Operand *operands = ARENA_ARRAY(arena, Operand, 2);
    *access = *insn;
    access->op = stores ? OP_st : OP_red;
    access->n_src--;
    operands[0] = insn->operands[insn->n_src - 1];
    operands[1] = (Operand){.kind = OPERAND_IMMEDIATE, .bits = (uint64_t)type_bytes[insn->type] * insn->vec};
    *completes = *insn;
    completes->op = OP_mbarrier;
    completes->variant = MBARRIER_COMPLETE_TX;
    completes->type = TYPE_b64;
    completes->order = ORDER_RELEASE;
    completes->operands = operands;
    completes->n_src = 2;
    lower->insn = access;
    bool fine = stores ? lower_memory(lower) : lower_atomic(lower);
    lower->insn = completes;
    fine = fine && lower_mbarrier(lower);
    if (fine) lower->code->steps[lower->code->n_steps - 1].weight = 0;
    lower->insn = insn;
    return fine;
}

bool lower_memory_class(Lower *lower) {
    const uint8_t op = lower->insn->op;
    if (op == OP_st_async || op == OP_red_async) return lower_remote_async(lower);
    if (op == OP_atom || op == OP_red) return lower_atomic(lower);
    if (op == OP_cp_async) return lower_async_copy(lower);
    if (op == OP_cp_bulk) return lower_bulk(lower);
    if (op == OP_ldmatrix || op == OP_stmatrix) return lower_matrix(lower);
    if (op == OP_mbarrier) return lower_mbarrier(lower);
    if (op == OP_tex || op == OP_tld4 || op == OP_suld || op == OP_sust) return lower_texel(lower);
    assert(op == OP_ld || op == OP_ldu || op == OP_st);
    return lower_memory(lower);
}
