/* expected.h: the verdict that a file must get, as the first line of a mutant states it. Clauses, separated by ';', the first 399 bytes of each:
 *
 *     full                               full marks
 *     wrong KERNEL: PART                 this kernel is wrong, and PART stands in the message or its cause
 *     slow GOAL GOAL …                   just these goals or limits are missed, beside those of wrong kernels and of runs that went over a limit
 *     worth N                            at most N points
 *     refused: PART                      not graded, and PART stands in the reason
 *
 * Kernels and goals that no clause names must be right and met. */
#pragma once

#include "lab/score.h"

/* Whether the result is the verdict; else one line for each difference goes to `why`. */
bool expected_holds(const Lab *lab, const Score *score, const char *verdict, Text *why);

/* The same for a file that was not graded. */
bool expected_refusal(const char *verdict, const char *reason, Text *why);
