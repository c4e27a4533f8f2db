#include "kernel/narrow.h"

#include "kernel/traits.h"
#include "ptx/opcode.h"

static void keep(Narrowed *narrowed, uint8_t element, unsigned first, unsigned count) {
    narrowed->offset[narrowed->count] = (uint8_t)(first * element);
    narrowed->bytes[narrowed->count++] = (uint8_t)(count * element);
}

/* Of two elements, or of four. */
static void keep_used(Narrowed *narrowed, uint8_t element, unsigned elements, uint8_t used) {
    for (unsigned half = 0; half < elements && elements == 4; half += 2)
        if (used == 3u << half) {
            keep(narrowed, element, half, 2);
            return;
        }
    for (unsigned k = 0; k < elements; k++)
        if (used >> k & 1) keep(narrowed, element, k, 1);
}

static Narrowed narrow(const Insn *insn, uint8_t used) {
    const unsigned elements = insn->vec ? insn->vec : 1, n_used = (unsigned)__builtin_popcount(used);
    const uint8_t element = type_bytes[insn->type];
    Narrowed narrowed = {.changed = !n_used};
    if (!n_used || n_used == elements || element == 1 || elements > 4 || elements * element > 16) return narrowed;
    if (elements == 4 && (n_used == 3 || (n_used == 2 && element == 2 && used != 3 && used != 12))) return narrowed;
    narrowed.changed = true;
    keep_used(&narrowed, element, elements, used);
    return narrowed;
}

bool narrow_find(const Program *program, const Function *function, const uint8_t *used, Narrowed *narrowed) {
    bool any = false;
    for (uint32_t pc = function->first; pc < function->first + function->count; pc++) {
        if (used[pc] == USED_ALL) continue;
        narrowed[pc] = narrow(&program->insns[pc], used[pc]);
        any |= narrowed[pc].changed;
    }
    return any;
}
