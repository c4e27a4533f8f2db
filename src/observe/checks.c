#include "observe/checks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "observe/facts.h"
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
    const Facts *facts;
    GlobalWorker *global;
    BlockChecks *blocks; /* by block slot */
    FindingLog *log;     /* NULL: a fault ends the launch */
    bool quiet;          /* it has the one finding that is wanted */
} CheckWorker;

struct CheckSet {
    Facts facts;
    GlobalCheck *global;
    uint32_t n_workers, max_resident;
    CheckWorker *workers;
};

static void on_block_begin(void *self, const Place *place, uint32_t shared_bytes) {
    CheckWorker *worker = self;
    BlockChecks *block = &worker->blocks[place->block_slot];
    FindingLog *all = worker->log && worker->log->all ? worker->log : NULL;
    if (worker->quiet) return;
    if (!block->shared) block->shared = shared_check_new(worker->facts, all);
    if (!block->local) block->local = local_check_new(worker->facts, all);
    global_worker_block(worker->global, place);
    shared_check_block(block->shared, place, shared_bytes);
    local_check_block(block->local);
}

static bool is_fine(CheckWorker *worker, const Place *place, const Access *access, Fault *fault) {
    BlockChecks *block = &worker->blocks[place->block_slot];
    switch ((Space)access->space) {
    case SPACE_GLOBAL:
        if (!global_worker_access(worker->global, place, access, fault)) return false;
        return !worker->facts->fenced || shared_check_access(block->shared, place, access, fault);
    case SPACE_SHARED: return shared_check_access(block->shared, place, access, fault);
    case SPACE_LOCAL: return !worker->facts->local || local_check_access(block->local, place, access, fault);
    case SPACE_CONST:
    case SPACE_PARAM:
    case SPACE_GENERIC:
    case SPACE_COUNT: break;
    }
    return true;
}

/* Whether the launch goes on with the fault in the log. */
static bool is_logged(CheckWorker *worker, const Place *place, Fault *fault) {
    worker->quiet = worker->log && !worker->log->all;
    return findings_take(worker->log, place, fault);
}

static bool on_access(void *self, const Place *place, const Access *access, Fault *fault) {
    CheckWorker *worker = self;
    if (worker->log) worker->log->accesses++;
    return worker->quiet || is_fine(worker, place, access, fault) || is_logged(worker, place, fault);
}

static void on_barrier(void *self, const Place *place, uint32_t warps) {
    CheckWorker *worker = self;
    if (!worker->quiet) shared_check_barrier(worker->blocks[place->block_slot].shared, warps);
}

static void on_warp_sync(void *self, const Place *place, uint32_t lanes) {
    CheckWorker *worker = self;
    if (!worker->quiet) shared_check_warp_sync(worker->blocks[place->block_slot].shared, place, lanes);
}

static bool on_block_end(void *self, const Place *place, Fault *fault) {
    CheckWorker *worker = self;
    return worker->quiet || shared_check_block_end(worker->blocks[place->block_slot].shared, fault) ||
           is_logged(worker, place, fault);
}

CheckSet *checks_new(Memory *memory, const Program *program, const Function *kernel, uint32_t workers, uint32_t max_resident) {
    CheckSet *checks = alloc_zeroed(1, sizeof *checks);
    facts_find(&checks->facts, program, kernel);
    checks->global = global_check_new(memory, &checks->facts, max_resident);
    checks->n_workers = workers;
    checks->max_resident = max_resident;
    checks->workers = alloc_zeroed(workers, sizeof *checks->workers);
    for (uint32_t w = 0; w < workers; w++) {
        CheckWorker *worker = &checks->workers[w];
        worker->facts = &checks->facts;
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
    }
    free(checks->workers);
    global_check_free(checks->global);
    facts_free(&checks->facts);
    free(checks);
}

void checks_host_wrote(Allocation *allocation, uint64_t offset, uint64_t bytes) {
    global_check_host_wrote(allocation, offset, bytes);
}

Observer *checks_observer(CheckSet *checks, uint32_t number, FindingLog *log) {
    CheckWorker *worker = &checks->workers[number];
    worker->log = log;
    worker->global = global_worker_new(checks->global, log && log->all ? log : NULL);
    return &worker->observer;
}
