/* Barriers between two accesses that some threads go round, and those that none does. */
#include "kernel/skipped.h"

#include "parsed.h"
#include "ptx/opcode.h"

#define HEAD                                                                               \
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n" \
    ".reg .pred %p<4>; .reg .f32 %f<4>; .reg .b32 %r<9>; .shared .f32 tile[64];\n"         \
    "mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; setp.ge.u32 %p1, %r1, %r2; setp.ge.u32 %p2, %r2, 9;\n"
#define WRITE "st.shared.f32 [tile], %f1;\n"
#define READ "ld.shared.f32 %f2, [tile];\n"
#define BARRIER "bar.sync 0;\n"

/* How many instructions behind the write the barrier is that some go round on the way to the read; 0: there is none. */
static uint32_t skipped(const char *body) {
    Program *program = parsed_of("%s%sret;\n}\n", HEAD, body);
    uint32_t write = 0, read = 0;
    for (uint32_t pc = 0; pc < program->n_insns; pc++) {
        const Insn *insn = &program->insns[pc];
        if (insn->space == SPACE_SHARED && insn->op == OP_st) write = pc;
        if (insn->space == SPACE_SHARED && insn->op == OP_ld) read = pc;
    }
    const uint32_t found = skipped_barrier(kernel_prepare(program, program->functions), write, read);
    program_free(program);
    return found == NO_INSN ? 0 : found - write;
}

START_TEST(a_barrier_in_an_if_of_some_threads_is_skipped)
{
    ck_assert_uint_eq(skipped("@%p1 bra over;\n" WRITE BARRIER "over:\n" READ), 1);
    ck_assert_uint_eq(skipped(WRITE "@%p1 bra over;\n" BARRIER "over:\n" READ), 2);
    /* the second of two; clang's two branches */
    ck_assert_uint_eq(skipped("@%p1 bra over;\n" WRITE BARRIER BARRIER "over:\n" READ), 2);
    ck_assert_uint_eq(skipped("@!%p1 bra in; bra.uni over;\nin:\n" WRITE BARRIER "over:\n" READ), 1);
    /* a loop that threads leave after different iterations */
    ck_assert_uint_eq(skipped("@%p1 bra over;\nagain:\n" WRITE BARRIER
                              "add.u32 %r1, %r1, 32; setp.lt.u32 %p1, %r1, %r2; @%p1 bra again;\nover:\n" READ),
                      1);
}
END_TEST

START_TEST(one_that_all_come_to_is_not)
{
    ck_assert_uint_eq(skipped(WRITE BARRIER READ), 0);
    ck_assert_uint_eq(skipped("@%p1 bra over;\n" WRITE "over:\n" BARRIER READ), 0);
    /* a condition that is the same for all; those that do not come to the read; a loop whose iterations race */
    ck_assert_uint_eq(skipped("@%p2 bra over;\n" WRITE BARRIER "over:\n" READ), 0);
    ck_assert_uint_eq(skipped("@%p1 bra out;\n" WRITE BARRIER READ "out:\n"), 0);
    ck_assert_uint_eq(skipped("@%p1 bra next;\nnext: @%p2 bra over;\n" WRITE BARRIER "over:\n" READ),
                      0); /* behind one that differs */
    ck_assert_uint_eq(
        skipped("again:\n" WRITE BARRIER READ "add.u32 %r1, %r1, 32; setp.lt.u32 %p1, %r1, %r2; @%p1 bra again;\n"), 0);
    /* no barrier; behind the read */
    ck_assert_uint_eq(skipped("@%p1 bra over;\n" WRITE "over:\n" READ), 0);
    ck_assert_uint_eq(skipped("@%p1 bra over;\n" WRITE READ BARRIER "over:\n"), 0);
}
END_TEST

SUITE("skipped", a_barrier_in_an_if_of_some_threads_is_skipped, one_that_all_come_to_is_not)
