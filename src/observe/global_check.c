#include "observe/global_check.h"

#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A shadow word, from the top: initialised (1 bit), state (2), block (some), pc (as many as the program needs). State and block are those of
 * this launch. The block field is the block's number modulo 2^bits - 1; all ones stand for several blocks. */
#define INITIALIZED 0x80000000u
#define STATE_MASK 0x60000000u
#define STATE_NONE 0x00000000u
#define STATE_READ 0x20000000u    /* plainly, by the block or by several */
#define STATE_WRITTEN 0x40000000u /* plainly, by the block; it may have read it, or updated it atomically, as well */
#define STATE_ATOMIC 0x60000000u  /* atomic operations or volatile writes, by the block or by several */
enum { FIELD_BITS = 29, PC_BITS_MIN = 8, PC_BITS_MAX = 20, CHUNK = WARP_LANES };

struct GlobalCheck {
    Memory *memory;
    const Kernel *kernel;
    uint32_t max_resident;
    uint32_t pc_bits, pc_mask;
    uint32_t blocks_mask; /* the block field's bits, at their place */
    uint32_t several;     /* the block field's largest value */
    /* Programs with fences: when a block of this field first made a write that may release others, in ticks; 0: not yet. */
    uint32_t *released;
    uint32_t ticks;
    uint64_t blocks_seen; /* highest block number, plus 1 */
};

typedef struct ResidentBlock {
    uint32_t field;    /* the block field, at its place */
    uint32_t acquired; /* what blocks released up to this tick is ordered before what the block does now */
} ResidentBlock;

struct GlobalWorker {
    GlobalCheck *check;
    Allocation **recent; /* by pc: the allocation touched last */
    ResidentBlock *blocks;
    FindingLog *log;
    Origins *origins;
};

/* Shadows are shared by host threads without locks: words are loaded and stored whole, and a lost update may lose a report, but never makes one. */
static uint32_t word_load(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static void word_store(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }

/* --- shadows ------------------------------------------------------------------------------------------------------------- */

static uint64_t shadow_words(const Allocation *allocation) {
    return (allocation->bytes + allocation->granule - 1) / allocation->granule;
}

/* The shadow in a finer granule, with what it knows of initialisation. */
static void shadow_refine(Allocation *allocation, uint32_t granule) {
    uint64_t words = shadow_words(allocation);
    uint32_t coarse = allocation->granule;
    uint8_t *initialized = alloc_bytes(words);
    for (uint64_t i = 0; i < words; i++) initialized[i] = allocation->shadow[i] >> 31;
    memory_shadow(allocation, granule);
    const uint64_t finer = shadow_words(allocation), each = coarse / granule;
    for (uint64_t i = 0; i < words; i++)
        for (uint64_t at = i * each; initialized[i] && at < (i + 1) * each && at < finer; at++)
            allocation->shadow[at] = INITIALIZED;
    free(initialized);
}

/* A fresh shadow is all zero pages that cost nothing until they are touched, so it is made anew rather than cleared where it can be. */
static void shadow_prepare(Allocation *allocation, uint32_t granule) {
    if (allocation->initialized || !allocation->shadow) {
        memory_shadow(allocation, granule);
        return;
    }
    if (granule < allocation->granule) {
        shadow_refine(allocation, granule);
        return;
    }
    uint64_t words = shadow_words(allocation);
    for (uint64_t i = 0; i < words; i++)
        if (allocation->shadow[i] & ~INITIALIZED) allocation->shadow[i] &= INITIALIZED;
}

GlobalCheck *global_check_new(Memory *memory, const Kernel *kernel, uint32_t max_resident) {
    GlobalCheck *check = alloc_zeroed(1, sizeof *check);
    check->memory = memory;
    check->kernel = kernel;
    check->max_resident = max_resident;
    check->pc_bits = PC_BITS_MIN;
    while (check->pc_bits < PC_BITS_MAX && kernel->program->n_insns > (1u << check->pc_bits)) check->pc_bits++;
    check->pc_mask = (1u << check->pc_bits) - 1;
    check->several = (1u << (FIELD_BITS - check->pc_bits)) - 1;
    check->blocks_mask = check->several << check->pc_bits;
    if (kernel->fenced) {
        check->released = alloc_zeroed(check->several, sizeof *check->released);
    }
    for (size_t i = 0; i < memory_count(memory); i++) {
        Allocation *allocation = memory_at(memory, i);
        if (!allocation->constant) shadow_prepare(allocation, kernel->global_granule);
    }
    return check;
}

void global_check_free(GlobalCheck *check) {
    if (!check) return;
    free(check->released);
    free(check);
}

/* A granule counts as written once any of its bytes is; the others are then undefined. */
static void granule_wrote(Allocation *allocation, uint64_t index) {
    if (!(allocation->shadow[index] & INITIALIZED))
        memset(memory_undefined(allocation) + index * allocation->granule, 0xff, allocation->granule);
}

void global_check_host_wrote(Allocation *allocation, uint64_t offset, uint64_t bytes) {
    if (!bytes) return;
    if (bytes == allocation->bytes) {
        allocation->initialized = true;
        memory_define(allocation);
        return;
    }
    if (!allocation->initialized) {
        if (!allocation->shadow) memory_shadow(allocation, sizeof(uint32_t));
        uint64_t first = offset / allocation->granule, last = (offset + bytes - 1) / allocation->granule;
        if (offset % allocation->granule) granule_wrote(allocation, first);
        if ((offset + bytes) % allocation->granule) granule_wrote(allocation, last);
        for (uint64_t i = first; i <= last; i++) allocation->shadow[i] |= INITIALIZED;
    }
    if (allocation->undefined) memset(allocation->undefined + offset, 0, bytes);
}

bool global_check_undefined(const Allocation *allocation, uint64_t offset) {
    if (allocation->undefined && allocation->undefined[offset]) return true;
    return !allocation->initialized && !(allocation->shadow && allocation->shadow[offset / allocation->granule] & INITIALIZED);
}

GlobalWorker *global_worker_new(GlobalCheck *check, FindingLog *log, Origins *origins) {
    GlobalWorker *worker = alloc_zeroed(1, sizeof *worker);
    worker->check = check;
    worker->log = log;
    worker->origins = origins;
    worker->recent = alloc_zeroed(check->kernel->program->n_insns + 1, sizeof *worker->recent);
    worker->blocks = alloc_zeroed(check->max_resident, sizeof *worker->blocks);
    return worker;
}

void global_worker_free(GlobalWorker *worker) {
    if (!worker) return;
    free(worker->recent);
    free(worker->blocks);
    free(worker);
}

void global_worker_block(GlobalWorker *worker, const Place *place) {
    GlobalCheck *check = worker->check;
    worker->blocks[place->block_slot] = (ResidentBlock){.field = (uint32_t)(place->block % check->several) << check->pc_bits};
    uint64_t seen = __atomic_load_n(&check->blocks_seen, __ATOMIC_RELAXED);
    while (seen <= place->block && !__atomic_compare_exchange_n(&check->blocks_seen, &seen, place->block + 1, true,
                                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

/* --- one access ---------------------------------------------------------------------------------------------------------- */

/* What an access does to the words it touches. */
typedef enum Use { USE_READ, USE_STRONG_READ, USE_WRITE, USE_STRONG_WRITE, USE_ATOMIC } Use;

typedef struct GlobalVisit {
    GlobalWorker *worker;
    const Place *place;
    const Access *access;
    Fault *fault;
    Allocation *in;
    uint32_t *shadow;
    uint32_t granule, granules; /* its bytes; those of one lane */
    uint32_t floor;             /* what is set in every word: INITIALIZED when the host has written all of the allocation */
    uint32_t field, pc;         /* as they stand in a word */
    Use use;
    bool reads;
} GlobalVisit;

static Use use_of(const Access *access, const Kernel *kernel, bool *reads) {
    bool strong = strength_of(access) != STRENGTH_PLAIN;
    *reads = access->kind != ACCESS_STORE;
    if (access->kind == ACCESS_LOAD) return strong ? USE_STRONG_READ : USE_READ;
    if (access->kind == ACCESS_STORE) return strong ? USE_STRONG_WRITE : USE_WRITE;
    if (kernel->traits[access->pc] & TRAIT_EXCHANGE) *reads = false;
    return USE_ATOMIC;
}

static uint32_t state_word(const GlobalVisit *visit, uint32_t state) { return INITIALIZED | state | visit->field | visit->pc; }

/* The words' next values, where nothing is wrong or needs a closer look. Returns whether something is or does. Each is one loop that the
 * compiler can vectorise. */
static bool next_read(const GlobalVisit *visit, const uint32_t *old, uint32_t *next) {
    uint32_t mine = state_word(visit, STATE_READ), field = visit->worker->check->blocks_mask, floor = visit->floor, bad = 0;
    for (int i = 0; i < CHUNK; i++) {
        uint32_t word = old[i] | floor, state = word & STATE_MASK;
        uint32_t foreign = ((word ^ mine) & field) != 0;
        bad |= (word < INITIALIZED) | ((state >= STATE_WRITTEN) & foreign);
        uint32_t shared = (state == STATE_READ) & foreign ? word | field : word;
        next[i] = state == STATE_NONE ? mine : shared;
    }
    return bad;
}

static bool next_strong_read(const GlobalVisit *visit, const uint32_t *old, uint32_t *next) {
    uint32_t mine = visit->field, field = visit->worker->check->blocks_mask, floor = visit->floor, bad = 0;
    for (int i = 0; i < CHUNK; i++) {
        uint32_t word = old[i] | floor;
        uint32_t foreign = ((word ^ mine) & field) != 0;
        bad |= (word < INITIALIZED) | (((word & STATE_MASK) == STATE_WRITTEN) & foreign);
        next[i] = old[i];
    }
    return bad;
}

static bool next_write(const GlobalVisit *visit, const uint32_t *old, uint32_t *next) {
    uint32_t mine = state_word(visit, STATE_WRITTEN), field = visit->worker->check->blocks_mask, bad = 0;
    for (int i = 0; i < CHUNK; i++) {
        uint32_t foreign = ((old[i] ^ mine) & field) != 0;
        bad |= ((old[i] & STATE_MASK) != STATE_NONE) & foreign;
        next[i] = mine;
    }
    return bad;
}

static bool next_atomic(const GlobalVisit *visit, const uint32_t *old, uint32_t *next) {
    uint32_t mine = state_word(visit, STATE_ATOMIC), field = visit->worker->check->blocks_mask;
    uint32_t floor = visit->floor | (visit->reads ? 0 : INITIALIZED), bad = 0;
    for (int i = 0; i < CHUNK; i++) {
        uint32_t word = old[i] | floor, state = word & STATE_MASK;
        uint32_t foreign = ((word ^ mine) & field) != 0;
        bad |= (word < INITIALIZED) | (((state == STATE_READ) | (state == STATE_WRITTEN)) & foreign);
        uint32_t shared = (state == STATE_ATOMIC) & foreign ? word | field : word;
        next[i] = state <= STATE_READ ? mine : shared;
    }
    return bad;
}

static bool next_words(const GlobalVisit *visit, const uint32_t *old, uint32_t *next) {
    switch (visit->use) {
    case USE_READ: return next_read(visit, old, next);
    case USE_STRONG_READ: return next_strong_read(visit, old, next);
    case USE_WRITE: return next_write(visit, old, next);
    case USE_STRONG_WRITE:
    case USE_ATOMIC: break;
    }
    return next_atomic(visit, old, next);
}

/* --- a closer look at one word --------------------------------------------------------------------------------------------- */

static uint32_t word_pc(const GlobalVisit *visit, uint32_t word) {
    const GlobalCheck *check = visit->worker->check;
    uint32_t pc = word & check->pc_mask;
    return pc < check->kernel->program->n_insns && (check->pc_bits < PC_BITS_MAX || pc < check->pc_mask) ? pc : NO_INSN;
}

/* Fences and atomics order, or may order, the access that the word records before this one. */
static bool is_ordered(const GlobalVisit *visit, uint32_t word) {
    const GlobalCheck *check = visit->worker->check;
    if (!check->released) return false;
    uint32_t acquired = visit->worker->blocks[visit->place->block_slot].acquired;
    uint32_t other = (word & check->blocks_mask) >> check->pc_bits;
    if (other == check->several) return acquired > 0;
    uint32_t released = word_load(&check->released[other]);
    return released && released <= acquired;
}

/* Whether memory holds other bytes than those about to be written. Another host thread marks its word before its bytes arrive, so a
 * difference counts only when it lasts. A yield is short when a processor is free, and lets the other thread run when none is. */
static bool stays_different(const uint8_t *there, const uint8_t *data, uint32_t count) {
    for (int patience = 200; patience > 0; patience--) {
        uint32_t same = 0;
        while (same < count && __atomic_load_n(&there[same], __ATOMIC_RELAXED) == data[same]) same++;
        if (same == count) return false;
        sched_yield();
    }
    return true;
}

static bool is_race(const GlobalVisit *visit, uint32_t word, uint32_t lane, uint32_t nth, uint64_t index) {
    const Kernel *kernel = visit->worker->check->kernel;
    uint32_t state = word & STATE_MASK;
    if (state == STATE_NONE || !((word ^ visit->field) & visit->worker->check->blocks_mask) || is_ordered(visit, word))
        return false;
    switch (visit->use) {
    case USE_READ:
        return state == STATE_WRITTEN ||
               (state == STATE_ATOMIC && !kernel_guesses(kernel, visit->access->pc, word_pc(visit, word)));
    case USE_STRONG_READ: return state == STATE_WRITTEN;
    case USE_STRONG_WRITE:
    case USE_ATOMIC:
        return state == STATE_WRITTEN ||
               (state == STATE_READ && !kernel_guesses(kernel, word_pc(visit, word), visit->access->pc));
    case USE_WRITE: break;
    }
    if (state != STATE_WRITTEN) return true;
    const uint8_t *data = visit->access->data;
    return stays_different(visit->in->host + index * visit->granule,
                           data + (size_t)lane * visit->access->bytes + (size_t)nth * visit->granule, visit->granule);
}

/* What the word records from now on, when there was no race. */
static uint32_t next_word(const GlobalVisit *visit, uint32_t word) {
    uint32_t field = visit->worker->check->blocks_mask, state = word & STATE_MASK;
    bool foreign = (word ^ visit->field) & field;
    bool ordered = state != STATE_NONE && foreign && is_ordered(visit, word);
    switch (visit->use) {
    case USE_READ:
        if (state == STATE_NONE) return state_word(visit, STATE_READ);
        return state == STATE_READ && foreign ? word | field : word;
    case USE_STRONG_READ: return word;
    case USE_WRITE: return state == STATE_WRITTEN && foreign && !ordered ? word : state_word(visit, STATE_WRITTEN);
    case USE_STRONG_WRITE:
    case USE_ATOMIC: break;
    }
    if (state == STATE_ATOMIC) return foreign && !ordered ? word | field : word;
    return state == STATE_WRITTEN && !foreign ? word : state_word(visit, STATE_ATOMIC);
}

static const char *word_verb(uint32_t word) {
    uint32_t state = word & STATE_MASK;
    return state == STATE_READ ? "read" : state == STATE_WRITTEN ? "wrote" : "updated atomically";
}

/* The fault is complete but for its thread. True when the check goes on. */
static bool tell(const GlobalVisit *visit, uint32_t lane) {
    fault_blame(visit->fault, visit->place, lane);
    return findings_take(visit->worker->log, visit->place, visit->fault);
}

static bool report_race(const GlobalVisit *visit, uint32_t word, uint32_t lane, uint32_t nth) {
    const GlobalCheck *check = visit->worker->check;
    const Access *access = visit->access;
    Fault *fault = visit->fault;
    char other[40] = "another block";
    uint32_t block = (word & check->blocks_mask) >> check->pc_bits;
    if (block < check->several && __atomic_load_n(&check->blocks_seen, __ATOMIC_RELAXED) <= check->several)
        snprintf(other, sizeof other, "block %u", block);
    uint64_t offset = access->addr[lane] - visit->in->address;
    char which[40] = "which"; /* of a wide access, the byte that both touched */
    if (visit->granules > 1)
        snprintf(which, sizeof which, "whose byte %llu", (unsigned long long)(offset + (uint64_t)nth * visit->granule));
    fault_set(fault, FAULT_global_race, access->pc,
              "lane %u of warp %u of block %llu %s %u byte%s at '%s'+%llu, %s %s %s in the same launch", lane,
              visit->place->warp, (unsigned long long)visit->place->block, access_verb(access->kind), access->bytes,
              plural_s(access->bytes), visit->in->name, (unsigned long long)offset, which, other, word_verb(word));
    fault->other_pc = word_pc(visit, word);
    bool atomic = visit->use >= USE_STRONG_WRITE || visit->use == USE_STRONG_READ || (word & STATE_MASK) == STATE_ATOMIC;
    if (atomic)
        fault_hint(fault,
                   "blocks run in no fixed order: make both accesses atomic, or put the other one into a launch of its own");
    else if (visit->use == USE_WRITE && (word & STATE_MASK) == STATE_WRITTEN)
        fault_hint(fault,
                   "two blocks write different values to one place: check how blockIdx goes into the index, or use an atomic "
                   "operation");
    else
        fault_hint(fault,
                   "blocks run in no fixed order, and __syncthreads() orders one block alone: write to another buffer, or use "
                   "two launches");
    return tell(visit, lane);
}

static bool follows_written(const GlobalVisit *visit, uint64_t index) {
    for (; index * visit->granule % PADDING_UNIT; index--)
        if (word_load(&visit->shadow[index - 1]) & INITIALIZED) return true;
    return false;
}

/* What a load reads of words that were never written is undefined, which is told where something depends on it; an atomic operation does. */
static bool lane_initialized(const GlobalVisit *visit, uint32_t lane, uint64_t index) {
    const Access *access = visit->access;
    for (uint32_t nth = 0; nth < visit->granules; nth++) {
        if ((word_load(&visit->shadow[index + nth]) | visit->floor) & INITIALIZED) continue;
        if (access->kind == ACCESS_LOAD && access->undefined) {
            const Gap gap = {lane, nth * visit->granule, visit->granule, 0xff, follows_written(visit, index + nth)};
            origins_add(visit->worker->origins, visit->place, access, visit->in, gap);
            continue;
        }
        origins_fault_now(visit->place, access, visit->in, lane, nth * visit->granule, visit->fault);
        return tell(visit, lane);
    }
    return true;
}

static bool visit_lane(const GlobalVisit *visit, uint32_t lane, uint64_t index) {
    if (visit->reads && !lane_initialized(visit, lane, index)) return false;
    for (uint32_t nth = 0; nth < visit->granules; nth++) {
        uint32_t *at = &visit->shadow[index + nth], old = word_load(at), word = old | visit->floor;
        if (visit->use <= USE_STRONG_READ && !(word & INITIALIZED)) continue; /* undefined, or told above */
        if (is_race(visit, word, lane, nth, index + nth) && !report_race(visit, word, lane, nth)) return false;
        uint32_t next = next_word(visit, word);
        if (next != old) word_store(at, next);
    }
    return true;
}

/* --- the lanes ------------------------------------------------------------------------------------------------------------- */

static bool visit_contiguous(const GlobalVisit *visit, uint64_t first) {
    uint32_t old[CHUNK], next[CHUNK];
    uint32_t *at = visit->shadow + first;
    for (uint32_t chunk = 0; chunk < visit->granules; chunk++, at += CHUNK) {
        for (int i = 0; i < CHUNK; i++) old[i] = word_load(at + i);
        if (next_words(visit, old, next)) {
            for (uint32_t lane = chunk * CHUNK / visit->granules; lane < (chunk + 1) * CHUNK / visit->granules; lane++)
                if (!visit_lane(visit, lane, first + (uint64_t)lane * visit->granules)) return false;
            continue;
        }
        uint32_t changed = 0;
        for (int i = 0; i < CHUNK; i++) changed |= old[i] ^ next[i];
        if (!changed) continue;
        for (int i = 0; i < CHUNK; i++) word_store(at + i, next[i]);
    }
    return true;
}

static bool visit_scattered(const GlobalVisit *visit, const Touch *touch) {
    uint32_t old[CHUNK], next[CHUNK], shift = (uint32_t)__builtin_ctz(visit->granule);
    uint64_t index[CHUNK];
    for (int l = 0; l < CHUNK; l++) index[l] = touch->offset[l] >> shift;
    for (uint32_t nth = 0; nth < visit->granules; nth++) {
        uint32_t *at = visit->shadow + nth;
        for (int l = 0; l < CHUNK; l++) old[l] = word_load(at + index[l]);
        if (next_words(visit, old, next)) {
            for (int l = 0; l < CHUNK; l++)
                if (touch->lane[l] == (uint32_t)l && !visit_lane(visit, touch->lane[l], index[l])) return false;
            return true;
        }
        uint32_t changed = 0;
        for (int l = 0; l < CHUNK; l++) changed |= old[l] ^ next[l];
        if (!changed) continue;
        for (int l = 0; l < CHUNK; l++) word_store(at + index[l], next[l]);
    }
    return true;
}

/* The lanes that touch visit->in. */
static bool visit_allocation(const GlobalVisit *visit, const Touch *touch) {
    uint32_t shift = (uint32_t)__builtin_ctz(visit->granule);
    if (touch->contiguous) return visit_contiguous(visit, touch->lowest >> shift);
    if (touch->runs == 1) return visit_lane(visit, touch->lane[0], touch->lowest >> shift);
    return visit_scattered(visit, touch);
}

/* After the access: in a program with fences, atomic and volatile accesses order blocks. */
static void visit_order(const GlobalVisit *visit) {
    GlobalCheck *check = visit->worker->check;
    ResidentBlock *block = &visit->worker->blocks[visit->place->block_slot];
    if (!check->released || visit->use == USE_READ || visit->use == USE_WRITE) return;
    if (visit->use != USE_STRONG_WRITE) block->acquired = __atomic_load_n(&check->ticks, __ATOMIC_RELAXED);
    uint32_t *released = &check->released[block->field >> check->pc_bits];
    if (visit->use == USE_STRONG_READ || word_load(released)) return;
    word_store(released, __atomic_add_fetch(&check->ticks, 1, __ATOMIC_RELAXED));
}

static Allocation *find(GlobalWorker *worker, uint32_t pc, uint64_t address) {
    Allocation *recent = worker->recent[pc];
    if (recent && address - recent->address < recent->bytes) return recent;
    recent = memory_find(worker->check->memory, address);
    if (recent) worker->recent[pc] = recent;
    return recent;
}

bool global_worker_access(GlobalWorker *worker, const Place *place, const Access *access, Fault *fault) {
    const GlobalCheck *check = worker->check;
    GlobalVisit visit = {
        .worker = worker, .place = place, .access = access, .fault = fault, .field = worker->blocks[place->block_slot].field};
    visit.use = use_of(access, check->kernel, &visit.reads);
    visit.pc = access->pc < check->pc_mask ? access->pc : check->pc_mask;
    for (uint32_t left = access->active; left;) { /* lanes may be in several allocations */
        uint32_t first = (uint32_t)__builtin_ctz(left), lanes = left;
        visit.in = find(worker, access->pc, access->addr[first]);
        left &= left - 1;
        if (!visit.in || !visit.in->shadow || visit.in->constant) continue;
        Touch touch;
        touch_fill(&touch, access->addr, lanes, visit.in->address, access->bytes);
        if (touch.lowest >= visit.in->bytes || touch.highest >= visit.in->bytes) {
            for (uint32_t l = first; l < WARP_LANES; l++)
                if (access->addr[l] - visit.in->address >= visit.in->bytes) lanes &= ~(1u << l);
            touch_fill(&touch, access->addr, lanes, visit.in->address, access->bytes);
        }
        left &= ~lanes;
        visit.granule = visit.in->granule;
        visit.granules = access->bytes / visit.granule;
        visit.shadow = visit.in->shadow;
        visit.floor = visit.in->initialized ? INITIALIZED : 0;
        assert(visit.granules);
        if (!visit_allocation(&visit, &touch)) return false;
    }
    visit_order(&visit);
    return true;
}
