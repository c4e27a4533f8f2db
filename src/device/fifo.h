/* fifo.h: where a device keeps what kernels print until the host fetches it: a ring, in which what comes overwrites the oldest. Measured on an H100:
 * of 1 MiB the last 4096 calls of printf, of one argument or two, were left, and more where the host fetched some meanwhile. */
#pragma once

#include <stdint.h>

#include "base/text.h"

enum { FIFO_BYTES = 8448 << 10, FIFO_CALL_BYTES = 256 }; /* as an H100's and an H200's: what there is, and what a call takes */

/* What so many calls may lose in so many bytes, for a message, and how to put that right; false: nothing. */
bool fifo_say(uint64_t calls, uint64_t bytes, Text *what, const char **hint);
