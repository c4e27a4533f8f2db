/* suite.h: the main of a unit suite, which lists its tests. */
#pragma once

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* By a file Check remembers where the last claim stood that held, so that it can say about where a signal ended a test. Loops of a claim would do
 * nothing else, so it is told of a place when it is another than the last one. */
static inline void suite_mark(const char *file, int line) {
    static const char *last_file;
    static int last_line;
    if (file != last_file || line != last_line) _mark_point(last_file = file, last_line = line);
}
#define _mark_point(file, line) suite_mark(file, line)

#ifndef __wasi__ /* whose suites have no files */
/* Where the tests' files lie: it goes with the suite, however a test ended. Other users may pass through, as compilers in a sandbox do. */
static char suite_base[] = "/tmp/suite-XXXXXX";

/* Bytes of a path, with its 0: of a folder in it, and of a file with a name of up to 20. */
enum { SUITE_FOLDER = sizeof "/tmp/suite-XXXXXX/XXXXXX", SUITE_PATH = 48 };

/* A new folder for a test, whose path `folder` takes. */
static inline void suite_folder(char folder[SUITE_FOLDER]) {
    snprintf(folder, SUITE_FOLDER, "%s/XXXXXX", suite_base);
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* Where a test may have a file of this name, of up to 20 bytes, which no other test of the suite has. */
static inline void suite_file(char path[SUITE_PATH], const char *name) {
    snprintf(path, SUITE_PATH, "%s/%d-%s", suite_base, (int)getpid(), name);
}

static inline void suite_begin(void) {
    if (mkdtemp(suite_base) && chmod(suite_base, 0711) == 0) return;
    perror(suite_base);
    exit(1);
}

static inline void suite_end(void) {
    char command[SUITE_PATH];
    snprintf(command, sizeof command, "rm -rf %s", suite_base);
    if (rmdir(suite_base) != 0 && system(command) != 0) fprintf(stderr, "%s cannot be removed\n", suite_base);
}
#else
static inline void suite_begin(void) {}
static inline void suite_end(void) {}
#endif

/* What is done before and after each test, or, if it is done once, before the first and after the last. NULL: nothing. */
typedef struct Fixture {
    void (*begin)(void), (*end)(void);
    bool once;
} Fixture;

/* Runs the tests, each `times` times with _i from 0 on; the exit status. An entry without a function: REPEATED. NULL: a test that this system cannot
 * run. Check's own limit of 4 s a test asks how fast the host is. */
static inline int suite_run(const char *name, Fixture fixture, int times, const TTest *const *tests, size_t count) {
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    if (!getenv("CK_DEFAULT_TIMEOUT")) tcase_set_timeout(tcase, 120);
    (fixture.once ? tcase_add_unchecked_fixture : tcase_add_checked_fixture)(tcase, fixture.begin, fixture.end);
    for (size_t i = 0; i < count; i++) {
        if (!tests[i]) continue;
        const int own = tests[i]->fn ? times : tests[i++]->line;
        tcase_add_loop_test(tcase, tests[i], 0, own);
    }
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    suite_begin();
    srunner_run_all(runner, CK_ENV);
    suite_end();
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

/* In a list of tests: this one `times` times, with _i from 0 on. */
#define REPEATED(times, test) &(const TTest){.line = (int)(times)}, test

/* `can`: whether it can be run here; `otherwise`: what is said if not. */
#define SUITE_AS(can, otherwise, name, fixture, times, ...)                          \
    int main(void) {                                                                 \
        if (!(can)) {                                                                \
            puts(otherwise);                                                         \
            return 77;                                                               \
        }                                                                            \
        const TTest *const tests[] = {__VA_ARGS__};                                  \
        return suite_run(name, fixture, times, tests, sizeof tests / sizeof *tests); \
    }
#define SUITE_IF(can, otherwise, name, begin, end, ...) \
    SUITE_AS(can, otherwise, name, ((Fixture){begin, end, false}), 1, __VA_ARGS__)
#define SUITE_WITH(name, begin, end, ...) SUITE_IF(true, "", name, begin, end, __VA_ARGS__)
#define SUITE_ONCE(name, begin, end, ...) SUITE_AS(true, "", name, ((Fixture){begin, end, true}), 1, __VA_ARGS__)
#define SUITE_REPEATED(name, times, ...) SUITE_AS(true, "", name, ((Fixture){NULL, NULL, false}), times, __VA_ARGS__)
#define SUITE(name, ...) SUITE_WITH(name, NULL, NULL, __VA_ARGS__)
