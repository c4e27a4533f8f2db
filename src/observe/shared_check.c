#include "observe/shared_check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"
#include "observe/shared_visit.h"
#include "observe/updates.h"

enum { CHUNK = WARP_LANES, GRANULES_MOST = 32, FEW_RUNS = 4 };

/* The cells of 32 lanes, or 32 neighbouring cells. */
typedef struct CellChunk {
    uint32_t lane[CHUNK];
    uint32_t write_time[CHUNK], write_tag[CHUNK], read_time[CHUNK], read_tag[CHUNK];
} CellChunk;

SharedCheck *shared_check_new(const Kernel *kernel, const BlockOrder *order, FindingLog *log, Origins *origins,
                              LaterReads *later) {
    SharedCheck *check = alloc_zeroed(1, sizeof *check);
    check->kernel = kernel;
    check->order = order;
    check->log = log;
    check->origins = origins;
    check->granule = kernel->shared_granule;
    check->later = later;
    return check;
}

static void cells_free(Cells *cells) {
    free(cells->write);
    free(cells->bytes);
    *cells = (Cells){0};
}

/* Empty cells, room for so many. */
static void cells_new(SharedCheck *check, uint32_t capacity) {
    cells_free(&check->cells);
    check->capacity = capacity;
    Mark *marks = alloc_zeroed((size_t)capacity * 2, sizeof *marks);
    uint8_t *bytes = alloc_zeroed(capacity, check->granule);
    check->cells = (Cells){marks, marks + capacity, bytes};
}

void shared_check_free(SharedCheck *check) {
    if (!check) return;
    cells_free(&check->cells);
    shared_peers_free(check->peers);
    free(check);
}

void shared_check_block(SharedCheck *check, bool times_fit, uint32_t shared_bytes) {
    uint32_t wanted = (shared_bytes + check->granule - 1) / check->granule;
    check->early = (Fault){0};
    shared_peers_block(check);
    if (check->later->owner == check) check->later->count = 0;
    if (!times_fit) {
        memset(check->stored_time, 0, sizeof check->stored_time);
        check->written_epoch = 0;
    }
    if (wanted > check->capacity || !times_fit) cells_new(check, wanted > check->capacity ? wanted : check->capacity);
}

/* --- 32 cells at once, where nothing is wrong or in need of a closer look ---------------------------------------------------- */

static bool next_read(const SharedVisit *visit, CellChunk *chunk) {
    uint32_t now = visit->now, unsynced = visit->unsynced, epoch = visit->epoch, base = visit->base, tag = visit->tag, bad = 0;
    for (int i = 0; i < CHUNK; i++) {
        uint32_t mine = tag | chunk->lane[i], diff = chunk->write_tag[i] ^ mine;
        uint32_t limit = diff & WARP_MASK ? epoch : unsynced;
        bad |= (chunk->write_time[i] <= base) | ((chunk->write_time[i] >= limit) & ((diff & (THREAD_MASK | MANY)) != 0));
    }
    if (bad) return true;
    for (int i = 0; i < CHUNK; i++) {
        uint32_t time = chunk->read_time[i], kept = chunk->read_tag[i], mine = tag | chunk->lane[i], diff = kept ^ mine;
        bool fresh = time >= epoch, warp = !(diff & WARP_MASK), keep = fresh & (!warp | (time == now));
        uint32_t others = warp ? (diff & LANE_MASK ? LANES : 0) : WARPS;
        chunk->read_time[i] = keep ? time : now;
        chunk->read_tag[i] = keep ? kept | others : mine | (fresh ? kept & WARPS : 0);
    }
    return false;
}

static bool next_strong_read(const SharedVisit *visit, const CellChunk *chunk) {
    uint32_t unsynced = visit->unsynced, epoch = visit->epoch, base = visit->base, tag = visit->tag, bad = 0;
    for (int i = 0; i < CHUNK; i++) {
        uint32_t diff = chunk->write_tag[i] ^ (tag | chunk->lane[i]);
        uint32_t limit = diff & WARP_MASK ? epoch : unsynced;
        bool atomic = (chunk->write_tag[i] & STRENGTH_MASK) == STRENGTH_ATOMIC << STRENGTH_SHIFT;
        bad |= (chunk->write_time[i] <= base) | ((chunk->write_time[i] >= limit) & ((diff & THREAD_MASK) != 0) & !atomic);
    }
    return bad;
}

static bool next_write(const SharedVisit *visit, CellChunk *chunk) {
    uint32_t now = visit->now, unsynced = visit->unsynced, epoch = visit->epoch, tag = visit->tag, bad = 0;
    uint32_t unwritten = visit->reads ? visit->base + 1 : 0, strength = (uint32_t)visit->strength << STRENGTH_SHIFT;
    bool atomic = visit->strength == STRENGTH_ATOMIC;
    for (int i = 0; i < CHUNK; i++) {
        uint32_t time = chunk->read_time[i], kept = chunk->read_tag[i], diff = kept ^ (tag | chunk->lane[i]);
        uint32_t limit = diff & WARP_MASK ? epoch : unsynced;
        bool other = (time >= limit) & (((diff & THREAD_MASK) != 0) | ((kept & LANES) != 0));
        bad |= other | ((time >= epoch) & ((kept & WARPS) != 0));
    }
    for (int i = 0; i < CHUNK; i++) {
        uint32_t time = chunk->write_time[i], kept = chunk->write_tag[i], mine = tag | chunk->lane[i], diff = kept ^ mine;
        uint32_t limit = diff & WARP_MASK ? epoch : unsynced, was = kept & STRENGTH_MASK;
        bool self = !(diff & THREAD_MASK), other = (time >= limit) & !self;
        bool both = atomic & (was == STRENGTH_ATOMIC << STRENGTH_SHIFT);
        bool hidden = self & (time >= limit) & ((kept & MANY) != 0);
        bad |= (time < unwritten) | (other & !both) | (hidden & !atomic);
        uint32_t weakest = (self & (time >= unsynced) & (was < strength)) ? was : strength;
        uint32_t many = (other | hidden) ? MANY : 0;
        chunk->write_time[i] = now;
        chunk->write_tag[i] = mine | weakest | many;
    }
    return bad;
}

/* --- a closer look at one cell ----------------------------------------------------------------------------------------------- */

static bool is_ordered(const SharedVisit *visit, uint32_t self, uint32_t tag, uint32_t time) {
    return block_order_before(visit->check->order, self & THREAD_MASK, tag & THREAD_MASK, time);
}

static bool is_guess(const SharedVisit *visit, uint32_t read_pc, uint32_t atomic_pc) {
    return !visit->check->order->strict && kernel_guesses(visit->check->kernel, read_pc, atomic_pc);
}

/* Whether strengths or the kind of atomic operation excuse an access that nothing orders after this write. */
static bool excused(const SharedVisit *visit, uint32_t lane, uint32_t write_tag) {
    Strength was = (Strength)((write_tag & STRENGTH_MASK) >> STRENGTH_SHIFT), is = visit->strength;
    bool same_warp = !((write_tag ^ (visit->tag | lane)) & WARP_MASK);
    if (was != STRENGTH_PLAIN && is != STRENGTH_PLAIN) return was == STRENGTH_ATOMIC || is == STRENGTH_ATOMIC || !same_warp;
    return !visit->writes && was == STRENGTH_ATOMIC && is_guess(visit, visit->access->pc, tag_pc(write_tag));
}

/* What the lane stores in its nth granule. */
static const uint8_t *lane_data(const SharedVisit *visit, uint32_t lane, uint32_t nth) {
    return (const uint8_t *)visit->access->data + (size_t)lane * visit->access->bytes + (size_t)nth * visit->check->granule;
}

/* What the last write has stored, as strongly. */
static bool writes_same(const SharedVisit *visit, uint32_t lane, uint32_t nth, uint32_t cell, uint32_t write_tag) {
    bool store = visit->access->kind == ACCESS_STORE && visit->access->data, atomic = visit->strength == STRENGTH_ATOMIC;
    if (!store || atomic || (write_tag & STRENGTH_MASK) >> STRENGTH_SHIFT != visit->strength) return false;
    uint32_t granule = visit->check->granule;
    return memcmp(visit->check->cells.bytes + (size_t)cell * granule, lane_data(visit, lane, nth), granule) == 0;
}

/* The last write against this access. */
static bool check_write(const SharedVisit *visit, uint32_t lane, uint32_t nth, uint32_t cell) {
    uint32_t self = visit->tag | lane, tag = shared_mark_tag(visit->check->cells.write[cell]),
             time = shared_mark_time(visit->check->cells.write[cell]);
    if (time < visit->epoch || excused(visit, lane, tag)) return true;
    if (!is_ordered(visit, self, tag, time)) {
        bool same = visit->writes && writes_same(visit, lane, nth, cell, tag);
        if (same && !visit->check->order->strict) return true;
        bool atomic = (tag & STRENGTH_MASK) == STRENGTH_ATOMIC << STRENGTH_SHIFT;
        return shared_tell_race(visit, lane, cell, tag, atomic ? "updated" : same ? GAVE_SAME : "wrote", WHO_TAG);
    }
    bool hidden = tag & MANY && !((tag ^ self) & THREAD_MASK) && time >= visit->unsynced && visit->whole;
    return !hidden || visit->strength == STRENGTH_ATOMIC ||
           shared_tell_race(visit, lane, cell, tag, "updated", WHO_OTHER_THREAD);
}

/* The reads that are kept against this write. */
static bool check_reads(const SharedVisit *visit, uint32_t lane, uint32_t cell) {
    uint32_t self = visit->tag | lane, tag = shared_mark_tag(visit->check->cells.read[cell]),
             time = shared_mark_time(visit->check->cells.read[cell]);
    if (time < visit->epoch || is_guess(visit, tag_pc(tag), visit->access->pc)) return true;
    if (!is_ordered(visit, self, tag, time)) return shared_tell_race(visit, lane, cell, tag, "read", WHO_TAG);
    if (tag & WARPS && visit->whole) return shared_tell_race(visit, lane, cell, tag, "read", WHO_OTHER_THREAD);
    bool lanes = tag & LANES && !((tag ^ self) & WARP_MASK) && time >= visit->unsynced && visit->whole &&
                 !visit->check->order->clock.lane_known;
    return !lanes || shared_tell_race(visit, lane, cell, tag, "read", WHO_OTHER_LANE);
}

static void keep_read(const SharedVisit *visit, uint32_t lane, uint32_t cell) {
    Mark *mark = &visit->check->cells.read[cell];
    uint32_t tag = shared_mark_tag(*mark), time = shared_mark_time(*mark), self = visit->tag | lane, diff = tag ^ self;
    bool fresh = time >= visit->epoch, warp = !(diff & WARP_MASK);
    if (fresh && warp && time == visit->now)
        *mark = shared_mark_of(time, tag | (diff & LANE_MASK ? LANES : 0));
    else if (fresh && !warp && !is_ordered(visit, self, tag, time))
        *mark = shared_mark_of(time, tag | WARPS);
    else
        *mark = shared_mark_of(visit->now, self | (fresh ? tag & WARPS : 0));
}

static void keep_write(const SharedVisit *visit, uint32_t lane, uint32_t cell) {
    Mark *mark = &visit->check->cells.write[cell];
    uint32_t tag = shared_mark_tag(*mark), time = shared_mark_time(*mark), self = visit->tag | lane, was = tag & STRENGTH_MASK;
    uint32_t strength = (uint32_t)visit->strength << STRENGTH_SHIFT;
    bool thread = !((tag ^ self) & THREAD_MASK), both = strength & was & STRENGTH_ATOMIC << STRENGTH_SHIFT;
    bool many = both && (thread ? tag & MANY && time >= visit->unsynced : !is_ordered(visit, self, tag, time));
    uint32_t weakest = thread && time >= visit->unsynced && was < strength ? was : strength;
    *mark = shared_mark_of(visit->now, self | weakest | (many ? MANY : 0));
}

/* Of a cell that nobody has written: what the block wrote before its last barrier was not this one. */
static Writer writer_of(const SharedVisit *visit) {
    const uint32_t written = visit->check->written_epoch;
    if (written > visit->base && written < visit->epoch) return WRITER_NONE;
    return visit->check->kernel->clusters ? WRITER_OF_CLUSTER : WRITER_UNKNOWN;
}

/* What a load reads of cells that were never written is undefined, which is told where something depends on it; an atomic operation does. */
static bool lane_initialized(const SharedVisit *visit, uint32_t lane, uint32_t first) {
    SharedCheck *check = visit->check;
    const Access *access = visit->access;
    for (uint32_t nth = 0; nth < visit->granules; nth++) {
        if (shared_mark_time(check->cells.write[first + nth]) > visit->base) continue;
        const Gap gap = {
            lane, nth * check->granule, check->granule, 0xff, shared_follows_written(check, first + nth), writer_of(visit)};
        shared_keep_early(visit, gap);
        if (access->kind == ACCESS_LOAD && access->undefined) {
            origins_add(check->origins, visit->place, access, NULL, gap);
            continue;
        }
        origins_fault_now(visit->place, access, NULL, gap, visit->fault);
        if (!shared_check_defers(check, visit->place, visit->fault)) return shared_tell(visit, lane);
        *visit->fault = (Fault){0};
        return true;
    }
    return true;
}

static bool check_lane(const SharedVisit *visit, uint32_t lane) {
    uint32_t first = (uint32_t)visit->access->addr[lane] / visit->check->granule;
    if (visit->reads && !lane_initialized(visit, lane, first)) return false;
    for (uint32_t nth = 0; nth < visit->granules; nth++) {
        if (!check_write(visit, lane, nth, first + nth)) return false;
        if (visit->writes && !check_reads(visit, lane, first + nth)) return false;
    }
    return true;
}

/* All lanes are checked before any leaves its mark: lanes of one instruction that touch the same cell are left to find_overlaps. */
static bool visit_closely(const SharedVisit *visit, uint32_t lanes) {
    EACH_ACTIVE_LANE(lane, lanes) {
        if (!check_lane(visit, lane)) return false;
    }
    if (!visit->writes && visit->strength != STRENGTH_PLAIN) return true;
    EACH_ACTIVE_LANE(lane, lanes) {
        uint32_t first = (uint32_t)visit->access->addr[lane] / visit->check->granule;
        for (uint32_t cell = first; cell < first + visit->granules; cell++) {
            if (visit->writes)
                keep_write(visit, lane, cell);
            else
                keep_read(visit, lane, cell);
        }
    }
    return true;
}

/* --- the lanes ----------------------------------------------------------------------------------------------------------------- */

/* Lanes that write to one address. Addresses are aligned, so that accesses coincide or do not overlap. */
static bool check_clash(const SharedVisit *visit, uint32_t lane, uint32_t other) {
    const Access *access = visit->access;
    if (lane == other || visit->strength == STRENGTH_ATOMIC || !access->data) return true;
    const uint8_t *data = access->data;
    bool same = memcmp(data + (size_t)lane * access->bytes, data + (size_t)other * access->bytes, access->bytes) == 0;
    if (same && !visit->check->order->strict) return true;
    Fault *fault = visit->fault;
    uint32_t low = lane < other ? lane : other, high = lane < other ? other : lane;
    fault_set(fault, FAULT_shared_race, access->pc, "lanes %u and %u of warp %u write %s to shared memory at byte %llu at once",
              low, high, visit->place->warp, same ? "one value, but not atomically," : "different values",
              (unsigned long long)access->addr[lane]);
    fault->other_pc = access->pc;
    if (!updates_hint(visit->check->kernel->program, fault, true, false) && !same_value_hint(fault, same))
        fault_hint(fault, "only one of the values stays: let one lane write, or use an atomic operation");
    return shared_tell(visit, low);
}

/* After all lanes have left their mark: a cell with another lane's was touched by both. */
static bool find_overlaps(const SharedVisit *visit, const Touch *touch) {
    bool read = !visit->writes;
    if (read && visit->strength != STRENGTH_PLAIN) return true;
    Mark *marks = read ? visit->check->cells.read : visit->check->cells.write;
    uint32_t shift = (uint32_t)__builtin_ctz(visit->check->granule), flag = read ? LANES : MANY;
    bool flags = read || visit->strength == STRENGTH_ATOMIC;
    uint32_t differ = LANE_MASK | WARP_MASK | (flags ? flag : 0), now = visit->now;
    for (uint32_t nth = 0; nth < visit->granules; nth++) {
        uint32_t overlap = 0;
        for (uint32_t l = 0; l < CHUNK; l++) {
            Mark mark = marks[((uint32_t)touch->offset[l] >> shift) + nth];
            uint32_t diff = (shared_mark_tag(mark) ^ (visit->tag | touch->lane[l])) & differ;
            overlap |= (uint32_t)((diff - 1 < LANE_MASK) & (shared_mark_time(mark) == now))
                       << l; /* they differ in the lane alone */
        }
        EACH_ACTIVE_LANE(l, overlap) {
            Mark *mark = &marks[((uint32_t)touch->offset[l] >> shift) + nth];
            if (flags)
                *mark |= flag;
            else if (!check_clash(visit, touch->lane[l], shared_mark_tag(*mark) & LANE_MASK))
                return false;
        }
    }
    return true;
}

static void keep_bytes(const SharedVisit *visit, const Touch *touch) {
    const Access *access = visit->access;
    uint8_t *bytes = visit->check->cells.bytes;
    if (access->kind != ACCESS_STORE || !access->data) return;
    if (touch->contiguous) {
        memcpy(bytes + touch->lowest, access->data, (size_t)access->bytes * WARP_LANES);
    } else if (access->bytes == 4) {
        const uint32_t *data = access->data;
        for (int l = 0; l < CHUNK; l++) ((uint32_t *)(void *)bytes)[touch->offset[l] / 4] = data[touch->lane[l]];
    } else {
        for (int l = 0; l < CHUNK; l++)
            memcpy(bytes + touch->offset[l], (const uint8_t *)access->data + (size_t)touch->lane[l] * access->bytes,
                   access->bytes);
    }
}

static bool next_chunk(const SharedVisit *visit, CellChunk *chunk) {
    if (visit->writes) return next_write(visit, chunk);
    return visit->strength == STRENGTH_PLAIN ? next_read(visit, chunk) : next_strong_read(visit, chunk);
}

/* Which 32 marks: one at each index, or two rows of 16. */
typedef struct MarkIndices {
    const uint32_t *index; /* NULL: rows */
    uint32_t row[2];
} MarkIndices;

static void marks_load(const Mark *marks, const MarkIndices *indices, uint32_t *times, uint32_t *tags) {
    if (indices->index) {
        for (int l = 0; l < CHUNK; l++) {
            Mark mark = marks[indices->index[l]];
            times[l] = shared_mark_time(mark);
            tags[l] = shared_mark_tag(mark);
        }
        return;
    }
    for (int half = 0; half < 2; half++) {
        const Mark *row = marks + indices->row[half];
        for (int l = 0; l < CHUNK / 2; l++) times[half * CHUNK / 2 + l] = shared_mark_time(row[l]);
        for (int l = 0; l < CHUNK / 2; l++) tags[half * CHUNK / 2 + l] = shared_mark_tag(row[l]);
    }
}

static void marks_store(Mark *marks, const MarkIndices *indices, const uint32_t *times, const uint32_t *tags) {
    if (indices->index) {
        for (int l = 0; l < CHUNK; l++) marks[indices->index[l]] = shared_mark_of(times[l], tags[l]);
        return;
    }
    for (int half = 0; half < 2; half++) {
        Mark *row = marks + indices->row[half];
        for (int l = 0; l < CHUNK / 2; l++) row[l] = shared_mark_of(times[half * CHUNK / 2 + l], tags[half * CHUNK / 2 + l]);
    }
}

/* Rows when the lanes are in two, and these apart, or one and only read; chunk c of contiguous lanes then holds 32 neighbouring cells, of
 * others granule c of each lane. */
static MarkIndices indices_of(const SharedVisit *visit, const Touch *touch, uint32_t *index) {
    uint32_t shift = (uint32_t)__builtin_ctz(visit->check->granule);
    uint32_t low = (uint32_t)touch->offset[0] >> shift, high = (uint32_t)touch->offset[CHUNK / 2] >> shift;
    if (touch->contiguous) return (MarkIndices){NULL, {low, low + CHUNK / 2}};
    uint32_t gap = high > low ? high - low : low - high;
    if (touch->halves && visit->granules == 1 && (gap >= CHUNK / 2 || (!gap && !visit->writes)))
        return (MarkIndices){NULL, {low, high}};
    for (int l = 0; l < CHUNK; l++) index[l] = (uint32_t)touch->offset[l] >> shift;
    return (MarkIndices){index, {0, 0}};
}

/* Both halves of the warp have read the same row. */
static void share_row(const SharedVisit *visit, CellChunk *chunk) {
    for (uint32_t i = CHUNK / 2; i < CHUNK; i++) {
        bool own = !((chunk->read_tag[i] ^ visit->tag) & WARP_MASK) & (chunk->read_time[i] == visit->now);
        chunk->read_tag[i] |= own ? LANES : 0;
    }
}

/* Nothing is stored when it returns false: a closer look is needed. */
static bool visit_chunks(const SharedVisit *visit, const Touch *touch, const MarkIndices *indices) {
    const Cells *cells = &visit->check->cells;
    CellChunk chunks[GRANULES_MOST];
    uint32_t granules_shift = (uint32_t)__builtin_ctz(visit->granules), step = touch->contiguous ? CHUNK : 1;
    for (uint32_t c = 0; c < visit->granules; c++) {
        CellChunk *chunk = &chunks[c];
        for (uint32_t i = 0; i < CHUNK; i++)
            chunk->lane[i] = touch->contiguous ? (c * CHUNK + i) >> granules_shift : touch->lane[i];
        marks_load(cells->write + c * step, indices, chunk->write_time, chunk->write_tag);
        marks_load(cells->read + c * step, indices, chunk->read_time, chunk->read_tag);
        if (next_chunk(visit, chunk)) return false;
    }
    if (!visit->writes && visit->strength != STRENGTH_PLAIN) return true;
    if (!indices->index && indices->row[0] == indices->row[1]) share_row(visit, &chunks[0]);
    for (uint32_t c = 0; c < visit->granules; c++) {
        if (visit->writes)
            marks_store(cells->write + c * step, indices, chunks[c].write_time, chunks[c].write_tag);
        else
            marks_store(cells->read + c * step, indices, chunks[c].read_time, chunks[c].read_tag);
    }
    return true;
}

/* Lanes of a load that can stand for all: two of each address, where there are few addresses; else 0. */
static uint32_t representatives(const Touch *touch, uint32_t active) {
    if (active == LANES_ALL && __builtin_popcount(touch->runs) <= FEW_RUNS)
        return touch->runs | (touch->runs << 1 & ~touch->runs);
    uint32_t first = active & -active, others = active & ~first;
    return touch->runs == 1 ? first | (others & -others) : 0;
}

static bool visit_all(const SharedVisit *visit) {
    const Access *access = visit->access;
    Touch touch;
    touch_access(&touch, access, access->active, 0);
    uint32_t few = visit->writes ? 0 : representatives(&touch, access->active);
    if (few) return visit_closely(visit, few);
    uint32_t index[CHUNK];
    MarkIndices indices = indices_of(visit, &touch, index);
    bool closely = visit->check->order->clock.partial || !visit_chunks(visit, &touch, &indices);
    if (closely && !visit_closely(visit, access->active)) return false;
    bool apart = touch.rising || !indices.index;
    if (!apart && !find_overlaps(visit, &touch)) return false;
    keep_bytes(visit, &touch);
    return true;
}

static inline __attribute__((always_inline)) SharedVisit visit_of(SharedCheck *check, const Place *place, const Access *access,
                                                                  Fault *fault) {
    assert(access->bytes >= check->granule); /* as kernel_prepare ensures */
    const SharedClock *clock = &check->order->clock;
    SharedVisit visit = {
        .check = check, .place = place, .access = access, .fault = fault, .granules = access->bytes / check->granule};
    visit.now = clock->now[place->warp];
    visit.unsynced = clock->synced[place->warp] + 1;
    visit.epoch = clock->epoch;
    visit.base = clock->base;
    visit.strength = block_order_strength(check->order, access);
    visit.whole = !clock->partial && !block_order_told(check->order, place->warp);
    visit.writes = access->kind != ACCESS_LOAD;
    visit.reads = access->kind != ACCESS_STORE && !(check->kernel->traits[access->pc] & TRAIT_EXCHANGE);
    visit.tag = (access->pc < PC_UNKNOWN ? access->pc : PC_UNKNOWN) << PC_SHIFT | place->warp * WARP_LANES;
    return visit;
}

/* --- reads that leave their marks later --------------------------------------------------------------------------------------------- */

/* The top bit of what it gives is set where all of these neighbouring cells were. */
static uint64_t cells_written(const SharedVisit *visit, uint64_t addr, uint32_t count) {
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->check->granule);
    const Mark *write = visit->check->cells.write + (addr >> shift), unwritten = shared_mark_of(visit->base, UINT32_MAX);
    uint64_t all = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) all &= unwritten - write[i];
    return all;
}

/* All cells that are read. */
static bool is_written(const SharedVisit *visit) {
    const Access *access = visit->access;
    const bool eights = access->strided || access->eights, near = eights && access->stride == access->bytes;
    uint64_t all = UINT64_MAX;
    if (near || (eights && !access->stride)) {
        for (uint32_t l = 0; l < WARP_LANES; l += EIGHT)
            all &= cells_written(visit, access->addr[l], visit->granules * (near ? EIGHT : 1));
    } else {
        EACH_ACTIVE_LANE(l, access->active) all &= cells_written(visit, access->addr[l], visit->granules);
    }
    return all >> 63;
}

/* Nothing but barriers of all warps orders this block's threads, and none has written since the last one. */
static bool is_for_later(const SharedVisit *visit) {
    const SharedCheck *check = visit->check;
    if (visit->writes || visit->strength != STRENGTH_PLAIN || visit->epoch <= check->written_epoch) return false;
    return !check->kernel->counted_barriers && !check->order->causality && is_written(visit);
}

/* What was read since the last barrier leaves its marks, as if it were read now. */
static void settle(const LaterReads *later) {
    SharedCheck *check = later->owner;
    for (uint32_t i = 0; i < later->count; i++) {
        const LaterRead *read = &later->reads[i];
        Access access = {.pc = read->pc, .space = SPACE_SHARED, .bytes = read->bytes, .active = read->active};
        for (uint32_t l = 0; l < WARP_LANES; l++) access.addr[l] = read->addr[l];
        Fault fault = {0};
        const Place place = {.warp = read->warp};
        SharedVisit visit = visit_of(check, &place, &access, &fault);
        visit.now = read->now;
        visit.unsynced = read->unsynced;
        visit_all(&visit);
    }
}

static void settle_current(LaterReads *later) {
    SharedCheck *check = later->owner;
    if (later->count && later->epoch == check->order->clock.epoch) settle(later);
    later->count = 0;
}

static void leave_later(const SharedVisit *visit) {
    LaterReads *later = visit->check->later;
    const bool others = later->owner != visit->check || later->epoch != visit->epoch;
    if (others || later->count == LATER_READS_MOST) settle_current(later);
    later->owner = visit->check;
    later->epoch = visit->epoch;
    later_reads_add(later, visit->access, visit->place->warp, visit->now, visit->unsynced);
}

bool shared_check_access(SharedCheck *check, const Place *place, const Access *access, Fault *fault) {
    if (check->early.kind != FAULT_none && check->early_epoch < check->order->clock.epoch) {
        const bool used = check->early_used;
        shared_take_early(check, false, fault);
        if (used && !findings_take(check->log, place, fault)) return false;
        *fault = (Fault){0};
    }
    if (!shared_peers_own(check, place, access, fault)) return false;
    const SharedVisit visit = visit_of(check, place, access, fault);
    if (is_for_later(&visit)) {
        leave_later(&visit);
        return true;
    }
    if (check->later->owner == check) settle_current(check->later);
    if (!visit_all(&visit)) return false;
    if (visit.writes) check->written_epoch = visit.epoch;
    if (access->kind == ACCESS_STORE) check->stored_time[place->warp] = visit.now;
    return true;
}

bool shared_check_block_end(SharedCheck *check, const Place *place, Fault *fault) {
    if (check->early.kind == FAULT_none || !check->early_used) return shared_peers_block_end(check, place, fault);
    shared_take_early(check, true, fault);
    return false;
}
