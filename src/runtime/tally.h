/* tally.h: a launch's counts in little space: those of the instructions that counted anything, without samples. Internal to src/runtime. */
#pragma once

#include "observe/counters.h"

typedef struct InsnTally {
    uint32_t pc;
    uint8_t space, op;
    SectorCounters sectors;
    BankCounters banks;
} InsnTally;

typedef struct Tally {
    Counters totals; /* without insns */
    uint32_t count;
    InsnTally *insns;
} Tally;

Tally tally_of(const Counters *counters);
void tally_free(Tally *tally);

/* Adds to counters of the same program, whose insns are there. */
void tally_add(Counters *to, const Tally *tally);

/* Counters for a program of n_insns instructions; all zero. counters_drop frees. */
Counters *counters_zero(uint32_t n_insns);
void counters_drop(Counters *counters);
