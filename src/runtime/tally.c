#include "runtime/tally.h"

#include <stdlib.h>
#include <string.h>

Tally tally_of(const Counters *counters) {
    Tally tally = {.totals = *counters};
    tally.totals.insns = NULL;
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) tally.count += counters->insns[pc].space != SPACE_GENERIC;
    tally.insns = calloc(tally.count + 1, sizeof *tally.insns);
    if (!tally.insns) abort();
    tally.count = 0;
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) {
        if (counters->insns[pc].space == SPACE_GENERIC) continue;
        const InsnCounters *insn = &counters->insns[pc];
        tally.insns[tally.count++] = (InsnTally){pc, insn->space, insn->op, insn->sectors, insn->banks};
    }
    return tally;
}

void tally_free(Tally *tally) {
    free(tally->insns);
    *tally = (Tally){0};
}

void tally_add(Counters *to, const Tally *tally) {
    counters_add_totals(to, &tally->totals);
    for (uint32_t i = 0; i < tally->count; i++) {
        const InsnTally *from = &tally->insns[i];
        InsnCounters *insn = &to->insns[from->pc];
        if (insn->space == SPACE_GENERIC) {
            insn->space = from->space;
            insn->op = from->op;
        }
        counters_add_sectors(&insn->sectors, &from->sectors);
        counters_add_banks(&insn->banks, &from->banks);
    }
}

Counters *counters_zero(uint32_t n_insns) {
    Counters *counters = calloc(1, sizeof *counters);
    if (!counters) abort();
    counters->n_insns = n_insns;
    size_t bytes = (n_insns + 1) * sizeof *counters->insns; /* a multiple of the alignment, which is more than calloc's */
    counters->insns = aligned_alloc(_Alignof(InsnCounters), bytes);
    if (!counters->insns) abort();
    memset(counters->insns, 0, bytes);
    return counters;
}

void counters_drop(Counters *counters) {
    free(counters->insns);
    free(counters);
}
