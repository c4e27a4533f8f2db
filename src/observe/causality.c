#include "observe/causality.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/launch.h"

enum { FAN_BITS = 4, FAN = 1 << FAN_BITS, PLACES_FIRST = 256 };

/* A node of the tree: its children, or at the bottom a block's times. Nodes that have been made are not changed any more. */
struct CausalClock {
    uint32_t users;
    union {
        CausalClock *children[FAN];
        uint32_t time[ORDER_WARPS]; /* by warp, of one block */
    };
};

/* What has been handed over at a place: to all, or to the threads of one block. */
typedef struct Handed {
    uint64_t place, to; /* place 0: an empty slot */
    CausalClock *clock;
} Handed;

#define TO_ALL UINT64_MAX

struct Causality {
    pthread_mutex_t lock; /* of users, and of what is handed over */
    bool strict;
    uint32_t depth;   /* of the trees' inner nodes */
    uint64_t barrier; /* the grid's; 0: none */
    Handed *handed;   /* open addressing */
    size_t capacity, count;
};

/* --- clocks ------------------------------------------------------------------------------------------------------------- */

static CausalClock *clock_share(CausalClock *clock) {
    if (clock) clock->users++;
    return clock;
}

static void clock_drop(CausalClock *clock, uint32_t depth) {
    if (!clock || --clock->users) return;
    for (int i = 0; depth && i < FAN; i++) clock_drop(clock->children[i], depth - 1);
    free(clock);
}

static void clock_set(const Causality *causality, CausalClock **at, CausalClock *clock) {
    clock_drop(*at, causality->depth);
    *at = clock;
}

static CausalClock *clock_new(void) {
    CausalClock *clock = alloc_zeroed(1, sizeof *clock);
    clock->users = 1;
    return clock;
}

static CausalClock *join_times(CausalClock *a, CausalClock *b) {
    bool less = false, more = false;
    for (int w = 0; w < ORDER_WARPS; w++) less |= a->time[w] < b->time[w];
    for (int w = 0; w < ORDER_WARPS; w++) more |= a->time[w] > b->time[w];
    if (!less || !more) return clock_share(less ? b : a);
    CausalClock *joined = clock_new();
    for (int w = 0; w < ORDER_WARPS; w++) joined->time[w] = a->time[w] > b->time[w] ? a->time[w] : b->time[w];
    return joined;
}

/* A clock that knows what both know; the caller's to drop. It is one of the two where that knows all. */
static CausalClock *clock_join(CausalClock *a, CausalClock *b, uint32_t depth) {
    if (a == b || !b) return clock_share(a);
    if (!a) return clock_share(b);
    if (!depth) return join_times(a, b);
    CausalClock *children[FAN];
    bool is_a = true, is_b = true;
    for (int i = 0; i < FAN; i++) {
        children[i] = clock_join(a->children[i], b->children[i], depth - 1);
        is_a &= children[i] == a->children[i];
        is_b &= children[i] == b->children[i];
    }
    if (is_a || is_b) {
        for (int i = 0; i < FAN; i++) clock_drop(children[i], depth - 1);
        return clock_share(is_a ? a : b);
    }
    CausalClock *joined = clock_new();
    memcpy(joined->children, children, sizeof children);
    return joined;
}

static void learn(const Causality *causality, CausalClock **at, CausalClock *news) {
    if (news) clock_set(causality, at, clock_join(*at, news, causality->depth));
}

static uint32_t digit(uint64_t block, uint32_t depth) { return (uint32_t)(block >> FAN_BITS * (depth - 1)) & (FAN - 1); }

/* Of these times alone. */
static CausalClock *clock_of(const OwnTimes *own, uint32_t depth) {
    CausalClock *clock = clock_new();
    if (depth)
        clock->children[digit(own->block, depth)] = clock_of(own, depth - 1);
    else
        memcpy(clock->time, own->time, own->warps * sizeof *own->time);
    return clock;
}

/* --- what is handed over at places ------------------------------------------------------------------------------------------ */

static size_t slot_of(const Causality *causality, uint64_t place, uint64_t to) {
    const uint64_t hash = (place ^ to * UINT64_C(0xc2b2ae3d27d4eb4f)) * UINT64_C(0x9e3779b97f4a7c15);
    size_t slot = (size_t)(hash >> 20) & (causality->capacity - 1);
    while (causality->handed[slot].place && (causality->handed[slot].place != place || causality->handed[slot].to != to))
        slot = (slot + 1) & (causality->capacity - 1);
    return slot;
}

static void places_grow(Causality *causality) {
    FREED Handed *old = causality->handed;
    const size_t capacity = causality->capacity;
    causality->capacity = capacity ? capacity * 2 : PLACES_FIRST;
    causality->handed = alloc_zeroed(causality->capacity, sizeof *causality->handed);
    for (size_t i = 0; i < capacity; i++)
        if (old[i].place) causality->handed[slot_of(causality, old[i].place, old[i].to)] = old[i];
}

static CausalClock *handed_at(const Causality *causality, uint64_t place, uint64_t to) {
    return causality->count ? causality->handed[slot_of(causality, place, to)].clock : NULL;
}

/* A plain write ends what was handed over at the place, an update adds to it. */
static void hand_over(Causality *causality, uint64_t place, uint64_t to, CausalClock *clock, bool adds) {
    if (!clock && (adds || !causality->count)) return;
    if (2 * (causality->count + 1) > causality->capacity) places_grow(causality);
    Handed *handed = &causality->handed[slot_of(causality, place, to)];
    if (!handed->place && !clock) return;
    causality->count += !handed->place;
    handed->place = place;
    handed->to = to;
    if (adds)
        learn(causality, &handed->clock, clock);
    else
        clock_set(causality, &handed->clock, clock_share(clock));
}

/* --- what warps do ----------------------------------------------------------------------------------------------------------- */

Causality *causality_new(uint64_t blocks, bool strict, uint64_t barrier) {
    Causality *causality = alloc_zeroed(1, sizeof *causality);
    causality->strict = strict;
    causality->barrier = barrier;
    pthread_mutex_init(&causality->lock, NULL);
    while (causality->depth < 64 / FAN_BITS && (blocks - 1) >> (FAN_BITS * causality->depth)) causality->depth++;
    return causality;
}

void causality_free(Causality *causality) {
    if (!causality) return;
    for (size_t i = 0; i < causality->capacity; i++) clock_drop(causality->handed[i].clock, causality->depth);
    free(causality->handed);
    pthread_mutex_destroy(&causality->lock);
    free(causality);
}

void causality_fence(Causality *causality, WarpOrder *order, const OwnTimes *own, bool of_block) {
    pthread_mutex_lock(&causality->lock);
    for (int all = 0; all <= !of_block; all++) {
        order->lock_fenced[all] = true;
        learn(causality, &order->known, order->pending[all]);
        clock_set(causality, &order->pending[all], NULL);
    }
    CausalClock *now = clock_of(own, causality->depth);
    for (int all = 0; all <= !of_block; all++) {
        clock_set(causality, &order->fenced[all], clock_share(now));
        learn(causality, &order->fenced[all], order->known);
    }
    clock_set(causality, &now, NULL);
    pthread_mutex_unlock(&causality->lock);
}

static void take_over(Causality *causality, WarpOrder *order, const AtomicAccess *access, bool waits) {
    CausalClock **own = waits ? &order->pending[0] : &order->known, **all = waits ? &order->pending[1] : &order->known;
    learn(causality, own, handed_at(causality, access->place, access->block));
    if (!access->of_block) learn(causality, all, handed_at(causality, access->place, TO_ALL));
}

static void give(Causality *causality, const WarpOrder *order, const AtomicAccess *access, bool gives_lock) {
    for (int all = 0; all < 2; all++) {
        const bool keeps = (all && access->of_block) || (gives_lock && order->lock_early[all]);
        hand_over(causality, access->place, all ? TO_ALL : access->block, keeps ? NULL : order->fenced[all],
                  access->kind != ATOMIC_WRITE);
    }
}

static void hand_on(Causality *causality, const AtomicAccess *access) {
    for (int all = 0; all < 2; all++) {
        const uint64_t to = all ? TO_ALL : access->block;
        hand_over(causality, access->place, to, handed_at(causality, access->before, to), true);
    }
}

static bool at_barrier(const Causality *causality, uint64_t place) {
    return causality->barrier && place - causality->barrier < GRID_WORKSPACE_BYTES;
}

/* The thread that adds for its block reads for it too. Two rounds have places of their own: nobody arrives for the one after next before all have
 * read of this one. */
static void meet_grid(Causality *causality, WarpOrder *order, bool arrives) {
    order->arrivals += arrives;
    const uint64_t place = causality->barrier + order->arrivals % 2;
    if (arrives)
        hand_over(causality, place, TO_ALL, order->fenced[1], true);
    else
        learn(causality, &order->known, handed_at(causality, place, TO_ALL));
}

void causality_access(Causality *causality, WarpOrder *order, const AtomicAccess *access) {
    const AtomicKind kind = access->kind;
    const bool takes_lock = kind == ATOMIC_CAS && causality->strict, gives_lock = order->lock == access->place && !takes_lock;
    const bool meets = at_barrier(causality, access->place);
    pthread_mutex_lock(&causality->lock);
    if (meets) meet_grid(causality, order, kind != ATOMIC_READ);
    if (access->before) hand_on(causality, access);
    if (!meets && access->returns) take_over(causality, order, access, takes_lock);
    if (!meets && kind != ATOMIC_READ) give(causality, order, access, gives_lock);
    pthread_mutex_unlock(&causality->lock);
    if (meets || kind == ATOMIC_READ) return;
    if (gives_lock) order->lock = 0;
    if (!takes_lock) return;
    order->lock = access->place;
    memset(order->lock_fenced, 0, sizeof order->lock_fenced);
    memset(order->lock_early, 0, sizeof order->lock_early);
}

void causality_plain(WarpOrder *order) {
    if (!order->lock) return;
    for (int all = 0; all < 2; all++) order->lock_early[all] |= !order->lock_fenced[all];
}

/* Each of these clocks of the warps in the set becomes what all of them know. */
static void share_clocks(const Causality *causality, CausalClock **const *clocks, uint32_t count) {
    CausalClock *joined = NULL;
    for (uint32_t i = 0; i < count; i++) learn(causality, &joined, *clocks[i]);
    for (uint32_t i = 0; i < count && joined; i++) clock_set(causality, clocks[i], clock_share(joined));
    clock_set(causality, &joined, NULL);
}

void causality_barrier(Causality *causality, WarpOrder *orders, uint32_t warps) {
    CausalClock **clocks[3][ORDER_WARPS];
    uint32_t count = 0;
    for (uint32_t w = 0; w < ORDER_WARPS; w++) {
        if (!(warps >> w & 1)) continue;
        clocks[0][count] = &orders[w].known;
        clocks[1][count] = &orders[w].fenced[0];
        clocks[2][count++] = &orders[w].fenced[1];
    }
    pthread_mutex_lock(&causality->lock);
    for (int i = 0; i < 3; i++) share_clocks(causality, clocks[i], count);
    pthread_mutex_unlock(&causality->lock);
}

bool causality_knows(const Causality *causality, const WarpOrder *order, uint64_t block, uint32_t warp, uint32_t time) {
    const CausalClock *clock = order->known;
    for (uint32_t depth = causality->depth; clock && depth; depth--) clock = clock->children[digit(block, depth)];
    return clock && time <= clock->time[warp];
}

void causality_forget(Causality *causality, WarpOrder *order) {
    pthread_mutex_lock(&causality->lock);
    clock_set(causality, &order->known, NULL);
    for (int all = 0; all < 2; all++) {
        clock_set(causality, &order->fenced[all], NULL);
        clock_set(causality, &order->pending[all], NULL);
    }
    pthread_mutex_unlock(&causality->lock);
    *order = (WarpOrder){0};
}
