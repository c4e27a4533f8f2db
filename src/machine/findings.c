#include "machine/findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool same_place(const Program *program, uint32_t a, uint32_t b) {
    if (a == b) return true;
    if (!program || a >= program->n_insns || b >= program->n_insns) return false;
    uint32_t location = program->insns[a].location;
    return location && location == program->insns[b].location && program->insns[a].op == program->insns[b].op;
}

/* nvcc's positions are those of statements, which may access several buffers: 'a'+512, 'b'+512. */
static bool same_name(const char *a, const char *b) {
    const char *x = strchr(a, '\''), *y = strchr(b, '\'');
    size_t length = x ? strcspn(x + 1, "'") : 0;
    return !x || !y || (strncmp(x + 1, y + 1, length) == 0 && y[1 + length] == '\'');
}

static Finding *find(FindingLog *log, const Fault *fault) {
    for (size_t i = 0; i < log->count; i++) {
        const Fault *known = &log->items[i].fault;
        bool same = known->kind == fault->kind && same_place(log->program, known->pc, fault->pc) &&
                    same_place(log->program, known->other_pc, fault->other_pc);
        if (same && (known->pc == fault->pc || same_name(known->message, fault->message))) return &log->items[i];
    }
    return NULL;
}

bool findings_add(FindingLog *log, const Finding *finding) {
    Finding *known = find(log, &finding->fault);
    if (known) {
        bool again = finding->access && finding->access == known->access;
        uint64_t count = known->count + (again ? 0 : finding->count), launches = known->launches + finding->launches;
        bool earlier =
            finding->block < known->block || (finding->block == known->block && finding->fault.warp < known->fault.warp);
        if (earlier) *known = *finding;
        known->count = count;
        known->launches = launches;
        known->access = finding->access;
        return false;
    }
    if (log->count == FINDINGS_MOST) return false;
    ALLOC_ADD(log->items, log->count) = *finding;
    return true;
}

void findings_keep(FindingLog *log, const Place *place, Fault *fault) {
    findings_add(log, &(Finding){.fault = *fault, .block = place->block, .access = log->accesses, .count = 1});
    *fault = (Fault){0};
}

bool findings_take(FindingLog *log, const Place *place, Fault *fault) {
    if (log->on_fault != ON_FAULT_GO_ON) return false;
    findings_keep(log, place, fault);
    return true;
}

void findings_merge(FindingLog *log, const FindingLog *other) {
    for (size_t i = 0; i < other->count; i++) {
        Finding finding = other->items[i];
        finding.access = 0;
        findings_add(log, &finding);
    }
}

static int order(const void *a, const void *b) {
    const Finding *x = a, *y = b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    if (x->fault.warp != y->fault.warp) return x->fault.warp < y->fault.warp ? -1 : 1;
    return x->fault.pc < y->fault.pc ? -1 : x->fault.pc > y->fault.pc;
}

void findings_sort(FindingLog *log) {
    if (log->count) qsort(log->items, log->count, sizeof *log->items, order);
}

void findings_free(FindingLog *log) {
    free(log->items);
    *log = (FindingLog){.program = log->program, .on_fault = log->on_fault};
}
