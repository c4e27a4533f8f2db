/* Accesses outside of what there is: which are faults, what is said of the place and of the index (machine/bounds.h), and which a device runs through. */
#include <string.h>

#include "base/text.h"
#include "device/device.h"
#include "parsed.h"

enum {
    A_BYTES = 1004
}; /* buffer a's; b has 4096 and lies above, c has 64 and was freed, m has 64 and is managed, z has 2, l has 2 MiB */

typedef struct Row {
    const char *insn; /* on the address in d; r, e, q, x and y are registers */
    char base;        /* 'a', 'b', 'c', 'm', 'z', or 0: the offset is the address */
    int64_t offset;
    FaultKind kind;
    const char *says, *hint; /* after "lane 0 of warp 0 "; parts */
} Row;

/* The fault, and the words that a kernel left in b: what it read. */
static LaunchResult run_lanes(const Row *row, unsigned lanes, bool goes_on, bool with_b, uint32_t *words) {
    Diag diag = {0};
    Program *program = parsed_of(".version 7.0\n.target sm_80\n.address_size 64\n.const .align 8 .b8 k0[16];\n"
                                 ".extern .func f0();\n.func f1() { ret; }\n.entry k(.param .u64 at, .param .u64 out) {\n"
                                 ".local .align 8 .b8 own[16]; .reg .pred z; .reg .b64 d, e, o; .reg .b32 r, q, x, y; "
                                 "ld.param.u64 d, [at]; ld.param.u64 o, "
                                 "[out]; mov.u32 r, 7;\n%s\n"
                                 "st.global.u32 [o], r; ret; }\n",
                                 row->insn);
    Memory *memory = memory_new();
    Allocation *a = memory_allocate(memory, A_BYTES, "a", false), *b = with_b ? memory_allocate(memory, 4096, "b", false) : a,
               *c = memory_allocate(memory, 64, "c", false),
               *m = row->base == 'm'   ? memory_allocate_unified(memory, 64, "m")
                    : row->base == 'z' ? memory_allocate(memory, 2, "z", false)
                    : row->base == 'l' ? memory_allocate(memory, 2 << 20, "l", false)
                                       : NULL;
    a->initialized = b->initialized = true;
    const uint64_t base = row->base == 'a'   ? a->address
                          : row->base == 'b' ? b->address
                          : row->base == 'c' ? c->address
                          : m                ? m->address
                                             : 0;
    const uint64_t params[2] = {base + (uint64_t)row->offset, b->address};
    memory_retire(memory, c);
    const LaunchRequest request = {.launch.kernel = prepared(program, "k"),
                                   .launch.grid = {1, 1, 1},
                                   .launch.block = {lanes, 1, 1},
                                   .launch.params = (const uint8_t *)params,
                                   .launch.memory = memory,
                                   .profile = profile_find("h200", &diag),
                                   .l1 = true,
                                   .launch.checks = true,
                                   .launch.on_fault = goes_on ? ON_FAULT_GO_ON : ON_FAULT_STOP,
                                   .launch.threads = 1};
    LaunchResult result;
    ck_assert_msg(device_launch(&request, &result, &diag), "%s", diag.message);
    if (words) memcpy(words, b->host, sizeof *words);
    program_free(program);
    memory_free(memory);
    return result;
}

static LaunchResult run(const Row *row, bool goes_on, bool with_b, uint32_t *words) {
    return run_lanes(row, 1, goes_on, with_b, words);
}

static void expect(const Row *row, bool with_b) {
    LaunchResult result = run(row, false, with_b, NULL);
    const Fault *fault = &result.fault;
    ck_assert_msg(fault->kind == row->kind, "%s at %c%+lld: %s: %s", row->insn, row->base ? row->base : '0',
                  (long long)row->offset, fault_kinds[fault->kind].name, fault->message);
    if (row->says) {
        const char *lane = "lane 0 of warp 0 ";
        ck_assert_msg(!strncmp(fault->message, lane, strlen(lane)) && !strcmp(fault->message + strlen(lane), row->says), "%s",
                      fault->message);
    }
    const bool gone = strstr(fault->message, "freed") != NULL, in_global = !strstr(fault->message, " memory, which ends at");
    if (fault->kind == FAULT_out_of_bounds)
        ck_assert_int_eq(fault->bytes != 0, in_global && !gone); /* what may be looked at there */
    if (row->hint)
        ck_assert_msg(*row->hint ? strstr(fault->hint, row->hint) != NULL : !*fault->hint, "%s: %s", fault->message,
                      fault->hint);
    device_result_free(&result);
}

#define LD "ld.global.u32 r, [d];"
#define LD8 "ld.global.u64 e, [d];"

START_TEST(the_place_is_named_by_the_nearest_buffer)
{
    static const Row rows[] = {
        {LD, 'a', 0, FAULT_none, NULL, NULL},
        {LD, 'a', A_BYTES - 4, FAULT_none, NULL, NULL},
        {LD, 'a', 997, FAULT_misaligned, "reads 4 bytes at 'a'+997, which is not a multiple of 4",
         "must start at a multiple of 4 bytes"},
        {LD8, 'a', 4, FAULT_misaligned, "reads 8 bytes at 'a'+4, which is not a multiple of 8",
         "must start at a multiple of 8 bytes"},
        {LD, 'a', A_BYTES, FAULT_out_of_bounds, "reads 4 bytes at 'a'+1004, just past its end",
         "the last one is number 250: is a guard missing? No condition decides who comes here"},
        {"setp.ne.u32 z, r, 0; @z ld.global.u32 r, [d];", 'a', A_BYTES, FAULT_out_of_bounds, NULL,
         "number 250: does a guard let one too many in, as <= for < does, or is the index one too large?"},
        {"setp.eq.u32 z, r, 0; @z ret; ld.global.u32 r, [d];", 'a', A_BYTES + 8, FAULT_out_of_bounds, NULL,
         "1 lane of this warp goes past it: does a guard compare what the index is made of, by the right bound?"},
        {LD, 'a', A_BYTES + 4, FAULT_out_of_bounds, "reads 4 bytes at 'a'+1008, 4 bytes past its end",
         "number 250, and 1 lane of this warp goes past it: is a guard missing?"},
        {LD8, 'a', 1000, FAULT_out_of_bounds, "reads 8 bytes at 'a'+1000, reaching past its end at 1004",
         "only 4 of its 8 bytes are there: take the last elements one by one"},
        {LD8, 'a', -12, FAULT_misaligned, "reads 8 bytes at 'a'-12, before its start; nor is that a multiple of 8",
         "must start at a multiple of 8 bytes"},
        {"st.global.u32 [d], r;", 'a', -4, FAULT_out_of_bounds, "writes 4 bytes at 'a'-4, before its start",
         "the index is negative: -1, in elements of 4 bytes"},
        {"st.global.u64 [d], d;", 'a', -40, FAULT_out_of_bounds, "writes 8 bytes at 'a'-40, before its start",
         "the index is negative: -5, in elements of 8 bytes"},
        {"red.global.add.u32 [d], r;", 'a', A_BYTES, FAULT_out_of_bounds,
         "atomically updates 4 bytes at 'a'+1004, just past its end", "number 250"},
        {"atom.global.add.u32 r, [d], r;", 'a', 2, FAULT_misaligned,
         "atomically updates 4 bytes at 'a'+2, which is not a multiple of 4", NULL},
        {"ld.global.v4.u32 {r, q, x, y}, [d];", 'b', 4096, FAULT_out_of_bounds, "reads 16 bytes at 'b'+4096, just past its end",
         "the last one is number 255"},
        {LD, 'b', -4, FAULT_out_of_bounds, "reads 4 bytes at 'b'-4, before its start", NULL},
        {LD, 'c', 8, FAULT_out_of_bounds, "reads 4 bytes at 'c'+8, which has been freed", ""},
        {LD, 0, 0, FAULT_out_of_bounds, "reads 4 bytes at address 0x0: a null pointer", ""},
        {LD, 0, 16, FAULT_out_of_bounds, "reads 4 bytes at address 0x10: a null pointer plus an offset", ""},
        {LD, 0, 0xfffc, FAULT_out_of_bounds, "reads 4 bytes at address 0xfffc: a null pointer plus an offset", ""},
        {LD, 0, 0x10000, FAULT_out_of_bounds, "reads 4 bytes at address 0x10000, which is in no buffer", ""},
        /* an unsigned index that went below 0, by 1 or up to 65,536: 16 GiB above the array, where another one is nearer */
        {LD, 'a', 4 * INT64_C(0xffffffff), FAULT_out_of_bounds, "reads 4 bytes at 'a'[4294967295], in elements of 4 bytes",
         "an unsigned index that went below 0?"},
        {LD, 'a', 4 * (INT64_C(0xffffffff) - 65536), FAULT_out_of_bounds,
         "reads 4 bytes at 'a'[4294901759], in elements of 4 bytes", "an unsigned index"},
        {LD, 'a', 4 * (INT64_C(0xffffffff) - 65537), FAULT_out_of_bounds, NULL, ""},
        {"st.u32 [d], r;", 0, WINDOW_CONST + 8, FAULT_read_only, "writes constant memory: 'k0'+8", NULL},
        {"ld.u32 r, [d];", 0, WINDOW_CONST + 8, FAULT_none, NULL, NULL},
        {"mov.u64 e, k0; ld.const.u32 r, [e+6];", 0, 0, FAULT_misaligned,
         "reads 4 bytes at 'k0'+6, which is not a multiple of 4", NULL},
        /* 64 KiB have no index that wraps around; of an address the low 32 bits count, so that a generic one is fine as well */
        {"ld.u32 r, [d];", 0, WINDOW_CONST + 4 * INT64_C(0xffffffff), FAULT_out_of_bounds,
         "reads 4 bytes at 'k0'+17179869180, 17179869164 bytes past its end", ""},
        {"mov.u64 e, k0; cvta.const.u64 e, e; ld.const.u32 r, [e+8];", 0, 0, FAULT_none, NULL, NULL},
        {"mov.u64 e, own+8; st.local.u32 [own+4], r; ld.local.u32 r, [e-4];", 0, 0, FAULT_none, NULL, NULL},
        {"mov.u64 e, own+8; ld.local.u32 r, [e+8];", 0, 0, FAULT_out_of_bounds,
         "reads 4 bytes at byte 16 of local memory, which "
         "ends at byte 16",
         "a thread's own arrays that are indexed take 16 bytes"},
        {".extern .shared .align 4 .b8 dyn[]; ld.shared.u32 r, [dyn];", 0, 0, FAULT_out_of_bounds,
         "reads 4 bytes at byte 0 of shared memory, which ends at byte 0", "the launch's third argument says, and it says 0"},
        {".shared .align 4 .b8 s[12]; ld.shared.u32 r, [s+12];", 0, 0, FAULT_out_of_bounds,
         "reads 4 bytes at byte 12 of shared memory, which ends at byte 12", "__shared__ arrays take 12 bytes in all"},
        /* eight bytes from byte 8 on, of twelve */
        {".shared .align 8 .b8 s[12]; mbarrier.test_wait.parity.shared.b64 z, [s+8], 0;", 0, 0, FAULT_out_of_bounds,
         "reads 8 bytes at byte 8 of shared memory, which ends at byte 12", NULL},
        /* by its line, where that is none behind the access: a compiler has moved what stands there */
        {".loc 1 5 1\nsetp.eq.u32 z, r, 0; @z ret;\n.loc 1 9 1\nld.global.u32 r, [d];", 'a', A_BYTES + 8, FAULT_out_of_bounds,
         NULL, "does the condition of line 5 compare"},
        {".loc 1 9 1\nsetp.eq.u32 z, r, 0; @z ret;\n.loc 1 9 1\nld.global.u32 r, [d];", 'a', A_BYTES + 8, FAULT_out_of_bounds,
         NULL, "does the condition of line 9 compare"},
        {".loc 1 10 1\nsetp.eq.u32 z, r, 0; @z ret;\n.loc 1 9 1\nld.global.u32 r, [d];", 'a', A_BYTES + 8, FAULT_out_of_bounds,
         NULL, "does a guard compare"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect(&rows[i], true);
}
END_TEST

/* Of a buffer in which no element has room no element is the last. */
START_TEST(a_buffer_may_be_smaller_than_an_element)
{
    expect(&(Row){LD, 'z', 4, FAULT_out_of_bounds, "reads 4 bytes at 'z'+4, 2 bytes past its end", ""}, true);
    expect(&(Row){LD8, 'z', 8, FAULT_out_of_bounds, "reads 8 bytes at 'z'+8, 6 bytes past its end", ""}, true);
    expect(&(Row){LD, 'z', 0, FAULT_out_of_bounds, "reads 4 bytes at 'z'+0, reaching past its end at 2",
                  "only 2 of its 4 bytes are there"},
           true);
    expect(&(Row){"ld.global.u16 r, [d];", 'z', 2, FAULT_out_of_bounds, "reads 2 bytes at 'z'+2, just past its end",
                  "the last one is number 0"},
           true);
}
END_TEST

/* Constant memory by a generic address, or by one that the instruction takes for global memory's, and the kernel's parameters: whatever writes. */
START_TEST(what_is_read_only_is_not_written)
{
    static const char *const writes[] = {
        "st%s.u8 [d], r;",       "st%s.u32 [d], r;",     "st%s.v2.u32 [d], {r, r};",   "st.volatile%s.u32 [d], r;",
        "red%s.add.u32 [d], r;", "red%s.or.b32 [d], 0;", "atom%s.exch.b32 q, [d], r;", "atom%s.cas.b64 e, [d], e, e;"};
    static const struct {
        const char *address, *space, *says;
    } places[] = {{"mov.u64 e, k0; cvta.const.u64 d, e; add.u64 d, d, 8;", "", "writes constant memory: 'k0'+8"},
                  {"mov.u64 e, k0; cvta.const.u64 d, e; add.u64 d, d, 8;", ".global", "writes constant memory: 'k0'+8"},
                  {"mov.b64 e, at; cvta.param.u64 d, e;", "", "writes the kernel's parameters"}};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
            LOCAL_TEXT insn = text_from("%s ", places[p].address);
            const char *space = strstr(writes[i], "%s");
            text_add(&insn, "%.*s%s%s", (int)(space - writes[i]), writes[i], places[p].space, space + 2);
            expect(&(Row){text_string(&insn), 0, 0, FAULT_read_only, places[p].says, NULL}, true);
        }
        LOCAL_TEXT load = text_from("%s ld%s.u32 r, [d];", places[p].address, places[p].space);
        expect(&(Row){text_string(&load), 0, 0, FAULT_none, NULL, NULL}, true);
    }
}
END_TEST

/* Farther away than 2^36 bytes an address is no index gone wrong. */
START_TEST(far_from_all_buffers_none_is_named)
{
    const int64_t most = INT64_C(1) << 36;
    expect(&(Row){LD, 'a', most, FAULT_out_of_bounds, "reads 4 bytes at 'a'+68719476736, 68719475732 bytes past its end", ""},
           false);
    LaunchResult result = run(&(Row){LD, 'a', most + 4, FAULT_out_of_bounds, NULL, NULL}, false, false, NULL);
    ck_assert_msg(strstr(result.fault.message, "which is in no buffer"), "%s", result.fault.message);
    device_result_free(&result);
}
END_TEST

/* Devices map pages of 2 MiB: an access in a buffer's last page is no illegal address there, and reads something. */
START_TEST(a_device_runs_through_accesses_behind_a_buffer_in_its_page)
{
    static const struct {
        Row row;
        bool goes_on;
    } rows[] = {
        {{LD, 'a', A_BYTES, FAULT_none, NULL, NULL}, true},
        {{LD, 'a', (2 << 20) - 4, FAULT_none, NULL, NULL}, true},
        {{LD, 'a', 2 << 20, FAULT_out_of_bounds, NULL, NULL}, false},
        {{LD, 'a', -4, FAULT_out_of_bounds, NULL, NULL}, false},
        /* before a small buffer that is not the first lies another, in the same page */
        {{LD, 'b', -4, FAULT_none, NULL, NULL}, true},
        {{LD, 'b', -512, FAULT_none, NULL, NULL}, true},
        {{LD, 'b', -516, FAULT_out_of_bounds, NULL, NULL}, false},
        {{LD, 'l', -4, FAULT_out_of_bounds, NULL, NULL}, false}, /* a large one begins a page */
        {{LD, 'l', 2 << 20, FAULT_out_of_bounds, NULL, NULL}, false},
        {{LD, 'c', 0, FAULT_out_of_bounds, NULL, NULL}, false},
        {{LD, 0, 0, FAULT_out_of_bounds, NULL, NULL}, false},
        /* behind managed memory the host has something else, behind constants there is nothing to write to */
        {{LD, 'm', 64, FAULT_out_of_bounds, NULL, NULL}, false},
        {{"st.global.u32 [d], r;", 'm', 64, FAULT_out_of_bounds, NULL, NULL}, false},
        {{"ld.u32 r, [d];", 0, WINDOW_CONST + 16, FAULT_out_of_bounds, NULL, NULL}, false},
        {{LD8, 'a', (2 << 20) - 4, FAULT_misaligned, NULL, NULL}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t word;
        LaunchResult result = run(&rows[i].row, true, true, &word);
        ck_assert_msg(result.fault.kind == rows[i].row.kind, "row %zu: %s", i, result.fault.message);
        ck_assert_uint_eq(result.findings.count, rows[i].goes_on);
        if (rows[i].goes_on) {
            ck_assert_int_eq(result.findings.items[0].fault.kind, FAULT_out_of_bounds);
            ck_assert_uint_eq(word, UINT32_MAX); /* arbitrary: here all ones */
        }
        device_result_free(&result);
    }
}
END_TEST

/* Lanes come in order, in eights that rise or fall, and all over the place: whatever way their addresses are looked through, the first that is wrong is
 * told. The lane's index is in q, and a has 251 words. */
START_TEST(the_first_lane_that_is_wrong_is_told)
{
    static const struct {
        const char *index; /* of q, in bytes, into x */
        FaultKind kind;
        const char *says, *hint;
    } rows[] = {
        {"shl.b32 x, q, 2;", FAULT_none, NULL, NULL},
        {"mul.lo.u32 x, q, 6;", FAULT_misaligned, "lane 1 of warp 0 reads 4 bytes at 'a'+6", NULL},
        {"mad.lo.u32 x, q, 4, 2;", FAULT_misaligned, "lane 0 of warp 0 reads 4 bytes at 'a'+2", NULL},
        {"mad.lo.u32 x, q, 4, 884;", FAULT_out_of_bounds, "lane 30 of warp 0 reads 4 bytes at 'a'+1004, just past its end",
         "the last element is number 250, and 2 lanes of this warp go past it"},
        {"mad.lo.u32 x, q, 4, 880;", FAULT_out_of_bounds, "lane 31 of warp 0 reads 4 bytes at 'a'+1004",
         "elements count from 0, and the last one is number 250"},
        /* so far that one lane's index would be taken for an int that has overflowed: all of them are not */
        {"mad.lo.u32 x, q, 4, 100663296;", FAULT_out_of_bounds, "lane 0 of warp 0 reads 4 bytes at 'b'+",
         "the last element is number 1023, and 32 lanes of this warp go past it"},
        {"mad.lo.s32 x, q, -4, 120;", FAULT_out_of_bounds, "lane 31 of warp 0 reads 4 bytes at 'a'-4, before its start",
         "the index is negative: -1"},
        /* eights, each of which falls: lanes 0 to 7 from word 7 down, and so on from 64 words further */
        {"xor.b32 x, q, 7; and.b32 y, q, 24; mul.lo.u32 y, y, 7; add.u32 x, x, y; shl.b32 x, x, 2;", FAULT_none, NULL, NULL},
        {"xor.b32 x, q, 7; and.b32 y, q, 24; mul.lo.u32 y, y, 7; add.u32 x, x, y; shl.b32 x, x, 2; sub.u32 x, x, 4;",
         FAULT_out_of_bounds, "lane 7 of warp 0 reads 4 bytes at 'a'-4", NULL},
        {"xor.b32 x, q, 7; and.b32 y, q, 24; mul.lo.u32 y, y, 7; add.u32 x, x, y; shl.b32 x, x, 2; add.u32 x, x, 204;",
         FAULT_none, NULL, NULL},
        {"xor.b32 x, q, 7; and.b32 y, q, 24; mul.lo.u32 y, y, 7; add.u32 x, x, y; shl.b32 x, x, 2; add.u32 x, x, 208;",
         FAULT_out_of_bounds, "lane 24 of warp 0 reads 4 bytes at 'a'+1004", NULL},
        /* eights that rise, of which one in the middle lies outside */
        {"and.b32 x, q, 7; shr.u32 y, q, 3; setp.eq.u32 z, y, 2; selp.b32 y, 244, y, z; add.u32 x, x, y; shl.b32 x, x, 2;",
         FAULT_out_of_bounds, "lane 23 of warp 0 reads 4 bytes at 'a'+1004", NULL},
        {"and.b32 x, q, 7; shr.u32 y, q, 3; setp.eq.u32 z, y, 2; selp.b32 y, -1, y, z; add.u32 x, x, y; shl.b32 x, x, 2;",
         FAULT_out_of_bounds, "lane 16 of warp 0 reads 4 bytes at 'a'-4", NULL},
        /* all over the place */
        {"mul.lo.u32 x, q, 37; and.b32 x, x, 127; shl.b32 x, x, 2;", FAULT_none, NULL, NULL},
        {"mul.lo.u32 x, q, 37; and.b32 x, x, 127; add.u32 x, x, 128; shl.b32 x, x, 2;", FAULT_out_of_bounds,
         "lane 31 of warp 0 reads 4 bytes at 'a'+1004", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_TEXT insn =
            text_from("mov.u32 q, %%tid.x; %s cvt.s64.s32 e, x; add.u64 d, d, e; ld.global.u32 r, [d];", rows[i].index);
        LaunchResult result = run_lanes(&(Row){text_string(&insn), 'a', 0, rows[i].kind, NULL, NULL}, 32, false, true, NULL);
        ck_assert_msg(result.fault.kind == rows[i].kind && (!rows[i].says || strstr(result.fault.message, rows[i].says)),
                      "%s: %s", rows[i].index, result.fault.message);
        if (rows[i].hint) ck_assert_msg(strstr(result.fault.hint, rows[i].hint), "%s: %s", rows[i].index, result.fault.hint);
        device_result_free(&result);
    }
}
END_TEST

/* Before f1 stands f0, which is only declared. */
START_TEST(a_pointer_that_is_no_functions_is_not_called)
{
#define CALL_AT(offset) "mov.u64 e, f1; add.u64 e, e, " offset "; p: .callprototype _ (); call e, p;"
    static const Row rows[] = {
        {CALL_AT("0"), 0, 0, FAULT_none, NULL, NULL},
        {CALL_AT("8"), 0, 0, FAULT_invalid_call, NULL, "taken in device code"},
        {CALL_AT("-16"), 0, 0, FAULT_invalid_call, NULL, "taken in device code"},
        {CALL_AT("32"), 0, 0, FAULT_invalid_call, NULL, "taken in device code"},
        {CALL_AT("-32"), 0, 0, FAULT_invalid_call, NULL, "taken in device code"},
        {"p: .callprototype _ (); call d, p;", 0, 0, FAULT_invalid_call, NULL, "whether there is one"},
        {"p: .callprototype _ (); call d, p;", 'a', 0, FAULT_invalid_call, NULL, "taken in device code"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect(&rows[i], true);
}
END_TEST

SUITE("bounds", the_place_is_named_by_the_nearest_buffer, what_is_read_only_is_not_written,
      a_buffer_may_be_smaller_than_an_element, far_from_all_buffers_none_is_named,
      a_device_runs_through_accesses_behind_a_buffer_in_its_page, a_pointer_that_is_no_functions_is_not_called,
      the_first_lane_that_is_wrong_is_told)
