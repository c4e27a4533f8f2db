/* The teacher's file: what it holds, and where it is wrong. Positions are counted by hand. */
#include "class/teacher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static Catalogue catalogue;

static void read_catalogue(void) {
    Diag diag = {0};
    if (!catalogue_read(&catalogue, ".", &diag)) abort();
}

static void free_catalogue(void) { catalogue_free(&catalogue); }

static bool parse(Teacher *teacher, const char *text, Diag *diag) {
    *diag = (Diag){0};
    return teacher_parse(teacher, &catalogue, text, strlen(text), "course/class.yaml", diag);
}

START_TEST(least_that_is_needed)
{
    Teacher teacher;
    Diag diag;
    ck_assert(parse(&teacher, "labs:\n  - lab: 05\n", &diag));
    ck_assert_uint_eq(teacher.n_labs, 1);
    ck_assert_str_eq(teacher.labs[0].lab->folder, "05-transpose");
    ck_assert_str_eq(teacher.labs[0].folder, "05");
    ck_assert_double_eq(teacher.labs[0].weight, 1);
    ck_assert_double_eq(teacher.labs[0].late, 0);
    ck_assert_int_eq(teacher.labs[0].deadline, 0);
    ck_assert_uint_eq(teacher.labs[0].draws, 1);
    ck_assert_str_eq(teacher.title, "");
    ck_assert_ptr_null(teacher.secret);
    ck_assert_ptr_null(teacher.course);
    ck_assert_ptr_null(teacher.board);
    teacher_free(&teacher);
}
END_TEST

/* So many took over half a minute. */
START_TEST(brackets_without_end)
{
    enum { DEEP = 100000 };
    static const char *const openings[] = {"[", "{a: ", "[{"};
    for (size_t kind = 0; kind < 3; kind++) {
        Teacher teacher;
        Diag diag;
        LOCAL_TEXT text = text_from("labs:\n  ");
        for (size_t i = 0; i < DEEP; i++) text_add(&text, "%s", openings[kind]);
        ck_assert(!parse(&teacher, text_string(&text), &diag));
        ck_assert_str_eq(diag.message, "brackets stand too deeply within each other");
        ck_assert_uint_eq(diag.line, 2);
        ck_assert_uint_eq(diag.column, 3 + 1000 / (kind == 2 ? 2 : 1) * strlen(openings[kind]));
        teacher_free(&teacher);
    }
}
END_TEST

START_TEST(all_that_there_is)
{
    Teacher teacher;
    Diag diag;
    ck_assert(parse(&teacher,
                    "title: GPU programming\nsecret: key\nvariants: autumn 26\nlabs:\n"
                    "  - {lab: transpose, folder: five, weight: 2.5, deadline: 2026-11-20 23:59 +01:00, late: 10, draws: 3}\n"
                    "  - lab: 9\n    figures:\n      - {figure: floats_figure, none: 0.9, full: 1.0, points: 10}\n"
                    "leaderboard: {lab: 09, figure: bytes_figure, names: {anna: Ada, bob: \"B: x\"}}\n",
                    &diag));
    ck_assert_str_eq(teacher.title, "GPU programming");
    ck_assert_str_eq(teacher.secret, "course/key");
    ck_assert_str_eq(teacher.course, "autumn 26");
    ck_assert_uint_eq(teacher.n_labs, 2);
    ck_assert_str_eq(teacher.labs[0].folder, "five");
    ck_assert_double_eq(teacher.labs[0].weight, 2.5);
    ck_assert_double_eq(teacher.labs[0].late, 10);
    ck_assert_int_eq(teacher.labs[0].deadline, 1795215540); /* date -u -d '2026-11-20 22:59' +%s, by GNU date */
    ck_assert_uint_eq(teacher.labs[0].draws, 3);
    const TeacherLab *capstone = &teacher.labs[1];
    ck_assert_uint_eq(capstone->n_figures, 1);
    ck_assert_str_eq(capstone->lab->goals->goals[capstone->figures[0].goal].name, "floats_figure");
    ck_assert_double_eq(capstone->figures[0].none, 0.9);
    ck_assert_double_eq(capstone->figures[0].full, 1.0);
    ck_assert_double_eq(capstone->figures[0].points, 10);
    ck_assert_ptr_eq(teacher.board, capstone);
    ck_assert_str_eq(capstone->lab->goals->goals[teacher.board_goal].name, "bytes_figure");
    ck_assert_uint_eq(teacher.n_aliases, 2);
    ck_assert_str_eq(teacher.aliases[1].student, "bob");
    ck_assert_str_eq(teacher.aliases[1].name, "B: x");
    teacher_free(&teacher);
}
END_TEST

static const struct {
    const char *deadline;
    int64_t seconds;
} deadlines[] = {{"1970-01-01 00:00 Z", 0}, {"1970-01-02T00:00Z", 86400}, {"2000-03-01 00:00 -05:30", 951888600}};

START_TEST(deadline_has_a_zone)
{
    Teacher teacher;
    Diag diag;
    char text[100];
    snprintf(text, sizeof text, "labs: [{lab: 05, deadline: '%s'}]", deadlines[_i].deadline);
    ck_assert(parse(&teacher, text, &diag));
    ck_assert_int_eq(teacher.labs[0].deadline, deadlines[_i].seconds);
    teacher_free(&teacher);
}
END_TEST

static const struct {
    const char *text;
    unsigned line, column;
    const char *message;
} wrongs[] = {
    {"", 1, 1, "the file is empty"},
    {"labs: [", 2, 1, "this is no YAML"}, /* libyaml's place: behind the last line */
    {"labs: [{lab: 05}]\n---\nlabs: 1\n", 3, 1, "a second document"},
    {"- labs", 1, 1, "no mapping (key: value) of a course"},
    {"title: x", 1, 1, "what is missing here is labs"},
    {"lab: 5", 1, 1, "there is no key lab"},
    {"labs: []", 1, 7, "no list (- …) of labs"},
    {"labs: 5", 1, 7, "no list (- …) of labs"},
    {"labs:\n  - weight: 1\n", 2, 5, "what is missing here is lab"},
    {"labs: [{lab: 77}]", 1, 14, "there is no lab '77'"},
    {"labs: [{lab: 05, lab: 06}]", 1, 18, "for the second time: lab"},
    {"labs: [{lab: 05}, {lab: transpose}]", 1, 19, "for the second time: lab 05"},
    {"labs: [{lab: 05, weigth: 2}]", 1, 18, "there is no key weigth"},
    {"labs: [{lab: 05, weight: -1}]", 1, 26, "-1 is no number that may stand here"},
    {"labs: [{lab: 05, weight: nan}]", 1, 26, "nan is no number that may stand here"},
    {"labs: [{lab: 05, weight: [1]}]", 1, 26, "a list or a mapping, where there should be weight"},
    {"labs: [{lab: 05, weight: }]", 1, 26, "nothing stands where there should be weight"},
    {"labs: [{lab: 05, draws: 1.5}]", 1, 25, "draws: a whole number"},
    {"labs: [{lab: 05, draws: 0}]", 1, 25, "0 is no number that may stand here"},
    {"labs: [{lab: 05, late: 10}]", 1, 8, "late is of no use without a deadline"},
    {"labs: [{lab: 05, deadline: 2026-11-20}]", 1, 28, "no deadline: 2026-11-20"},
    {"labs: [{lab: 05, deadline: 2026-11-20 23:59}]", 1, 28, "no deadline: "},
    {"labs: [{lab: 05, deadline: 2026-13-20 23:59 Z}]", 1, 28, "no deadline: "},
    {"labs: [{lab: 05, folder: ../x}]", 1, 26, "a folder beneath DIR, unlike ../x"},
    {"labs: [{lab: 05, folder: /x}]", 1, 26, "a folder beneath DIR, unlike /x"},
    {"labs: [{lab: 05, folder: \"a\\0b\"}]", 1, 26, "a NUL byte in a folder"},
    {"labs: [{lab: 05, figures: 1}]", 1, 27, "no list (- …) of figures"},
    {"labs: [{lab: 05, figures: [{figure: x, none: 0, full: 1, points: 1}]}]", 1, 37, "the lab has no figure x"},
    {"labs: [{lab: 09, figures: [{figure: floats_figure, none: 1, full: 1, points: 1}]}]", 1, 28,
     "full points must be for more"},
    {"labs: [{lab: 09, figures: [{figure: floats_figure, none: 1}]}]", 1, 28, "what is missing here is full"},
    {"labs: [{lab: 05}]\nleaderboard: 1\n", 2, 14, "no mapping (key: value) of a leaderboard"},
    {"labs: [{lab: 05}]\nleaderboard: {lab: 09, figure: x, names: {}}\n", 2, 20, "this course does not have lab 09"},
    {"labs: [{lab: 09}]\nleaderboard: {lab: 09, figure: x, names: {}}\n", 2, 32, "the lab has no figure x"},
    {"labs: [{lab: 09}]\nleaderboard: {lab: 09, figure: floats_figure, names: [a]}\n", 2, 54, "no mapping of names"},
    {"labs: &a [*a]", 1, 7, "no mapping (key: value) of a lab"}, /* a list that holds itself */
};

START_TEST(what_is_wrong_and_where)
{
    Teacher teacher;
    Diag diag;
    ck_assert(!parse(&teacher, wrongs[_i].text, &diag));
    ck_assert_msg(strstr(diag.message, wrongs[_i].message), "'%s': says '%s'", wrongs[_i].text, diag.message);
    ck_assert_msg(diag.line == wrongs[_i].line && diag.column == wrongs[_i].column, "'%s': at %u:%u", wrongs[_i].text,
                  diag.line, diag.column);
    ck_assert_str_eq(diag.file, "course/class.yaml");
    teacher_free(&teacher);
}
END_TEST

SUITE_ONCE("teacher", read_catalogue, free_catalogue, least_that_is_needed, all_that_there_is, brackets_without_end,
           REPEATED(sizeof deadlines / sizeof *deadlines, deadline_has_a_zone),
           REPEATED(sizeof wrongs / sizeof *wrongs, what_is_wrong_and_where))
