/* teacher.h: the teacher's file: which labs a course has, what each is worth, until when it may be handed in. YAML:
 *
 *     title: GPU programming, autumn 2026
 *     secret: secret                       # 16 bytes or more, beside this file; else results/state/secret
 *     variants: autumn-2026                # learners have variants of the exercises (lab/variants.h), which follow from this word and their names;
 *                                          # without it all have the book's
 *     labs:
 *       - lab: 05
 *         folder: transpose                # of the submissions, beneath DIR; the lab's number, if it is left out
 *         weight: 2                        # 1
 *         deadline: 2026-11-20 23:59 +01:00
 *         late: 10                         # percent of the points lost for each day begun; 100: nothing counts any more
 *         draws: 3                         # graded with so many draws of shapes and data; the least counts (1)
 *         figures:                         # points for open-ended goals, beyond those of the lab
 *           - {figure: floats_figure, none: 0.9, full: 1.0, points: 10}
 *     leaderboard:
 *       lab: 09
 *       figure: floats_figure
 *       names: {anna: Ada, bob: The Transposer}   # who is on it, and by which name
 *
 * Only `labs`, and in each `lab`, must be there. What is not known is refused, with its line and column. */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "lab/catalogue.h"

typedef struct TeacherFigure {
    uint32_t goal; /* of the lab: a GOAL_FIGURE */
    double none, full, points;
} TeacherFigure;

typedef struct TeacherLab {
    const CatalogueEntry *lab;
    const char *folder;
    double weight, late; /* late: percent a day */
    int64_t deadline;    /* seconds since 1970; 0: none */
    unsigned draws;
    TeacherFigure *figures;
    size_t n_figures;
} TeacherLab;

typedef struct ChosenName {
    const char *student, *name;
} ChosenName;

typedef struct Teacher {
    Arena *arena;
    const char *title;  /* "" */
    const char *secret; /* NULL: none is named; as a path: beside the file */
    const char *course; /* the word of `variants`; NULL: there are none */
    TeacherLab *labs;
    size_t n_labs;
    const TeacherLab *board; /* NULL: no leaderboard */
    uint32_t board_goal;
    ChosenName *aliases;
    size_t n_aliases;
} Teacher;

/* text: `length` bytes; path: for messages and for what lies beside it. False with line and column. teacher_free in any case. */
bool teacher_parse(Teacher *teacher, const Catalogue *catalogue, const char *text, size_t length, const char *path, Diag *diag);
bool teacher_read(Teacher *teacher, const Catalogue *catalogue, const char *path, Diag *diag);
void teacher_free(Teacher *teacher);
