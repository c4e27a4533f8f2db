/* ahead.h: loads that the assembler puts ahead of the stores in front of them. */
#pragma once

#include "kernel/regions.h"
#include "ptx/program.h"

/* Adds TRAIT_AHEAD to the function's loads of global memory that have stores in front of them, none of which can write what they read: loads through
 * .nc, and those whose address is a store's but for a constant, with other bytes. By instruction of the program. Only stores of the load's region behind the last
 * barrier, fence, call or the like count; an atomic or a volatile access there lets none pass, asynchronous copies let all.
 *
 * An H200 shows it by its L2, where a warp's stores to the same sectors join with no load between them: of structures of 2, 3 and 4 floats that are doubled
 * in place field by field a half, a third and a third of the sectors arrive, of two arrays (which may overlap) 0.91 (tests/hardware/h200-ahead.csv). */
void ahead_find(const Program *program, const Function *function, const Regions *regions, uint8_t *traits);
