/* culprit.h: the access by which a goal is missed, for its picture and its line. */
#pragma once

#include "lab/score.h"

typedef struct Culprit {
    const Sample *sample; /* NULL: no access is to blame by itself */
    bool is_frequent;     /* its sectors are well used; it is its requests that are too many */
} Culprit;

/* Of all accesses the one without whose waste, what it moves, serves or asks beyond the fewest that could do the same, the metric would be best; nothing
 * where that is less than a quarter of what is missing. A time is blamed on an access where the model says that accesses of its kind limit
 * the launch, and it wastes a quarter of them. */
Culprit culprit_of(const Lab *lab, const Score *score, uint32_t goal);
