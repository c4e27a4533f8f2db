#include "class/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "class/gradebook.h"
#include "class/ongpu.h"
#include "lab/variants.h"
#include "report/html.h"
#include "report/object.h"

enum { BINS = 10, GROUPS_SHOWN = 3, PICTURES_SHOWN = 5 };

bool page_put_style(const Out *out, Diag *diag) {
    LOCAL_TEXT style = {0};
    html_style(&style);
    return out_put(out, "style.css", text_string(&style), style.length, diag);
}

void page_begin(const char *title, const char *home, const char *root, Text *out) {
    LOCAL_TEXT link = text_from("<link rel=\"stylesheet\" href=\"%sstyle.css\">\n", root);
    LOCAL_TEXT index = text_from("%sindex.html", root);
    html_begin(title, home, text_string(&index), text_string(&link), out);
}

static void begin(const Goals *goals, const char *title, const char *root, Text *out) {
    LOCAL_TEXT home = text_from("Lab %s, %s", goals->number, goals->title);
    page_begin(title, text_string(&home), root, out);
}

/* --- a submission --------------------------------------------------------------------------------------------------------- */

static void add_goal_row(const Goals *goals, uint32_t index, const json_t *goal, Text *out) {
    const Goal *of = &goals->goals[index];
    const json_t *value = json_object_get(goal, "value");
    bool met = json_is_true(json_object_get(goal, "met"));
    html_put(out, "<tr><td>", of->kind == GOAL_CORRECT ? "correct" : of->name, "</td><td>");
    html_put(out, "", goals->runs[of->run].name, "</td><td class=\"number\">");
    if (value) text_add(out, "%.4g", json_number_value(value));
    text_add(out, "</td><td class=\"number\">");
    if (of->kind != GOAL_CORRECT) text_add(out, "%.4g", of->full);
    text_add(out, "</td><td class=\"number%s\">%.4g of %.4g</td></tr>\n", met ? "" : " missed",
             json_number_value(json_object_get(goal, "score")), of->points);
}

static void add_measured_row(const Goals *goals, const json_t *goal, Text *out) {
    static const char *const times[] = {"time_us", "copy_us", "value", "full"};
    int run = goals_run(goals, object_string(goal, "run"));
    html_put(out, "<tr><td>", object_string(goal, "name"), "</td><td>");
    if (run >= 0) html_add(out, goals->runs[run].name);
    for (int i = 0; i < 4; i++) {
        const json_t *number = json_object_get(goal, times[i]);
        text_add(out, "</td><td class=\"number\">");
        if (number) text_add(out, i < 2 ? "%.1f" : "%.3f", json_number_value(number));
    }
    html_put(out, "</td><td>", object_string(goal, "verdict"), "</td></tr>\n");
}

/* What a GPU did, which has no points. */
static void add_measured(const Goals *goals, const json_t *measured, Text *out) {
    const json_t *list = json_object_get(measured, "goals");
    LOCAL_TEXT said = {0};
    size_t i;
    json_t *goal;
    ongpu_add(measured, &said);
    html_put(out, "<h2>On a GPU</h2>\n<p>", object_string(measured, "device"), "");
    text_add(out, *object_string(measured, "device") ? ": " : "");
    html_put(out, "", text_string(&said), ". Points come from the emulated device alone.</p>\n");
    if (!json_array_size(list)) return;
    text_add(out, "<table>\n<thead><tr><th>Goal</th><th>Run</th><th class=\"number\">Kernel, µs</th><th class=\"number\">Copy, "
                  "µs</th><th class=\"number\">Of the copy</th><th class=\"number\">Goal</th><th>Verdict</th></tr></thead>\n"
                  "<tbody>\n");
    json_array_foreach(list, i, goal) add_measured_row(goals, goal, out);
    text_add(out, "</tbody>\n</table>\n");
}

void page_of_submission(const Goals *goals, const json_t *result, Text *out) {
    const json_t *graded = json_object_get(result, "result"), *list = json_object_get(graded, "goals");
    const char *status = object_string(result, "status");
    begin(goals, object_string(result, "student"), "../../", out);
    if (json_object_get(result, "score"))
        text_add(out, "<p class=\"score\"><strong>%.4g</strong> of %.4g points</p>\n",
                 json_number_value(json_object_get(result, "score")), json_number_value(json_object_get(result, "points")));
    else
        text_add(out, "<p class=\"score\">Could not be graded, which says nothing about the submission.</p>\n");
    html_put(out, "<p>", object_string(result, "file"), "");
    if (strcmp(status, "refused") == 0) text_add(out, ": refused");
    text_add(out, "</p>\n");
    if (!list) html_add_pre(out, graded ? object_string(graded, "refused") : object_string(result, "reason"));
    if (list)
        text_add(
            out,
            "<table>\n<thead><tr><th>Goal</th><th>Run</th><th class=\"number\">Yours</th><th class=\"number\">Full points</th>"
            "<th class=\"number\">Points</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; list && i < goals->n_goals; i++)
        if (goals->goals[i].points > 0) add_goal_row(goals, i, json_array_get(list, i), out);
    if (list) text_add(out, "</tbody>\n</table>\n<h2>What was found</h2>\n");
    if (list) html_add_pre(out, object_string(graded, "shown"));
    if (json_object_get(result, "measured")) add_measured(goals, json_object_get(result, "measured"), out);
    html_end(out);
}

/* --- the class ------------------------------------------------------------------------------------------------------------ */

static void add_histogram(const ClassTally *tally, double points, Text *out) {
    size_t bins[BINS + 1] = {0}, most = 1;
    for (size_t i = 0; i < tally->count; i++) {
        if (!tally->rows[i].scored) continue;
        double share = tally->rows[i].score / points;
        bins[share >= 1 ? BINS : share <= 0 ? 0 : (size_t)(share * BINS)]++;
    }
    for (int i = 0; i <= BINS; i++) most = bins[i] > most ? bins[i] : most;
    text_add(out, "<h2>Scores</h2>\n<table>\n<thead><tr><th class=\"number\">Points</th><th "
                  "class=\"number\">Submissions</th><th></th></tr>"
                  "</thead>\n<tbody>\n");
    for (int i = BINS; i >= 0; i--) {
        if (i == BINS)
            text_add(out, "<tr><td class=\"number\">%.4g</td>", points);
        else
            text_add(out, "<tr><td class=\"number\">%.4g to less than %.4g</td>", points * i / BINS, points * (i + 1) / BINS);
        text_add(
            out,
            "<td class=\"number\">%zu</td><td class=\"bars\"><div class=\"bar-of\" style=\"width: %.1f%%\"></div></td></tr>\n",
            bins[i], 100.0 * (double)bins[i] / (double)most);
    }
    text_add(out, "</tbody>\n</table>\n");
}

/* Of all groups of all goals and kernels. */
typedef struct Loss {
    const TallyGroup *group;
    const char *name, *advice;
    double lost; /* points, over the class */
    bool wrong;
} Loss;

static int by_loss(const void *a, const void *b) {
    const Loss *left = a, *right = b;
    if (left->lost != right->lost) return left->lost < right->lost ? 1 : -1;
    return strcmp(left->name, right->name);
}

static double points_of_kernel(const Goals *goals, uint32_t kernel) {
    double points = 0;
    for (uint32_t i = 0; i < goals->n_goals; i++)
        if (goals->runs[goals->goals[i].run].kernel == (int)kernel) points += goals->goals[i].points;
    return points;
}

static double worth(const Goal *goal, double value) {
    double share = (value - goal->zero) / (goal->full - goal->zero);
    return goal->points * (share < 0 ? 0 : share > 1 ? 1 : share);
}

static void add_picture(const Loss *loss, Text *out) {
    text_add(out, "<h3>%zu %s: ", loss->group->count, loss->group->count == 1 ? "submission" : "submissions");
    html_add(out, loss->name);
    text_add(out, loss->wrong ? " is wrong, " : " is ");
    html_put(out, "", loss->group->text, "</h3>\n");
    if (loss->advice) html_put(out, "<p>", loss->advice, "</p>\n");
    if (loss->group->picture && *loss->group->picture) {
        html_add_pre(out, loss->group->picture);
        html_put(out, "<p class=\"caption\">As ", loss->group->student, " has it.</p>\n");
    }
}

/* What to say in the next lecture: the groups by which the class loses most points. */
static void add_pictures(const ClassTally *tally, Text *out) {
    const Goals *goals = tally->goals_of;
    size_t count = 0, room = 0;
    for (uint32_t i = 0; i < goals->n_goals; i++) room += tally->goals[i].n_groups;
    for (uint32_t i = 0; i < goals->n_kernels; i++) room += tally->kernels[i].n_groups;
    FREED Loss *losses = alloc_zeroed(room + 1, sizeof *losses);
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        const Goal *goal = &goals->goals[i];
        for (size_t g = 0; goal->kind == GOAL_METRIC && g < tally->goals[i].n_groups; g++) {
            const TallyGroup *group = &tally->goals[i].groups[g];
            double lost = (double)group->count * (goal->points - worth(goal, strtod(group->text, NULL)));
            losses[count++] = (Loss){group, goal->name, goal->advice, lost, false};
        }
    }
    for (uint32_t i = 0; i < goals->n_kernels; i++) {
        for (size_t g = 0; g < tally->kernels[i].n_groups; g++) {
            const TallyGroup *group = &tally->kernels[i].groups[g];
            losses[count++] = (Loss){group, goals->kernels[i], NULL, (double)group->count * points_of_kernel(goals, i), true};
        }
    }
    qsort(losses, count, sizeof *losses, by_loss);
    text_add(out, "<h2>The commonest wrong pictures</h2>\n");
    if (!count || losses[0].lost <= 0) text_add(out, "<p>There are none.</p>\n");
    for (size_t i = 0; i < count && i < PICTURES_SHOWN && losses[i].lost > 0; i++) add_picture(&losses[i], out);
}

static void add_groups(const TallyGoal *goal, Text *out) {
    if (goal->n_groups > GROUPS_SHOWN && goal->groups[0].count == 1) {
        text_add(out, "all different");
        return;
    }
    for (size_t g = 0; g < goal->n_groups && g < GROUPS_SHOWN; g++) {
        text_add(out, "%s%zu × ", g ? ", " : "", goal->groups[g].count);
        html_add(out, goal->groups[g].text);
    }
    if (goal->n_groups > GROUPS_SHOWN) text_add(out, ", …");
}

static void add_goals(const ClassTally *tally, Text *out) {
    const Goals *goals = tally->goals_of;
    text_add(out, "<h2>Goal by goal</h2>\n<table>\n<thead><tr><th>Goal</th><th>Run</th><th class=\"number\">Met by</th><th "
                  "class=\"number\">"
                  "Points, mean</th><th class=\"number\">Full at</th><th>Commonest other values</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        const Goal *goal = &goals->goals[i];
        const TallyGoal *seen = &tally->goals[i];
        if (goal->points <= 0) continue;
        html_put(out, "<tr><td>", goal->kind == GOAL_CORRECT ? "correct" : goal->name, "</td><td>");
        html_add(out, goals->runs[goal->run].name);
        text_add(out, "</td><td class=\"number\">%zu of %zu</td><td class=\"number\">%.3g of %.3g</td><td class=\"number\">",
                 seen->met, seen->seen, tally_mean(tally, i), goal->points);
        if (goal->kind == GOAL_METRIC) text_add(out, "%.4g", goal->full);
        text_add(out, "</td><td>");
        if (goal->kind == GOAL_METRIC) add_groups(seen, out);
        text_add(out, "</td></tr>\n");
    }
    text_add(out, "</tbody>\n</table>\n<table>\n<thead><tr><th>Kernel</th><th class=\"number\">Right in</th><th>What is wrong "
                  "in the others"
                  "</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < goals->n_kernels; i++) {
        html_put(out, "<tr><td>", goals->kernels[i], "");
        text_add(out, "</td><td class=\"number\">%zu of %zu</td><td>", tally->kernels[i].met, tally->kernels[i].seen);
        add_groups(&tally->kernels[i], out);
        text_add(out, "</td></tr>\n");
    }
    text_add(out, "</tbody>\n</table>\n");
}

/* The learner whose variant it is; NULL: nobody in the class. */
static const char *owner_of(const Class *class, uint32_t variant) {
    const char *course = class->request.course;
    for (size_t i = 0; course && variant && i < class->submissions.count; i++)
        if (variant_of(course, class->submissions.items[i].student) == variant) return class->submissions.items[i].student;
    return NULL;
}

/* Whose predictions do not count: nobody else sees this page, so it names the other learner. */
static void add_foreign(const Class *class, const ClassTally *tally, Text *out) {
    size_t count = 0;
    for (size_t i = 0; i < tally->count; i++) {
        const TallyRow *row = &tally->rows[i];
        const char *owner = owner_of(class, row->variant);
        if (!row->is_foreign) continue;
        if (!count++) text_add(out, "<h2>Numbers of another variant</h2>\n<p>Their predictions do not count.</p>\n<ul>\n");
        html_put(out, "<li>", row->student, "");
        text_add(out, row->variant ? ": variant %u" : ": the book's numbers", row->variant);
        if (owner) text_add(out, ", which is that of ");
        if (owner) html_add(out, owner);
        text_add(out, "</li>\n");
    }
    if (count) text_add(out, "</ul>\n");
}

static void add_rows(const ClassTally *tally, bool on_gpu, Text *out) {
    text_add(out,
             "<h2 id=\"submissions\">Submissions</h2>\n<table>\n<thead><tr><th>Student</th><th "
             "class=\"number\">Points</th><th>Why not more</th>%s</tr>"
             "</thead>\n<tbody>\n",
             on_gpu ? "<th>On a GPU</th>" : "");
    for (size_t i = 0; i < tally->count; i++) {
        const TallyRow *row = &tally->rows[i];
        text_add(out, "<tr><td class=\"name\"><a href=\"results/%s/index.html\">", row->slug);
        html_put(out, "", row->student, "</a></td><td class=\"number\">");
        if (row->scored)
            text_add(out, "%.4g", row->score);
        else
            text_add(out, "not graded");
        text_add(out, "</td><td>%s", strcmp(row->status, "refused") == 0 ? "refused: " : "");
        html_add(out, row->reason);
        if (on_gpu) text_add(out, "</td><td>");
        if (on_gpu) html_add(out, row->measured);
        text_add(out, "</td></tr>\n");
    }
    text_add(out, "</tbody>\n</table>\n");
}

void page_of_class(const Class *class, const Gradebook *book, ClassTally *tally, Text *out) {
    const Goals *goals = class->request.lab->goals;
    for (uint32_t i = 0; i < goals->n_goals; i++) tally_sort(&tally->goals[i]);
    for (uint32_t i = 0; i < goals->n_kernels; i++) tally_sort(&tally->kernels[i]);
    begin(goals, "The class", "", out);
    text_add(out, "<p>%zu %s: %zu graded, %zu refused", book->count, book->count == 1 ? "submission" : "submissions",
             book->graded, book->refused);
    if (book->ungraded) text_add(out, ", %zu could not be graded", book->ungraded);
    if (book->unmeasured) text_add(out, ", %zu not measured", book->unmeasured);
    if (book->missing) text_add(out, ", %zu not graded yet", book->missing);
    text_add(out, ". Mean: %.4g of %.4g points. <a href=\"#submissions\">All of them</a></p>\n", book->mean * goals->points,
             goals->points);
    add_foreign(class, tally, out);
    add_histogram(tally, goals->points, out);
    add_pictures(tally, out);
    add_goals(tally, out);
    add_rows(tally, class->request.on_gpu, out);
    html_end(out);
}
