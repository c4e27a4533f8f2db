#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulated.h"
#include "operands.h"
#include "ptx/opcode.h"

enum { KERNEL_CASES = 40 };

enum { OLDEST = 75 };

typedef struct Planner {
    Plan plan;
    Verdicts *verdicts;
    const char *at, *since_at; /* in the runs of the opcode */
    unsigned long left, since_left, since;
    bool taken;
    uint32_t capacity;
} Planner;

uint64_t text_key(const char *text) {
    uint64_t hash = 0;
    for (; *text; text++) hash = operand_hash(hash ^ (uint8_t)*text);
    return hash;
}

/* Whether ptxas takes the next line. */
static bool next_taken(Planner *planner) {
    while (!planner->left && *planner->at && *planner->at != '\n') {
        planner->taken = !planner->taken;
        char *end;
        planner->left = strtoul(planner->at, &end, 10);
        if (end == planner->at) break;
        planner->at = end;
    }
    if (planner->left) planner->left--;
    return planner->taken;
}

/* What the next line that ptxas takes needs. */
static unsigned next_since(Planner *planner) {
    if (!planner->since_left && planner->since_at) {
        char *end;
        planner->since_left = strtoul(planner->since_at, &end, 10);
        planner->since = strtoul(end, &end, 10);
        planner->since_at = end;
    }
    if (planner->since_left) planner->since_left--;
    return (unsigned)planner->since;
}

static void case_add(Planner *planner, const Candidate *candidate, const Line *line, bool admitted) {
    Plan *plan = &planner->plan;
    if (plan->n_cases == planner->capacity) {
        planner->capacity = planner->capacity ? planner->capacity * 2 : 1024;
        plan->cases = realloc(plan->cases, planner->capacity * sizeof *plan->cases);
    }
    plan->cases[plan->n_cases++] = (Case){
        .candidate = *candidate, .line = *line, .key = text_key(line->text) ^ text_key(line->before), .admitted = admitted};
}

static void line_take(Planner *planner, const Candidate *candidate, const Line *line, bool main, bool taken) {
    Verdicts *verdicts = planner->verdicts;
    Diag diag = {0};
    unsigned since = 0;
    const bool admitted = line_admitted(candidate, line, &since, &diag);
    const unsigned needs = taken && main ? next_since(planner) : OLDEST;
    if (taken && main && admitted && (since < OLDEST ? OLDEST : since) != needs)
        text_add(&verdicts->older, "%s needs %u, here %u\n", line->text, needs, since);
    verdicts->own += !candidate->beyond;
    verdicts->near_misses += candidate->beyond;
    verdicts->both += taken && admitted;
    verdicts->neither += !taken && !admitted;
    verdicts->only_ptxas += taken && !admitted;
    verdicts->only_here += !taken && admitted;
    if (taken != admitted) text_add(&verdicts->differ, "%c %s\n", taken ? '+' : '-', line->text);
    if (taken && !candidate->beyond && line->n_results) case_add(planner, candidate, line, admitted);
}

static void candidate_take(void *self, const Candidate *candidate) {
    static _Thread_local Line lines[LINE_VARIANTS];
    Planner *planner = self;
    const unsigned count = candidate_lines(candidate, lines);
    const bool taken = next_taken(planner);
    line_take(planner, candidate, &lines[0], true, taken);
    for (unsigned i = 1; taken && !candidate->beyond && i < count; i++)
        line_take(planner, candidate, &lines[i], false, next_taken(planner));
}

/* -- kernels */

/* Lines of one kernel have the same sources, of the same lists. */
static int by_signature(const void *left, const void *right) {
    const Case *const a = left, *const b = right;
    int order = a->admitted - b->admitted;
    if (!order) order = a->line.memory - b->line.memory;
    if (!order) order = a->line.n_sources - b->line.n_sources;
    if (!order) order = a->line.immediate - b->line.immediate;
    if (!order) order = memcmp(a->line.lists, b->line.lists, sizeof a->line.lists);
    if (!order) order = memcmp(a->line.source_width, b->line.source_width, sizeof a->line.source_width);
    return order;
}

static int by_signature_and_key(const void *left, const void *right) {
    const int order = by_signature(left, right);
    const uint64_t a = ((const Case *)left)->key, b = ((const Case *)right)->key;
    return order ? order : a < b ? -1 : a > b;
}

static void kernels_make(Plan *plan) {
    qsort(plan->cases, plan->n_cases, sizeof *plan->cases, by_signature_and_key);
    uint32_t kept = 0; /* slices meet */
    for (uint32_t i = 0; i < plan->n_cases; i++)
        if (!i || plan->cases[i].key != plan->cases[kept - 1].key) plan->cases[kept++] = plan->cases[i];
    plan->n_cases = kept;
    plan->kernels = calloc(plan->n_cases + 1, sizeof *plan->kernels);
    for (uint32_t i = 0; i < plan->n_cases; i++) {
        CaseKernel *kernel = plan->n_kernels ? &plan->kernels[plan->n_kernels - 1] : NULL;
        if (!kernel || kernel->n_cases == KERNEL_CASES || by_signature(&plan->cases[i], &plan->cases[kernel->cases[0]])) {
            kernel = &plan->kernels[plan->n_kernels++];
            kernel->cases = malloc(KERNEL_CASES * sizeof *kernel->cases);
            kernel->lanes = operands_lanes(&plan->cases[i].line, &kernel->edges);
            kernel->admitted = plan->cases[i].admitted;
        }
        plan->cases[i].kernel = plan->n_kernels - 1;
        plan->cases[i].slot = kernel->n_slots;
        kernel->n_slots += case_results(&plan->cases[i]);
        kernel->cases[kernel->n_cases++] = i;
    }
}

/* Behind "\nsince min ". */
static const char *runs_find(const char *ptxas, const char *of, const char *opcode) {
    char name[40];
    snprintf(name, sizeof name, "\n%s%s ", of, opcode);
    const char *found = strstr(ptxas, name);
    return found ? found + strlen(name) : NULL;
}

Plan plan_new(const char *ptxas, Verdicts *verdicts) {
    Planner planner = {.verdicts = verdicts};
    for (Opcode op = 0; op < OP_COUNT; op++) {
        if (!opcode_has_lines(op)) continue;
        const char *found = runs_find(ptxas, "", opcode_names[op]);
        planner.at = found ? found : "";
        planner.since_at = runs_find(ptxas, "since ", opcode_names[op]);
        planner.since = OLDEST;
        planner.left = planner.since_left = 0;
        planner.taken = true;
        candidates_each(op, candidate_take, &planner);
    }
    kernels_make(&planner.plan);
    return planner.plan;
}

void plan_free(Plan *plan) {
    for (uint32_t i = 0; i < plan->n_kernels; i++) free(plan->kernels[i].cases);
    free(plan->kernels);
    free(plan->cases);
}

unsigned case_results(const Case *test) { return test->line.n_results + test->line.carries_out; }

unsigned case_result_bytes(const Case *test, unsigned result) {
    if (result >= test->line.n_results) return 4;
    const char width = test->line.result_width[result];
    return width == 'p' ? 1 : width == 'h' ? 2 : width == 'r' ? 4 : 8;
}

const Line *kernel_line(const Plan *plan, const CaseKernel *kernel) { return &plan->cases[kernel->cases[0]].line; }
