#include "class/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "class/ongpu.h"
#include "report/object.h"

void tally_begin(ClassTally *tally, const Goals *goals) {
    *tally = (ClassTally){.goals_of = goals,
                          .goals = alloc_zeroed(goals->n_goals + 1, sizeof *tally->goals),
                          .kernels = alloc_zeroed(goals->n_kernels + 1, sizeof *tally->kernels)};
}

static void free_goals(TallyGoal *goals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t g = 0; g < goals[i].n_groups; g++) {
            free(goals[i].groups[g].text);
            free(goals[i].groups[g].picture);
            free(goals[i].groups[g].student);
        }
        free(goals[i].groups);
    }
    free(goals);
}

void tally_end(ClassTally *tally) {
    free_goals(tally->goals, tally->goals_of->n_goals);
    free_goals(tally->kernels, tally->goals_of->n_kernels);
    for (size_t i = 0; i < tally->count; i++) {
        free(tally->rows[i].student);
        free(tally->rows[i].slug);
        free(tally->rows[i].status);
        free(tally->rows[i].reason);
        free(tally->rows[i].measured);
    }
    free(tally->rows);
}

static void add_to_group(TallyGoal *goal, const char *text, const char *picture, const char *student) {
    for (size_t g = 0; g < goal->n_groups; g++) {
        if (strcmp(goal->groups[g].text, text) != 0) continue;
        goal->groups[g].count++;
        return;
    }
    ALLOC_ADD(goal->groups, goal->n_groups) = (TallyGroup){
        .text = alloc_copy(text), .picture = picture ? alloc_copy(picture) : NULL, .student = alloc_copy(student), .count = 1};
}

/* An exercise as it was given counts, and says nothing about what learners get wrong. */
static void add_goal(TallyGoal *goal, const json_t *result, bool untouched, const char *student) {
    char text[64];
    const json_t *value = json_object_get(result, "value");
    const char *reason = object_string(result, "reason");
    goal->sum += json_number_value(json_object_get(result, "score"));
    goal->seen++;
    if (json_is_true(json_object_get(result, "met"))) {
        goal->met++;
        return;
    }
    if (untouched || *reason) return; /* its kernel is wrong, or a limit is broken: that is counted there */
    if (value) snprintf(text, sizeof text, "%.4g", json_number_value(value));
    add_to_group(goal, value ? text : "no value", json_string_value(json_object_get(result, "picture")), student);
}

static void add_kernel(TallyGoal *kernel, const json_t *result, const char *student) {
    kernel->seen++;
    if (json_is_true(json_object_get(result, "correct"))) {
        kernel->met++;
        return;
    }
    const char *message = object_string(result, "message");
    FREED char *line = alloc_text(message, strcspn(message, "\n"));
    add_to_group(kernel, line, message, student);
}

void tally_add(ClassTally *tally, const Submission *submission, const json_t *result) {
    const json_t *score = json_object_get(result, "score"), *graded = json_object_get(result, "result");
    const json_t *goals = json_object_get(graded, "goals"), *kernels = json_object_get(graded, "kernels");
    const bool untouched = json_is_false(json_object_get(graded, "begun"));
    LOCAL_TEXT measured = {0};
    ongpu_add(json_object_get(result, "measured"), &measured);
    ALLOC_ADD(tally->rows, tally->count) =
        (TallyRow){.student = alloc_copy(submission->student),
                   .slug = alloc_copy(submission->slug),
                   .status = alloc_copy(object_string(result, "status")),
                   .reason = alloc_copy(object_string(result, "reason")),
                   .measured = alloc_copy(text_string(&measured)),
                   .score = json_number_value(score),
                   .scored = score != NULL,
                   .is_foreign = json_object_get(graded, "asked_variant"),
                   .variant = (uint32_t)json_integer_value(json_object_get(graded, "variant"))};
    for (uint32_t i = 0; i < tally->goals_of->n_goals && score; i++) {
        const json_t *goal = json_array_get(goals, i);
        if (goal)
            add_goal(&tally->goals[i], goal, untouched, submission->student);
        else
            tally->goals[i].seen++;
    }
    for (uint32_t i = 0; i < tally->goals_of->n_kernels; i++) {
        const json_t *kernel = json_array_get(kernels, i);
        if (kernel) add_kernel(&tally->kernels[i], kernel, submission->student);
    }
}

double tally_mean(const ClassTally *tally, uint32_t goal) {
    const TallyGoal *of = &tally->goals[goal];
    return of->seen ? of->sum / (double)of->seen : 0;
}

static int by_count(const void *a, const void *b) {
    const TallyGroup *left = a, *right = b;
    if (left->count != right->count) return left->count < right->count ? 1 : -1;
    return strcmp(left->text, right->text);
}

void tally_sort(TallyGoal *goal) {
    if (goal->n_groups) qsort(goal->groups, goal->n_groups, sizeof *goal->groups, by_count);
}
