/* Two blocks of a cluster on each other's shared memory, by row: what the block of rank 0 does and what that of rank 1, and what is told of it. What orders them:
 * PTX ISA, "Memory Consistency Model" (barrier.cluster, mbarrier, release and acquire of scope .cluster or wider); CUDA C++ Programming Guide, "Distributed Shared
 * Memory": "that all thread blocks have started", and "remain" until all accesses are complete. */
#include <string.h>

#include "device/device.h"
#include "parsed.h"

/* Registers: %r1 the lane, %r4 `own`, %r5 the other block's, %r6 `flag` of the own block, %r7 of the other, %r8, %r9 `bar` likewise, %r10 1 + the rank, %p1 thread 0,
 * %p5 thread 32. */
static const char head[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry k(.param .u64 out) .reqnctapercluster 2 {\n"
                           ".reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<9>;\n"
                           ".shared .align 16 .b8 own[256]; .shared .align 4 .b32 flag; .shared .align 8 .b64 bar;\n"
                           "mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank; xor.b32 %r3, %r2, 1;\n"
                           "mov.u32 %r4, own; mapa.shared::cluster.u32 %r5, %r4, %r3;\n"
                           "mov.u32 %r6, flag; mapa.shared::cluster.u32 %r7, %r6, %r3;\n"
                           "mov.u32 %r8, bar; mapa.shared::cluster.u32 %r9, %r8, %r3; add.u32 %r10, %r2, 1;\n"
                           "ld.param.u64 %rd1, [out]; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r2, 0;\n"
                           "@%p1 st.shared.u32 [%r6], 0; setp.eq.u32 %p5, %r1, 32;\n"
                           "@%p1 mbarrier.init.shared::cta.b64 [%r8], 1;\n"
                           "@%p1 st.shared.v4.u32 [%r4], {7, 7, 7, 7}; @%p1 st.shared.u32 [%r4+128], 7;\nfence.proxy.async;\n"
                           "barrier.cluster.arrive; barrier.cluster.wait;\n@%p2 bra ZERO;\n";
#define SYNC "barrier.cluster.arrive; barrier.cluster.wait;\n"
#define LEAVE "ret;\n"
#define END SYNC LEAVE
#define READ_OTHERS "@%p1 ld.shared::cluster.u32 %r11, [%r5];\n"
#define WRITE_OTHERS "@%p1 st.shared::cluster.u32 [%r5], %r10;\n"
#define READ_OWN "@%p1 ld.shared.u32 %r11, [%r4];\n"
#define WRITE_OWN "@%p1 st.shared.u32 [%r4], %r10;\n"
#define ADD_OTHERS "red.shared::cluster.add.u32 [%r5], 1;\n"
#define ADD_OWN "red.shared.add.u32 [%r4], 1;\n"
#define COPY_IN "@%p1 cp.async.ca.shared.global [%r4], [%rd1], 4;\n"
#define COPY_OUT "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4], 16;\ncp.async.bulk.commit_group;\n"
#define WAIT_OUT "cp.async.bulk.wait_group.read 0;\n"
#define UPDATE(how) "@%p1 " how ".shared::cluster.add.u32 [%r5+64], 1;\n"
#define COPY "@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5], [%r4], 16, [%r9];\n"
#define EXPECT "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r8], 16;\n"
#define ARRIVE_OTHERS "@%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];\n"
#define ARRIVE_RELAXED "@%p1 mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r9];\n"
#define RAISE "@%p1 st.relaxed.cluster.shared::cluster.u32 [%r7], 1;\n"
#define POLL(how) "F: " how ".shared.u32 %r11, [%r6]; setp.eq.u32 %p3, %r11, 0; @%p3 bra F;\n"
/* The first of two warps leaves, the other meets itself at a barrier that counts. */
#define HALF_LEAVES "setp.lt.u32 %p4, %r1, 32; @%p4 ret; bar.sync 1, 32;\n"
#define WAIT(n) "W" n ": mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r8], 0; @!%p3 bra W" n ";\n"

static const struct {
    const char *what, *zero, *one;
    const char *told; /* part of the message; NULL: nothing is */
    bool strictly;    /* by --check strict alone */
    uint32_t warps;   /* of each block */
} rows[] = {
    {"a block reads what the other writes behind a meeting", READ_OTHERS SYNC END, SYNC WRITE_OWN END, NULL, false, 1},
    {"a block writes, they meet, the other reads its own", WRITE_OTHERS SYNC END, SYNC READ_OWN END, NULL, false, 1},
    {"both read", READ_OTHERS END, READ_OWN READ_OTHERS END, NULL, false, 1},
    {"a read beside a write of the owner", READ_OTHERS END, WRITE_OWN END, "with no cluster.sync() between", false, 1},
    {"a read behind a write of the owner", SYNC READ_OTHERS END, SYNC WRITE_OWN END, "with no cluster.sync() between", false,
     1},
    {"a write beside a read of the owner", WRITE_OTHERS END, READ_OWN END, "with no cluster.sync() between", false, 1},
    {"a write beside a read of the owner, that has met its own threads", WRITE_OTHERS END, "bar.sync 0;\n" READ_OWN END,
     "with no cluster.sync() between", false, 1},
    {"a read of the owner before its own barrier, and a write", "bar.sync 0;\n" WRITE_OTHERS END, READ_OWN "bar.sync 0;\n" END,
     "with no cluster.sync() between", false, 1},
    {"two writes of different values", WRITE_OTHERS END, WRITE_OWN END, "with no cluster.sync() between", false, 1},
    {"two writes of one value", "@%p1 st.shared::cluster.u32 [%r5], 5;\n" END, "@%p1 st.shared.u32 [%r4], 5;\n" END,
     "with no cluster.sync() between", true, 1},
    {"in another word", READ_OTHERS END, "@%p1 st.shared.u32 [%r4+4], 1;\n" END, NULL, false, 1},
    {"a vector over the word", "@%p1 ld.shared::cluster.v4.u32 {%r11, %r12, %r13, %r14}, [%r5];\n" END,
     "@%p1 st.shared.u32 [%r4+12], 1;\n" END, "at byte 12", false, 1},
    {"each in its own memory", WRITE_OTHERS END, WRITE_OTHERS END, NULL, false, 1},
    {"atomic operations of both", ADD_OTHERS END, ADD_OWN END, NULL, false, 1},
    {"atomic operations beside a plain read", ADD_OTHERS END, READ_OWN END, "with no cluster.sync() between", false, 1},
    {"atomic operations, and a plain read behind a meeting", ADD_OTHERS SYNC END, ADD_OWN SYNC READ_OWN END, NULL, false, 1},
    {"lanes of the other block at once", "st.shared::cluster.u32 [%r5+128], %r1;\n" END, END,
     "which lane 0 of warp 0 wrote with no __syncthreads() between", false, 1},
    {"a lane of the other block behind another",
     "@%p1 st.shared::cluster.u32 [%r5+128], 1; setp.eq.u32 %p4, %r1, 1;\n"
     "@%p4 ld.shared::cluster.u32 %r11, [%r5+128];\n" END,
     END, "with no __syncthreads() between", false, 1},
    {"the same behind __syncwarp()",
     "@%p1 st.shared::cluster.u32 [%r5+128], 1; setp.eq.u32 %p4, %r1, 1; bar.warp.sync -1;\n"
     "@%p4 ld.shared::cluster.u32 %r11, [%r5+128];\n" END,
     END, NULL, false, 1},
    {"a warp reads what another of its block wrote",
     "@%p1 st.shared.u32 [%r4+128], 1; @%p5 ld.shared.u32 %r11, [%r4+128];\n" END, END, "with no __syncthreads() between",
     false, 2},
    {"the same, of a word that nobody wrote before", "@%p1 st.shared.u32 [%r4+64], 1; @%p5 ld.shared.u32 %r11, [%r4+64];\n" END,
     END, "with no __syncthreads() between", false, 2},
    {"handed over by a flag", WRITE_OTHERS "fence.acq_rel.cluster;\n@%p1 atom.shared::cluster.exch.b32 %r11, [%r7], 1;\n" END,
     POLL("ld.acquire.cluster") READ_OWN END, NULL, false, 1},
    {"a flag without a fence", WRITE_OTHERS "@%p1 atom.relaxed.cluster.shared::cluster.exch.b32 %r11, [%r7], 1;\n" END,
     POLL("ld.acquire.cluster") READ_OWN END, "with no cluster.sync() between", false, 1},
    {"handed over by an mbarrier", WRITE_OTHERS ARRIVE_OTHERS END, WAIT("1") READ_OWN END, NULL, false, 1},
    {"a bulk copy that is waited for", COPY END, EXPECT WAIT("1") READ_OWN END, NULL, false, 1},
    {"a bulk copy read before it has come", COPY END, EXPECT READ_OWN WAIT("1") END, "with no cluster.sync() between", false,
     1},
    {"a bulk copy into what is still read", COPY END, READ_OWN EXPECT WAIT("1") END, "with no cluster.sync() between", false,
     1},
    {"a bulk copy behind an arrival of who has read", WAIT("0") COPY END, READ_OWN ARRIVE_OTHERS EXPECT WAIT("1") END, NULL,
     false, 1},
    {"an asynchronous copy of the owner's, read by the other", SYNC READ_OTHERS END, COPY_IN SYNC END,
     "which an asynchronous copy of lane 0 of warp 0 of that block fills", false, 1},
    {"the same, waited for", SYNC READ_OTHERS END, COPY_IN "cp.async.wait_all;\n" SYNC END, NULL, false, 1},
    {"a bulk copy out of what the other writes", SYNC WRITE_OTHERS SYNC END, COPY_OUT SYNC SYNC WAIT_OUT END,
     "writes shared memory of block 1 at byte 0, which a bulk copy of lane 0 of warp 0 of that block reads", false, 1},
    {"the same, read by the other", SYNC READ_OTHERS SYNC END, COPY_OUT SYNC SYNC WAIT_OUT END, NULL, false, 1},
    {"the same, waited for", SYNC WRITE_OTHERS SYNC END, COPY_OUT WAIT_OUT SYNC SYNC END, NULL, false, 1},
    {"a bulk copy out of what its thread writes at once", COPY WRITE_OWN SYNC END, EXPECT WAIT("1") SYNC END,
     "which a bulk copy of lane 0 of warp 0 reads", false, 1},
    {"the same, waited for", COPY SYNC WRITE_OWN END, EXPECT WAIT("1") SYNC END, NULL, false, 1},
    {"the same, waited for by its own mbarrier",
     COPY EXPECT "@%p1 mbarrier.complete_tx.relaxed.cta.shared.b64 [%r8], 16;\n" WAIT("0") WRITE_OWN SYNC END,
     EXPECT WAIT("1") SYNC END, "which a bulk copy of lane 0 of warp 0 reads", false, 1},
    {"a block ends before its bulk copy", COPY LEAVE, EXPECT WAIT("1") LEAVE, "and the block has ended", false, 1},
    {"an update of what nobody has written", UPDATE("red") END, END,
     "updates 4 bytes of shared memory at byte 64, where byte 64 "
     "was never written",
     false, 1},
    {"what nobody has written decides",
     "ld.shared::cluster.u32 %r11, [%r5+64]; setp.eq.u32 %p4, %r11, 0;\n@%p4 bra F;\nF:\n" END, END,
     "reads 4 bytes of shared memory at byte 64, where byte 64 was never written", false, 1},
    {"what nobody has written is only moved", "@%p1 ld.shared::cluster.u32 %r11, [%r5+64]; mov.b32 %r12, %r11;\n" END, END,
     NULL, false, 1},
    {"an exchange with what nobody has written", "@%p1 atom.shared::cluster.exch.b32 %r11, [%r5+64], 1;\n" END, END, NULL,
     false, 1},
    {"an update of what the other block has cleared", "@%p1 st.shared::cluster.u32 [%r5+64], 0;\n" UPDATE("red") END, END, NULL,
     false, 1},
    {"an update of what its owner has cleared", SYNC UPDATE("red") END, "@%p1 st.shared.u32 [%r4+64], 0;\n" SYNC END, NULL,
     false, 1},
    {"the owner leaves while it is read", READ_OTHERS LEAVE, LEAVE, "left the kernel", false, 1},
    {"the owner arrives and leaves", SYNC READ_OTHERS LEAVE, SYNC LEAVE, "left the kernel", false, 1},
    {"the reader leaves first, the owner waits for it", READ_OTHERS ARRIVE_OTHERS LEAVE, WAIT("1") LEAVE, NULL, false, 1},
    {"the owner leaves once a flag behind a fence is raised",
     WRITE_OTHERS "fence.acq_rel.cluster;\n@%p1 atom.shared::cluster.exch.b32 %r11, [%r7], 1;\n" LEAVE,
     POLL("ld.acquire.cluster") READ_OWN LEAVE, NULL, false, 1},
    {"the flag alone", RAISE LEAVE, POLL("ld.relaxed.cluster") LEAVE, NULL, false, 1},
    {"a flag that nobody reads", RAISE LEAVE, LEAVE, "left the kernel", false, 1},
    {"a flag, the write before which may come later", WRITE_OTHERS RAISE LEAVE, POLL("ld.relaxed.cluster") LEAVE,
     "left the kernel", false, 1},
    {"a flag, then another write", RAISE WRITE_OTHERS LEAVE, POLL("ld.relaxed.cluster") LEAVE, "left the kernel", false, 1},
    {"an arrival that is waited for", ARRIVE_RELAXED LEAVE, WAIT("1") LEAVE, NULL, false, 1},
    {"an arrival that is not", ARRIVE_RELAXED LEAVE, LEAVE, "left the kernel", false, 1},
    {"a write before an arrival that releases nothing", WRITE_OTHERS ARRIVE_RELAXED LEAVE, WAIT("1") LEAVE, "left the kernel",
     false, 1},
    {"what a warp wrote that has left before the meeting, beside barriers that count",
     HALF_LEAVES SYNC "ld.shared::cluster.u32 %r11, [%r5];\n" END, WRITE_OWN HALF_LEAVES SYNC END, NULL, false, 2},
};

enum { STRICT = 1, WORST = 2, WAYS = 4 }; /* usual and worst order, and by the strict rule */

typedef struct Ran {
    Program *program;
    Memory *memory;
    LaunchResult result;
} Ran;

/* A pair in one of the ways. */
static Ran run(const char *zero, const char *one, uint32_t warps, unsigned way, OnFault on_fault) {
    Diag diag = {0};
    Ran ran = {.program = parsed_of("%s%sZERO:\n%s}\n", head, one, zero), .memory = memory_new()};
    Allocation *out = memory_allocate(ran.memory, 256, "out", false);
    const LaunchRequest request = {.launch.kernel = prepared(ran.program, "k"),
                                   .launch.params = (const uint8_t *)&out->address,
                                   .launch.memory = ran.memory,
                                   .launch.grid = {2, 1, 1},
                                   .launch.block = {32 * warps, 1, 1},
                                   .launch.checks = true,
                                   .launch.strict = way & STRICT,
                                   .launch.on_fault = on_fault,
                                   .launch.threads = 1,
                                   .launch.schedule.kind = way & WORST ? SCHEDULE_WORST : SCHEDULE_USUAL,
                                   .profile = profile_find("h200", &diag)};
    ck_assert_msg(device_launch(&request, &ran.result, &diag), "%s%s: %s", zero, one, diag.message);
    return ran;
}

static void ran_free(Ran *ran) {
    device_result_free(&ran->result);
    memory_free(ran->memory);
    program_free(ran->program);
}

static void expect(size_t row, unsigned way) {
    const bool strict = way & STRICT, worst = way & WORST;
    const char *told = rows[row].strictly && !strict ? NULL : rows[row].told;
    Ran ran = run(rows[row].zero, rows[row].one, rows[row].warps, way, ON_FAULT_STOP);
    const LaunchResult *result = &ran.result;
    const Fault *fault = result->findings.count ? &result->findings.items[0].fault : &result->fault;
    /* Who has left in this order reads out of bounds. */
    const bool leaves = told && (strstr(told, "left") || strstr(told, "ended")),
               unwritten = told && strstr(told, "never written");
    const bool gone = leaves && fault->kind == FAULT_out_of_bounds;
    ck_assert_msg(fault->kind == (!told       ? FAULT_none
                                  : gone      ? FAULT_out_of_bounds
                                  : unwritten ? FAULT_uninitialized
                                              : FAULT_shared_race) &&
                      (!told || strstr(fault->message, told)),
                  "%s, in the %s order, %s: %s: %s", rows[row].what, worst ? "worst" : "usual", strict ? "strictly" : "usually",
                  fault_kinds[fault->kind].name, fault->message);
    const bool of_block = told && strstr(told, "__syncthreads()");
    ck_assert_msg(!of_block || strstr(fault->hint, "(cluster.sync() where other blocks use it too)"), "%s: %s", rows[row].what,
                  fault->hint);
    ck_assert_msg(!told || unwritten || leaves == (fault->other_pc == NO_INSN), "%s: the other place", rows[row].what);
    ran_free(&ran);
}

START_TEST(blocks_race_for_what_nothing_orders)
{
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (unsigned way = 0; way < WAYS; way++) expect(row, way);
}
END_TEST

/* All lanes store to one word, four times by one instruction. */
START_TEST(each_instruction_that_races_counts_once)
{
    static const char storm[] = "mov.u32 %r12, 0;\nL: st.shared::cluster.u32 [%r5+128], %r1; add.u32 %r12, %r12, 1;\n"
                                "setp.lt.u32 %p4, %r12, 4; @%p4 bra L;\n" END;
    for (unsigned way = 0; way < WAYS; way++) {
        Ran ran = run(storm, END, 1, way, ON_FAULT_GO_ON);
        ck_assert_uint_eq(ran.result.findings.count, 1);
        ck_assert_uint_eq(ran.result.findings.items[0].count, 4);
        ran_free(&ran);
    }
}
END_TEST

SUITE("cluster races", blocks_race_for_what_nothing_orders, each_instruction_that_races_counts_once)
