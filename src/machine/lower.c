#include "machine/lower.h"

#include <string.h>

unsigned lower_register_width(const Function *function, uint32_t index) {
    uint8_t type = function->registers[index].type;
    if (type == TYPE_pred) return 0;
    return type_bytes[type] == 8 ? 8 : 4;
}

static bool refuse(Lower *lower, const char *what) {
    return diag_error(lower->diag, lower->code->program->name, lower->insn->line, 0, "'%s': %s", opcode_names[lower->insn->op],
                      what);
}

/* A new step with the instruction's guard. Valid until the next one. */
static Step *emit(Lower *lower, Exec exec) {
    Code *code = lower->code;
    code->steps = arena_grow(code->arena, code->steps, code->n_steps, &lower->step_capacity, sizeof *code->steps);
    Step *step = &code->steps[code->n_steps++];
    memset(step, 0, sizeof *step);
    step->exec = (uint8_t)exec;
    step->insn = lower->insn;
    step->pc = lower->pc;
    step->vec = 1;
    step->d = step->d2 = NO_SLOT;
    for (int i = 0; i < 4; i++) step->s[i] = NO_SLOT;
    step->target = step->reconverge = NO_INSN;
    if (lower->insn->guarded) {
        step->guard_is = lower->insn->guard_negated ? GUARD_FALSE : GUARD_TRUE;
        step->guard = lower->slots[lower->insn->guard];
    }
    return step;
}

/* A step that the lowering adds; it is not counted as an instruction. */
static Step *emit_helper(Lower *lower, Exec exec) {
    Step *step = emit(lower, exec);
    step->pc = NO_INSN;
    return step;
}

static Slot scratch(Lower *lower) {
    return lower->code->scratch + lower->scratch_used++ % LOWER_SCRATCH_SLOTS * 8 * WARP_LANES;
}

static bool is_clock(uint32_t special) {
    return special == SPECIAL_clock || special == SPECIAL_clock_hi || special == SPECIAL_clock64 ||
           special == SPECIAL_globaltimer || special == SPECIAL_globaltimer_lo || special == SPECIAL_globaltimer_hi;
}

/* The slot of a special register, as 4-byte lanes. Clocks are read anew each time. */
static Slot special_slot(Lower *lower, uint32_t special, unsigned *width) {
    Code *code = lower->code;
    if (is_clock(special)) {
        Slot slot = scratch(lower);
        Step *step = emit_helper(lower, EXEC_CLOCK);
        step->imm = special;
        step->d = slot;
        *width = 8;
        return slot;
    }
    if (code->specials[special] == NO_SLOT) {
        code->specials[special] = SLOT(AREA_WARP, code->warp_area_bytes);
        code->warp_area_bytes += 4 * WARP_LANES;
    }
    *width = 4;
    return code->specials[special];
}

/* True for the formal parameters of a kernel, which live in the launch's parameter block, not in a frame. */
static bool is_kernel_param(const Lower *lower, uint32_t index) {
    if (!lower->function->is_entry) return false;
    for (uint32_t i = 0; i < lower->function->n_params; i++)
        if (lower->function->params[i] == index) return true;
    return false;
}

/* Address of a variable as its own space has it, when it is the same for all warps. False for variables in a frame: the address is
 * then an offset in the frame's local memory. */
static bool variable_address(const Lower *lower, uint32_t index, uint64_t *address) {
    const Variable *variable = &lower->code->program->variables[index];
    *address = variable->offset;
    switch ((Space)variable->space) {
    case SPACE_SHARED: *address = lower->code->shared_offset[index]; return true;
    case SPACE_GLOBAL:
    case SPACE_CONST: *address = lower->code->module->variables[index]->address; return true;
    case SPACE_PARAM: return is_kernel_param(lower, index);
    case SPACE_LOCAL:
    case SPACE_GENERIC:
    case SPACE_COUNT: break;
    }
    return false;
}

static Slot resize(Lower *lower, Slot slot, unsigned have, unsigned want) {
    if (have == want) return slot;
    Slot result = scratch(lower);
    Step *step = emit_helper(lower, want == 4 ? EXEC_NARROW : EXEC_WIDEN);
    step->guard_is = GUARD_NONE;
    step->s[0] = slot;
    step->d = result;
    return result;
}

/* The slot from which a source operand is read with lanes of this width (0: a predicate). */
static bool source(Lower *lower, const Operand *operand, unsigned width, Slot *slot) {
    switch ((OperandKind)operand->kind) {
    case OPERAND_REGISTER: {
        unsigned have = lower_register_width(lower->function, operand->index);
        if ((have == 0) != (width == 0)) return refuse(lower, "a predicate and a value are mixed up");
        *slot = resize(lower, lower->slots[operand->index], have, width);
        return true;
    }
    case OPERAND_IMMEDIATE:
        *slot = lower_immediate(lower, width == 4 ? (uint32_t)operand->bits : operand->bits, width);
        return true;
    case OPERAND_SPECIAL: {
        unsigned have;
        Slot special = special_slot(lower, operand->index, &have);
        if (!width) return refuse(lower, "a special register is no predicate");
        *slot = resize(lower, special, have, width);
        return true;
    }
    case OPERAND_FUNCTION:
        *slot = lower_immediate(lower, WINDOW_FUNCTION + 16 * ((uint64_t)operand->index + 1), width);
        return true;
    case OPERAND_VARIABLE: {
        uint64_t address;
        if (variable_address(lower, operand->index, &address)) {
            *slot = lower_immediate(lower, address + operand->bits, width);
            return true;
        }
        Slot result = scratch(lower);
        Step *step = emit_helper(lower, EXEC_LOCAL_ADDRESS);
        step->offset = address + operand->bits;
        step->d = result;
        *slot = resize(lower, result, 8, width);
        return true;
    }
    case OPERAND_ADDRESS:
    case OPERAND_ADDRESS_VARIABLE:
    case OPERAND_ADDRESS_IMMEDIATE:
    case OPERAND_SINK: break;
    }
    return refuse(lower, "this operand is no value");
}

/* Where a destination is written with lanes of this width. *widen gets the register's own slot when that is wider. */
static bool destination(Lower *lower, const Operand *operand, unsigned width, Slot *slot, Slot *widen) {
    *widen = NO_SLOT;
    if (operand->kind == OPERAND_SINK) {
        *slot = scratch(lower);
        return true;
    }
    if (operand->kind != OPERAND_REGISTER) return refuse(lower, "the destination is no register");
    unsigned have = lower_register_width(lower->function, operand->index);
    if (have == width) {
        *slot = lower->slots[operand->index];
        return true;
    }
    if (have != 8 || width != 4) return refuse(lower, "the destination register does not fit the instruction's type");
    *slot = scratch(lower);
    *widen = lower->slots[operand->index];
    return true;
}

static void finish_widening(Lower *lower, Slot from, Slot to, bool sign) {
    if (to == NO_SLOT) return;
    Step *step = emit_helper(lower, sign ? EXEC_WIDEN_SIGNED : EXEC_WIDEN);
    step->s[0] = from;
    step->d = to;
}

static unsigned width_of(uint8_t type) { return type == TYPE_pred ? 0 : type_bytes[type] == 8 ? 8 : 4; }

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
    case OP_mad: return insn->mode == MODE_WIDE && type_bytes[insn->type] == 4 ? 8 : width_of(insn->type);
    default: return width_of(insn->type);
    }
}

static unsigned source_width(const Insn *insn, unsigned i) {
    switch ((Opcode)insn->op) {
    case OP_cvt: return width_of(insn->type2);
    case OP_set: return i == 2 ? 0 : width_of(insn->type2);
    case OP_setp: return i == 2 ? 0 : width_of(insn->type);
    case OP_selp: return i == 2 ? 0 : width_of(insn->type);
    case OP_slct: return i == 2 ? width_of(insn->type2) : width_of(insn->type);
    case OP_shl:
    case OP_shr: return i == 1 ? 4 : width_of(insn->type);
    case OP_bfe: return i >= 1 ? 4 : width_of(insn->type);
    case OP_bfi: return i >= 2 ? 4 : width_of(insn->type);
    case OP_fns:
    case OP_dp4a:
    case OP_dp2a:
    case OP_szext:
    case OP_bmsk:
    case OP_shf: return 4;
    case OP_mul:
    case OP_mad: return i == 2 ? destination_width(insn) : width_of(insn->type);
    default: return width_of(insn->type);
    }
}

static bool lower_alu(Lower *lower) {
    const Insn *insn = lower->insn;
    Alu *alu = alu_select(insn, lower->diag);
    if (!alu) return false;
    unsigned n_src = insn->n_src;
    uint32_t imm = 0;
    if (insn->op == OP_lop3) imm = (uint32_t)insn->operands[insn->n_dst + --n_src].bits;
    if (n_src > 4 || insn->n_dst > 2 || !insn->n_dst) return refuse(lower, "operands of this form are not emulated");
    Slot s[4] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT}, d, widen, d2 = NO_SLOT, unused;
    bool negated = false;
    for (unsigned i = 0; i < n_src; i++) {
        const Operand *operand = &insn->operands[insn->n_dst + i];
        if (!source(lower, operand, source_width(insn, i), &s[i])) return false;
        if (operand->negated && (insn->op == OP_setp || insn->op == OP_set) && i == 2)
            negated = true;
        else if (operand->negated)
            return refuse(lower, "'!' is not allowed here");
    }
    unsigned width = destination_width(insn);
    if (!destination(lower, &insn->operands[0], width, &d, &widen)) return false;
    if (insn->n_dst == 2) {
        if (insn->op != OP_setp) return refuse(lower, "a second destination is not emulated");
        if (!destination(lower, &insn->operands[1], 0, &d2, &unused)) return false;
    }
    Step *step = emit(lower, insn->op == OP_setp || insn->op == OP_testp ? EXEC_SETP
                             : insn->op == OP_set                        ? EXEC_SET
                                                                         : EXEC_ALU);
    step->alu = alu;
    step->imm = imm;
    step->d = d;
    step->d2 = d2;
    memcpy(step->s, s, sizeof s);
    step->negated = negated;
    finish_widening(lower, d, widen, type_kinds[insn->type] == KIND_SIGNED);
    return true;
}

static Slot *element_slots(Lower *lower, unsigned count) { return ARENA_ARRAY(lower->code->arena, Slot, count); }

/* mov.b64 d, {a, b} and mov.b64 {a, b}, s: parts in order from the low bits up. */
static bool lower_vector_move(Lower *lower) {
    const Insn *insn = lower->insn;
    bool pack = insn->n_dst == 1;
    unsigned count = pack ? insn->n_src : insn->n_dst, whole = width_of(insn->type);
    if (type_bytes[insn->type] > 8 || type_bytes[insn->type] < count)
        return refuse(lower, "vectors of this width are not emulated");
    Slot *parts = element_slots(lower, count), one, widen;
    const Operand *part = &insn->operands[pack ? 1 : 0];
    unsigned part_bytes = type_bytes[insn->type] / count;
    for (unsigned i = 0; i < count; i++) {
        parts[i] = NO_SLOT;
        if (part[i].kind == OPERAND_SINK) continue;
        if (pack ? !source(lower, &part[i], part_bytes == 8 ? 8 : 4, &parts[i])
                 : !destination(lower, &part[i], part_bytes == 8 ? 8 : 4, &parts[i], &widen))
            return false;
    }
    if (pack ? !destination(lower, &insn->operands[0], whole, &one, &widen)
             : !source(lower, &insn->operands[insn->n_dst], whole, &one))
        return false;
    Step *step = emit(lower, pack ? EXEC_PACK : EXEC_UNPACK);
    step->vec = (uint8_t)count;
    step->bytes = (uint8_t)part_bytes;
    step->lane_bytes = (uint8_t)whole;
    step->data = parts;
    if (pack)
        step->d = one;
    else
        step->s[0] = one;
    if (pack) finish_widening(lower, one, widen, false);
    return true;
}

static bool lower_move(Lower *lower) {
    const Insn *insn = lower->insn;
    if (insn->n_dst > 1 || insn->n_src > 1) return lower_vector_move(lower);
    unsigned width = insn->type == TYPE_pred ? 0 : width_of(insn->type);
    Slot s, d, widen;
    if (!source(lower, &insn->operands[1], width, &s) || !destination(lower, &insn->operands[0], width, &d, &widen))
        return false;
    Step *step = emit(lower, width == 8 ? EXEC_MOVE8 : width == 4 ? EXEC_MOVE4 : EXEC_MOVE_PREDICATE);
    step->s[0] = s;
    step->d = d;
    finish_widening(lower, d, widen, false);
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
    unsigned width = width_of(insn->type);
    if (width != 8) return refuse(lower, "only 64-bit addresses are emulated");
    if (!source(lower, &insn->operands[1], width, &s) || !destination(lower, &insn->operands[0], width, &d, &widen))
        return false;
    Step *step = emit(lower, EXEC_CVTA);
    step->s[0] = s;
    step->d = d;
    step->offset = window_of(lower, insn->space);
    if (insn->variant == CVTA_TO) step->offset = -step->offset;
    return true;
}

static bool lower_isspacep(Lower *lower) {
    const Insn *insn = lower->insn;
    Slot s, d, widen;
    if (!source(lower, &insn->operands[1], 8, &s) || !destination(lower, &insn->operands[0], 0, &d, &widen)) return false;
    Step *step = emit(lower, EXEC_ISSPACEP);
    step->s[0] = s;
    step->d = d;
    step->space = insn->space;
    return true;
}

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
        return *slot_bytes ? true : refuse(lower, "a predicate is no address");
    }
    if (operand->kind == OPERAND_ADDRESS_IMMEDIATE) return true;
    if (operand->kind != OPERAND_ADDRESS_VARIABLE) return refuse(lower, "an address is wanted here");
    uint64_t base;
    *frame_relative = !variable_address(lower, operand->index, &base);
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
    if (type_bytes[insn->type] > 8 || insn->type == TYPE_pred) return refuse(lower, "accesses of this type are not emulated");
    if (count > 8 || count * type_bytes[insn->type] > 32) return refuse(lower, "vectors of this width are not emulated");
    Slot *data = element_slots(lower, count);
    unsigned lane_bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        data[i] = NO_SLOT;
        if (element[i].kind == OPERAND_SINK && load) continue;
        unsigned width = element[i].kind == OPERAND_REGISTER ? lower_register_width(lower->function, element[i].index)
                                                             : width_of(insn->type);
        if (!width) return refuse(lower, "a predicate cannot be loaded or stored");
        if (width < width_of(insn->type)) return refuse(lower, "the register is narrower than the instruction's type");
        if (lane_bytes && width != lane_bytes) return refuse(lower, "the vector's registers differ in width");
        lane_bytes = width;
        if (load)
            data[i] = lower->slots[element[i].index];
        else if (!source(lower, &element[i], width, &data[i]))
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
    Step *step = emit(lower, exec);
    step->space = space;
    step->bytes = type_bytes[insn->type];
    step->lane_bytes = (uint8_t)(lane_bytes ? lane_bytes : width_of(insn->type));
    step->vec = (uint8_t)count;
    step->sign = type_kinds[insn->type] == KIND_SIGNED;
    step->s[0] = slot;
    step->address_bytes = slot_bytes;
    step->offset = offset;
    step->frame_relative = frame_relative;
    step->data = data;
    return true;
}

static bool lower_atomic(Lower *lower) {
    const Insn *insn = lower->insn;
    unsigned width = width_of(insn->type);
    if (type_bytes[insn->type] < 4 && insn->type != TYPE_f16 && insn->type != TYPE_b16 && insn->type != TYPE_u16)
        return refuse(lower, "atomics of this type are not emulated");
    if (insn->type == TYPE_bf16 || insn->type == TYPE_bf16x2 || insn->type == TYPE_b128)
        return refuse(lower, "atomics of this type are not emulated");
    Slot d = NO_SLOT, widen = NO_SLOT, s[2] = {NO_SLOT, NO_SLOT}, slot;
    uint64_t offset;
    uint8_t slot_bytes;
    bool frame_relative;
    const Operand *where = &insn->operands[insn->n_dst];
    for (unsigned i = 1; i < insn->n_src; i++)
        if (!source(lower, &where[i], width, &s[i - 1])) return false;
    if (insn->n_dst && insn->operands[0].kind != OPERAND_SINK && !destination(lower, &insn->operands[0], width, &d, &widen))
        return false;
    if (!address(lower, where, &slot, &offset, &slot_bytes, &frame_relative)) return false;
    Step *step = emit(lower, EXEC_ATOM);
    step->space = memory_space(lower, where);
    step->bytes = type_bytes[insn->type];
    step->d = d;
    step->s[0] = slot;
    step->s[1] = s[0];
    step->s[2] = s[1];
    step->address_bytes = slot_bytes;
    step->offset = offset;
    step->frame_relative = frame_relative;
    finish_widening(lower, d, widen, type_kinds[insn->type] == KIND_SIGNED);
    return true;
}

static bool lower_async_copy(Lower *lower) {
    const Insn *insn = lower->insn;
    if (insn->variant != CP_ASYNC_COPY) {
        emit(lower, EXEC_NOTHING);
        return true;
    }
    AsyncCopy *copy = ARENA_NEW(lower->code->arena, AsyncCopy);
    bool relative;
    if (!address(lower, &insn->operands[0], &copy->to, &copy->to_offset, &copy->to_bytes, &relative)) return false;
    if (!address(lower, &insn->operands[1], &copy->from, &copy->from_offset, &copy->from_bytes, &relative)) return false;
    copy->bytes = (uint32_t)insn->operands[2].bits;
    if (insn->operands[2].kind != OPERAND_IMMEDIATE || (copy->bytes != 4 && copy->bytes != 8 && copy->bytes != 16))
        return refuse(lower, "it copies 4, 8 or 16 bytes");
    copy->size = NO_SLOT;
    if (insn->n_src > 3 && !source(lower, &insn->operands[3], 4, &copy->size)) return false;
    Step *step = emit(lower, EXEC_CP_ASYNC);
    step->copy = copy;
    return true;
}

/* Instructions in which lanes exchange values, and barriers: sources in order with these widths. */
static bool lower_collective(Lower *lower, Exec exec, const unsigned *widths) {
    const Insn *insn = lower->insn;
    Slot s[4] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT}, d = NO_SLOT, d2 = NO_SLOT, widen = NO_SLOT, unused;
    bool negated = false;
    if (insn->n_src > 4 || insn->n_dst > 2) return refuse(lower, "too many operands");
    for (unsigned i = 0; i < insn->n_src; i++) {
        if (!source(lower, &insn->operands[insn->n_dst + i], widths[i], &s[i])) return false;
        if (insn->operands[insn->n_dst + i].negated) negated = true;
    }
    bool predicate =
        (exec == EXEC_VOTE && insn->variant != VOTE_BALLOT) || (exec == EXEC_BARRIER && insn->variant != BAR_RED_POPC);
    if (insn->n_dst && !destination(lower, &insn->operands[0], predicate ? 0 : 4, &d, &widen)) return false;
    if (insn->n_dst > 1 && !destination(lower, &insn->operands[1], 0, &d2, &unused)) return false;
    Step *step = emit(lower, exec);
    step->d = d;
    step->d2 = d2;
    memcpy(step->s, s, sizeof s);
    step->negated = negated;
    finish_widening(lower, d, widen, false);
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
        if (lower_register_width(lower->function, call->pointer) != 8) return refuse(lower, "a function's address has 64 bits");
        pointer = lower->slots[call->pointer];
    }
    Slot *data = element_slots(lower, call->n_arguments + call->n_results + 1);
    for (uint32_t i = 0; i < call->n_arguments; i++) {
        data[i] = NO_SLOT;
        const Operand *argument = &call->arguments[i];
        if (argument->kind != OPERAND_REGISTER && argument->kind != OPERAND_IMMEDIATE) continue;
        unsigned width = argument->kind == OPERAND_REGISTER ? lower_register_width(lower->function, argument->index) : 8;
        if (!width || !source(lower, argument, width, &data[i])) return refuse(lower, "a predicate cannot be an argument");
    }
    for (uint32_t i = 0; i < call->n_results; i++)
        data[call->n_arguments + i] =
            call->results[i].kind == OPERAND_REGISTER ? lower->slots[call->results[i].index] : NO_SLOT;
    Step *step = emit(lower, EXEC_CALL);
    step->s[0] = pointer;
    step->data = data;
    return true;
}

static bool lower_memory_class(Lower *lower) {
    switch ((Opcode)lower->insn->op) {
    case OP_atom:
    case OP_red: return lower_atomic(lower);
    case OP_cp_async: return lower_async_copy(lower);
    default: return lower_memory(lower);
    }
}

static bool lower_warp_class(Lower *lower) {
    const Insn *insn = lower->insn;
    unsigned widths[4] = {4, 4, 4, 4};
    switch ((Opcode)insn->op) {
    case OP_shfl: return lower_collective(lower, EXEC_SHFL, widths);
    case OP_vote: widths[0] = 0; return lower_collective(lower, EXEC_VOTE, widths);
    case OP_match: widths[0] = width_of(insn->type); return lower_collective(lower, EXEC_MATCH, widths);
    case OP_redux: return lower_collective(lower, EXEC_REDUX, widths);
    default: return lower_collective(lower, EXEC_ACTIVEMASK, widths);
    }
}

static bool lower_control_class(Lower *lower) {
    const Insn *insn = lower->insn;
    switch ((Opcode)insn->op) {
    case OP_bra: emit(lower, EXEC_BRANCH); return true;
    case OP_brx: {
        Slot index;
        if (!source(lower, &insn->operands[0], 4, &index)) return false;
        emit(lower, EXEC_BRANCH_TABLE)->s[0] = index;
        return true;
    }
    case OP_call: return lower_call(lower);
    case OP_ret: emit(lower, lower->function->is_entry ? EXEC_EXIT : EXEC_RETURN); return true;
    case OP_exit: emit(lower, EXEC_EXIT); return true;
    default: emit(lower, EXEC_TRAP); return true;
    }
}

/* The value of a kernel parameter, as a register of this width holds it after the load. */
static uint64_t parameter_value(const Lower *lower, const Insn *insn, uint64_t offset) {
    unsigned bytes = type_bytes[insn->type];
    uint64_t value = 0;
    memcpy(&value, lower->code->params + offset, bytes);
    if (type_kinds[insn->type] == KIND_SIGNED && bytes < 8)
        value = (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
    return value;
}

/* Whether an instruction only gives a register a value that is known before the launch or stands in a slot of its own already. Then
 * *slot is that slot, and the instruction has nothing left to do. */
static bool known_value(Lower *lower, const Insn *insn, unsigned width, Slot *slot) {
    const Operand *from = &insn->operands[insn->n_dst];
    uint64_t address;
    if (insn->op == OP_ld) {
        bool fixed = insn->space == SPACE_PARAM && insn->n_src == 1 && from->kind == OPERAND_ADDRESS_VARIABLE &&
                     is_kernel_param(lower, from->index);
        if (!fixed || type_bytes[insn->type] > width || type_bytes[insn->type] > 8) return false;
        *slot = lower_immediate(
            lower, parameter_value(lower, insn, lower->code->program->variables[from->index].offset + from->bits), width);
        return true;
    }
    if (insn->op == OP_cvta) {
        if (width != 8 || insn->space != SPACE_GLOBAL || from->kind != OPERAND_REGISTER) return false;
        *slot = lower->slots[from->index];
        return SLOT_AREA(*slot) == AREA_CONSTANT;
    }
    if (insn->op != OP_mov || width != width_of(insn->type) || insn->n_src != 1) return false;
    switch ((OperandKind)from->kind) {
    case OPERAND_IMMEDIATE: *slot = lower_immediate(lower, width == 4 ? (uint32_t)from->bits : from->bits, width); return true;
    case OPERAND_SPECIAL:
        if (width != 4 || is_clock(from->index)) return false;
        *slot = special_slot(lower, from->index, &width);
        return true;
    case OPERAND_VARIABLE:
        if (!variable_address(lower, from->index, &address)) return false;
        *slot = lower_immediate(lower, width == 4 ? (uint32_t)(address + from->bits) : address + from->bits, width);
        return true;
    case OPERAND_REGISTER:
    case OPERAND_FUNCTION:
    case OPERAND_ADDRESS:
    case OPERAND_ADDRESS_VARIABLE:
    case OPERAND_ADDRESS_IMMEDIATE:
    case OPERAND_SINK: break;
    }
    return false;
}

void lower_known_values(Lower *lower) {
    const Program *program = lower->code->program;
    const Function *function = lower->function;
    uint8_t *writes = ARENA_ARRAY(lower->code->arena, uint8_t, function->n_registers + 1); /* 0, 1, 2 or more */
    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        const Insn *insn = &program->insns[i];
        for (unsigned k = 0; k < insn->n_dst; k++)
            if (insn->operands[k].kind == OPERAND_REGISTER && writes[insn->operands[k].index] < 2)
                writes[insn->operands[k].index]++;
        for (uint32_t k = 0; insn->op == OP_call && k < insn->call->n_results; k++)
            if (insn->call->results[k].kind == OPERAND_REGISTER) writes[insn->call->results[k].index] = 2;
    }
    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        const Insn *insn = &program->insns[i];
        if (insn->n_dst != 1 || insn->guarded || insn->operands[0].kind != OPERAND_REGISTER ||
            (insn->op != OP_ld && insn->op != OP_mov && insn->op != OP_cvta))
            continue;
        uint32_t index = insn->operands[0].index;
        unsigned width = lower_register_width(function, index);
        Slot slot;
        if (writes[index] != 1 || !width) continue;
        lower->insn = insn;
        if (!known_value(lower, insn, width, &slot)) continue;
        lower->slots[index] = slot;
        lower->known[i] = true;
    }
}

bool lower_insn(Lower *lower) {
    const Insn *insn = lower->insn;
    if (lower->known[lower->pc]) {
        emit(lower, EXEC_NOTHING);
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
        emit(lower, EXEC_NOTHING);
        return true;
    case CLASS_CONTROL: return lower_control_class(lower);
    case CLASS_NOTHING: emit(lower, EXEC_NOTHING); return true;
    }
    return refuse(lower, "unknown class of instruction");
}
