/* asynccopy.h: cp.async: global to shared memory without registers. The copy is made at once, as a load and a store, and counted so; a kernel
 * that reads too early, before cp.async.wait, is not found out. */
#pragma once

#include "machine/warp.h"

/* False after a fault. active is not 0. */
bool warp_async_copy(Warp *warp, const Step *step, uint32_t active);
