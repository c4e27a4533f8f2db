#include "kernel/ahead.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "kernel/traits.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

enum { STORES_MOST = 32 };

/* What a store writes: bytes from a register's value on. */
typedef struct Stored {
    uint32_t base, at; /* at: the store, from the function's first instruction */
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
    return insn->op == OP_call || insn->op == OP_bar || insn->op == OP_barrier || insn->op == OP_membar || insn->op == OP_fence;
}

void ahead_find(const Program *program, const Function *function, uint8_t *traits) {
    FREED bool *heads = alloc_zeroed(function->count + 1, sizeof *heads);
    Stores stores = {.written = alloc_zeroed(function->n_registers + 1, sizeof *stores.written)};
    const Insn *insns = &program->insns[function->first];
    for (uint32_t i = 0; i < function->count; i++)
        if (insns[i].op == OP_bra && insns[i].target <= function->first + i && insns[i].target >= function->first)
            heads[insns[i].target - function->first] = true;
    for (uint32_t i = 0; i < function->count && !program->debug; i++) {
        const Insn *insn = &insns[i];
        if (heads[i] || ends_all(insn) || insn->op == OP_brx) stores.count = 0, stores.others = insn->op == OP_brx;
        const bool memory = opcode_classes[insn->op] == CLASS_MEMORY && is_of_memory(insn);
        const bool plain = insn->op == OP_ld && insn->order == ORDER_WEAK;
        if (memory && plain && is_ahead(&stores, insn, i)) traits[function->first + i] |= TRAIT_AHEAD;
        if (memory && !plain) take_store(&stores, insn, i);
        for (RegisterWalk at = walk_writes(insn); walk_next(&at);) stores.written[at.index] = i + 1;
    }
    free(stores.written);
}
