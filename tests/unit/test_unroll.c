/* Small modules in LLVM's assembly, and what clang is told of their loops. What is expected follows from unroll.h. */
#include <stdlib.h>
#include <string.h>

#include "cuda/unroll.h"
#include "suite.h"

/* A function whose loop's last block is given, as are lines of its body, and its metadata. */
#define LOOP(body, step)                                                                                              \
    "define void @f() {\n  %3 = alloca [8 x float], align 4\n  br label %5\n\n5:\n" body "  br label %9\n\n9:\n" step \
    "  br label %5, !dbg !7, !llvm.loop !8\n\n11:\n  ret void\n}\n\n!7 = !{i32 1}\n!8 = distinct !{!8, !7}\n"

static Text out;

static void prepare_by(const char *compiler, const char *module) {
    text_free(&out);
    unroll_prepare(module, strlen(module), compiler, &out);
}

static void prepare(const char *module) { prepare_by("clang 19.1.7", module); }

static int has(const char *what) { return strstr(text_string(&out), what) != NULL; }

static void stays(const char *module) {
    prepare(module);
    ck_assert_str_eq(text_string(&out), module);
}

START_TEST(a_loop_whose_step_is_a_variable_ends)
{
    prepare(LOOP("", "  %10 = add nsw i32 %6, %7\n"));
    ck_assert(has("!8 = distinct !{!8, !7, !{!\"llvm.loop.mustprogress\"}}\n"));
    /* clang knows of a number that it is not 0; and what another block adds is no step */
    stays(LOOP("", "  %10 = add nsw i32 %6, 8\n"));
    stays(LOOP("  %6 = add nsw i32 %1, %2\n", ""));
}
END_TEST

/* In full where its array has at most 32 elements: as many iterations as these, of which clang leaves out those beyond the
 * loop's end, whichever of its ends is known. */
START_TEST(a_loop_through_an_array_of_the_threads_own_is_unrolled)
{
    prepare(LOOP("  %6 = getelementptr inbounds [8 x float], ptr %3, i64 0, i64 %2\n", ""));
    ck_assert(has("!8 = distinct !{!8, !7, !{!\"llvm.loop.unroll.count\", i32 8}}\n"));
    prepare(LOOP("  %6 = getelementptr inbounds [8 x float], [8 x float]* %3, i64 0, i64 %2\n", "  %10 = add i32 %6, %7\n"));
    ck_assert(has("!8 = distinct !{!8, !7, !{!\"llvm.loop.mustprogress\"}, !{!\"llvm.loop.unroll.count\", i32 8}}\n"));
    prepare(LOOP("  %6 = getelementptr inbounds [2 x [16 x %struct.float2]], ptr %3, i64 0, i64 %2\n", ""));
    ck_assert(has("!{!\"llvm.loop.unroll.count\", i32 32}"));
    prepare(LOOP("  %6 = getelementptr inbounds [2 x [32 x float]], ptr %3, i64 0, i64 %2\n", ""));
    ck_assert(!has("unroll.count")); /* one loop may go through all 64 */
    prepare(LOOP("  %6 = getelementptr inbounds [33 x float], ptr %3, i64 0, i64 %2\n", ""));
    ck_assert(has("!8 = distinct !{!8, !7, !{!\"llvm.loop.unroll.enable\"}}\n"));
    /* the outer one of two */
    prepare(LOOP("  br label %6, !llvm.loop !7\n  %6 = getelementptr inbounds [8 x float], ptr %3, i64 0, i64 %2\n", ""));
    ck_assert(has("!8 = distinct !{!8, !7, !{!\"llvm.loop.unroll.enable\"}}\n"));
    /* another's: through a pointer, in shared memory */
    stays(LOOP("  %6 = getelementptr inbounds [8 x float], ptr %4, i64 0, i64 %2\n", ""));
    stays(
        LOOP("  %6 = getelementptr inbounds [8 x float], ptr addrspacecast (ptr addrspace(3) @t to ptr), i64 0, i64 %2\n", ""));
}
END_TEST

/* A loop of %1 to %2, and what its body begins with; %3 is a pointer, behind it are labels 30 and more. From version 17 on clang would make one comparison of
 * both ends, where each compares %1: BREAK. */
#define ONE_END "  %6 = load i32, ptr %1, align 4\n  %7 = icmp slt i32 %6, %0\n  br i1 %7, label %8, label %30\n"
#define BREAK "  %9 = load i32, ptr %1, align 4\n  %10 = add nsw i32 %9, %0\n  %11 = icmp sge i32 %10, 7\n"
#define ENDS(head, body)                                                                                                  \
    "define void @f() {\n  %1 = alloca i32, align 4\n  %2 = alloca i32, align 4\n  %3 = alloca ptr, align 8\n  br label " \
    "%5\n\n5:\n" head "\n8:\n" body "  br label %25\n\n25:\n  %26 = load i32, ptr %1, align 4\n  %27 = add i32 %26, 2\n"  \
    "  store i32 %27, ptr %1, align 4\n  br label %5, !llvm.loop !8\n\n30:\n  ret void\n\n31:\n  ret void\n}\n\n!8 = "    \
    "distinct !{!8, !7}\n"

START_TEST(a_loop_of_two_ends_keeps_both)
{
    static const char *const two[] = {
        /* a break, at once or by a block that notes where to go on; a return; one out of a block with variables of its own; of a variable made of the loop's; && */
        ENDS(ONE_END, BREAK "  br i1 %11, label %30, label %12\n\n12:\n"),
        ENDS(ONE_END,
             BREAK "  br i1 %11, label %12, label %13\n\n12:\n  store i32 2, ptr %0\n  br label %30, !dbg !7\n\n13:\n"),
        ENDS(ONE_END, BREAK "  br i1 %11, label %13, label %31\n\n13:\n"),
        ENDS(ONE_END, BREAK "  br i1 %11, label %13, label %12\n\n12:\n  br label %13\n\n13:\n  switch i32 %4, label %31 [\n"
                            "    i32 0, label %14\n    i32 2, label %30\n  ]\n\n14:\n"),
        ENDS(ONE_END,
             BREAK "  store i32 %10, ptr %2, align 4\n  %12 = load i32, ptr %2, align 4\n  %13 = icmp sge i32 %12, %0\n"
                   "  br i1 %13, label %30, label %14\n\n14:\n"),
        ENDS("  %6 = load i32, ptr %1, align 4\n  %7 = icmp slt i32 %6, %0\n  br i1 %7, label %14, label %16\n\n14:\n" BREAK
             "  br label %16\n\n16:\n  %17 = phi i1 [ false, %5 ], [ %11, %14 ]\n  br i1 %17, label %8, label %18\n\n18:\n"
             "  call void @llvm.lifetime.end.p0(i64 4, ptr %2)\n  br label %30\n",
             ""),
    };
    for (size_t i = 0; i < sizeof two / sizeof *two; i++) {
        prepare(two[i]);
        ck_assert_msg(has("!8 = distinct !{!8, !7, !{!\"llvm.licm.disable\"}}\n"), "%s", two[i]);
        prepare_by("clang 16.0.6", two[i]);
        ck_assert_str_eq(text_string(&out), two[i]);
    }
    stays(ENDS(ONE_END, ""));
    /* an if; one with two conditions; the end of another loop */
    stays(ENDS(ONE_END, BREAK "  br i1 %11, label %12, label %25\n\n12:\n"));
    stays(ENDS(ONE_END, BREAK "  %14 = phi i1 [ false, %1 ], [ %11, %3 ]\n  br i1 %14, label %15, label %25\n\n15:\n"));
    stays(ENDS(ONE_END, "  br label %4\n\n4:\n" BREAK "  br i1 %11, label %4, label %16\n\n16:\n"));
}
END_TEST

/* Of what it reads, at once or by a variable, in the first end or the second; of what does not change. */
START_TEST(a_loop_that_ends_by_what_it_reads_stays)
{
#define READ                                                                                                              \
    "  %14 = load ptr, ptr %3, align 8\n  %15 = getelementptr inbounds i32, ptr %14, i32 %9\n  %16 = load i32, ptr %15, " \
    "align 4\n"
#define AFTER "  br i1 %19, label %30, label %20\n\n20:\n"
    stays(ENDS(ONE_END, BREAK READ "  %19 = icmp sgt i32 %16, 5\n" AFTER));
    stays(ENDS(ONE_END, BREAK READ "  %19 = icmp sgt i32 %16, %10\n" AFTER));
    stays(ENDS(ONE_END, BREAK READ
               "  store i32 %16, ptr %2, align 4\n  %18 = load i32, ptr %2, align 4\n  %19 = icmp sgt i32 %18, %9\n" AFTER));
    stays(ENDS(
        ONE_END, BREAK
        "  %17 = load i32, ptr addrspacecast (ptr addrspace(3) @t to ptr), align 4\n  %19 = icmp sgt i32 %17, %9\n" AFTER));
    stays(ENDS(ONE_END, BREAK "  %17 = call i32 @f(ptr %3)\n  %19 = icmp sgt i32 %17, %9\n" AFTER));
    stays(ENDS(ONE_END, "  %18 = load i32, ptr %2, align 4\n  %19 = icmp sgt i32 %18, %0\n" AFTER));
    stays(ENDS("  %6 = load i32, ptr @n, align 4\n  %7 = icmp slt i32 %6, %0\n  br i1 %7, label %8, label %30\n",
               BREAK "  br i1 %11, label %30, label %12\n\n12:\n"));
}
END_TEST

START_TEST(nothing_is_known_of_a_threads_number)
{
    prepare(
        "  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !4\n  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()\n"
        "!4 = !{}\n");
    ck_assert_str_eq(
        text_string(&out),
        "  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !5, !dbg !4\n"
        "  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y(), !range !5\n!4 = !{}\n\n!5 = !{i32 0, i32 -1}\n");
    stays("  %1 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n");
    stays("  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !4\n");
    stays("declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2\n");
}
END_TEST

/* From version 20 on LLVM knows of the intrinsic itself what its value may be, whatever is said of a call. */
START_TEST(nothing_is_known_of_it_by_newer_clangs)
{
#define DECLARES "declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2\n"
    prepare("  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !4\n"
            "  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()\n" DECLARES "!4 = !{}\n");
    ck_assert_str_eq(text_string(&out),
                     "  %1 = call i32 @llvm.nvvm.read.ptx.sreg.envreg20(), !dbg !4\n"
                     "  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.envreg30()\n" DECLARES "!4 = !{}\n"
                     "declare i32 @llvm.nvvm.read.ptx.sreg.envreg20()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.envreg30()\n");
    stays("  %1 = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n" DECLARES);
    stays(DECLARES);
    /* a file that reads one itself */
    prepare(
        "  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %2 = call i32 asm \"mov.u32 $0, %envreg3;\", \"=r\"()\n" DECLARES);
    ck_assert(has("@llvm.nvvm.read.ptx.sreg.tid.x(), !range !1\n"));
}
END_TEST

START_TEST(registers_have_their_names_again)
{
    text_free(&out);
    unroll_finish(
        "\tmov.b32 \t%r1, %envreg20;\n\tmov.b32 \t%r2, %envreg31;\n\tmov.b32 \t%r3, %envreg19;\n\tmov.b32 %r4, %envreg20;\n",
        &out);
    ck_assert_str_eq(text_string(&out), "\tmov.u32 \t%r1, %tid.x;\n\tmov.u32 \t%r2, %nctaid.z;\n\tmov.b32 \t%r3, "
                                        "%envreg19;\n\tmov.b32 %r4, %envreg20;\n");
}
END_TEST

/* The bits of a number in reverse are the same wherever they are worked out; what lanes exchange is not. */
START_TEST(assembly_that_computes_may_be_moved)
{
    prepare("attributes #9 = { convergent nounwind readnone }\nattributes #2 = { convergent nounwind memory(none) }\n");
    ck_assert_str_eq(text_string(&out), "attributes #9 = { nounwind readnone }\nattributes #2 = { nounwind memory(none) }\n");
    stays("attributes #9 = { convergent nounwind }\n");
    stays("attributes #9 = { convergent inaccessiblememonly nounwind }\n");
}
END_TEST

/* Numbers of nodes that no module of this length has, and lines without an end. */
START_TEST(what_is_no_module_stays)
{
    stays("");
    stays("!");
    stays("!99999999999999999999 = distinct !{!1}");
    stays("  br label %5, !llvm.loop !99999999999");
    stays("  br label %");
}
END_TEST

START_TEST(versions_have_bounds_of_their_own)
{
    static const char *const compilers[] = {"clang 14.0.6", "clang 16.0.6", "clang 17.0.0", "clang 19.1.7", "clang"};
    static const char *const full[] = {"-unroll-threshold=900", "-unroll-threshold=900", "-unroll-threshold=680",
                                       "-unroll-threshold=680", "-unroll-threshold=900"};
    static const char *const partial[] = {"-unroll-partial-threshold=250", "-unroll-partial-threshold=235",
                                          "-unroll-partial-threshold=180", "-unroll-partial-threshold=180",
                                          "-unroll-partial-threshold=250"};
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        Argv command = {0};
        unroll_add_options(&command, compilers[i]);
        ck_assert_str_eq(command.words[0], "-mllvm");
        ck_assert_str_eq(command.words[1], full[i]);
        ck_assert_str_eq(command.words[3], partial[i]);
        ck_assert_uint_eq(command.count % 2, 0);
        argv_free(&command);
    }
    text_free(&out);
}
END_TEST

SUITE("unroll", a_loop_whose_step_is_a_variable_ends, a_loop_of_two_ends_keeps_both, a_loop_that_ends_by_what_it_reads_stays,
      a_loop_through_an_array_of_the_threads_own_is_unrolled, nothing_is_known_of_a_threads_number,
      nothing_is_known_of_it_by_newer_clangs, registers_have_their_names_again, assembly_that_computes_may_be_moved,
      what_is_no_module_stays, versions_have_bounds_of_their_own)
