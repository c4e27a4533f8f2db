/* Reconvergence points: the immediate post-dominators of branches. Expected ones are read off the little graphs drawn beside them. */
#include <stdlib.h>
#include <sys/resource.h>

#include "base/text.h"
#include "kernel/kernel.h"
#include "parsed.h"

static const char header[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                             ".entry k() { .reg .pred %p<3>; .reg .b32 %r<3>;\n";

static Program *parse(const char *body) { return parsed_of("%s%s}\n", header, body); }

/* Of an instruction of the program's only function. */
static uint32_t reconverge_of(const Program *program, uint32_t insn) {
    const Flow *flow = kernel_prepare(program, program->functions)->flows;
    const BasicBlock *block = &flow->blocks[flow->block_of[insn]];
    return insn + 1 == block->end ? block->reconverge : NO_INSN;
}

static void expect(const char *body, uint32_t insn, uint32_t reconverge) {
    Program *program = parse(body);
    ck_assert_uint_lt(insn, program->n_insns);
    ck_assert_uint_eq(reconverge_of(program, insn), reconverge);
    program_free(program);
}

START_TEST(an_if_without_else_meets_at_its_label)
{
    /* 0 bra 2; 1 add; 2 ret */
    expect("@%p1 bra L; add.u32 %r1, %r1, 1; L: ret;", 0, 2);
}
END_TEST

START_TEST(an_if_with_else_meets_behind_both)
{
    /* 0 bra 3; 1 add; 2 bra 4; 3 add; 4 ret */
    expect("@%p1 bra E; add.u32 %r1, %r1, 1; bra D; E: add.u32 %r1, %r1, 2; D: ret;", 0, 4);
}
END_TEST

START_TEST(an_unguarded_branch_has_no_meeting_point)
{ expect("bra L; L: ret;", 0, NO_INSN); }
END_TEST

START_TEST(a_loop_meets_behind_itself)
{
    /* 0 add; 1 bra 0; 2 ret */
    expect("L: add.u32 %r1, %r1, 1; @%p1 bra L; ret;", 1, 2);
}
END_TEST

START_TEST(break_and_continue_meet_at_the_loops_end_and_tail)
{
    /* 0 bra 4 (break); 1 bra 3 (continue); 2 add; 3 bra 0; 4 ret */
    static const char body[] = "H: @%p1 bra X; @%p2 bra T; add.u32 %r1, %r1, 1; T: bra H; X: ret;";
    expect(body, 0, 4);
    expect(body, 1, 3);
}
END_TEST

START_TEST(an_early_exit_leaves_no_meeting_point_but_the_end)
{
    /* 0 bra 2; 1 exit; 2 add; 3 ret: the paths meet only by leaving */
    expect("@%p1 bra L; exit; L: add.u32 %r1, %r1, 1; ret;", 0, NO_INSN);
}
END_TEST

START_TEST(a_guarded_ret_inside_an_if_moves_its_meeting_point_to_the_end)
{
    /* 0 bra 3; 1 ret (guarded); 2 add; 3 ret: from 1 one path leaves, so 3 is not on all paths from 0 */
    static const char body[] = "@%p1 bra L; @%p2 ret; add.u32 %r1, %r1, 1; L: ret;";
    expect(body, 0, NO_INSN);
    expect(body, 1, NO_INSN);
}
END_TEST

START_TEST(a_trap_ends_its_path)
{
    /* 0 bra 2; 1 trap; 2 ret */
    expect("@%p1 bra L; trap; L: ret;", 0, NO_INSN);
}
END_TEST

START_TEST(an_endless_loop_meets_nowhere)
{
    /* 0 bra 2; 1 add; 2 bra 0 */
    expect("H: @%p1 bra T; add.u32 %r1, %r1, 1; T: bra H;", 0, NO_INSN);
}
END_TEST

START_TEST(a_branch_into_an_endless_loop_meets_on_the_other_side)
{
    /* 0 bra 3; 1 add; 2 ret; 3 bra 3: only the way through 1 reaches the end */
    expect("@%p1 bra I; add.u32 %r1, %r1, 1; ret; I: bra I;", 0, 1);
}
END_TEST

START_TEST(both_ways_to_the_same_label_meet_there)
{ expect("@%p1 bra L; L: ret;", 0, 1); }
END_TEST

START_TEST(an_indexed_branch_meets_behind_all_targets)
{
    /* 0 brx {1,3,5}; 1 add; 2 bra 5; 3 add; 4 bra 5; 5 ret */
    expect("t: .branchtargets A, B, C; brx.idx %r1, t; A: add.u32 %r1, %r1, 1; bra C; B: add.u32 %r1, %r1, 2; bra C; C: ret;",
           0, 5);
}
END_TEST

START_TEST(an_irreducible_loop_meets_behind_itself)
{
    /* 0 bra 2; 1 add; 2 add; 3 bra 1; 4 ret: the loop 1-2-3 has two entries; 2 is on every path from 0 */
    static const char body[] = "@%p1 bra B; A: add.u32 %r1, %r1, 1; B: add.u32 %r1, %r1, 2; @%p2 bra A; ret;";
    expect(body, 0, 2);
    expect(body, 3, 4);
}
END_TEST

/* -- random graphs against the definition */

enum { MOST = 24 };

/* Whether the end (index count) can be reached from `from` without passing `avoid`. */
static bool reaches_end(uint32_t (*next)[2], uint32_t count, uint32_t from, uint32_t avoid) {
    bool seen[MOST + 1] = {false};
    uint32_t stack[MOST + 1], depth = 0;
    if (from == avoid) return false;
    stack[depth++] = from;
    seen[from] = true;
    while (depth) {
        uint32_t at = stack[--depth];
        if (at == count) return true;
        for (int i = 0; i < 2; i++) {
            uint32_t to = next[at][i];
            if (to == avoid || seen[to]) continue;
            seen[to] = true;
            stack[depth++] = to;
        }
    }
    return false;
}

/* The first instruction that every path from `from` to the end passes: the post-dominator that all others post-dominate. */
static uint32_t definition(uint32_t (*next)[2], uint32_t count, uint32_t from) {
    if (!reaches_end(next, count, from, NO_INSN)) return NO_INSN;
    for (uint32_t meet = 0; meet < count; meet++) {
        if (meet == from || reaches_end(next, count, from, meet)) continue;
        bool first = true;
        for (uint32_t other = 0; other < count && first; other++) {
            bool dominates = other != from && other != meet && !reaches_end(next, count, from, other);
            /* were `other` nearer, meet would post-dominate it and not the other way round */
            if (dominates && reaches_end(next, count, meet, other)) first = false;
        }
        if (first) return meet;
    }
    return NO_INSN;
}

START_TEST(random_graphs_agree_with_the_definition)
{
    srand((unsigned)_i);
    uint32_t count = 2 + (uint32_t)rand() % (MOST - 2), next[MOST][2];
    Text body = {0};
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint32_t target = (uint32_t)rand() % count, kind = (uint32_t)rand() % 8;
        next[i][0] = next[i][1] = i + 1;
        if (kind < 5) {
            next[i][1] = target;
            text_add(&body, "L%u: @%%p1 bra L%u;\n", i, target);
        } else if (kind == 5) {
            next[i][0] = next[i][1] = target;
            text_add(&body, "L%u: bra L%u;\n", i, target);
        } else if (kind == 6) {
            next[i][1] = count;
            text_add(&body, "L%u: @%%p1 exit;\n", i);
        } else {
            text_add(&body, "L%u: add.u32 %%r1, %%r1, 1;\n", i);
        }
    }
    next[count - 1][0] = next[count - 1][1] = count;
    text_add(&body, "L%u: ret;\n", count - 1);
    Program *program = parse(text_string(&body));
    ck_assert_uint_eq(program->n_insns, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!program->insns[i].guarded) continue;
        const uint32_t reconverge = reconverge_of(program, i);
        ck_assert_msg(reconverge == definition(next, count, i), "instruction %u: %u instead of %u in\n%s", i, reconverge,
                      definition(next, count, i), text_string(&body));
    }
    program_free(program);
    text_free(&body);
}
END_TEST

START_TEST(a_hundred_thousand_branches_are_no_burden)
{
    /* Branch i of the first half goes to label n - 1 - i of the second: each region holds all later ones. A quadratic algorithm takes 10^10
     * steps, for which there is not enough processor time, on whatever machine. */
    enum { COUNT = 100000, SECONDS = 20 };
    ck_assert_int_eq(setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS}), 0);
    Text body = {0};
    for (uint32_t i = 0; i < COUNT; i++) text_add(&body, "@%%p1 bra L%u;\n", i);
    for (uint32_t i = COUNT; i-- > 0;) text_add(&body, "L%u: add.u32 %%r1, %%r1, 1;\n", i);
    Program *program = parse(text_string(&body));
    /* Branch 0 jumps to the last add; all paths pass it. The last branch may fall to the next instruction, its own target. */
    ck_assert_uint_eq(reconverge_of(program, 0), 2 * COUNT - 1);
    ck_assert_uint_eq(reconverge_of(program, COUNT - 1), COUNT);
    program_free(program);
    text_free(&body);
}
END_TEST

SUITE("flow", an_if_without_else_meets_at_its_label, an_if_with_else_meets_behind_both,
      an_unguarded_branch_has_no_meeting_point, a_loop_meets_behind_itself, break_and_continue_meet_at_the_loops_end_and_tail,
      an_early_exit_leaves_no_meeting_point_but_the_end, a_guarded_ret_inside_an_if_moves_its_meeting_point_to_the_end,
      a_trap_ends_its_path, an_endless_loop_meets_nowhere, a_branch_into_an_endless_loop_meets_on_the_other_side,
      both_ways_to_the_same_label_meet_there, an_indexed_branch_meets_behind_all_targets,
      an_irreducible_loop_meets_behind_itself, REPEATED(300, random_graphs_agree_with_the_definition),
      a_hundred_thousand_branches_are_no_burden)
