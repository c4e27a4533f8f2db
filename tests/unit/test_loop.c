/* The loop that is told of where a warp does not end (kernel/loop.h). */
#include "kernel/loop.h"

#include "parsed.h"

/* Of the kernel, between functions with loops of their own. */
#define TEXT                                                                                                                 \
    ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"a.cu\"\n.func before() {\n.reg .pred %%p; L: @%%p bra L; "     \
    "ret;\n}\n"                                                                                                              \
    ".visible .entry k()\n{\n.reg .pred %%p; .reg .b32 %%r;\n%s\nret;\n}\n.func behind() {\n.reg .pred %%p; L: @%%p bra L; " \
    "ret;\n}\n"
#define LINE(n) ".loc 1 " #n " 1\n"
#define ADD "add.u32 %r, %r, 1;\n"

START_TEST(the_next_branch_back_and_where_it_leads_are_the_loop)
{
    static const struct {
        const char *body;
        uint32_t asked, pc; /* from the kernel's first instruction on */
        bool empty;
    } rows[] = {
        {LINE(5) ADD ADD, 1, 1, false},                      /* none */
        {LINE(5) ADD "L: " ADD "bra L;", 1, 1, false},       /* the instruction, which has a line */
        {LINE(5) ADD "L: " ADD "bra L;", 0, 0, false},       /* before it: no branch leads back to there */
        {LINE(5) ADD "L: " ADD "bra L;\n" ADD, 3, 3, false}, /* behind it */
        {LINE(5) ADD "L: bra L;", 1, 1, true},               /* nothing but branches */
        {LINE(5) ADD "L: bra M;\nM: bra L;", 1, 1, true},
        {LINE(5) ADD "L: bra M;\nM: bra L;", 2, 2, true},
        {LINE(5) ADD "L: bra M;\n" ADD "M: bra L;", 1, 1, false},            /* though it is leapt over */
        {LINE(5) ADD "L: bra END;\nbra L;\nEND: " ADD, 1, 1, true},          /* one that leads on is none */
        {ADD "L: " ADD LINE(5) ADD "bra L;", 1, 2, false},                   /* the next of the loop that has a line */
        {ADD "L: " ADD ADD LINE(5) "bra L;", 1, 3, false},                   /* its branch at last */
        {LINE(5) ADD LINE(0) "L: " ADD "bra L;\n" LINE(6) ADD, 1, 0, false}, /* none of the loop has: the last one before it */
        {LINE(0) ADD "L: " ADD "bra L;\n" LINE(6) ADD, 1, 0, false},         /* nor has any before: the kernel's first */
        {LINE(5) ADD "K: " ADD "L: " ADD "bra L;\nbra K;", 2, 2, false},     /* the inner of two */
        {LINE(5) "K: bra L;\nL: " ADD "bra L;\nbra K;", 0, 0, false},        /* the outer of two, before the inner */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Program *program = parsed_of(TEXT, rows[i].body);
        const uint32_t first = prepared(program, "k")->function->first;
        const Loop loop = loop_around(program, first + rows[i].asked);
        ck_assert_msg(loop.pc == first + rows[i].pc, "row %zu: %u, not %u\n%s", i, loop.pc - first, rows[i].pc, rows[i].body);
        ck_assert_msg(loop.empty == rows[i].empty, "row %zu\n%s", i, rows[i].body);
        program_free(program);
    }
}
END_TEST

SUITE("loop", the_next_branch_back_and_where_it_leads_are_the_loop)
