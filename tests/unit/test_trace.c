/* What a traced launch shows, against programs of a few instructions whose steps are written down by hand. */
#include "device/device.h"
#include "observe/trace.h"
#include "parsed.h"

#define HEAD ".version 6.5\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"

/* Lanes 0 to 15 add 10 to their number, the others multiply theirs by 3; then all store it. */
static const char diverging[] = HEAD ".reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
                                     "ld.param.u64 %rd1, [p];\n"           /* 0 */
                                     "mov.u32 %r1, %tid.x;\n"              /* 1 */
                                     "setp.lt.u32 %p1, %r1, 16;\n"         /* 2 */
                                     "@%p1 bra LOW;\n"                     /* 3 */
                                     "mul.lo.u32 %r2, %r1, 3;\n"           /* 4 */
                                     "bra.uni JOIN;\n"                     /* 5 */
                                     "LOW:\nadd.u32 %r2, %r1, 10;\n"       /* 6 */
                                     "JOIN:\nmul.wide.u32 %rd2, %r1, 8;\n" /* 7 */
                                     "add.s64 %rd3, %rd1, %rd2;\n"         /* 8 */
                                     "@%p1 st.global.u32 [%rd3], %r2;\n"   /* 9 */
                                     "st.global.u32 [%rd3+4], %r2;\n"      /* 10 */
                                     "ret;\n}\n";                          /* 11 */

/* Lanes 0 to 7 leave. Lanes 8 to 15 come to a __syncwarp() at once, the others after a branch that could lead around it; so it is not where the
 * two reconverge, and the first to come wait there for the others. */
static const char leaving[] = HEAD ".reg .pred %p<4>;\n.reg .b32 %r<3>;\n"
                                   "mov.u32 %r1, %tid.x;\n"             /* 0 */
                                   "setp.lt.u32 %p1, %r1, 8;\n"         /* 1 */
                                   "@%p1 bra END;\n"                    /* 2 */
                                   "setp.lt.u32 %p2, %r1, 16;\n"        /* 3 */
                                   "@%p2 bra SYNC;\n"                   /* 4 */
                                   "setp.gt.u32 %p3, %r1, 100;\n"       /* 5 */
                                   "@%p3 bra JOIN;\n"                   /* 6 */
                                   "SYNC:\nbar.warp.sync 0xffffff00;\n" /* 7 */
                                   "JOIN:\nadd.u32 %r2, %r1, 2;\n"      /* 8 */
                                   "ret;\n"                             /* 9 */
                                   "END:\nret;\n}\n";                   /* 10 */

/* All words of bank 0, twice; then a 64-bit number that no double holds. */
static const char banks[] = HEAD ".reg .b32 %r<12>;\n.reg .b64 %rd<4>;\n.shared .align 16 .b8 s[4096];\n"
                                 "mov.u32 %r1, %tid.x;\n"                             /* 0 */
                                 "shl.b32 %r2, %r1, 7;\n"                             /* 1 */
                                 "mov.u32 %r3, s;\n"                                  /* 2 */
                                 "add.u32 %r3, %r3, %r2;\n"                           /* 3 */
                                 "st.shared.u32 [%r3], %r1;\n"                        /* 4 */
                                 "ld.param.u64 %rd1, [p];\n"                          /* 5 */
                                 "ld.global.u64 %rd2, [%rd1];\n"                      /* 6 */
                                 "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd1];\n"   /* 7 */
                                 "st.shared.v4.u32 [s+4000], {%r4, %r5, %r6, %r7};\n" /* 8 */
                                 "st.shared.u64 [s+4016], %rd2;\n"                    /* 9 */
                                 "ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%rd1];\n" /* 10: its second and fourth are used */
                                 "st.shared.v2.u32 [s+4024], {%r9, %r11};\n"          /* 11 */
                                 "ld.global.u64 %rd3, [%rd1];\n"                      /* 12: not used */
                                 "ret;\n}\n";

/* A loop that each warp runs so often that not all steps are kept. */
static const char endless[] = HEAD ".reg .pred %p<2>;\n.reg .b32 %r<3>;\n"
                                   "mov.u32 %r1, 0;\n"              /* 0 */
                                   "L:\nadd.u32 %r1, %r1, 1;\n"     /* 1 */
                                   "setp.lt.u32 %p1, %r1, 40000;\n" /* 2 */
                                   "@%p1 bra L;\n"                  /* 3 */
                                   "ret;\n}\n";

typedef struct Traced {
    Program *program;
    Memory *memory;
    Allocation *buffer;
    Trace trace;
    LaunchResult result;
} Traced;

static Traced traced(const char *ptx, uint32_t blocks, uint32_t threads, uint64_t block) {
    Traced t = {.program = parsed(ptx), .memory = memory_new(), .trace.block = block};
    Diag diag = {0};
    t.buffer = memory_allocate(t.memory, 1024, "buffer", false);
    t.buffer->initialized = true;
    LaunchRequest request = {.launch.kernel = prepared(t.program, "k"),
                             .launch.grid = {blocks, 1, 1},
                             .launch.block = {threads, 1, 1},
                             .launch.params = (const uint8_t *)&t.buffer->address,
                             .launch.memory = t.memory,
                             .profile = profile_find("h200", &diag),
                             .l1 = true,
                             .joins = true,
                             .launch.checks = true,
                             .launch.threads = 4,
                             .trace = &t.trace};
    ck_assert_msg(device_launch(&request, &t.result, &diag), "%s", diag.message);
    return t;
}

static void traced_free(Traced *t) {
    trace_free(&t->trace);
    device_result_free(&t->result);
    memory_free(t->memory);
    program_free(t->program);
}

/* Wherever else the lanes of a step are: in one place. */
static void waits(const Trace *trace, uint32_t index, uint32_t pc, uint32_t lanes, WaitKind kind) {
    const Shown *shown = &trace->steps[index].shown;
    ck_assert_uint_eq(shown->n_waiting, 1);
    ck_assert_uint_eq(shown->waiting[0].pc, pc);
    ck_assert_uint_eq(shown->waiting[0].lanes, lanes);
    ck_assert_int_eq(shown->waiting[0].kind, kind);
    ck_assert(trace->awaited[pc]);
}

static const TracedStep *step_of(const Trace *trace, uint32_t index, uint32_t pc, uint32_t lanes, uint32_t active) {
    ck_assert_uint_lt(index, trace->n_steps);
    const TracedStep *step = &trace->steps[index];
    ck_assert_uint_eq(step->shown.pc, pc);
    ck_assert_uint_eq(step->shown.lanes, lanes);
    ck_assert_uint_eq(step->shown.active, active);
    return step;
}

/* The one value of a step. */
static const TracedValue *value_of(const Trace *trace, const TracedStep *step, unsigned bytes) {
    ck_assert_uint_eq(step->n_values, 1);
    const TracedValue *value = &trace->values[step->value];
    ck_assert_uint_eq(value->bytes, bytes);
    ck_assert_uint_eq(value->active, step->shown.active);
    return value;
}

START_TEST(lanes_that_diverge)
{
    const uint32_t low = 0x0000ffff, high = 0xffff0000, all = 0xffffffff;
    Traced t = traced(diverging, 1, 32, 0);
    const Trace *trace = &t.trace;
    ck_assert_int_eq(t.result.fault.kind, FAULT_none);
    ck_assert(trace->complete);
    ck_assert_uint_eq(t.result.counters->instructions, 12); /* 0-3; 4, 5; 6; 7-11: nothing is counted for being watched */
    ck_assert_uint_eq(trace->n_steps, 12);
    step_of(trace, 0, 0, all, all);
    const TracedValue *number = value_of(trace, step_of(trace, 1, 1, all, all), 4);
    for (unsigned l = 0; l < 32; l++) ck_assert_uint_eq(number->lanes[l], l);
    const TracedValue *predicate = value_of(trace, step_of(trace, 2, 2, all, all), 0);
    for (unsigned l = 0; l < 32; l++) ck_assert_uint_eq(predicate->lanes[l], l < 16);
    step_of(trace, 3, 3, all, low);
    /* One side after the other; which is first is the machine's to choose. */
    bool taken_first = trace->steps[4].shown.pc == 6;
    const TracedValue *added = value_of(trace, step_of(trace, taken_first ? 4 : 6, 6, low, low), 4);
    const TracedValue *multiplied = value_of(trace, step_of(trace, taken_first ? 5 : 4, 4, high, high), 4);
    step_of(trace, taken_first ? 6 : 5, 5, high, high);
    /* The side that runs first leaves the other at its beginning; the second finds the first behind the branch, at 7. */
    waits(trace, 4, taken_first ? 4 : 6, taken_first ? high : low, WAIT_PATH);
    waits(trace, 6, 7, taken_first ? low : high, WAIT_RECONVERGENCE);
    for (uint32_t s = 0; s < 12; s++)
        if (s < 4 || s > 6) ck_assert_uint_eq(trace->steps[s].shown.n_waiting, 0);
    for (unsigned l = 0; l < 16; l++) ck_assert_uint_eq(added->lanes[l], l + 10);
    for (unsigned l = 16; l < 32; l++) ck_assert_uint_eq(multiplied->lanes[l], 3 * l);
    const TracedValue *offset = value_of(trace, step_of(trace, 7, 7, all, all), 8);
    ck_assert_uint_eq(offset->lanes[31], 248);
    step_of(trace, 8, 8, all, all);
    const TracedStep *guarded = step_of(trace, 9, 9, all, low);
    const TracedAccess *store = &trace->accesses[guarded->access];
    ck_assert_uint_eq(guarded->n_accesses, 1);
    ck_assert_uint_eq(guarded->n_values, 0);
    ck_assert_uint_eq(store->active, low);
    ck_assert_uint_eq(store->addr[15], t.buffer->address + 120);
    ck_assert_uint_eq(store->sectors, 4); /* 16 lanes, 8 bytes apart: 128 bytes */
    ck_assert_uint_eq(store->n_lines, 1);
    ck_assert_uint_eq(store->lines[0].sectors, 0xf);
    ck_assert_uint_eq(store->unique_bytes, 64);
    const TracedAccess *second = &trace->accesses[step_of(trace, 10, 10, all, all)->access];
    ck_assert_uint_eq(second->sectors, 8);
    ck_assert_uint_eq(second->n_lines, 2);
    step_of(trace, 11, 11, all, all);
    ck_assert_uint_eq(trace->runs[6], 1);
    ck_assert_uint_eq(trace->runs[10], 1);
    traced_free(&t);
}
END_TEST

START_TEST(lanes_that_have_left_and_lanes_at_a_warp_barrier)
{
    const uint32_t gone = 0xff, low = 0xff00, high = 0xffff0000;
    Traced t = traced(leaving, 1, 32, 0);
    ck_assert_int_eq(t.result.fault.kind, FAULT_none);
    uint32_t at_barrier = 0, without_some = 0;
    for (uint32_t s = 0; s < t.trace.n_steps; s++) {
        const Shown *shown = &t.trace.steps[s].shown;
        uint32_t elsewhere = 0;
        for (uint32_t i = 0; i < shown->n_waiting; i++) {
            const LaneWait *wait = &shown->waiting[i];
            ck_assert_uint_eq(wait->lanes & elsewhere, 0);
            elsewhere |= wait->lanes;
            if (wait->kind != WAIT_SYNC) continue;
            ck_assert_uint_eq(wait->pc, 7);
            ck_assert(wait->lanes == low || wait->lanes == high); /* the first to come; lanes 0 to 7 may leave meanwhile */
            at_barrier++;
        }
        ck_assert_uint_eq(shown->lanes | elsewhere, shown->live); /* each live lane is here or in one of the lists */
        without_some += shown->live == ~gone || shown->live == gone;
    }
    ck_assert_uint_gt(at_barrier, 0);
    ck_assert_uint_gt(without_some, 0);
    traced_free(&t);
}
END_TEST

START_TEST(words_of_constant_memory)
{
    /* Lane l reads float l / 2 of 16, then all lanes the fifth, then the double l / 4: 16, 1 and 8 words that differ. */
    static const char ptx[] =
        ".version 6.5\n.target sm_75\n.address_size 64\n.const .align 8 .b8 c[64];\n.visible .entry k(.param .u64 p)\n{\n"
        ".shared .align 8 .b8 s[16];\n.reg .b32 %r<4>;\n.reg .b64 %rd<9>;\n"
        "mov.u32 %r1, %tid.x;\n"         /* 0 */
        "mov.u64 %rd1, c;\n"             /* 1 */
        "shr.u32 %r2, %r1, 1;\n"         /* 2 */
        "mul.wide.u32 %rd2, %r2, 4;\n"   /* 3 */
        "add.s64 %rd3, %rd1, %rd2;\n"    /* 4 */
        "ld.const.u32 %r3, [%rd3];\n"    /* 5 */
        "ld.const.u32 %r3, [%rd1+16];\n" /* 6 */
        "shr.u32 %r2, %r1, 2;\n"         /* 7 */
        "mul.wide.u32 %rd2, %r2, 8;\n"   /* 8 */
        "add.s64 %rd3, %rd1, %rd2;\n"    /* 9 */
        "ld.const.u64 %rd4, [%rd3];\n"   /* 10 */
        "ld.const.u8 %r3, [%rd1+3];\n"   /* 11 */
        "st.shared.u32 [s], %r3;\n"      /* 12 */
        "st.shared.u64 [s+8], %rd4;\n"   /* 13 */
        "ret;\n}\n";
    Traced t = traced(ptx, 1, 32, 0);
    const uint32_t at[] = {5, 6, 10, 11}, words[] = {16, 1, 8, 1};
    for (unsigned i = 0; i < 4; i++) {
        const TracedAccess *access = &t.trace.accesses[step_of(&t.trace, at[i], at[i], LANES_ALL, LANES_ALL)->access];
        ck_assert_uint_eq(access->space, SPACE_CONST);
        ck_assert_uint_eq(access->words, words[i]);
    }
    traced_free(&t);
}
END_TEST

START_TEST(shared_words_and_what_l1_has)
{
    Traced t = traced(banks, 1, 32, 0);
    const Trace *trace = &t.trace;
    const TracedAccess *store = &trace->accesses[step_of(trace, 4, 4, LANES_ALL, LANES_ALL)->access];
    ck_assert_uint_eq(store->space, SPACE_SHARED);
    ck_assert_uint_eq(store->addr[2], 256);
    ck_assert_uint_eq(store->banks.wavefronts, 32);
    ck_assert_uint_eq(store->banks.conflicts, 31);
    for (unsigned l = 0; l < 32; l++) ck_assert_uint_eq(store->served[l], l);
    const TracedAccess *first = &trace->accesses[step_of(trace, 6, 6, LANES_ALL, LANES_ALL)->access];
    const TracedAccess *again = &trace->accesses[step_of(trace, 7, 7, LANES_ALL, LANES_ALL)->access];
    ck_assert_uint_eq(first->hits, 0);
    ck_assert_uint_eq(first->lines[0].hits, 0);
    ck_assert_uint_eq(again->hits, 1); /* the sector that the first fetched */
    ck_assert_uint_eq(again->lines[0].hits, 1);
    const TracedStep *split = step_of(trace, 10, 10, LANES_ALL, LANES_ALL);
    ck_assert_uint_eq(split->n_accesses, 2);
    for (unsigned part = 0; part < 2; part++) {
        const TracedAccess *access = &trace->accesses[(unsigned)split->access + part];
        ck_assert_uint_eq(access->bytes, 4);
        ck_assert_uint_eq(access->addr[0], again->addr[0] + 4 + 8 * part);
        ck_assert_uint_eq(access->hits, 1);
    }
    ck_assert_uint_eq(step_of(trace, 12, 12, LANES_ALL, LANES_ALL)->n_accesses, 0);
    ck_assert_uint_eq(t.result.counters->global[COUNTER_LOAD].l1_hit_sectors, 3);
    traced_free(&t);
}
END_TEST

/* Four loads of neighbouring words are one of 16 bytes: a quarter of a warp at a time, four wavefronts where no words repeat. */
static const char joined[] = HEAD ".reg .b32 %r<9>;\n.shared .align 16 .b8 s[2048];\n"
                                  "mov.u32 %r1, %tid.x;\n"         /* 0 */
                                  "shl.b32 %r2, %r1, 4;\n"         /* 1 */
                                  "mov.u32 %r3, s;\n"              /* 2 */
                                  "add.u32 %r3, %r3, %r2;\n"       /* 3 */
                                  "st.shared.u32 [%r3], %r1;\n"    /* 4 */
                                  "st.shared.u32 [%r3+4], %r1;\n"  /* 5 */
                                  "st.shared.u32 [%r3+8], %r1;\n"  /* 6 */
                                  "st.shared.u32 [%r3+12], %r1;\n" /* 7 */
                                  "ret;\n}\n";

START_TEST(accesses_that_the_assembler_joins)
{
    Traced t = traced(joined, 1, 32, 0);
    unsigned requests = 0, others = 0;
    for (uint32_t a = 0; a < t.trace.n_accesses; a++) {
        const TracedAccess *access = &t.trace.accesses[a];
        requests += !access->joined;
        others += access->joined;
        ck_assert_uint_eq(access->bytes, access->joined ? 4 : 16);
        ck_assert_uint_eq(access->banks.wavefronts, access->joined ? 0 : 4);
        if (!access->joined) ck_assert_uint_eq(access->addr[3], 48);
    }
    ck_assert_uint_eq(requests, 1);
    ck_assert_uint_eq(others, 3);
    ck_assert_uint_eq(t.result.counters->shared[COUNTER_STORE].wavefronts, 4);
    traced_free(&t);
}
END_TEST

START_TEST(one_block_of_many)
{
    Traced t = traced(diverging, 3, 48, 1);
    ck_assert_uint_eq(t.trace.place.ctaid[0], 1);
    ck_assert_uint_eq(t.trace.place.threads, 48);
    /* Warp 0 as before; lanes 0 to 15 of warp 1 are threads 32 to 47, and all take the way that 4 and 5 are on. */
    uint32_t of_warp[2] = {0, 0};
    for (uint32_t s = 0; s < t.trace.n_steps; s++) of_warp[t.trace.steps[s].warp]++;
    ck_assert_uint_eq(of_warp[0], 12);
    ck_assert_uint_eq(of_warp[1], 11);
    ck_assert_uint_eq(t.trace.runs[4], 2);
    ck_assert_uint_eq(t.trace.runs[6], 1);
    for (uint32_t s = 0; s < t.trace.n_steps; s++)
        if (t.trace.steps[s].warp == 1) ck_assert_uint_eq(t.trace.steps[s].shown.live, 0xffff);
    ck_assert_uint_eq(t.result.threads, 1);
    traced_free(&t);
}
END_TEST

START_TEST(more_steps_than_are_kept)
{
    Traced t = traced(endless, 1, 32, 0);
    ck_assert(!t.trace.complete);
    ck_assert_uint_eq(t.trace.n_steps, TRACE_STEPS_MOST);
    ck_assert_uint_eq(t.trace.runs[1], 40000);
    ck_assert_uint_eq(t.trace.runs[4], 1);
    traced_free(&t);
}
END_TEST

SUITE("trace", lanes_that_diverge, lanes_that_have_left_and_lanes_at_a_warp_barrier, words_of_constant_memory,
      shared_words_and_what_l1_has, accesses_that_the_assembler_joins, one_block_of_many, more_steps_than_are_kept)
