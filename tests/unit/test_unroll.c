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

static void prepare(const char *module) {
    text_free(&out);
    unroll_prepare(module, strlen(module), &out);
}

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

/* A loop to 5, and what its body begins with; behind it are labels 11 and more. From version 17 on clang would make one comparison of both ends. */
#define ONE_END "  br i1 %2, label %3, label %11\n"
#define ENDS(head, body)                                                                      \
    "define void @f() {\n  br label %1\n\n1:\n  %2 = icmp slt i32 %a, 5\n" head "\n3:\n" body \
    "  br label %9\n\n9:\n  %10 = add i32 1, 2\n"                                             \
    "  br label %1, !llvm.loop !8\n\n11:\n  ret void\n\n12:\n  ret void\n}\n\n!8 = distinct !{!8, !7}\n"

START_TEST(a_loop_of_two_ends_keeps_both)
{
    static const char *const two[] = {
        /* a break, at once or by a block that notes where to go on; a return; one out of a block with variables of its own; && */
        ENDS(ONE_END, "  br i1 %4, label %11, label %5\n\n5:\n"),
        ENDS(ONE_END, "  br i1 %4, label %5, label %6\n\n5:\n  store i32 2, ptr %0\n  br label %11, !dbg !7\n\n6:\n"),
        ENDS(ONE_END, "  br i1 %4, label %6, label %12\n\n6:\n"),
        ENDS(ONE_END, "  switch i32 %4, label %12 [\n    i32 0, label %5\n    i32 2, label %11\n  ]\n\n5:\n"),
        ENDS("  br label %4\n\n4:\n  %5 = phi i1 [ false, %1 ], [ %2, %3 ]\n  br i1 %5, label %3, label %7\n\n7:\n"
             "  call void @llvm.lifetime.end.p0(i64 4, ptr %0)\n  br label %11\n",
             ""),
    };
    for (size_t i = 0; i < sizeof two / sizeof *two; i++) {
        prepare(two[i]);
        ck_assert_msg(has("!8 = distinct !{!8, !7, !{!\"llvm.licm.disable\"}}\n"), "%s", two[i]);
    }
    stays(ENDS(ONE_END, ""));
    /* an if; one with two conditions; the end of another loop */
    stays(ENDS(ONE_END, "  br i1 %4, label %5, label %9\n\n5:\n"));
    stays(ENDS(ONE_END, "  %4 = phi i1 [ false, %1 ], [ %2, %3 ]\n  br i1 %4, label %5, label %9\n\n5:\n"));
    stays(ENDS(ONE_END, "  br label %4\n\n4:\n  br i1 %5, label %4, label %6\n\n6:\n"));
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

SUITE("unroll", a_loop_whose_step_is_a_variable_ends, a_loop_of_two_ends_keeps_both,
      a_loop_through_an_array_of_the_threads_own_is_unrolled, nothing_is_known_of_a_threads_number,
      nothing_is_known_of_it_by_newer_clangs, registers_have_their_names_again, assembly_that_computes_may_be_moved,
      what_is_no_module_stays, versions_have_bounds_of_their_own)
