/* peers.h: addresses by which a block reaches the shared memory of its cluster's blocks.
 *
 * An address of .shared::cluster is one of .shared wherever it names the own block's memory. Where a cluster has several blocks, the window has
 * CLUSTER_SPAN bytes for each by rank, behind those of the own block: what an instruction names by itself, as [tile+4], is the own block's; what it
 * takes from a register has the rank in it, so that it means the same in every block. */
#pragma once

#include "machine/warp.h"

#define CLUSTER_SPAN (UINT64_C(1) << 24) /* more than a block's shared memory can have */

/* mapa, getctarank. */
void peers_map(const Warp *warp, const Step *step, uint32_t active);
void peers_rank(const Warp *warp, const Step *step, uint32_t active);

/* By an address of .shared or .shared::cluster, which *offset then counts in the memory of the block that is returned; NULL: no block of the cluster, or
 * one that has ended, has that place. *rank: whose it would be. */
Block *peers_owner(const Block *block, uint64_t address, uint64_t *offset, uint32_t *rank);

/* The address of .shared::cluster by which this block reaches, in the block of that rank, the place that an address of .shared::cluster has in its own. */
uint64_t peers_address(const Block *block, uint32_t rank, uint64_t address);

/* Whether this address, a generic one in their window, is of the own block's shared memory. */
bool peers_is_own(const Block *block, uint64_t generic);
