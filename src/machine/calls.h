/* calls.h: calls of device functions, returns, and the functions that the machine provides itself: vprintf, malloc, free, __assertfail, and those of devicecall.h.
 * Parameters are passed in local memory. */
#pragma once

#include "machine/warp.h"

/* The top entry's pc stands behind the call. False after a fault. active is not 0. */
bool warp_call(Warp *warp, const Step *step, uint32_t active);
void warp_return(Warp *warp, uint32_t active);

/* Whether the machine provides a function of this name, which then needs no body. */
bool call_is_provided(const char *name);

/* Whether that needs a heap: malloc, free, and clang's operators. */
bool call_is_of_heap(const char *name);
