/* What two small records say, worked out by hand. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/evidence.h"
#include "suite.h"

/* One run of both records: counts are sectors loaded, of which hit L1, sectors read from L2, wavefronts. */
static void add_run(Text *out, const char *name, bool emulated, double us, const int counts[4], const char *bound) {
    text_add(out, "%s\"%s\":{\"arguments\":\"a\",\"global\":{\"load\":{\"requests\":10,\"sectors\":%d,\"l1_hit_sectors\":%d}},",
             out->length ? "," : "{\"runs\":{", name, counts[0], counts[1]);
    text_add(out, "\"l2\":{\"read_sectors\":%d},\"shared\":{\"load\":{\"wavefronts\":%d}},", counts[2], counts[3]);
    if (emulated)
        text_add(out, "\"model\":{\"time_us\":%g,\"bound\":\"%s\"}}", us, bound);
    else
        text_add(out, "\"device_us\":%g}", us);
}

typedef struct Records {
    Text measured, emulated;
} Records;

static void add_both(Records *records, const char *name, double measured_us, double modelled_us, const int measured[4],
                     const int emulated[4]) {
    add_run(&records->measured, name, false, measured_us, measured, NULL);
    add_run(&records->emulated, name, true, modelled_us, emulated, "dram");
}

static json_t *compare(Records *records, const char *differences) {
    Text out = {0};
    Diag diag = {0};
    text_add(&records->measured, "}}");
    text_add(&records->emulated, "}}");
    size_t unknown;
    ck_assert_msg(
        evidence_compare(text_string(&records->measured), text_string(&records->emulated), differences, &out, &unknown, &diag),
        "%s", diag.message);
    json_t *result = json_loads(text_string(&out), 0, NULL);
    ck_assert_ptr_nonnull(result);
    ck_assert_uint_eq(unknown, json_array_size(json_object_get(result, "unknown")));
    text_free(&out);
    text_free(&records->measured);
    text_free(&records->emulated);
    return result;
}

static json_t *at(json_t *object, const char *a, const char *b, const char *c) {
    object = json_object_get(object, a);
    if (b) object = json_object_get(object, b);
    return c ? json_object_get(object, c) : object;
}

static const int plain[4] = {1000, 500, 400, 300};

START_TEST(runs_agree_within_the_tolerances)
{
    /* 20 of 1000 sectors are 2%; 36 of 400 are 9%; 6 of 306 are just under 2%. */
    static const int within[4] = {1000, 520, 364, 306}, beyond[4] = {1001, 521, 359, 307};
    Records records = {0};
    add_both(&records, "same", 10, 10, plain, plain);
    add_both(&records, "within", 10, 13.9, plain, within);
    add_both(&records, "beyond", 14.1, 10, plain, beyond);
    json_t *result = compare(&records, "");
    static const char *const quantities[] = {"requests", "l1", "l2", "shared", "time"};
    for (int i = 0; i < 5; i++) {
        ck_assert_msg(json_is_true(at(result, "runs", "same", quantities[i])), "same %s", quantities[i]);
        ck_assert_msg(json_is_true(at(result, "runs", "within", quantities[i])), "within %s", quantities[i]);
        ck_assert_msg(json_is_false(at(result, "runs", "beyond", quantities[i])), "beyond %s", quantities[i]);
        ck_assert_int_eq(json_integer_value(at(result, "agree", quantities[i], NULL)), 2);
    }
    ck_assert_uint_eq(json_array_size(json_object_get(result, "unknown")), 5);
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(result, "unknown"), 0)), "beyond requests");
    ck_assert_int_eq(json_integer_value(json_object_get(result, "count")), 3);
    json_decref(result);
}
END_TEST

/* The emulator has 300 wavefronts. A pipe's 350 are apart, unless the addresses' were read as well; and if these were 0, so are a pipe's 300. */
START_TEST(wavefronts_of_the_addresses_go_before_those_of_the_pipe)
{
    static const char *const shared[] = {"\"pipe_wavefronts\":350", "\"pipe_wavefronts\":350,\"wavefronts\":300",
                                         "\"pipe_wavefronts\":301", "\"pipe_wavefronts\":300,\"wavefronts\":0"};
    for (int i = 0; i < 4; i++) {
        Records records = {0};
        text_add(&records.measured, "{\"runs\":{\"a\":{\"arguments\":\"a\",\"shared\":{\"load\":{%s}},\"device_us\":10}",
                 shared[i]);
        text_add(
            &records.emulated,
            "{\"runs\":{\"a\":{\"arguments\":\"a\",\"shared\":{\"load\":{\"wavefronts\":300}},\"model\":{\"time_us\":10}}");
        json_t *result = compare(&records, "");
        ck_assert_int_eq(json_is_true(at(result, "runs", "a", "shared")), i == 1 || i == 2);
        json_decref(result);
    }
}
END_TEST

START_TEST(differences_are_explained_by_the_first_entry_that_fits)
{
    static const int other[4] = {1000, 700, 400, 300};
    Records records = {0};
    add_both(&records, "rows-8", 10, 10, plain, other);
    json_t *result =
        compare(&records, "# why\n\ncols-* l1 nobody's\nrows-8 l2 it agrees\nrows-? l1 the first reason\nrows-8 l1 another\n");
    ck_assert_str_eq(json_string_value(json_object_get(at(result, "runs", "rows-8", "known"), "l1")), "the first reason");
    ck_assert_uint_eq(json_array_size(json_object_get(result, "unknown")), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(result, "idle")), 3);
    json_decref(result);
}
END_TEST

/* Times that are a quarter apart have no order yet, just beyond that they have. One run alone has an error too. */
START_TEST(times_have_an_order_where_they_are_apart)
{
    static const struct {
        double measured_us, modelled_us;
        int pairs;
        double order;
    } rows[] = {{100, 90, 0, 1},  {125, 90, 0, 1}, {126, 90, 1, 0}, {126, 110, 1, 1},
                {126, 100, 1, 0}, {75, 90, 1, 1},  {75, 100, 1, 0}, {75, 101, 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Records records = {0};
        add_both(&records, "b", 100, 100, plain, plain);
        add_both(&records, "c", rows[i].measured_us, rows[i].modelled_us, plain, plain);
        json_t *result = compare(&records, "");
        ck_assert_msg(json_integer_value(at(result, "all", "pairs", NULL)) == rows[i].pairs, "row %zu", i);
        ck_assert_msg(json_real_value(at(result, "all", "order", NULL)) == rows[i].order, "row %zu", i);
        json_decref(result);
    }
    Records one = {0};
    add_both(&one, "b", 10, 12.5, plain, plain);
    json_t *result = compare(&one, "");
    ck_assert_double_eq_tol(json_real_value(at(result, "all", "error", NULL)), 0.25, 1e-6);
    json_decref(result);
}
END_TEST

/* One sector of 4 is a quarter; requests have no tolerance. */
START_TEST(a_difference_of_one_counts)
{
    static const int few[4] = {1000, 500, 4, 300}, one_less[4] = {1000, 500, 3, 300}, more[4] = {1001, 500, 4, 300};
    Records records = {0};
    add_both(&records, "a", 10, 10, few, one_less);
    add_both(&records, "b", 10, 10, few, more);
    json_t *result = compare(&records, "b requests why\n");
    ck_assert(json_is_false(at(result, "runs", "a", "l2")));
    ck_assert_double_eq(json_real_value(at(result, "runs", "a", "l2_difference")), 0.25);
    ck_assert_str_eq(json_string_value(json_object_get(at(result, "runs", "b", "known"), "requests")), "why");
    ck_assert_uint_eq(json_array_size(json_object_get(result, "unknown")), 1);
    json_decref(result);
}
END_TEST

/* POSIX cksum of "a" and of "f" is 1220704766 and 2131560324: the latter is divisible by 3, the former is not. Of 301 times "a" it is 2992320780, which
 * is. */
START_TEST(every_third_run_is_held_out_by_its_name)
{
    Records records = {0};
    add_both(&records, "a", 10, 10, plain, plain);
    add_both(&records, "f", 10, 20, plain, plain);
    char many[302] = "";
    memset(many, 'a', 301);
    add_both(&records, many, 10, 10, plain, plain);
    json_t *result = compare(&records, "f time x\n");
    ck_assert(json_is_false(at(result, "runs", "a", "held_out")));
    ck_assert(json_is_true(at(result, "runs", "f", "held_out")));
    ck_assert(json_is_true(at(result, "runs", many, "held_out")));
    /* twice too slow, one of two and one of three */
    ck_assert_double_eq_tol(json_real_value(at(result, "held_out", "error", NULL)), sqrt(2) - 1, 1e-6);
    ck_assert_double_eq_tol(json_real_value(at(result, "all", "error", NULL)), cbrt(2) - 1, 1e-6);
    json_decref(result);
}
END_TEST

/* Of 10, 12, 20: 10 and 12 have no order; 10 and 20 are modelled in theirs, 12 and 20 the other way round. */
START_TEST(pairs_far_apart_have_an_order)
{
    Records records = {0};
    add_both(&records, "p", 10, 9, plain, plain);
    add_both(&records, "q", 12, 17, plain, plain);
    add_both(&records, "r", 20, 16, plain, plain);
    json_t *result = compare(&records, "q time x\n");
    ck_assert_int_eq(json_integer_value(at(result, "all", "pairs", NULL)), 2);
    ck_assert_double_eq_tol(json_real_value(at(result, "all", "order", NULL)), 0.5, 1e-9);
    json_decref(result);
    records = (Records){0};
    add_both(&records, "p", 10, 9, plain, plain);
    add_both(&records, "q", 12, 17, plain, plain);
    add_both(&records, "r", 20, 18, plain, plain);
    add_both(&records, "s", 40, 18, plain, plain); /* as long as r: in no order */
    result = compare(&records, "");
    ck_assert_int_eq(json_integer_value(at(result, "all", "pairs", NULL)), 5);
    ck_assert_double_eq_tol(json_real_value(at(result, "all", "order", NULL)), 0.8, 1e-9);
    json_decref(result);
}
END_TEST

/* 0 us are no time, of which nothing has a ratio; nor has 1 to 0, nor is there an error of both. */
START_TEST(what_is_no_number_leaves_the_others)
{
    Records records = {0};
    add_both(&records, "p", 0, 0, plain, plain);
    add_both(&records, "q", 1, 0, plain, plain);
    json_t *result = compare(&records, "");
    ck_assert(json_is_null(at(result, "runs", "p", "ratio")));
    ck_assert(json_is_false(at(result, "runs", "p", "time")) && json_is_false(at(result, "runs", "q", "time")));
    ck_assert_double_eq(json_number_value(at(result, "runs", "q", "measured_us")), 1);
    ck_assert(json_is_true(at(result, "runs", "p", "l2")));
    ck_assert(json_is_null(at(result, "all", "error", NULL)));
    ck_assert_int_eq(json_integer_value(at(result, "all", "runs", NULL)), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(result, "unknown")), 2);
    json_decref(result);
}
END_TEST

START_TEST(what_cannot_be_compared_is_refused_in_one_message)
{
    static const struct {
        const char *measured, *emulated, *differences, *says;
    } rows[] = {
        {"{", "{\"runs\":{}}", "", "the measured record cannot be read"},
        {"{\"runs\":{}}", "[]", "", "the emulated record cannot be read: it has no runs"},
        {"{\"runs\":{}}", "{\"runs\":{}}", "a l3 why", "line 1 of the known differences is not PATTERN QUANTITY REASON"},
        {"{\"runs\":{}}", "{\"runs\":{}}", "# x\na l2", "line 2 of the known differences"},
        {"{\"runs\":{\"k\":{\"arguments\":\"x\",\"device_us\":1}}}", "{\"runs\":{}}", "", "k was not emulated"},
        {"{\"runs\":{\"k\":{\"arguments\":\"x\",\"device_us\":1}}}", "{\"runs\":{\"k\":{\"arguments\":\"y\"}}}", "",
         "k was emulated with other arguments"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text out = {0};
        Diag diag = {0};
        size_t unknown;
        ck_assert(!evidence_compare(rows[i].measured, rows[i].emulated, rows[i].differences, &out, &unknown, &diag));
        ck_assert_msg(strstr(diag.message, rows[i].says), "%zu: %s", i, diag.message);
        text_free(&out);
    }
}
END_TEST

SUITE("evidence", runs_agree_within_the_tolerances, wavefronts_of_the_addresses_go_before_those_of_the_pipe,
      differences_are_explained_by_the_first_entry_that_fits, times_have_an_order_where_they_are_apart,
      a_difference_of_one_counts, every_third_run_is_held_out_by_its_name, pairs_far_apart_have_an_order,
      what_is_no_number_leaves_the_others, what_cannot_be_compared_is_refused_in_one_message)
