/* sparse.h: a launch's counts in little space: those of the instructions that counted anything, without samples. Internal to src/runtime. */
#pragma once

#include "observe/counters.h"

typedef struct SparseInsn {
    uint32_t pc;
    uint8_t space, op;
    SectorCounters sectors;
    BankCounters banks;
} SparseInsn;

typedef struct SparseCounters {
    Counters totals; /* without insns */
    uint32_t count;
    SparseInsn *insns;
} SparseCounters;

SparseCounters sparse_of(const Counters *counters);
void sparse_free(SparseCounters *sparse);

/* Adds to counters of the same program, whose insns are there. */
void sparse_add(Counters *to, const SparseCounters *sparse);

/* Counters for a program of n_insns instructions; all zero. sparse_sum_free frees. */
Counters *sparse_sum_new(uint32_t n_insns);
void sparse_sum_free(Counters *counters);
