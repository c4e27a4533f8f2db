/* Medians, quartiles and verdicts of measured times. */
#include <math.h>
#include <stdlib.h>

#include "device/timing.h"
#include "suite.h"

/* Sorted 1 2 3 4 10: the middle is 3, a quarter of the way 2, three quarters 4; the outlier moves nothing. */
START_TEST(median_and_quartiles_of_five)
{
    double times[] = {10, 1, 4, 2, 3};
    Timing timing = timing_of(times, 5);
    ck_assert_double_eq(timing.median_us, 3);
    ck_assert_double_eq(timing.low_us, 2);
    ck_assert_double_eq(timing.high_us, 4);
}
END_TEST

/* Sorted 1 2 3 4: positions 1.5, 0.75 and 2.25 between them. */
START_TEST(quantiles_between_two_times)
{
    double times[] = {4, 3, 2, 1};
    Timing timing = timing_of(times, 4);
    ck_assert_double_eq(timing.median_us, 2.5);
    ck_assert_double_eq(timing.low_us, 1.75);
    ck_assert_double_eq(timing.high_us, 3.25);
}
END_TEST

START_TEST(one_time_is_all_three)
{
    double times[] = {7, NAN}; /* of which it is the first alone */
    Timing timing = timing_of(times, 1);
    ck_assert(timing.median_us == 7 && timing.low_us == 7 && timing.high_us == 7);
}
END_TEST

/* A kernel of 100 (98 to 105) beside a copy of 90 (88 to 91): 0.9; at worst 88 / 105, at best 91 / 98. */
START_TEST(the_fraction_has_a_range)
{
    Timing kernel = {100, 98, 105}, copy = {90, 88, 91};
    Fraction fraction = timing_fraction(&kernel, &copy);
    ck_assert_double_eq_tol(fraction.value, 0.9, 1e-12);
    ck_assert_double_eq_tol(fraction.least, 88.0 / 105, 1e-12);
    ck_assert_double_eq_tol(fraction.most, 91.0 / 98, 1e-12);
}
END_TEST

START_TEST(verdicts)
{
    static const struct {
        Fraction fraction;
        TimingVerdict verdict;
    } rows[] = {
        {{0.95, 0.93, 0.97}, TIMING_PASSED},       /* all of it reaches 0.90 */
        {{0.80, 0.75, 0.89}, TIMING_FAILED},       /* none of it does */
        {{0.91, 0.85, 0.95}, TIMING_INCONCLUSIVE}, /* 0.90 lies within, 7% below the middle */
        {{0.905, 0.895, 0.910}, TIMING_PASSED},    /* within 2%: the middle decides */
        {{0.899, 0.890, 0.905}, TIMING_FAILED},    {{0.90, 0.90, 0.90}, TIMING_PASSED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(timing_verdict(&rows[i].fraction, 0.90) == rows[i].verdict, "row %zu", i);
    const Fraction two_percent = {50, 49, 51}, more_below = {50, 48.5, 51}, more_above = {50, 49, 51.5};
    const Fraction all_reach = {60, 50, 70}, the_most_reaches = {40, 30, 50}; /* it, and no less; it, and no more */
    ck_assert_int_eq(timing_verdict(&all_reach, 50), TIMING_PASSED);
    ck_assert_int_eq(timing_verdict(&the_most_reaches, 50), TIMING_INCONCLUSIVE);
    ck_assert_int_eq(timing_verdict(&two_percent, 50), TIMING_PASSED);
    ck_assert_int_eq(timing_verdict(&two_percent, 50.5), TIMING_FAILED);
    ck_assert_int_eq(timing_verdict(&more_below, 50), TIMING_INCONCLUSIVE);
    ck_assert_int_eq(timing_verdict(&more_above, 50), TIMING_INCONCLUSIVE);
}
END_TEST

SUITE("timing", median_and_quartiles_of_five, quantiles_between_two_times, one_time_is_all_three, the_fraction_has_a_range,
      verdicts)
