/* mempool.h: the pools that memory in stream order comes from. The first is the device's own; a pool counts what it gives, and what it would keep of
 * the device's memory. Internal to src/runtime. */
#pragma once

#include "runtime/context.h"

typedef struct CUmemPoolHandle_st MemPool;

struct CUmemPoolHandle_st {
    MemPool *next;
    uint32_t number; /* in the tags of its allocations; from 1 on */
    bool destroyed;  /* gone when the last of its memory is freed */
    bool is_own;     /* the device's: cannot be destroyed */
    int reuse[3];    /* of cudaMemPoolReuseFollowEventDependencies and the two behind it */
    uint64_t threshold, reserved, reserved_high, used, used_high;
};

/* Bytes that a pool, or what graphs allocate, keeps for so many, as an H100 has it. */
uint64_t mempool_chunks(uint64_t bytes);

/* That of the device, which the first call makes. */
MemPool *mempool_own(Context *context);

/* The one that cudaMallocAsync takes from. */
MemPool *mempool_current(Context *context);

/* The pool of a handle that was not destroyed, or NULL. */
MemPool *mempool_find(Context *context, cudaMemPool_t handle);

/* So many bytes are taken from the pool of this number, if there is one; it has them back. */
void mempool_take(Context *context, uint32_t number, uint64_t bytes);
void mempool_give_back(Context *context, uint32_t number, uint64_t bytes);

/* At a synchronisation pools return to the device what is beyond their thresholds. */
void mempools_release(Context *context);

void mempools_free(Context *context);
