/* Branches in loops that all threads take the same way in each iteration, and others. */
#include "kernel/unswitched.h"

#include "parsed.h"
#include "ptx/opcode.h"

#define HEAD                                                                                                        \
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u32 n)\n{\n"          \
    ".reg .pred %p<5>; .reg .f32 %f<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>;\n"                                       \
    "ld.param.u64 %rd1, [in]; ld.param.u32 %r2, [n]; mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, 0;\n" \
    "setp.eq.u32 %p1, %r3, %r2; setp.lt.u32 %p2, %r1, %r2;\n"
#define LOAD "ld.global.f32 %f1, [%rd1];\n"
#define SUM "add.f32 %f2, %f2, %f1;\n"
#define LONG SUM SUM SUM SUM SUM SUM SUM SUM SUM SUM SUM SUM SUM SUM SUM SUM SUM
#define STEP "add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 9; @%p3 bra again;\n"

static bool is_found(const char *body) {
    Program *program = parsed_of("%s%sret;\n}\n", HEAD, body);
    const uint32_t branch = unswitched_branch(kernel_prepare(program, program->functions));
    const bool found = branch != NO_INSN;
    if (found) ck_assert_uint_eq(program->insns[branch].op, OP_bra);
    program_free(program);
    return found;
}

START_TEST(a_condition_of_the_block_in_a_loop_is_found)
{
    ck_assert(is_found("again:\n" LOAD "@%p1 bra over;\n" LONG "over:\n" STEP));
    ck_assert(is_found("again:\n@!%p1 bra over;\n" LOAD LONG "over:\n" STEP));
}
END_TEST

START_TEST(what_changes_or_differs_is_not)
{
    ck_assert(!is_found("again:\n" LOAD "@%p2 bra over;\n" LONG "over:\n" STEP));
    ck_assert(!is_found("again:\n" LOAD "setp.eq.u32 %p1, %r4, 3; @%p1 bra over;\n" LONG "over:\n" STEP));
    ck_assert(!is_found("again:\n" LOAD "@%p1 bra over;\n" SUM "over:\n" STEP)); /* it is guarded */
    /* nothing to wait for; no loop; out of the loop; in front of it */
    ck_assert(!is_found("again:\n@%p1 bra over;\n" LONG "over:\n" STEP));
    ck_assert(!is_found(LOAD "@%p1 bra over;\n" LONG "over:\n"));
    ck_assert(!is_found("again:\n" LOAD "@%p1 bra out;\n" STEP "out:\n"));
    ck_assert(!is_found("@%p1 bra again;\nadd.f32 %f2, %f2, %f1;\nagain:\n" LOAD STEP));
}
END_TEST

SUITE("unswitched", a_condition_of_the_block_in_a_loop_is_found, what_changes_or_differs_is_not)
