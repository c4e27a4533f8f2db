#include "lab/speed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/object.h"
#include "report/page.h"
#include "report/plain.h"

enum { WARMUP = 3, REPEATS = 20, TRIES = 3, SIDE = 12800, SIDE_MOST = 32768 };

uint32_t lab_side(const Lab *lab, uint32_t emulated) {
    const char *chosen = getenv("LAB_SIDE");
    int side = chosen ? atoi(chosen) : SIDE;
    return !lab->gpu ? emulated : side >= 1 && side <= SIDE_MOST ? (uint32_t)side : SIDE;
}

bool measured_is_wanted(const Lab *lab, uint32_t run) {
    for (uint32_t i = 0; i < lab->goals->n_goals; i++)
        if (lab->goals->goals[i].kind == GOAL_MEASURED && lab->goals->goals[i].run == run) return true;
    return false;
}

void measured_only(const Lab *lab, const char *names) {
    for (uint32_t k = 0; k < lab->goals->n_kernels; k++)
        lab->kernels[k].left_out = !goals_listed(names, lab->goals->kernels[k]);
}

/* --- launches ------------------------------------------------------------------------------------------------------------- */

static void launch(LabCase *c, uint32_t repeats, uint64_t copy_bytes, GpuResult *result) {
    Diag diag = {0};
    GpuRequest request = {.launch = &c->request,
                          .ptx = source_ptx(&c->lab->source),
                          .optimization = 4,
                          .warmup = repeats ? WARMUP : 0,
                          .repeats = repeats,
                          .copy_bytes = copy_bytes / 16 * 16};
    if (!gpu_launch(c->lab->gpu, &request, result, &diag)) {
        if (c->lab->kernel >= 0) c->lab->kernels[c->lab->kernel].unable = true;
        lab_wrong(c, "%s%s%s", diag.message, diag.hint[0] ? "; " : "", diag.hint);
    }
    if (result->fault.kind != FAULT_none) lab_wrong(c, "%s; %s", result->fault.message, result->fault.hint);
}

void measured_launch(LabCase *c) {
    GpuResult result;
    launch(c, 0, 0, &result);
}

/* Whether the times are good enough for a verdict on every goal of the run. */
static bool is_conclusive(const Lab *lab, uint32_t run, const GpuResult *result) {
    Fraction fraction = timing_fraction(&result->kernel, &result->copy);
    for (uint32_t i = 0; i < lab->goals->n_goals; i++) {
        const Goal *goal = &lab->goals->goals[i];
        if (goal->kind == GOAL_MEASURED && goal->run == run && timing_verdict(&fraction, goal->full) == TIMING_INCONCLUSIVE)
            return false;
    }
    return true;
}

void measured_time(LabCase *c, uint64_t copy_bytes) {
    Lab *lab = c->lab;
    RunResult *run = &lab->runs[lab->run];
    run->gpu_repeats = REPEATS;
    for (int i = 1;; i++, run->gpu_repeats *= 2) {
        launch(c, run->gpu_repeats, copy_bytes, &run->gpu);
        if (i == TRIES || is_conclusive(lab, (uint32_t)lab->run, &run->gpu)) break;
    }
    snprintf(run->gpu_title, sizeof run->gpu_title, "%s", c->title);
    run->done = true;
}

/* --- results -------------------------------------------------------------------------------------------------------------- */

/* A MEASURED goal and what became of it. */
typedef struct Outcome {
    const Goal *goal;
    const GoalRun *of;
    const RunResult *run;
    Fraction fraction;
    const char *verdict; /* "passed", "failed", "inconclusive", "skipped" */
} Outcome;

static Outcome outcome_of(const Lab *lab, const Goal *goal) {
    static const char *const verdicts[] = {
        [TIMING_PASSED] = "passed", [TIMING_FAILED] = "failed", [TIMING_INCONCLUSIVE] = "inconclusive"};
    Outcome outcome = {.goal = goal, .of = &lab->goals->runs[goal->run], .run = &lab->runs[goal->run], .verdict = "skipped"};
    if (outcome.run->done) {
        outcome.fraction = timing_fraction(&outcome.run->gpu.kernel, &outcome.run->gpu.copy);
        outcome.verdict = verdicts[timing_verdict(&outcome.fraction, goal->full)];
    }
    return outcome;
}

static json_t *goal_object(const Outcome *outcome) {
    json_t *object = json_object();
    object_text(object, "name", outcome->goal->name);
    object_text(object, "kind", "measured");
    object_text(object, "run", outcome->of->name);
    object_set(object, "full", object_real(outcome->goal->full));
    object_text(object, "verdict", outcome->verdict);
    if (!outcome->run->done) return object;
    const GpuResult *gpu = &outcome->run->gpu;
    object_text(object, "text", outcome->run->gpu_title);
    json_object_update_new(
        object, json_pack("{so so so si so so so}", "time_us", object_real(gpu->kernel.median_us), "copy_us",
                          object_real(gpu->copy.median_us), "library_copy_us", object_real(gpu->library.median_us), "repeats",
                          outcome->run->gpu_repeats, "value", object_real(outcome->fraction.value), "least",
                          object_real(outcome->fraction.least), "most", object_real(outcome->fraction.most)));
    return object;
}

static json_t *kernel_object(const Lab *lab, uint32_t index) {
    const KernelResult *kernel = &lab->kernels[index];
    json_t *object = json_object();
    object_text(object, "name", lab->goals->kernels[index]);
    if (!kernel->unable) object_set(object, "correct", json_boolean(!kernel->wrong));
    object_set(object, "cases", json_integer(kernel->cases));
    if (kernel->wrong) {
        object_text(object, "where", text_string(&kernel->failure.where));
        object_text(object, kernel->unable ? "unable" : "message", text_string(&kernel->failure.message));
    }
    return object;
}

static void driver_name(const Lab *lab, char *name, size_t size) {
    snprintf(name, size, "%d.%d", lab->gpu_info.driver_version / 1000, lab->gpu_info.driver_version % 1000 / 10);
}

static void add_json(const Lab *lab, const Diag *absent, Text *out) {
    json_t *object = json_object(), *kernels = json_array(), *goals = json_array();
    char driver[32];
    driver_name(lab, driver, sizeof driver);
    object_text(object, "lab", lab->goals->number);
    object_text(object, "slug", lab->goals->slug);
    object_text(object, "title", lab->goals->title);
    object_text(object, "file", lab->name);
    object_text(object, "compiler", lab->compiler);
    object_text(object, "on", "gpu");
    if (absent) {
        object_text(object, "skipped", absent->message);
    } else {
        object_text(object, "device", lab->gpu_info.name);
        object_text(object, "driver", driver);
        object_set(object, "clock_mhz", json_integer(lab->gpu_info.clock_khz / 1000));
        for (uint32_t i = 0; i < lab->goals->n_kernels; i++)
            if (lab->kernels[i].tested || lab->kernels[i].wrong) json_array_append_new(kernels, kernel_object(lab, i));
    }
    for (uint32_t i = 0; i < lab->goals->n_goals; i++) {
        if (lab->goals->goals[i].kind != GOAL_MEASURED) continue;
        Outcome outcome = outcome_of(lab, &lab->goals->goals[i]);
        json_array_append_new(goals, goal_object(&outcome));
    }
    object_set(object, "kernels", kernels);
    object_set(object, "goals", goals);
    object_print(object, 2, out);
}

static void add_goal(const Outcome *outcome, Text *out) {
    const GpuResult *gpu = &outcome->run->gpu;
    char verdict[16];
    size_t i = 0;
    for (; outcome->verdict[i]; i++) verdict[i] = (char)(outcome->verdict[i] - 'a' + 'A');
    verdict[i] = 0;
    if (outcome->run->done)
        text_add(out, "\n%s, median of %u launches\n  kernel %.1f us, copy kernel %.1f us, driver's copy %.1f us\n",
                 outcome->run->gpu_title, outcome->run->gpu_repeats, gpu->kernel.median_us, gpu->copy.median_us,
                 gpu->library.median_us);
    text_add(out, "  %-13s%-22s", verdict, outcome->goal->name);
    if (outcome->run->done)
        text_add(out, "%.3f of the copy (%.3f to %.3f), goal %g\n", outcome->fraction.value, outcome->fraction.least,
                 outcome->fraction.most, outcome->goal->full);
    else
        text_add(out, "goal %g of the copy\n", outcome->goal->full);
    if (outcome->run->done && strcmp(outcome->verdict, "failed") == 0)
        plain_wrap(out, PAGE_COLUMNS, "  ", outcome->goal->advice);
    if (strcmp(outcome->verdict, "inconclusive") == 0)
        plain_wrap(out, PAGE_COLUMNS, "  ",
                   "The times scatter too much around the goal: is something else running on this GPU? Try again.");
}

static void add_kernels(const Lab *lab, Text *out) {
    for (uint32_t i = 0; i < lab->goals->n_kernels; i++) {
        const KernelResult *kernel = &lab->kernels[i];
        if (!kernel->wrong && !kernel->tested) continue;
        text_add(out, "%-7s%s, %u cases on the GPU\n",
                 kernel->unable  ? "UNABLE"
                 : kernel->wrong ? "WRONG"
                                 : "right",
                 lab->goals->kernels[i], kernel->cases);
        if (!kernel->wrong) continue;
        if (kernel->failure.where.length) text_add(out, "  at %s\n", text_string(&kernel->failure.where));
        plain_wrap(out, PAGE_COLUMNS, "  ", text_string(&kernel->failure.message));
    }
}

static void add_text(const Lab *lab, const Diag *absent, Text *out) {
    const GpuInfo *info = &lab->gpu_info;
    char driver[32];
    driver_name(lab, driver, sizeof driver);
    text_add(out, "Lab %s %s, measured  (%s", lab->goals->number, lab->goals->title, lab->compiler);
    if (absent) {
        text_add(out, ")\n\n");
        plain_wrap(out, PAGE_COLUMNS, "", absent->message);
        if (absent->hint[0]) plain_wrap(out, PAGE_COLUMNS, "  hint: ", absent->hint);
    } else {
        text_add(out, ", driver for CUDA %s)\n%s, %d SMs, up to %d MHz\n\n", driver, info->name, info->sms,
                 info->clock_khz / 1000);
        add_kernels(lab, out);
    }
    uint32_t goals = 0;
    for (uint32_t i = 0; i < lab->goals->n_goals; i++) {
        if (lab->goals->goals[i].kind != GOAL_MEASURED) continue;
        Outcome outcome = outcome_of(lab, &lab->goals->goals[i]);
        add_goal(&outcome, out);
        goals++;
    }
    if (!goals) text_add(out, "\nThis lab has no measured goal: right results are all that a GPU is asked for.\n");
}

bool measured_result(const Lab *lab, const Diag *absent, bool json, Text *out) {
    bool full = !absent;
    if (json)
        add_json(lab, absent, out);
    else
        add_text(lab, absent, out);
    for (uint32_t i = 0; i < lab->goals->n_kernels; i++) full = full && !lab->kernels[i].wrong;
    for (uint32_t i = 0; i < lab->goals->n_goals; i++)
        if (lab->goals->goals[i].kind == GOAL_MEASURED)
            full = full && strcmp(outcome_of(lab, &lab->goals->goals[i]).verdict, "passed") == 0;
    return full;
}
