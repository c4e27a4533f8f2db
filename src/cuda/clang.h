/* clang.h: CUDA compiled by clang with the headers in src/include, in two passes over the same file: one makes PTX of the device
 * code, the other an object file of the host code, with the PTX inside. */
#pragma once

#include <stdbool.h>

#include "cuda/compilation.h"

/* Fills the result's ptx. silently: without warnings, which the other pass gives for the same code. False with diag set when clang
 * refuses the file. */
bool clang_device(Compilation *compilation, bool silently);

/* Writes the object file. The program registers the result's ptx, NUL-terminated, as nvcc's programs do their fat binaries:
 * __cudaRegisterFatBinary() gets {0x466243b1, 1, ptx, NULL}. */
bool clang_host(Compilation *compilation, const char *object_path);
