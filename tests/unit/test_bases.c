/* To what a kernel's stores may lead (kernel/bases.h), read off the text by hand, and that reads of all else leave no marks and hide no race. */
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "parsed.h"

#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n.global .align 8 .b8 v[256];\n.const .align 8 .b8 c[64];\n"
/* i: the thread's number; x and y: the first two pointers, z: a number. */
#define KERNEL                                                                                                               \
    ".entry k(.param .u64 a, .param .u64 b, .param .u64 n, .param .align 8 .b8 s[24])\n{\n.reg .pred p, q; .reg .b32 i, j, " \
    "r; "                                                                                                                    \
    ".reg .b64 x, y, z, d, e, f;\nld.param.u64 x, [a]; ld.param.u64 y, [b]; ld.param.u64 z, [n]; mov.u32 i, %%tid.x;\n"      \
    "mul.wide.u32 d, i, 4; setp.eq.u64 p, x, y;\n%s\nret;\n}\n"

/* "0 8 v": where in the parameter block, a variable's name; "any". */
static void expect(const char *functions, const char *body, const char *expected) {
    Program *program = parsed_of(HEAD "%s" KERNEL, functions, body);
    const StoreBases *stored = &prepared(program, "k")->stored;
    LOCAL_TEXT got = {0};
    for (size_t i = 0; i < stored->count && !stored->any; i++) {
        if (i) text_add(&got, " ");
        if (stored->bases[i].is_variable)
            text_add(&got, "%s", program->variables[stored->bases[i].at].name);
        else
            text_add(&got, "%u", stored->bases[i].at);
    }
    const char *text = stored->any ? "any" : text_string(&got);
    ck_assert_msg(strcmp(text, expected) == 0, "%s: %s, not %s", body, text, expected);
    program_free(program);
}

START_TEST(a_stores_address_is_derived_from_its_pointer)
{
    static const struct {
        const char *body, *bases;
    } rows[] = {
        {"ld.global.u32 r, [x];", ""},
        {"st.global.u32 [x+4], r;", "0"},
        {"red.global.add.u32 [y], r;", "8"},
        {"atom.global.exch.b32 r, [y], 1;", "8"},
        {"add.s64 e, x, d; st.global.u32 [e], r;", "0"},
        {"cvta.to.global.u64 e, y; st.global.u32 [e], r;", "8"},
        {"st.u32 [x], r;", "0"}, /* generic */
        {"st.shared.u32 [i], r; st.local.u32 [d], r;", ""},
        {"mad.wide.u32 e, i, 4, y; st.global.u32 [e], r;", "8"},
        {"shl.b64 e, z, 2; add.s64 e, e, x; st.global.u32 [e], r;", "0 16"}, /* a number is none of an allocation */
        {"@p mov.u64 x, y; st.global.u32 [x], r;", "0 8"},
        {"selp.b64 e, x, y, p; st.global.u32 [e], r;", "0 8"},
        {"L: st.global.u32 [x], r; mov.u64 e, x; mov.u64 x, y; mov.u64 y, e; @p bra L;", "0 8"}, /* swapped in a loop */
        {"sub.s64 e, y, x; div.s64 e, e, 12; mad.lo.s64 e, e, 12, x; st.global.u32 [e], r;", "0 8"},
        {"and.b64 e, x, -16; or.b64 e, e, 4; st.global.u32 [e], r;", "0"},
        {"mov.b64 {i, j}, y; mov.b64 e, {i, j}; st.global.u32 [e], r;", "8"},
        {"ld.param.u64 e, [s+8]; st.global.u32 [e], r;", "32"},
        {"ld.param.v2.u64 {d, e}, [s]; st.global.u32 [e], r;", "24 32"},
        {"mov.u64 e, v; add.s64 e, e, d; st.global.u32 [e], r;", "v"},
        {"st.global.u32 [v+4], r; st.global.u32 [x], r;", "0 v"},
        {"ld.global.u32 j, [y]; mul.wide.s32 e, j, 4; add.s64 e, e, x; st.global.u32 [e], r;", "0"},
        {"ld.global.u64 d, [y]; shl.b64 z, d, 2; add.s64 e, x, z; st.global.u32 [e], r;", "0 16"}, /* indices from memory */
        {"ld.global.u32 j, [y]; cvt.u64.u32 e, j; add.s64 e, e, x; st.global.u8 [e], r;", "0"},
        {"ld.global.u64 e, [x]; st.global.u32 [e], r;", "any"},
        {"ld.global.v2.u64 {d, e}, [x]; st.global.u32 [e], r;", "any"},
        {"ld.global.v2.u32 {i, j}, [x]; mov.b64 e, {i, j}; st.global.u32 [e], r;", "any"},                  /* by halves */
        {"ld.global.v2.u32 {i, j}, [x]; mov.b64 e, {i, j}; add.s64 e, e, z; st.global.u32 [e], r;", "any"}, /* and a number */
        {"ld.global.v2.u32 {i, j}, [x]; mov.b64 e, {i, j}; selp.b64 e, e, x, p; st.global.u32 [e], r;", "any"},
        {"cp.async.bulk.global.shared::cta.bulk_group [x], [i], 16;", "0"},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [y+16], [i], 16;", "8"},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [i], [x], 16, [j];", ""},
        {"sust.b.1d.b32.trap [x, {i}], r;", "any"}, /* the object says */
        {"suld.b.1d.b32.trap r, [x, {i}];", ""},
        {"ld.param.u32 i, [s]; ld.param.u32 j, [s+4]; cvt.u64.u32 d, i; cvt.u64.u32 e, j; shl.b64 e, e, 32; or.b64 e, e, d; "
         "st.global.u32 [e], r;",
         "any"}, /* put together by arithmetic */
        {"ld.const.u64 e, [c]; add.s64 e, e, d; st.global.u32 [e], r;", "any"},
        {"mov.b64 e, s; ld.param.u64 e, [e]; st.global.u32 [e], r;", "any"}, /* chosen at run time */
        {"atom.global.exch.b64 e, [x], y; st.global.u32 [e], r;", "any"},
        {"call (e), give, (x); st.global.u32 [e], r;", "any"},
        {"call put, (x);", "any"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(".func (.reg .b64 o) give(.reg .b64 g) { mov.u64 o, g; ret; }\n"
               ".func put(.param .b64 t) { .reg .b64 g; ld.param.b64 g, [t]; st.global.u32 [g], 1; ret; }\n",
               rows[i].body, rows[i].bases);
}
END_TEST

/* --- in launches ----------------------------------------------------------------------------------------------------------- */

static Memory *memory;
static Allocation *a, *b;

typedef struct Running {
    uint32_t blocks;
    unsigned threads;
    ScheduleKind kind;
    bool imprinted, strayed; /* strayed: of the result */
} Running;

/* Of blocks of 64 threads. n and what stands in s: from a test. */
static FaultKind launched_as(const char *body, uint64_t n, uint64_t first_of_s, Running *how) {
    Diag diag = {0};
    Program *program = parsed_of(HEAD KERNEL, body);
    memory = memory_new();
    a = memory_allocate(memory, 4096, "a", false);
    b = memory_allocate(memory, 4096, "b", false);
    a->initialized = b->initialized = true;
    const uint64_t params[] = {a->address, b->address, n ? n : b->address - a->address,
                               first_of_s ? b->address + first_of_s : 0};
    const LaunchRequest request = {.launch.kernel = prepared(program, "k"),
                                   .launch.grid = {how->blocks, 1, 1},
                                   .launch.block = {64, 1, 1},
                                   .launch.params = (const uint8_t *)params,
                                   .launch.memory = memory,
                                   .profile = profile_find("h200", &diag),
                                   .launch.checks = true,
                                   .launch.imprinted = how->imprinted,
                                   .launch.schedule.kind = how->kind,
                                   .launch.threads = how->threads};
    LaunchResult result;
    ck_assert_msg(device_launch(&request, &result, &diag), "%s", diag.message);
    const FaultKind kind = result.fault.kind;
    how->strayed = result.strayed;
    if (how->kind != SCHEDULE_USUAL) ck_assert_uint_eq(result.threads, 1); /* an order is one thread's */
    device_result_free(&result);
    program_free(program);
    return kind;
}

static FaultKind launched(const char *body, uint64_t n, uint64_t first_of_s, unsigned threads) {
    return launched_as(body, n, first_of_s, &(Running){.blocks = 1, .threads = threads});
}

#define NEIGHBOUR "add.s64 f, y, d; ld.global.u32 r, [f+4]; " /* of b */

START_TEST(reads_where_no_store_leads_leave_no_marks)
{
    ck_assert_int_eq(launched(NEIGHBOUR "add.s64 e, x, d; st.global.u32 [e], r;", 5, 0, 1), FAULT_none);
    ck_assert(b->only_read && !b->marks && !a->only_read && a->marks);
    memory_free(memory);
    ck_assert_int_eq(launched(NEIGHBOUR "add.s64 e, x, d; @p mov.u64 e, y; st.global.u32 [e], r;", 5, 0, 1), FAULT_none);
    ck_assert(!b->only_read && b->marks);
    memory_free(memory);
}
END_TEST

START_TEST(reads_where_a_store_may_lead_race_with_it)
{
    static const struct {
        const char *body;
        uint64_t n, first_of_s;
    } rows[] = {
        {"add.s64 e, y, d; st.global.u32 [e], r;", 5, 0},
        {"sub.s64 z, y, x; add.s64 e, x, z; add.s64 e, e, d; st.global.u32 [e], r;", 5, 0},
        {"ld.param.u64 e, [s]; add.s64 e, e, d; st.global.u32 [e+-4096], r;", 5, 4096},     /* of which it has the end */
        {"ld.param.u64 e, [s]; add.s64 e, e, d; st.global.u32 [e+8], r;", 5, (uint64_t)-8}, /* or what is before it */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_TEXT body = {0};
        text_add(&body, NEIGHBOUR "%s", rows[i].body);
        for (unsigned threads = 1; threads <= 2; threads++) {
            const FaultKind kind = launched(text_string(&body), rows[i].n, rows[i].first_of_s, threads);
            ck_assert_msg(kind == FAULT_global_race, "%s: %s", rows[i].body, fault_kinds[kind].name);
            memory_free(memory);
        }
    }
}
END_TEST

#define STRAY \
    "add.s64 e, x, z; add.s64 e, e, d; st.global.u32 [e], i; " /* to b: z is how far it is from a, which the kernel cannot know */

START_TEST(a_block_that_stored_by_a_pointer_to_another_leaves_marks)
{
    ck_assert_int_eq(launched(STRAY NEIGHBOUR, 0, 0, 1), FAULT_global_race);
    ck_assert(b->marks);
    memory_free(memory);
}
END_TEST

/* Block 0 stores to all of b's first 64 words, block 1 reads them: a race, in whichever order they run, of which a launch does not know before
 * it has strayed. */
START_TEST(a_strayed_launch_is_told_as_such_in_any_order)
{
    static const char body[] = "mov.u32 j, %ctaid.x; setp.eq.u32 p, j, 0; @!p bra R; " STRAY "bra D; R: " NEIGHBOUR "D:";
    static const Running orders[] = {
        {2, 1, SCHEDULE_USUAL, false, false}, {2, 2, SCHEDULE_USUAL, false, false}, {2, 2, SCHEDULE_WORST, false, false}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        Running how = orders[i];
        ck_assert_int_eq(launched_as(body, 0, 0, &how), FAULT_none);
        ck_assert(how.strayed);
        memory_free(memory);
        how.imprinted = true;
        ck_assert_int_eq(launched_as(body, 0, 0, &how), FAULT_global_race);
        ck_assert(!how.strayed);
        memory_free(memory);
    }
}
END_TEST

SUITE("bases", a_stores_address_is_derived_from_its_pointer, reads_where_no_store_leads_leave_no_marks,
      reads_where_a_store_may_lead_race_with_it, a_block_that_stored_by_a_pointer_to_another_leaves_marks,
      a_strayed_launch_is_told_as_such_in_any_order)
