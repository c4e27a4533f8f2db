/* Operands: where values stand and go, and registers whose values are known before the launch. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lower.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

unsigned lower_register_width(const Function *function, uint32_t index) {
    uint8_t type = function->registers[index].type;
    if (type == TYPE_pred) return 0;
    return type_bytes[type] == 8 ? 8 : 4;
}

bool lower_refuse(Lower *lower, const char *what) {
    return diag_error(lower->diag, lower->code->program->name, lower->insn->line, 0, "'%s': %s", opcode_spelling(lower->insn),
                      what);
}

Step *lower_emit(Lower *lower, Exec exec) {
    Code *code = lower->code;
    Step *step = &ARENA_ADD(code->arena, code->steps, code->n_steps);
    memset(step, 0, sizeof *step);
    step->exec = (uint8_t)exec;
    step->insn = lower->insn;
    step->pc = lower->pc;
    step->vec = 1;
    step->weight = (uint8_t)(1 + lower->uncounted);
    lower->uncounted = 0;
    step->d = step->d2 = NO_SLOT;
    for (int i = 0; i < 4; i++) step->s[i] = NO_SLOT;
    step->reconverge = NO_INSN;
    step->policy = lower->insn->policy;
    step->order = lower->insn->order;
    if (lower->insn->guarded) {
        step->guard_is = lower->insn->guard_negated ? GUARD_FALSE : GUARD_TRUE;
        step->guard = lower->slots[lower->insn->guard];
    }
    return step;
}

Step *lower_emit_helper(Lower *lower, Exec exec) {
    Step *step = lower_emit(lower, exec);
    step->pc = NO_INSN;
    lower->uncounted = step->weight - 1u;
    step->weight = 0;
    return step;
}

Slot lower_scratch(Lower *lower) { return lower->code->scratch + lower->scratch_used++ % LOWER_SCRATCH_SLOTS * 8 * WARP_LANES; }

/* Room for a constant of so many bytes; valid until the next call. */
static void *lower_constant(Lower *lower, uint32_t bytes, Slot *slot) {
    Code *code = lower->code;
    if (code->constant_bytes + bytes > lower->constant_capacity) {
        size_t capacity = lower->constant_capacity ? lower->constant_capacity * 2 : 16384;
        uint8_t *grown = alloc_aligned(64, capacity);
        if (code->constant_bytes) memcpy(grown, code->constants, code->constant_bytes);
        free(code->constants);
        code->constants = grown;
        lower->constant_capacity = capacity;
    }
    *slot = SLOT(AREA_CONSTANT, code->constant_bytes);
    void *bytes_at = code->constants + code->constant_bytes;
    code->constant_bytes += (bytes + 63) / 64 * 64;
    return bytes_at;
}

/* The slot in which all lanes hold these bits (width 4 or 8), or a predicate that is true or false everywhere (width 0). */
static Slot lower_immediate(Lower *lower, uint64_t bits, unsigned width) {
    for (size_t i = 0; i < lower->n_immediates; i++)
        if (lower->immediates[i].bits == bits && lower->immediates[i].width == width) return lower->immediates[i].slot;
    Slot slot;
    if (width == 0) {
        *(uint32_t *)lower_constant(lower, 4, &slot) = bits ? LANES_ALL : 0;
    } else if (width == 4) {
        uint32_t *lanes = lower_constant(lower, 4 * WARP_LANES, &slot);
        for (int l = 0; l < WARP_LANES; l++) lanes[l] = (uint32_t)bits;
    } else {
        uint64_t *lanes = lower_constant(lower, 8 * WARP_LANES, &slot);
        for (int l = 0; l < WARP_LANES; l++) lanes[l] = bits;
    }
    if (lower->n_immediates < sizeof lower->immediates / sizeof *lower->immediates)
        lower->immediates[lower->n_immediates++] = (Immediate){bits, width, slot};
    return slot;
}

/* The slot of a special register, as 4-byte lanes. Clocks are read anew each time. */
static Slot special_slot(Lower *lower, uint32_t special, unsigned *width) {
    Code *code = lower->code;
    if (special_is_clock(special)) {
        Slot slot = lower_scratch(lower);
        Step *step = lower_emit_helper(lower, EXEC_CLOCK);
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

/* A kernel's own parameters live in the launch's parameter block, not in a frame. */
static bool lower_is_kernel_param(const Lower *lower, uint32_t index) {
    return lower->function->is_entry && lower->code->program->variables[index].space == SPACE_PARAM &&
           lower->code->program->variables[index].formal;
}

bool lower_variable_address(const Lower *lower, uint32_t index, uint64_t *address) {
    const Variable *variable = &lower->code->program->variables[index];
    *address = variable->offset;
    switch ((Space)variable->space) {
    case SPACE_SHARED: *address = lower->code->kernel->reach.shared_offset[index]; return true;
    case SPACE_GLOBAL: *address = lower->code->module->variables[index]->address; return true;
    case SPACE_CONST: *address = lower->code->module->variables[index]->address - WINDOW_CONST; return true;
    case SPACE_PARAM: return lower_is_kernel_param(lower, index);
    case SPACE_LOCAL:
    case SPACE_GENERIC:
    case SPACE_COUNT: break;
    }
    return false;
}

/* Whether its address depends on the block: peers.h. */
static bool is_of_cluster(const Lower *lower, uint32_t index) {
    return lower->code->clustered && lower->code->program->variables[index].space == SPACE_SHARED;
}

static Slot resize(Lower *lower, Slot slot, unsigned have, unsigned want) {
    if (have == want) return slot;
    Slot result = lower_scratch(lower);
    Step *step = lower_emit_helper(lower, want == 4 ? EXEC_NARROW : EXEC_WIDEN);
    step->guard_is = GUARD_NONE;
    step->s[0] = slot;
    step->d = result;
    return result;
}

bool lower_source(Lower *lower, const Operand *operand, unsigned width, Slot *slot) {
    switch ((OperandKind)operand->kind) {
    case OPERAND_REGISTER: {
        unsigned have = lower_register_width(lower->function, operand->index);
        if ((have == 0) != (width == 0)) return lower_refuse(lower, "a predicate and a value are mixed up");
        *slot = resize(lower, lower->slots[operand->index], have, width);
        return true;
    }
    case OPERAND_IMMEDIATE:
        *slot = lower_immediate(lower, width == 4 ? (uint32_t)operand->bits : operand->bits, width);
        return true;
    case OPERAND_SPECIAL: {
        unsigned have;
        Slot special = special_slot(lower, operand->index, &have);
        if ((operand->index == SPECIAL_is_explicit_cluster) != !width)
            return lower_refuse(lower, "a predicate and a value are mixed up");
        if (!width) {
            *slot = special;
            return true;
        }
        *slot = resize(lower, special, have, width);
        return true;
    }
    case OPERAND_FUNCTION:
        *slot = lower_immediate(lower, WINDOW_FUNCTION + 16 * ((uint64_t)operand->index + 1), width);
        return true;
    case OPERAND_VARIABLE: {
        uint64_t address;
        if (lower_variable_address(lower, operand->index, &address) && !is_of_cluster(lower, operand->index)) {
            *slot = lower_immediate(lower, address + operand->bits, width);
            return true;
        }
        Slot result = lower_scratch(lower);
        Step *step = lower_emit_helper(lower, EXEC_LOCAL_ADDRESS);
        step->offset = address + operand->bits;
        step->space = lower->code->program->variables[operand->index].space;
        step->d = result;
        *slot = resize(lower, result, 8, width);
        return true;
    }
    case OPERAND_ADDRESS:
    case OPERAND_ADDRESS_VARIABLE:
    case OPERAND_ADDRESS_IMMEDIATE:
    case OPERAND_SINK: break;
    }
    return lower_refuse(lower, "this operand is no value");
}

bool lower_destination(Lower *lower, const Operand *operand, unsigned width, Slot *slot, Slot *widen) {
    *widen = NO_SLOT;
    if (operand->kind == OPERAND_SINK) {
        *slot = lower_scratch(lower);
        return true;
    }
    if (operand->kind != OPERAND_REGISTER) return lower_refuse(lower, "the destination is no register");
    unsigned have = lower_register_width(lower->function, operand->index);
    if (have == width) {
        *slot = lower->slots[operand->index];
        return true;
    }
    if (have != 8 || width != 4) return lower_refuse(lower, "the destination register does not fit the instruction's type");
    *slot = lower_scratch(lower);
    *widen = lower->slots[operand->index];
    return true;
}

void lower_finish(Lower *lower, Slot from, Slot to, bool sign) {
    if (to == NO_SLOT) return;
    Step *step = lower_emit_helper(lower, sign ? EXEC_WIDEN_SIGNED : EXEC_WIDEN);
    step->s[0] = from;
    step->d = to;
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
                     lower_is_kernel_param(lower, from->index);
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
    if (insn->op != OP_mov || width != lower_width(insn->type) || insn->n_src != 1) return false;
    switch ((OperandKind)from->kind) {
    case OPERAND_IMMEDIATE: *slot = lower_immediate(lower, width == 4 ? (uint32_t)from->bits : from->bits, width); return true;
    case OPERAND_SPECIAL:
        if (width != 4 || special_is_clock(from->index)) return false;
        *slot = special_slot(lower, from->index, &width);
        return true;
    case OPERAND_VARIABLE:
        if (!lower_variable_address(lower, from->index, &address) || is_of_cluster(lower, from->index)) return false;
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
        for (RegisterWalk at = walk_writes(insn); walk_next(&at);) writes[at.index] += writes[at.index] < 2;
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
