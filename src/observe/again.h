/* again.h: loads that the assembler takes out of a loop: made again they are none (Narrowed.once). */
#pragma once

#include "machine/observer.h"
#include "observe/timeline.h"

/* What a warp loaded last at an instruction. */
typedef struct LastLoad {
    uint64_t block, addr[WARP_LANES];
    uint32_t warp, active; /* active: 0 at the beginning */
} LastLoad;

typedef struct LastLoads {
    LastLoad **at; /* by the instruction that stands for all, and that by resident warp; NULL before the first */
    uint32_t n_insns;
} LastLoads;

/* Whether the warp's lanes have loaded what they load now at one of the instructions of which this stands for all (Narrowed.with); if not, they have from now on. An address that an outer loop changes is
 * another one. */
bool loads_again(LastLoads *loads, const Place *place, const Access *access, uint32_t with);

void last_loads_free(LastLoads *loads);
