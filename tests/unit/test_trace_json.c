/* The trace of a block as JSON (report/trace_json.h): of a trace that stands here, beside PTX that says what its registers hold. */
#include "report/trace_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/source.h"
#include "observe/trace.h"
#include "report/json.h"
#include "suite.h"

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry other() { ret; }\n" /* pc 0 */
    ".visible .entry k(.param .u64 in) { .reg .u64 %rd<3>; .reg .b32 %r<3>; .reg .f32 %f<2>; .reg .f64 %d<2>; .reg .pred %p;\n"
    "mov.u32 %r1, %tid.x;\n"               /* 1, line 6 */
    "sub.s32 %r2, %r1, %r1;\n"             /* 2 */
    "mov.f32 %f1, 0f3F800000;\n"           /* 3 */
    "mov.f64 %d1, 0d3FF0000000000000;\n"   /* 4 */
    "mul.wide.s32 %rd1, %r1, 4;\n"         /* 5 */
    "ld.global.f32 %r1, [%rd1];\n"         /* 6 */
    "setp.eq.u32 %p, %r1, 3;\n"            /* 7 */
    "mul.wide.u32 %rd2, %r1, 4;\n"         /* 8 */
    "ld.global.v2.u32 {%r1, _}, [%rd1];\n" /* 9 */
    "ret; }\n";
enum { INSNS = 11 };

static Source source;
static Trace trace;
static LaunchRequest request;
static LaunchResult result;
static Report report;
static uint64_t runs[INSNS];
static bool awaited[INSNS];
static TracedStep steps[2];
static TracedAccess accesses[2];
static TracedValue values[2];
static TracedArray arrays[] = {{"a", 0x1000, 256}, {"b", 0x1100, 128}};

static void begin(void) {
    Diag diag = {0};
    ck_assert_msg(source_from_ptx("k.ptx", ptx, strlen(ptx), &source, &diag), "%u: %s", diag.line, diag.message);
    ck_assert_uint_eq(source.program->n_insns, INSNS);
    memset(runs, 0, sizeof runs);
    memset(steps, 0, sizeof steps);
    memset(accesses, 0, sizeof accesses);
    memset(values, 0, sizeof values);
    trace = (Trace){.place = {.ctaid = {1, 2, 3}, .threads = 33},
                    .complete = true,
                    .runs = runs,
                    .awaited = awaited,
                    .steps = steps,
                    .accesses = accesses,
                    .values = values,
                    .arrays = arrays,
                    .n_arrays = 2,
                    .n_steps = 1};
    request = (LaunchRequest){.launch.kernel = kernel_prepare(source.program, source.program->functions), .trace = &trace};
    result = (LaunchResult){.fault.kind = FAULT_none};
    report = (Report){.request = &request, .result = &result, .source_path = "k.ptx"};
}

static void end(void) { source_free(&source); }

/* The whole trace; the caller frees. */
static json_t *traced(void) {
    Text out = {0};
    json_error_t error;
    report_trace_json(&report, &out);
    json_t *object = json_loads(text_string(&out), 0, &error);
    ck_assert_msg(object != NULL, "%s: %s", error.text, text_string(&out));
    text_free(&out);
    return object;
}

/* Entry `which` of the first step. */
static void step_has(size_t which, const char *wanted) {
    json_t *object = traced(), *value = json_loads(wanted, JSON_DECODE_ANY, NULL),
           *got = json_array_get(json_array_get(json_object_get(object, "steps"), 0), which);
    char *text = json_dumps(got, JSON_ENCODE_ANY | JSON_COMPACT);
    ck_assert_msg(value != NULL, "%s", wanted);
    ck_assert_msg(json_equal(got, value), "%s", text);
    free(text);
    json_decref(object);
    json_decref(value);
}

enum { WARP, PC, HERE, ACTIVE, LIVE, ACCESSES, VALUES, WAITS };

START_TEST(a_block_has_its_arrays_and_what_ran)
{
    runs[1] = 7, awaited[6] = true, runs[9] = 1ull << 33;
    trace.n_steps = 0;
    json_t *object = traced(),
           *wanted = json_loads(
               "{\"block\":[1,2,3],\"warps\":2,\"complete\":true,\"arrays\":[{\"name\":\"a\",\"address\":4096,\"bytes\":256},"
               "{\"name\":\"b\",\"address\":4352,\"bytes\":128}],\"steps\":[],\"insns\":{"
               "\"1\":{\"ptx\":6,\"file\":\"k.ptx\",\"line\":6,\"runs\":7,\"writes\":[\"%r1\"]},"
               "\"6\":{\"ptx\":11,\"file\":\"k.ptx\",\"line\":11,\"runs\":0,\"writes\":[\"%r1\"]},"
               "\"9\":{\"ptx\":14,\"file\":\"k.ptx\",\"line\":14,\"runs\":8589934592,\"writes\":[\"%r1\",\"_\"]}}}",
               0, NULL);
    ck_assert(wanted != NULL);
    ck_assert(json_equal(object, wanted));
    json_decref(object);
    awaited[6] = false;
    trace.place.threads = 32, trace.complete = false;
    json_object_set_new(wanted, "warps", json_integer(1));
    json_object_set_new(wanted, "complete", json_false());
    json_object_del(json_object_get(wanted, "insns"), "6");
    object = traced();
    ck_assert(json_equal(object, wanted));
    json_decref(object);
    trace.complete = true, result.fault.kind = FAULT_trap; /* which ended it */
    object = traced();
    ck_assert(json_equal(object, wanted));
    json_decref(object);
    json_decref(wanted);
}
END_TEST

/* Behind the last key of the launch's JSON. */
START_TEST(a_launch_ends_with_its_trace)
{
    Text out = {0};
    InsnCounters insns[INSNS] = {{0}};
    Counters counters = {.n_insns = INSNS, .insns = insns};
    Diag diag = {0};
    request.profile = profile_find("h200", &diag);
    result.counters = &counters;
    report.kernel_name = "k";
    report.replayed = true;
    trace.n_steps = 0, trace.n_arrays = 0;
    report_json(&report, &out);
    const char *end = "\n  \"replayed\": true,\n  \"trace\": "
                      "{\"block\":[1,2,3],\"warps\":2,\"complete\":true,\"arrays\":[],\"insns\":{},\"steps\":[]}\n}\n";
    ck_assert(out.length > strlen(end));
    ck_assert_str_eq(text_string(&out) + out.length - strlen(end), end);
    text_free(&out);
}
END_TEST

START_TEST(a_step_says_which_lanes_wait_for_what)
{
    static const LaneWait waiting[] = {{4, 0xf0, WAIT_PATH}, {5, 0x100, WAIT_RECONVERGENCE}, {6, 1u << 31, WAIT_SYNC}};
    steps[0] = (TracedStep){
        .warp = 1, .shown = {.pc = 1, .lanes = 15, .active = 7, .live = 0x800001ff, .n_waiting = 3, .waiting = waiting}};
    step_has(WARP, "1"), step_has(PC, "1"), step_has(HERE, "15"), step_has(ACTIVE, "7"), step_has(LIVE, "2147484159");
    step_has(ACCESSES, "[]"), step_has(VALUES, "[]");
    step_has(WAITS, "[[4,240,\"path\"],[5,256,\"reconvergence\"],[6,2147483648,\"sync\"]]");
    steps[1] = (TracedStep){.warp = 2, .shown = {.pc = 2}};
    trace.n_steps = 2;
    json_t *object = traced();
    ck_assert_uint_eq(json_array_size(json_object_get(object, "steps")), 2);
    json_decref(object);
}
END_TEST

/* Null for lanes that are not active, 28 of them. */
#define NULLS7 "null,null,null,null,null,null,null"
#define NULLS28 NULLS7 "," NULLS7 "," NULLS7 "," NULLS7

/* Of lanes 0, 1, 3 and 31 with these bits. */
static void value_is(uint32_t pc, uint8_t index, uint8_t bytes, const uint64_t bits[4], const char *wanted) {
    values[0] = (TracedValue){.index = index, .bytes = bytes, .active = 0x8000000b};
    for (int l = 0; l < WARP_LANES; l++) values[0].lanes[l] = 99;
    values[0].lanes[0] = bits[0], values[0].lanes[1] = bits[1], values[0].lanes[3] = bits[2], values[0].lanes[31] = bits[3];
    steps[0] = (TracedStep){.shown = {.pc = pc, .lanes = 1, .active = 1, .live = 1}, .value = 0, .n_values = 1};
    Text text = {0};
    text_add(&text, "[[%u,2147483659,%s]]", index, wanted);
    step_has(VALUES, text_string(&text));
    text_free(&text);
}

#define FOUR(a, b, c, d) "[" a "," b ",null," c "," NULLS7 "," NULLS7 "," NULLS7 ",null,null,null,null,null,null," d "]"
#define BITS(a, b, c, d) ((const uint64_t[4]){a, b, c, d})

/* As their instruction's type says; a load's untyped register as what was loaded. What JavaScript would round is text. */
START_TEST(values_are_of_their_type)
{
    value_is(1, 0, 4, BITS(0, 1, 3, UINT32_MAX), FOUR("0", "1", "3", "4294967295"));
    value_is(1, 0, 4, BITS(5, 5, 5, 5), "5");
    value_is(1, 0, 4, BITS(5, 5, 5, 6), FOUR("5", "5", "5", "6"));
    value_is(2, 0, 4, BITS(0, 1, UINT32_MAX, 0x80000000), FOUR("0", "1", "-1", "-2147483648"));
    value_is(3, 0, 4, BITS(0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000), FOUR("1", "\"inf\"", "\"-inf\"", "\"nan\""));
    value_is(3, 0, 4, BITS(0x3dcccccd, 0x3e000000, 0xbfc00000, 0x3dcccccd),
             FOUR("0.100000001", "0.125", "-1.5", "0.100000001"));
    value_is(4, 0, 8, BITS(0x3ff8000000000000, 0x3fb999999999999a, 0x7ff0000000000000, 0),
             FOUR("1.5", "0.10000000000000001", "\"inf\"", "0"));
    value_is(5, 0, 8, BITS(1ull << 53, (1ull << 53) - 1, -(1ull << 53), -1ull),
             FOUR("\"9007199254740992\"", "9007199254740991", "\"-9007199254740992\"", "-1"));
    value_is(8, 0, 8, BITS(1ull << 63, 1, 1, 1), FOUR("\"9223372036854775808\"", "1", "1", "1"));
    value_is(6, 0, 4, BITS(0x3f800000, 0x40000000, 0, 0), FOUR("1", "2", "0", "0"));
    value_is(7, 0, 1, BITS(1, 0, 1, 0), FOUR("1", "0", "1", "0"));
    value_is(9, 1, 4, BITS(7, 7, 7, 8), FOUR("7", "7", "7", "8"));
}
END_TEST

START_TEST(inactive_lanes_do_not_part_equal_values)
{
    values[0] = (TracedValue){.index = 0, .bytes = 4, .active = 6, .lanes = {1, 2, 2, 3}};
    values[1] = (TracedValue){.index = 0, .bytes = 4, .active = 8, .lanes = {1, 2, 2, 3}};
    steps[0] = (TracedStep){.shown = {.pc = 1, .lanes = 1}, .value = 0, .n_values = 2};
    step_has(VALUES, "[[0,6,2],[0,8,3]]");
}
END_TEST

static void access_is(const TracedAccess *access, const char *wanted) {
    accesses[0] = *access;
    steps[0] = (TracedStep){.shown = {.pc = 6, .lanes = 1}, .access = 0, .n_accesses = 1};
    Text text = {0};
    text_add(&text, "[%s]", wanted);
    step_has(ACCESSES, text_string(&text));
    text_free(&text);
}

/* Lanes 0, 1, 2 and 3 are active, or the last three of them. 9 bytes fit into a sector, 33 into two. */
START_TEST(accesses_stand_in_their_array)
{
    static const TracedLine lines[] = {{0x1100 / 128, 1, 0}, {0x1180 / 128, 12, 4}};
    TracedAccess access = {.space = SPACE_GLOBAL,
                           .kind = ACCESS_LOAD,
                           .bytes = 4,
                           .active = 15,
                           .addr = {0x1100, 0x1104, 0x10fc, 0x1184},
                           .sectors = 3,
                           .unique_bytes = 33,
                           .hits = 2,
                           .n_lines = 2,
                           .lines = lines};
    access_is(&access, "{\"space\":\"global\",\"op\":\"load\",\"bytes\":4,\"active\":15,\"array\":1,\"at\":[0,4,-4,132," NULLS28
                       "],\"sectors\":3,\"ideal_sectors\":2,\"l1_hit_sectors\":2,\"lines\":[[0,1,0],[128,12,4]]}");
    access.active = 14, access.kind = ACCESS_STORE, access.n_lines = 1, access.unique_bytes = 32, access.addr[1] = 0x10ff;
    access_is(&access,
              "{\"space\":\"global\",\"op\":\"store\",\"bytes\":4,\"active\":14,\"array\":0,\"at\":[null,255,252,388," NULLS28
              "],\"sectors\":3,\"ideal_sectors\":1,\"l1_hit_sectors\":2,\"lines\":[[256,1,0]]}");
    access.addr[1] = 0x1180, access.kind = ACCESS_REDUCTION, access.n_lines = 0, access.unique_bytes = 9;
    access_is(
        &access,
        "{\"space\":\"global\",\"op\":\"atomic\",\"bytes\":4,\"active\":14,\"array\":-1,\"at\":[null,4480,4348,4484," NULLS28
        "],\"sectors\":3,\"ideal_sectors\":1,\"l1_hit_sectors\":2,\"lines\":[]}");
    access.space = SPACE_LOCAL, access.kind = ACCESS_ATOMIC, access.addr[1] = 0x1000;
    access_is(
        &access,
        "{\"space\":\"local\",\"op\":\"atomic\",\"bytes\":4,\"active\":14,\"array\":-1,\"at\":[null,4096,4348,4484," NULLS28
        "],\"sectors\":3,\"ideal_sectors\":1,\"l1_hit_sectors\":2}");
    access.space = SPACE_CONST, access.kind = ACCESS_LOAD, access.words = 3;
    access_is(&access,
              "{\"space\":\"const\",\"op\":\"load\",\"bytes\":4,\"active\":14,\"array\":0,\"at\":[null,0,252,388," NULLS28
              "],\"words\":3}");
}
END_TEST

/* Above 256 GiB a line's number has lost its upper bits: 2^31 lines. */
START_TEST(lines_far_up_are_found_again)
{
    static const TracedLine line = {3, 1, 0};
    const TracedAccess access = {
        .space = SPACE_GLOBAL, .bytes = 4, .active = 1, .addr = {(5ull << 38) + 3 * 128 + 4}, .n_lines = 1, .lines = &line};
    accesses[0] = access;
    steps[0] = (TracedStep){.shown = {.pc = 6, .lanes = 1}, .n_accesses = 1};
    json_t *object = traced(), *step = json_array_get(json_object_get(object, "steps"), 0);
    const json_t *of = json_array_get(json_object_get(json_array_get(json_array_get(step, ACCESSES), 0), "lines"), 0);
    ck_assert_int_eq(json_integer_value(json_array_get(of, 0)), (5ll << 38) + 3 * 128);
    json_decref(object);
}
END_TEST

START_TEST(shared_accesses_say_who_is_served_when)
{
    TracedAccess access = {.space = SPACE_SHARED,
                           .kind = ACCESS_LOAD,
                           .bytes = 4,
                           .active = 15,
                           .addr = {0, 128, 4, 0},
                           .banks = {2, 1},
                           .served = {0, 1, 0, 0},
                           .late = 2};
    access_is(&access, "{\"space\":\"shared\",\"op\":\"load\",\"bytes\":4,\"active\":15,\"array\":-1,\"at\":[0,128,4,0," NULLS28
                       "],\"wavefronts\":2,\"bank_conflicts\":1,\"late\":2,\"served\":[0,1,0,0," NULLS28 "]}");
    access.joined = true;
    access_is(&access, "{\"space\":\"shared\",\"op\":\"load\",\"bytes\":4,\"active\":15,\"array\":-1,\"at\":[0,128,4,0," NULLS28
                       "],\"wavefronts\":2,\"bank_conflicts\":1,\"joined\":true}");
    accesses[1] = access;
    steps[0].n_accesses = 2;
    json_t *object = traced(), *step = json_array_get(json_object_get(object, "steps"), 0);
    ck_assert_uint_eq(json_array_size(json_array_get(step, ACCESSES)), 2);
    json_decref(object);
}
END_TEST

SUITE_WITH("trace_json", begin, end, a_block_has_its_arrays_and_what_ran, a_launch_ends_with_its_trace,
           a_step_says_which_lanes_wait_for_what, values_are_of_their_type, inactive_lanes_do_not_part_equal_values,
           accesses_stand_in_their_array, lines_far_up_are_found_again, shared_accesses_say_who_is_served_when)
