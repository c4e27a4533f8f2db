#include "machine/slots.h"

#include <stdlib.h>
#include <string.h>

#include "machine/lower.h"
#include "ptx/walk.h"

/* Basic blocks × registers × iterations of the data flow analysis beyond which every register gets a slot of its own. Compilers' code needs a
 * few iterations; code written to be slow needs as many as it has basic blocks. */
enum { BITS_LIMIT = 1 << 30 };

/* Sets of registers: those that are live where a basic block begins and ends, and those that it reads before it writes them, and writes. */
typedef struct LiveSets {
    uint64_t *in, *out, *used, *defined;
} LiveSets;

typedef struct Liveness {
    const Program *program;
    const Function *function;
    const Flow *flow;
    Arena *arena;        /* temporary */
    uint32_t set_words;  /* of a set of registers, 64 in each */
    LiveSets *sets;      /* by basic block */
    uint32_t *from, *to; /* by register: 2 × instruction (+ 1 behind it), from > to when it is never live */
} Liveness;

/* A guarded write may leave the old value, and defines nothing. */
static void note_uses(LiveSets *sets, const Insn *insn) {
    for (RegisterWalk at = walk_reads(insn); walk_next(&at);)
        sets->used[at.index / 64] |= UINT64_C(1) << (at.index % 64) & ~sets->defined[at.index / 64];
    for (RegisterWalk at = walk_writes(insn); !insn->guarded && walk_next(&at);)
        sets->defined[at.index / 64] |= UINT64_C(1) << (at.index % 64);
}

static void flow_from(const Liveness *live, LiveSets *sets, uint32_t block) {
    for (uint32_t w = 0; w < live->set_words; w++) sets->out[w] |= live->sets[block].in[w];
}

static bool flow_back(const Liveness *live, uint32_t block) {
    const Insn *last = &live->program->insns[live->flow->blocks[block].end - 1];
    const BranchTable to = insn_targets(last);
    LiveSets *sets = &live->sets[block];
    bool changed = false;
    /* An index beyond a brx's table leads on as well. */
    const bool falls = insn_falls(last) || last->table;
    if (falls && block + 1 < live->flow->n_blocks) flow_from(live, sets, block + 1);
    for (uint32_t t = 0; t < to.count; t++) flow_from(live, sets, live->flow->block_of[to.targets[t] - live->function->first]);
    for (uint32_t w = 0; w < live->set_words; w++) {
        uint64_t in = sets->used[w] | (sets->out[w] & ~sets->defined[w]);
        changed |= in != sets->in[w];
        sets->in[w] = in;
    }
    return changed;
}

static void extend(Liveness *live, uint32_t index, uint32_t position) {
    if (position < live->from[index]) live->from[index] = position;
    if (position > live->to[index]) live->to[index] = position;
}

static void extend_set(Liveness *live, const uint64_t *set, uint32_t position) {
    for (uint32_t w = 0; w < live->set_words; w++)
        for (uint64_t left = set[w]; left; left &= left - 1) extend(live, w * 64 + (uint32_t)__builtin_ctzll(left), position);
}

/* The interval of instructions in which each register is live. False when finding out takes too long. */
static bool find_intervals(Liveness *live) {
    const Insn *insns = live->program->insns;
    const Flow *flow = live->flow;
    for (uint32_t b = 0; b < flow->n_blocks; b++) {
        uint64_t *sets = ARENA_ARRAY(live->arena, uint64_t, 4 * (size_t)live->set_words);
        live->sets[b] =
            (LiveSets){sets, sets + live->set_words, sets + 2 * (size_t)live->set_words, sets + 3 * (size_t)live->set_words};
        for (uint32_t i = flow->blocks[b].first; i < flow->blocks[b].end; i++) note_uses(&live->sets[b], &insns[i]);
    }
    uint64_t bits_iteration = (uint64_t)flow->n_blocks * live->function->n_registers, bits = bits_iteration;
    for (bool changed = true; changed; bits += bits_iteration) {
        if (bits > BITS_LIMIT) return false;
        changed = false;
        for (uint32_t b = flow->n_blocks; b-- > 0;) changed |= flow_back(live, b);
    }
    for (uint32_t b = 0; b < flow->n_blocks; b++) {
        extend_set(live, live->sets[b].in, 2 * flow->blocks[b].first);
        extend_set(live, live->sets[b].out, 2 * flow->blocks[b].end - 1);
        for (uint32_t i = flow->blocks[b].first; i < flow->blocks[b].end; i++) {
            const OpClass class = (OpClass)opcode_classes[insns[i].op];
            for (RegisterWalk at = walk_reads(&insns[i]); walk_next(&at);) extend(live, at.index, 2 * i);
            for (RegisterWalk at = walk_writes(&insns[i]); walk_next(&at);)
                extend(live, at.index, 2 * i + (class == CLASS_ALU || class == CLASS_MOVE));
        }
    }
    return true;
}

typedef struct Pool {
    uint32_t count, n_free;
    uint32_t *free; /* numbers of slots that may be used again, last freed last */
} Pool;

static unsigned pool_of(const Function *function, uint32_t index) {
    unsigned width = lower_register_width(function, index);
    return width == 8 ? 0 : width == 4 ? 1 : 2;
}

static const uint32_t pool_bytes[3] = {8 * WARP_LANES, 4 * WARP_LANES, 4};

/* Slots from the pools; bytes and bases follow from how many each pool needed. */
static Slot *number_slots(const Function *function, const uint32_t *number, const Pool *pools, Arena *arena, uint32_t *bytes) {
    uint32_t bases[3] = {0, pools[0].count * pool_bytes[0], 0};
    bases[2] = bases[1] + pools[1].count * pool_bytes[1];
    Slot *slots = ARENA_ARRAY(arena, Slot, function->n_registers + 1);
    for (uint32_t r = 0; r < function->n_registers; r++) {
        unsigned pool = pool_of(function, r);
        slots[r] = SLOT(AREA_FRAME, bases[pool] + number[r] * pool_bytes[pool]);
    }
    *bytes = (bases[2] + pools[2].count * pool_bytes[2] + 63) / 64 * 64;
    return slots;
}

typedef struct LiveInterval {
    uint32_t from, to, index;
} LiveInterval;

static int by_start(const void *left, const void *right) {
    const LiveInterval *a = left, *b = right;
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : a->index < b->index ? -1 : a->index > b->index;
}

static int by_end(const void *left, const void *right) {
    const LiveInterval *a = left, *b = right;
    return a->to != b->to ? (a->to < b->to ? -1 : 1) : a->index < b->index ? -1 : a->index > b->index;
}

/* Linear scan: each register takes a slot that is free where its interval begins. */
static void scan(const Liveness *live, Pool *pools, uint32_t *number) {
    const Function *function = live->function;
    LiveInterval *starts = ARENA_ARRAY(live->arena, LiveInterval, function->n_registers + 1),
                 *ends = ARENA_ARRAY(live->arena, LiveInterval, function->n_registers + 1);
    uint32_t count = 0, ended = 0;
    for (uint32_t r = 0; r < function->n_registers; r++)
        if (live->from[r] <= live->to[r]) starts[count++] = (LiveInterval){live->from[r], live->to[r], r};
    memcpy(ends, starts, count * sizeof *ends);
    qsort(starts, count, sizeof *starts, by_start);
    qsort(ends, count, sizeof *ends, by_end);
    for (uint32_t i = 0; i < count; i++) {
        for (; ended < count && ends[ended].to < starts[i].from; ended++) {
            Pool *pool = &pools[pool_of(function, ends[ended].index)];
            pool->free[pool->n_free++] = number[ends[ended].index];
        }
        Pool *pool = &pools[pool_of(function, starts[i].index)];
        number[starts[i].index] = pool->n_free ? pool->free[--pool->n_free] : pool->count++;
    }
    for (int p = 0; p < 3; p++)
        if (!pools[p].count) pools[p].count = 1; /* registers that are never live point at the first */
}

/* Those that are live where the function begins. */
static void list_unwritten(const Liveness *live, const Slot *slots, Arena *arena, CodeFunction *lowered) {
    const uint64_t *in = live->sets[0].in;
    for (uint32_t w = 0; w < live->set_words; w++) lowered->n_unwritten += (uint32_t)__builtin_popcountll(in[w]);
    Unwritten *unwritten = ARENA_ARRAY(arena, Unwritten, lowered->n_unwritten + 1), *next = unwritten;
    for (uint32_t r = 0; r < live->function->n_registers; r++)
        if (in[r / 64] >> r % 64 & 1) *next++ = (Unwritten){slots[r], lower_register_width(live->function, r)};
    lowered->unwritten = unwritten;
}

Slot *slots_assign(const Kernel *kernel, uint32_t index, Arena *arena, CodeFunction *lowered, bool *undefined) {
    const Function *function = &kernel->program->functions[index];
    Liveness live = {.program = kernel->program,
                     .function = function,
                     .flow = &kernel->flows[index],
                     .arena = arena_new(),
                     .set_words = (function->n_registers + 63) / 64};
    uint32_t *number = ARENA_ARRAY(live.arena, uint32_t, function->n_registers + 1);
    Pool pools[3] = {{0}};
    live.from = ARENA_ARRAY(live.arena, uint32_t, function->n_registers + 1);
    live.to = ARENA_ARRAY(live.arena, uint32_t, function->n_registers + 1);
    memset(live.from, 0xff, (function->n_registers + 1) * sizeof *live.from);
    live.sets = ARENA_ARRAY(live.arena, LiveSets, live.flow->n_blocks);
    const bool known = (uint64_t)live.flow->n_blocks * function->n_registers <= BITS_LIMIT / 4 && find_intervals(&live);
    if (known) {
        for (uint32_t w = 0; w < live.set_words; w++) *undefined |= live.sets[0].in[w] != 0;
        for (int p = 0; p < 3; p++) pools[p].free = ARENA_ARRAY(live.arena, uint32_t, function->n_registers + 1);
        scan(&live, pools, number);
    } else {
        for (uint32_t r = 0; r < function->n_registers; r++) number[r] = pools[pool_of(function, r)].count++;
        *undefined = true;
    }
    Slot *slots = number_slots(function, number, pools, arena, &lowered->frame_slots_bytes);
    if (known && live.flow->n_blocks) list_unwritten(&live, slots, arena, lowered);
    arena_free(live.arena);
    return slots;
}
