/* Which blocks all ways to another have passed (kernel/dominance.h): blocks are numbered in the order of the text; read off the text by hand. */
#include "kernel/dominance.h"

#include <stdio.h>
#include <string.h>

#include "parsed.h"

#define HEAD                                                                                                \
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p; .reg .b32 %r;\n" \
    "mov.u32 %r, %tid.x; setp.ne.u32 %p, %r, 0;\n"
#define ADD "add.u32 %r, %r, 1;\n"

/* above: of each block the nearest above it, "-": a beginning. ways: which blocks lead to the last one. below: by block, how many it dominates, itself
 * included. */
static const struct {
    const char *body, *above, *ways, *below;
} rows[] = {
    {"ret;", "-", "", "1"},
    {"@%p bra L; " ADD "L: ret;", "- 0 0", "0 1", "3 1 1"},                                     /* an if */
    {"@%p bra L; " ADD "bra M; L: " ADD "M: ret;", "- 0 0 0", "1 2", "4 1 1 1"},                /* with an else */
    {"@%p bra M; " ADD "@%p bra M; " ADD "M: ret;", "- 0 1 0", "0 1 2", "4 2 1 1"},             /* one in another */
    {"@%p bra L; " ADD "@%p bra M; " ADD "M: " ADD "L: ret;", "- 0 1 1 0", "0 3", "5 3 1 1 1"}, /* which ends within */
    {"@%p bra L; L: ret;", "- 0", "0 0", "2 1"},                                                /* both ways lead there */
    {"L: " ADD "@%p bra L; ret;", "- - 1", "1", "1 2 1"},                                       /* a loop of one block */
    {"L: @%p bra M; " ADD "bra L; M: ret;", "- - 1 1", "1", "1 3 1 1"},                         /* of two */
    {"@%p bra M; L: " ADD "@%p bra L; M: ret;", "- - -", "0 1",
     "1 1 1"},                                          /* a loop round which a way leads: what follows a beginning is one */
    {"bra L; " ADD "L: ret;", "- - -", "0 1", "1 1 1"}, /* a block that nothing leads to */
    {"@%p ret; " ADD "ret;", "- 0", "0", "2 1"},
    {"ts: .branchtargets L, M; brx.idx %r, ts; L: " ADD "M: ret;", "- 0 0", "0 1", "3 1 1"},
    {"ts: .branchtargets M, M; brx.idx %r, ts; L: " ADD "M: ret;", "- - -", "0 0 1", "1 1 1"}, /* a table leads nowhere else */
    {"ts: .branchtargets M, M; @%p brx.idx %r, ts; L: " ADD "M: ret;", "- 0 0", "0 0 1", "3 1 1"},
};

static const Program *program;

static Dominance found_of(const char *body, Arena *arena, const Flow **flow) {
    Program *made = parsed_of("%s%s\n}\n", HEAD, body);
    program = made;
    *flow = prepared(made, "k")->flows;
    return dominance_find(made, made->functions, *flow, arena);
}

START_TEST(all_ways_to_a_block_pass_the_one_above)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        const Flow *flow;
        const Dominance found = found_of(rows[i].body, arena, &flow);
        char above[100] = "", ways[100] = "", below[100] = "";
        const uint32_t n = flow->n_blocks;
        for (uint32_t b = 0; b < n; b++) {
            uint32_t count = 0;
            if (found.above[b] == NO_INDEX)
                sprintf(above + strlen(above), "%s-", b ? " " : "");
            else
                sprintf(above + strlen(above), "%s%u", b ? " " : "", found.above[b]);
            for (uint32_t other = 0; other < n; other++) count += dominates(&found, b, other);
            sprintf(below + strlen(below), "%s%u", b ? " " : "", count);
        }
        for (uint32_t w = found.ways[n - 1]; w < found.ways[n]; w++)
            sprintf(ways + strlen(ways), "%s%u", *ways ? " " : "", found.way[w]);
        ck_assert_msg(strcmp(above, rows[i].above) == 0, "%s: above are %s, not %s", rows[i].body, above, rows[i].above);
        ck_assert_msg(strcmp(ways, rows[i].ways) == 0, "%s: ways are %s, not %s", rows[i].body, ways, rows[i].ways);
        ck_assert_msg(strcmp(below, rows[i].below) == 0, "%s: below are %s, not %s", rows[i].body, below, rows[i].below);
        program_free((Program *)program);
        arena_free(arena);
    }
}
END_TEST

/* In the fifth row: the if within another, where that ends, and what lies beside it. */
START_TEST(a_block_dominates_what_is_below_it_and_itself)
{
    static const bool wanted[5][5] = {
        {true, true, true, true, true}, {[1] = true, true, true}, {[2] = true}, {[3] = true}, {[4] = true}};
    Arena *arena = arena_new();
    const Flow *flow;
    const Dominance found = found_of(rows[4].body, arena, &flow);
    for (uint32_t one = 0; one < 5; one++)
        for (uint32_t other = 0; other < 5; other++)
            ck_assert_msg(dominates(&found, one, other) == wanted[one][other], "%u, %u", one, other);
    program_free((Program *)program);
    arena_free(arena);
}
END_TEST

SUITE("dominance", all_ways_to_a_block_pass_the_one_above, a_block_dominates_what_is_below_it_and_itself)
