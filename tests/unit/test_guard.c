/* Which condition lets threads come to an instruction (kernel/guard.h). */
#include "kernel/guard.h"

#include "parsed.h"
#include "ptx/opcode.h"

#define SETP "setp.gt.u32 %p1, %r1, 5;\n"
#define ADD "add.u32 %r1, %r1, 1;\n"
#define STORE "st.global.u32 [%rd1], %r1;\n" /* the instruction that is asked about: the only one of its kind */

enum { ITSELF = -1, NONE = -2 };

/* Of a kernel of these instructions, in which the store is guarded by the nth branch or return from 0. */
static void expect(const char *body, int nth) {
    Diag diag = {0};
    Program *program = parsed_of(".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 at)\n{\n"
                                 ".reg .pred %%p<8>;\n.reg .b32 %%r<8>;\n.reg .b64 %%rd<2>;\nld.param.u64 %%rd1, [at];\n"
                                 "mov.u32 %%r1, %%tid.x;\n%s}\n",
                                 body);
    const Kernel *kernel = kernel_prepare(program, program_kernel(program, "k", &diag));
    const Function *own = kernel->function;
    uint32_t store = own->first, wanted = NO_INSN;
    while (program->insns[store].op != OP_st) store++;
    for (uint32_t pc = own->first, n = 0; nth >= 0 && wanted == NO_INSN; pc++) {
        const Insn *insn = &program->insns[pc];
        if ((insn->op == OP_bra || insn->op == OP_ret) && n++ == (uint32_t)nth) wanted = pc;
    }
    if (nth == ITSELF) wanted = store;
    const uint32_t found = guard_find(program, own, &kernel->flows[own - program->functions], store);
    ck_assert_msg(found == wanted, "%s: guarded by %u, not %u", body, found, wanted);
    program_free(program);
}

START_TEST(who_comes_there_whatever_happens_passes_no_guard)
{
    expect(STORE "ret;\n", NONE);
    expect(SETP "@%p1 bra OTHER;\n" ADD "OTHER:\n" STORE "ret;\n", NONE); /* something else is conditional */
    expect(SETP "@%p1 bra OTHER;\n" ADD "bra JOIN;\nOTHER:\n" ADD ADD "JOIN:\n" STORE "ret;\n", NONE);
    expect("LOOP:\n" STORE ADD SETP "@!%p1 bra LOOP;\nret;\n", NONE); /* a loop that asks at its end: once at least */
    expect(STORE SETP "@%p1 ret;\n" ADD "ret;\n", NONE);              /* a return behind it */
}
END_TEST

START_TEST(a_guard_is_what_may_lead_past_it)
{
    expect(SETP "@%p1 bra END;\n" STORE "END:\nret;\n", 0);
    expect(SETP "@%p1 ret;\n" STORE "ret;\n", 0);
    expect(SETP "@%p1 bra WORK;\nret;\nWORK:\n" STORE "ret;\n", 0);
    expect(SETP "@%p1 " STORE "ret;\n", ITSELF);
    expect(SETP "@%p1 bra OTHER;\n" STORE "bra JOIN;\nOTHER:\n" ADD "JOIN:\nret;\n", 0);
    expect("LOOP:\n" SETP "@%p1 bra END;\n" STORE ADD "bra LOOP;\nEND:\nret;\n", 0);         /* while */
    expect(SETP "@%p1 bra END;\nLOOP:\n" STORE ADD SETP "@!%p1 bra LOOP;\nEND:\nret;\n", 0); /* as compilers turn it */
}
END_TEST

START_TEST(of_several_the_nearest_is_told)
{
    expect(SETP "@%p1 bra END;\n" SETP "@%p1 bra END;\n" STORE "END:\nret;\n", 1);
    expect(SETP "@%p1 ret;\n" SETP "@%p1 bra OTHER;\n" ADD "OTHER:\n" STORE "ret;\n",
           0); /* the second leads here in any case */
    expect(SETP "@%p1 bra END;\nLOOP:\n" SETP "@%p1 bra NEXT;\n" STORE "NEXT:\n" ADD SETP "@!%p1 bra LOOP;\nEND:\nret;\n", 1);
}
END_TEST

SUITE("guard", who_comes_there_whatever_happens_passes_no_guard, a_guard_is_what_may_lead_past_it,
      of_several_the_nearest_is_told)
