/* Which registers are the same in all lanes of a warp (kernel/uniform.h): of each row the last word is read off the rules there, by hand. */
#include "kernel/uniform.h"

#include <string.h>

#include "parsed.h"

/* %p1 is the same in all lanes, as %r1, %d1 and %d4 are; %p2 is not, nor are %r2 and %d3. */
#define HEAD                                                                                                             \
    ".version 8.0\n.target sm_90\n.address_size 64\n.func (.reg .b32 r) f(.reg .b32 s) { mov.u32 r, s; ret; }\n"         \
    ".func (.reg .b32 r) g(.param .b32 s) { .reg .b32 %r9; ld.param.u32 %r9, [s]; mov.u32 r, %r9; ret; }\n"              \
    ".visible .entry k(.param .u64 in, .param .u32 n)\n{\n.reg .pred %p<8>; .reg .b32 %r<10>; .reg .b64 %d<8>;\n"        \
    ".shared .align 16 .b32 tile[64]; .local .b32 own[4];\nld.param.u64 %d1, [in]; ld.param.u32 %r1, [n]; mov.u32 %r2, " \
    "%tid.x;\n"                                                                                                          \
    "setp.ne.u32 %p1, %r1, 0; setp.ne.u32 %p2, %r2, 0; mul.wide.u32 %d2, %r2, 4; add.s64 %d3, %d1, %d2; mov.u64 %d4, 5;\n"

typedef struct Asked {
    Program *program;
    Arena *arena;
    const Function *function;
    Uniform uniform;
} Asked;

static Asked ask(const char *name, const char *body) {
    Asked asked = {.program = parsed_of("%s%s\nret;\n}\n", HEAD, body), .arena = arena_new()};
    for (uint32_t f = 0; f < asked.program->n_functions; f++)
        if (strcmp(asked.program->functions[f].name, name) == 0) asked.function = &asked.program->functions[f];
    const Kernel *kernel = prepared(asked.program, "k");
    asked.uniform =
        uniform_find(asked.program, asked.function, &kernel->flows[asked.function - asked.program->functions], asked.arena);
    return asked;
}

static void leave(Asked *asked) {
    arena_free(asked->arena);
    program_free(asked->program);
}

static Operand register_of(const Asked *asked, const char *name) {
    uint32_t reg = 0;
    while (strcmp(asked->function->registers[reg].name, name) != 0) reg++;
    return (Operand){.kind = OPERAND_REGISTER, .index = reg};
}

typedef struct Row {
    const char *body;
    bool differs; /* %r9 */
} Row;

static void rows_are(const Row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Asked asked = ask("k", rows[i].body);
        const Operand at = register_of(&asked, "%r9");
        ck_assert_msg(uniform_differs(&asked.uniform, &at) == rows[i].differs, "%s", rows[i].body);
        leave(&asked);
    }
}
#define ROWS_ARE(...) rows_are((const Row[]){__VA_ARGS__}, sizeof((const Row[]){__VA_ARGS__}) / sizeof(Row))

START_TEST(a_value_differs_by_what_it_comes_of)
{
    ROWS_ARE({"mov.u32 %r9, %tid.x;", true}, {"mov.u32 %r9, %tid.y;", true}, {"mov.u32 %r9, %tid.z;", true},
             {"mov.u32 %r9, %laneid;", true}, {"mov.u32 %r9, %lanemask_eq;", true}, {"mov.u32 %r9, %lanemask_le;", true},
             {"mov.u32 %r9, %lanemask_lt;", true}, {"mov.u32 %r9, %lanemask_ge;", true}, {"mov.u32 %r9, %lanemask_gt;", true},
             {"mov.u32 %r9, %ntid.x;", false}, {"mov.u32 %r9, %ctaid.x;", false}, {"mov.u32 %r9, %nctaid.z;", false},
             {"mov.u32 %r9, %warpid;", false}, {"mov.u32 %r9, %smid;", false}, {"mov.u32 %r9, 5;", false},
             {"add.u32 %r9, %r1, 1;", false}, {"add.u32 %r9, %r1, %r2;", true}, {"add.u32 %r9, %r2, %r1;", true},
             {"mov.b64 {%r8, %r9}, %d3;", true}, {"mov.b64 {%r8, %r9}, %d1;", false}, {"selp.u32 %r9, 1, 2, %p1;", false},
             {"selp.u32 %r9, 1, 2, %p2;", true}, {"add.u32 %r8, %r2, 1; add.u32 %r9, %r8, 1;", true});
}
END_TEST

START_TEST(what_memory_gives_differs_by_its_address_and_by_whose_it_is)
{
    ROWS_ARE({"ld.global.u32 %r9, [%d1];", false}, {"ld.global.u32 %r9, [%d1+4];", false}, {"ld.global.u32 %r9, [%d3];", true},
             {"ld.u32 %r9, [%d1];", false}, {"ld.shared.u32 %r9, [tile+4];", false}, {"ld.shared.u32 %r9, [%r2];", true},
             {"ld.local.u32 %r9, [own];", true}, {"ld.param.u32 %r9, [n];", false},
             {"atom.global.add.u32 %r9, [%d1], 1;", true}, {"atom.shared.exch.b32 %r9, [tile], 1;", true},
             {"call (%r9), f, (%r1);", true}, {"mbarrier.arrive.shared.b64 %d5, [tile]; cvt.u32.u64 %r9, %d5;", true},
             {"mbarrier.test_wait.shared.b64 %p3, [tile], %d1; selp.u32 %r9, 1, 2, %p3;", true},
             {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r9}, [tile];", true});
    Asked asked = ask("g", "");
    const Operand at = register_of(&asked, "%r9"); /* a parameter, as a kernel's, but each lane calls with its own */
    ck_assert(uniform_differs(&asked.uniform, &at));
    leave(&asked);
}
END_TEST

START_TEST(lanes_give_each_other_the_same_or_not)
{
    ROWS_ARE({"shfl.sync.idx.b32 %r9, %r2, 0, 31, -1;", false}, {"shfl.sync.idx.b32 %r9, %r2, %r1, 31, -1;", false},
             {"shfl.sync.idx.b32 %r9, %r2, %r2, 31, -1;", true}, /* from another lane each */
             {"shfl.sync.idx.b32 %r9, %r1, %r2, 31, -1;", true},
             {"shfl.sync.idx.b32 %r9, %r2, 0, 0x181f, -1;", true},                /* of each eight lanes their first */
             {"shfl.sync.idx.b32 %r9, %r2, 0, %r1, -1;", true},                   /* of what parts is not known */
             {"mov.u32 %r3, 31; shfl.sync.idx.b32 %r9, %r2, 0, %r3, -1;", false}, /* but is here */
             {"shfl.sync.bfly.b32 %r9, %r2, 1, 31, -1;", true}, {"shfl.sync.up.b32 %r9, %r2, 1, 0, -1;", true},
             {"shfl.sync.down.b32 %r9, %r2, 1, 31, -1;", true}, {"vote.sync.ballot.b32 %r9, %p2, -1;", false},
             {"vote.sync.any.pred %p3, %p2, -1; selp.u32 %r9, 1, 2, %p3;", false}, {"activemask.b32 %r9;", false},
             {"redux.sync.add.u32 %r9, %r2, -1;", false}, {"match.any.sync.b32 %r9, %r2, -1;", true},
             {"match.any.sync.b32 %r9, %r1, -1;", true}, {"match.all.sync.b32 %r9|%p3, %r2, -1;", false},
             {"elect.sync %r9|%p3, -1;", true},
             {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r8, %r9}, {%r1, %r1}, {%r1}, {%r1, %r1};", true});
}
END_TEST

START_TEST(who_runs_it_decides_as_well)
{
    ROWS_ARE({"@%p2 mov.u32 %r9, 5;", true}, {"@%p1 mov.u32 %r9, 5;", false}, {"@!%p2 mov.u32 %r9, 5;", true},
             {"@%p2 redux.sync.add.u32 %r9, %r2, -1;", true});
}
END_TEST

#define USE "st.global.u32 [%d1], %r9;"

/* Lanes come to L with what they wrote on their way, or not. */
START_TEST(where_ways_of_a_branch_join_what_was_written_on_them_differs)
{
    ROWS_ARE(
        {"mov.u32 %r9, 1; @%p2 bra L; mov.u32 %r9, 2;\nL: " USE, true},
        {"mov.u32 %r9, 1; @%p1 bra L; mov.u32 %r9, 2;\nL: " USE, false},                     /* all go one way */
        {"mov.u32 %r9, 1; @%p2 bra L; mov.u32 %r9, 2;\nL: mov.u32 %r9, 3; " USE, false},     /* written anew */
        {"mov.u32 %r9, 1; @%p2 bra L; mov.u32 %r9, 2;\nL: @%p1 mov.u32 %r9, 3; " USE, true}, /* perhaps */
        {"mov.u32 %r9, 1; @%p2 bra L; mov.u32 %r9, 2; " USE "\nL:", false},                  /* read on the way alone */
        {"mov.u32 %r9, 1; @%p2 bra L; mov.u32 %r9, 2;\nL: @%p1 bra M; add.u32 %r8, %r1, 1;\nM: " USE, true}, /* read later */
        {"@%p2 bra L; mov.u32 %r9, 1; bra M;\nL: mov.u32 %r9, 2;\nM: " USE, true},
        {"mov.u32 %r9, 1; @%p2 bra L; add.u32 %r8, %r1, 1;\nL: add.u32 %r9, %r9, 1; " USE, false}, /* before and behind */
        {"mov.u32 %r9, 1; @%p2 bra L; @%p1 bra M; mov.u32 %r9, 2;\nM: add.u32 %r8, %r1, 1;\nL: " USE,
         true}, /* within another */
        {"mov.u32 %r9, 1; @%p1 bra L; @%p2 bra M; mov.u32 %r9, 2;\nM: add.u32 %r8, %r9, 1;\nL: " USE, true},
        {"mov.u32 %r9, 1; @%p2 bra L; mov.u32 %r9, 2; ret;\nL: " USE, false}, /* they do not come back */
        {"ts: .branchtargets L, M;\nmov.u32 %r9, 1; brx.idx %r2, ts;\nL: mov.u32 %r9, 2;\nM: " USE, true},
        {"ts: .branchtargets L, M;\nmov.u32 %r9, 1; brx.idx %r1, ts;\nL: mov.u32 %r9, 2;\nM: " USE, false});
}
END_TEST

/* Of a loop that lanes leave after different iterations what goes round differs; what it wrote last counts as the same. */
START_TEST(what_goes_round_a_loop_differs_where_lanes_leave_it_one_by_one)
{
#define LOOP(before, body, limit) \
    "mov.u32 %r8, 0; " before "\nL: " body "add.u32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, " limit "; @%p3 bra L;\n" USE
    ROWS_ARE({LOOP("mov.u32 %r9, 0;", "add.u32 %r9, %r9, 1;", "%r2"), true},
             {LOOP("mov.u32 %r9, 0;", "add.u32 %r9, %r9, 1;", "%r1"), false},
             {LOOP("mov.u32 %r9, 0;", "mov.u32 %r9, 1;", "%r2"), false},     /* written anew in each iteration */
             {LOOP("mov.u32 %r9, 0;", "@%p1 mov.u32 %r9, 1;", "%r2"), true}, /* perhaps */
             {LOOP("mov.u32 %r9, 0; mov.u32 %r9, 1;", "", "%r2"), false},    /* not in the loop */
             /* asked for at its beginning: written anew and read within, and what goes round */
             {"mov.u32 %r9, 7; mov.u32 %r8, 0;\nL: mov.u32 %r9, 1; setp.ge.u32 %p3, %r8, %r2; @%p3 bra M; " USE
              "add.u32 %r8, %r8, 1; bra L;\nM: mov.u32 %r3, 1;",
              false},
             {"mov.u32 %r9, 7; mov.u32 %r8, 0;\nL: add.u32 %r9, %r9, 1; setp.ge.u32 %p3, %r8, %r2; @%p3 bra M; " USE
              "add.u32 %r8, %r8, 1; bra L;\nM: mov.u32 %r3, 1;",
              true},
             {LOOP("mov.u32 %r9, 0;", "@%p2 bra M; add.u32 %r9, %r9, 1;\nM: ", "%r1"), true}); /* but for a branch within */
}
END_TEST

START_TEST(a_register_is_a_number_where_one_mov_alone_writes_it)
{
    static const struct {
        const char *body;
        int64_t number; /* of %r3; -1: none */
    } rows[] = {
        {"mov.u32 %r3, 31;", 31},      {"mov.u32 %r3, 31; mov.u32 %r3, 31;", -1},
        {"@%p1 mov.u32 %r3, 31;", -1}, {"add.u32 %r3, %r1, 31;", -1},
        {"mov.u32 %r3, %r1;", -1},     {"mov.u32 %r3, %ctaid.x;", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Asked asked = ask("k", rows[i].body);
        const Operand at = register_of(&asked, "%r3"), *number = uniform_number(&asked.uniform, &at);
        ck_assert_msg((number ? (int64_t)number->bits : -1) == rows[i].number, "%s", rows[i].body);
        const Operand immediate = {.kind = OPERAND_IMMEDIATE, .bits = 7},
                      address = {.kind = OPERAND_ADDRESS, .index = at.index};
        ck_assert_ptr_eq(uniform_number(&asked.uniform, &immediate), &immediate);
        ck_assert_ptr_null(uniform_number(&asked.uniform, &address));
        ck_assert(!uniform_differs(&asked.uniform, &immediate));
        leave(&asked);
    }
}
END_TEST

SUITE("uniform", a_value_differs_by_what_it_comes_of, what_memory_gives_differs_by_its_address_and_by_whose_it_is,
      lanes_give_each_other_the_same_or_not, who_runs_it_decides_as_well,
      where_ways_of_a_branch_join_what_was_written_on_them_differs,
      what_goes_round_a_loop_differs_where_lanes_leave_it_one_by_one, a_register_is_a_number_where_one_mov_alone_writes_it)
