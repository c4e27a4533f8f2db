/* printf.h: the kernel's printf. Guest formats never reach the host's printf: each conversion is rebuilt from its checked parts. */
#pragma once

#include "machine/warp.h"

/* Appends what a lane prints; both are generic addresses, of the format and of the arguments as vprintf gets them. Returns what the kernel's
 * printf does: the number of arguments read, -1 for a null format. */
int printf_lane(const Warp *warp, unsigned lane, uint64_t format, uint64_t arguments, Text *out);
