/* home.h: the project's folder, which holds our CUDA headers and, after ./setup --cuda, a compiler of NVIDIA's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What WARPSCOPE_HOME names, else the folder above this program that holds src/include. program: argv[0], for systems without
 * /proc, or NULL. False, with path undefined, when there is none. */
bool home_find(const char *program, char *path, size_t path_bytes);
