/* warp_pace.h: what a warp does between the requests that it makes to L2, as the timeline takes it. */
#pragma once

#include "kernel/trips.h"
#include "observe/traffic.h"

typedef struct Pace {
    uint32_t pc;    /* of its last load from global memory; NO_INSN: none since its block began, or since a barrier */
    uint32_t last;  /* of its last access to any memory */
    Trip trip;      /* of that load */
    uint32_t lines; /* looked up since then */
    uint32_t gap;   /* cycles from one answer to the next request that were not noted yet */
    uint32_t work;  /* the same of quarters of cycles of its SM's time */
    bool waits;     /* before its next request that misses */
    bool asked;     /* something of this round trip is in flight: its time is the timeline's */
} Pace;

static inline Pace pace_new(void) { return (Pace){.pc = NO_INSN, .last = NO_INSN, .asked = true}; }

/* An access to any memory. Of the instructions since the last one those that lie between them are known; where a loop went back, a few. */
static inline void pace_access(Pace *pace, uint32_t pc) {
    enum { LOOP_WORK = 4 };
    pace->work += pace->last < pc ? pc - pace->last : LOOP_WORK;
    pace->last = pc;
}

/* A load of so many lines. With it another round trip may begin, which waits for the one before it. trip NULL: nothing is known but the order of
 * instructions. */
static inline void pace_load(Pace *pace, const MergeConfig *merge, uint32_t pc, const Trip *trip, uint32_t lines) {
    enum { ANSWER_TO_REQUEST = 35, LINE_WORK = 4 };
    const Trip here = trip ? *trip : (Trip){0};
    if (pc <= pace->pc || here.block != pace->trip.block || here.level > pace->trip.level) {
        pace->gap += ANSWER_TO_REQUEST + (pace->asked ? 0 : merge->l1_cycles);
        pace->waits = true;
        pace->asked = false;
    }
    pace->pc = pc;
    pace->trip = here;
    pace->lines += lines;
    pace->work += LINE_WORK * lines;
}

/* True when so much has gathered that it should be noted by itself. */
static inline bool pace_is_long(const Pace *pace) { return pace->work > 2000 || pace->gap > 20000; }

/* Puts it into a note before which the warp waits, and begins anew. A note before which it does not comes with the one before. */
static inline void pace_take(Pace *pace, Note *note) {
    note->waits |= pace->waits;
    if (!note->waits) return;
    note->gap = (uint16_t)(pace->gap < UINT16_MAX ? pace->gap : UINT16_MAX);
    note->work = (uint16_t)(pace->work < UINT16_MAX ? pace->work : UINT16_MAX);
    pace->gap = pace->work = 0;
    pace->waits = false;
}
