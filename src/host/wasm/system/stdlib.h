/* stdlib.h: the C library's, with what wasi-libc does not declare before its version 21. */
#pragma once

#include_next <stdlib.h>

char *realpath(const char *restrict path, char *restrict real);
