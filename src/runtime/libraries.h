/* libraries.h: what of NVIDIA's libraries is not emulated. Internal to src/runtime. */
#pragma once

/* A call of cuBLAS's, or a use of one (what: how, with a space before it, or ""), that is not emulated: told once for each place in the program, which then
 * does not end well. The call's status; a handle stays what it is. */
int library_refuse_blas(const char *function, const char *what);
