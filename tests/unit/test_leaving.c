/* By which branches threads leave, and which condition of several sends them (kernel/leaving.h). */
#include "kernel/kernel.h"

#include "parsed.h"
#include "ptx/opcode.h"

static Program *program;
static const Kernel *kernel;

/* A kernel of these instructions; %p1 to %p7, %r1 to %r7, %rd1, and the parameters n (u32) and at (u64). */
static void read_kernel(const char *body) {
    program_free(program);
    program = parsed_of(
        ".version 6.4\n.target sm_75\n.address_size 64\n.file 1 \"a.cu\"\n"
        ".func waits()\n{\n    bar.sync 0;\n    ret;\n}\n.func idles()\n{\n    ret;\n}\n"
        ".visible .entry k(.param .u32 n, .param .u64 at)\n{\n.reg .pred %%p<8>;\n.reg .b32 %%r<8>;\n.reg .b64 %%rd<2>;\n%s}\n",
        body);
    kernel = prepared(program, "k");
}

static void begin(void) { program = NULL; }

static void end(void) {
    program_free(program);
    program = NULL;
}

/* The nth branch of the kernel, from 0. */
static uint32_t branch(unsigned nth) {
    uint32_t i = kernel->function->first;
    for (;; i++)
        if (program->insns[i].op == OP_bra && !nth--) return i;
}

static unsigned leaving(unsigned nth) { return kernel->leaving[branch(nth) - kernel->function->first]; }

/* The source line of the condition of the first branch; 0: it is not told. */
static unsigned line(void) {
    uint32_t condition = leaving_condition(program, kernel->function, branch(0));
    return condition == NO_INSN ? 0 : program->locations[program->insns[condition].location].line;
}

START_TEST(a_return_before_the_barrier_leaves_and_one_behind_it_does_not)
{
    read_kernel(
        "mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 bra END;\nbar.sync 0;\n@%p1 bra END;\nadd.u32 %r1, %r1, 1;\n"
        "END:\nret;\n");
    ck_assert_uint_eq(leaving(0), LEAVES_BY_JUMP);
    ck_assert_uint_eq(leaving(1), 0);
}
END_TEST

START_TEST(who_falls_into_the_return_leaves_as_well)
{
    read_kernel("mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 bra WORK;\nret;\nWORK:\nbar.sync 0;\nret;\n");
    ck_assert_uint_eq(leaving(0), LEAVES_BY_FALLING);
}
END_TEST

/* Work on the way to the end: the branch that leads there is the last from which a barrier can be reached, not the one within. */
START_TEST(a_return_after_some_work_leaves_where_the_work_begins)
{
    read_kernel("mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 5;\n@!%p1 bra WORK;\nsetp.gt.u32 %p2, %r1, 9;\n@%p2 bra END;\n"
                "add.u32 %r1, %r1, 1;\nbra END;\nWORK:\nbar.sync 0;\nEND:\nret;\n");
    ck_assert_uint_eq(leaving(0), LEAVES_BY_FALLING);
    ck_assert_uint_eq(leaving(1), 0);
    ck_assert_uint_eq(leaving(2), 0);
}
END_TEST

START_TEST(the_end_of_a_loop_with_a_barrier_leaves)
{
    read_kernel(
        "mov.u32 %r1, %tid.x;\nLOOP:\nbar.sync 0;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 50;\n@%p1 bra LOOP;\nret;\n");
    ck_assert_uint_eq(leaving(0), LEAVES_BY_FALLING);
}
END_TEST

/* An index beyond the table goes on behind it (machine/warp.c). */
START_TEST(a_table_leads_to_what_stands_behind_it_as_well)
{
    read_kernel(
        "ts: .branchtargets END, END;\nmov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 bra END;\nbrx.idx %r1, ts;\n"
        "bar.sync 0;\nEND:\nret;\n");
    ck_assert_uint_eq(leaving(0), LEAVES_BY_JUMP);
}
END_TEST

/* A barrier of warps alone is none; without any there is nothing to leave. */
START_TEST(calls_wait_where_what_is_called_does)
{
    read_kernel("mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 bra END;\n{\ncall.uni waits;\n}\nEND:\nret;\n");
    ck_assert_uint_eq(leaving(0), LEAVES_BY_JUMP);
    read_kernel("mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 bra END;\nbar.warp.sync -1;\nEND:\nret;\n");
    ck_assert_ptr_null(kernel->leaving);
    /* of the functions that are called, not the kernel's own barriers: what it calls here waits for nobody */
    read_kernel(
        "mov.u32 %r1, %tid.x;\nbar.sync 0;\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 bra END;\n{\ncall.uni idles;\n}\nEND:\nret;\n");
    ck_assert_uint_eq(leaving(0), LEAVES_NOT);
}
END_TEST

#define TWO_CONDITIONS(first, second, combine)                                                                           \
    "ld.param.u32 %r2, [n];\n.loc 1 5 1\nmov.u32 %r1, %tid.x;\n" first second ".loc 1 7 5\n" combine " %p3, %p1, %p2;\n" \
    "@%p3 bra END;\nbar.sync 0;\nEND:\nret;\n"

/* `if (n) return; if (i >= 5) return;`: n is the same for all, and cannot send lanes of a warp different ways. */
START_TEST(of_two_conditions_the_one_that_lanes_differ_in_is_told)
{
    read_kernel(TWO_CONDITIONS(".loc 1 8 5\nsetp.ge.s32 %p1, %r1, 5;\n", ".loc 1 7 5\nsetp.ne.s32 %p2, %r2, 0;\n", "or.pred"));
    ck_assert_uint_eq(line(), 8);
    read_kernel(TWO_CONDITIONS(".loc 1 6 5\nsetp.ne.s32 %p1, %r2, 0;\n", ".loc 1 9 5\nsetp.lt.s32 %p2, %r1, 5;\n", "and.pred"));
    ck_assert_uint_eq(line(), 9);
}
END_TEST

/* clang leaves the second without a position of its own. */
START_TEST(a_condition_without_a_line_of_its_own_is_not_told)
{
    read_kernel(TWO_CONDITIONS(".loc 1 7 9\nsetp.eq.s32 %p1, %r2, 0;\n", "setp.lt.s32 %p2, %r1, 5;\n", "and.pred"));
    ck_assert_uint_eq(line(), 0);
    read_kernel(TWO_CONDITIONS(".loc 1 8 9\nsetp.lt.s32 %p1, %r1, 5;\n", "setp.eq.s32 %p2, %r2, 0;\n", "and.pred"));
    ck_assert_uint_eq(line(), 8);
}
END_TEST

/* Both come from the thread's index, or what was loaded: which one it was is not known here. */
START_TEST(of_two_conditions_that_lanes_differ_in_none_is_told)
{
    read_kernel(TWO_CONDITIONS(".loc 1 8 5\nsetp.ge.s32 %p1, %r1, 5;\n",
                               ".loc 1 9 5\nld.param.u64 %rd1, [at];\n"
                               "ld.global.u32 %r3, [%rd1];\nadd.u32 %r3, %r3, %r2;\nsetp.ne.s32 %p2, %r3, 0;\n",
                               "or.pred"));
    ck_assert_uint_eq(line(), 0);
    read_kernel(TWO_CONDITIONS(".loc 1 8 5\nsetp.ge.s32 %p1, %r2, 5;\n", ".loc 1 9 5\nsetp.ne.s32 %p2, %r2, 0;\n", "or.pred"));
    ck_assert_uint_eq(line(), 0);
}
END_TEST

START_TEST(what_each_lane_has_of_its_own_is_what_lanes_differ_in)
{
    static const char *const of_lanes[] = {"tid.x",       "tid.y",       "tid.z",       "laneid",     "lanemask_eq",
                                           "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt"};
    for (size_t i = 0; i < sizeof of_lanes / sizeof *of_lanes; i++) {
        char body[600];
        snprintf(body, sizeof body,
                 "ld.param.u32 %%r2, [n];\nmov.u32 %%r1, %%%s;\n.loc 1 8 5\nsetp.ge.s32 %%p1, %%r1, 5;\n.loc 1 7 5\n"
                 "setp.ne.s32 %%p2, %%r2, 0;\nor.pred %%p3, %%p1, %%p2;\n@%%p3 bra END;\nbar.sync 0;\nEND:\nret;\n",
                 of_lanes[i]);
        read_kernel(body);
        ck_assert_msg(line() == 8, "%s", of_lanes[i]);
    }
}
END_TEST

/* And what it reads from memory that is not the kernel's parameters, or from another lane. */
START_TEST(what_comes_from_elsewhere_is_what_lanes_may_differ_in)
{
    static const struct {
        const char *insn;
        unsigned line;
    } rows[] = {{"ld.global.u32 %r1, [%rd1];", 8},
                {"ld.shared.u32 %r1, [tile];", 8},
                {"atom.global.add.u32 %r1, [%rd1], 1;", 8},
                {"shfl.sync.idx.b32 %r1, %r2, %r2, 31, -1;", 8},
                {"mov.u32 %r1, %ctaid.x;", 0},
                {"add.u32 %r1, %r2, 1;", 0},
                {"ld.param.u32 %r1, [n];", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[600];
        snprintf(body, sizeof body,
                 ".shared .b32 tile;\nld.param.u32 %%r2, [n];\nld.param.u64 %%rd1, [at];\n%s\n.loc 1 8 5\nsetp.ge.s32 %%p1, "
                 "%%r1, 5;\n.loc 1 7 5\n"
                 "setp.ne.s32 %%p2, %%r2, 0;\nor.pred %%p3, %%p1, %%p2;\n@%%p3 bra END;\nbar.sync 0;\nEND:\nret;\n",
                 rows[i].insn);
        read_kernel(body);
        ck_assert_msg(line() == rows[i].line, "%s: %u", rows[i].insn, line());
    }
}
END_TEST

/* Of `!b && !a` compilers make a not of one of them. */
START_TEST(conditions_are_told_through_a_not)
{
    read_kernel(
        "ld.param.u32 %r2, [n];\nmov.u32 %r1, %tid.x;\n.loc 1 8 5\nsetp.ge.s32 %p1, %r1, 5;\n.loc 1 7 5\n"
        "setp.ne.s32 %p2, %r2, 0;\nnot.pred %p4, %p1;\nand.pred %p3, %p4, %p2;\n@%p3 bra END;\nbar.sync 0;\nEND:\nret;\n");
    ck_assert_uint_eq(line(), 8);
}
END_TEST

/* Lanes come with what one of the two instructions has given %p1, though each gives all of them the same. */
START_TEST(a_condition_that_two_instructions_write_may_differ)
{
#define TWO_WAYS(second)                                                                                                      \
    "ld.param.u32 %r2, [n];\nmov.u32 %r1, %tid.x;\n.loc 1 3 5\nsetp.ne.s32 %p2, %r2, 0;\nsetp.gt.u32 %p4, %r1, 5;\n"          \
    ".loc 1 4 5\nsetp.ge.s32 %p1, %r2, 5;\n@%p4 bra JOIN;\n.loc 1 5 5\n" second "JOIN:\n.loc 1 9 5\nor.pred %p3, %p1, %p2;\n" \
    "@%p3 bra END;\nbar.sync 0;\nEND:\nret;\n"
    static const struct {
        const char *body;
        unsigned line;
    } rows[] = {{TWO_WAYS("setp.ge.s32 %p1, %r2, 6;\n"), 5}, {TWO_WAYS("setp.ge.s32 %p5, %r2, 6;\n"), 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        read_kernel(rows[i].body);
        const uint32_t condition = leaving_condition(program, kernel->function, branch(1));
        const unsigned told = condition == NO_INSN ? 0 : program->locations[program->insns[condition].location].line;
        ck_assert_msg(told == rows[i].line, "row %zu: line %u", i, told);
    }
}
END_TEST

START_TEST(a_branch_with_one_condition_is_told_itself)
{
    read_kernel(
        "mov.u32 %r1, %tid.x;\n.loc 1 4 5\nsetp.gt.u32 %p1, %r1, 5;\n.loc 1 6 5\n@%p1 bra END;\nbar.sync 0;\nEND:\nret;\n");
    ck_assert_uint_eq(line(), 6);
}
END_TEST

SUITE_WITH("leaving", begin, end, a_return_before_the_barrier_leaves_and_one_behind_it_does_not,
           who_falls_into_the_return_leaves_as_well, a_return_after_some_work_leaves_where_the_work_begins,
           the_end_of_a_loop_with_a_barrier_leaves, a_table_leads_to_what_stands_behind_it_as_well,
           calls_wait_where_what_is_called_does, of_two_conditions_the_one_that_lanes_differ_in_is_told,
           a_condition_without_a_line_of_its_own_is_not_told, of_two_conditions_that_lanes_differ_in_none_is_told,
           what_each_lane_has_of_its_own_is_what_lanes_differ_in, what_comes_from_elsewhere_is_what_lanes_may_differ_in,
           conditions_are_told_through_a_not, a_condition_that_two_instructions_write_may_differ,
           a_branch_with_one_condition_is_told_itself)
