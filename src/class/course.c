#include "class/course.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "class/out.h"
#include "class/pages.h"
#include "report/csv.h"
#include "report/html.h"

enum { DAY_SECONDS = 86400 };

void course_begin(Course *course, const Teacher *teacher) { *course = (Course){.teacher = teacher}; }

void course_end(Course *course) {
    for (size_t i = 0; i < course->count; i++) {
        for (size_t lab = 0; lab < course->teacher->n_labs; lab++) free(course->rows[i].cells[lab].slug);
        free(course->rows[i].cells);
        free(course->rows[i].student);
    }
    free(course->rows);
}

static CourseCell *cell_of(Course *course, const char *student, size_t lab) {
    for (size_t i = 0; i < course->count; i++)
        if (strcmp(course->rows[i].student, student) == 0) return &course->rows[i].cells[lab];
    CourseRow *row = &ALLOC_ADD(course->rows, course->count);
    *row = (CourseRow){.student = alloc_copy(student), .cells = alloc_zeroed(course->teacher->n_labs, sizeof(CourseCell))};
    return &row->cells[lab];
}

static unsigned days_late(const TeacherLab *lab, const Class *class, const Submission *submission) {
    struct stat status;
    bool known = submission->path && fstatat(class->folder, submission->path, &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (!lab->deadline || !known || status.st_mtime <= lab->deadline) return 0;
    return (unsigned)((status.st_mtime - lab->deadline + DAY_SECONDS - 1) / DAY_SECONDS);
}

static double worth_of(const TeacherFigure *figure, double value) {
    double share = (value - figure->none) / (figure->full - figure->none);
    return figure->points * fmin(1, fmax(0, share));
}

/* The figure's value in a result, where its run was not spoilt by a wrong kernel or a broken limit, and missed no goal. */
static const json_t *figure_value(const json_t *result, uint32_t goal) {
    return json_object_get(json_array_get(json_object_get(json_object_get(result, "result"), "goals"), goal), "value");
}

static void fill(CourseCell *cell, const Teacher *teacher, const TeacherLab *lab, const json_t *result) {
    const json_t *score = json_object_get(result, "score");
    cell->scored = score;
    cell->score = json_number_value(score);
    for (size_t i = 0; i < lab->n_figures; i++) {
        const json_t *value = figure_value(result, lab->figures[i].goal);
        if (value) cell->bonus += worth_of(&lab->figures[i], json_number_value(value));
    }
    const json_t *board = teacher->board == lab ? figure_value(result, teacher->board_goal) : NULL;
    cell->has_board = board;
    cell->board = json_number_value(board);
    cell->points = (cell->score + cell->bonus) * fmax(0, 1 - lab->late / 100 * cell->days_late);
}

void course_add(Course *course, size_t index, const Class *class) {
    const TeacherLab *lab = &course->teacher->labs[index];
    for (size_t i = 0; i < class->submissions.count; i++) {
        const Submission *submission = &class->submissions.items[i];
        json_auto_t *result = class_result(class, submission);
        CourseCell cell = {.there = true, .days_late = days_late(lab, class, submission)}, *into;
        if (result) fill(&cell, course->teacher, lab, result);
        into = cell_of(course, submission->student, index);
        /* anna.cu and anna.zip are both anna's: the better one counts */
        if (into->there && (!cell.scored || (into->scored && into->points >= cell.points))) continue;
        free(into->slug);
        *into = cell;
        into->slug = alloc_copy(submission->slug);
    }
}

/* --- tables ----------------------------------------------------------------------------------------------------------------- */

static bool has_begun(const Course *course, size_t lab) {
    for (size_t i = 0; i < course->count; i++)
        if (course->rows[i].cells[lab].there) return true;
    return false;
}

/* Over the labs that anybody has handed in. False where something could not be graded. */
static bool percentage(const Course *course, const CourseRow *row, double *percent) {
    const Teacher *teacher = course->teacher;
    double sum = 0, weights = 0;
    for (size_t lab = 0; lab < teacher->n_labs; lab++) {
        const CourseCell *cell = &row->cells[lab];
        if (!has_begun(course, lab)) continue;
        if (cell->there && !cell->scored) return false;
        sum += teacher->labs[lab].weight * cell->points / teacher->labs[lab].lab->goals->points;
        weights += teacher->labs[lab].weight;
    }
    *percent = weights > 0 ? 100 * sum / weights : 0;
    return true;
}

static void add_csv(const Course *course, Text *out) {
    const Teacher *teacher = course->teacher;
    text_add(out, "student");
    for (size_t lab = 0; lab < teacher->n_labs; lab++) {
        text_add(out, ",%s", teacher->labs[lab].lab->goals->number);
        if (teacher->labs[lab].deadline) text_add(out, ",%s days late", teacher->labs[lab].lab->goals->number);
    }
    text_add(out, ",percent\r\n");
    for (size_t i = 0; i < course->count; i++) {
        const CourseRow *row = &course->rows[i];
        double percent;
        csv_cell(out, row->student);
        for (size_t lab = 0; lab < teacher->n_labs; lab++) {
            const CourseCell *cell = &row->cells[lab];
            text_add(out, ",");
            if (cell->scored) text_add(out, "%.10g", cell->points);
            if (teacher->labs[lab].deadline) text_add(out, ",");
            if (teacher->labs[lab].deadline && cell->there) text_add(out, "%u", cell->days_late);
        }
        text_add(out, ",");
        if (percentage(course, row, &percent)) text_add(out, "%.4g", percent);
        text_add(out, "\r\n");
    }
}

static void add_cell(const TeacherLab *lab, const CourseCell *cell, Text *out) {
    text_add(out, "<td class=\"number\">");
    if (cell->there) text_add(out, "<a href=\"%s/results/%s/index.html\">", lab->lab->goals->number, cell->slug);
    if (cell->there && !cell->scored) text_add(out, "not graded");
    if (cell->scored) text_add(out, "%.4g", cell->points);
    if (cell->there) text_add(out, "</a>");
    if (cell->days_late) text_add(out, "<br>%u %s late", cell->days_late, cell->days_late == 1 ? "day" : "days");
    text_add(out, "</td>");
}

static void add_page(const Course *course, Text *out) {
    const Teacher *teacher = course->teacher;
    page_begin(*teacher->title ? teacher->title : "The course", "The course", "", out);
    if (teacher->board) text_add(out, "<p><a href=\"leaderboard.html\">Leaderboard</a></p>\n");
    text_add(out, "<table>\n<thead><tr><th>Student</th>");
    for (size_t lab = 0; lab < teacher->n_labs; lab++) {
        const Goals *goals = teacher->labs[lab].lab->goals;
        text_add(out, "<th class=\"number\"><a href=\"%s/index.html\">Lab %s</a><br>of %g</th>", goals->number, goals->number,
                 goals->points);
    }
    text_add(out, "<th class=\"number\">Percent</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < course->count; i++) {
        double percent;
        html_put(out, "<tr><td class=\"name\">", course->rows[i].student, "</td>");
        for (size_t lab = 0; lab < teacher->n_labs; lab++) add_cell(&teacher->labs[lab], &course->rows[i].cells[lab], out);
        text_add(out, "<td class=\"number\">");
        if (percentage(course, &course->rows[i], &percent)) text_add(out, "%.4g", percent);
        text_add(out, "</td></tr>\n");
    }
    text_add(out, "</tbody>\n</table>\n");
    html_end(out);
}

/* --- the leaderboard ---------------------------------------------------------------------------------------------------------- */

typedef struct BoardPlace {
    const char *name;
    double value;
} BoardPlace;

static int by_value(const void *a, const void *b) {
    const BoardPlace *left = a, *right = b;
    if (left->value != right->value) return left->value < right->value ? 1 : -1;
    return strcmp(left->name, right->name);
}

/* Those who chose a name, and nobody else. */
static void add_board(const Course *course, Text *out) {
    const Teacher *teacher = course->teacher;
    const Goals *goals = teacher->board->lab->goals;
    const Goal *figure = &goals->goals[teacher->board_goal];
    size_t index = (size_t)(teacher->board - teacher->labs), count = 0;
    FREED BoardPlace *places = alloc_zeroed(teacher->n_aliases + 1, sizeof *places);
    for (size_t a = 0; a < teacher->n_aliases; a++)
        for (size_t i = 0; i < course->count; i++)
            if (strcmp(course->rows[i].student, teacher->aliases[a].student) == 0 && course->rows[i].cells[index].has_board)
                places[count++] = (BoardPlace){teacher->aliases[a].name, course->rows[i].cells[index].board};
    places[count++] = (BoardPlace){"the book's solution", figure->full};
    qsort(places, count, sizeof *places, by_value);
    page_begin("Leaderboard", *teacher->title ? teacher->title : "The course", "", out);
    text_add(out, "<p>Lab %s, ", goals->number);
    html_add(out, figure->name);
    html_put(out, ": ", figure->advice,
             "</p>\n<table>\n<thead><tr><th class=\"number\">BoardPlace</th><th>Name</th><th "
             "class=\"number\">Figure</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < count; i++) {
        size_t place = i;
        while (place && places[place - 1].value == places[i].value) place--;
        text_add(out, "<tr><td class=\"number\">%zu</td><td>", place + 1);
        html_add(out, places[i].name);
        text_add(out, "</td><td class=\"number\">%.4g</td></tr>\n", places[i].value);
    }
    text_add(out, "</tbody>\n</table>\n");
    html_end(out);
}

static int by_student(const void *a, const void *b) {
    return strcmp(((const CourseRow *)a)->student, ((const CourseRow *)b)->student);
}

static bool put(const Out *out, const char *name, const Text *text, Diag *diag) {
    return out_put(out, name, text_string(text), text->length, diag);
}

bool course_write(Course *course, const char *out, Diag *diag) {
    LOCAL_TEXT csv = {0}, page = {0}, board = {0};
    if (course->count) qsort(course->rows, course->count, sizeof *course->rows, by_student);
    add_csv(course, &csv);
    add_page(course, &page);
    if (course->teacher->board) add_board(course, &board);
    Out to;
    bool good = out_open(&to, out, NULL, diag) && put(&to, "gradebook.csv", &csv, diag) &&
                put(&to, "index.html", &page, diag) && page_put_style(&to, diag);
    good = good && (!course->teacher->board || put(&to, "leaderboard.html", &board, diag));
    out_close(&to);
    return good;
}
