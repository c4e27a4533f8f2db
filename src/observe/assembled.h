/* assembled.h: an access as the assembler makes it of the program's: wider, by one lane for all, in a loop, or not at all. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/narrow.h"
#include "machine/access.h"
#include "observe/banks.h"

typedef struct Assembly {
    const uint8_t
        *joins; /* by pc: what becomes of its access to shared memory, as in kernel/joins.h; NULL: nothing is joined */
    const uint8_t *combines;  /* by pc: what becomes of an atomic operation, as in kernel/combines.h; NULL: nothing */
    const Narrowed *narrowed; /* by pc: what becomes of a load, as in kernel/narrow.h; NULL: nothing */
    bool reduces;             /* the device has instructions that reduce a warp's values, and that count lanes of one word */
} Assembly;

typedef enum Assembled {
    ASSEMBLED_AS_IS,
    ASSEMBLED_TAKEN,    /* it is part of another instruction's request */
    ASSEMBLED_WIDER,    /* others are part of its */
    ASSEMBLED_NARROWER, /* assembled_part has what is left of it: nothing, one access, or two */
    ASSEMBLED_COMBINED, /* its lanes' updates are made at once */
    ASSEMBLED_LOOP /* in a loop, of whose first iteration `made` is the update; each loads first what is there, and assembled_left come again */
} Assembled;

/* Whether the rest need be asked. */
static inline bool assembly_changes(const Assembly *assembly, const Access *access) {
    return (assembly->joins && access->space == SPACE_SHARED && assembly->joins[access->pc]) ||
           (assembly->combines && assembly->combines[access->pc]) ||
           (assembly->narrowed && assembly->narrowed[access->pc].changed);
}

/* made: what is counted in place of the access; set but for AS_IS, TAKEN and NARROWER. */
Assembled assemble(const Assembly *assembly, const Access *access, Access *made);

/* The nth access that is left of one that is narrower, from 0. False where there is none. */
bool assembled_part(const Assembly *assembly, const Access *access, unsigned nth, Access *made);

/* Whether lanes of an atomic operation do without an update of their own. */
bool assembled_combines(const Access *access, const Access *made);

/* Leaves these of its lanes. */
void assembled_take_lanes(Access *made, uint32_t lanes);

/* A loop, iteration by iteration, as counted on an H100 (a_ of tests/hardware/h100-shapes.csv). All lanes that are left load their words. Those whose minimum or
 * maximum is there already are done; the others try, and of each bank the lowest is done (of 8 bytes, of each half-warp one, the second's unless the first has
 * changed that word). What other warps do meanwhile, which may fail any of them, is not seen. */
typedef struct SwapLoop {
    Access *made;              /* active: the lanes that are left */
    uint64_t word[WARP_LANES]; /* of 8 bytes: what a lane's word has */
} SwapLoop;

SwapLoop loop_begin(Access *made);

/* What loading the words takes in this iteration. */
BankCount loop_loads(const SwapLoop *loop);

/* The lanes that try in this iteration. */
uint32_t loop_tries(const SwapLoop *loop);

/* After it: the lanes that are left. */
uint32_t loop_step(SwapLoop *loop, uint32_t tries);
