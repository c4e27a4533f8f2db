/* plan.h: which lines are run, and in which kernels. A kernel loads its operands once and runs up to some dozens of lines on them. */
#pragma once

#include "base/text.h"
#include "forms.h"

enum { KERNEL_THREADS = 256 };

/* One line that is run. Its results depend on the line alone, not on the kernel it is in. */
typedef struct Case {
    Candidate candidate;
    Line line;
    uint64_t key;          /* a hash of the text */
    uint32_t kernel, slot; /* slot: of its first result, in the kernel's */
    bool admitted;         /* the emulator runs it */
} Case;

typedef struct CaseKernel {
    uint32_t *cases; /* indices */
    uint32_t n_cases, n_slots, lanes, edges;
    bool admitted;
} CaseKernel;

typedef struct Plan {
    Case *cases;
    CaseKernel *kernels;
    uint32_t n_cases, n_kernels;
} Plan;

/* What became of the lines: those that ptxas takes and we do not, and the other way round. */
typedef struct Verdicts {
    uint32_t own, near_misses, both, neither, only_ptxas, only_here;
    Text differ; /* a line each: "+" ptxas alone, "-" here alone */
    Text older;  /* a line each: what needs another compute capability here than ptxas says */
} Verdicts;

/* `ptxas`: the text of the file of that name: for each opcode which of its lines ptxas takes, as lengths of alternating runs; behind "since" how many of
 * those that it takes, variants aside, need which compute capability, where some need more than 7.5. */
uint64_t text_key(const char *text);
Plan plan_new(const char *ptxas, Verdicts *verdicts);
void plan_free(Plan *plan);

/* Results of a case: as many as its line has, and one for the carry. Bytes of each, in order. */
unsigned case_results(const Case *test);
unsigned case_result_bytes(const Case *test, unsigned result);

/* Whether the line stands behind a guard in its kernel, as every second does. */
bool case_guarded(const Case *test);

/* A module with this one kernel, "k". Its parameters: values, masks, results (device addresses). */
void kernel_write(const Plan *plan, const CaseKernel *kernel, Text *out);

/* Its values (operands_fill) and its masks: for each warp the lanes that are there, then for each the lanes of guarded lines. */
const Line *kernel_line(const Plan *plan, const CaseKernel *kernel);
void kernel_masks(const Plan *plan, const CaseKernel *kernel, uint32_t *masks);

/* A kernel "k" with all that it works on. */
typedef struct Job {
    Text ptx;
    uint32_t grid[3], block[3], shared_bytes;
    uint64_t *values, *results;
    uint32_t *masks;
    size_t values_bytes, masks_bytes, results_bytes;
} Job;
