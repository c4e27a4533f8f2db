/* What one instruction leaves, and what it leaves alone, in small kernels of one warp: rows of PTX. Lanes that are off, lanes with a fault, lanes that
 * missed a barrier. */
#include <string.h>

#include "base/text.h"
#include "device/device.h"
#include "parsed.h"
#include "ptx/opcode.h"

enum { WORDS = 8, LANES = 32, OFF = 16 /* lanes below are off where some are */ };

typedef struct Ran {
    Fault fault;
    uint64_t values[LANES * WORDS]; /* by lane */
    size_t findings;
    uint8_t finding_op, other_op; /* of the instructions that the first one names; OP_COUNT: none */
    char finding[400];
} Ran;

/* Each lane's values: %d1, %d2, %r1, %r2, %h1, %p1, %p2, and a word of its own at %own, which is in global memory and is 0. */
static const char frame[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 8 .b8 fixed[16] = {1, 2, 3};\n"
    ".func (.reg .b32 result) twice(.reg .b32 x) { add.u32 result, x, x; ret; }\n"
    ".entry k(.param .u64 out) {\n.reg .pred %%p<8>; .reg .b16 %%h<4>; .reg .b32 %%r<12>; .reg .b64 %%d<8>; .reg .b64 %%own, "
    "%%every;\n"
    ".shared .align 16 .b8 s[512], never[512];\n.local .align 8 .b8 mine[16];\n"
    "ld.param.u64 %%own, [out]; mov.u64 %%every, %%own; mov.u32 %%r9, %%tid.x; mul.wide.u32 %%d7, %%r9, 64; add.u64 %%own, "
    "%%own, %%d7;\n"
    "setp.ge.u32 %%p7, %%r9, 16; setp.eq.u32 %%p6, %%r9, 16; setp.eq.u32 %%p5, %%r9, 0; mov.u32 %%r10, s; mad.lo.u32 %%r10, "
    "%%r9, 16, %%r10;\n"
    "st.shared.v4.u32 [%%r10], {%%r9, %%r9, %%r9, %%r9}; st.local.v2.u64 [mine], {%%d7, %%d7}; bar.warp.sync -1;\n"
    "mov.u64 %%d1, 0x5a5a5a5a5a5a5a5a; mov.u64 %%d2, %%d1; mov.u32 %%r1, 0x5a5a5a5a; mov.u32 %%r2, %%r1; mov.u16 %%h1, "
    "0x5a5a;\n"
    "setp.lt.u32 %%p1, %%r9, 99; setp.lt.u32 %%p2, %%r9, 99; mov.u32 %%r8, 3; mov.u64 %%d6, 4; mov.u16 %%h2, 7; selp.u32 %%r7, "
    "1, 0, %%p6;\n"
    "%s\n"
    "st.global.u64 [%%own], %%d1; st.global.u64 [%%own+8], %%d2; cvt.u64.u32 %%d7, %%r1; st.global.u64 [%%own+16], %%d7;\n"
    "cvt.u64.u32 %%d7, %%r2; st.global.u64 [%%own+24], %%d7; cvt.u64.u16 %%d7, %%h1; st.global.u64 [%%own+32], %%d7;\n"
    "selp.u64 %%d7, 1, 0, %%p1; st.global.u64 [%%own+40], %%d7; selp.u64 %%d7, 1, 0, %%p2; st.global.u64 [%%own+48], "
    "%%d7;\nret;\n}\n";

static uint8_t op_at(const Program *program, uint32_t pc) { return pc == NO_INSN ? OP_COUNT : program->insns[pc].op; }

static Ran run_on(const char *insns, OnFault on_fault) {
    Ran ran = {0};
    Diag diag = {0};
    Program *program = parsed_of(frame, insns);
    Memory *memory = memory_new();
    Allocation *out = memory_allocate(memory, sizeof ran.values, "out", false);
    out->initialized = true;
    uint8_t params[8];
    memcpy(params, &out->address, sizeof params);
    LaunchRequest request = {.launch.kernel = prepared(program, "k"),
                             .launch.params = params,
                             .launch.memory = memory,
                             .launch.grid = {1, 1, 1},
                             .launch.block = {LANES, 1, 1},
                             .launch.checks = true,
                             .launch.on_fault = on_fault,
                             .launch.threads = 1,
                             .profile = profile_find("h200", &diag)};
    LaunchResult result;
    ck_assert_msg(device_launch(&request, &result, &diag), "%s: %s", insns, diag.message);
    ran.fault = result.fault;
    ran.findings = result.findings.count;
    ran.finding_op = ran.findings ? op_at(program, result.findings.items[0].fault.pc) : OP_COUNT;
    ran.other_op = ran.findings ? op_at(program, result.findings.items[0].fault.other_pc) : OP_COUNT;
    if (ran.findings) snprintf(ran.finding, sizeof ran.finding, "%s", result.findings.items[0].fault.message);
    memcpy(ran.values, out->host, sizeof ran.values);
    device_result_free(&result);
    memory_free(memory);
    program_free(program);
    return ran;
}

static Ran run(const char *insns) { return run_on(insns, ON_FAULT_STOP); }

static Ran run_well(const char *insns) {
    const Ran ran = run(insns);
    ck_assert_msg(ran.fault.kind == FAULT_none && !ran.findings, "%s: %s%s", insns, ran.fault.message, ran.finding);
    return ran;
}

/* What the frame gives each lane before. */
static const uint64_t before[WORDS - 1] = {0x5a5a5a5a5a5a5a5a, 0x5a5a5a5a5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a, 1, 1};

/* PTX ISA, "Predicated Execution": lanes whose guard is false do nothing. Each instruction changes something in lanes 16 to 31, and nothing in the others;
 * the values that they start with are those that no instruction here gives. */
START_TEST(lanes_that_are_off_keep_what_they_had)
{
    static const char *const insns[] = {
        "mov.u32 %r1, %r8;",
        "mov.u64 %d1, %d6;",
        "mov.u16 %h1, %h2;",
        "mov.pred %p1, %p6;",
        "mov.u32 %r1, %laneid;",
        "mov.u32 %r1, %clock;",
        "mov.u64 %d1, %clock64;",
        "mov.u64 %d1, %globaltimer;",
        "mov.b64 %d1, {%r8, %r9};",
        "mov.b64 {%r1, %r2}, %d6;",
        "mov.b32 {%h1, %h3}, %r8;",
        "mov.b32 %r1, {%h2, %h2};",
        "mov.u32 %r1, s;",
        "mov.u64 %d1, mine;",
        "mov.u64 %d1, twice;",
        "cvta.shared.u64 %d1, %d6;",
        "isspacep.shared %p1, %d6;",
        "add.u32 %r1, %r8, %r9;",
        "add.u64 %d1, %d6, 1;",
        "add.u16 %h1, %h2, 1;",
        "mad.wide.u32 %d1, %r8, %r9, %d6;",
        "popc.b64 %r1, %d6;",
        "cvt.u64.u16 %d1, %h2;",
        "cvt.s16.s32 %r1, %r8;",
        "cvt.rn.f16x2.f32 %r1, %r8, %r8;",
        "set.eq.u32.u32 %r1, %r8, %r9;",
        "setp.eq.u32 %p1|%p2, %r8, 99;",
        "setp.lt.and.u32 %p1|%p2, %r8, %r9, %p6;",
        "selp.u32 %r1, %r8, %r9, %p6;",
        "and.pred %p1, %p5, %p6;",
        "not.pred %p1, %p7;",
        "lop3.b32 %r1, %r8, %r9, %r10, 0x96;",
        "prmt.b32 %r1, %r8, %r9, 0x3210;",
        "bfi.b64 %d1, %d6, %d6, 4, 4;",
        "ld.global.u32 %r1, [%own+56];",
        "ld.global.u64 %d1, [%own+56];",
        "ld.global.v2.u32 {%r1, %r2}, [%own+56];",
        "ld.global.u8 %d1, [%own+56];",
        "ld.u32 %r1, [%own+56];",
        "ld.shared.u32 %r1, [%r10];",
        "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r10];",
        "ld.shared.u16 %h1, [%r10];",
        "ld.local.u64 %d1, [mine];",
        "ld.local.v2.u32 {%r1, %r2}, [mine];",
        "ld.const.u32 %r1, [fixed];",
        "ld.param.u64 %d1, [out];",
        "ld.volatile.global.u32 %r1, [%own+56];",
        "atom.global.add.u32 %r1, [%own+56], 0;",
        "atom.global.exch.b64 %d1, [%own+56], 0;",
        "atom.shared.max.s32 %r1, [%r10], 0;",
        "atom.shared.cas.b16 %h1, [%r10], 99, 99;",
        "shfl.sync.idx.b32 %r1|%p1, %r9, 20, 0x1f, 0xffff0000;",
        "shfl.sync.bfly.b32 %r1|%p1, %r9, 1, 0x1f, 0xffff0000;",
        "shfl.sync.up.b32 %r1|%p1, %r9, 1, 0x1000, 0xffff0000;", /* lanes 0 and 16 begin a segment */
        "vote.sync.ballot.b32 %r1, %p7, 0xffff0000;",
        "vote.sync.all.pred %p1, %p6, 0xffff0000;",
        "vote.sync.any.pred %p1, %p5, 0xffff0000;",
        "vote.sync.uni.pred %p1, %p6, 0xffff0000;",
        "match.any.sync.b32 %r1, %r9, 0xffff0000;",
        "match.all.sync.b64 %r1|%p1, %d7, 0xffff0000;",
        "redux.sync.add.u32 %r1, %r9, 0xffff0000;",
        "redux.sync.min.s32 %r1, %r9, 0xffff0000;",
        "elect.sync %r1|%p1, 0xffff0000;",
        "activemask.b32 %r1;",
        "call (%r1), twice, (%r8);",
    };
    for (size_t i = 0; i < sizeof insns / sizeof *insns; i++) {
        Text guarded = {0};
        text_add(&guarded, "@%%p7 %s", insns[i]);
        const Ran ran = run_well(text_string(&guarded));
        bool changed = false;
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned w = 0; w < WORDS - 1; w++) {
                const uint64_t value = ran.values[l * WORDS + w];
                ck_assert_msg(l >= OFF || value == before[w], "%s: lane %u has %llx in word %u", insns[i], l,
                              (unsigned long long)value, w);
                changed |= l >= OFF && value != before[w];
            }
        ck_assert_msg(changed, "%s changes nothing", insns[i]);
        text_free(&guarded);
    }
}
END_TEST

/* Where a lane's address is wrong nothing has been moved: not in the lanes before it either. Lane 20 has address 0; the words that lanes would write, in
 * global memory, stay 0. */
START_TEST(a_fault_moves_nothing)
{
    static const char *const insns[] = {
        "st.global.u32 [%d3], 7;",
        "st.global.v2.u64 [%d3], {%d6, %d6};",
        "st.global.u8 [%d3], 7;",
        "st.u32 [%d3], 7;",
        "red.global.add.u32 [%d3], 7;",
        "atom.global.exch.b32 %r1, [%d3], 7;",
        "atom.global.add.u64 %d1, [%d3], 7;",
        "atom.add.u32 %r1, [%d3], 7;",
    };
    for (size_t i = 0; i < sizeof insns / sizeof *insns; i++) {
        Text text = {0};
        text_add(&text, "setp.eq.u32 %%p3, %%r9, 20; selp.u64 %%d3, 0, %%own, %%p3; %s", insns[i]);
        const Ran ran = run(text_string(&text));
        ck_assert_msg(ran.fault.kind == FAULT_out_of_bounds && strstr(ran.fault.message, "lane 20 of warp 0") &&
                          strstr(ran.fault.message, "address 0x0: a null pointer"),
                      "%s: %s", insns[i], ran.fault.message);
        for (unsigned w = 0; w < LANES * WORDS; w++) ck_assert_msg(!ran.values[w], "%s: lane %u", insns[i], w / WORDS);
        text_free(&text);
    }
}
END_TEST

/* Lanes 0 to 15 wait at the barrier, the others go round it. An H100 lets them, as far as they come: it is told where they write memory that others see,
 * by whatever instruction. Lane 16 has 1 in %r7, the others 0. */
START_TEST(lanes_that_miss_a_barrier_are_told_where_they_write)
{
    static const struct {
        const char *insn;
        bool told;
    } rows[] = {
        {"st.global.u32 [%own+56], 7;", true},
        {"st.shared.u32 [%r10], 7;", true},
        {"st.u32 [%own+56], 7;", true},
        {"@%p6 st.global.u32 [%own+56], 7;", true},
        /* in the first of three iterations, of which each begins anew */
        {"mov.u32 %r3, 0; AGAIN: setp.eq.u32 %p3, %r3, 0; @%p3 st.global.u32 [%own+56], 7; add.u32 %r3, %r3, 1; setp.lt.u32 "
         "%p4, %r3, 3; @%p4 bra AGAIN;",
         true},
        {"red.global.add.u32 [%own+56], 1;", true},
        {"red.global.add.u32 [%own+56], %r7;", true},   /* the first lane alone changes anything */
        {"atom.shared.or.b32 %r3, [%r10], %r7;", true}, /* bit 0 of lane 16's word, which is 16 */
        {"atom.global.exch.b32 %r3, [%own+56], %r7;", true},
        {"atom.global.cas.b32 %r3, [%own+56], 5, 7;", false},
        {"red.global.add.u32 [%own+56], 0;", false},
        {"cp.async.ca.shared.global [%r10], [%own], 16; cp.async.wait_all;", true},
        {"st.local.u32 [mine], 7;", false},
        {"ld.global.u32 %r3, [%own+56];", false},
        {"ld.volatile.shared.u32 %r3, [%r10];", false},
        {"membar.gl;", false},
        {"mov.u32 %r3, 7;", false},
    };
    static const struct {
        const char *barrier;
        bool aligned;
    } barriers[] = {{"bar.sync 0;", true},
                    {"bar.red.or.pred %p3, 0, %p1;", true},
                    {"barrier.sync.aligned 0;", true},
                    {"barrier.sync 0;", false}};
    for (size_t b = 0; b < sizeof barriers / sizeof *barriers; b++) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            Text text = {0};
            text_add(&text, "@%%p7 bra JOIN; %s JOIN: %s exit;", barriers[b].barrier, rows[i].insn);
            const Ran ran = run(text_string(&text));
            ck_assert_msg(ran.fault.kind == FAULT_none, "%s: %s", rows[i].insn, ran.fault.message);
            ck_assert_msg((ran.findings == 1) == (rows[i].told && barriers[b].aligned), "%s behind %s: %zu findings: %s",
                          rows[i].insn, barriers[b].barrier, ran.findings, ran.finding);
            if (ran.findings)
                ck_assert_msg(strstr(ran.finding, "lanes 0-15 of warp 0 reach this barrier, lanes 16-31 are elsewhere"), "%s",
                              ran.finding);
            text_free(&text);
        }
    }
}
END_TEST

/* Where lanes parted, whichever of them a branch took: those at the barrier, or those elsewhere; where a further branch has parted one side again, too. */
START_TEST(the_branch_that_parted_lanes_is_named)
{
    static const char *const ways[] = {
        "@%p7 bra JOIN; bar.sync 0; JOIN: st.global.u32 [%own+56], 7; exit;",
        "@!%p7 bra HERE; bra.uni JOIN; HERE: bar.sync 0; JOIN: st.global.u32 [%own+56], 7; exit;",
        "@%p7 bra JOIN; @%p5 bra NEXT; add.u32 %r3, %r3, 1; NEXT: bar.sync 0; JOIN: st.global.u32 [%own+56], 7; exit;",
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const Ran ran = run(ways[i]);
        ck_assert_msg(ran.findings == 1 && ran.finding_op == OP_bar && ran.other_op == OP_bra, "%s: %s, %u, %u", ways[i],
                      ran.finding, ran.finding_op, ran.other_op);
    }
}
END_TEST

/* What an H200 gives of a lane that is elsewhere is 0, and of one that shuffles as well its value, named or not. Lanes 16 to 31 shuffle. */
START_TEST(a_shuffle_of_what_no_lane_gives_goes_on)
{
    static const struct {
        const char *insn;
        uint64_t gives;
    } rows[] = {
        {"@%p7 shfl.sync.idx.b32 %r1, %r9, 3, 0x1f, 0xffff0000;", 0},
        {"@%p7 shfl.sync.idx.b32 %r1, %r9, 19, 0x1f, 0xffff0000;", 19},
        {"@%p7 shfl.sync.idx.b32 %r1, %r9, 19, 0x1f, 0xfff70000;", 19},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Ran ran = run_on(rows[i].insn, ON_FAULT_GO_ON);
        ck_assert_msg(ran.fault.kind == FAULT_none, "%s: %s", rows[i].insn, ran.fault.message);
        for (unsigned l = 0; l < LANES; l++) {
            const uint64_t value = ran.values[l * WORDS + 2];
            if (l != 19)
                ck_assert_msg(value == (l < OFF ? before[2] : rows[i].gives), "%s: lane %u has %llu", rows[i].insn, l,
                              (unsigned long long)value);
        }
    }
}
END_TEST

/* %r2 was never written, of %r3 the byte at the top, of %d3 the upper half. What a branch depends on is what %r1 has of that, or %p1. A bit of a result is
 * undefined where it is not the same for all that the undefined bits may be; sums, products and comparisons take every bit for needed. */
START_TEST(a_result_has_the_undefined_bits_that_decide_it)
{
    static const struct {
        const char *insns;
        bool told;
    } rows[] = {
        {"mov.u32 %r1, %r2;", true},
        {"mov.u32 %r1, %r3;", true},
        {"and.b32 %r1, %r2, 0;", false},
        {"and.b32 %r1, %r3, 0x00ffffff;", false},
        {"and.b32 %r1, %r3, 0x01ffffff;", true},
        {"or.b32 %r1, %r3, 0xff000000;", false},
        {"or.b32 %r1, %r3, 0x7f000000;", true},
        {"xor.b32 %r1, %r3, 0xff000000;", true},
        {"not.b32 %r1, %r3;", true},
        {"lop3.b32 %r1, %r3, 0x00ffffff, 0, 0xc0;", false}, /* a & b */
        {"lop3.b32 %r1, %r2, %r9, %r8, 0xcc;", false},      /* b */
        {"lop3.b32 %r1, %r2, %r9, %r8, 0xf0;", true},       /* a */
        {"shl.b32 %r1, %r3, 8;", false},
        {"shl.b32 %r1, %r3, 7;", true},
        {"shl.b32 %r1, %r2, 32;", false}, /* nothing is left */
        {"shr.u32 %r1, %r2, 32;", false},
        {"shr.s32 %r1, %r3, 32;", true}, /* the sign is */
        {"shr.u32 %r1, %r3, 24;", true},
        {"shl.b32 %r1, %r8, %r2;", true},            /* by how much */
        {"shf.l.wrap.b32 %r1, %r3, %r8, 0;", false}, /* the upper word is %r8 */
        {"shf.l.wrap.b32 %r1, %r3, %r8, 1;", true},
        {"shf.r.clamp.b32 %r1, %r8, %r3, 32;", true},
        {"shf.r.clamp.b32 %r1, %r3, %r8, 32;", false},
        {"bfe.u32 %r1, %r3, 0, 24;", false},
        {"bfe.u32 %r1, %r3, 0, 25;", true},
        {"bfe.s32 %r1, %r3, 16, 8;", false},
        {"bfe.s32 %r1, %r3, 17, 8;", true},
        {"bfe.u32 %r1, %r2, 5, 0;", false},       /* no bits */
        {"bfi.b32 %r1, %r8, %r3, 24, 8;", false}, /* written over */
        {"bfi.b32 %r1, %r8, %r3, 25, 7;", true},
        {"bfi.b32 %r1, %r3, %r8, 8, 24;", false},
        {"prmt.b32 %r1, %r3, %r8, 0x4210;", false},
        {"prmt.b32 %r1, %r3, %r8, 0x4213;", true},
        {"prmt.b32 %r1, %r3, %r8, 0x421a;", false}, /* the sign of byte 2 */
        {"brev.b32 %r1, %r3; shr.u32 %r1, %r1, 8;", false},
        {"brev.b32 %r1, %r3; and.b32 %r1, %r1, 0x80;", true},
        {"szext.clamp.s32 %r1, %r3, 24;", false},
        {"szext.wrap.u32 %r1, %r3, 25;", true},
        {"cvt.u16.u32 %h1, %r3; cvt.u32.u16 %r1, %h1;", false},
        {"cvt.s32.s8 %r1, %r3;", false},
        {"cvt.u64.u32 %d1, %r3; shr.u64 %d1, %d1, 32; cvt.u32.u64 %r1, %d1;", false},
        {"cvt.s64.s32 %d1, %r3; shr.u64 %d1, %d1, 32; cvt.u32.u64 %r1, %d1;", true},
        {"cvt.u32.u64 %r1, %d3;", false},
        {"mov.b64 {%r1, %r4}, %d3;", false},
        {"mov.b64 {%r4, %r1}, %d3;", true},
        {"mov.b64 %d1, {%r8, %r2}; cvt.u32.u64 %r1, %d1;", false},
        {"mov.b64 %d1, {%r2, %r8}; cvt.u32.u64 %r1, %d1;", true},
        {"mov.b32 {%h1, %h3}, %r3; cvt.u32.u16 %r1, %h1;", false},
        {"mov.b32 {%h1, %h3}, %r3; cvt.u32.u16 %r1, %h3;", true},
        {"popc.b32 %r1, %r3;", true},
        {"add.u32 %r1, %r3, 1; and.b32 %r1, %r1, 1;", true},
        {"selp.b32 %r1, %r8, %r2, %p2;", false},
        {"selp.b32 %r1, %r2, %r8, %p2;", true},
        {"setp.ne.u32 %p3, %r2, 0; selp.b32 %r1, 5, 5, %p3;", false},
        {"setp.ne.u32 %p3, %r2, 0; selp.b32 %r1, 5, 6, %p3;", true},
        {"setp.ne.and.u32 %p1, %r2, 0, !%p2;", false}, /* and false */
        {"setp.ne.and.u32 %p1, %r2, 0, %p2;", true},
        {"setp.ne.or.u32 %p1, %r2, 0, %p2;", false}, /* or true */
        {"setp.ne.or.u32 %p1, %r2, 0, !%p2;", true},
        {"setp.ne.xor.u32 %p1, %r2, 0, %p2;", true},
        {"setp.ne.u32 %p3, %r2, 0; setp.gt.and.u32 %p1, %r9, 99, %p3;", false}, /* false and what it may be */
        {"setp.ne.u32 %p3, %r2, 0; setp.lt.and.u32 %p1, %r9, 99, %p3;", true},
        {"setp.ne.u32 %p3, %r2, 0; not.pred %p4, %p2; and.pred %p1, %p3, %p4;", false},
        {"setp.ne.u32 %p3, %r2, 0; or.pred %p1, %p3, %p2;", false},
        {"setp.ne.u32 %p3, %r2, 0; xor.pred %p1, %p3, %p2;", true},
        {"@%p5 mov.u32 %r2, 7; @%p5 mov.u32 %r1, %r2;", false}, /* lane 0, which has it */
        {"vote.sync.any.pred %p1, %p2, -1;", false},
        {"setp.ne.u32 %p3, %r2, 0; vote.sync.ballot.b32 %r1, %p3, -1;", true},
        {"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", true},
        {"@%p5 mov.u32 %r2, 7; shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", false}, /* all take lane 0's */
        {"@%p5 mov.u32 %r2, 7; shfl.sync.idx.b32 %r1, %r2, 1, 31, -1;", true},
        /* what the carry is made of, where it is taken */
        {"add.cc.u32 %r4, %r2, 1; addc.u32 %r1, %r8, 0;", true},
        {"add.cc.u32 %r4, %r2, 1; add.u32 %r1, %r8, 0;", false},
        {"add.cc.u32 %r4, %r2, 1; add.cc.u32 %r4, %r8, 1; addc.u32 %r1, %r8, 0;", false},
        {"sub.cc.u32 %r4, %r8, %r2; subc.cc.u32 %r4, %r8, 0; subc.u32 %r1, %r8, 0;", true},
        {"mad.lo.cc.u32 %r4, %r8, %r2, 1; madc.hi.u32 %r1, %r8, %r8, 0;", true},
        {"add.cc.u32 %r4, %r2, 1; addc.u32 %r4, %r8, 0; mov.u32 %r4, 0; addc.u32 %r1, %r8, 0;", true}, /* it is left */
        {"@%p7 add.cc.u32 %r4, %r2, 1; @!%p7 addc.u32 %r1, %r8, 0;", false},
        {"@%p7 add.cc.u32 %r4, %r2, 1; @%p7 addc.u32 %r1, %r8, 0;", true},
        {"add.cc.u32 %r4, %r2, 1; @%p7 add.cc.u32 %r5, %r8, 1; @%p7 addc.u32 %r1, %r8, 0;", false},
        {"redux.sync.add.u32 %r1, %r2, -1;", true},
        /* from where, of which the low 5 bits count; who takes part */
        {"shfl.sync.idx.b32 %r1, %r9, %r2, 31, -1;", true},
        {"shfl.sync.idx.b32 %r1, %r9, %r3, 31, -1;", false},
        {"shfl.sync.bfly.b32 %r1, %r9, 1, %r2, -1;", true},
        {"shfl.sync.bfly.b32 %r1, %r9, 1, %r3, -1;", false},
        {"shfl.sync.up.b32 %r4|%p4, %r9, %r2, 0, -1; mov.pred %p1, %p4;", true},
        {"shfl.sync.up.b32 %r4|%p4, %r2, %r8, 0, -1; mov.pred %p1, %p4;", false},
        {"shfl.sync.idx.b32 %r1, %r9, 0, 31, %r2;", true},
        {"vote.sync.any.pred %p1, %p2, %r2;", true},
        {"redux.sync.add.u32 %r1, %r9, %r2;", true},
        {"bar.warp.sync %r2;", true},
        {"elect.sync %r1|%p1, %r2;", true},
        {"match.all.sync.b32 %r4|%p4, %r2, -1; mov.pred %p1, %p4;", true},
        {"match.all.sync.b32 %r4|%p4, %r9, -1; mov.pred %p1, %p4;", false},
        {"match.any.sync.b32 %r1, %r2, -1;", true},
        {"setp.ne.u32 %p3, %r2, 0; bar.red.or.pred %p1, 0, %p3;", true},
        {"setp.ne.u32 %p3, %r2, 0; bar.red.popc.u32 %r1, 0, !%p3;", true},
        {"bar.red.or.pred %p1, %r8, %p2;", false},
        {"barrier.sync %r2;", true},
        {"barrier.sync 0, %r2;", true},
        {"mov.u32 %r1, %r2; call (%r1), twice, (%r8);", false},
        {"@!%p7 mov.u64 %d3, 0; mbarrier.pending_count.b64 %r1, %d3;", true}, /* the upper half has none */
        {"@%p7 mov.u64 %d3, 0; mbarrier.pending_count.b64 %r1, %d3;", true},
        {"mov.u64 %d3, 0; mbarrier.pending_count.b64 %r1, %d3;", false},
        {"mov.u32 %r1, %r2; bar.red.popc.u32 %r1, 0, %p2;", false}, /* it is given one */
        {"proto: .callprototype (.reg .b32 _) _ (.reg .b32 _); call (%r1), %d3, (%r8), proto;", true},
        /* lane 0 has none; each half names itself, and the other half's results stay as they were */
        {"@!%p5 mov.u32 %r2, 7; selp.b32 %r4, 0xffff0000, 0xffff, %p7; @%p7 redux.sync.add.u32 %r1, %r2, %r4; @!%p7 "
         "redux.sync.add.u32 %r5, %r2, %r4;",
         false},
        /* operands of what others see at once are used there, each of them */
        {"atom.shared.cas.b32 %r1, [%r10], %r2, 9;", true},
        {"atom.shared.cas.b32 %r1, [%r10], 99, %r2;", true},
        {"atom.shared.exch.b32 %r1, [%r10], %r2;", true},
        {"red.shared.max.u32 [%r10], %r3;", true},
        {"mov.u32 %r1, %r2; atom.shared.exch.b32 %r1, [%r10], %r9;", false},
        {"setp.ne.u32 %p1, %r2, 0; @%p5 mbarrier.init.shared.b64 [s], 1; bar.warp.sync -1; "
         "mbarrier.test_wait.parity.shared.b64 "
         "%p1, [s], 1;",
         false},
        {"@%p5 mbarrier.init.shared.b64 [s], 1; bar.warp.sync -1; mbarrier.test_wait.parity.shared.b64 %p1, [s], %r2;", true},
        {"isspacep.shared %p1, %d3;", true},
        {"mov.u32 %r1, %r2; mov.u32 %r1, %laneid;", false},
        {"mov.b32 {%h1, %h3}, %r3; cvt.s32.s16 %d1, %h3; shr.u64 %d1, %d1, 32; cvt.u32.u64 %r1, %d1;", true},
        {"mov.b32 {%h1, %h3}, %r3; cvt.s32.s16 %d1, %h1; shr.u64 %d1, %d1, 32; cvt.u32.u64 %r1, %d1;", false},
        {"st.local.u32 [mine], %d3; ld.local.u32 %r1, [mine];", false},
        {"cvt.sat.u8.u32 %r1, %r3;", true},
        {"selp.b32 %r4, %r2, 5, %p2; selp.b32 %r1, %r4, 5, %p5;", true},
        /* lane 0 alone stores what it never got */
        {"selp.b32 %r4, %r2, %r9, %p5; st.local.u32 [mine], %r4; @!%p5 ld.local.u32 %r1, [mine];", false},
        {"selp.b32 %r4, %r2, %r9, %p5; st.local.u32 [mine], %r4; @%p5 ld.local.u32 %r1, [mine];", true},
        {"selp.b32 %r4, %r2, %r9, %p5; st.shared.u32 [%r10], %r4; @!%p5 ld.shared.u32 %r1, [%r10];", false},
        {"selp.b32 %r4, %r2, %r9, %p5; st.shared.u32 [%r10], %r4; @%p5 ld.shared.u32 %r1, [%r10];", true},
        {"st.local.u32 [mine], %r2; st.local.u32 [mine], %r9; ld.local.u32 %r1, [mine];", false}, /* it is written over */
        {"st.shared.u32 [%r10], %r3; ld.shared.u8 %r1, [%r10+2];", false},
        {"st.shared.u32 [%r10], %r3; ld.shared.u8 %r1, [%r10+3];", true},
        {"st.local.u32 [mine], %r3; ld.local.u8 %r1, [mine+2];", false},
        {"st.local.u32 [mine], %r3; ld.local.u8 %r1, [mine+3];", true},
        /* what is loaded is written over as well, by each kind of load; a layer is one coordinate more */
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r10]; mov.u32 %r1, %r2;", false},
        {"ld.shared.u32 %r2, [%r10]; mov.u32 %r1, %r2;", false},
        {"ld.const.u32 %r2, [fixed]; mov.u32 %r1, %r2;", false},
        {"ld.global.u32 %r2, [%own]; mov.u32 %r1, %r2;", false},
        {".reg .f32 x, y; mov.f32 x, 0f00000000; mov.b32 y, %r2; tex.a2d.v4.f32.f32 {x, x, x, x}, [%d2, {%r9, x, y, y}];",
         true},
        {".reg .f32 x, y; mov.f32 x, 0f00000000; mov.b32 y, %r2; tex.a1d.v4.f32.f32 {x, x, x, x}, [%d2, {%r9, y}];", true},
        {".reg .f32 x; mov.f32 x, 0f00000000; tex.a1d.v4.f32.f32 {x, x, x, x}, [%d2, {%r2, x}];", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text text = {0};
        text_add(&text,
                 "mov.u32 %%r11, never; mad.lo.u32 %%r11, %%r9, 16, %%r11; st.shared.u8 [%%r11+4], 1; st.shared.u8 [%%r11+5], "
                 "2; st.shared.u8 [%%r11+6], 0x83;\n"
                 "st.shared.u32 [%%r11+8], 4; ld.shared.u32 %%r2, [%%r11]; ld.shared.u32 %%r3, [%%r11+4]; ld.shared.u64 %%d3, "
                 "[%%r11+8];\n%s\n"
                 "%s @%%p1 bra OUT; OUT: exit;",
                 rows[i].insns, strstr(rows[i].insns, " %p1,") ? "" : "setp.eq.u32 %p1, %r1, 12345;");
        const Ran ran = run(text_string(&text));
        ck_assert_msg(ran.fault.kind == (rows[i].told ? FAULT_uninitialized : FAULT_none), "%s: %s", rows[i].insns,
                      ran.fault.message);
        text_free(&text);
    }
}
END_TEST

/* %r2 was never written in lane 0, from whose vote the others' may be the same whatever it is: all but that lane, one half of them, or none vote for it. */
START_TEST(a_vote_is_decided_by_the_lanes_that_have_one)
{
    static const char *const own[] = {"setp.ne.u32 %p3, %r2, 0;", "setp.eq.u32 %p3, %r2, 0;"}, *const kinds[] = {"all", "any",
                                                                                                                 "uni"};
    static const struct {
        const char *insn;
        bool some, lacks_some; /* votes for it */
    } others[] = {{"setp.lt.u32 %p3, %r9, 99;", true, false},
                  {"setp.gt.u32 %p3, %r9, 99;", false, true},
                  {"setp.lt.u32 %p3, %r9, 16;", true, true}};
    for (unsigned i = 0; i < 2 * 3 * 3 * 2; i++) {
        const unsigned with = i / 2 % 3, kind = i / 6 % 3;
        const bool negated = i / 18, some = negated ? others[with].lacks_some : others[with].some,
                   lacks_some = negated ? others[with].some : others[with].lacks_some;
        const bool decided = kind == 0 ? lacks_some : kind == 1 ? some : some && lacks_some;
        Text text = {0};
        text_add(&text,
                 "mov.u32 %%r11, never; mad.lo.u32 %%r11, %%r9, 16, %%r11; ld.shared.u32 %%r2, [%%r11];\n"
                 "%s @!%%p5 %s vote.sync.%s.pred %%p1, %s%%p3, -1; @%%p1 bra OUT; OUT: exit;",
                 own[i % 2], others[with].insn, kinds[kind], negated ? "!" : "");
        const Ran ran = run(text_string(&text));
        ck_assert_msg(ran.fault.kind == (decided ? FAULT_none : FAULT_uninitialized), "%s: %s", text_string(&text),
                      ran.fault.message);
        text_free(&text);
    }
}
END_TEST

/* Each half of the warp names itself. Lane 0 has no value: the upper half's results are defined, the lower half's are not. */
START_TEST(results_depend_on_the_lanes_that_are_named)
{
    static const char *const insns[] = {
        "vote.sync.any.pred %p1, %p3, %r4;",
        "vote.sync.all.pred %p1, !%p3, %r4;",
        "vote.sync.uni.pred %p1, %p3, %r4;",
        "vote.sync.ballot.b32 %r1, %p3, %r4; setp.ne.u32 %p1, %r1, 0;",
        "match.any.sync.b32 %r1, %r2, %r4; setp.ne.u32 %p1, %r1, 0;",
        "match.all.sync.b32 %r1|%p1, %r2, %r4;",
        "redux.sync.max.u32 %r1, %r2, %r4; setp.ne.u32 %p1, %r1, 0;",
        "shfl.sync.bfly.b32 %r1, %r2, 0, 31, %r4; setp.ne.u32 %p1, %r1, 0;",
    };
    for (unsigned i = 0; i < 2 * sizeof insns / sizeof *insns; i++) {
        const bool upper = i % 2; /* the other half's %p1 is written over */
        Text text = {0};
        text_add(
            &text,
            "mov.u32 %%r11, never; mad.lo.u32 %%r11, %%r9, 16, %%r11; ld.shared.u32 %%r2, [%%r11]; @!%%p5 mov.u32 %%r2, 0;\n"
            "setp.ne.u32 %%p3, %%r2, 0; selp.b32 %%r4, 0xffff0000, 0xffff, %%p7;\n"
            "%s @%s%%p7 setp.lt.u32 %%p1, %%r9, 99; @%%p1 bra OUT; OUT: exit;",
            insns[i / 2], upper ? "!" : "");
        const Ran ran = run(text_string(&text));
        ck_assert_msg(ran.fault.kind == (upper ? FAULT_none : FAULT_uninitialized), "%s: %s", text_string(&text),
                      ran.fault.message);
        text_free(&text);
    }
}
END_TEST

SUITE("effects", a_vote_is_decided_by_the_lanes_that_have_one, results_depend_on_the_lanes_that_are_named,
      a_result_has_the_undefined_bits_that_decide_it, a_shuffle_of_what_no_lane_gives_goes_on,
      the_branch_that_parted_lanes_is_named, lanes_that_are_off_keep_what_they_had, a_fault_moves_nothing,
      lanes_that_miss_a_barrier_are_told_where_they_write)
