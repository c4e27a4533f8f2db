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
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%rd1], %rd1;", 62, "'%rd1' is not a 32-bit register"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%rd1], %f1;", 62, "'%f1' is not a 32-bit register"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%rd1], \"16; st.global.u32 [%rd1], 7;\";", 62,
         "a stride is expected here, not a string"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%rd1], %laneid;", 62, "'%laneid' is not a register"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%f1], 16;", 55, "'%f1' is not a 32- or 64-bit register"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%x], 16;", 55, "'%x' is not a register"},
        {"wmma.load.d.sync.aligned.row.m16n16k16.f32 {%f1}, [%rd1];", 1, "'wmma.load' needs .a, .b or .c behind it"},
        {"wmma.load.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%rd1];", 1, "'wmma.load' needs .a, .b or .c behind it"},
        {"wmma.store.a.sync.aligned.row.m16n16k16.s8 [%rd1], {%r1,%r2};", 1, "'wmma.store' needs .d behind it"},
        {"wmma.load.a.row.m16n16k16.s8 {%r1,%r2}, [%rd1];", 1, "'wmma.load' needs .sync and .aligned"},
        {"wmma.load.a.sync.row.m16n16k16.s8 {%r1,%r2}, [%rd1];", 1, "'wmma.load' needs .sync and .aligned"},
        {"wmma.store.d.aligned.row.m16n16k16.f32 [%rd1], {%f1};", 1, "'wmma.store' needs .sync and .aligned"},
        {"wmma.load.a.sync.aligned.m16n16k16.s8 {%r1,%r2}, [%rd1];", 1, "'wmma.load' needs one of .row and .col"},
        {"wmma.load.a.sync.aligned.row.row.m16n16k16.s8 {%r1,%r2}, [%rd1];", 1, "'wmma.load' needs one of .row and .col"},
        {"wmma.mma.sync.aligned.row.m16n16k16.f32.f32 {%f1}, {%r1}, {%r1}, {%f1};", 1, "'wmma.mma' needs two of .row and .col"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.global.shared.s8 {%r1,%r2}, [%rd1];", 1, "shape with these types"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.m16n16k16.s8 {%r1,%r2}, [%rd1];", 1, "shape with these types"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.satfinite.s8 {%r1,%r2}, [%rd1];", 1, "shape with these types"},
        {"wmma.load.a.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%rd1];", 1, "shape with these types"},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.global.f32.f32 {%f1}, {%r1}, {%r1}, {%f1};", 1, "shape with these types"},
        {"wmma.mma.a.sync.aligned.row.col.m16n16k16.f32.f32 {%f1}, {%r1}, {%r1}, {%f1};", 1, "shape with these types"},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32.satfinite {%f1}, {%r1}, {%r1}, {%f1};", 1, "shape with these types"},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};", 1, "shape with these types"},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32 {%r1}, {%r1}, {%r1}, {%r1};", 1, "shape with these types"},
        {"wmma.b32 %r1;", 1, "shape with these types"}, /* what it begins with is no PTX */
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2,%r3}, [%rd1], %r1;", 51, "'}' is expected here"},
        {"wmma.load.a.sync.aligned.row.m8n32k16.s8 {%r1}, [%rd1], %r1;", 1, "shape with these types"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.f64 {%fd1}, [%rd1], %r1;", 1, "shape with these types"},
        {"wmma.load.a.sync.aligned.row.m16n16k16 {%r1}, [%rd1], %r1;", 1, "shape with these types"},
        {"wmma.store.d.sync.aligned.row.m16n16k8.f16 [%rd1], {%r1,%r2,%r3,%r4}, %r1;", 1, "shape with these types"},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16 {%f1}, {%r1}, {%r1}, {%r1};", 1, "shape with these types"},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, {%r9,%r1}, {%r9,%r9}, "
         "{%r9,%r9,%r9,%r9,%r9,%r9,%r9,%r9};",
         1, "shape with these types"}, /* the left half's sums are a's */
        {"@%p1 wmma.load.a.sync.aligned.row.m8n32k16.s8 {%r1}, [%rd1], %r1;", 6, "shape with these types"},
        {"cvt.rna.satfinite.tf32.f32 %r1, %f1;", 1, ".rna.tf32.f32 here"},
        {"@%p1 cvt.rna.satfinite.tf32.f32 %r1, %f1;", 6, ".rna.tf32.f32 here"},
        /* what ptxas 13.0 refuses as mismatched arguments */
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%rd1,%rd1}, [%rd1];", 44,
         "'%rd1' is a .b64 register, which does not hold"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%f1,%f1}, [%rd1];", 44, "'%f1' is a .f32 register, which does not hold"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,0}, [%rd1];", 48, "a register is expected here"},
        {"cvt.rna.tf32.f32 %f1, %f1;", 18, "'%f1' is a .f32 register, which does not hold .tf32 here"},
        {"cvt.rna.tf32.f32 %r1, %rd1;", 23, "'%rd1' is a .b64 register, which does not hold .f32 here"},
        {"cvt.rna.tf32.f32 %r1, 1;", 23, "an integer stands where a .f32 constant is expected"},
        {"cvt.rn.tf32.f32 %r1, %f1;", 7, "only cvt.rna.tf32.f32, wmma and mma are"},
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
    program_free(program);
}
END_TEST

/* PTX ISA, "Target ISA Notes", and ptxas 13.0, which refuses each for all targets before, whatever stands for them here. */
START_TEST(they_need_their_compute_capability)
{
    static const struct {
        const char *insn;
        unsigned since;
    } rows[] = {
        {"wmma.load.c.sync.aligned.row.m16n16k16.f32 {f,f,f,f,f,f,f,f}, [d];", 70},
        {"wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 {r,r,r,r,r,r,r,r}, [r];", 70},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {r,r,r,r}, {q,q,q,q,q,q,q,q}, {q,q,q,q,q,q,q,q}, {s,s,s,s};", 70},
        {"wmma.load.a.sync.aligned.row.m16n16k16.u8 {r,r}, [d];", 72},
        {"wmma.store.d.sync.aligned.row.m16n16k16.s32 [d], {r,r,r,r,r,r,r,r};", 72},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {r,r,r,r,r,r,r,r}, {q,q}, {q,q}, {s,s,s,s,s,s,s,s};", 72},
        {"wmma.load.a.sync.aligned.row.m16n16k16.bf16 {r,r,r,r}, [d];", 80},
        {"wmma.load.a.sync.aligned.row.m16n16k8.tf32 {r,r,r,r}, [d];", 80},
        {"wmma.store.d.sync.aligned.row.m16n16k8.f32 [d], {f,f,f,f,f,f,f,f};", 80},
        {"@p cvt.rna.tf32.f32 r, f;", 80},
        {"cvt.rna.tf32.f32 r, 0f3F800000;", 80},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {r,r,r,r,r,r,r,r}, {q,-1}, {q,q}, {0,0,0,0,0,0,0,0x10};", 72},
        {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 {f,f,f,f,f,f,f,f}, {q,q,q,q}, {q,q,q,q}, "
         "{0f3F800000,0f3F800000,0f3F800000,0f3F800000,0f3F800000,0f3F800000,0f3F800000,0f3F800000};",
         80},
        {"wmma.store.d.sync.aligned.col.m16n16k16.s32 [d], {0,1,2,3,4,5,6,r};", 72},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diag diag = {0};
        LOCAL_TEXT text =
            text_from(".version 8.4\n.target sm_90\n.address_size 64\n.func f()\n{\n.reg .b32 r, q, s; .reg .b64 d; "
                      ".reg .f32 f; .reg .pred p;\n%s\nret;\n}\n",
                      rows[i].insn);
        Program *program = program_parse(text_string(&text), text.length, "t.ptx", &diag);
        ck_assert_msg(program && !program->functions[0].refused, "%s: %s", rows[i].insn, diag.message);
        ck_assert_msg(program->functions[0].need.since == rows[i].since, "%s: %u", rows[i].insn,
                      program->functions[0].need.since);
        program_free(program);
    }
}
END_TEST

SUITE("ptx wmma", other_shapes_types_and_registers_are_refused, they_stand_in_any_scope, they_need_their_compute_capability)
