/* defined.h: which bits of a warp's registers are undefined: they come from memory that nothing has written, from a register that nothing has
 * written, or from a shuffle that took what no lane gave. Instructions pass them on as Memcheck does (Seward and Nethercote, "Using Valgrind
 * to detect undefined value errors with bit-precision", USENIX 2005): moves, shifts and selections bit by bit, logic as far as the other
 * operand leaves it open, all else as a whole. To load, to move and to store such a value is no mistake; it is told where an address, a
 * branch, an atomic operation, a barrier or which lanes exchange values depends on it. What is stored the observers are shown (Access.undefined).
 *
 * It costs nothing before the first undefined value: only then a warp has a shadow and runs step by step through here, until its
 * registers are all defined again. Calls' parameters and results count as defined. */
#pragma once

#include "machine/warp.h"

/* Why a lane that a shuffle takes a value from does not give one; Origin.which. */
typedef enum UndefinedSource { SOURCE_ELSEWHERE, SOURCE_GONE, SOURCE_NEVER, SOURCE_UNNAMED, SOURCE_KINDS } UndefinedSource;

/* A warp begins: registers that some path reads unwritten are undefined. */
void defined_start(Warp *warp);

/* A function has been entered, in this frame, which is not the top entry's yet. */
void defined_enter(Warp *warp, const Frame *frame);

/* After a load whose observers have found undefined bits, or any of a warp that is watched. */
void defined_loaded(Warp *warp, const Step *step, uint32_t active);

/* Before a step of a warp that is watched, loads (only their addresses), collectives (only their guards and masks) and stores (whose bits are put into
 * worker->undefined) included. mask: its lanes, active: those whose guard lets them run it. False after a fault. */
bool defined_step(Warp *warp, const Step *step, uint32_t mask, uint32_t active);

/* Before a shuffle, vote, match or redux takes place. sources: shuffles: whose value each lane takes; taken: lanes that take what no lane gives,
 * which is then undefined with this origin. */
void defined_collective(Warp *warp, const Step *step, uint32_t active, const uint32_t *sources, uint32_t taken, Origin origin);

/* Before these lanes store what worker->undefined tells of to global memory. False after a fault. */
bool defined_leaves(Warp *warp, uint32_t lanes, unsigned bytes);

void defined_free(Warp *warp);
