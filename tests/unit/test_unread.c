/* What of its place in the launch a kernel never reads (lab/unread.h), of PTX that stands here. */
#include "lab/unread.h"

#include <string.h>

#include "lab/case.h"
#include "suite.h"

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry add(.param .u64 out) { .reg .u64 %rd<3>; .reg .u32 %r<2>;\n"
                          "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; "
                          "st.global.u32 [%rd1], %r1; ret; }\n"
                          ".visible .entry spoil(.param .u64 out) { .reg .u64 %rd<3>; .reg .u32 %r<3>; .reg .pred %p;\n"
                          "ld.param.u64 %rd1, [out]; ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p, %r1, 0; @%p ret; "
                          "st.global.u32 [%rd1], 7; ret; }\n";

static Lab lab;
static KernelResult kernels[2];

static void begin(void) {
    Diag diag = {0};
    lab = (Lab){.goals = goals_parse(
                    "", "LAB(\"07\", \"slug\", \"Title\", 10) KERNEL(add) KERNEL(spoil) RUN(r, add, \"8\") CORRECT(r, 10)",
                    "lab.goals", &diag),
                .profile = profile_find("h200", &diag),
                .threads = 1,
                .kernels = kernels,
                .run = -1};
    ck_assert(lab.goals && source_from_ptx("kernel.cu", ptx, strlen(ptx), &lab.source, &diag));
}

static void end(void) {
    source_free(&lab.source);
    goals_free(lab.goals);
}

/* `add` reads its thread's number along x alone, `spoil` no number at all. */
START_TEST(threads_that_nothing_tells_apart)
{
    static const struct {
        const char *kernel;
        uint32_t grid[3], block[3], first[3]; /* first: a block of the kernel's first launch */
        const char *says;                     /* "": nothing */
    } rows[] = {
        {"add", {1, 1, 1}, {32, 1, 1}, {32, 1, 1}, ""},
        {"add", {3, 1, 1}, {32, 1, 1}, {32, 1, 1}, "nothing that 'add' does depends on blockIdx.x: 3 blocks do the same"},
        {"add", {1, 1, 2}, {32, 1, 1}, {32, 1, 1}, "nothing that 'add' does depends on blockIdx.z: 2 blocks do the same"},
        {"add",
         {1, 1, 1},
         {32, 8, 1},
         {32, 8, 1},
         "nothing that 'add' does depends on threadIdx.y: 8 threads of a block do the same"},
        {"spoil", {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, ""},
        {"spoil",
         {1, 1, 1},
         {2, 1, 1},
         {2, 1, 1},
         "nothing that 'spoil' does depends on threadIdx.x: 2 threads of a block do the same"},
        {"add",
         {1, 1, 1},
         {1, 1, 1},
         {256, 1, 1},
         "a block has 1 thread here along x, not 256 as before, and 'add' does not read blockDim.x: does a number stand for "
         "it?"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_TEXT said = {0};
        LabCase *c = lab_case(&lab, rows[i].kernel, "x");
        memcpy(c->request.launch.grid, rows[i].grid, sizeof rows[i].grid);
        memcpy(c->request.launch.block, rows[i].block, sizeof rows[i].block);
        memcpy(kernels[0].block, rows[i].first, sizeof rows[i].first);
        ck_assert_int_eq(unread_say(c, &said), *rows[i].says != 0);
        ck_assert_str_eq(text_string(&said), rows[i].says);
        lab_end(c);
    }
}
END_TEST

START_TEST(a_kernel_with_a_condition_may_have_a_guard)
{
    LabCase *add = lab_case(&lab, "add", "x"), *spoil = lab_case(&lab, "spoil", "x");
    ck_assert(unread_guards(add) && !unread_guards(spoil));
    lab_end(add);
    lab_end(spoil);
}
END_TEST

SUITE_WITH("unread", begin, end, threads_that_nothing_tells_apart, a_kernel_with_a_condition_may_have_a_guard)
