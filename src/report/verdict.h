/* verdict.h: what one access costs and why, in a sentence that knows no goal. */
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "observe/counters.h"

/* Appends for example "8 sectors a request, 4 would do: lanes are 8 bytes apart and use 4 of them" or "fine: 1 wavefront a request, the
 * fewest possible", without a full stop. Returns true when no lanes that want these bytes could do with less. The sample has an active
 * lane and is of global, local or shared memory. */
bool verdict_sentence(const Sample *sample, Text *out);

/* The fewest sectors or wavefronts that an access to so many bytes could take. */
uint32_t verdict_least(const Sample *sample);
