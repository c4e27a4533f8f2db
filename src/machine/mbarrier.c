#include "machine/mbarrier.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/bounds.h"
#include "machine/lanes.h"
#include "machine/peers.h"
#include "machine/warp_fault.h"
#include "ptx/opcode.h"

/* --- the object --- */

/* PTX ISA, "Contents of the mbarrier object": the ranges of its counts. */
enum { COUNT_BITS = 20, COUNT_MOST = (1 << COUNT_BITS) - 1, BYTES_BITS = 21, PHASE_BIT = 63 };

typedef struct Mbarrier {
    uint32_t phase; /* parity of the one that is not complete */
    int32_t pending, expected;
    int32_t bytes; /* expected and not yet completed; below 0: completed before they were expected */
} Mbarrier;

static Mbarrier unpack(uint64_t word) {
    const uint32_t bytes = (uint32_t)(word >> 2 * COUNT_BITS) << (32 - BYTES_BITS);
    return (Mbarrier){.phase = (uint32_t)(word >> PHASE_BIT),
                      .pending = (int32_t)(word & COUNT_MOST),
                      .expected = (int32_t)(word >> COUNT_BITS & COUNT_MOST),
                      .bytes = (int32_t)bytes >> (32 - BYTES_BITS)};
}

static uint64_t pack(const Mbarrier *barrier) {
    const uint64_t bytes = (uint32_t)barrier->bytes & ((UINT32_C(1) << BYTES_BITS) - 1);
    return (uint64_t)barrier->phase << PHASE_BIT | bytes << 2 * COUNT_BITS | (uint64_t)barrier->expected << COUNT_BITS |
           (uint64_t)barrier->pending;
}

/* Where one is: in which block's shared memory, also another's of the cluster. NULL: in none. */
typedef struct MbarrierPlace {
    Block *block;
    uint64_t offset;
} MbarrierPlace;

static MbarrierPlace object_at(const Warp *warp, uint64_t address) {
    MbarrierPlace at;
    uint32_t rank;
    at.block = peers_owner(warp->block, address, &at.offset, &rank);
    return at;
}

static uint64_t word_at(MbarrierPlace at) {
    uint64_t word;
    memcpy(&word, at.block->shared + at.offset, sizeof word);
    return word;
}

static void store(MbarrierPlace at, uint64_t word) { memcpy(at.block->shared + at.offset, &word, sizeof word); }

/* --- what is known of it beside --- */

void mbarriers_begin(Block *block) { block->n_mbarriers = 0; }

static MbarrierNote *note_of(const Block *block, uint64_t offset) {
    for (uint32_t i = 0; i < block->n_mbarriers; i++)
        if (block->mbarriers[i].offset == offset) return &block->mbarriers[i];
    return NULL;
}

uint32_t mbarrier_phase(const Block *block, uint64_t offset) {
    const MbarrierNote *note = note_of(block, offset);
    return note ? note->phase : 0;
}

static void note_init(MbarrierPlace at, uint32_t pc) {
    MbarrierNote *note = note_of(at.block, at.offset);
    if (!note) note = &ALLOC_ADD(at.block->mbarriers, at.block->n_mbarriers);
    *note = (MbarrierNote){.offset = (uint32_t)at.offset, .init_pc = pc, .expect_pc = NO_INSN};
}

/* --- what is wrong with it --- */

static const char *verb(const Step *step) {
    switch (step->insn->variant) {
    case MBARRIER_INVAL: return "invalidates";
    case MBARRIER_EXPECT_TX: return "expects bytes at";
    case MBARRIER_TEST_WAIT:
    case MBARRIER_TRY_WAIT: return "waits for";
    case MBARRIER_ARRIVE:
    case MBARRIER_ARRIVE_DROP:
    case CP_ASYNC_ARRIVE:
    case CP_ASYNC_ARRIVE_NOINC: return "arrives at";
    }
    return "completes bytes at";
}

/* Whose it is, where it is another block's. */
static const char *owner_text(const Warp *warp, MbarrierPlace at, char *text, size_t size) {
    *text = 0;
    if (at.block != warp->block) snprintf(text, size, " of the block of rank %u", at.block->rank);
    return text;
}

/* One that nothing has initialised, or that is invalid again. */
static bool is_valid(Warp *warp, const Step *step, unsigned lane, MbarrierPlace at) {
    const MbarrierNote *note = note_of(at.block, at.offset);
    char of[40];
    if (note && note->init_pc != NO_INSN) return true;
    Worker *worker = warp->worker;
    fault_hint(&worker->fault, "one thread initialises it (init, mbarrier.init), and all others wait for that, by %s",
               at.block == warp->block ? "__syncthreads()" : "cluster.sync()");
    warp_fault(warp, lane, FAULT_uninitialized, step->pc,
               "lane %u of warp %u %s the mbarrier at byte %llu of shared memory%s, which %s", lane, warp->place.warp,
               verb(step), (unsigned long long)at.offset, owner_text(warp, at, of, sizeof of),
               note ? "is invalid" : "has not been initialised");
    return findings_take(&worker->findings, &warp->place, &worker->fault);
}

/* What an instruction makes of a barrier, and the bounds of that. */
typedef struct Count {
    const char *what;
    int64_t is, least, most;
} Count;

/* A device ends the launch then (an H100: cudaErrorLaunchFailure). */
static bool miscounted(Warp *warp, const Step *step, unsigned lane, MbarrierPlace at, Count count) {
    Worker *worker = warp->worker;
    const MbarrierNote *note = note_of(at.block, at.offset);
    char of[40];
    warp_fault(warp, lane, FAULT_barrier_divergence, step->pc,
               "lane %u of warp %u %s the mbarrier at byte %llu of shared memory%s: %lld %s, which must be %lld to %lld", lane,
               warp->place.warp, verb(step), (unsigned long long)at.offset, owner_text(warp, at, of, sizeof of),
               (long long)count.is, count.what, (long long)count.least, (long long)count.most);
    if (note) worker->fault.other_pc = note->init_pc;
    return false;
}

/* --- what is done to it --- */

static void complete_phase(MbarrierPlace at, Mbarrier *barrier) {
    if (barrier->pending || barrier->bytes) return;
    MbarrierNote *note = note_of(at.block, at.offset);
    barrier->phase ^= 1;
    barrier->pending = barrier->expected;
    if (note) note->phase++;
}

static bool change_bytes(Warp *warp, const Step *step, unsigned lane, MbarrierPlace at, int64_t bytes) {
    Mbarrier barrier = unpack(word_at(at));
    const int64_t sum = barrier.bytes + bytes;
    if (sum > COUNT_MOST || sum < -COUNT_MOST)
        return miscounted(warp, step, lane, at, (Count){"bytes are then expected", sum, -COUNT_MOST, COUNT_MOST});
    barrier.bytes = (int32_t)sum;
    MbarrierNote *note = note_of(at.block, at.offset);
    if (note && bytes > 0) note->expect_pc = step->pc;
    if (bytes < 0) complete_phase(at, &barrier);
    store(at, pack(&barrier));
    return true;
}

static bool arrive(Warp *warp, const Step *step, unsigned lane, MbarrierPlace at, uint32_t count, bool drops) {
    Mbarrier barrier = unpack(word_at(at));
    if (!count || count > (uint32_t)barrier.pending)
        return miscounted(warp, step, lane, at, (Count){"arrivals at once", count, 1, barrier.pending});
    barrier.pending -= (int32_t)count;
    if (drops) barrier.expected -= (int32_t)count;
    complete_phase(at, &barrier);
    store(at, pack(&barrier));
    return true;
}

static bool init(Warp *warp, const Step *step, unsigned lane, MbarrierPlace at, uint32_t count) {
    if (!count || count > COUNT_MOST)
        return miscounted(warp, step, lane, at, (Count){"arrivals are expected", count, 1, COUNT_MOST});
    store(at, pack(&(Mbarrier){.pending = (int32_t)count, .expected = (int32_t)count}));
    note_init(at, step->pc);
    return true;
}

/* These lanes arrive, or their copies do, in the phase that is going on, or they have waited for the one before it. */
static void notify(Warp *warp, const Step *step, uint32_t lanes, MbarrierPlace at) {
    const AsyncEvent event = {.pc = step->pc,
                              .lanes = lanes,
                              .variant = step->insn->variant,
                              .barrier = (uint32_t)at.offset,
                              .phase = mbarrier_phase(at.block, at.offset)};
    OBSERVERS_NOTIFY(warp->worker->observers, warp->worker->n_observers, on_async, &warp->place, &event);
}

/* One lane's, on an object at a right place. */
static bool operate(Warp *warp, const Step *step, unsigned lane, MbarrierPlace at, uint32_t count) {
    const uint8_t variant = step->insn->variant;
    if (variant == MBARRIER_INIT) return init(warp, step, lane, at, count);
    if (!is_valid(warp, step, lane, at)) return false;
    const bool arrives = variant == MBARRIER_ARRIVE || variant == MBARRIER_ARRIVE_DROP;
    if (step->insn->op == OP_cp_async || (arrives && at.block == warp->block)) notify(warp, step, 1u << lane, at);
    MbarrierNote *note = note_of(at.block, at.offset);
    const bool expects = step->insn->flags & INSN_EXPECT_TX, drops = variant == MBARRIER_ARRIVE_DROP;
    switch (variant) {
    case MBARRIER_INVAL:
        if (note) note->init_pc = NO_INSN;
        return true;
    case MBARRIER_EXPECT_TX: return change_bytes(warp, step, lane, at, count);
    case MBARRIER_COMPLETE_TX: return change_bytes(warp, step, lane, at, -(int64_t)count);
    case CP_ASYNC_ARRIVE: return true; /* one more is pending until the copies are complete, which they are */
    case CP_ASYNC_ARRIVE_NOINC: return arrive(warp, step, lane, at, 1, false);
    }
    if (expects && !change_bytes(warp, step, lane, at, count)) return false;
    return arrive(warp, step, lane, at, expects ? 1 : count, drops);
}

bool mbarrier_complete(Warp *warp, const Step *step, unsigned lane, uint64_t address, uint32_t bytes) {
    const MbarrierPlace at = object_at(warp, address); /* which has been accessed */
    return is_valid(warp, step, lane, at) && change_bytes(warp, step, lane, at, -(int64_t)bytes);
}

/* --- accesses to it --- */

static void nothing(Warp *warp, const Step *step, const Resolved *at) {
    (void)warp;
    (void)step;
    (void)at;
}

/* What lies at the lanes' addresses, which the worker's access keeps, as of .shared. */
static bool find_objects(Warp *warp, const Step *step, uint32_t lanes, MbarrierPlace *objects) {
    uint64_t *addr = warp->worker->access.addr;
    warp_step_addresses(warp, step, lanes);
    EACH_ACTIVE_LANE(l, step->space == SPACE_SHARED ? 0 : lanes) {
        if (window_space(addr[l]) == SPACE_SHARED) continue;
        return warp_fault(warp, l, FAULT_out_of_bounds, step->pc,
                          "lane %u of warp %u %s an mbarrier at address 0x%llx, which is not in shared memory", l,
                          warp->place.warp, verb(step), (unsigned long long)addr[l]);
    }
    for (unsigned l = 0; step->space != SPACE_SHARED && l < WARP_LANES; l++) addr[l] -= WINDOW_SHARED;
    EACH_ACTIVE_LANE(l, lanes) objects[l] = object_at(warp, addr[l]);
    return true;
}

/* Those of the lanes whose phase is of odd number: the one that is not complete. */
static uint32_t odd_phases(const MbarrierPlace *objects, uint32_t lanes) {
    uint32_t odd = 0;
    EACH_ACTIVE_LANE(l, lanes) {
        const uint64_t bytes = objects[l].block ? objects[l].block->shared_bytes : 0;
        if (objects[l].offset < bytes && bytes - objects[l].offset >= MBARRIER_BYTES)
            odd |= unpack(word_at(objects[l])).phase << l;
    }
    return odd;
}

bool mbarrier_release(Warp *warp, const Step *step, unsigned lane, uint64_t address) {
    Step releasing = *step;
    MbarrierPlace objects[WARP_LANES];
    releasing.exec = EXEC_MBARRIER;
    releasing.order = ORDER_RELEASE;
    warp_addresses(warp, NO_SLOT, 8, address, 1u << lane);
    objects[lane] = object_at(warp, address);
    warp->worker->access.odd = odd_phases(objects, 1u << lane);
    return warp_access(warp, &releasing, (Transfer){SPACE_SHARED, ACCESS_REDUCTION, MBARRIER_BYTES, 1u << lane, NULL, nothing});
}

static uint32_t count_of(const Warp *warp, const Step *step, unsigned lane) {
    return step->s[1] == NO_SLOT ? 1 : ((const uint32_t *)warp_at(warp, step->s[1]))[lane];
}

static bool changes(Warp *warp, const Step *step, uint32_t active) {
    static const uint64_t opaque[WARP_LANES];
    const uint8_t variant = step->insn->variant;
    const bool begins = variant == MBARRIER_INIT || variant == MBARRIER_INVAL;
    const uint8_t kind = begins ? ACCESS_STORE : step->d == NO_SLOT ? ACCESS_REDUCTION : ACCESS_ATOMIC;
    const Transfer transfer = {SPACE_SHARED, kind, MBARRIER_BYTES, active, begins ? opaque : NULL, nothing};
    MbarrierPlace objects[WARP_LANES];
    if (!find_objects(warp, step, active, objects)) return false;
    warp->worker->access.odd = odd_phases(objects, active);
    if (!warp_access(warp, step, transfer)) return false;
    warp->changed = true;
    EACH_ACTIVE_LANE(l, active) {
        const uint64_t before = word_at(objects[l]);
        if (!operate(warp, step, l, objects[l], count_of(warp, step, l))) return false;
        if (step->d != NO_SLOT) ((uint64_t *)warp_at(warp, step->d))[l] = before;
    }
    return true;
}

/* The lanes whose phase is complete: the one that their state or parity means. */
static uint32_t completed(const Warp *warp, const Step *step, uint32_t active, const MbarrierPlace *objects) {
    const bool by_parity = step->insn->flags & INSN_PARITY;
    uint32_t complete = 0;
    EACH_ACTIVE_LANE(l, active) {
        const uint32_t phase = by_parity ? ((const uint32_t *)warp_at(warp, step->s[1]))[l] & 1
                                         : unpack(((const uint64_t *)warp_at(warp, step->s[1]))[l]).phase;
        complete |= (uint32_t)(phase != unpack(word_at(objects[l])).phase) << l;
    }
    return complete;
}

/* One that is waited for is the own block's (PTX ISA, "mbarrier.test_wait"). */
static bool are_inside(const Warp *warp, uint32_t active, const MbarrierPlace *objects) {
    const uint64_t limit = warp->block->shared_bytes;
    EACH_ACTIVE_LANE(l, active) {
        const uint64_t offset = objects[l].offset;
        if (offset >= limit || limit - offset < MBARRIER_BYTES || offset % MBARRIER_BYTES || objects[l].block != warp->block)
            return false;
    }
    return true;
}

static bool others_object(Warp *warp, const Step *step, uint32_t active, const MbarrierPlace *objects) {
    EACH_ACTIVE_LANE(l, active) {
        if (objects[l].block == warp->block) continue;
        fault_hint(&warp->worker->fault, "a block waits for its own mbarriers; the others of its cluster arrive at those");
        warp_fault(warp, l, FAULT_out_of_bounds, step->pc,
                   "lane %u of warp %u waits for an mbarrier in the shared memory of another block", l, warp->place.warp);
        return true;
    }
    return false;
}

/* A wait that is over is a read of the object, which takes over what was before the phase's last arrival. One that is not says nothing: how often
 * a device polls depends on time. */
static bool waits(Warp *warp, const Step *step, uint32_t active) {
    MbarrierPlace objects[WARP_LANES];
    if (!find_objects(warp, step, active, objects)) return false;
    const bool inside = are_inside(warp, active, objects);
    EACH_ACTIVE_LANE(l, inside ? active : 0) {
        if (!is_valid(warp, step, l, objects[l])) return false;
    }
    const uint32_t over = inside ? completed(warp, step, active, objects) : active;
    if (over && !find_objects(warp, step, over, objects)) return false;
    if (!inside && others_object(warp, step, active, objects)) return false;
    warp->worker->access.odd = ~odd_phases(objects, over);
    if (over && !warp_access(warp, step, (Transfer){SPACE_SHARED, ACCESS_LOAD, MBARRIER_BYTES, over, NULL, nothing}))
        return false;
    for (uint32_t left = over, same; left; left &= ~same) {
        const uint64_t offset = objects[lanes_first(left)].offset;
        same = 0;
        EACH_ACTIVE_LANE(l, left) same |= (uint32_t)(objects[l].offset == offset) << l;
        notify(warp, step, same, objects[lanes_first(left)]);
    }
    lanes_set_predicate(warp_at(warp, step->d), over, active);
    return true;
}

bool warp_mbarrier(Warp *warp, const Step *step, uint32_t active) {
    const uint8_t variant = step->insn->variant;
    warp->worker->undefined.any = false;
    if (variant == MBARRIER_PENDING_COUNT) {
        const uint64_t *states = warp_at(warp, step->s[1]);
        uint32_t *pending = warp_at(warp, step->d);
        EACH_ACTIVE_LANE(l, active) pending[l] = (uint32_t)unpack(states[l]).pending;
        return true;
    }
    return mbarrier_is_wait(step->insn) ? waits(warp, step, active) : changes(warp, step, active);
}

/* --- who waits in vain --- */

bool mbarrier_awaited(const Warp *warp, MbarrierWait *wait) {
    const Spin *spin = &warp->spin;
    const Program *program = warp->worker->code->program;
    if (spin->pc == NO_INSN || program->insns[spin->pc].op != OP_mbarrier) return false;
    const MbarrierPlace at = object_at(warp, spin->address - WINDOW_SHARED);
    const MbarrierNote *note = at.block ? note_of(at.block, at.offset) : NULL;
    if (!note) return false;
    const Mbarrier barrier = unpack(word_at(at));
    char arrivals[60] = "", bytes[80] = "";
    if (barrier.pending) snprintf(arrivals, sizeof arrivals, "%d of %d arrivals", barrier.pending, barrier.expected);
    if (barrier.bytes > 0) snprintf(bytes, sizeof bytes, "%d of the bytes that it expects", barrier.bytes);
    if (barrier.bytes < 0) snprintf(bytes, sizeof bytes, "an expect_tx of %d bytes that were copied", -barrier.bytes);
    snprintf(wait->what, sizeof wait->what, "phase %u of the mbarrier at byte %llu of shared memory", note->phase,
             (unsigned long long)at.offset);
    snprintf(wait->lacks, sizeof wait->lacks, "%s%s%s", arrivals, barrier.pending && barrier.bytes ? " and " : "", bytes);
    wait->pc = barrier.bytes > 0 ? note->expect_pc : note->init_pc;
    const bool untouched = barrier.pending == barrier.expected && !barrier.bytes && note->phase;
    wait->over = untouched ? note->phase - 1 : NO_INSN;
    return true;
}
