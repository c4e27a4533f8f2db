/* The page of a learner's progress (lab/learner_page.h), from labs, marks and a history that stand here. */
#include "lab/learner_page.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "suite.h"

static const char transpose[] =
    "LAB(\"05\", \"transpose\", \"Rows & columns\", 100) KERNEL(a) KERNEL(b) RUN(rows, a, \"8 x 8\")\n"
    "CORRECT(rows, 40) RUN(columns, b, \"9 < 10\") CORRECT(columns, 60)",
                  first[] = "LAB(\"01\", \"first\", \"The first\", 50) KERNEL(c) RUN(all, c, \"7\") CORRECT(all, 50)";

enum { LABS = 2, NOVEMBER_23 = 1763865600, DAY = 86400 };

static LearnerLab known[LABS];

static void begin(void) {
    const char *const facts[] = {transpose, first};
    setenv("TZ", "UTC", 1);
    for (int i = 0; i < LABS; i++) {
        Diag diag = {0};
        known[i] = (LearnerLab){.goals = goals_parse("", facts[i], "lab.goals", &diag)};
        ck_assert_msg(known[i].goals, "%s", diag.message);
    }
}

static void end(void) {
    for (int i = 0; i < LABS; i++) {
        goals_free((Goals *)known[i].goals);
        json_decref(known[i].before);
        json_decref(known[i].now);
    }
}

/* The page; the caller frees. */
static char *page_of_labs(HistoryEntry *entries, size_t count) {
    Text out = {0};
    learner_page(known, LABS, &(History){entries, count}, &out);
    char *page = strdup(text_string(&out));
    text_free(&out);
    return page;
}

static void holds(const char *page, const char *wanted) { ck_assert_msg(strstr(page, wanted), "no '%s'", wanted); }
static void lacks(const char *page, const char *unwanted) { ck_assert_msg(!strstr(page, unwanted), "'%s'", unwanted); }

static size_t count_of(const char *page, const char *what) {
    size_t count = 0;
    for (const char *at = page; (at = strstr(at, what)); at++) count++;
    return count;
}

/* 30 of lab 05, 50 of lab 01, 20 of lab 05, which is begun anew then and has 75 on the next day. */
static HistoryEntry gradings[] = {
    {"05", NOVEMBER_23, false, 30, 0, "rows=30,8448,64,12.5;columns=0,5,7,2;"},
    {"01", NOVEMBER_23 + 1, false, 50, 0, "all=wrong;"},
    {"05", NOVEMBER_23 + 2, false, 20, 0, "rows=20,1000,32,20;"},
    {"05", NOVEMBER_23 + 3, true, 0, 0, ""},
    {"05", NOVEMBER_23 + DAY, false, 75, 2, "rows=35,1056,128,8.25;"},
    {"05", NOVEMBER_23 + DAY, false, 60, 2, "rows=25,2000,96,11000;"},
};

START_TEST(each_lab_has_its_points_gradings_and_hints)
{
    known[0].mark = (LabMark){.number = "05", .is_graded = true, .best = 75, .last = 60, .hints = 2};
    char *page = page_of_labs(gradings, 6);
    holds(page, "<strong>75</strong> of 150 points, 0 of 2 labs solved</p>");
    holds(page, "<tr><td>05</td><td><a href=\"#lab05\">Rows &amp; columns</a></td><td class=\"bars\"><div class=\"share\">"
                "<div class=\"bar-of\" style=\"width: 75.0%\"></div></div></td><td class=\"number\">75 of 100</td>"
                "<td class=\"number\">2</td><td class=\"number\">2</td></tr>");
    holds(page, "<tr><td>01</td><td>The first</td><td class=\"bars\"><div class=\"share\">"
                "<div class=\"bar-of\" style=\"width: 0.0%\"></div></div></td><td class=\"number\">0 of 50</td>"
                "<td class=\"number\">1</td><td class=\"number\">0</td></tr>");
    holds(page, "<h2 id=\"lab05\">Lab 05, Rows &amp; columns</h2>");
    lacks(page, "id=\"lab01\"");
    free(page);
    known[1].mark = (LabMark){.number = "01", .is_graded = true, .best = 50, .last = 50};
    known[0].mark.best = 99.5;
    page = page_of_labs(gradings, 6);
    holds(page, "<strong>149.5</strong> of 150 points, 1 of 2 labs solved</p>");
    holds(page, "style=\"width: 99.5%\"");
    holds(page, "id=\"lab01\"");
    free(page);
    known[0].mark.best = 0.5, known[1].mark.best = 60; /* of an older book, in which the lab had more */
    page = page_of_labs(gradings, 6);
    holds(page, "id=\"lab05\"");
    holds(page, "style=\"width: 0.5%\"");
    holds(page, "style=\"width: 100.0%\"");
    free(page);
}
END_TEST

/* 808 columns from 44 on for five gradings: 202 each. 188 rows from 8 on for 150 points: of 30 points 1 - 30 / 150 = 0.8 of them, 158.4; of
 * 80 points 0.4667, 95.7; of 50 points 0.6667, 133.3; of 125 points 0.1667, 39.3. */
START_TEST(points_over_time_are_the_best_of_all_labs_together)
{
    char *page = page_of_labs(gradings, 5);
    holds(page, "viewBox=\"0 0 860 220\" role=\"img\" aria-label=\"Points after each of 5 gradings\">");
    holds(page, "<path class=\"grid\" d=\"M44 196.0H860\"/><text x=\"38\" y=\"200.0\" text-anchor=\"end\">0</text>");
    holds(page, "<path class=\"grid\" d=\"M44 133.3H860\"/><text x=\"38\" y=\"137.3\" text-anchor=\"end\">50</text>");
    holds(page, "<path class=\"grid\" d=\"M44 70.7H860\"/><text x=\"38\" y=\"74.7\" text-anchor=\"end\">100</text>");
    holds(page, "<path class=\"grid\" d=\"M44 8.0H860\"/><text x=\"38\" y=\"12.0\" text-anchor=\"end\">150</text>");
    ck_assert_uint_eq(count_of(page, "class=\"grid\""), 4);
    holds(page, "<circle cx=\"44.0\" cy=\"158.4\" r=\"2.5\"><title>23 Nov, lab 05: 30 points; 30 in all</title></circle>");
    holds(page, "<circle cx=\"246.0\" cy=\"95.7\" r=\"2.5\"><title>23 Nov, lab 01: 50 points; 80 in all</title></circle>");
    holds(page, "<circle cx=\"448.0\" cy=\"95.7\" r=\"2.5\"><title>23 Nov, lab 05: 20 points; 80 in all</title></circle>");
    holds(page,
          "<circle cx=\"650.0\" cy=\"133.3\" r=\"2.5\" class=\"reset\"><title>23 Nov, lab 05: begun anew; 50 in all</title>");
    holds(page, "<circle cx=\"852.0\" cy=\"39.3\" r=\"2.5\"><title>24 Nov, lab 05: 75 points; 125 in all</title></circle>");
    holds(page, "<path class=\"line\" d=\"M44.0 158.4H246.0V95.7H448.0V95.7H650.0V133.3H852.0V39.3\"/>");
    holds(page, "<text x=\"44.0\" y=\"214\">23 Nov</text>");
    holds(page, "<p class=\"caption\">The best points of all labs together after each grading, in order.</p>\n");
    ck_assert_uint_eq(count_of(page, " Nov</text>"), 1); /* for the second there is no room at the right end */
    free(page);
}
END_TEST

START_TEST(a_chart_takes_two_gradings)
{
    char *page = page_of_labs(gradings, 1);
    lacks(page, "<svg");
    free(page);
    page = page_of_labs(gradings, 2);
    holds(page, "d=\"M44.0 158.4H852.0V95.7\"");
    free(page);
    ((Goals *)known[0].goals)->points = 0.25, ((Goals *)known[1].goals)->points = 0.5;
    page = page_of_labs(gradings, 2);
    holds(page, "<svg");
    free(page);
    ((Goals *)known[0].goals)->points = ((Goals *)known[1].goals)->points = 0;
    page = page_of_labs(gradings, 2);
    lacks(page, "<svg");
    free(page);
}
END_TEST

/* Of 12 gradings, a day each, one is 808 / 11 = 73 columns from the next: all days are named but the last, at the right end. Of 13 it is
 * 808 / 12 = 67, less than a name takes: every other one. */
START_TEST(days_are_named_where_there_is_room)
{
    HistoryEntry entries[13];
    for (int i = 0; i < 13; i++) entries[i] = (HistoryEntry){"05", NOVEMBER_23 - i * DAY, false, 10, 0, ""};
    char *page = page_of_labs(entries, 12);
    ck_assert_uint_eq(count_of(page, " Nov</text>"), 11);
    free(page);
    page = page_of_labs(entries, 13);
    ck_assert_uint_eq(count_of(page, " Nov</text>"), 6);
    free(page);
}
END_TEST

#define ROW                                                                                                  \
    "<tr><td>8 x 8</td><td class=\"number\">%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td>" \
    "<td class=\"number\">%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td></tr>\n"

static void has_row(const char *page, const char *const cells[6]) {
    Text wanted = {0};
    text_add(&wanted, ROW, cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]);
    holds(page, text_string(&wanted));
    text_free(&wanted);
}

/* The first of all gradings, and of each number the least since the lab was begun: what was better before does not count. */
START_TEST(a_run_has_its_first_counts_and_its_best)
{
    known[0].mark = (LabMark){.number = "05", .is_graded = true, .best = 75};
    char *page = page_of_labs(gradings, 6);
    has_row(page, (const char *const[]){"8448", "1056", "64", "96", "12.5 us", "8.2 us"});
    holds(page, "<tr><td>9 &lt; 10</td><td class=\"number\">5</td><td class=\"number\">5</td>");
    free(page);
    page = page_of_labs(gradings, 3); /* never begun anew */
    has_row(page, (const char *const[]){"8448", "1000", "64", "32", "12.5 us", "12.5 us"});
    free(page);
    page = page_of_labs(gradings + 4, 2);
    has_row(page, (const char *const[]){"1056", "1056", "128", "96", "8.2 us", "8.2 us"});
    free(page);
    page = page_of_labs(gradings + 1, 1); /* lab 01 alone, which was wrong */
    lacks(page, "Bank conflicts");
    free(page);
}
END_TEST

/* Of the run with most points that has one, the costliest access: of the same kind in the file as it is now, or what is costliest there. */
START_TEST(maps_show_one_access_before_and_now)
{
    known[0].mark = (LabMark){.number = "05", .is_graded = true, .best = 75};
    known[0].before =
        json_loads("{\"runs\":[{\"name\":\"rows\",\"figures\":[{\"access\":\"global load\",\"svg\":\"R\"}]},"
                   "{\"name\":\"columns\",\"figures\":[{\"access\":\"global store\",\"svg\":\"<a b='%1' c=\\\"#\\\">{}"
                   "&\\n\\u00e9\"},{\"access\":\"shared load\",\"svg\":\"no\"}]}]}",
                   0, NULL);
    known[0].now =
        json_loads("{\"runs\":[{\"name\":\"rows\",\"figures\":[{\"access\":\"global store\",\"svg\":\"not this run\"}]},"
                   "{\"name\":\"columns\",\"figures\":[{\"access\":\"shared load\",\"svg\":\"S\"},"
                   "{\"access\":\"global store\",\"svg\":\"G\"}]}]}",
                   0, NULL);
    char *page = page_of_labs(gradings, 6);
    holds(page,
          "<div class=\"maps\">\n<figure><img alt=\"Before\" "
          "src=\"data:image/svg+xml,%3Ca b=%27%251%27 c=%22%23%22%3E%7B%7D%26%0A%C3%A9\">"
          "<figcaption class=\"caption\">Before: 9 &lt; 10</figcaption></figure>\n"
          "<figure><img alt=\"Now\" src=\"data:image/svg+xml,G\"><figcaption class=\"caption\">Now: 9 &lt; 10</figcaption>"
          "</figure>\n</div>\n");
    ck_assert_uint_eq(count_of(page, "<img"), 2);
    free(page);
    json_object_del(json_array_get(json_object_get(json_array_get(json_object_get(known[0].now, "runs"), 1), "figures"), 1),
                    "access");
    page = page_of_labs(gradings, 6);
    holds(page, "src=\"data:image/svg+xml,S\"");
    free(page);
    json_decref(known[0].now);
    known[0].now = NULL;
    page = page_of_labs(gradings, 6);
    ck_assert_uint_eq(count_of(page, "<img"), 1);
    free(page);
    for (uint32_t g = 0; g < known[0].goals->n_goals; g++) ((Goals *)known[0].goals)->goals[g].points = 50;
    page = page_of_labs(gradings, 6); /* of equals the first */
    holds(page, "src=\"data:image/svg+xml,R\"");
    free(page);
    json_array_remove(json_object_get(known[0].before, "runs"), 1);
    page = page_of_labs(gradings, 6);
    holds(page, "src=\"data:image/svg+xml,R\"");
    free(page);
    json_array_remove(json_object_get(known[0].before, "runs"), 0);
    page = page_of_labs(gradings, 6);
    lacks(page, "<div class=\"maps\">");
    free(page);
}
END_TEST

SUITE_WITH("learner_page", begin, end, each_lab_has_its_points_gradings_and_hints,
           points_over_time_are_the_best_of_all_labs_together, a_chart_takes_two_gradings, days_are_named_where_there_is_room,
           a_run_has_its_first_counts_and_its_best, maps_show_one_access_before_and_now)
