/* A lab's result on a GPU, of times that stand here (lab/speed.h): which goals pass, and what is said of them. */
#include "lab/speed.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

/* `first` is asked for by both kinds of goal, `second` by a measured one, `third` by none. */
static const char facts[] = "LAB(\"05\", \"transpose\", \"Transpose\", 20) KERNEL(a) KERNEL(b) KERNEL(c) RUN(first, a, \"1 x "
                            "1\") RUN(second, b, \"2 x 2\")\n"
                            "RUN(third, a, \"3 x 3\") MEASURED(fast, first, 0.5, \"wider loads\") GOAL(sectors, third, "
                            "\"global.load.sectors\", 4, 8, 20, \"x\")\n"
                            "MEASURED(faster, second, 0.9, \"fewer bytes\")";

typedef struct Case {
    Lab lab;
    KernelResult kernels[3];
    RunResult runs[3];
} Case;

/* A kernel of so many us beside a copy of 100 us, timed within 1% of that, or anywhere between half and twice of it. */
static void measure(Case *c, unsigned run, double us, bool scattered) {
    const double low = scattered ? 0.5 : 0.99, high = scattered ? 2 : 1.01;
    RunResult *result = &c->runs[run];
    result->done = true;
    result->gpu_repeats = 20;
    result->gpu.kernel = (Timing){us, us * low, us * high};
    result->gpu.copy = (Timing){100, 100, 100};
    result->gpu.library = (Timing){99, 99, 99};
    strcpy(result->gpu_title, run ? "2 x 2 floats" : "1 x 1 floats");
}

static Case *case_new(void) {
    Diag diag = {0};
    Case *c = calloc(1, sizeof *c);
    c->lab = (Lab){.goals = goals_parse("", facts, "lab.goals", &diag),
                   .name = "kernel.cu",
                   .compiler = "nvcc 13.0",
                   .kernels = c->kernels,
                   .runs = c->runs};
    ck_assert_msg(c->lab.goals, "%u:%u: %s", diag.line, diag.column, diag.message);
    c->lab.gpu_info = (GpuInfo){.name = "A GPU", .driver_version = 12040, .sms = 78, .clock_khz = 1980000};
    for (int k = 0; k < 2; k++) c->kernels[k] = (KernelResult){.tested = true, .cases = 3 + (uint32_t)k}; /* c was not tested */
    measure(c, 0, 125, false);
    measure(c, 1, 105, false);
    return c;
}

static void case_free(Case *c) {
    goals_free(c->lab.goals);
    for (int k = 0; k < 3; k++) {
        text_free(&c->kernels[k].failure.message);
        text_free(&c->kernels[k].failure.where);
    }
    free(c);
}

/* The text, and whether it is full marks. */
static bool says(const Case *c, const Diag *absent, const char *wanted) {
    Text out = {0};
    const bool full = measured_result(&c->lab, absent, false, &out);
    ck_assert_str_eq(text_string(&out), wanted);
    text_free(&out);
    return full;
}

#define HEAD "Lab 05 Transpose, measured  (nvcc 13.0, driver for CUDA 12.4)\nA GPU, 78 SMs, up to 1980 MHz\n\n"
#define FIRST "\n1 x 1 floats, median of 20 launches\n  kernel 125.0 us, copy kernel 100.0 us, driver's copy 99.0 us\n"
#define SECOND "\n2 x 2 floats, median of 20 launches\n  kernel 105.0 us, copy kernel 100.0 us, driver's copy 99.0 us\n"

START_TEST(runs_are_timed_for_measured_goals_alone)
{
    Case *c = case_new();
    ck_assert(measured_is_wanted(&c->lab, 0) && measured_is_wanted(&c->lab, 1) && !measured_is_wanted(&c->lab, 2));
    case_free(c);
}
END_TEST

/* 100 / 125 is 0.8, between 100 / 126.25 = 0.792 and 100 / 123.75 = 0.808; 100 / 105 is 0.952, between 0.943 and 0.962. */
START_TEST(all_goals_passed_are_full_marks)
{
    Case *c = case_new();
    ck_assert(says(c, NULL,
                   HEAD "right  a, 3 cases on the GPU\nright  b, 4 cases on the GPU\n" FIRST
                        "  PASSED       fast                  0.800 of the copy (0.792 to 0.808), goal 0.5\n" SECOND
                        "  PASSED       faster                0.952 of the copy (0.943 to 0.962), goal 0.9\n"));
    case_free(c);
}
END_TEST

START_TEST(a_slow_kernel_a_scattered_one_and_one_that_did_not_run)
{
    Case *c = case_new();
    measure(c, 0, 250, false);
    measure(c, 1, 105, true);
    ck_assert(!says(c, NULL,
                    HEAD
                    "right  a, 3 cases on the GPU\nright  b, 4 cases on the GPU\n"
                    "\n1 x 1 floats, median of 20 launches\n  kernel 250.0 us, copy kernel 100.0 us, driver's copy 99.0 us\n"
                    "  FAILED       fast                  0.400 of the copy (0.396 to 0.404), goal 0.5\n  wider loads\n" SECOND
                    "  INCONCLUSIVE faster                0.952 of the copy (0.476 to 1.905), goal 0.9\n"
                    "  The times scatter too much around the goal: is something else running on this\n  GPU? Try again.\n"));
    measure(c, 0, 125, false);
    c->runs[1].done = false;
    ck_assert(!says(c, NULL,
                    HEAD "right  a, 3 cases on the GPU\nright  b, 4 cases on the GPU\n" FIRST
                         "  PASSED       fast                  0.800 of the copy (0.792 to 0.808), goal 0.5\n"
                         "  SKIPPED      faster                goal 0.9 of the copy\n"));
    uint32_t faster = c->lab.goals->n_goals;
    while (strcmp(c->lab.goals->goals[--faster].name, "faster") != 0) continue;
    c->lab.goals->n_goals = faster; /* what is behind the last goal is none */
    ck_assert(says(c, NULL,
                   HEAD "right  a, 3 cases on the GPU\nright  b, 4 cases on the GPU\n" FIRST
                        "  PASSED       fast                  0.800 of the copy (0.792 to 0.808), goal 0.5\n"));
    case_free(c);
}
END_TEST

START_TEST(a_wrong_kernel_is_no_full_mark_wherever_it_stands)
{
    for (int wrong = 0; wrong < 3; wrong++) {
        Case *c = case_new();
        Text wanted = {0}, json = {0};
        c->kernels[wrong].wrong = true;
        text_add(&c->kernels[wrong].failure.message, "element 3 is 1, not 2");
        if (wrong) text_add(&c->kernels[wrong].failure.where, "7 floats");
        text_add(&wanted, "%s", HEAD);
        for (int k = 0; k < 3; k++) {
            if (k == 2 && wrong != 2) continue;
            text_add(&wanted, "%s  %c, %d cases on the GPU\n", k == wrong ? "WRONG" : "right", 'a' + k, k == 2 ? 0 : 3 + k);
            if (k == wrong && k) text_add(&wanted, "  at 7 floats\n");
            if (k == wrong) text_add(&wanted, "  element 3 is 1, not 2\n");
        }
        text_add(&wanted, "%s",
                 FIRST "  PASSED       fast                  0.800 of the copy (0.792 to 0.808), goal 0.5\n" SECOND
                       "  PASSED       faster                0.952 of the copy (0.943 to 0.962), goal 0.9\n");
        ck_assert(!says(c, NULL, text_string(&wanted)));
        ck_assert(!measured_result(&c->lab, NULL, true, &json));
        json_t *object = json_loads(text_string(&json), 0, NULL), *kernels = json_object_get(object, "kernels");
        ck_assert_uint_eq(json_array_size(kernels), wrong == 2 ? 3 : 2);
        for (int k = 0; k < (wrong == 2 ? 3 : 2); k++) {
            const char name[] = {(char)('a' + k), 0};
            json_t *of = json_pack("{s:s, s:b, s:i}", "name", name, "correct", k != wrong, "cases", k == 2 ? 0 : 3 + k);
            if (k == wrong) json_object_set_new(of, "where", json_string(k ? "7 floats" : ""));
            if (k == wrong) json_object_set_new(of, "message", json_string("element 3 is 1, not 2"));
            ck_assert_msg(json_equal(json_array_get(kernels, (size_t)k), of), "%s of %s", name, text_string(&json));
            json_decref(of);
        }
        json_decref(object);
        text_free(&json);
        text_free(&wanted);
        case_free(c);
    }
}
END_TEST

START_TEST(what_could_not_be_found_out_is_no_mistake)
{
    Case *c = case_new();
    Text text = {0}, json = {0};
    c->kernels[0].wrong = c->kernels[0].unable = true;
    c->runs[0].done = false;
    text_add(&c->kernels[0].failure.message, "not enough memory on the GPU");
    ck_assert(!measured_result(&c->lab, NULL, false, &text));
    ck_assert_msg(strstr(text_string(&text), "UNABLE a, 3 cases on the GPU\n  not enough memory on the GPU\nright  b"), "%s",
                  text_string(&text));
    ck_assert(!measured_result(&c->lab, NULL, true, &json));
    json_t *object = json_loads(text_string(&json), 0, NULL), *a = json_array_get(json_object_get(object, "kernels"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(a, "unable")), "not enough memory on the GPU");
    ck_assert_ptr_null(json_object_get(a, "correct"));
    ck_assert_ptr_null(json_object_get(a, "message"));
    json_decref(object);
    text_free(&text);
    text_free(&json);
    case_free(c);
}
END_TEST

START_TEST(kernels_are_left_out_by_their_whole_names)
{
    static const struct {
        const char *only;
        bool a, b, c;
    } rows[] = {{"", true, true, true}, {"b", true, false, true}, {"c,a", false, true, false}, {"ab,,cc", true, true, true}};
    Case *c = case_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        measured_only(&c->lab, rows[i].only);
        ck_assert_msg(c->kernels[0].left_out == rows[i].a && c->kernels[1].left_out == rows[i].b &&
                          c->kernels[2].left_out == rows[i].c,
                      "%s", rows[i].only);
    }
    case_free(c);
}
END_TEST

START_TEST(the_json_has_the_same_numbers)
{
    Case *c = case_new();
    Text out = {0};
    c->runs[1].done = false;
    ck_assert(!measured_result(&c->lab, NULL, true, &out));
    json_t *object = json_loads(text_string(&out), 0, NULL), *goals = json_object_get(object, "goals"),
           *fast = json_array_get(goals, 0);
    json_t *head =
        json_pack("{ss, ss, ss, ss, ss, ss, ss, ss, si, sO, sO}", "lab", "05", "slug", "transpose", "title", "Transpose",
                  "file", "kernel.cu", "compiler", "nvcc 13.0", "on", "gpu", "device", "A GPU", "driver", "12.4", "clock_mhz",
                  1980, "kernels", json_object_get(object, "kernels"), "goals", goals);
    ck_assert_msg(json_equal(object, head), "%s", text_string(&out));
    json_decref(head);
    ck_assert_uint_eq(json_array_size(goals), 2);
    ck_assert_str_eq(json_string_value(json_object_get(fast, "verdict")), "passed");
    ck_assert_str_eq(json_string_value(json_object_get(fast, "run")), "first");
    ck_assert_str_eq(json_string_value(json_object_get(fast, "kind")), "measured");
    ck_assert_int_eq(json_integer_value(json_object_get(fast, "repeats")), 20);
    ck_assert_str_eq(json_string_value(json_object_get(fast, "text")), "1 x 1 floats");
    ck_assert_double_eq(json_number_value(json_object_get(fast, "time_us")), 125);
    ck_assert_double_eq(json_number_value(json_object_get(fast, "copy_us")), 100);
    ck_assert_double_eq(json_number_value(json_object_get(fast, "library_copy_us")), 99);
    ck_assert_double_eq(json_number_value(json_object_get(fast, "value")), 0.8);
    ck_assert_double_eq_tol(json_number_value(json_object_get(fast, "least")), 100 / 126.25, 1e-6);
    ck_assert_double_eq_tol(json_number_value(json_object_get(fast, "most")), 100 / 123.75, 1e-6);
    json_t *faster = json_pack("{ss, ss, ss, sf, ss}", "name", "faster", "kind", "measured", "run", "second", "full", 0.9,
                               "verdict", "skipped");
    ck_assert_msg(json_equal(json_array_get(goals, 1), faster), "%s", text_string(&out));
    json_decref(faster);
    json_decref(object);
    text_free(&out);
    c->lab.gpu_info.driver_version = 13000;
    ck_assert(!measured_result(&c->lab, NULL, true, &out));
    ck_assert_msg(strstr(text_string(&out), "\"driver\": \"13.0\""), "%.300s", text_string(&out));
    text_free(&out);
    case_free(c);
}
END_TEST

/* A copy of 100 us in no time at all: JSON has no number for how many times as fast that is. */
START_TEST(what_is_no_number_leaves_the_others)
{
    Case *c = case_new();
    Text out = {0};
    measure(c, 0, 0, false);
    measured_result(&c->lab, NULL, true, &out);
    json_t *object = json_loads(text_string(&out), 0, NULL), *fast = json_array_get(json_object_get(object, "goals"), 0);
    ck_assert_msg(json_is_null(json_object_get(fast, "value")), "%s", text_string(&out));
    ck_assert_double_eq(json_number_value(json_object_get(fast, "copy_us")), 100);
    ck_assert_int_eq(json_integer_value(json_object_get(fast, "repeats")), 20);
    json_decref(object);
    text_free(&out);
    case_free(c);
}
END_TEST

START_TEST(without_a_gpu_it_is_said_why)
{
    Case *c = case_new();
    Text out = {0};
    c->runs[0].done = c->runs[1].done = false;
    const Diag absent = {.message = "there is no GPU", .hint = "plug one in"};
    ck_assert(!says(c, &absent,
                    "Lab 05 Transpose, measured  (nvcc 13.0)\n\nthere is no GPU\n  hint: plug one in\n"
                    "  SKIPPED      fast                  goal 0.5 of the copy\n  SKIPPED      faster                goal 0.9 "
                    "of the copy\n"));
    ck_assert(!measured_result(&c->lab, &absent, true, &out));
    json_t *object = json_loads(text_string(&out), 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(object, "skipped")), "there is no GPU");
    ck_assert_ptr_null(json_object_get(object, "device"));
    ck_assert_uint_eq(json_array_size(json_object_get(object, "kernels")), 0);
    json_decref(object);
    text_free(&out);
    case_free(c);
}
END_TEST

START_TEST(the_side_of_matrices_is_chosen_within_bounds_and_on_a_gpu_alone)
{
    static const struct {
        const char *chosen;
        uint32_t side;
    } rows[] = {{"", 12800}, {"1", 1}, {"32768", 32768}, {"32769", 12800}, {"0", 12800}, {"-5", 12800}, {"4096", 4096}};
    Lab lab = {.gpu = gpu_new()}, emulated = {0};
    unsetenv("LAB_SIDE");
    ck_assert_uint_eq(lab_side(&lab, 512), 12800);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setenv("LAB_SIDE", rows[i].chosen, 1);
        ck_assert_msg(lab_side(&lab, 512) == rows[i].side, "'%s'", rows[i].chosen);
        ck_assert_uint_eq(lab_side(&emulated, 512), 512);
    }
    gpu_free(lab.gpu);
}
END_TEST

SUITE("speed", runs_are_timed_for_measured_goals_alone, all_goals_passed_are_full_marks,
      a_slow_kernel_a_scattered_one_and_one_that_did_not_run, a_wrong_kernel_is_no_full_mark_wherever_it_stands,
      what_could_not_be_found_out_is_no_mistake, kernels_are_left_out_by_their_whole_names, the_json_has_the_same_numbers,
      what_is_no_number_leaves_the_others, without_a_gpu_it_is_said_why,
      the_side_of_matrices_is_chosen_within_bounds_and_on_a_gpu_alone)
