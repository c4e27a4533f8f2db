/* A lab of its own in a temporary folder: one kernel, hand-written PTX with slips put in, and the verdict that each must get. */
#include "lab/lab.h"

#include <getopt.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "suite.h"

static char root[SUITE_FOLDER];
static char file[64];

/* out[i] = in[i] + step; one thread an element. %s: what comes after the addresses %rd3 (in) and %rd4 (out) of the thread's elements
 * are known; %%f1 holds the sum. */
static const char kernel[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                             "%s\n"
                             ".visible .entry add(.param .u64 in, .param .u64 out, .param .f32 step%s) {\n"
                             "    .reg .u64 %%rd<5>; .reg .u32 %%r<2>; .reg .f32 %%f<3>;\n"
                             "    ld.param.u64 %%rd1, [in]; ld.param.u64 %%rd2, [out]; ld.param.f32 %%f2, [step];\n"
                             "    mov.u32 %%r1, %%tid.x;\n"
                             "    mad.wide.u32 %%rd3, %%r1, 4, %%rd1;\n"
                             "    mad.wide.u32 %%rd4, %%r1, 4, %%rd2;\n"
                             "    ld.global.f32 %%f1, [%%rd3];\n"
                             "    add.f32 %%f1, %%f1, %%f2;\n"
                             "    %s\n"
                             "    ret;\n"
                             "}\n";

static void write_text(const char *path, const char *format, ...) {
    FILE *out = fopen(path, "w");
    va_list list;
    ck_assert(out != NULL);
    va_start(list, format);
    vfprintf(out, format, list);
    va_end(list);
    ck_assert_int_eq(fclose(out), 0);
}

/* --- the lab -------------------------------------------------------------------------------------------------------------- */

enum { COUNT = 40 };
static uint64_t offset;                                    /* of the output */
static bool measures = true, ends = true, compares = true; /* the suite forgets nothing */
static uint64_t copy_bytes = COUNT * sizeof(float);
static bool counts; /* the suite looks at counts itself */

static LabCase *add(Lab *lab, const char *name) {
    LabCase *c = lab_case(lab, name, "%d floats", COUNT);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, COUNT);
    lab_offset(c, offset);
    LabBuffer *out = lab_output(c, "out", TYPE_f32, COUNT);
    float *expected = lab_scratch(c, COUNT * sizeof *expected);
    for (int i = 0; i < COUNT; i++) expected[i] = ((const float *)lab_data(in))[i] + 0.5f;
    lab_f32(c, 0.5f);
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){COUNT, 1, 1}, 0);
    lab_expect(c, out, expected, 1, COUNT);
    return c;
}

/* Two warps, of 32 and of 8 lanes, execute 10 instructions each. Bytes 0 to 159 are loaded: 4 sectors and 1. On Fermi 32 lanes load a line
 * of 128 bytes, which is 4 sectors, and 8 lanes another one. */
static void look_at_counts(LabCase *c) {
    ck_assert_double_eq(lab_metric(c, "instructions"), 20);
    ck_assert_double_eq(lab_metric(c, "global.load.sectors"), 5);
    ck_assert_double_eq(lab_metric(c, "shared.load.requests"), 0);
    ck_assert_double_eq(lab_metric(c, "constant.requests"), 0);
    ck_assert_double_eq(lab_metric(c, "shared_bytes"), 0);
    ck_assert_double_eq(lab_metric(c, "warp_imbalance"), 1);
    lab_device(c, "fermi");
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){COUNT, 1, 1}, 0);
    ck_assert_double_eq(lab_metric(c, "global.load.sectors"), 8);
}

static void adds(Lab *lab, const char *name) { lab_end(add(lab, name)); }

static void run_add(Lab *lab, const char *name) {
    LabCase *c = add(lab, name);
    if (!compares) lab_launch(c, (LabShape){1, 1, 1}, (LabShape){COUNT, 1, 1}, 0);
    if (measures) lab_measure(c, copy_bytes, copy_bytes);
    if (counts) look_at_counts(c);
    if (ends) lab_end(c);
}

static void run_table(Lab *lab, const char *name) {
    int32_t values[2];
    ck_assert_str_eq(name, "none");
    lab_predictions(lab, "table", values, 2);
    lab_value(lab, "right", (values[0] == 7) + (values[1] == -9) + (lab_constant(lab, "choice", 3, 1, 4) == 3));
}

static const LabTest tests[] = {{"add", "adds", adds}};
static const LabRun runs[] = {{"big", run_add}, {"guess", run_table}};

static const char goals[] = "LAB(\"99\", \"test\", \"A test\", 100)\n"
                            "KERNEL(add)\n"
                            "RUN(big, add, \"40 floats\") CORRECT(big, 20)\n"
                            /* 32 lanes * 4 bytes / 32 = 4 sectors, then 8 lanes: 1; 5 in 2 requests */
                            "GOAL(sectors, big, \"global.store.sectors / global.store.requests\", 2.5, 4, 40, \"\")\n"
                            "LIMIT(compared, big, \"copy.model.time_us * 0\", 0, \"\")\n"
                            "LIMIT(work, big, \"instructions\", 30, \"\")\n"
                            "LIMIT(unused, big, \"shared.load.requests\", 0, \"\")\n"
                            "LIMIT(even, big, \"access_imbalance\", 1.2, \"\")\n"
                            "RUN(guess, none, \"a table\") GOAL(guesses, guess, \"right\", 3, 1, 40, \"\")\n";

static const char rules[] = "RULE(shared, \"warp_imbalance\", 1.15, \"\")\n"
                            "RULE(absent, \"copy.model.time_us * 0 - 1 / needed_bytes\", 0, \"\")\n";

static const char table[] = ".visible .const .align 4 .b8 table[8] = {7, 0, 0, 0, 247, 255, 255, 255};";
static const char store[] = "st.global.f32 [%rd4], %f1;";

/* --- grading it ----------------------------------------------------------------------------------------------------------- */

/* Exit status of the suite with these options, the last of which is the file. */
static int grade(const char *option, const char *value) {
    char *argv[] = {"test", (char *)option, (char *)value, file, NULL};
    return lab_main(4, argv, &(LabSuite){"99-test", LAB_TABLE(tests), LAB_TABLE(runs)});
}

static void has_verdict(const char *before, const char *params, const char *body, const char *verdict) {
    write_text(file, kernel, before, params, body);
    ck_assert_msg(grade("--verdict", verdict) == 0, "%s: not %s", body, verdict);
    ck_assert_msg(grade("--verdict", "wrong add: something else; slow guesses") == 1, "%s: any verdict will do", body);
}

static double points(void) {
    char number[16], text[40] = "";
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    snprintf(number, sizeof number, "%d", ends[1]);
    FILE *null = freopen("/dev/null", "w", stdout); /* the result for people */
    ck_assert(null != NULL);
    int status = grade("--score", number);
    ck_assert(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]), close(ends[1]);
    ck_assert_int_eq(status, atof(text) == 100 ? 0 : 1);
    return atof(text);
}

/* Of 40 loads and 40 stores 10 sectors, without conflicts; the store's 2.5 sectors a request. */
START_TEST(what_was_seen_stands_behind_the_points)
{
    char number[16], text[300] = "", rest[200] = "";
    int ends[2];
    double sectors = 0, conflicts = -1;
    write_text(file, kernel, table, "", store);
    ck_assert_int_eq(pipe(ends), 0);
    snprintf(number, sizeof number, "--score=%d", ends[1]);
    char *argv[] = {"test", number, "--seen", file, NULL};
    ck_assert(freopen("/dev/null", "w", stdout) != NULL);
    ck_assert_int_eq(lab_main(4, argv, &(LabSuite){"99-test", LAB_TABLE(tests), LAB_TABLE(runs)}), 0);
    ck_assert(read(ends[0], text, sizeof text - 1) > 0);
    ck_assert_msg(sscanf(text, "100\nbig=60,%lf,%lf,%199s", &sectors, &conflicts, rest) == 3, "%s", text);
    ck_assert(sectors == 10 && conflicts == 0);
    ck_assert_msg(strstr(rest, ",2.5;guess=40;"), "%s", rest);
}
END_TEST

START_TEST(what_is_right_gets_full_marks)
{
    has_verdict(table, "", store, "full");
    ck_assert_double_eq(points(), 100);
}
END_TEST

START_TEST(points_lie_between_the_bounds)
{
    write_text(file, kernel, ".visible .const .align 4 .b8 table[8] = {7, 0, 0, 0, 1, 0, 0, 0};", "", store);
    ck_assert_double_eq(points(), 80); /* 2 of 3 right: (2 - 1) / (3 - 1) of 40 points, and 60 */
    /* From byte 12 on: bytes 12 to 139 touch 5 sectors, 140 to 171 touch 2: 3.5 a request, a third of the way from 4 to 2.5. */
    offset = 3;
    has_verdict(table, "", store, "slow sectors");
    ck_assert_double_eq_tol(points(), 20 + 13.33 + 40, 1e-9);
}
END_TEST

START_TEST(a_run_that_names_no_copy_has_none)
{
    copy_bytes = 0;
    has_verdict(table, "", store, "slow compared");
}
END_TEST

START_TEST(a_limit_takes_all_points_of_its_run)
{
    static char body[2000];
    strcpy(body, store);
    for (int i = 0; i < 20; i++) strcat(body, " add.f32 %f1, %f1, %f2;"); /* 2 warps * (10 + 20) instructions */
    has_verdict(table, "", body, "slow work");
    ck_assert_double_eq(points(), 40);
}
END_TEST

/* What limits there are besides the broken one is told as it is. */
START_TEST(a_broken_limit_leaves_the_other_limits_alone)
{
    static char body[2000];
    char path[64];
    strcpy(body, store);
    for (int i = 0; i < 20; i++) strcat(body, " add.f32 %f1, %f1, %f2;");
    write_text(file, kernel, table, "", body);
    snprintf(path, sizeof path, "%s/result.json", root);
    ck_assert(freopen(path, "w", stdout) != NULL);
    ck_assert_int_eq(grade("--seed=1", "--json"), 1);
    fflush(stdout);
    json_t *result = json_load_file(path, 0, NULL), *goal;
    size_t i, limits = 0;
    json_array_foreach(json_object_get(result, "goals"), i, goal) {
        const char *name = json_string_value(json_object_get(goal, "name"));
        if (strcmp(json_string_value(json_object_get(goal, "kind")), "limit") != 0) continue;
        limits++;
        ck_assert_msg(json_is_true(json_object_get(goal, "met")) == (strcmp(name, "work") != 0), "%s", name);
        ck_assert_msg(json_object_get(goal, "reason") == NULL, "%s", name);
    }
    ck_assert_uint_ge(limits, 4);
    json_decref(result);
}
END_TEST

/* Warp 0 executes 10 + 2 instructions. Warp 1 so many more: 4 more are 16 of 28, 16 * 2 / 28 = 1.143; 5 more are 17 of 29, 1.172. */
START_TEST(a_warp_that_does_more_than_its_share_is_counted)
{
    static const char more[] =
        "{ .reg .pred %%p; setp.lt.u32 %%p, %%r1, 32; @%%p bra done; %s done: } st.global.f32 [%%rd4], %%f1;",
                      add[] = "add.f32 %f2, %f2, %f2; ";
    char adds[200] = "", body[400];
    for (int i = 0; i < 4; i++) strcat(adds, add);
    snprintf(body, sizeof body, more, adds);
    has_verdict(table, "", body, "full");
    strcat(adds, add);
    snprintf(body, sizeof body, more, adds);
    has_verdict(table, "", body, "slow shared");
    ck_assert_double_eq(points(), 40);
}
END_TEST

/* Each warp loads twice and stores once. One more request of warp 1's makes 4 of 7, 4 * 2 / 7 = 1.143; two more 5 of 8, 1.25. */
START_TEST(a_warp_that_asks_more_than_its_share_is_counted)
{
    static const char more[] =
        "{ .reg .pred %%p; setp.lt.u32 %%p, %%r1, 32; @%%p bra done; %s done: } st.global.f32 [%%rd4], %%f1;";
    char body[400];
    snprintf(body, sizeof body, more, store);
    has_verdict(table, "", body, "full");
    snprintf(body, sizeof body, more, "st.global.f32 [%rd4], %f1; st.global.f32 [%rd4], %f1;");
    has_verdict(table, "", body, "slow even");
}
END_TEST

/* Tests run on a smaller device than measured runs do; an H200 has 132 SMs in both. */
START_TEST(no_kernel_can_tell_a_test_from_a_run)
{
    has_verdict(table, "",
                "{ .reg .pred %p; .reg .u32 %n; mov.u32 %n, %nsmid; setp.eq.u32 %p, %n, 132; @%p st.global.f32 [%rd4], %f1; }",
                "full");
}
END_TEST

START_TEST(suites_see_the_counts_of_a_launch)
{
    counts = true;
    has_verdict(table, "", store, "full");
}
END_TEST

START_TEST(wrong_kernels_are_told_apart)
{
    has_verdict(table, "", "", "wrong add: nothing was written");
    has_verdict(table, "", "st.global.f32 [%rd4], %f2;", "wrong add: element 0 of 'out' is 0.5");
    has_verdict(table, "", "st.global.f32 [%rd4], %f1; st.global.f32 [%rd3], %f1;",
                "wrong add: the input 'in' was changed, at element 0");
    has_verdict(table, "", "st.global.f32 [%rd4+160], %f1;", "wrong add: out of bounds");
    has_verdict(table, ", .param .u32 more", store, "wrong add: 4 parameters instead of 3");
    ck_assert_double_eq(points(), 40);
}
END_TEST

static const float zero = 0, other_zero = -0.0f;
static void bits(Lab *lab, const char *name) {
    LabCase *c = lab_case(lab, name, "x");
    lab_expect(c, lab_inout(c, "out", TYPE_f32, 1, &zero), &other_zero, 1, 1);
    lab_end(c);
}
static void numbers(Lab *lab, const char *name) {
    LabCase *c = lab_case(lab, name, "x");
    lab_expect_near(c, lab_inout(c, "out", TYPE_f32, 1, &zero), &other_zero, 1, 1, 0);
    lab_end(c);
}

START_TEST(zeros_of_either_sign_are_equal_as_numbers_alone)
{
    char *argv[] = {"test", "--verdict", "wrong add: element 0 of 'out' is 0, expected -0;", file, NULL};
    const LabTest of_bits[] = {{"add", "bits", bits}}, of_numbers[] = {{"add", "numbers", numbers}};
    write_text(file, kernel, table, "", store);
    ck_assert_int_eq(lab_main(4, argv, &(LabSuite){"99-test", LAB_TABLE(of_bits), LAB_TABLE(runs)}), 0);
    argv[2] = "full";
    ck_assert_int_eq(lab_main(4, argv, &(LabSuite){"99-test", LAB_TABLE(of_numbers), LAB_TABLE(runs)}), 0);
}
END_TEST

START_TEST(a_guard_band_lies_before_a_buffer)
{
    offset = 3;
    has_verdict(table, "", store, "slow sectors");
    has_verdict(table, "", "st.global.f32 [%rd4], %f1; st.global.f32 [%rd2+-8], %f2;",
                "wrong add: before the beginning of 'out'");
    has_verdict(table, "", "st.global.f32 [%rd4], %f1; st.global.f32 [%rd2+-16], %f1;", "wrong add: out of bounds");
}
END_TEST

START_TEST(constants_are_read_and_checked)
{
    char text[300];
    has_verdict("", "", store, "slow guesses");
    has_verdict(".visible .const .align 4 .u32 table = 7;", "", store, "slow guesses");
    snprintf(text, sizeof text, "%s .visible .global .align 4 .u32 choice = 4;", table);
    has_verdict(text, "", store, "slow guesses");
    ck_assert_double_eq(points(), 80);
    snprintf(text, sizeof text, "%s .visible .global .align 4 .u32 choice = 5;", table);
    has_verdict(text, "", store, "slow guesses");
    ck_assert_double_eq(points(), 60);
    snprintf(text, sizeof text, "%s .visible .const .align 4 .u32 choice = 3;", table);
    has_verdict(text, "", store, "full");
}
END_TEST

START_TEST(other_kernels_are_refused)
{
    char text[300];
    snprintf(text, sizeof text, "%s .visible .entry evil() { ret; }", table);
    has_verdict(text, "", store, "refused: does not ask for a kernel 'evil'");
    write_text(file, ".version 7.0\n.target sm_75\n.address_size 64\n");
    ck_assert_int_eq(grade("--verdict", "refused: does not define the kernel 'add'"), 0);
    write_text(file, "nonsense");
    ck_assert_int_eq(grade("--verdict", "refused:"), 0);
}
END_TEST

START_TEST(a_suite_that_forgets_a_run_gives_no_points)
{
    write_text(file, kernel, table, "", store);
    measures = false;
    ck_assert(freopen("/dev/null", "w", stderr) != NULL);
    ck_assert_int_eq(grade("--seed", "1"), 2);
}
END_TEST

START_TEST(mistakes_of_a_suite_are_named)
{
    char said[2000] = "";
    char *argv[] = {"test", file, NULL};
    const LabTest nothing[] = {{"add", "adds", NULL}}, unknown[] = {{"sub", "adds", adds}};
    write_text(file, kernel, table, "", store);
    int to[2], err = dup(STDERR_FILENO);
    ck_assert_int_eq(pipe(to), 0);
    dup2(to[1], STDERR_FILENO);
    ends = false;
    ck_assert_int_eq(lab_main(2, argv, &(LabSuite){"99-test", LAB_TABLE(tests), LAB_TABLE(runs)}), 2);
    ends = true;
    compares = false;
    ck_assert_int_eq(lab_main(2, argv, &(LabSuite){"99-test", LAB_TABLE(tests), LAB_TABLE(runs)}), 2);
    compares = true;
    ck_assert_int_eq(lab_main(2, argv, &(LabSuite){"99-test", LAB_TABLE(nothing), LAB_TABLE(runs)}), 2);
    ck_assert_int_eq(lab_main(2, argv, &(LabSuite){"99-test", LAB_TABLE(unknown), LAB_TABLE(runs)}), 2);
    dup2(err, STDERR_FILENO);
    ck_assert(read(to[0], said, sizeof said - 1) > 0);
    ck_assert_msg(strstr(said, "'big' does not end its case: lab_end is missing"), "%s", said);
    ck_assert_msg(strstr(said, "'big' measures a launch without having compared every output"), "%s", said);
    ck_assert_msg(strstr(said, "row 1 of the suite's tests is not complete"), "%s", said);
    ck_assert_msg(strstr(said, "the suite tests 'sub', which is no KERNEL of exercises/99-test/lab.goals"), "%s", said);
}
END_TEST

static void runs_out(Lab *lab, const char *name) {
    (void)lab, (void)name;
    raise(SIGXCPU);
}

#define SLOW(given, allowed) \
    "grading took more than " given " s: is this computer very slow, or very busy? LAB_SECONDS=" allowed " allows more"
#define NO_SECONDS(words) "LAB_SECONDS '" words "' is not a whole number from 1 to 100000\n"

/* Ten times what was too little; 300 s where no number of seconds is chosen. */
static const struct {
    const char *chosen, *said;
} seconds[] = {{"7", SLOW("7", "70")}, {"1", SLOW("1", "10")},   {"", SLOW("300", "3000")},
               {"0", NO_SECONDS("0")}, {"-7", NO_SECONDS("-7")}, {"7 s", NO_SECONDS("7 s")}};

START_TEST(a_grader_that_is_cut_off_says_what_would_help)
{
    char said[1000] = "", wanted[300];
    char *argv[] = {"test", file, NULL};
    const LabTest slow[] = {{"add", "runs_out", runs_out}};
    int to[2], status;
    write_text(file, kernel, table, "", store);
    setenv("LAB_SECONDS", seconds[_i].chosen, 1);
    ck_assert_int_eq(pipe(to), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (!child) {
        dup2(to[1], STDERR_FILENO);
        _exit(lab_main(2, argv, &(LabSuite){"99-test", LAB_TABLE(slow), LAB_TABLE(runs)}));
    }
    ck_assert(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 4);
    ck_assert(read(to[0], said, sizeof said - 1) > 0);
    snprintf(wanted, sizeof wanted, "Lab 99 A test was not graded, and that is not the file's fault:\n  %s\n",
             seconds[_i].said);
    ck_assert_str_eq(said, wanted);
}
END_TEST

/* What people are shown with this option, of the file as it is. */
static char *shown(char *option, int status) {
    char path[64];
    size_t length;
    char *argv[] = {"test", "--seed=1", option, file, NULL};
    snprintf(path, sizeof path, "%s/shown", root);
    ck_assert(freopen(path, "w", stdout) != NULL);
    ck_assert_int_eq(lab_main(4, argv, &(LabSuite){"99-test", LAB_TABLE(tests), LAB_TABLE(runs)}), status);
    fflush(stdout);
    char *text = text_read_file(path, 1 << 20, &length);
    ck_assert_ptr_nonnull(text);
    return text;
}

/* 40 lanes print 5 bytes each, and 20 lines are shown. Of the run, which prints the same later, nothing is. */
START_TEST(what_a_kernel_prints_is_counted_whole)
{
    char before[300];
    snprintf(before, sizeof before,
             "%s\n.extern .func (.param .b32 n) vprintf(.param .b64 f, .param .b64 a);\n"
             ".global .b8 f[6] = {97, 98, 99, 100, 10, 0};",
             table);
    write_text(file, kernel, before, "",
               "{ .reg .b64 %d; .reg .b32 %n; mov.u64 %d, f; cvta.global.u64 %d, %d; call (%n), vprintf, (%d, 0); }\n"
               "st.global.f32 [%rd4], %f1;");
    char *text = shown("--threads=1", 0);
    ck_assert_msg(strstr(text, "printf in add, with 40 floats:\n  | abcd\n"), "%s", text);
    ck_assert_msg(strstr(text, "It printed 200 bytes; these are the first 20 lines."), "%s", text);
    free(text);
}
END_TEST

/* Comments of both kinds and blanks are no work. */
START_TEST(a_file_that_is_the_exercise_is_not_begun)
{
    static const char *const texts[] = {"/* mine: / */ // and\n/**/", "// /* */\n.global .b32 more;"};
    char folder[64], untouched[80], before[300];
    snprintf(folder, sizeof folder, "%s/exercises/untouched", root);
    snprintf(untouched, sizeof untouched, "%s/99-test.cu", folder);
    ck_assert_int_eq(mkdir(folder, 0755), 0);
    write_text(untouched, kernel, table, "", store);
    for (int changed = 0; changed < 2; changed++) {
        snprintf(before, sizeof before, "%s%s", texts[changed], table);
        write_text(file, kernel, before, "", store);
        char *text = shown("--threads=1", 0);
        ck_assert_msg((strstr(text, "100 of 100 points, not begun") != NULL) == !changed, "%s: %s", before, text);
        free(text);
    }
    ck_assert(unlink(untouched) == 0 && rmdir(folder) == 0);
}
END_TEST

/* The stores miss their goal, and 2 of 3 predictions are right: one is explained, or all. */
START_TEST(all_that_is_wrong_is_explained_where_that_is_asked_for)
{
    offset = 3;
    write_text(file, kernel, ".visible .const .align 4 .b8 table[8] = {7, 0, 0, 0, 1, 0, 0, 0};", "", store);
    for (int all = 0; all < 2; all++) {
        char *text = shown(all ? "--all" : "--threads=1", 1);
        ck_assert_msg((strstr(text, "All that is wrong: make grade LAB=99 ALL=1") != NULL) == !all, "%s", text);
        ck_assert_msg(strstr(text, "\nsectors: "), "%s", text);
        ck_assert_msg((strstr(text, "\nguesses: ") != NULL) == all, "%s", text);
        free(text);
    }
}
END_TEST

START_TEST(tests_cannot_be_switched_off_from_outside)
{
    write_text(file, kernel, table, "", "");
    setenv("CK_RUN_CASE", "nothing", 1);
    setenv("CK_RUN_SUITE", "nothing", 1);
    ck_assert_int_eq(grade("--verdict", "wrong add: nothing was written"), 0);
}
END_TEST

static void prepare(void) {
    char path[128], here[3000], link[3100];
    suite_folder(root);
    ck_assert(getcwd(here, sizeof here));
    const char *const folders[] = {"exercises", "exercises/99-test", "src", "src/cuda"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "mkdir %s/%s", root, folders[i]);
        ck_assert_int_eq(system(path), 0);
    }
    snprintf(path, sizeof path, "%s/src/include", root);
    snprintf(link, sizeof link, "%s/src/include", here);
    ck_assert_int_eq(symlink(link, path), 0);
    snprintf(path, sizeof path, "%s/exercises/99-test/lab.goals", root);
    write_text(path, "%s", goals);
    snprintf(path, sizeof path, "%s/exercises/rules.goals", root);
    write_text(path, "%s", rules);
    snprintf(file, sizeof file, "%s/kernel.ptx", root);
    setenv("WARPSCOPE_HOME", root, 1);
}

SUITE_ONCE("lab", prepare, NULL, what_was_seen_stands_behind_the_points, what_is_right_gets_full_marks,
           points_lie_between_the_bounds, a_run_that_names_no_copy_has_none, a_limit_takes_all_points_of_its_run,
           a_broken_limit_leaves_the_other_limits_alone, a_warp_that_does_more_than_its_share_is_counted,
           a_warp_that_asks_more_than_its_share_is_counted, no_kernel_can_tell_a_test_from_a_run,
           suites_see_the_counts_of_a_launch, wrong_kernels_are_told_apart, zeros_of_either_sign_are_equal_as_numbers_alone,
           a_guard_band_lies_before_a_buffer, constants_are_read_and_checked, other_kernels_are_refused,
           a_suite_that_forgets_a_run_gives_no_points, mistakes_of_a_suite_are_named,
           REPEATED(sizeof seconds / sizeof *seconds, a_grader_that_is_cut_off_says_what_would_help),
           what_a_kernel_prints_is_counted_whole, a_file_that_is_the_exercise_is_not_begun,
           all_that_is_wrong_is_explained_where_that_is_asked_for, tests_cannot_be_switched_off_from_outside)
