/* simt_stack.h: which lanes of a warp execute where: the SIMT reconvergence stack (Fung et al., MICRO 2007). The top entry executes. One
 * below it has lanes of its own, which wait, and those of entries above that will reconverge there. An entry is popped when it reaches its
 * reconvergence point, the immediate post-dominator of the branch at which its lanes diverged: they then are in an entry below.
 *
 * Every function here may change the top entry. A stack is not empty, but for stack_push, stack_remove and stack_remove_frame. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct StackEntry {
    uint32_t pc;         /* step index */
    uint32_t reconverge; /* step index or NO_INSN */
    uint32_t mask;
    uint32_t frame; /* index into the warp's frames */
    bool blocked;   /* waits at pc for lanes that its _sync mask names */
} StackEntry;

typedef struct SimtStack {
    uint32_t depth, capacity;
    StackEntry *entries; /* the last one is the top */
} SimtStack;

static inline StackEntry *stack_top(const SimtStack *stack) { return &stack->entries[stack->depth - 1]; }
static inline void stack_pop(SimtStack *stack) { stack->depth--; }
void stack_push(SimtStack *stack, StackEntry entry);

/* A branch: the lanes `taken`, not all of the top entry's, go on at target, its others at next; both reconverge at that step, or with
 * NO_INSN where the top entry does. */
void stack_diverge(SimtStack *stack, uint32_t taken, uint32_t target, uint32_t next, uint32_t reconverge);

/* The lanes leave the kernel, or the function whose activation the top entry executes. Entries without lanes are dropped. */
void stack_remove(SimtStack *stack, uint32_t lanes);
void stack_remove_frame(SimtStack *stack, uint32_t lanes);

/* Makes another entry the top whose lanes wait for no others, round-robin. False when there is none. */
bool stack_yield(SimtStack *stack);

/* Lanes that wait at a reconvergence point go on without the others, as a new top entry. False when there are none. */
bool stack_release(SimtStack *stack);

/* Lanes of other entries that are blocked at the top entry's instruction. stack_converge lets them go on: joined to the top entry, whose pc
 * stays where it is, if they share its reconvergence point; else behind the instruction, each entry by itself. */
uint32_t stack_waiting_lanes(const SimtStack *stack);
void stack_converge(SimtStack *stack);
