/* barrier.h: the block's sixteen barriers: bar and barrier with their forms sync, arrive and red. */
#pragma once

#include "machine/warp.h"

/* All of the warp's lanes that have not left arrive (fewer: a fault); those that only wait for the kernel's end leave now. The warp's state says
 * whether it waits. False after a fault. */
bool barrier_arrive(Warp *warp, const Step *step, uint32_t active);

/* The warp has ended: others need not wait for it. */
void barrier_warp_ended(Warp *warp);

/* Fills the fault when no warp of the block can run, since each waits at a barrier that the others do not reach. */
void barrier_deadlock(Block *block);
