#include "observe/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kernel/traits.h"
#include "observe/again.h"
#include "observe/banks.h"
#include "observe/l1.h"
#include "observe/passes.h"
#include "observe/sectors.h"
#include "observe/stores.h"
#include "observe/warp_pace.h"

/* --- what one instruction did, as counted on the fast path --- */

/* Measured, as instructions of effort.h: a line beyond an access's first takes 9 ns to look up in L1, and 60 to 90 where it goes on to L2, of which
 * a third is counted: a solution to a lab that scatters all it does is slow, and must be told so. The first line is paid for by the instruction. */
enum { LINE_EFFORT = 1, BEYOND_L1_EFFORT = 3 };

enum { FETCHED_LOG2 = 11, SECTOR_SPACES = 2, SPACE_INDEX_GLOBAL = 0, SPACE_INDEX_LOCAL = 1 };

typedef struct Tally {
    SectorCounters sectors[SECTOR_SPACES];
    BankCounters banks, loop_loads; /* loop_loads: of loops around compare-and-swaps */
    PeerCounters peers;
    uint64_t constant_requests;
    uint64_t worst_block; /* where the costliest access was */
    uint32_t worst_warp, worst_cost;
    uint8_t sector_op, bank_op; /* CounterOp: cp.async loads from global and stores to shared memory */
} Tally;

/* A line that was fetched into an L1. */
typedef struct Fetched {
    uint64_t warps; /* a set: those that have waited for it */
    uint32_t line;
    uint32_t by; /* the SM, and in which batch */
} Fetched;

typedef struct CounterWorker {
    _Alignas(HOST_PAIR_BYTES) CounterSet *set;
    Observer observer;
    Tally *tallies;  /* n_insns */
    Access *samples; /* n_insns: the costliest access of each */
    Access made;     /* the one that is being counted, where the assembler makes another of it */
    TrafficLog *log;
    uint64_t l2_write_sectors, barriers;
    BulkCounters bulk;
    CopyWaits copy_waits;
    CopyBlocks copy_blocks;
    LastLoads last_loads;
    Serialised *serialised; /* NULL before the first atomic operation that may wait for another */
    uint64_t batch;         /* the running one */
    bool timed;             /* its notes may be replayed; else neither `pace` nor `fetched` is kept */
    Pace pace[RESIDENT_WARPS];
    Fetched fetched[1 << FETCHED_LOG2]; /* by hash of the line and its SM, the last one */
} CounterWorker;

typedef struct Sm {
    _Alignas(HOST_PAIR_BYTES) L1 l1;
    StoreTail stores;
} Sm;

struct CounterSet {
    CounterConfig config;
    uint32_t n_insns, n_workers;
    CounterWorker *workers;
    Sm *sms; /* an SM's batches run one after the other, whichever worker runs them */
    Traffic *traffic;
    Counters result;
};

static void *allocate(size_t count, size_t bytes) {
    return memset(alloc_aligned(HOST_PAIR_BYTES, count * bytes), 0, count * bytes);
}

/* --- lines --- */

/* Which of its SM's warps this is. */
static inline uint32_t resident_warp(const Place *place) { return place->resident_warp % RESIDENT_WARPS; }

static __attribute__((noinline)) void number_local_lines(const Place *place, Footprint *footprint) {
    uint32_t base = LOCAL_LINE | (place->sm * RESIDENT_WARPS + resident_warp(place)) << LOCAL_LINES_LOG2;
    for (uint32_t i = 0; i < footprint->n_lines; i++)
        footprint->line[i] = base | (footprint->line[i] & ((1u << LOCAL_LINES_LOG2) - 1));
}

/* --- one access --- */

static inline Sm *sm_of(CounterWorker *worker, const Place *place) {
    Sm *sm = &worker->set->sms[place->sm];
    if (!sm->l1.cache) sm->l1.cache = cache_new(&worker->set->config.l1_cache);
    return sm;
}

static inline bool has_trait(const CounterConfig *config, uint32_t pc, enum Trait trait) {
    return config->traits && config->traits[pc] & trait;
}

/* Fermi's and Kepler's L1 takes whole lines. */
static void take_lines(Footprint *footprint) {
    memset(footprint->mask, SECTORS_ALL, footprint->n_lines);
    footprint->sectors = footprint->n_lines * LINE_SECTORS;
}

static void empty_if_acquired(CounterWorker *worker, const Place *place, uint32_t pc) {
    if (has_trait(&worker->set->config, pc, TRAIT_ACQUIRES)) l1_empty(&sm_of(worker, place)->l1);
}

static void note_request(CounterWorker *worker, const Place *place, NoteKind kind, uint32_t line, uint32_t mask, bool in_step) {
    uint32_t warp = resident_warp(place);
    Note *note = traffic_note(worker->log, worker->observer.ticket);
    *note = (Note){.line = line,
                   .kind = (uint8_t)kind,
                   .mask = mask & SECTORS_ALL,
                   .waits = kind == NOTE_WORK,
                   .in_step = in_step,
                   .warp = (uint8_t)warp,
                   .sm = (uint8_t)place->sm};
    if (!worker->timed) return;
    worker->pace[warp].asked |= kind != NOTE_WORK;
    pace_take(&worker->pace[warp], note);
}

/* True when another warp has fetched the line and this one has not waited for it yet: it may be in flight. */
static bool waits_for_other(CounterWorker *worker, const Place *place, uint32_t line, bool fetches) {
    enum { SM_BITS = 8, SM_SLOTS = 61 };
    uint32_t by = (uint32_t)(worker->batch + 1) << SM_BITS | place->sm; /* 0: none */
    Fetched *fetched = &worker->fetched[line_slot(line + place->sm * SM_SLOTS, FETCHED_LOG2)];
    uint64_t warp = UINT64_C(1) << resident_warp(place);
    if (fetches) *fetched = (Fetched){.warps = warp, .line = line, .by = by};
    if (fetched->line != line || fetched->by != by || fetched->warps & warp) return false;
    fetched->warps |= warp;
    return true;
}

/* Notes when a load of so many lines leaves its warp. Returns whether it may join other SMs' reads: only as long as these run in step, which is until
 * a warp has looked up in_step lines since its block began or since a barrier, and not with requests of so many lines, which queue in their SM;
 * but always where each waits for the one before it. */
static bool time_load(CounterWorker *worker, const Place *place, uint32_t pc, uint32_t lines) {
    const CounterConfig *config = &worker->set->config;
    Pace *pace = &worker->pace[resident_warp(place)];
    const Trip *trip = config->trips ? &config->trips[pc] : NULL;
    bool in_step = (pace->lines < config->merge.in_step && lines < config->merge.lines) || (trip && trip->follows);
    pace_load(pace, &config->merge, pc, trip, lines);
    return in_step;
}

/* Returns the sectors that hit; late: those of them that may be in flight. */
static uint32_t load_sectors(CounterWorker *worker, const Place *place, const Access *access, Footprint *footprint,
                             uint32_t *late) {
    const CounterConfig *config = &worker->set->config;
    Sm *sm = sm_of(worker, place);
    L1Use use = l1_use(config, access);
    if (use == L1_FILL && config->line_requests) take_lines(footprint);
    const bool timed = worker->timed, in_step = timed && time_load(worker, place, access->pc, footprint->n_lines);
    uint32_t hits = 0;
    if (sm->l1.stored) sectors_set_words(access, footprint);
    const bool ahead = has_trait(config, access->pc, TRAIT_AHEAD);
    if (!ahead) stores_wait(&sm->stores, place);
    sm->l1.recent += footprint->n_lines;
    for (uint32_t i = 0; i < footprint->n_lines; i++) {
        const uint32_t line = footprint->line[i], mask = footprint->mask[i];
        const uint32_t hit = l1_load(&sm->l1, use, line, mask, footprint->words[i]);
        const uint32_t n_hits = (uint32_t)__builtin_popcount(hit);
        hits += n_hits;
        if (!ahead) stores_wait_for_line(&sm->stores, resident_warp(place), line, hit != mask);
        if (i) worker->observer.effort += mask & ~hit ? BEYOND_L1_EFFORT : LINE_EFFORT;
        bool other = timed && waits_for_other(worker, place, line, hit != mask);
        *late += other ? n_hits : 0;
        if (mask & ~hit)
            note_request(worker, place, NOTE_READ, line, mask & ~hit, in_step);
        else if (other)
            note_request(worker, place, NOTE_HIT, line, 0, false);
    }
    if (timed && pace_is_long(&worker->pace[resident_warp(place)])) note_request(worker, place, NOTE_WORK, 0, 0, false);
    return hits;
}

static void store_sectors(CounterWorker *worker, const Place *place, const Access *access, const Footprint *footprint) {
    const CounterConfig *config = &worker->set->config;
    Sm *sm = sm_of(worker, place);
    const bool alone = place->threads <= WARP_LANES && config->blocks <= config->sms;
    Footprint left;
    const bool near = access->space == SPACE_GLOBAL && config->merge.stores &&
                      stores_join_near(&sm->stores, access, place, footprint, alone, &left);
    l1_store(&sm->l1, access, footprint, near, config->line_requests);
    if (!near || left.n_lines)
        worker->l2_write_sectors += stores_count(&sm->stores, &config->merge, place, near ? &left : footprint);
    traffic_write(worker->log, place->sm, resident_warp(place), footprint, worker->observer.ticket);
    stores_end(&sm->stores, place, footprint);
    worker->observer.effort += (uint64_t)(footprint->n_lines - 1) * BEYOND_L1_EFFORT;
}

static void note_update(CounterWorker *worker, const Place *place, const Footprint *footprint, uint32_t i) {
    *traffic_note(worker->log, worker->observer.ticket) = (Note){.line = footprint->line[i],
                                                                 .words = footprint->words[i],
                                                                 .kind = NOTE_ATOMIC,
                                                                 .mask = footprint->mask[i] & SECTORS_ALL,
                                                                 .warp = (uint8_t)resident_warp(place),
                                                                 .sm = (uint8_t)place->sm};
}

/* Atomics are executed in L2; the line in L1 is invalidated. */
static void atomic_sectors(CounterWorker *worker, const Place *place, uint32_t pc, const Footprint *footprint) {
    const CounterConfig *config = &worker->set->config;
    Sm *sm = sm_of(worker, place);
    if (!config->sms_alone) serialised_global(&worker->serialised, footprint, has_trait(config, pc, TRAIT_SUMS));
    worker->observer.effort += (uint64_t)(footprint->n_lines - 1) * BEYOND_L1_EFFORT;
    for (uint32_t i = 0; i < footprint->n_lines; i++) {
        uint32_t line = footprint->line[i];
        cache_invalidate(sm->l1.cache, line);
        note_update(worker, place, footprint, i);
    }
}

static __attribute__((noinline)) void sample_keep(CounterWorker *worker, Tally *tally, uint32_t cost, const Place *place,
                                                  const Access *access) {
    tally->worst_cost = cost;
    tally->worst_block = place->block;
    tally->worst_warp = place->warp;
    Access *sample = &worker->samples[access->pc];
    *sample = *access;
    sample->data = NULL;
    sample->updates = NULL;
}

static inline void sample_take(CounterWorker *worker, Tally *tally, uint32_t cost, const Place *place, const Access *access) {
    if (cost < tally->worst_cost) return;
    if (cost == tally->worst_cost &&
        (place->block > tally->worst_block || (place->block == tally->worst_block && place->warp >= tally->worst_warp)))
        return;
    sample_keep(worker, tally, cost, place, access);
}

static inline int space_index(const Access *access) {
    return access->space == SPACE_LOCAL ? SPACE_INDEX_LOCAL : SPACE_INDEX_GLOBAL;
}

/* Of a load in the first wave, whose time is known, whatever the others do. */
static void tally_first(SectorCounters *sums, const Access *access, Footprint *footprint, uint32_t hits, uint32_t late) {
    sectors_set_words(access, footprint);
    sums->first_lines += footprint->n_lines;
    sums->first_passes += passes_count(footprint);
    sums->first_hits += hits;
    sums->late_hits += late;
}

static __attribute__((noinline)) void count_sectors(CounterWorker *worker, Tally *tally, const Place *place,
                                                    const Access *access) {
    Footprint footprint;
    uint32_t hits = 0, late = 0;
    sectors_find(access, &footprint);
    if (access->space == SPACE_LOCAL) number_local_lines(place, &footprint);
    switch ((AccessKind)access->kind) {
    case ACCESS_LOAD: hits = load_sectors(worker, place, access, &footprint, &late); break;
    case ACCESS_STORE: store_sectors(worker, place, access, &footprint); break;
    case ACCESS_ATOMIC:
    case ACCESS_REDUCTION: atomic_sectors(worker, place, access->pc, &footprint); break;
    }
    empty_if_acquired(worker, place, access->pc);
    bool local = access->space == SPACE_LOCAL;
    SectorCounters *sums = &tally->sectors[space_index(access)];
    sums->requests += local && access->bytes > 4 ? access->bytes / 4 : 1;
    sums->sectors += footprint.sectors;
    sums->lines += footprint.n_lines;
    sums->ideal_sectors += (footprint.unique_bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    sums->bytes += (uint32_t)__builtin_popcount(access->active) * access->bytes;
    sums->unique_bytes += footprint.unique_bytes;
    sums->l1_hit_sectors += hits;
    if (access->kind == ACCESS_LOAD && worker->batch < worker->set->config.sms && !worker->set->config.sms_alone)
        tally_first(sums, access, &footprint, hits, late);
    sample_take(worker, tally, footprint.sectors, place, access);
}

static __attribute__((noinline)) void count_banks(CounterWorker *worker, Tally *tally, const Place *place,
                                                  const Access *access) {
    BankCount count = banks_count(access);
    tally->banks.requests++;
    tally->banks.wavefronts += count.wavefronts;
    tally->banks.bank_conflicts += count.conflicts;
    sample_take(worker, tally, count.wavefronts, place, access);
}

void counters_preview(const Observer *observer, const Place *place, const Access *access, Footprint *footprint, uint8_t *hits) {
    const CounterWorker *worker = observer->self;
    const CounterConfig *config = &worker->set->config;
    const Cache *l1 = worker->set->sms[place->sm].l1.cache;
    Access made;
    if (assembly_changes(&config->assembly, access) && assemble(&config->assembly, access, &made) == ASSEMBLED_COMBINED)
        access = &made;
    sectors_find(access, footprint);
    if (access->space == SPACE_LOCAL) number_local_lines(place, footprint);
    memset(hits, 0, footprint->n_lines);
    if (access->kind != ACCESS_LOAD) return;
    sectors_set_words(access, footprint);
    L1Use use = l1_use(config, access);
    if (use == L1_FILL && config->line_requests) take_lines(footprint);
    for (uint32_t i = 0; l1 && use != L1_BYPASS && i < footprint->n_lines; i++)
        hits[i] = (uint8_t)cache_probe(l1, footprint->line[i], footprint->mask[i], footprint->words[i]);
}

const Assembly *counters_assembly(const Observer *observer) { return &((CounterWorker *)observer->self)->set->config.assembly; }

static void count_loop(CounterWorker *worker, Tally *tally, const Place *place, Access *made) {
    SwapLoop loop = loop_begin(made);
    while (made->active) {
        const uint32_t tries = loop_tries(&loop);
        const BankCount loads = loop_loads(&loop);
        tally->loop_loads.requests++;
        tally->loop_loads.wavefronts += loads.wavefronts;
        tally->loop_loads.bank_conflicts += loads.conflicts;
        const uint32_t left = loop_step(&loop, tries);
        assembled_take_lanes(made, tries);
        if (tries) count_banks(worker, tally, place, made);
        assembled_take_lanes(made, left);
    }
}

static void count_access(CounterWorker *worker, Tally *tally, const Place *place, const Access *access) {
    switch ((Space)access->space) {
    case SPACE_GLOBAL:
    case SPACE_LOCAL:
        tally->sector_op = counter_op(access->kind);
        count_sectors(worker, tally, place, access);
        break;
    case SPACE_SHARED:
        tally->bank_op = counter_op(access->kind);
        count_banks(worker, tally, place, access);
        if (access->kind == ACCESS_ATOMIC) empty_if_acquired(worker, place, access->pc);
        break;
    case SPACE_CONST:
        tally->sector_op = counter_op(access->kind);
        tally->constant_requests += sectors_constant_words(access);
        break;
    case SPACE_GENERIC:
    case SPACE_PARAM:
    case SPACE_COUNT: break;
    }
}

static __attribute__((noinline)) void count_assembled(CounterWorker *worker, Tally *tally, const Place *place,
                                                      const Access *access) {
    Access *made = &worker->made;
    const Assembly *assembly = &worker->set->config.assembly;
    const Assembled how = assemble(assembly, access, made);
    const Narrowed *narrowed = how == ASSEMBLED_NARROWER ? &assembly->narrowed[access->pc] : NULL;
    if ((how == ASSEMBLED_COMBINED || how == ASSEMBLED_LOOP) && assembled_combines(access, made))
        ++*(access->space == SPACE_SHARED ? &tally->banks.combined : &tally->sectors[space_index(access)].combined);
    switch (how) {
    case ASSEMBLED_AS_IS: count_access(worker, tally, place, access); break;
    case ASSEMBLED_WIDER:
    case ASSEMBLED_COMBINED: count_access(worker, tally, place, made); break;
    case ASSEMBLED_NARROWER:
        if (narrowed->once && loads_again(&worker->last_loads, place, access, narrowed->with)) break;
        for (unsigned nth = 0; assembled_part(assembly, access, nth, made); nth++) count_access(worker, tally, place, made);
        break;
    case ASSEMBLED_TAKEN:
        tally->bank_op = counter_op(access->kind);
        tally->banks.joined++;
        break;
    case ASSEMBLED_LOOP:
        tally->bank_op = counter_op(access->kind);
        if (!worker->set->config.sms_alone) serialised_shared(&worker->serialised, place->block_slot, made);
        count_loop(worker, tally, place, made);
        break;
    }
}

static bool on_access(void *self, const Place *place, const Access *access, Fault *fault) {
    (void)fault;
    CounterWorker *worker = self;
    const CounterConfig *config = &worker->set->config;
    Tally *tally = &worker->tallies[access->pc];
    if (access->uncounted || (config->prints_aside && has_trait(config, access->pc, TRAIT_PRINTS))) return true;
    if (worker->timed) pace_access(&worker->pace[resident_warp(place)], access->pc);
    (assembly_changes(&config->assembly, access) ? count_assembled : count_access)(worker, tally, place, access);
    return true;
}

static void on_fence(void *self, const Place *place, uint32_t pc) { empty_if_acquired(self, place, pc); }

/* A launch without clusters has a barrier of the block in its place. */
static void on_cluster(void *self, const Place *place, uint64_t first, uint32_t warps) {
    CounterWorker *worker = self;
    (void)first, (void)warps;
    if (worker->set->config.clusters) l1_empty(&sm_of(worker, place)->l1);
}

static bool on_peer_access(void *self, const Place *place, const Place *owner, const Access *access, Fault *fault) {
    CounterWorker *worker = self;
    Tally *tally = &worker->tallies[access->pc];
    tally->bank_op = (uint8_t)counter_op(access->kind);
    return (void)place, (void)owner, (void)fault,
           access->uncounted || peers_count(&tally->peers, &worker->set->config.assembly, access);
}

static void on_async(void *self, const Place *place, const AsyncEvent *event) {
    CounterWorker *worker = self;
    copy_groups_event(&worker->copy_blocks, place, event, &worker->copy_waits);
    const bool reads = event->from_space == SPACE_GLOBAL, writes = !reads && event->variant == BULK_COPY;
    Footprint piece;
    if (!event->bytes || event->variant == BULK_PREFETCH) return;
    worker->bulk.copies += !event->again;
    worker->bulk.bytes += event->again ? 0 : event->bytes;
    for (BulkPieces at = {.event = event}; bulk_piece_next(&at, &piece);) {
        worker->observer.effort += BEYOND_L1_EFFORT;
        *(reads ? &worker->bulk.read_sectors : &worker->bulk.write_sectors) += piece.sectors;
        worker->l2_write_sectors += writes ? piece.sectors : 0;
        if (writes) traffic_write(worker->log, place->sm, resident_warp(place), &piece, worker->observer.ticket);
        for (uint32_t i = 0; reads && !event->again && i < piece.n_lines; i++)
            note_request(worker, place, NOTE_READ, piece.line[i], piece.mask[i], true);
        for (uint32_t i = 0; !reads && !writes && i < piece.n_lines; i++) note_update(worker, place, &piece, i);
    }
}

static void on_batch_begin(void *self, uint64_t batch) {
    CounterWorker *worker = self;
    const Sm *sm = &worker->set->sms[batch % worker->set->config.sms];
    worker->batch = batch, worker->timed = traffic_begin(worker->log, batch);
    if (sm->l1.cache) cache_prefetch_all(sm->l1.cache);
}

/* The block's warps in the set go on together; or begin, whatever ran in their place before. */
static void note_meeting(CounterWorker *worker, const Place *place, uint32_t warps, bool begin) {
    if (!worker->timed) return;
    uint32_t first = resident_warp(place) - place->warp;
    for (uint32_t left = warps; left; left &= left - 1) {
        uint32_t warp = (first + (uint32_t)__builtin_ctz(left)) % RESIDENT_WARPS;
        Pace *pace = &worker->pace[warp];
        Note *note = traffic_note(worker->log, worker->observer.ticket);
        *note = (Note){.line = first % RESIDENT_WARPS,
                       .words = warps,
                       .kind = NOTE_MEETING,
                       .waits = true,
                       .begins = begin,
                       .warp = (uint8_t)warp,
                       .sm = (uint8_t)place->sm};
        if (!begin) pace_take(pace, note);
        *pace = pace_new();
    }
}

static void on_block_begin(void *self, const Place *place, uint32_t shared_bytes) {
    (void)shared_bytes;
    const uint32_t warps = (place->threads + WARP_LANES - 1) / WARP_LANES;
    note_meeting(self, place, LANES_ALL >> (WARP_LANES - warps), true);
    copy_groups_begin(&((CounterWorker *)self)->copy_blocks, place);
}

static void on_barrier(void *self, const Place *place, uint32_t warps) {
    CounterWorker *worker = self;
    worker->barriers += (uint32_t)__builtin_popcount(warps);
    stores_meet(&sm_of(worker, place)->stores, place, warps);
    copy_groups_meet(&worker->copy_blocks, place, warps, &worker->copy_waits);
    note_meeting(worker, place, warps, false);
}

static void on_batch_end(void *self, uint64_t batch) {
    (void)batch;
    traffic_end(((CounterWorker *)self)->log);
    serialised_end_batch(((CounterWorker *)self)->serialised);
}

static void on_batch_commit(void *self, uint64_t batch) { traffic_commit(((CounterWorker *)self)->log, batch); }

/* --- the set --- */

CounterSet *counters_new(const CounterConfig *config, uint32_t n_insns, uint32_t workers) {
    CounterSet *set = allocate(1, sizeof *set);
    set->config = *config;
    set->n_insns = n_insns;
    set->n_workers = workers;
    if (!config->sms_alone) set->traffic = traffic_new(&config->merge, config->sms, config->blocks, &config->l2_cache);
    set->workers = allocate(workers, sizeof *set->workers);
    for (uint32_t i = 0; i < workers; i++) {
        CounterWorker *worker = &set->workers[i];
        worker->set = set;
        worker->last_loads.n_insns = n_insns;
        worker->tallies = allocate(n_insns, sizeof *worker->tallies);
        worker->samples = allocate(n_insns, sizeof *worker->samples);
        worker->log = traffic_log_new(set->traffic);
        worker->observer = (Observer){.self = worker,
                                      .on_batch_begin = on_batch_begin,
                                      .on_block_begin = on_block_begin,
                                      .on_peer_access = on_peer_access,
                                      .on_access = on_access,
                                      .on_async = on_async,
                                      .on_fence = on_fence,
                                      .on_cluster = on_cluster,
                                      .on_barrier = on_barrier,
                                      .on_batch_end = on_batch_end,
                                      .on_batch_commit = on_batch_commit};
    }
    set->sms = allocate(config->sms, sizeof *set->sms);
    set->result.insns = allocate(n_insns, sizeof *set->result.insns);
    return set;
}

void counters_free(CounterSet *set) {
    if (!set) return;
    for (uint32_t i = 0; i < set->n_workers; i++) {
        free(set->workers[i].tallies);
        free(set->workers[i].samples);
        copy_blocks_free(&set->workers[i].copy_blocks);
        last_loads_free(&set->workers[i].last_loads);
        serialised_free(set->workers[i].serialised);
        traffic_log_free(set->workers[i].log);
    }
    for (uint32_t sm = 0; sm < set->config.sms; sm++) cache_free(set->sms[sm].l1.cache);
    traffic_free(set->traffic);
    free(set->workers);
    free(set->sms);
    free(set->result.insns);
    free(set);
}

Observer *counters_observer(CounterSet *set, uint32_t worker) { return &set->workers[worker].observer; }

static void add_sample(Sample *worst, const Tally *tally, const Access *access) {
    bool better =
        tally->worst_cost > worst->cost ||
        (tally->worst_cost == worst->cost &&
         (tally->worst_block < worst->block || (tally->worst_block == worst->block && tally->worst_warp < worst->warp)));
    if (better)
        *worst = (Sample){.block = tally->worst_block, .warp = tally->worst_warp, .cost = tally->worst_cost, .access = *access};
}

static void add_tally(Counters *sum, uint32_t pc, const Tally *tally, const Access *sample) {
    InsnCounters *insn = &sum->insns[pc];
    const SectorCounters *global = &tally->sectors[SPACE_INDEX_GLOBAL], *local = &tally->sectors[SPACE_INDEX_LOCAL];
    uint8_t space = global->requests                               ? SPACE_GLOBAL
                    : tally->banks.requests || tally->banks.joined ? SPACE_SHARED
                    : local->requests                              ? SPACE_LOCAL
                    : tally->constant_requests                     ? SPACE_CONST
                                                                   : SPACE_GENERIC;
    counters_add_peers(&insn->peers, &tally->peers);
    counters_add_peers(&sum->peers[tally->bank_op], &tally->peers);
    if (space == SPACE_GENERIC) return;
    if (insn->space == SPACE_GENERIC || space < insn->space) insn->space = space;
    insn->op = space == SPACE_SHARED ? tally->bank_op : tally->sector_op;
    counters_add_sectors(&insn->sectors, global);
    counters_add_sectors(&insn->sectors, local);
    counters_add_banks(&insn->banks, &tally->banks);
    add_sample(&insn->worst, tally, sample);
    counters_add_sectors(&sum->global[tally->sector_op], global);
    counters_add_sectors(&sum->local[tally->sector_op], local);
    counters_add_banks(&sum->shared[tally->bank_op], &tally->banks);
    counters_add_banks(&sum->shared[COUNTER_LOAD], &tally->loop_loads);
    sum->swap_rounds += tally->loop_loads.requests;
    sum->constant_requests += tally->constant_requests;
}

static SerialisedCounts all_serialised(const CounterSet *set) {
    FREED const Serialised **serialised = alloc_zeroed(set->n_workers, sizeof *serialised);
    for (uint32_t i = 0; i < set->n_workers; i++) serialised[i] = set->workers[i].serialised;
    return serialised_count(serialised, set->n_workers);
}

Counters *counters_result(CounterSet *set) {
    Counters *sum = &set->result;
    InsnCounters *insns = sum->insns;
    memset(insns, 0, set->n_insns * sizeof *insns);
    *sum = (Counters){.n_insns = set->n_insns, .insns = insns};
    for (uint32_t i = 0; i < set->n_workers; i++) {
        const CounterWorker *worker = &set->workers[i];
        for (uint32_t pc = 0; pc < set->n_insns; pc++) add_tally(sum, pc, &worker->tallies[pc], &worker->samples[pc]);
        sum->l2_write_sectors += worker->l2_write_sectors;
        sum->barriers += worker->barriers;
        counters_add_bulk(&sum->bulk, &worker->bulk);
        copy_waits_add(&sum->copy_waits, &worker->copy_waits);
    }
    sum->serialised = all_serialised(set);
    TrafficTotals totals = traffic_totals(set->traffic);
    sum->l2_read_sectors = totals.l2_read_sectors;
    sum->timed_reads = totals.timed_reads;
    sum->late_cycles = totals.late_cycles;
    sum->dram_read_bytes = (totals.dram.read + totals.dram.filled) * SECTOR_BYTES;
    sum->dram_write_bytes = totals.dram.written * SECTOR_BYTES;
    sum->dram_rows = totals.dram.rows;
    return sum;
}
