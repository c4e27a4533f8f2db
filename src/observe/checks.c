#include "observe/checks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "observe/global_check.h"
#include "observe/local_check.h"
#include "observe/shared_check.h"

/* What a worker keeps for each block slot; made when the first block runs there. */
typedef struct BlockChecks {
    SharedCheck *shared;
    LocalCheck *local;
} BlockChecks;

typedef struct CheckWorker {
    Observer observer;
    const Kernel *kernel;
    GlobalWorker *global;
    BlockChecks *blocks; /* by block slot */
    FindingLog log;      /* what it found that the launch goes on after */
} CheckWorker;

struct CheckSet {
    GlobalCheck *global;
    uint32_t n_workers, max_resident;
    CheckWorker *workers;
};

/* It has the one finding that is wanted. */
static bool is_done(const CheckWorker *worker) { return worker->log.on_fault == ON_FAULT_NOTE && worker->log.count; }

static void on_block_begin(void *self, const Place *place, uint32_t shared_bytes) {
    CheckWorker *worker = self;
    BlockChecks *block = &worker->blocks[place->block_slot];
    if (is_done(worker)) return;
    if (!block->shared) block->shared = shared_check_new(worker->kernel, &worker->log);
    if (!block->local) block->local = local_check_new(worker->kernel, &worker->log);
    global_worker_block(worker->global, place);
    shared_check_block(block->shared, place, shared_bytes);
    local_check_block(block->local);
}

static bool is_fine(CheckWorker *worker, const Place *place, const Access *access, Fault *fault) {
    BlockChecks *block = &worker->blocks[place->block_slot];
    switch ((Space)access->space) {
    case SPACE_GLOBAL:
        if (!global_worker_access(worker->global, place, access, fault)) return false;
        return !worker->kernel->fenced || shared_check_access(block->shared, place, access, fault);
    case SPACE_SHARED: return shared_check_access(block->shared, place, access, fault);
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

static bool on_access(void *self, const Place *place, const Access *access, Fault *fault) {
    CheckWorker *worker = self;
    worker->log.accesses++;
    return is_done(worker) || is_fine(worker, place, access, fault) || is_logged(worker, place, fault);
}

static void on_barrier(void *self, const Place *place, uint32_t warps) {
    CheckWorker *worker = self;
    if (!is_done(worker)) shared_check_barrier(worker->blocks[place->block_slot].shared, warps);
}

static void on_warp_sync(void *self, const Place *place, uint32_t lanes) {
    CheckWorker *worker = self;
    if (!is_done(worker)) shared_check_warp_sync(worker->blocks[place->block_slot].shared, place, lanes);
}

static bool on_block_end(void *self, const Place *place, Fault *fault) {
    CheckWorker *worker = self;
    return is_done(worker) || shared_check_block_end(worker->blocks[place->block_slot].shared, fault) ||
           is_logged(worker, place, fault);
}

CheckSet *checks_new(Memory *memory, const Kernel *kernel, OnFault on_fault, uint32_t workers, uint32_t max_resident) {
    CheckSet *checks = alloc_zeroed(1, sizeof *checks);
    checks->global = global_check_new(memory, kernel, max_resident);
    checks->n_workers = workers;
    checks->max_resident = max_resident;
    checks->workers = alloc_zeroed(workers, sizeof *checks->workers);
    for (uint32_t w = 0; w < workers; w++) {
        CheckWorker *worker = &checks->workers[w];
        worker->kernel = kernel;
        worker->log = (FindingLog){.program = kernel->program, .on_fault = on_fault};
        worker->global = global_worker_new(checks->global, &worker->log);
        worker->blocks = alloc_zeroed(max_resident, sizeof *worker->blocks);
        worker->observer = (Observer){.self = worker,
                                      .on_block_begin = on_block_begin,
                                      .on_access = on_access,
                                      .on_barrier = on_barrier,
                                      .on_warp_sync = on_warp_sync,
                                      .on_block_end = on_block_end};
    }
    return checks;
}

void checks_free(CheckSet *checks) {
    if (!checks) return;
    for (uint32_t w = 0; w < checks->n_workers; w++) {
        CheckWorker *worker = &checks->workers[w];
        for (uint32_t s = 0; s < checks->max_resident; s++) {
            shared_check_free(worker->blocks[s].shared);
            local_check_free(worker->blocks[s].local);
        }
        free(worker->blocks);
        global_worker_free(worker->global);
        findings_free(&worker->log);
    }
    free(checks->workers);
    global_check_free(checks->global);
    free(checks);
}

void checks_host_wrote(Allocation *allocation, uint64_t offset, uint64_t bytes) {
    global_check_host_wrote(allocation, offset, bytes);
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
