/* advice.h: what helps against a compiler's error, where its own words do not say: which header declares a name, what stands in the line that
 * no C++ is, what a kernel may not call. Facts of the text and of CUDA alone; where nothing is known, nothing is said. */
#pragma once

#include "base/diag.h"

#define ADVICE_REGISTERS "threadIdx, blockIdx, blockDim and gridDim are known in kernels, and in what kernels call, alone"

/* diag is the first error of `messages`, a compiler's, with the text that it compiled (NULL: it cannot be read) as diag->file. Adds a hint, or
 * none. */
void advice_add(Diag *diag, const char *messages, const char *path, const char *text);
