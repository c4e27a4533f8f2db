#include "runtime/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"

typedef struct Group {
    struct Group *next;
    const Kernel *kernel;
    LaunchRequest request; /* of the first launch; its pointers to parameters are dead */
    LaunchResult result;   /* summed */
    uint64_t launches;
} Group;

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

static void add_insn(InsnCounters *to, const InsnCounters *from) {
    if (to->space == SPACE_GENERIC) {
        to->space = from->space;
        to->op = from->op;
    }
    add_sectors(&to->sectors, &from->sectors);
    add_banks(&to->banks, &from->banks);
    if (from->worst.cost > to->worst.cost) {
        to->worst = from->worst;
        to->worst.access.data = NULL;
    }
}

static void add_counters(Counters *to, const Counters *from) {
    to->instructions += from->instructions;
    to->thread_instructions += from->thread_instructions;
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
    for (uint32_t pc = 0; pc < from->n_insns; pc++) add_insn(&to->insns[pc], &from->insns[pc]);
}

static bool same_shape(const LaunchRequest *a, const LaunchRequest *b) {
    return memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0 &&
           a->shared_bytes == b->shared_bytes;
}

static Group *group_of(Context *context, const Kernel *kernel, const LaunchRequest *request) {
    Group **at = &context->groups;
    for (; *at; at = &(*at)->next)
        if ((*at)->kernel == kernel && same_shape(&(*at)->request, request)) return *at;
    Group *group = calloc(1, sizeof *group);
    Counters *counters = calloc(1, sizeof *counters);
    if (!group || !counters) abort();
    counters->n_insns = request->program->n_insns;
    counters->insns = calloc(counters->n_insns + 1, sizeof *counters->insns);
    if (!counters->insns) abort();
    group->kernel = kernel;
    group->request = *request;
    group->result.counters = counters;
    return *at = group;
}

void groups_add(Context *context, const Kernel *kernel, const LaunchRequest *request, const LaunchResult *result) {
    Group *group = group_of(context, kernel, request);
    group->launches++;
    group->request.params = NULL;
    add_counters(group->result.counters, result->counters);
    if (result->fault.kind != FAULT_none) group->result.fault = result->fault;
    double time_us = group->result.model.time_us + result->model.time_us;
    if (result->model.time_us > 0) group->result.model = result->model;
    group->result.model.time_us = time_us;
    group->result.seconds += result->seconds;
    group->result.threads = result->threads;
}

void groups_report(Context *context) {
    const char *no_color = getenv("NO_COLOR");
    bool colour = isatty(STDERR_FILENO) && !(no_color && *no_color);
    fflush(stdout);
    for (const Group *group = context->groups; group; group = group->next) {
        const Image *image = group->kernel->image;
        char *name = program_demangle(group->kernel->name);
        Report report = {.request = &group->request,
                         .result = &group->result,
                         .kernel_name = name,
                         .compiler = image->compiler[0] ? image->compiler : NULL,
                         .source_path = image->source_path,
                         .source_text = image->source_text};
        Text text = {0};
        report_table(&report, colour, &text);
        fprintf(stderr, "\n%s", text_string(&text));
        text_free(&text);
        free(name);
    }
}
