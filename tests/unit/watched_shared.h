/* watched_shared.h: a block on 4096 bytes of shared memory, played to the checks. */
#pragma once

#include "watched.h"

#define RACE_KIND FAULT_shared_race

static Watched *w;

static inline void begin_with(unsigned with, uint32_t threads) {
    w = watched_new(with);
    watched_launch(w);
    watched_block(w, 0, 0, threads, 4096);
}

static inline void begin(void) { begin_with(0, 128); }
static inline void end(void) { watched_free(w); }
static inline void forget(void) { w->fault = (Fault){0}; }
