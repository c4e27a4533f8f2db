/* loadstore.h: accesses to memory: the lanes' addresses are resolved to host memory, bounds and alignment checked, observers shown the
 * access; then the data moves. */
#pragma once

#include "machine/warp.h"

/* False after a fault. active is not 0, but for frame and parameter accesses, which have no fault. */
bool warp_load(Warp *warp, const Step *step, uint32_t active);
bool warp_store(Warp *warp, const Step *step, uint32_t active);
void warp_frame_load(Warp *warp, const Step *step, uint32_t active);
void warp_frame_store(Warp *warp, const Step *step, uint32_t active);
void warp_param_load(Warp *warp, const Step *step, uint32_t active);

/* --- for other instructions that access memory --- */

/* Puts the lanes' addresses into the worker's access, inactive ones filled with the first active lane's. */
void warp_addresses(Warp *warp, Slot slot, unsigned slot_bytes, uint64_t offset, uint32_t active);
void warp_step_addresses(Warp *warp, const Step *step, uint32_t active); /* those of the step's address operand */

/* An access, or those of its lanes that are in one allocation, resolved: lane l's bytes are at host + addr[l] (local memory: host is the
 * warp's, addr[l] the lane's own offset). Inactive lanes have addresses that may be read too, unless it is scattered. */
typedef struct Resolved {
    uint8_t space;   /* GLOBAL, SHARED, LOCAL, CONST or PARAM */
    bool contiguous; /* as access_contiguous has it */
    bool eights;     /* the same of each eight lanes */
    bool alike;      /* each eight lanes have one address */
    bool scattered;  /* the other lanes are in other allocations */
    uint32_t lanes;
    uintptr_t host; /* global memory: where device address 0 would be (a number, since no object is there) */
    const uint64_t *addr;
} Resolved;

static inline uint8_t *resolved_at(const Resolved *at, unsigned lane) { return (uint8_t *)(at->host + at->addr[lane]); }

typedef void MoveData(Warp *warp, const Step *step, const Resolved *at);

/* What a step is to do with the addresses that warp_addresses has just filled. */
typedef struct Transfer {
    uint8_t space, kind; /* Space, GENERIC too; AccessKind */
    uint8_t bytes;       /* of each lane */
    uint32_t lanes;
    const void *data; /* see Access */
    MoveData *move;   /* called once for each allocation that is touched */
} Transfer;

/* Resolves and checks it, shows it to the observers, then moves data. False after a fault. */
bool warp_access(Warp *warp, const Step *step, Transfer transfer);

/* Only shows it to the observers. */
bool warp_show(Warp *warp, const Step *step, Transfer transfer);

/* The same of an access to the shared memory of another block of the cluster, which stands there. */
bool warp_show_peer(Warp *warp, const Step *step, Transfer transfer, const Place *owner);

/* Notes that a kernel accesses the allocation. */
static inline void warp_mark(Allocation *in, uint8_t kind, uint8_t policy) {
    if (policy == POLICY_NC) __atomic_store_n(&in->promised, true, __ATOMIC_RELAXED);
    if (kind != ACCESS_STORE) __atomic_store_n(&in->read, true, __ATOMIC_RELAXED);
    if (kind != ACCESS_LOAD) __atomic_store_n(&in->written, true, __ATOMIC_RELAXED);
}

/* Local memory is interleaved by words; values of 8 bytes take two. */
uint64_t local_get(const uint8_t *local, unsigned lane, uint64_t offset, unsigned bytes);
void local_put(uint8_t *local, unsigned lane, uint64_t offset, unsigned bytes, uint64_t value);
