/* bulkcopy.h: cp.async.bulk and cp.reduce.async.bulk: one thread has a range of bytes copied, without registers. The copy is made at once, 16 bytes at
 * a time (a reduction element by element), as accesses of that thread's, and completes its bytes on its mbarrier; who reads or overwrites too early
 * is found out by observe/async_check.h. */
#pragma once

#include "machine/warp.h"

/* False after a fault. */
bool warp_bulk(Warp *warp, const Step *step, uint32_t active);
