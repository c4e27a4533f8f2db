/* The time model against times measured on an H200, for launches whose counters follow from their access patterns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/model.h"
#include "suite.h"

enum { FLOATS = 12800 * 12800, SMALL = 1 << 24, LOAD = 0, STORE = 1 };

/* A kernel that moves `floats` floats, by what one of its warps does. */
typedef struct Moved {
    const char *name;
    double measured; /* its speed as a fraction of a device-to-device copy's: float elements copied a second */
    uint32_t floats, threads, shared_bytes;
    uint32_t insns;                             /* PTX instructions, as nvcc 13.0 writes them */
    uint32_t accesses;                          /* loads, and as many stores */
    uint32_t lanes_bytes;                       /* bytes of a lane in each */
    uint32_t load_lines, load_sectors, l1_hits; /* of one load; hits in sectors */
    uint32_t store_lines, store_sectors;
    uint32_t wavefronts, barriers; /* in all */
    uint32_t read_sectors;         /* that one load's own sectors bring from device memory */
    double rows;                   /* of 1024 bytes, for one load */
} Moved;

/* The figures are medians of 30 on one H200: 12800 x 12800 floats, and reads of every s-th float. Access patterns:
 * - coalesced: 32 floats are 128 bytes, 1 line, 4 sectors; 32 float4 are 4 lines, 16 sectors. A row of device memory holds 8 lines.
 * - a column: each of 32 lanes in a line of its own. Read by a 32 x 32 block, the warp beside finds 7 of 8 sectors in L1: 28 of 32.
 * - stride s: 32 s / 32 lines up to 32, 4 s sectors up to 32; from s = 16 on 64 bytes come for each; 32 * 4 s bytes are s / 8 rows.
 * - tile: one load, a barrier, one store of a warp; stored in or read from a column of 32 floats 32 wavefronts, else 1.
 *   With 32 x 8 threads four of each; with 64 x 64 or 128 x 64 elements and 16 bytes a lane four of each, and 4 wavefronts for each. */
static const Moved kernels[] = {
    {"read-coalesced", 0.127, FLOATS, 1024, 0, 28, 1, 4, 1, 4, 0, 32, 32, 0, 0, 4, 0.125},
    {"write-coalesced", 0.324, FLOATS, 1024, 0, 28, 1, 4, 32, 32, 28, 1, 4, 0, 0, 4, 0.125},
    {"tile", 0.423, FLOATS, 1024, 4224, 42, 1, 4, 1, 4, 0, 1, 4, 2, 1, 4, 0.125},
    {"tile without padding", 0.295, FLOATS, 1024, 4096, 44, 1, 4, 1, 4, 0, 1, 4, 33, 1, 4, 0.125},
    {"tile, 32 x 8 threads", 0.838, FLOATS, 256, 4224, 54, 4, 4, 1, 4, 0, 1, 4, 8, 1, 4, 0.125},
    {"tile, 32 x 8, without padding", 0.420, FLOATS, 256, 4096, 56, 4, 4, 1, 4, 0, 1, 4, 132, 1, 4, 0.125},
    {"tile of 64 x 64, 16 bytes", 0.947, FLOATS, 256, 16640, 90, 4, 16, 4, 16, 0, 4, 16, 32, 1, 16, 0.5},
    {"tile of 128 x 64, 16 bytes", 0.961, FLOATS, 512, 32768, 152, 4, 16, 4, 16, 0, 4, 16, 32, 1, 16, 0.5},
    {"one float a thread", 0.646, FLOATS, 256, 0, 14, 1, 4, 1, 4, 0, 1, 4, 0, 0, 4, 0.125},
    {"one float4 a thread", 1.009, FLOATS, 256, 0, 14, 1, 16, 4, 16, 0, 4, 16, 0, 0, 16, 0.5},
    {"stride 1", 0.567, SMALL, 256, 0, 17, 1, 4, 1, 4, 0, 1, 4, 0, 0, 4, 0.125},
    {"stride 2", 0.525, SMALL, 256, 0, 17, 1, 4, 2, 8, 0, 1, 4, 0, 0, 8, 0.25},
    {"stride 4", 0.394, SMALL, 256, 0, 17, 1, 4, 4, 16, 0, 1, 4, 0, 0, 16, 0.5},
    {"stride 8", 0.236, SMALL, 256, 0, 17, 1, 4, 8, 32, 0, 1, 4, 0, 0, 32, 1},
    {"stride 16", 0.123, SMALL, 256, 0, 17, 1, 4, 16, 32, 0, 1, 4, 0, 0, 64, 2},
    {"stride 32", 0.109, SMALL, 256, 0, 17, 1, 4, 32, 32, 0, 1, 4, 0, 0, 64, 4},
    {"stride 64", 0.081, SMALL, 256, 0, 17, 1, 4, 32, 32, 0, 1, 4, 0, 0, 64, 8},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static const Profile *h200(void) { return profile_find("h200", NULL); }

/* The copy of 655 MB that the figures compare with took 313 us. */
static const double copy_us = 313;

typedef struct Launch {
    Counters counters;
    InsnCounters insns[2];
    ModelInput input;
} Launch;

static void launch_make(Launch *launch, const Moved *kernel) {
    uint64_t warps = (uint64_t)kernel->floats * 4 / (32 * kernel->lanes_bytes * kernel->accesses),
             requests = warps * kernel->accesses;
    uint64_t bytes = (uint64_t)kernel->floats * 4;
    *launch = (Launch){0};
    SectorCounters *load = &launch->insns[LOAD].sectors, *store = &launch->insns[STORE].sectors;
    *load = (SectorCounters){.requests = requests,
                             .lines = requests * kernel->load_lines,
                             .sectors = requests * kernel->load_sectors,
                             .l1_hit_sectors = requests * kernel->l1_hits};
    *store = (SectorCounters){.requests = requests,
                              .lines = requests * kernel->store_lines,
                              .sectors = requests * kernel->store_sectors,
                              .bytes = bytes,
                              .unique_bytes = bytes};
    launch->insns[STORE].op = COUNTER_STORE;
    Counters *counters = &launch->counters;
    counters->n_insns = 2;
    counters->insns = launch->insns;
    counters->global[COUNTER_LOAD] = *load;
    counters->global[COUNTER_STORE] = *store;
    counters->shared[COUNTER_LOAD].wavefronts = warps * kernel->wavefronts;
    counters->instructions = warps * kernel->insns;
    counters->barriers = warps * kernel->barriers;
    counters->l2_read_sectors = load->sectors - load->l1_hit_sectors;
    counters->l2_write_sectors = store->sectors;
    counters->dram_read_bytes = requests * kernel->read_sectors * 32;
    counters->dram_write_bytes = bytes - h200()->l2_bytes / 2; /* the rest is still in L2 */
    counters->dram_rows = (uint64_t)((double)requests * kernel->rows);
    double hits = (double)kernel->l1_hits / kernel->load_sectors;
    launch->input = (ModelInput){.profile = h200(),
                                 .counters = counters,
                                 .blocks = warps * 32 / kernel->threads,
                                 .threads = kernel->threads,
                                 .shared_bytes = kernel->shared_bytes,
                                 .waits = {.l1 = (double)warps * hits, .beyond = (double)warps * (1 - hits)}};
}

static double modelled_us(const Moved *kernel) {
    Launch launch;
    launch_make(&launch, kernel);
    return model_time(&launch.input).time_us;
}

/* As a fraction of the copy's speed. */
static double modelled(const Moved *kernel) { return copy_us * kernel->floats / FLOATS / modelled_us(kernel); }

START_TEST(measured_speeds_are_met_within_fifteen_percent)
{
    const Moved *kernel = &kernels[_i];
    double ratio = modelled(kernel) / kernel->measured;
    ck_assert_msg(ratio > 0.85 && ratio < 1.15, "%s: modelled %.3f, measured %.3f", kernel->name, modelled(kernel),
                  kernel->measured);
}
END_TEST

START_TEST(of_two_kernels_the_faster_is_modelled_faster)
{
    for (int i = 0; i < KERNELS; i++)
        for (int j = 0; j < KERNELS; j++) /* 0.420 and 0.423 are one speed */
            if (kernels[i].measured > 1.02 * kernels[j].measured)
                ck_assert_msg(modelled(&kernels[i]) > modelled(&kernels[j]), "%s: %.3f, but %s: %.3f", kernels[i].name,
                              modelled(&kernels[i]), kernels[j].name, modelled(&kernels[j]));
}
END_TEST

static const Moved *kernel_named(const char *name) {
    for (int i = 0; i < KERNELS; i++)
        if (!strcmp(kernels[i].name, name)) return &kernels[i];
    ck_abort_msg("%s", name);
}

static ModelBound bound_of(const char *name) {
    Launch launch;
    launch_make(&launch, kernel_named(name));
    return model_time(&launch.input).bound;
}

START_TEST(what_bounds_a_kernel_is_named)
{
    ck_assert_int_eq(bound_of("read-coalesced"), BOUND_stores);
    ck_assert_int_eq(bound_of("write-coalesced"), BOUND_l1);
    ck_assert_int_eq(bound_of("tile"), BOUND_latency); /* 2048 threads, 4 bytes each in flight, and a barrier */
    ck_assert_int_eq(bound_of("tile, 32 x 8, without padding"), BOUND_shared);
    ck_assert_int_eq(bound_of("one float4 a thread"), BOUND_dram);
    ck_assert_int_eq(bound_of("stride 32"), BOUND_dram);
    ck_assert_str_eq(model_bound_names[BOUND_dram], "dram");
    ck_assert_str_eq(model_bound_texts[BOUND_blocks], "starting blocks");
}
END_TEST

/* 64 bytes a thread of 2048 on their way: while a block waits at its barrier, others keep device memory busy. Measured: 0.961 of a copy. */
START_TEST(with_much_in_flight_a_barrier_costs_little)
{
    double tile = modelled(kernel_named("tile of 128 x 64, 16 bytes")), copy = modelled(kernel_named("one float4 a thread"));
    ck_assert_msg(tile > 0.93 * copy && tile < copy, "%.3f of a copy", tile / copy);
}
END_TEST

START_TEST(the_yardstick_is_a_float4_copy)
{
    double bytes = (double)FLOATS * 4, copy = model_copy_time_us(h200(), (uint64_t)bytes);
    ck_assert_double_eq_tol(copy, modelled_us(kernel_named("one float4 a thread")), 0.001 * copy);
    ck_assert_double_eq_tol(copy, copy_us, 0.05 * copy_us);
    /* Half of it: measured at 64 MB, 31.3 us. */
    ck_assert_double_eq_tol(model_copy_time_us(h200(), 64 << 20), 31.3, 0.1 * 31.3);
    ck_assert_double_eq_tol(model_copy_time_us(h200(), 0), 1.6, 0.5); /* an empty kernel */
}
END_TEST

/* An empty kernel: measured 1.6 us with 1 or 132 blocks, 41 us with 65,536 blocks of 256 threads, 47.8 us with as many of 1024. */
START_TEST(starting_blocks_takes_time)
{
    static const struct {
        uint32_t blocks, threads;
        double us;
    } rows[] = {{1, 32, 1.6}, {132, 1024, 1.6}, {65536, 32, 41}, {65536, 256, 41}, {65536, 1024, 47.8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Counters counters = {.instructions = (uint64_t)rows[i].blocks * rows[i].threads / 32 * 4};
        ModelInput input = {.profile = h200(), .counters = &counters, .blocks = rows[i].blocks, .threads = rows[i].threads};
        Model model = model_time(&input);
        ck_assert_double_eq_tol(model.time_us, rows[i].us, 0.15 * rows[i].us);
        ck_assert_int_eq(model.bound, rows[i].blocks > 132 ? BOUND_blocks : BOUND_launch);
    }
}
END_TEST

static double atomics_us(const Counters *counters, uint64_t blocks) {
    const ModelInput input = {.profile = h200(), .counters = counters, .blocks = blocks, .threads = 256};
    const Model model = model_time(&input);
    ck_assert_int_eq(model.bound, BOUND_atomics);
    return model.time_us;
}

/* Measured on an H200: 2^20 and 2^17 additions to one float take 1847 and 233 us (the latter by one lane of each warp), 2,162,688 to one integer 1592 us, and
 * 8 warps of one SM, of 64 times 32 lanes that meet in words of their warp's, 14.8 us. */
START_TEST(atomics_on_one_word_take_turns)
{
    Counters counters = {.serialised = {.slice = 1 << 20, .sums = 1 << 20},
                         .global[COUNTER_ATOMIC] = {.requests = 1 << 15, .sectors = 1 << 20}};
    ck_assert_double_eq_tol(atomics_us(&counters, 4096), 1847, 0.02 * 1847);
    counters = (Counters){.serialised = {.slice = 1 << 17, .sums = 1 << 17},
                          .global[COUNTER_ATOMIC] = {.requests = 1 << 17, .sectors = 1 << 17}};
    ck_assert_double_eq_tol(atomics_us(&counters, 16384), 233, 0.02 * 233);
    counters = (Counters){.serialised = {.slice = 2162688}, .global[COUNTER_ATOMIC] = {.requests = 67584, .sectors = 2162688}};
    ck_assert_double_eq_tol(atomics_us(&counters, 132), 1592, 0.02 * 1592);
    counters = (Counters){.serialised = {.slice = 2048}, .global[COUNTER_ATOMIC] = {.requests = 512, .sectors = 16384}};
    ck_assert_double_eq_tol(atomics_us(&counters, 1), 14.8, 0.2 * 14.8);
}
END_TEST

/* 64 additions of each lane to a float in shared memory, of which each kernel takes some 7 us less without, on an H200: all lanes of a warp meet, those of others
 * do not (107 us, whatever the number of warps), 16 warps meet in one word (789 us), and no two lanes meet (12 us). */
START_TEST(loops_of_swaps_wait_for_each_other_in_a_word)
{
    const struct {
        uint64_t rounds, word;
        uint32_t warps;
        double us;
    } measured[] = {
        {64 * 32, 64 * 32, 1, 100}, {8 * 64 * 32, 64 * 32, 8, 100}, {16 * 64 * 32, 16 * 64 * 32, 16, 782}, {64, 64, 1, 3.1}};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        const Counters counters = {.swap_rounds = 132 * measured[i].rounds,
                                   .serialised = {.word = 132 * measured[i].word, .batches = 132}};
        const ModelInput input = {.profile = h200(), .counters = &counters, .blocks = 132, .threads = 32 * measured[i].warps};
        ck_assert_double_eq_tol(model_time(&input).bound_us[BOUND_latency], measured[i].us, 0.3 * measured[i].us);
    }
}
END_TEST

START_TEST(a_few_blocks_use_a_few_sms)
{
    Launch launch;
    launch_make(&launch, kernel_named("write-coalesced"));
    double l1 = model_time(&launch.input).bound_us[BOUND_l1], blocks = (double)launch.input.blocks;
    launch.input.blocks = 33; /* the same work on a quarter of the 132 SMs */
    ck_assert_double_eq_tol(model_time(&launch.input).bound_us[BOUND_l1] / l1, 4, 4 * 132 / blocks);
}
END_TEST

START_TEST(those_that_were_measured_are_calibrated)
{
    for (uint32_t i = 0; i < profile_count(); i++) {
        const Profile *profile = profile_at(i);
        Launch launch;
        launch_make(&launch, kernel_named("one float4 a thread"));
        launch.input.profile = profile;
        Model model = model_time(&launch.input);
        ck_assert_int_eq(model.calibrated, !strcmp(profile->name, "h200") || !strcmp(profile->name, "h100"));
        ck_assert_int_eq(model.bound, BOUND_dram);
        double floor_us = (double)launch.counters.dram_read_bytes / profile->time.dram_gb_s * 1e-3;
        ck_assert(model.time_us > floor_us && model.time_us < 3 * floor_us);
    }
}
END_TEST

/* --- each resource alone, worked out from the constants that stand in model.c with the launches that they were measured by. An H200: 132
 * SMs, 1.98 GHz (1980 cycles are a microsecond), 4800 GB/s --- */

static Model model_alone(const Counters *counters, uint64_t blocks, uint32_t threads, Waits waits) {
    ModelInput input = {.profile = h200(), .counters = counters, .blocks = blocks, .threads = threads, .waits = waits};
    return model_time(&input);
}

static void takes(double us, double wanted) {
    ck_assert_msg(fabs(us - wanted) <= 1e-9 * fabs(wanted), "%.9f us, not %.9f", us, wanted);
}

START_TEST(device_memory_takes_bytes_rows_and_what_l2_keeps)
{
    Counters counters = {.dram_read_bytes = 480000000};
    takes(model_alone(&counters, 132, 32, (Waits){0}).bound_us[BOUND_dram], 100);
    counters.dram_write_bytes = 48000000;
    takes(model_alone(&counters, 132, 32, (Waits){0}).bound_us[BOUND_dram], 110);
    counters.dram_rows = 1000000; /* 108 bytes each */
    takes(model_alone(&counters, 132, 32, (Waits){0}).bound_us[BOUND_dram], 110 + 22.5);
    /* 48 MB were written; a fifth of the other 24 + 72 MB that were stored */
    counters.global[COUNTER_STORE].unique_bytes = 72000000;
    counters.local[COUNTER_STORE].unique_bytes = 72000000;
    takes(model_alone(&counters, 132, 32, (Waits){0}).bound_us[BOUND_dram], 110 + 22.5 + 0.2 * 20);
    counters.local[COUNTER_STORE].unique_bytes = counters.global[COUNTER_STORE].unique_bytes = 20000000; /* all written back */
    takes(model_alone(&counters, 132, 32, (Waits){0}).bound_us[BOUND_dram], 110 + 22.5);
}
END_TEST

/* Requests come in bursts, a tenth slower, where every warp waits for a load and at a barrier; where only half of the warps have one of the
 * two, by half as much. 4800 bytes a ns for 710 cycles of 1/1.98 ns are 13,039 bytes in flight on each of 132 SMs: with more than twice
 * that, by less, down to 0.4. */
START_TEST(bursts_slow_device_memory_down_where_little_is_in_flight)
{
    enum { BLOCKS = 132 * 8, WARPS = BLOCKS };
    Counters counters = {.dram_read_bytes = 480000000, .barriers = WARPS};
    takes(model_alone(&counters, BLOCKS, 32, (Waits){.beyond = WARPS}).bound_us[BOUND_dram], 110);
    takes(model_alone(&counters, BLOCKS, 32, (Waits){.beyond = WARPS / 2}).bound_us[BOUND_dram], 105);
    takes(model_alone(&counters, BLOCKS, 32, (Waits){.beyond = WARPS / 4, .l1 = WARPS / 4}).bound_us[BOUND_dram], 105);
    takes(model_alone(&counters, BLOCKS, 32, (Waits){.beyond = 3 * WARPS}).bound_us[BOUND_dram], 110);
    counters.barriers = WARPS / 2;
    takes(model_alone(&counters, BLOCKS, 32, (Waits){.beyond = WARPS}).bound_us[BOUND_dram], 105);
    counters.barriers = 2 * WARPS;
    const double busy = 4800e3 * 710 / 1980 / 132;
    /* 8 blocks an SM, of which each loads 128 sectors, but for a quarter that L1 has: 8 * 96 * 32 bytes are not yet too many */
    counters.global[COUNTER_LOAD] = (SectorCounters){.sectors = 128 * BLOCKS, .l1_hit_sectors = 32 * BLOCKS};
    takes(model_alone(&counters, BLOCKS, 32, (Waits){.beyond = WARPS}).bound_us[BOUND_dram], 110);
    counters.global[COUNTER_LOAD] = (SectorCounters){.sectors = 160 * BLOCKS, .l1_hit_sectors = 32 * BLOCKS};
    double gaps = 2 * busy / (8 * 128 * 32);
    takes(model_alone(&counters, BLOCKS, 32, (Waits){.beyond = WARPS}).bound_us[BOUND_dram], 100 * (1 + 0.1 * gaps));
    /* in two round trips half of them at a time */
    takes(model_alone(&counters, BLOCKS, 32, (Waits){.beyond = 2 * WARPS}).bound_us[BOUND_dram], 110);
    counters.global[COUNTER_LOAD].sectors = 1024 * BLOCKS;
    takes(model_alone(&counters, BLOCKS, 32, (Waits){.beyond = WARPS}).bound_us[BOUND_dram], 104);
    /* of 16 blocks an SM, of 1024 threads, two are resident */
    counters = (Counters){.dram_read_bytes = 480000000, .barriers = 16 * 132 * 32};
    counters.global[COUNTER_LOAD].sectors = 512 * 16 * 132;
    gaps = 2 * busy / (2 * 512 * 32);
    takes(model_alone(&counters, 16 * 132, 1024, (Waits){.beyond = 16 * 132 * 32}).bound_us[BOUND_dram],
          100 * (1 + 0.1 * gaps));
}
END_TEST

START_TEST(stored_lines_and_atomics_take_cycles_of_l2)
{
    Counters counters = {.global[COUNTER_STORE].lines = 132 * 1980, .local[COUNTER_STORE].lines = 132 * 3960};
    takes(model_alone(&counters, 132, 32, (Waits){0}).bound_us[BOUND_stores], 3 * 3.75);
    counters = (Counters){.serialised = {.slice = 1980}};
    takes(model_alone(&counters, 132, 32, (Waits){0}).bound_us[BOUND_atomics], 1.458);
    counters.global[COUNTER_ATOMIC].sectors = 132 * 3960;
    takes(model_alone(&counters, 132, 32, (Waits){0}).bound_us[BOUND_atomics], 1.458 + 2 * 2.75);
    counters.serialised.sums = 1980;
    takes(model_alone(&counters, 132, 32, (Waits){0}).bound_us[BOUND_atomics], 3.49 + 2 * 2.75);
}
END_TEST

/* A line is a cycle, or its sectors are more: a quarter for each that hits, half for each that does not; half a cycle more for a line of
 * which something is missing, 1.1 for one that is stored. On the SM that has the most blocks: of 133 one has two. */
START_TEST(the_busiest_sm_takes_cycles_for_l1_and_shared_memory)
{
    InsnCounters insns[] = {
        {.op = COUNTER_LOAD,
         .sectors = {.lines = 1980, .sectors = 4 * 1980, .l1_hit_sectors = 3 * 1980}}, /* 1.25, 0.25 of it missing */
        {.op = COUNTER_LOAD, .sectors = {.lines = 3960, .sectors = 3960, .l1_hit_sectors = 3960}}, /* 2, none missing */
        {.op = COUNTER_LOAD, .sectors = {.lines = 1980, .sectors = 4 * 1980}},                     /* 2, all missing */
        {.op = COUNTER_STORE, .sectors = {.lines = 3960, .sectors = 3960}},
        {.op = COUNTER_LOAD}};
    Counters counters = {.n_insns = 5, .insns = insns, .global[COUNTER_STORE].lines = 3960};
    const double us = 1.25 + 2 + 2 + 0.5 * (0.25 + 1) + 1.1 * 2;
    takes(model_alone(&counters, 1, 32, (Waits){0}).bound_us[BOUND_l1], us);
    takes(model_alone(&counters, 132, 32, (Waits){0}).bound_us[BOUND_l1], us / 132);
    takes(model_alone(&counters, 133, 32, (Waits){0}).bound_us[BOUND_l1], us * 2 / 133);
    /* four lines in two cycles, and none missing; where all miss, a cycle each and half */
    insns[1].sectors =
        (SectorCounters){.lines = 4 * 1980, .sectors = 1980, .l1_hit_sectors = 1980, .first_lines = 8, .first_passes = 4};
    takes(model_alone(&counters, 1, 32, (Waits){0}).bound_us[BOUND_l1], us);
    insns[1].sectors.l1_hit_sectors = 0;
    takes(model_alone(&counters, 1, 32, (Waits){0}).bound_us[BOUND_l1], us + 2 + 0.5 * 4);
    counters = (Counters){.shared = {{.wavefronts = 1980}, {.wavefronts = 3960}, {.wavefronts = 7920}}};
    takes(model_alone(&counters, 1, 32, (Waits){0}).bound_us[BOUND_shared], 7);
    takes(model_alone(&counters, 265, 32, (Waits){0}).bound_us[BOUND_shared], 7 * 3 / 265.0);
    /* 0.8 machine instructions for one of PTX, four of them a cycle; a cycle for a warp that comes to a barrier */
    counters = (Counters){.instructions = 5 * 1980, .barriers = 1980};
    takes(model_alone(&counters, 1, 32, (Waits){0}).bound_us[BOUND_issue], 2);
    takes(model_alone(&counters, 133, 32, (Waits){0}).bound_us[BOUND_issue], 2 * 2 / 133.0);
}
END_TEST

/* Blocks of 8 warps, 8 of which are resident on an SM, two rounds of them. */
START_TEST(a_block_lives_as_long_as_its_warps_wait)
{
    enum { BLOCKS = 132 * 8 + 1, WARPS = 8 * BLOCKS };
    InsnCounters insns[] = {
        {.op = COUNTER_LOAD, .sectors = {.lines = 2 * WARPS, .sectors = 2 * WARPS, .l1_hit_sectors = 2 * WARPS}}};
    Counters counters = {.instructions = 10 * WARPS, .n_insns = 1, .insns = insns, .shared = {{.wavefronts = 3 * WARPS}}};
    const double delay = 1.5 + 0.35 * 7; /* for each line and wavefront, by the warp's own and by the seven others */
    double cycles = 10 * 3.3 + (2 + 3) * delay;
    takes(model_alone(&counters, BLOCKS, 256, (Waits){0}).bound_us[BOUND_latency], 2 * cycles / 1980);
    takes(model_alone(&counters, BLOCKS, 256, (Waits){.l1 = 2 * WARPS}).bound_us[BOUND_latency], 2 * (cycles + 2 * 33) / 1980);
    counters.barriers = 4 * WARPS;
    cycles += 4 * (10 + 8);
    takes(model_alone(&counters, BLOCKS, 256, (Waits){0}).bound_us[BOUND_latency], 2 * cycles / 1980);
    /* L2 answers after 280 cycles, device memory after 710; of 3 in 4 bytes: 602.5. The slowest warp of eight: 0.22 of a latency for each
     * doubling, and at the barrier 0.35 of that again */
    counters.l2_read_sectors = 1000;
    counters.dram_read_bytes = 24000;
    takes(model_alone(&counters, BLOCKS, 256, (Waits){.beyond = WARPS}).bound_us[BOUND_latency],
          2 * (cycles + 602.5 + 0.22 * 3 * 602.5 * 1.35) / 1980);
    takes(model_alone(&counters, BLOCKS, 256, (Waits){.beyond = WARPS / 2.0}).bound_us[BOUND_latency],
          2 * (cycles + 602.5 / 2 + 0.22 * 3 * 602.5 * 0.5 * 1.35) / 1980);
    counters.timed_reads = 100,
    counters.late_cycles = 2000; /* 20 later on average, for what others have asked device memory for */
    takes(model_alone(&counters, BLOCKS, 256, (Waits){.beyond = WARPS}).bound_us[BOUND_latency],
          2 * (cycles + 622.5 + 0.22 * 3 * 622.5 * 1.35) / 1980);
    counters.timed_reads = counters.late_cycles = 0;
    counters.dram_read_bytes = 64000; /* more than was asked for, as pairs of sectors come: all of it from there */
    takes(model_alone(&counters, BLOCKS, 256, (Waits){.beyond = WARPS}).bound_us[BOUND_latency],
          2 * (cycles + 710 + 0.22 * 3 * 710 * 1.35) / 1980);
    counters.barriers = 0;
    takes(model_alone(&counters, BLOCKS, 256, (Waits){.beyond = 2 * WARPS}).bound_us[BOUND_latency],
          2 * (10 * 3.3 + 5 * delay + 2 * 710 + 0.22 * 3 * 710) / 1980);
}
END_TEST

/* Before anything else an empty kernel's 1.6 us, and the first load. Starting blocks and waiting overlap; all else adds up by squares. */
START_TEST(the_whole_is_the_root_of_the_squares)
{
    Counters counters = {
        .dram_read_bytes = 4800000, .l2_read_sectors = 150000, .shared[COUNTER_LOAD].wavefronts = 132 * 1980 * 2};
    Model model = model_alone(&counters, 132, 32, (Waits){.beyond = 66});
    takes(model.bound_us[BOUND_launch], 1.6 + 710 / 1980.0 / 2); /* half of the warps load */
    takes(model_alone(&counters, 132, 32, (Waits){.beyond = 264}).bound_us[BOUND_launch], 1.6 + 710 / 1980.0);
    const double latency = 2 * 1.5 + 355 / 1980.0, blocks = 132 * 1.2 / 1980; /* a wavefront delays its warp by 1.5 cycles */
    takes(model.bound_us[BOUND_latency], latency);
    takes(model.bound_us[BOUND_blocks], blocks);
    takes(model_alone(&counters, 132, 1024, (Waits){0}).bound_us[BOUND_blocks], 132 * 32 * 0.044 / 1980);
    takes(model.time_us, 1.6 + 710 / 1980.0 / 2 + sqrt(1 + 4 + latency * latency)); /* blocks is less than latency */
    ck_assert_int_eq(model.bound, BOUND_latency);
    counters = (Counters){.dram_read_bytes = 4800000};
    model = model_alone(&counters, 132, 32, (Waits){0});
    takes(model.time_us, 1.6 + sqrt(1 + blocks * blocks)); /* nothing waits */
    ck_assert_int_eq(model.bound, BOUND_launch);
}
END_TEST

/* The least that device memory can do: an empty kernel, and what is read and written, but for the half of L2 that stays. */
START_TEST(the_roof_is_what_must_come_and_go)
{
    takes(model_roof_us(h200(), 4800000, 0), 2.6);
    takes(model_roof_us(h200(), 4800000, 16 << 20), 2.6);
    takes(model_roof_us(h200(), 4800000, (16 << 20) + 9600000), 4.6);
}
END_TEST

/* 16 bytes a thread, 512 a warp, 4096 a block; 14 instructions a thread. */
START_TEST(the_yardstick_moves_whole_units)
{
    static const struct {
        uint64_t bytes, requests, sectors, lines, rows, blocks;
    } rows[] = {{1, 1, 1, 1, 1, 1},       {32, 1, 1, 1, 1, 1},
                {33, 1, 2, 1, 1, 1},      {129, 1, 5, 2, 1, 1},
                {512, 1, 16, 4, 1, 1},    {513, 2, 17, 5, 1, 1},
                {1025, 3, 33, 9, 2, 1},   {4096, 8, 128, 32, 4, 1},
                {4097, 9, 129, 33, 5, 2}, {40 << 20, 81920, 1310720, 327680, 40960, 10240}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t bytes = rows[i].bytes, kept = bytes < 16 << 20 ? bytes : 16 << 20;
        SectorCounters moved = {
            .requests = rows[i].requests, .sectors = rows[i].sectors, .lines = rows[i].lines, .unique_bytes = bytes};
        InsnCounters insns[] = {{.op = COUNTER_LOAD, .sectors = moved}, {.op = COUNTER_STORE, .sectors = moved}};
        Counters counters = {.instructions = 14 * rows[i].requests,
                             .global = {[COUNTER_LOAD] = moved, [COUNTER_STORE] = moved},
                             .l2_read_sectors = rows[i].sectors,
                             .l2_write_sectors = rows[i].sectors,
                             .dram_read_bytes = bytes,
                             .dram_write_bytes = bytes - kept,
                             .dram_rows = rows[i].rows,
                             .n_insns = 2,
                             .insns = insns};
        takes(model_copy_time_us(h200(), bytes),
              model_alone(&counters, rows[i].blocks, 256, (Waits){.beyond = (double)rows[i].requests}).time_us);
    }
}
END_TEST

/* Cycles of an SM for a warp's request to other blocks of the cluster (tests/hardware/h200-dshared.csv): which sectors of which lines its lanes want. */
START_TEST(other_blocks_memory_takes_cycles_for_sectors_and_lines)
{
    static const struct {
        const char *name;
        CounterOp op;
        uint32_t sectors, lines;
        double cycles;
    } rows[] = {
        {"ld, a line", COUNTER_LOAD, 4, 1, 7.61},
        {"ld, two lines", COUNTER_LOAD, 8, 2, 15.10},
        {"ld, eight lines", COUNTER_LOAD, 32, 8, 60.51},
        {"ld, a sector of each line", COUNTER_LOAD, 32, 32, 96.09},
        {"ld, a word", COUNTER_LOAD, 1, 1, 3.25},
        {"ld of four words a lane", COUNTER_LOAD, 16, 4, 30.11},
        {"st, a line", COUNTER_STORE, 4, 1, 6.40},
        {"st, eight lines", COUNTER_STORE, 32, 8, 50.43},
        {"st of four words", COUNTER_STORE, 16, 4, 25.2},
        {"atom, a line", COUNTER_ATOMIC, 4, 1, 13.61},
        {"atom, two lines", COUNTER_ATOMIC, 8, 2, 27.11},
        {"atom, eight lines", COUNTER_ATOMIC, 32, 8, 108.11},
        {"atom, a sector of each line", COUNTER_ATOMIC, 32, 32, 96.09},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t requests = UINT64_C(132) * 8192;
        Counters counters = {0};
        counters.peers[rows[i].op] =
            (PeerCounters){.requests = requests, .sectors = requests * rows[i].sectors, .lines = requests * rows[i].lines};
        const double cycles = model_alone(&counters, 132, 1024, (Waits){0}).bound_us[BOUND_shared] * 1980 / 8192;
        ck_assert_msg(fabs(cycles / rows[i].cycles - 1) < 0.11, "%s: %.1f cycles, measured %.1f", rows[i].name, cycles,
                      rows[i].cycles);
    }
}
END_TEST

/* Of one warp alone: 256 loads of another block's memory that follow each other, and 256 meetings of blocks of 1, 8 and 32 warps. */
START_TEST(a_warp_waits_for_other_blocks)
{
    const Counters none = {0};
    const double load_us = model_alone(&none, 2, 32, (Waits){.peers = 2 * 256}).bound_us[BOUND_latency];
    ck_assert_double_eq_tol(load_us * 1980 / 256, 200, 13); /* 194.2 in a cluster of 2, 206.7 to 212.1 in one of 4 to 16 */
    static const double cycles[][2] = {{1, 342.7}, {8, 375.5}, {32, 627.7}};
    for (size_t i = 0; i < 3; i++) {
        const Waits waits = {.meetings = 128 * 256 * cycles[i][0]};
        const Counters counters = {.barriers = (uint64_t)waits.meetings}; /* which are barriers too */
        const double us = model_alone(&counters, 128, (uint32_t)cycles[i][0] * 32, waits).bound_us[BOUND_latency];
        ck_assert_msg(fabs(us * 1980 / 256 / cycles[i][1] - 1) < 0.11, "%.0f warps: %.0f cycles", cycles[i][0],
                      us * 1980 / 256);
    }
}
END_TEST

SUITE("model", REPEATED(KERNELS, measured_speeds_are_met_within_fifteen_percent), of_two_kernels_the_faster_is_modelled_faster,
      what_bounds_a_kernel_is_named, with_much_in_flight_a_barrier_costs_little, the_yardstick_is_a_float4_copy,
      starting_blocks_takes_time, atomics_on_one_word_take_turns, loops_of_swaps_wait_for_each_other_in_a_word,
      a_few_blocks_use_a_few_sms, those_that_were_measured_are_calibrated, device_memory_takes_bytes_rows_and_what_l2_keeps,
      bursts_slow_device_memory_down_where_little_is_in_flight, stored_lines_and_atomics_take_cycles_of_l2,
      the_busiest_sm_takes_cycles_for_l1_and_shared_memory, a_block_lives_as_long_as_its_warps_wait,
      the_whole_is_the_root_of_the_squares, the_roof_is_what_must_come_and_go, the_yardstick_moves_whole_units,
      other_blocks_memory_takes_cycles_for_sectors_and_lines, a_warp_waits_for_other_blocks)
