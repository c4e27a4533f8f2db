/* collective.h: instructions that lanes of a warp execute together: shuffles, votes, matches, reductions, elections and __syncwarp. The
 * lanes that a _sync mask names must all be at the instruction before any goes on. */
#pragma once

#include "machine/warp.h"

typedef enum Convergence { CONVERGED, CONVERGENCE_WAITS, CONVERGENCE_FAULT } Convergence;

/* Of the instructions above: the slot of the lanes' masks; NO_SLOT: it has none. */
static inline Slot collective_mask(const Step *step) {
    if (step->exec == EXEC_WARP_SYNC || step->exec == EXEC_ELECT) return step->s[0];
    return step->exec == EXEC_SHFL ? step->s[3] : step->s[1];
}

/* Executes the step once the named lanes are there, those of other stack entries joined (see stack_converge); else blocks the top entry
 * and makes another one the top. The top entry's pc stands at the step. */
Convergence collective_run(Warp *warp, const Step *step, uint32_t active);
