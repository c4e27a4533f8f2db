#include "machine/slots.h"

#include <stdlib.h>
#include <string.h>

#include "machine/lower.h"
#include "ptx/opcode.h"

/* Basic blocks × registers × iterations of the data flow analysis beyond which every register gets a slot of its own. Compilers' code needs a
 * few iterations; code written to be slow needs as many as it has basic blocks. */
enum { BITS_LIMIT = 1 << 30 };

/* A basic block with the registers that are live where it begins and ends. */
typedef struct BasicBlock {
    uint32_t first, end; /* instructions of the program */
    uint32_t successors[2];
    const BranchTable *table;
    uint64_t *in, *out, *used, *defined;
} BasicBlock;

typedef struct Liveness {
    const Program *program;
    const Function *function;
    Arena *arena;                 /* temporary */
    uint32_t n_blocks, set_words; /* set_words: of a set of registers, 64 in each */
    BasicBlock *blocks;
    uint32_t *block_of;  /* by instruction, from the function's first */
    uint32_t *from, *to; /* by register: 2 × instruction (+ 1 behind it), from > to when it is never live */
} Liveness;

typedef void RegisterVisitor(Liveness *live, uint32_t index, bool defines, void *context);

/* Calls visit for every register that the instruction reads and, after those, writes. */
static void visit_registers(Liveness *live, const Insn *insn, RegisterVisitor *visit, void *context) {
    if (insn->guarded) visit(live, insn->guard, false, context);
    for (unsigned k = insn->n_dst; k < (unsigned)insn->n_dst + insn->n_src; k++)
        if (insn->operands[k].kind == OPERAND_REGISTER || insn->operands[k].kind == OPERAND_ADDRESS)
            visit(live, insn->operands[k].index, false, context);
    if (insn->op == OP_call) {
        if (insn->call->function == NO_INDEX) visit(live, insn->call->pointer, false, context);
        for (uint32_t k = 0; k < insn->call->n_arguments; k++)
            if (insn->call->arguments[k].kind == OPERAND_REGISTER) visit(live, insn->call->arguments[k].index, false, context);
        for (uint32_t k = 0; k < insn->call->n_results; k++)
            if (insn->call->results[k].kind == OPERAND_REGISTER) visit(live, insn->call->results[k].index, true, context);
    }
    for (unsigned k = 0; k < insn->n_dst; k++)
        if (insn->operands[k].kind == OPERAND_REGISTER) visit(live, insn->operands[k].index, true, context);
}

static bool ends_basic_block(const Insn *insn) {
    return insn->op == OP_bra || insn->op == OP_brx || insn->op == OP_ret || insn->op == OP_exit || insn->op == OP_trap;
}

static void find_basic_blocks(Liveness *live) {
    const Function *function = live->function;
    const Insn *insns = live->program->insns;
    uint32_t first = function->first, end = first + function->count;
    bool *leads = ARENA_ARRAY(live->arena, bool, function->count + 1);
    leads[0] = true;
    for (uint32_t i = first; i < end; i++) {
        if (!ends_basic_block(&insns[i])) continue;
        leads[i + 1 - first] = true;
        if (insns[i].op == OP_bra) leads[insns[i].target - first] = true;
        if (insns[i].op == OP_brx)
            for (uint32_t k = 0; k < insns[i].table->count; k++) leads[insns[i].table->targets[k] - first] = true;
    }
    for (uint32_t i = 0; i < function->count; i++) live->n_blocks += leads[i];
    live->blocks = ARENA_ARRAY(live->arena, BasicBlock, live->n_blocks);
    live->block_of = ARENA_ARRAY(live->arena, uint32_t, function->count + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; i < function->count; i++) {
        if (leads[i]) live->blocks[at++].first = first + i;
        live->blocks[at - 1].end = first + i + 1;
        live->block_of[i] = at - 1;
    }
    for (uint32_t r = 0; r < live->n_blocks; r++) {
        BasicBlock *block = &live->blocks[r];
        const Insn *last = &insns[block->end - 1];
        block->successors[0] = block->successors[1] = NO_INDEX;
        bool leaves =
            (last->op == OP_bra || last->op == OP_ret || last->op == OP_exit || last->op == OP_trap) && !last->guarded;
        if (!leaves && r + 1 < live->n_blocks) block->successors[0] = r + 1;
        if (last->op == OP_bra) block->successors[1] = live->block_of[last->target - first];
        if (last->op == OP_brx) block->table = last->table;
    }
}

static void note_uses(Liveness *live, uint32_t index, bool defines, void *context) {
    (void)live;
    BasicBlock *block = ((BasicBlock **)context)[0];
    bool certain = !*((bool **)context)[1]; /* a guarded write may leave the old value */
    uint64_t bit = UINT64_C(1) << (index % 64);
    if (defines && certain)
        block->defined[index / 64] |= bit;
    else if (!(block->defined[index / 64] & bit))
        block->used[index / 64] |= bit;
}

static bool flow_back(Liveness *live, BasicBlock *block) {
    uint32_t n_successors = block->table ? block->table->count + 1 : 2;
    bool changed = false;
    for (uint32_t s = 0; s < n_successors; s++) {
        uint32_t to = s < 1 || !block->table ? block->successors[s]
                                             : live->block_of[block->table->targets[s - 1] - live->function->first];
        if (to == NO_INDEX) continue;
        for (uint32_t w = 0; w < live->set_words; w++) block->out[w] |= live->blocks[to].in[w];
    }
    for (uint32_t w = 0; w < live->set_words; w++) {
        uint64_t in = block->used[w] | (block->out[w] & ~block->defined[w]);
        changed |= in != block->in[w];
        block->in[w] = in;
    }
    return changed;
}

static void extend(Liveness *live, uint32_t index, uint32_t position) {
    if (position < live->from[index]) live->from[index] = position;
    if (position > live->to[index]) live->to[index] = position;
}

static void extend_at(Liveness *live, uint32_t index, bool defines, void *context) {
    extend(live, index, *(const uint32_t *)context + (defines ? ((const uint32_t *)context)[1] : 0));
}

static void extend_set(Liveness *live, const uint64_t *set, uint32_t position) {
    for (uint32_t w = 0; w < live->set_words; w++)
        for (uint64_t left = set[w]; left; left &= left - 1) extend(live, w * 64 + (uint32_t)__builtin_ctzll(left), position);
}

/* The interval of instructions in which each register is live. False when finding out takes too long. */
static bool find_intervals(Liveness *live) {
    const Insn *insns = live->program->insns;
    for (uint32_t r = 0; r < live->n_blocks; r++) {
        BasicBlock *block = &live->blocks[r];
        uint64_t *sets = ARENA_ARRAY(live->arena, uint64_t, 4 * (size_t)live->set_words);
        block->in = sets;
        block->out = sets + live->set_words;
        block->used = sets + 2 * (size_t)live->set_words;
        block->defined = sets + 3 * (size_t)live->set_words;
        for (uint32_t i = block->first; i < block->end; i++) {
            bool guarded = insns[i].guarded;
            void *context[2] = {block, &guarded};
            visit_registers(live, &insns[i], note_uses, context);
        }
    }
    uint64_t bits_iteration = (uint64_t)live->n_blocks * live->function->n_registers, bits = bits_iteration;
    for (bool changed = true; changed; bits += bits_iteration) {
        if (bits > BITS_LIMIT) return false;
        changed = false;
        for (uint32_t r = live->n_blocks; r-- > 0;) changed |= flow_back(live, &live->blocks[r]);
    }
    for (uint32_t r = 0; r < live->n_blocks; r++) {
        const BasicBlock *block = &live->blocks[r];
        extend_set(live, block->in, 2 * block->first);
        extend_set(live, block->out, 2 * block->end - 1);
        for (uint32_t i = block->first; i < block->end; i++) {
            uint8_t class = opcode_classes[insns[i].op];
            uint32_t context[2] = {2 * i, class == CLASS_ALU || class == CLASS_MOVE};
            visit_registers(live, &insns[i], extend_at, context);
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

Slot *slots_assign(const Program *program, const Function *function, Arena *arena, uint32_t *bytes, bool *undefined) {
    Liveness live = {
        .program = program, .function = function, .arena = arena_new(), .set_words = (function->n_registers + 63) / 64};
    uint32_t *number = ARENA_ARRAY(live.arena, uint32_t, function->n_registers + 1);
    Pool pools[3] = {{0}};
    live.from = ARENA_ARRAY(live.arena, uint32_t, function->n_registers + 1);
    live.to = ARENA_ARRAY(live.arena, uint32_t, function->n_registers + 1);
    memset(live.from, 0xff, (function->n_registers + 1) * sizeof *live.from);
    find_basic_blocks(&live);
    if ((uint64_t)live.n_blocks * function->n_registers <= BITS_LIMIT / 4 && find_intervals(&live)) {
        for (uint32_t w = 0; w < live.set_words; w++) *undefined |= live.blocks[0].in[w] != 0;
        for (int p = 0; p < 3; p++) pools[p].free = ARENA_ARRAY(live.arena, uint32_t, function->n_registers + 1);
        scan(&live, pools, number);
    } else {
        for (uint32_t r = 0; r < function->n_registers; r++) number[r] = pools[pool_of(function, r)].count++;
        *undefined = true;
    }
    Slot *slots = number_slots(function, number, pools, arena, bytes);
    arena_free(live.arena);
    return slots;
}
