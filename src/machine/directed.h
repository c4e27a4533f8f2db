/* directed.h: one operation under a directed rounding, worked out in integers: for hosts that round to nearest alone, as WebAssembly does.
 * Every operand and every result of f32 is a double. */
#pragma once

#include <stdbool.h>

#include "ptx/program.h"

typedef enum DirectedOp { DIRECTED_ADD, DIRECTED_SUB, DIRECTED_MUL, DIRECTED_DIV, DIRECTED_SQRT, DIRECTED_FMA } DirectedOp;

/* a + b, …, the square root of a, a * b + c, rounded once; rounding is ROUND_RZ, ROUND_RM or ROUND_RP. single: the result is one of f32. The
 * sign of a NaN is any. */
double directed(DirectedOp op, double a, double b, double c, Rounding rounding, bool single);
