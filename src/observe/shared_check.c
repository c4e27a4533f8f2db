#include "observe/shared_check.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"
#include "observe/shared_mark.h"
#include "observe/updates.h"

enum { CHUNK = WARP_LANES, GRANULES_MOST = 32, FEW_RUNS = 4 };

typedef struct Cells {
    Mark *write, *read; /* by granule; only plain reads are kept */
    uint8_t *bytes;     /* by byte: what stores wrote */
} Cells;

struct SharedCheck {
    const Kernel *kernel;
    uint32_t granule, capacity; /* cells that there is room for */
    Cells cells;
    const BlockOrder *order;
    uint32_t stored_time[BLOCK_WARPS]; /* of each warp's last store to shared memory */
    FindingLog *log;
    Origins *origins;
    Fault early; /* an uninitialised read that may prove to be a race; kind FAULT_none: there is none */
    uint32_t early_epoch;
    bool early_used; /* something depends on what it read */
};

/* One access, and the block as its warp sees it. */
typedef struct SharedVisit {
    SharedCheck *check;
    const Place *place;
    const Access *access;
    Fault *fault;
    uint32_t granules; /* of one lane */
    uint32_t tag;      /* without lane */
    uint32_t now;      /* of the warp */
    uint32_t unsynced; /* what the warp's other lanes did from this time on is not ordered with what it does now */
    uint32_t epoch, base;
    Strength strength;
    bool reads, writes;
    bool
        whole; /* nothing but barriers of the whole block has ordered it with other warps: what is not kept one by one counts */
} SharedVisit;

/* The cells of 32 lanes, or 32 neighbouring cells. */
typedef struct CellChunk {
    uint32_t lane[CHUNK];
    uint32_t write_time[CHUNK], write_tag[CHUNK], read_time[CHUNK], read_tag[CHUNK];
} CellChunk;

SharedCheck *shared_check_new(const Kernel *kernel, const BlockOrder *order, FindingLog *log, Origins *origins) {
    SharedCheck *check = alloc_zeroed(1, sizeof *check);
    check->kernel = kernel;
    check->order = order;
    check->log = log;
    check->origins = origins;
    check->granule = kernel->shared_granule;
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
    free(check);
}

void shared_check_block(SharedCheck *check, bool times_fit, uint32_t shared_bytes) {
    uint32_t wanted = (shared_bytes + check->granule - 1) / check->granule;
    check->early = (Fault){0};
    if (!times_fit) memset(check->stored_time, 0, sizeof check->stored_time);
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

/* Since the last barrier this warp has stored to shared memory and another warp has not. */
static bool is_ahead(const SharedVisit *visit) {
    const SharedCheck *check = visit->check;
    if (check->stored_time[visit->place->warp] < visit->epoch) return false;
    for (uint32_t w = 0; w < check->order->clock.warps; w++)
        if (check->stored_time[w] < visit->epoch) return true;
    return false;
}

static void take_early(SharedCheck *check, Fault *fault) {
    *fault = check->early;
    check->early = (Fault){0};
}

/* The fault is complete but for its thread. True when the check goes on. Where only one is wanted, an early read comes first: the values that
 * were never written may have a part in this one. But a race at the same instruction says more, unless volatile keeps it within a warp. */
static bool tell_lane(const SharedVisit *visit, uint32_t lane) {
    SharedCheck *check = visit->check;
    Fault *fault = visit->fault;
    bool says_more = fault->kind == FAULT_shared_race && fault->pc == check->early.pc && visit->strength == STRENGTH_PLAIN;
    fault_blame(fault, visit->place, lane);
    if (check->log->on_fault != ON_FAULT_GO_ON && check->early.kind != FAULT_none && !says_more) take_early(check, fault);
    if (check->log->on_fault != ON_FAULT_GO_ON) check->early = (Fault){0};
    return findings_take(check->log, visit->place, fault);
}

/* What another warp has read too early, before this one writes it, is told of the thread that read: its value is the wrong one. */
static bool tell_early_race(const SharedVisit *visit, uint32_t lane, uint32_t cell, uint32_t other) {
    SharedCheck *check = visit->check;
    Fault *fault = visit->fault;
    Place reader = *visit->place;
    uint32_t other_lane = other & LANE_MASK;
    reader.warp = (other & WARP_MASK) / WARP_LANES;
    *fault = (Fault){0};
    fault_set(fault, FAULT_shared_race, tag_pc(other),
              "lane %u of warp %u reads shared memory at byte %llu, which lane %u of warp %u has yet to write, with no "
              "__syncthreads() between",
              other_lane, reader.warp, (unsigned long long)cell * check->granule, lane, visit->place->warp);
    fault_hint(fault,
               "put __syncthreads() between the writes and this access: the other warps may not have reached theirs yet");
    fault->other_pc = visit->access->pc;
    fault_blame(fault, &reader, other_lane);
    origins_drop(check->origins, fault->pc);
    if (check->log->on_fault != ON_FAULT_GO_ON || check->early.pc == fault->pc) check->early = (Fault){0};
    return findings_take(check->log, &reader, fault);
}

static bool tell_race(const SharedVisit *visit, uint32_t lane, uint32_t cell, uint32_t other) {
    bool unwritten = shared_mark_time(visit->check->cells.write[cell]) <= visit->base;
    bool is_early = unwritten && visit->writes && (other & WARP_MASK) != (visit->tag & WARP_MASK);
    return is_early ? tell_early_race(visit, lane, cell, other) : tell_lane(visit, lane);
}

bool shared_check_defers(SharedCheck *check, const Place *place, Fault *fault) {
    const uint8_t space = check->kernel->program->insns[fault->pc].space;
    const bool shared = space == SPACE_SHARED || space == SPACE_GENERIC, early = check->early.kind != FAULT_none;
    if (early && shared && check->early_epoch == check->order->clock.epoch && check->early.warp == place->warp)
        return check->early_used = true;
    if (early && check->early_used && check->log->on_fault != ON_FAULT_GO_ON) take_early(check, fault);
    return false;
}

/* The first such read of this time by a warp that is ahead. */
static void keep_early(const SharedVisit *visit, uint32_t lane, uint32_t nth) {
    SharedCheck *check = visit->check;
    if (check->early.kind != FAULT_none || !is_ahead(visit)) return;
    origins_fault_now(visit->place, visit->access, NULL, lane, nth * check->granule, &check->early);
    check->early_epoch = visit->epoch;
    check->early_used = false;
}

/* What is known of the thread that made the earlier access. */
typedef enum Who { WHO_TAG, WHO_OTHER_LANE, WHO_OTHER_THREAD } Who;

/* Of a wide access the byte is named that both touched. */
static bool report_race(const SharedVisit *visit, uint32_t lane, uint32_t cell, uint32_t other, const char *did, Who whose) {
    const Access *access = visit->access;
    Fault *fault = visit->fault;
    uint32_t warp = visit->place->warp, other_lane = other & LANE_MASK, other_warp = (other & WARP_MASK) / WARP_LANES;
    bool same_warp = whose == WHO_OTHER_LANE || (whose == WHO_TAG && other_warp == warp);
    char who[40] = "another thread";
    if (whose == WHO_OTHER_LANE) snprintf(who, sizeof who, "another lane");
    if (whose == WHO_TAG) snprintf(who, sizeof who, "lane %u of warp %u", other_lane, other_warp);
    /* Where a block has several warps, what its threads share mostly concerns the whole block. */
    bool within = same_warp && (visit->check->order->clock.warps == 1 || visit->strength == STRENGTH_VOLATILE);
    const char *barrier = within ? "__syncwarp()" : same_warp ? "__syncthreads() or __syncwarp()" : "__syncthreads()";
    fault_set(fault, FAULT_shared_race, access->pc,
              "lane %u of warp %u %s shared memory at byte %llu, which %s %s with no %s between", lane, warp,
              access_verb(access->kind), (unsigned long long)cell * visit->check->granule, who, did, barrier);
    fault->other_pc = tag_pc(other);
    const bool certain = whose == WHO_TAG || updates_meet(access, lane);
    if (updates_hint(visit->check->kernel->program, fault, certain)) return tell_race(visit, lane, cell, other);
    if (within)
        fault_hint(
            fault,
            "the lanes of a warp need not run in step since compute capability 7.0, not even with volatile: put __syncwarp() "
            "between the two");
    else
        fault_hint(fault, "put a __syncthreads() that all threads of the block reach between the two accesses%s",
                   same_warp ? ", or __syncwarp() where only the lanes of one warp share: they need not run in step"
                             : "; a loop may need one at its end too");
    return tell_race(visit, lane, cell, other);
}

/* Whether strengths or the kind of atomic operation excuse an access that nothing orders after this write. */
static bool excused(const SharedVisit *visit, uint32_t lane, uint32_t write_tag) {
    Strength was = (Strength)((write_tag & STRENGTH_MASK) >> STRENGTH_SHIFT), is = visit->strength;
    bool same_warp = !((write_tag ^ (visit->tag | lane)) & WARP_MASK);
    if (was != STRENGTH_PLAIN && is != STRENGTH_PLAIN) return was == STRENGTH_ATOMIC || is == STRENGTH_ATOMIC || !same_warp;
    return !visit->writes && was == STRENGTH_ATOMIC &&
           kernel_guesses(visit->check->kernel, visit->access->pc, tag_pc(write_tag));
}

/* What the lane stores in its nth granule. */
static const uint8_t *lane_data(const SharedVisit *visit, uint32_t lane, uint32_t nth) {
    return (const uint8_t *)visit->access->data + (size_t)lane * visit->access->bytes + (size_t)nth * visit->check->granule;
}

static bool writes_same(const SharedVisit *visit, uint32_t lane, uint32_t nth, uint32_t cell, uint32_t write_tag) {
    bool store = visit->access->kind == ACCESS_STORE && visit->access->data;
    if (!store || (write_tag & STRENGTH_MASK) == STRENGTH_ATOMIC << STRENGTH_SHIFT) return false;
    uint32_t granule = visit->check->granule;
    return memcmp(visit->check->cells.bytes + (size_t)cell * granule, lane_data(visit, lane, nth), granule) == 0;
}

/* The last write against this access. */
static bool check_write(const SharedVisit *visit, uint32_t lane, uint32_t nth, uint32_t cell) {
    uint32_t self = visit->tag | lane, tag = shared_mark_tag(visit->check->cells.write[cell]),
             time = shared_mark_time(visit->check->cells.write[cell]);
    if (time < visit->epoch || excused(visit, lane, tag)) return true;
    if (!is_ordered(visit, self, tag, time)) {
        if (visit->writes && writes_same(visit, lane, nth, cell, tag)) return true;
        bool atomic = (tag & STRENGTH_MASK) == STRENGTH_ATOMIC << STRENGTH_SHIFT;
        return report_race(visit, lane, cell, tag, atomic ? "updated" : "wrote", WHO_TAG);
    }
    bool hidden = tag & MANY && !((tag ^ self) & THREAD_MASK) && time >= visit->unsynced && visit->whole;
    return !hidden || visit->strength == STRENGTH_ATOMIC || report_race(visit, lane, cell, tag, "updated", WHO_OTHER_THREAD);
}

/* The reads that are kept against this write. */
static bool check_reads(const SharedVisit *visit, uint32_t lane, uint32_t cell) {
    uint32_t self = visit->tag | lane, tag = shared_mark_tag(visit->check->cells.read[cell]),
             time = shared_mark_time(visit->check->cells.read[cell]);
    if (time < visit->epoch || kernel_guesses(visit->check->kernel, tag_pc(tag), visit->access->pc)) return true;
    if (!is_ordered(visit, self, tag, time)) return report_race(visit, lane, cell, tag, "read", WHO_TAG);
    if (tag & WARPS && visit->whole) return report_race(visit, lane, cell, tag, "read", WHO_OTHER_THREAD);
    bool lanes = tag & LANES && !((tag ^ self) & WARP_MASK) && time >= visit->unsynced && visit->whole &&
                 !visit->check->order->clock.lane_known;
    return !lanes || report_race(visit, lane, cell, tag, "read", WHO_OTHER_LANE);
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

static bool follows_written(const SharedVisit *visit, uint32_t cell) {
    for (; cell * visit->check->granule % PADDING_UNIT; cell--)
        if (shared_mark_time(visit->check->cells.write[cell - 1]) > visit->base) return true;
    return false;
}

/* What a load reads of cells that were never written is undefined, which is told where something depends on it; an atomic operation does. */
static bool lane_initialized(const SharedVisit *visit, uint32_t lane, uint32_t first) {
    SharedCheck *check = visit->check;
    const Access *access = visit->access;
    for (uint32_t nth = 0; nth < visit->granules; nth++) {
        if (shared_mark_time(check->cells.write[first + nth]) > visit->base) continue;
        keep_early(visit, lane, nth);
        if (access->kind == ACCESS_LOAD && access->undefined) {
            const Gap gap = {lane, nth * check->granule, check->granule, 0xff, follows_written(visit, first + nth)};
            origins_add(check->origins, visit->place, access, NULL, gap);
            continue;
        }
        origins_fault_now(visit->place, access, NULL, lane, nth * check->granule, visit->fault);
        if (!shared_check_defers(check, visit->place, visit->fault)) return tell_lane(visit, lane);
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

/* Lanes that write different values to one address. Addresses are aligned, so that accesses coincide or do not overlap. */
static bool check_clash(const SharedVisit *visit, uint32_t lane, uint32_t other) {
    const Access *access = visit->access;
    if (lane == other || visit->strength == STRENGTH_ATOMIC || !access->data) return true;
    const uint8_t *data = access->data;
    if (memcmp(data + (size_t)lane * access->bytes, data + (size_t)other * access->bytes, access->bytes) == 0) return true;
    Fault *fault = visit->fault;
    uint32_t low = lane < other ? lane : other, high = lane < other ? other : lane;
    fault_set(fault, FAULT_shared_race, access->pc,
              "lanes %u and %u of warp %u write different values to shared memory at byte %llu at once", low, high,
              visit->place->warp, (unsigned long long)access->addr[lane]);
    fault->other_pc = access->pc;
    if (!updates_hint(visit->check->kernel->program, fault, true))
        fault_hint(fault, "only one of the values stays: let one lane write, or use an atomic operation");
    return tell_lane(visit, low);
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

bool shared_check_access(SharedCheck *check, const Place *place, const Access *access, Fault *fault) {
    if (check->early.kind != FAULT_none && check->early_epoch < check->order->clock.epoch) {
        const bool used = check->early_used;
        take_early(check, fault);
        if (used && !findings_take(check->log, place, fault)) return false;
        *fault = (Fault){0};
    }
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
    if (!visit_all(&visit)) return false;
    if (access->kind == ACCESS_STORE) check->stored_time[place->warp] = visit.now;
    return true;
}

bool shared_check_block_end(SharedCheck *check, Fault *fault) {
    if (check->early.kind == FAULT_none || !check->early_used) return true;
    take_early(check, fault);
    return false;
}
