/* tracing.h: a traced launch: what its observers see of instructions that access no memory as well. */
#pragma once

#include "machine/warp.h"

/* At an EXEC_TRACE that these lanes have come to: the results of the warp's instruction before, then the one that follows. */
void warp_trace(Warp *warp, const Step *step, uint32_t lanes);
