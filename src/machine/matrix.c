#include "machine/matrix.h"

#include <string.h>

#include "machine/lanes.h"
#include "machine/loadstore.h"
#include "machine/shadow.h"
#include "machine/warp_fault.h"
#include "ptx/opcode.h"

enum { ELEMENT_BYTES = 2, HALVES = 2 };

typedef uint8_t Rows[WARP_LANES][MATRIX_ROW_BYTES]; /* by lane: the row whose address it has */

_Static_assert((int)MATRIX_ROW_BYTES == (int)ASYNC_COPY_BYTES_MOST, "rows go where copies do");

/* Where in the rows the element stands that is one half of a lane's register of a matrix. */
static uint8_t *element(const Step *step, Rows rows, unsigned matrix, unsigned lane, unsigned half) {
    const unsigned across = lane / 4, along = HALVES * (lane % 4) + half;
    const bool trans = step->insn->flags & INSN_TRANS;
    return rows[MATRIX_ROWS * matrix + (trans ? along : across)] + ELEMENT_BYTES * (trans ? across : along);
}

static void to_register(const Step *step, Rows rows, unsigned matrix, uint32_t lanes[WARP_LANES]) {
    for (unsigned l = 0; l < WARP_LANES; l++)
        for (unsigned half = 0; half < HALVES; half++)
            memcpy((uint8_t *)&lanes[l] + ELEMENT_BYTES * half, element(step, rows, matrix, l, half), ELEMENT_BYTES);
}

static void to_rows(const Step *step, Rows rows, unsigned matrix, const uint32_t lanes[WARP_LANES]) {
    for (unsigned l = 0; l < WARP_LANES; l++)
        for (unsigned half = 0; half < HALVES; half++)
            memcpy(element(step, rows, matrix, l, half), (const uint8_t *)&lanes[l] + ELEMENT_BYTES * half, ELEMENT_BYTES);
}

static void rows_in(Warp *warp, const Step *step, const Resolved *at) {
    (void)step;
    EACH_ACTIVE_LANE(l, at->lanes) memcpy(warp->worker->copied[l], resolved_at(at, l), MATRIX_ROW_BYTES);
}

static void rows_out(Warp *warp, const Step *step, const Resolved *at) {
    (void)step;
    EACH_ACTIVE_LANE(l, at->lanes) memcpy(resolved_at(at, l), warp->worker->copied[l], MATRIX_ROW_BYTES);
}

static bool load(Warp *warp, const Step *step, uint32_t addressing) {
    Worker *worker = warp->worker;
    worker->undefined.any = false;
    if (!warp_access(warp, step, (Transfer){step->space, ACCESS_LOAD, MATRIX_ROW_BYTES, addressing, NULL, rows_in}))
        return false;
    for (unsigned m = 0; m < step->vec; m++) {
        if (step->data[m] == NO_SLOT) continue;
        to_register(step, worker->copied, m, warp_at(warp, step->data[m]));
        if (!worker->undefined.any && !warp->watched) continue;
        Lanes bits = lanes_defined;
        Rows undefined;
        memcpy(undefined, worker->undefined.bits, sizeof undefined);
        if (worker->undefined.any) to_register(step, undefined, m, bits.words);
        shadow_of(warp);
        shadow_put(warp, step->data[m], 4, &bits, LANES_ALL, worker->undefined.any ? worker->undefined.origin : (Origin){0});
    }
    return true;
}

static bool store(Warp *warp, const Step *step, uint32_t addressing) {
    Worker *worker = warp->worker;
    Undefined *undefined = &worker->undefined;
    undefined->any = false;
    warp->changed = true;
    for (unsigned m = 0; m < step->vec; m++) {
        to_rows(step, worker->copied, m, warp_at(warp, step->data[m]));
        if (!warp->watched || !shadow_undefined(warp, step->data[m])) continue;
        if (!undefined->any) memset(undefined->bits, 0, sizeof(Rows));
        undefined->any = true;
        undefined->origin = *shadow_origin(warp, step->data[m]);
        if (undefined->origin.pc == NO_INSN) undefined->origin.pc = step->pc;
        to_rows(step, (uint8_t(*)[MATRIX_ROW_BYTES])undefined->bits, m, shadow_bits(warp, step->data[m]));
    }
    return warp_access(warp, step,
                       (Transfer){step->space, ACCESS_STORE, MATRIX_ROW_BYTES, addressing, worker->copied, rows_out});
}

bool warp_matrix(Warp *warp, const Step *step, uint32_t active) {
    if (!warp_is_whole(warp, step, active)) return false;
    const bool loads = step->insn->op == OP_ldmatrix;
    const unsigned rows = MATRIX_ROWS * step->vec;
    const uint32_t addressing = rows == WARP_LANES ? LANES_ALL : (1u << rows) - 1;
    warp_step_addresses(warp, step, addressing);
    return loads ? load(warp, step, addressing) : store(warp, step, addressing);
}
