#include "observe/copy_groups.h"

#include "ptx/program.h"

void copy_waits_add(CopyWaits *sum, const CopyWaits *from) {
    sum->waits += from->waits;
    sum->shares += from->shares;
}

/* All but the latest `left` groups are waited for: as long as the latest of them takes. */
static void wait_for(CopyGroups *groups, uint32_t left, CopyWaits *sum) {
    uint32_t since = 0;
    for (; groups->committed - groups->complete > left; groups->complete++)
        if (groups->since[groups->complete % COPY_GROUPS]) since = groups->since[groups->complete % COPY_GROUPS];
    if (!since) return;
    groups->waits++;
    const uint32_t in_flight = groups->waits + 1 - since;
    sum->waits++;
    const uint64_t share = COPY_SHARES / (in_flight < COPY_GROUPS ? in_flight : COPY_GROUPS);
    sum->shares += share;
    groups->waited += share;
}

static void commit(CopyGroups *groups, CopyWaits *sum) {
    wait_for(groups, COPY_GROUPS - 1, sum);
    groups->since[groups->committed++ % COPY_GROUPS] = groups->open ? groups->waits + 1 : 0;
    groups->open = false;
}

void copy_groups_event(CopyGroups *groups, const AsyncEvent *event, CopyWaits *sum) {
    switch (event->variant) {
    case CP_ASYNC_COPY: groups->open = true; break;
    case CP_ASYNC_COMMIT: commit(groups, sum); break;
    case CP_ASYNC_WAIT_GROUP: wait_for(groups, event->left, sum); break;
    case CP_ASYNC_WAIT_ALL:
    case CP_ASYNC_ARRIVE: /* whoever waits for the mbarrier */
    case CP_ASYNC_ARRIVE_NOINC:
        commit(groups, sum);
        wait_for(groups, 0, sum);
        break;
    }
}

void copy_groups_meet(CopyGroups *ring, uint32_t room, uint32_t first, uint32_t warps, CopyWaits *sum) {
    uint64_t most = 0;
    for (uint32_t left = warps; left; left &= left - 1) {
        const uint64_t waited = ring[(first + (uint32_t)__builtin_ctz(left)) % room].waited;
        most = waited > most ? waited : most;
    }
    for (uint32_t left = most ? warps : 0; left; left &= left - 1) {
        CopyGroups *groups = &ring[(first + (uint32_t)__builtin_ctz(left)) % room];
        sum->shares += most - groups->waited;
        groups->waited = 0;
    }
}
