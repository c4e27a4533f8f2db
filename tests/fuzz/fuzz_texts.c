/* Any bytes at all go through the readers of texts that people write or may have changed: a lab's goals, the rules, the teacher's file, and a
 * submission's result, which becomes a page. Each takes them or says why not. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "class/pages.h"
#include "class/teacher.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise_broken(const char *what, int line) {
    fprintf(stderr, "fuzz_texts.c:%d: broken promise: %s\n", line, what);
    abort();
}

#define PROMISE(condition) ((condition) ? (void)0 : promise_broken(#condition, __LINE__))

static void check_goals(const char *rules, const char *text) {
    Diag diag = {0};
    Text shown = {0};
    Goals *goals = goals_parse(rules, text, "lab.goals", &diag);
    PROMISE(!goals == diag.set);
    if (goals)
        goals_json(goals, &shown);
    else
        diag_format(&diag, &shown);
    PROMISE(shown.length > 0);
    text_free(&shown);
    goals_free(goals);
}

static void check_teacher(const Catalogue *catalogue, const char *text, size_t size) {
    Diag diag = {0};
    Text shown = {0};
    Teacher teacher;
    bool good = teacher_parse(&teacher, catalogue, text, size, "class.yaml", &diag);
    PROMISE(good == !diag.set);
    PROMISE(good || diag.line > 0);
    if (!good) diag_format(&diag, &shown);
    for (size_t i = 0; good && i < teacher.n_labs; i++)
        PROMISE(teacher.labs[i].lab && teacher.labs[i].folder && teacher.labs[i].draws >= 1 && teacher.labs[i].weight >= 0);
    text_free(&shown);
    teacher_free(&teacher);
}

static void check_result(const Goals *goals, const char *text, size_t size) {
    Text page = {0};
    ClassTally tally;
    json_t *result = json_loadb(text, size, 0, NULL);
    if (!result) return;
    char name[] = "name", slug[] = "slug";
    tally_begin(&tally, goals);
    tally_add(&tally, &(Submission){.name = name, .student = name, .slug = slug}, result);
    for (uint32_t i = 0; i < goals->n_goals; i++) tally_sort(&tally.goals[i]);
    page_of_submission(goals, result, &page);
    PROMISE(page.length > 0 && !strstr(text_string(&page), "<script"));
    tally_end(&tally);
    json_decref(result);
    text_free(&page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Catalogue catalogue; /* the tree's, read once */
    Diag diag = {0};
    char *text = malloc(size + 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    text[size] = 0;
    if (!catalogue.count) PROMISE(catalogue_read(&catalogue, ".", &diag));
    check_goals("", text);
    check_goals(text, "LAB(\"05\", \"transpose\", \"Transpose\", 100)\nKERNEL(k)\nRUN(r, k, \"r\")\nCORRECT(r, 100)\n");
    check_teacher(&catalogue, text, size);
    check_result(catalogue.labs[0].goals, text, size);
    free(text);
    return 0;
}
