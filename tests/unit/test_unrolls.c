/* Loops of which ptxas 13.0 makes four iterations one, for compute capability 9.0, and loops of which it does not: each was given to it, and its loads counted in
 * the machine code (nvdisasm). */
#include <stdio.h>
#include <stdlib.h>

#include "kernel/kernel.h"
#include "kernel/unrolls.h"
#include "parsed.h"

#define HEAD                                                                                                                \
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u32 n, .param .u64 end)\n{\n" \
    ".reg .pred %p<4>; .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .f32 tile[64];\n"                        \
    "ld.param.u64 %rd1, [in]; ld.param.u32 %r1, [n]; ld.param.u64 %rd7, [end]; mov.u32 %r2, %tid.x; mov.u32 %r3, 0;\n"      \
    "mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2; mul.wide.u32 %rd4, %r1, 4; mov.u64 %rd6, 0;\n"                    \
    "setp.gt.u32 %p2, %r2, 7;\n"

#define LOAD "ld.global.f32 %f2, [%rd3]; add.f32 %f1, %f1, %f2; add.s64 %rd3, %rd3, %rd4;"
#define COUNT "add.s32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, %r1;"
#define FMA "fma.rn.f32 %f1, %f1, %f1, %f2;"
#define TEN(text) text text text text text text text text text text
#define ONE "ld.global.f32 %f2, [%rd3]; add.f32 %f1, %f1, %f2;"

static bool is_unrolled(const char *body, const char *before) {
    Program *program =
        parsed_of("%sagain:\n%s %s\n@%%p1 bra again;\ndone:\nst.global.f32 [%%rd1], %%f1;\nret;\n}\n", HEAD, before, body);
    const Kernel *kernel = kernel_prepare(program, program->functions);
    bool *unrolls = calloc(program->n_insns, sizeof *unrolls), found = false;
    unrolls_find(program, kernel->function, kernel->regions, unrolls);
    for (uint32_t pc = 0; pc < program->n_insns; pc++) found |= unrolls[pc];
    free(unrolls);
    program_free(program);
    return found;
}

START_TEST(loops_are_unrolled_by_how_they_count)
{
    static const struct {
        const char *count;
        bool unrolled;
    } rows[] = {
        {COUNT, true},
        {"add.s32 %r3, %r3, 3; setp.lt.u32 %p1, %r3, %r1;", true},
        {"add.s32 %r3, %r3, 1; setp.le.s32 %p1, %r3, %r1;", true},
        {"add.s32 %r3, %r3, 4; setp.ne.s32 %p1, %r3, %r1;", true},
        {"add.s32 %r3, %r3, 4; setp.ne.s32 %p1, %r1, %r3;", true},
        {"sub.s32 %r3, %r3, 1; setp.ne.s32 %p1, %r3, 0;", true},
        {"add.s64 %rd6, %rd6, 1; setp.lt.s64 %p1, %rd6, %rd7;", true},
        {"setp.lt.u64 %p1, %rd3, %rd7;", false},                                         /* what is stepped is, by a register */
        {"add.s32 %r4, %r3, 1; mov.u32 %r3, %r4; setp.lt.s32 %p1, %r4, %r1;", true},     /* by another register */
        {"add.s32 %r3, %r3, %r2; setp.lt.s32 %p1, %r3, %r1;", false},                    /* not by a constant */
        {"shl.b32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1;", false},                      /* not by an addition */
        {"add.s32 %r3, %r3, 4; add.s32 %r4, %r1, %r3; setp.ne.s32 %p1, %r4, 0;", false}, /* a sum */
        {"mov.u32 %r4, %r3; add.s32 %r3, %r3, 1; setp.lt.s32 %p1, %r4, %r1;", false},    /* before the step */
        {"add.s32 %r3, %r3, 1; setp.lt.and.s32 %p1, %r3, %r1, %p2;", false},             /* and by something else */
        {"add.s32 %r3, %r3, 1; setp.lt.or.s32 %p1, %r3, %r1, %p2;", false},
        {"add.s32 %r3, %r3, 1; @%p2 setp.lt.s32 %p1, %r3, %r1;", false}, /* perhaps */
        {"@%p2 add.s32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, %r1;", false},
        {"add.s32 %r4, %r3, 1; @%p2 mov.u32 %r3, %r4; setp.lt.s32 %p1, %r4, %r1;", false},
        {"add.s32 %r3, %r3, 1; add.s32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, %r1;", false}, /* in two steps */
        {"add.s32 %r3, %r3, 1; shl.b32 %r1, %r1, 1; setp.lt.s32 %p1, %r3, %r1;", false}, /* the end changes */
        {"add.s32 %r3, %r3, 1; shl.b32 %r4, %r1, 1; setp.lt.s32 %p1, %r3, %r4;", false}, /* is worked out anew */
        {"add.s32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, %r1; @%p2 bra done;", false},       /* left elsewhere as well */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(is_unrolled(rows[i].count, LOAD) == rows[i].unrolled, "%s", rows[i].count);
    ck_assert(!is_unrolled(LOAD COUNT, ".pragma \"nounroll\";"));
    ck_assert(is_unrolled(LOAD COUNT, ".pragma \"other\";"));
}
END_TEST

START_TEST(loops_are_unrolled_by_what_is_in_them)
{
    static const struct {
        const char *body;
        bool unrolled;
    } rows[] = {
        {"bar.sync 0;", true},
        {"atom.global.add.f32 %f4, [%rd1], %f2; add.f32 %f1, %f1, %f4;", true},
        {"setp.gt.f32 %p2, %f2, 0f00000000; @%p2 bra over; add.f32 %f1, %f1, %f1; mul.f32 %f1, %f1, %f2;\nover:", true},
        {"setp.gt.f32 %p2, %f2, 0f00000000; @%p2 bra done;", false},
        {"sqrt.approx.f32 %f1, %f1;", true},
        {"sqrt.rn.f32 %f1, %f1;", false},
        {"div.rn.f32 %f1, %f1, %f2;", false},
        {TEN(FMA) TEN(FMA) TEN(FMA) TEN(FMA) FMA FMA, true},          /* 48 instructions */
        {TEN(FMA) TEN(FMA) TEN(FMA) TEN(FMA) FMA FMA FMA FMA, false}, /* 50 */
        {TEN(ONE) ONE ONE ONE ONE, true},                             /* 15 loads */
        {TEN(ONE) ONE ONE ONE ONE ONE, false},                        /* 16 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[4096];
        snprintf(body, sizeof body, "%s %s", rows[i].body, COUNT);
        ck_assert_msg(is_unrolled(body, LOAD) == rows[i].unrolled, "%s", rows[i].body);
    }
}
END_TEST

SUITE("unrolls", loops_are_unrolled_by_how_they_count, loops_are_unrolled_by_what_is_in_them)
