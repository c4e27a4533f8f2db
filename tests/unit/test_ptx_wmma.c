/* wmma and cvt.rna.tf32 that are refused: where, and by which words. What they do is in tests/runtime/wmma.cu and tests/ptx. */
#include <string.h>

#include "base/text.h"
#include "ptx/program.h"
#include "suite.h"

START_TEST(other_shapes_types_and_registers_are_refused)
{
    static const struct {
        const char *insn;
        unsigned column;
        const char *part;
    } rows[] = {
        {"wmma.load.a.sync.aligned.row.m16n16k16.f16 %r1, %r2;", 44, "'{' is expected here"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%rd1], %rd1;", 1, "'%rd1' is a .b64 register"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2,%r3}, [%rd1], %r1;", 51, "'}' is expected here"},
        {"wmma.load.a.sync.aligned.row.m8n32k16.s8 {%r1}, [%rd1], %r1;", 1, "shape with these types"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.f64 {%fd1}, [%rd1], %r1;", 1, "shape with these types"},
        {"wmma.load.a.sync.aligned.row.m16n16k16 {%r1}, [%rd1], %r1;", 1, "shape with these types"},
        {"wmma.store.d.sync.aligned.row.m16n16k8.f16 [%rd1], {%r1,%r2,%r3,%r4}, %r1;", 1, "shape with these types"},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16 {%f1}, {%r1}, {%r1}, {%r1};", 1, "shape with these types"},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, {%r9,%r1}, {%r9,%r9}, "
         "{%r9,%r9,%r9,%r9,%r9,%r9,%r9,%r9};",
         1, "shape with these types"}, /* the left half's sums are a's */
        {"@%p1 wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%rd1], %r1;", 6, "branch around it"},
        {"cvt.rna.satfinite.tf32.f32 %r1, %f1;", 1, ".rna.tf32.f32 here"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diag diag = {0};
        LOCAL_TEXT text =
            text_from(".version 8.4\n.target sm_90\n.address_size 64\n.func f()\n{\n.reg .pred %%p<2>; .reg .b32 %%r<10>; "
                      ".reg .b64 %%rd<2>; .reg .f32 %%f<2>; .reg .f64 %%fd<2>;\n%s\nret;\n}\n",
                      rows[i].insn);
        Program *program = program_parse(text_string(&text), text.length, "t.ptx", &diag);
        if (program && program->functions[0].refused) diag = *program->functions[0].refused;
        ck_assert_msg(strstr(diag.message, rows[i].part) || strstr(diag.hint, rows[i].part), "%s: '%s' (%s)", rows[i].insn,
                      diag.message, diag.hint);
        ck_assert_msg(diag.line == 7 && diag.column == rows[i].column, "%s: %u:%u", rows[i].insn, diag.line, diag.column);
        if (program) program_free(program);
    }
}
END_TEST

/* A name of their own, beside those of an outer scope, and the instruction's line. */
START_TEST(they_stand_in_any_scope)
{
    static const char text[] =
        ".version 8.4\n.target sm_75\n.address_size 64\n.func f()\n{\n.reg .b32 %r<10>; .reg .b64 %rd<2>;\n"
        "{\nwmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%rd1+32], 16;\n}\n"
        "wmma.load.b.sync.aligned.row.m16n16k16.shared.s8 {%r3,%r4}, [%r5], %r6;\n"
        "{\nwmma.store.d.sync.aligned.col.m16n16k16.global.f16 [%rd1], {%r1,%r2,%r3,%r4};\n}\nret;\n}\n";
    Diag diag = {0};
    Program *program = program_parse(text, strlen(text), "t.ptx", &diag);
    ck_assert_msg(program && !program->functions[0].refused, "%s", diag.message);
    bool seen[16] = {0};
    for (uint32_t i = 0; i < program->n_insns; i++) seen[program->insns[i].line % 16] = true;
    for (unsigned line = 0; line < 16; line++) ck_assert(seen[line] == (line == 8 || line == 10 || line == 12 || line == 14));
    ck_assert_uint_eq(program->functions[0].need.since, 0); /* a GPU from sm_70 on has them, whatever stands for them here */
    program_free(program);
}
END_TEST

SUITE("ptx wmma", other_shapes_types_and_registers_are_refused, they_stand_in_any_scope)
