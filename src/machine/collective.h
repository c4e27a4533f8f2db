/* collective.h: instructions that lanes of a warp execute together: shuffles, votes, matches, reductions, elections and __syncwarp. The
 * lanes that a _sync mask names must all be at the instruction before any goes on. */
#pragma once

#include "machine/warp.h"

typedef enum Convergence { CONVERGED, CONVERGENCE_WAITS, CONVERGENCE_FAULT } Convergence;

/* Executes the step once the named lanes are there, those of other stack entries joined (see stack_converge); else blocks the top entry
 * and makes another one the top. The top entry's pc stands at the step. */
Convergence collective_run(Warp *warp, const Step *step, uint32_t active);

/* At a barrier of the block: the same for all of the warp's lanes, but where none of the missing ones can run the barrier goes ahead without
 * them, to have its fault. *active may grow by those that were waiting. False: the entry is blocked. */
bool collective_at_barrier(Warp *warp, uint32_t *active);

/* Something depends on a value that a shuffle took and no lane gave. False after a fault. */
bool collective_tell(Warp *warp, const Origin *taken);
