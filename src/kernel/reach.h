/* reach.h: what a kernel can reach: functions it calls, shared variables they use, and whether its blocks may communicate. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "ptx/program.h"

typedef struct Reach {
    uint32_t n_functions;
    uint32_t *functions;     /* program indices, the kernel first */
    bool unbounded_calls;    /* recursion or calls through pointers */
    uint64_t *shared_offset; /* by variable index; for .extern arrays the start of dynamic shared memory */
    uint32_t shared_static;  /* bytes of static shared memory, rounded so that dynamic shared memory may start there */
    bool ordered;            /* blocks may wait for each other, or what they do depends on their order */
    uint32_t call_depth;     /* longest chain of calls, in functions, 1 for a kernel without calls */
} Reach;

/* traits: as traits.h finds them. Everything is allocated from the arena. */
void reach_find(const Program *program, const Function *kernel, const uint8_t *traits, Arena *arena, Reach *reach);
