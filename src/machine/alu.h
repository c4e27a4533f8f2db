/* alu.h: pure per-lane arithmetic. An instruction is looked up once (alu_select), then runs as one loop over 32 lanes that the
 * compiler vectorises. Nothing here knows memory, warps or control flow. */
#pragma once

#include <stdint.h>

#include "ptx/program.h"

/* A register's slot holds 32 lanes: 8-byte lanes for 64-bit types, 4-byte lanes for all narrower ones (8- and 16-bit values and f16 too).
 * An instruction on 8- or 16-bit values reads only the low bits of a source lane and writes the whole 4-byte lane: sign-extended for
 * signed types, zero-extended for all others. A predicate is one uint32_t, bit i for lane i. Slots are 64-byte aligned; d may be
 * the same slot as a source but never overlaps one partly. The lane width is that of the instruction's types, never of the declared register:
 * the caller narrows or widens where those differ. */

/* What few instructions need besides d, a and b. */
typedef struct AluMore {
    const void *c;   /* third source */
    const void *e;   /* fourth source: the length of bfi */
    uint32_t imm;    /* lop3's table */
    uint32_t *carry; /* the carry flag CC, a bit for each lane: add.cc, addc, sub.cc, subc, mad.cc, madc */
} AluMore;

/* d: destination slot (setp, testp: uint32_t of result bits). a, b: source slots; an immediate is a slot too (all lanes equal, as wide as
 * the instruction reads it). mask: lanes to write; the others keep d's value. Most calls move five registers, and no memory. */
typedef void Alu(void *d, const void *a, const void *b, uint32_t mask, const AluMore *more);

/* The function that runs this instruction (CLASS_ALU only), or NULL with a message in diag (file and line are the caller's to
 * add): the combination of opcode, type and modifiers is not one of PTX, or not emulated.
 *
 * Sources by opcode are the PTX operands in order: a, b, c. Predicate sources (selp's third, setp's and set's combined one) are
 * uint32_t bit sets: selp reads c as one; setp and set leave combining to the warp (they compute only the comparison), but set
 * writes its value from the bits, so set takes the combined predicate in c (or c == NULL) and applies insn->boolop itself.
 * For an unsupported lane value (integer division by zero) the result is what NVIDIA hardware gives: all ones. */
Alu *alu_select(const Insn *insn, Diag *diag);
