#include "observe/traffic.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "machine/grid.h"
#include "observe/match.h"

enum { LOG_NOTES = 1 << 20, JOIN_LOG2 = 10, LOG_AHEAD = 12, SCHEDULERS = 4, RING = 1 << 18, WINDOW_MAX = MATCH_WORDS / 2 };

/* A read in flight to L2, which others may still join. */
typedef struct OutstandingRead {
    uint64_t batch;    /* whose read it is */
    uint32_t position; /* among the reads of its batch */
    uint8_t mask;      /* sectors; 0: no read */
    uint8_t requests;  /* that it stands for */
} OutstandingRead;

/* The read of this line that the current batch made or joined last. */
typedef struct CoalescerEntry {
    uint64_t batch; /* + 1; 0: empty */
    uint32_t line, position;
} CoalescerEntry;

struct Traffic {
    MergeConfig merge;
    Cache *l2;
    /* The reads of a group's batches so far, by position in the batch, modulo RING: its lines, and what is known of them. */
    uint32_t *lines;
    OutstandingRead *outstanding;
    CoalescerEntry *entries; /* 1 << merge.entries_log2 */
    uint32_t sms;            /* of the device */
    uint64_t batch, group;   /* the batch applied last; group: of SMs, in one wave: number of its first batch */
    uint32_t reads;          /* of that batch so far */
    uint64_t l2_read_sectors;
};

typedef struct Note {
    uint32_t line;
    uint32_t words;
    uint8_t kind; /* TrafficKind */
    uint8_t mask;
    uint8_t warp, request; /* of reads that bypass L1: which warp's, and a number in which it differs from the request before */
} Note;

/* Notes of the worker's batches, in order, modulo LOG_NOTES. Each batch begins with a header: a note that has in `words` the number of those
 * that follow, and in `mask` whether there are reads among them that bypass L1. While the worker adds to the running batch another thread may
 * apply those that have ended. */
struct TrafficLog {
    Traffic *traffic;
    Note *notes;
    uint32_t done, begin, end;        /* notes before `done` have been applied; the running batch's are from `begin` to `end` */
    uint64_t batch;                   /* the running one */
    bool bypasses_l1;                 /* it has reads that do */
    uint8_t warp, request;            /* the last of those */
    uint32_t written[1 << JOIN_LOG2]; /* by hash of the line: the note of its last write; to be checked against the note */
    Note dropped;                     /* what is noted when a fault has ended the launch */
};

/* Of a ring few pages are touched in a small launch: mapped, the others cost nothing (calloc may clear them all). */
static void *ring_new(size_t bytes) {
    void *ring = mmap(NULL, RING * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ring == MAP_FAILED) abort();
    return ring;
}

Traffic *traffic_new(const MergeConfig *merge, uint32_t sms, const CacheConfig *l2) {
    Traffic *traffic = alloc_zeroed(1, sizeof *traffic);
    traffic->merge = *merge;
    traffic->sms = sms;
    traffic->l2 = cache_new(l2);
    traffic->batch = UINT64_MAX;
    traffic->lines = ring_new(sizeof *traffic->lines);
    traffic->outstanding = ring_new(sizeof *traffic->outstanding);
    traffic->entries = alloc_zeroed(1u << merge->entries_log2, sizeof *traffic->entries);
    return traffic;
}

void traffic_free(Traffic *traffic) {
    if (!traffic) return;
    cache_free(traffic->l2);
    munmap(traffic->lines, RING * sizeof *traffic->lines);
    munmap(traffic->outstanding, RING * sizeof *traffic->outstanding);
    free(traffic->entries);
    free(traffic);
}

TrafficLog *traffic_log_new(Traffic *traffic) {
    TrafficLog *log = alloc_zeroed(1, sizeof *log);
    log->traffic = traffic;
    log->notes = alloc_bytes(LOG_NOTES * sizeof *log->notes); /* each is written before it is read */
    return log;
}

void traffic_log_free(TrafficLog *log) {
    if (log) free(log->notes);
    free(log);
}

/* The coalescer's entry for a line: neighbouring lines have different ones, strided ones fall on entries as if by chance. */
static inline uint32_t entry_of(const MergeConfig *merge, uint32_t line) {
    uint32_t tag = line >> merge->entries_log2;
    tag ^= tag >> 15;
    tag *= UINT32_C(0x2c1b3c6d);
    tag ^= tag >> 12;
    tag *= UINT32_C(0x297a2d39);
    return (line + (tag >> 16)) & ((1u << merge->entries_log2) - 1);
}

/* Lets the read join the one at this position, if that is the same and not yet full. */
static bool join(Traffic *traffic, uint32_t position, const Note *note) {
    OutstandingRead *read = &traffic->outstanding[position % RING];
    bool same = traffic->lines[position % RING] == note->line && read->mask == note->mask && read->batch >= traffic->group &&
                read->position == position;
    if (!same || read->requests >= traffic->merge.limit) return false;
    read->requests++;
    return true;
}

/* Looks for the same read by another SM of the group near this position of its batch; returns its position, or the read's own. */
static uint32_t join_other_sm(Traffic *traffic, uint32_t position, const Note *note, bool *joined) {
    uint32_t index = position % RING, first = index < WINDOW_MAX ? 0 : index - WINDOW_MAX;
    first = first < RING - 2 * WINDOW_MAX ? first : RING - 2 * WINDOW_MAX;
    uint32_t near = match_words(traffic->lines + first, note->line);
    for (; near && !*joined; near &= near - 1) {
        uint32_t other = position - index + first + (uint32_t)__builtin_ctz(near);
        uint32_t apart = other < position ? position - other : other - position;
        bool own = traffic->outstanding[other % RING].batch == traffic->batch;
        *joined = !own && apart <= traffic->merge.window && join(traffic, other, note);
        if (*joined) return other;
    }
    return position;
}

/* True when the read joins one that is in flight. */
static bool merges(Traffic *traffic, const Note *note) {
    const MergeConfig *merge = &traffic->merge;
    uint32_t position = traffic->reads;
    CoalescerEntry *entry = &traffic->entries[entry_of(merge, note->line)];
    if (entry->batch == traffic->batch + 1 && entry->line == note->line && join(traffic, entry->position, note)) return true;
    bool joined = false;
    if (note->kind == TRAFFIC_READ_IN_STEP && traffic->batch != traffic->group)
        position = join_other_sm(traffic, position, note, &joined);
    *entry = (CoalescerEntry){.batch = traffic->batch + 1, .line = note->line, .position = position};
    if (joined) return true;
    traffic->lines[position % RING] = note->line;
    traffic->outstanding[position % RING] =
        (OutstandingRead){.batch = traffic->batch, .position = position, .mask = note->mask, .requests = 1};
    return false;
}

static void read_l2(Traffic *traffic, const Note *note) {
    if (traffic->merge.limit < 2 || !merges(traffic, note)) {
        traffic->l2_read_sectors += (uint32_t)__builtin_popcount(note->mask);
        cache_read(traffic->l2, note->line, note->mask);
    }
    traffic->reads++;
}

static inline const Note *note_at(const TrafficLog *log, uint32_t at) { return &log->notes[at % LOG_NOTES]; }

static inline void apply_note(Traffic *traffic, const Note *note) {
    switch ((TrafficKind)note->kind) {
    case TRAFFIC_READ:
    case TRAFFIC_READ_IN_STEP: read_l2(traffic, note); break;
    case TRAFFIC_WRITE: cache_write(traffic->l2, note->line, note->words); break;
    case TRAFFIC_ATOMIC:
        cache_read(traffic->l2, note->line, note->mask);
        cache_write(traffic->l2, note->line, note->words);
        break;
    }
}

/* As an SM's four schedulers issue requests: of four neighbouring warps one each, round-robin. */
static void apply_interleaved(const TrafficLog *log, uint32_t begin, uint32_t end) {
    while (begin != end) {
        uint32_t at[SCHEDULERS], to[SCHEDULERS], warps = 0, next = begin, warp;
        do {
            warp = note_at(log, next)->warp;
            at[warps] = next;
            while (next != end && note_at(log, next)->warp == warp) next++;
            to[warps++] = next;
        } while (next != end && note_at(log, next)->warp == warp + 1 && (warp + 1) % SCHEDULERS);
        for (uint32_t left = warps; left;) {
            left = 0;
            for (uint32_t w = 0; w < warps; w++) {
                uint8_t request = note_at(log, at[w])->request;
                for (; at[w] != to[w] && note_at(log, at[w])->request == request; at[w]++)
                    apply_note(log->traffic, note_at(log, at[w]));
                left += at[w] != to[w];
            }
        }
        begin = next;
    }
}

/* Applies notes of this batch up to `end`. */
static void apply(TrafficLog *log, uint64_t batch, uint32_t end) {
    Traffic *traffic = log->traffic;
    if (batch != traffic->batch) traffic->reads = 0;
    traffic->batch = batch;
    uint32_t together = batch < traffic->sms ? traffic->merge.sms : traffic->merge.later_sms;
    traffic->group = together ? batch - batch % together : batch;
    if (note_at(log, log->done)->mask) {
        apply_interleaved(log, log->done + 1, end);
    } else {
        for (uint32_t at = log->done + 1; at != end; at++) {
            if (end - at > LOG_AHEAD) cache_prefetch(traffic->l2, note_at(log, at + LOG_AHEAD)->line);
            apply_note(traffic, note_at(log, at));
        }
    }
    __atomic_store_n(&log->done, end, __ATOMIC_RELEASE);
}

static void log_begin(TrafficLog *log) {
    log->begin = log->end;
    log->bypasses_l1 = false;
    log->notes[log->end++ % LOG_NOTES] = (Note){0};
}

/* Leaves room for the next batch's header. */
static inline Note *new_note(TrafficLog *log, struct CommitTicket *ticket) {
    if (log->end - __atomic_load_n(&log->done, __ATOMIC_RELAXED) >= LOG_NOTES - 1) {
        if (!commit_wait(ticket)) return &log->dropped;
        traffic_end(log);
        apply(log, log->batch, log->end);
        log_begin(log);
    }
    return &log->notes[log->end++ % LOG_NOTES];
}

void traffic_note(TrafficLog *log, TrafficKind kind, uint32_t line, uint32_t mask, uint32_t words,
                  struct CommitTicket *ticket) {
    *new_note(log, ticket) = (Note){
        .line = line, .words = words, .kind = (uint8_t)kind, .mask = (uint8_t)mask, .warp = log->warp, .request = log->request};
}

void traffic_bypass_l1(TrafficLog *log, const Place *place) {
    log->bypasses_l1 = true;
    log->warp = (uint8_t)place->warp;
    log->request++;
}

void traffic_write(TrafficLog *log, const Footprint *footprint, struct CommitTicket *ticket) {
    for (uint32_t i = 0; i < footprint->n_lines; i++) {
        /* Neighbouring warps write to the same lines: one write to L2 stands for all of them. Its sectors are counted elsewhere. */
        uint32_t line = footprint->line[i], *place = &log->written[line * UINT32_C(0x9e3779b1) >> (32 - JOIN_LOG2)];
        Note *last = &log->notes[*place % LOG_NOTES];
        if (*place - log->begin < log->end - log->begin && last->line == line && last->kind == TRAFFIC_WRITE) {
            last->words |= footprint->words[i];
            continue;
        }
        Note *note = new_note(log, ticket);
        *note = (Note){
            .line = line, .words = footprint->words[i], .kind = TRAFFIC_WRITE, .warp = log->warp, .request = log->request};
        *place = log->end - 1;
    }
}

void traffic_begin(TrafficLog *log, uint64_t batch) {
    if (__atomic_load_n(&log->done, __ATOMIC_ACQUIRE) == log->end)
        log->done = log->end = 0; /* that memory is in the host's caches */
    log->batch = batch;
    log_begin(log);
}

void traffic_end(TrafficLog *log) {
    log->notes[log->begin % LOG_NOTES] = (Note){.words = log->end - log->begin - 1, .mask = log->bypasses_l1};
}

void traffic_commit(TrafficLog *log, uint64_t batch) {
    apply(log, batch, log->done + 1 + log->notes[log->done % LOG_NOTES].words);
}

TrafficTotals traffic_totals(const Traffic *traffic) {
    return (TrafficTotals){.l2_read_sectors = traffic->l2_read_sectors, .dram = *cache_traffic(traffic->l2)};
}

static bool one_run(uint32_t words) {
    uint32_t run = words >> __builtin_ctz(words);
    return (run & (run + 1)) == 0;
}

uint32_t stores_join(StoreTail *tail, const MergeConfig *merge, const Place *place, const Footprint *footprint) {
    uint32_t line = footprint->line[0], words = footprint->words[0];
    if (tail->stores == 0 || tail->line != line || tail->stores >= merge->stores || !one_run(words) || !one_run(tail->words))
        return 0;
    if (tail->loaded) {
        bool same_warp = tail->block == place->block && tail->warp == place->warp;
        if (same_warp || (tail->odd = !tail->odd) == false) return 0;
    }
    uint32_t shared = 0;
    for (uint32_t s = 0; s < LINE_SECTORS; s++)
        shared += (uint8_t)(words >> 8 * s) != 0 && (uint8_t)(tail->words >> 8 * s) != 0;
    tail->joined = true;
    return shared;
}

void stores_end(StoreTail *tail, const Place *place, const Footprint *footprint) {
    uint32_t last = footprint->n_lines - 1;
    bool joined = tail->joined && last == 0;
    tail->words = footprint->words[last] | (joined ? tail->words : 0);
    tail->stores = joined ? tail->stores + 1 : 1;
    tail->line = footprint->line[last];
    tail->warp = place->warp;
    tail->block = place->block;
    tail->loaded = tail->joined = false;
}
