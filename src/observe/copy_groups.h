/* copy_groups.h: how long warps wait for asynchronous copies (cp.async). A wait for a group that has been in flight for k waits costs a k-th of a copy's
 * time: that is Little's law, where k groups are in flight at a time. A wait for nothing but empty groups, or for none, costs nothing. A group for which there is
 * no room any more is waited for at that commit. Lanes of a warp that commit or wait apart from each other count as if the warp did so each time. Warps that meet
 * at a barrier have all waited as long as the one that waited longest since the last. */
#pragma once

#include "machine/observer.h"

enum { COPY_GROUPS = 16 /* in flight at a time */, COPY_SHARES = 720720 /* divisible by 1 to 16 */ };

typedef struct CopyWaits {
    uint64_t waits, shares; /* waits of warps that cost time; of a copy's time, in all, times COPY_SHARES */
} CopyWaits;

/* Of one warp; zeros when it begins. */
typedef struct CopyGroups {
    uint32_t committed, complete, waits;
    uint32_t since[COPY_GROUPS]; /* by number of the group: waits before its commit, and 1 more; 0: it is empty */
    uint64_t waited;             /* shares since the last barrier */
    bool open;                   /* there are copies of no group yet */
} CopyGroups;

void copy_waits_add(CopyWaits *sum, const CopyWaits *from);

/* What the warp does; what is no cp.async is left out. */
void copy_groups_event(CopyGroups *groups, const AsyncEvent *event, CopyWaits *sum);

/* Some of a block's warps meet, bit i of `warps` the warp i. ring: the groups of as many
 * warps as an SM has room for; first: the place of warp 0 there. */
void copy_groups_meet(CopyGroups *ring, uint32_t room, uint32_t first, uint32_t warps, CopyWaits *sum);
