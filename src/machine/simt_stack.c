#include "machine/simt_stack.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/program.h"

void stack_push(SimtStack *stack, StackEntry entry) {
    if (stack->depth == stack->capacity) {
        stack->capacity = stack->capacity ? stack->capacity * 2 : 16;
        stack->entries = alloc_resize(stack->entries, stack->capacity, sizeof *stack->entries);
    }
    stack->entries[stack->depth++] = entry;
}

void stack_diverge(SimtStack *stack, uint32_t taken, uint32_t target, uint32_t next, uint32_t reconverge) {
    StackEntry *top = stack_top(stack), all = *top;
    if (reconverge == NO_INSN || reconverge == all.reconverge) {
        stack_pop(stack); /* its lanes are in the entry below, where they reconverge anyway */
        reconverge = all.reconverge;
    } else {
        top->pc = reconverge;
    }
    StackEntry to_next = {.pc = next, .reconverge = reconverge, .mask = all.mask & ~taken, .frame = all.frame};
    StackEntry to_target = {.pc = target, .reconverge = reconverge, .mask = taken, .frame = all.frame};
    if (target != reconverge) stack_push(stack, to_target);
    if (next != reconverge) stack_push(stack, to_next);
}

static void remove_lanes(SimtStack *stack, uint32_t lanes, uint32_t frame, bool every_frame) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < stack->depth; i++) {
        StackEntry entry = stack->entries[i];
        if (every_frame || entry.frame == frame) entry.mask &= ~lanes;
        if (entry.mask) stack->entries[kept++] = entry;
    }
    stack->depth = kept;
}

void stack_remove(SimtStack *stack, uint32_t lanes) { remove_lanes(stack, lanes, 0, true); }

void stack_remove_frame(SimtStack *stack, uint32_t lanes) { remove_lanes(stack, lanes, stack_top(stack)->frame, false); }

bool stack_yield(SimtStack *stack) {
    uint32_t above = stack_top(stack)->mask, found = NO_INDEX;
    /* The lowest one: what was the top is then the highest of those that wait, so that each comes to execute. */
    for (uint32_t i = stack->depth - 1; i-- > 0;) {
        const StackEntry *entry = &stack->entries[i];
        if (!(entry->mask & above) && !entry->blocked) found = i;
        above |= entry->mask;
    }
    if (found == NO_INDEX) return false;
    StackEntry entry = stack->entries[found];
    memmove(&stack->entries[found], &stack->entries[found + 1], (stack->depth - found - 1) * sizeof entry);
    *stack_top(stack) = entry;
    return true;
}

bool stack_release(SimtStack *stack) {
    uint32_t above = stack_top(stack)->mask;
    for (uint32_t i = stack->depth - 1; i-- > 0;) {
        StackEntry entry = stack->entries[i];
        uint32_t waiting = entry.mask & ~above;
        if (waiting && entry.mask & above && !entry.blocked) {
            stack->entries[i].mask &= ~waiting;
            entry.mask = waiting;
            stack_push(stack, entry);
            return true;
        }
        above |= entry.mask;
    }
    return false;
}

static bool waits_with(const StackEntry *entry, const StackEntry *top) {
    return entry->blocked && entry->pc == top->pc && entry->frame == top->frame;
}

uint32_t stack_waiting_lanes(const SimtStack *stack) {
    const StackEntry *top = stack_top(stack);
    uint32_t lanes = 0;
    for (const StackEntry *entry = stack->entries; entry < top; entry++)
        if (waits_with(entry, top)) lanes |= entry->mask;
    return lanes;
}

void stack_converge(SimtStack *stack) {
    uint32_t kept = 0;
    StackEntry top = *stack_top(stack);
    for (uint32_t i = 0; i + 1 < stack->depth; i++) {
        StackEntry entry = stack->entries[i];
        if (waits_with(&entry, &top)) {
            if (entry.reconverge == top.reconverge) {
                top.mask |= entry.mask;
                continue;
            }
            entry.blocked = false;
            entry.pc++;
        }
        stack->entries[kept++] = entry;
    }
    top.blocked = false;
    stack->entries[kept++] = top;
    stack->depth = kept;
}
