/* What the assembler schedules as one (kernel/regions.h), by the rules there and in regions.c: read off each text by hand. */
#include "kernel/regions.h"

#include <stdio.h>
#include <string.h>

#include "parsed.h"

#define HEAD                                                                                                         \
    ".version 8.0\n.target sm_80\n.address_size 64\n.func f() { ret; }\n.visible .entry k()\n{\n.reg .pred %p, %q; " \
    ".reg .pred %o; .reg .b32 %r, %s, %t; .reg .b64 %d;\n"
#define ADD "add.u32 %r, %r, 1;\n"
#define LOAD "ld.global.u32 %r, [%d];\n"
#define IS_0 "setp.eq.u32 %q, %r, 0;\n"
#define FOUR ADD ADD ADD ADD
#define SIXTEEN FOUR FOUR FOUR FOUR

/* The instructions in order, each region's in brackets, a run of neighbours as "first-last". */
static void regions_are(const char *body, const char *expected) {
    char got[300] = "";
    Program *program = parsed_of("%s%s\nret;\n}\n", HEAD, body);
    const Kernel *kernel = prepared(program, "k");
    const Regions *regions = &kernel->regions[kernel->function - program->functions];
    const uint32_t count = kernel->function->count, *order = regions->order;
    for (uint32_t at = 0, from; at < count;) {
        if (regions->begins[at]) sprintf(got + strlen(got), "%s[", at ? "] " : "");
        if (!regions->begins[at]) strcat(got, " ");
        from = at++;
        while (at < count && !regions->begins[at] && order[at] == order[at - 1] + 1) at++;
        sprintf(got + strlen(got), order[from] == order[at - 1] ? "%u" : "%u-%u", order[from], order[at - 1]);
    }
    strcat(got, "]");
    ck_assert_msg(strcmp(got, expected) == 0, "%s\n  expected %s\n  got      %s", body, expected, got);
    program_free(program);
}

START_TEST(an_if_of_up_to_sixteen_instructions_ends_nothing)
{
    regions_are(ADD ADD, "[0-2]");
    regions_are("@%p bra L; " ADD "L: " ADD, "[0-3]");
    regions_are("@%p bra L; " SIXTEEN "L: " ADD, "[0-18]");
    regions_are("@%p bra L; " SIXTEEN ADD "L: " ADD, "[0] [1-17] [18-19]");
    /* copies and constants are no instructions, nor is the branch at its end */
    regions_are("@%p bra L; " SIXTEEN "mov.u32 %r, 5; cvta.global.u64 %d, %d; bra L; L: " ADD, "[0-21]");
    regions_are("@%p bra L; " SIXTEEN "cvt.u64.u32 %d, %r; L: " ADD, "[0] [1-17] [18-19]");
}
END_TEST

START_TEST(what_waits_calls_or_leaves_is_not_guarded)
{
    regions_are("@%p bra L; bar.sync 0; L: " ADD, "[0] [1] [2-3]");
    regions_are("@%p bra L; membar.gl; L: " ADD, "[0] [1] [2-3]");
    regions_are("@%p bra L; bar.warp.sync -1; L: " ADD, "[0] [1] [2-3]");
    regions_are("@%p bra L; call f; L: " ADD, "[0] [1] [2-3]");
    regions_are("@%p bra L; ret; L: " ADD, "[0] [1] [2-3]");
    regions_are("@%p bra L; @%q ret; L: " ADD, "[0] [1] [2-3]");
    regions_are("@%p bra L; trap; L: " ADD, "[0] [1] [2-3]");
    regions_are("bar.sync 0; " ADD, "[0-2]"); /* elsewhere a barrier ends no region */
    regions_are("call f; " ADD, "[0] [1-2]"); /* a call does */
    regions_are(ADD "@%q ret; " ADD, "[0-1] [2-3]");
}
END_TEST

START_TEST(a_block_goes_on_with_what_leads_to_it_alone)
{
    regions_are("bra L; L: " ADD, "[0-2]");
    regions_are("@%p bra L; " SIXTEEN ADD "bra L; L: " ADD, "[0] [1-18] [19-20]");  /* two lead to L */
    regions_are("@%p bra L; " LOAD "@%q bra L; " ADD "L: " ADD, "[0] [1-3] [4-5]"); /* and three here */
    regions_are("@%p bra L; " ADD "bra M; L: " ADD "M: " ADD, "[0-5]"); /* an else beside the if: both are guarded */
    regions_are("@%p bra L; " SIXTEEN "bra M; L: " ADD "M: " ADD, "[0] [1-17] [18] [19-20]"); /* too many for that */
    regions_are("L: " ADD "@%p bra L; " ADD, "[0-1] [2-3]"); /* what lies behind a loop is not between */
    regions_are("@%p bra M; L: " ADD "@%q bra L; M: " ADD, "[0] [1-2] [3-4]");
    regions_are("ret; " ADD, "[0] [1-2]"); /* nothing leads to it */
    regions_are("ts: .branchtargets L, M; brx.idx %r, ts; L: " ADD "M: " ADD, "[0] [1] [2-3]");
}
END_TEST

/* ptxas 13.0 for compute capability 9.0: of four of each, one after the other, around a load and a store to shared memory, the loads are guarded and stand in front
 * of the stores where the second condition takes 3 to 5 instructions, or the
 * second and third 4 together, and behind branches where they take 6, or load. */
START_TEST(a_condition_of_two_parts_is_one)
{
    regions_are("@%p bra L; " FOUR IS_0 "@%q bra L; " SIXTEEN "L: " ADD, "[0-24]");    /* a && b */
    regions_are("@%p bra M; " FOUR IS_0 "@%q bra L; M: " SIXTEEN "L: " ADD, "[0-24]"); /* a || b */
    regions_are("@%p bra L; @%q bra L; @%p bra L; " ADD "L: " ADD, "[0-5]");
    regions_are("@%p bra M; @%q bra M; @%p bra L; M: " ADD "L: " ADD, "[0-5]");
    regions_are("@%p bra L; " ADD IS_0 "@%q bra L; " ADD IS_0 "@%q bra L; " ADD "L: " ADD, "[0-9]"); /* 4 in all */
    regions_are("@%p bra L; " ADD ADD IS_0 "@%q bra L; " ADD ADD IS_0 "@%q bra L; " ADD "L: " ADD, "[0] [1-9] [10-11]");
    regions_are("@%p bra L; " FOUR ADD IS_0 "@%q bra L; " ADD "L: " ADD, "[0] [1-8] [9-10]");
    regions_are("@%p bra M; " FOUR ADD IS_0 "@%q bra L; M: " ADD "L: " ADD, "[0] [1-7] [8] [9-10]");
    regions_are("@%p bra M; " LOAD "@%q bra L; M: " ADD "L: " ADD, "[0] [1-2] [3] [4-5]");
    regions_are("@%p bra L; @%q bra L; " SIXTEEN ADD "L: " ADD, "[0] [1] [2-18] [19-20]");
}
END_TEST

#define BLOCKS "mov.u32 %t, %ctaid.x; setp.eq.u32 %p, %t, 0; mov.u32 %s, %tid.x; setp.eq.u32 %q, %s, 0; "
#define NESTED(inner)                                                                                                      \
    BLOCKS "A: ld.global.u32 %r, [%d]; @%q bra L; st.global.u32 [%d], %r; @" inner " bra L; " ADD "L: add.u32 %t, %t, 1; " \
           "setp.lt.u32 %o, %t, 9; @%o bra A;"

/* What all threads do in all iterations, or none in any. */
START_TEST(nvcc_takes_an_inner_if_out_of_its_loop)
{
    regions_are(NESTED("%p"), "[0-3] [4-11] [12]");
    regions_are(NESTED("%q"), "[0-3] [4-5] [6-8] [9-11] [12]"); /* lanes differ */
    regions_are("ld.global.u32 %r, [%d]; @%q bra L; " ADD "st.global.u32 [%d], %r; @%p bra L; " ADD "L: " ADD,
                "[0-1] [2-5] [6-7]"); /* no loop */
}
END_TEST

/* clang has a block of its own for the way on, or puts the few instructions elsewhere. */
START_TEST(a_block_that_does_no_more_than_lead_on_counts_for_nothing)
{
    regions_are("@%p bra L; bra M; L: " ADD "M: " ADD, "[0 2-4] [1]");
    regions_are("@%p bra L; " LOAD "@%q bra M; L: " ADD "M: " ADD, "[0] [1-2] [3] [4-5]");
    regions_are("@%p bra L; " ADD "M: " ADD "ret; L: " ADD "bra M;", "[0-1 4-5 2-3] [6]");
    regions_are("@%p bra L; M: " ADD "ret; L: " ADD "bra M;", "[0 3-4 1-2] [5]");
}
END_TEST

SUITE("regions", an_if_of_up_to_sixteen_instructions_ends_nothing, what_waits_calls_or_leaves_is_not_guarded,
      a_condition_of_two_parts_is_one, nvcc_takes_an_inner_if_out_of_its_loop, a_block_goes_on_with_what_leads_to_it_alone,
      a_block_that_does_no_more_than_lead_on_counts_for_nothing)
