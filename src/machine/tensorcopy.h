/* tensorcopy.h: cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: one thread has a box of a tensor copied, which a tensor map (tensormap.h) tells of.
 * In shared memory the box is dense, its innermost dimension first, and swizzled by the map (a row narrower than the swizzle's span takes the span all the same); what of it lies out of the tensor's bounds is filled
 * there, and left alone in global memory. An mbarrier gets the bytes of the whole box. */
#pragma once

#include "machine/warp.h"

/* False after a fault. */
bool warp_tensor(Warp *warp, const Step *step, uint32_t active);
