/* verdict.h: what one access costs and why, in one sentence, whatever the goal. */
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "observe/counters.h"

/* Appends for example "8 sectors a request, 4 would do: lanes are 8 bytes apart and use 4 of them" or "fine: 1 wavefront a request, the
 * fewest possible", without a full stop. Returns true when no access to these bytes could take fewer. The sample has an active
 * lane and is of global, local or shared memory. */
bool verdict_sentence(const Sample *sample, Text *out);
