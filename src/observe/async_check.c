#include "observe/async_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"
#include "ptx/opcode.h"

enum { WORD = 4, THREADS_MOST = 1024 }; /* a copy's place is a multiple of 4, as are its bytes */

/* What one lane copies. */
typedef struct Flight {
    uint16_t thread, bytes;
    uint32_t byte, pc;
    uint32_t group; /* the thread's: how many it had committed before */
    bool tied;      /* to the phase of an mbarrier */
    uint32_t barrier, phase;
} Flight;

struct AsyncCheck {
    const Kernel *kernel;
    FindingLog *log;
    Flight *flights; /* those that are not complete */
    size_t count, capacity;
    uint32_t *last; /* by word: the number of its flight, plus 1; 0: none */
    uint32_t words;
    uint32_t *committed; /* by thread: groups */
};

AsyncCheck *async_check_new(const Kernel *kernel, FindingLog *log) {
    AsyncCheck *check = alloc_zeroed(1, sizeof *check);
    check->kernel = kernel;
    check->log = log;
    return check;
}

void async_check_free(AsyncCheck *check) {
    if (!check) return;
    free(check->flights);
    free(check->last);
    free(check->committed);
    free(check);
}

static void mark(AsyncCheck *check, const Flight *flight, uint32_t number) {
    for (uint32_t b = 0; b < flight->bytes; b += WORD) check->last[(flight->byte + b) / WORD] = number;
}

void async_check_block(AsyncCheck *check, uint32_t shared_bytes) {
    for (size_t i = 0; i < check->count; i++) mark(check, &check->flights[i], 0);
    check->count = 0;
    if (check->committed) memset(check->committed, 0, THREADS_MOST * sizeof *check->committed);
    if (shared_bytes / WORD + 1 <= check->words) return;
    free(check->last);
    check->words = shared_bytes / WORD + 1;
    check->last = alloc_zeroed(check->words, sizeof *check->last);
}

static void begin(AsyncCheck *check, const Place *place, const Access *access) {
    if (!check->committed) check->committed = alloc_zeroed(THREADS_MOST, sizeof *check->committed);
    EACH_ACTIVE_LANE(l, access->active) {
        if (check->count == check->capacity) {
            check->capacity = check->capacity ? 2 * check->capacity : 64;
            check->flights = alloc_resize(check->flights, check->capacity, sizeof *check->flights);
        }
        const uint32_t thread = place->warp * WARP_LANES + l;
        Flight *flight = &check->flights[check->count++];
        *flight = (Flight){.thread = (uint16_t)thread,
                           .bytes = access->bytes,
                           .byte = (uint32_t)access->addr[l],
                           .pc = access->pc,
                           .group = check->committed[thread]};
        mark(check, flight, (uint32_t)check->count);
    }
}

/* Whether the lanes belong to the thread's warp and name it. */
static bool is_among(const Flight *flight, const Place *place, uint32_t lanes) {
    const uint32_t lane = flight->thread - place->warp * WARP_LANES;
    return lane < WARP_LANES && lanes >> lane & 1;
}

static bool is_complete(const AsyncCheck *check, const Flight *flight, const Place *place, const AsyncEvent *event) {
    switch (event->variant) {
    case CP_ASYNC_WAIT_ALL: return is_among(flight, place, event->lanes);
    case CP_ASYNC_WAIT_GROUP:
        return is_among(flight, place, event->lanes) &&
               (uint64_t)flight->group + event->left < check->committed[flight->thread];
    case MBARRIER_TEST_WAIT:
    case MBARRIER_TRY_WAIT: return flight->tied && flight->barrier == event->barrier && flight->phase < event->phase;
    }
    return false;
}

static void tie(AsyncCheck *check, const Place *place, const AsyncEvent *event) {
    for (size_t i = 0; i < check->count; i++) {
        Flight *flight = &check->flights[i];
        if (flight->tied || !is_among(flight, place, event->lanes)) continue;
        flight->tied = true;
        flight->barrier = event->barrier;
        flight->phase = event->phase;
    }
}

void async_check_event(AsyncCheck *check, const Place *place, const AsyncEvent *event) {
    if (!check->count) return;
    if (event->variant == CP_ASYNC_COMMIT) {
        EACH_ACTIVE_LANE(l, event->lanes) check->committed[place->warp * WARP_LANES + l]++;
        return;
    }
    if (event->variant == CP_ASYNC_ARRIVE || event->variant == CP_ASYNC_ARRIVE_NOINC) {
        tie(check, place, event);
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < check->count; i++) mark(check, &check->flights[i], 0);
    for (size_t i = 0; i < check->count; i++) {
        const Flight flight = check->flights[i];
        if (!is_complete(check, &flight, place, event)) check->flights[kept++] = flight;
    }
    check->count = kept;
    for (size_t i = 0; i < kept; i++) mark(check, &check->flights[i], (uint32_t)i + 1);
}

static bool report(const AsyncCheck *check, const Place *place, const Access *access, uint32_t lane, const Flight *flight,
                   Fault *fault) {
    fault_set(
        fault, FAULT_shared_race, access->pc,
        "lane %u of warp %u %s shared memory at byte %llu, which an asynchronous copy of lane %u of warp %u fills: nobody "
        "has waited for it",
        lane, place->warp, access_verb(access->kind), (unsigned long long)access->addr[lane], flight->thread % WARP_LANES,
        flight->thread / WARP_LANES);
    fault->other_pc = flight->pc;
    if (flight->tied)
        fault_hint(fault,
                   "it is complete with phase %u (parity %u) of the mbarrier at byte %u of shared memory: wait for that first",
                   flight->phase, flight->phase & 1, flight->barrier);
    else
        fault_hint(
            fault,
            "the copy goes on while its thread runs: wait for it first (__pipeline_wait_prior(0) leaves no group out), then "
            "__syncthreads() where other threads filled what is read");
    fault_blame(fault, place, lane);
    return findings_take(check->log, place, fault);
}

bool async_check_access(AsyncCheck *check, const Place *place, const Access *access, Fault *fault) {
    const Insn *insn = &check->kernel->program->insns[access->pc];
    const bool copies = insn->op == OP_cp_async && insn->variant == CP_ASYNC_COPY;
    if (copies) begin(check, place, access);
    if (copies || !check->count) return true;
    EACH_ACTIVE_LANE(l, access->active) {
        for (uint32_t b = 0; b < access->bytes; b += WORD) {
            const uint32_t number = check->last[(access->addr[l] + b) / WORD];
            if (number) return report(check, place, access, l, &check->flights[number - 1], fault);
        }
    }
    return true;
}
