/* optionsfile.h: nvcc's files of options, --options-file, which CMake writes where it names many files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "cuda/argv.h"

/* Adds the words, with those of each file of options in the place of its name. False with a message for a file that cannot be read. */
bool optionsfile_expand(const char *const *words, size_t count, Argv *whole, Diag *diag);
