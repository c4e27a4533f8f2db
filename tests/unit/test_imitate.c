/* Small modules in LLVM's assembly, and what must become of them. What is expected follows from the rules in imitate.h alone: how many
 * accesses of which width cover the bytes of a copy. */
#include <string.h>

#include "cuda/imitate.h"
#include "suite.h"

#define TYPED "call void @llvm.memcpy.p0i8.p0i8.i64(i8* "
#define OPAQUE "call void @llvm.memcpy.p0.p0.i64(ptr "

static Text out;
static size_t rewritten;

static void imitate(const char *module) {
    text_free(&out);
    rewritten = imitate_nvcc(module, strlen(module), "clang 19.1.7", &out);
}

static int occurrences(const char *what) {
    int count = 0;
    for (const char *at = text_string(&out); (at = strstr(at, what)) != NULL; at += strlen(what)) count++;
    return count;
}

#define FUNCTION(body) "define void @f() {\n" body "  ret void\n}\n"
#define MEMBERS(node, list) "\n!0 = !{!\"other\"}\n" node " = !{" list "}\n"

START_TEST(four_words_are_copied_as_one)
{
    imitate(FUNCTION("  " TYPED "align 16 %5, i8* align 16 %6, i64 16, i1 false), !dbg !9, !tbaa.struct !7\n")
                MEMBERS("!7", "i64 0, i64 4, !8, i64 4, i64 4, !8, i64 8, i64 4, !8, i64 12, i64 4, !8"));
    ck_assert_uint_eq(rewritten, 1);
    ck_assert_int_eq(occurrences("load <4 x i32>, <4 x i32>* "), 1);
    ck_assert_int_eq(occurrences("store <4 x i32> "), 1);
    ck_assert_int_eq(occurrences("align 16, !dbg !9\n"), 2); /* one for the load, one for the store */
    ck_assert_int_eq(occurrences("llvm.memcpy"), 0);
}
END_TEST

START_TEST(opaque_pointers_give_the_same)
{
    imitate(FUNCTION("  " OPAQUE "noundef nonnull align 16 %5, ptr noundef align 16 %6, i64 16, i1 false), !tbaa.struct !7\n")
                MEMBERS("!7", "i64 0, i64 8, !8, i64 8, i64 8, !8"));
    ck_assert_int_eq(occurrences("load <2 x i64>, ptr "), 1);
    ck_assert_int_eq(occurrences("store <2 x i64> "), 1);
    ck_assert_int_eq(occurrences("bitcast"), 0);
}
END_TEST

/* 32 bytes at a multiple of 8: four pieces, as a piece is never wider than the alignment. */
START_TEST(alignment_bounds_the_pieces)
{
    imitate(FUNCTION("  " TYPED "align 8 %5, i8* align 16 %6, i64 32, i1 false)\n"));
    ck_assert_int_eq(occurrences("load "), 4);
    ck_assert_int_eq(occurrences("load <2 x i32>"), 4);
    ck_assert_int_eq(occurrences("i64 24\n"), 2);
}
END_TEST

/* 7 = 4 + 2 + 1. */
START_TEST(a_tail_is_copied_in_smaller_pieces)
{
    imitate(FUNCTION("  " TYPED "align 4 %5, i8* align 4 %6, i64 7, i1 false)\n"));
    ck_assert_int_eq(occurrences("load "), 3);
    ck_assert_int_eq(occurrences("load <4 x i8>"), 1);
    ck_assert_int_eq(occurrences("load <2 x i8>"), 1);
    ck_assert_int_eq(occurrences("load i8"), 1);
}
END_TEST

/* No register holds a quarter of 16 single bytes: two pieces of 8. */
START_TEST(bytes_are_copied_eight_at_a_time)
{
    imitate(FUNCTION("  " TYPED "align 16 %5, i8* align 16 %6, i64 16, i1 false), !tbaa.struct !7\n")
                MEMBERS("!7", "i64 0, i64 1, !8, i64 1, i64 1, !8, i64 2, i64 8, !8"));
    ck_assert_int_eq(occurrences("load i64"), 2);
}
END_TEST

START_TEST(a_local_variable_tells_the_alignment_of_its_type)
{
    imitate(FUNCTION("  %v = alloca %struct.float4, align 16\n"
                     "  %8 = bitcast %struct.float4* %v to i8*\n"
                     "  " TYPED "align 16 %8, i8* align 4 %9, i64 16, i1 false)\n"));
    ck_assert_int_eq(occurrences("load <4 x i32>"), 1);
    imitate(FUNCTION("  %v = alloca [4 x float], align 16\n"
                     "  %8 = bitcast [4 x float]* %v to i8*\n"
                     "  " TYPED "align 16 %8, i8* align 4 %9, i64 16, i1 false)\n"));
    ck_assert_int_eq(occurrences("load <4 x i32>"), 0); /* an array may stand better than its type asks for */
}
END_TEST

/* The same name in another function is another variable. */
START_TEST(a_name_belongs_to_its_function)
{
    imitate("define void @g() {\n  %8 = alloca %struct.float4, align 16\n  ret void\n}\n\n" FUNCTION(
        "  " OPAQUE "align 16 %8, ptr align 4 %9, i64 16, i1 false)\n"));
    ck_assert_int_eq(occurrences("load <4 x i32>"), 0);
}
END_TEST

START_TEST(other_copies_are_left_alone)
{
    static const char *const lines[] = {
        "  " TYPED "align 16 %5, i8* align 16 %6, i64 16, i1 true)\n",    /* volatile */
        "  " TYPED "align 16 %5, i8* align 16 %6, i64 %7, i1 false)\n",   /* a size known only at run time */
        "  " TYPED "align 16 %5, i8* align 16 %6, i64 8192, i1 false)\n", /* large: a loop is shorter */
        "  call void @llvm.memcpy.p0i8.p3i8.i64(i8* align 16 %5, i8 addrspace(3)* align 16 %6, i64 16, i1 false)\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        imitate(lines[i]);
        ck_assert_uint_eq(rewritten, 0);
        ck_assert_str_eq(text_string(&out), lines[i]);
    }
}
END_TEST

/* 256 = 16 * 16; of 129 bytes at a multiple of 4 the last is alone: 32 * 4 + 1. */
START_TEST(a_large_struct_is_cleared_in_wide_pieces)
{
    imitate(FUNCTION("  call void @llvm.memset.p0i8.i64(i8* align 16 %5, i8 0, i64 256, i1 false), !dbg !4\n"));
    ck_assert_int_eq(occurrences("store <4 x i32> zeroinitializer, <4 x i32>* "), 16);
    ck_assert_int_eq(occurrences("align 16, !dbg !4\n"), 16);
    imitate(FUNCTION("  call void @llvm.memset.p0.i64(ptr align 4 %5, i8 0, i64 129, i1 false)\n"));
    ck_assert_int_eq(occurrences("store i32 0, ptr "), 32);
    ck_assert_int_eq(occurrences("store i8 0, ptr "), 1);
    imitate(FUNCTION("  call void @llvm.memset.p0.i64(ptr align 4 %5, i8 1, i64 129, i1 false)\n"));
    ck_assert_uint_eq(rewritten, 0);
    imitate(FUNCTION("  call void @llvm.memset.p0.i64(ptr align 4 %5, i8 0, i64 128, i1 false)\n"));
    ck_assert_uint_eq(rewritten, 0);
}
END_TEST

START_TEST(a_constant_expression_may_be_copied_from)
{
    imitate(FUNCTION("  " TYPED "align 16 %5, i8* align 16 bitcast (%struct.float4* getelementptr ([2 x %struct.float4], "
                     "[2 x %struct.float4]* @t, i64 0, i64 1) to i8*), i64 16, i1 false)\n"));
    ck_assert_int_eq(occurrences("getelementptr i8, i8* bitcast (%struct.float4* getelementptr ("), 1);
    ck_assert_int_eq(occurrences("load <4 x i32>"), 1);
}
END_TEST

/* !5 is the tag of a whole int, !6 and !7 are members at 0 and 4 of one struct, !8 is a member of another. */
START_TEST(only_members_of_one_struct_are_told_apart)
{
    imitate("define void @f() {\n"
            "  %1 = load i32, i32* %p, align 4, !tbaa !5\n"
            "  %2 = load i32, i32* %q, align 4, !tbaa !6\n"
            "  ret void\n}\n\n"
            "!0 = !{!\"root\"}\n!1 = !{!\"omnipotent char\", !0, i64 0}\n!2 = !{!\"int\", !1, i64 0}\n"
            "!3 = !{!\"A\", !2, i64 0, !2, i64 4}\n!4 = !{!\"B\", !2, i64 0}\n"
            "!5 = !{!2, !2, i64 0}\n!6 = !{!3, !2, i64 0}\n!7 = !{!3, !2, i64 4}\n!8 = !{!4, !2, i64 0}\n");
    ck_assert_int_eq(occurrences("%p, align 4\n"), 1);
    ck_assert_int_eq(occurrences("%q, align 4, !tbaa !6\n"), 1);
    /* New nodes follow the last number, 8: a leaf and its root for each of the three members. */
    ck_assert_int_eq(occurrences("!6 = !{!9, !9, i64 0}\n"), 1);
    ck_assert_int_eq(occurrences("!9 = !{!\"member 3+0\", !10, i64 0}\n!10 = !{!\"struct 3\"}\n"), 1);
    ck_assert_int_eq(occurrences("!11 = !{!\"member 3+4\", !12, i64 0}\n!12 = !{!\"struct 3\"}\n"), 1);
    ck_assert_int_eq(occurrences("!13 = !{!\"member 4+0\", !14, i64 0}\n!14 = !{!\"struct 4\"}\n"), 1);
}
END_TEST

/* What clang 14 and 19 write for *(unsigned *)&bytes[i], ((unsigned *)bytes)[i] and *(double *)&floats[i]; of a packed struct's member, of its arrays' elements (p->u[i],
 * and those of such a struct laid over bytes) and of a pointer of which no more is known the alignment stays. */
START_TEST(a_number_accessed_by_a_cast_is_aligned_as_its_type)
{
    imitate("\n@t = internal addrspace(3) global [9 x float] undef, align 4\n"
            "@s = internal addrspace(3) global %struct.S undef, align 4\n"
            "@b = internal addrspace(3) global [64 x i8] undef, align 1\n"
            "define void @g(ptr %0) {\n"
            "  %20 = getelementptr inbounds i8, ptr %0, i64 1\n"
            "  ret void\n}\n"
            "define void @f(ptr %0) {\n"
            "  %20 = getelementptr inbounds [68 x i8], ptr %0, i64 0, i64 %19\n"
            "  store i32 %13, ptr %20, align 1, !tbaa !5\n"
            "  %21 = bitcast i8* %20 to i32*\n"
            "  %22 = load volatile i32, i32* %21, align 1, !tbaa !5\n"
            "  store double 1.0, ptr getelementptr inbounds ([9 x float], ptr @t, i64 0, i64 %2), align 4, !tbaa !5, !dbg !6\n"
            "  %23 = getelementptr inbounds %struct.P, ptr %0, i32 0, i32 1\n"
            "  %24 = load i32, ptr %23, align 1, !tbaa !5\n"
            "  %25 = load ptr, ptr %0, align 8\n"
            "  %26 = load i32, ptr %25, align 2, !tbaa !5\n"
            "  store i64 1, ptr addrspacecast (ptr addrspace(3) @s to ptr), align 4, !tbaa !5\n"
            "  %27 = load i8, ptr %20, align 1, !tbaa !5\n"
            "  %28 = getelementptr inbounds [4 x i32], ptr %23, i64 0, i64 %19\n"
            "  %29 = load i32, ptr %28, align 1, !tbaa !5\n"
            "  %30 = getelementptr inbounds [4 x i32], [4 x i32]* %23, i64 0, i64 %19\n"
            "  store i32 7, i32* %30, align 1, !tbaa !5\n"
            "  %31 = load double, ptr %30, align 1, !tbaa !5\n"
            "  %32 = getelementptr inbounds [4 x i32], ptr getelementptr inbounds (%struct.P, ptr addrspacecast (ptr "
            "addrspace(3) @b to "
            "ptr), i32 0, i32 1), i64 0, i64 %19\n"
            "  %33 = load i32, ptr %32, align 1, !tbaa !5\n"
            "  ret void\n}\n\n"
            "!0 = !{!\"root\"}\n!1 = !{!\"char\", !0, i64 0}\n!5 = !{!1, !1, i64 0}\n");
    ck_assert_int_eq(occurrences("store i32 %13, ptr %20, align 4\n"), 1);
    ck_assert_int_eq(occurrences("load volatile i32, i32* %21, align 4\n"), 1);
    ck_assert_int_eq(occurrences("i64 %2), align 8, !dbg !6\n"), 1);
    ck_assert_int_eq(occurrences("load i32, ptr %23, align 1\n"), 1);
    ck_assert_int_eq(occurrences("load i32, ptr %25, align 2\n"), 1);
    ck_assert_int_eq(occurrences("@s to ptr), align 4\n"), 1);
    ck_assert_int_eq(occurrences("load i8, ptr %20, align 1\n"), 1);
    ck_assert_int_eq(occurrences("load i32, ptr %28, align 1\n"), 1);
    ck_assert_int_eq(occurrences("store i32 7, i32* %30, align 1\n"), 1);
    ck_assert_int_eq(occurrences("load double, ptr %30, align 8\n"), 1);
    ck_assert_int_eq(occurrences("load i32, ptr %32, align 1\n"), 1);
}
END_TEST

START_TEST(dynamic_shared_memory_stands_at_sixteen)
{
    imitate("@d = external dso_local addrspace(3) global [0 x float], align 4\n"
            "@s = internal addrspace(3) global [256 x float] undef, align 4\n"
            "@w = external addrspace(3) global [0 x %struct.Big], align 32\n");
    ck_assert_str_eq(text_string(&out), "@d = external dso_local addrspace(3) global [0 x float], align 16\n"
                                        "@s = internal addrspace(3) global [256 x float] undef, align 4\n"
                                        "@w = external addrspace(3) global [0 x %struct.Big], align 32\n");
}
END_TEST

START_TEST(arguments_may_be_undefined_but_texts_stay)
{
    imitate("@t = constant [9 x i8] c\"noundef \\00\"\n"
            "declare i32 @g(i32 noundef, float noundef)\n"
            "  %2 = call noundef i32 @g(i32 noundef %0, float noundef %1)\n");
    ck_assert_int_eq(occurrences("c\"noundef \\00\""), 1);
    ck_assert_int_eq(occurrences("call i32 @g(i32 %0, float %1)"), 1);
}
END_TEST

/* As clang 19 writes the load of a bool. */
START_TEST(metadata_that_says_noundef_goes_whole)
{
    imitate("define i8 @f(ptr %0) {\n"
            "  %2 = load i8, ptr %0, align 1, !dbg !60, !range !61, !noundef !13\n"
            "  %3 = load i8, ptr %0, align 1, !noundef !13, !range !61\n"
            "}\n");
    ck_assert_int_eq(occurrences("load i8, ptr %0, align 1, !dbg !60, !range !61\n"), 1);
    ck_assert_int_eq(occurrences("load i8, ptr %0, align 1, !range !61\n"), 1);
    ck_assert_int_eq(occurrences("noundef"), 0);
}
END_TEST

SUITE("imitate", four_words_are_copied_as_one, opaque_pointers_give_the_same, alignment_bounds_the_pieces,
      a_tail_is_copied_in_smaller_pieces, bytes_are_copied_eight_at_a_time, a_local_variable_tells_the_alignment_of_its_type,
      a_name_belongs_to_its_function, other_copies_are_left_alone, a_large_struct_is_cleared_in_wide_pieces,
      a_constant_expression_may_be_copied_from, only_members_of_one_struct_are_told_apart,
      a_number_accessed_by_a_cast_is_aligned_as_its_type, dynamic_shared_memory_stands_at_sixteen,
      arguments_may_be_undefined_but_texts_stay, metadata_that_says_noundef_goes_whole)
