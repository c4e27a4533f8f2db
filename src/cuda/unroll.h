/* unroll.h: has clang unroll loops as nvcc does, so that a kernel has as many loads in flight by the one as by the other.
 *
 * Of 217 loops, of 1 to 32 loads and stores an iteration, nvcc 13.0 and 13.5 unroll those in full that come to 64 loads and stores, with an `if`
 * around each to 32; of what is longer but known as many iterations, a power of two, as come to 16; and where the number of iterations is known only when
 * the kernel runs, four at a time, or two, by the same measure, and one by one what is left over. clang has the same rules with other bounds,
 * and reasons of its own not to unroll, which nvcc does not have: the number of iterations takes a division; a thread's number, which it
 * knows to be below 1024, leaves few iterations; a step that is a variable may be 0. */
#pragma once

#include <stddef.h>

#include "base/text.h"
#include "cuda/argv.h"

/* The options by which clang, of which `compiler` is name and version ("clang 14.0.6"), unrolls so. */
void unroll_add_options(Argv *command, const char *compiler);

/* Copies the module (length bytes, NUL-terminated LLVM assembly that is not optimised) to out without what keeps clang from it: nothing is known of
 * the numbers of threads and blocks (from version 20 on LLVM knows itself what the intrinsics that read them return: others stand in their places); a loop whose last block adds one variable to another goes on to an end; one that goes through an array of
 * the thread's own is unrolled even if it has a second end, so that the array can be registers (in full where that has no more than 32 elements,
 * since older clangs do so of themselves only with a number of iterations that is known exactly); and inline assembly that computes, as our
 * headers have it, may be executed anywhere. From version 17 on LLVM makes one comparison of two of a loop's variable
 * by which it ends, and then unrolls it, which nvcc does not where the step is not 1: by those versions nothing is moved out of such a loop but by the code
 * generator. Other loops of two ends stay as they are, such as one that ends by what it reads. With a step of 1 both unroll a loop with a break on its
 * variable; not alike are a second comparison at its head, of its variable and another one, which nvcc unrolls by (if nothing is known of the first), and a break on
 * a variable made of the two, by which clang does (tests/cuda/two_ends.cu). compiler: as above. */
void unroll_prepare(const char *module, size_t length, const char *compiler, Text *out);

/* Copies clang's PTX of such a module to out, with the numbers of threads and blocks where others stand in their places. */
void unroll_finish(const char *ptx, Text *out);
