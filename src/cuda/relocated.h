/* relocated.h: LLVM assembly of a file whose device code is linked with that of others (clang's -fgpu-rdc), put right before it is optimised.
 *
 * Variables of the file alone: what host code uses of them is registered under a name that no other file has, which clang ends with
 * "__static__" and a number. It learns that host code uses one only where it reads host code, and calls it by the plain name in every kernel that
 * stands before, as if it were another file's. Both names become the registered one.
 *
 * Kernels of other files: since clang 16 the names of those that host code launches stand in a list, for which they are declared as functions. What
 * the linker of NVIDIA's toolkit learns from that, command/devicelink.h finds out itself, so that they leave the list, and with it the module. */
#pragma once

#include <stddef.h>

#include "base/text.h"

/* Copies the module (length bytes, NUL-terminated) to out with these changes. */
void relocated_module(const char *module, size_t length, Text *out);
