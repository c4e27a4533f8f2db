/* door.h: the one way in which this program starts compilers and linkers.
 *
 * nvcc puts its words, its current folder, its own path and TMPDIR into commands that it gives to a shell: between double quotes, where $, `, \ and " mean
 * something, or bare. So nvcc is started with plain words only, in a folder of a plain path; alias.h gives plain names to files whose own are not.
 * g++ and clang are started without a shell, but take a word that begins with @ for the name of a file of further words, and tell themselves the last
 * names of files in words of their own: no name that begins so is given to them.
 *
 * A compiler's environment is what it needs to run, and nothing that changes what it compiles: a verdict is the same everywhere, and some variables
 * (NVCC_APPEND_FLAGS, NVCC_CCBIN, INCLUDES, CUDAFE_FLAGS, …) reach nvcc's shell too. What is kept is listed in door.c: where programs and their libraries
 * are, and who the user is. Dropped are the language of messages, which are read here, CPATH, LIBRARY_PATH, COMPILER_PATH, GCC_EXEC_PREFIX, CCC_OVERRIDE_OPTIONS, LD_PRELOAD and
 * all others; -I, -L and -Xcompiler say the same where it can be seen. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "cuda/compile.h"
#include "host/process.h"

/* Whether a shell takes the text as it is, in quotes and bare: not empty, of letters, digits, _ . / + - : , = and what is not ASCII. */
bool door_is_plain(const char *text);

/* Whether nvcc may be given this name of a file. A comma parts names for nvcc, and a colon those in PATH; a relative path is no plainer than the current folder. */
bool door_takes_path(const char *path);

/* As process_run, in the environment that compilers have. The request's temp_dir is given. False with diag set, and nothing started, where a word or a
 * folder is not plain and the compiler is nvcc, or where a name begins with @. */
bool door_run(CompilerChoice compiler, const ProcessRequest *request, ProcessResult *result, Diag *diag);
