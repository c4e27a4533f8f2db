/* What a kernel can reach: functions, depth of calls, shared variables, and whether its blocks may learn of each other (kernel/reach.h). */
#include <string.h>

#include "base/text.h"
#include "kernel/kernel.h"
#include "machine/module.h"
#include "parsed.h"

#define MODULE ".version 7.0\n.target sm_75\n.address_size 64\n"

typedef struct Found {
    Program *program;
    Reach reach;
} Found;

static Found find(const char *text) {
    Program *program = parsed(text);
    return (Found){program, prepared(program, "k")->reach};
}

static void found_free(Found *found) { program_free(found->program); }

/* f1 calls f2 calls … so many; the kernel calls the first, or, the last first, all of them. Declared before, so that the order of bodies is free. */
static void chain(Text *text, int functions, bool all) {
    text_add(text, MODULE);
    for (int i = 1; i <= functions; i++) text_add(text, ".func f%d();\n", i);
    for (int i = 1; i <= functions; i++)
        i < functions ? text_add(text, ".func f%d() { call f%d; ret; }\n", i, i + 1)
                      : text_add(text, ".func f%d() { ret; }\n", i);
    text_add(text, ".func unused() { trap; }\n.entry k() {\n");
    for (int i = all ? functions : 1; i > 0; i--) text_add(text, "call f%d;\n", i);
    text_add(text, "ret; }\n");
}

START_TEST(calls_are_as_deep_as_their_longest_chain)
{
    /* A chain of more than 64 calls counts as unbounded, where the order of functions does not show how deep it is. */
    for (int functions = 1; functions <= 65; functions++) {
        for (int all = functions == 65; all < 2; all++) {
            Text text = {0};
            chain(&text, functions, all);
            Found found = find(text_string(&text));
            ck_assert_uint_eq(found.reach.n_functions, (unsigned)functions + 1);
            ck_assert_msg(found.reach.unbounded_calls == (functions > 64), "%d functions", functions);
            if (!found.reach.unbounded_calls) ck_assert_uint_eq(found.reach.call_depth, (unsigned)functions + 1);
            found_free(&found);
            text_free(&text);
        }
    }
    static const struct {
        const char *text;
        uint32_t functions, depth;
        bool unbounded;
    } rows[] = {
        {MODULE ".entry k() { ret; }\n", 1, 1, false},
        {MODULE ".func a() { ret; }\n.func b() { call a; call a; ret; }\n.entry k() { call a; call b; call a; ret; }\n", 3, 3,
         false},
        {MODULE ".func a();\n.func a() { call a; ret; }\n.entry k() { call a; ret; }\n", 2, 0, true},
        {MODULE ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                ".entry k() { .reg .b32 r; call (r), vprintf, (0, 0); ret; }\n",
         1, 1, false},
        /* a call through a register reaches all functions that have a body, and no kernel */
        {MODULE ".func a() { ret; }\n.func b() { ret; }\n.entry other() { ret; }\n"
                ".entry k() { .reg .b64 d; p: .callprototype _ (); mov.u64 d, a; call d, (), p; ret; }\n",
         3, 0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Found found = find(rows[i].text);
        ck_assert_msg(found.reach.n_functions == rows[i].functions, "row %zu: %u functions", i, found.reach.n_functions);
        ck_assert_msg(found.reach.unbounded_calls == rows[i].unbounded, "row %zu", i);
        if (!rows[i].unbounded) ck_assert_uint_eq(found.reach.call_depth, rows[i].depth);
        found_free(&found);
    }
}
END_TEST

/* What a block does by these instructions may depend on what another one did before. */
START_TEST(blocks_that_may_learn_of_each_other_are_ordered)
{
    static const struct {
        const char *body;
        bool ordered;
    } rows[] = {
        {"ld.global.u32 r, [d]; st.global.u32 [d], r;", false},
        {"ld.volatile.global.u32 r, [d];", true},
        {"ld.acquire.gpu.u32 r, [d];", true},
        {"ld.volatile.shared.u32 r, [sv];", false},
        {"st.release.gpu.global.u32 [d], r;", true},
        {"st.volatile.shared.u32 [sv], r;", false},
        {"membar.gl;", true},
        {"fence.acq_rel.gpu;", true},
        {"red.global.add.u32 [d], 1;", false},
        {"red.global.max.s32 [d], 1;", false},
        {"red.global.min.s32 [d], 1;", false},
        {"red.global.and.b32 [d], 1;", false},
        {"red.global.or.b32 [d], 1;", false},
        {"red.global.xor.b32 [d], 1;", false},
        {"red.global.add.f32 [d], f;", true}, /* sums of floats depend on the order */
        {"red.global.inc.u32 [d], 7;", true},
        {"red.global.dec.u32 [d], 7;", true},
        {"red.shared.add.f32 [sv], f;", false},
        {"red.add.f32 [d], f;", true}, /* generic addresses may be global */
        {"red.add.u32 [d], 1;", false},
        {"atom.global.add.u32 r, [d], 1;", false},
        {"atom.global.add.u32 _, [d], 1;", false},
        {"atom.global.exch.b32 _, [d], 1;", true},
        {"atom.global.cas.b32 r, [d], 1, 2;", true},
        {"atom.shared.cas.b32 r, [sv], 1, 2;", false},
        /* the old value is read: by an instruction, as an address, by a store, by a call, as a guard's register */
        {"atom.global.add.u32 r, [d], 1; add.u32 q, q, r; st.global.u32 [d], q;", true},
        {"atom.global.add.u32 r, [d], 1; add.u32 q, q, r;", false}, /* which nothing comes of */
        {"atom.global.add.u32 r, [d], 1; mov.u32 r, 5;", false},
        {"atom.global.add.u64 e, [d], 1; st.global.u32 [e], 5;", true},
        {"atom.global.add.u32 r, [d], 1; st.global.u32 [d], r;", true},
        {"atom.global.add.u32 r, [d], 1; call callee, (r);", true},
        {"atom.global.add.u32 r, [d], 1; call callee, (q);", false},
        {"atom.global.add.u32 r, [d], 1; @p bra L; add.u32 q, q, 1; L:", false},
        {"call heap, (1);", false},
        {"call (e), malloc, (e);", true},
        {"call free, (e);", true},
        {"call fences;", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text text = {0};
        text_add(
            &text,
            MODULE
            ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
            ".extern .func heap(.param .b32 n);\n.func callee(.param .b32 n) { ret; }\n.func fences() { membar.gl; ret; }\n"
            ".shared .u32 sv;\n.entry k() { .reg .pred p; .reg .b32 r, q; .reg .b64 d, e; .reg .f32 f;\n%s ret; }\n",
            rows[i].body);
        Found found = find(text_string(&text));
        ck_assert_msg(found.reach.ordered == rows[i].ordered, "%s", rows[i].body);
        found_free(&found);
        text_free(&text);
    }
}
END_TEST

/* A function of the program's own is what its body is, whatever it is called. */
START_TEST(a_program_may_have_a_malloc_of_its_own)
{
    for (int own = 0; own < 2; own++) {
        Text text = {0};
        text_add(&text,
                 MODULE
                 "%s .func (.param .b64 r) malloc(.param .b64 n)%s\n.entry k() { .reg .b64 e; call (e), malloc, (e); ret; }\n",
                 own ? "" : ".extern", own ? " { ret; }" : ";");
        Found found = find(text_string(&text));
        ck_assert_int_eq(found.reach.ordered, !own);
        found_free(&found);
        text_free(&text);
    }
}
END_TEST

START_TEST(shared_variables_that_are_used_follow_each_other_and_dynamic_ones_the_last)
{
    /* a: bytes 0 to 2, b aligned to 8 at 8, unused: nowhere; 12 static bytes; the dynamic arrays begin together, at a multiple of 16 or 32. */
    static const struct {
        const char *use;
        uint64_t a, b, x, y;
        uint32_t fixed;
    } rows[] = {
        {"ld.shared.u8 r, [a]; ld.shared.u32 r, [b];", 0, 8, UINT64_MAX, UINT64_MAX, 12},
        {"ld.shared.u32 r, [b];", UINT64_MAX, 0, UINT64_MAX, UINT64_MAX, 4},
        {"ld.shared.u8 r, [a]; mov.u32 r, x;", 0, UINT64_MAX, 16, UINT64_MAX, 16},
        {"ld.shared.u8 r, [a]; ld.shared.u32 r, [b]; mov.u32 r, x; mov.u32 r, y;", 0, 8, 32, 32, 32},
        {"ld.shared.u8 r, [a]; ld.shared.u32 r, [b]; mov.u32 r, y; mov.u32 r, z;", 0, 8, UINT64_MAX, 32,
         32}, /* z asks for less than y */
        {"mov.u32 r, 7;", UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0},
        {"call uses;", UINT64_MAX, 0, UINT64_MAX, UINT64_MAX, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text text = {0};
        text_add(&text,
                 MODULE ".shared .b8 a[3], unused[100];\n.shared .align 8 .b32 b;\n.extern .shared .align 4 .b8 x[];\n"
                        ".extern .shared .align 32 .b8 y[];\n.extern .shared .align 8 .b8 z[];\n.func uses() { .reg .b32 r; "
                        "ld.shared.u32 r, [b]; ret; }\n"
                        ".entry k() { .reg .b32 r; %s ret; }\n",
                 rows[i].use);
        Found found = find(text_string(&text));
        for (uint32_t v = 0; v < found.program->n_variables; v++) {
            const char *name = found.program->variables[v].name;
            const uint64_t wanted = !strcmp(name, "a")                                 ? rows[i].a
                                    : !strcmp(name, "b")                               ? rows[i].b
                                    : !strcmp(name, "x")                               ? rows[i].x
                                    : !strcmp(name, "y")                               ? rows[i].y
                                    : !strcmp(name, "z") && strstr(rows[i].use, " z;") ? rows[i].y
                                                                                       : UINT64_MAX;
            ck_assert_msg(found.reach.shared_offset[v] == wanted, "%s: '%s' at %lld", rows[i].use, name,
                          (long long)found.reach.shared_offset[v]);
        }
        ck_assert_msg(found.reach.shared_static == rows[i].fixed, "%s: %u", rows[i].use, found.reach.shared_static);
        found_free(&found);
        text_free(&text);
    }
}
END_TEST

START_TEST(what_a_module_allocates_it_releases)
{
    Program *program =
        parsed(MODULE ".global .u32 a = 7;\n.const .u32 c[2];\n.shared .u32 s;\n.global .u64 at = a;\n.entry k() { ret; }\n");
    Memory *memory = memory_new();
    Module *module = module_load(program, memory, NULL);
    ck_assert_uint_eq(memory_count(memory), 3);
    uint64_t address;
    memcpy(&address, module->variables[3]->host, sizeof address);
    ck_assert_uint_eq(address, module->variables[0]->address);
    ck_assert(module->variables[1]->constant && !module->variables[2] && *module->variables[0]->host == 7);
    module_unload(module, memory);
    ck_assert_uint_eq(memory_count(memory), 0);
    module_unload(NULL, memory);
    memory_free(memory);
    program_free(program);
}
END_TEST

SUITE("reach", calls_are_as_deep_as_their_longest_chain, blocks_that_may_learn_of_each_other_are_ordered,
      a_program_may_have_a_malloc_of_its_own, shared_variables_that_are_used_follow_each_other_and_dynamic_ones_the_last,
      what_a_module_allocates_it_releases)
