/* Which instructions order the block alone: PTX ISA, memory consistency model, scopes. */
#include "parsed.h"
#include "ptx/program.h"

static Insn insn_of(const char *insn) {
    Program *program = parsed_of(".version 8.6\n.target sm_90\n.address_size 64\n.entry k() { .reg .pred %%p<1>; .reg .b32 "
                                 "%%r<3>; .reg .b64 %%rd<2>; %s ret; }\n",
                                 insn);
    const Insn found = program->insns[0];
    program_free(program);
    return found;
}

/* A cluster is more than one block, .gl is what .gpu is to fences. */
START_TEST(a_scope_is_the_blocks_where_it_is_cta)
{
    static const struct {
        const char *insn;
        bool of_block;
    } rows[] = {
        {"fence.acq_rel.cta;", true},
        {"fence.acq_rel.cluster;", false},
        {"fence.sc.gpu;", false},
        {"fence.sc.sys;", false},
        {"membar.cta;", true},
        {"membar.gl;", false},
        {"membar.sys;", false},
        {"ld.acquire.cta.global.u32 %r1, [%rd1];", true},
        {"ld.relaxed.cluster.global.u32 %r1, [%rd1];", false},
        {"ld.volatile.global.u32 %r1, [%rd1];", false},
        {"st.release.cta.global.u32 [%rd1], %r1;", true},
        {"st.release.cluster.global.u32 [%rd1], %r1;", false},
        {"atom.relaxed.cta.global.add.u32 %r1, [%rd1], %r2;", true},
        {"atom.relaxed.cluster.global.add.u32 %r1, [%rd1], %r2;", false},
        {"atom.global.add.u32 %r1, [%rd1], %r2;", false},
        {"red.release.cta.global.add.u32 [%rd1], %r2;", true},
        {"red.release.cluster.global.add.u32 [%rd1], %r2;", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(insn_of(rows[i].insn).of_block == rows[i].of_block, "%s", rows[i].insn);
}
END_TEST

/* PTX ISA, mbarrier: without a word on it arriving releases, waiting acquires, and bytes are counted relaxed; all within the block. cp.async.mbarrier.arrive
 * hands over what was copied. */
START_TEST(operations_on_an_mbarrier_have_an_order)
{
    static const struct {
        const char *insn;
        Order order;
        bool of_block;
    } rows[] = {
        {"mbarrier.init.shared.b64 [%rd1], 1;", ORDER_WEAK, true},
        {"mbarrier.inval.shared.b64 [%rd1];", ORDER_WEAK, true},
        {"mbarrier.arrive.shared.b64 %rd0, [%rd1];", ORDER_RELEASE, true},
        {"mbarrier.arrive.noComplete.shared.b64 %rd0, [%rd1], 1;", ORDER_RELEASE, true},
        {"mbarrier.arrive.expect_tx.shared.b64 %rd0, [%rd1], 16;", ORDER_RELEASE, true},
        {"mbarrier.arrive.shared::cluster.b64 _, [%rd1];", ORDER_RELEASE, true},
        {"mbarrier.arrive.release.cta.shared.b64 %rd0, [%rd1];", ORDER_RELEASE, true},
        {"mbarrier.arrive.release.cluster.shared.b64 %rd0, [%rd1];", ORDER_RELEASE, false},
        {"mbarrier.arrive.relaxed.cta.shared.b64 %rd0, [%rd1];", ORDER_RELAXED, true},
        {"mbarrier.arrive_drop.shared.b64 %rd0, [%rd1];", ORDER_RELEASE, true},
        {"mbarrier.arrive_drop.relaxed.cluster.shared.b64 %rd0, [%rd1];", ORDER_RELAXED, false},
        {"mbarrier.expect_tx.shared.b64 [%rd1], 16;", ORDER_RELAXED, true},
        {"mbarrier.expect_tx.relaxed.cluster.shared.b64 [%rd1], 16;", ORDER_RELAXED, false},
        {"mbarrier.complete_tx.shared.b64 [%rd1], 16;", ORDER_RELAXED, true},
        {"mbarrier.complete_tx.relaxed.cta.shared.b64 [%rd1], 16;", ORDER_RELAXED, true},
        {"mbarrier.test_wait.shared.b64 %p0, [%rd1], %rd0;", ORDER_ACQUIRE, true},
        {"mbarrier.test_wait.relaxed.cta.shared.b64 %p0, [%rd1], %rd0;", ORDER_RELAXED, true},
        {"mbarrier.test_wait.parity.acquire.cluster.shared.b64 %p0, [%rd1], 0;", ORDER_ACQUIRE, false},
        {"mbarrier.try_wait.parity.shared.b64 %p0, [%rd1], 0;", ORDER_ACQUIRE, true},
        {"mbarrier.try_wait.relaxed.cluster.shared.b64 %p0, [%rd1], %rd0;", ORDER_RELAXED, false},
        {"mbarrier.pending_count.b64 %r0, %rd0;", ORDER_WEAK, true},
        {"cp.async.mbarrier.arrive.shared.b64 [%rd1];", ORDER_RELEASE, true},
        {"cp.async.mbarrier.arrive.noinc.shared.b64 [%rd1];", ORDER_RELEASE, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Insn insn = insn_of(rows[i].insn);
        ck_assert_msg(insn.order == rows[i].order && insn.of_block == rows[i].of_block, "%s: %u, %d", rows[i].insn, insn.order,
                      insn.of_block);
    }
}
END_TEST

SUITE("ptx scopes", a_scope_is_the_blocks_where_it_is_cta, operations_on_an_mbarrier_have_an_order)
