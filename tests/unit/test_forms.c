/* Which forms PTX has, each list against all else that could stand there, and limits at the last value that is allowed and the first that is
 * not. What each opcode's section of the PTX ISA lists is accepted; the rest is refused. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "left_out.h"
#include "parsed.h"
#include "ptx/program.h"

#define MODULE ".version 8.6\n.target sm_100\n.address_size 64\n"
#define KERNEL_LINE 4

static const char registers[] =
    ".entry k() { .reg .pred %p<9>; .reg .b8 %b<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; "
    ".reg .f32 %f<9>; .reg .f64 %fd<9>; .shared .align 32 .b8 sv[64];\n";

/* Whether a module is accepted; if not, where not. */
static bool accepts(const char *text, Diag *diag) {
    *diag = (Diag){0};
    Program *program = without_left_out(program_parse(text, strlen(text), "a.ptx", diag), diag);
    const bool accepted = program != NULL;
    program_free(program);
    return accepted;
}

static void expect_insn(const char *insn, bool accepted) {
    Text text = {0};
    Diag diag;
    text_add(&text, MODULE "%s%s;\nret; }\n", registers, insn);
    const bool got = accepts(text_string(&text), &diag);
    ck_assert_msg(got == accepted, "%s: %s", insn, accepted ? diag.message : "accepted");
    ck_assert_msg(got || diag.line == KERNEL_LINE + 1, "%s: line %u: %s", insn, diag.line, diag.message);
    text_free(&text);
}

static void expect_module(const char *text, bool accepted) {
    Diag diag;
    ck_assert_msg(accepts(text, &diag) == accepted, "%s: %s", text, accepted ? diag.message : "accepted");
}

static const char *register_of(const char *type) {
    static char name[8];
    const char *bits = type + strcspn(type, "0123456789");
    const bool is_float = *type == 'f';
    snprintf(name, sizeof name, "%%%s1",
             !strncmp(bits, "64", 2)   ? is_float ? "fd" : "rd"
             : !strncmp(bits, "32", 2) ? is_float ? "f" : "r"
             : strstr(type, "x2")      ? "r"
             : !strncmp(bits, "16", 2) ? "h"
                                       : "b");
    return name;
}

/* Whether the word stands in the list, between blanks. */
static bool is_listed(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at++)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

#define EACH(word, ...) for (const char *const *word = (const char *const[]){__VA_ARGS__, NULL}; *word; word++)
#define ROWS(array) (sizeof(array) / sizeof(array)[0])

START_TEST(atomics_take_the_types_that_the_isa_lists)
{
    static const struct {
        const char *operation, *types;
        unsigned sources;
    } rows[] = {
        {"add", "u32 s32 u64 f32 f64", 1},
        {"add.noftz", "f16 f16x2 bf16 bf16x2", 1},
        {"min", "u32 s32 u64 s64", 1},
        {"max", "u32 s32 u64 s64", 1},
        {"and", "b32 b64", 1},
        {"or", "b32 b64", 1},
        {"xor", "b32 b64", 1},
        {"exch", "b32 b64", 1},
        {"cas", "b16 b32 b64", 2},
        {"inc", "u32", 1},
        {"dec", "u32", 1},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        const bool noftz = strstr(rows[i].operation, "noftz");
        EACH(type, "b16", "b32", "b64", "u32", "s32", "u64", "s64", "f32", "f64", "f16", "f16x2", "bf16", "bf16x2") {
            if (!noftz && strstr(*type, "f16")) continue;
            if (noftz && !strstr(*type, "f16")) continue;
            char insn[100], name[8];
            strcpy(name, register_of(*type));
            const bool listed = is_listed(rows[i].types, *type),
                       has_result = rows[i].sources == 2 || rows[i].operation[0] == 'e';
            snprintf(insn, sizeof insn, "atom.global.%s.%s %s, [%%rd8], %s%s%s", rows[i].operation, *type, name, name,
                     rows[i].sources > 1 ? ", " : "", rows[i].sources > 1 ? name : "");
            expect_insn(insn, listed);
            snprintf(insn, sizeof insn, "red.shared.%s.%s [sv], %s%s%s", rows[i].operation, *type, name,
                     rows[i].sources > 1 ? ", " : "", rows[i].sources > 1 ? name : "");
            expect_insn(insn, listed && !has_result);
        }
    }
    EACH(space, "", ".global", ".shared", ".shared::cta", ".local", ".const", ".param") {
        char insn[100];
        snprintf(insn, sizeof insn, "atom%s.add.u32 %%r1, [%%rd1], 1", *space);
        expect_insn(insn, !strstr(".local .const .param", *space) || !**space);
    }
}
END_TEST

START_TEST(comparisons_are_those_of_the_type)
{
    static const struct {
        const char *types, *comparisons;
    } rows[] = {
        {"b16 b32 b64", "eq ne"},
        {"s16 s32 s64", "eq ne lt le gt ge"},
        {"u16 u32 u64", "eq ne lt le gt ge lo ls hi hs"},
        {"f32 f64", "eq ne lt le gt ge equ neu ltu leu gtu geu num nan"},
    };
    EACH(type, "b16", "b32", "b64", "s16", "s32", "s64", "u16", "u32", "u64", "f32", "f64") {
        const char *comparisons = NULL;
        for (size_t i = 0; i < ROWS(rows); i++)
            if (is_listed(rows[i].types, *type)) comparisons = rows[i].comparisons;
        EACH(compare, "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu",
             "num", "nan") {
            char insn[100], name[8];
            strcpy(name, register_of(*type));
            snprintf(insn, sizeof insn, "setp.%s.%s %%p1, %s, %s", *compare, *type, name, name);
            expect_insn(insn, is_listed(comparisons, *compare));
            snprintf(insn, sizeof insn, "set.%s.u32.%s %%r1, %s, %s", *compare, *type, name, name);
            expect_insn(insn, is_listed(comparisons, *compare));
        }
    }
}
END_TEST

START_TEST(a_rounding_is_asked_for_where_a_result_may_be_inexact)
{
    EACH(insn, "add.f32 %f1, %f1, %f1", "mul.f64 %fd1, %fd1, %fd1", "fma.rn.f32 %f1, %f1, %f1, %f1",
         "div.approx.f32 %f1, %f1, %f1", "div.full.f32 %f1, %f1, %f1", "div.rz.f64 %fd1, %fd1, %fd1", "rcp.rn.f64 %fd1, %fd1",
         "sqrt.approx.f32 %f1, %f1", "cvt.f32.f16 %f1, %h1", "cvt.f64.f32 %fd1, %f1", "cvt.rn.f16.f32 %h1, %f1",
         "cvt.rn.f32.f64 %f1, %fd1", "cvt.rn.f32.u32 %f1, %r1", "cvt.rzi.u32.f32 %r1, %f1", "cvt.u64.u32 %rd1, %r1",
         "cvt.rni.f32.f32 %f1, %f1", "cvt.f32.f32 %f1, %f1")
    expect_insn(*insn, true);
    EACH(insn, "fma.f64 %fd1, %fd1, %fd1, %fd1", "mad.f32 %f1, %f1, %f1, %f1", "div.f64 %fd1, %fd1, %fd1", "rcp.f32 %f1, %f1",
         "sqrt.f64 %fd1, %fd1", "cvt.f16.f32 %h1, %f1", "cvt.f32.f64 %f1, %fd1", "cvt.f32.u32 %f1, %r1",
         "cvt.f32.s64 %f1, %rd1", "cvt.u32.f32 %r1, %f1", "cvt.s64.f16 %rd1, %h1")
    expect_insn(*insn, false);
}
END_TEST

START_TEST(vectors_have_at_most_16_bytes_and_in_global_memory_32)
{
    EACH(insn, "ld.global.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [%rd1]", "ld.global.v8.u32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1]",
         "st.global.v4.f64 [%rd1], {%fd1,%fd2,%fd3,%fd4}", "ld.shared.v2.u64 {%rd1,%rd2}, [sv]",
         "ld.v4.u32 {%r1,%r2,%r3,%r4}, [%rd1]", "ld.shared.v4.b8 {%b1,%b2,%b3,%b4}, [sv]", "ld.global.v2.u8 {%h1,%h2}, [%rd1]")
    expect_insn(*insn, true);
    EACH(insn, "ld.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [%rd1]", "ld.shared.v8.u32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [sv]",
         "ld.shared.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [sv]", "ld.global.v8.u64 {%rd1,%rd2,%rd3,%rd4,%rd5,%rd6,%rd7,%rd8}, [%rd1]",
         "ld.global.v8.b16 {%h1,%h2,%h3,%h4,%h5,%h6,%h7,%h8}, [%rd1]", "ld.global.v2.u32 {%r1,%r2,%r3}, [%rd1]",
         "ld.global.u32 {%r1,%r2}, [%rd1]", "st.global.v4.u32 [%rd1], {%r1,%r2,%r3}")
    expect_insn(*insn, false);
    EACH(insn, "mov.b16 {%b1,%b2}, %h1", "mov.b32 {%h1,%h2}, %r1", "mov.b32 {%b1,%b2,%b3,%b4}, %r1", "mov.b64 {%r1,%r2}, %rd1",
         "mov.b64 %rd1, {%h1,%h2,%h3,%h4}", "mov.b64 {%h1,%h2,_,%h4}, %rd1")
    expect_insn(*insn, true);
    EACH(insn, "mov.b16 {%b1,%b2,%b3,%b4}, %h1", "mov.b32 {%r1}, %r2", "mov.b64 {%r1,%r2,%r3}, %rd1",
         "mov.b64 %rd1, {%b1,%b2,%b3,%b4,%b5,%b6,%b7,%b8}", "mov.f32 %f1, {%h1,%h2}", "mov.b32 %r1, {%h1,_}")
    expect_insn(*insn, false);
}
END_TEST

START_TEST(cache_operators_and_orders_are_those_of_loads_or_of_stores)
{
    char insn[100];
    EACH(word, "ca", "cg", "cs", "lu", "cv", "wb", "wt", "weak", "volatile", "relaxed.gpu", "acquire.sys", "release.gpu",
         "acq_rel.gpu", "sc.gpu") {
        snprintf(insn, sizeof insn, "ld.%s.global.u32 %%r1, [%%rd1]", *word);
        if (strlen(*word) == 2) snprintf(insn, sizeof insn, "ld.global.%s.u32 %%r1, [%%rd1]", *word);
        expect_insn(insn, is_listed("ca cg cs lu cv weak volatile relaxed.gpu acquire.sys", *word));
        snprintf(insn, sizeof insn, "st.%s.global.u32 [%%rd1], %%r1", *word);
        if (strlen(*word) == 2) snprintf(insn, sizeof insn, "st.global.%s.u32 [%%rd1], %%r1", *word);
        expect_insn(insn, is_listed("cg cs wb wt weak volatile relaxed.gpu release.gpu", *word));
    }
    EACH(space, "global", "shared", "local", "const") {
        snprintf(insn, sizeof insn, "ld.%s.nc.u32 %%r1, [%%rd1]", *space);
        expect_insn(insn, !strcmp(*space, "global"));
        snprintf(insn, sizeof insn, "st.%s.u32 [%%rd1], %%r1", *space);
        expect_insn(insn, strcmp(*space, "const"));
    }
}
END_TEST

START_TEST(warps_and_blocks_exchange_by_the_forms_that_there_are)
{
    EACH(insn, "redux.sync.add.u32 %r1, %r1, -1", "redux.sync.add.s32 %r1, %r1, -1", "redux.sync.min.s32 %r1, %r1, -1",
         "redux.sync.max.u32 %r1, %r1, -1", "redux.sync.and.b32 %r1, %r1, -1", "redux.sync.or.b32 %r1, %r1, -1",
         "redux.sync.xor.b32 %r1, %r1, -1", "vote.sync.all.pred %p1, %p2, -1", "vote.sync.uni.pred %p1, !%p2, -1",
         "vote.sync.ballot.b32 %r1, %p2, -1", "shfl.sync.idx.b32 %r1|%p1, %r1, 1, 31, -1",
         "match.all.sync.b64 %r1|%p1, %rd1, -1", "match.all.sync.b32 %r1, %r1, -1", "match.any.sync.b64 %r1, %rd1, -1",
         "elect.sync _|%p1, -1", "bar.sync 15", "bar.sync 0, 32", "bar.arrive 15, 64", "bar.red.popc.u32 %r1, 15, %p1",
         "bar.red.and.pred %p1, 0, !%p2", "bar.red.or.pred %p1, 0, 64, %p2", "barrier.sync.aligned 15", "bar.warp.sync -1",
         "bar.sync %r1, %r2", "membar.cta", "membar.gl", "membar.sys", "fence.acq_rel.gpu", "fence.sc.cta")
    expect_insn(*insn, true);
    EACH(insn, "redux.sync.add.b32 %r1, %r1, -1", "redux.sync.and.s32 %r1, %r1, -1", "redux.sync.xor.u32 %r1, %r1, -1",
         "redux.sync.min.b32 %r1, %r1, -1", "redux.sync.exch.b32 %r1, %r1, -1", "redux.sync.inc.u32 %r1, %r1, -1",
         "redux.add.u32 %r1, %r1, -1", "vote.sync.ballot.pred %p1, %p2, -1", "vote.sync.all.b32 %r1, %p2, -1",
         "vote.any.pred %p1, %p2, -1", "vote.any.pred %p1, %p2", "shfl.up.b32 %r1, %r1, 1, 0", "vote.sync.any.pred %p1, %p2",
         "shfl.up.b32 %r1, %r1, 1, 0, -1", "shfl.sync.up.b32 %r1, %r1, 1, 0", "shfl.sync.up.b64 %rd1, %rd1, 1, 0, -1",
         "match.any.b32 %r1, %r1, -1", "match.any.sync.b32 %r1|%p1, %r1, -1", "bar.sync 16", "bar.arrive 0",
         "bar.arrive 16, 32", "bar.red.popc.u32 %r1, 16, %p1", "bar.red.popc.pred %p1, 0, %p1", "bar.red.and.u32 %r1, 0, %p1",
         "bar.red.u32 %r1, 0, %p1", "bar.sync.u32 0", "bar.and.sync 0", "bar.warp.arrive -1", "membar", "fence.gpu.gpu")
    expect_insn(*insn, false);
}
END_TEST

/* ptxas 13.0: "Instruction 'shfl' without '.sync' is not supported on .target sm_70 and higher from PTX ISA version 6.4". */
START_TEST(warps_exchange_without_sync_in_old_ptx_alone)
{
#define OLD(version, target)                \
    ".version " version "\n.target " target \
    "\n.entry k() { .reg .b32 r; .reg .pred p; shfl.up.b32 r, r, 1, 0; vote.any.pred p, p; ret; }\n"
    EACH(text, OLD("6.3", "sm_70"), OLD("6.4", "sm_60")) expect_module(*text, true);
    EACH(text, OLD("6.4", "sm_70"), OLD("7.0", "sm_75")) expect_module(*text, false);
}
END_TEST

START_TEST(orders_scopes_and_cache_words_go_together)
{
    EACH(insn, "ld.relaxed.gpu.u32 %r1, [%rd1]", "ld.volatile.u32 %r1, [%rd1]", "ld.weak.shared.u32 %r1, [sv]",
         "ld.mmio.relaxed.sys.global.u32 %r1, [%rd1]", "st.release.cta.shared.u32 [sv], %r1", "ld.global.cs.nc.u32 %r1, [%rd1]",
         "ld.global.L1::no_allocate.L2::128B.u32 %r1, [%rd1]", "ld.global.L2::evict_first.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [%rd1]",
         "atom.acq_rel.sys.add.u32 %r1, [%rd1], 1", "atom.relaxed.add.u32 %r1, [%rd1], 1", "red.release.gpu.add.u32 [%rd1], 1",
         "atom.add.noftz.f16x2 %r1, [%rd1], %r1", "fence.acquire.cluster", "fence.sys", "cvt.u32.u8 %rd1, %r1",
         "bfe.u32 %r1, %r1, 255, 255", "setp.eq.f32 %p1|%p2, %f1, %f2", "isspacep.param::entry %p1, %rd1")
    expect_insn(*insn, true);
    EACH(insn, "ld.relaxed.u32 %r1, [%rd1]", "ld.gpu.u32 %r1, [%rd1]", "ld.volatile.sys.u32 %r1, [%rd1]",
         "ld.volatile.local.u32 %r1, [%rd1]", "ld.volatile.param.u32 %r1, [%rd1]", "ld.relaxed.gpu.param.u32 %r1, [%rd1]",
         "ld.relaxed.gpu.const.u32 %r1, [%rd1]", "ld.relaxed.gl.u32 %r1, [%rd1]", "ld.mmio.relaxed.gpu.u32 %r1, [%rd1]",
         "ld.mmio.acquire.sys.u32 %r1, [%rd1]", "ld.mmio.relaxed.sys.shared.u32 %r1, [sv]", "ld.global.lu.nc.u32 %r1, [%rd1]",
         "ld.global.L2::evict_first.u32 %r1, [%rd1]", "st.global.L2::128B.u32 [%rd1], %r1",
         "atom.L1::evict_last.add.u32 %r1, [%rd1], 1", "atom.sc.gpu.add.u32 %r1, [%rd1], 1", "atom.weak.add.u32 %r1, [%rd1], 1",
         "red.acquire.gpu.add.u32 [%rd1], 1", "atom.add.f16x2 %r1, [%rd1], %r1", "atom.add.noftz.u32 %r1, [%rd1], 1",
         "fence.relaxed.gpu", "fence.gl", "membar.gpu", "bfe.u32 %r1, %r1, 256, 1", "setp.eq.f16 %p1|%p2, %h1, %h2",
         "elect.sync %r1, -1", "add.u16x2 %r1, %r1, 65537", "cvt.f32.bf16 %f1, %r1", "cvt.rni.sat.u16.bf16 %h1, %h1",
         "isspacep.param::func %p1, %rd1", "vabsdiff4.u32.u32.u32 %r1, %r1, %r1, 0")
    expect_insn(*insn, false);
}
END_TEST

/* As ptxas 13.0 takes and refuses them for sm_90. */
START_TEST(hints_are_of_global_memory_and_of_local_memory_where_nothing_is_evicted)
{
    static const struct {
        const char *insn;
        bool local;
    } hints[] = {{"prefetch%s.L1 [%%rd1]", true},
                 {"prefetch%s.L2 [%%rd1]", true},
                 {"prefetch%s.L2::evict_last [%%rd1]", false},
                 {"discard%s.L2 [%%rd1], 128", false},
                 {"applypriority%s.L2::evict_normal [%%rd1], 128", false}};
    static const char *const spaces[] = {"", ".global", ".local", ".shared", ".const", ".param"};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++) {
            LOCAL_TEXT insn = {0};
            text_add(&insn, hints[i].insn, spaces[s]);
            expect_insn(text_string(&insn), s < 2 || (s == 2 && hints[i].local));
        }
}
END_TEST

START_TEST(asynchronous_copies_have_4_8_or_16_bytes_and_past_l1_16)
{
    for (unsigned bytes = 0; bytes <= 17; bytes++) {
        char insn[100];
        snprintf(insn, sizeof insn, "cp.async.ca.shared.global [sv], [%%rd1], %u", bytes);
        expect_insn(insn, bytes == 4 || bytes == 8 || bytes == 16);
        snprintf(insn, sizeof insn, "cp.async.cg.shared.global [sv], [%%rd1], %u, %%r1", bytes);
        expect_insn(insn, bytes == 16);
    }
    expect_insn("cp.async.cs.shared.global [sv], [%rd1], 16", false);
    expect_insn("cp.async.ca.global.shared [%rd1], [sv], 16", false);
    expect_insn("cp.async.wait_group 0", true);
    expect_insn("cp.async.wait_group", false);
}
END_TEST

START_TEST(special_registers_have_their_width)
{
    EACH(name, "tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y",
         "nctaid.z", "laneid", "warpid", "nwarpid", "smid", "nsmid", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge",
         "lanemask_gt", "clock", "clock_hi", "globaltimer_lo", "globaltimer_hi", "dynamic_smem_size", "total_smem_size",
         "gridid", "envreg1", "envreg2", "clusterid.x", "nclusterid.y", "cluster_ctaid.z", "cluster_nctaid.x",
         "cluster_ctarank", "cluster_nctarank", "clock64", "globaltimer") {
        char insn[100];
        const bool wide = is_listed("clock64 globaltimer gridid", *name), word = !is_listed("clock64 globaltimer", *name);
        snprintf(insn, sizeof insn, "mov.u32 %%r1, %%%s", *name);
        expect_insn(insn, word);
        snprintf(insn, sizeof insn, "mov.u64 %%rd1, %%%s", *name);
        expect_insn(insn, wide);
        snprintf(insn, sizeof insn, "mov.f32 %%f1, %%%s", *name);
        expect_insn(insn, false);
    }
    EACH(name, "tid", "tid.w", "envreg0", "envreg3", "envreg", "pm0", "pm7", "pm8", "clusterid", "cluster_ctaid.w",
         "aggr_smem_size", "reserved_smem_offset_begin", "nosuch") {
        char insn[100];
        snprintf(insn, sizeof insn, "mov.u32 %%r1, %%%s", *name);
        expect_insn(insn, false);
    }
}
END_TEST

START_TEST(clusters_have_their_forms)
{
    EACH(insn, "barrier.cluster.arrive", "barrier.cluster.arrive.relaxed.aligned", "barrier.cluster.wait.acquire",
         "mapa.shared::cluster.u32 %r1, sv, 0", "mapa.u64 %rd1, %rd1, %r1", "getctarank.shared::cluster.u32 %r1, %r1",
         "getctarank.u64 %r1, %rd1", "ld.shared::cluster.v2.u32 {%r1,%r2}, [%r1]", "cvta.to.shared::cluster.u64 %rd1, %rd1",
         "isspacep.shared::cluster %p1, %rd1", "mov.pred %p1, %is_explicit_cluster",
         "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%r1], {%r1,%r1,%r1,%r1}, [%r2]",
         "st.async.shared::cluster.mbarrier::complete_tx::bytes.f64 [%r1], %fd1, [%r2]",
         "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%r1], %r1, [%r2]")
    expect_insn(*insn, true);
    EACH(insn, "barrier.cluster", "barrier.cluster.sync", "barrier.cluster.arrive.acquire", "barrier.cluster.wait.release",
         "barrier.cluster.launch_dependents", "st.async.shared::cluster.u32 [%r1], %r2, [%r1]",
         "st.async.weak.shared::cluster.bulk_group.u32 [%r1], %r2, [%r1]",
         "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u16 [%r1], %rs1, [%r1]",
         "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r1], {%r2}, [%r1]",
         "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v8.u32 [%r1], {%r1,%r1,%r1,%r1,%r1,%r1,%r1,%r1}, [%r2]",
         "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and.u32 [%r1], %r2, [%r1]",
         "red.async.relaxed.gpu.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2, [%r1]",
         "red.async.release.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2, [%r1]",
         "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.multicast::cluster [%rd1, {%r1}], [%r2]",
         "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.multicast::cluster [%rd1, {%r1}], [%r2], %h1",
         "cp.async.bulk.prefetch.tensor.1d.L2.global.tile.multicast::cluster [%rd1, {%r1}], %h1")
    expect_insn(*insn, false);
    expect_insn("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd1, {%r1}], [%r2]", true);
}
END_TEST

/* PTX ISA, "red.async", "cp.reduce.async.bulk": what is added, compared or combined elsewhere, by operation. ptxas 13.0 takes the same, and red.async.add.s64, which
 * the ISA does not list. */
START_TEST(reductions_elsewhere_take_the_types_that_the_isa_lists)
{
    static const struct {
        const char *operation, *remote, *shared, *global;
    } rows[] = {
        {"add", "u32 s32 u64", "u32 s32 u64", "u32 s32 u64 f16 bf16 f32 f64"},
        {"min", "u32 s32", "u32 s32", "u32 s32 u64 s64 f16 bf16"},
        {"max", "u32 s32", "u32 s32", "u32 s32 u64 s64 f16 bf16"},
        {"inc", "u32", "u32", "u32"},
        {"dec", "u32", "u32", "u32"},
        {"and", "b32", "b32", "b32 b64"},
        {"or", "b32", "b32", "b32 b64"},
        {"xor", "b32", "b32", "b32 b64"},
        {"exch", "", "", ""},
        {"cas", "", "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        EACH(type, "b16", "b32", "b64", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64") {
            const char *operation = rows[i].operation;
            const bool half = !strcmp(operation, "add") && strstr("bf16", *type);
            LOCAL_TEXT remote =
                text_from("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.%s.%s [%%r1], %s, [%%r2]",
                          operation, *type, register_of(*type));
            LOCAL_TEXT shared = text_from("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.%s.%s "
                                          "[%%r1], [%%r2], 16, [%%r3]",
                                          operation, *type);
            LOCAL_TEXT global = text_from("cp.reduce.async.bulk.global.shared::cta.bulk_group.%s%s.%s [%%rd1], [%%r2], 16",
                                          operation, half ? ".noftz" : "", *type);
            expect_insn(text_string(&remote), is_listed(rows[i].remote, *type));
            expect_insn(text_string(&shared), is_listed(rows[i].shared, *type));
            expect_insn(text_string(&global), is_listed(rows[i].global, *type));
        }
}
END_TEST

/* -- limits */

START_TEST(versions_and_targets_have_their_bounds)
{
    EACH(text, ".version 6.0\n.target sm_70\n", ".version 9.0\n.target sm_100a\n", ".version 8.1\n.target sm_90f, debug\n")
    expect_module(*text, true);
    EACH(text, ".version 5.9\n.target sm_60\n", ".version 10.0\n.target sm_70\n", ".version 8\n.target sm_70\n",
         ".version 7.0\n.target sm_\n", ".version 7.0\n.target sm_70b\n", ".version 7.0\n.target sm_70aa\n",
         ".version 7.0\n.target sm_7777\n", ".version 7.0\n.target xm_70\n", ".version 7.0\n.target\n",
         ".version 7.0\n.version 7.0\n.target sm_70\n", ".version 7.0\n.target sm_70\n.address_size 63\n")
    expect_module(*text, false);
}
END_TEST

START_TEST(sizes_have_their_bounds)
{
    EACH(text, MODULE ".const .b8 x[655360];\n", MODULE ".entry k(.param .b8 a[32764]) { ret; }\n",
         MODULE ".entry k() { .local .b8 x[524288]; ret; }\n", MODULE ".shared .b8 x[1048576];\n",
         MODULE ".global .align 65536 .u32 x;\n", MODULE ".func f() { .reg .b32 a<1048576>; }",
         MODULE ".global .b8 x[67108864] = {1};\n", MODULE ".global .u32 x[2] = {1, 2};\n",
         MODULE ".global .b8 s[3] = \"abc\";\n", MODULE ".global .u8 x[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1];\n",
         MODULE ".file 65536 \"x\"\n", MODULE ".global .align 1 .u32 x;\n", MODULE ".global .b8 x[4294967295];\n",
         MODULE ".global .u64 x = 0xFFFFFFFFFFFFFFFF;\n", MODULE ".global .s64 x = (.s64) -9223372036854775808.0;\n",
         MODULE ".global .u64 x = (.u64) 18446744073709549568.0;\n", MODULE ".global .s64 x = (.s64) 9223372036854774784.0;\n",
         MODULE ".global .u64 x = (.u64) -0.5;\n", MODULE ".entry k() { bra L; L: ret; }\n",
         MODULE ".entry k() .maxntid 1024, 1, 64 { ret; }\n")
    expect_module(*text, true);
    EACH(text, MODULE ".const .b8 x[655361];\n", MODULE ".const .b8 x[655359]; .const .b16 y;\n",
         MODULE ".entry k(.param .b8 a[32765]) { ret; }\n", MODULE ".entry k(.param .b8 a[32764], .param .b8 b) { ret; }\n",
         MODULE ".entry k() { .local .b8 x[524289]; ret; }\n", MODULE ".entry k() .maxntid 64, 0 { ret; }\n",
         MODULE ".entry k() .reqntid 0 { ret; }\n", MODULE ".entry k() { .local .b8 x[524288]; .local .b8 y; ret; }\n",
         MODULE ".shared .b8 x[1048577];\n", MODULE ".global .align 131072 .u32 x;\n", MODULE ".global .align 0 .u32 x;\n",
         MODULE ".func f() { .reg .b32 a<1048577>; }", MODULE ".global .b8 x[67108865] = {1};\n",
         MODULE ".global .b8 s[3] = \"abcd\";\n", MODULE ".global .u8 x[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1];\n",
         MODULE ".file 65537 \"x\"\n", MODULE ".global .b8 x[4294967296];\n",
         MODULE ".global .s64 x = (.s64) 9223372036854775808.0;\n", MODULE ".global .u64 x = (.u64) 18446744073709551616.0;\n",
         MODULE ".global .u64 x = (.u64) -1.0;\n", MODULE ".global .s64 x = (.s64) -9223372036854777856.0;\n",
         MODULE ".global .u32 x = (.u32) 1;\n")
    expect_module(*text, false);
}
END_TEST

/* So many times a piece between two texts. */
static bool accepts_repeated(const char *front, const char *piece, int times, const char *back) {
    Text text = {0};
    Diag diag;
    text_add(&text, MODULE "%s", front);
    for (int i = 0; i < times; i++) text_add(&text, "%s", piece);
    text_add(&text, "%s", back);
    const bool accepted = accepts(text_string(&text), &diag);
    text_free(&text);
    return accepted;
}

START_TEST(nesting_goes_as_deep_as_it_is_said_to)
{
    static const struct {
        const char *front, *piece, *back;
        int most;
    } rows[] = {
        {".func f(.param .b32 a", ", .param .b32 a", ");", 4095}, /* parser.h: 4096 parameters */
        {".func f() {", " { .reg .b32 r; ", "ret;", 127},         /* 128 scopes, of which the body is one */
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        for (int times = rows[i].most; times <= rows[i].most + 1; times++) {
            Text back = {0};
            text_add(&back, "%s", rows[i].back);
            for (int k = 0; strchr(rows[i].piece, '{') && k < times + 1; k++) text_add(&back, "}");
            ck_assert_msg(accepts_repeated(rows[i].front, rows[i].piece, times, text_string(&back)) == (times == rows[i].most),
                          "%s, %d times", rows[i].piece, times);
            text_free(&back);
        }
    }
}
END_TEST

/* -- names */

START_TEST(an_alias_keeps_its_own_name_and_linkage)
{
    static const char *const texts[] = {
        MODULE ".weak .func g(.param .b32 a);\n.func f(.param .b32 a);\n.alias g, f;\n.func f(.param .b32 a) { ret; }\n",
        MODULE ".func g(.param .b32 a);\n.weak .func f(.param .b32 a);\n.alias g, f;\n.weak .func f(.param .b32 a) { ret; }\n"};
    for (int weak = 0; weak < 2; weak++) {
        Program *program = parsed(texts[weak]);
        const Function *g = &program->functions[0], *f = &program->functions[1];
        ck_assert_str_eq(g->name, "g");
        ck_assert_str_eq(f->name, "f");
        ck_assert(g->is_defined && g->first == f->first && g->is_weak == !weak && f->is_weak == weak);
        program_free(program);
    }
    EACH(text, MODULE ".func g();\n.func f(.param .b32 a) { ret; }\n.alias g, f;\n",
         MODULE ".func g() { ret; }\n.func f() { ret; }\n.alias g, f;\n",
         MODULE ".func g();\n.entry f() { ret; }\n.alias g, f;\n", MODULE ".func g();\n.func f();\n.alias g, f;\n")
    expect_module(*text, false);
}
END_TEST

START_TEST(a_long_list_of_kernels_is_cut)
{
    Text text = {0};
    Diag diag = {0};
    text_add(&text, MODULE);
    for (int i = 0; i < 40; i++) text_add(&text, ".entry kernel_number_%d() { ret; }\n", 10 + i);
    Program *program = parsed(text_string(&text));
    ck_assert_ptr_null(program_kernel(program, "nothing", &diag));
    ck_assert_ptr_nonnull(strstr(diag.message, "kernel_number_10, kernel_number_11"));
    const char *cut = strstr(diag.message, ", …");
    ck_assert_msg(cut && !strstr(cut + 2, "kernel") && !strstr(diag.message, "kernel_number_49"), "%s", diag.message);
    program_free(program);
    text_free(&text);
}
END_TEST

START_TEST(names_that_are_not_mangled_stay_as_they_are)
{
    char *plain = program_demangle("kernel"), *mangled = program_demangle("_Z1fPi"), *odd = program_demangle("_Zgarbage");
    ck_assert_str_eq(plain, "kernel");
    ck_assert_str_eq(mangled, "f(int*)");
    ck_assert_str_eq(odd, "_Zgarbage");
    free(plain);
    free(mangled);
    free(odd);
    char *two = program_demangle("_Z1fIJiEJiEEvDpT_DpT0_"), *three = program_demangle("_Z1fIJiEJiEJiEEvDpT_DpT0_DpT1_");
    ck_assert_str_eq(two, "void f<int, int>(int, int)");
    ck_assert_str_eq(three, "_Z1fIJiEJiEJiEEvDpT_DpT0_DpT1_"); /* packs of packs could grow without measure */
    free(two);
    free(three);
}
END_TEST

/* 24 references may be read: to the first type (S_), to the second (S0_). */
START_TEST(names_with_too_many_references_stay_as_they_are)
{
    static const char *const references[] = {"S_", "S0_"}, *const types[] = {"A", "B"};
    for (size_t r = 0; r < 2; r++) {
        for (int count = 24; count <= 25; count++) {
            Text mangled = {0}, readable = {0};
            text_add(&mangled, "_Z1f1A1B");
            text_add(&readable, "f(A, B");
            for (int i = 0; i < count; i++) {
                text_add(&mangled, "%s", references[r]);
                text_add(&readable, ", %s", types[r]);
            }
            text_add(&readable, ")");
            char *name = program_demangle(text_string(&mangled));
            ck_assert_str_eq(name, count == 24 ? text_string(&readable) : text_string(&mangled));
            free(name);
            text_free(&mangled);
            text_free(&readable);
        }
    }
}
END_TEST

START_TEST(a_text_of_more_than_256_mib_is_not_read)
{
    Diag diag = {0};
    ck_assert_ptr_null(program_parse("", (256 << 20) + 1, "big.ptx", &diag));
    ck_assert_str_eq(diag.message, "the PTX text has more than 256 MiB");
}
END_TEST

SUITE("forms", atomics_take_the_types_that_the_isa_lists, comparisons_are_those_of_the_type,
      a_rounding_is_asked_for_where_a_result_may_be_inexact, vectors_have_at_most_16_bytes_and_in_global_memory_32,
      cache_operators_and_orders_are_those_of_loads_or_of_stores, warps_and_blocks_exchange_by_the_forms_that_there_are,
      warps_exchange_without_sync_in_old_ptx_alone, orders_scopes_and_cache_words_go_together, clusters_have_their_forms,
      reductions_elsewhere_take_the_types_that_the_isa_lists,
      hints_are_of_global_memory_and_of_local_memory_where_nothing_is_evicted,
      asynchronous_copies_have_4_8_or_16_bytes_and_past_l1_16, special_registers_have_their_width,
      versions_and_targets_have_their_bounds, sizes_have_their_bounds, nesting_goes_as_deep_as_it_is_said_to,
      an_alias_keeps_its_own_name_and_linkage, a_long_list_of_kernels_is_cut, names_that_are_not_mangled_stay_as_they_are,
      names_with_too_many_references_stay_as_they_are, a_text_of_more_than_256_mib_is_not_read)
