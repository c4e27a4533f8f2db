/* clang's PTX of loops, and what becomes of their comparisons: 24 and a step of 8 are 32. What is expected follows from poststep.h. */
#include <string.h>

#include "cuda/poststep.h"
#include "suite.h"

/* A function whose loop's first value comes from these lines, in %r3; its comparison; and what stands between that and the branch. */
#define LOOP(first, step, comparison, behind)                                                                           \
    ".visible .entry k(\n)\n{\n\tmov.u32 \t%r1, %tid.x;\n" first "\tmov.u32 \t%r19, %r3;\n$L__BB0_2:\n" step comparison \
    "\tmov.u32 \t%r19, %r7;\n" behind "\t@%p2 bra \t$L__BB0_2;\n\tret;\n}\n"
#define STEP "\tadd.s32 \t%r7, %r19, 8;\n"
#define COMPARISON "\tsetp.lt.u32 \t%p2, %r19, 24;\n"
#define SHIFTED "\tshr.u32 \t%r3, %r1, 5;\n"

static void becomes(const char *ptx, const char *comparison) {
    LOCAL_TEXT out = {0};
    ck_assert_msg(poststep(ptx, &out), "%s", ptx);
    ck_assert_msg(strstr(text_string(&out), comparison) != NULL, "%s", out.data);
}

static void stays(const char *ptx) {
    LOCAL_TEXT out = {0};
    ck_assert_msg(!poststep(ptx, &out), "%s", ptx);
    ck_assert_str_eq(text_string(&out), ptx);
}

START_TEST(what_was_stepped_is_compared)
{
    becomes(LOOP(SHIFTED, STEP, COMPARISON, ""), "\tsetp.lt.u32 \t%p2, %r7, 32;\n");
    becomes(LOOP(SHIFTED, STEP, "\tsetp.le.s32 \t%p2, %r19, 9;\n", ""), "\tsetp.le.s32 \t%p2, %r7, 17;\n");
    /* as clang 20 and newer write moves between registers */
    becomes(".visible .entry k(\n)\n{\n\tmov.u32 \t%r1, %tid.x;\n" SHIFTED
            "\tmov.b32 \t%r19, %r3;\n$L__BB0_2:\n" STEP COMPARISON
            "\tmov.b32 \t%r19, %r7;\n\t@%p2 bra \t$L__BB0_2;\n\tret;\n}\n",
            "\tsetp.lt.u32 \t%p2, %r7, 32;\n");
    /* lines that are no instructions, and other registers' next values */
    becomes(LOOP(SHIFTED, "\t.loc\t1 2 3\n" STEP, COMPARISON, "\t.loc\t1 2 3\nLtmp4:\n$L__tmp5:\n\tmov.u64 \t%rd1, %rd2;\n"),
            "\tsetp.lt.u32 \t%p2, %r7, 32;\n");
}
END_TEST

/* Or the comparison of what was stepped might be another. */
START_TEST(it_begins_below_2_to_the_30th)
{
    static const char *const small[] = {
        "\tmov.u32 \t%r3, %tid.y;\n",  "\tmov.u32 \t%r3, 0;\n",      "\tmov.b32 \t%r3, 0;\n",  "\tmov.b32 \t%r3, %r1;\n",
        "\tand.b32 \t%r3, %r1, 31;\n", "\tshr.u32 \t%r3, %r1, 2;\n", "\tmov.u32 \t%r3, %r1;\n"};
    static const char *const unknown[] = {"\tmov.u32 \t%r3, %ctaid.x;\n",
                                          "\tmov.u32 \t%r3, -1;\n",
                                          "\tand.b32 \t%r3, %r1, -8;\n",
                                          "\tshr.u32 \t%r3, %r1, 1;\n",
                                          "\tshr.s32 \t%r3, %r1, 5;\n",
                                          "\tadd.s32 \t%r3, %r1, 5;\n",
                                          "\tld.param.u32 \t%r3, [k_n];\n",
                                          "",
                                          "\tmov.u32 \t%r3, 0;\n\tmov.u32 \t%r3, %ctaid.x;\n"};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        LOCAL_TEXT ptx = text_from("{\n\tmov.u32 \t%%r1, %%tid.x;\n%s%s", small[i],
                                   strstr(LOOP("", STEP, COMPARISON, ""), "\tmov.u32 \t%r19"));
        becomes(text_string(&ptx), "\tsetp.lt.u32 \t%p2, %r7, 32;\n");
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        LOCAL_TEXT ptx = text_from("{\n\tmov.u32 \t%%r1, %%tid.x;\n%s%s", unknown[i],
                                   strstr(LOOP("", STEP, COMPARISON, ""), "\tmov.u32 \t%r19"));
        stays(text_string(&ptx));
    }
}
END_TEST

START_TEST(what_is_no_such_loop_stays)
{
    stays("");
    stays("\tsetp.lt.u32 \t%p2, %r19, 24;");
    stays(LOOP(SHIFTED, STEP, "\tsetp.lt.u32 \t%p2, %r7, 24;\n", "")); /* nvcc's */
    stays(LOOP(SHIFTED, STEP, "\tsetp.ne.s32 \t%p2, %r19, 24;\n", ""));
    stays(LOOP(SHIFTED, STEP, "\tsetp.lt.u32 \t%p3, %r19, 24;\n", "")); /* what the branch does not ask for */
    stays(LOOP(SHIFTED, STEP, "\tsetp.lt.u32 \t%p2, %r19, %r2;\n", ""));
    stays(LOOP(SHIFTED, STEP, "\tsetp.lt.u32 \t%p2, %r19, 2000000000;\n", ""));
    stays(LOOP(SHIFTED, "\tadd.s32 \t%r7, %r19, -8;\n", COMPARISON, ""));
    stays(LOOP(SHIFTED, "\tadd.s32 \t%r7, %r9, 8;\n", COMPARISON, ""));
    stays("{\n\tmov.u32 \t%r1, %tid.x;\n" SHIFTED "\tmov.u32 \t%r19, %r3;\n$L__BB0_2:\n" STEP COMPARISON
          "\tmov.u32 \t%r19, %r7;\n\t@%p2 bra \t$L__BB0_4;\n\tret;\n$L__BB0_4:\n}\n"); /* a branch on */
    stays(LOOP(SHIFTED, STEP "$L__BB0_3:\n", COMPARISON, ""));                         /* another block's step */
    stays(LOOP(SHIFTED, STEP, COMPARISON, "\tadd.s32 \t%r9, %r9, 1;\n"));
    stays(LOOP(SHIFTED, STEP, COMPARISON, "\tmov.u32 \t%r19, 5;\n")); /* a third value */
}
END_TEST

SUITE("poststep", what_was_stepped_is_compared, it_begins_below_2_to_the_30th, what_is_no_such_loop_stays)
