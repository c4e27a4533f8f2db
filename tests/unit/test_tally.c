/* What the results of a class have in common: of a goal and a kernel who met it, and by what it was missed. Counted by hand. */
#include "class/tally.h"

#include "suite.h"

/* One goal and one kernel. */
static void add(ClassTally *tally, char *student, const char *goal, const char *kernel) {
    char text[300];
    snprintf(text, sizeof text, "{\"status\": \"graded\", \"score\": 5, \"result\": {\"goals\": [%s], \"kernels\": [%s]}}",
             goal, kernel);
    json_t *result = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(result);
    tally_add(tally, &(Submission){.student = student, .slug = student}, result);
    json_decref(result);
}

START_TEST(mistakes_of_most_come_first)
{
    const Goals goals = {.n_goals = 1, .n_kernels = 1};
    ClassTally tally;
    tally_begin(&tally, &goals);
    add(&tally, "ann", "{\"met\": false, \"score\": 1, \"value\": 2.5}", "{\"correct\": false, \"message\": \"x[1] is 0\"}");
    add(&tally, "bob", "{\"met\": false, \"score\": 2, \"value\": 4}", "{\"correct\": true}");
    add(&tally, "cid", "{\"met\": false, \"score\": 3, \"value\": 4}",
        "{\"correct\": false, \"message\": \"x[0] is 9\\nhint\"}");
    add(&tally, "dot", "{\"met\": true, \"score\": 10}", "{\"correct\": false, \"message\": \"x[0] is 9\\nother\"}");
    add(&tally, "eve", "{\"met\": false, \"score\": 0}", "{\"correct\": false, \"message\": \"a\"}");
    TallyGoal *goal = &tally.goals[0], *kernel = &tally.kernels[0];
    tally_sort(goal);
    tally_sort(kernel);
    ck_assert(goal->seen == 5 && goal->met == 1 && goal->n_groups == 3);
    ck_assert_double_eq(tally_mean(&tally, 0), 3.2);
    const char *values[] = {"4", "2.5", "no value"}, *of[] = {"bob", "ann", "eve"}, *lines[] = {"x[0] is 9", "a", "x[1] is 0"};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_str_eq(goal->groups[i].text, values[i]);
        ck_assert_str_eq(goal->groups[i].student, of[i]);
        ck_assert_str_eq(kernel->groups[i].text, lines[i]);
        ck_assert_uint_eq(goal->groups[i].count, i ? 1 : 2);
        ck_assert_uint_eq(kernel->groups[i].count, i ? 1 : 2);
    }
    ck_assert(kernel->seen == 5 && kernel->met == 1 && kernel->n_groups == 3);
    tally_end(&tally);
}
END_TEST

SUITE("tally", mistakes_of_most_come_first)
