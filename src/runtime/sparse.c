#include "runtime/sparse.h"

#include <stdlib.h>

#include "base/alloc.h"

SparseCounters sparse_of(const Counters *counters) {
    SparseCounters sparse = {.totals = *counters};
    sparse.totals.insns = NULL;
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) sparse.count += counters->insns[pc].space != SPACE_GENERIC;
    sparse.insns = alloc_zeroed(sparse.count + 1, sizeof *sparse.insns);
    sparse.count = 0;
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) {
        if (counters->insns[pc].space == SPACE_GENERIC) continue;
        const InsnCounters *insn = &counters->insns[pc];
        sparse.insns[sparse.count++] = (SparseInsn){pc, insn->space, insn->op, insn->sectors, insn->banks};
    }
    return sparse;
}

void sparse_free(SparseCounters *sparse) {
    free(sparse->insns);
    *sparse = (SparseCounters){0};
}

void sparse_add(Counters *to, const SparseCounters *sparse) {
    counters_add_totals(to, &sparse->totals);
    for (uint32_t i = 0; i < sparse->count; i++) {
        const SparseInsn *from = &sparse->insns[i];
        InsnCounters *insn = &to->insns[from->pc];
        if (insn->space == SPACE_GENERIC) {
            insn->space = from->space;
            insn->op = from->op;
        }
        counters_add_sectors(&insn->sectors, &from->sectors);
        counters_add_banks(&insn->banks, &from->banks);
    }
}

Counters *sparse_sum_new(uint32_t n_insns) {
    Counters *counters = alloc_zeroed(1, sizeof *counters);
    counters->n_insns = n_insns;
    counters->insns = alloc_zeroed(n_insns + 1, sizeof *counters->insns);
    return counters;
}

void sparse_sum_free(Counters *counters) {
    free(counters->insns);
    free(counters);
}
