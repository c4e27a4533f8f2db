#include "class/likeness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "parsed.h"

static const char head[] = ".version 7.0\n.target sm_75\n.address_size 64\n";

static const char *const names[] = {"k"};
static Likeness likeness;
static const Text no_source;

static void begin(void) { likeness_begin(&likeness, names, 1); }
static void end(void) { likeness_end(&likeness); }

static void give(const char *text) {
    Program *program = parsed(text);
    likeness_give(&likeness, program, "kernel.cu", &no_source);
    program_free(program);
}

static void file(const char *text) {
    Program *program = parsed(text);
    likeness_add(&likeness, program, "kernel.cu", &no_source);
    program_free(program);
}

static double share(uint32_t a, uint32_t b) { return likeness_of_part(&likeness, 0, a, b, NULL); }

/* --- kernels by hand ------------------------------------------------------------------------------------------------------ */

/* Element i of a matrix of n columns is moved through shared memory and scaled, if i < n. */
static const char original[] =
    ".file 1 \"kernel.cu\"\n"
    ".visible .entry k(.param .u64 k_0, .param .u64 k_1, .param .u32 k_2) {\n"
    ".reg .pred %p<2>; .reg .f32 %f<5>; .reg .b32 %r<16>; .reg .b64 %rd<9>;\n"
    ".shared .align 4 .b8 tile[4224];\n"
    "ld.param.u64 %rd1, [k_0]; ld.param.u64 %rd2, [k_1]; ld.param.u32 %r1, [k_2];\n"
    ".loc 1 10 1\n"
    "mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;\n"
    "mad.lo.s32 %r5, %r3, %r4, %r2;\n"
    "setp.ge.s32 %p1, %r5, %r1;\n"
    "@%p1 bra DONE;\n"
    ".loc 1 11 1\n"
    "cvta.to.global.u64 %rd3, %rd1; mul.wide.s32 %rd4, %r5, 4; add.s64 %rd5, %rd3, %rd4; ld.global.f32 %f1, [%rd5];\n"
    ".loc 1 12 1\n"
    "mov.u32 %r6, tile; and.b32 %r7, %r2, 31; shr.u32 %r8, %r2, 5; mad.lo.s32 %r9, %r8, 132, %r6; shl.b32 %r10, %r7, 2;\n"
    "add.s32 %r11, %r9, %r10; st.shared.f32 [%r11], %f1; bar.sync 0;\n"
    ".loc 1 13 1\n"
    "mad.lo.s32 %r12, %r7, 132, %r6; shl.b32 %r13, %r8, 2; add.s32 %r14, %r12, %r13; ld.shared.f32 %f2, [%r14];\n"
    "fma.rn.f32 %f3, %f2, 0f40000000, %f1;\n"
    ".loc 1 14 1\n"
    "cvta.to.global.u64 %rd6, %rd2; xor.b32 %r15, %r5, 85; mul.wide.s32 %rd7, %r15, 4; add.s64 %rd8, %rd6, %rd7;\n"
    "st.global.f32 [%rd8], %f3;\n"
    "DONE: ret; }\n";

/* The same: other registers, labels, parameters and variables; independent instructions and the two ends in another order; what commutes is
 * the other way round; values copied to and fro; a comment; and other lines. */
static const char rewritten[] =
    ".file 1 \"kernel.cu\"\n"
    ".visible .entry k(.param .u64 from, .param .u64 to, .param .u32 size) {\n"
    ".reg .f32 %x<9>; .reg .b32 %a<32>; .reg .b64 %b<16>; .reg .pred %go;\n"
    ".shared .align 4 .b8 buffer[4224];\n"
    "ld.param.u32 %a20, [size]; mov.u32 %a3, %ctaid.x; mov.u32 %a4, %ntid.x; mov.u32 %a30, %tid.x; // order\n"
    "mov.u32 %a2, %a30; mov.u32 %a6, buffer;\n"
    ".loc 1 30 1\n"
    "shr.u32 %a8, %a2, 5; and.b32 %a7, %a30, 31; shl.b32 %a13, %a8, 2; shl.b32 %a10, %a7, 2;\n"
    "mad.lo.s32 %a12, 132, %a7, %a6; mad.lo.s32 %a9, 132, %a8, %a6;\n"
    ".loc 1 20 1\n"
    "mad.lo.s32 %a5, %a4, %a3, %a2; setp.ge.s32 %go, %a5, %a20; @%go bra OUT; bra IN;\n"
    "OUT: ret;\n"
    "IN: xor.b32 %a15, 85, %a5; mul.wide.s32 %b4, %a5, 4; mul.wide.s32 %b7, %a15, 4;\n"
    "ld.param.u64 %b2, [to]; ld.param.u64 %b1, [from]; cvta.to.global.u64 %b6, %b2; cvta.to.global.u64 %b3, %b1;\n"
    ".loc 1 24 1\n"
    "add.s64 %b8, %b7, %b6; add.s64 %b5, %b4, %b3; ld.global.f32 %x1, [%b5]; mov.f32 %x7, %x1;\n"
    "add.s32 %a14, %a13, %a12; add.s32 %a11, %a10, %a9; st.shared.f32 [%a11], %x7; bar.sync 0; ld.shared.f32 %x2, [%a14];\n"
    ".loc 1 25 1\n"
    "fma.rn.f32 %x3, 0f40000000, %x2, %x1; st.global.f32 [%b8], %x3; ret; }\n";

/* Sums of strided elements, in a loop, with atomics: nothing in common but the way to an element. */
static const char another[] =
    ".visible .entry k(.param .u64 k_0, .param .u64 k_1, .param .u32 k_2) {\n"
    ".reg .pred %p<3>; .reg .f64 %f<5>; .reg .b32 %r<16>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [k_0]; ld.param.u64 %rd2, [k_1]; ld.param.u32 %r1, [k_2];\n"
    "mov.u32 %r2, %laneid; mov.f64 %f1, 0d0000000000000000; mov.u32 %r9, %nctaid.x; clz.b32 %r10, %r9; brev.b32 %r11, %r10;\n"
    "AGAIN: cvt.s64.s32 %rd3, %r2; shl.b64 %rd4, %rd3, 3; sub.s64 %rd5, %rd1, %rd4; ld.global.f64 %f2, [%rd5+8];\n"
    "abs.f64 %f3, %f2; add.f64 %f1, %f1, %f3; sqrt.rn.f64 %f4, %f1; max.f64 %f1, %f4, %f2; add.s32 %r2, %r2, %r9;\n"
    "popc.b32 %r12, %r11; shfl.sync.down.b32 %r13, %r12, 4, 31, -1; vote.sync.ballot.b32 %r14, %p1, -1; min.u32 %r15, %r14, "
    "%r13;\n"
    "setp.lt.u32 %p1, %r15, %r1; @%p1 bra AGAIN;\n"
    "neg.f64 %f2, %f1; red.global.add.f64 [%rd2], %f2; div.rn.f64 %f3, %f2, %f4; st.global.f64 [%rd2+16], %f3; ret; }\n";

/* head, and the text with one part replaced by another. */
static const char *with(const char *text, const char *part, const char *other) {
    static char made[1 << 14];
    const char *at = part ? strstr(text, part) : text + strlen(text);
    ck_assert_ptr_nonnull(at);
    snprintf(made, sizeof made, "%s%.*s%s%s", head, (int)(at - text), text, part ? other : "", at + (part ? strlen(part) : 0));
    return made;
}

/* --- kernels of chains ---------------------------------------------------------------------------------------------------- */

enum { CHAIN = 30 };

/* A chain of a type's operations, always in the same pattern: as many fingerprints in every type, and none in two of them. */
static void chain(Text *text, const char *type, const char *letter, const char *multiply) {
    text_add(text, "{ .reg .%s %%%s<%d>; ld.global.%s %%%s0, [%%rd2];\n", type, letter, CHAIN + 1, type, letter);
    for (unsigned i = 0, draw = 7; i < CHAIN; i++, draw = draw * 1103515245 + 12345) {
        unsigned kind = draw >> 16 & 3;
        const char *op = kind == 0 ? "add" : kind == 1 ? "sub" : kind == 2 ? multiply : "max";
        text_add(text, "%s.%s %%%s%u, %%%s%u, %%%s%u;\n", op, type, letter, i + 1, letter, i, letter, i ? i - 1 : 0);
    }
    text_add(text, "st.global.%s [%%rd2], %%%s%d; }\n", type, letter, CHAIN);
}

enum { F32 = 1, F64 = 2, S32 = 4, S64 = 8 };

static const char *chains(unsigned which) {
    static Text text;
    text_free(&text);
    text_add(&text,
             "%s.visible .entry k(.param .u64 k_0) { .reg .b64 %%rd<3>; ld.param.u64 %%rd1, [k_0]; mov.u64 %%rd2, %%rd1;\n",
             head);
    if (which & F32) chain(&text, "f32", "f", "mul");
    if (which & F64) chain(&text, "f64", "d", "mul");
    if (which & S32) chain(&text, "s32", "r", "mul.lo");
    if (which & S64) chain(&text, "s64", "l", "mul.lo");
    text_add(&text, "ret; }\n");
    return text.data;
}

/* --- kernels by hand, compared ---------------------------------------------------------------------------------------------- */

/* Others, with whom nothing is shared: what two have is rarer then, so that a kernel of twenty instructions says something. */
static void crowd(void) {
    for (int i = 0; i < 60; i++) file(with(another, NULL, NULL));
}

START_TEST(what_is_rewritten_is_the_same)
{
    file(with(original, NULL, NULL));
    file(with(rewritten, NULL, NULL));
    crowd();
    likeness_compare(&likeness, 0.5);
    ck_assert(likeness_says(&likeness, 0, 0));
    ck_assert_double_eq(share(0, 1), 1);
    ck_assert_uint_eq(likeness.n_pairs, 1);
    ck_assert(likeness.files[0].parts[0].count == likeness.files[1].parts[0].count);
}
END_TEST

START_TEST(a_changed_constant_is_near_and_another_algorithm_far)
{
    file(with(original, NULL, NULL));
    file(with(original, "%r5, 85", "%r5, 86"));
    file(chains(S64));
    crowd();
    likeness_compare(&likeness, 0.5);
    ck_assert(likeness_says(&likeness, 0, 2));
    ck_assert_double_lt(share(0, 1), 1);
    ck_assert_double_gt(share(0, 1), 0.8);
    ck_assert_double_eq(share(0, 2), 0);
    ck_assert_uint_eq(likeness.n_pairs, 1);
    ck_assert(likeness.pairs[0].a == 0 && likeness.pairs[0].b == 1);
    ck_assert(likeness.files[1].cluster == 0 && likeness.files[2].cluster == 2);
}
END_TEST

/* An operation, a type, a place and an operand more than a constant: each makes a difference, and each leaves most as it was. */
static const struct {
    const char *part, *other;
} changes[] = {{"fma.rn.f32", "fma.rz.f32"},
               {"bar.sync 0;", ""},
               {"[%rd8], %f3", "[%rd8+4], %f3"},
               {"@%p1 bra", "@!%p1 bra"},
               {"ld.global.f32 %f1", "ld.global.nc.f32 %f1"},
               {"xor.b32", "or.b32"},
               {"setp.ge.s32 %p1, %r5, %r1", "setp.ge.s32 %p1, %r1, %r5"}, /* b >= a is not a >= b */
               {"shr.u32 %r8, %r2, 5", "shr.u32 %r8, 5, %r2"},
               {"mad.lo.s32 %r9, %r8, 132, %r6", "mad.lo.s32 %r9, %r6, 132, %r8"}, /* its factors alone commute */
               {"%f2, 0f40000000, %f1", "%f2, 0f40000000, %f2"},
               {"[k_0]; ld.param.u64 %rd2, [k_1]", "[k_1]; ld.param.u64 %rd2, [k_0]"},
               {"%tid.x", "%tid.y"}};

START_TEST(a_changed_operation_is_seen)
{
    file(with(original, NULL, NULL));
    file(with(original, changes[_i].part, changes[_i].other));
    crowd();
    likeness_compare(&likeness, 0);
    ck_assert_double_lt(share(0, 1), 1);
    ck_assert_double_gt(share(0, 1), 0.3);
}
END_TEST

/* PTX ISA, "Comparisons": these ask alike of both sides, NaN or not. */
START_TEST(equality_is_the_same_both_ways)
{
    static const char ge[] = "setp.ge.s32 %p1, %r5, %r1";
    static const char *const words[] = {"eq.s32", "ne.s32", "eq.f32", "ne.f32", "equ.f32", "neu.f32", "num.f32", "nan.f32"};
    const bool floats = words[_i][strlen(words[_i]) - 3] == 'f';
    LOCAL_TEXT one = text_from("cvt.rn.f32.s32 %%f0, %%r5; cvt.rn.f32.s32 %%f4, %%r1; setp.%s %%p1, %s", words[_i],
                               floats ? "%f0, %f4" : "%r5, %r1");
    LOCAL_TEXT other = text_from("cvt.rn.f32.s32 %%f0, %%r5; cvt.rn.f32.s32 %%f4, %%r1; setp.%s %%p1, %s", words[_i],
                                 floats ? "%f4, %f0" : "%r1, %r5");
    file(with(original, ge, text_string(&one)));
    file(with(original, ge, text_string(&other)));
    crowd();
    likeness_compare(&likeness, 0.5);
    ck_assert_double_eq(share(0, 1), 1);
}
END_TEST

START_TEST(a_function_that_is_called_counts)
{
    static const char inside[] = ".func (.reg .b32 %z) f(.reg .b32 %a) { .reg .b32 %t<4>; clz.b32 %t1, %a; brev.b32 %t2, %t1;\n"
                                 "popc.b32 %t3, %t2; cnot.b32 %z, %t3; ret; }\n";
    static const char call[] =
        ".visible .entry k(.param .u64 k_0) { .reg .b32 %r<3>; mov.u32 %r1, %tid.x; call (%r2), f, (%r1); ret; }\n";
    Text text = {0};
    text_add(&text, "%s%s", inside, call);
    file(with(text_string(&text), NULL, NULL));
    file(with(text_string(&text), "popc.b32 %t3, %t2", "not.b32 %t3, %t2"));
    text_free(&text);
    /* call, clz, brev, popc, cnot: an exact print and a shape of each */
    ck_assert_uint_eq(likeness.files[0].parts[0].count, 10);
    likeness_compare(&likeness, 0);
    double shared;
    likeness_of_part(&likeness, 0, 0, 1, &shared);
    /* popc and cnot differ: six of ten prints are shared, each by two of RARE_LEAST files: log(4) / log(8) */
    ck_assert_double_eq_tol(shared, 6 * 2 / 3.0, 1e-9);
}
END_TEST

START_TEST(lines_that_do_the_same_are_found)
{
    /* Of the original's lines: 10 is rewritten as 20, 11 and 13 (the way to the element, its load; its place in the tile) mostly as 24, 12 (its
     * place, before it is loaded) as 30, 14 (xor, and 20 has it) as 20 or 25. */
    static const uint32_t expected[][2] = {{10, 20}, {11, 24}, {12, 30}};
    size_t count;
    file(with(original, NULL, NULL));
    file(with(rewritten, NULL, NULL));
    likeness_compare(&likeness, 0);
    LikenessLine *lines = likeness_lines(&likeness, 0, 0, 1, &count);
    ck_assert_uint_eq(count, 5);
    for (size_t i = 0; i < 3; i++) ck_assert_uint_eq(lines[i].a, expected[i][0]);
    ck_assert_uint_eq(lines[0].b, expected[0][1]);
    ck_assert_uint_eq(lines[2].b, expected[2][1]);
    free(lines);
}
END_TEST

/* Each chain has W. What both have weighs log(8/2)/log(8) = 2/3 of it, what one has all: 2·2/3 / (2·(2/3 + 1)) = 0.4. */
START_TEST(likeness_is_what_both_have)
{
    file(chains(F32 | F64));
    file(chains(F32 | S32));
    file(chains(S64));
    likeness_compare(&likeness, 0);
    ck_assert_double_eq(share(0, 1), 0.4);
    ck_assert_double_eq(share(0, 2), 0);
    ck_assert_double_eq_tol(likeness.files[0].weights[0], likeness.files[2].weights[0] * 5 / 3, 1e-9);
    ck_assert_uint_eq(likeness.n_pairs, 1);
}
END_TEST

START_TEST(what_is_given_does_not_count)
{
    give(chains(F32));
    file(chains(F32 | F64));
    file(chains(F32 | S32));
    file(chains(F32 | F64));
    file(chains(F32));
    likeness_compare(&likeness, 0);
    ck_assert_double_eq(share(0, 1), 0);
    ck_assert_double_eq(share(0, 2), 1);
    ck_assert_double_eq(likeness.files[3].weights[0], 0);
    ck_assert(!likeness_says(&likeness, 0, 3));
}
END_TEST

/* Of 16 files all have the first chain, two a second: log(16/16) = 0 and log(16/2) / log(16) = 3/4. */
START_TEST(what_all_have_weighs_nothing)
{
    for (int i = 0; i < 16; i++) file(chains(i < 2 ? F32 | F64 : F32));
    likeness_compare(&likeness, 0);
    ck_assert_double_eq(share(0, 1), 1);
    ck_assert_double_eq(share(2, 3), 0);
    ck_assert_double_eq(likeness.files[2].weights[0], 0);
    ck_assert_uint_eq(likeness.n_pairs, 1);
    ck_assert_uint_eq(likeness.files[1].cluster, 0);
}
END_TEST

/* Two files of elsewhere are the same; each makes a pair with the one file that is like it, and none with another of them, and no cluster. */
START_TEST(files_of_elsewhere_are_compared_with_the_class_alone)
{
    file(chains(F32 | S32));
    file(chains(F64));
    likeness_others(&likeness);
    for (int i = 0; i < 2; i++) file(chains(F32 | S32));
    likeness_compare(&likeness, 0.5);
    ck_assert_uint_eq(likeness.n_pairs, 2);
    for (uint32_t i = 0; i < 2; i++) ck_assert(likeness.pairs[i].a == 0 && likeness.pairs[i].b == 2 + i);
    ck_assert_uint_eq(likeness.files[2].cluster, 2);
}
END_TEST

/* Nothing is the same in what they do, all in how they are written: of 45 tokens at least, since what two of RARE_LEAST files have weighs 2/3. */
START_TEST(what_is_written_alike_is_alike)
{
    static const char source[] = "void k(float *a) { if (a[0] > 1) a[1] = 2 * a[2] + a[3]; else a[4] += a[5]; "
                                 "while (a[6] < 1) { a[6] -= a[7]; a[8] = 3 ? 4 : a[9]; } for (;;) break; return; }";
    Text text = {0};
    text_add(&text, "%s", source);
    for (int i = 0; i < 2; i++) {
        Program *program = parsed(chains(i ? F32 : F64));
        likeness_add(&likeness, program, "kernel.cu", &text);
        program_free(program);
    }
    text_free(&text);
    likeness_compare(&likeness, 0.5);
    ck_assert_uint_eq(likeness.n_pairs, 1);
    ck_assert_double_eq(likeness.pairs[0].code, 0);
    ck_assert_double_eq(likeness.pairs[0].text, 1);
    ck_assert_double_eq(likeness.pairs[0].likeness, 1);
}
END_TEST

START_TEST(a_short_kernel_says_nothing)
{
    static const char brief[] =
        ".visible .entry k(.param .u64 k_0) { .reg .f32 %f<3>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [k_0];\n"
        "ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1; st.global.f32 [%rd1], %f2; ret; }\n";
    file(with(brief, NULL, NULL));
    file(with(brief, NULL, NULL));
    likeness_compare(&likeness, 0);
    ck_assert(!likeness_says(&likeness, 0, 0));
    ck_assert_double_eq(share(0, 1), 0);
    ck_assert_uint_eq(likeness.n_pairs, 0);
}
END_TEST

START_TEST(a_kernel_that_is_missing_is_like_none)
{
    file(chains(F32));
    file(with(".visible .entry other() { ret; }\n", NULL, NULL));
    likeness_compare(&likeness, 0);
    ck_assert_double_eq(share(0, 1), 0);
    ck_assert_uint_eq(likeness.n_pairs, 0);
}
END_TEST

/* --- a large class -------------------------------------------------------------------------------------------------------- */

enum { FILES = 1000, INSNS = 300, COPIES = 5 };

/* A file of random instructions, of which a third are what everyone draws from the same few; registers are numbered from `base`. */
static const char *drawn(unsigned seed, unsigned base) {
    static const char *const ops[] = {"add.s32", "sub.s32", "mul.lo.s32", "xor.b32", "and.b32", "or.b32", "min.s32", "max.u32"};
    static Text text;
    text_free(&text);
    text_add(&text, "%s.visible .entry k(.param .u64 k_0) { .reg .b32 %%r<%u>; mov.u32 %%r%u, %%tid.x;\n", head,
             base + INSNS + 2, base);
    for (unsigned i = 1, own = seed * 2654435761u + 1, shared = 99; i <= INSNS; i++) {
        unsigned *draw = i % 3 ? &own : &shared;
        *draw = *draw * 1664525 + 1013904223;
        unsigned from = base + (*draw >> 20) % i, op = *draw >> 9 & 7, constant = i % 3 ? *draw >> 12 & 15 : 1;
        text_add(&text, "%s %%r%u, %%r%u, %u;\n", ops[op], base + i, i % 3 ? from : base, constant);
    }
    text_add(&text, "ret; }\n");
    return text.data;
}

/* Processor time, some two hundred times what it takes: a bound for how it is done, not for the machine. */
START_TEST(a_thousand_are_no_burden)
{
    clock_t before = clock();
    for (unsigned i = 0; i < FILES - COPIES; i++) file(drawn(i, 0));
    for (unsigned i = 0; i < COPIES; i++) file(drawn(100 * i, 777)); /* of 0, 100, … */
    likeness_compare(&likeness, 0.2);
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < 100, "%.1f s", seconds);
    if (getenv("SHOW")) printf("%d files: %.2f s, %zu pairs\n", FILES, seconds, likeness.n_pairs);
    ck_assert_uint_ge(likeness.n_pairs, COPIES);
    for (unsigned i = 0; i < COPIES; i++) {
        const LikenessPair *pair = &likeness.pairs[i];
        ck_assert_double_eq(pair->likeness, 1);
        ck_assert_uint_eq(pair->a, 100 * (pair->b - (FILES - COPIES)));
    }
    if (likeness.n_pairs > COPIES) ck_assert_double_lt(likeness.pairs[COPIES].likeness, 0.5);
}
END_TEST

SUITE_WITH("likeness", begin, end, what_is_rewritten_is_the_same, a_changed_constant_is_near_and_another_algorithm_far,
           REPEATED(sizeof changes / sizeof *changes, a_changed_operation_is_seen), a_function_that_is_called_counts,
           REPEATED(8, equality_is_the_same_both_ways), lines_that_do_the_same_are_found, likeness_is_what_both_have,
           what_is_given_does_not_count, what_all_have_weighs_nothing, a_short_kernel_says_nothing,
           a_kernel_that_is_missing_is_like_none, a_thousand_are_no_burden,
           files_of_elsewhere_are_compared_with_the_class_alone, what_is_written_alike_is_alike)
