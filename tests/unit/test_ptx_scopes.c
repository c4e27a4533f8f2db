/* Which instructions order the block alone: PTX ISA, memory consistency model, scopes. */
#include "parsed.h"
#include "ptx/program.h"

static Insn insn_of(const char *insn) {
    Program *program = parsed_of(
        ".version 8.6\n.target sm_90\n.address_size 64\n.entry k() { .reg .b32 %%r<3>; .reg .b64 %%rd<2>; %s ret; }\n", insn);
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

SUITE("ptx scopes", a_scope_is_the_blocks_where_it_is_cta)
