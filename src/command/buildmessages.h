/* buildmessages.h: what compilers and linkers say of whole programs, in terms of the emulated device. */
#pragma once

#include "base/diag.h"

/* Says in diag what the messages of a failed step mean here, and what to do; leaves it as it is where they speak for themselves. compiler: "nvcc 13.0". */
void build_explain(const char *messages, const char *compiler, Diag *diag);
