/* Cases of a lab (lab/lab.h, case.c, suite.c, failure.c, relaunch.c): their memory, arguments and launches, what a suite reads of a file, what is recorded. */
#include "lab/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/failure.h"
#include "lab/relaunch.h"
#include "suite.h"

/* Line 6 loads in[tid] as data that nobody writes, line 7 adds step, line 8 stores; kernel `rows` writes the second half of 64 alone, `meet` all of
 * a warp to out[0], `spoil` to in[5] as well, `loop` never ends. */
static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry add(.param .u64 in, .param .u64 out, .param .f32 step) { .reg .u64 %rd<5>; .reg .u32 %r<2>; .reg .f32 "
    "%f<3>;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.f32 %f2, [step]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, "
    "4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;\n"
    "ld.global.nc.f32 %f1, [%rd1];\nadd.f32 %f1, %f1, %f2;\nst.global.f32 [%rd2], %f1;\nret; }\n"
    ".visible .entry rows(.param .u64 out) { .reg .u64 %rd<5>; .reg .u32 %r<2>; .reg .f32 %f<3>;\n"
    "ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd2, %rd2, %rd3; mov.f32 %f1, "
    "0f3F800000;\nst.global.f32 [%rd2+128], %f1;\nret; }\n"
    ".visible .entry meet(.param .u64 out) { .reg .u64 %rd<5>; .reg .u32 %r<2>;\n"
    "ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\nst.volatile.global.u32 [%rd2], %r1;\nret; }\n"
    ".visible .entry spoil(.param .u64 in) { .reg .u64 %rd<5>; .reg .u32 %r<2>;\n"
    "ld.param.u64 %rd2, [in]; mov.u32 %r1, 7;\nst.global.u32 [%rd2+20], %r1;\nret; }\n"
    ".visible .entry many(.param .u32 a, .param .u64 b, .param .f32 c) { ret; }\n.visible .entry crash() {\ntrap;\nret; }\n"
    ".visible .entry shuffle(.param .u64 out) { .reg .u64 %rd<5>; .reg .b32 %r<4>; .reg .pred %p;\n"
    "ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd2, %rd2, %rd3; setp.ge.u32 %p, %r1, "
    "16; @%p ret;\nshfl.sync.idx.b32 %r2, %r1, 20, 31, 65535;\nst.global.u32 [%rd2], %r2;\nret; }\n"
    ".visible .entry loop() {\nL: bra L;\n}\n"
    ".visible .const .align 4 .b8 table_add[8] = {7, 0, 0, 0, 9};\n.visible .const .align 4 .u32 below = 4294967295;\n"
    ".visible .global .align 4 .u32 plain;\n.visible .shared .align 4 .u32 hidden;\n.extern .const .align 4 .u32 "
    "outside;\n.visible .const .align 4 .u32 variant = 123;\n";
static char text[] = "__global__ void add() {}\n\nPREDICT(add, 1.5)\n__global__ void crash() { cudaMalloc(0); }\n";

static const char facts[] = "LAB(\"07\", \"slug\", \"Title\", 10) KERNEL(add) KERNEL(rows) RUN(first, add, \"8\") "
                            "CORRECT(first, 10) RUN(table, none, \"t\") "
                            "VARY(table, \"n\", 1, 2, 3)";

static Lab lab;
static KernelResult kernels[2];
static RunResult runs[2];

static void begin(void) {
    Diag diag = {0};
    lab = (Lab){.goals = goals_parse("", facts, "lab.goals", &diag),
                .page = page_plain,
                .profile = profile_find("h200", &diag),
                .seed = 1,
                .threads = 1,
                .kernels = kernels,
                .runs = runs,
                .run = -1};
    ck_assert(lab.goals && source_from_ptx("kernel.cu", ptx, strlen(ptx), &lab.source, &diag));
    ck_assert_msg(!diag.set, "%u: %s", diag.line, diag.message);
    lab.source.is_ptx = true; /* constants are declared there alone */
    lab.source.path = "kernel.cu";
    lab.source.text = strdup(text);
    lab.small = *lab.profile;
    lab.small.sms = 4;
}

static void end(void) {
    for (LabCase *c = lab.cases, *next; c; c = next) next = c->next, case_free(c);
    for (int k = 0; k < 2; k++) {
        failure_free(&kernels[k].failure);
        json_decref(kernels[k].relaunch);
        failure_free(&runs[k].failure);
        text_free(&runs[k].note);
        if (runs[k].kept) case_free(runs[k].kept);
        json_decref(runs[k].report);
    }
    source_free(&lab.source);
    goals_free(lab.goals);
}

/* --- failures, which leave Check as they do in a grader ------------------------------------------------------------------- */

static void (*step)(void);
START_TEST(take_step)
{ step(); }
END_TEST

/* Whether it comes back. */
static bool ends_well(void (*what)(void)) {
    Suite *suite = suite_create("inside");
    TCase *tests = tcase_create("inside");
    step = what;
    tcase_add_test(tests, take_step);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    bool good = srunner_ntests_failed(runner) == 0;
    srunner_free(runner);
    return good;
}

static void forget(void) {
    failure_free(&kernels[0].failure);
    failure_free(&runs[1].failure);
    kernels[0].failure = runs[1].failure = (LabFailure){0};
    kernels[0].wrong = runs[1].failed = false;
    kernels[0].block[0] = 0;
}

/* The step is a failure of kernel 0, or where a run is under way that launches nothing, of that run. */
static void fails(void (*what)(void), const char *message, const char *cause) {
    const LabFailure *failure = lab.kernel >= 0 ? &kernels[0].failure : &runs[1].failure;
    forget();
    ck_assert(!ends_well(what));
    ck_assert(lab.kernel >= 0 ? kernels[0].wrong : runs[1].failed);
    ck_assert_str_eq(text_string(&failure->message), message);
    ck_assert_str_eq(text_string(&failure->cause), cause);
}

/* --- arguments ------------------------------------------------------------------------------------------------------------ */

START_TEST(arguments_lie_where_the_kernel_looks_for_them)
{
    struct {
        uint32_t at;
        uint64_t bits;
        size_t bytes;
    } rows[] = {{0, 0xfffffffb, 4}, {8, 0, 8}, {16, 0x40200000, 4}};
    LabCase *c = lab_case(&lab, "many", "x");
    lab_i32(c, -5);
    rows[1].bits = lab_output(c, "out", TYPE_u8, 1)->allocation->address;
    lab_f32(c, 2.5f);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(memcmp(c->params + rows[i].at, &rows[i].bits, rows[i].bytes) == 0, "row %zu", i);
    lab_launch(c, (LabShape){1, 0, 0}, (LabShape){0, 2, 3}, 0);
    ck_assert(c->request.launch.grid[0] == 1 && c->request.launch.grid[1] == 1 && c->request.launch.grid[2] == 1);
    ck_assert(c->request.launch.block[0] == 1 && c->request.launch.block[1] == 2 && c->request.launch.block[2] == 3);
    lab_end(c);
    ck_assert_uint_eq(kernels[0].cases, 1);
    ck_assert_ptr_null(lab.cases);
}
END_TEST

static void too_wide(void) { lab_input(lab_case(&lab, "many", "33 %s", "floats"), "in", TYPE_u8, 1); }
static void too_narrow(void) {
    LabCase *c = lab_case(&lab, "many", "x");
    lab_i32(c, 1), lab_f32(c, 1);
}
static void too_many(void) {
    LabCase *c = lab_case(&lab, "rows", "x");
    lab_input(c, "in", TYPE_u8, 1), lab_i32(c, 1);
}
static void too_few(void) {
    LabCase *c = lab_case(&lab, "many", "x");
    lab_i32(c, 1);
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){1, 1, 1}, 0);
}

START_TEST(a_kernel_s_head_must_stay)
{
    fails(too_wide, "parameter 1 of 'many' has 4 bytes instead of 8: the kernel's head must stay as it was", "");
    ck_assert_str_eq(text_string(&kernels[0].failure.where), "33 floats");
    fails(too_narrow, "parameter 2 of 'many' has 8 bytes instead of 4: the kernel's head must stay as it was", "");
    fails(too_many, "'rows' has only 1 parameters: the kernel's head must stay as it was", "");
    fails(too_few, "'many' has 3 parameters instead of 1: the kernel's head must stay as it was", "");
}
END_TEST

/* --- memory --------------------------------------------------------------------------------------------------------------- */

START_TEST(buffers_begin_behind_a_guard_band)
{
    static const int32_t data[] = {5, -6, 7};
    LabCase *c = lab_case(&lab, "add", "x");
    lab_offset(c, 3);
    LabBuffer *in = lab_input_data(c, "in", TYPE_s32, 3, data), *out = lab_inout(c, "out", TYPE_s32, 3, data);
    uint64_t first, second;
    memcpy(&first, c->params, 8), memcpy(&second, c->params + 8, 8);
    ck_assert_uint_eq(first, in->allocation->address + 12);
    ck_assert_uint_eq(first % 256, 12);
    ck_assert_uint_eq(second % 256, 0); /* of the next buffer alone */
    ck_assert(memcmp(lab_data(in), data, 12) == 0 && memcmp(lab_data(out), data, 12) == 0);
    ck_assert(in->allocation->initialized && out->allocation->initialized && !in->written && out->written);
    c->n_params = 0;
    lab_pass(c, out);
    memcpy(&first, c->params, 8);
    ck_assert_uint_eq(first, second);
    const uint8_t *scratch = lab_scratch(c, 100);
    for (int i = 0; i < 100; i++) ck_assert_int_eq(scratch[i], 0);
}
END_TEST

START_TEST(draws_reach_both_ends)
{
    uint32_t seen[4] = {0};
    for (int i = 0; i < 400; i++) {
        uint32_t drawn = lab_draw(&lab, 5, 8);
        ck_assert(drawn >= 5 && drawn <= 8);
        seen[drawn - 5]++;
    }
    for (int i = 0; i < 4; i++) ck_assert_msg(seen[i] > 60 && seen[i] < 140, "%d: %u", i, seen[i]);
    ck_assert_uint_eq(lab_draw(&lab, 9, 9), 9);
    lab_draw(&lab, 0, UINT32_MAX);
    ck_assert_uint_eq(lab.n_draws, 402);
}
END_TEST

/* --- launches ------------------------------------------------------------------------------------------------------------- */

enum { COUNT = 40 };
static LabBuffer *in, *out;
static float expected[64];

static LabCase *launch_add(void) {
    LabCase *c = lab_case(&lab, "add", "%d floats", COUNT);
    in = lab_input(c, "in", TYPE_f32, COUNT);
    out = lab_output(c, "out", TYPE_f32, COUNT);
    lab_f32(c, 0.5f);
    for (int i = 0; i < COUNT; i++) expected[i] = ((const float *)lab_data(in))[i] + 0.5f;
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){COUNT, 1, 1}, 0);
    return c;
}

START_TEST(counts_of_a_launch_are_read_by_name)
{
    LabCase *c = launch_add();
    ck_assert(c->request.l1 && c->request.joins && c->request.launch.checks && c->request.profile == &lab.small);
    ck_assert(lab_is_counted(&lab) && lab_program(&lab) == lab.source.program);
    ck_assert_double_eq(lab_metric(c, "global.load.requests"), 2);
    ck_assert_double_eq(lab_metric(c, "global.load.lines"), 2); /* 128 bytes, and 32 of the next line */
    ck_assert_double_eq(lab_metric(c, "local.load.requests"), 0);
    ck_assert(in->allocation->promised && !in->allocation->written && !out->allocation->promised && out->allocation->written);
    lab_expect(c, out, expected, 1, COUNT);
    ck_assert(out->compared && out->columns == 0);
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){COUNT, 1, 1}, 48);
    ck_assert(!out->compared);
    ck_assert_double_eq(lab_metric(c, "shared_bytes"), 48);
    lab_expect_near(c, out, expected, 5, 8, 0);
    ck_assert(out->compared && out->columns == 8);
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){COUNT, 1, 1}, 0);
    lab_expect(c, out, expected, 1, COUNT - 1);
    ck_assert(!out->compared); /* one was not looked at */
    lab_compared(out);
    ck_assert(out->compared);
    lab_device(c, "fermi");
    ck_assert_str_eq(c->request.profile->name, "fermi");
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){1, 1, 1}, 0);
    ck_assert(in->allocation->promised); /* by lane 0 alone */
    lab_end(c);
}
END_TEST

static void wrong_values(void) {
    LabCase *c = launch_add();
    expected[33] += 1;
    lab_expect(c, out, expected, 5, 8);
}
static void half_written(void) {
    LabCase *c = lab_case(&lab, "rows", "x");
    out = lab_output(c, "out", TYPE_f32, 64);
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){32, 1, 1}, 0);
    for (int i = 0; i < 64; i++) expected[i] = 1;
    lab_expect(c, out, expected, 1, 64);
}
static void lanes_meet(void) {
    LabCase *c = lab_case(&lab, "meet", "x");
    const int32_t zero[2] = {1, 1}, sum[2] = {500, 1};
    out = lab_inout(c, "out", TYPE_s32, 2, zero);
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){32, 1, 1}, 0);
    lab_expect(c, out, sum, 1, 2);
}
static void input_changed(void) {
    LabCase *c = lab_case(&lab, "spoil", "x");
    lab_input(c, "in", TYPE_u16, 20);
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){1, 1, 1}, 0);
}
/* The result is right: lane 0 writes what it alone has read. */
static void promise_broken(void) {
    LabCase *c = lab_case(&lab, "add", "x");
    const float values[1] = {1};
    lab_pass(c, lab_inout(c, "values", TYPE_f32, 1, values));
    lab_f32(c, 0.5f);
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){1, 1, 1}, 0);
}
static void crashes(void) { lab_launch(lab_case(&lab, "crash", "x"), (LabShape){1, 1, 1}, (LabShape){1, 1, 1}, 0); }
static void loops(void) { lab_launch(lab_case(&lab, "loop", "x"), (LabShape){1, 1, 1}, (LabShape){1, 1, 1}, 0); }
static void near_enough(void) {
    LabCase *c = launch_add();
    expected[3] += 0.25f;
    lab_expect_near(c, out, expected, 1, COUNT, 0.25);
}
static void not_near(void) {
    LabCase *c = launch_add();
    expected[3] += 0.375f;
    lab_expect_near(c, out, expected, 1, COUNT, 0.25);
}
/* As if earlier launches had left an effort of 1: the limit is 2 to the power of 26, 67.1 millions. */
static void costs_too_much(void) {
    kernels[0].effort = (1 << 26) - 1;
    launch_add();
}
static void shuffles(void) {
    LabCase *c = lab_case(&lab, "shuffle", "x");
    const int32_t twenty[16] = {20};
    out = lab_output(c, "out", TYPE_s32, 16);
    lab_launch(c, (LabShape){1, 1, 1}, (LabShape){32, 1, 1}, 0);
    lab_expect(c, out, twenty, 1, 16);
}
static void impossible(void) { lab_launch(lab_case(&lab, "crash", "x"), (LabShape){1, 1, 1}, (LabShape){2048, 1, 1}, 0); }

/* Lines of the PTX, which nobody compiled. */
START_TEST(what_is_wrong_names_the_line_that_wrote_it)
{
    char message[100];
    ck_assert(!ends_well(wrong_values) && kernels[0].wrong);
    snprintf(message, sizeof message, "element (4, 1) of 'out' is %.7g, expected %.7g; 1 of 40 elements is wrong",
             (double)(expected[33] - 1), (double)expected[33]);
    ck_assert_str_eq(text_string(&kernels[0].failure.message), message);
    ck_assert_uint_eq(kernels[0].failure.line, 8);
    fails(half_written, "element 0 of 'out' is never written, expected 1; 32 of 64 elements are wrong",
          "32 elements were never written: do too few threads take part, or does no thread's index come to them?");
    ck_assert_uint_eq(kernels[0].failure.line, 12);
    fails(lanes_meet, "element 0 of 'out' is 31, expected 500; 1 of 2 elements is wrong",
          "line 16: lanes 0 and 1 of a warp store to the same element, and which value stays is not defined");
    ck_assert_uint_eq(kernels[0].failure.line, 16);
    fails(promise_broken,
          "'values' is read as data that nobody writes (ld.global.nc, by __restrict__ or __ldg), and the kernel writes it: the "
          "promise is broken, even where the results come out right",
          "");
    fails(input_changed, "the input 'in' was changed, at element 10", "");
    kernels[0].wrong = false;
    ck_assert(ends_well(near_enough) && !kernels[0].wrong);
    ck_assert(!ends_well(not_near) && kernels[0].wrong);
}
END_TEST

START_TEST(what_failed_first_is_kept)
{
    ck_assert(!ends_well(too_wide));
    ck_assert(!ends_well(too_few));
    ck_assert_str_eq(text_string(&kernels[0].failure.message),
                     "parameter 1 of 'many' has 4 bytes instead of 8: the kernel's head must stay as it was");
    ck_assert(!kernels[1].wrong);
}
END_TEST

/* The step ends in a fault of kernel 0, with this hint. */
static void faults(void (*what)(void), FaultKind kind, const char *hint) {
    forget();
    ck_assert(!ends_well(what) && kernels[0].failure.is_fault);
    ck_assert_int_eq(kernels[0].failure.fault.kind, kind);
    ck_assert_str_eq(kernels[0].failure.fault.hint, hint);
    ck_assert(kernels[0].failure.sentence.length && strstr(text_string(&kernels[0].failure.message), "hint: "));
}

START_TEST(a_fault_has_a_hint_for_learners)
{
    faults(crashes, FAULT_trap, "cudaMalloc allocates nothing in a kernel: the host calls it, before the launch");
    ck_assert_uint_eq(kernels[0].failure.line, 24);
    strstr(lab.source.text, "cudaMalloc")[0] = 'x';
    faults(
        crashes, FAULT_trap,
        "where no __trap() is meant, the compiler puts one where it sees that the code can only go wrong: a null pointer, or a "
        "store to __constant__ memory?");
    faults(loops, FAULT_step_limit,
           "nothing changes in this loop: does it change what it compares? What other threads change it must read anew: "
           "volatile or atomic");
    faults(costs_too_much, FAULT_effort_limit, "does a loop run without need, or each thread do what one should?");
    ck_assert_str_eq(kernels[0].failure.fault.message,
                     "the kernel's launches have cost more than 67 million instructions in this grading, starting blocks, "
                     "scattered accesses and printf included: at least four times what a solution takes");
    forget();
    ck_assert(!ends_well(impossible) && !kernels[0].failure.is_fault);
    ck_assert(strncmp(text_string(&kernels[0].failure.message), "the launch is impossible: ", 26) == 0);
}
END_TEST

/* What the launch ran through explains a wrong result, in its own line rather than in that of the store. */
START_TEST(a_shuffle_that_reads_a_lane_which_left_is_the_cause)
{
    ck_assert(!ends_well(shuffles) && kernels[0].wrong && !kernels[0].failure.is_fault);
    ck_assert_uint_eq(kernels[0].failure.line, 28);
    const char *cause = text_string(&kernels[0].failure.cause),
               *end = ". Let all lanes execute it: take it out of the if, or the loop, that only some lanes run";
    ck_assert_msg(strncmp(cause, "line 28: ", 9) == 0 && strlen(cause) > strlen(end) &&
                      strcmp(cause + strlen(cause) - strlen(end), end) == 0,
                  "%s", cause);
}
END_TEST

START_TEST(a_launch_can_be_had_again_in_words)
{
    static const uint8_t data[3] = {1, 0, 255};
    lab.explored = true;
    LabCase *c = lab_case(&lab, "add", "x");
    lab_offset(c, 2);
    lab_input_data(c, "in", TYPE_u8, 3, data)->columns = 3;
    lab_input(c, "drawn", TYPE_f32, 4);
    lab_f32(c, 1);
    Text words = {0};
    c->request.launch.shared_bytes = 16;
    c->request.launch.grid[0] = 2, c->request.launch.grid[1] = 3, c->request.launch.grid[2] = 4;
    c->request.launch.block[0] = 5, c->request.launch.block[1] = 6, c->request.launch.block[2] = 7;
    relaunch_words(c, &words);
    ck_assert_str_eq(text_string(&words),
                     "--kernel add --grid 2,3,4 --block 5,6,7 --shared 16 --arg buf:u8:3:list:1,0,255 --arg "
                     "buf:f32:4:random:2 --arg u32:1065353216");
    json_t *object = relaunch_object(c, &words),
           *wanted = json_loads("{\"words\": \"\", \"arrays\": [{\"label\": \"in\", \"size\": 1, \"columns\": 3},"
                                "{\"label\": \"drawn\", \"size\": 4, \"columns\": 0}]}",
                                0, NULL);
    json_object_set_new(wanted, "words", json_string(text_string(&words)));
    ck_assert(json_equal(object, wanted));
    json_decref(object);
    json_decref(wanted);
    text_free(&words);
    ck_assert(!ends_well(wrong_values));
    const char *kept = json_string_value(json_object_get(kernels[0].relaunch, "words"));
    ck_assert_str_eq(
        kept, "--kernel add --grid 1,1,1 --block 40,1,1 --arg buf:f32:40:random:1 --arg buf:f32:40 --arg u32:1056964608");
}
END_TEST

/* --- runs ----------------------------------------------------------------------------------------------------------------- */

START_TEST(a_run_keeps_its_launch)
{
    lab.run = 0;
    LabCase *c = launch_add();
    ck_assert(c->request.profile == lab.profile && !c->request.launch.checks);
    lab_measure(c, 160, 200);
    ck_assert_str_eq(lab.uncompared, "first");
    lab.uncompared = NULL;
    lab_expect(c, out, expected, 1, COUNT);
    json_decref(runs[0].report);
    lab_measure(c, 160, 200);
    ck_assert_ptr_null(lab.uncompared);
    ck_assert(runs[0].done && runs[0].kept == c && runs[0].reads == 160 && runs[0].writes == 200);
    ck_assert(json_object_get(runs[0].report, "instructions") && !json_object_get(runs[0].report, "host"));
    ck_assert(!json_object_get(json_array_get(json_object_get(runs[0].report, "lines"), 0), "map"));
    lab_end(c);
    ck_assert_ptr_eq(runs[0].kept, c); /* still there */
    lab.pictured = true;
    lab.run = 1;
    c = launch_add();
    lab_compared(out);
    lab_measure(c, 0, 0);
    ck_assert(json_object_get(json_array_get(json_object_get(runs[1].report, "lines"), 0), "map"));
    lab_end(c);
}
END_TEST

START_TEST(notes_and_values_are_kept)
{
    lab.run = 1;
    lab_value(&lab, "right", 2);
    lab_value(&lab, "other", 0.5);
    ck_assert(runs[1].done && runs[1].n_values == 2 && runs[1].values[1].value == 0.5 && runs[1].values[0].value == 2);
    ck_assert_str_eq(runs[1].values[1].name, "other");
    lab_note_predictions(&lab, 3, 3);
    ck_assert_str_eq(text_string(&runs[1].note), "");
    lab_note(&lab, "%d of %d", 1, 2);
    lab_note_predictions(&lab, 1, 3);
    ck_assert_str_eq(text_string(&runs[1].note), "1 of 2; 1 of 3 right");
    text_free(&runs[1].note);
    lab_no_prediction(&lab, "tile");
    lab_no_prediction(&lab, "til");
    lab_no_prediction(&lab, "tile");
    lab_note_predictions(&lab, 1, 3);
    ck_assert_str_eq(text_string(&runs[1].note), "1 of 3 right, none yet for tile, til: put your numbers into kernel.cu");
    text_free(&runs[1].empty);
    text_free(&runs[1].note);
    lab.negative = "below";
    lab_note_predictions(&lab, 1, 3);
    ck_assert_str_eq(text_string(&runs[1].note), "1 of 3 right; 'below' is negative, and no count is");
    text_free(&runs[1].note);
    lab.fraction_line = 3, strcpy(lab.fraction, "1.5");
    lab_note_predictions(&lab, 1, 3);
    ck_assert_str_eq(text_string(&runs[1].note), "1 of 3 right; 1.5 in line 3 is no whole number, and all counts are");
}
END_TEST

static const int32_t choices[] = {7, 9, 123};
static int32_t values[3];
static void missing(void) { lab_predictions(&lab, "none", values, 2); }
static void missing_one(void) { lab_predictions(&lab, "outside", values, 1); }
static void of_a_block(void) { lab_predictions(&lab, "hidden", values, 1); }
static void of_another_size(void) { lab_predictions(&lab, "below", values, 3); }
static void of_another_size_too(void) { lab_predictions(&lab, "table_add", values, 1); }
static void not_one_of_them(void) { lab_constant_of(&lab, "plain", 7, choices, 3); }
static void nor_of_two(void) { lab_constant_of(&lab, "plain", 7, choices, 2); }
static void too_small(void) { lab_constant(&lab, "variant", 0, 124, 200); }
static void too_large(void) { lab_constant(&lab, "variant", 0, 0, 122); }

START_TEST(constants_of_the_file_are_read)
{
    lab.kernel = -1, lab.run = 1;
    lab_predictions(&lab, "variant", values, 1);
    ck_assert(values[0] == 123 && !lab.negative && !lab.fraction_line);
    lab_predictions(&lab, "plain", values, 1);
    ck_assert_int_eq(values[0], 0);
    lab_predictions(&lab, "below", values, 1);
    ck_assert_str_eq(lab.negative, "below");
    ck_assert_int_eq(values[0], -1);
    lab.source.is_ptx = false; /* as if a compiler had worked it out of what the text has */
    ck_assert_int_eq(lab_prediction(&lab, "variant", 0), INT32_MIN);
    ck_assert_str_eq(text_string(&runs[1].note),
                     "'variant' is worked out by the compiler: a prediction is a number that you write");
    ck_assert_int_eq(lab_prediction(&lab, "none", 5), 5);
    lab.source.is_ptx = true;
    lab_predictions(&lab, "table_add", values, 2); /* of which the text has a fraction in line 3 */
    ck_assert(values[0] == INT32_MIN && values[1] == INT32_MIN && lab.fraction_line == 3);
    ck_assert_str_eq(lab.fraction, "1.5");
    ck_assert(lab_constant(&lab, "none", 5, 0, 9) == 5 && lab_constant(&lab, "variant", 5, 123, 123) == 123);
    ck_assert(lab_constant_of(&lab, "none", 9, choices, 3) == 9 && lab_constant_of(&lab, "variant", 7, choices, 3) == 123);
    ck_assert_uint_eq(lab_variant(&lab), 123);
    const int32_t number = lab_number(&lab, "n");
    ck_assert(number == 2 || number == 3); /* never the book's */
    fails(missing, "the file has no extern \"C\" { __constant__ int none[]; }", "");
    fails(missing_one, "the file has no extern \"C\" { __constant__ int outside; }", "");
    fails(of_a_block, "the file has no extern \"C\" { __constant__ int hidden; }", "");
    fails(of_another_size, "'below' has 4 bytes instead of 12: it is to be 3 ints", "");
    fails(of_another_size_too, "'table_add' has 8 bytes instead of 4: it is to be 1 int", "");
    fails(not_one_of_them, "'plain' is 0; it may be 7, 9 or 123", "");
    fails(nor_of_two, "'plain' is 0; it may be 7 or 9", "");
    fails(too_small, "'variant' is 123; it may be 124 to 200", "");
    fails(too_large, "'variant' is 123; it may be 0 to 122", "");
}
END_TEST

START_TEST(pieces_are_those_that_any_byte_is_in)
{
    static const struct {
        uint32_t places[4], lanes, bytes, piece, pieces;
    } rows[] = {{{0, 4, 8, 12}, 4, 4, 32, 1},      {{0, 32, 64, 96}, 4, 4, 32, 4}, {{28, 0, 0, 0}, 1, 8, 32, 2},
                {{29, 0, 0, 0}, 1, 3, 32, 1},      {{30, 0, 0, 0}, 1, 3, 32, 2},   {{64, 0, 64, 0}, 4, 4, 32, 2},
                {{96, 0, 32, 0}, 3, 1, 32, 3},     {{0, 0, 0, 0}, 0, 4, 32, 0},    {{0, 128, 127, 1}, 4, 1, 128, 2},
                {{0, 128, 999, 999}, 2, 1, 128, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(lab_pieces(rows[i].places, rows[i].lanes, rows[i].bytes, rows[i].piece) == rows[i].pieces, "row %zu", i);
    ck_assert(lab_blocks(0, 8) == 0 && lab_blocks(1, 8) == 1 && lab_blocks(8, 8) == 1 && lab_blocks(9, 8) == 2);
}
END_TEST

START_TEST(wavefronts_are_the_most_words_of_a_bank)
{
    /* Lane i has the place apart * (i % lanes). Row by row: 8 words; words 0 to 38, of which 32 to 38 meet the first ones; an odd step of words; 32 words in 4 banks;
     * 12 and 32 words of one bank. Doubles, by halves: an odd step; 16 in 8 pairs of banks. Packs, by quarters: side by side; 8 at 4 places; 8 at one place. */
    static const struct {
        uint32_t apart, lanes, bytes, wavefronts;
    } rows[] = {{1, 32, 1, 1},  {5, 32, 1, 2},  {12, 32, 4, 1},  {32, 32, 4, 8},  {128, 12, 4, 12},  {128, 32, 4, 32},
                {40, 32, 8, 2}, {48, 32, 8, 4}, {16, 32, 16, 4}, {32, 32, 16, 8}, {128, 32, 16, 32}, {128, 16, 16, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t places[32];
        for (uint32_t lane = 0; lane < 32; lane++) places[lane] = rows[i].apart * (lane % rows[i].lanes);
        ck_assert_msg(lab_wavefronts(places, rows[i].bytes) == rows[i].wavefronts, "row %zu: %u", i,
                      lab_wavefronts(places, rows[i].bytes));
    }
}
END_TEST

SUITE_WITH("case", begin, end, arguments_lie_where_the_kernel_looks_for_them, a_kernel_s_head_must_stay,
           buffers_begin_behind_a_guard_band, draws_reach_both_ends, counts_of_a_launch_are_read_by_name,
           what_is_wrong_names_the_line_that_wrote_it, what_failed_first_is_kept, a_fault_has_a_hint_for_learners,
           a_shuffle_that_reads_a_lane_which_left_is_the_cause, a_launch_can_be_had_again_in_words, a_run_keeps_its_launch,
           notes_and_values_are_kept, constants_of_the_file_are_read, pieces_are_those_that_any_byte_is_in,
           wavefronts_are_the_most_words_of_a_bank)
