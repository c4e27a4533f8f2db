#include "lab/history.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grade/scratch.h"
#include "suite.h"

static char path[PATH_MAX];

START_TEST(gradings_come_back_in_their_order)
{
    Diag diag = {0};
    HistoryEntry slow = {"05", 1763865600, false, 35.5, 1, "rows=35.5,8448,0,12.5;"}, anew = {"05", 1763865700, true, 0, 0, ""},
                 first = {"01", 1763865800, false, 0, 0, ""};
    ck_assert(history_add(path, &slow, &diag) && history_add(path, &anew, &diag) && history_add(path, &first, &diag));
    History history;
    ck_assert(history_read(&history, path, &diag));
    ck_assert_uint_eq(history.count, 3);
    const HistoryEntry *entry = history.entries;
    ck_assert_str_eq(entry[0].number, "05");
    ck_assert(entry[0].time == 1763865600 && entry[0].points == 35.5 && entry[0].hints == 1 && !entry[0].is_reset);
    ck_assert_str_eq(entry[0].seen, "rows=35.5,8448,0,12.5;");
    ck_assert(entry[1].is_reset && entry[1].time == 1763865700);
    ck_assert_str_eq(entry[2].number, "01");
    ck_assert_str_eq(entry[2].seen, "");
    history_free(&history);
}
END_TEST

START_TEST(lines_that_are_not_understood_are_passed_over)
{
    Diag diag = {0};
    FILE *file = fopen(path, "w");
    fputs("<<<<<<< HEAD\n05 12 -3 hints 0 seen \n05 12 nan hints 0 seen \n05 12\n05 12 70\n05 12 70 hints 2 seen x=1;\n05 13 "
          "reset more\n"
          "05 14 80 hints 0 seen",
          file); /* the last line has no end, as after a full disk */
    fclose(file);
    History history;
    ck_assert(history_read(&history, path, &diag));
    ck_assert_uint_eq(history.count, 2);
    ck_assert(history.entries[0].points == 70 && history.entries[0].hints == 2);
    ck_assert_str_eq(history.entries[0].seen, "x=1;");
    ck_assert(history.entries[1].points == 80);
    history_free(&history);
}
END_TEST

START_TEST(no_file_is_no_history)
{
    Diag diag = {0};
    History history;
    ck_assert(history_read(&history, "/tmp/there/is/none", &diag) && history.count == 0);
    history_free(&history);
    ck_assert(!history_read(&history, scratch_folder(), &diag) && diag.set);
    history_free(&history);
    diag = (Diag){0};
    ck_assert(!history_add("/tmp/there/is/none", &(HistoryEntry){.seen = ""}, &diag));
    ck_assert_str_eq(diag.file, "/tmp/there/is/none");
}
END_TEST

/* A closed standard input leaves descriptor 0 to the file. */
START_TEST(a_grading_is_kept_without_a_standard_input)
{
    Diag diag = {0};
    History history;
    const int input = dup(0);
    close(0);
    const bool good = history_add(path, &(HistoryEntry){"05", 7, false, 70, 0, "x=1;"}, &diag), left = fcntl(0, F_GETFD) >= 0;
    dup2(input, 0), close(input);
    ck_assert_msg(good && !left, "%s", left ? "the file is left open" : diag.message);
    ck_assert(history_read(&history, path, &diag) && history.count == 1 && history.entries[0].points == 70);
    history_free(&history);
}
END_TEST

static void begin(void) {
    scratch_begin();
    ck_assert_ptr_nonnull(scratch_folder());
    snprintf(path, sizeof path, "%s/progress.history", scratch_folder());
}

static void end(void) { scratch_end(); }

SUITE_WITH("history", begin, end, gradings_come_back_in_their_order, lines_that_are_not_understood_are_passed_over,
           no_file_is_no_history, a_grading_is_kept_without_a_standard_input)
