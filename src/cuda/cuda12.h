/* cuda12.h: programs that were written for CUDA 12 or before, and use what CUDA 13 has no longer. warpscope/cuda12.h, laid before their sources,
 * brings it back. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

/* messages: what a compiler said. Adds to `found` what it missed, or found outdated, that the header has, as "clockRate, __shfl"; false: nothing. */
bool cuda12_missed(const char *messages, Text *found);
