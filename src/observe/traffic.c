#include "observe/traffic.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "machine/grid.h"

enum {
    LOG_NOTES = 1 << 20,
    JOIN_LOG2 = 10,
    LOG_AHEAD = 12,
    PASSED_BY = 15 /* waves after one in which no reads join: most launches have none that do */
};

struct Traffic {
    MergeConfig merge;
    Coalescer *coalescer;
    Timeline *timeline; /* NULL: without a coalescer */
    uint32_t sms;
    uint64_t next_replay; /* no wave before this one is replayed; rises, while workers read it */
};

/* Notes of the worker's batches, in order, modulo LOG_NOTES. Each batch begins with a header: a note that has in `words` the number of those
 * that follow. While the worker adds to the running batch another thread may hand on those that have ended. */
struct TrafficLog {
    Traffic *traffic;
    Note *notes;
    uint32_t done, begin, end; /* notes before `done` have been handed on; the running batch's are from `begin` to `end` */
    uint64_t batch;            /* the running one */
    uint32_t written[1 << JOIN_LOG2]; /* by hash of the line: the note of its last write; to be checked against the note */
    Note dropped;                     /* what is noted when a fault has ended the launch */
};

Traffic *traffic_new(const MergeConfig *merge, uint32_t sms, uint64_t blocks, const CacheConfig *l2) {
    Traffic *traffic = alloc_zeroed(1, sizeof *traffic);
    traffic->merge = *merge;
    traffic->sms = sms;
    traffic->coalescer = coalescer_new(merge, sms, blocks, l2);
    if (merge->limit >= 2) traffic->timeline = timeline_new(&traffic->merge, sms, traffic->coalescer);
    return traffic;
}

void traffic_free(Traffic *traffic) {
    if (!traffic) return;
    timeline_free(traffic->timeline);
    coalescer_free(traffic->coalescer);
    free(traffic);
}

TrafficLog *traffic_log_new(Traffic *traffic) {
    TrafficLog *log = alloc_zeroed(1, sizeof *log);
    log->traffic = traffic;
    if (traffic) log->notes = alloc_bytes(LOG_NOTES * sizeof *log->notes); /* each is written before it is read */
    return log;
}

void traffic_log_free(TrafficLog *log) {
    if (log) free(log->notes);
    free(log);
}

/* As far as is known; once all waves before are committed, for good. */
static bool is_replayed(const Traffic *traffic, uint64_t batch) {
    return traffic->timeline && batch / traffic->sms >= __atomic_load_n(&traffic->next_replay, __ATOMIC_RELAXED);
}

/* Hands on notes of this batch up to `end`, after which more come (`goes_on`) or not. */
static void hand_on(TrafficLog *log, uint64_t batch, uint32_t end, bool goes_on) {
    Traffic *traffic = log->traffic;
    if (!is_replayed(traffic, batch))
        for (uint32_t at = log->done + 1; at != end; at++) {
            if (end - at > LOG_AHEAD)
                coalescer_prefetch_alone(traffic->coalescer, log->notes[(at + LOG_AHEAD) % LOG_NOTES].line);
            note_apply(&log->notes[at % LOG_NOTES], traffic->coalescer);
        }
    else
        timeline_add(traffic->timeline, (NoteRing){log->notes, LOG_NOTES, log->done + 1, end - log->done - 1},
                     (uint32_t)(batch / traffic->sms), goes_on);
    __atomic_store_n(&log->done, end, __ATOMIC_RELEASE);
}

static void log_begin(TrafficLog *log) {
    log->begin = log->end;
    log->notes[log->end++ % LOG_NOTES] = (Note){0};
}

/* Leaves room for the next batch's header. A batch of very many notes is handed on in chunks, which depends on nothing but its own number; where
 * batches before it fill the log, their commit makes room. */
Note *traffic_note(TrafficLog *log, struct CommitTicket *ticket) {
    if (!log->traffic) return &log->dropped;
    bool large = log->end - log->begin >= LOG_NOTES / 2;
    if (large || log->end - __atomic_load_n(&log->done, __ATOMIC_ACQUIRE) >= LOG_NOTES - 1) {
        if (!commit_wait(ticket)) return &log->dropped;
        if (large) {
            traffic_end(log);
            hand_on(log, log->batch, log->end, true);
            log_begin(log);
        }
    }
    return &log->notes[log->end++ % LOG_NOTES];
}

void traffic_write(TrafficLog *log, uint32_t sm, uint32_t warp, const Footprint *footprint, struct CommitTicket *ticket) {
    for (uint32_t i = 0; log->traffic && i < footprint->n_lines; i++) {
        /* Neighbouring warps write to the same lines: one write to L2 stands for all of them. Its sectors are counted elsewhere. */
        uint32_t line = footprint->line[i], *place = &log->written[line * UINT32_C(0x9e3779b1) >> (32 - JOIN_LOG2)];
        Note *last = &log->notes[*place % LOG_NOTES];
        if (*place - log->begin < log->end - log->begin && last->line == line && last->kind == NOTE_WRITE) {
            last->words |= footprint->words[i];
            continue;
        }
        Note *note = traffic_note(log, ticket);
        *note =
            (Note){.line = line, .words = footprint->words[i], .kind = NOTE_WRITE, .warp = (uint8_t)warp, .sm = (uint8_t)sm};
        *place = log->end - 1;
    }
}

bool traffic_begin(TrafficLog *log, uint64_t batch) {
    if (!log->traffic) return false;
    if (__atomic_load_n(&log->done, __ATOMIC_ACQUIRE) == log->end)
        log->done = log->end = 0; /* that memory is in the host's caches */
    log->batch = batch;
    log_begin(log);
    return is_replayed(log->traffic, batch);
}

void traffic_end(TrafficLog *log) {
    if (log->traffic) log->notes[log->begin % LOG_NOTES] = (Note){.words = log->end - log->begin - 1};
}

void traffic_commit(TrafficLog *log, uint64_t batch) {
    Traffic *traffic = log->traffic;
    if (!traffic) return;
    hand_on(log, batch, log->done + 1 + log->notes[log->done % LOG_NOTES].words, false);
    if (!is_replayed(traffic, batch) || (batch + 1) % traffic->sms) return;
    timeline_run(traffic->timeline);
    const uint64_t passed_by = coalescer_was_of_use(traffic->coalescer) ? 0 : PASSED_BY;
    __atomic_store_n(&traffic->next_replay, (batch + 1) / traffic->sms + passed_by, __ATOMIC_RELAXED);
}

TrafficTotals traffic_totals(Traffic *traffic) {
    if (!traffic) return (TrafficTotals){0};
    if (traffic->timeline) timeline_run(traffic->timeline);
    return coalescer_totals(traffic->coalescer);
}
