/* What ptxas 13.0 makes of pieces of PTX for sm_90, read from its machine code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/joins.h"
#include "parsed.h"
#include "ptx/opcode.h"

#define HEAD                                                                                                                \
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u32 n)\n{\n"                  \
    ".reg .pred %%p<4>; .reg .b16 %%h<9>; .reg .f32 %%f<40>; .reg .f64 %%g<9>; .reg .b32 %%r<20>; .reg .b64 %%d<9>;\n"      \
    ".shared .align 4 .b8 before[%s]; .shared .align %s .b8 s[8192]; .shared .align 16 .b8 t[4096];\n"                      \
    "ld.param.u64 %%d1, [in]; ld.param.u32 %%r2, [n]; mov.u32 %%r1, %%tid.x; mov.u32 %%r4, s; mul.lo.u32 %%r3, %%r1, 16;\n" \
    "add.u32 %%r5, %%r4, %%r3; setp.gt.u32 %%p1, %%r2, %%r1; st.volatile.shared.u8 [before], %%r2; ld.volatile.shared.u8 "  \
    "%%r2, [t];\n"

/* Shared memory: `before` of so many bytes, then s, then t. As bits of each access that may be joined, in the order of the text: "-" as it is, "." taken
 * by another. %r5 is s and 16 bytes for each thread. */
static void joins_are(const char *before, const char *align, const char *body, const char *expected) {
    char text[8192], got[400] = "";
    size_t length = (size_t)snprintf(text, sizeof text, HEAD, before, align);
    snprintf(text + length, sizeof text - length, "%s\nret;\n}\n", body);
    Program *program = parsed(text);
    uint64_t offsets[8] = {0};
    for (uint32_t v = 0, end = 0; v < program->n_variables; v++) {
        const Variable *variable = &program->variables[v];
        if (variable->space != SPACE_SHARED) continue;
        end = (end + variable->align - 1) / variable->align * variable->align;
        offsets[v] = end;
        end += (uint32_t)variable->bytes;
    }
    const Function *function = &program->functions[0];
    uint8_t *joins = calloc(function->count + 1, sizeof *joins);
    Arena *arena = arena_new();
    const Flow flow = flow_find(program, function, arena);
    joins_find(program, function, &flow, offsets, NULL, joins);
    arena_free(arena);
    for (uint32_t i = 0; i < function->count; i++) {
        const Insn *insn = &program->insns[function->first + i];
        if (insn->space != SPACE_SHARED || insn->type == TYPE_u8 || (insn->op != OP_ld && insn->op != OP_st)) continue;
        char *at = got + strlen(got);
        if (at != got) *at++ = ' ';
        const uint8_t join = joins[i];
        if (join > JOIN_TAKEN)
            sprintf(at, "%d", 8 * join);
        else
            sprintf(at, "%s", join == JOIN_TAKEN ? "." : "-");
    }
    ck_assert_msg(strcmp(got, expected) == 0, "%s\n  expected %s\n  got      %s", body, expected, got);
    free(joins);
    program_free(program);
}

typedef struct Shape {
    const char *body, *expected;
} Shape;

static void all_are(const Shape *shapes, size_t count) {
    for (size_t i = 0; i < count; i++) joins_are("16", "4", shapes[i].body, shapes[i].expected);
}

#define ALL_ARE(shapes) all_are(shapes, sizeof(shapes) / sizeof *(shapes))

#define LD(f, at) "ld.shared.f32 %f" #f ", [%r5+" #at "];"
#define ST(f, at) "st.shared.f32 [%r5+" #at "], %f" #f ";"
#define LD4(base)                                                                                      \
    "ld.shared.f32 %f1, [" base "]; ld.shared.f32 %f2, [" base "+4]; ld.shared.f32 %f3, [" base "+8];" \
    "ld.shared.f32 %f4, [" base "+12];"

#define TWO "ld.shared.f32 %f1, [%r6]; ld.shared.f32 %f2, [%r7+4];"

START_TEST(loads_of_a_window_become_one)
{
    static const Shape shapes[] = {
        {LD(1, 0) LD(2, 4), "64 ."},
        {LD(1, 0) "ret;" LD(2, 4), "- -"}, /* what never runs is not there */
        {LD(1, 0) "exit;" LD(2, 4), "- -"},
        {LD(1, 0) "trap;" LD(2, 4), "- -"},
        {LD(1, 4) LD(2, 8), "- -"},
        {LD(1, 8) LD(2, 12), "64 ."},
        {LD(1, 0) LD(2, 8), "- -"},
        {LD(1, 0) LD(2, 12), "- -"},
        {LD(1, 0) LD(2, 4) LD(3, 8), "128 . ."},
        {LD(1, 0) LD(2, 4) LD(3, 12), "128 . ."},
        {LD(1, 4) LD(2, 8) LD(3, 12), "128 . ."},
        {LD4("%r5"), "128 . . ."},
        {LD(1, 12) LD(2, 8) LD(3, 4) LD(4, 0), "128 . . ."},
        {LD(1, 4) LD(2, 8) LD(3, 12) LD(4, 16), "128 . . -"},
        {LD(1, 8) LD(2, 12) LD(3, 16) LD(4, 20), "64 . 64 ."},
        {LD(1, 0) LD(2, 16) LD(3, 4) LD(4, 20), "64 64 . ."},
        {LD(1, 0) LD(2, 0) LD(3, 4), "64 . ."},
        /* an or of bits that may be set is no sum */
        {LD(1, 16) "or.b32 %r6, %r5, 20; ld.shared.f32 %f2, [%r6];", "- -"},
        {"shl.b32 %r7, %r1, 4; ld.shared.f32 %f1, [%r7+16]; or.b32 %r6, %r7, 20; ld.shared.f32 %f2, [%r6];", "- -"},
        {"shl.b32 %r7, %r1, 4; ld.shared.f32 %f1, [%r7]; or.b32 %r6, %r7, 4; ld.shared.f32 %f2, [%r6];", "64 ."},
        {"ld.shared.f32 %f1, [s]; ld.shared.f32 %f2, [s+4]; ld.shared.f32 %f3, [t+8]; ld.shared.f32 %f4, [t+12];", "64 . 64 ."},
    };
    ALL_ARE(shapes);
}
END_TEST

/* Of the copies only what is waited for, or begun, keeps loads apart; and each operation on an mbarrier does. */
START_TEST(loads_are_joined_across_a_group_of_copies_but_not_across_an_mbarrier)
{
#define ACROSS(insn, expected) \
    { LD(1, 0) insn LD(2, 4), expected }
    static const Shape shapes[] = {
        ACROSS("cp.async.commit_group;", "64 ."),
        ACROSS("cp.async.wait_group 0;", "- -"),
        ACROSS("cp.async.ca.shared.global [%r4], [%d1], 4;", "- -"),
        ACROSS("mbarrier.init.shared.b64 [t], 1;", "- -"),
        ACROSS("mbarrier.arrive.shared.b64 _, [t];", "- -"),
        ACROSS("mbarrier.test_wait.parity.shared.b64 %p2, [t], 0;", "- -"),
        ACROSS("mbarrier.inval.shared.b64 [t];", "- -"),
        ACROSS("cp.async.mbarrier.arrive.noinc.shared.b64 [t];", "- -"),
    };
    ALL_ARE(shapes);
}
END_TEST

START_TEST(stores_of_a_window_become_one_where_they_follow_each_other)
{
    static const Shape shapes[] = {
        {ST(1, 0) ST(2, 4), "64 ."},
        {ST(1, 4) ST(2, 0), "64 ."},
        {ST(1, 0) ST(2, 4) ST(3, 8), "64 . -"},
        {ST(1, 12) ST(2, 8) ST(3, 4) ST(4, 0), "128 . . ."},
        {ST(1, 0) ST(2, 8) ST(3, 4), "64 - ."},
        {ST(1, 0) ST(2, 16) ST(3, 4), "- - -"},
        {ST(1, 16) ST(2, 0) ST(3, 4), "- 64 ."},
        {ST(1, 0) ST(2, 16) ST(3, 4) ST(4, 20), "- - - -"},
        {ST(1, 0) ST(2, 4) ST(3, 0), "64 . -"},
        {ST(1, 0) ST(2, 0) ST(3, 4), "- 64 ."},
        {ST(1, 0) "st.shared.f32 [t], %f2;" ST(3, 4), "- - -"},
        {ST(1, 0) "ld.shared.f32 %f2, [t];" ST(3, 4), "- - -"},
        {ST(1, 0) "st.global.f32 [%d1], %f2;" ST(3, 4), "64 ."},
        {ST(1, 0) "ld.f32 %f2, [%d1];" ST(3, 4), "- -"},
        {ST(1, 0) "atom.global.add.f32 %f2, [%d1], %f3;" ST(3, 4), "64 ."},
        {ST(1, 0) "@%p1 bra X; add.f32 %f2, %f2, %f7; X:" ST(3, 4), "- -"},
        {ST(1, 0) "div.u32 %r9, %r1, %r2;" ST(3, 4), "64 ."},
        {ST(1, 0) "div.s32 %r9, %r1, %r2;" ST(3, 4), "- -"},
        {ST(1, 0) "@%p1 exit;" ST(3, 4), "- -"},
        {"@%p1 bra X;" ST(1, 0) "trap; X:" ST(3, 4), "- -"}, /* no way leads from the one to the other */
    };
    ALL_ARE(shapes);
}
END_TEST

START_TEST(elements_of_other_sizes)
{
    static const Shape shapes[] = {
        {"ld.shared.u16 %h1, [%r5]; ld.shared.u16 %h2, [%r5+2];", "32 ."},
        {"ld.shared.u16 %h1, [%r5+2]; ld.shared.u16 %h2, [%r5+4];", "- -"},
        {"ld.shared.b16 %h1, [%r5]; ld.shared.b16 %h2, [%r5+2]; ld.shared.b16 %h3, [%r5+6];", "64 . ."},
        {"ld.shared.u16 %h1, [%r5]; ld.shared.u16 %h2, [%r5+2]; cvt.s32.s16 %r8, %h1;", "32 ."},
        {"ld.shared.u16 %h1, [%r5]; ld.shared.u16 %h2, [%r5+2]; cvt.u32.u16 %r8, %h1; cvt.u32.u16 %r9, %h2;", "- -"},
        {LD(1, 0) "ld.shared.u16 %h1, [%r5+64];" LD(2, 4) "cvt.u32.u16 %r8, %h1;", "64 - ."},
        {LD(1, 0) "ld.shared.u16 %r8, [%r5+64];" LD(2, 4), "64 - ."},
        {"ld.shared.u16 %r8, [%r5]; ld.shared.u16 %r9, [%r5+2];", "- -"},
        {"ld.shared.s16 %r8, [%r5]; ld.shared.s16 %r9, [%r5+2];", "- -"},
        {"ld.shared.f64 %g1, [%r5]; ld.shared.f64 %g2, [%r5+8];", "128 ."},
        {"ld.shared.f64 %g1, [%r5+8]; ld.shared.f64 %g2, [%r5+16];", "- -"},
        {"ld.shared.f64 %g1, [%r5];" LD(2, 8) LD(3, 12), "- 64 ."},
        {"ld.shared.v2.f32 {%f1, %f2}, [%r5]; ld.shared.v2.f32 {%f3, %f4}, [%r5+8];", "128 ."},
        {"ld.shared.v2.f32 {%f1, %f2}, [%r5];" LD(3, 12), "128 ."},
        {"st.shared.v2.f32 [%r5], {%f1, %f2};" ST(3, 12), "- -"},
        {"st.shared.v2.f32 [%r5], {%f1, %f2}; st.shared.f64 [%r5+8], %g1;", "- -"},
        {"ld.shared.u32 %r8, [%r5]; ld.shared.f32 %f2, [%r5+4];", "64 ."},
        {"ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r5];" LD(5, 16), "- -"},
    };
    ALL_ARE(shapes);
}
END_TEST

START_TEST(what_stands_between_loads)
{
    static const Shape shapes[] = {
        {LD(1, 0) "st.shared.f32 [t], %f9;" LD(2, 4), "- - -"},
        {LD(1, 0) "st.f32 [%d1], %f9;" LD(2, 4), "- -"},
        {LD(1, 0) "st.global.f32 [%d1], %f9;" LD(2, 4), "64 ."},
        {LD(1, 0) "ld.volatile.shared.f32 %f9, [t];" LD(2, 4), "64 - ."},
        {LD(1, 0) "ld.volatile.shared.f32 %f2, [%r5+4];" LD(3, 8) LD(4, 12), "128 - . ."},
        {LD(1, 0) "atom.shared.add.u32 %r9, [t], 1;" LD(2, 4), "- -"},
        {LD(1, 0) "atom.global.add.u32 %r9, [%d1], 1;" LD(2, 4), "64 ."},
        {LD(1, 0) "bar.sync 0;" LD(2, 4), "- -"},
        {LD(1, 0) "bar.warp.sync -1;" LD(2, 4), "- -"},
        {LD(1, 0) "membar.cta;" LD(2, 4), "- -"},
        {LD(1, 0) "nanosleep.u32 10;" LD(2, 4), "- -"},
        {LD(1, 0) "shfl.sync.bfly.b32 %r9, %r2, 1, 31, -1;" LD(2, 4), "64 ."},
        {LD(1, 0) "div.rn.f32 %f7, %f8, %f9;" LD(2, 4), "- -"},
        {LD(1, 0) "sqrt.rn.f32 %f7, %f8;" LD(2, 4), "- -"},
        {LD(1, 0) "rsqrt.approx.f32 %f7, %f8;" LD(2, 4), "64 ."},
        {LD(1, 0) "div.s32 %r9, %r1, %r2;" LD(2, 4), "64 ."},
        {LD(1, 0) "rem.u64 %d2, %d1, %d1;" LD(2, 4), "- -"},
        {LD(1, 0) "@%p1 exit;" LD(2, 4), "64 ."},
        {LD(1, 0) "@%p1 ld.shared.f32 %f2, [%r5+4]; @%p1 ld.shared.f32 %f3, [%r5+8];", "- - -"},
        {LD(1, 0) "bra X; X:" LD(2, 4), "64 ."},
        {LD(1, 0) "X:" LD(2, 4) "bar.sync 0; @%p1 bra X;", "- -"},
        {"@%p1 bra X;" LD(1, 4) "bra Y; X:" LD(2, 0) "Y:", "- -"},
    };
    ALL_ARE(shapes);
}
END_TEST

#define LONG                                                                                                             \
    "fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, " \
    "%f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 " \
    "%f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; "  \
    "fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, " \
    "%f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 " \
    "%f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1; fma.rn.f32 %f9, %f9, %f9, %f1;"
#define SOME "fma.rn.f32 %f8, %f8, %f8, %f1;"
#define ROUND "add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, %r2; @%p2 bra "

/* Read from what ptxas makes of them for sm_90. */
START_TEST(loads_are_joined_where_the_first_lies_on_all_ways_to_the_second)
{
    static const Shape shapes[] = {
        {LD(1, 0) "@%p1 bra X;" SOME "X:" LD(2, 4), "64 ."},
        {LD(1, 0) "@%p1 bra X;" LONG "X:" LD(2, 4), "64 ."},
        {LD(1, 0) "@%p1 bra X;" SOME "bra.uni Y; X:" LONG "Y:" LD(2, 4), "64 ."},
        {LD(1, 0) "@%p1 bra X; setp.eq.u32 %p2, %r2, 3; @%p2 bra Y;" LONG "Y:" LONG "X:" LD(2, 4), "64 ."},
        {LD(1, 0) "@%p1 bra X;" SOME "X:" LD(2, 4) "setp.eq.u32 %p2, %r2, 3; @%p2 bra Y;" SOME "Y:" LD(3, 8) LD(4, 12),
         "128 . . ."},
        {LD(1, 0) "@%p1 bra X; st.global.f32 [%d1], %f1; X:" LD(2, 4), "64 ."},
        {LD(1, 0) "@%p1 bra X; red.global.add.u32 [%d1], 1; X:" LD(2, 4), "64 ."},
        {LD(1, 0) "@%p1 bra X; st.shared.f32 [t], %f1; X:" LD(2, 4), "- - -"},
        {LD(1, 0) "@%p1 bra X; st.shared.f32 [t], %f1; bra.uni Y; X:" LONG "Y:" LD(2, 4), "- - -"},
        {LD(1, 0) "@%p1 bra X; bar.sync 0; X:" LD(2, 4), "- -"},
        {LD(1, 0) "@%p1 bra X;" LD(2, 4) LONG "X:", "64 ."},
        {LD(1, 0) "X:" SOME ROUND "X;" LD(2, 4), "- -"},
        {LD(1, 0) "@%p1 bra X; Y:" SOME ROUND "Y; X:" LD(2, 4), "- -"},
        {"X:" LD(1, 0) "@%p1 bra Y;" SOME "Y:" LD(2, 4) "bar.sync 0;" ROUND "X;", "64 ."},
    };
    ALL_ARE(shapes);
}
END_TEST

START_TEST(a_register_that_several_instructions_write)
{
    static const Shape shapes[] = {
        {"mov.u32 %r7, %r5; @%p1 bra X; add.u32 %r7, %r7, 64; X: ld.shared.f32 %f1, [%r7]; @%p1 bra Y;" LONG
         "Y: ld.shared.f32 %f2, [%r7+4];",
         "64 ."},
        {"mov.u32 %r7, %r5; ld.shared.f32 %f1, [%r7]; @%p1 bra X; add.u32 %r7, %r7, 64; X: ld.shared.f32 %f2, [%r7+4];", "- -"},
        {"mov.u32 %r7, %r5; ld.shared.f32 %f1, [%r7]; @%p1 bra X; add.u32 %r7, %r7, 64; X: ld.shared.f32 %f2, [%r7+-60];",
         "- -"},
        {"mov.u32 %r7, %r5; X: ld.shared.f32 %f1, [%r7]; @%p1 bra Y;" LONG
         "Y: ld.shared.f32 %f2, [%r7+4]; add.u32 %r7, %r7, 16;" ROUND "X;",
         "64 ."},
    };
    ALL_ARE(shapes);
}
END_TEST

START_TEST(what_is_loaded_again_is_dropped)
{
    static const Shape shapes[] = {
        {LD(1, 4) LD(2, 4), "- ."},
        {LD(1, 0) "@%p1 bra X;" LONG "X:" LD(2, 0), "- ."},
        {LD(1, 0) "@%p1 bra X;" LD(2, 0) LONG "bra.uni Y; X:" LD(2, 0) SOME "Y:", "- . ."},
        {LD(1, 0) "st.shared.f32 [t], %f1;" LD(2, 0), "- - -"},
        {LD(1, 0) "membar.cta;" LD(2, 0), "- -"},
        {LD(1, 0) "atom.global.add.u32 %r9, [%d1], 1;" LD(2, 0), "- ."},
        {LD(1, 0) "X:" SOME ROUND "X;" LD(2, 0), "- -"},
        {LD(1, 0) "ld.shared.u32 %r9, [%r5];", "- ."},
        {"ld.shared.v2.f32 {%f1, %f2}, [%r5];" LD(3, 4), "- ."},
        {"ld.shared.u32 %r8, [%r5]; ld.shared.u16 %r9, [%r5];", "- -"},
        {"ld.shared.u16 %r8, [%r5]; ld.shared.s16 %r9, [%r5];", "- -"},
        {"ld.volatile.shared.f32 %f1, [%r5]; ld.volatile.shared.f32 %f2, [%r5];", "- -"},
        {"ld.volatile.shared.f32 %f1, [%r5];" LD(2, 0), "- -"},
        {"ld.global.u32 %r7, [%d1]; add.u32 %r8, %r5, %r7; ld.shared.f32 %f1, [%r8]; ld.shared.f32 %f2, [%r8];", "- ."},
    };
    ALL_ARE(shapes);
}
END_TEST

#define HALVES "ld.shared.u16 %h1, [%r5]; ld.shared.u16 %h2, [%r5+2];"

START_TEST(shorts_are_joined_unless_something_extends_them)
{
    static const Shape shapes[] = {
        {HALVES "st.global.u16 [%d1], %h1;", "32 ."},  {HALVES "add.s16 %h3, %h1, %h2;", "- -"},
        {HALVES "sub.s16 %h3, %h2, 4;", "- -"},        {HALVES "mul.lo.s16 %h3, %h1, %h2;", "32 ."},
        {HALVES "mul.lo.u16 %h3, %h1, %h2;", "- -"},   {HALVES "mul.wide.s16 %r9, %h1, %h2;", "32 ."},
        {HALVES "mul.wide.u16 %r9, %h1, %h2;", "- -"}, {HALVES "setp.lt.s16 %p2, %h1, %h2;", "32 ."},
        {HALVES "setp.lt.u16 %p2, %h1, %h2;", "- -"},  {HALVES "max.u16 %h3, %h1, %h2;", "32 ."},
        {HALVES "and.b16 %h3, %h1, %h2;", "- -"},      {HALVES "shl.b16 %h3, %h1, 3;", "- -"},
        {HALVES "shr.s16 %h3, %h1, 3;", "32 ."},       {HALVES "fma.rn.f16 %h3, %h1, %h2, %h1;", "32 ."},
        {HALVES "cvt.rn.f32.u16 %f1, %h1;", "32 ."},   {HALVES "cvt.u64.u16 %d2, %h1;", "- -"},
        {HALVES "cvt.s64.s16 %d2, %h1;", "32 ."},
    };
    ALL_ARE(shapes);
}
END_TEST

START_TEST(addresses_and_their_alignment)
{
    static const Shape shapes[] = {
        {"add.u32 %r6, %r5, 4;" LD(1, 0) "ld.shared.f32 %f2, [%r6];", "64 ."},
        {"add.u32 %r6, %r3, 4; add.u32 %r7, %r4, %r6;" LD(1, 0) "ld.shared.f32 %f2, [%r7];", "64 ."},
        {"add.u32 %r6, %r1, 1; shl.b32 %r6, %r6, 4; add.u32 %r7, %r4, %r6;" LD(1, 0) "ld.shared.f32 %f2, [%r7+-12];", "64 ."},
        {"mad.lo.u32 %r7, %r1, 16, %r4;" LD(1, 0) "ld.shared.f32 %f2, [%r7+4];", "64 ."},
        {"shl.b32 %r6, %r1, 2; or.b32 %r6, %r6, 1; shl.b32 %r6, %r6, 2; add.u32 %r7, %r4, %r6;" LD(
             1, 0) "ld.shared.f32 %f2, [%r7];",
         "64 ."},
        {"mov.u64 %d2, s; mul.wide.u32 %d3, %r1, 16; add.s64 %d4, %d2, %d3;" LD4("%d4"), "128 . . ."},
        {"mul.lo.u32 %r7, %r2, 8; add.u32 %r7, %r4, %r7;" LD4("%r7"), "64 . 64 ."},
        {"shl.b32 %r6, %r2, 31; add.u32 %r6, %r4, %r6; shl.b32 %r7, %r2, 31; add.u32 %r7, %r4, %r7;" TWO, "64 ."},
        {"add.u32 %r6, %r2, 1; shl.b32 %r6, %r6, 31; add.u32 %r6, %r4, %r6; shl.b32 %r7, %r2, 31; add.u32 %r7, %r4, %r7;" TWO,
         "- -"},
        {"shl.b32 %r6, %r2, 32; add.u32 %r6, %r4, %r6; shl.b32 %r7, %r2, 32; add.u32 %r7, %r4, %r7;" TWO, "64 ."},
        {"mul.lo.u32 %r7, %r2, 12; add.u32 %r7, %r4, %r7;" LD4("%r7"), "- - - -"},
        {"and.b32 %r7, %r2, 4080; add.u32 %r7, %r4, %r7;" LD4("%r7"), "128 . . ."},
        {"and.b32 %r7, %r2, 4095; add.u32 %r7, %r4, %r7;" LD4("%r7"), "- - - -"},
        {"shl.b32 %r7, %r2, 4; xor.b32 %r7, %r3, %r7; add.u32 %r7, %r4, %r7;" LD4("%r7"), "128 . . ."},
        {"max.u32 %r7, %r3, 1024; add.u32 %r7, %r4, %r7;" LD4("%r7"), "- - - -"},
        {"selp.u32 %r7, 0, 1024, %p1; add.u32 %r7, %r5, %r7;" LD4("%r7"), "128 . . ."},
        {"mul.lo.u32 %r7, %r3, %r2; add.u32 %r7, %r4, %r7;" LD4("%r7"), "128 . . ."},
        {"shl.b32 %r7, %r2, 7; shr.u32 %r7, %r7, 2; add.u32 %r7, %r4, %r7;" LD4("%r7"), "- - - -"},
        {"ld.global.u32 %r7, [%d1];" LD4("%r7"), "- - - -"},
        {"mov.u32 %r7, %r5; X:" LD4("%r7") "bar.sync 0; add.u32 %r7, %r7, 64; @%p1 bra X;", "128 . . ."},
        {"mov.u32 %r7, %r5; X:" LD4("%r7") "bar.sync 0; add.u32 %r7, %r7, 8; @%p1 bra X;", "64 . 64 ."},
        {"mov.u32 %r7, %r5; X:" LD4("%r7") "bar.sync 0; xor.b32 %r7, %r7, 2048; @%p1 bra X;", "128 . . ."},
        {"add.u32 %r7, %r5, 8; X:" LD4("%r7") "bar.sync 0; add.u32 %r7, %r7, 16; @%p1 bra X;", "64 . 64 ."},
        {"mov.u32 %r7, 0; X: shl.b32 %r8, %r7, 2; add.u32 %r8, %r5, %r8;" LD4(
             "%r8") "bar.sync 0; add.u32 %r7, %r7, 4; @%p1 bra X;",
         "128 . . ."},
    };
    ALL_ARE(shapes);
}
END_TEST

START_TEST(the_place_of_an_array_counts)
{
    joins_are("20", "4", LD4("%r5"), "- - - -"); /* s begins at 20 */
    joins_are("24", "4", LD4("%r5"), "64 . 64 .");
    joins_are("20", "16", LD4("%r5"), "128 . . .");                           /* at 32 */
    joins_are("20", "4", LD(1, 12) LD(2, 16) LD(3, 20) LD(4, 24), "- - - -"); /* aligned, which ptxas does not see */
    joins_are("20", "4", LD4("s+12"), "128 . . .");
    joins_are("20", "4", LD4("%r4"), "128 . . -");
}
END_TEST

/* A kernel that is nothing but its body; joins by instruction, or NULL. */
static uint8_t *joins_of(const char *target, const char *body, Program **program) {
    const uint64_t offsets[1] = {0};
    *program = parsed_of(
        ".version 7.0\n.target %s\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %%f<5>; .reg .b32 %%r<9>; .reg "
        ".pred %%p1;\n"
        ".shared .align 16 .b8 s[640];\n%s\nret;\n}\n",
        target, body);
    uint8_t *joins = calloc((*program)->n_insns, sizeof *joins);
    const Flow flow = flow_find(*program, &(*program)->functions[0], (*program)->arena);
    if (joins_find(*program, &(*program)->functions[0], &flow, offsets, NULL, joins)) return joins;
    free(joins);
    return NULL;
}

START_TEST(code_to_be_debugged_is_left_as_it_is)
{
    const char *body = "ld.shared.f32 %f1, [s]; ld.shared.f32 %f2, [s+4];";
    Program *program;
    ck_assert_ptr_null(joins_of("sm_75, debug", body, &program));
    program_free(program);
    uint8_t *joins = joins_of("sm_75", body, &program); /* which two loads alone are not */
    ck_assert(joins && joins[0] == 8 && joins[1] == JOIN_TAKEN);
    free(joins);
    program_free(program);
    joins = joins_of("sm_75", "st.shared.f32 [s], %f1; st.shared.f32 [s+4], %f2;", &program);
    ck_assert(joins && joins[0] == 8 && joins[1] == JOIN_TAKEN);
    free(joins);
    program_free(program);
    ck_assert_ptr_null(joins_of("sm_75", "ld.shared.f32 %f1, [s]; st.shared.f32 [s+4], %f2;", &program));
    program_free(program);
}
END_TEST

/* The function's first instruction counts: what it writes is written again in the loop, 8 bytes on each time. */
START_TEST(what_the_first_instruction_writes_may_change)
{
    Program *program;
    uint8_t *joins =
        joins_of("sm_75", "mov.u32 %r7, s; X:" LD4("%r7") "bar.sync 0; add.u32 %r7, %r7, 8; @%p1 bra X;", &program);
    ck_assert(joins && joins[1] == 8 && joins[2] == JOIN_TAKEN && joins[3] == 8 && joins[4] == JOIN_TAKEN);
    free(joins);
    program_free(program);
}
END_TEST

SUITE("joins", loads_of_a_window_become_one, loads_are_joined_across_a_group_of_copies_but_not_across_an_mbarrier,
      stores_of_a_window_become_one_where_they_follow_each_other, elements_of_other_sizes, what_stands_between_loads,
      loads_are_joined_where_the_first_lies_on_all_ways_to_the_second, a_register_that_several_instructions_write,
      what_is_loaded_again_is_dropped, shorts_are_joined_unless_something_extends_them, addresses_and_their_alignment,
      the_place_of_an_array_counts, code_to_be_debugged_is_left_as_it_is, what_the_first_instruction_writes_may_change)
