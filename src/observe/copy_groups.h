/* copy_groups.h: how long warps wait for asynchronous copies (cp.async). A wait for a group that has been in flight for k waits costs a k-th of a copy's
 * time: that is Little's law, where k groups are in flight at a time. A wait for nothing but empty groups, or for none, costs nothing. A group for which there is
 * no room any more is waited for at that commit. Lanes of a warp that commit or wait apart from each other count as if the warp did so each time.
 *
 * Warps that meet at a barrier have all waited as long as the one that waited longest. Who waits for a phase of an mbarrier has waited as long as the one of
 * its arrivers that waited longest until it arrived; and where copies arrive there (cp.async.mbarrier.arrive), until those are there, a copy's time after they were
 * asked for: of k phases that are in flight at a time that is a k-th for each. */
#pragma once

#include "machine/observer.h"

/* Groups in flight at a time; what all of 1 to 16 divide; arrivals that are remembered: those at 32 mbarriers side by side, the latest two phases of each. */
enum { COPY_GROUPS = 16, COPY_SHARES = 720720, COPY_ARRIVALS = 64 };

typedef struct CopyWaits {
    uint64_t waits, shares; /* waits of warps for copies that cost time; of a copy's time, in all, times COPY_SHARES */
} CopyWaits;

typedef struct CopyArrival {
    uint32_t barrier; /* its offset in shared memory */
    uint32_t phase;   /* which is complete once this many are; 0: there was no arrival */
    uint64_t there;   /* what arrived, after so many shares */
} CopyArrival;

/* Of one warp; zeros when it begins. */
typedef struct CopyGroups {
    uint32_t committed, complete, waits;
    uint32_t since[COPY_GROUPS]; /* by number of the group: waits before its commit, and 1 more; 0: it is empty */
    uint64_t waited;             /* shares since the block's begin */
    uint64_t there;              /* its latest copy, after so many shares */
    bool open;                   /* there are copies of no group yet */
    CopyArrival arrivals[COPY_ARRIVALS];
} CopyGroups;

/* Of the blocks that a host thread runs side by side, on one SM or on all; zeros: of none. All have as many threads. */
typedef struct CopyBlocks {
    CopyGroups **warps; /* by block slot; NULL: nothing has been done there about copies */
    uint32_t count;
} CopyBlocks;

void copy_blocks_free(CopyBlocks *blocks);

void copy_waits_add(CopyWaits *sum, const CopyWaits *from);

/* What the warp at this place does; what is neither cp.async nor mbarrier is left out. */
void copy_groups_event(CopyBlocks *blocks, const Place *place, const AsyncEvent *event, CopyWaits *sum);

/* The block's warps begin, or some of them meet, bit i of `warps` the warp i. */
void copy_groups_begin(CopyBlocks *blocks, const Place *place);
void copy_groups_meet(CopyBlocks *blocks, const Place *place, uint32_t warps, CopyWaits *sum);
