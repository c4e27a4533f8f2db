#include "lab/score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/model.h"
#include "lab/formula.h"
#include "report/metrics.h"

typedef struct Lookup {
    const Lab *lab;
    const RunResult *run;
    const ScoreLess *less; /* NULL: nothing */
    bool found;            /* a count of a space that the run uses */
    char absent[80];       /* the first of a space that it leaves alone, which counts 0; "": none */
} Lookup;

static uint64_t copy_bytes(const RunResult *run) { return (run->reads + run->writes) / 2; }

static bool find_named(const RunResult *run, const char *name, double *value) {
    for (uint32_t i = 0; i < run->n_values; i++) {
        if (strcmp(run->values[i].name, name) != 0) continue;
        *value = run->values[i].value;
        return true;
    }
    if (!run->kept) return false;
    const MetricSource source = metrics_of(&run->kept->request, &run->kept->result);
    return metrics_find(&source, name, value);
}

/* What is to be taken off this count. */
static double less_of(const ScoreLess *less, const char *count) {
    const size_t length = less ? strlen(less->kind) : 0;
    if (!less || strncmp(count, less->kind, length) != 0 || count[length] != '.') return 0;
    return metrics_member(count + length + 1, &less->sectors, &less->banks);
}

static bool look_up(void *context, const char *name, double *value) {
    Lookup *lookup = context;
    size_t length = strcspn(name, ".");
    char first[64];
    snprintf(first, sizeof first, "%.*s", (int)length, name);
    if (strcmp(name, "roof.model.time_us") == 0 && copy_bytes(lookup->run)) {
        *value = model_roof_us(lookup->lab->profile, lookup->run->reads, lookup->run->writes);
        return true;
    }
    if (strcmp(name, "copy.model.time_us") == 0 && copy_bytes(lookup->run)) {
        *value = model_copy_time_us(lookup->lab->profile, copy_bytes(lookup->run));
        return true;
    }
    int other = name[length] ? goals_run(lookup->lab->goals, first) : -1;
    const RunResult *run = other >= 0 ? &lookup->lab->runs[other] : lookup->run;
    const char *count = other >= 0 ? name + length + 1 : name;
    char subject[32];
    if (strcmp(count, "needed_bytes") == 0) {
        *value = (double)(run->reads + run->writes);
        return run->kept;
    }
    if (strcmp(count, "unread") == 0) {
        double loaded = 0, reads = (double)run->reads;
        find_named(run, "global.load.unique_bytes", &loaded);
        *value = reads > loaded ? (reads - loaded) / reads : 0;
        return run->kept;
    }
    bool is_access = formula_subject(count, subject, sizeof subject);
    if (find_named(run, count, value)) {
        lookup->found |= is_access;
        if (other < 0) *value -= less_of(lookup->less, count);
        return true;
    }
    *value = 0;
    if (is_access && !lookup->absent[0]) snprintf(lookup->absent, sizeof lookup->absent, "%s", name);
    return is_access;
}

static void explain(const FormulaValue *value, GoalResult *result) {
    char subject[32];
    if (value->status == FORMULA_UNDEFINED)
        snprintf(result->reason, sizeof result->reason, "nothing to measure: the run makes no such access");
    else if (strstr(value->name, "model."))
        snprintf(result->reason, sizeof result->reason, "no modelled time");
    else if (formula_subject(value->name, subject, sizeof subject))
        snprintf(result->reason, sizeof result->reason, "nothing to measure: the run does not use %.*s memory",
                 (int)strcspn(subject, "."), subject);
    else
        snprintf(result->reason, sizeof result->reason, "nothing to measure: the run has no %.60s", value->name);
}

/* The share of the points: 1 at full or better, 0 at zero or worse. */
static double share(const Goal *goal, double value) {
    if (goal->kind == GOAL_LIMIT) return value <= goal->full * (1 + 1e-12) ? 1 : 0;
    double part = (value - goal->zero) / (goal->full - goal->zero);
    return part >= 1 - 1e-9 ? 1 : part < 0 ? 0 : part;
}

bool score_is_given(const Lab *lab, uint32_t kernel) {
    bool measured = false, predicted = false;
    for (uint32_t r = 0; r < lab->goals->n_runs; r++) {
        measured |= lab->goals->runs[r].kernel == (int)kernel;
        predicted |= lab->goals->runs[r].kernel < 0;
    }
    return predicted && !measured;
}

bool score_is_foreign(const Lab *lab) {
    return lab->goals->n_varied && lab->asked_variant >= 0 && lab->asked_variant != lab_variant(lab);
}

/* The first given kernel that is wrong. -1: none. */
static int changed_kernel(const Lab *lab) {
    for (uint32_t k = 0; k < lab->goals->n_kernels; k++)
        if (lab->kernels[k].wrong && score_is_given(lab, k)) return (int)k;
    return -1;
}

static void score_goal(const Lab *lab, const Goal *goal, GoalResult *result) {
    const GoalRun *of = &lab->goals->runs[goal->run];
    const RunResult *run = &lab->runs[goal->run];
    if (of->kernel >= 0 && lab->kernels[of->kernel].wrong) {
        snprintf(result->reason, sizeof result->reason, "%.100s is wrong", lab->goals->kernels[of->kernel]);
        return;
    }
    int changed = of->kernel < 0 ? changed_kernel(lab) : -1;
    if (changed >= 0) {
        result->is_void = true;
        snprintf(result->reason, sizeof result->reason, "%.100s is not as it was given", lab->goals->kernels[changed]);
        return;
    }
    if (of->is_varied && goal->kind == GOAL_METRIC && score_is_foreign(lab)) {
        result->is_void = true;
        snprintf(result->reason, sizeof result->reason, "these are variant %u's numbers; this learner has variant %u's",
                 lab_variant(lab), (uint32_t)lab->asked_variant);
        return;
    }
    if (run->failed || !run->done) {
        snprintf(result->reason, sizeof result->reason, "nothing was measured");
        return;
    }
    double part = 1;
    if (goal->kind != GOAL_CORRECT) {
        Lookup lookup = {.lab = lab, .run = run};
        FormulaValue value = formula_value(goal->metric, look_up, &lookup);
        /* Who avoids shared memory has no conflicts there, but has not learnt to avoid them either. In a sum with other accesses it counts 0. */
        if (goal->kind != GOAL_LIMIT && value.status == FORMULA_GOOD && lookup.absent[0] && !lookup.found) {
            value.status = FORMULA_ABSENT;
            snprintf(value.name, sizeof value.name, "%s", lookup.absent);
        }
        result->has_value = value.status == FORMULA_GOOD;
        result->value = value.value;
        if (goal->kind == GOAL_FIGURE) return;
        if (!result->has_value && goal->is_rule) {
            result->met = true;
            return;
        }
        if (!result->has_value) {
            explain(&value, result);
            return;
        }
        part = share(goal, value.value);
    }
    result->met = part == 1;
    result->score = floor(goal->points * part * 100 + 1e-9) / 100;
}

/* What is reached at the cost of a goal is nothing to compare. */
static void take_back_figures(const Lab *lab, Score *score) {
    for (uint32_t i = 0; i < lab->goals->n_goals; i++)
        if (lab->goals->goals[i].kind == GOAL_FIGURE && !score_run(lab, score, lab->goals->goals[i].run).met)
            score->goals[i].has_value = false;
}

Score score_lab(const Lab *lab) {
    const Goals *goals = lab->goals;
    Score score = {.goals = alloc_zeroed(goals->n_goals, sizeof *score.goals), .full = true};
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        score.goals[i].skipped = goals->goals[i].kind == GOAL_MEASURED;
        if (!score.goals[i].skipped) score_goal(lab, &goals->goals[i], &score.goals[i]);
    }
    for (uint32_t l = 0; l < goals->n_goals; l++) {
        if (goals->goals[l].kind != GOAL_LIMIT || score.goals[l].met) continue;
        for (uint32_t i = 0; i < goals->n_goals; i++) {
            GoalResult *result = &score.goals[i];
            if (goals->goals[i].run != goals->goals[l].run || goals->goals[i].kind == GOAL_LIMIT || result->skipped ||
                result->reason[0])
                continue;
            result->met = false;
            result->score = 0;
            result->is_void = true;
            snprintf(result->reason, sizeof result->reason, "%s: %.100s",
                     score.goals[l].has_value ? "over the limit" : "a limit could not be measured", goals->goals[l].name);
        }
    }
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        score.points += score.goals[i].score;
        score.full = score.full && (score.goals[i].met || score.goals[i].skipped || goals->goals[i].kind == GOAL_FIGURE);
    }
    score.full = score.full && score_wrong_kernel(lab) < 0;
    take_back_figures(lab, &score);
    return score;
}

bool score_without(const Lab *lab, const Goal *goal, const ScoreLess *less, double *value) {
    Lookup lookup = {.lab = lab, .run = &lab->runs[goal->run], .less = less};
    FormulaValue without = formula_value(goal->metric, look_up, &lookup);
    *value = without.value;
    return without.status == FORMULA_GOOD;
}

/* Whether there is a warp for each scheduler of the device. */
static bool fills(const Profile *profile, const Launch *launch) {
    const double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    return blocks * ceil((double)launch_threads(launch) / WARP_LANES) >= profile->sms * profile->time.issue;
}

static bool is_timed(const Lab *lab, uint32_t run) {
    bool timed = false;
    for (uint32_t g = 0; g < lab->goals->n_goals; g++)
        timed |=
            lab->goals->goals[g].run == run && !lab->goals->goals[g].is_rule && strstr(lab->goals->goals[g].metric, "model.");
    return timed;
}

double score_speed(const Lab *lab, uint32_t run) {
    const RunResult *of = &lab->runs[run];
    if (!of->kept || (!is_timed(lab, run) && !fills(lab->profile, &of->kept->request.launch))) return 0;
    double time_us; /* as goals have it */
    return find_named(of, "model.time_us", &time_us) && time_us > 0 && copy_bytes(of)
               ? model_copy_time_us(lab->profile, copy_bytes(of)) / time_us
               : 0;
}

RunScore score_run(const Lab *lab, const Score *score, uint32_t run) {
    RunScore sum = {.met = true};
    for (uint32_t i = 0; i < lab->goals->n_goals; i++) {
        const Goal *goal = &lab->goals->goals[i];
        if (goal->run != run) continue;
        sum.points += score->goals[i].score;
        sum.most += goal->points;
        sum.limits += goal->kind == GOAL_LIMIT;
        sum.over += goal->kind == GOAL_LIMIT && !score->goals[i].met;
        sum.met &= score->goals[i].met || score->goals[i].skipped || goal->kind == GOAL_FIGURE;
    }
    return sum;
}

bool score_is_missed(const Lab *lab, const Score *score, uint32_t index) {
    const Goal *goal = &lab->goals->goals[index];
    const GoalResult *result = &score->goals[index];
    int kernel = lab->goals->runs[goal->run].kernel;
    bool is_asked = !result->skipped && goal->kind != GOAL_FIGURE;
    return is_asked && !result->met && !result->is_void && !lab->runs[goal->run].failed &&
           !(kernel >= 0 && lab->kernels[kernel].wrong);
}

/* Of goals the one to look at first: a limit voids all others of its run. */
static int first_missed(const Lab *lab, const Score *score, bool edited_only) {
    const Goals *goals = lab->goals;
    for (int limits = 1; limits >= 0; limits--)
        for (uint32_t i = 0; i < goals->n_goals; i++) {
            const Goal *goal = &goals->goals[i];
            int kernel = goals->runs[goal->run].kernel;
            if (edited_only && !(kernel >= 0 && lab->kernels[kernel].edited)) continue;
            bool is_over = goal->kind == GOAL_LIMIT && score->goals[i].has_value;
            if (limits && is_over && !score->goals[i].met) return (int)i;
            if (!limits && score_is_missed(lab, score, i)) return (int)i;
        }
    return -1;
}

int score_next(const Lab *lab, const Score *score) {
    int edited = first_missed(lab, score, true);
    return edited >= 0 ? edited : first_missed(lab, score, false);
}

int score_wrong_kernel(const Lab *lab) {
    int first = -1;
    for (uint32_t i = lab->goals->n_kernels; i-- > 0;)
        if (lab->kernels[i].wrong && (lab->kernels[i].edited || first < 0 || !lab->kernels[first].edited)) first = (int)i;
    return first;
}
