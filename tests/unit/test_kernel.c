/* What is known of a kernel before it runs (kernel/kernel.h), and what an instruction reads and writes (ptx/walk.h): read off the text by hand. */
#include "kernel/kernel.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "parsed.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

#define MODULE ".version 7.8\n.target sm_80\n.address_size 64\n"
#define REGISTERS ".reg .pred p, q; .reg .b32 a, b, c, d; .reg .b64 x, y; .reg .f32 f, g;\n"

/* Kernel k of this body, behind a function that it may call. */
static Program *with_body(const char *before, const char *body) {
    return parsed_of(MODULE "%s.entry k(.param .u64 in)\n{\n" REGISTERS "%s\nret;\n}\n", before, body);
}

/* Names, as a set: "a p x". */
static void walked(const Function *function, RegisterWalk at, const char *expected) {
    bool seen[16] = {false};
    char got[100] = "";
    while (walk_next(&at)) seen[at.index] = true;
    for (uint32_t r = 0; r < function->n_registers; r++)
        if (seen[r]) sprintf(got + strlen(got), "%s%s", *got ? " " : "", function->registers[r].name);
    ck_assert_str_eq(got, expected);
}

START_TEST(an_instruction_reads_and_writes_these_registers)
{
    static const struct {
        const char *insn, *reads, *writes;
    } rows[] = {
        {"add.u32 a, b, 1;", "b", "a"},
        {"@!p add.u32 a, a, b;", "p a b", "a"},
        {"setp.eq.and.u32 p|q, a, b, !q;", "q a b", "p q"},
        {"ld.global.v2.u32 {a, b}, [x+8];", "x", "a b"},
        {"ld.shared.u32 a, [tile+4];", "", "a"},
        {"@p st.global.u32 [x], a;", "p a x", ""},
        {"atom.global.cas.b32 a, [x], b, c;", "b c x", "a"},
        {"shfl.sync.bfly.b32 a|p, b, 1, 31, -1;", "b", "p a"},
        {"shfl.sync.bfly.b32 a|_, b, 1, 31, -1;", "b", "a"},
        {"mov.b64 {a, b}, x;", "x", "a b"},
        {"@q call (a), fn, (b, 3);", "q b", "a"},
        {"@p bra L;", "p", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[200];
        snprintf(body, sizeof body, "%s\nL:", rows[i].insn);
        Program *program =
            with_body(".shared .b32 tile[4];\n.func (.reg .b32 r) fn(.reg .b32 s, .reg .b32 t) { mov.u32 r, s; ret; }\n", body);
        const Function *function = prepared(program, "k")->function;
        walked(function, walk_reads(&program->insns[function->first]), rows[i].reads);
        walked(function, walk_writes(&program->insns[function->first]), rows[i].writes);
        program_free(program);
    }
}
END_TEST

START_TEST(a_call_through_a_pointer_reads_it)
{
    Program *program = with_body(".func fn(.reg .b32 s) { ret; }\n",
                                 "t: .callprototype _ (.reg .b32 _); mov.u64 x, fn; mov.u32 a, 1; call x, (a), t;");
    const Function *function = prepared(program, "k")->function;
    walked(function, walk_reads(&program->insns[function->first + 2]), "a x");
    program_free(program);
}
END_TEST

START_TEST(a_program_keeps_its_kernels)
{
    Program *program = parsed(MODULE ".entry one() { ret; }\n.entry two() { ret; }\n");
    const Kernel *one = prepared(program, "one"), *two = prepared(program, "two");
    ck_assert(one != two && one == prepared(program, "one") && two == prepared(program, "two"));
    ck_assert(one->traits == two->traits && one->trips == two->trips && one->flows == two->flows);
    program_free(program);
}
END_TEST

START_TEST(traits_tell_what_becomes_of_results)
{
    static const struct {
        const char *body; /* the first instruction's traits */
        unsigned traits;
    } rows[] = {
        {"ld.global.u32 a, [x]; st.global.u32 [y], a;", 0},
        {"ld.global.u32 a, [x]; ld.global.u32 b, [x+4]; st.global.u32 [y], a; st.global.u32 [y], b;", TRAIT_PIECE},
        {"ld.global.u32 a, [x]; ld.global.u32 b, [x]; st.global.u32 [y], a; st.global.u32 [y], b;", 0}, /* one place */
        {"ld.global.u32 a, [x]; ld.global.u32 b, [y+4]; st.global.u32 [y], a; st.global.u32 [y], b;", 0},
        {"ld.global.v2.u32 {a, b}, [x]; st.global.v2.u32 [y], {a, b};", TRAIT_PIECE},
        {"ld.global.u32 a, [x];", TRAIT_UNREAD},
        {"atom.global.cas.b32 a, [x], b, c; st.global.u32 [x], a;", TRAIT_CORRECTS},
        {"atom.global.exch.b32 a, [x], b;", TRAIT_EXCHANGE | TRAIT_UNREAD},
        {"atom.global.exch.b32 a, [x], b; st.global.u32 [y], a;", TRAIT_EXCHANGE},
        {"atom.global.inc.u32 a, [x], b; st.global.u32 [x], a;", 0}, /* what is there decides */
        {"atom.global.dec.u32 a, [x], b; st.global.u32 [x], a;", 0},
        {"red.global.max.u32 [x], b;", TRAIT_CORRECTS},
        {"red.global.min.s32 [x], b;", TRAIT_CORRECTS},
        {"red.global.add.f32 [x], f;", TRAIT_SUMS},
        {"red.global.add.u32 [x], b;", 0},
        {"atom.global.and.b32 a, [x], b; st.global.u32 [x], a;", 0},
        {"add.u32 a, b, c; st.global.u32 [x], a;", 0}, /* what is stored is read */
        {"add.u32 a, b, c;", TRAIT_UNREAD},
        {"add.u32 a, b, c; ld.global.u32 d, [x]; add.u32 a, a, d;", TRAIT_UNREAD}, /* what reads it is left out, too */
        {"mov.u32 a, 0; L: add.u32 a, a, 1; @p bra L;", TRAIT_UNREAD},             /* a sum that only it reads */
        {"add.u32 a, b, c; ld.volatile.global.u32 d, [x]; @p st.global.u32 [y], a;", 0},
        {"setp.eq.u32 p, a, b; shfl.sync.idx.b32 a|q, c, 1, 31, -1; vote.sync.any.pred p, p, -1;", TRAIT_UNREAD},
        {"add.cc.u32 a, b, c; addc.u32 d, b, c; st.global.u32 [y], d;", TRAIT_UNREAD},
        {"mov.u32 b, 1; add.cc.u32 a, b, c; addc.u32 d, b, c; st.global.u32 [y], d;", 0}, /* the carry is used */
        {"setp.eq.u32 p, a, b; @p bra L; L:", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Program *program = with_body("", rows[i].body);
        const Kernel *kernel = prepared(program, "k");
        ck_assert_msg(kernel->traits[kernel->function->first] == rows[i].traits, "%s: %u", rows[i].body,
                      kernel->traits[kernel->function->first]);
        program_free(program);
    }
}
END_TEST

/* What ptxas 13.0 makes of them for sm_90, read from its machine code: LDG, LDG.64, LDG.128, or nothing. */
START_TEST(loads_take_what_is_used)
{
    enum { AS_IS = 9 };
    static const struct {
        const char *load, *use;
        uint8_t count, offset[NARROWED_MOST], bytes[NARROWED_MOST];
    } rows[] = {
        {"ld.global.u32 a, [x];", "", 0, {0}, {0}},
        {"ld.global.nc.L1::evict_last.u32 a, [x];", "", 0, {0}, {0}},
        {"ld.acquire.gpu.global.u32 a, [x];", "", 0, {0}, {0}},
        {"ld.volatile.global.u32 a, [x];", "", AS_IS, {0}, {0}},
        {"ld.mmio.relaxed.sys.global.u32 a, [x];", "", AS_IS, {0}, {0}},
        {"ld.global.u32 a, [x];", "match.any.sync.b32 b, a, -1; redux.sync.add.u32 c, a, -1;", 0, {0}, {0}},
        {"ld.global.u32 a, [x];", "st.global.u32 [y], a;", AS_IS, {0}, {0}},
        {"ld.global.u32 a, [x];", "add.u32 b, a, 1; st.global.u32 [y], c;", 0, {0}, {0}},
        {"ld.global.u32 a, [x];", "setp.eq.u32 p, a, 1; @p st.global.u32 [y], c;", AS_IS, {0}, {0}},
        {"ld.global.v4.u32 {a, b, c, d}, [x];", "", 0, {0}, {0}},
        {"ld.global.v4.u32 {a, b, c, d}, [x];", "st.global.u32 [y], b;", 1, {4}, {4}},
        {"ld.global.v4.u32 {a, b, c, d}, [x];", "st.global.v2.u32 [y], {a, b};", 1, {0}, {8}},
        {"ld.shared.v4.u32 {a, b, c, d}, [x];", "st.global.v2.u32 [y], {c, d};", 1, {8}, {8}},
        {"ld.global.v4.u32 {a, b, c, d}, [x];", "st.global.v2.u32 [y], {b, c};", 2, {4, 8}, {4, 4}},
        {"ld.shared.v4.u32 {a, b, c, d}, [x];", "st.global.v2.u32 [y], {a, d};", 2, {0, 12}, {4, 4}},
        {"ld.global.v4.u32 {a, b, c, _}, [x];", "st.global.v4.u32 [y], {a, b, c, c};", AS_IS, {0}, {0}},
        {"ld.global.v4.u32 {a, b, c, d}, [x];", "st.global.v4.u32 [y], {a, b, c, d};", AS_IS, {0}, {0}},
        {"ld.global.v2.u64 {x, y}, [x];", "st.global.u64 [x], y;", AS_IS, {0}, {0}}, /* x is the address */
        {"ld.global.v2.u64 {z, y}, [x];", "st.global.u64 [x], y;", 1, {8}, {8}},
        {"ld.global.v4.b16 {h, i, j, k}, [x];", "st.global.b16 [y], k;", 1, {6}, {2}},
        {"ld.global.v4.b16 {h, i, j, k}, [x];", "st.global.v2.b16 [y], {j, k};", 1, {4}, {4}},
        {"ld.global.v4.b16 {h, i, j, k}, [x];", "st.global.v2.b16 [y], {i, k};", AS_IS, {0}, {0}},
        {"ld.global.v4.b8 {h, i, j, k}, [x];", "st.global.b8 [y], i;", AS_IS, {0}, {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[300];
        snprintf(body, sizeof body, ".reg .b16 h, i, j, k; .reg .b64 z;\n%s %s", rows[i].load, rows[i].use);
        Program *program = with_body("", body);
        const Kernel *kernel = prepared(program, "k");
        const Narrowed none = {0}, *got = kernel->narrowed ? &kernel->narrowed[kernel->function->first] : &none;
        const bool as_is = rows[i].count == AS_IS;
        ck_assert_msg(got->changed == !as_is && (as_is || got->count == rows[i].count), "%s %s: %d, %u", rows[i].load,
                      rows[i].use, got->changed, got->count);
        for (uint8_t part = 0; part < got->count; part++)
            ck_assert_msg(got->offset[part] == rows[i].offset[part] && got->bytes[part] == rows[i].bytes[part], "%s %s: %u+%u",
                          rows[i].load, rows[i].use, got->offset[part], got->bytes[part]);
        program_free(program);
    }
}
END_TEST

/* As ptxas 13.0 makes them for sm_90: two LDS, or one LDS.64. */
START_TEST(what_is_used_is_joined)
{
    static const struct {
        const char *loads;
        uint8_t first, second; /* joins of these */
    } rows[] = {
        {"ld.shared.v2.u32 {a, b}, [m]; ld.shared.v2.u32 {c, d}, [m+8]; add.u32 e, b, d;", JOIN_NONE, JOIN_NONE},
        {"ld.shared.u32 a, [m]; ld.shared.v2.u32 {b, c}, [m+8]; add.u32 e, a, b;", JOIN_NONE, JOIN_NONE},
        {"ld.shared.v4.u32 {a, b, c, d}, [m]; ld.shared.u32 e, [m+12]; add.u32 e, e, b;", JOIN_NONE, JOIN_NONE},
        {"ld.shared.v4.u32 {a, b, c, d}, [m]; ld.shared.u32 e, [m]; add.u32 e, e, b;", 8, JOIN_TAKEN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[300];
        snprintf(body, sizeof body, ".reg .b32 e; .shared .align 16 .b8 m[64];\n%s st.global.u32 [x], e;", rows[i].loads);
        Program *program = with_body("", body);
        const Kernel *kernel = prepared(program, "k");
        const uint8_t *joins =
            kernel->joins ? kernel->joins + kernel->function->first : (const uint8_t[]){JOIN_NONE, JOIN_NONE};
        ck_assert_msg(joins[0] == rows[i].first && joins[1] == rows[i].second, "%s: %u, %u", rows[i].loads, joins[0], joins[1]);
        program_free(program);
    }
}
END_TEST

START_TEST(a_kernel_has_what_the_functions_that_it_calls_have)
{
    static const struct {
        const char *insn;
        uint32_t global, shared; /* granules */
        bool fenced, counted, clock, local_seen;
    } rows[] = {
        {"add.u32 a, b, c;", 4, 4, false, false, false, true},
        {"ld.global.u8 a, [x];", 1, 4, false, false, false, true},
        {"st.shared.u16 [a], b;", 4, 2, false, false, false, true},
        {"ld.v2.u8 {a, b}, [x];", 2, 2, false, false, false, true}, /* generic: either */
        {"atom.global.add.u64 x, [y], x;", 4, 4, false, false, false, true},
        {"membar.gl;", 4, 4, true, false, false, true},
        {"ld.acquire.gpu.global.u32 a, [x];", 4, 4, true, false, false, true},
        {"bar.sync 1, 64;", 4, 4, false, true, false, true},
        {"bar.sync 1;", 4, 4, false, false, false, true},
        {"bar.arrive 1, 64;", 4, 4, false, true, false, true},
        {"bar.red.popc.u32 a, 1, p;", 4, 4, false, false, false, true}, /* one operand more, which is the vote */
        {"bar.red.popc.u32 a, 1, 64, p;", 4, 4, false, true, false, true},
        {"bar.warp.sync -1;", 4, 4, false, false, false, true},
        {"ld.relaxed.gpu.global.u32 a, [x];", 4, 4, false, false, false, true},
        {"atom.acq_rel.gpu.global.add.u32 a, [x], 1;", 4, 4, true, false, false, true},
        {"mov.u32 a, %clock;", 4, 4, false, false, true, true},
        {"mov.u64 x, %globaltimer;", 4, 4, false, false, true, true},
        {"barrier.cluster.arrive; barrier.cluster.wait;", 4, 4, true, false, false, true},
        /* what they move is known, a word or more at a time; of a tensor's box and of texels when they run */
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {a}, [b];", 4, 4, false, false, false, true},
        {"cp.async.ca.shared.global [a], [x], 4;", 4, 4, false, false, false, true},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [a], [x], 16, [b];", 4, 4, true, false, false,
         true},
        {"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [a], [x, {b}], [c];", 1, 1, true,
         false, false, true},
        {"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [x, {b}], [a];", 1, 1, true, false, false, true},
        {"tex.1d.v4.u32.s32 {a, b, c, a}, [x, {b}];", 1, 4, false, false, false, true},
        {"suld.b.1d.v2.b8.trap {a, b}, [x, {c}];", 2, 4, false, false, false, true},
        {"sust.b.1d.b64.trap [x, {c}], y;", 4, 4, false, false, false, true},
        {"mov.u64 x, s;", 4, 4, false, false, false, false}, /* a parameter in memory, which the call writes */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int called = 0; called < 2; called++) {
            Text before = {0};
            text_add(&before, ".func fn(.param .b32 s) { " REGISTERS "%s ret; }\n", rows[i].insn);
            Program *program = with_body(text_string(&before), called ? "{ .param .b32 v; call fn, (v); }" : "");
            const Kernel *kernel = prepared(program, "k");
            ck_assert_msg(kernel->global_granule == (called ? rows[i].global : 4), "%s", rows[i].insn);
            ck_assert_msg(kernel->shared_granule == (called ? rows[i].shared : 4), "%s", rows[i].insn);
            ck_assert_msg(kernel->fenced == (called && rows[i].fenced), "%s", rows[i].insn);
            ck_assert_msg(kernel->counted_barriers == (called && rows[i].counted), "%s", rows[i].insn);
            ck_assert_msg(kernel->reads_clock == (called && rows[i].clock), "%s", rows[i].insn);
            ck_assert_msg(kernel->local_seen == (!called || rows[i].local_seen), "%s", rows[i].insn);
            program_free(program);
            text_free(&before);
        }
    }
}
END_TEST

/* No call writes a kernel's own. */
START_TEST(a_kernels_parameter_may_have_its_address_taken)
{
    Program *program = with_body("", "mov.u64 x, in;");
    ck_assert(prepared(program, "k")->local_seen);
    program_free(program);
}
END_TEST

/* elect needs 9.0, redux 8.0, mbarrier as ptxas 13.0 has it by form; what is left out is refused on every device. */
START_TEST(a_kernel_says_why_it_cannot_be_launched)
{
    Program *program = with_body(".func fn() { " REGISTERS "elect.sync a|p, -1; ret; }\n", "redux.sync.add.u32 a, b, -1;");
    const Kernel *kernel = prepared(program, "k");
    ck_assert(!kernel->refused && kernel->need.since == 80 && program->insns[kernel->need.insn].op == OP_redux);
    program_free(program);
    program = with_body(".func fn() { " REGISTERS "elect.sync a|p, -1; ret; }\n", "redux.sync.add.u32 a, b, -1; call fn;");
    kernel = prepared(program, "k");
    ck_assert(!kernel->refused && kernel->need.since == 90 && program->insns[kernel->need.insn].op == OP_elect);
    program_free(program);
    static const struct {
        const char *insn;
        unsigned since;
    } forms[] = {{"min.NaN.f32 f, f, g;", 80}, /* the second of two flags that came later, .relu the first */
                 {"mbarrier.arrive.shared.b64 x, [a];", 80},
                 {"mbarrier.arrive.noComplete.shared.b64 x, [a], 1;", 80},
                 {"mbarrier.arrive.shared.b64 x, [a], 1;", 90},
                 {"mbarrier.arrive.relaxed.cta.shared.b64 x, [a];", 90},
                 {"mbarrier.arrive.expect_tx.shared.b64 x, [a], 1;", 90},
                 {"mbarrier.test_wait.parity.acquire.cta.shared.b64 p, [a], 0;", 80},
                 {"mbarrier.test_wait.acquire.cluster.shared.b64 p, [a], x;", 90},
                 {"mbarrier.try_wait.shared.b64 p, [a], x;", 90},
                 {"mbarrier.complete_tx.shared.b64 [a], 1;", 90}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        program = with_body("", forms[i].insn);
        ck_assert_msg(prepared(program, "k")->need.since == forms[i].since, "%s", forms[i].insn);
        program_free(program);
    }
    program = parsed_partly(MODULE ".func fn() { " REGISTERS "tex.cube.v4.f32.f32 {f, f, f, f}, [x, {g, g, g, g}]; ret; }\n"
                                   ".entry k() { call fn; ret; }\n");
    ck_assert_ptr_nonnull(prepared(program, "k")->refused);
    program_free(program);
}
END_TEST

SUITE("kernel", an_instruction_reads_and_writes_these_registers, a_call_through_a_pointer_reads_it, a_program_keeps_its_kernels,
      traits_tell_what_becomes_of_results, loads_take_what_is_used, what_is_used_is_joined,
      a_kernel_has_what_the_functions_that_it_calls_have, a_kernels_parameter_may_have_its_address_taken,
      a_kernel_says_why_it_cannot_be_launched)
