/* warp.h: the state of a running warp, of its block and of the worker (a host thread) that runs it, which the files of the machine share;
 * and the interpreter's loop. Struct definitions stand here together, since each of the three leads to the others. */
#pragma once

#include "machine/code.h"
#include "machine/findings.h"
#include "machine/launch.h"
#include "machine/simt_stack.h"
#include "machine/spin.h"

/* One activation of a function. */
typedef struct Frame {
    uint32_t function;   /* index into code->functions */
    uint32_t caller;     /* frame; meaningless for the kernel's */
    uint32_t call;       /* step of the call */
    uint32_t calls;      /* that lead to it, within each other */
    uint32_t slots_base; /* byte offset in the warp's registers, behind those of all frames that there are */
    uint32_t
        local_base; /* byte offset in each lane's local memory, behind its caller's: other lanes' frames have the same place, each in its own */
} Frame;

/* Lanes went different ways. */
typedef struct Parting {
    uint32_t pc, taken, others;
} Parting;

enum { PARTINGS = 32 }; /* so many are kept */

typedef enum WarpState { WARP_READY, WARP_AT_BARRIER, WARP_AT_CLUSTER, WARP_DONE } WarpState;

typedef struct Warp {
    struct Block *block;
    struct Worker *worker;
    Place place;
    uintptr_t areas[AREAS]; /* by area: what to add to a slot in it; [AREA_FRAME] belongs to the top entry's frame */
    uint8_t *own;           /* AREA_WARP */
    uint8_t *registers;
    uint8_t *local; /* word w of lane l at (w * 32 + l) * 4 */
    uint32_t registers_bytes;
    uint32_t live; /* lanes that have not left */
    uint32_t gone; /* lanes that have left by a branch behind which there is no barrier; gone_at: which, by lane */
    uint32_t gone_at[WARP_LANES];
    /* Lanes that were let go on while others wait at a barrier, to which they did not come; that step, and who waits there; whether they have changed
     * memory since: see barrier_gathers. */
    uint32_t missed, missed_step, missed_by;
    bool touched;
    uint32_t cluster_arrived;   /* lanes that have come to barrier.cluster, whose phase is not complete */
    uint32_t cluster_owing;     /* lanes that have arrived there and not yet waited */
    uint32_t told;              /* lanes that have left and were told of at a barrier (Launch.tells_left) */
    Parting partings[PARTINGS]; /* the latest, n_partings in all, wherever lanes went different ways */
    uint32_t n_partings;
    uint32_t carry;
    SimtStack stack; /* empty once all lanes have left */
    uint32_t frame_capacity;
    Frame *frames;
    WarpState state;
    uint64_t steps_left;  /* of max_steps */
    uint64_t accesses;    /* of global memory */
    uint64_t steps_begun; /* steps_left when the warp was scheduled last */
    bool progressed;      /* changed memory or read a new value while polling, since block_run last looked */
    /* Since the last iteration of a loop ended: */
    bool changed;     /* memory: a store, or an atomic that left another value */
    bool read_global; /* memory */
    bool polled;      /* an atomic, a volatile or acquiring read or a fence, which may show what other threads did */
    uint32_t spins;   /* iterations in succession that polled and changed nothing */
    Spin spin;
    /* Of a traced launch: the EXEC_TRACE whose results have not been shown yet, where its registers are, and who ran it. */
    const Step *shown;
    uint32_t shown_base, shown_active;
    struct Shadow *shadow; /* NULL before the first undefined value: see defined.h */
    bool watched;          /* it has undefined values: each step asks defined.h */
} Warp;

typedef struct Barrier {
    uint32_t arrived;           /* warps that wait or have arrived (bar.arrive) */
    uint32_t waiting;           /* warps that wait */
    uint32_t threads;           /* threads that arrived, 32 for each warp */
    uint32_t expected;          /* threads, 0: all warps that have not ended */
    uint32_t red_count;         /* bar.red: lanes with a true predicate */
    uint32_t red_lanes;         /* lanes that took part */
    uint32_t step[WARP_LANES];  /* by warp: where it waits */
    uint32_t lanes[WARP_LANES]; /* by warp: which lanes */
} Barrier;

enum { BARRIERS = 16 };

/* Blocks that began together: cluster.h. */
typedef struct Cluster {
    struct Block *blocks[CLUSTER_BLOCKS_MOST]; /* by rank; NULL: it has ended */
    uint32_t count, open;                      /* blocks; those that have not ended */
    uint32_t phase;                            /* of its barrier: how many are complete */
    bool arrived;                              /* somebody has arrived in the one that is not */
} Cluster;

typedef struct Block {
    struct Worker *worker;
    uint64_t index;
    uint32_t n_warps;
    uint32_t live_warps; /* bit w: warp w has not ended */
    Warp *warps;
    uint8_t *shared;
    uint32_t shared_bytes;
    Barrier barriers[BARRIERS];
    struct MbarrierNote *mbarriers; /* those that have been initialised: mbarrier.h */
    uint32_t n_mbarriers;
    Cluster *cluster;     /* NULL once it has ended */
    uint32_t rank;        /* in it */
    uint64_t shared_base; /* of its addresses in registers, where the cluster has several blocks: see peers.h; else 0 */
    Cluster alone;        /* its own, where it has no other block */
} Block;

/* What an instruction accessed last. */
typedef struct Recent {
    Allocation *allocation;
    uint64_t low;   /* its lowest address */
    uint64_t first; /* the same in the first warp of a block */
} Recent;

enum { ASYNC_COPY_BYTES_MOST = 16 };

typedef struct Worker {
    const Launch *launch;
    const Machine *machine;
    const Code *code;
    Observer **observers;
    uint32_t n_observers;
    Recent *recent; /* by pc */
    Sight *sight;   /* NULL: nobody watches */
    Fault fault;
    FindingLog findings;
    uint64_t prints;                                                         /* as in LaunchOutcome */
    Text output;                                                             /* of the batch */
    uint64_t effort;                                                         /* of the batch: see effort.h */
    uint64_t ended_effort;                                                   /* of that until a block last ended */
    uint64_t bytes;                                                          /* of its blocks: see block_new */
    uint64_t instructions, thread_instructions, busiest_warp, most_accesses; /* as in LaunchOutcome */
    int64_t *begun; /* by step, and one more: how many runs of steps began with it, less those that ended before it */
    Block **blocks; /* by block slot, made when first needed */
    uint32_t block_capacity;
    _Alignas(64) Access access;                        /* being made, then shown to observers; aligned as vectors want it */
    uint8_t packed[WARP_LANES * 32];                   /* values of a store whose lanes are not as far apart as in registers */
    uint8_t copied[WARP_LANES][ASYNC_COPY_BYTES_MOST]; /* cp.async: loaded, not yet stored */
    Undefined undefined;                               /* of the access that is being made; with checks */
    bool scheduled;                                    /* not as usual */
    uint64_t drawn;                                    /* state of schedule_draw */
} Worker;

/* The area's number in a slot's top bits is taken off here, once, and not whenever a slot is looked up. */
static inline void warp_set_area(Warp *warp, uint32_t area, void *base) { warp->areas[area] = (uintptr_t)base - SLOT(area, 0); }
static inline void *warp_at(const Warp *warp, Slot slot) { return (void *)(warp->areas[SLOT_AREA(slot)] + slot); }

/* The lanes that it began with. */
static inline uint32_t warp_begun(const Warp *warp) {
    uint32_t threads = warp->place.threads - warp->place.warp * WARP_LANES;
    return threads >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << threads) - 1;
}

/* The activation that the top entry executes. */
static inline const Frame *warp_frame(const Warp *warp) { return &warp->frames[stack_top(&warp->stack)->frame]; }

typedef enum RunEnd {
    RUN_DONE,    /* all lanes have left */
    RUN_BARRIER, /* waits at a barrier */
    RUN_YIELD,   /* an iteration of a loop has read global memory: meanwhile an SM would issue from other warps */
    RUN_SPIN,    /* an iteration has polled and changed nothing: another warp must run */
    RUN_PARKED,  /* the same, and so will all further ones until what it reads changes */
    RUN_WATCH,   /* only within warp_run: it goes on, watched or no longer watched */
    RUN_FAULT
} RunEnd;

void warp_start(Warp *warp, uint32_t lanes); /* these at the kernel's first step */
RunEnd warp_run(Warp *warp);
