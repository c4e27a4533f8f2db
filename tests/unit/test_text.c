/* What text_read_file opens: regular files, as far as they say that they go. Of a pipe, a device or a socket a reader would wait for ever, or never come
 * to an end. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/text.h"
#include "grade/scratch.h"
#include "suite.h"

static const char *in_folder(const char *name) {
    static char paths[2][PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 2];
    snprintf(path, sizeof paths[0], "%s/%s", scratch_folder(), name);
    return path;
}

static void refused(const char *path, const char *why) {
    size_t length = 7;
    char *text = text_read_file(path, 1000, &length);
    ck_assert_msg(!text, "%s is read", path);
    ck_assert_str_eq(text_file_problem(errno), why);
    ck_assert_uint_eq(length, 0);
}

static void is_read(const char *path, const char *wanted) {
    size_t length = 0;
    char *text = text_read_file(path, 1000, &length);
    ck_assert_msg(text, "%s: %s", path, text_file_problem(errno));
    ck_assert_str_eq(text, wanted);
    ck_assert_uint_eq(length, strlen(wanted));
    free(text);
}

static void put(const char *name, const char *text) {
    FILE *file = fopen(in_folder(name), "w");
    ck_assert(file != NULL);
    fputs(text, file);
    fclose(file);
}

START_TEST(a_file_is_read_whole)
{
    put("file", "a text\n");
    put("empty", "");
    ck_assert_int_eq(symlink("file", in_folder("link")), 0);
    is_read(in_folder("file"), "a text\n");
    is_read(in_folder("link"), "a text\n");
    is_read(in_folder("empty"), "");
    is_read("/dev/null", "");
    ck_assert(text_file_readable(in_folder("file"), 10));
}
END_TEST

START_TEST(a_file_may_have_as_many_bytes_as_the_limit)
{
    size_t length;
    put("file", "12345");
    char *text = text_read_file(in_folder("file"), 5, &length);
    ck_assert_str_eq(text, "12345");
    free(text);
    ck_assert_ptr_null(text_read_file(in_folder("file"), 4, &length));
    ck_assert_int_eq(errno, EFBIG);
}
END_TEST

START_TEST(what_would_wait_or_never_end_is_refused)
{
    const char *none = "it is no regular file, but a pipe, a device or the like";
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", in_folder("socket"));
    ck_assert_int_eq(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(mkfifo(in_folder("pipe"), 0600), 0);
    ck_assert_int_eq(symlink("pipe", in_folder("to_pipe")), 0);
    refused(in_folder("pipe"), none);
    refused(in_folder("to_pipe"), none);
    refused(in_folder("socket"), none);
    refused("/dev/zero", none);
    refused(scratch_folder(), "it is a directory");
    refused(in_folder("absent"), "No such file or directory");
    ck_assert(!text_file_readable(in_folder("pipe"), 10));
    close(listener);
}
END_TEST

/* Its status says 0 bytes, and it has many, or more at each look. */
START_TEST(a_file_without_a_length_has_no_bytes)
{ is_read("/proc/self/environ", ""); }
END_TEST

static void begin(void) {
    scratch_begin();
    ck_assert_ptr_nonnull(scratch_folder());
}

static void end(void) { scratch_end(); }

SUITE_WITH("text", begin, end, a_file_is_read_whole, a_file_may_have_as_many_bytes_as_the_limit,
           what_would_wait_or_never_end_is_refused, a_file_without_a_length_has_no_bytes)
