/* copies.h: struct copies in LLVM's assembly text, made as wide as nvcc makes them.
 *
 * clang copies a struct of 16 bytes as two 8-byte pieces, or member by member: a float4 copy would then show twice the sectors and
 * twice the requests that nvcc's single 16-byte access has. Before LLVM optimises, each `llvm.memcpy` of a fixed size and
 * sufficient alignment is therefore rewritten as loads and stores of vectors, which LLVM keeps whole. */
#pragma once

#include <stddef.h>

#include "base/text.h"

/* Copies the module (length bytes, NUL-terminated) to out, with the copies widened. Typed pointers (clang up to 14) and opaque ones
 * are understood; a copy of any other form is left alone. Returns how many were rewritten. */
size_t copies_widen(const char *module, size_t length, Text *out);
