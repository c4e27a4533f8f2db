/* bounds.h: the slow path of accesses: those in several allocations or spaces, in local or parameter memory, out of bounds or misaligned.
 * The faults of accesses are worded here. */
#pragma once

#include "machine/loadstore.h"

/* As warp_access, whose fast path did not apply. */
bool warp_access_slowly(Warp *warp, const Step *step, Transfer transfer);

/* The space in whose window a generic address lies. */
uint8_t window_space(uint64_t generic);

/* Where bytes at a generic address in global, constant or the block's shared memory are on the host; NULL when they are not all there. */
const uint8_t *block_host(const Block *block, uint64_t generic, size_t bytes);

/* Copies a lane's bytes at a generic address, for calls that take pointers (printf); false when they are not all there. */
bool warp_peek(const Warp *warp, unsigned lane, uint64_t generic, void *to, size_t bytes);

/* The same for a string, cut where it is longer than size - 1 or ends in no memory. */
void warp_peek_string(const Warp *warp, unsigned lane, uint64_t generic, char *to, size_t size);
