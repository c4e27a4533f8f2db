/* observer.h: the one interface through which counters and checks watch the machine. Observers never change what a kernel computes; one may
 * end the launch with a fault. Each worker (host thread) has observers of its own, so that callbacks of one observer never overlap.
 *
 * Workers take batches: blocks that are resident together on one SM. Batches of one SM run in order. */
#pragma once

#include "machine/access.h"
#include "machine/fault.h"

struct CommitTicket;

/* Why lanes of a warp that have not left the kernel are not where its other lanes execute. */
typedef enum WaitKind {
    WAIT_PATH,          /* they went another way at a branch, which is run later */
    WAIT_RECONVERGENCE, /* they are where those that execute will join them */
    WAIT_SYNC           /* they wait for lanes that the mask of a _sync instruction names */
} WaitKind;

typedef struct LaneWait {
    uint32_t pc; /* where they go on; with WAIT_SYNC the _sync instruction itself */
    uint32_t lanes;
    WaitKind kind;
} LaneWait;

/* An instruction that a warp is about to run, as launches that are traced show it. */
typedef struct Shown {
    uint32_t pc;
    uint32_t lanes;  /* that are here; never 0 */
    uint32_t active; /* those whose guard lets them run it */
    uint32_t live;   /* the warp's lanes that have not left the kernel */
    uint32_t n_waiting;
    const LaneWait *waiting; /* the live ones that are not here, those that execute soonest first; valid during the callback */
} Shown;

/* What an instruction wrote into one of its destination registers: 32 values of `bytes` each, those of `active` lanes of use; or with 0 bytes
 * a predicate, one word with a bit for each lane. */
typedef struct Written {
    uint32_t pc;
    unsigned index;  /* of the destination among the instruction's */
    uint32_t active; /* that ran it */
    unsigned bytes;
    const void *lanes;
} Written;

/* Bytes that stand side by side in global memory. */
typedef struct BulkRun {
    uint64_t address;
    uint32_t bytes;
} BulkRun;

/* What an instruction does about asynchronous copies, beyond its accesses. */
typedef struct AsyncEvent {
    uint32_t pc;
    uint32_t lanes;
    uint8_t variant; /* Variant */
    uint32_t left;   /* CP_ASYNC_WAIT_GROUP: groups that need not be complete */
    /* An mbarrier, by its offset in shared memory. CP_ASYNC_ARRIVE…: copies complete in its phase that is going on; MBARRIER_ARRIVE…: the own
     * block's, in that phase; MBARRIER_…_WAIT: waited for. */
    uint32_t barrier;
    uint32_t phase; /* how many phases of it are complete */
    /* BULK_COPY, and a reduction: what the one lane has begun, after its accesses have been shown; BULK_PREFETCH, of which none is. */
    const Place
        *peer; /* where another block of the cluster stands, into which it is, and whose the mbarrier is; NULL: into none */
    uint64_t to, from; /* addresses in their spaces; of a tensor copy that of shared memory alone */
    uint32_t bytes;
    const BulkRun
        *runs; /* those of global memory that are copied: one, or each row of a tensor's box that is not out of bounds */
    uint32_t n_runs;
    uint8_t to_space, from_space;
    bool again; /* the same copy, into another block: .multicast::cluster */
    bool tied;  /* it completes on that mbarrier, in the phase that is going on; else in a group */
} AsyncEvent;

/* What comes of an undefined value. */
typedef enum UseKind { USE_OF_ADDRESS, USE_OF_CONDITION, USE_OF_OPERAND } UseKind;
typedef struct ValueUse {
    uint32_t pc;
    unsigned lane;
    UseKind kind;
    Origin origin; /* of memory or of a register */
} ValueUse;

typedef struct Observer {
    void *self;
    /* Any callback may be NULL. on_access and on_block_end return false after filling fault, with the thread that is named, to end the launch. */
    void (*on_batch_begin)(void *self, uint64_t batch);
    void (*on_block_begin)(void *self, const Place *place, uint32_t shared_bytes);
    bool (*on_access)(void *self, const Place *place, const Access *access, Fault *fault);
    /* Of shared memory that belongs to another block of the cluster, which stands at owner; addresses are offsets there. */
    bool (*on_peer_access)(void *self, const Place *place, const Place *owner, const Access *access, Fault *fault);
    /* An address, a branch or an atomic operation depends on a value that nobody has given. False as on_access. */
    bool (*on_use)(void *self, const Place *place, const ValueUse *use, Fault *fault);
    /* The warps in the set (bit w: warp w) have synchronised at a barrier: what they did before is ordered before what they do next. */
    void (*on_barrier)(void *self, const Place *place, uint32_t warps);
    /* Besides, all of the cluster's blocks have: told twice for each, with the number of the cluster's first block. */
    void (*on_cluster)(void *self, const Place *place, uint64_t first, uint32_t warps);
    /* Asynchronous copies are put into groups, tied to an mbarrier, or waited for; threads arrive at one. */
    void (*on_async)(void *self, const Place *place, const AsyncEvent *event);
    /* __syncwarp(lanes) by this warp. */
    void (*on_warp_sync)(void *self, const Place *place, uint32_t lanes);
    /* __threadfence() and its like by some of the warp's lanes. */
    void (*on_fence)(void *self, const Place *place, uint32_t pc);
    /* Also for each block that had begun when a fault ended the launch: what was found before the fault takes its place. */
    bool (*on_block_end)(void *self, const Place *place, Fault *fault);
    /* After the batch's last block. */
    void (*on_batch_end)(void *self, uint64_t batch);
    /* Batches are committed in order of their number, one at a time, whichever thread ran them: this is where to update state that all SMs
     * share (L2). Called on any thread at any time after the batch's end, while its observer may have begun later batches; not called
     * for batches after one that a fault stopped. */
    void (*on_batch_commit)(void *self, uint64_t batch);
    /* Of a traced launch alone: each instruction before it runs, and its results before the warp's next one. */
    void (*on_insn)(void *self, const Place *place, const Shown *shown);
    void (*on_written)(void *self, const Place *place, const Written *written);
    /* For observers that log during a batch and must bound the log: see commit_wait in grid.h. */
    struct CommitTicket *ticket;
    /* What its work since this was last read cost the host beyond an instruction's share, as instructions (effort.h); the same for any number of threads. */
    uint64_t effort;
} Observer;

/* Calls one of the callbacks that return nothing, of each observer that has it. */
#define OBSERVERS_NOTIFY(observers, n_observers, callback, ...)                                        \
    do {                                                                                               \
        for (uint32_t o = 0; o < (n_observers); o++)                                                   \
            if ((observers)[o]->callback) (observers)[o]->callback((observers)[o]->self, __VA_ARGS__); \
    } while (0)
