/* What is taken of what was handed in, also where it changes between being found and being taken: a class looks at all names first. */
#include "class/submissions.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

static char folder[SUITE_FOLDER], *back; /* others may write in it; and where we were */
static int at;

static void put(const char *name, mode_t mode) {
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fputs("x", file);
    ck_assert_int_eq(fclose(file) + chmod(name, mode), 0);
}

static void begin(void) {
    suite_folder(folder);
    back = getcwd(NULL, 0);
    ck_assert_int_eq(chdir(folder), 0);
    put("private", 0600);
    ck_assert_int_eq(mkdir("in", 0700) + chmod("in", 01777), 0);
    at = open("in", O_RDONLY | O_DIRECTORY);
    ck_assert_int_ge(at, 0);
}

static void end(void) {
    close(at);
    ck_assert_int_eq(chdir(back), 0);
    free(back);
}

/* What the name is when it is found and when it is taken; whose fault it is that it is not, and the reason. */
static const struct {
    const char *name, *found, *taken;
    bool is_taken, refused;
    const char *why;
} rows[] = {
    {"kernel.cu", "file", "file", true, false, NULL},
    {"notes", "file", "file", true, false, NULL},
    {"kernel.cu", "hard", "hard", false, true, "may not all read it"},
    {"notes", "hard", "hard", false, true, "may not all read it"},
    {"kernel.cu", "file", "hard", false, true, "may not all read it"},
    {"notes", "file", "hard", false, true, "may not all read it"},
    {"kernel.cu", "link", "link", false, true, "it is a link"},
    {"kernel.cu", "file", "link", false, true, "it is a link"},
    {"kernel.cu", "file", "pipe", false, true, "it is no regular file"},
    {"kernel.cu", "file", "folder", false, true, "it is no regular file"},
    {"kernel.cu", "file", "gone", false, false, "No such file"},
    {"kernel.cu", "gone", "gone", false, false, "it was gone"}, /* as it is where an upload replaces it just then */
    {"kernel.cu", "gone", "file", false, false, "it was gone"},
};

static void make(const char *name, const char *kind) {
    char path[40];
    snprintf(path, sizeof path, "in/%s", name);
    unlink(path);
    if (strcmp(kind, "file") == 0) put(path, 0644);
    if (strcmp(kind, "hard") == 0) ck_assert_int_eq(link("private", path), 0);
    if (strcmp(kind, "link") == 0) ck_assert_int_eq(symlink("../private", path), 0);
    if (strcmp(kind, "pipe") == 0) ck_assert_int_eq(mkfifo(path, 0644), 0);
    if (strcmp(kind, "folder") == 0) ck_assert_int_eq(mkdir(path, 0755), 0);
}

START_TEST(what_is_no_file_to_take_is_refused_whenever_it_became_so)
{
    Submission submission;
    Text bytes = {0};
    Diag why = {0};
    bool refused;
    make(rows[_i].name, rows[_i].found);
    submission_find(&submission, at, rows[_i].name);
    make(rows[_i].name, rows[_i].taken);
    ck_assert_int_eq(submission_take(&submission, at, &bytes, &refused, &why), rows[_i].is_taken);
    ck_assert_int_eq(refused, rows[_i].refused);
    if (rows[_i].why) ck_assert_msg(strstr(why.message, rows[_i].why) != NULL, "%s", why.message);
    submission_free(&submission);
    text_free(&bytes);
}
END_TEST

/* A long name's slug is cut: whoever is called so has another. */
START_TEST(no_two_names_have_one_slug)
{
    char name[240];
    Submission cut, called;
    memset(name, '0', 230);
    strcpy(name + 230, ".cu");
    submission_find(&cut, at, name);
    submission_find(&called, at, cut.slug);
    ck_assert_uint_le(strlen(cut.slug), 200);
    ck_assert_str_ne(called.slug, cut.slug);
    submission_free(&cut);
    submission_free(&called);
}
END_TEST

/* Files that systems and editors hide are nobody's work; one with a kernel's name is, and gets a row. */
START_TEST(a_hidden_kernel_is_a_submission)
{
    static const char *const names[] = {".anna.cu", "..cu", "._anna.cu", ".DS_Store", ".anna.cu.swp", "__MACOSX"};
    Submissions found;
    Diag diag = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) make(names[i], "file");
    bool fine = submissions_find(&found, at, "in", -1, 0, &diag);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) make(names[i], "gone");
    ck_assert(fine);
    ck_assert_uint_eq(found.count, 2);
    ck_assert_str_eq(found.items[0].name, "..cu");
    ck_assert_str_eq(found.items[1].name, ".anna.cu");
    submissions_free(&found);
}
END_TEST

START_TEST(results_do_not_lie_between_submissions)
{
    Submissions found;
    Diag diag = {0};
    make("kernel.cu", "file");
    ck_assert(!submissions_find(&found, at, "in", at, 0, &diag));
    ck_assert_msg(strstr(diag.message, "between the submissions") != NULL, "%s", diag.message);
    submissions_free(&found);
}
END_TEST

/* Whatever time it says of itself. */
START_TEST(what_was_just_written_has_not_settled)
{
    const struct timespec long_ago[] = {{.tv_sec = 1}, {.tv_sec = 1}};
    Submissions found;
    Diag diag = {0};
    make("kernel.cu", "file");
    ck_assert_int_eq(utimensat(at, "kernel.cu", long_ago, 0), 0);
    ck_assert(submissions_find(&found, at, "in", -1, 1000000, &diag));
    ck_assert_uint_eq(found.count, 0);
    submissions_free(&found);
}
END_TEST

SUITE_WITH("submissions", begin, end, what_was_just_written_has_not_settled, no_two_names_have_one_slug,
           a_hidden_kernel_is_a_submission, results_do_not_lie_between_submissions,
           REPEATED(sizeof rows / sizeof *rows, what_is_no_file_to_take_is_refused_whenever_it_became_so))
