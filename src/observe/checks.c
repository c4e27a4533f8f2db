#include "observe/checks.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"
#include "observe/async_check.h"
#include "observe/global_check.h"
#include "observe/global_race.h"
#include "observe/local_check.h"
#include "observe/overlay.h"
#include "observe/shared_check.h"

/* What a worker keeps for each block slot; made when the first block runs there. */
typedef struct BlockChecks {
    BlockOrder *order;
    SharedCheck *shared;
    LocalCheck *local;
    AsyncCheck *async;
    SharedOverlay overlay;
} BlockChecks;

typedef struct CheckWorker {
    Observer observer;
    const Kernel *kernel;
    CheckSet *set;
    GlobalWorker global;
    RaceWorker races;
    Allocation **recent; /* by pc: touch_next */
    Origins *origins;
    LaterReads *later; /* of shared memory */
    Causality *causality;
    bool strict;
    BlockChecks *blocks; /* by block slot */
    FindingLog log;      /* what it found that the launch goes on after */
} CheckWorker;

struct CheckSet {
    Memory *memory;
    bool overlaid; /* some allocation has undefined bytes that were written: see overlay.h */
    GlobalRace *races;
    Causality *causality; /* NULL: only barriers order */
    uint32_t n_workers, max_resident;
    CheckWorker *workers;
};

/* It has the one finding that is wanted. */
static bool is_done(const CheckWorker *worker) { return worker->log.on_fault == ON_FAULT_NOTE && worker->log.count; }

static BlockOrder *order_of_block(const CheckWorker *worker) {
    BlockOrder *order = alloc_zeroed(1, sizeof *order);
    *order = (BlockOrder){.kernel = worker->kernel, .causality = worker->causality, .strict = worker->strict};
    return order;
}

static void on_block_begin(void *self, const Place *place, uint32_t shared_bytes) {
    CheckWorker *worker = self;
    BlockChecks *block = &worker->blocks[place->block_slot];
    if (is_done(worker)) return;
    if (!block->order) block->order = order_of_block(worker);
    if (!block->shared)
        block->shared = shared_check_new(worker->kernel, block->order, &worker->log, worker->origins, worker->later);
    if (!block->local) block->local = local_check_new(worker->kernel, &worker->log, worker->origins);
    if (!block->async) block->async = async_check_new(worker->kernel, &worker->log);
    shared_check_block(block->shared, block_order_begin(block->order, place), shared_bytes);
    local_check_block(block->local);
    shared_overlay_block(&block->overlay, shared_bytes);
    async_check_block(block->async, place->block, shared_bytes);
}

static void visit_overlays(const CheckWorker *worker, const Place *place, const Access *access) {
    CheckSet *set = worker->set;
    if (stores_undefined(access)) __atomic_store_n(&set->overlaid, true, __ATOMIC_RELAXED);
    if (__atomic_load_n(&set->overlaid, __ATOMIC_RELAXED)) overlay_global(set->memory, worker->origins, place, access);
}

static bool is_fine_in_global(CheckWorker *worker, BlockOrder *order, const Place *place, const Access *access, Fault *fault) {
    const Memory *memory = worker->set->memory;
    Allocation **recent = &worker->recent[access->pc];
    GlobalTouch touched = {.lanes = 0};
    for (uint32_t left = access->active; touch_next(&touched, memory, recent, access, &left);)
        if (!global_worker_access(&worker->global, place, access, &touched, fault)) return false;
    visit_overlays(worker, place, access);
    if (touched.lanes == access->active) return race_worker_access(&worker->races, order, place, access, &touched, fault);
    for (uint32_t left = access->active; touch_next(&touched, memory, recent, access, &left);)
        if (!race_worker_access(&worker->races, order, place, access, &touched, fault)) return false;
    return true;
}

/* What it orders holds from its end on. */
static bool is_ordering(BlockChecks *block, const Place *place, uint64_t owner, const Access *access) {
    block_order_access(block->order, place, owner, access);
    return true;
}

static bool is_fine(CheckWorker *worker, const Place *place, const Access *access, Fault *fault) {
    BlockChecks *block = &worker->blocks[place->block_slot];
    switch ((Space)access->space) {
    case SPACE_GLOBAL:
        return is_fine_in_global(worker, block->order, place, access, fault) && is_ordering(block, place, place->block, access);
    case SPACE_SHARED:
        if (!async_check_access(block->async, place, access, fault)) return false;
        if (!shared_check_access(block->shared, place, access, fault)) return false;
        shared_overlay_access(&block->overlay, worker->origins, place, access);
        return is_ordering(block, place, place->block, access);
    case SPACE_LOCAL: return !worker->kernel->local_seen || local_check_access(block->local, place, access, fault);
    case SPACE_CONST:
    case SPACE_PARAM:
    case SPACE_GENERIC:
    case SPACE_COUNT: break;
    }
    return true;
}

/* Whether the launch goes on. */
static bool is_logged(CheckWorker *worker, const Place *place, Fault *fault) {
    if (worker->log.on_fault == ON_FAULT_STOP) return false;
    findings_keep(&worker->log, place, fault);
    return true;
}

static bool on_use(void *self, const Place *place, const ValueUse *use, Fault *fault) {
    CheckWorker *worker = self;
    if (is_done(worker)) return true;
    origins_fault(worker->origins, place, use, fault);
    if (fault->kind == FAULT_none) return true;
    if (!shared_check_defers(worker->blocks[place->block_slot].shared, place, fault)) return is_logged(worker, place, fault);
    *fault = (Fault){0};
    return true;
}

/* Whether so many bytes with these undefined bits are more than a structure with its padding: nothing of them is defined, or what is was added when
 * the value was made wider or shifted. */
static bool is_no_structure(const uint8_t *bits, unsigned bytes, const Origin *origin) {
    unsigned whole = 0, part = 0;
    for (unsigned b = 0; b < bytes; b++) {
        whole += bits[b] == 0xff;
        part += bits[b] != 0xff && bits[b];
    }
    return whole == bytes || (origin->extended && whole + part) || (origin->shifted && part);
}

/* A value of which nothing is defined leaves for global memory, or is printed: that is a use of it, unless it may be a structure's padding. It
 * then counts as defined. */
static bool leaves_defined(CheckWorker *worker, const Place *place, const Access *access, Fault *fault) {
    const bool prints = worker->kernel->traits[access->pc] & TRAIT_PRINTS;
    if (!stores_undefined(access) || (access->space != SPACE_GLOBAL && !prints)) return true;
    Undefined *undefined = access->undefined;
    if (undefined->origin.padding) return true;
    uint32_t lanes = 0;
    EACH_ACTIVE_LANE(l, access->active) {
        uint8_t *bits = undefined->bits + l * access->bytes;
        if (!is_no_structure(bits, access->bytes, &undefined->origin)) continue;
        lanes |= 1u << l;
        memset(bits, 0, access->bytes);
    }
    const ValueUse use = {access->pc, lanes ? lanes_first(lanes) : 0, USE_OF_OPERAND, undefined->origin};
    return !lanes || on_use(worker, place, &use, fault);
}

static bool on_access(void *self, const Place *place, const Access *access, Fault *fault) {
    CheckWorker *worker = self;
    worker->log.accesses++;
    if (is_done(worker)) return true;
    return leaves_defined(worker, place, access, fault) &&
           (is_fine(worker, place, access, fault) || is_logged(worker, place, fault));
}

static void on_barrier(void *self, const Place *place, uint32_t warps) {
    CheckWorker *worker = self;
    if (!is_done(worker)) block_order_barrier(worker->blocks[place->block_slot].order, warps);
}

static void on_cluster(void *self, const Place *place, uint64_t first, uint32_t warps) {
    CheckWorker *worker = self;
    if (!is_done(worker)) block_order_cluster(worker->blocks[place->block_slot].order, place, first, warps);
}

static bool on_peer_access(void *self, const Place *place, const Place *owner, const Access *access, Fault *fault) {
    CheckWorker *worker = self;
    BlockChecks *block = &worker->blocks[owner->block_slot], *by = &worker->blocks[place->block_slot];
    worker->log.accesses += !access->continued;
    if (is_done(worker)) return true;
    if (!async_check_peer(block->async, place, access, fault) ||
        !shared_check_peer(block->shared, by->order, place, access, fault))
        return is_logged(worker, place, fault);
    shared_overlay_access(&block->overlay, worker->origins, place, access);
    return is_ordering(by, place, owner->block, access);
}

static void on_async(void *self, const Place *place, const AsyncEvent *event) {
    CheckWorker *worker = self;
    const AsyncCheck *peer = event->peer ? worker->blocks[event->peer->block_slot].async : NULL;
    if (!is_done(worker)) async_check_event(worker->blocks[place->block_slot].async, peer, place, event);
}

static void on_warp_sync(void *self, const Place *place, uint32_t lanes) {
    CheckWorker *worker = self;
    if (!is_done(worker)) block_order_warp_sync(worker->blocks[place->block_slot].order, place, lanes);
}

static void on_fence(void *self, const Place *place, uint32_t pc) {
    CheckWorker *worker = self;
    if (!is_done(worker)) block_order_fence(worker->blocks[place->block_slot].order, place, pc);
}

static bool on_block_end(void *self, const Place *place, Fault *fault) {
    CheckWorker *worker = self;
    const BlockChecks *block = &worker->blocks[place->block_slot];
    worker->log.accesses++; /* what is found now is none of the last one's */
    if (is_done(worker)) return true;
    const bool fine = shared_check_block_end(block->shared, place, fault) && async_check_block_end(block->async, place, fault);
    return fine || is_logged(worker, place, fault);
}

static void worker_begin(CheckSet *checks, CheckWorker *worker, const Kernel *kernel, const CheckConfig *config) {
    worker->kernel = kernel;
    worker->log = (FindingLog){.program = kernel->program, .on_fault = config->on_fault};
    worker->set = checks;
    worker->origins = origins_new(kernel);
    worker->global = (GlobalWorker){kernel, &worker->log, worker->origins};
    worker->races = race_worker(checks->races, &worker->log);
    worker->recent = alloc_zeroed(kernel->program->n_insns + 1, sizeof *worker->recent);
    worker->blocks = alloc_zeroed(checks->max_resident, sizeof *worker->blocks);
    worker->later = alloc_zeroed(1, sizeof *worker->later);
    worker->causality = checks->causality;
    worker->strict = config->strict;
    worker->observer = (Observer){.self = worker,
                                  .on_block_begin = on_block_begin,
                                  .on_access = on_access,
                                  .on_use = on_use,
                                  .on_async = on_async,
                                  .on_barrier = on_barrier,
                                  .on_cluster = on_cluster,
                                  .on_peer_access = on_peer_access,
                                  .on_warp_sync = on_warp_sync,
                                  .on_fence = on_fence,
                                  .on_block_end = on_block_end};
}

CheckSet *checks_new(Memory *memory, const Kernel *kernel, const CheckConfig *config) {
    CheckSet *checks = alloc_zeroed(1, sizeof *checks);
    if (kernel->fenced) checks->causality = causality_new(config->blocks, config->strict, config->barrier);
    checks->memory = memory;
    for (size_t i = 0; i < memory_count(memory); i++) checks->overlaid |= memory_at(memory, i)->undefined != NULL;
    const RaceGrid grid = {config->blocks,    config->threads, config->workers > 1,
                           config->imprinted, config->params,  config->module};
    checks->races = global_race_new(memory, kernel, checks->causality, grid, config->strict);
    checks->n_workers = config->workers;
    checks->max_resident = config->max_resident;
    checks->workers = alloc_zeroed(config->workers, sizeof *checks->workers);
    for (uint32_t w = 0; w < config->workers; w++) worker_begin(checks, &checks->workers[w], kernel, config);
    return checks;
}

void checks_free(CheckSet *checks) {
    if (!checks) return;
    for (uint32_t w = 0; w < checks->n_workers; w++) {
        CheckWorker *worker = &checks->workers[w];
        for (uint32_t s = 0; s < checks->max_resident; s++) {
            shared_check_free(worker->blocks[s].shared);
            local_check_free(worker->blocks[s].local);
            async_check_free(worker->blocks[s].async);
            shared_overlay_free(&worker->blocks[s].overlay);
            block_order_free(worker->blocks[s].order);
        }
        free(worker->blocks);
        free(worker->recent);
        free(worker->later);
        origins_free(worker->origins);
        findings_free(&worker->log);
    }
    free(checks->workers);
    global_race_free(checks->races);
    causality_free(checks->causality);
    free(checks);
}

bool checks_strayed(const CheckSet *checks) { return global_race_strayed(checks->races); }

void checks_host_wrote(Allocation *allocation, uint64_t offset, uint64_t bytes) {
    global_check_host_wrote(allocation, offset, bytes);
}

void checks_copied(Allocation *to, uint64_t to_offset, const Allocation *from, uint64_t from_offset, uint64_t bytes) {
    checks_host_wrote(to, to_offset, bytes);
    if (from->initialized && !from->undefined) return;
    if (from->widest_written > to->widest_written) to->widest_written = from->widest_written;
    for (uint64_t i = 0; i < bytes; i++)
        if (global_check_undefined(from, from_offset + i)) memory_undefined(to)[to_offset + i] = 0xff;
}

static void add_few(UnwrittenBytes *found, uint64_t first, uint64_t run, uint8_t widest) {
    if (!found->few_runs++) found->few_first = first;
    found->few_count += run;
    if (run < widest) found->few_runs = UINT32_MAX; /* may be padding, and so may others */
}

void checks_find_unwritten(const Allocation *allocation, uint64_t offset, uint64_t bytes, UnwrittenBytes *found) {
    found->looked_at += bytes;
    if (allocation->initialized && !allocation->undefined) return;
    uint64_t run = 0;
    for (uint64_t i = 0; i <= bytes; i++) {
        if (i < bytes && global_check_undefined(allocation, offset + i)) {
            run++;
            continue;
        }
        if (run >= PADDING_UNIT && !found->count) found->first = offset + i - run;
        if (run >= PADDING_UNIT) found->count += run;
        if (run && run < PADDING_UNIT) add_few(found, offset + i - run, run, allocation->widest_written);
        run = 0;
    }
}

void checks_settle_unwritten(UnwrittenBytes *found) {
    enum { RUNS_MOST = 2, ARRAY_BYTES_LEAST = 8 * PADDING_UNIT };
    if (!found->few_runs || found->few_runs > RUNS_MOST || found->looked_at < ARRAY_BYTES_LEAST) return;
    if (!found->count || found->few_first < found->first) found->first = found->few_first;
    found->count += found->few_count;
}

Observer *checks_observer(CheckSet *checks, uint32_t worker) { return &checks->workers[worker].observer; }

void checks_tell(const CheckSet *checks, FindingLog *log) {
    FindingLog all = {.program = log->program};
    for (uint32_t w = 0; w < checks->n_workers; w++) findings_merge(&all, &checks->workers[w].log);
    findings_sort(&all);
    if (log->on_fault != ON_FAULT_GO_ON && all.count) all.count = 1;
    findings_merge(log, &all);
    findings_sort(log);
    findings_free(&all);
}
