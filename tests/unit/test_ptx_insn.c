/* Instructions: what the machine is given for each form of the text, and what is refused at which column. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "left_out.h"
#include "ptx/opcode.h"
#include "ptx/program.h"
#include "suite.h"

/* Line 12 is the instruction's. */
static const char front[] = ".version 8.6\n.target sm_90\n.address_size 64\n"
                            ".global .u32 gv[4]; .shared .u32 sv[4]; .const .u32 cv[4];\n"
                            ".func (.param .b32 r) dev(.param .b64 a) { ret; } .func nop() { ret; }\n"
                            ".entry k(.param .u64 p0, .param .u32 p1, .param .align 4 .b8 p2[12]) {\n"
                            ".reg .pred %p<5>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"
                            ".reg .f64 %fd<9>; .reg .f16 %h<5>; .reg .u32 %u<5>; .reg .b8 %b<3>; .local .align 8 .b8 lv[16];\n"
                            ".param .b64 cp; .param .b32 cr;\n"
                            "proto: .callprototype (.param .b32 _) _ (.param .b64 _); targets: .calltargets dev;\n"
                            "table: .branchtargets L, M;\n";
static const char back[] = "\nL: ret;\nM: ret;\n}\n";

static Program *parse(const char *insn, Diag *diag) {
    Text text = {0};
    text_add(&text, "%s%s%s", front, insn, back);
    Program *program = without_left_out(program_parse(text_string(&text), text.length, "a.ptx", diag), diag);
    text_free(&text);
    return program;
}

/* The kernel's first instruction: the functions before it have one ret each. */
enum { FIRST = 2 };

static const Insn *first(const Program *program) { return &program->insns[FIRST]; }

static void describe_operand(const Program *program, const Operand *operand, Text *out) {
    static const char *const specials[] = {
#define SPECIAL(name, text) text,
        PTX_SPECIALS(SPECIAL)
#undef SPECIAL
    };
    const Register *registers = program->functions[2].registers;
    if (operand->negated) text_add(out, "!");
    switch ((OperandKind)operand->kind) {
    case OPERAND_REGISTER: text_add(out, "%s", registers[operand->index].name); break;
    case OPERAND_IMMEDIATE: text_add(out, "#%" PRIx64, operand->bits); break;
    case OPERAND_SPECIAL: text_add(out, "%s", specials[operand->index]); break;
    case OPERAND_VARIABLE:
        text_add(out, "&%s+%" PRId64, program->variables[operand->index].name, (int64_t)operand->bits);
        break;
    case OPERAND_FUNCTION: text_add(out, "@%s", program->functions[operand->index].name); break;
    case OPERAND_ADDRESS: text_add(out, "[%s+%" PRId64 "]", registers[operand->index].name, (int64_t)operand->bits); break;
    case OPERAND_ADDRESS_VARIABLE:
        text_add(out, "[&%s+%" PRId64 "]", program->variables[operand->index].name, (int64_t)operand->bits);
        break;
    case OPERAND_ADDRESS_IMMEDIATE: text_add(out, "[#%" PRIx64 "]", operand->bits); break;
    case OPERAND_SINK: text_add(out, "_"); break;
    }
}

/* "d,d < s,s" */
static void expect_operands(const char *insn, const char *expected) {
    Diag diag = {0};
    Program *program = parse(insn, &diag);
    ck_assert_msg(program, "%s: %u:%u: %s", insn, diag.line, diag.column, diag.message);
    const Insn *found = first(program);
    Text text = {0};
    for (unsigned i = 0; i < (unsigned)found->n_dst + found->n_src; i++) {
        text_add(&text, "%s", i == found->n_dst ? (i ? " < " : "< ") : i ? "," : "");
        describe_operand(program, &found->operands[i], &text);
    }
    ck_assert_msg(strcmp(text_string(&text), expected) == 0, "%s gives '%s'", insn, text_string(&text));
    ck_assert_uint_eq(found->line, 12);
    text_free(&text);
    program_free(program);
}

typedef struct Refusal {
    const char *insn;
    unsigned column;
    const char *part; /* of the message or the hint */
} Refusal;

static void refuse(const char *insn, unsigned column, const char *part) {
    Diag diag = {0};
    Program *program = parse(insn, &diag);
    ck_assert_msg(!program, "accepted: %s", insn);
    ck_assert_msg(strstr(diag.message, part) || strstr(diag.hint, part), "%s: '%s' (%s) lacks '%s'", insn, diag.message,
                  diag.hint, part);
    ck_assert_msg(diag.line == 12 && diag.column == column, "%s: %u:%u: %s", insn, diag.line, diag.column, diag.message);
}

static Insn insn_of(const char *text) {
    Diag diag = {0};
    Program *program = parse(text, &diag);
    ck_assert_msg(program, "%s: %u:%u: %s", text, diag.line, diag.column, diag.message);
    Insn insn = *first(program);
    insn.operands = NULL;
    program_free(program);
    return insn;
}

/* -- operands */

START_TEST(operands_stand_in_textual_order_with_vectors_flattened)
{
    static const struct {
        const char *insn, *expected;
    } rows[] = {
        {"add.s32 %r1, %r2, %r3;", "%r1 < %r2,%r3"},
        {"mad.wide.u32 %rd1, %r2, %r3, %rd4;", "%rd1 < %r2,%r3,%rd4"},
        {"setp.eq.s32 %p1, %r1, %r2;", "%p1 < %r1,%r2"},
        {"setp.eq.and.s32 %p1|%p2, %r1, %r2, !%p3;", "%p1,%p2 < %r1,%r2,!%p3"},
        {"setp.eq.s32 _|%p2, %r1, %r2;", "_,%p2 < %r1,%r2"},
        {"selp.b32 %r1, 1, %r2, %p1;", "%r1 < #1,%r2,%p1"},
        {"ld.global.v4.f32 {%f1,%f2,_,%f4}, [%rd1+16];", "%f1,%f2,_,%f4 < [%rd1+16]"},
        {"ld.shared.u32 %r1, [sv+4];", "%r1 < [&sv+4]"},
        {"ld.shared.u32 %r1, [%r2+-8];", "%r1 < [%r2+-8]"},
        {"ld.local.u32 %r1, [0x10];", "%r1 < [#10]"},
        {"ld.param.u32 %rd1, [p2+8];", "%rd1 < [&p2+8]"},
        {"ld.param.b32 {%r1}, [p1];", "%r1 < [&p1+0]"},
        {"st.global.v2.f32 [%rd1], {%f1, 0f3F800000};", "< [%rd1+0],%f1,#3f800000"},
        {"st.global.L2::cache_hint.u32 [%rd1], %r1, %rd2;", "< [%rd1+0],%r1"},
        {"mov.b64 {%r1,_}, %rd1;", "%r1,_ < %rd1"},
        {"mov.b64 %rd1, {%r1,0};", "%rd1 < %r1,#0"},
        {"mov.b32 %r1, {%rs1,%h2};", "%r1 < %rs1,%h2"},
        {"mov.b64 {%rs1,%rs2,%rs3,%rs4}, %fd1;", "%rs1,%rs2,%rs3,%rs4 < %fd1"},
        {"mov.b16 {%b1,%b2}, %rs1;", "%b1,%b2 < %rs1"},
        {"mov.u64 %rd1, gv+8;", "%rd1 < &gv+8"},
        {"mov.b32 %r1, sv;", "%r1 < &sv+0"},
        {"mov.u64 %rd1, dev;", "%rd1 < @dev"},
        {"cvta.shared.u64 %rd1, sv+4;", "%rd1 < &sv+4"},
        {"mov.u32 %r1, %ntid.z;", "%r1 < %ntid.z"},
        {"mov.u64 %rd1, %clock64;", "%rd1 < %clock64"},
        {"mad.lo.s32 %r1, %ctaid.x, %ntid.x, %tid.x;", "%r1 < %ctaid.x,%ntid.x,%tid.x"},
        {"shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, -1;", "%r1,%p1 < %r2,#1,#0,#ffffffff"},
        {"vote.sync.ballot.b32 %r1, !%p1, %r2;", "%r1 < !%p1,%r2"},
        {"match.all.sync.b64 %r1|%p1, %rd2, %r3;", "%r1,%p1 < %rd2,%r3"},
        {"atom.global.cas.b32 %r1, [%rd1], %r2, %r3;", "%r1 < [%rd1+0],%r2,%r3"},
        {"red.shared.add.u32 [sv], 1;", "< [&sv+0],#1"},
        {"cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16, %r2;", "< [%r1+0],[%rd1+0],#10,%r2"},
        {"cp.async.ca.shared::cta.global.L2::cache_hint [sv], [gv], 4, %rd2;", "< [&sv+0],[&gv+0],#4"},
        {"cp.async.wait_group 2;", "< #2"},
        {"cp.async.mbarrier.arrive.noinc.shared::cta.b64 [sv];", "< [&sv+0]"},
        {"mbarrier.init.shared.b64 [sv], 32;", "< [&sv+0],#20"},
        {"ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%r1,%r2}, [sv+16];", "%r1,%r2 < [&sv+16]"},
        {"mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.s8.s32 {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%r7}, {%r1,%r2,%r3,%r4};",
         "%r1,%r2,%r3,%r4 < %r5,%r6,%r7,%r1,%r2,%r3,%r4"},
        {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r1,%r2}, {%r3,%r4}, {%r5}, {%r1,%r2};",
         "%r1,%r2 < %r3,%r4,%r5,%r1,%r2"},
        {"stmatrix.sync.aligned.m8n8.x1.b16 [%rd1], {%r1};", "< [%rd1+0],%r1"},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r1], [%rd1], %r2, [sv], %rd2;",
         "< [%r1+0],[%rd1+0],%r2,[&sv+0]"},
        {"cp.async.bulk.global.shared::cta.bulk_group [gv], [sv], 32;", "< [&gv+0],[&sv+0],#20"},
        {"cp.async.bulk.prefetch.L2.global [%rd1], %r1;", "< [%rd1+0],%r1"},
        {"cp.async.bulk.wait_group.read 3;", "< #3"},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%rd1], [%r1], 16;", "< [%rd1+0],[%r1+0],#10"},
        {"fence.proxy.async.shared::cta;", ""},
        {"mbarrier.arrive.b64 %rd1, [%rd2];", "%rd1 < [%rd2+0]"},
        {"mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [sv+8], %r1;", "_ < [&sv+8],%r1"},
        {"mbarrier.test_wait.shared.b64 %p1, [sv], %rd1;", "%p1 < [&sv+0],%rd1"},
        {"mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [sv], %r1, 1000;", "%p1 < [&sv+0],%r1"},
        {"mbarrier.pending_count.b64 %r1, %rd1;", "%r1 < %rd1"},
        {"bar.sync 1, 64;", "< #1,#40"},
        {"bar.red.popc.u32 %r1, 0, !%p1;", "%r1 < #0,!%p1"},
        {"barrier.cta.red.or.aligned.pred %p1, 0, 64, %p2;", "%p1 < #0,#40,%p2"},
        {"lop3.b32 %r1, %r2, %r3, %r4, 0xE8;", "%r1 < %r2,%r3,%r4,#e8"},
        {"cvt.rn.f16x2.f32 %r1, %f1, %f2;", "%r1 < %f1,%f2"},
        {"mov.pred %p1, -1;", "%p1 < #ffffffffffffffff"},
        {"createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;", "%rd1"},
        {"createpolicy.range.L2::evict_last.L2::evict_first.b64 %rd1, [%rd2], %r1, %r2;", "%rd1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect_operands(rows[i].insn, rows[i].expected);
}
END_TEST

START_TEST(constants_take_the_instructions_type)
{
    static const struct {
        const char *insn, *expected;
    } rows[] = {
        {"add.s32 %r1, %r1, -1;", "%r1 < %r1,#ffffffffffffffff"}, /* signed: extended to 64 bits */
        {"add.u32 %r1, %r1, -1;", "%r1 < %r1,#ffffffff"},
        {"add.s16 %rs1, %rs1, 65535;", "%rs1 < %rs1,#ffffffffffffffff"},
        {"add.u16 %rs1, %rs1, 65537;", "%rs1 < %rs1,#1"},
        {"st.global.u8 [%rd1], -1;", "< [%rd1+0],#ff"},
        {"add.u64 %rd1, %rd1, 0xFFFFFFFFFFFFFFFF;", "%rd1 < %rd1,#ffffffffffffffff"},
        {"add.f32 %f1, %f1, 1.5;", "%f1 < %f1,#3fc00000"},
        {"add.f32 %f1, %f1, 0d3FF8000000000000;", "%f1 < %f1,#3fc00000"},
        {"add.f32 %f1, %f1, -2.0;", "%f1 < %f1,#c0000000"},
        {"add.f32 %f1, %f1, 0fFFC00001;", "%f1 < %f1,#ffc00001"}, /* NaN bits survive */
        {"add.f64 %fd1, %fd1, 0f3FC00000;", "%fd1 < %fd1,#3ff8000000000000"},
        {"mov.b32 %r1, 0f3F800000;", "%r1 < #3f800000"},
        {"mov.b64 %rd1, 0d3FF0000000000000;", "%rd1 < #3ff0000000000000"},
        {"add.s32 %r1, %r1, (1<<4)|WARP_SZ;", "%r1 < %r1,#30"},
        {"shl.b64 %rd1, %rd1, 3;", "%rd1 < %rd1,#3"},
        {"mul.wide.s32 %rd1, %r1, -4;", "%rd1 < %r1,#fffffffffffffffc"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect_operands(rows[i].insn, rows[i].expected);
}
END_TEST

START_TEST(registers_must_hold_the_type)
{
    static const Refusal rows[] = {
        {"add.s32 %r1, %rd2, %r3;", 14, "'%rd2' is a .b64 register"},
        {"add.s32 %r1, %p2, %r3;", 14, ".pred"},
        {"add.s64 %rd1, %r2, %rd3;", 15, ".b32"},
        {"add.f32 %f1, %u2, %f3;", 14, ".u32"},
        {"add.s32 %f1, %r2, %r3;", 9, ".f32"},
        {"and.pred %p1, %r1, %p2;", 15, ".b32"},
        {"selp.b32 %r1, %r2, %r3, %r4;", 25, ".b32"},
        {"ld.global.u64 %r1, [%rd1];", 15, ".b32"},
        {"ld.global.f32 %fd1, [%rd1];", 15, ".f64"},
        {"ld.global.u32 %r1, [%f1];", 21, "address"},
        {"ld.global.u32 %r1, [%rs1];", 21, "address"},
        {"cvt.u32.u64 %r1, %r2;", 18, ".b32"},
        {"shl.b64 %rd1, %rd2, %rd3;", 21, ".b64"},
        {"popc.b64 %rd1, %rd2;", 10, ".b64"},
        {"mov.b64 {%r1,%rs2}, %rd1;", 14, ".b16"},
        {"mov.u64 %rd1, %tid.x;", 15, "32 bits"},
        {"mov.u32 %r1, %clock64;", 14, "64 bits"},
        {"mov.u32 %r1, gv;", 14, "does not fit"},
        {"add.f32 %f1, %f2, 1;", 19, "integer"},
        {"add.s32 %r1, %r2, 1.5;", 19, "floating"},
        {"add.f16 %h1, %h2, 1.5;", 19, "mov.b16"},
        {"mov.b32 %r1, 0d3FF0000000000000;", 14, "floating"},
        {"mov.b64 %rd1, 0f3F800000;", 15, "floating"},
        {"mov.pred %p1, 1.5;", 15, "integer"},
        {"add.rn.bf16 %rs1, %h2, %rs3;", 19, "'%h2' is a .f16 register"},
        {"ld.u32 %r1, [cv];", 14, "in .const"},
        {"and.b64 %rd1, %rd2, 0f3F800000;", 21, "floating"},
        {"mov.b16 %rs1, 0f3F800000;", 15, "floating"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) refuse(rows[i].insn, rows[i].column, rows[i].part);
    /* ld, st and cvt take registers wider than the type. */
    expect_operands("ld.global.u8 %rd1, [%rd2];", "%rd1 < [%rd2+0]");
    expect_operands("st.shared.u8 [sv], %r1;", "< [&sv+0],%r1");
    expect_operands("cvt.u8.u32 %rs1, %rd1;", "%rs1 < %rd1");
    expect_operands("ld.global.b16 %f1, [%rd1];", "%f1 < [%rd1+0]");
}
END_TEST

START_TEST(operands_of_the_wrong_kind_or_number_are_refused)
{
    static const Refusal rows[] = {
        {"add.s32 %r1, %r2;", 17, "','"},
        {"add.s32 , %r2, %r3;", 9, "a register is expected"},
        {"add.s32 %r1, , %r3;", 14, "a register or constant is expected"},
        {"add.s32 %r1, %r2, ;", 19, "a register or constant is expected"},
        {"vote.sync.any.pred %p1, !, -1;", 26, "a register or constant is expected"},
        {"add.s32 %r1, %r2, %r3, %r4;", 22, "fewer"},
        {"min.f32 %f1, %f2, %f3, %f4;", 22, "fewer"},
        {"add.s32 %r1, %r2, %r99;", 19, "'%r99'"},
        {"add.s32 %r1, %r2, nothing;", 19, "'nothing' is not declared"},
        {"add.s32 _, %r2, %r3;", 9, "'_'"},
        {"add.s32 %tid.x, %r2, %r3;", 9, "'%tid'"},
        {"cvta.shared.u64 %rd1, gv;", 1, "another space"},
        {"cvta.global.u64 %rd1, dev;", 1, "another space"},
        {"isspacep.shared %p1, %r1;", 22, ".b32"},
        {"add.u64 %rd1, %rd2, gv;", 21, "'gv'"},
        {"and.pred %p1, %p2, !%p3;", 20, "negated"},
        {"mov.u32 %r1, %tid;", 14, "vector"},
        {"mov.u32 %r1, %cluster_ctaid;", 14, "vector"},
        {"mov.u32 %r1, %is_explicit_cluster;", 14, "a predicate"},
        {"mov.u32 %r1, %aggr_smem_size;", 14, "'%aggr_smem_size'"},
        {"mapa.shared::cluster.u64 %rd1, gv, 0;", 1, "another space"},
        {"mapa.shared.u32 %r1, %r2, 0;", 5, "does not take"},
        {"getctarank.shared::cluster.b32 %r1, %r2;", 27, "does not take"},
        {"mov.u32 %r1, %envreg7;", 14, "'%envreg7'"},
        {"mov.u32 %r1, %pm0;", 14, "'%pm0' is not emulated"},
        {"mov.u32 %r1, %pm7;", 14, "'%pm7' is not emulated"},
        {"mov.u32 %r1, %pm8;", 14, "neither a register"},
        {"mov.u32 %r1, %reserved_smem_offset_cap;", 14, "is not emulated"},
        {"mov.u32 %r1, %reserved_smem_offset_;", 14, "neither a register"},
        {"mov.u32 %r1, %reserved_smem_offsets_cap;", 14, "neither a register"},
        {"mov.u32 %r1, %envreg;", 14, "neither a register"},
        {"mov.u32 %r1, %envrex12;", 14, "neither a register"},
        {"mov.b64 {%r1,%r2,%r3}, %rd1;", 9, "braces"},
        {"mov.b64 {%r1,%r2}, {%r3,%r4};", 20, "not both"},
        {"mov.u64 %rd1, {%r1,%r2};", 15, "braces"},
        {"mov.u64 %rd1, cp;", 15, "no address"},
        {"ld.global.v2.u32 {%r1}, [%rd1];", 18, "2 registers"},
        {"ld.global.v2.u32 %r1, [%rd1];", 18, "'{'"},
        {"ld.shared.v4.f64 {%fd1,%fd2,%fd3,%fd4}, [sv];", 1, "16 bytes"},
        {"ld.global.u32 %r1, [%rd1+%rd2];", 26, "constant"},
        {"ld.global.u32 %r1, [%rd1;", 25, "']'"},
        {"ld.shared.u32 %r1, [gv];", 21, "'gv' lies in .global"},
        {"ld.u32 %r1, [sv];", 14, "ld.shared"},
        {"ld.param.u32 %r1, [p1+4];", 20, "beyond"},
        {"ld.param.u64 %rd1, [p2+8];", 21, "beyond"},
        {"ld.param.u32 %r1, [p2+-4];", 20, "beyond"},
        {"st.param.u32 [p1], %r1;", 15, "cannot be written"},
        {"st.const.u32 [cv], %r1;", 1, "cannot be written"},
        {"ld.nc.f32 %f1, [%rd1];", 1, ".global"},
        {"setp.eq.and.s32 %p1, %r1, %r2;", 1, "third source"},
        {"setp.eq.s32 %p1, %r1, %r2, %p2;", 1, "third source"},
        {"shfl.sync.idx.b32 %r1, %r2, 0, 31;", 34, "lane mask"},
        {"vote.sync.any.pred %p1, %p2;", 28, "lane mask"},
        {"match.any.sync.b32 %r1|%p1, %r2, -1;", 1, "match.all"},
        {"lop3.b32 %r1, %r2, %r3, %r4, 256;", 30, "255"},
        {"bar.sync 16;", 10, "0 to 15"},
        {"cp.async.cg.shared.global [%r1], [%rd1], 8;", 42, "16"},
        {"@%r1 bra L;", 2, "predicate"},
        {"@%p1 L: ret;", 6, "unknown opcode 'L'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) refuse(rows[i].insn, rows[i].column, rows[i].part);
}
END_TEST

/* -- modifiers */

START_TEST(modifiers_are_kept)
{
    Insn insn = insn_of("@!%p2 fma.rn.ftz.sat.f32 %f1, %f2, %f3, %f4;");
    ck_assert(insn.op == OP_fma && insn.type == TYPE_f32 && insn.type2 == TYPE_none && insn.rounding == ROUND_RN);
    ck_assert_uint_eq(insn.flags, INSN_FTZ | INSN_SAT);
    ck_assert(insn.guarded && insn.guard_negated && insn.guard == 2);
    insn = insn_of("cvt.rzi.sat.s16.f64 %rs1, %fd1;");
    ck_assert(insn.type == TYPE_s16 && insn.type2 == TYPE_f64 && insn.rounding == ROUND_RZI && insn.flags == INSN_SAT &&
              !insn.guarded);
    insn = insn_of("set.ltu.xor.u32.f64 %r1, %fd1, %fd2, %p1;");
    ck_assert(insn.type == TYPE_u32 && insn.type2 == TYPE_f64 && insn.compare == CMP_LTU && insn.boolop == BOOL_XOR);
    insn = insn_of("mad.hi.cc.u32 %r1, %r2, %r3, %r4;");
    ck_assert(insn.mode == MODE_HI && insn.flags == INSN_CC);
    insn = insn_of("setp.hi.u32 %p1, %r1, %r2;");
    ck_assert(insn.compare == CMP_HI && insn.mode == MODE_NONE && insn.n_dst == 1);
    insn = insn_of("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];");
    ck_assert(insn.space == SPACE_GLOBAL && insn.policy == POLICY_NC && insn.vec == 4 && insn.order == ORDER_WEAK);
    insn = insn_of("ld.acquire.sys.global.u32 %r1, [%rd1];");
    ck_assert(insn.order == ORDER_ACQUIRE && insn.vec == 1);
    insn = insn_of("ld.volatile.shared::cta.u32 %r1, [sv];");
    ck_assert(insn.order == ORDER_VOLATILE && insn.space == SPACE_SHARED);
    insn = insn_of("st.wt.u32 [%rd1], %r1;");
    ck_assert(insn.policy == POLICY_WT && insn.space == SPACE_GENERIC && insn.vec == 1);
    insn = insn_of("atom.acq_rel.gpu.global.max.s64 %rd1, [%rd2], %rd3;");
    ck_assert(insn.order == ORDER_ACQ_REL && insn.variant == ATOM_MAX && insn.type == TYPE_s64);
    insn = insn_of("cp.async.ca.shared.global [%r1], [%rd1], 8;");
    ck_assert(insn.op == OP_cp_async && insn.variant == CP_ASYNC_COPY && insn.policy == POLICY_CA &&
              insn.space == SPACE_GLOBAL);
    insn = insn_of("min.xorsign.abs.NaN.f32 %f1, %f2, %f3;");
    ck_assert_uint_eq(insn.flags, INSN_NAN | INSN_XORSIGN_ABS);
    insn = insn_of("bra.uni M;");
    ck_assert(insn.flags == INSN_UNI && insn.target == FIRST + 2);
    insn = insn_of("cvta.to.global.u64 %rd1, %rd2;");
    ck_assert(insn.variant == CVTA_TO && insn.space == SPACE_GLOBAL);
}
END_TEST

START_TEST(variants_are_told_apart)
{
    static const struct {
        const char *insn;
        uint8_t variant;
    } rows[] = {
        {"shf.l.wrap.b32 %r1, %r2, %r3, %r4;", SHF_L_WRAP},
        {"shf.r.clamp.b32 %r1, %r2, %r3, %r4;", SHF_R_CLAMP},
        {"prmt.b32 %r1, %r2, %r3, %r4;", VARIANT_NONE},
        {"prmt.b32.rc16 %r1, %r2, %r3, %r4;", PRMT_RC16},
        {"testp.subnormal.f64 %p1, %fd1;", TESTP_SUBNORMAL},
        {"vote.sync.uni.pred %p1, %p2, -1;", VOTE_UNI},
        {"vote.sync.all.pred %p1, %p2, -1;", VOTE_ALL},
        {"match.any.sync.b32 %r1, %r2, -1;", MATCH_ANY},
        {"shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;", SHFL_BFLY},
        {"redux.sync.xor.b32 %r1, %r2, -1;", ATOM_XOR},
        {"red.global.inc.u32 [%rd1], 7;", ATOM_INC},
        {"bar.sync 0;", BAR_SYNC},
        {"bar.arrive 0, 64;", BAR_ARRIVE},
        {"bar.warp.sync -1;", BAR_WARP_SYNC},
        {"bar.red.and.pred %p1, 0, %p2;", BAR_RED_AND},
        {"barrier.sync.aligned 0;", BAR_SYNC},
        {"cvta.local.u64 %rd1, %rd2;", VARIANT_NONE},
        {"bmsk.wrap.b32 %r1, %r2, %r3;", MASK_WRAP},
        {"szext.clamp.u32 %r1, %r2, %r3;", MASK_CLAMP},
        {"cp.async.commit_group;", CP_ASYNC_COMMIT},
        {"cp.async.wait_all;", CP_ASYNC_WAIT_ALL},
        {"fence.proxy.async;", PROXY_ASYNC},
        {"fence.proxy.alias;", PROXY_OTHER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(insn_of(rows[i].insn).variant == rows[i].variant, "%s", rows[i].insn);
    ck_assert(insn_of("bar.sync 0;").flags & INSN_ALIGNED);
    ck_assert(!(insn_of("barrier.sync 0;").flags & INSN_ALIGNED));
    ck_assert(insn_of("barrier.cta.sync.aligned 0;").flags & INSN_ALIGNED);
}
END_TEST

START_TEST(unknown_and_unsuitable_modifiers_are_named)
{
    static const Refusal rows[] = {
        {"lop9.b32 %r1, %r2, %r3;", 1, "unknown opcode 'lop9'"},
        {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1}, {%fd1}, {%fd1}, {%fd1};", 17, "only mma of f16"},
        {"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%fd1}, {%fd1}, {%fd1}, {%fd1};", 1, "shape with these types"},
        {"mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};", 1, "shape with these types"},
        {"mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.f32 {%f1}, {%r1}, {%r1}, {%f1};", 1, "shape with these types"},
        {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f16 {%f1}, {%r1}, {%r1}, {%r1};", 1, "shape with these types"},
        {"mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};", 1, ".satfinite with .s32"},
        {"mma.sync.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};", 1, ".sync.aligned"},
        {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};", 4, "sparse"},
        {"mma.sync.aligned.m16n8k16.row.col.s32.s4.s4.s32 {%r1}, {%r1}, {%r1}, {%r1};", 38, "only mma of f16"},
        {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1}, {%r1}, {%f1};", 69, "2 registers"},
        {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16 {%f1};", 1, "four types"},
        {"tex.cube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2,%f3,%f4}];", 4, "cube maps"},
        {"cp.reduce.async.bulk [%rd1], [%rd2], 16;", 1, "'cp.reduce.async.bulk' has no such form"},
        {"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 24;", 58, "multiple of 16"},
        {"cp.async.bulk.global.shared::cta [%rd1], [%r1], 16;", 1, "no such form"},
        {"cp.async.bulk.shared::cluster.global.bulk_group [%r1], [%rd1], 16;", 1, "no such form"},
        {"cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [%rd1], [%r1], 16, [%r2];", 1, "no such form"},
        {"cp.async.bulk.prefetch.L1.global [%rd1], 16;", 1, "no such form"},
        {"cp.async.bulk.wait_all;", 1, "'cp.async.bulk' has no such form"},
        {"cp.async.wait_all, 1;", 18, "'cp.async' takes fewer operands"},
        {"cp.async.bulk.commit_group.read;", 1, "no such form"},
        {"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd1], [%r1];", 65, "',' is expected here"},
        {"cp.async.bulk.prefetch.tensor.2d.L2.global [%rd1, {%r1}];", 51, "as many coordinates"},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s64 [%rd1], [%r1], 16;", 1, "no such form"},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%rd1], [%r1], 16;", 1, "no such form"},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.min.noftz.f16 [%rd1], [%r1], 16;", 1, "no such form"},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%rd1], [%r1], 16;", 1, "no such form"},
        {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b64 [%r1], [%r2], 16, [%r3];", 1,
         "no such form"},
        {"fence.proxy.alias.global;", 1, "no such form"},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2}, [%r3];", 42, "4 registers"},
        {"ldmatrix.sync.m8n8.x1.shared.b16 {%r1}, [%r3];", 1, ".sync.aligned"},
        {"ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r1}, [%rd1];", 1, "shared memory"},
        {"stmatrix.sync.aligned.m16n8.x1.shared.b8 [%r1], {%r1};", 22, "bytes"},
        {"fence.mbarrier_init.release.cta;", 1, "no such form"},
        {"fence.proxy.tensormap::generic.acquire.gpu [%rd1], 64;", 52, "128 bytes"},
        {"mbarrier.init.shared::cluster.b64 [%r1], 1;", 1, "no such form"},
        {"mbarrier.shared.b64 [%r1], 1;", 1, "no such form"},
        {"mbarrier.init.parity.shared.b64 [%r1], 1;", 1, "no such form"},
        {"mbarrier.pending_count.shared.b64 %r1, %rd1;", 1, "no such form"},
        {"mbarrier.arrive.global.b64 %rd1, [%rd2];", 1, "no such form"},
        {"mbarrier.test_wait.shared::cluster.b64 %p1, [%r1], %rd1;", 1, "no such form"},
        {"mbarrier.arrive.release.shared.b64 %rd1, [%r1];", 1, "order"},
        {"mbarrier.arrive.acquire.cta.shared.b64 %rd1, [%r1];", 1, "order"},
        {"mbarrier.arrive.release.gpu.shared.b64 %rd1, [%r1];", 1, "order"},
        {"mbarrier.init.relaxed.cta.shared.b64 [%r1], 1;", 1, "order"},
        {"mbarrier.arrive.shared::cluster.b64 %rd1, [%r1];", 37, "'_'"},
        {"mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1, %r2;", 47, "fewer"},
        {"mbarrier.arrive.noComplete.shared.b64 %rd1, [%r1];", 50, "','"},
        {"cp.async.mbarrier.arrive.shared::cluster.b64 [%r1];", 25, "does not take"},
        {"cp.async.ca.shared.global.b64 [%r1], [%rd1], 4;", 1, "cp.async.mbarrier"},
        {"add.frob.s32 %r1, %r2, %r3;", 4, "unknown modifier '.frob' of 'add'"},
        {"add.wide.s32 %rd1, %r2, %r3;", 4, "'add' does not take '.wide'"},
        {"add.b32 %r1, %r2, %r3;", 4, "'add' does not take '.b32'"},
        {"add.s32.s32 %r1, %r2, %r3;", 8, "does not take"},
        {"add %r1, %r2, %r3;", 1, "a type"},
        {"cvt.u32 %r1, %r2;", 1, "two types"},
        {"mul.s32 %r1, %r2, %r3;", 1, ".lo, .hi or .wide"},
        {"mad.s32 %r1, %r2, %r3, %r4;", 1, ".lo, .hi or .wide"},
        {"mad.lo.rn.f32 %f1, %f2, %f3, %f4;", 1, "only with them"},
        {"vabsdiff2.s32.s32.u32 %r1, %r2, %r3, %r4;", 1, "two types"},
        {"discard.local.L2 [%rd1], 128;", 1, "'discard' has no such form in .local memory"},
        {"vabsdiff4.u32.u32.s32 %r1, %r2, %r3, %r4;", 1, "two types"},
        {"mul.lo.hi.s32 %r1, %r2, %r3;", 7, "contradicts"},
        {"mul.wide.s64 %rd1, %rd2, %rd3;", 1, ".wide"},
        {"add.ftz.ftz.f32 %f1, %f2, %f3;", 8, "twice"},
        {"fma.f32 %f1, %f2, %f3, %f4;", 1, "rounding"},
        {"div.f32 %f1, %f2, %f3;", 1, "rounding"},
        {"cvt.u32.f32 %r1, %f1;", 1, "rounding"},
        {"setp.lo.s32 %p1, %r1, %r2;", 1, "comparison"},
        {"setp.lt.b32 %p1, %r1, %r2;", 1, "comparison"},
        {"setp.s32 %p1, %r1, %r2;", 1, "lacks"},
        {"shf.l.b32 %r1, %r2, %r3, %r4;", 1, "lacks"},
        {"atom.inc.s32 %r1, [%rd1], 1;", 1, "no such operation"},
        {"atom.add.s64 %rd1, [%rd1], %rd2;", 1, "no such operation"},
        {"atom.local.add.u32 %r1, [lv], 1;", 1, "global and shared"},
        {"red.global.exch.b32 [%rd1], 1;", 1, "'red'"},
        {"atom.global.v2.add.f32 {%f1,%f2}, [%rd1], {%f1,%f2};", 12, "'.v2'"},
        {"ld.shared.shared::cluster.u32 %r1, [%rd1];", 10, "contradicts"},
        {"ld.shared::cluster.global.u32 %r1, [%rd1];", 19, "contradicts"},
        {"ldmatrix.sync.aligned.m8n8.x1.shared::cluster.b16 {%r1}, [%r3];", 30, "does not take"},
        {"cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;", 7, "satfinite"},
        {"cvt.rn.tf32.f32 %r1, %f1;", 7, "tf32"},
        {"vote.sync.any.b32 %r1, %p1, -1;", 1, "ballot"},
        {"redux.sync.and.u32 %r1, %r2, -1;", 1, "redux"},
        {"ld.wb.global.u32 %r1, [%rd1];", 1, "stores"},
        {"st.release.gpu.global.ca.u32 [%rd1], %r1;", 1, "loads"},
        {"st.acquire.sys.global.u32 [%rd1], %r1;", 1, "or .release"},
        {"st.acq_rel.sys.global.u32 [%rd1], %r1;", 1, "or .release"},
        {"ld.release.sys.global.u32 %r1, [%rd1];", 1, "or .acquire"},
        {"ld.acq_rel.sys.global.u32 %r1, [%rd1];", 1, "or .acquire"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) refuse(rows[i].insn, rows[i].column, rows[i].part);
}
END_TEST

/* -- branches and calls */

/* PTX ISA, "setp": bits are equal or not; lo, ls, hi and hs are of unsigned integers; those that answer to NaN, of floats. */
START_TEST(a_type_has_the_comparisons_of_its_kind)
{
    static const char *const compares[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                           "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
    static const struct {
        const char *type, *reg, *has;
    } rows[] = {
        {"b32", "%r1", " eq ne "},
        {"s32", "%r1", " eq ne lt le gt ge "},
        {"u32", "%r1", " eq ne lt le gt ge lo ls hi hs "},
        {"f32", "%f1", " eq ne lt le gt ge equ neu ltu leu gtu geu num nan "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = 0; k < sizeof compares / sizeof *compares; k++) {
            char insn[64], word[8];
            snprintf(insn, sizeof insn, "setp.%s.%s %%p1, %s, %s;", compares[k], rows[i].type, rows[i].reg, rows[i].reg);
            snprintf(word, sizeof word, " %s ", compares[k]);
            if (strstr(rows[i].has, word))
                ck_assert_uint_eq(insn_of(insn).op, OP_setp);
            else
                refuse(insn, 1, "this comparison does not exist");
        }
    }
}
END_TEST

START_TEST(an_indexed_branch_knows_its_targets)
{
    Diag diag = {0};
    Program *program = parse("brx.idx %r1, table;", &diag);
    ck_assert_ptr_nonnull(program);
    ck_assert_uint_eq(first(program)->table->count, 2);
    ck_assert_uint_eq(first(program)->table->targets[0], FIRST + 1);
    ck_assert_uint_eq(first(program)->table->targets[1], FIRST + 2);
    program_free(program);
    refuse("brx.idx %r1, L;", 14, ".branchtargets");
    refuse("brx.idx %p1, table;", 9, ".pred");
    refuse("brx.idx %r1 table;", 13, "','");
    refuse("brx.idx %r1, table, table;", 19, "fewer");
}
END_TEST

START_TEST(calls_name_what_goes_in_and_out)
{
    static const struct {
        const char *insn;
        bool direct;
        uint32_t results, arguments;
        const char *values;
    } rows[] = {
        {"call nop;", true, 0, 0, ""},
        {"call nop, ();", true, 0, 0, ""},
        {"call.uni (cr), dev, (cp);", true, 1, 1, "&cr+0 &cp+0"},
        {"call (%r1), dev, (%rd2);", true, 1, 1, "%r1 %rd2"},
        {"call (_), dev, (5);", true, 0, 1, "#5"},
        {"call (cr), %rd3, (cp), proto;", false, 1, 1, "&cr+0 &cp+0"},
        {"call (cr), %rd3, (cp), targets;", false, 1, 1, "&cr+0 &cp+0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diag diag = {0};
        Text text = {0};
        Program *program = parse(rows[i].insn, &diag);
        ck_assert_msg(program, "%s: %s", rows[i].insn, diag.message);
        const CallSite *call = first(program)->call;
        ck_assert(rows[i].direct ? call->function != NO_INDEX : call->function == NO_INDEX);
        ck_assert_uint_eq(call->n_results, rows[i].results);
        ck_assert_uint_eq(call->n_arguments, rows[i].arguments);
        for (uint32_t r = 0; r < call->n_results; r++) describe_operand(program, &call->results[r], &text);
        for (uint32_t a = 0; a < call->n_arguments; a++) {
            if (text.length) text_add(&text, " ");
            describe_operand(program, &call->arguments[a], &text);
        }
        ck_assert_str_eq(text_string(&text), rows[i].values);
        if (!rows[i].direct) ck_assert_str_eq(program->functions[2].registers[call->pointer].name, "%rd3");
        text_free(&text);
        program_free(program);
    }
}
END_TEST

START_TEST(calls_that_do_not_fit_the_callee_are_refused)
{
    static const Refusal rows[] = {
        {"call missing;", 6, "'missing' is not declared"},
        {"call (cr), dev;", 1, "1 arguments"},
        {"call (cr), dev, ();", 1, "1 arguments"},
        {"call (cr), dev, (cp, cp);", 22, "1 arguments"},
        {"call (cr), dev, (cr);", 18, "4 bytes"},
        {"call (cp), dev, (cp);", 7, "8 bytes"},
        {"call (cr), dev, (p0);", 18, ".param"},
        {"call (cr), dev, (%r1);", 18, ".b32"},
        {"call dev, (cp);", 1, "has a result"},
        {"call (cr), nop;", 7, "no result"},
        {"call k, (cp);", 6, "kernel"},
        {"call (cr), %rd3, (cp);", 12, ".callprototype"},
        {"call (cr), %r3, (cp), proto;", 12, "address"},
        {"call L;", 6, "'L'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) refuse(rows[i].insn, rows[i].column, rows[i].part);
}
END_TEST

SUITE("ptx instructions", operands_stand_in_textual_order_with_vectors_flattened, constants_take_the_instructions_type,
      registers_must_hold_the_type, operands_of_the_wrong_kind_or_number_are_refused, modifiers_are_kept,
      variants_are_told_apart, unknown_and_unsuitable_modifiers_are_named, a_type_has_the_comparisons_of_its_kind,
      an_indexed_branch_knows_its_targets, calls_name_what_goes_in_and_out, calls_that_do_not_fit_the_callee_are_refused)
