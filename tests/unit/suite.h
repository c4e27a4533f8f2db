/* suite.h: the main of a unit suite, which lists its tests. */
#pragma once

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Runs the tests, each between begin and end where these are given; the exit status. An entry without a function: REPEATED. Check's own limit of 4 s a
 * test asks how fast the host is. */
static inline int suite_run(const char *name, void (*begin)(void), void (*end)(void), const TTest *const *tests, size_t count) {
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    if (!getenv("CK_DEFAULT_TIMEOUT")) tcase_set_timeout(tcase, 120);
    if (begin) tcase_add_checked_fixture(tcase, begin, end);
    for (size_t i = 0; i < count; i++)
        if (tests[i]->fn)
            tcase_add_test(tcase, tests[i]);
        else
            tcase_add_loop_test(tcase, tests[i + 1], 0, tests[i]->line), i++;
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

/* In a list of tests: this one `times` times, with _i from 0 on. */
#define REPEATED(times, test) &(const TTest){.line = (int)(times)}, test

/* `can`: whether it can be run here; `otherwise`: what is said if not. */
#define SUITE_IF(can, otherwise, name, begin, end, ...)                          \
    int main(void) {                                                             \
        if (!(can)) {                                                            \
            puts(otherwise);                                                     \
            return 77;                                                           \
        }                                                                        \
        const TTest *const tests[] = {__VA_ARGS__};                              \
        return suite_run(name, begin, end, tests, sizeof tests / sizeof *tests); \
    }
#define SUITE_WITH(name, begin, end, ...) SUITE_IF(true, "", name, begin, end, __VA_ARGS__)
#define SUITE(name, ...) SUITE_WITH(name, NULL, NULL, __VA_ARGS__)
