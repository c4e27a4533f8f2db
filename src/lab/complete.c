#include "lab/complete.h"

#include <string.h>

#include "lab/speed.h"

bool complete_suite(const Lab *lab, Diag *diag) {
    const LabSuite *suite = lab->suite;
    const Goals *goals = lab->goals;
    for (size_t i = 0; i < suite->n_tests; i++) {
        const LabTest *test = &suite->tests[i];
        if (!test->kernel || !test->name || !test->test)
            return diag_say(diag, "row %zu of the suite's tests is not complete", i + 1);
        if (goals_kernel(goals, test->kernel) < 0)
            return diag_say(diag, "the suite tests '%s', which is no KERNEL of exercises/%s/lab.goals", test->kernel,
                            suite->folder);
    }
    for (size_t i = 0; i < suite->n_runs; i++) {
        const LabRun *run = &suite->runs[i];
        if (!run->name || !run->run) return diag_say(diag, "row %zu of the suite's runs is not complete", i + 1);
        if (goals_run(goals, run->name) < 0)
            return diag_say(diag, "the suite measures '%s', which is no RUN of exercises/%s/lab.goals", run->name,
                            suite->folder);
    }
    for (uint32_t k = 0; k < goals->n_kernels; k++) {
        bool tested = false; /* by a test, or at least by a run */
        for (size_t i = 0; i < suite->n_tests; i++) tested |= strcmp(goals->kernels[k], suite->tests[i].kernel) == 0;
        for (uint32_t r = 0; r < goals->n_runs; r++) tested |= goals->runs[r].kernel == (int)k;
        if (!tested) return diag_say(diag, "the suite does not test '%s'", goals->kernels[k]);
    }
    for (uint32_t r = 0; r < goals->n_runs; r++) {
        bool measured = false;
        for (size_t i = 0; i < suite->n_runs; i++) measured |= strcmp(goals->runs[r].name, suite->runs[i].name) == 0;
        if (!measured) return diag_say(diag, "the suite does not measure '%s'", goals->runs[r].name);
    }
    return true;
}

bool complete_grading(const Lab *lab, Diag *diag) {
    const Goals *goals = lab->goals;
    if (lab->n_entries != lab->suite->n_tests + lab->suite->n_runs)
        return diag_say(diag, "only %u of %zu tests and runs took place", lab->n_entries,
                        lab->suite->n_tests + lab->suite->n_runs);
    if (lab->uncompared)
        return diag_say(diag,
                        "'%s' measures a launch without having compared every output: lab_expect or lab_compared is missing",
                        lab->uncompared);
    if (lab->unended) return diag_say(diag, "'%s' does not end its case: lab_end is missing", lab->unended);
    for (uint32_t k = 0; k < goals->n_kernels; k++)
        if (!lab->gpu && !lab->kernels[k].wrong && (!lab->kernels[k].tested || !lab->kernels[k].cases))
            return diag_say(diag, "'%s' was not tested", goals->kernels[k]);
    for (uint32_t r = 0; r < goals->n_runs; r++) {
        int kernel = goals->runs[r].kernel;
        bool wrong = lab->runs[r].failed || (kernel >= 0 && (lab->kernels[kernel].wrong || lab->kernels[kernel].left_out));
        bool wanted = !lab->gpu || measured_is_wanted(lab, r);
        if (wanted && !wrong && !lab->runs[r].done) return diag_say(diag, "'%s' was not measured", goals->runs[r].name);
    }
    return true;
}
