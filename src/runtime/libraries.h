/* libraries.h: what of NVIDIA's libraries is not emulated. Internal to src/runtime. */
#pragma once

#include "runtime/context.h"

/* What a program asks for is told, once for each place in the program, and that the call returns this status; it does not end well. False: it
 * has been told before. */
bool library_refuse(Context *context, const char *what, const char *status);
