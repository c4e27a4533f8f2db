/* What a device takes: shapes, bounds of the kernel, shared memory, instructions, cooperative grids, variables and steps, each at the last that
 * is allowed and the first that is not. CUDA C++ Programming Guide, technical specifications per compute capability; an H200's numbers. */
#include <string.h>

#include "base/text.h"
#include "device/device.h"
#include "device/fifo.h"
#include "parsed.h"

#define MODULE ".version 8.6\n.target sm_90\n.address_size 64\n"
#define EMPTY MODULE ".entry k() { ret; }\n"
enum { FINE = -1 }; /* not refused */

typedef struct Ask {
    const char *text;
    uint32_t grid[3], block[3], shared;
    unsigned capability, sms, shown; /* 0: an H200's */
    uint32_t cluster[3];
    bool cooperative, wide_clusters, of_lab;
    uint64_t bytes, steps, effort;
} Ask;

/* FINE, or why it is refused; *fault: how the launch ended. */
static int ask(const Ask *ask, FaultKind *fault, Diag *diag) {
    *diag = (Diag){0};
    Program *program = parsed(ask->text);
    Profile profile = *profile_find("h200", diag);
    if (ask->capability) profile.compute_major = ask->capability / 10, profile.compute_minor = ask->capability % 10;
    if (ask->sms) profile.sms = ask->sms;
    profile.sms_shown = ask->shown;
    Memory *memory = memory_new();
    uint8_t params[8] = {0};
    LaunchRequest request = {.launch.kernel = prepared(program, "k"),
                             .launch.shared_bytes = ask->shared,
                             .launch.params = params,
                             .launch.memory = memory,
                             .profile = &profile,
                             .launch.threads = 1,
                             .launch.cooperative = ask->cooperative,
                             .launch.cluster = {ask->cluster[0], ask->cluster[1], ask->cluster[2]},
                             .wide_clusters = ask->wide_clusters,
                             .of_lab = ask->of_lab,
                             .launch.max_bytes = ask->bytes,
                             .launch.max_steps = ask->steps,
                             .launch.max_effort = ask->effort};
    for (int axis = 0; axis < 3; axis++) {
        request.launch.grid[axis] = ask->grid[0] + ask->grid[1] + ask->grid[2] ? ask->grid[axis] : 1;
        request.launch.block[axis] = ask->block[0] + ask->block[1] + ask->block[2] ? ask->block[axis] : 1;
    }
    LaunchResult result;
    const bool ran = device_launch(&request, &result, diag);
    const int refusal = ran ? FINE : (int)result.refusal;
    *fault = ran ? result.fault.kind : FAULT_none;
    device_result_free(&result);
    memory_free(memory);
    program_free(program);
    return refusal;
}

static void expect(const Ask *asked, int refusal, FaultKind fault) {
    FaultKind kind;
    Diag diag;
    const int got = ask(asked, &kind, &diag);
    ck_assert_msg(got == refusal && kind == fault, "grid %u %u %u, block %u %u %u, %u shared, %s: refusal %d, fault %d: %s",
                  asked->grid[0], asked->grid[1], asked->grid[2], asked->block[0], asked->block[1], asked->block[2],
                  asked->shared, asked->text + strlen(MODULE), got, kind, diag.message);
}

START_TEST(blocks_and_grids_have_their_extents)
{
    static const struct {
        uint32_t block[3];
        bool fine;
    } blocks[] = {{{1024, 1, 1}, true}, {{1025, 1, 1}, false}, {{1, 1024, 1}, true}, {{1, 1025, 1}, false},
                  {{1, 1, 64}, true},   {{1, 1, 65}, false},   {{32, 32, 1}, true},  {{32, 33, 1}, false},
                  {{16, 1, 64}, true},  {{17, 1, 64}, false},  {{0, 1, 1}, false},   {{1, 0, 1}, false},
                  {{1, 1, 0}, false}};
    static const struct {
        uint32_t grid[3];
        bool fine;
    } grids[] = {{{0x7fffffff, 1, 1}, true}, {{0x80000000, 1, 1}, false}, {{1, 65535, 1}, true},
                 {{1, 65536, 1}, false},     {{1, 1, 65535}, true},       {{1, 1, 65536}, false},
                 {{0, 1, 1}, false},         {{1, 0, 1}, false},          {{1, 1, 0}, false}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        Ask asked = {.text = EMPTY};
        memcpy(asked.block, blocks[i].block, sizeof asked.block);
        expect(&asked, blocks[i].fine ? FINE : REFUSAL_SHAPE, FAULT_none);
    }
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) { /* ended early: two thousand million blocks take a while */
        Ask asked = {.text = EMPTY, .effort = 1};
        memcpy(asked.grid, grids[i].grid, sizeof asked.grid);
        expect(&asked, grids[i].fine ? FINE : REFUSAL_SHAPE, grids[i].fine ? FAULT_effort_limit : FAULT_none);
    }
}
END_TEST

START_TEST(a_kernel_is_launched_as_it_was_compiled)
{
    static const struct {
        const char *bounds;
        uint32_t block[3];
        bool fine;
    } rows[] = {
        {".maxntid 64", {64, 1, 1}, true},       {".maxntid 64", {65, 1, 1}, false},    {".maxntid 64", {8, 8, 1}, true},
        {".maxntid 8, 4", {32, 1, 1}, true},     {".maxntid 8, 4", {33, 1, 1}, false},  {".maxntid 2, 3, 5", {30, 1, 1}, true},
        {".maxntid 2, 3, 5", {31, 1, 1}, false}, {".reqntid 8, 4", {8, 4, 1}, true},    {".reqntid 8, 4", {8, 4, 2}, false},
        {".reqntid 8, 4", {4, 8, 1}, false},     {".reqntid 8, 4", {8, 3, 1}, false},   {".reqntid 32", {32, 1, 1}, true},
        {".reqntid 32", {32, 2, 1}, false},      {".reqntid 2, 2, 2", {2, 2, 2}, true}, {".reqntid 2, 2, 2", {2, 2, 1}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text text = {0};
        text_add(&text, MODULE ".entry k() %s { ret; }\n", rows[i].bounds);
        Ask asked = {.text = text_string(&text)};
        memcpy(asked.block, rows[i].block, sizeof asked.block);
        expect(&asked, rows[i].fine ? FINE : REFUSAL_BOUNDS, FAULT_none);
        text_free(&text);
    }
}
END_TEST

/* 48 KiB where all is static; 227 KiB, static and dynamic together, where some is dynamic. */
START_TEST(shared_memory_has_an_end)
{
    static const struct {
        uint32_t fixed, dynamic;
        bool fine;
    } rows[] = {{49152, 0, true},   {49153, 0, false},    {0, 232448, true},
                {0, 232449, false}, {1024, 231424, true}, {1024, 231425, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text text = {0};
        text_add(&text, MODULE ".shared .b8 s[%u];\n.entry k() { .reg .b32 r; mov.u32 r, s; st.shared.u8 [r], r; ret; }\n",
                 rows[i].fixed ? rows[i].fixed : 1);
        Ask asked = {.text = rows[i].fixed ? text_string(&text) : EMPTY, .shared = rows[i].dynamic};
        expect(&asked, rows[i].fine ? FINE : REFUSAL_MEMORY, FAULT_none);
        text_free(&text);
    }
}
END_TEST

/* PTX ISA, "Target ISA Notes", and ptxas 13.0, which refuses each for all targets before. tests/conformance holds every form of most opcodes. */
static const struct {
    const char *insn;
    unsigned since;
} needs[] = {
    {"redux.sync.add.u32 r, r, -1;", 80},
    {"min.NaN.f32 f, f, f;", 80},
    {"min.f16 h, h, h;", 80},
    {"max.ftz.f16x2 r, r, r;", 80},
    {"max.bf16 h, h, h;", 80},
    {"min.xorsign.abs.f32 f, f, f;", 86},
    {"max.NaN.xorsign.abs.f16 h, h, h;", 86},
    {"min.f32 f, f, f;", 0},
    {"fma.rn.relu.f16 h, h, h, h;", 80},
    {"fma.rn.bf16 h, h, h, h;", 80},
    {"add.bf16 h, h, h;", 90},
    {"setp.lt.bf16 p, h, h;", 90},
    {"cvt.rn.bf16.f32 h, f;", 80},
    {"cvt.f32.bf16 f, h;", 80},
    {"cvt.ftz.f32.bf16 f, h;", 90},
    {"cvt.rn.bf16.s32 h, r;", 90},
    {"cvt.rni.s32.bf16 r, h;", 90},
    {"cvt.rn.f16x2.f32 r, f, f;", 80},
    {"cvt.rn.f16.f32 h, f;", 0},
    {"add.u16x2 r, r, r;", 90},
    {"max.relu.s16x2 r, r, r;", 90},
    {"max.relu.s32 r, r, r;", 90},
    {"max.s32 r, r, r;", 0},
    {"atom.global.add.noftz.f16x2 r, [d], r;", 0},
    {"atom.global.add.noftz.bf16 h, [d], h;", 90},
    {"red.shared.add.noftz.bf16x2 [r], r;", 90},
    {"ld.relaxed.cluster.global.u32 r, [d];", 90},
    {"st.release.cluster.global.u32 [d], r;", 90},
    {"atom.cluster.global.add.u32 r, [d], r;", 90},
    {"red.relaxed.cluster.global.add.u32 [d], r;", 90},
    {"fence.acq_rel.cluster;", 90},
    {"fence.acquire.gpu;", 0},
    {"ld.global.L2::cache_hint.u32 r, [d], d;", 80},
    {"st.global.L2::cache_hint.u32 [d], r, d;", 80},
    {"ld.global.L2::256B.u32 r, [d];", 80},
    {"ld.global.L2::128B.u32 r, [d];", 0},
    {"ld.global.L1::no_allocate.u32 r, [d];", 0},
    {"prefetch.global.L2::evict_last [d];", 80},
    {"prefetch.global.L2 [d];", 0},
    {"createpolicy.fractional.L2::evict_last.b64 d, 1.0;", 80},
    {"applypriority.global.L2::evict_normal [d], 128;", 80},
    {"discard.global.L2 [d], 128;", 80},
    {"griddepcontrol.wait;", 90},
    {"cp.async.wait_all;", 80},
    {"cp.async.bulk.commit_group;", 90},
    {"mbarrier.init.shared.b64 [r], 1;", 80},
    {"mbarrier.arrive.shared.b64 d, [r];", 80},
    {"mbarrier.arrive.shared.b64 d, [r], 2;", 90},
    {"mbarrier.arrive_drop.shared.b64 d, [r], 2;", 90},
    {"mbarrier.arrive.noComplete.shared.b64 d, [r], 2;", 80},
    {"mbarrier.arrive.relaxed.cta.shared.b64 d, [r];", 90},
    {"mbarrier.arrive.release.cluster.shared.b64 d, [r];", 90},
    {"mbarrier.arrive.expect_tx.shared.b64 d, [r], 2;", 90},
    {"mbarrier.arrive.shared::cluster.b64 _, [r];", 90},
    {"mbarrier.expect_tx.relaxed.cta.shared.b64 [r], 2;", 90},
    {"mbarrier.complete_tx.relaxed.cta.shared.b64 [r], 2;", 90},
    {"mbarrier.test_wait.parity.shared.b64 p, [r], 0;", 80},
    {"mbarrier.try_wait.parity.shared.b64 p, [r], 0;", 90},
    {"fence.proxy.alias;", 0},
    {"fence.proxy.async;", 90},
    {"fence.mbarrier_init.release.cluster;", 90},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {r, r}, {r, r}, {r}, {r, r};", 75},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {r, r}, {r, r, r, r}, {r, r}, {r, r};", 80},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {f, f, f, f}, {r, r}, {r}, {f, f, f, f};", 80},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {f, f, f, f}, {r, r}, {r}, {f, f, f, f};", 80},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {r, r, r, r}, {r, r, r, r}, {r, r}, {r, r, r, r};", 80},
    {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {r, r}, [d];", 72},
    {"wmma.load.a.sync.aligned.row.m16n16k16.bf16 {r, r, r, r}, [d];", 80},
    {"cvt.rna.tf32.f32 r, f;", 80},
    {"elect.sync _|p, -1;", 90},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [r], {r};", 90},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r}, [r];", 0},
    {"ld.global.v4.u64 {d, d, d, d}, [d];", 100},
    {"st.global.v4.u64 [d], {d, d, d, d};", 100},
    {"ld.global.v8.f32 {f, f, f, f, f, f, f, f}, [d];", 100},
    {"st.global.v8.b32 [d], {r, r, r, r, r, r, r, r};", 100},
    {"st.global.v4.b32 [d], {r, r, r, r};", 0},
};

/* Of a function that is called, on a device and compiled for a target; one that is not called may have anything. */
static bool need_is_met(const char *insn, unsigned device, unsigned target, Diag *diag) {
    Text text = {0};
    FaultKind fault;
    text_add(&text,
             ".version 8.8\n.target sm_%u\n.address_size 64\n"
             ".func f() { .reg .b32 r; .reg .f32 f; .reg .b16 h; .reg .b64 d; .reg .pred p; bra L; %s L: ret; }\n"
             ".func other() { .reg .b64 d; ld.global.v4.u64 {d, d, d, d}, [d]; ret; }\n.entry k() { call f; ret; }\n",
             target, insn);
    const Ask asked = {.text = text_string(&text), .capability = device};
    const int refusal = ask(&asked, &fault, diag);
    ck_assert_msg(refusal == FINE || refusal == REFUSAL_NOT_EMULATED, "%s: %s", insn, diag->message);
    text_free(&text);
    return refusal == FINE;
}

START_TEST(instructions_need_their_compute_capability)
{
    static const unsigned capabilities[] = {75, 80, 86, 89, 90, 100};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        for (size_t c = 0; c < sizeof capabilities / sizeof *capabilities; c++) {
            const unsigned has = capabilities[c], since = needs[i].since;
            Diag of_device, of_target;
            const bool device = need_is_met(needs[i].insn, has, 120, &of_device),
                       target = need_is_met(needs[i].insn, 120, has, &of_target);
            ck_assert_msg(device == (has >= since) && target == device, "%s on %u: %s%s", needs[i].insn, has, of_device.message,
                          of_target.message);
            if (device) continue;
            Text wanted = {0}, compiled = {0};
            text_add(&wanted, " at line 4 needs compute capability %u.%u or higher; the NVIDIA H200 has %u.%u", since / 10,
                     since % 10, has / 10, has % 10);
            text_add(&compiled, " at line 4 needs .target sm_%u or higher; the PTX has sm_%u", since, has);
            ck_assert_msg(strstr(of_device.message, text_string(&wanted)), "%s", of_device.message);
            ck_assert_msg(strstr(of_target.message, text_string(&compiled)), "%s", of_target.message);
            text_free(&wanted);
            text_free(&compiled);
        }
    }
}
END_TEST

/* The message names what of the instruction came later. */
START_TEST(what_came_later_is_named)
{
    Diag diag;
    ck_assert(!need_is_met("max.xorsign.abs.f16 h, h, h;", 80, 80, &diag));
    ck_assert_str_eq(diag.message,
                     "'max.xorsign.abs' at line 4 needs compute capability 8.6 or higher; the NVIDIA H200 has 8.0");
    ck_assert(!need_is_met("cvt.rn.bf16.s32 h, r;", 90, 80, &diag));
    ck_assert_str_eq(diag.message, "'cvt' to bf16, but from f32, at line 4 needs .target sm_90 or higher; the PTX has sm_80");
    ck_assert_str_eq(diag.hint, "compile with -arch=sm_90; warpscope launch takes --arch sm_90");
    static const struct {
        const char *insn, *name;
    } rows[] = {
        {"cp.async.wait_all;", "'cp.async' at line 4 "},
        {"cp.async.bulk.commit_group;", "'cp.async.bulk' at line 4 "},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [d], [r], 16;", "'cp.reduce.async.bulk' at line 4 "},
        {"fence.proxy.async;", "'fence.proxy.async' at line 4 "},
        {"fence.mbarrier_init.release.cluster;", "'fence.mbarrier_init' of .cluster at line 4 "},
        {"mbarrier.try_wait.parity.shared.b64 p, [r], 0;", "'mbarrier.try_wait' at line 4 "},
        {"red.global.add.noftz.bf16 [d], h;", "'red' of bf16 at line 4 "},
        {"wmma.load.a.sync.aligned.row.m16n16k16.bf16 {r, r, r, r}, [d];", "'wmma' of bf16 at line 4 "},
        {"wmma.load.b.sync.aligned.row.m16n16k8.tf32 {r, r, r, r}, [d];", "'wmma.m16n16k8' at line 4 "},
        {"cvt.rna.tf32.f32 r, f;", "'cvt.rna.tf32' at line 4 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert(!need_is_met(rows[i].insn, 75, 100, &diag) && strstr(diag.message, rows[i].name) == diag.message);
        ck_assert(!need_is_met(rows[i].insn, 100, 75, &diag) && strstr(diag.message, rows[i].name) == diag.message);
    }
}
END_TEST

/* 32 blocks of one warp are resident on an SM; of 1024 threads two. */
START_TEST(a_cooperative_grid_fits_at_once)
{
    static const struct {
        uint32_t threads, blocks;
        bool fine;
    } rows[] = {{32, 96, true}, {32, 97, false}, {1024, 6, true}, {1024, 7, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Ask asked = {
            .text = EMPTY, .grid = {rows[i].blocks, 1, 1}, .block = {rows[i].threads, 1, 1}, .sms = 3, .cooperative = true};
        expect(&asked, rows[i].fine ? FINE : REFUSAL_COOPERATIVE, FAULT_none);
        asked.cooperative = false;
        expect(&asked, FINE, FAULT_none);
    }
}
END_TEST

/* CUDA C++ Programming Guide, "Thread Block Clusters": 8 blocks, 16 on an H200 where the kernel is allowed more; PTX ISA, "Cluster Dimension Directives". */
START_TEST(clusters_have_their_limits)
{
#define WITH(directives) MODULE ".entry k() " directives " { ret; }\n"
#define MEETS MODULE ".entry k() { barrier.cluster.arrive; barrier.cluster.wait; ret; }\n"
    static const struct {
        Ask ask;
        const char *says; /* a part; NULL: it is launched */
    } rows[] = {
        {{.text = EMPTY, .grid = {8, 1, 1}, .cluster = {8, 1, 1}}, NULL},
        {{.text = EMPTY, .grid = {9, 1, 1}, .cluster = {9, 1, 1}}, "a cluster of 9 blocks: it has at most 8 here"},
        {{.text = EMPTY, .grid = {4, 4, 1}, .cluster = {4, 4, 1}, .wide_clusters = true}, NULL},
        {{.text = EMPTY, .grid = {17, 1, 1}, .cluster = {17, 1, 1}, .wide_clusters = true},
         "a cluster of 17 blocks: it has at most 16 here"},
        {{.text = WITH(".maxclusterrank 4"), .grid = {4, 1, 1}, .cluster = {2, 1, 1}}, NULL},
        {{.text = WITH(".maxclusterrank 4"), .grid = {4, 1, 1}, .cluster = {4, 1, 1}}, NULL},
        {{.text = WITH(".maxclusterrank 4"), .grid = {5, 1, 1}, .cluster = {5, 1, 1}},
         "a cluster of 5 blocks: it has at most 4 here"},
        {{.text = WITH(".maxclusterrank 12"), .grid = {9, 1, 1}, .cluster = {9, 1, 1}},
         "a cluster of 9 blocks: it has at most 8 here"},
        {{.text = EMPTY, .grid = {6, 1, 1}, .cluster = {4, 1, 1}},
         "a grid of 6 x 1 x 1 blocks is no multiple of its clusters, of 4 x 1 x 1"},
        {{.text = EMPTY, .grid = {4, 3, 1}, .cluster = {2, 2, 1}},
         "a grid of 4 x 3 x 1 blocks is no multiple of its clusters, of 2 x 2 x 1"},
        {{.text = EMPTY, .grid = {4, 1, 1}, .cluster = {2, 0, 1}}, "a cluster of 2 x 0 x 1 blocks: no extent may be 0"},
        {{.text = WITH(".reqnctapercluster 2"), .grid = {4, 1, 1}}, NULL},
        {{.text = WITH(".reqnctapercluster 2"), .grid = {4, 1, 1}, .cluster = {2, 1, 1}}, NULL},
        {{.text = WITH(".reqnctapercluster 2"), .grid = {4, 1, 1}, .cluster = {4, 1, 1}},
         "clusters of 4 x 1 x 1 blocks: the kernel is compiled for those of 2 x 1 x 1"},
        {{.text = WITH(".explicitcluster"), .grid = {4, 1, 1}}, "the kernel is launched in clusters alone"},
        {{.text = WITH(".explicitcluster"), .grid = {4, 1, 1}, .cluster = {1, 1, 1}}, NULL},
        {{.text = WITH(".reqnctapercluster 2"), .grid = {4, 1, 1}, .cluster = {2, 1, 1}, .of_lab = true}, NULL},
        {{.text = MEETS, .grid = {4, 1, 1}, .cluster = {2, 1, 1}, .of_lab = true}, NULL},
        {{.text = EMPTY, .grid = {4, 1, 1}, .cluster = {2, 1, 1}, .capability = 89},
         "clusters of blocks need compute capability 9.0 or higher; the NVIDIA H200 has 8.9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FaultKind fault;
        Diag diag;
        const int refusal = ask(&rows[i].ask, &fault, &diag);
        ck_assert_msg(refusal == (rows[i].says ? (int)REFUSAL_CLUSTER : FINE), "row %zu: %s", i, diag.message);
        ck_assert_msg(!rows[i].says || strstr(diag.message, rows[i].says), "row %zu: %s", i, diag.message);
    }
}
END_TEST

/* Each byte of a variable takes four more, for the checks. */
START_TEST(variables_take_five_times_their_bytes)
{
    const char *text = MODULE ".global .b8 a[300000];\n.const .b8 c[60000];\n.shared .b8 s[1000];\n.entry k() { ret; }\n";
    expect(&(Ask){.text = text, .bytes = 1800000}, FINE, FAULT_none);
    expect(&(Ask){.text = text, .bytes = 1799999}, REFUSAL_MEMORY, FAULT_none);
    expect(&(Ask){.text = text}, FINE, FAULT_none);
}
END_TEST

START_TEST(a_warp_may_run_its_steps_and_no_more)
{
    const char *text = MODULE ".entry k() { membar.gl; membar.gl; ret; }\n";
    expect(&(Ask){.text = text, .steps = 3, .block = {64, 1, 1}}, FINE, FAULT_none);
    expect(&(Ask){.text = text, .steps = 2, .block = {64, 1, 1}}, FINE, FAULT_step_limit);
}
END_TEST

/* PTX ISA, %total_smem_size: static and dynamic memory, in multiples of 256 bytes before compute capability 8.0 and of 128 from there on. */
START_TEST(shared_memory_is_given_out_in_units)
{
    static const struct {
        unsigned capability;
        uint32_t fixed, dynamic, total;
    } rows[] = {{75, 4, 0, 256},    {75, 200, 56, 256}, {75, 200, 57, 512}, {80, 4, 0, 128},   {80, 100, 29, 256},
                {86, 100, 28, 128}, {89, 129, 0, 256},  {90, 4, 0, 128},    {90, 4, 125, 256}, {100, 1, 128, 256}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_TEXT text = {0};
        text_add(&text,
                 MODULE
                 ".shared .b8 s[%u];\n.entry k() { .reg .b32 a, b; .reg .pred p; mov.u32 a, %%total_smem_size; mov.u32 b, s; "
                 "setp.ne.u32 p, a, %u; @p trap; mov.u32 a, %%dynamic_smem_size; setp.ne.u32 p, a, %u; @p trap; ret; }\n",
                 rows[i].fixed, rows[i].total, rows[i].dynamic);
        expect(&(Ask){.text = text_string(&text), .shared = rows[i].dynamic, .capability = rows[i].capability}, FINE,
               FAULT_none);
    }
}
END_TEST

/* profile.h: blocks are told of as many SMs as are shown, in the order of their numbers. */
START_TEST(kernels_see_the_sms_that_are_shown)
{
    static const struct { unsigned sms, shown, seen; } rows[] = {{2, 0, 2}, {2, 132, 132}, {4, 2, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_TEXT text = {0};
        text_add(&text,
                 MODULE
                 ".entry k() { .reg .b32 a, b; .reg .pred p; mov.u32 a, %%nsmid; setp.ne.u32 p, a, %u; @p trap; mov.u32 b, "
                 "%%ctaid.x; rem.u32 b, b, a; mov.u32 a, %%smid; setp.ne.u32 p, a, b; @p trap; ret; }\n",
                 rows[i].seen);
        expect(&(Ask){.text = text_string(&text), .grid = {7, 1, 1}, .sms = rows[i].sms, .shown = rows[i].shown}, FINE,
               FAULT_none);
    }
}
END_TEST

/* fifo.h: of 1 MiB the last 4096 calls are left. */
START_TEST(a_gpu_keeps_so_many_calls_of_printf)
{
    static const struct {
        uint64_t calls, bytes;
        bool loses;
    } rows[] = {{0, 0, false},  {1, 0, true},    {4096, 1 << 20, false}, {4097, 1 << 20, true},
                {1, 255, true}, {1, 256, false}, {2, 511, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_TEXT what = {0};
        const char *hint = NULL;
        ck_assert_msg(fifo_say(rows[i].calls, rows[i].bytes, &what, &hint) == rows[i].loses, "row %zu", i);
        ck_assert_msg((what.length > 0) == rows[i].loses, "row %zu", i);
    }
}
END_TEST

START_TEST(a_refusal_names_what_was_asked_for_and_what_there_is)
{
    static const struct {
        Ask ask;
        const char *says;
    } rows[] = {
        {{.text = EMPTY, .block = {17, 0, 5}}, "a block of 17 x 0 x 5: no extent may be 0"},
        {{.text = EMPTY, .grid = {17, 5, 0}}, "a grid of 17 x 5 x 0: no extent may be 0"},
        {{.text = EMPTY, .block = {3, 4, 65}}, "a block of 3 x 4 x 65: at most 64 in z"},
        {{.text = EMPTY, .block = {1025, 4, 5}}, "a block of 1025 x 4 x 5: at most 1024 in x"},
        {{.text = EMPTY, .grid = {5, 65536, 7}}, "a grid of 5 x 65536 x 7: at most 65535 in y"},
        {{.text = EMPTY, .grid = {0x80000000, 6, 7}}, "a grid of 2147483648 x 6 x 7: at most 2147483647 in x"},
        {{.text = EMPTY, .block = {32, 11, 3}}, "a block of 1056 threads: a block has at most 1024"},
        {{.text = MODULE ".entry k() .maxntid 8, 8 { ret; }\n", .block = {5, 13, 1}},
         "a block of 65 threads: the kernel is compiled for at most 64 (__launch_bounds__)"},
        {{.text = MODULE ".entry k() .reqntid 8, 4 { ret; }\n", .block = {8, 4, 2}},
         "the kernel is compiled for blocks of exactly 8 x 4 x 1 threads"},
        {{.text = EMPTY, .shared = 232449},
         "'k' needs 232449 bytes of shared memory for a block (0 static, 232449 dynamic); the device has 232448"},
        {{.text = EMPTY, .grid = {97, 1, 1}, .block = {32, 1, 1}, .sms = 3, .cooperative = true},
         "too many blocks in cooperative launch: 97, and the device holds 96 at a time (32 on each of its 3 SMs)"},
        {{.text = MODULE ".global .b8 a[300000];\n.const .b8 c[60000];\n.entry k() { ret; }\n", .bytes = 1799999},
         "the file's __device__ and __constant__ variables take 360000 bytes, and may take 359999"},
        {{.text = MODULE ".const .b8 a;\n.const .align 4 .b8 b[65532];\n.const .b8 c;\n.const .b8 d;\n.entry k() { ret; }\n"},
         "the file's __constant__ variables take 65538 bytes, of at most 65536: 'b' has 65532 of them"},
        {{.text = MODULE ".extern .const .align 4 .b8 a[65536];\n.const .b8 b;\n.entry k() { ret; }\n"},
         "the file's __constant__ variables take 65537 bytes, of at most 65536: 'a' has 65536 of them"},
        {{.text = MODULE ".const .b8 a;\n.const .align 16 .b8 b[65520];\n.const .b8 c;\n.entry k() { ret; }\n"},
         "the file's __constant__ variables take 65537 bytes, of at most 65536: 'b' has 65520 of them"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FaultKind fault;
        Diag diag;
        ck_assert_int_ne(ask(&rows[i].ask, &fault, &diag), FINE);
        ck_assert_str_eq(diag.message, rows[i].says);
    }
}
END_TEST

SUITE("launch limits", blocks_and_grids_have_their_extents, a_kernel_is_launched_as_it_was_compiled, shared_memory_has_an_end,
      instructions_need_their_compute_capability, what_came_later_is_named, a_cooperative_grid_fits_at_once,
      clusters_have_their_limits, variables_take_five_times_their_bytes, a_warp_may_run_its_steps_and_no_more,
      shared_memory_is_given_out_in_units, kernels_see_the_sms_that_are_shown, a_gpu_keeps_so_many_calls_of_printf,
      a_refusal_names_what_was_asked_for_and_what_there_is)
