#include "observe/global_check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A shadow word is 0, or: */
#define INITIALIZED 0x80000000u
enum { CHUNK = WARP_LANES };

struct GlobalCheck {
    Memory *memory;
    const Kernel *kernel;
};

struct GlobalWorker {
    GlobalCheck *check;
    Allocation **recent; /* by pc: the allocation touched last */
    FindingLog *log;
    Origins *origins;
};

/* Shadows are shared by host threads without locks: words are loaded and stored whole, and never become 0 again. */
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

static void shadow_prepare(Allocation *allocation, uint32_t granule) {
    if (allocation->initialized) return;
    if (!allocation->shadow)
        memory_shadow(allocation, granule);
    else if (granule < allocation->granule)
        shadow_refine(allocation, granule);
}

GlobalCheck *global_check_new(Memory *memory, const Kernel *kernel) {
    GlobalCheck *check = alloc_zeroed(1, sizeof *check);
    check->memory = memory;
    check->kernel = kernel;
    for (size_t i = 0; i < memory_count(memory); i++) {
        Allocation *allocation = memory_at(memory, i);
        if (!allocation->constant) shadow_prepare(allocation, kernel->global_granule);
    }
    return check;
}

void global_check_free(GlobalCheck *check) { free(check); }

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
    return worker;
}

void global_worker_free(GlobalWorker *worker) {
    if (!worker) return;
    free(worker->recent);
    free(worker);
}

/* --- one access ---------------------------------------------------------------------------------------------------------- */

typedef struct GlobalVisit {
    GlobalWorker *worker;
    const Place *place;
    const Access *access;
    Fault *fault;
    Allocation *in;
    uint32_t *shadow;
    uint32_t granule, granules; /* its bytes; those of one lane */
    bool reads, writes;
} GlobalVisit;

/* The fault is complete but for its thread. True when the check goes on. */
static bool tell(const GlobalVisit *visit, uint32_t lane) {
    fault_blame(visit->fault, visit->place, lane);
    return findings_take(visit->worker->log, visit->place, visit->fault);
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
        if (word_load(&visit->shadow[index + nth])) continue;
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
    for (uint32_t nth = 0; visit->writes && nth < visit->granules; nth++) word_store(&visit->shadow[index + nth], INITIALIZED);
    return true;
}

/* --- the lanes ------------------------------------------------------------------------------------------------------------- */

static bool visit_contiguous(const GlobalVisit *visit, uint64_t first) {
    const uint32_t words = visit->granules * CHUNK;
    uint32_t *at = visit->shadow + first, all = INITIALIZED;
    for (uint32_t i = 0; i < words; i++) all &= word_load(at + i);
    for (uint32_t lane = 0; visit->reads && !all && lane < WARP_LANES; lane++)
        if (!lane_initialized(visit, lane, first + (uint64_t)lane * visit->granules)) return false;
    for (uint32_t i = 0; visit->writes && !all && i < words; i++) word_store(at + i, INITIALIZED);
    return true;
}

static bool visit_scattered(const GlobalVisit *visit, const Touch *touch) {
    uint32_t shift = (uint32_t)__builtin_ctz(visit->granule), all = INITIALIZED;
    for (uint32_t nth = 0; nth < visit->granules; nth++)
        for (int l = 0; l < CHUNK; l++) all &= word_load(visit->shadow + (touch->offset[l] >> shift) + nth);
    for (uint32_t l = 0; !all && l < CHUNK; l++)
        if (touch->lane[l] == l && !visit_lane(visit, l, touch->offset[l] >> shift)) return false;
    return true;
}

/* The lanes that touch visit->in. */
static bool visit_allocation(const GlobalVisit *visit, const Touch *touch) {
    uint32_t shift = (uint32_t)__builtin_ctz(visit->granule);
    if (touch->contiguous) return visit_contiguous(visit, touch->lowest >> shift);
    if (touch->runs == 1) return visit_lane(visit, touch->lane[0], touch->lowest >> shift);
    return visit_scattered(visit, touch);
}

static Allocation *find(GlobalWorker *worker, uint32_t pc, uint64_t address) {
    Allocation *recent = worker->recent[pc];
    if (recent && address - recent->address < recent->bytes) return recent;
    recent = memory_find(worker->check->memory, address);
    if (recent) worker->recent[pc] = recent;
    return recent;
}

bool global_worker_access(GlobalWorker *worker, const Place *place, const Access *access, Fault *fault) {
    const bool exchanges = worker->check->kernel->traits[access->pc] & TRAIT_EXCHANGE;
    GlobalVisit visit = {.worker = worker, .place = place, .access = access, .fault = fault};
    visit.reads = access->kind != ACCESS_STORE && !exchanges;
    visit.writes = access->kind != ACCESS_LOAD;
    for (uint32_t left = access->active; left;) { /* lanes may be in several allocations */
        uint32_t first = (uint32_t)__builtin_ctz(left), lanes = left;
        visit.in = find(worker, access->pc, access->addr[first]);
        left &= left - 1;
        if (!visit.in || visit.in->initialized || !visit.in->shadow || visit.in->constant) continue;
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
        assert(visit.granules);
        if (!visit_allocation(&visit, &touch)) return false;
    }
    return true;
}
