#include "report/drift.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"
#include "report/spot.h"

/* --- what differs from lane to lane --------------------------------------------------------------------------------------- */

/* Rows of a block are whole warps where they have a multiple of 32 threads; else y and z differ within a warp as well. */
static bool special_varies(const LaunchRequest *request, uint32_t special) {
    const bool whole = request->launch.block[0] % WARP_LANES == 0;
    return special == SPECIAL_tid_x || special == SPECIAL_laneid ||
           (!whole && (special == SPECIAL_tid_y || special == SPECIAL_tid_z));
}

static bool result_varies(const LaunchRequest *request, const Insn *insn, const bool *varies) {
    if (insn->op == OP_ld) return insn->space != SPACE_PARAM && insn->space != SPACE_CONST;
    if (insn->op == OP_atom || insn->op == OP_ldmatrix || insn->op == OP_mbarrier || insn->op == OP_call) return true;
    for (RegisterWalk at = walk_reads(insn); walk_next(&at);)
        if (varies[at.index]) return true;
    for (uint32_t i = insn->n_dst; i < (uint32_t)insn->n_dst + insn->n_src; i++)
        if (insn->operands[i].kind == OPERAND_SPECIAL && special_varies(request, insn->operands[i].index)) return true;
    return false;
}

/* By register of the function, as far as operands tell: not by which way a lane took. The caller frees. */
static bool *varying_registers(const LaunchRequest *request, const Function *function) {
    bool *varies = alloc_zeroed((size_t)function->n_registers + 1, sizeof *varies), grows = true;
    while (grows) {
        grows = false;
        for (uint32_t pc = function->first; pc < function->first + function->count; pc++) {
            const Insn *insn = &request->launch.kernel->program->insns[pc];
            if (!result_varies(request, insn, varies)) continue;
            for (RegisterWalk at = walk_writes(insn); walk_next(&at); varies[at.index] = true) grows |= !varies[at.index];
        }
    }
    return varies;
}

/* --- loops ---------------------------------------------------------------------------------------------------------------- */

/* Whether a branch that goes back over the instruction is taken by some lanes and not by others. */
static bool is_left_one_by_one(const Program *program, const Function *function, uint32_t pc, const bool *varies) {
    for (uint32_t i = pc; i < function->first + function->count; i++) {
        const Insn *insn = &program->insns[i];
        if (insn->op == OP_bra && insn->target <= pc && insn->guarded && varies[insn->guard]) return true;
    }
    return false;
}

/* Whether some request was not of all lanes, as far as is counted: of shared memory it is not. */
static bool is_partial(const InsnCounters *insn) {
    const SectorCounters *sectors = &insn->sectors;
    return !sectors->requests || sectors->bytes < sectors->requests * WARP_LANES * insn->worst.access.bytes;
}

bool drift_is_possible(const Report *report, const Sample *sample) {
    const LaunchRequest *request = report->request;
    const Function *function = request->launch.kernel->function;
    uint32_t copies = spot_copies(report, sample, NULL);
    if (copies < 2) return false;
    FREED uint32_t *pcs = alloc_zeroed(copies, sizeof *pcs);
    spot_copies(report, sample, pcs);
    bool *varies = varying_registers(request, function), found = false, partial = false;
    for (uint32_t i = 0; i < copies; i++) partial |= is_partial(&report->result->counters->insns[pcs[i]]);
    for (uint32_t i = 0; i < copies && partial && !found; i++)
        found = pcs[i] >= function->first && pcs[i] < function->first + function->count &&
                is_left_one_by_one(request->launch.kernel->program, function, pcs[i], varies);
    free(varies);
    return found;
}
