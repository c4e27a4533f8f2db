/* check.h: as much of Check as the suites of the ALU use of it, where no test can have a process of its own: the first that fails ends all. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TTest {
    const char *name;
    void (*fn)(int index);
    int line;
} TTest;
typedef struct Suite {
    int passed;
} Suite, TCase, SRunner;

enum { CK_ENV };

static Suite the_suite;
static const char *this_test;

#define START_TEST(name)                                                                       \
    static void name##_fn(int _i);                                                             \
    static const TTest name##_test = {#name, name##_fn, __LINE__}, *const name = &name##_test; \
    static void name##_fn(__attribute__((unused)) int _i) {
#define END_TEST }

#define ck_abort_msg(...) (printf("%s:%d: %s: ", __FILE__, __LINE__, this_test), printf(__VA_ARGS__), printf("\n"), exit(1))
#define ck_assert_msg(holds, ...) ((holds) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#define ck_assert(holds) ck_assert_msg(holds, "%s", #holds)
#define ck_assert_int_eq(a, b) ck_assert((intmax_t)(a) == (intmax_t)(b))
#define ck_assert_int_lt(a, b) ck_assert((intmax_t)(a) < (intmax_t)(b))
#define ck_assert_uint_eq(a, b) ck_assert((uintmax_t)(a) == (uintmax_t)(b))
#define ck_assert_uint_ne(a, b) ck_assert((uintmax_t)(a) != (uintmax_t)(b))
#define ck_assert_uint_gt(a, b) ck_assert((uintmax_t)(a) > (uintmax_t)(b))
#define ck_assert_uint_ge(a, b) ck_assert((uintmax_t)(a) >= (uintmax_t)(b))
#define ck_assert_double_eq(a, b) ck_assert((a) == (b))
#define ck_assert_double_le(a, b) ck_assert((a) <= (b))
#define ck_assert_double_eq_tol(a, b, tolerance) ck_assert(fabs((a) - (b)) <= (tolerance))
#define ck_assert_str_eq(a, b) ck_assert(strcmp(a, b) == 0)
#define ck_assert_ptr_nonnull(a) ck_assert((a) != NULL)

static inline void tcase_add_loop_test(TCase *tests, const TTest *test, int first, int end) {
    this_test = test->name;
    for (int i = first; i < end; i++, tests->passed++) test->fn(i);
}
static inline void tcase_add_test(TCase *tests, const TTest *test) { tcase_add_loop_test(tests, test, 0, 1); }
static inline void tcase_add_checked_fixture(TCase *tests, void (*begin)(void), void (*end)(void)) {
    (void)tests;
    if (begin || end) printf("no fixtures here\n"), exit(1);
}
#define tcase_add_unchecked_fixture tcase_add_checked_fixture

static inline void _mark_point(const char *file, int line) { (void)file, (void)line; }

static inline Suite *suite_create(const char *name) { return name ? &the_suite : NULL; }
static inline TCase *tcase_create(const char *name) { return name ? &the_suite : NULL; }
static inline void suite_add_tcase(Suite *suite, TCase *tests) { (void)suite, (void)tests; }
static inline void tcase_set_timeout(TCase *tests, double seconds) { (void)tests, (void)seconds; }
static inline SRunner *srunner_create(Suite *suite) { return suite; }
static inline void srunner_run_all(SRunner *runner, int how) { (void)how, printf("%d passed\n", runner->passed); }
static inline int srunner_ntests_failed(const SRunner *runner) { return runner->passed == 0; }
static inline void srunner_free(SRunner *runner) { (void)runner; }
