#include "lab/goals.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

#define HEAD "LAB(\"07\", \"slug\", \"Title\", 10)\nKERNEL(k)\nRUN(r, k, \"64 floats\")\n"

/* Nothing is missing, so that a fact which is passed over leaves nothing else to refuse. */
#define WHOLE HEAD "CORRECT(r, 10) "

static Goals *parse(const char *text) {
    Diag diag = {0};
    Goals *goals = goals_parse("", text, "lab.goals", &diag);
    ck_assert_msg(goals != NULL, "%u:%u: %s", diag.line, diag.column, diag.message);
    return goals;
}

static void refused(const char *text, const char *part, unsigned line) {
    Diag diag = {0};
    Goals *goals = goals_parse("", text, "lab.goals", &diag);
    ck_assert_msg(!goals, "accepted: %s", text);
    ck_assert_msg(strstr(diag.message, part) != NULL, "'%s' instead of '%s'", diag.message, part);
    ck_assert_str_eq(diag.file, "lab.goals");
    ck_assert_msg(diag.line == line, "'%s' at line %u, not %u", diag.message, diag.line, line);
}

START_TEST(every_fact_is_read)
{
    Goals *goals =
        parse("/* a comment */ " HEAD "// another\n"
              "CORRECT(r, 4)\n"
              "GOAL(sectors, r, \"global.load.sectors / 2\", 4, 8.5, 6, \"one \" /* between */\n \"two \\\"three\\\"\")\n"
              "LIMIT(work, r, \"instructions\", 1e6, \"less\")\n"
              "MEASURED(speed, r, 0.9, \"faster\")\n");
    ck_assert_str_eq(goals->number, "07");
    ck_assert_str_eq(goals->slug, "slug");
    ck_assert_str_eq(goals->title, "Title");
    ck_assert_uint_eq(goals->n_kernels, 1);
    ck_assert_str_eq(goals->runs[0].text, "64 floats");
    ck_assert_int_eq(goals->runs[0].kernel, 0);
    ck_assert_uint_eq(goals->n_goals, 4);
    ck_assert_int_eq(goals->goals[0].kind, GOAL_CORRECT);
    ck_assert_double_eq(goals->goals[0].points, 4);
    const Goal *goal = &goals->goals[1];
    ck_assert_str_eq(goal->metric, "global.load.sectors / 2");
    ck_assert_str_eq(goal->advice, "one two \"three\"");
    ck_assert_double_eq(goal->full, 4);
    ck_assert_double_eq(goal->zero, 8.5);
    ck_assert_double_eq(goal->points, 6);
    ck_assert_int_eq(goals->goals[2].kind, GOAL_LIMIT);
    ck_assert_double_eq(goals->goals[2].full, 1e6);
    ck_assert_str_eq(goals->goals[2].advice, "less");
    ck_assert_int_eq(goals->goals[3].kind, GOAL_MEASURED);
    ck_assert_double_eq(goals->goals[3].full, 0.9);
    ck_assert_double_eq(goals->goals[3].points, 0);
    ck_assert_str_eq(goals->goals[3].advice, "faster");
    goals_free(goals);
}
END_TEST

/* What goals.h documents for other programs: all that was read, and no key that does not apply. */
START_TEST(json_says_what_was_read)
{
    Goals *goals = parse(HEAD "CORRECT(r, 4)\n"
                              "GOAL(sectors, r, \"global.load.sectors / 2\", 4, 8.5, 6, \"a \\\"hint\\\"\")\n"
                              "LIMIT(work, r, \"instructions\", 1e6, \"less\")\n"
                              "RUN(table, none, \"predictions\")\n");
    Text text = {0};
    goals_json(goals, &text);
    json_t *object = json_loads(text_string(&text), 0, NULL);
    const char *lab, *title, *kernel, *name, *kind, *metric, *advice, *limit;
    double points, full, zero, worth, most;
    ck_assert_int_eq(
        json_unpack(object, "{s:s, s:s, s:f, s:[s!]}", "lab", &lab, "title", &title, "points", &points, "kernels", &kernel), 0);
    ck_assert_str_eq(lab, "07");
    ck_assert_str_eq(title, "Title");
    ck_assert_str_eq(kernel, "k");
    ck_assert(points == 10);
    json_t *list = json_object_get(object, "goals"), *runs = json_object_get(object, "runs");
    ck_assert_int_eq(json_unpack(json_array_get(list, 1), "{s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:s!}", "name", &name, "kind",
                                 &kind, "run", &kernel, "metric", &metric, "full", &full, "zero", &zero, "points", &worth,
                                 "advice", &advice),
                     0);
    ck_assert_str_eq(kind, "goal");
    ck_assert_str_eq(metric, "global.load.sectors / 2");
    ck_assert_str_eq(advice, "a \"hint\"");
    ck_assert(full == 4 && zero == 8.5 && worth == 6);
    ck_assert_int_eq(json_unpack(json_array_get(list, 2), "{s:s, s:s, s:s, s:s, s:f, s:s!}", "name", &limit, "kind", &kind,
                                 "run", &kernel, "metric", &metric, "full", &most, "advice", &advice),
                     0);
    ck_assert_str_eq(kind, "limit");
    ck_assert(most == 1e6);
    ck_assert_ptr_null(json_object_get(json_array_get(runs, 1), "kernel"));
    json_decref(object);
    text_free(&text);
    goals_free(goals);
}
END_TEST

START_TEST(a_run_may_launch_nothing)
{
    Goals *goals = parse(HEAD "RUN(table, none, \"predictions\") GOAL(right, table, \"right\", 12, 0, 10, \"\")");
    ck_assert_int_eq(goals->runs[1].kernel, -1);
    ck_assert_int_eq(goals_run(goals, "table"), 1);
    ck_assert_int_eq(goals_run(goals, "tables"), -1);
    ck_assert_int_eq(goals_kernel(goals, "none"), -1);
    goals_free(goals);
}
END_TEST

START_TEST(a_kernel_may_be_launched_in_clusters)
{
    Goals *goals = parse(WHOLE), *clustered = parse(HEAD "KERNEL(other) CLUSTER(other, 4) CORRECT(r, 10)");
    ck_assert_uint_eq(goals_arch(goals), 0);
    ck_assert_uint_eq(goals_cluster(goals, 0), 0);
    ck_assert_uint_eq(goals_arch(clustered), 90);
    ck_assert_uint_eq(goals_cluster(clustered, 0), 0);
    ck_assert_uint_eq(goals_cluster(clustered, 1), 4);
    goals_free(goals);
    goals_free(clustered);
    refused(WHOLE "CLUSTER(j, 4)", "no KERNEL before this line named j", 4);
    refused(WHOLE "CLUSTER(k, 2)\nCLUSTER(k, 4)", "a second CLUSTER of k", 5);
    refused(WHOLE "CLUSTER(k, many)", "not a number: many", 4);
    static const char *const sizes[] = {"0", "1", "2.5", "9", "-4", "4294967298"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char text[200];
        snprintf(text, sizeof text, WHOLE "CLUSTER(k, %s)", sizes[i]);
        refused(text, "from 2 to 8 blocks", 4);
    }
}
END_TEST

START_TEST(points_must_add_up)
{
    refused(HEAD "CORRECT(r, 9)", "add up to 9, not to 10", 0);
    refused(HEAD "CORRECT(r, 9) GOAL(g, r, \"x\", 1, 2, 2, \"\")", "add up to 11", 0);
}
END_TEST

START_TEST(unknown_names_are_refused)
{
    refused(WHOLE "CORRECT(q, 10)", "no RUN before this line named q", 4);
    refused("LAB(\"1\", \"s\", \"t\", 1)\nRUN(r, k, \"\")", "no KERNEL before this line named k", 2);
    refused(WHOLE "GAOL(g, r, \"x\", 1, 2, 10, \"\")", "no such fact: GAOL", 4);
}
END_TEST

START_TEST(slips_are_refused_with_their_line)
{
    refused(WHOLE "\nCORRECT(r)", "another number of arguments belongs in CORRECT", 5);
    refused(WHOLE "CORRECT(r, ten)", "not a number: ten", 4);
    refused(WHOLE "CORRECT(r, 1e999)", "not a number", 4);
    refused(HEAD "CORRECT(r, 10", "expected , or )", 4);
    refused(HEAD "CORRECT(r, \"10)", "a string without an end", 4);
    refused(WHOLE "GOAL(g, r, \"x +\", 1, 2, 10, \"\")", "the metric is not understood", 4);
    refused(WHOLE "LIMIT(l, r, \"global.store.smal\", 0, \"\")", "nothing is counted under the name global.store.smal", 4);
    refused(WHOLE "GOAL(g, r, \"x / r.shared.load.sectors\", 1, 2, 10, \"\")", "r.shared.load.sectors", 4);
    refused(WHOLE "GOAL(g, r, \"x\", 2, 2, 10, \"\")", "bounds are equal", 4);
    refused(WHOLE "GOAL(g, r, \"x\", 1, 2, 0, \"\")", "no points for g", 4);
    refused(HEAD "GOAL(g, r, \"x\", 1, 2, 5, \"\")\nGOAL(g, r, \"x\", 1, 2, 5, \"\")", "two goals are named g", 5);
    refused(WHOLE "KERNEL(k)", "a second KERNEL k", 4);
    refused(WHOLE "RUN(r, k, \"\")", "a name that is taken: r", 4);
    refused(WHOLE "RUN(copy, k, \"\")", "a name that is taken: copy", 4);
    refused(WHOLE "RUN(p, none, \"\") CORRECT(p, 10)", "cannot be CORRECT", 4);
    refused(WHOLE "RUN(p, none, \"\") MEASURED(m, p, 0.9, \"\")", "cannot be MEASURED: p", 4);
    refused(WHOLE "MEASURED(m, r, 90, \"\")", "no fraction of a copy's speed: 90", 4);
    refused(HEAD "CORRECT(r, 10) ; KERNEL(x)", "expected a fact", 4);
    refused("KERNEL(k)", "there is no LAB", 1);
    refused("", "there is no LAB", 1);
    refused("GOAL(1,2,3,4,5,6,7,8)", "another number of arguments", 1);
    refused("VARY(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25)", "too many arguments", 1);
}
END_TEST

/* At what is not taken, with its line; columns begin with 1 in each. */
START_TEST(slips_are_refused_where_they_stand)
{
    static const struct {
        const char *text;
        unsigned line, column;
        const char *source;
    } rows[] = {{";", 1, 1, ";"},
                {"  ;", 1, 3, "  ;"},
                {"\n\n ; \n", 3, 2, " ; "},
                {"/* a\n b */ KERNEL(k) ;", 2, 17, " b */ KERNEL(k) ;"},
                {"KERNEL(k\n) RUN(r; k)\n", 2, 8, ") RUN(r; k)"},
                {"KERNEL(\"k\" \"l\n", 1, 14, "KERNEL(\"k\" \"l"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diag diag = {0};
        ck_assert_ptr_null(goals_parse("", rows[i].text, "lab.goals", &diag));
        ck_assert_msg(diag.line == rows[i].line && diag.column == rows[i].column, "row %zu: %u:%u: %s", i, diag.line,
                      diag.column, diag.message);
        ck_assert_str_eq(diag.source, rows[i].source);
    }
}
END_TEST

#define RULES "RULE(share, \"warp_imbalance\", 2, \"share the work\")\n"

/* Two runs of a kernel and one of none: the rule is a limit of both, and one of them is allowed more. */
START_TEST(rules_hold_for_every_run_of_a_kernel)
{
    Diag diag = {0};
    Goals *goals =
        goals_parse(RULES, HEAD "CORRECT(r, 10) RUN(s, k, \"\") RUN(table, none, \"\") ALLOW(s, share, 4)", "lab.goals", &diag);
    ck_assert_msg(goals != NULL, "%s", diag.message);
    ck_assert_uint_eq(goals->n_goals, 3);
    for (uint32_t i = 1; i < 3; i++) {
        ck_assert_str_eq(goal_kind_name(&goals->goals[i]), "rule");
        ck_assert_str_eq(goals->goals[i].name, "share");
        ck_assert_uint_eq(goals->goals[i].run, i - 1);
        ck_assert_double_eq(goals->goals[i].full, i == 1 ? 2 : 4);
        ck_assert_str_eq(goals->goals[i].metric, "warp_imbalance");
        ck_assert_str_eq(goals->goals[i].advice, "share the work");
    }
    goals_free(goals);
}
END_TEST

START_TEST(rules_and_figures_are_checked)
{
    static const struct {
        const char *rules, *text, *part, *file;
    } cases[] = {
        {"RULE(share, \"warp_imbalance +\", 2, \"\")", HEAD "CORRECT(r, 10)", "the metric is not understood",
         "exercises/rules.goals"},
        {RULES RULES, HEAD "CORRECT(r, 10)", "a second RULE share", "exercises/rules.goals"},
        {RULES, HEAD "CORRECT(r, 10) ALLOW(r, shares, 4)", "no RULE shares", "lab.goals"},
        {RULES, HEAD "CORRECT(r, 10) ALLOW(q, share, 4)", "no RUN of a kernel before this line named q", "lab.goals"},
        {RULES, HEAD "CORRECT(r, 10) LIMIT(share, r, \"x\", 1, \"\")", "a rule has this name: share", "lab.goals"},
        {"", HEAD "CORRECT(r, 10) FIGURE(f, r, \"x\", 0, 1, \"\")", "must be more than 0: 0", "lab.goals"},
        {"", HEAD "CORRECT(r, 10) FIGURE(f, r, \"x\", 2, 1, \"\")", "best is less than its least: 1", "lab.goals"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Diag diag = {0};
        ck_assert_ptr_null(goals_parse(cases[i].rules, cases[i].text, "lab.goals", &diag));
        ck_assert_msg(strstr(diag.message, cases[i].part) != NULL, "'%s' instead of '%s'", diag.message, cases[i].part);
        ck_assert_str_eq(diag.file, cases[i].file);
    }
}
END_TEST

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    ck_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* The rules stand in the folder above the lab's, however the lab is named. */
START_TEST(rules_are_read_from_the_folder_above)
{
    static const char *const paths[] = {"lab.goals", "./lab.goals", "../lab/lab.goals"};
    char folder[SUITE_FOLDER];
    suite_folder(folder);
    ck_assert(chdir(folder) == 0 && mkdir("lab", 0700) == 0 && mkdir("lab/none", 0700) == 0);
    write_text("rules.goals", RULES);
    write_text("lab/lab.goals", HEAD "CORRECT(r, 10)");
    ck_assert(chdir("lab") == 0);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        Diag diag = {0};
        Goals *goals = goals_read(paths[i], &diag);
        ck_assert_msg(goals != NULL, "%s: %s: %s", paths[i], diag.file, diag.message);
        ck_assert_uint_eq(goals->n_goals, 2);
        ck_assert_str_eq(goals->goals[1].name, "share");
        goals_free(goals);
    }
    Diag diag = {0};
    ck_assert_ptr_null(goals_read("none/lab.goals", &diag));
    ck_assert_str_eq(diag.file, "none/../rules.goals");
    ck_assert_str_eq(diag.message, "cannot be read: No such file or directory");
    ck_assert(chdir("/") == 0);
}
END_TEST

SUITE("goals", every_fact_is_read, json_says_what_was_read, a_run_may_launch_nothing, a_kernel_may_be_launched_in_clusters,
      points_must_add_up, unknown_names_are_refused, rules_hold_for_every_run_of_a_kernel, rules_are_read_from_the_folder_above,
      rules_and_figures_are_checked, slips_are_refused_with_their_line, slips_are_refused_where_they_stand)
