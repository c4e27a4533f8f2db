#include "machine/peers.h"

#include "machine/lanes.h"

static uint64_t lane_of(const void *slot, unsigned lane_bytes, unsigned lane) {
    return lane_bytes == 8 ? ((const uint64_t *)slot)[lane] : ((const uint32_t *)slot)[lane];
}

/* The window's start stands in an address of 64 bits alone, which may be a generic one. */
static uint32_t place_of(uint64_t address) { return (uint32_t)address; }

Block *peers_owner(const Block *block, uint64_t address, uint64_t *offset, uint32_t *rank) {
    const Cluster *cluster = block->cluster;
    const uint64_t span = address / CLUSTER_SPAN;
    *offset = span && cluster->count > 1 ? address % CLUSTER_SPAN : address;
    *rank = span && cluster->count > 1 && span <= UINT32_MAX ? (uint32_t)span - 1 : block->rank;
    return *rank < cluster->count ? cluster->blocks[*rank] : NULL;
}

bool peers_is_own(const Block *block, uint64_t generic) {
    uint64_t offset;
    uint32_t rank;
    peers_owner(block, place_of(generic), &offset, &rank);
    return rank == block->rank;
}

/* Where the block's memory begins. An address has 8 bits for one more than the rank, which a larger one would run over, into rank 0's or the window. */
static uint64_t base_of(uint32_t rank) {
    enum { RANK_MOST = 254 }; /* no cluster has it */
    return ((rank < RANK_MOST ? rank : RANK_MOST) + UINT64_C(1)) * CLUSTER_SPAN;
}

uint64_t peers_address(const Block *block, uint32_t rank, uint64_t address) {
    uint64_t offset;
    uint32_t given;
    peers_owner(block, address, &offset, &given);
    return rank == block->rank ? offset : base_of(rank) + offset;
}

void peers_map(const Warp *warp, const Step *step, uint32_t active) {
    const bool wide = step->lane_bytes == 8, alone = warp->block->cluster->count == 1;
    const void *from = warp_at(warp, step->s[0]);
    const uint32_t *ranks = warp_at(warp, step->s[1]);
    void *to = warp_at(warp, step->d);
    EACH_ACTIVE_LANE(l, active) {
        const uint64_t address = lane_of(from, step->lane_bytes, l);
        const uint64_t base = alone && !ranks[l] ? 0 : base_of(ranks[l]);
        const uint64_t mapped = address - place_of(address) + base + place_of(address) % CLUSTER_SPAN;
        if (wide)
            ((uint64_t *)to)[l] = mapped;
        else
            ((uint32_t *)to)[l] = (uint32_t)mapped;
    }
}

void peers_rank(const Warp *warp, const Step *step, uint32_t active) {
    const void *from = warp_at(warp, step->s[0]);
    uint32_t *to = warp_at(warp, step->d);
    EACH_ACTIVE_LANE(l, active) {
        uint64_t offset;
        peers_owner(warp->block, place_of(lane_of(from, step->lane_bytes, l)), &offset, &to[l]);
    }
}
