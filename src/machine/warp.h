/* warp.h: the state of a running warp, block and worker, shared by the files that make up the machine: paths.c (which lanes run where),
 * warp.c (the interpreter's loop), spin.c (waiting in loops), loadstore.c, atomics.c, lanes.c (shuffles, votes), calls.c, block.c (barriers,
 * warps' turns), deadlock.c, grid.c. */
#pragma once

#include "machine/code.h"
#include "machine/grid.h"
#include "machine/spin.h"

/* Lanes that run together. The paths of a warp form a stack: the top one runs; one below holds, besides lanes of its own that wait,
 * those of the paths above that will come to it. A path ends where it reaches `reconverge`: its lanes then are in a path below. */
typedef struct Path {
    uint32_t pc;         /* step index */
    uint32_t reconverge; /* step index or NO_INSN */
    uint32_t mask;
    uint32_t frame; /* index into the warp's frames */
    bool blocked;   /* waits at pc for lanes that its _sync mask names */
} Path;

/* One activation of a function. */
typedef struct Frame {
    uint32_t function;   /* index into code->functions */
    uint32_t caller;     /* frame; meaningless for the kernel's */
    uint32_t call;       /* step of the call */
    uint32_t slots_base; /* byte offset in the warp's registers */
    uint32_t local_base; /* byte offset in each lane's local memory */
} Frame;

typedef enum WarpState { WARP_READY, WARP_AT_BARRIER, WARP_DONE } WarpState;

typedef enum RunEnd {
    RUN_DONE,    /* all lanes have left */
    RUN_BARRIER, /* waits at a barrier */
    RUN_YIELD,   /* went round a loop that reads global memory: others on the SM would have had their turn */
    RUN_SPIN,    /* went round a loop that listens to other threads and changes nothing: another warp must run */
    RUN_PARKED,  /* the same, and will go on so until what it reads changes */
    RUN_FAULT
} RunEnd;

typedef struct Warp {
    struct Block *block;
    struct Worker *worker;
    Place place;
    uintptr_t areas[AREAS]; /* by area: what to add to a slot in it; [AREA_FRAME] belongs to the top path's frame */
    uint8_t *own;           /* AREA_WARP */
    uint8_t *registers;
    uint8_t *local; /* word w of lane l at (w * 32 + l) * 4 */
    uint32_t registers_bytes;
    uint32_t live; /* lanes that have not left */
    uint32_t carry;
    uint32_t n_paths, path_capacity;
    Path *paths;
    uint32_t frame_capacity;
    Frame *frames;
    WarpState state;
    uint64_t steps_left;  /* of max_steps */
    uint64_t steps_begun; /* steps_left when the warp's turn began */
    bool wrote;           /* global or shared memory, since the last barrier */
    bool changed;         /* memory, since the last turn round a loop: a store, or an atomic that left another value */
    bool moved;           /* the same, since block_run last looked */
    bool read_global;     /* since the last turn round a loop */
    bool heard;           /* since the last turn round a loop: an atomic, a volatile or acquiring read or a fence */
    uint32_t spins;       /* turns with nothing but that */
    Spin spin;
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

enum { BARRIERS = 16, COPY_BYTES = 16 };

typedef struct Block {
    struct Worker *worker;
    uint64_t index;
    uint32_t slot;
    uint32_t n_warps;
    uint32_t live_warps;    /* bit w: warp w has not ended */
    uint32_t ended_writing; /* bit w: warp w ended after writing memory since its last barrier; kept with barrier checks only */
    Warp *warps;
    uint8_t *shared;
    uint32_t shared_bytes;
    Barrier barriers[BARRIERS];
} Block;

/* What an instruction did last. */
typedef struct Recent {
    Allocation *allocation;
    uint64_t low;   /* its lowest address */
    uint64_t first; /* the same in the first warp of a block */
} Recent;

typedef struct Worker {
    const Launch *launch;
    const Code *code;
    Observer **observers;
    uint32_t n_observers;
    Recent *recent; /* by pc */
    Fault fault;
    Text output;                                              /* of the batch */
    uint64_t instructions, thread_instructions, busiest_warp; /* as in LaunchOutcome */
    Block **blocks;                                           /* by slot, made when first needed */
    uint32_t block_capacity;
    Access access;                          /* being made, then shown to observers */
    uint8_t packed[WARP_LANES * 32];        /* values of a store whose lanes are not as far apart as in registers */
    uint8_t copied[WARP_LANES][COPY_BYTES]; /* cp.async: on its way */
} Worker;

/* The area's number in a slot's top bits is taken off here, once, and not whenever a slot is looked up. */
static inline void warp_set_area(Warp *warp, uint32_t area, void *base) { warp->areas[area] = (uintptr_t)base - SLOT(area, 0); }
static inline void *warp_at(const Warp *warp, Slot slot) { return (void *)(warp->areas[SLOT_AREA(slot)] + slot); }

/* paths.c. Every call may change the top path; the interpreter reloads afterwards. */
void warp_start(Warp *warp, uint32_t lanes); /* all lanes at the kernel's first step */
void warp_split(Warp *warp, uint32_t taken, uint32_t target, uint32_t next, uint32_t reconverge);
void warp_push(Warp *warp, Path path);
void warp_pop(Warp *warp);
void warp_exit(Warp *warp, uint32_t lanes);        /* the lanes leave the kernel */
void warp_leave_frame(Warp *warp, uint32_t lanes); /* the lanes leave the top path's frame */
bool warp_turn(Warp *warp);                        /* lanes that wait for no others run first; false: there are none */
bool warp_part(Warp *warp); /* lanes that wait where they are to meet the top ones go on without them; false: there are none */

/* Lanes of other paths that wait at the top path's instruction (blocked), and the same going on: joined to the top path, whose pc stays
 * where it is, if they will meet anyway; else each behind the instruction. */
uint32_t warp_gathered(const Warp *warp);
void warp_gather(Warp *warp);

/* warp.c */
RunEnd warp_run(Warp *warp);

/* Adds the thread to the worker's fault, which fault_set has just filled. Returns false. */
bool warp_blame(Warp *warp, unsigned lane);

/* Notes that a kernel uses the allocation. Only the first time that an instruction meets the allocation: whoever asks wants to know whether, not how often. */
static inline void warp_mark(Allocation *in, uint8_t kind) {
    if (kind != ACCESS_STORE) __atomic_store_n(&in->read, true, __ATOMIC_RELAXED);
    if (kind != ACCESS_LOAD) __atomic_store_n(&in->written, true, __ATOMIC_RELAXED);
}

/* Lanes as a person writes them: "lane 3", "lanes 0-15", "lanes 0, 2, 4-7". Returns buffer. */
char *lanes_text(uint32_t lanes, char *buffer, size_t size);

/* loadstore.c: false after a fault. active is not 0. */
bool warp_load(Warp *warp, const Step *step, uint32_t active);
bool warp_store(Warp *warp, const Step *step, uint32_t active);
bool warp_async_copy(Warp *warp, const Step *step, uint32_t active);
void warp_frame_load(Warp *warp, const Step *step, uint32_t active);
void warp_frame_store(Warp *warp, const Step *step, uint32_t active);
void warp_param_load(Warp *warp, const Step *step, uint32_t active);

/* Puts the lanes' addresses into the worker's access, inactive ones filled with the first active lane's. */
void warp_addresses(Warp *warp, Slot slot, unsigned slot_bytes, uint64_t offset, uint32_t active);

/* A checked piece of one access: lane l's bytes are at host + addr[l] (local memory: host is the warp's, addr[l] the lane's own offset).
 * Lanes that take no part have addresses that may be read too, unless the piece is scattered. */
typedef struct Piece {
    uint8_t space;   /* GLOBAL, SHARED, LOCAL, CONST or PARAM */
    bool contiguous; /* as access_contiguous has it */
    bool scattered;  /* the other lanes are in other buffers */
    uint32_t lanes;
    uintptr_t host; /* global memory: where device address 0 would be (a number, since no object is there) */
    uint64_t base;  /* global memory: the buffer's address; else 0 */
    const uint64_t *addr;
} Piece;

static inline uint8_t *piece_at(const Piece *piece, unsigned lane) { return (uint8_t *)(piece->host + piece->addr[lane]); }
typedef bool PieceMove(Warp *warp, const Step *step, const Piece *piece);

/* The access whose addresses warp_addresses has just filled: resolves spaces, checks bounds and alignment, shows it to the observers, then
 * calls move for each piece. data: see Access. */
bool warp_access(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t active, unsigned bytes, const void *data,
                 PieceMove *move);
bool warp_show(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t lanes, unsigned bytes, const void *data);

/* bounds.c: the same for one that is not in one buffer or in shared memory, or not in bounds, or misaligned. */
bool warp_access_unplain(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t active, unsigned bytes,
                         const void *data, PieceMove *move);

/* Local memory is interleaved by words; values of 8 bytes take two. */
uint64_t local_get(const uint8_t *local, unsigned lane, uint64_t offset, unsigned bytes);
void local_put(uint8_t *local, unsigned lane, uint64_t offset, unsigned bytes, uint64_t value);

/* bounds.c. Reads lane's bytes at a generic address into to, for calls that take pointers (printf); false when they are not there. */
bool warp_peek(const Warp *warp, unsigned lane, uint64_t generic, void *to, size_t bytes);

/* atomics.c */
bool warp_atomic(Warp *warp, const Step *step, uint32_t active);

/* lanes.c: `active` may grow by lanes of other paths that wait at the same instruction. */
bool warp_shuffle(Warp *warp, const Step *step, uint32_t active);
bool warp_vote(Warp *warp, const Step *step, uint32_t active);
bool warp_match(Warp *warp, const Step *step, uint32_t active);
bool warp_reduce(Warp *warp, const Step *step, uint32_t active);
bool warp_elect(Warp *warp, const Step *step, uint32_t active);

/* calls.c */
bool warp_call(Warp *warp, const Step *step, uint32_t active);
void warp_return(Warp *warp, uint32_t active);

/* printf.c: appends what a lane prints; both are generic addresses, of the format and of the arguments as vprintf gets them. Returns
 * what the kernel's printf does: the number of arguments read, -1 for a null format. */
int printf_lane(const Warp *warp, unsigned lane, uint64_t format, uint64_t arguments, Text *out);

/* block.c */
Block *block_new(Worker *worker, uint32_t slot);
void block_free(Block *block);
void block_start(Block *block, uint64_t index);
typedef enum BlockEnd {
    BLOCK_DONE,
    BLOCK_YIELDED,
    BLOCK_SPINS,  /* its warps only listen, and hear nothing new */
    BLOCK_PARKED, /* and none need run before something changes: see block_wakes */
    BLOCK_FAULT
} BlockEnd;
BlockEnd block_run(Block *block);
bool block_wakes(Block *block); /* whether a parked block has a warp that may run again */
/* When nothing else can run: lanes that wait to meet others go on without them. False: there are none. */
bool block_release(Block *block);
bool block_arrive(Warp *warp, const Step *step, uint32_t active); /* at a barrier; the warp's state says whether it waits */

/* deadlock.c: blocks that will not go on. */
typedef struct Waiting {
    const uint32_t *slots; /* of the blocks that have not ended: at least one */
    uint32_t count;
    uint64_t started; /* blocks of the grid that have started */
    uint64_t turns;   /* of their loops in which nothing changed, where that is all that is known; 0: nothing can change */
} Waiting;
bool deadlock_report(Worker *worker, const Waiting *waiting); /* fills the worker's fault. Returns false. */
