/* conform: what instructions compute, held to what a GPU gave.
 *   conform lines                          every line, with what the emulator says of it: what forms asks ptxas about
 *   conform check PTXAS KEPT PROGRAM…      all that ptxas takes is taken here and the other way round, and computes what KEPT says
 *   conform record PTXAS KEPT PROGRAM…     writes KEPT, on a machine with a GPU */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulated.h"
#include "exceptions.h"
#include "gpu.h"
#include "kept.h"
#include "operands.h"
#include "plan.h"
#include "programs.h"
#include "ptx/opcode.h"

enum { FAILURES_SHOWN = 40 };

typedef struct Conform {
    Kept kept;
    Gpu gpu;
    bool records;
    unsigned passed, failed;
    uint64_t *values; /* of the results that are looked at */
} Conform;

static void print_lines(void *self, const Candidate *candidate) {
    static Line lines[LINE_VARIANTS];
    const unsigned count = candidate_lines(candidate, lines);
    (void)self;
    for (unsigned i = 0; i < count; i++) {
        Diag diag = {0};
        unsigned since = 0;
        const bool admitted = line_admitted(candidate, &lines[i], &since, &diag);
        printf("%c%c%c %s %s; %s\n", candidate->beyond ? 'b' : 'o', admitted ? '+' : '-', i ? 'v' : '0', lines[i].before,
               lines[i].text, lines[i].after);
    }
}

static int lines(void) {
    for (Opcode op = 0; op < OP_COUNT; op++) {
        if (!opcode_has_lines(op)) continue;
        candidates_each(op, print_lines, NULL);
        printf("end %s\n", opcode_names[op]);
    }
    return 0;
}

static bool fails(Conform *conform) { return ++conform->failed <= FAILURES_SHOWN; }

static bool job_run(Conform *conform, Job *job, Diag *diag) {
    return conform->records ? gpu_run(&conform->gpu, job, diag) : emulator_run(job, diag);
}

/* -- lines */

static Job kernel_job(const Plan *plan, const CaseKernel *kernel) {
    const Line *line = kernel_line(plan, kernel);
    Job job = {.grid = {kernel->lanes / KERNEL_THREADS, 1, 1}, .block = {KERNEL_THREADS, 1, 1}};
    job.values_bytes = (size_t)line->n_sources * kernel->lanes * 8 + (line->memory ? (size_t)kernel->lanes * 32 : 0) + 8;
    job.masks_bytes = (size_t)kernel->lanes / 32 * 8;
    job.results_bytes = (size_t)kernel->n_slots * kernel->lanes * 8;
    job_allocate(&job);
    operands_fill(line, kernel->lanes, job.values);
    kernel_masks(plan, kernel, job.masks);
    kernel_write(plan, kernel, &job.ptx);
    return job;
}

/* A case's results, one after the other, and how many they are. */
static size_t case_values(const CaseKernel *kernel, const Case *test, const Job *job, uint64_t *values) {
    size_t count = 0;
    for (unsigned r = 0; r < case_results(test); r++) {
        const uint64_t *from = job->results + (size_t)(test->slot + r) * kernel->lanes;
        for (uint32_t i = 0; i < kernel->lanes; i++)
            values[count++] = case_seen(test, r, from[i], job->masks[kernel->lanes / 32 + i / 32] >> i % 32 & 1);
    }
    return count;
}

static void print_operands(const CaseKernel *kernel, const Case *test, const Job *job, uint32_t lane) {
    for (unsigned s = 0; s < test->line.n_sources; s++)
        printf("%s0x%llx", s ? ", " : " of ", (unsigned long long)job->values[(size_t)s * kernel->lanes + lane]);
    printf(" (lane %u, mask 0x%x)\n", lane, job->masks[lane / 32]);
}

static void case_check(Conform *conform, const CaseKernel *kernel, const Case *test, const Job *job) {
    const size_t count = case_values(kernel, test, job, conform->values);
    if (conform->records) {
        const Sketch sketch = sketch_of(conform->values, count);
        kept_add(&conform->kept, test->key, &sketch);
        return;
    }
    const Sketch *wanted = kept_find(&conform->kept, test->key);
    Differing places[SKETCH_MOST];
    const unsigned differ = wanted ? sketch_differing(conform->values, count, wanted, places) : 3;
    if (!differ) conform->passed++;
    if (!differ || !fails(conform)) return;
    printf("%s: %s\n", test->line.text,
           !wanted       ? "no GPU has run it"
           : differ == 3 ? "more than two results differ, among"
                         : "differs");
    for (unsigned i = 0; wanted && differ <= SKETCH_MOST && i < differ; i++) {
        printf("    0x%llx here, 0x%llx on the GPU,", (unsigned long long)conform->values[places[i].place],
               (unsigned long long)places[i].wanted);
        print_operands(kernel, test, job, (uint32_t)(places[i].place % kernel->lanes));
    }
    const Sketch here = sketch_of(conform->values, count);
    for (unsigned g = 0; wanted && differ > SKETCH_MOST && g < SKETCH_GROUPS; g++) {
        if (here.groups[g] == wanted->groups[g]) continue;
        printf("    lanes %u + 16 n, the first", g);
        print_operands(kernel, test, job, g);
    }
}

static void kernels_check(Conform *conform, const Plan *plan) {
    for (uint32_t k = 0; k < plan->n_kernels; k++) {
        const CaseKernel *kernel = &plan->kernels[k];
        Diag diag = {0};
        if (!kernel->admitted && !conform->records) continue;
        Job job = kernel_job(plan, kernel);
        conform->values = realloc(conform->values, job.results_bytes);
        if (job_run(conform, &job, &diag))
            for (uint32_t i = 0; i < kernel->n_cases; i++) case_check(conform, kernel, &plan->cases[kernel->cases[i]], &job);
        else if (fails(conform))
            printf("%s …: %s %s\n", kernel_line(plan, kernel)->text, diag.message, diag.hint);
        job_free(&job);
    }
}

/* -- programs */

static void program_check(Conform *conform, const char *path) {
    size_t length;
    Job job;
    Differing places[SKETCH_MOST];
    char *text = text_read_file(path, 1 << 20, &length);
    for (unsigned launch = 0; text && program_job(text, launch, &job); launch++) {
        Diag diag = {0};
        const uint64_t key = operand_hash(text_key(text_last_name(path)) + launch);
        const bool ran = job_run(conform, &job, &diag);
        const size_t count = job.results_bytes / 8, slots = program_slots(text);
        program_leave_out(text, job.results, count);
        const Sketch *wanted = conform->records ? NULL : kept_find(&conform->kept, key);
        unsigned differ = 0;
        if (ran && conform->records) {
            const Sketch sketch = sketch_of(job.results, count);
            kept_add(&conform->kept, key, &sketch);
        } else {
            differ = ran && wanted ? sketch_differing(job.results, count, wanted, places) : 3;
        }
        conform->passed += !differ;
        if (differ && fails(conform)) {
            printf("%s, launch %u: %s\n", path, launch, !ran ? diag.message : !wanted ? "no GPU has run it" : "differs");
            for (unsigned i = 0; ran && differ <= SKETCH_MOST && i < differ; i++)
                printf("    slot %zu of thread %zu: 0x%llx here, 0x%llx on the GPU\n", places[i].place % slots,
                       places[i].place / slots, (unsigned long long)job.results[places[i].place],
                       (unsigned long long)places[i].wanted);
        }
        job_free(&job);
    }
    if (!text && fails(conform)) printf("%s cannot be read\n", path);
    free(text);
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "lines")) return lines();
    if (argc < 4) return fprintf(stderr, "conform lines | check PTXAS KEPT PROGRAM... | record PTXAS KEPT PROGRAM...\n"), 2;
    Conform conform = {.records = !strcmp(argv[1], "record")};
    Diag diag = {0};
    size_t length;
    char *ptxas = text_read_file(argv[2], 1 << 20, &length);
    if (!ptxas) return fprintf(stderr, "%s cannot be read\n", argv[2]), 2;
    if (!conform.records && !kept_read(&conform.kept, argv[3], &diag)) return fprintf(stderr, "%s\n", diag.message), 2;
    Verdicts verdicts = {0};
    Plan plan = plan_new(ptxas, &verdicts);
    kernels_check(&conform, &plan);
    for (int i = 4; i < argc; i++) program_check(&conform, argv[i]);
    if (conform.records && !kept_write(&conform.kept, argv[3])) return fprintf(stderr, "%s cannot be written\n", argv[3]), 2;
    gpu_close(&conform.gpu);
    if (getenv("CONFORM_FORMS")) {
        Text list = {0};
        exceptions_list(&plan, &list);
        printf("%s%s", text_string(&list), text_string(&verdicts.differ));
        text_free(&list);
    }
    printf("%u of their own words and %u near misses: ptxas and the emulator take %u, neither takes %u, ptxas alone %u, the "
           "emulator alone %u\n",
           verdicts.own, verdicts.near_misses, verdicts.both, verdicts.neither, verdicts.only_ptxas, verdicts.only_here);
    conform.passed += verdicts.neither + verdicts.both;
    if (verdicts.only_here && fails(&conform)) printf("lines that ptxas refuses are taken: CONFORM_FORMS=1 lists them\n");
    if (verdicts.older.length && fails(&conform)) printf("%s", text_string(&verdicts.older));
    text_free(&verdicts.older);
    text_free(&verdicts.differ);
    plan_free(&plan);
    kept_free(&conform.kept);
    free(conform.values);
    free(ptxas);
    printf(conform.failed ? "%u failed, %u passed\n" : "%.0u%u passed\n", conform.failed, conform.passed);
    return conform.failed != 0;
}
