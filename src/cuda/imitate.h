/* imitate.h: clang's LLVM assembly, changed before it is optimised so that the loads and stores come out as nvcc's do.
 *
 * Copies: clang copies a struct of 16 bytes as two 8-byte chunks, or member by member: a float4 copy would then show twice the
 * sectors and twice the requests that nvcc's single 16-byte access has. Each `llvm.memcpy` of a fixed size and sufficient alignment
 * becomes loads and stores as wide as that, which LLVM keeps whole; so does each `llvm.memset` to zero that LLVM would do byte by byte.
 *
 * Aliasing: clang takes it that a store through float * changes no int, and keeps the int in a register; nvcc reads it again. What
 * nvcc does rely on is that two members of one struct are different memory. So the type-based alias tags of scalars go, and those of
 * members say no more than that.
 *
 * Casts: of *(unsigned *)&bytes[i] clang goes by what it knows of the array, and takes the access apart; nvcc goes by the type of the pointer. So such a number is
 * aligned as its type is. Members of packed structs stay as they are, and so do elements of their arrays.
 *
 * Dynamic shared memory starts at a multiple of 16 bytes, whatever its type; neighbouring elements can then share an access.
 *
 * Definedness: clang takes it that no argument of a call is an uninitialised variable. CUDA programs pass such to shuffles all the time:
 * `int base; if (lane == 0) base = atomicAdd(n, 1); base = __shfl_sync(mask, base, 0);`, and clang would drop the `if`. So the
 * attribute that says it, noundef, goes.
 *
 * Loops: what clang knows, and nvcc does not, of the number of iterations goes (unroll.h).
 *
 * These rules were found by comparing the PTX of the two compilers over some hundred kernels. */
#pragma once

#include <stddef.h>

#include "base/text.h"

/* Copies the module (length bytes, NUL-terminated) to out with these changes. Typed pointers (clang up to 14) and opaque ones are
 * understood; a form that is not is left alone. Returns how many copies were rewritten. */
size_t imitate_nvcc(const char *module, size_t length, const char *compiler, Text *out);
