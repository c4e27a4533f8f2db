#include "device/findings.h"

#include <stdlib.h>

#include "base/alloc.h"

typedef struct Watch {
    Observer observer;
    Observer *checks;
    Fault fault; /* of kind FAULT_none until the first one, which ends this worker's checking */
    uint64_t block;
} Watch;

struct Findings {
    unsigned workers;
    Watch *watches;
};

static bool is_quiet(const Watch *watch) { return watch->fault.kind != FAULT_none; }

static void on_block_begin(void *self, const Place *place, uint32_t shared_bytes) {
    Watch *watch = self;
    if (!is_quiet(watch) && watch->checks->on_block_begin)
        watch->checks->on_block_begin(watch->checks->self, place, shared_bytes);
}

static bool on_access(void *self, const Place *place, const Access *access, Fault *fault) {
    Watch *watch = self;
    if (is_quiet(watch) || !watch->checks->on_access || watch->checks->on_access(watch->checks->self, place, access, fault))
        return true;
    watch->fault = *fault;
    watch->block = place->block;
    fault_blame(&watch->fault, place, fault->lane);
    *fault = (Fault){0};
    return true;
}

static void on_barrier(void *self, const Place *place, uint32_t warps) {
    Watch *watch = self;
    if (!is_quiet(watch) && watch->checks->on_barrier) watch->checks->on_barrier(watch->checks->self, place, warps);
}

static void on_warp_sync(void *self, const Place *place, uint32_t lanes) {
    Watch *watch = self;
    if (!is_quiet(watch) && watch->checks->on_warp_sync) watch->checks->on_warp_sync(watch->checks->self, place, lanes);
}

static void on_block_end(void *self, const Place *place) {
    Watch *watch = self;
    if (!is_quiet(watch) && watch->checks->on_block_end) watch->checks->on_block_end(watch->checks->self, place);
}

Findings *findings_new(unsigned workers) {
    Findings *findings = alloc_zeroed(1, sizeof *findings);
    findings->workers = workers;
    findings->watches = alloc_zeroed(workers, sizeof *findings->watches);
    return findings;
}

void findings_free(Findings *findings) {
    if (!findings) return;
    free(findings->watches);
    free(findings);
}

Observer *findings_watch(Findings *findings, unsigned worker, Observer *checks) {
    Watch *watch = &findings->watches[worker];
    watch->checks = checks;
    watch->observer = (Observer){.self = watch,
                                 .on_block_begin = on_block_begin,
                                 .on_access = on_access,
                                 .on_barrier = on_barrier,
                                 .on_warp_sync = on_warp_sync,
                                 .on_block_end = on_block_end};
    return &watch->observer;
}

Fault findings_first(const Findings *findings) {
    const Watch *first = NULL;
    for (unsigned w = 0; findings && w < findings->workers; w++) {
        const Watch *watch = &findings->watches[w];
        if (is_quiet(watch) && (!first || watch->block < first->block)) first = watch;
    }
    return first ? first->fault : (Fault){0};
}
