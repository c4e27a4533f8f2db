/* assembled.h: an access as the assembler makes it of the program's: wider, by one lane for all, in a loop, or not at all. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/access.h"

typedef struct Assembly {
    const uint8_t
        *joins; /* by pc: what becomes of its access to shared memory, as in kernel/joins.h; NULL: nothing is joined */
    const uint8_t *combines; /* by pc: what becomes of an atomic operation, as in kernel/combines.h; NULL: nothing */
    bool reduces;            /* the device has instructions that reduce a warp's values, and that count lanes of one word */
} Assembly;

typedef enum Assembled {
    ASSEMBLED_AS_IS,
    ASSEMBLED_TAKEN,    /* it is part of another instruction's request */
    ASSEMBLED_WIDER,    /* others are part of its */
    ASSEMBLED_COMBINED, /* its lanes' updates are made at once */
    ASSEMBLED_LOOP /* in a loop, of whose first iteration `made` is the update; each loads first what is there, and assembled_left come again */
} Assembled;

/* Whether the rest need be asked. */
static inline bool assembly_changes(const Assembly *assembly, const Access *access) {
    return (assembly->joins && access->space == SPACE_SHARED && assembly->joins[access->pc]) ||
           (assembly->combines && assembly->combines[access->pc]);
}

/* made: what is counted in place of the access; set but for AS_IS and TAKEN. */
Assembled assemble(const Assembly *assembly, const Access *access, Access *made);

/* Whether lanes of an atomic operation do without an update of their own. */
bool assembled_combines(const Access *access, const Access *made);

/* The lanes of a loop's iteration that need another one: the lowest of those in one bank is done (of 8 bytes, one of each half-warp, but for those with the
 * same address). As counted on an H100; what other warps do meanwhile, which may fail any of them, and values that a minimum or maximum leaves as they
 * are, which end the loop, are not seen. */
uint32_t assembled_left(const Access *made);
