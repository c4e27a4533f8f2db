/* find.h: where the compilers are, and what they call themselves. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cuda/compile.h"

/* choice is nvcc or clang. nvcc: the first of CUDA_HOME, the project's own from ./setup --cuda, PATH, /usr/local/cuda and /opt/cuda. clang:
 * Homebrew's, else in PATH; if no program is called just clang, the newest clang-N. False when there is none. */
bool find_compiler(CompilerChoice choice, char *path, size_t path_bytes);

/* Says that there is no such compiler, and how to get one. path: the file to compile, or NULL. Returns false. */
bool find_failed(CompilerChoice choice, const char *path, Diag *diag);

/* "nvcc 13.0" from "release 13.0, V13.0.88", "clang 14.0.6" from "Debian clang version 14.0.6". Compilers write these words into
 * their output too, so that no further run is needed to learn them. False, with name as it was, where they are missing. */
bool find_version_in(CompilerChoice choice, const char *text, size_t length, char *name, size_t name_bytes);

/* Asks the compiler at path. */
void find_version(CompilerChoice choice, const char *path, char *name, size_t name_bytes);
