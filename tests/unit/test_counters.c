/* Expected counts are derived in the comments, or are those that an H200 showed (tests/hardware/h200-caches.csv). */
#include "../hardware/play.h"
#include "kernel/joins.h"
#include "suite.h"

static Play one_warp(void) { return play_of(1, 1, 32, 1); }
static uint64_t lane(const Play *play, uint32_t l) { return (void)play, l; }
static uint64_t odd_lane(const Play *play, uint32_t l) { return (void)play, l % 2 ? l : UINT64_MAX; }
static uint64_t lane_twice(const Play *play, uint32_t l) { return (void)play, 2 * l; }

static void global_as(Play *play, AccessKind kind, Policy policy, Order order) {
    Access access = {.pc = kind == ACCESS_LOAD ? LOAD_PC : STORE_PC, .space = SPACE_GLOBAL, .kind = (uint8_t)kind, .bytes = 4};
    access.active = LANES_ALL, access.policy = (uint8_t)policy, access.order = (uint8_t)order;
    for (uint32_t l = 0; l < 32; l++) access.addr[l] = IN + l * 4;
    access_now(play, &access);
}

/* Three accesses of a warp to the same 128 bytes: each a load with a policy and an order, 's'tore or 'r'eduction. hits: what the H200's
 * lookup_hit counter showed for the three together. */
typedef struct Chain {
    struct {
        char what;
        Policy policy;
        Order order;
    } step[3];
    uint32_t hits;
} Chain;

#define CA \
    { 'l', POLICY_CA, ORDER_WEAK }
#define PLAIN \
    { 'l', POLICY_NONE, ORDER_WEAK }
#define CG \
    { 'l', POLICY_CG, ORDER_WEAK }
#define CS \
    { 'l', POLICY_CS, ORDER_WEAK }
#define LU \
    { 'l', POLICY_LU, ORDER_WEAK }
#define CV \
    { 'l', POLICY_CV, ORDER_WEAK }
#define NC \
    { 'l', POLICY_NC, ORDER_WEAK }
#define VOLATILE \
    { 'l', POLICY_NONE, ORDER_VOLATILE }
#define RELAXED \
    { 'l', POLICY_NONE, ORDER_RELAXED }
#define ACQUIRE \
    { 'l', POLICY_NONE, ORDER_ACQUIRE }
#define STORE \
    { 's', POLICY_NONE, ORDER_WEAK }
#define RED \
    { 'r', POLICY_NONE, ORDER_WEAK }

static const Chain chains[] = {
    {{CA, CA, CA}, 8},
    {{PLAIN, PLAIN, PLAIN}, 8},
    {{CG, CG, CA}, 0},
    {{CA, CG, CA}, 0},
    {{CS, CS, CA}, 8},
    {{CA, CS, CA}, 8},
    {{LU, LU, CA}, 0},
    {{CA, LU, CA}, 8},
    {{CV, CV, CA}, 0},
    {{CA, CV, CA}, 0},
    {{VOLATILE, VOLATILE, CA}, 0},
    {{CA, VOLATILE, CA}, 0},
    {{RELAXED, RELAXED, CA}, 0},
    {{CA, RELAXED, CA}, 0},
    {{ACQUIRE, ACQUIRE, CA}, 0},
    {{CA, ACQUIRE, CA}, 0},
    {{NC, NC, CA}, 8},
    {{CA, NC, CA}, 8},
    {{STORE, CA, CA}, 8},
    {{CA, STORE, CA}, 4},
    {{STORE, STORE, CA}, 4},
    {{CA, RED, CA}, 0},
    {{RED, CA, CA}, 4},
};

static const Chain *chain;

static void play_chain(Play *play) {
    for (int i = 0; i < 3; i++) {
        AccessKind kind = chain->step[i].what == 'l'   ? ACCESS_LOAD
                          : chain->step[i].what == 's' ? ACCESS_STORE
                                                       : ACCESS_REDUCTION;
        global_as(play, kind, chain->step[i].policy, chain->step[i].order);
    }
}

START_TEST(l1_hits_by_cache_policy_are_those_of_an_h200)
{
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        Play play = one_warp();
        chain = &chains[i];
        const Counters *counters = play_all(&play, play_chain);
        uint64_t hits = counters->global[COUNTER_LOAD].l1_hit_sectors;
        ck_assert_msg(hits == chain->hits, "chain %u: %u hits, measured %u", (unsigned)i, (unsigned)hits, chain->hits);
        counters_free(play.set);
    }
}
END_TEST

/* Stores to one element of each of many lines, then the first line is read again. 248 KB of L1 are 1984 lines, in sets of 16. */
static uint64_t far_apart(const Play *play, uint32_t l) { return (play->place.warp * 32 + l + play->k * 1024) * 32; }
static void read_scatter_read(Play *play) {
    uint64_t stores = play->k;
    if (play->place.warp == 0) load(play, IN, first);
    for (play->k = 0; play->k < stores; play->k++) store(play, OUT, far_apart);
    play->k = stores;
    if (play->place.warp == 31) load(play, IN, first);
}

START_TEST(scattered_stores_take_places_in_l1)
{
    for (uint64_t stores = 0; stores <= 4; stores += 4) { /* of 32 warps: 0 and 4096 lines */
        Play play = play_of(1, 1, 1024, 1);
        play.k = stores;
        ck_assert_uint_eq(play_all(&play, read_scatter_read)->global[COUNTER_LOAD].l1_hit_sectors, stores ? 0 : 1);
        counters_free(play.set);
    }
}
END_TEST

START_TEST(without_l1_plain_loads_miss_and_read_only_ones_hit)
{
    static const Chain plain = {{PLAIN, PLAIN, PLAIN}, 0}, read_only = {{NC, NC, NC}, 8};
    Play play = one_warp();
    play.config.l1 = false;
    chain = &plain;
    ck_assert_uint_eq(play_all(&play, play_chain)->global[COUNTER_LOAD].l1_hit_sectors, plain.hits);
    counters_free(play.set);
    chain = &read_only;
    ck_assert_uint_eq(play_all(&play, play_chain)->global[COUNTER_LOAD].l1_hit_sectors, read_only.hits);
    counters_free(play.set);
}
END_TEST

static void partial_masks(Play *play) { load(play, IN, odd_lane), store(play, OUT, odd_lane), load(play, THIRD, first); }

START_TEST(bytes_are_summed_over_lanes_and_unique_ones_counted_once)
{
    Play play = one_warp();
    const Counters *counters = play_all(&play, partial_masks);
    const InsnCounters *odd = &counters->insns[LOAD_PC], *broadcast = &counters->insns[OTHER_PC];
    ck_assert_uint_eq(odd->sectors.requests, 1);
    ck_assert_uint_eq(odd->sectors.sectors, 4); /* 16 lanes over 128 bytes */
    ck_assert_uint_eq(odd->sectors.bytes, 64);
    ck_assert_uint_eq(odd->sectors.unique_bytes, 64);
    ck_assert_uint_eq(odd->sectors.ideal_sectors, 2);
    ck_assert_uint_eq(broadcast->sectors.sectors, 1);
    ck_assert_uint_eq(broadcast->sectors.bytes, 128);
    ck_assert_uint_eq(broadcast->sectors.unique_bytes, 4);
    ck_assert_uint_eq(broadcast->sectors.ideal_sectors, 1);
    ck_assert_uint_eq(counters->insns[3].space, SPACE_GENERIC); /* never ran */
    ck_assert_uint_eq(counters->insns[STORE_PC].op, COUNTER_STORE);
    ck_assert_uint_eq(counters->global[COUNTER_LOAD].sectors, 5);
    ck_assert_uint_eq(counters->l2_read_sectors, 5);
    ck_assert_uint_eq(counters->l2_write_sectors, 4);
    ck_assert_uint_eq(odd->sectors.lines, 1);
    ck_assert_uint_eq(counters->dram_read_bytes, (4 + 2) * 32); /* device memory gives pairs of sectors */
    ck_assert_uint_eq(counters->dram_write_bytes, 0);           /* what is dirty at the end stays in L2 */
    counters_free(play.set);
}
END_TEST

static void atomics(Play *play) {
    touch(play, SPACE_GLOBAL, ACCESS_ATOMIC, IN, 4, first);
    touch(play, SPACE_GLOBAL, ACCESS_REDUCTION, THIRD, 4, lane);
    touch(play, SPACE_SHARED, ACCESS_ATOMIC, 0, 4, first);
}

START_TEST(atomics_count_apart_from_l2_reads_and_writes)
{
    Play play = one_warp();
    const Counters *counters = play_all(&play, atomics);
    ck_assert_uint_eq(counters->global[COUNTER_ATOMIC].requests, 2);
    ck_assert_uint_eq(counters->global[COUNTER_ATOMIC].sectors, 36); /* 32 turns at one address, and 4 */
    ck_assert_uint_eq(counters->l2_read_sectors, 0);
    ck_assert_uint_eq(counters->l2_write_sectors, 0);
    ck_assert_uint_eq(counters->serialised.slice, 32); /* those of the first request */
    ck_assert_uint_eq(counters->shared[COUNTER_ATOMIC].wavefronts, 32);
    ck_assert_uint_eq(counters->shared[COUNTER_ATOMIC].bank_conflicts, 31);
    counters_free(play.set);
}
END_TEST

/* k: the kind. Measured of one line (chains, CA RED CA): nothing of it is in L1 any more. */
static void update_two_lines(Play *play) {
    load(play, IN, lane_twice);
    touch(play, SPACE_GLOBAL, (AccessKind)play->k, IN, 4, lane_twice);
    load(play, IN, lane_twice);
}

START_TEST(an_atomic_takes_each_of_its_lines_out_of_l1)
{
    for (AccessKind kind = ACCESS_ATOMIC; kind <= ACCESS_REDUCTION; kind++) {
        Play play = one_warp();
        play.k = kind;
        const Counters *counters = play_all(&play, update_two_lines);
        ck_assert_uint_eq(counters->global[COUNTER_LOAD].sectors, 2 * 8);
        ck_assert_uint_eq(counters->global[COUNTER_LOAD].l1_hit_sectors, 0);
        counters_free(play.set);
    }
}
END_TEST

/* k 1: a warp writes every other word of a line, and reads the line. k 2: another warp has written the words between before. */
static uint64_t even_lane(const Play *play, uint32_t l) { return (void)play, l % 2 ? UINT64_MAX : l; }
static void words_in_turn(Play *play) {
    if (play->place.warp == 0 && play->k == 2) store(play, OUT, odd_lane);
    if (play->place.warp == 1) store(play, OUT, even_lane);
    if (play->place.warp == 1) load(play, OUT, lane);
}

START_TEST(words_that_several_warps_write_make_sectors_whole)
{
    for (uint64_t writers = 1; writers <= 2; writers++) { /* in L2; L1 takes sectors that one request covers */
        Play play = play_of(1, 1, 64, 1);
        play.k = writers;
        const Counters *counters = play_all(&play, words_in_turn);
        ck_assert_uint_eq(counters->global[COUNTER_LOAD].l1_hit_sectors, 0);
        ck_assert_uint_eq(counters->l2_read_sectors, 4);
        ck_assert_uint_eq(counters->dram_read_bytes, writers == 1 ? 4 * 32 : 0);
        counters_free(play.set);
    }
}
END_TEST

START_TEST(barriers_count_the_warps_that_meet)
{
    Play play = play_of(1, 1, 128, 1);
    play.set = counters_new(&play.config, INSNS, 1);
    const Observer *observer = counters_observer(play.set, 0);
    const Place place = {.threads = 128};
    observer->on_barrier(observer->self, &place, 0xf);
    observer->on_barrier(observer->self, &place, 0x5); /* warps 1 and 3 have left */
    ck_assert_uint_eq(counters_result(play.set)->barriers, 6);
    counters_free(play.set);
}
END_TEST

/* One warp of each of two neighbouring SMs' blocks reads eight lines of its own, perhaps comes to a barrier, and reads a line that the other
 * reads as well: in step, L2 is asked for it once. Steps end after four lines, but begin anew at a barrier that the warp comes to. */
static uint32_t reader, comers; /* the warp; which warps come to the barrier */
static uint64_t lines_apart(const Play *play, uint32_t l) { return (play->place.block * 8 + play->k) * 32 + l; }
static void read_meet_read(Play *play) {
    if (play->place.warp != reader) return;
    const Observer *observer = counters_observer(play->set, play->worker);
    for (play->k = 0; play->k < 8; play->k++) load(play, OUT, lines_apart);
    if (comers) observer->on_barrier(observer->self, &play->place, comers);
    load(play, IN, lane);
}

START_TEST(steps_begin_anew_at_a_barrier)
{
    for (reader = 0; reader < 32; reader++) {
        const uint32_t masks[] = {0, 1u << reader, LANES_ALL, LANES_ALL & ~(1u << reader), 1u << (reader + 1) % 32};
        for (int i = 0; i < 5; i++) {
            Play play = play_of(2, 1, 1024, 1);
            play.config.merge.in_step = 4;
            comers = masks[i];
            const bool in_step = comers >> reader & 1;
            ck_assert_uint_eq(play_all(&play, read_meet_read)->l2_read_sectors, 2 * 8 * 4 + (in_step ? 4 : 8));
            counters_free(play.set);
        }
    }
}
END_TEST

/* So they do in each new block: 132 SMs hold 264 blocks of 1024 threads, and the next two come to where two were before. That all first read one line
 * together has the second wave replayed as well. */
static void read_far_then_near(Play *play) {
    const bool late = play->place.block >= 264;
    if (play->place.warp != reader || (play->place.block % 264 >= 2)) return;
    load(play, late ? IN : THIRD, lane);
    for (play->k = 0; play->k < 8 && !late; play->k++) load(play, OUT, lines_apart);
}

START_TEST(steps_begin_anew_with_a_block)
{
    for (reader = 0; reader < 32; reader += 31) {
        Play play = play_of(266, 1, 1024, 1);
        play.config.merge.in_step = 4;
        ck_assert_uint_eq(play_all(&play, read_far_then_near)->l2_read_sectors, 4 + 2 * 8 * 4 + 4);
        counters_free(play.set);
    }
}
END_TEST

/* 64 elements of each thread in local memory, written and then read in another order. */
static uint64_t local_element(const Play *play, uint32_t l) { return play->k * 32 + l; }

static void local_array(Play *play) {
    for (play->k = 0; play->k < 64; play->k++) touch(play, SPACE_LOCAL, ACCESS_STORE, 0, 4, local_element);
    for (uint64_t i = 0; i < 63; i++) {
        play->k = (i + 1) * 7 % 64;
        touch(play, SPACE_LOCAL, ACCESS_LOAD, 0, 4, local_element);
    }
}
static void local_doubles(Play *play) {
    Access access = {.pc = STORE_PC, .space = SPACE_LOCAL, .kind = ACCESS_STORE, .bytes = 8, .active = LANES_ALL};
    for (uint32_t k = 0; k < 64; k++) {
        for (uint32_t l = 0; l < 32; l++) access.addr[l] = (k * 2 * 32 + l) * 4;
        access_now(play, &access);
    }
}

/* Of elements of 2 bytes: half of the lanes cover the first sector, the others as many words of the second, or half of each of twice as many. */
static uint64_t two_sectors(const Play *play, uint32_t l) { return (void)play, l; }
static uint64_t half_words(const Play *play, uint32_t l) { return (void)play, l < 16 ? l : 16 + 2 * (l - 16); }
static void store_halves(Play *play) {
    touch(play, SPACE_GLOBAL, ACCESS_STORE, OUT, 2, play->k ? half_words : two_sectors);
    load(play, OUT, first);
}

START_TEST(a_store_that_leaves_gaps_in_words_makes_nothing_valid)
{
    for (uint64_t gaps = 0; gaps <= 1; gaps++) {
        Play play = one_warp();
        play.k = gaps;
        ck_assert_uint_eq(play_all(&play, store_halves)->global[COUNTER_LOAD].l1_hit_sectors, !gaps);
        counters_free(play.set);
    }
}
END_TEST

/* Lane after lane stores its word, of local memory or not; then all are read. */
static void lane_after_lane(Play *play) {
    Access access = {.pc = STORE_PC, .space = play->k ? SPACE_LOCAL : SPACE_GLOBAL, .kind = ACCESS_STORE, .bytes = 4};
    for (uint32_t l = 0; l < 32; l++) access.addr[l] = (play->k ? 0 : OUT) + 4 * l;
    for (uint32_t l = 0; l < 32; l++) {
        access.active = 1u << l;
        access_now(play, &access);
    }
    access.pc = LOAD_PC, access.kind = ACCESS_LOAD, access.active = LANES_ALL;
    access_now(play, &access);
}

START_TEST(local_memory_becomes_valid_word_by_word)
{
    for (uint64_t local = 0; local <= 1; local++) {
        Play play = one_warp();
        play.k = local;
        const Counters *counters = play_all(&play, lane_after_lane);
        ck_assert_uint_eq((local ? counters->local : counters->global)[COUNTER_LOAD].l1_hit_sectors, local ? 4 : 0);
        counters_free(play.set);
    }
}
END_TEST

START_TEST(local_arrays_count_as_on_an_h200)
{
    Play play = one_warp();
    const Counters *counters = play_all(&play, local_array);
    ck_assert_uint_eq(counters->local[COUNTER_STORE].requests, 64);
    ck_assert_uint_eq(counters->local[COUNTER_STORE].sectors, 256);
    ck_assert_uint_eq(counters->local[COUNTER_LOAD].requests, 63); /* the compiler kept one value */
    ck_assert_uint_eq(counters->local[COUNTER_LOAD].sectors, 252);
    ck_assert_uint_eq(counters->local[COUNTER_LOAD].l1_hit_sectors, 252);
    ck_assert_uint_eq(counters->l2_write_sectors, 256);
    ck_assert_uint_eq(counters->insns[STORE_PC].space, SPACE_LOCAL);
    counters_free(play.set);
    counters = play_all(&play, local_doubles);
    ck_assert_uint_eq(counters->local[COUNTER_STORE].requests, 128);
    ck_assert_uint_eq(counters->local[COUNTER_STORE].sectors, 512);
    counters_free(play.set);
}
END_TEST

START_TEST(warps_do_not_share_local_memory)
{
    Play play = play_of(264, 1, 64, 1); /* two blocks of two warps on every SM, all at the same local addresses */
    const Counters *counters = play_all(&play, local_array);
    ck_assert_uint_eq(counters->local[COUNTER_LOAD].l1_hit_sectors, 528 * 252);
    ck_assert_uint_eq(counters->dram_read_bytes, 0);
    ck_assert_uint_eq(counters->dram_write_bytes, 0);
    counters_free(play.set);
}
END_TEST

static uint64_t second_of_two(const Play *play, uint32_t l) { return (void)play, 2 * l + 1; }
static void two_neighbours(Play *play) {
    touch(play, SPACE_SHARED, ACCESS_LOAD, IN, 4, second_of_two);
    touch(play, SPACE_SHARED, ACCESS_LOAD, THIRD, 4, lane_twice);
}

/* Two words of each lane in one request of 8 bytes a lane: 256 bytes take 2 wavefronts, the fewest. */
START_TEST(a_joined_access_is_no_request_of_its_own)
{
    const uint8_t joins[INSNS] = {[LOAD_PC] = 8, [OTHER_PC] = JOIN_TAKEN};
    Play play = one_warp();
    play.config.assembly.joins = joins;
    const Counters *counters = play_all(&play, two_neighbours);
    const BankCounters *loads = &counters->shared[COUNTER_LOAD];
    ck_assert(loads->requests == 1 && loads->wavefronts == 2 && loads->bank_conflicts == 0 && loads->joined == 1);
    ck_assert_uint_eq(counters->serialised.slice, 0);
    counters_free(play.set);
}
END_TEST

/* Pairs of words, each lane's 8 bytes behind its predecessor's, but for the first and the last lane: both meet another of their half in its banks, a
 * row away. A wavefront more for each half. */
static uint64_t ends_meet(const Play *play, uint32_t l) { return (void)play, 2 * (l == 0 ? 17 : l == 31 ? 46 : l) + 1; }
static void ends_that_meet(Play *play) { touch(play, SPACE_SHARED, ACCESS_LOAD, IN, 4, ends_meet); }

START_TEST(a_joined_access_is_counted_as_it_is_joined)
{
    const uint8_t joins[INSNS] = {[LOAD_PC] = 8, [OTHER_PC] = JOIN_TAKEN};
    Play play = one_warp();
    play.config.assembly.joins = joins;
    const BankCounters *loads = &play_all(&play, ends_that_meet)->shared[COUNTER_LOAD];
    ck_assert(loads->requests == 1 && loads->wavefronts == 4 && loads->bank_conflicts == 2 && loads->joined == 0);
    Access access = {.space = SPACE_SHARED, .kind = ACCESS_LOAD, .bytes = 4, .active = LANES_ALL}, counted;
    static const struct {
        uint8_t pc, bytes;
        bool counts;
    } rows[] = {{LOAD_PC, 8, true}, {STORE_PC, 4, true}, {OTHER_PC, 4, false}};
    for (uint32_t l = 0; l < WARP_LANES; l++) access.addr[l] = 4 * ends_meet(&play, l);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        access.pc = rows[i].pc;
        counted = access;
        const Assembly *assembly = counters_assembly(counters_observer(play.set, 0));
        ck_assert((assemble(assembly, &access, &counted) != ASSEMBLED_TAKEN) == rows[i].counts);
        ck_assert_uint_eq(counted.bytes, rows[i].bytes);
        for (uint32_t l = 0; l < WARP_LANES; l++) ck_assert_uint_eq(counted.addr[l], access.addr[l] - (i == 0 ? 4 : 0));
    }
    counters_free(play.set);
}
END_TEST

static void shared_and_constant(Play *play) {
    touch(play, SPACE_SHARED, ACCESS_LOAD, 0, 4, lane_twice);
    touch(play, SPACE_CONST, ACCESS_LOAD, THIRD, 4, first);
}

START_TEST(shared_and_constant_accesses_stay_on_the_sm)
{
    Play play = one_warp();
    const Counters *counters = play_all(&play, shared_and_constant);
    ck_assert_uint_eq(counters->shared[COUNTER_LOAD].requests, 1);
    ck_assert_uint_eq(counters->shared[COUNTER_LOAD].wavefronts, 2);
    ck_assert_uint_eq(counters->shared[COUNTER_LOAD].bank_conflicts, 1);
    ck_assert_uint_eq(counters->insns[LOAD_PC].worst.cost, 2);
    ck_assert_uint_eq(counters->constant_requests, 1);
    ck_assert_uint_eq(counters->insns[OTHER_PC].space, SPACE_CONST);
    ck_assert_uint_eq(counters->global[COUNTER_LOAD].requests, 0);
    ck_assert_uint_eq(counters->l2_read_sectors, 0);
    counters_free(play.set);
}
END_TEST

/* Block 200's warp 1 and block 70's warps 1 and 2 touch 8 sectors, all others 4. */
static uint64_t sometimes_wide(const Play *play, uint32_t l) {
    bool wide = (play->place.block == 200 && play->place.warp == 1) || (play->place.block == 70 && play->place.warp >= 1);
    return wide ? 2 * l : l;
}
static void wide_in_places(Play *play) { load(play, IN, sometimes_wide); }

START_TEST(the_costliest_access_is_kept_with_its_place)
{
    for (uint32_t workers = 1; workers <= 5; workers++) {
        Play play = play_of(300, 1, 96, 1);
        play.workers = workers;
        const Sample *worst = &play_all(&play, wide_in_places)->insns[LOAD_PC].worst;
        ck_assert_uint_eq(worst->cost, 8);
        ck_assert_uint_eq(worst->block, 70);
        ck_assert_uint_eq(worst->warp, 1);
        ck_assert_uint_eq(worst->access.addr[31], IN + 62 * 4);
        counters_free(play.set);
    }
}
END_TEST

static void write_coalesced(Play *play) { load(play, IN, column), store(play, OUT, row); }

START_TEST(counts_do_not_depend_on_the_number_of_workers)
{
    Play one = play_of(32, 32, 32, 32), seven = one;
    one.policy = seven.policy = POLICY_CG;
    one.config.l2_cache.bytes = seven.config.l2_cache.bytes = 1 << 20; /* so that dirty sectors are written back */
    seven.workers = 7;
    const Counters *a = play_all(&one, write_coalesced), *b = play_all(&seven, write_coalesced);
    ck_assert_int_eq(memcmp(a->global, b->global, sizeof a->global), 0);
    ck_assert_uint_eq(a->l2_read_sectors, b->l2_read_sectors);
    ck_assert_uint_eq(a->l2_write_sectors, b->l2_write_sectors);
    ck_assert_uint_eq(a->dram_read_bytes, b->dram_read_bytes);
    ck_assert_uint_eq(a->dram_write_bytes, b->dram_write_bytes);
    ck_assert_uint_gt(a->dram_write_bytes, 0);
    counters_free(one.set);
    counters_free(seven.set);
}
END_TEST

static uint64_t permuted(const Play *play, uint32_t l) { return (void)play, l ^ 21; }
static uint64_t scattered(const Play *play, uint32_t l) { return (void)play, l * 64; }

static uint64_t fermi_sectors(AccessKind kind, bool l1, Index *index) {
    Play play = one_warp();
    play.config = profile_counters(profile_find("fermi", NULL), 32, 0, l1);
    play.set = counters_new(&play.config, INSNS, 1);
    play.place = (Place){.threads = 32, .block_dim = play.block};
    touch(&play, SPACE_GLOBAL, kind, IN, 4, index);
    uint64_t sectors = counters_result(play.set)->global[kind == ACCESS_LOAD ? COUNTER_LOAD : COUNTER_STORE].sectors;
    counters_free(play.set);
    return sectors;
}

START_TEST(the_old_rule_moves_lines_of_128_bytes_through_l1)
{
    ck_assert_uint_eq(fermi_sectors(ACCESS_LOAD, true, lane), 4);        /* one line of 4 sectors: all 128 bytes are used */
    ck_assert_uint_eq(fermi_sectors(ACCESS_LOAD, true, permuted), 4);    /* the order of lanes does not matter */
    ck_assert_uint_eq(fermi_sectors(ACCESS_LOAD, true, plus_one), 8);    /* two lines: 50 % */
    ck_assert_uint_eq(fermi_sectors(ACCESS_LOAD, true, first), 4);       /* 4 bytes of 128: 3.125 % */
    ck_assert_uint_eq(fermi_sectors(ACCESS_LOAD, true, scattered), 128); /* 32 lines: 1/32 */
    ck_assert_uint_eq(fermi_sectors(ACCESS_LOAD, false, lane), 4);
    ck_assert_uint_eq(fermi_sectors(ACCESS_LOAD, false, plus_one), 5); /* 80 % */
    ck_assert_uint_eq(fermi_sectors(ACCESS_LOAD, false, first), 1);    /* 12.5 % */
    ck_assert_uint_eq(fermi_sectors(ACCESS_LOAD, false, scattered), 32);
    ck_assert_uint_eq(fermi_sectors(ACCESS_STORE, true, plus_one), 5); /* stores in segments of 32 bytes, always */
}
END_TEST

/* Each count of these structs, whichever there are: all are 1, twice over. */
START_TEST(every_count_is_added_up)
{
    Counters sum = {0}, one = {0};
    uint64_t *words = (uint64_t *)&one;
    size_t n = offsetof(Counters, n_insns) / sizeof *words;
    for (size_t i = 0; i < n; i++) words[i] = 1;
    one.busiest_warp = one.most_accesses = 7;
    counters_add_totals(&sum, &one);
    one.busiest_warp = one.most_accesses = 5;
    counters_add_totals(&sum, &one);
    ck_assert(sum.busiest_warp == 7 && sum.most_accesses == 7);
    sum.busiest_warp = sum.most_accesses = 2;
    for (size_t i = 0; i < n; i++) ck_assert_uint_eq(((uint64_t *)&sum)[i], 2);
    ck_assert_uint_eq(sum.global[COUNTER_ATOMIC].lines, 2);
    ck_assert_uint_eq(sum.dram_rows, 2);
    ck_assert_uint_eq(sum.n_insns, 0);

    SectorCounters sectors = {.requests = 1, .lines = 3, .l1_hit_sectors = 5}, more = {.lines = 4, .unique_bytes = 6};
    counters_add_sectors(&sectors, &more);
    ck_assert(sectors.requests == 1 && sectors.lines == 7 && sectors.unique_bytes == 6 && sectors.l1_hit_sectors == 5);
    BankCounters banks = {1, 2, 3, 4, 5};
    counters_add_banks(&banks, &(BankCounters){10, 20, 30, 40, 50});
    ck_assert(banks.requests == 11 && banks.wavefronts == 22 && banks.bank_conflicts == 33 && banks.joined == 44 &&
              banks.combined == 55);
}
END_TEST

SUITE("counters", l1_hits_by_cache_policy_are_those_of_an_h200, without_l1_plain_loads_miss_and_read_only_ones_hit,
      scattered_stores_take_places_in_l1, bytes_are_summed_over_lanes_and_unique_ones_counted_once,
      atomics_count_apart_from_l2_reads_and_writes, an_atomic_takes_each_of_its_lines_out_of_l1,
      words_that_several_warps_write_make_sectors_whole, barriers_count_the_warps_that_meet, steps_begin_anew_at_a_barrier,
      steps_begin_anew_with_a_block, local_arrays_count_as_on_an_h200, a_store_that_leaves_gaps_in_words_makes_nothing_valid,
      local_memory_becomes_valid_word_by_word, warps_do_not_share_local_memory, a_joined_access_is_no_request_of_its_own,
      a_joined_access_is_counted_as_it_is_joined, shared_and_constant_accesses_stay_on_the_sm,
      the_costliest_access_is_kept_with_its_place, counts_do_not_depend_on_the_number_of_workers,
      the_old_rule_moves_lines_of_128_bytes_through_l1, every_count_is_added_up)
