/* Kernels are played to the counters as the machine would: blocks of an SM's batch one after the other, a block's warps in turn.
 * Expected counts are derived in the comments, or are those that an H200 showed: tests/hardware/h200-grid.csv, where requests and
 * sectors must be equal, L1's hits within 1 %, L2's reads and writes within 5 %. */
#include "../hardware/patterns.h"
#include "device/profile.h"
#include "observe/counters.h"

enum { IN = 0x10000000, OUT = 0x20000000, THIRD = 0x30000000, LOAD_PC = 0, STORE_PC = 1, OTHER_PC = 2, INSNS = 4 };

/* A launch that is being played. */
typedef struct Play {
    CounterSet *set;
    CounterConfig config;
    uint32_t workers, worker;
    uint64_t grid[2];
    uint32_t block[2];
    Place place;
    uint64_t k; /* the kernel's parameter */
    bool wide;  /* double instead of float */
    uint8_t policy;
} Play;

/* Index of lane l's thread in its block's x and y, and in the whole grid. */
static uint32_t thread_x(const Play *play, uint32_t l) { return (play->place.warp * 32 + l) % play->block[0]; }
static uint32_t thread_y(const Play *play, uint32_t l) { return (play->place.warp * 32 + l) / play->block[0]; }
static uint64_t thread_id(const Play *play, uint32_t l) {
    return play->place.block * play->place.threads + play->place.warp * 32 + l;
}
static uint64_t global_x(const Play *play, uint32_t l) {
    return play->place.block % play->grid[0] * play->block[0] + thread_x(play, l);
}
static uint64_t global_y(const Play *play, uint32_t l) {
    return play->place.block / play->grid[0] * play->block[1] + thread_y(play, l);
}

static void access_now(Play *play, const Access *access) {
    Fault fault = {0};
    Observer *observer = counters_observer(play->set, play->worker);
    ck_assert(observer->on_access(observer->self, &play->place, access, &fault));
}

typedef uint64_t Index(const Play *play, uint32_t lane); /* of the element; UINT64_MAX: the lane takes no part */

static void touch(Play *play, Space space, AccessKind kind, uint64_t base, uint32_t bytes, Index *index) {
    Access access = {.pc = base == THIRD         ? OTHER_PC
                           : kind == ACCESS_LOAD ? LOAD_PC
                                                 : STORE_PC,
                     .space = (uint8_t)space,
                     .kind = (uint8_t)kind,
                     .bytes = (uint8_t)bytes,
                     .policy = kind == ACCESS_LOAD ? play->policy : POLICY_NONE};
    for (uint32_t l = 0; l < 32; l++) {
        uint64_t i = index(play, l);
        if (i == UINT64_MAX) continue;
        access.active |= 1u << l;
        access.addr[l] = base + i * bytes;
    }
    if (access.active) access_now(play, &access);
}

static void load(Play *play, uint64_t base, Index *index) {
    touch(play, SPACE_GLOBAL, ACCESS_LOAD, base, play->wide ? 8 : 4, index);
}
static void store(Play *play, uint64_t base, Index *index) {
    touch(play, SPACE_GLOBAL, ACCESS_STORE, base, play->wide ? 8 : 4, index);
}

/* Starts a launch, plays `warp` for every warp in the machine's order, and returns the counters; the caller frees play->set. */
static Counters *play_all(Play *play, void (*warp)(Play *play)) {
    const Profile *h200 = profile_find("h200", NULL);
    uint32_t threads = play->block[0] * play->block[1], resident = profile_resident_blocks(h200, threads, 0);
    uint64_t blocks = play->grid[0] * play->grid[1], wave = (uint64_t)play->config.sms * resident;
    if (play->workers == 0) play->workers = 1;
    play->set = counters_new(&play->config, INSNS, play->workers);
    for (uint64_t batch = 0; batch < (blocks + wave - 1) / wave * play->config.sms; batch++) {
        play->worker = (uint32_t)(batch * 7 % play->workers);
        Observer *observer = counters_observer(play->set, play->worker);
        observer->on_batch_begin(observer->self, batch);
        uint32_t sm = (uint32_t)(batch % play->config.sms);
        for (uint32_t slot = 0; slot < resident; slot++) {
            uint64_t block = batch / play->config.sms * wave + (uint64_t)slot * play->config.sms + sm;
            play->place = (Place){.block = block, .slot = slot, .sm = sm, .threads = threads, .block_dim = play->block};
            if (block < blocks) observer->on_block_begin(observer->self, &play->place, 0);
            for (play->place.warp = 0; block < blocks && play->place.warp < threads / 32; play->place.warp++) warp(play);
        }
        observer->on_batch_commit(observer->self, batch);
    }
    return counters_result(play->set);
}

static Play play_of(uint64_t blocks_x, uint64_t blocks_y, uint32_t threads_x, uint32_t threads_y) {
    Play play = {.grid = {blocks_x, blocks_y}, .block = {threads_x, threads_y}};
    play.config = profile_counters(profile_find("h200", NULL), threads_x * threads_y, 0, true);
    return play;
}

/* --- the kernels of h200-grid.csv --- */

enum { N = 1 << 20, SIDE = 1024 };

static uint64_t shifted(const Play *play, uint32_t l) {
    uint64_t i = thread_id(play, l) + play->k;
    return i < N ? i : UINT64_MAX;
}
static uint64_t strided(const Play *play, uint32_t l) { return thread_id(play, l) * play->k; }
static uint64_t plus_one(const Play *play, uint32_t l) { return thread_id(play, l) + 1; }
static uint64_t own(const Play *play, uint32_t l) { return thread_id(play, l); }
static uint64_t first(const Play *play, uint32_t l) { return (void)play, (void)l, 0; }
static uint64_t row(const Play *play, uint32_t l) { return global_y(play, l) * SIDE + global_x(play, l); }
static uint64_t column(const Play *play, uint32_t l) { return global_x(play, l) * SIDE + global_y(play, l); }

static void copy_offset(Play *play) { load(play, IN, shifted), store(play, OUT, shifted); }
static void copy_stride(Play *play) { load(play, IN, strided), store(play, OUT, strided); }
static void add_offset(Play *play) { load(play, IN, plus_one), load(play, THIRD, plus_one), store(play, OUT, plus_one); }
static void add_broadcast(Play *play) { load(play, IN, first), load(play, THIRD, own), store(play, OUT, own); }
static void read_coalesced(Play *play) { load(play, IN, row), store(play, OUT, column); }
static void write_coalesced(Play *play) { load(play, IN, column), store(play, OUT, row); }
static void soa(Play *play) {
    for (uint64_t array = 0; array < 3; array++)
        load(play, IN + array * 0x1000000, own), store(play, IN + array * 0x1000000, own);
}
static void vec4copy(Play *play) {
    touch(play, SPACE_GLOBAL, ACCESS_LOAD, IN, 16, own);
    touch(play, SPACE_GLOBAL, ACCESS_STORE, OUT, 16, own);
}
/* A tile's global accesses: both straight. */
static void tiled(Play *play) { load(play, IN, row), store(play, OUT, row); }

typedef struct Measured {
    uint64_t load_requests, load_sectors, hits, store_requests, store_sectors, l2_reads, l2_writes;
} Measured;

static Measured measured(const char *name) {
    FILE *file = fopen("tests/hardware/h200-grid.csv", "r");
    ck_assert_msg(file != NULL, "tests run from the repository's root");
    static char header[2048], line[2048];
    ck_assert_ptr_nonnull(fgets(header, sizeof header, file));
    while (fgets(line, sizeof line, file)) {
        char *field[24] = {0};
        pattern_split(line, field, 21);
        if (strcmp(field[1], name)) continue;
        fclose(file);
        return (Measured){.load_requests = pattern_column(field, header, "l1tex__t_requests_pipe_lsu_mem_global_op_ld"),
                          .load_sectors = pattern_column(field, header, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"),
                          .hits = pattern_column(field, header, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit"),
                          .store_requests = pattern_column(field, header, "l1tex__t_requests_pipe_lsu_mem_global_op_st"),
                          .store_sectors = pattern_column(field, header, "l1tex__t_sectors_pipe_lsu_mem_global_op_st"),
                          .l2_reads = pattern_column(field, header, "lts__t_sectors_srcunit_tex_op_read"),
                          .l2_writes = pattern_column(field, header, "lts__t_sectors_srcunit_tex_op_write")};
    }
    fclose(file);
    ck_abort_msg("no row %s", name);
}

static void near(const char *name, const char *what, uint64_t counted, uint64_t expected, double tolerance) {
    double apart = counted > expected ? (double)(counted - expected) : (double)(expected - counted);
    ck_assert_msg(apart <= tolerance * (double)expected, "%s: %s: %llu, measured %llu", name, what, (unsigned long long)counted,
                  (unsigned long long)expected);
}

static void as_measured(const char *name, Play play, void (*warp)(Play *play)) {
    Measured hardware = measured(name);
    const Counters *counters = play_all(&play, warp);
    const SectorCounters *loads = &counters->global[COUNTER_LOAD], *stores = &counters->global[COUNTER_STORE];
    near(name, "load requests", loads->requests, hardware.load_requests, 0);
    near(name, "load sectors", loads->sectors, hardware.load_sectors, 0);
    near(name, "L1 hits", loads->l1_hit_sectors, hardware.hits, 0.01);
    near(name, "store requests", stores->requests, hardware.store_requests, 0);
    near(name, "store sectors", stores->sectors, hardware.store_sectors, 0);
    near(name, "L2 reads", counters->l2_read_sectors, hardware.l2_reads, 0.05);
    near(name, "L2 writes", counters->l2_write_sectors, hardware.l2_writes, 0.05);
    counters_free(play.set);
}

START_TEST(offset_and_strided_copies_count_as_on_an_h200)
{
    static const uint64_t offsets[] = {0, 1, 8, 16}, strides[] = {1, 2, 3, 4, 8, 16, 32};
    char name[32];
    for (size_t i = 0; i < 4; i++) {
        Play play = play_of(4096, 1, 256, 1);
        play.k = offsets[i];
        snprintf(name, sizeof name, "copy_offset/%u", (unsigned)play.k);
        as_measured(name, play, copy_offset);
    }
    for (size_t i = 0; i < 7; i++) {
        Play play = play_of(4096, 1, 256, 1);
        play.k = strides[i];
        snprintf(name, sizeof name, "copy_stride/%u", (unsigned)play.k);
        as_measured(name, play, copy_stride);
    }
}
END_TEST

START_TEST(additions_and_vector_copies_count_as_on_an_h200)
{
    as_measured("add_offset", play_of(128, 1, 32, 1), add_offset);
    as_measured("add_broadcast", play_of(128, 1, 32, 1), add_broadcast);
    as_measured("soa", play_of(4096, 1, 256, 1), soa);
    as_measured("vec4copy", play_of(4096, 1, 256, 1), vec4copy);
}
END_TEST

START_TEST(transposes_count_as_on_an_h200)
{
    Play square = play_of(32, 32, 32, 32), doubles = square, through_l2 = square, read_only = square;
    doubles.wide = true;
    through_l2.policy = POLICY_CG;
    read_only.policy = POLICY_NC;
    as_measured("tr_read_coalesced_f/1024", square, read_coalesced);
    as_measured("tr_read_coalesced_d/1024", doubles, read_coalesced);
    as_measured("tr_write_coalesced_f/1024", square, write_coalesced);
    as_measured("tr_write_coalesced_d/1024", doubles, write_coalesced);
    as_measured("tr_write_coalesced_ldg_f/1024", read_only, write_coalesced);
    doubles.policy = POLICY_NC;
    as_measured("tr_write_coalesced_ldg_d/1024", doubles, write_coalesced);
    doubles.policy = POLICY_NONE;
    as_measured("tr_write_coalesced_cg_f/1024", through_l2, write_coalesced);
    as_measured("tr_tile32_pad_f/1024", square, tiled);
    as_measured("tr_tile32_pad_d/1024", doubles, tiled);
}
END_TEST

/* --- one warp --- */

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
    ck_assert_uint_eq(counters->dram_read_bytes, 5 * 32);
    ck_assert_uint_eq(counters->dram_write_bytes, 0); /* what is dirty at the end stays in L2 */
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
    ck_assert_uint_eq(counters->shared[COUNTER_ATOMIC].wavefronts, 32);
    ck_assert_uint_eq(counters->shared[COUNTER_ATOMIC].bank_conflicts, 31);
    counters_free(play.set);
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

int main(void) {
    Suite *suite = suite_create("counters");
    TCase *tests = tcase_create("counters");
    tcase_add_test(tests, offset_and_strided_copies_count_as_on_an_h200);
    tcase_add_test(tests, additions_and_vector_copies_count_as_on_an_h200);
    tcase_add_test(tests, transposes_count_as_on_an_h200);
    tcase_add_test(tests, l1_hits_by_cache_policy_are_those_of_an_h200);
    tcase_add_test(tests, without_l1_plain_loads_miss_and_read_only_ones_hit);
    tcase_add_test(tests, bytes_are_summed_over_lanes_and_unique_ones_counted_once);
    tcase_add_test(tests, atomics_count_apart_from_l2_reads_and_writes);
    tcase_add_test(tests, local_arrays_count_as_on_an_h200);
    tcase_add_test(tests, warps_do_not_share_local_memory);
    tcase_add_test(tests, shared_and_constant_accesses_stay_on_the_sm);
    tcase_add_test(tests, the_costliest_access_is_kept_with_its_place);
    tcase_add_test(tests, counts_do_not_depend_on_the_number_of_workers);
    tcase_add_test(tests, the_old_rule_moves_lines_of_128_bytes_through_l1);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
