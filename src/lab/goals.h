/* goals.h: a lab's lab.goals: what is asked, how it is measured and how many points it is worth. A list of facts
 *
 *     LAB("05", "transpose", "Transpose", 100)                 number, slug, title, points in all
 *     KERNEL(transpose_tiled)                                  an entry that kernel.cu must define: exactly these
 *     CLUSTER(histogram, 4)                                    a kernel that is launched in clusters of so many blocks: the file is then compiled for
 *                                                              compute capability 9.0, whichever the compiler
 *     RUN(tiled, transpose_tiled, "1024 x 1024 floats")        a measured launch of a kernel; `none` launches nothing
 *     CORRECT(tiled, 20)                                       points for being correct
 *     GOAL(name, run, "metric", full, zero, points, "advice")  full points at `full` or better, none at `zero` or worse, linear between
 *     MEASURED(name, run, least, "advice")                     without points: on a real GPU the run's kernel is to have at least this
 *                                                              fraction of a copy's speed, both timed in one run
 *     LIMIT(name, run, "metric", most, "advice")               without points; what is more makes all goals of its run score 0
 *     FIGURE(name, run, "metric", low, high, "advice")         without points: a number to beat, more is better, with the reference's beside it, which
 *                                                              is from low to high, by the size that is drawn; it has no value while a goal of
 *                                                              its run is missed
 *     ALLOW(run, rule, most)                                   another bound of a rule for this run
 *     VARY(run, name, value, value, …)                         a number of the given kernels, which the run's predictions rest on: what stands in the
 *                                                              exercise, then what other learners have (lab/variants.h)
 *     GIVEN(kernel, "text with {name}")                        where in the exercise such numbers stand: a text that the kernel has once; `none`: that
 *                                                              all that is outside the marks has once
 *
 * A metric is a formula (formula.h) of numbers of the run's launch by the names of report/metrics.def, of other runs' numbers ("tiled.model.time_us"),
 * of values that the suite gives (lab_value), and of
 *
 *     needed_bytes                            what any right kernel must read and write, as the suite says: lab_measure
 *     unread                                  the part of what it must read that the launch did not load, 0 at best
 *     roof.model.time_us, copy.model.time_us  the time of those bytes at the roof, and in a copy
 *
 * All this in this order of dependence, with C comments and with strings that may be split. full < zero: less is better.
 *
 * What holds for every measured run of every lab stands once, in exercises/rules.goals:
 *
 *     RULE(name, "metric", most, "advice")
 *
 * Each is a LIMIT of every run of a kernel, by the rule's name. Where the run has no such number the rule is kept. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"

typedef enum GoalKind { GOAL_CORRECT, GOAL_METRIC, GOAL_LIMIT, GOAL_MEASURED, GOAL_FIGURE } GoalKind;

typedef struct GoalRun {
    const char *name, *text;
    int kernel;     /* index; -1: none */
    bool is_varied; /* a VARY names it */
} GoalRun;

/* Numbers whose names are alike up to a dot are chosen together, and have as many values. */
typedef struct VariedNumber {
    const char *name;
    int32_t *values; /* the first is variant 0's */
    uint32_t count;
} VariedNumber;

typedef struct Goal {
    GoalKind kind;
    const char *name; /* GOAL_CORRECT: "correct" */
    uint32_t run;
    const char *metric; /* "" for GOAL_CORRECT */
    /* GOAL_LIMIT: full is the most that is allowed, GOAL_MEASURED: the least, GOAL_FIGURE: the reference's best, and zero its least; points 0 */
    double full, zero, points;
    const char *advice;
    bool is_rule; /* a GOAL_LIMIT of exercises/rules.goals */
} Goal;

typedef struct GoalCluster {
    uint32_t kernel, blocks;
} GoalCluster;

typedef struct GivenText {
    int kernel; /* index; -1: none */
    const char *text;
} GivenText;

typedef struct Goals {
    Arena *arena;
    const char *number, *slug, *title;
    double points;
    uint32_t n_kernels, n_clusters, n_runs, n_goals;
    const char **kernels;
    GoalCluster *clusters;
    GoalRun *runs;
    Goal *goals;
    uint32_t n_varied, n_given;
    VariedNumber *varied;
    GivenText *given;
} Goals;

/* Reads the facts; rules: the text of rules.goals. NULL and a diag with line and column when one is not understood, names something
 * unknown, or the points do not add up. */
Goals *goals_parse(const char *rules, const char *text, const char *path, Diag *diag);

/* The same of the file exercises/NN-slug/lab.goals and of exercises/rules.goals, one folder above it. */
Goals *goals_read(const char *path, Diag *diag);
void goals_free(Goals *goals);

/* Indices by name, or -1. */
int goals_kernel(const Goals *goals, const char *name);
int goals_run(const Goals *goals, const char *name);

/* Of how many blocks the clusters are in which the kernel of this index is launched; 0: of none. */
uint32_t goals_cluster(const Goals *goals, uint32_t kernel);

/* What a CompileRequest says of the lab's file: the device that it needs, or 0. */
unsigned goals_arch(const Goals *goals);

/* Whether the name is one of a list with commas between, and blanks behind those. */
bool goals_listed(const char *list, const char *name);

/* Appends one JSON object:
 * {"lab": "05", "slug", "title", "points", "kernels": [NAME…],
 *  "runs": [{"name", "kernel", "text"}],
 *  "goals": [{"name", "kind": correct | goal | limit | rule | measured | figure, "run", "metric", "full", "zero", "points", "advice"}]}
 * A key that does not apply is absent. */
void goals_json(const Goals *goals, Text *out);

/* "correct", "goal", "limit", "rule", "measured", "figure". */
const char *goal_kind_name(const Goal *goal);
