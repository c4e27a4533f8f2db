/* functions.h: which functions of CUDA's runtime API the emulated device covers, from functions.def; what to do without the others. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"

/* "CUDA runtime API 13.0: 107 of 312 functions covered", then those that are not, by group, with the remedy. */
void functions_list(Text *out);

/* messages: what a compiler or linker wrote when it failed. If functions that are not covered are the cause, fills diag with their names
 * and the remedy, and returns true. */
bool functions_explain(const char *messages, Diag *diag);
