/* played.h: plays notes to a timeline: notes in, reads of L2 out. When a read leaves its SM is worked out by hand, and asked for by another read of the same
 * line: see leaves_at. */
#pragma once

#include <check.h>

#include "observe/timeline.h"

enum { SMS = 8, L1 = 33, L2 = 280, DRAM = 710, ON = 35 /* from an answer to the next request, where a note says so */ };

/* SMs 0 to 3 are a GPC, 4 to 7 another. */
static const MergeConfig merge = {.limit = 4, .gpc_sms = {4, 4}, .l1_cycles = L1, .l2_cycles = L2, .dram_cycles = DRAM};

/* Lines in L2, of one to be asked for by two, and others. */
enum { LONG_AGO = -5000, WARM = 50, COLD = 100 };

static Coalescer *coalescer;
static Timeline *timeline;
static uint64_t sectors_before;

static inline void begin(void) {
    const CacheConfig l2 = {.bytes = 1 << 20, .ways = 16};
    coalescer = coalescer_new(&merge, SMS, SMS, &l2);
    for (uint32_t line = 1; line <= WARM; line++)
        coalescer_read(coalescer, &(Read){.line = line, .mask = 0xf, .sm = 7}, (uint32_t)LONG_AGO);
    timeline = timeline_new(&merge, SMS, coalescer);
    sectors_before = coalescer_totals(coalescer).l2_read_sectors;
}

static inline void end(void) {
    timeline_free(timeline);
    coalescer_free(coalescer);
}

static inline uint32_t sectors(void) { return (uint32_t)(coalescer_totals(coalescer).l2_read_sectors - sectors_before); }

/* Notes of a batch that are not added yet. */
static Note batch[4000];
static uint32_t n_batch;

static inline void add(Note note) { batch[n_batch++] = note; }

static inline void replay_as(uint32_t wave) {
    timeline_add(timeline, (NoteRing){batch, sizeof batch / sizeof *batch, 0, n_batch}, wave, false);
    n_batch = 0;
    timeline_run(timeline);
}
static inline void replay(void) { replay_as(0); }

/* A note of an SM's warp. A read of one sector, alone at its SM's port, leaves a cycle after the warp comes to it. */
static inline Note by(uint8_t sm, uint8_t warp, Note note) {
    note.sm = sm;
    note.warp = warp;
    return note;
}
static inline Note reads(uint32_t line, uint16_t gap) {
    return (Note){.kind = NOTE_READ, .line = line, .mask = 1, .gap = gap, .in_step = 1};
}
/* The same once all has come that the warp has asked for before. */
static inline Note then_reads(uint32_t line, uint16_t gap) {
    Note note = reads(line, gap);
    note.waits = 1;
    return note;
}
static inline Note hits(uint32_t line, uint16_t gap) { return (Note){.kind = NOTE_HIT, .line = line, .gap = gap}; }
static inline Note meets(uint32_t first, uint32_t set) {
    return (Note){.kind = NOTE_MEETING, .line = first, .words = set, .waits = 1};
}

/* What a test does; a read of WARM must be in it, by an SM of the first GPC but SM 3. */
static Note played[2010];
static int n_played;

static inline void play(Note note) { played[n_played++] = note; }

/* Whether a read of WARM by SM 3 at this time is one with the test's. */
static inline bool joins_at(uint32_t time) {
    uint32_t alone[2];
    for (int probe = 0; probe < 2; probe++) {
        begin();
        for (int i = 0; i < n_played; i++) add(played[i]);
        if (probe) add(by(3, 0, reads(WARM, (uint16_t)(time - 1))));
        replay();
        alone[probe] = sectors();
        end();
    }
    return alone[0] == alone[1];
}

/* WARM is in L2: reads of it that leave up to 94 cycles one behind the other are one request, whichever is the first. So the time when a
 * read leaves is in the middle between the first and the last that join it. */
static inline bool leaves_between(uint32_t earliest, uint32_t latest) {
    enum { AS_ONE = 94 };
    bool is = joins_at(latest) && joins_at(earliest + AS_ONE) && !joins_at(latest + AS_ONE + 1);
    if (earliest > AS_ONE + 1) is = is && joins_at(latest - AS_ONE) && !joins_at(earliest - AS_ONE - 1);
    n_played = 0;
    return is;
}
static inline bool leaves_at(uint32_t time) { return leaves_between(time, time); }
