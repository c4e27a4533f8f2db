/* bottleneck.h: what limits the modelled time of a measured run, and what in the source changes that. */
#pragma once

#include "lab/running.h"

/* Of a run that was measured: that of the model's times, whose squares add up, by which it exceeds a copy of as many bytes most. That of launching a
 * kernel is none, since no source changes it. */
typedef struct Bottleneck {
    ModelBound bound;   /* BOUND_launch: there is none */
    double us, copy_us; /* what it would take alone, of the run and of the copy */
    bool conflicts;     /* without bank conflicts it were a tenth less, or more */
} Bottleneck;

Bottleneck bottleneck_of(const Lab *lab, uint32_t run);

/* "Modelled: 11.5 us, a copy 4.8 us. Most of the difference: shared memory (8.4 us alone, a copy's 0.0)". */
void bottleneck_say(const Lab *lab, uint32_t run, Text *out);

/* Appends what is to be done about it. False where too few bytes are in flight since each thread has few loads at once, or a thread's loads wait for
 * each other: a lab's own advice is about that. */
bool bottleneck_advise(const Lab *lab, uint32_t run, Text *out);
