/* cooperative_groups.h: the grid, blocks, tiles of a warp and coalesced lanes as objects. Tiles of more than 32 threads need nvcc,
 * and clusters a compiler that knows sm_90. */
#pragma once
#define _COOPERATIVE_GROUPS_H_ /* programs ask for it */

#include "warpscope_cuda.h"

#include "warpscope/groups_block.h"
#include "warpscope/groups_cluster.h"
#include "warpscope/groups_lanes.h"
