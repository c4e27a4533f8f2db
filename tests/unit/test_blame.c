/* Who is blamed for what goes wrong between lanes, warps and mbarriers, where else the fault points, and what it advises: rows of PTX. */
#include <string.h>

#include "base/text.h"
#include "device/device.h"
#include "parsed.h"
#include "ptx/opcode.h"

typedef enum How { PLAIN, STRICT, GOES_ON } How;

typedef struct Row {
    const char *insns;
    unsigned threads;
    How how;
    FaultKind kind;   /* of the fault, or the one finding; FAULT_none: neither is there */
    const char *says; /* a part of it */
    uint8_t other;    /* the opcode that it points to as well; OP_COUNT: none */
    const char *hint; /* a part; NULL: any */
    uint8_t variant;  /* of the mbarrier that it points to; 0: any */
} Row;

/* %p0: the lower half of the warp; %p1: warp 0; %p2: lane 0 of warp 0; %own: a word of each thread's. */
static const char frame[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 4 .b8 words[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n"
    ".global .b8 text[4] = \"%%d\\n\"; .extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".entry k(.param .u64 out) {\n.reg .pred %%p<8>; .reg .b32 %%r<9>; .reg .b64 %%d<9>, %%own;\n.shared .align 8 .b64 bar;\n"
    "ld.param.u64 %%d1, [out]; mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%laneid; mul.wide.u32 %%own, %%r1, 4; add.u64 %%own, "
    "%%own, "
    "%%d1;\nsetp.lt.u32 %%p0, %%r2, 16; setp.lt.u32 %%p1, %%r1, 32; setp.eq.u32 %%p2, %%r1, 0;\n"
    "@%%p2 mbarrier.init.shared.b64 [bar], 3; bar.sync 0;\n%s\nEND: ret; }\n";

static void expect(const Row *row) {
    Diag diag = {0};
    Program *program = parsed_of(frame, row->insns);
    Memory *memory = memory_new();
    Allocation *out = memory_allocate(memory, 4096, "out", false);
    out->initialized = true;
    const LaunchRequest request = {.launch.kernel = prepared(program, "k"),
                                   .launch.params = (const uint8_t *)&out->address,
                                   .launch.memory = memory,
                                   .launch.grid = {1, 1, 1},
                                   .launch.block = {row->threads, 1, 1},
                                   .launch.checks = true,
                                   .launch.strict = row->how == STRICT,
                                   .launch.on_fault = row->how == GOES_ON ? ON_FAULT_GO_ON : ON_FAULT_STOP,
                                   .launch.threads = 1,
                                   .profile = profile_find("h200", &diag)};
    LaunchResult result;
    ck_assert_msg(device_launch(&request, &result, &diag), "%s: %s", row->insns, diag.message);
    const Fault *fault = result.findings.count ? &result.findings.items[0].fault : &result.fault;
    const uint8_t other = fault->other_pc == NO_INSN || !fault->kind ? OP_COUNT : program->insns[fault->other_pc].op;
    ck_assert_msg(fault->kind == row->kind && result.findings.count <= 1, "%s: %s: %s", row->insns,
                  fault_kinds[fault->kind].name, fault->message);
    ck_assert_msg(!row->kind || strstr(fault->message, row->says), "%s: %s", row->insns, fault->message);
    ck_assert_msg(other == row->other, "%s: %s: points to %s", row->insns, fault->message,
                  other == OP_COUNT ? "nothing" : opcode_names[other]);
    if (row->variant) ck_assert_msg(program->insns[fault->other_pc].variant == row->variant, "%s", row->insns);
    ck_assert_msg(!row->hint || strstr(fault->hint, row->hint), "%s: %s: %s", row->insns, fault->message, fault->hint);
    device_result_free(&result);
    memory_free(memory);
    program_free(program);
}

#define CHECK_ROWS(rows) \
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect(&rows[i])

/* The third warp leaves where the first two wait; by the old rule barriers are of all threads, but those that count threads are of whom they count. */
START_TEST(strict_tells_of_whom_a_barrier_waits_for)
{
    static const Row rows[] = {
        {"setp.ge.u32 %p3, %r1, 64; @%p3 bra END; bar.sync 1;", 96, STRICT, FAULT_barrier_divergence,
         "warp 2 had left the kernel", OP_bra, NULL, 0},
        {"setp.ge.u32 %p3, %r1, 64; @%p3 bra END; bar.sync 1, 64;", 96, STRICT, FAULT_none, NULL, OP_COUNT, NULL, 0},
        {"setp.eq.u32 %p3, %r1, 5; @%p3 bra END; bar.sync 1, 96;", 96, STRICT, FAULT_barrier_divergence, "lane 5 of warp 0",
         OP_bra, NULL, 0},
        {"@%p1 bra OTHER; bar.sync 1; bra END; OTHER: bar.sync 1;", 64, STRICT, FAULT_barrier_divergence,
         "warp 0 waits at this barrier, warp 1 at another one", OP_bar, "the same one", 0},
        {"@%p1 bra OTHER; bar.sync 1, 64; bra END; OTHER: bar.sync 1, 64;", 64, STRICT, FAULT_none, NULL, OP_COUNT, NULL, 0},
    };
    CHECK_ROWS(rows);
}
END_TEST

START_TEST(a_barrier_in_vain_points_to_who_left_or_waits_elsewhere)
{
    static const Row rows[] = {
        {"@%p1 bra END; bar.sync 1, 64;", 64, PLAIN, FAULT_deadlock, "warp 1 waits at barrier 1 for 64 threads", OP_bra,
         "counts no warp that has left", 0},
        {"@%p1 bra OTHER; bar.sync 1, 64; OTHER: bar.sync 2, 64;", 64, PLAIN, FAULT_deadlock,
         "warp 1 waits at barrier 1 for 64 threads; warp 0 never comes", OP_COUNT, NULL, 0},
        {"@%p0 bra OTHER; bar.sync 1; bra END; OTHER: bar.sync 2;", 32, PLAIN, FAULT_barrier_divergence, "another one", OP_bar,
         NULL, 0},
        {"@%p0 bra OTHER; barrier.sync 1; bra END; OTHER: barrier.sync 1, 32;", 32, PLAIN, FAULT_barrier_divergence,
         "another one", OP_barrier, NULL, 0},
        {"mov.u32 %r4, 0; @%p0 bra OTHER; barrier.sync 1; bra END; OTHER: barrier.sync 1, %r4;", 32, PLAIN,
         FAULT_barrier_divergence, "another one", OP_barrier, NULL, 0},
        /* a vote is no barrier */
        {"@%p0 bra OTHER; vote.sync.any.pred %p3, %p0, -1; bra END; OTHER: bar.sync 1;", 32, PLAIN, FAULT_barrier_divergence,
         "are elsewhere", OP_bra, NULL, 0},
    };
    CHECK_ROWS(rows);
}
END_TEST

/* What is read anew in each iteration: by a plain load, where a fence makes it one. */
START_TEST(a_wait_in_vain_names_what_it_reads)
{
    static const Row rows[] = {
        {"AGAIN: membar.gl; ld.global.u32 %r3, [%d1+8]; setp.eq.u32 %p3, %r3, 0; @%p3 bra AGAIN;", 32, PLAIN, FAULT_deadlock,
         "wait for 'out'+8 to change", OP_COUNT, NULL, 0},
        {"AGAIN: ld.volatile.global.u32 %r3, [%d1+8]; setp.eq.u32 %p3, %r3, 0; @%p3 bra AGAIN;", 32, PLAIN, FAULT_deadlock,
         "wait for 'out'+8 to change", OP_COUNT, NULL, 0},
        {"AGAIN: atom.global.or.b32 %r3, [%d1+8], 0; ld.global.u32 %r4, [%d1]; setp.eq.u32 %p3, %r3, 0; @%p3 bra AGAIN;", 32,
         PLAIN, FAULT_deadlock, "wait for 'out'+8 to change", OP_COUNT, NULL, 0},
        /* while others of the block wait at a barrier */
        {"@%p1 bra HERE; AGAIN: ld.volatile.global.u32 %r3, [%d1+8]; setp.eq.u32 %p3, %r3, 0; @%p3 bra AGAIN; HERE: bar.sync "
         "1;",
         64, PLAIN, FAULT_deadlock, "of warp 1 wait for 'out'+8 to change", OP_COUNT, NULL, 0},
    };
    CHECK_ROWS(rows);
}
END_TEST

/* Two warps that write one value where nothing orders them, which the rules of old alone forbid: what a bulk copy by any lane writes counts as well. */
#define BULK(lane, value)                                                                                \
    ".shared .align 16 .b8 from[16]; setp.eq.u32 %p3, %r1, " lane                                        \
    "; @!%p3 bra NEXT; mov.u32 %r3, 7; st.shared.v4.u32 [from], {%r3, "                                  \
    "%r3, %r3, %r3}; fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%d1], [from], 16; " \
    "cp.async.bulk.commit_group; "                                                                       \
    "cp.async.bulk.wait_group 0; NEXT: setp.eq.u32 %p3, %r1, 40; mov.u32 %r3, " value                    \
    "; @%p3 st.global.v4.u32 [%d1], {%r3, %r3, %r3, %r3};"
START_TEST(a_bulk_copy_writes_the_values_that_it_has)
{
    static const Row rows[] = {
        {BULK("0", "7"), 64, PLAIN, FAULT_none, NULL, OP_COUNT, NULL, 0},
        {BULK("21", "7"), 64, PLAIN, FAULT_none, NULL, OP_COUNT, NULL, 0},
        {BULK("21", "8"), 64, PLAIN, FAULT_global_race, "lane 21 of warp 0 of block 0 writes 16 bytes", OP_st, NULL, 0},
    };
    CHECK_ROWS(rows);
}
END_TEST

/* What is printed is used. */
#define PRINT(value)                                                                                                           \
    ".local .align 8 .b8 a[8]; .reg .b32 u; .reg .b64 x, y, z; .param .b64 f, g; .param .b32 r; mov.u64 x, a; cvta.local.u64 " \
    "y, x; st.local.u32 [x], " value                                                                                           \
    "; st.param.b64 [g], y; mov.u64 z, text; cvta.global.u64 z, z; st.param.b64 [f], z; call (r), vprintf, (f, g);"
START_TEST(what_is_printed_must_have_been_written)
{
    static const Row rows[] = {
        {PRINT("%r1"), 1, PLAIN, FAULT_none, NULL, OP_COUNT, NULL, 0},
        {PRINT("u"), 1, PLAIN, FAULT_uninitialized, "uses a variable here", OP_COUNT, NULL, 0},
    };
    CHECK_ROWS(rows);
}
END_TEST

START_TEST(a_mask_is_each_lanes_own)
{
    static const Row rows[] = {
        {"vote.sync.ballot.b32 %r3, %p0, 0xfffffffe;", 32, PLAIN, FAULT_sync_mask,
         "lane 0 of warp 0 takes part, but its mask does not name it", OP_COUNT, NULL, 0},
        {"selp.b32 %r4, 0xfffffffb, -1, %p0; setp.eq.u32 %p3, %r2, 2; @!%p3 mov.u32 %r4, -1; vote.sync.ballot.b32 %r3, %p0, "
         "%r4;",
         32, PLAIN, FAULT_sync_mask, "lane 2 of warp 0 takes part", OP_COUNT, NULL, 0},
        /* of whom a shuffle takes: who has left, whom the block never had, who is elsewhere, whom the mask leaves out */
        {"@%p0 bra END; shfl.sync.idx.b32 %r3, %r2, 3, 31, -1; st.global.u32 [%own], %r3;", 32, GOES_ON, FAULT_sync_mask,
         "lane 3, which has left the kernel", OP_COUNT, "no return before it", 0},
        {"shfl.sync.idx.b32 %r3, %r2, 30, 31, -1; st.global.u32 [%own], %r3;", 20, GOES_ON, FAULT_sync_mask,
         "lane 30, which the block never had", OP_COUNT, "launch a multiple of 32", 0},
        {"@%p0 bra NEXT; shfl.sync.idx.b32 %r3, %r2, 3, 31, 0xffff0000; st.global.u32 [%own], %r3; NEXT: bar.warp.sync -1;", 32,
         GOES_ON, FAULT_sync_mask, "lane 3, which does not take part in this shuffle", OP_COUNT, NULL, 0},
        {"selp.b32 %r4, 0xfffffff7, -1, %p0; setp.eq.u32 %p3, %r2, 3; @%p3 mov.u32 %r4, -1; shfl.sync.idx.b32 %r3, %r2, 3, 31, "
         "%r4; st.global.u32 [%own], %r3;",
         32, GOES_ON, FAULT_sync_mask, "lane 3, which its mask does not name", OP_COUNT, "name every lane", 0},
    };
    CHECK_ROWS(rows);
}
END_TEST

/* Three arrivals are expected. What a phase lacks, and the instruction that asked for it. */
#define WAIT "AGAIN: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra AGAIN;"
#define WAIT_1 "AGAIN: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 1; @!%p3 bra AGAIN;"
#define ARRIVE "mbarrier.arrive.shared.b64 %d2, [bar];"
START_TEST(a_phase_in_vain_points_to_who_asked_for_what_it_lacks)
{
    static const Row rows[] = {
        {ARRIVE WAIT, 2, PLAIN, FAULT_deadlock, "it lacks 1 of 3 arrivals", OP_mbarrier,
         "as many arrivals as mbarrier.init says", MBARRIER_INIT},
        {"mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 48;" ARRIVE WAIT, 1, PLAIN, FAULT_deadlock,
         "it lacks 2 of 3 arrivals and 48 of the bytes that it expects", OP_mbarrier, NULL, MBARRIER_EXPECT_TX},
        {"mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 16;" ARRIVE WAIT, 1, PLAIN, FAULT_deadlock,
         "it lacks 2 of 3 arrivals and an expect_tx of 16 bytes that were copied", OP_mbarrier, NULL, 0},
        {"mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 16;" ARRIVE WAIT, 3, PLAIN, FAULT_deadlock,
         "it lacks an expect_tx of 48 bytes", OP_mbarrier, NULL, 0},
        /* an untouched phase: the one before it is over, if there was one */
        {WAIT, 1, PLAIN, FAULT_deadlock,
         "phase 0 of the mbarrier at byte 0 of shared memory, and no other thread can go on: it "
         "lacks 3 of 3 arrivals",
         OP_mbarrier, "each phase needs as many arrivals", 0},
        {ARRIVE WAIT_1, 3, PLAIN, FAULT_deadlock, "phase 1", OP_mbarrier,
         "phase 0, of parity 0, is over: does the parity that is waited for change with each round?", 0},
        /* one that bytes are expected of is not */
        {ARRIVE "@%p2 mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 48;" WAIT_1, 3, PLAIN, FAULT_deadlock,
         "it lacks 3 of 3 arrivals and 48 of the bytes that it expects", OP_mbarrier, "each phase needs as many arrivals",
         MBARRIER_EXPECT_TX},
        {"mbarrier.arrive.shared.b64 %d2, [bar], 4;", 1, PLAIN, FAULT_barrier_divergence,
         "4 arrivals at once, which must be 1 to 3", OP_mbarrier, NULL, MBARRIER_INIT},
        {"mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 1048575; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 "
         "[bar], 1;",
         1, PLAIN, FAULT_barrier_divergence, "-1048576 bytes are then expected, which must be -1048575 to 1048575", OP_mbarrier,
         NULL, 0},
        {"mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 1048575; mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 1;", 1,
         PLAIN, FAULT_barrier_divergence, "1048576 bytes are then expected", OP_mbarrier, NULL, 0},
    };
    CHECK_ROWS(rows);
}
END_TEST

SUITE("blame", what_is_printed_must_have_been_written, a_wait_in_vain_names_what_it_reads,
      a_bulk_copy_writes_the_values_that_it_has, strict_tells_of_whom_a_barrier_waits_for,
      a_barrier_in_vain_points_to_who_left_or_waits_elsewhere, a_mask_is_each_lanes_own,
      a_phase_in_vain_points_to_who_asked_for_what_it_lacks)
