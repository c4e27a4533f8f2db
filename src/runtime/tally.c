#include "runtime/tally.h"

#include <stdlib.h>
#include <string.h>

static void add_sectors(SectorCounters *to, const SectorCounters *from) {
    to->requests += from->requests;
    to->sectors += from->sectors;
    to->lines += from->lines;
    to->ideal_sectors += from->ideal_sectors;
    to->bytes += from->bytes;
    to->unique_bytes += from->unique_bytes;
    to->l1_hit_sectors += from->l1_hit_sectors;
}

static void add_banks(BankCounters *to, const BankCounters *from) {
    to->requests += from->requests;
    to->wavefronts += from->wavefronts;
    to->bank_conflicts += from->bank_conflicts;
}

static void add_totals(Counters *to, const Counters *from) {
    to->instructions += from->instructions;
    to->thread_instructions += from->thread_instructions;
    if (from->busiest_warp > to->busiest_warp) to->busiest_warp = from->busiest_warp;
    for (int op = 0; op < COUNTER_OPS; op++) {
        add_sectors(&to->global[op], &from->global[op]);
        add_sectors(&to->local[op], &from->local[op]);
        add_banks(&to->shared[op], &from->shared[op]);
    }
    to->constant_requests += from->constant_requests;
    to->barriers += from->barriers;
    to->atomics_at_a_line += from->atomics_at_a_line;
    to->l2_read_sectors += from->l2_read_sectors;
    to->l2_write_sectors += from->l2_write_sectors;
    to->dram_read_bytes += from->dram_read_bytes;
    to->dram_write_bytes += from->dram_write_bytes;
    to->dram_rows += from->dram_rows;
}

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
    add_totals(to, &tally->totals);
    for (uint32_t i = 0; i < tally->count; i++) {
        const InsnTally *from = &tally->insns[i];
        InsnCounters *insn = &to->insns[from->pc];
        if (insn->space == SPACE_GENERIC) {
            insn->space = from->space;
            insn->op = from->op;
        }
        add_sectors(&insn->sectors, &from->sectors);
        add_banks(&insn->banks, &from->banks);
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
