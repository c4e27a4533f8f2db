/* course.h: the labs of a teacher's file together: what each learner has in each lab, and in all. */
#pragma once

#include "class/class.h"
#include "class/teacher.h"

/* A learner's part in a lab. */
typedef struct CourseCell {
    bool there, scored;  /* something was handed in; it has points */
    double score, bonus; /* the lab's points; those for figures */
    unsigned days_late;
    double points; /* what counts: score and bonus, less what being late costs */
    double board;  /* the leaderboard's figure, where has_board */
    bool has_board;
    char *slug;
} CourseCell;

typedef struct CourseRow {
    char *student;
    CourseCell *cells; /* one a lab */
} CourseRow;

typedef struct Course {
    const Teacher *teacher;
    CourseRow *rows;
    size_t count;
} Course;

void course_begin(Course *course, const Teacher *teacher);
void course_end(Course *course);

/* Adds the results of a lab that class has graded. A submission was handed in when its file was last changed. */
void course_add(Course *course, size_t lab, const Class *class);

/* Writes OUT/gradebook.csv, OUT/index.html, and OUT/leaderboard.html where the file asks for one. False with a message.
 *
 * gradebook.csv: student, then for each lab its points, "05 days late" where there is a deadline, and the percentage of all: the mean over the labs of
 * points by full points, by weight; labs that nobody has handed in are left out. Empty: nothing handed in, which counts 0 in the percentage; or not graded, and then there is no percentage.
 * Learners are told apart by the names of their submissions, without .cu, .zip and the like. */
bool course_write(Course *course, const char *out, Diag *diag);
