/* The checks against an oracle that keeps every access of every thread and full vector clocks: on made-up runs of accesses to shared memory, to global
 * memory by one block and by several, in the
 * shapes that have ways of their own through the checks (32 neighbours, columns, one place, any places, wide), with barriers of every
 * kind. With plain accesses and whole barriers both must agree at every access; else the checks may be silent where the
 * oracle is not, never the other way round. */
#include "watched.h"

enum {
    WARPS = 3,
    THREADS = WARPS * WARP_LANES,
    REGION = 224,
    CELLS = REGION * WARPS,
    STEPS = 24,
    LOG = STEPS * WARP_LANES,
    RUNS = 1200
};

typedef struct Entry {
    uint16_t thread, clock;
    bool write, atomic;
} Entry;

/* Which memory, and what the oracle's warps are: those of a block, or the first ones of as many blocks. */
static enum { SHARED, GLOBAL, BLOCKS } mode;
static Allocation *buffer; /* NULL with SHARED */

static struct {
    uint32_t clock[THREADS][THREADS]; /* [t][u]: what u did before this time is before what t does now */
    Entry log[CELLS][LOG];            /* accesses of the cell */
    uint32_t n[CELLS];
    uint64_t random;
    enum {
        WIDE,
        NARROW,
        TINY
    } scope; /* of this run: many places; few, so that accesses meet often; two lanes in three places */
} o;

static uint32_t pick(uint32_t below) {
    o.random ^= o.random << 13;
    o.random ^= o.random >> 7;
    o.random ^= o.random << 17;
    return (uint32_t)(o.random >> 20) % below;
}

static void oracle_join(const bool *members) {
    static uint32_t joined[THREADS];
    memset(joined, 0, sizeof joined);
    for (int t = 0; t < THREADS; t++) o.clock[t][t] += members[t];
    for (int t = 0; t < THREADS; t++)
        for (int u = 0; u < THREADS && members[t]; u++) joined[u] = o.clock[t][u] > joined[u] ? o.clock[t][u] : joined[u];
    for (int t = 0; t < THREADS; t++)
        if (members[t]) memcpy(o.clock[t], joined, sizeof joined);
}

static bool oracle_races(uint32_t thread, uint32_t cell, bool write, bool atomic) {
    for (uint32_t i = 0; i < o.n[cell]; i++) {
        const Entry *e = &o.log[cell][i];
        if (e->thread == thread || (!e->write && !write) || (e->atomic && atomic)) continue;
        if (e->clock >= o.clock[thread][e->thread]) return true;
    }
    return false;
}

/* One warp instruction: true when it races with an earlier one, or with itself. */
static bool oracle_access(uint32_t warp, uint32_t active, const uint64_t *addr, uint32_t words, bool write, bool atomic) {
    bool races = false;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        if (!(active >> l & 1)) continue;
        for (uint32_t k = 0; k < words; k++)
            races |= oracle_races(warp * WARP_LANES + l, (uint32_t)addr[l] / 4 + k, write, atomic);
        for (uint32_t m = 0; m < l; m++) races |= write && !atomic && active >> m & 1 && addr[m] == addr[l]; /* values differ */
    }
    for (uint32_t l = 0; l < WARP_LANES && !races; l++) {
        if (!(active >> l & 1)) continue;
        uint32_t thread = warp * WARP_LANES + l;
        for (uint32_t k = 0; k < words; k++) {
            uint32_t cell = (uint32_t)addr[l] / 4 + k;
            o.log[cell][o.n[cell]++] = (Entry){(uint16_t)thread, (uint16_t)o.clock[thread][thread], write, atomic};
        }
    }
    return races;
}

static uint32_t random_mask(void) {
    if (o.scope == TINY) return 0x101u << pick(2); /* not one place, so that it goes the way of many */
    switch (pick(5)) {
    case 0: return 1u << pick(32);
    case 1: return pick(UINT32_MAX) | 0x10000;
    case 2: return LANES_ALL >> pick(32);
    default: return LANES_ALL;
    }
}

/* Addresses of words of a region, 16-byte aligned when wide. Mostly the region is the owner's, and lanes that write are apart. */
static void random_addresses(uint64_t *addr, bool wide, bool write, uint32_t owner) {
    uint32_t unit = wide ? 16 : 4,
             base = pick(o.scope == NARROW ? 2
                         : wide            ? 8
                                           : 96),
             shape = pick(o.scope == NARROW ? 6 : 9), stride = pick(3) + 1, jump = 8 * pick(5);
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint32_t at = shape < 2    ? base + l                      /* neighbours */
                      : shape == 2 ? base                          /* one place */
                      : shape == 3 ? base + l / 16                 /* two */
                      : shape == 4 ? base + l / 5 * 3              /* a few */
                      : shape == 5 ? base + (31 - l) * stride      /* apart, falling */
                      : shape < 8  ? base + l % 16 + l / 16 * jump /* two rows, the same, overlapping or apart */
                                   : pick(96);
        if (wide) at %= 36;
        addr[l] = (uint64_t)unit * at;
    }
    if (o.scope == TINY) {
        for (uint32_t l = 0; l < WARP_LANES; l++) addr[l] = unit * (uint64_t)(base % 3 + l / 8 * 8);
        return;
    }
    if (write && pick(8)) /* after all, each in its own place */
        for (uint32_t l = 0; l < WARP_LANES; l++)
            addr[l] = (uint64_t)unit * (shape < 4   ? l + base % 4
                                        : shape > 5 ? l % 16 + l / 16 * (16 + jump / 4)
                                                    : (31 - l) * (wide ? 1 : stride));
    if (pick(write ? 8 : 2))
        for (uint32_t l = 0; l < WARP_LANES; l++) addr[l] += (uint64_t)owner * REGION * 4;
}

static void random_barrier(Watched *w, bool partial) {
    bool members[THREADS];
    uint32_t kind = pick(partial ? 5 : 3), warp = pick(WARPS), lanes = LANES_ALL, warps = (1u << WARPS) - 1;
    if (kind == 3) lanes = pick(UINT32_MAX) | 1;
    if (kind == 4) warps = (1u << pick(WARPS)) | (1u << pick(WARPS));
    bool within = kind == 0 || kind == 3 || mode == BLOCKS;
    for (uint32_t t = 0; t < THREADS; t++)
        members[t] = within ? t / WARP_LANES == warp && lanes >> t % WARP_LANES & 1 : warps >> t / WARP_LANES & 1;
    oracle_join(members);
    if (mode == BLOCKS) watched_place(w, warp, warp);
    if (within)
        watched_warp_sync(w, mode == BLOCKS ? 0 : warp, lanes);
    else
        watched_barrier(w, warps);
}

static void begin(Watched *w, uint64_t block) {
    memset(o.clock, 0, sizeof o.clock);
    for (int t = 0; t < THREADS; t++) o.clock[t][t] = 1;
    memset(o.n, 0, sizeof o.n);
    w->fault = (Fault){0};
    if (mode != SHARED) { /* the host has filled it */
        watched_launch(w);
        for (uint32_t b = 0; b < (mode == BLOCKS ? WARPS : 1); b++) watched_block(w, b, b, mode == BLOCKS ? 32 : THREADS, 0);
        return;
    }
    watched_block(w, 0, block, THREADS, CELLS * 4);
    for (uint32_t cell = 0; cell < CELLS; cell += WARP_LANES) ck_assert(watched_lanes(w, ST_SHARED, 0, LANES_ALL, cell * 4, 4));
    watched_barrier(w, (1u << WARPS) - 1);
}

typedef struct Tally {
    uint32_t races, missed, fine; /* accesses */
    uint32_t value;               /* the last that was stored */
} Tally;

static void run(Watched *w, bool partial, bool atomics, Tally *tally) {
    uint32_t quiet = pick(8); /* barriers are rare or frequent */
    o.scope = pick(3);
    for (int step = 0; step < STEPS; step++) {
        for (uint32_t i = 0; i < 2; i++)
            if (pick(8) >= quiet) random_barrier(w, partial);
        uint64_t addr[WARP_LANES];
        uint32_t values[WARP_LANES], warp = pick(WARPS), active = random_mask();
        /* load, store, wide load, wide store, atomic */
        static const uint8_t kinds[] = {0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 4};
        uint32_t kind = kinds[pick(atomics ? 11 : 8)];
        if (!pick(3) && o.scope != TINY) active &= 1u << pick(32);
        if (!active) active = 1;
        bool wide = kind == 2 || kind == 3, atomic = kind == 4, write = kind != 0 && kind != 2;
        random_addresses(addr, wide, write, warp);
        for (uint32_t l = 0; l < WARP_LANES; l++) values[l] = ++tally->value; /* none twice */
        static const uint32_t pcs[2][5] = {{LD_SHARED, ST_SHARED, LD_SHARED4, ST_SHARED4, ADD_SHARED},
                                           {LD_GLOBAL, ST_GLOBAL, LD_GLOBAL4, ST_GLOBAL4, ADD_GLOBAL}};
        bool expected = oracle_access(warp, active, addr, wide ? 4 : 1, write, atomic);
        for (uint32_t l = 0; l < WARP_LANES && buffer; l++) addr[l] += buffer->address;
        if (mode == BLOCKS) watched_place(w, warp, warp);
        bool found = !watched_access(w, pcs[mode != SHARED][kind], mode == BLOCKS ? 0 : warp, active, addr, values);
        ck_assert_msg(expected || !found, "no race, but: %s", w->fault.message);
        tally->races += expected;
        tally->missed += expected && !found;
        if (expected) return;
        tally->fine++;
    }
}

static Tally runs(int of, bool partial, bool atomics, uint64_t seed) {
    Watched *w = watched_new(partial ? WITH_COUNTED_BARRIER : 0);
    mode = of;
    buffer = mode == SHARED ? NULL : watched_buffer(w, CELLS * 4, "buffer", true);
    Tally tally = {0};
    o.random = seed;
    watched_launch(w);
    for (uint32_t i = 0; i < RUNS; i++) {
        begin(w, i);
        run(w, partial, atomics, &tally);
    }
    watched_free(w);
    /* Else the runs say nothing. */
    ck_assert_uint_gt(tally.races, RUNS / 4);
    ck_assert_uint_gt(tally.fine, 4 * RUNS);
    return tally;
}

/* Both are looped over: SHARED, GLOBAL, BLOCKS. */
START_TEST(plain_accesses_and_whole_barriers_are_judged_exactly)
{ ck_assert_uint_eq(runs(_i, false, false, 88172645463325252u).missed, 0); }
END_TEST

START_TEST(atomic_accesses_are_never_judged_wrongly_and_rarely_missed)
{
    Tally tally = runs(_i, false, true, 1234567u);
    ck_assert_msg(tally.missed * 100 <= tally.races, "%u of %u missed", tally.missed, tally.races);
}
END_TEST

START_TEST(partial_barriers_are_never_judged_wrongly_and_rarely_missed)
{
    Tally tally = runs(_i, true, false, 987654321u);
    ck_assert_msg(tally.missed * 50 <= tally.races, "%u of %u missed", tally.missed, tally.races);
    runs(_i, true, true, 5555u);
}
END_TEST

SUITE_REPEATED("race_oracle", 3, plain_accesses_and_whole_barriers_are_judged_exactly,
               atomic_accesses_are_never_judged_wrongly_and_rarely_missed,
               partial_barriers_are_never_judged_wrongly_and_rarely_missed)
