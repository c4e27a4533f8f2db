/* What ptxas 13.0 makes of atomic operations for sm_90, read from its machine code, of pieces of PTX; and what is counted then. */
#include <stdio.h>
#include <string.h>

#include "kernel/kernel.h"
#include "observe/assembled.h"
#include "observe/banks.h"
#include "parsed.h"
#include "ptx/opcode.h"

/* %d1 and %r2 are parameters, %r1 is the thread; %p1 is the same in all lanes, %p2 is not. */
#define HEAD                                                                                                           \
    ".version 7.0\n.target sm_80%s\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u32 n)\n{\n"           \
    ".reg .pred %%p<9>; .reg .f32 %%f<9>; .reg .f64 %%g<9>; .reg .b32 %%r<40>; .reg .b64 %%d<30>; .reg .b16 %%h<9>;\n" \
    ".shared .align 8 .b8 s[8192]; .local .align 4 .b8 l[64];\n"                                                       \
    "ld.param.u64 %%d1, [in]; ld.param.u32 %%r2, [n]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%d2, %%r1, 4;\n"            \
    "add.u64 %%d3, %%d1, %%d2; mov.u32 %%r4, s; shl.b32 %%r5, %%r1, 2; add.u32 %%r6, %%r4, %%r5;\n"                    \
    "setp.gt.u32 %%p1, %%r2, 7; setp.gt.u32 %%p2, %%r2, %%r1; cvt.u64.u32 %%d4, %%r1; cvt.u64.u32 %%d5, %%r2;\n"

static const char letters[] = {
    [COMBINE_NONE] = '-',  [COMBINE_EQUAL] = 'e',       [COMBINE_REDUCE] = 'r', [COMBINE_SCAN] = 's',
    [COMBINE_COUNT] = 'c', [COMBINE_COUNT_EQUAL] = 'C', [COMBINE_LOOP] = 'l',   [COMBINE_EQUAL_LOOP] = 'L'};

/* The letters of the atomic operations in the order of the text. */
static void combines_of_text_are(const char *text, const char *body, const char *expected) {
    char got[100] = "", *at = got;
    Program *program = parsed(text);
    const Kernel *kernel = prepared(program, "k");
    for (uint32_t i = 0; i < program->n_insns; i++)
        if (program->insns[i].op == OP_atom || program->insns[i].op == OP_red)
            *at++ = letters[kernel->combines ? kernel->combines[i] : COMBINE_NONE];
    ck_assert_msg(strcmp(got, expected) == 0, "%s\n  expected %s\n  got      %s", body, expected, got);
    program_free(program);
}

static void combines_are(const char *debug, const char *body, const char *expected) {
    char text[8192];
    size_t length = (size_t)snprintf(text, sizeof text, HEAD, debug);
    snprintf(text + length, sizeof text - length, "%s\nret;\n}\n", body);
    combines_of_text_are(text, body, expected);
}

typedef struct Shape {
    const char *body, *expected;
} Shape;

static void all_are(const Shape *shapes, size_t count) {
    for (size_t i = 0; i < count; i++) combines_are("", shapes[i].body, shapes[i].expected);
}

#define ALL_ARE(...)                      \
    const Shape shapes[] = {__VA_ARGS__}; \
    all_are(shapes, sizeof shapes / sizeof *shapes)

START_TEST(lanes_of_one_address_are_combined_by_what_they_do)
{
    ALL_ARE({"red.global.add.u32 [%d1], 3;", "e"}, {"red.global.add.u32 [%d1+20], %r2;", "e"},
            {"red.global.add.u32 [%d1], %r1;", "r"}, {"atom.global.add.u32 %r9, [%d1], %r1;", "r"}, /* nothing reads %r9 */
            {"atom.global.add.u32 %r9, [%d1], %r1; st.global.u32 [%d3], %r9;", "s"},
            {"atom.global.add.u32 %r9, [%d1], %r2; st.global.u32 [%d3], %r9;", "e"},
            {"red.global.min.s32 [%d1], %r1; red.global.max.u32 [%d1], %r1;", "rr"},
            {"red.global.and.b32 [%d1], %r1; red.global.or.b32 [%d1], %r2; red.global.xor.b32 [%d1], %r1;", "rrr"},
            {"atom.global.or.b32 %r9, [%d1], %r2; st.global.u32 [%d3], %r9;", "-"},
            {"atom.global.min.u32 %r9, [%d1], %r1; st.global.u32 [%d3], %r9;", "-"},
            {"red.global.inc.u32 [%d1], %r2; red.global.dec.u32 [%d1], %r2; atom.global.exch.b32 %r9, [%d1], %r2;", "---"},
            {"atom.global.cas.b32 %r9, [%d1], 0, %r2;", "-"}, {"red.global.add.f32 [%d1], 0f3f800000;", "-"},
            {"red.global.add.u64 [%d1], 1; red.global.add.u64 [%d1], %d5; red.global.add.u64 [%d1], %d4;", "ee-"},
            {"red.global.max.u64 [%d1], %d5; red.global.or.b64 [%d1], %d5;", "--"}, {"red.global.add.u32 [%d3], %r2;", "-"});
}
END_TEST

START_TEST(shared_memory_has_a_count_and_loops)
{
    ALL_ARE({"red.shared.add.u32 [%r6], 1;", "c"}, {"atom.shared.add.u32 %r9, [%r6], 1;", "c"},
            {"red.shared.add.u32 [s+20], 1;", "C"}, {"mov.u32 %r9, 1; red.shared.add.u32 [%r6], %r9;", "c"},
            {"red.shared.add.u32 [%r6], 2;", "-"}, {"red.shared.add.s32 [%r6], 1;", "-"},
            {"red.shared.add.u32 [%r6], -1; red.shared.add.u32 [%r6], %r2;", "--"},
            {"atom.shared.add.u32 %r9, [%r6], 1; st.global.u32 [%d3], %r9;", "-"},
            {"atom.shared.add.u32 %r9, [s], 1; st.global.u32 [%d3], %r9;", "e"}, {"red.global.add.u32 [%d3], 1;", "-"},
            {"red.shared.add.f32 [s], 0f3f800000; red.shared.add.f32 [%r6], 0f3f800000;", "ll"},
            {"atom.shared.add.f64 %g1, [s], %g2;", "l"}, {"red.shared.add.u64 [s], 1; red.shared.add.u64 [s], %d4;", "Ll"},
            {"red.shared.max.u64 [s], %d5; red.shared.or.b64 [s], %d5;", "ll"}, {"atom.shared.exch.b64 %d9, [s], %d5;", "-"},
            {"atom.shared.cas.b64 %d9, [s], 0, %d5;", "-"}, {"cvta.shared.u64 %d9, %d5; red.add.u32 [%d9], 1;", "e"},
            {"red.add.f32 [%d3], 0f3f800000;", "l"});
}
END_TEST

START_TEST(an_address_is_the_same_as_far_as_ptxas_sees)
{
    ALL_ARE(
        {"mov.u32 %r9, %ctaid.x; mul.lo.u32 %r9, %r9, 4; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"shr.u32 %r9, %r1, 5; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"},
        {"mov.u32 %r9, %warpid; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"mov.u32 %r9, %laneid; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"},
        {"ld.global.u32 %r9, [%d1]; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"ld.global.u32 %r9, [%d3]; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"},
        {"ld.shared.u32 %r9, [s]; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"st.local.u32 [l], %r1; ld.local.u32 %r9, [l]; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"},
        {"mov.u32 %r8, 31; shfl.sync.idx.b32 %r9, %r1, 0, %r8, -1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"shfl.sync.idx.b32 %r9, %r1, %r2, 31, -1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"shfl.sync.idx.b32 %r9, %r1, 0, 0x101f, -1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"},
        {"shfl.sync.idx.b32 %r9, %r1, %r1, 31, -1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"},
        {"shfl.sync.bfly.b32 %r9, %r1, 16, 31, -1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"},
        {"vote.sync.ballot.b32 %r9, %p2, -1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"activemask.b32 %r9; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r9}, [%r4]; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"},
        {"match.any.sync.b32 %r9, %r1, -1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"},
        {"match.all.sync.b32 %r9, %r1, -1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"redux.sync.add.u32 %r9, %r1, -1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"atom.global.add.u32 %r9, [%d1], 1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e-"},
        {"selp.u32 %r9, 4, 8, %p1; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"selp.u32 %r9, 4, 8, %p2; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"},
        {"mov.u32 %r9, 4; @%p1 mov.u32 %r9, 8; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"},
        {"mov.u32 %r9, 4; @%p2 mov.u32 %r9, 8; add.u32 %r9, %r9, %r4; red.shared.add.u32 [%r9], 2;", "-"});
}
END_TEST

#define IF(p, then) "@!" p " bra E; " then " E: "
START_TEST(lanes_that_come_different_ways_have_different_values)
{
    ALL_ARE({"mov.u32 %r9, %r4; " IF("%p1", "ld.global.u32 %r9, [%d1]; ") "red.shared.add.u32 [%r9], 2;", "e"},
            {"mov.u32 %r9, %r4; " IF("%p2", "ld.global.u32 %r9, [%d1]; ") "red.shared.add.u32 [%r9], 2;", "-"},
            {IF("%p2", "red.shared.add.u32 [s], 2; ") "red.shared.add.u32 [s], %r1;", "er"},
            {"@%p2 ret; red.shared.add.u32 [s], %r1;", "r"},
            {"@%p2 bra T; mov.u32 %r9, 4; bra E; T: mov.u32 %r9, 8; E: red.shared.add.u32 [%r9], 2;", "-"},
            {"@%p1 bra T; mov.u32 %r9, 4; bra E; T: mov.u32 %r9, 8; E: red.shared.add.u32 [%r9], 2;", "e"},
            /* what differs behind the branch is not read there, but written anew; by a guard perhaps not */
            {"mov.u32 %r9, %r4; " IF("%p2",
                                     "ld.global.u32 %r9, [%d1]; ") "ld.global.u32 %r9, [%d1+4]; red.shared.add.u32 [%r9], 2;",
             "e"},
            {"mov.u32 %r9, %r4; " IF("%p2", "ld.global.u32 %r9, [%d1]; ") "@%p1 ld.global.u32 %r9, [%d1+4]; "
                                                                          "red.shared.add.u32 [%r9], 2;",
             "-"},
            {"mov.u32 %r9, 4; " IF("%p2", "mov.u32 %r9, 8; ") "mov.u32 %r9, %r4; red.shared.add.u32 [%r9], 2;", "e"});
}
END_TEST

START_TEST(a_loop_that_lanes_leave_at_different_times_counts_differently_for_each)
{
    ALL_ARE(
        {"mov.u32 %r9, %r4; L: red.shared.add.u32 [%r9], %r1; add.u32 %r9, %r9, 4; setp.lt.u32 %p3, %r9, %r2; @%p3 bra L;",
         "r"},
        {"mov.u32 %r8, %r1; mov.u32 %r9, %r4; L: red.shared.add.u32 [%r9], %r1; add.u32 %r9, %r9, 4; add.u32 %r8, %r8, 32; "
         "setp.lt.u32 %p3, %r8, %r2; @%p3 bra L;",
         "-"},
        /* the loop inside one that they leave at different times, and the branch inside a loop that they leave together */
        {"mov.u32 %r8, %r1; K: mov.u32 %r9, %r4; L: red.shared.add.u32 [%r9], %r1; add.u32 %r9, %r9, 4; "
         "setp.lt.u32 %p3, %r9, %r2; @%p3 bra L; add.u32 %r8, %r8, 32; setp.lt.u32 %p4, %r8, %r2; @%p4 bra K;",
         "r"},
        {"mov.u32 %r9, %r4; L: @%p2 bra N; red.shared.add.u32 [%r9], %r1; N: add.u32 %r9, %r9, 4; "
         "setp.lt.u32 %p3, %r9, %r2; @%p3 bra L;",
         "r"},
        {"mov.u32 %r9, %r4; L: red.shared.add.u32 [%r9], %r1; ld.volatile.global.u32 %r8, [%d3]; setp.eq.u32 %p4, %r8, %r9; "
         "@%p4 bra N; add.u32 %r9, %r9, 4; setp.lt.u32 %p3, %r9, %r2; @%p3 bra L; N: mov.u32 %r8, 1;",
         "-"},
        /* behind the loop, what it has loaded counts as the same */
        {"mov.u32 %r8, %r1; L: ld.volatile.global.u32 %r9, [%d1]; add.u32 %r8, %r8, 32; setp.lt.u32 %p3, %r8, %r2; @%p3 bra L; "
         "red.shared.add.u32 [%r9], %r1;",
         "r"},
        {"mov.u32 %r8, %r1; mov.u32 %r9, 0; @%p2 bra N; L: ld.volatile.global.u32 %r9, [%d1]; add.u32 %r8, %r8, 32; "
         "setp.lt.u32 %p3, %r8, %r2; @%p3 bra L; N: red.shared.add.u32 [%r9], %r1;",
         "-"});
}
END_TEST

/* f's address is a parameter; of g's one address the second has a parameter as its value. */
START_TEST(what_a_function_is_given_may_differ)
{
    combines_of_text_are(
        ".version 7.0\n.target sm_80\n.address_size 64\n"
        ".func f(.param .b32 v) { .reg .b32 %r; ld.param.u32 %r, [v]; red.shared.add.u32 [%r], 2; ret; }\n"
        ".func g(.param .b32 v) { .reg .b32 %r, %q; ld.param.u32 %r, [v]; mov.u32 %q, %ctaid.x; red.shared.add.u32 [%q], 2;\n"
        "red.shared.add.u32 [%q], %r; ret; }\n"
        ".entry k(.param .u32 n) { .reg .b32 %r; .shared .b8 s[64]; mov.u32 %r, s;\n"
        "{ .param .b32 a; st.param.b32 [a], %r; call f, (a); } { .param .b32 a; st.param.b32 [a], %r; call g, (a); }\n"
        "red.shared.add.u32 [%r], 2; ret; }\n",
        "functions", "-ere");
}
END_TEST

START_TEST(code_to_be_debugged_is_left_as_it_is)
{
    combines_are(", debug", "red.shared.add.u32 [s], 1; red.shared.add.f32 [s], 0f3f800000; red.global.add.u32 [%d1], 3;",
                 "---");
}
END_TEST

/* --- what is counted then --- */

typedef struct Made {
    Combine combine;
    uint32_t active;
    bool reduces; /* compute capability 8.0 and later */
    Assembled how;
    uint32_t lanes; /* of what is made */
} Made;

START_TEST(one_lane_acts_for_all_where_the_device_can)
{
    const Made rows[] = {{COMBINE_EQUAL, LANES_ALL, true, ASSEMBLED_COMBINED, 1},
                         {COMBINE_EQUAL, 0xf0, false, ASSEMBLED_COMBINED, 0x10},
                         {COMBINE_REDUCE, 0xf0, true, ASSEMBLED_COMBINED, 0x10},
                         {COMBINE_REDUCE, 0xf0, false, ASSEMBLED_AS_IS, 0},
                         {COMBINE_REDUCE, LANES_ALL, false, ASSEMBLED_COMBINED, 1},
                         {COMBINE_SCAN, 0xf0, true, ASSEMBLED_AS_IS, 0},
                         {COMBINE_SCAN, LANES_ALL, true, ASSEMBLED_COMBINED, 1},
                         {COMBINE_COUNT, 0xf0, true, ASSEMBLED_COMBINED, 0xf0},
                         {COMBINE_COUNT, 0xf0, false, ASSEMBLED_AS_IS, 0},
                         {COMBINE_COUNT_EQUAL, 0xf0, true, ASSEMBLED_COMBINED, 0xf0},
                         {COMBINE_COUNT_EQUAL, 0xf0, false, ASSEMBLED_COMBINED, 0x10},
                         {COMBINE_LOOP, 0xf0, true, ASSEMBLED_LOOP, 0xf0},
                         {COMBINE_EQUAL_LOOP, 0xf0, true, ASSEMBLED_LOOP, 0x10},
                         {COMBINE_NONE, 0xf0, true, ASSEMBLED_AS_IS, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint8_t combines[] = {(uint8_t)rows[i].combine};
        const Access access = {.space = SPACE_SHARED, .kind = ACCESS_ATOMIC, .bytes = 4, .active = rows[i].active};
        Access made;
        ck_assert_msg(assemble(&(Assembly){.combines = combines, .reduces = rows[i].reduces}, &access, &made) == rows[i].how,
                      "row %zu", i);
        if (rows[i].lanes) ck_assert_msg(made.active == rows[i].lanes, "row %zu: lanes %x", i, made.active);
    }
}
END_TEST

/* Of lanes 0 to 5 at words 0, 1, 0, 2, 1, 0: after each try the first of each word is done. */
START_TEST(a_loop_goes_on_with_all_but_one_lane_of_each_word)
{
    Access made = {.space = SPACE_SHARED, .kind = ACCESS_ATOMIC, .bytes = 4, .active = 0x3f, .addr = {0, 4, 0, 8, 4, 0}};
    SwapLoop loop = loop_begin(&made);
    ck_assert_uint_eq(loop_tries(&loop), 0x3f);
    ck_assert_uint_eq(made.active = loop_step(&loop, made.active), 0x34);
    ck_assert_uint_eq(made.active = loop_step(&loop, made.active), 0x20);
    ck_assert_uint_eq(loop_step(&loop, made.active), 0);
}
END_TEST

/* Of 32 lanes at one word of 8 bytes, which holds 0, as an H100 counts them (a_ of tests/hardware/h100-shapes.csv), and what is loaded besides. Where a lane of the first
 * half-warp leaves the word as it is, one of the second is done with it; a minimum or maximum that is there already is not tried at all. */
START_TEST(loops_of_64_bits_depend_on_what_their_words_hold)
{
    const struct {
        const char *name;
        uint8_t variant;
        uint64_t first, step; /* lane l's is first + l * step */
        uint32_t loads, tries, halves;
    } rows[] = {{"a_add64_t_same", ATOM_ADD, 0, 3, 31, 31, 47},
                {"a_max64_up", ATOM_MAX, 1, 1, 32, 32, 48},
                {"a_max64_down", ATOM_MAX, 32, -1ull, 2, 1, 2},
                {"a_min64_none", ATOM_MIN, 0, 1, 1, 0, 0},
                {"a_or64_v", ATOM_OR, 3, 0, 17, 17, 33}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t word = 0;
        Updates updates = {.words = (const uint8_t *)&word, .variant = rows[i].variant, .type = TYPE_u64};
        for (uint32_t l = 0; l < WARP_LANES; l++) updates.with[l] = rows[i].first + l * rows[i].step;
        Access made = {.space = SPACE_SHARED,
                       .kind = ACCESS_REDUCTION,
                       .service = SERVICE_TRY,
                       .bytes = 8,
                       .active = LANES_ALL,
                       .updates = &updates};
        SwapLoop loop = loop_begin(&made);
        uint32_t loads = 0, tries = 0, halves = 0;
        while (made.active) {
            const uint32_t lanes = loop_tries(&loop);
            loads++;
            tries += lanes != 0;
            halves += ((lanes & 0xffff) != 0) + (lanes >> 16 != 0);
            made.active = loop_step(&loop, lanes);
        }
        ck_assert_msg(loads == rows[i].loads && tries == rows[i].tries && halves == rows[i].halves, "%s: %u, %u, %u",
                      rows[i].name, loads, tries, halves);
    }
}
END_TEST

/* Wavefronts and conflicts of 32 lanes as an H100 counts them (tests/hardware/h100-atomics.csv). */
START_TEST(services_take_as_long_as_on_an_h100)
{
    const struct {
        Service service;
        uint32_t words; /* lane l at word l % words */
        uint32_t wavefronts, conflicts;
    } rows[] = {{SERVICE_EACH, 1, 32, 31},   {SERVICE_EACH, 8, 4, 3},     {SERVICE_EACH, 32, 1, 0},
                {SERVICE_TOGETHER, 1, 1, 0}, {SERVICE_TOGETHER, 8, 1, 0}, {SERVICE_TRY, 1, 2, 0},
                {SERVICE_TRY, 32, 2, 0},     {SERVICE_SWAP, 1, 64, 31},   {SERVICE_SWAP, 32, 2, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Access access = {
            .space = SPACE_SHARED, .kind = ACCESS_ATOMIC, .bytes = 4, .active = LANES_ALL, .service = rows[i].service};
        for (uint32_t l = 0; l < WARP_LANES; l++) access.addr[l] = l % rows[i].words * 4;
        const BankCount count = banks_count(&access);
        ck_assert_msg(count.wavefronts == rows[i].wavefronts && count.conflicts == rows[i].conflicts,
                      "row %zu: %u wavefronts, %u", i, count.wavefronts, count.conflicts);
    }
}
END_TEST

SUITE("combines", lanes_of_one_address_are_combined_by_what_they_do, shared_memory_has_a_count_and_loops,
      an_address_is_the_same_as_far_as_ptxas_sees, lanes_that_come_different_ways_have_different_values,
      a_loop_that_lanes_leave_at_different_times_counts_differently_for_each, what_a_function_is_given_may_differ,
      code_to_be_debugged_is_left_as_it_is, one_lane_acts_for_all_where_the_device_can,
      a_loop_goes_on_with_all_but_one_lane_of_each_word, loops_of_64_bits_depend_on_what_their_words_hold,
      services_take_as_long_as_on_an_h100)
