/* graded.h: a lab whose launches, counts and failures stand here instead of being found, on top of handmade.h: for the tests of what is made of
 * them. Each suite that includes this has its own. */
#pragma once

#include "handmade.h"
#include "lab/running.h"
#include "lab/score.h"

enum { GRADED_KERNELS = 3, GRADED_RUNS = 4 };

static Lab lab;
/* Before them stands a wrong one, at which runs of no kernel must not look. */
static KernelResult wrong_and_kernels[1 + GRADED_KERNELS], *const kernels = wrong_and_kernels + 1;
static RunResult runs[GRADED_RUNS];
static LabCase kept;
static Function function = {.name = "one", .is_entry = true, .is_defined = true, .count = INSNS};
static Score score;

/* No kernel is wrong, and no run has taken place. */
static void graded_begin(const char *rules, const char *facts) {
    Diag diag = {0};
    setup();
    made.function = &function;
    program.functions = &function, program.n_functions = 1;
    memset(wrong_and_kernels, 0, sizeof wrong_and_kernels);
    wrong_and_kernels[0].wrong = true;
    memset(runs, 0, sizeof runs);
    lab = (Lab){.goals = goals_parse(rules, facts, "lab.goals", &diag),
                .name = "kernel.cu",
                .compiler = "nvcc 13.0",
                .profile = profile_find("h200", &diag),
                .page = page_plain,
                .explained = -1,
                .asked_variant = -1,
                .kernels = kernels,
                .runs = runs,
                .kernel = -1,
                .run = -1};
    ck_assert_msg(lab.goals, "%u:%u: %s", diag.line, diag.column, diag.message);
    lab.source.program = &program;
    lab.source.path = report.source_path;
    lab.source.text = (char *)report.source_text;
}

static void score_clear(void) {
    free(score.goals);
    score = (Score){0};
}

static void graded_end(void) {
    score_clear();
    for (int k = 0; k < GRADED_KERNELS; k++) {
        text_free(&kernels[k].failure.where);
        text_free(&kernels[k].failure.message);
        text_free(&kernels[k].failure.cause);
        text_free(&kernels[k].failure.sentence);
        text_free(&kernels[k].printed);
        text_free(&kernels[k].printed_with);
    }
    for (int r = 0; r < GRADED_RUNS; r++) {
        text_free(&runs[r].note);
        text_free(&runs[r].failure.message);
        text_free(&runs[r].failure.where);
        json_decref(runs[r].report);
    }
    text_free(&lab.source.compiled.messages);
    goals_free(lab.goals);
    teardown();
}

/* A number of the run, in place of the one it had. */
static void has_value(uint32_t run, const char *name, double value) {
    RunResult *of = &runs[run];
    uint32_t i = 0;
    while (i < of->n_values && strcmp(of->values[i].name, name) != 0) i++;
    if (i == of->n_values) of->n_values++;
    strcpy(of->values[i].name, name);
    of->values[i].value = value;
    of->done = true;
}

/* The launch of handmade.h, as it is now, is what the run measured. */
__attribute__((unused)) static void keep_launch(uint32_t run) {
    kept = (LabCase){.lab = &lab, .request = request, .result = result, .launched = true};
    runs[run].kept = &kept;
    runs[run].done = true;
}

static void score_again(void) {
    score_clear();
    score = score_lab(&lab);
}
