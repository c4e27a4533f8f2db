/* Rounds of loads that follow by hand from the rules in waits.h. Every global access of these programs makes ten requests. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "device/waits.h"

enum { REQUESTS = 10 };

#define HEAD                                                                                         \
    ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"          \
    ".reg .pred %p<4>; .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .f32 tile[64];\n" \
    "ld.param.u64 %rd1, [in]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"

#define TWELVE_MORE                                                                                            \
    "add.u32 %r2, %r1, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;" \
    "add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;" \
    "add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1;"

/* hit: of every 8 sectors that a load asks for, those that L1 has. */
static Waits waits_of(const char *body, uint32_t hit) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s ret;\n}\n", HEAD, body);
    Diag diag = {0};
    Program *program = program_parse(text, strlen(text), "waits.ptx", &diag);
    ck_assert_msg(program, "%s", diag.message);
    InsnCounters *insns = calloc(program->n_insns, sizeof *insns);
    for (uint32_t pc = 0; pc < program->n_insns; pc++) {
        const Insn *insn = &program->insns[pc];
        if (opcode_classes[insn->op] != CLASS_MEMORY || insn->space == SPACE_PARAM) continue;
        insns[pc].space = insn->space;
        if (insn->space == SPACE_SHARED)
            insns[pc].banks.requests = REQUESTS;
        else
            insns[pc].sectors = (SectorCounters){.requests = REQUESTS, .sectors = 8, .l1_hit_sectors = hit};
    }
    Counters counters = {.n_insns = program->n_insns, .insns = insns};
    Waits waits = waits_find(program, &counters);
    free(insns);
    program_free(program);
    return waits;
}

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
        "ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; ld.global.f32 %f2, [%rd3+8]; st.global.f32 [%rd3], %f2;";
    const char *promised =
        "ld.global.nc.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1; ld.global.nc.f32 %f2, [%rd3+8]; st.global.f32 [%rd3], %f2;";
    const char *shared =
        "ld.global.f32 %f1, [%rd3]; st.shared.f32 [tile], %f1; ld.global.f32 %f2, [%rd3+8]; st.shared.f32 [tile+4], %f2;";
    const char *known = "st.global.u32 [%rd3+4], %r1; ld.global.f32 %f2, [%rd3+8]; st.global.f32 [%rd3], %f2;";
    ck_assert_double_eq(rounds_of(plain), 2);
    ck_assert_double_eq(rounds_of(promised), 1);
    ck_assert_double_eq(rounds_of(shared), 1);
    ck_assert_double_eq(rounds_of(known), 1);
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
                                  "ld.global.f32 %f1, [%rd3+4];" TWELVE_MORE "\nskip:\nst.global.f32 [%rd3], %f1;"),
                        2); /* the branch leaps over 13 instructions */
    ck_assert_double_eq(rounds_of("again:\nld.global.f32 %f1, [%rd3]; setp.eq.u32 %p1, %r1, 0; @%p1 bra again;"
                                  "ld.global.f32 %f2, [%rd3+4]; st.global.f32 [%rd3], %f2; st.global.f32 [%rd3], %f1;"),
                        2); /* a loop */
}
END_TEST

START_TEST(guarded_loads_are_waited_for_together)
{
    static const char guard[] = "@%p1 bra next1; ld.global.f32 %f1, [%rd3];\nnext1:\n"
                                "@%p2 bra next2; ld.global.f32 %f2, [%rd3+4];\nnext2:\n";
    static const char by_two[] = "@!%p1 bra next1; bra.uni then1;\nthen1:\nld.global.f32 %f1, [%rd3];\nnext1:\n"
                                 "@!%p2 bra next2; bra.uni then2;\nthen2:\nld.global.f32 %f2, [%rd3+4];\nnext2:\n"; /* clang */
    static const char barrier[] = "ld.global.f32 %f1, [%rd3]; @%p1 bra next; bar.sync 0; ld.global.f32 %f2, [%rd3+4];\nnext:\n";
    char text[600];
    const char *const bodies[] = {guard, by_two, barrier};
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "setp.eq.u32 %%p1, %%r1, 0; setp.eq.u32 %%p2, %%r1, 1; %s%s", bodies[i],
                 "add.f32 %f3, %f1, %f2; st.global.f32 [%rd3], %f3;");
        ck_assert_double_eq(rounds_of(text), i < 2 ? 1 : 2);
    }
}
END_TEST

START_TEST(only_results_that_are_used_are_waited_for)
{
    ck_assert_double_eq(rounds_of("atom.global.add.u32 %r2, [%rd3], 1;"), 0);
    ck_assert_double_eq(rounds_of("atom.global.add.u32 %r2, [%rd3], 1; st.global.u32 [%rd3+4], %r2;"), 1);
    ck_assert_double_eq(rounds_of("red.global.add.u32 [%rd3], 1;"), 0);
}
END_TEST

START_TEST(hits_are_waited_for_at_l1)
{
    Waits waits = waits_of("ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3], %f1;", 6); /* 6 of 8 sectors */
    ck_assert_double_eq(waits.l1, 0.75 * REQUESTS);
    ck_assert_double_eq(waits.beyond, 0.25 * REQUESTS);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("waits");
    TCase *tests = tcase_create("waits");
    tcase_add_test(tests, independent_loads_are_waited_for_together);
    tcase_add_test(tests, a_load_whose_address_was_loaded_waits_once_more);
    tcase_add_test(tests, a_load_does_not_overtake_a_store_of_what_was_loaded);
    tcase_add_test(tests, a_value_that_comes_back_through_shared_memory_is_waited_for);
    tcase_add_test(tests, barriers_and_blocks_of_code_end_rounds);
    tcase_add_test(tests, guarded_loads_are_waited_for_together);
    tcase_add_test(tests, only_results_that_are_used_are_waited_for);
    tcase_add_test(tests, hits_are_waited_for_at_l1);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
