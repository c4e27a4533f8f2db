/* sparse.h: a launch's counters in little space: those of instructions that counted anything, without samples. Internal to src/runtime. */
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

/* Adds them to counters of the same program that have insns. */
void sparse_add(Counters *to, const SparseCounters *sparse);

/* Counters for a program of n_insns instructions; all zero. sparse_sum_free frees. */
Counters *sparse_sum_new(uint32_t n_insns);
void sparse_sum_free(Counters *counters);
