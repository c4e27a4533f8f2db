#include "kernel/traits.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

/* What is read behind it must be as others have left it: ptxas puts a CCTL.IVALL there (sm_75 to sm_120). The wait for a cluster is one as well: counters.c. Not seen:
 * fence.proxy.alias, and an mbarrier that is waited for with a scope of more than a block. */
static bool acquires(const Insn *insn) {
    const bool fence = insn->op == OP_membar || (insn->op == OP_fence && insn->order != ORDER_RELEASE);
    const bool access = insn->op == OP_ld || insn->op == OP_atom;
    const bool ordered = insn->order == ORDER_ACQUIRE || insn->order == ORDER_ACQ_REL || insn->order == ORDER_SC;
    return !insn->of_block && (fence || (access && ordered));
}

static uint8_t own_traits(const Insn *insn) {
    const uint8_t traits = acquires(insn) ? TRAIT_ACQUIRES : 0;
    if (insn->op != OP_atom && insn->op != OP_red) return traits;
    if (insn->variant == ATOM_CAS || insn->variant == ATOM_MIN || insn->variant == ATOM_MAX) return traits | TRAIT_CORRECTS;
    if (insn->variant == ATOM_ADD && type_kinds[insn->type] == KIND_FLOAT) return traits | TRAIT_SUMS;
    return traits | (insn->variant == ATOM_EXCH ? TRAIT_EXCHANGE : 0);
}

/* Which registers loads have as their address, with one offset or with several. */
enum { IS_READ = 1, IS_BASE = 2, IS_BASE_AGAIN = 4 };

static const Operand *load_address(const Insn *insn) {
    const bool loads = insn->op == OP_ld && insn->operands[insn->n_dst].kind == OPERAND_ADDRESS;
    return loads ? &insn->operands[insn->n_dst] : NULL;
}

static void mark_base(const Insn *insn, uint8_t *reads, uint64_t *offsets) {
    const Operand *address = load_address(insn);
    if (!address) return;
    const bool again = reads[address->index] & IS_BASE && offsets[address->index] != address->bits;
    reads[address->index] |= IS_BASE | (again ? IS_BASE_AGAIN : 0);
    offsets[address->index] = address->bits;
}

static bool is_piece(const Insn *insn, const uint8_t *reads) {
    const Operand *address = load_address(insn);
    return address && (insn->vec > 1 || reads[address->index] & IS_BASE_AGAIN);
}

static bool gives(const Insn *insn, const uint8_t *reads, uint8_t what) {
    for (RegisterWalk at = walk_writes(insn); walk_next(&at);)
        if (reads[at.index] & what) return true;
    return false;
}

/* Of arithmetic with a destination that is thrown away, ptxas keeps the other. */
static bool is_unread(const Insn *insn, const uint8_t *reads) {
    for (unsigned i = 0; i < insn->n_dst && opcode_classes[insn->op] != CLASS_MEMORY; i++)
        if (insn->operands[i].kind != OPERAND_REGISTER) return false;
    return insn->n_dst && !gives(insn, reads, IS_READ);
}

/* Whether it does nothing but give registers what they then have: ptxas leaves it out where nothing that does more hangs on these. So of
 * sm_80, sm_90 and sm_100, as nvdisasm shows them. */
static bool only_gives(const Insn *insn) {
    switch ((OpClass)opcode_classes[insn->op]) {
    case CLASS_ALU:
    case CLASS_MOVE: return !(insn->flags & INSN_CC);
    case CLASS_MEMORY:
        return (insn->op == OP_ld || insn->op == OP_ldu) && insn->order != ORDER_VOLATILE && !(insn->flags & INSN_MMIO);
    case CLASS_WARP: return insn->op != OP_elect;
    case CLASS_SYNC:
    case CLASS_CONTROL:
    case CLASS_NOTHING: break;
    }
    return false;
}

/* By register, which instructions give it: those from first[r] to before first[r + 1], counted from the function's. */
typedef struct Writers {
    uint32_t *first, *insns;
} Writers;

static Writers writers_of(const Program *program, const Function *function) {
    Writers writers = {.first = alloc_zeroed(function->n_registers + 2, sizeof(uint32_t))};
    const Insn *insns = &program->insns[function->first];
    uint32_t *end = writers.first + 1; /* of the register before, until all are counted */
    for (uint32_t i = 0; i < function->count; i++)
        for (RegisterWalk at = walk_writes(&insns[i]); walk_next(&at);) end[at.index]++;
    for (uint32_t r = 1; r < function->n_registers; r++) end[r] += end[r - 1];
    writers.insns = alloc_zeroed(end[function->n_registers ? function->n_registers - 1 : 0] + 1, sizeof(uint32_t));
    FREED uint32_t *filled = alloc_zeroed(function->n_registers + 1, sizeof *filled);
    for (uint32_t i = 0; i < function->count; i++)
        for (RegisterWalk at = walk_writes(&insns[i]); walk_next(&at);)
            writers.insns[writers.first[at.index] + filled[at.index]++] = i;
    return writers;
}

/* Marks what the instructions read that ptxas keeps: those that do more, and what these hang on. */
static void mark_reads(const Program *program, const Function *function, uint8_t *reads) {
    const Insn *insns = &program->insns[function->first];
    Writers writers = writers_of(program, function);
    FREED bool *kept = alloc_zeroed(function->count + 1, sizeof *kept);
    FREED uint32_t *open = alloc_zeroed(function->count + 1, sizeof *open);
    uint32_t n_open = 0;
    for (uint32_t i = 0; i < function->count; i++)
        if (program->debug || !only_gives(&insns[i])) kept[i] = true, open[n_open++] = i;
    while (n_open)
        for (RegisterWalk at = walk_reads(&insns[open[--n_open]]); walk_next(&at);) {
            if (reads[at.index] & IS_READ) continue;
            reads[at.index] |= IS_READ;
            for (uint32_t w = writers.first[at.index]; w < writers.first[at.index + 1]; w++)
                if (!kept[writers.insns[w]]) kept[writers.insns[w]] = true, open[n_open++] = writers.insns[w];
        }
    free(writers.first);
    free(writers.insns);
}

static uint8_t used_elements(const Insn *insn, const uint8_t *reads) {
    uint8_t used = 0;
    for (unsigned k = 0; k < insn->n_dst; k++) {
        const Operand *operand = &insn->operands[k];
        if (operand->kind == OPERAND_REGISTER && reads[operand->index] & IS_READ) used |= (uint8_t)(1u << k);
    }
    return used;
}

void traits_find(const Program *program, const Function *function, uint8_t *traits, uint8_t *used) {
    FREED uint8_t *reads = alloc_zeroed(function->n_registers + 1, sizeof *reads);
    FREED uint64_t *offsets = alloc_zeroed(function->n_registers + 1, sizeof *offsets);
    const uint32_t end = function->first + function->count;
    mark_reads(program, function, reads);
    for (uint32_t pc = function->first; pc < end; pc++) mark_base(&program->insns[pc], reads, offsets);
    for (uint32_t pc = function->first; pc < end; pc++) {
        const Insn *insn = &program->insns[pc];
        traits[pc] |=
            own_traits(insn) | (is_piece(insn, reads) ? TRAIT_PIECE : 0) | (is_unread(insn, reads) ? TRAIT_UNREAD : 0);
        used[pc] = opcode_classes[insn->op] == CLASS_MEMORY && only_gives(insn) && !program->debug ? used_elements(insn, reads)
                                                                                                   : USED_ALL;
    }
}
