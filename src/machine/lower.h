/* lower.h: what code.c and lower.c share while a kernel is decoded. */
#pragma once

#include "machine/access.h"
#include "machine/code.h"

enum { LOWER_SCRATCH_SLOTS = 8 };

typedef struct Immediate {
    uint64_t bits;
    unsigned width;
    Slot slot;
} Immediate;

typedef struct Lower {
    Code *code;
    Diag *diag;
    const Function *function;
    const Insn *insn;   /* being decoded */
    uint32_t pc;        /* its index */
    Slot *slots;        /* of the function's registers */
    uint32_t *step_of;  /* first step of each instruction */
    bool *known;        /* by instruction: lower_known_values left it nothing to do */
    bool *entered;      /* by instruction: lanes may come here from elsewhere than the instruction before */
    bool *repeats;      /* by instruction: it is part of a loop */
    bool traced;        /* EXEC_TRACE before each instruction */
    bool stored;        /* global memory was written since the last load of it */
    unsigned uncounted; /* known instructions just before, which the next step counts for */
    size_t constant_capacity;
    Immediate immediates[256]; /* those met so far; later ones get slots of their own */
    size_t n_immediates;
    unsigned scratch_used; /* scratch slots taken by this instruction */
} Lower;

/* Lane width of a register: 8 or 4 bytes, 0 for a predicate. */
unsigned lower_register_width(const Function *function, uint32_t index);

/* Registers of the function that are written once, by a value that is the same for the whole launch (parameters, immediates, addresses)
 * or that the warp has anyway (special registers), get that value's slot. lower->slots holds the function's slots. */
void lower_known_values(Lower *lower);

/* --- operands (lower_operands.c). Those that return bool return false with a message. --- */

/* "'add': what"; returns false. */
bool lower_refuse(Lower *lower, const char *what);

/* A new step with the instruction's guard. Valid until the next one. A helper is not counted as an instruction. */
Step *lower_emit(Lower *lower, Exec exec);
Step *lower_emit_helper(Lower *lower, Exec exec);

/* A slot for as long as one instruction takes. */
Slot lower_scratch(Lower *lower);

/* Lane width of a type: 8 or 4 bytes, 0 for a predicate. */
static inline unsigned lower_width(uint8_t type) { return type == TYPE_pred ? 0 : type_bytes[type] == 8 ? 8 : 4; }

/* Lane width of the instruction's operands[index]. */
static inline unsigned lower_operand_width(const Insn *insn, unsigned index) {
    return lower_width((uint8_t)insn_letter_type(insn, insn_letter(insn, index)));
}

/* Address of a variable as its own space has it, when it is the same for all warps. False for variables in a frame: the address is
 * then an offset in the frame's local memory. */
bool lower_variable_address(const Lower *lower, uint32_t index, uint64_t *address);

/* The slot from which a source operand is read with lanes of this width. */
bool lower_source(Lower *lower, const Operand *operand, unsigned width, Slot *slot);

/* Where a destination is written with lanes of this width. *widen gets the register's own slot when that is wider; lower_finish, after the
 * step, brings the value there. */
bool lower_destination(Lower *lower, const Operand *operand, unsigned width, Slot *slot, Slot *widen);
void lower_finish(Lower *lower, Slot from, Slot to, bool sign);

/* --- lower_memory.c --- */
bool lower_memory_class(Lower *lower);

/* Appends the EXEC_TRACE of lower->insn. */
void lower_trace(Lower *lower);

/* Appends the steps of lower->insn. False with a message in lower->diag (its line is the caller's to add). */
bool lower_insn(Lower *lower);
