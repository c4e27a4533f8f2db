/* Which loads the assembler puts ahead of stores, and what empties L1, as ahead.h and traits.h have it: by hand. */
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "parsed.h"
#include "ptx/opcode.h"

#define HEAD                                                                                                                   \
    ".version 8.0\n.target sm_90\n.address_size 64\n.func f(.reg .b32 %x)\n{\nret;\n}\n.visible .entry k(.param .u64 in)\n{\n" \
    ".reg .pred %p<4>; .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .f32 tile[64];\n"                           \
    "ld.param.u64 %rd1, [in]; mov.u64 %rd2, %rd1; setp.eq.u32 %p1, %r1, 0;\n"
#define STORE "st.global.f32 [%rd1], %f1;"

/* Of each access to global memory and each fence of the kernel, in the order of the text: a, ahead; e, L1 is emptied; -, neither. */
static void traits_are(const char *body, const char *expected) {
    char got[40] = "";
    Program *program = parsed_of("%s%s\nret;\n}\n", HEAD, body);
    const Function *function = &program->functions[1];
    const uint8_t *traits = kernel_prepare(program, function)->traits;
    for (uint32_t pc = function->first; pc < function->first + function->count; pc++) {
        const Insn *insn = &program->insns[pc];
        const bool access = (insn->op == OP_ld || insn->op == OP_atom) && insn->space != SPACE_PARAM;
        if (!access && insn->op != OP_membar && insn->op != OP_fence && insn->op != OP_fence_proxy) continue;
        strcat(got, traits[pc] & TRAIT_AHEAD ? "a" : traits[pc] & TRAIT_ACQUIRES ? "e" : "-");
    }
    ck_assert_msg(strcmp(got, expected) == 0, "%s: expected %s, got %s", body, expected, got);
    program_free(program);
}

START_TEST(a_load_of_other_bytes_from_the_same_address_is_ahead_of_a_store)
{
    traits_are("ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4];", "--"); /* of which store? */
    traits_are(STORE "ld.global.f32 %f2, [%rd1+4];", "a");
    traits_are(STORE "ld.global.f32 %f2, [%rd1+-4];", "a");
    traits_are(STORE "ld.global.v2.f32 {%f2, %f3}, [%rd1+-8];", "a");
    traits_are(STORE "ld.global.v2.f32 {%f2, %f3}, [%rd1+-4];", "-");
    traits_are(STORE "ld.global.f32 %f2, [%rd1];", "-");
    traits_are(STORE "ld.global.u8 %r2, [%rd1+3];", "-");
    traits_are("st.global.v4.f32 [%rd1], {%f1, %f1, %f1, %f1}; ld.global.f32 %f2, [%rd1+12]; ld.global.f32 %f3, [%rd1+16];",
               "-a");
    traits_are(STORE "st.global.f32 [%rd1+4], %f2; ld.global.f32 %f3, [%rd1+8]; ld.global.f32 %f3, [%rd1+4];", "a-");
}
END_TEST

START_TEST(what_may_lie_anywhere_is_not_passed)
{
    traits_are(STORE "ld.global.f32 %f2, [%rd2+4];", "-"); /* another register: whatever it holds */
    traits_are(STORE "ld.global.nc.f32 %f2, [%rd2];", "a");
    traits_are(STORE "add.s64 %rd1, %rd1, 4; ld.global.f32 %f2, [%rd1+4];", "-");
    traits_are("add.s64 %rd1, %rd1, 4;" STORE "ld.global.f32 %f2, [%rd1+4];", "a");
    traits_are("st.global.f32 [%rd2+64], %f1;" STORE "ld.global.f32 %f2, [%rd1+4];", "-");
    traits_are("st.volatile.global.f32 [%rd1+64], %f1;" STORE "ld.global.f32 %f2, [%rd1+4];", "-");
    traits_are("red.global.add.f32 [%rd1+64], %f1;" STORE "ld.global.f32 %f2, [%rd1+4];", "-");
    traits_are(STORE "ld.volatile.global.f32 %f2, [%rd1+4]; ld.global.f32 %f2, [%rd1+8];", "--");
    traits_are("st.shared.f32 [tile], %f1;" STORE "ld.global.f32 %f2, [%rd1+4];", "a");
}
END_TEST

START_TEST(nothing_goes_ahead_of_a_barrier_a_call_or_a_loop)
{
    traits_are(STORE "bar.sync 0; ld.global.f32 %f2, [%rd1+4];", "-");
    traits_are(STORE "call f, (%r1); ld.global.f32 %f2, [%rd1+4];", "-");
    traits_are(STORE "again: ld.global.f32 %f2, [%rd1+4]; @%p1 bra again;", "-");
    traits_are(STORE "barrier.cluster.arrive; barrier.cluster.wait; ld.global.f32 %f2, [%rd1+4];", "-");
    traits_are(STORE "griddepcontrol.wait; ld.global.f32 %f2, [%rd1+4];", "-");
    traits_are(STORE "nanosleep.u32 100; ld.global.f32 %f2, [%rd1+4];", "-");
    traits_are(STORE "mbarrier.arrive.shared.b64 %rd5, [tile]; ld.global.f32 %f2, [%rd1+4];", "-");
    traits_are(STORE "cp.async.ca.shared.global [tile], [%rd2], 4; cp.async.wait_all; ld.global.f32 %f2, [%rd1+4];", "a");
    traits_are("bra back; over: ld.global.f32 %f2, [%rd1+4]; ret; back: st.global.f32 [%rd2], %f1;" STORE "bra over;", "-");
    traits_are("again:" STORE "ld.global.f32 %f2, [%rd1+4]; @%p1 bra again;", "a");
    traits_are("st.global.f32 [%rd2+4], %f1; bar.sync 0;" STORE "ld.global.f32 %f2, [%rd1+4];", "a");
}
END_TEST

/* As an H200 has it: tests/hardware/h200-fences.csv. */
START_TEST(what_acquires_for_more_than_a_block_empties_l1)
{
    traits_are("membar.cta; membar.gl; membar.sys;", "-ee");
    traits_are("fence.acq_rel.cta; fence.sc.cta; fence.acq_rel.cluster; fence.acq_rel.gpu; fence.sc.sys;", "--eee");
    traits_are("fence.proxy.async;", "-");
    traits_are(
        "ld.relaxed.gpu.global.u32 %r2, [%rd1]; ld.acquire.cta.global.u32 %r2, [%rd1]; ld.acquire.gpu.global.u32 %r2, [%rd1];",
        "--e");
    traits_are("atom.global.add.u32 %r2, [%rd1], 1; atom.release.gpu.global.add.u32 %r2, [%rd1], 1;", "--");
    traits_are("atom.acquire.gpu.global.add.u32 %r2, [%rd1], 1; atom.acq_rel.sys.global.add.u32 %r2, [%rd1], 1;", "ee");
    traits_are("atom.acquire.gpu.shared.add.u32 %r2, [tile], 1; atom.acquire.cta.shared.add.u32 %r2, [tile], 1;", "e-");
    traits_are("atom.acq_rel.cta.global.add.u32 %r2, [%rd1], 1;", "-");
}
END_TEST

/* Of each load of global memory: o, made once for a loop; -, not. */
static void once_are(const char *body, const char *expected) {
    char got[40] = "";
    Program *program = parsed_of("%s%s\nret;\n}\n", HEAD, body);
    const Function *function = &program->functions[1];
    const Narrowed *narrowed = kernel_prepare(program, function)->narrowed;
    for (uint32_t pc = function->first; pc < function->first + function->count; pc++)
        if (program->insns[pc].op == OP_ld && program->insns[pc].space == SPACE_GLOBAL)
            strcat(got, narrowed && narrowed[pc].once ? "o" : "-");
    ck_assert_msg(strcmp(got, expected) == 0, "%s: expected %s, got %s", body, expected, got);
    program_free(program);
}
#define LOAD_NC "ld.global.nc.f32 %f2, [%rd1+4]; add.f32 %f1, %f1, %f2;"
#define BACK "setp.eq.f32 %p1, %f1, 0f00000000; @%p1 bra again;" STORE

/* As an H100 has it: tests/hardware/h100-once.csv. */
START_TEST(a_read_only_load_of_one_place_is_made_once_for_its_loop)
{
    once_are("again:" LOAD_NC BACK, "o");
    once_are(LOAD_NC BACK "again:", "-");
    once_are("again: ld.global.f32 %f2, [%rd1+4]; add.f32 %f1, %f1, %f2;" BACK, "-");
    once_are("again:" LOAD_NC "add.s64 %rd1, %rd1, 4;" BACK, "-");
    once_are("again:" LOAD_NC "add.s64 %rd2, %rd2, 4;" BACK, "o");
    once_are("again: add.s64 %rd4, %rd2, 8; ld.global.nc.f32 %f2, [%rd4]; add.f32 %f1, %f1, %f2;" BACK, "o");
    once_are("again: add.s64 %rd4, %rd4, 8; ld.global.nc.f32 %f2, [%rd4]; add.f32 %f1, %f1, %f2;" BACK, "-");
    once_are("again: ld.global.nc.f32 %f3, [%rd1+4];" BACK, "-"); /* nothing uses it: it is left out */
    once_are("again: @%p2 bra over;" LOAD_NC "over:" BACK, "-");
    once_are("again: setp.eq.u32 %p2, %r2, 0; @%p2 ld.global.nc.f32 %f2, [%rd1]; add.f32 %f1, %f1, %f2;" BACK, "-");
    once_are("again:" LOAD_NC "bar.sync 0; red.global.add.f32 [%rd2], %f1;" BACK, "o");
    once_are("again:" LOAD_NC "membar.gl;" BACK, "-");
    once_are("again:" LOAD_NC "call f, (%r1);" BACK, "-");
    once_are("outer: inner:" LOAD_NC
             "setp.eq.f32 %p1, %f1, 0f00000000; @%p1 bra inner; add.s64 %rd1, %rd1, 4; @%p2 bra outer;" STORE,
             "o");
}
END_TEST

SUITE("ahead", a_read_only_load_of_one_place_is_made_once_for_its_loop,
      a_load_of_other_bytes_from_the_same_address_is_ahead_of_a_store, what_may_lie_anywhere_is_not_passed,
      nothing_goes_ahead_of_a_barrier_a_call_or_a_loop, what_acquires_for_more_than_a_block_empties_l1)
