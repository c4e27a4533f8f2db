/* Programs that are run: what is caught, and what signals do. The programs are one-liners of the shell. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/process.h"
#include "suite.h"

enum { PATIENCE_S = 1000 }; /* what takes longer hangs */

static ProcessResult run(ProcessMode mode, const char *line) {
    const char *const argv[] = {"sh", "-c", line, NULL};
    ProcessRequest request = {.argv = argv, .mode = mode, .timeout_s = PATIENCE_S, .output_limit = 100};
    ProcessResult result;
    bool fine = process_run(&request, &result);
    ck_assert_int_eq(fine, result.status == 0);
    return result;
}

static void ends(ProcessMode mode, const char *line, int status, const char *output) {
    ProcessResult result = run(mode, line);
    ck_assert_msg(result.status == status, "%s: status %d", line, result.status);
    ck_assert_str_eq(text_string(&result.output), output);
    ck_assert(!result.truncated && !result.timed_out && !result.error);
    text_free(&result.output);
}

START_TEST(what_is_written_is_caught)
{
    ends(PROCESS_BACKGROUND, "echo out; echo err >&2; exit 3", 3, "out\nerr\n");
    ends(PROCESS_CATCHES_ERRORS, "echo err >&2; exit 3", 3, "err\n");
    ends(PROCESS_FOREGROUND, "exit 3", 3, "");
    ends(PROCESS_FOREGROUND, "kill -KILL $$", 128 + SIGKILL, "");
}
END_TEST

START_TEST(errors_may_go_into_a_file)
{
    char path[SUITE_PATH], got[20] = "";
    const char *const argv[] = {"sh", "-c", "echo out; echo err >&2", NULL};
    suite_file(path, "errors");
    const int before = open(path, O_WRONLY | O_CREAT, 0600);
    ck_assert_int_eq(write(before, "of an earlier one\n", 18), 18); /* of which nothing is left */
    close(before);
    ProcessRequest request = {.argv = argv, .timeout_s = PATIENCE_S, .output_limit = 100, .errors_path = path};
    ProcessResult result;
    ck_assert(process_run(&request, &result));
    ck_assert_str_eq(text_string(&result.output), "out\n");
    text_free(&result.output);
    FILE *file = fopen(path, "r");
    ck_assert(file && fgets(got, sizeof got, file));
    ck_assert_int_eq(fgetc(file), EOF);
    fclose(file);
    ck_assert_str_eq(got, "err\n");
}
END_TEST

START_TEST(our_input_is_the_foregrounds_alone)
{
    int ends_of_pipe[2];
    ck_assert_int_eq(pipe(ends_of_pipe), 0);
    ck_assert_int_eq(dup2(ends_of_pipe[0], STDIN_FILENO), STDIN_FILENO);
    ck_assert_int_eq(write(ends_of_pipe[1], "word\n", 5), 5);
    close(ends_of_pipe[1]);
    ends(PROCESS_BACKGROUND, "cat", 0, "");
    ends(PROCESS_CATCHES_ERRORS, "cat >&2", 0, "word\n");
}
END_TEST

START_TEST(no_more_is_kept_than_was_asked_for)
{
    static const ProcessMode modes[] = {PROCESS_BACKGROUND, PROCESS_CATCHES_ERRORS};
    for (size_t i = 0; i < 2; i++) {
        ProcessResult result = run(modes[i], "printf '%101s' x >&2");
        ck_assert(result.truncated);
        ck_assert_uint_eq(result.output.length, 100);
        text_free(&result.output);
    }
}
END_TEST

/* A program without an end, which has more and more time until there was enough to begin. */
START_TEST(time_runs_out_in_the_background)
{
    static const char *const argv[] = {"sh", "-c", "echo begun; while :; do sleep 60; done", NULL};
    ProcessRequest request = {.argv = argv, .timeout_s = 1, .output_limit = 100};
    ProcessResult result;
    for (; !process_run(&request, &result) && result.timed_out && !result.output.length; request.timeout_s *= 2) {}
    ck_assert(result.timed_out);
    ck_assert_str_eq(text_string(&result.output), "begun\n");
    text_free(&result.output);
}
END_TEST

/* What computes for ever is ended by its own time, whatever the clock says; what waits uses none. */
START_TEST(processor_time_runs_out_in_the_background)
{
    static const char *const busy[] = {"sh", "-c", "echo begun; sh -c 'while :; do :; done'; exit 3", NULL},
                             *const idle[] = {"sh", "-c", "sleep 1.5; exit 3", NULL};
    ProcessRequest request = {.argv = busy, .timeout_s = PATIENCE_S, .processor_s = 1, .output_limit = 100};
    ProcessResult result;
#ifdef __linux__
    ck_assert(!process_run(&request, &result));
    ck_assert(!result.timed_out);
    ck_assert_int_eq(result.status, 3);
    ck_assert(result.used_s > 0); /* the limit goes by ticks of the clock, this by nanoseconds */
    ck_assert_ptr_nonnull(strstr(text_string(&result.output), "begun\n"));
    text_free(&result.output);
#endif
    request.argv = idle;
    ck_assert(!process_run(&request, &result));
    ck_assert_int_eq(result.status, 3);
    ck_assert_double_lt(result.used_s, 0.8);
    text_free(&result.output);
}
END_TEST

START_TEST(a_flood_is_stopped_in_the_background)
{
    static const char *const argv[] = {"sh", "-c", "while :; do echo more; done", NULL};
    ProcessRequest request = {.argv = argv, .timeout_s = PATIENCE_S, .output_limit = 10, .flood = 100000};
    ProcessResult result;
    ck_assert(!process_run(&request, &result));
    ck_assert(result.flooded && result.truncated && !result.timed_out);
    ck_assert_str_eq(text_string(&result.output), "more\nmore\n");
    text_free(&result.output);
    static const char *const enough[] = {"sh", "-c", "printf %100000s", NULL};
    request.argv = enough;
    ck_assert(process_run(&request, &result));
    ck_assert(!result.flooded && result.truncated);
    text_free(&result.output);
}
END_TEST

/* This process has used more than the programs that it starts may. Its own signal comes with a tick of the clock, while they begin: seldom each. */
START_TEST(a_programs_processor_time_is_not_ours)
{
    const char *const nothing[] = {"true", NULL};
    ProcessRequest request = {.argv = nothing, .timeout_s = PATIENCE_S, .processor_s = 1, .output_limit = 100};
    enum { STARTS = 300 };
    while (clock() < 2 * CLOCKS_PER_SEC) continue;
    for (int i = 0; i < STARTS; i++) {
        ProcessResult result;
        ck_assert(process_run(&request, &result));
        text_free(&result.output);
    }
}
END_TEST

START_TEST(a_program_that_is_not_there_is_an_error)
{
    static const char *const argv[] = {"/nonexistent/program", NULL};
    for (ProcessMode mode = PROCESS_BACKGROUND; mode <= PROCESS_CATCHES_ERRORS; mode++) {
        ProcessRequest request = {.argv = argv, .mode = mode, .timeout_s = PATIENCE_S, .output_limit = 100};
        ProcessResult result;
        ck_assert(!process_run(&request, &result));
        /* Under QEMU posix_spawn cannot say so; the program ends with 127. */
        ck_assert(result.error == ENOENT ? result.status == -1 : !result.error && result.status == 127);
    }
}
END_TEST

static volatile sig_atomic_t interrupts;

static void count(int number) { interrupts += number == SIGINT; }

/* The program sends its parent, which is this test, what a user would send warpscope. */
START_TEST(signals_are_handed_on_in_the_foreground)
{
    ends(PROCESS_FOREGROUND, "trap 'exit 7' TERM; kill -TERM $PPID; while :; do sleep 0.01; done", 7, "");
    ends(PROCESS_CATCHES_ERRORS, "trap 'echo bye >&2; exit 7' TERM; kill -TERM $PPID; while :; do sleep 0.01; done", 7,
         "bye\n");
    ends(PROCESS_FOREGROUND, "trap 'exit 7' INT; kill -INT $PPID; while :; do sleep 0.01; done", 7, "");
    ends(PROCESS_FOREGROUND, "kill -HUP $PPID; while :; do sleep 0.01; done", 128 + SIGHUP, "");
}
END_TEST

START_TEST(signals_mean_the_same_to_the_program_and_to_us_afterwards)
{
    signal(SIGHUP, SIG_IGN); /* as nohup does */
    signal(SIGINT, count);
    ends(PROCESS_FOREGROUND, "kill -HUP $$; exit 5", 5, "");
    ends(PROCESS_FOREGROUND, "kill -INT $$; exit 5", 128 + SIGINT, "");
    ck_assert_ptr_eq(signal(SIGHUP, SIG_DFL), SIG_IGN);
    ck_assert_int_eq(interrupts, 0);
    raise(SIGINT);
    ck_assert_int_eq(interrupts, 1);
}
END_TEST

SUITE("process", what_is_written_is_caught, errors_may_go_into_a_file, our_input_is_the_foregrounds_alone,
      no_more_is_kept_than_was_asked_for, time_runs_out_in_the_background, processor_time_runs_out_in_the_background,
      a_programs_processor_time_is_not_ours, a_flood_is_stopped_in_the_background, a_program_that_is_not_there_is_an_error,
      signals_are_handed_on_in_the_foreground, signals_mean_the_same_to_the_program_and_to_us_afterwards)
