/* atomics.h: atom and red: read, modified and written back in one step that no other host thread can divide, lane after lane. */
#pragma once

#include "machine/warp.h"

/* What a word becomes in shared memory, of all operations but compare-and-swap. */
uint64_t atomics_result(uint8_t variant, uint8_t type, uint64_t old, uint64_t with);

/* Updates what stands there with the step's operation, on elements of step->bytes. */
void atomics_update(Warp *warp, const Step *step, bool global, uint8_t *at, uint64_t value);

/* False after a fault. active is not 0. */
bool warp_atomic(Warp *warp, const Step *step, uint32_t active);
