/* Round trips that follow by hand from the rules in trips.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "parsed.h"

#define HEAD                                                                                                                   \
    ".version 8.0\n.target sm_80\n.address_size 64\n.func f(.reg .b32 %x)\n{\nret;\n}\n.visible .entry k(.param .u64 in)\n{\n" \
    ".reg .pred %p<4>; .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .f32 tile[64];\n"                           \
    "ld.param.u64 %rd1, [in]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"                     \
    "setp.eq.u32 %p2, %r1, 0; setp.eq.u32 %p3, %r1, 1;\n"

#define ELEVEN_MORE                                                                                            \
    "add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1;"                      \
    "add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1;" \
    "add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1;"
#define FIFTEEN_MORE ELEVEN_MORE "add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1;"
#define SIXTEEN_MORE FIFTEEN_MORE "add.u32 %r8, %r8, 1;"

/* %rd4 and %rd5 from what was loaded into %r2 and %r3. */
#define ADDRESS_4 "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd1, %rd4;"
#define ADDRESS_5 "mul.wide.u32 %rd5, %r3, 4; add.s64 %rd5, %rd1, %rd5;"

/* Of each load and atomic in the order of the text: its basic block, as letters in order; its round trip there; f: follows what was loaded. */
static void trips_are(const char *body, const char *expected) {
    char got[400] = "";
    Program *program = parsed_of("%s%s\nret;\n}\n", HEAD, body);
    const Function *kernel = program->functions;
    while (!kernel->is_entry) kernel++;
    const Trip *trips = kernel_prepare(program, kernel)->trips;
    char letter = 'a' - 1;
    uint32_t last = NO_INSN;
    for (uint32_t pc = 0; pc < program->n_insns; pc++) {
        if (!(trips_errand(&program->insns[pc]) & ERRAND_LOAD)) continue;
        ck_assert_uint_ge(trips[pc].block, kernel->first);
        ck_assert_uint_le(trips[pc].block, pc);
        if (trips[pc].block != last) letter++;
        last = trips[pc].block;
        sprintf(got + strlen(got), "%s%c%u%s", *got ? " " : "", letter, trips[pc].level, trips[pc].follows ? "f" : "");
    }
    ck_assert_msg(strcmp(got, expected) == 0, "%s\n  expected %s\n  got      %s", body, expected, got);
    program_free(program);
}

START_TEST(loads_and_atomics_to_memory_have_round_trips)
{
    trips_are("", "");
    trips_are("ld.global.f32 %f1, [%rd3];", "a0");
    trips_are("ld.local.f32 %f1, [%rd3];", "a0");
    trips_are("ld.f32 %f1, [%rd3];", "a0"); /* it may be global */
    trips_are("atom.global.add.u32 %r2, [%rd3], 1;", "a0");
    /* these go elsewhere, or bring nothing */
    trips_are("ld.shared.f32 %f1, [tile]; ld.param.u64 %rd4, [in]; red.global.add.u32 [%rd3], 1; st.global.f32 [%rd3], %f1;",
              "");
}
END_TEST

START_TEST(independent_loads_are_in_the_first_round_trip)
{
    trips_are("ld.global.f32 %f1, [%rd3]; ld.global.f32 %f2, [%rd3+4]; add.f32 %f3, %f1, %f2; ld.global.f32 %f4, [%rd3+8];",
              "a0 a0 a0");
    /* what was loaded into the register of an address counts no more once it is written anew */
    trips_are("ld.global.u64 %rd4, [%rd3]; add.s64 %rd4, %rd3, 8; ld.global.nc.f32 %f1, [%rd3];", "a0 a0");
}
END_TEST

START_TEST(an_address_that_was_loaded_is_waited_for)
{
    trips_are("ld.global.u32 %r2, [%rd3];" ADDRESS_4 "ld.global.u32 %r3, [%rd4];" ADDRESS_5 "ld.global.f32 %f1, [%rd5];"
              "ld.global.f32 %f2, [%rd3+4];",
              "a0 a1f a2f a0");
    trips_are("ld.global.u64 %rd4, [%rd3]; ld.global.u64 %rd4, [%rd4]; ld.global.u64 %rd4, [%rd4];", "a0 a1f a2f");
    trips_are("atom.global.add.u32 %r2, [%rd3], 1;" ADDRESS_4 "ld.global.f32 %f1, [%rd4];", "a0 a1f");
    /* the later of two */
    trips_are("ld.global.u64 %rd4, [%rd3]; ld.global.u64 %rd5, [%rd4]; add.s64 %rd6, %rd5, %rd4; add.s64 %rd7, %rd4, %rd5;"
              "ld.global.f32 %f1, [%rd6]; ld.global.f32 %f2, [%rd7];",
              "a0 a1f a2f a2f");
    /* an atomic that adds what was loaded: its address is known, but not what it sends */
    trips_are("ld.global.u32 %r2, [%rd3]; atom.global.add.u32 %r3, [%rd3+4], %r2;", "a0 a1f");
    /* each register of a wide load */
    trips_are("ld.global.v2.u64 {%rd4, %rd5}, [%rd3]; ld.global.f32 %f1, [%rd5]; ld.global.f32 %f2, [%rd4];", "a0 a1f a1f");
    /* through what looks it up in shared memory */
    trips_are("ld.global.u32 %r2, [%rd3]; mov.u32 %r4, tile; add.u32 %r4, %r4, %r2; ld.shared.u64 %rd4, [%r4];"
              "ld.global.f32 %f1, [%rd4];",
              "a0 a1f");
}
END_TEST

START_TEST(a_load_of_other_bytes_overtakes_a_store)
{
    trips_are("ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; ld.global.f32 %f2, [%rd3+8];", "a0 a0");
    trips_are("ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; ld.global.f32 %f2, [%rd3+4];", "a0 a1");
}
END_TEST

START_TEST(a_load_does_not_overtake_a_store_of_what_was_loaded)
{
    trips_are("ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; ld.global.f32 %f2, [%rd1+8];", "a0 a1");
    trips_are("ld.global.f32 %f1, [%rd3]; st.f32 [%rd3+4], %f1; ld.global.f32 %f2, [%rd1+8];", "a0 a1");
    trips_are("ld.global.nc.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; ld.global.nc.f32 %f2, [%rd3+8];", "a0 a0");
    trips_are("ld.global.nc.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; ld.global.f32 %f2, [%rd1+8];", "a0 a1");
    trips_are("ld.global.f32 %f1, [%rd3]; st.shared.f32 [tile], %f1; ld.global.f32 %f2, [%rd3+8];", "a0 a0");
    trips_are("ld.global.f32 %f1, [%rd3]; st.global.u32 [%rd3+4], %r1; ld.global.f32 %f2, [%rd3+8];", "a0 a0"); /* known */
    trips_are("ld.global.u64 %rd4, [%rd3]; st.global.u32 [%rd4], %r1; ld.global.f32 %f2, [%rd3+8];",
              "a0 a1"); /* but not where */
    /* the store of the second round trip; a store of the first one behind it takes nothing back */
    trips_are("ld.global.u64 %rd4, [%rd3]; ld.global.f32 %f1, [%rd4]; st.global.f32 [%rd3], %f1; st.global.u64 [%rd3+8], %rd4;"
              "ld.global.f32 %f2, [%rd1+16];",
              "a0 a1f a2");
    /* .nc still waits for its address */
    trips_are("ld.global.u64 %rd4, [%rd3]; st.global.u64 [%rd3+8], %rd4; ld.global.nc.f32 %f1, [%rd4];", "a0 a1f");
}
END_TEST

/* Nothing that stands before is waited for behind once more. */
START_TEST(barriers_end_round_trips)
{
    trips_are("ld.global.f32 %f1, [%rd3]; bar.sync 0; ld.global.f32 %f2, [%rd3+4]; ld.global.f32 %f3, [%rd3+8];", "a0 b0 b0");
    trips_are("ld.global.f32 %f1, [%rd3]; barrier.sync 0; ld.global.f32 %f2, [%rd3+4];", "a0 b0");
    trips_are("ld.global.u64 %rd4, [%rd3]; bar.sync 0; ld.global.u64 %rd5, [%rd4]; ld.global.f32 %f1, [%rd5];", "a0 b0f b1f");
    trips_are("ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; bar.sync 0; ld.global.f32 %f2, [%rd3+8];", "a0 b0");
}
END_TEST

START_TEST(basic_blocks_end_round_trips)
{
    /* a loop, its head and what is behind */
    trips_are("ld.global.u64 %rd4, [%rd3];\nagain:\nld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd3]; @%p2 bra again;"
              "ld.global.f32 %f2, [%rd3+4];",
              "a0 b0f b0 c0");
    /* both ways of a branch, and where they meet; each leaps over more than 16 instructions */
    trips_are("ld.global.f32 %f1, [%rd3]; @%p2 bra other; ld.global.f32 %f2, [%rd3+4];" SIXTEEN_MORE "bra.uni meet;\nother:\n"
              "ld.global.f32 %f3, [%rd3+8];" SIXTEEN_MORE "\nmeet:\nld.global.f32 %f4, [%rd3+12];",
              "a0 b0 c0 d0");
    trips_are(
        "ts: .branchtargets here, there;\nld.global.f32 %f1, [%rd3]; brx.idx %r1, ts;\nhere:\nld.global.f32 %f2, [%rd3];\n"
        "there:\nld.global.f32 %f3, [%rd3+4];",
        "a0 b0 c0");
    trips_are("ld.global.f32 %f1, [%rd3]; call f, (%r1); ld.global.f32 %f2, [%rd3+4];", "a0 b0");
    trips_are("ld.global.f32 %f1, [%rd3]; @%p2 exit; ld.global.f32 %f2, [%rd3+4];", "a0 b0");
    trips_are("ld.global.f32 %f1, [%rd3]; @%p2 ret; ld.global.f32 %f2, [%rd3+4];", "a0 b0");
    /* stores are of their block, too */
    trips_are("ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; @%p2 exit; ld.global.f32 %f2, [%rd3+8];", "a0 b0");
    /* a label alone ends nothing */
    trips_are("ld.global.u64 %rd4, [%rd3];\nhere:\nld.global.f32 %f1, [%rd4];", "a0 a1f");
}
END_TEST

START_TEST(a_branch_over_a_few_instructions_ends_nothing)
{
    trips_are("@%p2 bra next1; ld.global.f32 %f1, [%rd3];\nnext1:\n@%p3 bra next2; ld.global.f32 %f2, [%rd3+4];\nnext2:\n"
              "ld.global.f32 %f3, [%rd3+8];",
              "a0 a0 a0");
    /* clang's two branches */
    trips_are("@!%p2 bra next1; bra.uni then1;\nthen1:\nld.global.f32 %f1, [%rd3];\nnext1:\n"
              "@!%p3 bra next2; bra.uni then2;\nthen2:\nld.global.f32 %f2, [%rd3+4];\nnext2:\nld.global.f32 %f3, [%rd3+8];",
              "a0 a0 a0");
    /* what depends on another load does so there, too */
    trips_are("ld.global.u64 %rd4, [%rd3]; @%p2 bra next; ld.global.f32 %f1, [%rd4];\nnext:\nld.global.f32 %f2, [%rd3+8];",
              "a0 a1f a0");
    /* 16 instructions and 17; copies and changes of the kind of an address are none */
    trips_are("ld.global.f32 %f1, [%rd3]; @%p2 bra next; ld.global.f32 %f2, [%rd3+4];" FIFTEEN_MORE
              "mov.u32 %r4, 3; mov.u32 %r5, %r4; cvta.to.global.u64 %rd5, %rd3;\nnext:\nld.global.f32 %f3, [%rd3+8];",
              "a0 a0 a0");
    trips_are("ld.global.f32 %f1, [%rd3]; @%p2 bra next; ld.global.f32 %f2, [%rd3+4];" SIXTEEN_MORE
              "\nnext:\nld.global.f32 %f3, [%rd3+8];",
              "a0 b0 c0");
    /* the guarded ones behind the function's end */
    trips_are("@%p2 bra then1;\nnext1:\n@!%p3 bra next2; bra.uni then2;\nnext2:\nld.global.f32 %f3, [%rd3+8]; ret;\n"
              "then1:\nld.global.f32 %f1, [%rd3]; bra.uni next1;\nthen2:\nld.global.f32 %f2, [%rd3+4]; bra.uni next2;",
              "a0 a0 a0");
    /* a way in from elsewhere: the last is no guarded one */
    trips_are("@%p2 bra then; ld.global.f32 %f1, [%rd3]; @%p3 bra next;\nthen:\nld.global.f32 %f2, [%rd3+4];\nnext:\n"
              "ld.global.f32 %f3, [%rd3+8];",
              "a0 b0 c0");
    /* back, not over */
    trips_are("again:\nld.global.f32 %f1, [%rd3]; @%p2 bra again; ld.global.f32 %f2, [%rd3+4];", "a0 b0");
    /* what branches or waits cannot be guarded, be it the first or the last that is leapt over */
    trips_are(
        "ld.global.f32 %f1, [%rd3]; @%p2 bra next; @%p3 exit; ld.global.f32 %f2, [%rd3];\nnext:\nld.global.f32 %f3, [%rd3];",
        "a0 b0 c0");
    trips_are(
        "ld.global.f32 %f1, [%rd3]; @%p2 bra next; ld.global.f32 %f2, [%rd3]; bar.sync 0;\nnext:\nld.global.f32 %f3, [%rd3];",
        "a0 b0 c0");
    trips_are(
        "ld.global.f32 %f1, [%rd3]; @%p2 bra next; bar.sync 0; ld.global.f32 %f2, [%rd3];\nnext:\nld.global.f32 %f3, [%rd3];",
        "a0 b0 c0");
    trips_are("ld.global.f32 %f1, [%rd3]; @%p2 bra next; call f, (%r1); ld.global.f32 %f2, [%rd3];\nnext:\n"
              "ld.global.f32 %f3, [%rd3];",
              "a0 b0 c0");
}
END_TEST

/* Both ways of an `else`: with 16 instructions together ptxas 13.0 has no branch, with 20 it has. */
START_TEST(both_ways_of_a_branch_end_nothing_where_they_are_short)
{
#define TWO_WAYS(one, other) \
    "ld.global.f32 %f1, [%rd3]; @%p2 bra other;" one "bra.uni meet;\nother:\n" other "\nmeet:\nld.global.f32 %f4, [%rd3+12];"
    trips_are(TWO_WAYS("ld.global.f32 %f2, [%rd3+4];", "ld.global.f32 %f3, [%rd3+8];"), "a0 a0 a0 a0");
    trips_are(TWO_WAYS("add.u32 %r8, %r8, 1;", "ld.global.f32 %f3, [%rd3+8];" ELEVEN_MORE), "a0 a0 a0");
    trips_are(TWO_WAYS("ld.global.f32 %f2, [%rd3+4];" ELEVEN_MORE, "ld.global.f32 %f3, [%rd3+8]; add.u32 %r8, %r8, 1;"
                                                                   "add.u32 %r8, %r8, 1; add.u32 %r8, %r8, 1;"),
              "a0 a0 a0 a0");
    trips_are(TWO_WAYS("ld.global.f32 %f2, [%rd3+4];" ELEVEN_MORE, "ld.global.f32 %f3, [%rd3+8];" ELEVEN_MORE), "a0 b0 c0 d0");
    /* clang's two branches */
    trips_are("ld.global.f32 %f1, [%rd3]; @!%p2 bra other; bra.uni one;\none:\nadd.u32 %r8, %r8, 1; bra.uni meet;\nother:\n"
              "ld.global.f32 %f3, [%rd3+8];\nmeet:\nld.global.f32 %f4, [%rd3+12];",
              "a0 a0 a0");
    /* what waits is not guarded; a third way comes in */
    trips_are(TWO_WAYS("ld.global.f32 %f2, [%rd3+4]; bar.sync 0;", "ld.global.f32 %f3, [%rd3+8];"), "a0 b0 c0 d0");
    trips_are("@%p3 bra meet;" TWO_WAYS("ld.global.f32 %f2, [%rd3+4];", "ld.global.f32 %f3, [%rd3+8];"), "a0 a0 a0 b0");
    /* the second way waits for what decides, too; what is behind does not */
    trips_are("ld.global.u32 %r2, [%rd3]; setp.eq.u32 %p1, %r2, 0; @%p1 bra other; ld.global.f32 %f2, [%rd3+4]; bra.uni meet;\n"
              "other:\nld.global.f32 %f3, [%rd3+8];\nmeet:\nld.global.f32 %f4, [%rd3+12];",
              "a0 a1 a1 a0");
#undef TWO_WAYS
}
END_TEST

/* A guarded instruction waits for what decides. */
START_TEST(guards_are_waited_for)
{
    trips_are("ld.global.u32 %r2, [%rd3]; setp.eq.u32 %p1, %r2, 0; @%p1 ld.global.f32 %f1, [%rd3+4];", "a0 a1f");
    trips_are("ld.global.u32 %r2, [%rd3]; setp.eq.u32 %p1, %r2, 0; @!%p1 ld.global.f32 %f1, [%rd3+4];", "a0 a1f");
    trips_are("ld.global.u32 %r2, [%rd3]; setp.eq.u32 %p1, %r2, 0; @%p2 ld.global.f32 %f1, [%rd3+4];", "a0 a0");
}
END_TEST

/* What a branch leads round waits for what decides, as a guarded instruction does; what stands behind does not. */
START_TEST(branches_on_what_was_loaded_are_waited_for)
{
    const char *decides =
        "ld.global.u32 %%r2, [%%rd3]; setp.eq.u32 %%p1, %%r%u, 0; @%%p1 bra next; ld.global.f32 %%f1, [%%rd3+4];"
        "\nnext:\nld.global.f32 %%f2, [%%rd3+8];";
    char text[400];
    snprintf(text, sizeof text, decides, 2);
    trips_are(text, "a0 a1 a0");
    snprintf(text, sizeof text, decides, 1);
    trips_are(text, "a0 a0 a0");
    /* whatever ends what is led round, what stands behind is not guarded: a branch that all take, or nothing */
    trips_are("ld.global.u32 %r2, [%rd3]; setp.eq.u32 %p1, %r2, 0; @%p1 bra next; ld.global.f32 %f1, [%rd3+4]; bra.uni next;"
              "\nnext:\nld.global.f32 %f2, [%rd3+8];",
              "a0 a1 a0");
    /* each branch guards its own: the second on what is known, the second on what was loaded behind the first */
    trips_are("ld.global.u32 %r2, [%rd3]; setp.eq.u32 %p1, %r2, 0; @%p1 bra next; ld.global.f32 %f1, [%rd3+4];\nnext:\n"
              "@%p2 bra last; ld.global.f32 %f2, [%rd3+8];\nlast:\nld.global.f32 %f3, [%rd3+12];",
              "a0 a1 a0 a0");
    trips_are("ld.global.u32 %r2, [%rd3]; setp.eq.u32 %p1, %r2, 0; @%p2 bra next; ld.global.f32 %f1, [%rd3+4];\nnext:\n"
              "@%p1 bra last; ld.global.f32 %f2, [%rd3+8];\nlast:\nld.global.f32 %f3, [%rd3+12];",
              "a0 a0 a1 a0");
    /* an address that is set there or was before */
    trips_are("ld.global.u32 %r2, [%rd3]; setp.eq.u32 %p1, %r2, 0; mov.u64 %rd4, %rd3; @%p1 bra next; mov.u64 %rd4, %rd1;"
              "\nnext:\nld.global.f32 %f2, [%rd4];",
              "a0 a1");
    trips_are("ld.global.u64 %rd4, [%rd3]; @%p2 mov.u64 %rd4, %rd3; ld.global.f32 %f2, [%rd4];", "a0 a1f");
    /* what was there is the later of the two, whether what decides was loaded or is known */
    trips_are("ld.global.u64 %rd4, [%rd3]; ld.global.u64 %rd4, [%rd4]; ld.global.u32 %r2, [%rd3+8]; setp.eq.u32 %p1, %r2, 0;"
              "@%p1 bra next; mov.u64 %rd4, %rd1;\nnext:\nld.global.f32 %f2, [%rd4];",
              "a0 a1f a0 a2f");
    trips_are("ld.global.u64 %rd4, [%rd3]; @%p2 bra next; mov.u64 %rd4, %rd1;\nnext:\nld.global.f32 %f2, [%rd4];", "a0 a1f");
    trips_are("ld.global.u64 %rd4, [%rd3]; mov.u64 %rd4, %rd1; @%p2 bra next; add.u32 %r2, %r1, 1;\nnext:\nld.global.f32 %f2, "
              "[%rd4];",
              "a0 a0f");
}
END_TEST

START_TEST(a_value_is_followed_through_a_parameter)
{
    trips_are(".param .b64 p; .param .b64 q; ld.global.u64 %rd4, [%rd3]; st.param.b64 [p], %rd4; st.param.b64 [q], %rd3;"
              "ld.param.b64 %rd5, [p]; ld.param.b64 %rd6, [q]; ld.param.u64 %rd7, [in];"
              "ld.global.f32 %f1, [%rd5]; ld.global.f32 %f2, [%rd6]; ld.global.f32 %f3, [%rd7];",
              "a0 a1 a0 a0");
}
END_TEST

/* As an H200 does (tests/hardware/h200-sync.csv): two_syncwarp, through, through_after. */
START_TEST(loads_in_flight_pass_a_warps_barrier)
{
    trips_are("ld.global.f32 %f1, [%rd3]; bar.warp.sync -1; ld.global.f32 %f2, [%rd3+4];", "a0 a0");
    trips_are("ld.global.f32 %f1, [%rd3]; st.shared.f32 [tile], %f1; bar.warp.sync -1; ld.global.f32 %f2, [%rd3+4];", "a0 a1");
    trips_are(
        "ld.global.f32 %f1, [%rd3]; bar.warp.sync -1; ld.global.f32 %f2, [%rd3+4]; st.shared.f32 [tile], %f1; bar.warp.sync -1;"
        "ld.global.f32 %f3, [%rd3+8];",
        "a0 a0 a1");
    trips_are("ld.global.u64 %rd4, [%rd3]; ld.global.f32 %f1, [%rd4]; bar.warp.sync -1; ld.global.f32 %f2, [%rd3+8];",
              "a0 a1f a1");
}
END_TEST

START_TEST(fences_end_round_trips)
{
    trips_are("ld.global.f32 %f1, [%rd3]; membar.gl; ld.global.f32 %f2, [%rd3+4];", "a0 b0");
    trips_are("ld.global.f32 %f1, [%rd3]; fence.acq_rel.gpu; ld.global.f32 %f2, [%rd3+4];", "a0 b0");
    /* nothing overtakes an acquire; a volatile load keeps its place, and waits for nothing */
    trips_are("ld.acquire.gpu.global.f32 %f1, [%rd3]; ld.global.f32 %f2, [%rd3+4];", "a0 a1");
    trips_are("atom.acquire.gpu.global.add.u32 %r2, [%rd3], 1; ld.global.f32 %f2, [%rd3+4];", "a0 a1");
    trips_are("atom.acq_rel.gpu.global.add.u32 %r2, [%rd3], 1; ld.global.f32 %f2, [%rd3+4];", "a0 a1");
    trips_are("atom.release.gpu.global.add.u32 %r2, [%rd3], 1; ld.global.f32 %f2, [%rd3+4];", "a0 a0");
    trips_are("atom.relaxed.gpu.global.add.u32 %r2, [%rd3], 1; ld.global.f32 %f2, [%rd3+4];", "a0 a0");
    trips_are("ld.volatile.global.f32 %f1, [%rd3]; ld.volatile.global.f32 %f2, [%rd3+4];", "a0 a0");
}
END_TEST

#define COPY(at) "cp.async.ca.shared.global [tile+" at "], [%rd3+" at "], 4;"
#define COMMIT "cp.async.commit_group;"

/* What waits leave out goes on. */
START_TEST(waits_for_asynchronous_copies_come_before_what_stands_behind)
{
    trips_are(COPY("0") COPY("4") "cp.async.wait_all;", "a0 a0");
    trips_are(COPY("0") "cp.async.wait_all;" COPY("4") "cp.async.wait_all; ld.global.f32 %f1, [%rd3];", "a0 a1 a2");
    trips_are(COPY("0") COMMIT "cp.async.wait_group 0;" COPY("4") COMMIT "cp.async.wait_group 0;" COPY("8"), "a0 a1 a2");
    trips_are(COPY("0") COMMIT COPY("4") COMMIT "cp.async.wait_group 1;" COPY("8") COMMIT "cp.async.wait_group 1;" COPY("12"),
              "a0 a0 a1 a1");
    trips_are(COPY("0") "cp.async.wait_group 0;" COPY("4"), "a0 a0"); /* of no group */
    trips_are(COPY("0") COMMIT COPY("4") COMMIT COPY("8") COMMIT COPY("12") COMMIT COPY("16") COMMIT COPY("20")
                  COMMIT COPY("24") COMMIT COPY("28") COMMIT COPY("32") COMMIT
              "cp.async.wait_group 7; ld.global.f32 %f1, [%rd3];",
              "a0 a0 a0 a0 a0 a0 a0 a0 a0 a1");
    /* what was copied first, long before the last eight groups, comes after what its address was loaded from */
    trips_are("ld.global.u32 %r2, [%rd3];" ADDRESS_4 "cp.async.ca.shared.global [tile], [%rd4], 4;" COMMIT COPY("4")
                  COMMIT COPY("8") COMMIT COPY("12") COMMIT COPY("16") COMMIT COPY("20") COMMIT COPY("24") COMMIT COPY("28")
                      COMMIT COPY("32") COMMIT COPY("36") COMMIT "cp.async.wait_group 7; ld.global.f32 %f1, [%rd1];",
              "a0 a1f a0 a0 a0 a0 a0 a0 a0 a0 a0 a2");
    trips_are("cp.async.wait_all; ld.global.f32 %f1, [%rd3];", "a0"); /* there is none */
    trips_are(COPY("0") COMMIT "cp.async.mbarrier.arrive.noinc.shared.b64 [tile]; ld.global.f32 %f1, [%rd3];",
              "a0 a0"); /* waits for none */
    /* through shared memory */
    trips_are(COPY("0") "cp.async.wait_all; ld.shared.u64 %rd4, [tile]; ld.global.f32 %f1, [%rd4];", "a0 a1");
}
END_TEST

START_TEST(what_was_loaded_is_followed_from_block_to_block)
{
    /* a list: the address of each comes from the one before */
    trips_are("mov.u64 %rd4, %rd3;\nagain:\nld.global.u64 %rd4, [%rd4]; setp.ne.u64 %p1, %rd4, 0; @%p1 bra again;", "a0f");
    trips_are("mov.u64 %rd4, %rd3;\nagain:\nld.global.u32 %r2, [%rd4];" ADDRESS_4 "setp.ne.u32 %p1, %r2, 0; @%p1 bra again;",
              "a0f");
    /* it takes three rounds until the first has what the second loaded */
    trips_are("again:\nld.global.f32 %f1, [%rd7]; mov.u64 %rd7, %rd6; mov.u64 %rd6, %rd5; ld.global.u64 %rd5, [%rd3];"
              "@%p2 bra again;",
              "a0f a0");
    /* loaded by an earlier block, or by a later one of the same loop */
    trips_are("ld.global.u64 %rd4, [%rd3]; @%p2 exit; ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd3];", "a0 b0f b0");
    trips_are("mov.u64 %rd4, %rd3;\nagain:\nld.global.f32 %f1, [%rd4]; @%p2 exit; ld.global.u64 %rd4, [%rd3]; bra.uni again;",
              "a0f b0");
    /* what chooses between two addresses was loaded */
    trips_are("ld.global.u32 %r2, [%rd3]; setp.eq.u32 %p1, %r2, 0; selp.b64 %rd4, %rd1, %rd3, %p1; ld.global.f32 %f1, [%rd4];",
              "a0 a1f");
    /* an atomic's result is loaded; what it or a store sends is not */
    trips_are("atom.global.add.u32 %r2, [%rd3], 1; bar.sync 0;" ADDRESS_4 "ld.global.f32 %f1, [%rd4];", "a0 b0f");
    trips_are("st.global.u64 [%rd3], %rd2; bar.sync 0; ld.global.f32 %f1, [%rd2];", "a0");
}
END_TEST

START_TEST(what_is_computed_follows_nothing)
{
    trips_are("again:\nld.global.f32 %f1, [%rd3]; add.f32 %f2, %f2, %f1; add.s64 %rd3, %rd3, 4; add.u32 %r2, %r2, 1;"
              "setp.lt.u32 %p1, %r2, 64; @%p1 bra again;",
              "a0");
    trips_are("mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd4, %r4, 8;"
              "add.s64 %rd5, %rd1, %rd4; ld.global.f32 %f1, [%rd5]; selp.b64 %rd6, %rd1, %rd3, %p2; ld.global.f32 %f1, [%rd6];",
              "a0 a0");
    /* shared memory, whose address is known */
    trips_are("ld.shared.u64 %rd4, [tile]; ld.global.f32 %f1, [%rd4];", "a0");
    /* a loop whose end was loaded reads what it counts */
    trips_are("ld.global.u32 %r2, [%rd1]; mov.u32 %r3, 0;\nagain:\n" ADDRESS_5 "ld.global.f32 %f1, [%rd5]; add.u32 %r3, %r3, 1;"
              "setp.lt.u32 %p1, %r3, %r2; @%p1 bra again;",
              "a0 b0");
}
END_TEST

/* The places of the order at which a region begins, and the order itself. */
START_TEST(regions_follow_each_other_as_they_run)
{
    static const char text[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry before(.param .u64 in)\n{\nret;\n}\n"
        ".visible .entry k(.param .u64 in)\n{\n.reg .pred %p<2>; .reg .b32 %r<4>;\n"
        "mov.u32 %r1, %tid.x;\n"                              /* 0 */
        "again:\nadd.u32 %r2, %r2, 1;\n"                      /* 1: a loop's head */
        "setp.lt.u32 %p1, %r2, %r1;\n"                        /* 2 */
        "@%p1 bra again;\n"                                   /* 3 */
        "@%p1 bra over;\n"                                    /* 4: behind a branch; itself leads round 5 */
        "add.u32 %r2, %r2, 1;\nover:\nadd.u32 %r3, %r3, 1;\n" /* 5, 6 */
        "@%p1 bra aside;\nback:\n"                            /* 7: leads to 10 and 11 */
        "@%p1 exit;\n"                                        /* 8 */
        "ret;\n"                                              /* 9: behind an exit */
        "aside:\nadd.u32 %r3, %r3, 2;\nbra.uni back;\n"       /* 10, 11; 12: the end, which nothing leads to */
        "}\n";
    static const uint32_t order[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 8, 9, 12};
    enum { COUNT = sizeof order / sizeof *order };
    Program *program = parsed(text);
    const Function *kernel = &program->functions[1];
    ck_assert_uint_eq(kernel->count, COUNT);
    const Regions *regions = &kernel_prepare(program, kernel)->regions[1];
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_msg(regions->order[i] == order[i], "%u: %u", i, regions->order[i]);
        ck_assert_msg(regions->begins[i] == (i == 0 || i == 1 || i == 4 || i == 11 || i == 12), "%u", i);
    }
    program_free(program);
}
END_TEST

SUITE("trips", loads_and_atomics_to_memory_have_round_trips, independent_loads_are_in_the_first_round_trip,
      an_address_that_was_loaded_is_waited_for, a_load_of_other_bytes_overtakes_a_store,
      a_load_does_not_overtake_a_store_of_what_was_loaded, barriers_end_round_trips, basic_blocks_end_round_trips,
      a_branch_over_a_few_instructions_ends_nothing, both_ways_of_a_branch_end_nothing_where_they_are_short,
      guards_are_waited_for, branches_on_what_was_loaded_are_waited_for, a_value_is_followed_through_a_parameter,
      loads_in_flight_pass_a_warps_barrier, fences_end_round_trips,
      waits_for_asynchronous_copies_come_before_what_stands_behind, what_was_loaded_is_followed_from_block_to_block,
      what_is_computed_follows_nothing, regions_follow_each_other_as_they_run)
