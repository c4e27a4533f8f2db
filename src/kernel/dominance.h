/* dominance.h: which basic blocks all paths to another have passed, as far as going over the text once shows: a block that is led to from behind it, as
 * loops' are, counts as a new beginning, and so does what follows from one.  */
#pragma once

#include "kernel/flow.h"

typedef struct Dominance {
    uint32_t *above; /* by block: the nearest that all paths to it pass; NO_INDEX: a beginning */
    uint32_t *number,
        *size;            /* by block: its own, and how many blocks, itself included, are below it and numbered from there on */
    uint32_t *ways, *way; /* by block: where in `way` those that lead to it stand; one more than there are blocks */
} Dominance;

/* From the arena. */
Dominance dominance_find(const Program *program, const Function *function, const Flow *flow, Arena *arena);

/* Whether all paths to `block` pass the other, or it is that. */
static inline bool dominates(const Dominance *dominance, uint32_t other, uint32_t block) {
    return dominance->number[block] - dominance->number[other] < dominance->size[other];
}
