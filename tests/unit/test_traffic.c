/* Whole grids against tests/hardware/h200-grid.csv, where requests and sectors must be equal, L1's hits within 1 %, L2's reads and writes
 * within 5 %, and against the merging that h200-caches.csv shows. tests/hardware holds real kernels to more. */
#include "../hardware/play.h"
#include "suite.h"

/* --- the kernels of h200-grid.csv --- */

enum { N = 1 << 20 };

static uint64_t shifted(const Play *play, uint32_t l) {
    uint64_t i = thread_id(play, l) + play->k;
    return i < N ? i : UINT64_MAX;
}
static uint64_t strided(const Play *play, uint32_t l) { return thread_id(play, l) * play->k; }

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
    play.in_turn = true;
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
    Play square = play_of(32, 32, 32, 32), doubles = square, read_only = square;
    doubles.wide = true;
    read_only.policy = POLICY_NC;
    as_measured("tr_read_coalesced_f/1024", square, read_coalesced);
    as_measured("tr_read_coalesced_d/1024", doubles, read_coalesced);
    as_measured("tr_write_coalesced_f/1024", square, write_coalesced);
    as_measured("tr_write_coalesced_d/1024", doubles, write_coalesced);
    as_measured("tr_write_coalesced_ldg_f/1024", read_only, write_coalesced);
    doubles.policy = POLICY_NC;
    as_measured("tr_write_coalesced_ldg_d/1024", doubles, write_coalesced);
    doubles.policy = POLICY_NONE;
    as_measured("tr_tile32_pad_f/1024", square, tiled);
    as_measured("tr_tile32_pad_d/1024", doubles, tiled);
}
END_TEST

/* --- merging before L2: tests/hardware/h200-caches.csv --- */

static uint64_t by_warps(const Play *play, uint32_t l) { return thread_id(play, l) / 32 / play->k * 32 + l; }
static uint64_t warp_results(const Play *play, uint32_t l) {
    return l < play->k ? thread_id(play, l) / 32 * play->k + l : UINT64_MAX;
}
static uint64_t same_for_all_blocks(const Play *play, uint32_t l) {
    return play->k * play->place.threads + play->place.warp * 32 + l;
}

static uint64_t from_own_on(const Play *play, uint32_t l) { return thread_id(play, l) + play->k; }

/* 9 loads, each one element further. By hand: of 9 requests for its own line, whole but for the last, a warp sends 3 (11 sectors), of 8 for a
 * sector of the next line 2: 13 sectors if it is alone. Where several warps meet in a line, whole lines and single sectors are in flight together,
 * and nothing merges; in which order few warps ask is known less well than what many do. */
static void blur(Play *play) {
    for (play->k = 0; play->k < 9; play->k++) load(play, IN, from_own_on);
    store(play, OUT, own);
}
static void broadcast(Play *play) { load(play, IN, first), store(play, OUT, own); }
static void shared_by_warps(Play *play) { load(play, IN, by_warps), store(play, OUT, own); }
static void store_offset(Play *play) { store(play, OUT, shifted); }
static void store_results(Play *play) { store(play, OUT, warp_results); }
static void read_the_same(Play *play) {
    for (play->k = 0; play->k < 16; play->k++) load(play, IN, same_for_all_blocks);
    store(play, OUT, own);
}

static const struct {
    const char *name;
    void (*warp)(Play *play);
    uint64_t blocks;
    uint32_t threads, k;
    uint8_t policy;
    uint64_t l2_reads, l2_writes; /* measured */
} merging[] = {
    {"bc_read/132blocks", broadcast, 132, 32, 0, POLICY_NONE, 35, 528},
    {"bc_read/4224blocks", broadcast, 4224, 32, 0, POLICY_NONE, 35, 16896},
    {"bc_read_cg/1block1024", broadcast, 1, 1024, 0, POLICY_CG, 8, 128},
    {"bc_read_cg/132blocks256", broadcast, 132, 256, 0, POLICY_CG, 273, 4224},
    {"bc_read_cg/4096blocks256", broadcast, 4096, 256, 0, POLICY_CG, 8689, 131072},
    {"cg_share1/4096blocks256", shared_by_warps, 4096, 256, 1, POLICY_CG, 131072, 131072},
    {"cg_share2/4096blocks256", shared_by_warps, 4096, 256, 2, POLICY_CG, 65536, 131072},
    {"cg_share8/4096blocks256", shared_by_warps, 4096, 256, 8, POLICY_CG, 32768, 131072},
    {"rd_all16/132blocks256", read_the_same, 132, 256, 0, POLICY_NONE, 18168, 4224},
    {"rd_all16/4096blocks256", read_the_same, 4096, 256, 0, POLICY_NONE, 18116, 131072},
    {"again9/1block32", blur, 1, 32, 0, POLICY_CG, 13, 4},
    {"again9/1block64", blur, 1, 64, 0, POLICY_CG, 56, 8},
    {"again9/1block128", blur, 1, 128, 0, POLICY_CG, 142, 16},
    {"again9/1block256", blur, 1, 256, 0, POLICY_CG, 291, 32},
    {"st_offset1/block32", store_offset, N / 32, 32, 1, POLICY_NONE, 0, 163835},
    {"st_offset1/block64", store_offset, N / 64, 64, 1, POLICY_NONE, 0, 148553},
    {"st_offset1/block256", store_offset, N / 256, 256, 1, POLICY_NONE, 0, 140925},
    {"st_offset8/block256", store_offset, N / 256, 256, 8, POLICY_NONE, 0, 131071},
    {"st_offset20/block256", store_offset, N / 256, 256, 20, POLICY_NONE, 0, 141226},
    {"cp_offset1/block32", copy_offset, N / 32, 32, 1, POLICY_NONE, 163838, 163838},
    {"cp_offset1/block64", copy_offset, N / 64, 64, 1, POLICY_NONE, 147441, 156251},
    {"cp_offset1/block1024", copy_offset, N / 1024, 1024, 1, POLICY_NONE, 132094, 147513},
    {"cp_offset30/block256", copy_offset, N / 256, 256, 30, POLICY_NONE, 135160, 151424},
    {"st_warp_result1/block256", store_results, 4096, 256, 1, POLICY_NONE, 0, 7799},
    {"st_warp_result8/block256", store_results, 4096, 256, 8, POLICY_NONE, 0, 32768},
    {"st_warp_result12/block256", store_results, 4096, 256, 12, POLICY_NONE, 0, 52437},
};

START_TEST(merging_before_l2_is_within_8_percent_of_an_h200)
{
    for (size_t i = 0; i < sizeof merging / sizeof *merging; i++) {
        Play play = play_of(merging[i].blocks, 1, merging[i].threads, 1);
        play.k = merging[i].k;
        play.policy = merging[i].policy;
        play.in_turn = true;
        const Counters *counters = play_all(&play, merging[i].warp);
        near(merging[i].name, "L2 reads", counters->l2_read_sectors, merging[i].l2_reads,
             strncmp(merging[i].name, "again9/", 7) ? 0.08 : 0.15);
        near(merging[i].name, "L2 writes", counters->l2_write_sectors, merging[i].l2_writes, 0.08);
        counters_free(play.set);
    }
}
END_TEST

/* In each round all blocks read one line, of which L1 gives the SM's second block its part. GPCs of 16 SMs ask L2 four times for the 4 sectors,
 * those of 18 five times: 6 * 4 + 2 * 5 (an H200: 35). Blocks take some 750 cycles, so that those of later rounds begin within 35. */
static uint64_t line_of_the_round(const Play *play, uint32_t l) { return play->place.block / 264 * 32 + l; }
static void one_line_a_round(Play *play) {
    if (play->place.warp == 0) load(play, IN, line_of_the_round);
}

START_TEST(sms_meet_in_each_round)
{
    for (uint64_t rounds = 1; rounds <= 4; rounds++) {
        Play play = play_of(264 * rounds, 1, 1024, 1);
        ck_assert_uint_eq(play_all(&play, one_line_a_round)->l2_read_sectors, 4 * 34 * rounds);
        counters_free(play.set);
    }
}
END_TEST

START_TEST(a_device_without_coalescer_merges_nothing)
{
    Play play = play_of(132, 1, 32, 1);
    play.config.merge = (MergeConfig){0};
    ck_assert_uint_eq(play_all(&play, broadcast)->l2_read_sectors, 132);
    counters_free(play.set);
    play = play_of(N / 256, 1, 256, 1);
    play.config.merge = (MergeConfig){0};
    play.k = 1;
    ck_assert_uint_eq(play_all(&play, copy_offset)->l2_write_sectors,
                      163839); /* 5 for each of 32,768 warps, the last cut off */
    counters_free(play.set);
}
END_TEST

START_TEST(sms_alone_count_what_they_see_as_ever_and_nothing_beyond)
{
    void (*const kernels[])(Play *) = {copy_offset, copy_stride, add_broadcast, read_coalesced, soa};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        Play whole = play_of(64, 1, 256, 1), alone = whole;
        whole.k = alone.k = 3;
        alone.config.sms_alone = true;
        const Counters *all = play_all(&whole, kernels[i]), *some = play_all(&alone, kernels[i]);
        for (int op = 0; op < COUNTER_OPS; op++) {
            SectorCounters expected = all->global[op];
            expected.first_lines = expected.first_passes = expected.first_hits = expected.late_hits = 0;
            ck_assert_mem_eq(&some->global[op], &expected, sizeof expected);
        }
        ck_assert(all->l2_read_sectors > 0 && all->dram_read_bytes > 0 && all->global[COUNTER_LOAD].first_passes > 0);
        ck_assert(some->l2_read_sectors == 0 && some->timed_reads == 0 && some->dram_read_bytes == 0);
        ck_assert_uint_eq(some->l2_write_sectors, all->l2_write_sectors);
        counters_free(whole.set);
        counters_free(alone.set);
    }
}
END_TEST

SUITE("traffic", offset_and_strided_copies_count_as_on_an_h200, additions_and_vector_copies_count_as_on_an_h200,
      transposes_count_as_on_an_h200, merging_before_l2_is_within_8_percent_of_an_h200, sms_meet_in_each_round,
      a_device_without_coalescer_merges_nothing, sms_alone_count_what_they_see_as_ever_and_nothing_beyond)
