#include "observe/async_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"
#include "observe/updates.h"
#include "ptx/opcode.h"

enum { WORD = 4, THREADS_MOST = 1024 }; /* a copy's place is a multiple of 4, as are its bytes */
#define NO_PHASE UINT32_MAX             /* before the first, which counts as over (PTX ISA, mbarrier.test_wait) */

/* What one lane copies. */
typedef struct Flight {
    const AsyncCheck *at; /* whose the mbarrier is, another block's; NULL: the own one's */
    uint64_t at_block;    /* its number in the grid, and here */
    uint32_t at_number;
    uint16_t thread;
    bool bulk;
    bool reads; /* shared memory, which may not be written meanwhile; else it fills it */
    bool tied;  /* to the phase of an mbarrier */
    bool over;  /* while what is complete is taken out */
    uint32_t byte, bytes, pc;
    uint32_t group; /* the thread's: how many of the kind it had committed before */
    uint32_t barrier, phase;
} Flight;

/* Who wrote a word last by a store, and how many fences of the asynchronous proxy there had been, plus 1; 0: nobody has. */
typedef struct WordWritten {
    uint32_t fences, pc;
    uint16_t thread;
} WordWritten;

struct AsyncCheck {
    const Kernel *kernel;
    FindingLog *log;
    uint64_t block;
    uint32_t number; /* of the blocks that were here one after the other */
    Flight *flights; /* those that are not complete */
    size_t count, capacity;
    uint32_t *last;       /* by word: the number of its flight, plus 1; 0: none */
    WordWritten *written; /* by word, in kernels with bulk copies */
    uint32_t *awaited;    /* likewise, of an mbarrier there: so many phases were over when somebody waited for it last */
    uint32_t words, fences;
    uint32_t *committed[2];                           /* by thread: groups; [1]: of bulk copies */
    uint32_t waited_pc, waited_phase, waited_barrier; /* the last wait that was over; NO_INSN: none */
};

AsyncCheck *async_check_new(const Kernel *kernel, FindingLog *log) {
    AsyncCheck *check = alloc_zeroed(1, sizeof *check);
    check->kernel = kernel;
    check->log = log;
    check->waited_pc = NO_INSN;
    return check;
}

void async_check_free(AsyncCheck *check) {
    if (!check) return;
    free(check->flights);
    free(check->last);
    free(check->written);
    free(check->awaited);
    free(check->committed[0]);
    free(check->committed[1]);
    free(check);
}

static void mark(AsyncCheck *check, const Flight *flight, uint32_t number) {
    for (uint32_t b = 0; b < flight->bytes; b += WORD) check->last[(flight->byte + b) / WORD] = number;
}

void async_check_block(AsyncCheck *check, uint64_t block, uint32_t shared_bytes) {
    check->block = block;
    check->number++;
    for (size_t i = 0; i < check->count; i++) mark(check, &check->flights[i], 0);
    check->count = 0;
    check->waited_pc = NO_INSN;
    for (int bulk = 0; bulk <= 1; bulk++)
        if (check->committed[bulk]) memset(check->committed[bulk], 0, THREADS_MOST * sizeof *check->committed[bulk]);
    if (check->written) memset(check->written, 0, check->words * sizeof *check->written);
    if (check->awaited) memset(check->awaited, 0, check->words * sizeof *check->awaited);
    if (shared_bytes / WORD + 1 <= check->words) return;
    free(check->last);
    free(check->written);
    free(check->awaited);
    check->words = shared_bytes / WORD + 1;
    check->last = alloc_zeroed(check->words, sizeof *check->last);
    check->written = check->kernel->bulk ? alloc_zeroed(check->words, sizeof *check->written) : NULL;
    check->awaited = check->kernel->bulk ? alloc_zeroed(check->words, sizeof *check->awaited) : NULL;
}

/* A copy into another block's memory: somebody there has waited for its phase, or the block has left, which is told elsewhere. */
static bool is_over_there(const Flight *flight) {
    const AsyncCheck *at = flight->at;
    const uint32_t word = flight->barrier / WORD;
    return at && (at->number != flight->at_number || (word < at->words && at->awaited[word] > flight->phase));
}

/* Those that are over are taken out. */
static void settle(AsyncCheck *check) {
    size_t kept = 0;
    for (size_t i = 0; i < check->count; i++) mark(check, &check->flights[i], 0);
    for (size_t i = 0; i < check->count; i++)
        if (!check->flights[i].over) check->flights[kept++] = check->flights[i];
    check->count = kept;
    for (size_t i = 0; i < kept; i++) mark(check, &check->flights[i], (uint32_t)i + 1);
}

/* Room for one more. */
static void make_room(AsyncCheck *check) {
    for (size_t i = 0; i < check->count; i++) check->flights[i].over = is_over_there(&check->flights[i]);
    settle(check);
    if (check->count < check->capacity / 2) return;
    check->capacity = check->capacity ? 2 * check->capacity : 64;
    check->flights = alloc_resize(check->flights, check->capacity, sizeof *check->flights);
}

static void add(AsyncCheck *check, Flight flight) {
    uint32_t **committed = &check->committed[flight.bulk];
    if (!*committed) *committed = alloc_zeroed(THREADS_MOST, sizeof **committed);
    if (check->count == check->capacity) make_room(check);
    flight.group = (*committed)[flight.thread];
    check->flights[check->count++] = flight;
    mark(check, &flight, (uint32_t)check->count);
}

static void begin(AsyncCheck *check, const Place *place, const Access *access) {
    EACH_ACTIVE_LANE(l, access->active)
    add(check, (Flight){.thread = (uint16_t)(place->warp * WARP_LANES + l),
                        .bytes = access->bytes,
                        .byte = (uint32_t)access->addr[l],
                        .pc = access->pc});
}

/* Both sides, where they are in the block's shared memory. */
static void begin_bulk(AsyncCheck *check, const AsyncCheck *peer, const Place *place, const AsyncEvent *event) {
    Flight flight = {.thread = (uint16_t)(place->warp * WARP_LANES + lanes_first(event->lanes)),
                     .bulk = true,
                     .reads = true,
                     .tied = event->tied,
                     .byte = (uint32_t)event->from,
                     .bytes = event->bytes,
                     .pc = event->pc,
                     .barrier = event->barrier,
                     .phase = event->phase,
                     .at = peer,
                     .at_block = peer ? peer->block : 0,
                     .at_number = peer ? peer->number : 0};
    /* PTX has no source in another block's memory; what is copied from there all the same is not looked at. */
    const bool own_source = event->from + event->bytes <= (uint64_t)check->words * WORD;
    if (event->from_space == SPACE_SHARED && own_source) add(check, flight);
    flight.reads = false;
    flight.byte = (uint32_t)event->to;
    if (event->to_space == SPACE_SHARED && !peer) add(check, flight);
}

/* Whether the lanes belong to the thread's warp and name it. */
static bool is_among(const Flight *flight, const Place *place, uint32_t lanes) {
    const uint32_t lane = flight->thread - place->warp * WARP_LANES;
    return lane < WARP_LANES && lanes >> lane & 1;
}

static bool is_complete(const AsyncCheck *check, const Flight *flight, const Place *place, const AsyncEvent *event) {
    const bool own = is_among(flight, place, event->lanes);
    const uint32_t *committed = check->committed[flight->bulk];
    const bool left_out = (uint64_t)flight->group + event->left >= (committed ? committed[flight->thread] : 0);
    switch (event->variant) {
    case CP_ASYNC_WAIT_ALL: return own && !flight->bulk;
    case CP_ASYNC_WAIT_GROUP: return own && !flight->bulk && !left_out;
    case BULK_WAIT_GROUP:
    case BULK_WAIT_GROUP_READ: return own && flight->bulk && !flight->tied && !left_out;
    case MBARRIER_TEST_WAIT:
    case MBARRIER_TRY_WAIT:
        return flight->tied && !flight->at && flight->barrier == event->barrier && flight->phase < event->phase;
    }
    return false;
}

static void commit(const AsyncCheck *check, const Place *place, const AsyncEvent *event) {
    uint32_t *committed = check->committed[event->variant == BULK_COMMIT];
    EACH_ACTIVE_LANE(l, committed ? event->lanes : 0) committed[place->warp * WARP_LANES + l]++;
}

static void tie(AsyncCheck *check, const Place *place, const AsyncEvent *event) {
    for (size_t i = 0; i < check->count; i++) {
        Flight *flight = &check->flights[i];
        if (flight->tied || flight->bulk || !is_among(flight, place, event->lanes)) continue;
        flight->tied = true;
        flight->barrier = event->barrier;
        flight->phase = event->phase;
    }
}

/* PTX ISA, cp.async.mbarrier.arrive: the arrival comes when all copies that the thread began before are complete, to whichever mbarrier they are tied. */
static void find_complete(AsyncCheck *check, const Place *place, const AsyncEvent *event) {
    bool arrived[THREADS_MOST] = {false};
    for (size_t i = check->count; i-- > 0;) {
        Flight *flight = &check->flights[i];
        flight->over =
            is_over_there(flight) || is_complete(check, flight, place, event) || (!flight->bulk && arrived[flight->thread]);
        arrived[flight->thread] |= flight->over && flight->tied && !flight->bulk;
    }
}

static void retire(AsyncCheck *check, const Place *place, const AsyncEvent *event) {
    find_complete(check, place, event);
    settle(check);
}

void async_check_event(AsyncCheck *check, const AsyncCheck *peer, const Place *place, const AsyncEvent *event) {
    const uint8_t variant = event->variant;
    const bool waits = variant == MBARRIER_TEST_WAIT || variant == MBARRIER_TRY_WAIT;
    if (check->kernel->program->insns[event->pc].op == OP_cp_bulk && variant < BULK_PREFETCH) {
        begin_bulk(check, peer, place, event);
    } else if (variant == CP_ASYNC_COMMIT || variant == BULK_COMMIT) {
        commit(check, place, event);
    } else if (variant == CP_ASYNC_ARRIVE || variant == CP_ASYNC_ARRIVE_NOINC) {
        tie(check, place, event);
    } else if (variant == PROXY_ASYNC) {
        check->fences++;
    } else if (variant != CP_ASYNC_COPY && variant != MBARRIER_ARRIVE && variant != MBARRIER_ARRIVE_DROP &&
               check->count) { /* a copy is noted by its accesses */
        retire(check, place, event);
    }
    if (!waits) return;
    check->waited_pc = event->pc;
    check->waited_phase = event->phase - 1;
    check->waited_barrier = event->barrier;
    if (check->awaited) check->awaited[event->barrier / WORD] = event->phase;
}

/* How to wait for it; where somebody has waited, for the wrong phase, that is named. */
static void hint(const AsyncCheck *check, const Flight *flight, Fault *fault) {
    const bool waited = flight->tied && !flight->at && check->waited_pc != NO_INSN && check->waited_barrier == flight->barrier;
    char phase[30] = "the phase before the first";
    if (check->waited_phase != NO_PHASE) snprintf(phase, sizeof phase, "phase %u", check->waited_phase);
    if (waited)
        fault_hint(
            fault,
            "the last wait for its mbarrier was for %s, which was over: the copy is complete with phase %u, of parity %u. Does "
            "the parity change with each round?",
            phase, flight->phase, flight->phase & 1);
    else if (flight->at)
        fault_hint(
            fault,
            "it is complete with phase %u (parity %u) of the mbarrier at byte %u of block %llu, which is to wait for that "
            "first, and then to say so: cluster.sync(), or an arrival at an mbarrier here",
            flight->phase, flight->phase & 1, flight->barrier, (unsigned long long)flight->at_block);
    else if (flight->tied)
        fault_hint(fault,
                   "it is complete with phase %u (parity %u) of the mbarrier at byte %u of shared memory: wait for that first",
                   flight->phase, flight->phase & 1, flight->barrier);
    else if (flight->bulk)
        fault_hint(fault,
                   "its thread commits it (cp.async.bulk.commit_group) and waits for the group (wait_group.read 0) before");
    else
        fault_hint(
            fault,
            "the copy goes on while its thread runs: wait for it first (__pipeline_wait_prior(0) leaves no group out), then "
            "__syncthreads()%s where other threads filled what is read",
            or_cluster_sync(check->kernel));
}

static const char *kind_of(const Flight *flight) { return flight->bulk ? "a bulk copy" : "an asynchronous copy"; }

static bool report(const AsyncCheck *check, const Place *place, const Access *access, uint32_t lane, const Flight *flight,
                   Fault *fault) {
    char where[40] = "";
    const bool own = place->block == check->block;
    if (!own) snprintf(where, sizeof where, " of block %llu", (unsigned long long)check->block);
    fault_set(
        fault, FAULT_shared_race, access->pc,
        "lane %u of warp %u %s shared memory%s at byte %llu, which %s of lane %u of warp %u%s %s: nobody has waited for it",
        lane, place->warp, access_verb(access->kind), where, (unsigned long long)access->addr[lane], kind_of(flight),
        flight->thread % WARP_LANES, flight->thread / WARP_LANES, own ? "" : " of that block",
        flight->reads ? "reads" : "fills");
    fault->other_pc = flight->pc;
    hint(check, flight, fault);
    fault_blame(fault, place, lane);
    return findings_take(check->log, place, fault);
}

/* What threads store goes another way to shared memory than what bulk copies read there (PTX ISA, "Async proxy"). Any thread's fence counts, as
 * long as it came behind the store. */
static bool report_unfenced(const AsyncCheck *check, const Place *place, const Access *access, uint32_t lane,
                            const WordWritten *written, Fault *fault) {
    fault_set(fault, FAULT_shared_race, access->pc,
              "lane %u of warp %u has shared memory copied at byte %llu, which lane %u of warp %u wrote with no "
              "fence.proxy.async since",
              lane, place->warp, (unsigned long long)access->addr[lane], written->thread % WARP_LANES,
              written->thread / WARP_LANES);
    fault->other_pc = written->pc;
    fault_hint(fault,
               "the threads that write call fence.proxy.async (cuda::ptx::fence_proxy_async) before the barrier that the "
               "copying thread waits at");
    fault_blame(fault, place, lane);
    return findings_take(check->log, place, fault);
}

/* What a copy writes needs no fence. */
static void note_written(AsyncCheck *check, const Place *place, const Access *access, bool bulk) {
    EACH_ACTIVE_LANE(l, access->active) {
        const WordWritten now = {bulk ? 0 : check->fences + 1, access->pc, (uint16_t)(place->warp * WARP_LANES + l)};
        for (uint32_t b = 0; b < access->bytes; b += WORD) check->written[(access->addr[l] + b) / WORD] = now;
    }
}

static bool is_fenced(AsyncCheck *check, const Place *place, const Access *access, bool bulk, Fault *fault) {
    const bool writes = access->kind != ACCESS_LOAD;
    if (!check->written || (!writes && !bulk)) return true;
    if (writes) {
        note_written(check, place, access, bulk);
        return true;
    }
    const uint32_t lane = lanes_first(access->active);
    for (uint32_t b = 0; b < access->bytes; b += WORD) {
        const WordWritten *written = &check->written[(access->addr[lane] + b) / WORD];
        if (written->fences == check->fences + 1) return report_unfenced(check, place, access, lane, written, fault);
    }
    return true;
}

bool async_check_peer(AsyncCheck *check, const Place *place, const Access *access, Fault *fault) {
    EACH_ACTIVE_LANE(l, check->count ? access->active : 0) {
        for (uint32_t b = 0; b < access->bytes; b += WORD) {
            const uint32_t number = check->last[(access->addr[l] + b) / WORD];
            const Flight *flight = number ? &check->flights[number - 1] : NULL;
            if (!flight || (flight->reads && access->kind == ACCESS_LOAD) || is_over_there(flight)) continue;
            return report(check, place, access, l, flight, fault);
        }
    }
    return true;
}

bool async_check_access(AsyncCheck *check, const Place *place, const Access *access, Fault *fault) {
    const Insn *insn = &check->kernel->program->insns[access->pc];
    const bool copies = insn->op == OP_cp_async && insn->variant == CP_ASYNC_COPY;
    if (!is_fenced(check, place, access, insn->op == OP_cp_bulk, fault)) return false;
    if (copies) begin(check, place, access);
    return copies || async_check_peer(check, place, access, fault);
}

bool async_check_block_end(const AsyncCheck *check, const Place *place, Fault *fault) {
    if (fault->kind != FAULT_none) return true; /* who ended the launch before it could wait */
    for (size_t i = 0; i < check->count; i++) {
        const Flight *flight = &check->flights[i];
        if (!flight->bulk || is_over_there(flight)) continue;
        fault_set(
            fault, FAULT_shared_race, flight->pc,
            "lane %u of warp %u has begun a bulk copy that %s shared memory at byte %u, and the block has ended: nobody has "
            "waited for it",
            flight->thread % WARP_LANES, flight->thread / WARP_LANES, flight->reads ? "reads" : "fills", flight->byte);
        hint(check, flight, fault);
        Place of = *place;
        of.warp = flight->thread / WARP_LANES;
        fault_blame(fault, &of, flight->thread % WARP_LANES);
        return findings_take(check->log, place, fault);
    }
    return true;
}
