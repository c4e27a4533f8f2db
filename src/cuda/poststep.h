/* poststep.h: loops whose end clang tests by the value before the step.
 *
 * `for (int row = y; row < 32; row += 8)`: nvcc compares what has been stepped with 32. clang makes a comparison with 24 of it, of what has not been
 * stepped, and leaves it so where the loop's body has that value in a register. ptxas makes several iterations one of loops of the first kind alone (13.0 has
 * 8 loads in the one and 1 in the other), so that the kernel waits for each load by clang and for four at once by nvcc. So the comparison becomes nvcc's,
 * where no value can wrap round: the loop begins below 2^30, which its first value says that is a thread's number, or what a shift, a mask or a constant has
 * left. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

/* Copies clang's PTX to out, so changed; false: there is no such loop. */
bool poststep(const char *ptx, Text *out);
