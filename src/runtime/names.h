/* names.h: the names of a kernel's parameters in its source, which PTX does not keep. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Fills names with copies (the caller frees each) of the parameters' names of the __global__ function `kernel`, its plain name, if the
 * source defines or declares one of n parameters. Macros and parameters without a name are not understood: false then,
 * and names, which are to be NULL, are NULL. */
bool names_find(const char *source, const char *kernel, uint32_t n, char **names);
