/* cuda12.h: programs that were written for CUDA 12 or before, and use what CUDA 13 has no longer. warpscope/cuda12.h, laid before their sources,
 * brings it back, and warpscope/cuda11.h what CUDA 12 has no longer. */
#pragma once

#include "base/text.h"

/* messages: what a compiler said. Adds to `found` what it missed, or found outdated, that the headers have, as "clockRate, __shfl", and
 * returns which CUDA has it all: 12, 11, or 0 where it missed nothing. */
unsigned cuda12_missed(const char *messages, Text *found);
