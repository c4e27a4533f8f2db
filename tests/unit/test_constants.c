/* What is said of kernels that write to __constant__ variables, of which clang makes PTX all the same, or gives up. */
#include <check.h>

#include "cuda/constants.h"
#include "suite.h"

#define HEAD ".file\t1 \"/home/me/k.cu\"\n\t.file\t2 \"/home/me/k.h\"\n"

START_TEST(a_store_is_told_at_its_line)
{
    static const struct {
        const char *ptx;
        unsigned line, column; /* 0: of another file, or none */
    } rows[] = {
        {"\t" HEAD "\t.loc\t1 7 3\n\tld.const.u32 %r1, [c];\n\t.loc\t1 8 10\n\tst.const.u32 [c], %r1;\n", 8, 10},
        {"\t" HEAD "\t.loc\t1 7 3\n\t.loc\t2 3 1\n\tst.const.v2.u32 [c], {%r1, %r2};\n", 0, 0},
        {"\tst.const.u32 [c], %r1;\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diag diag = {0};
        ck_assert(!constants_unwritten(rows[i].ptx, "sub/k.cu", &diag));
        ck_assert_str_eq(diag.message, "a kernel cannot write to a __constant__ variable");
        ck_assert_str_eq(diag.file, "sub/k.cu");
        ck_assert_uint_eq(diag.line, rows[i].line);
        ck_assert_uint_eq(diag.column, rows[i].column);
        ck_assert_ptr_nonnull(strstr(diag.hint, "cudaMemcpyToSymbol("));
    }
}
END_TEST

START_TEST(what_is_read_is_not)
{
    Diag diag = {0};
    ck_assert(
        constants_unwritten("\t" HEAD "\t.loc\t1 7 3\n\tld.const.u32 %r1, [c];\n\tst.global.u32 [c], %r1;\n", "k.cu", &diag));
    ck_assert(!diag.set);
}
END_TEST

/* As clang 14 says it. */
START_TEST(an_atomic_operation_is_told_where_clang_gives_up)
{
    static const struct {
        const char *reason;
        bool told;
        unsigned line;
    } rows[] = {
        {"error in backend: Cannot select: 0x36c38: i32,ch = AtomicLoadAdd<(load store seq_cst (s32) on @n, addrspace 4)> "
         "0x36f8, 0x36a0, "
         "Constant:i32<1>, k.cu:8:5",
         true, 8},
        {"error in backend: Cannot select: 0x36c38: i32,ch = AtomicLoadAdd<(load store seq_cst (s32) on @n, addrspace 4)> "
         "0x36f8, 0x36a0, "
         "Constant:i32<1>, atomics.h:8:5 @[ k.cu:9:1 ]",
         true, 9},
        {"error in backend: Cannot select: 0x36c38: i32,ch = AtomicLoadAdd<(load store seq_cst (s32) on @n, addrspace 4)> "
         "0x36f8",
         true, 0},
        {"error in backend: Cannot select: 0x36c38: i32,ch = AtomicLoadAdd<(load store seq_cst (s32) on @n, addrspace 1)> "
         "0x36f8, k.cu:8:5",
         false, 0},
        {"error in backend: Undefined external symbol \"Atomic, addrspace 4)\"", false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diag diag = {0};
        ck_assert_int_eq(constants_explain(rows[i].reason, "sub/k.cu", &diag), rows[i].told);
        ck_assert_int_eq(diag.set, rows[i].told);
        ck_assert_uint_eq(diag.line, rows[i].line);
    }
}
END_TEST

SUITE("constants", a_store_is_told_at_its_line, what_is_read_is_not, an_atomic_operation_is_told_where_clang_gives_up)
