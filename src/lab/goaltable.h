/* goaltable.h: each run's goals as people read them: what was met, what was missed, by how much, for how many points. */
#pragma once

#include "lab/score.h"

/* Appends a run with its goals, on lab->page. A run with nothing left to do takes one line while there is something to do elsewhere. Limits are
 * listed when one is not kept. */
void goaltable_add(const Lab *lab, const Score *score, uint32_t run, Text *out);
