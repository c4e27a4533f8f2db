#include "lab/goals.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/formula.h"
#include "report/metrics.h"
#include "report/object.h"

enum { FACT_ARGUMENTS = 24, LEAST_VALUES = 3, GOALS_BYTES = 1 << 20 };

typedef struct Fact {
    const char *name;
    const char *argument[FACT_ARGUMENTS];
    uint32_t count;
} Fact;

/* A LIMIT of every run of a kernel. */
typedef struct Rule {
    const char *name, *metric, *advice;
    double most;
} Rule;

/* Another bound of a rule, for one run. */
typedef struct Allowance {
    uint32_t run, rule;
    double most;
} Allowance;

typedef struct GoalsReader {
    const char *text, *at, *path;
    Arena *arena;
    Goals *goals;
    Rule *rules;
    Allowance *allowances;
    uint32_t n_rules, n_allowances;
    Diag *diag;
} GoalsReader;

/* Always false. The position is where the reader stands. */
static bool wrong(GoalsReader *reader, const char *message, const char *what) {
    unsigned line = 1, column = 1;
    for (const char *at = reader->text; at < reader->at; at++) {
        column = *at == '\n' ? 1 : column + 1;
        line += *at == '\n';
    }
    diag_error(reader->diag, reader->path, line, column, "%s%.100s", message, what);
    diag_quote(reader->diag, reader->text, strlen(reader->text));
    return false;
}

static void skip(GoalsReader *reader) {
    for (;;) {
        const char *end;
        if (isspace((unsigned char)*reader->at))
            reader->at++;
        else if (strncmp(reader->at, "//", 2) == 0)
            reader->at += strcspn(reader->at, "\n");
        else if (strncmp(reader->at, "/*", 2) == 0 && (end = strstr(reader->at + 2, "*/")))
            reader->at = end + 2;
        else
            return;
    }
}

/* --- arguments ----------------------------------------------------------------------------------------------------------- */

static bool read_string(GoalsReader *reader, Text *out) {
    for (skip(reader); *reader->at == '"'; skip(reader)) {
        for (reader->at++; *reader->at != '"'; reader->at++) {
            if (*reader->at == '\\' && reader->at[1]) reader->at++;
            if (!*reader->at || *reader->at == '\n') return wrong(reader, "a string without an end", "");
            text_add_bytes(out, reader->at, 1);
        }
        reader->at++;
    }
    return true;
}

/* A string, a number or a name; numbers are kept as text. */
static bool read_argument(GoalsReader *reader, Fact *fact) {
    LOCAL_TEXT text = {0};
    skip(reader);
    bool is_string = *reader->at == '"';
    if (is_string && !read_string(reader, &text)) return false;
    if (!is_string)
        for (; isalnum((unsigned char)*reader->at) || (*reader->at && strchr("_.+-", *reader->at)); reader->at++)
            text_add_bytes(&text, reader->at, 1);
    if (!is_string && !text.length) return wrong(reader, "a string, number or name is missing", "");
    if (fact->count == FACT_ARGUMENTS) return wrong(reader, "too many arguments in ", fact->name);
    fact->argument[fact->count++] = arena_copy(reader->arena, text_string(&text), text.length);
    return true;
}

static bool read_fact(GoalsReader *reader, Fact *fact) {
    const char *start = reader->at;
    while (isalpha((unsigned char)*reader->at)) reader->at++;
    *fact = (Fact){.name = arena_copy(reader->arena, start, (size_t)(reader->at - start))};
    skip(reader);
    if (!fact->name[0] || *reader->at != '(') return wrong(reader, "expected a fact such as GOAL(…)", "");
    do {
        reader->at++;
        if (!read_argument(reader, fact)) return false;
        skip(reader);
    } while (*reader->at == ',');
    if (*reader->at != ')') return wrong(reader, "expected , or ) in ", fact->name);
    return true;
}

static bool read_number(GoalsReader *reader, const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end || !isfinite(*value)) return wrong(reader, "not a number: ", text);
    return true;
}

/* --- facts --------------------------------------------------------------------------------------------------------------- */

/* False for a count of accesses that nobody counts, which would be 0 in each run; all others are 1. The name may begin with a run's. */
static bool is_counted(void *context, const char *name, double *value) {
    (void)context;
    char subject[32];
    const char *dot = strchr(name, '.'), *count = name;
    *value = 1;
    if (dot && !formula_subject(count, subject, sizeof subject)) count = dot + 1;
    return !formula_subject(count, subject, sizeof subject) || metrics_counts(count);
}

static bool check_metric(GoalsReader *reader, const char *formula) {
    FormulaValue value = formula_value(formula, is_counted, NULL);
    if (value.status == FORMULA_ABSENT) return wrong(reader, "nothing is counted under the name ", value.name);
    return value.status != FORMULA_WRONG || wrong(reader, "the metric is not understood at: ", value.name);
}

static bool find_run(GoalsReader *reader, const char *name, Goal *goal) {
    int run = goals_run(reader->goals, name);
    if (run < 0) return wrong(reader, "there is no RUN before this line named ", name);
    goal->run = (uint32_t)run;
    return true;
}

static int find_rule(const GoalsReader *reader, const char *name) {
    for (uint32_t i = 0; i < reader->n_rules; i++)
        if (strcmp(reader->rules[i].name, name) == 0) return (int)i;
    return -1;
}

static bool add_goal(GoalsReader *reader, Goal goal) {
    Goals *goals = reader->goals;
    for (uint32_t i = 0; i < goals->n_goals; i++)
        if (goal.kind != GOAL_CORRECT && !goal.is_rule && strcmp(goals->goals[i].name, goal.name) == 0)
            return wrong(reader, "two goals are named ", goal.name);
    if (!goal.is_rule && find_rule(reader, goal.name) >= 0) return wrong(reader, "a rule has this name: ", goal.name);
    ARENA_ADD(reader->arena, goals->goals, goals->n_goals) = goal;
    return true;
}

static bool add_lab(GoalsReader *reader, const Fact *fact) {
    Goals *goals = reader->goals;
    goals->number = fact->argument[0], goals->slug = fact->argument[1], goals->title = fact->argument[2];
    return read_number(reader, fact->argument[3], &goals->points);
}

static bool add_kernel(GoalsReader *reader, const Fact *fact) {
    Goals *goals = reader->goals;
    if (goals_kernel(goals, fact->argument[0]) >= 0) return wrong(reader, "a second KERNEL ", fact->argument[0]);
    ARENA_ADD(reader->arena, goals->kernels, goals->n_kernels) = fact->argument[0];
    return true;
}

static bool add_cluster(GoalsReader *reader, const Fact *fact) {
    enum { MOST = 8 }; /* that every device has which has clusters */
    Goals *goals = reader->goals;
    double blocks;
    int kernel = goals_kernel(goals, fact->argument[0]);
    if (kernel < 0) return wrong(reader, "there is no KERNEL before this line named ", fact->argument[0]);
    if (goals_cluster(goals, (uint32_t)kernel)) return wrong(reader, "a second CLUSTER of ", fact->argument[0]);
    if (!read_number(reader, fact->argument[1], &blocks)) return false;
    if (blocks != floor(blocks) || blocks < 2 || blocks > MOST)
        return wrong(reader, "a cluster has from 2 to 8 blocks, unlike ", fact->argument[1]);
    ARENA_ADD(reader->arena, goals->clusters, goals->n_clusters) =
        (GoalCluster){.kernel = (uint32_t)kernel, .blocks = (uint32_t)blocks};
    return true;
}

static bool add_run(GoalsReader *reader, const Fact *fact) {
    Goals *goals = reader->goals;
    int kernel = goals_kernel(goals, fact->argument[1]);
    if (goals_run(goals, fact->argument[0]) >= 0 || strcmp(fact->argument[0], "copy") == 0)
        return wrong(reader, "a name that is taken: ", fact->argument[0]);
    if (kernel < 0 && strcmp(fact->argument[1], "none") != 0)
        return wrong(reader, "there is no KERNEL before this line named ", fact->argument[1]);
    ARENA_ADD(reader->arena, goals->runs, goals->n_runs) =
        (GoalRun){.name = fact->argument[0], .kernel = kernel, .text = fact->argument[2]};
    return true;
}

static bool add_correct(GoalsReader *reader, const Fact *fact) {
    Goal goal = {.kind = GOAL_CORRECT, .name = "correct", .metric = "", .advice = ""};
    if (!find_run(reader, fact->argument[0], &goal) || !read_number(reader, fact->argument[1], &goal.points)) return false;
    if (reader->goals->runs[goal.run].kernel < 0)
        return wrong(reader, "a run of no kernel cannot be CORRECT: ", fact->argument[0]);
    return add_goal(reader, goal);
}

static bool add_metric(GoalsReader *reader, const Fact *fact) {
    Goal goal = {.kind = GOAL_METRIC, .name = fact->argument[0], .metric = fact->argument[2], .advice = fact->argument[6]};
    if (!find_run(reader, fact->argument[1], &goal) || !check_metric(reader, goal.metric)) return false;
    if (!read_number(reader, fact->argument[3], &goal.full) || !read_number(reader, fact->argument[4], &goal.zero) ||
        !read_number(reader, fact->argument[5], &goal.points))
        return false;
    if (goal.full == goal.zero) return wrong(reader, "full and zero bounds are equal in ", goal.name);
    if (goal.points <= 0) return wrong(reader, "no points for ", goal.name);
    return add_goal(reader, goal);
}

static bool add_limit(GoalsReader *reader, const Fact *fact) {
    Goal goal = {.kind = GOAL_LIMIT, .name = fact->argument[0], .metric = fact->argument[2], .advice = fact->argument[4]};
    if (!find_run(reader, fact->argument[1], &goal) || !check_metric(reader, goal.metric)) return false;
    return read_number(reader, fact->argument[3], &goal.full) && add_goal(reader, goal);
}

static bool add_measured(GoalsReader *reader, const Fact *fact) {
    Goal goal = {.kind = GOAL_MEASURED, .name = fact->argument[0], .metric = "", .advice = fact->argument[3]};
    if (!find_run(reader, fact->argument[1], &goal) || !read_number(reader, fact->argument[2], &goal.full)) return false;
    if (reader->goals->runs[goal.run].kernel < 0)
        return wrong(reader, "a run of no kernel cannot be MEASURED: ", fact->argument[1]);
    if (goal.full <= 0 || goal.full > 2) return wrong(reader, "no fraction of a copy's speed: ", fact->argument[2]);
    return add_goal(reader, goal);
}

static bool add_figure(GoalsReader *reader, const Fact *fact) {
    Goal goal = {.kind = GOAL_FIGURE, .name = fact->argument[0], .metric = fact->argument[2], .advice = fact->argument[5]};
    if (!find_run(reader, fact->argument[1], &goal) || !check_metric(reader, goal.metric)) return false;
    if (!read_number(reader, fact->argument[3], &goal.zero) || !read_number(reader, fact->argument[4], &goal.full))
        return false;
    if (goal.zero <= 0) return wrong(reader, "the reference must be more than 0: ", fact->argument[3]);
    return goal.full >= goal.zero ? add_goal(reader, goal)
                                  : wrong(reader, "the reference's best is less than its least: ", fact->argument[4]);
}

static bool add_rule(GoalsReader *reader, const Fact *fact) {
    Rule rule = {.name = fact->argument[0], .metric = fact->argument[1], .advice = fact->argument[3]};
    if (find_rule(reader, rule.name) >= 0) return wrong(reader, "a second RULE ", rule.name);
    if (!check_metric(reader, rule.metric) || !read_number(reader, fact->argument[2], &rule.most)) return false;
    ARENA_ADD(reader->arena, reader->rules, reader->n_rules) = rule;
    return true;
}

static bool add_allowance(GoalsReader *reader, const Fact *fact) {
    int run = goals_run(reader->goals, fact->argument[0]), rule = find_rule(reader, fact->argument[1]);
    if (run < 0 || reader->goals->runs[run].kernel < 0)
        return wrong(reader, "there is no RUN of a kernel before this line named ", fact->argument[0]);
    if (rule < 0) return wrong(reader, "exercises/rules.goals has no RULE ", fact->argument[1]);
    Allowance allowance = {.run = (uint32_t)run, .rule = (uint32_t)rule};
    if (!read_number(reader, fact->argument[2], &allowance.most)) return false;
    ARENA_ADD(reader->arena, reader->allowances, reader->n_allowances) = allowance;
    return true;
}

static bool read_values(GoalsReader *reader, const Fact *fact, VariedNumber *number) {
    number->values = ARENA_ARRAY(reader->arena, int32_t, fact->count);
    for (uint32_t i = 2; i < fact->count; i++) {
        double value;
        if (!read_number(reader, fact->argument[i], &value)) return false;
        if (value != floor(value) || fabs(value) > 1e6) return wrong(reader, "no whole number: ", fact->argument[i]);
        number->values[number->count++] = (int32_t)value;
    }
    return number->count >= LEAST_VALUES || wrong(reader, "too few values of ", number->name);
}

static bool add_varied(GoalsReader *reader, const Fact *fact) {
    Goals *goals = reader->goals;
    if (fact->count < 2) return wrong(reader, "another number of arguments belongs in ", fact->name);
    VariedNumber number = {.name = fact->argument[1]};
    int run = goals_run(goals, fact->argument[0]);
    size_t group = strcspn(number.name, ".");
    if (run < 0) return wrong(reader, "there is no RUN before this line named ", fact->argument[0]);
    if (!read_values(reader, fact, &number)) return false;
    for (uint32_t i = 0; i < goals->n_varied; i++) {
        const VariedNumber *other = &goals->varied[i];
        if (strcmp(other->name, number.name) == 0) return wrong(reader, "a second VARY of ", number.name);
        if (strcspn(other->name, ".") == group && strncmp(other->name, number.name, group) == 0 && other->count != number.count)
            return wrong(reader, "not as many values as the others of its group: ", number.name);
    }
    goals->runs[run].is_varied = true;
    ARENA_ADD(reader->arena, goals->varied, goals->n_varied) = number;
    return true;
}

static bool add_given(GoalsReader *reader, const Fact *fact) {
    Goals *goals = reader->goals;
    GivenText given = {.kernel = goals_kernel(goals, fact->argument[0]), .text = fact->argument[1]};
    if (given.kernel < 0 && strcmp(fact->argument[0], "none") != 0)
        return wrong(reader, "there is no KERNEL before this line named ", fact->argument[0]);
    ARENA_ADD(reader->arena, goals->given, goals->n_given) = given;
    return true;
}

/* Every rule becomes a limit of every run of a kernel. */
static void apply_rules(GoalsReader *reader) {
    for (uint32_t run = 0; run < reader->goals->n_runs; run++) {
        for (uint32_t r = 0; r < reader->n_rules && reader->goals->runs[run].kernel >= 0; r++) {
            const Rule *rule = &reader->rules[r];
            Goal goal = {.kind = GOAL_LIMIT,
                         .name = rule->name,
                         .run = run,
                         .metric = rule->metric,
                         .full = rule->most,
                         .advice = rule->advice,
                         .is_rule = true};
            for (uint32_t i = 0; i < reader->n_allowances; i++)
                if (reader->allowances[i].run == run && reader->allowances[i].rule == r) goal.full = reader->allowances[i].most;
            add_goal(reader, goal);
        }
    }
}

static const struct {
    const char *name;
    uint32_t count; /* of arguments; 0: any */
    bool (*add)(GoalsReader *reader, const Fact *fact);
} facts[] = {
    {"LAB", 4, add_lab},         {"KERNEL", 1, add_kernel}, {"CLUSTER", 2, add_cluster}, {"RUN", 3, add_run},
    {"CORRECT", 2, add_correct}, {"GOAL", 7, add_metric},   {"LIMIT", 5, add_limit},     {"MEASURED", 4, add_measured},
    {"FIGURE", 6, add_figure},   {"RULE", 4, add_rule},     {"ALLOW", 3, add_allowance}, {"VARY", 0, add_varied},
    {"GIVEN", 2, add_given},
};

static bool add_fact(GoalsReader *reader, const Fact *fact) {
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (strcmp(facts[i].name, fact->name) != 0) continue;
        if (facts[i].count && fact->count != facts[i].count)
            return wrong(reader, "another number of arguments belongs in ", fact->name);
        return facts[i].add(reader, fact);
    }
    return wrong(reader, "no such fact: ", fact->name);
}

/* The list as a whole. */
static bool check_goals(GoalsReader *reader) {
    const Goals *goals = reader->goals;
    double points = 0;
    if (!goals->number) return wrong(reader, "there is no LAB", "");
    for (uint32_t i = 0; i < goals->n_goals; i++) points += goals->goals[i].points;
    if (fabs(points - goals->points) < 1e-9) return true;
    return diag_error(reader->diag, reader->path, 0, 0, "the points add up to %g, not to %g", points, goals->points);
}

static bool read_facts(GoalsReader *reader, const char *text, const char *path) {
    reader->text = reader->at = text;
    reader->path = path;
    for (skip(reader); *reader->at; skip(reader)) {
        Fact fact;
        if (!read_fact(reader, &fact) || !add_fact(reader, &fact)) return false;
        reader->at++;
    }
    return true;
}

Goals *goals_parse(const char *rules, const char *text, const char *path, Diag *diag) {
    Arena *arena = arena_new();
    Goals *goals = ARENA_NEW(arena, Goals);
    goals->arena = arena;
    GoalsReader reader = {.arena = arena, .goals = goals, .diag = diag};
    bool good = read_facts(&reader, rules, "exercises/rules.goals") && read_facts(&reader, text, path) && check_goals(&reader);
    if (good) {
        apply_rules(&reader);
        return goals;
    }
    arena_free(arena);
    return NULL;
}

static char *read_goals(const char *path, Diag *diag) {
    size_t length;
    char *text = text_read_file(path, GOALS_BYTES, &length);
    if (!text) diag_error(diag, path, 0, 0, "cannot be read: %s", text_file_problem(errno));
    return text;
}

Goals *goals_read(const char *path, Diag *diag) {
    LOCAL_TEXT beside = {0};
    const char *slash = strrchr(path, '/');
    text_add(&beside, "%.*s/../rules.goals", slash ? (int)(slash - path) : 1, slash ? path : ".");
    FREED char *rules = read_goals(text_string(&beside), diag), *text = rules ? read_goals(path, diag) : NULL;
    return text ? goals_parse(rules, text, path, diag) : NULL;
}

void goals_free(Goals *goals) {
    if (goals) arena_free(goals->arena);
}

int goals_kernel(const Goals *goals, const char *name) {
    for (uint32_t i = 0; i < goals->n_kernels; i++)
        if (strcmp(goals->kernels[i], name) == 0) return (int)i;
    return -1;
}

uint32_t goals_cluster(const Goals *goals, uint32_t kernel) {
    for (uint32_t i = 0; i < goals->n_clusters; i++)
        if (goals->clusters[i].kernel == kernel) return goals->clusters[i].blocks;
    return 0;
}

unsigned goals_arch(const Goals *goals) {
    enum { CLUSTERS_SINCE = 90 };
    return goals->n_clusters ? CLUSTERS_SINCE : 0;
}

bool goals_listed(const char *list, const char *name) {
    while (*list) {
        size_t length = strcspn(list, ",");
        if (strlen(name) == length && strncmp(list, name, length) == 0) return true;
        list += length;
        list += strspn(list, ", ");
    }
    return false;
}

int goals_run(const Goals *goals, const char *name) {
    for (uint32_t i = 0; i < goals->n_runs; i++)
        if (strcmp(goals->runs[i].name, name) == 0) return (int)i;
    return -1;
}

/* --- JSON ---------------------------------------------------------------------------------------------------------------- */

const char *goal_kind_name(const Goal *goal) {
    switch (goal->kind) {
    case GOAL_CORRECT: return "correct";
    case GOAL_METRIC: return "goal";
    case GOAL_LIMIT: return goal->is_rule ? "rule" : "limit";
    case GOAL_MEASURED: return "measured";
    case GOAL_FIGURE: return "figure";
    }
    return NULL;
}

static json_t *run_object(const Goals *goals, const GoalRun *run) {
    json_t *object = json_object();
    object_text(object, "name", run->name);
    if (run->kernel >= 0) object_text(object, "kernel", goals->kernels[run->kernel]);
    object_text(object, "text", run->text);
    return object;
}

static json_t *goal_object(const Goals *goals, const Goal *goal) {
    json_t *object = json_object();
    object_text(object, "name", goal->name);
    object_text(object, "kind", goal_kind_name(goal));
    object_text(object, "run", goals->runs[goal->run].name);
    if (goal->metric[0]) object_text(object, "metric", goal->metric);
    if (goal->kind != GOAL_CORRECT) object_set(object, "full", object_real(goal->full));
    if (goal->kind == GOAL_METRIC) object_set(object, "zero", object_real(goal->zero));
    if (goal->points > 0) object_set(object, "points", object_real(goal->points));
    if (goal->advice[0]) object_text(object, "advice", goal->advice);
    return object;
}

void goals_json(const Goals *goals, Text *out) {
    json_t *object = json_object(), *kernels = json_array(), *runs = json_array(), *list = json_array();
    object_text(object, "lab", goals->number);
    object_text(object, "slug", goals->slug);
    object_text(object, "title", goals->title);
    object_set(object, "points", object_real(goals->points));
    for (uint32_t i = 0; i < goals->n_kernels; i++) json_array_append_new(kernels, json_string(goals->kernels[i]));
    for (uint32_t i = 0; i < goals->n_runs; i++) json_array_append_new(runs, run_object(goals, &goals->runs[i]));
    for (uint32_t i = 0; i < goals->n_goals; i++) json_array_append_new(list, goal_object(goals, &goals->goals[i]));
    object_set(object, "kernels", kernels);
    object_set(object, "runs", runs);
    object_set(object, "goals", list);
    object_write(object, JSON_INDENT(2) | JSON_REAL_PRECISION(15), out);
    json_decref(object);
}
