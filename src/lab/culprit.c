#include "lab/culprit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/model.h"
#include "lab/bottleneck.h"
#include "lab/case.h"
#include "report/spot.h"

/* A lane moves 16 bytes at most: a request 512. */
enum { REQUEST_BYTES = 512, PARTS = 4 };

/* One access of the source: all that the compiler made of it by unrolling. */
typedef struct Suspect {
    Spot spot;
    uint8_t space, op;
    char array[ARRAY_BYTES];
    SectorCounters sectors;
    BankCounters banks;
    const InsnCounters *worst; /* the instruction that wastes most */
} Suspect;

static uint64_t wasted_sectors(const SectorCounters *of) {
    return of->sectors > of->ideal_sectors ? of->sectors - of->ideal_sectors : 0;
}

static uint64_t wasted(const InsnCounters *insn, uint8_t space) {
    return space == SPACE_SHARED ? insn->banks.bank_conflicts : wasted_sectors(&insn->sectors);
}

static void add_insn(const Report *report, uint32_t pc, Suspect *suspects, uint32_t *count) {
    const InsnCounters *insn = &report->result->counters->insns[pc];
    const Access *access = &insn->worst.access;
    Suspect suspect = {.spot = spot_of(report, pc), .space = access->space, .op = insn->op};
    uint32_t i = 0;
    spot_array(report, access, suspect.array);
    for (; i < *count; i++) {
        const Suspect *other = &suspects[i];
        if (other->spot.line == suspect.spot.line && other->space == suspect.space && other->op == suspect.op &&
            strcmp(other->spot.file, suspect.spot.file) == 0 && strcmp(other->array, suspect.array) == 0)
            break;
    }
    if (i == *count) suspects[*count] = suspect, ++*count;
    counters_add_sectors(&suspects[i].sectors, &insn->sectors);
    counters_add_banks(&suspects[i].banks, &insn->banks);
    const InsnCounters *worst = suspects[i].worst;
    if (!worst || wasted(insn, suspect.space) > wasted(worst, suspect.space)) suspects[i].worst = insn;
}

/* The caller frees. */
static Suspect *find_suspects(const Report *report, uint32_t *count) {
    const Counters *counters = report->result->counters;
    Suspect *suspects = alloc_zeroed((size_t)counters->n_insns + 1, sizeof *suspects);
    *count = 0;
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) {
        const uint8_t space = counters->insns[pc].worst.access.space;
        if (counters->insns[pc].worst.cost && (space == SPACE_GLOBAL || space == SPACE_LOCAL || space == SPACE_SHARED))
            add_insn(report, pc, suspects, count);
    }
    return suspects;
}

/* --- a count -------------------------------------------------------------------------------------------------------------- */

static uint64_t beyond(uint64_t count, uint64_t bytes, uint32_t each) {
    const uint64_t fewest = (bytes + each - 1) / each;
    return count > fewest ? count - fewest : 0;
}

/* By how much the metric would be better without what is left out. */
static double gain(const Lab *lab, const Goal *goal, double value, const ScoreLess *less) {
    double without;
    if (!score_without(lab, goal, less, &without)) return 0;
    return goal->kind == GOAL_LIMIT || goal->full < goal->zero ? value - without : without - value;
}

static Culprit blame_for_count(const Lab *lab, const Goal *goal, double value, const Suspect *suspects, uint32_t count) {
    Culprit culprit = {0};
    double least = fabs(value - goal->full) / PARTS;
    for (uint32_t i = 0; i < count; i++) {
        const Suspect *of = &suspects[i];
        const uint64_t conflicts = of->banks.bank_conflicts;
        ScoreLess waste = {.sectors.sectors = wasted_sectors(&of->sectors),
                           .sectors.lines = beyond(of->sectors.lines, of->sectors.unique_bytes, LINE_BYTES),
                           .banks = {.wavefronts = conflicts, .bank_conflicts = conflicts}},
                  often = {.sectors.requests = beyond(of->sectors.requests, of->sectors.unique_bytes, REQUEST_BYTES)};
        snprintf(waste.kind, sizeof waste.kind, "%s.%s", space_names[of->space], spot_op_names[of->op]);
        memcpy(often.kind, waste.kind, sizeof often.kind);
        const double by_waste = gain(lab, goal, value, &waste), by_requests = gain(lab, goal, value, &often);
        if (fmax(by_waste, by_requests) < least || fmax(by_waste, by_requests) <= 0) continue;
        least = fmax(by_waste, by_requests);
        culprit = (Culprit){&of->worst->worst, by_requests > by_waste && !wasted_sectors(&of->sectors)};
    }
    return culprit;
}

/* --- a time --------------------------------------------------------------------------------------------------------------- */

/* Whether accesses limit the launch: those of shared memory, or the others. */
static bool is_limit(ModelBound bound, bool shared) {
    switch (bound) {
    case BOUND_shared: return shared;
    case BOUND_dram:
    case BOUND_stores:
    case BOUND_atomics:
    case BOUND_l1: return !shared;
    case BOUND_issue:
    case BOUND_slow:
    case BOUND_latency:
    case BOUND_blocks:
    case BOUND_launch:
    case BOUND_COUNT: return false;
    }
    return false;
}

static Culprit blame_for_time(ModelBound bound, const Suspect *suspects, uint32_t count) {
    const Suspect *worst = NULL;
    double all = 0, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Suspect *of = &suspects[i];
        const bool shared = of->space == SPACE_SHARED;
        if (!is_limit(bound, shared)) continue;
        const double waste = shared ? (double)of->banks.bank_conflicts : wasted_sectors(&of->sectors);
        all += (double)(shared ? of->banks.wavefronts : of->sectors.sectors);
        if (waste > most) most = waste, worst = of;
    }
    return (Culprit){worst && most * PARTS >= all ? &worst->worst->worst : NULL, false};
}

static ModelBound limit_of(const Lab *lab, uint32_t run) {
    const Bottleneck found = bottleneck_of(lab, run);
    return found.conflicts ? BOUND_shared : found.bound;
}

/* Of a suite's own numbers no access is to blame, and a prediction is not to be given away. Nor is one to blame when work is not shared out, is too
 * much, or leaves data unread. */
Culprit culprit_of(const Lab *lab, const Score *score, uint32_t index) {
    const Goal *goal = &lab->goals->goals[index];
    const LabCase *c = lab->runs[goal->run].kept;
    if (!c || !score->goals[index].has_value || goal->kind == GOAL_FIGURE) return (Culprit){0};
    const Report report = case_report(c);
    uint32_t count;
    FREED Suspect *suspects = find_suspects(&report, &count);
    const Culprit culprit = strstr(goal->metric, "model.")
                                ? blame_for_time(limit_of(lab, goal->run), suspects, count)
                                : blame_for_count(lab, goal, score->goals[index].value, suspects, count);
    return culprit;
}
