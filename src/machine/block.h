/* block.h: a block's life: its warps are made once for each block slot of an SM, then started anew for every block that runs there, and
 * run round-robin. */
#pragma once

#include "machine/warp.h"

/* NULL with the worker's fault when its blocks take more memory than they may. */
Block *block_new(Worker *worker, uint32_t block_slot);
void block_free(Block *block);
/* cluster: of several blocks, of which it is one; NULL: it is one by itself. */
void block_start(Block *block, uint64_t index, Cluster *cluster);

typedef enum BlockEnd {
    BLOCK_DONE,
    BLOCK_YIELDED,
    BLOCK_SPINS,  /* its warps only poll, and read nothing new */
    BLOCK_PARKED, /* and none need run before something changes: see block_wakes */
    BLOCK_FAULT
} BlockEnd;

/* Runs the warps round-robin until all have ended or the SM's other blocks should run. */
BlockEnd block_run(Block *block);

/* Whether a parked block has a warp that may run again. */
bool block_wakes(Block *block);

/* When nothing else can run: lanes that wait to reconverge with others go on without them. False: there are none. */
bool block_release(Block *block);
