#include "machine/tracing.h"

#include "machine/lower.h"

static const Function *function_of(const Program *program, uint32_t pc) {
    const Function *function = program->functions;
    while (pc - function->first >= function->count) function++;
    return function;
}

/* What the instruction of warp->shown wrote. */
static void show_written(const Warp *warp) {
    const Step *step = warp->shown;
    if (!step || !warp->shown_active) return;
    const Worker *worker = warp->worker;
    const Function *function = function_of(worker->code->program, step->pc);
    uintptr_t frame = (uintptr_t)(warp->registers + warp->shown_base) - SLOT(AREA_FRAME, 0);
    for (unsigned k = 0; k < step->vec; k++) {
        Slot slot = step->data[k];
        if (slot == NO_SLOT) continue;
        Written written = {.pc = step->pc,
                           .index = k,
                           .active = warp->shown_active,
                           .bytes = lower_register_width(function, step->insn->operands[k].index),
                           .lanes = SLOT_AREA(slot) == AREA_FRAME ? (const void *)(frame + slot) : warp_at(warp, slot)};
        OBSERVERS_NOTIFY(worker->observers, worker->n_observers, on_written, &warp->place, &written);
    }
}

/* Each live lane that is not in the top entry is in the lists once: in the highest entry that has it. */
static uint32_t find_waiting(const Warp *warp, LaneWait waiting[WARP_LANES]) {
    const Step *steps = warp->worker->code->steps;
    uint32_t above = stack_top(&warp->stack)->mask, count = 0;
    for (uint32_t i = warp->stack.depth - 1; i-- > 0;) {
        const StackEntry *entry = &warp->stack.entries[i];
        uint32_t own = entry->mask & ~above;
        WaitKind kind = entry->blocked ? WAIT_SYNC : entry->mask & above ? WAIT_RECONVERGENCE : WAIT_PATH;
        if (own) waiting[count++] = (LaneWait){.pc = steps[entry->pc].pc, .lanes = own, .kind = kind};
        above |= entry->mask;
    }
    return count;
}

void warp_trace(Warp *warp, const Step *step, uint32_t lanes) {
    show_written(warp);
    const Insn *insn = step->insn;
    uint32_t active = lanes;
    if (insn->guarded) {
        uint32_t guard = *(const uint32_t *)warp_at(warp, step->s[0]);
        active &= insn->guard_negated ? ~guard : guard;
    }
    LaneWait waiting[WARP_LANES];
    const Shown shown = {.pc = step->pc,
                         .lanes = lanes,
                         .active = active,
                         .live = warp->live,
                         .n_waiting = find_waiting(warp, waiting),
                         .waiting = waiting};
    const Worker *worker = warp->worker;
    OBSERVERS_NOTIFY(worker->observers, worker->n_observers, on_insn, &warp->place, &shown);
    warp->shown = step;
    warp->shown_base = warp_frame(warp)->slots_base;
    warp->shown_active = active;
}
