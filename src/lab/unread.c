#include "lab/unread.h"

#include "ptx/opcode.h"
#include "report/plain.h"

typedef bool InsnTest(const Insn *insn, uint32_t special);

/* Whether any instruction that the kernel can reach passes the test. */
static bool any(const LabCase *c, InsnTest *test, uint32_t special) {
    const Kernel *kernel = c->request.launch.kernel;
    for (uint32_t f = 0; f < kernel->reach.n_functions; f++) {
        const Function *function = &kernel->program->functions[kernel->reach.functions[f]];
        for (uint32_t i = 0; i < function->count; i++)
            if (test(&kernel->program->insns[function->first + i], special)) return true;
    }
    return false;
}

static bool reads_special(const Insn *insn, uint32_t special) {
    for (int i = 0; i < insn->n_dst + insn->n_src; i++)
        if (insn->operands[i].kind == OPERAND_SPECIAL && insn->operands[i].index == special) return true;
    return false;
}

static bool is_conditional(const Insn *insn, uint32_t unused) {
    (void)unused;
    return insn->guarded || insn->op == OP_selp || insn->table;
}

/* Who reads its lane knows a thread's place, too. */
static bool knows(const LabCase *c, uint32_t special) {
    return any(c, reads_special, special) || (special == SPECIAL_tid_x && any(c, reads_special, SPECIAL_laneid));
}

static bool say_alike(const LabCase *c, unsigned dimension, Text *out) {
    const Launch *launch = &c->request.launch;
    const char *name = launch->kernel->function->name;
    if (launch->grid[dimension] > 1 && !knows(c, SPECIAL_ctaid_x + dimension)) {
        text_add(out, "nothing that '%s' does depends on blockIdx.%c: ", name, 'x' + (int)dimension);
        plain_count(out, launch->grid[dimension], "block");
        text_add(out, " do the same");
        return true;
    }
    if (launch->block[dimension] > 1 && !knows(c, SPECIAL_tid_x + dimension)) {
        text_add(out, "nothing that '%s' does depends on threadIdx.%c: ", name, 'x' + (int)dimension);
        plain_count(out, launch->block[dimension], "thread");
        text_add(out, " of a block do the same");
        return true;
    }
    return false;
}

bool unread_say(const LabCase *c, Text *out) {
    const Launch *launch = &c->request.launch;
    const uint32_t *first = c->lab->kernel >= 0 ? c->lab->kernels[c->lab->kernel].block : launch->block;
    for (unsigned d = 0; d < 3; d++)
        if (say_alike(c, d, out)) return true;
    for (unsigned d = 0; d < 3; d++) {
        if (launch->block[d] == first[d] || knows(c, SPECIAL_ntid_x + d)) continue;
        text_add(out, "a block has ");
        plain_count(out, launch->block[d], "thread");
        text_add(out, " here along %c, not %u as before, and '%s' does not read blockDim.%c: does a number stand for it?",
                 'x' + (int)d, first[d], launch->kernel->function->name, 'x' + (int)d);
        return true;
    }
    return false;
}

bool unread_guards(const LabCase *c) { return !any(c, is_conditional, 0); }
