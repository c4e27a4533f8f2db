/* asynccopy.h: cp.async: global to shared memory without registers. The copy is made at once, as a load and a store, and counted so; who reads
 * too early is found out by observe/async_check.h. */
#pragma once

#include "machine/warp.h"

/* False after a fault. active is not 0. */
bool warp_async_copy(Warp *warp, const Step *step, uint32_t active);
