/* alu_round.c: arithmetic under another rounding than to nearest, by the host's rounding mode.
 *
 * The loops of alu_float.c load their operands from memory and store their results to memory. A call through a pointer and
 * the barriers below stand between those and the changes of mode, so that no compiler can move or fold the arithmetic across
 * them. */
#include <fenv.h>

#include "machine/alu_lanes.h"

#ifdef FE_UPWARD
void alu_round(Alu *alu, Rounding rounding, ALU_PARAMETERS) {
    const int before = fegetround();
    fesetround(rounding == ROUND_RZ ? FE_TOWARDZERO : rounding == ROUND_RM ? FE_DOWNWARD : FE_UPWARD);
    __asm__ volatile("" ::: "memory");
    alu(ALU_ARGUMENTS);
    __asm__ volatile("" ::: "memory");
    fesetround(before);
}
#endif
