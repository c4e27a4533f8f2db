/* cluster.h: blocks that are resident together, meet at barrier.cluster and access each other's shared memory (PTX ISA, "Cluster of Cooperative Thread
 * Arrays", sm_90). A launch without clusters has those of one block. */
#pragma once

#include "machine/warp.h"

/* Index in the grid of the block with this rank in the launch's nth cluster. */
uint64_t cluster_block(const Launch *launch, uint64_t nth, uint32_t rank);

/* The block's rank in its cluster, whose number in each dimension goes to clusterid. */
uint32_t cluster_rank(const Launch *launch, const uint32_t ctaid[3], uint32_t clusterid[3]);

/* Of several blocks. */
Cluster *cluster_new(uint32_t count);

/* The block has begun, with this rank; NULL: it is a cluster by itself. */
void cluster_join(Block *block, Cluster *cluster, uint32_t rank);

/* The block has ended, or is not run on. The last one frees the cluster. */
void cluster_leave(Block *block);

/* The lanes arrive. False after a fault. Who arrives twice, or waits without having arrived, an H200 lets go on. */
bool cluster_arrive(Warp *warp, const Step *step, uint32_t active);

typedef enum ClusterWait { CLUSTER_PASSES, CLUSTER_WAITS, CLUSTER_FAULT } ClusterWait;

/* The lanes, the top entry's, wait for all others of the cluster. CLUSTER_WAITS: they come to the step again, and others are to run; where the warp has none,
 * it is WARP_AT_CLUSTER. */
ClusterWait cluster_wait(Warp *warp, const Step *step, uint32_t active);

/* Whether a warp of the block waits at the cluster's barrier. */
bool cluster_awaited(const Block *block);

/* Threads have ended: others need not wait for them. */
void cluster_settle(Block *block);

/* Fills the fault where a warp waits at barrier.cluster and no thread can go on. False: none does. */
bool cluster_deadlock(Worker *worker, const uint32_t *block_slots, uint32_t count);
