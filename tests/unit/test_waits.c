/* Rounds of loads, and cycles of chains, that follow by hand from the rules in waits.h. Every instruction of these programs runs ten times, and every
 * global access makes ten requests, one to local memory five. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/arithmetic.h"
#include "device/waits.h"
#include "parsed.h"
#include "ptx/opcode.h"

enum { RUNS = 10, REQUESTS = 10 };

#define HEAD                                                                                                                   \
    ".version 8.0\n.target sm_75\n.address_size 64\n.func f(.reg .b32 %x)\n{\nret;\n}\n.visible .entry k(.param .u64 in)\n{\n" \
    ".reg .pred %p<4>; .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .f32 tile[64];\n"                           \
    "ld.param.u64 %rd1, [in]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"

#define ELEVEN_MORE                                                                                            \
    "add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;"                      \
    "add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;" \
    "add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;"
#define SIXTEEN_MORE \
    ELEVEN_MORE "add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;"

static uint64_t copy_shares; /* of a copy's time, which each run waits for */
static bool idle_stores;     /* none of them runs */
static bool to_peers;        /* what is shared is another block's */

/* hit: of every 8 sectors that a load asks for, those that L1 has; share: of the times that a block runs, in how many a load of it does; before: how often runs
 * what stands before the first branch, and the branch. */
static Waits waits_run(const char *body, uint32_t hit, double share, uint64_t before) {
    Program *program = parsed_of("%s%s ret;\n}\n", HEAD, body);
    InsnCounters *insns = calloc(program->n_insns, sizeof *insns);
    bool ended = false;
    for (uint32_t pc = 0; pc < program->n_insns; pc++) {
        const Insn *insn = &program->insns[pc];
        insns[pc].executed = ended ? RUNS : before;
        ended |= insn->op == OP_bra;
        if (opcode_classes[insn->op] != CLASS_MEMORY || insn->space == SPACE_PARAM || (idle_stores && insn->op == OP_st))
            continue;
        insns[pc].space = insn->space;
        if (insn->space == SPACE_SHARED && to_peers)
            insns[pc].peers.requests = REQUESTS;
        else if (insn->space == SPACE_SHARED)
            insns[pc].banks.requests = REQUESTS;
        else
            insns[pc].sectors =
                (SectorCounters){.requests = (uint64_t)((insn->space == SPACE_LOCAL ? REQUESTS / 2 : REQUESTS) * share),
                                 .sectors = 8,
                                 .l1_hit_sectors = hit};
    }
    Counters counters = {.n_insns = program->n_insns, .insns = insns, .copy_waits = {RUNS, RUNS * copy_shares}};
    Waits waits = waits_find(kernel_prepare(program, &program->functions[program->n_functions - 1]), &counters);
    free(insns);
    program_free(program);
    return waits;
}

static Waits waits_when(const char *body, uint32_t hit, double share) { return waits_run(body, hit, share, RUNS); }

static Waits waits_of(const char *body, uint32_t hit) { return waits_when(body, hit, 1); }

/* All that stands before the loop runs once, with each of its instructions ten times. */
static double come_to_once(const char *body) { return waits_run(body, 0, 1, 1).beyond; }

static double rounds_of(const char *body) { return waits_of(body, 0).beyond / REQUESTS; }

START_TEST(independent_loads_are_waited_for_together)
{
    ck_assert_double_eq(rounds_of(""), 0);
    ck_assert_double_eq(rounds_of("ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3], %f1;"), 1);
    ck_assert_double_eq(rounds_of("ld.global.f32 %f1, [%rd3]; ld.global.f32 %f2, [%rd3+4]; add.f32 %f3, %f1, %f2;"
                                  "ld.global.f32 %f4, [%rd3+8]; add.f32 %f5, %f3, %f4; st.global.f32 [%rd3], %f5;"),
                        1);
}
END_TEST

/* Ten iterations, in each of which one of four loads runs, or two of them, or now and then one. */
START_TEST(loads_that_alternate_are_each_waited_for)
{
    const char *four =
        "ld.global.f32 %f1, [%rd3]; ld.global.f32 %f2, [%rd3+4]; ld.global.f32 %f3, [%rd3+8]; ld.global.f32 %f4, [%rd3+12];"
        "add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3; add.f32 %f1, %f1, %f4; st.global.f32 [%rd3], %f1;";
    ck_assert_double_eq(waits_when(four, 0, 0.5).beyond, 10);
    ck_assert_double_eq(waits_when(four, 0, 0.2).beyond, 8);
    ck_assert_double_eq(waits_when(four, 0, 0.1).beyond, 4);
    ck_assert_double_eq(waits_when(four, 6, 0.2).beyond, 2);
    ck_assert_double_eq(waits_when(four, 6, 0.2).l1, 6);
}
END_TEST

START_TEST(a_load_whose_address_was_loaded_waits_once_more)
{
    ck_assert_double_eq(rounds_of("ld.global.u32 %r2, [%rd3]; mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd1, %rd4;"
                                  "ld.global.f32 %f1, [%rd5]; st.global.f32 [%rd3], %f1;"),
                        2);
}
END_TEST

START_TEST(a_load_does_not_overtake_a_store_of_what_was_loaded)
{
    const char *plain =
        "ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; ld.global.f32 %f2, [%rd1+8]; st.global.f32 [%rd3], %f2;";
    const char *elsewhere =
        "ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; ld.global.f32 %f2, [%rd3+8]; st.global.f32 [%rd3], %f2;";
    const char *promised =
        "ld.global.nc.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; ld.global.nc.f32 %f2, [%rd3+8]; st.global.f32 [%rd3], %f2;";
    const char *shared =
        "ld.global.f32 %f1, [%rd3]; st.shared.f32 [tile], %f1; ld.global.f32 %f2, [%rd3+8]; st.shared.f32 [tile+4], %f2;";
    const char *known = "st.global.u32 [%rd3+4], %r1; ld.global.f32 %f2, [%rd3+8]; st.global.f32 [%rd3], %f2;";
    ck_assert_double_eq(rounds_of(plain), 2);
    ck_assert_double_eq(rounds_of(elsewhere), 1);
    ck_assert_double_eq(rounds_of(promised), 1);
    ck_assert_double_eq(rounds_of(shared), 1);
    ck_assert_double_eq(rounds_of(known), 1);
}
END_TEST

/* Its destination is thrown away by no one: shared memory has it. */
START_TEST(asynchronous_copies_are_waited_for_where_their_group_is)
{
    const char *copy =
        "mov.u32 %r2, tile; cp.async.ca.shared.global [%r2], [%rd3], 8; cp.async.wait_all; ld.shared.u64 %rd4, [tile];";
    char then[400];
    snprintf(then, sizeof then, "%s ld.global.f32 %%f1, [%%rd4]; st.global.f32 [%%rd3], %%f1;", copy);
    copy_shares = COPY_SHARES;
    ck_assert_double_eq(rounds_of(copy), 1);
    ck_assert_double_eq(rounds_of(then), 2);
    copy_shares = COPY_SHARES / 4; /* four groups in flight at a time */
    ck_assert_double_eq(rounds_of(copy), 0.25);
    ck_assert_double_eq(waits_of(copy, 6).l1 / RUNS, 0.25 * 6 / 8);
    copy_shares = 0;
}
END_TEST

/* Stores that no thread came to: ptxas does not know that of them. */
START_TEST(a_load_does_not_overtake_a_store_that_never_ran)
{
    const char *voted = "ld.global.f32 %f1, [%rd3]; setp.gt.f32 %p1, %f1, 0f7f000000; vote.sync.any.pred %p2, %p1, -1;"
                        "@%p2 st.global.f32 [%rd3+4], %f1; ld.global.f32 %f2, [%rd1+8]; add.f32 %f3, %f1, %f2; @%p2 "
                        "st.global.f32 [%rd3+4], %f3;";
    const char *shared =
        "ld.global.u32 %r2, [%rd3]; setp.gt.u32 %p1, %r2, 9; @%p1 st.shared.u32 [tile], %r2; ld.shared.u32 %r3, [tile+4];"
        "mul.wide.u32 %rd4, %r3, 4; add.s64 %rd5, %rd1, %rd4; ld.global.f32 %f1, [%rd5]; @%p1 st.global.f32 [%rd5], %f1;";
    idle_stores = true;
    ck_assert_double_eq(rounds_of(voted), 2);
    ck_assert_double_eq(rounds_of(shared), 2);
    idle_stores = false;
}
END_TEST

/* Ten iterations of a loop that is come to once: of four, of four and of two; each for itself where one needs what another has loaded or stored, where the
 * compiler has marked it, and where a barrier stands in it. */
START_TEST(iterations_that_become_one_are_waited_for_together)
{
#define COUNTED(begin, body) "again:\n" begin body "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r1; @%p1 bra again;"
#define FURTHER "add.f32 %f1, %f1, %f2; add.s64 %rd3, %rd3, 4;"
    static const struct {
        const char *loop;
        double waits;
    } rows[] = {
        {COUNTED("", "ld.global.f32 %f2, [%rd3];" FURTHER), 3},
        {COUNTED("", "ld.global.f32 %f2, [%rd3]; ld.global.f32 %f3, [%rd3+512];" FURTHER), 3},
        {COUNTED(".pragma \"nounroll\";", "ld.global.f32 %f2, [%rd3];" FURTHER), 10},
        {COUNTED("", "ld.global.u64 %rd3, [%rd3];"), 10},
        {COUNTED("", "ld.global.u64 %rd3, [%rd3]; ld.global.f32 %f2, [%rd1]; add.f32 %f1, %f1, %f2;"), 10},
        {COUNTED("", "ld.global.f32 %f2, [%rd3]; st.global.f32 [%rd3+4], %f2;" FURTHER), 10},
        {COUNTED("", "ld.global.nc.f32 %f2, [%rd3]; st.global.f32 [%rd3+4], %f2;" FURTHER), 3},
        {COUNTED("", "ld.global.f32 %f2, [%rd3]; bar.sync 0;" FURTHER), 10},
        {COUNTED("", "ld.global.u32 %r3, [%rd3]; mul.wide.u32 %rd4, %r3, 4; add.s64 %rd5, %rd1, %rd4; ld.global.f32 %f2, "
                     "[%rd5];" FURTHER),
         6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "mov.u32 %%r2, 0; bra.uni again;\n%s st.global.f32 [%%rd3], %%f1; st.global.f32 [%%rd3], %%f3;", rows[i].loop);
        ck_assert_msg(come_to_once(text) == rows[i].waits, "%s: %g", rows[i].loop, come_to_once(text));
    }
}
END_TEST

START_TEST(a_value_that_comes_back_through_shared_memory_is_waited_for)
{
    ck_assert_double_eq(
        rounds_of("ld.global.u32 %r2, [%rd3]; st.shared.u32 [tile], %r2; ld.shared.u32 %r3, [tile+4];"
                  "mul.wide.u32 %rd4, %r3, 4; add.s64 %rd5, %rd1, %rd4; ld.global.f32 %f1, [%rd5]; st.global.f32 [%rd5], %f1;"),
        2);
}
END_TEST

START_TEST(barriers_and_blocks_of_code_end_rounds)
{
    ck_assert_double_eq(rounds_of("ld.global.f32 %f1, [%rd3]; bar.sync 0; ld.global.f32 %f2, [%rd3+4]; add.f32 %f3, %f1, %f2;"
                                  "st.global.f32 [%rd3], %f3;"),
                        2);
    ck_assert_double_eq(rounds_of("ld.global.f32 %f1, [%rd3]; setp.eq.u32 %p1, %r1, 0; @%p1 bra skip;"
                                  "ld.global.f32 %f1, [%rd3+4];" SIXTEEN_MORE "\nskip:\nst.global.f32 [%rd3], %f1;"),
                        2); /* the branch leads round 17 instructions */
    ck_assert_double_eq(rounds_of("again:\nld.global.f32 %f1, [%rd3]; setp.eq.u32 %p1, %r1, 0; @%p1 bra again;"
                                  "ld.global.f32 %f2, [%rd3+4]; st.global.f32 [%rd3], %f2; st.global.f32 [%rd3], %f1;"),
                        2); /* a loop */
    ck_assert_double_eq(rounds_of("ts: .branchtargets here, there;\nbrx.idx %r1, ts;\nhere:\nld.global.f32 %f1, [%rd3];\n"
                                  "there:\nld.global.f32 %f2, [%rd3+4]; add.f32 %f3, %f1, %f2; st.global.f32 [%rd3], %f3;"),
                        2);
}
END_TEST

/* Nothing that stands before the barrier is waited for behind it once more, by whatever load. */
START_TEST(behind_a_barrier_loads_begin_anew)
{
    ck_assert_double_eq(
        rounds_of("ld.global.u32 %r2, [%rd3]; st.global.u32 [%rd3+4], %r2; st.shared.u32 [tile], %r2; bar.sync 0;"
                  "ld.global.nc.u32 %r3, [%rd3+8]; ld.global.u32 %r4, [%rd3+12]; ld.shared.u64 %rd4, [tile];"
                  "ld.global.nc.u32 %r5, [%rd4]; add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5;"
                  "st.global.u32 [%rd3], %r3;"),
        2);
    ck_assert_double_eq(rounds_of("ld.global.f32 %f1, [%rd3]; bar.sync 0; ld.local.f32 %f2, [%rd3]; add.f32 %f3, %f1, %f2;"
                                  "st.global.f32 [%rd3], %f3;"),
                        1.5);
}
END_TEST

/* The deepest ones together; the 256th is to local memory. */
START_TEST(at_most_256_round_trips_are_told_apart)
{
    static const struct {
        int loads;
        double rounds;
    } rows[] = {{255, 255}, {256, 255.5}, {257, 256}, {300, 256}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[12000] = "", *end = text;
        for (int load = 1; load <= rows[i].loads; load++)
            end += sprintf(end, "ld.%s.u64 %%rd3, [%%rd3];", load == 256 ? "local" : "global");
        sprintf(end, "st.global.u64 [%%rd1], %%rd3;");
        ck_assert_double_eq(rounds_of(text), rows[i].rounds);
    }
}
END_TEST

START_TEST(guarded_loads_are_waited_for_together)
{
    static const char guard[] = "@%p1 bra next1; ld.global.f32 %f1, [%rd3];\nnext1:\n"
                                "@%p2 bra next2; ld.global.f32 %f2, [%rd3+4];\nnext2:\n";
    static const char by_two[] = "@!%p1 bra next1; bra.uni then1;\nthen1:\nld.global.f32 %f1, [%rd3];\nnext1:\n"
                                 "@!%p2 bra next2; bra.uni then2;\nthen2:\nld.global.f32 %f2, [%rd3+4];\nnext2:\n"; /* clang */
    static const char longest[] =
        "ld.global.f32 %f1, [%rd3]; @%p1 bra next; ld.global.f32 %f2, [%rd3+4];" ELEVEN_MORE "\nnext:\n"; /* 12 */
    static const char barrier[] = "ld.global.f32 %f1, [%rd3]; @%p1 bra next; bar.sync 0; ld.global.f32 %f2, [%rd3+4];\nnext:\n";
    /* what is leapt over branches, or waits, in its first or in its last instruction; the other load stands where they meet again */
    static const char ends_first[] =
        "@%p1 bra next; @%p2 exit; ld.global.f32 %f1, [%rd3];\nnext:\nld.global.f32 %f2, [%rd3+4];";
    static const char waits_first[] =
        "@%p1 bra next; bar.sync 0; ld.global.f32 %f1, [%rd3];\nnext:\nld.global.f32 %f2, [%rd3+4];";
    static const char waits_last[] =
        "ld.global.f32 %f1, [%rd3]; @%p1 bra next; ld.global.f32 %f2, [%rd3+4]; bar.sync 0;\nnext:\n";
    char text[1000];
    const char *const bodies[] = {guard, by_two, longest, barrier, ends_first, waits_first, waits_last};
    for (int i = 0; i < 7; i++) {
        snprintf(text, sizeof text, "setp.eq.u32 %%p1, %%r1, 0; setp.eq.u32 %%p2, %%r1, 1; %s%s", bodies[i],
                 "add.f32 %f3, %f1, %f2; st.global.f32 [%rd3], %f3;");
        ck_assert_msg(rounds_of(text) == (i < 3 ? 1 : 2), "%s: %g", bodies[i], rounds_of(text));
    }
}
END_TEST

START_TEST(only_results_that_are_used_are_waited_for)
{
    ck_assert_double_eq(rounds_of("atom.global.add.u32 %r2, [%rd3], 1;"), 0);
    ck_assert_double_eq(rounds_of("atom.global.add.u32 %r2, [%rd3], 1; st.global.u32 [%rd3+4], %r2;"), 1);
    ck_assert_double_eq(rounds_of("atom.global.add.u32 %r2, [%rd3], 1; call f, (%r2);"), 1);
    ck_assert_double_eq(rounds_of("red.global.add.u32 [%rd3], 1;"), 0);
}
END_TEST

/* What other blocks answer; nothing answers a store, nor what goes with an mbarrier. An atomic operation takes half as long again as a load. */
START_TEST(other_blocks_are_waited_for_where_they_answer)
{
#define BULK ".mbarrier::complete_tx::bytes"
    static const struct {
        const char *body;
        double trips; /* of one run */
    } rows[] = {
        {"ld.shared::cluster.u32 %r2, [%r1]; st.global.u32 [%rd3], %r2;", 1},
        {"atom.shared::cluster.add.u32 %r2, [%r1], 1; st.global.u32 [%rd3], %r2;", 1.5},
        {"st.shared::cluster.u32 [%r1], %r2;", 0},
        {"red.shared::cluster.add.u32 [%r1], %r2;", 0},
        {"st.async.shared::cluster" BULK ".u32 [%r1], %r2, [%r3];", 0},
        {"red.async.relaxed.cluster.shared::cluster" BULK ".add.u32 [%r1], %r2, [%r3];", 0},
    };
    to_peers = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Waits waits = waits_of(rows[i].body, 8);
        ck_assert_msg(waits.peers == REQUESTS * rows[i].trips, "%s: %g", rows[i].body, waits.peers);
    }
    to_peers = false;
}
END_TEST

START_TEST(hits_are_waited_for_at_l1)
{
    Waits waits = waits_of("ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3], %f1;", 6); /* 6 of 8 sectors */
    ck_assert_double_eq(waits.l1, 0.75 * REQUESTS);
    ck_assert_double_eq(waits.beyond, 0.25 * REQUESTS);
}
END_TEST

/* What a warp takes from one instruction to the next is no wait, and what a block waits for less than that is nothing: as what stands before
 * these loops, and the `ret` behind them. An addition or a comparison takes 4.4 cycles, popc 17, a branch 9 behind what decides it. */
START_TEST(loops_wait_for_their_chains)
{
#define ISSUE ARITHMETIC_INSN_CYCLES
#define LOOP(label, body) label ":\n" body "setp.lt.u32 %p1, %r2, %r1; @%p1 bra " label ";"
#define FOUR "add.u32 %r2, %r2, %r1; add.u32 %r2, %r2, %r1; add.u32 %r2, %r2, %r1; add.u32 %r2, %r2, %r1;"
    static const struct {
        const char *body;
        double chains, slow; /* of one run */
    } rows[] = {
        {"", 0, 0},
        {LOOP("a", FOUR), 5 * 4.4 + 9 - 6 * ISSUE, 0},
        {LOOP("a", FOUR) LOOP("b", FOUR), 2 * (5 * 4.4 + 9 - 6 * ISSUE), 0},
        {LOOP("a", "popc.b32 %r2, %r2;"), 17 + 4.4 + 9 - 3 * ISSUE, 8},
        {LOOP("a", FOUR "popc.b32 %r3, %r2;"), 5 * 4.4 + 9 - 6 * ISSUE, 0}, /* which nobody reads */
        {"popc.b32 %r2, %r1; st.global.u32 [%rd3], %r2;", 0, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Waits waits = waits_of(rows[i].body, 0);
        ck_assert_msg(fabs(waits.chains - RUNS * rows[i].chains) < 1e-9, "%s: %g cycles", rows[i].body, waits.chains);
        ck_assert_msg(waits.slow == RUNS * rows[i].slow, "%s: %g slow cycles", rows[i].body, waits.slow);
    }
}
END_TEST

SUITE("waits", independent_loads_are_waited_for_together, loads_that_alternate_are_each_waited_for,
      a_load_whose_address_was_loaded_waits_once_more, a_load_does_not_overtake_a_store_of_what_was_loaded,
      asynchronous_copies_are_waited_for_where_their_group_is, a_load_does_not_overtake_a_store_that_never_ran,
      iterations_that_become_one_are_waited_for_together, a_value_that_comes_back_through_shared_memory_is_waited_for,
      barriers_and_blocks_of_code_end_rounds, behind_a_barrier_loads_begin_anew, at_most_256_round_trips_are_told_apart,
      guarded_loads_are_waited_for_together, only_results_that_are_used_are_waited_for, hits_are_waited_for_at_l1,
      other_blocks_are_waited_for_where_they_answer, loops_wait_for_their_chains)
