/* barrier.h: the block's sixteen barriers: bar and barrier with their forms sync, arrive and red. */
#pragma once

#include "machine/warp.h"

/* Before lanes that are not all of the warp arrive: those that only wait for the kernel's end have left, those that may run do, and *active becomes
 * all that have come to this barrier. False: others run first. */
bool barrier_gathers(Warp *warp, const Step *step, uint32_t *active);

/* The lanes leave, of which barrier_gathers let some go on: a finding where they have written memory meanwhile, whatever Launch.on_fault says, since
 * an H100 runs through it. */
void barrier_missed(Warp *warp, uint32_t lanes);

/* All of the warp's lanes that have not left arrive (fewer: a fault); the warp's state says whether it waits. False after a fault. */
bool barrier_arrive(Warp *warp, const Step *step, uint32_t active);

/* The warp has ended: others need not wait for it. */
void barrier_warp_ended(Warp *warp);

/* Fills the fault when no warp of the block can run, since each waits at a barrier that the others do not reach. */
void barrier_deadlock(Block *block);
