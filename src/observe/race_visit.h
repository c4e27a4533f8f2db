/* race_visit.h: one access as the check of races on global memory sees it, what marks say of it, and how a race is told. For global_race.c,
 * race_cell.c, race_calm.c, race_lanes.c and race_tell.c alone. */
#pragma once

#include "observe/global_race.h"
#include "observe/race_rows.h"

struct GlobalRace {
    const Kernel *kernel;
    bool strict, strayed;
    MarkLayout at;
    Causality *causality; /* NULL: between blocks nothing orders */
    Memory *memory;
    uint8_t *stripes; /* RACE_LOCKS of granules, each in a line of its own; NULL: one host thread */
};

/* One access as its warp sees it. */
typedef struct RaceVisit {
    GlobalRace *race;
    const BlockOrder *order;
    FindingLog *log;
    const Place *place;
    const Access *access;
    Fault *fault;
    Allocation *in;
    Marks writes, reads;
    uint32_t granule, granules; /* its bytes; those of one lane */
    uint64_t mine;              /* the marks that it leaves, without lane and flags */
    uint32_t now, epoch,
        unsynced; /* times since the block began: the warp's; what was before is before it, by any warp, by its own */
    bool strong, of_block, stores;
    bool whole; /* nothing but barriers of the whole block has ordered it with others of the block */
} RaceVisit;

/* The marks of a granule that count: none are looked up where the launch has left none in the allocation, which many only read, or only write. */
static inline bool has_writes(const RaceVisit *visit) { return __atomic_load_n(&visit->in->marks_written, __ATOMIC_RELAXED); }
static inline bool has_reads(const RaceVisit *visit) { return __atomic_load_n(&visit->in->marks_read, __ATOMIC_RELAXED); }

static inline uint64_t write_at(const RaceVisit *visit, uint64_t cell) {
    return has_writes(visit) ? mark_at(&visit->race->at, &visit->writes, cell) : 0;
}

static inline uint64_t read_at(const RaceVisit *visit, uint64_t cell) {
    return has_reads(visit) ? mark_at(&visit->race->at, &visit->reads, cell) : 0;
}

/* --- what a mark says of this access ---------------------------------------------------------------------------------------- */

static inline uint64_t own_mark(const RaceVisit *visit, uint32_t lane) {
    return visit->mine | (uint64_t)lane << visit->race->at.thread_at;
}

static inline bool is_foreign(const RaceVisit *visit, uint64_t mark) {
    return (mark ^ visit->mine) >> visit->race->at.block_at;
}

static inline bool is_own_warp(const RaceVisit *visit, uint64_t mark) {
    return !is_foreign(visit, mark) && mark_thread(&visit->race->at, mark) / WARP_LANES == visit->place->warp;
}

static inline bool is_self(const RaceVisit *visit, uint32_t lane, uint64_t mark) {
    return is_own_warp(visit, mark) && mark_thread(&visit->race->at, mark) % WARP_LANES == lane;
}

static inline bool is_before(const RaceVisit *visit, uint32_t lane, uint64_t mark) {
    const MarkLayout *at = &visit->race->at;
    const uint32_t thread = mark_thread(at, mark), time = mark_time(at, mark), warp = visit->place->warp;
    if (is_foreign(visit, mark))
        return block_order_foreign(visit->order, warp, mark_block(at, mark), thread / WARP_LANES, time);
    return block_order_before(visit->order, warp * WARP_LANES + lane, thread, time + visit->order->clock.base);
}

/* Of this block, and not yet before all that its warps do now. */
static inline bool is_fresh(const RaceVisit *visit, uint64_t mark) {
    return !is_foreign(visit, mark) && mark_time(&visit->race->at, mark) >= visit->epoch;
}

static inline bool guesses(const RaceVisit *visit, uint32_t read_pc, uint32_t atomic_pc) {
    return !visit->race->strict && kernel_guesses(visit->race->kernel, read_pc, atomic_pc);
}

/* How the other access is known. */
typedef enum KnownBy { WHO_MARK, WHO_LANE, WHO_THREAD, WHO_BLOCK } KnownBy;

typedef struct OtherAccess {
    uint64_t mark;
    KnownBy who;
    const char *did;
    bool is_strong;
} OtherAccess;

/* Of the lane's nth granule. True when the check goes on. */
bool race_tell(const RaceVisit *visit, uint32_t lane, uint32_t nth, const OtherAccess *other);

/* Exactly, one granule of one lane: the lane's nth. True when the check goes on. */
bool race_cell(const RaceVisit *visit, uint32_t lane, uint32_t nth, uint64_t cell);

/* All of its granules, the first of which is this one. */
bool race_cells(const RaceVisit *visit, uint32_t lane, uint64_t first);

/* What a store is about to write to so many granules from the lane's nth on. */
void race_place(const RaceVisit *visit, uint32_t lane, uint32_t nth, uint64_t cell, uint32_t count);

/* --- locks of granules, which are held while their marks are compared and changed (race_lanes.c) --- */

enum { RACE_LOCKS = 4096, RACE_LOCK_BYTES = 64 };

uint8_t *race_lock_shared(const RaceVisit *visit, uint64_t cell);

static inline uint8_t *race_lock(const RaceVisit *visit, uint64_t cell) {
    return visit->race->stripes ? race_lock_shared(visit, cell) : NULL; /* NULL: one host thread */
}
static inline void race_unlock(uint8_t *lock) {
    if (lock) __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* --- lanes at any places (race_lanes.c) --- */

/* These lanes, of which no two write to one place. True when the check goes on. */
bool race_lanes(const RaceVisit *visit, const Touch *touch, uint32_t lanes);

/* --- many granules at once (race_calm.c) ------------------------------------------------------------------------------------ */

enum { RACE_LOCKED = 8 * MARKS_ROW }; /* granules, from a multiple on, that have one lock */

/* The cells from first to end, with one lock, of a run of lanes of which lane has its first granule at `base`. True when the check goes on. */
bool race_run(const RaceVisit *visit, uint32_t lane, uint64_t base, uint64_t first, uint64_t end);

/* All lanes, at any places, without locks. False: a closer look is needed, or each is to change its mark alone: as lanes may be at one place, and host
 * threads too. */
bool race_lanes_are_calm(const RaceVisit *visit, const Touch *touch);
