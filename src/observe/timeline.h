/* timeline.h: when the warps' requests leave their SMs, so that those of all SMs reach L2 in one order.
 *
 * The emulator runs one SM's blocks after another's. What they asked of L2 is noted, warp by warp, and replayed side by side, a wave of blocks at a
 * time: each warp goes on 35 cycles after what it waits for has come (share_block of h200-meetings.csv is explained by that), alternating with the
 * SM's other warps.
 *
 * - Work: what a warp does between two requests takes its SM a quarter of a cycle an instruction and one a line that L1 looks up. A hash adds up
 *   to a sixteenth: SMs that do the same for long are some hundred cycles apart then (h200-steps.csv, draw: of the reads of 32 blocks that find the same
 *   tiles in L2, 0.6 are requests, where 0.31 would be if they stayed in step).
 * - Blocks that do the same do not take the same time: the next one in a block's place begins up to a twentieth of its time later, so that fewer reads
 *   of later waves meet: tiled products of one to nine waves (h100-products.csv).
 * - Reads leave an SM one after the other, 32 sectors in 41 cycles: columns of a matrix that a block reads bypassing L1 (h200-steps.csv,
 *   columns_t of one block; nor do reads of 32 lines in h200-windows.csv, spread, come closer, however close their warps are).
 * None of these is a model of time: see device/model.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "observe/coalescer.h"

typedef enum NoteKind {
    NOTE_READ,   /* sectors that miss L1 */
    NOTE_HIT,    /* a line that another warp of the SM has asked for: it may be in flight still */
    NOTE_WRITE,  /* words */
    NOTE_ATOMIC, /* sectors, words */
    NOTE_WORK,   /* nothing but gap and work */
    NOTE_MEETING, /* the block's warps in the set `words`, bit 0 the warp `line`, wait for each other: at a barrier, or to begin */
} NoteKind;

typedef struct Note {
    uint32_t line;
    uint32_t words;
    uint16_t gap, work; /* before it: cycles, and quarters of cycles of the SM's time */
    uint8_t kind;       /* NoteKind */
    uint8_t mask : 4;
    uint8_t waits : 1;   /* the warp waits for what it has asked for before */
    uint8_t in_step : 1; /* see Read */
    uint8_t begins : 1;  /* the meeting of a block's warps that begin */
    uint8_t warp, sm;    /* warp: of those resident on the SM */
} Note;

enum { RESIDENT_WARPS = 64 /* of an SM, at most */ };

/* What the note asks of L2, at no time: reads join no other. */
void note_apply(const Note *note, Coalescer *coalescer);

typedef struct Timeline Timeline;

Timeline *timeline_new(const MergeConfig *config, uint32_t sms, Coalescer *coalescer);
void timeline_free(Timeline *timeline);

/* Notes in a ring of `size`: `count` of them, from `first` on. */
typedef struct NoteRing {
    const Note *notes;
    uint32_t size, first, count;
} NoteRing;

/* Adds notes of a batch, each warp's in its order. wave: of blocks, theirs; 0 is the first. goes_on: more of the batch come, and whether they come at
 * once or in chunks makes no difference. May replay what was added before. */
void timeline_add(Timeline *timeline, NoteRing ring, uint32_t wave, bool goes_on);

/* Replays what was added; of many reads that hardly ever ask for a line again, of which none can join, only applies it. */
void timeline_run(Timeline *timeline);
