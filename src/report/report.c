#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/spot.h"

/* Sectors or wavefronts beyond the fewest, over the whole launch. */
static uint64_t excess(const InsnCounters *insn) {
    if (insn->worst.access.space == SPACE_SHARED) return insn->banks.bank_conflicts;
    uint64_t sectors = insn->sectors.sectors, ideal = insn->sectors.ideal_sectors;
    return sectors > ideal ? sectors - ideal : 0;
}

/* Of what is pictured and explained: more beyond the fewest, else more in all. */
static bool is_worse(const InsnCounters *insn, const InsnCounters *than) {
    const uint64_t more = excess(insn), most = excess(than);
    return more > most || (more == most && insn->worst.cost > than->worst.cost);
}

/* Adds an instruction's counts of one space to the line that has them, or begins one. */
static void add_insn(const Report *report, SourceLine *lines, uint32_t *count, uint32_t pc, uint8_t space) {
    const InsnCounters *insn = &report->result->counters->insns[pc], *worst;
    Spot spot = spot_of(report, pc);
    uint32_t i = 0;
    for (; i < *count; i++) {
        SourceLine *line = &lines[i];
        if (line->line == spot.line && line->space == space && line->op == insn->op && strcmp(line->file, spot.file) == 0)
            break;
    }
    SourceLine *line = &lines[i];
    if (i == *count) {
        *line = (SourceLine){.file = spot.file, .line = spot.line, .space = space, .op = insn->op, .worst_pc = NO_INSN};
        ++*count;
    }
    if (space == SPACE_SHARED)
        counters_add_banks(&line->banks, &insn->banks);
    else
        counters_add_sectors(&line->sectors, &insn->sectors);
    bool of_shared = insn->worst.access.space == SPACE_SHARED;
    if (!insn->worst.cost || of_shared != (space == SPACE_SHARED)) return;
    worst = line->worst_pc == NO_INSN ? NULL : &report->result->counters->insns[line->worst_pc];
    if (!worst || is_worse(insn, worst)) line->worst_pc = pc;
}

static int order_lines(const void *a, const void *b) {
    const SourceLine *x = a, *y = b;
    int files = strcmp(x->file, y->file);
    if (files) return files;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->space != y->space) return x->space < y->space ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* A generic instruction may have accessed several spaces: its sectors are then those of global or local memory, its banks shared memory's. */
SourceLine *report_source_lines(const Report *report, uint32_t *count) {
    const Counters *counters = report->result->counters;
    SourceLine *lines = alloc_zeroed(2 * (size_t)counters->n_insns + 1, sizeof *lines);
    *count = 0;
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) {
        const InsnCounters *insn = &counters->insns[pc];
        if (insn->sectors.requests) add_insn(report, lines, count, pc, insn->space == SPACE_LOCAL ? SPACE_LOCAL : SPACE_GLOBAL);
        if (insn->banks.requests || insn->banks.joined) add_insn(report, lines, count, pc, SPACE_SHARED);
    }
    qsort(lines, *count, sizeof *lines, order_lines);
    return lines;
}

const Sample *report_worst(const Report *report) {
    const Counters *counters = report->result->counters;
    const InsnCounters *worst = NULL;
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) {
        const InsnCounters *insn = &counters->insns[pc];
        uint8_t space = insn->worst.access.space;
        if (!insn->worst.cost || (space != SPACE_GLOBAL && space != SPACE_LOCAL && space != SPACE_SHARED)) continue;
        if (!worst || is_worse(insn, worst)) worst = insn;
    }
    return worst ? &worst->worst : NULL;
}
