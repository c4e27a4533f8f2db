#include "kernel/ahead.h"

#include "base/alloc.h"
#include "kernel/traits.h"
#include "kernel/trips.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

enum { STORES_MOST = 32 };

/* What a store writes: bytes from a register's value on. */
typedef struct Stored {
    uint32_t base, at; /* at: the store, by its place in the regions' order */
    int64_t from, to;
} Stored;

typedef struct Stores {
    Stored stored[STORES_MOST];
    uint32_t count;
    bool others;       /* besides, what may write anywhere */
    uint32_t *written; /* by register: behind which instruction it was written last, plus one; 0: not yet */
} Stores;

static bool is_of_memory(const Insn *insn) { return insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC; }

static bool touches(const Insn *insn, uint32_t at, Stored *bytes) {
    const Operand *address = &insn->operands[insn->n_dst];
    const uint32_t width = type_bytes[insn->type] * (insn->vec > 1 ? insn->vec : 1u);
    *bytes = (Stored){address->index, at, (int64_t)address->bits, (int64_t)address->bits + width};
    return address->kind == OPERAND_ADDRESS;
}

static void take_store(Stores *stores, const Insn *insn, uint32_t at) {
    const bool plain = insn->op == OP_st && insn->order == ORDER_WEAK && stores->count < STORES_MOST;
    if (plain && touches(insn, at, &stores->stored[stores->count]))
        stores->count++;
    else
        stores->others = true;
}

static bool is_ahead(const Stores *stores, const Insn *insn, uint32_t at) {
    Stored bytes;
    if (stores->others || stores->count == 0) return false;
    if (insn->policy == POLICY_NC) return true;
    if (!touches(insn, at, &bytes)) return false;
    for (uint32_t s = 0; s < stores->count; s++) {
        const Stored *stored = &stores->stored[s];
        const bool same = stored->base == bytes.base && stores->written[bytes.base] <= stored->at;
        if (!same || (bytes.from < stored->to && stored->from < bytes.to)) return false;
    }
    return true;
}

static bool ends_all(const Insn *insn) {
    return opcode_classes[insn->op] == CLASS_SYNC || insn->op == OP_call || insn->op == OP_brx || insn->op == OP_mbarrier ||
           insn->op == OP_griddepcontrol || insn->op == OP_nanosleep;
}

/* Nothing else is written, nor must be done in its place. */
static bool lets_pass(const Insn *insn) { return !(trips_errand(insn) & ERRAND_STORE) && insn->order == ORDER_WEAK; }

void ahead_find(const Program *program, const Function *function, const Regions *regions, uint8_t *traits) {
    FREED uint32_t *written = alloc_zeroed(function->n_registers + 1, sizeof *written);
    Stores stores = {.written = written};
    for (uint32_t at = 0; at < function->count && !program->debug; at++) {
        const uint32_t pc = function->first + regions->order[at];
        const Insn *insn = &program->insns[pc];
        if (regions->begins[at] || ends_all(insn)) stores.count = 0, stores.others = false;
        const bool memory = opcode_classes[insn->op] == CLASS_MEMORY && is_of_memory(insn);
        if (memory && insn->op == OP_ld && insn->order == ORDER_WEAK && is_ahead(&stores, insn, at)) traits[pc] |= TRAIT_AHEAD;
        if (memory && !lets_pass(insn)) take_store(&stores, insn, at);
        for (RegisterWalk of = walk_writes(insn); walk_next(&of);) stores.written[of.index] = at + 1;
    }
}
