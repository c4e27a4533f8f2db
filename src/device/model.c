#include "device/model.h"

#include <math.h>

#include "device/arithmetic.h"

const char *const model_bound_names[BOUND_COUNT] = {
#define BOUND(name, text) #name,
    MODEL_BOUNDS(BOUND)
#undef BOUND
};

const char *const model_bound_texts[BOUND_COUNT] = {
#define BOUND(name, text) text,
    MODEL_BOUNDS(BOUND)
#undef BOUND
};

/* --- constants ---
 * Those called measured were read off single launches on an H200, those called fitted make the model's squared error over all the
 * launches of tests/hardware/h200-times.csv least. Cycles of the SM's clock; one of the device's SMs unless said otherwise. */

/* Measured: 65,536 empty blocks of 32 or 256 threads take 41 us, of 1024 threads 47.8 us. */
static const double block_start_cycles = 1.20; /* of the whole device */
static const double warp_start_cycles = 0.044; /* of the whole device */

/* Fitted: what opening a row of device memory costs, in bytes that could have moved meanwhile. 4 bytes of each 64, 128, 256: the same
 * bytes from 1, 2 and 4 million rows take 257, 294 and 352 us. */
static const double row_bytes = 108;

/* Fitted: how much of what L2 still holds when the kernel ends takes device memory's time all the same. 16 MB that are copied and stay in L2
 * take 9.6 us, four times as much of which half is written back 30.8 us: as if most of it were. */
static const double kept_share = 0.2;

static const double store_line_cycles = 3.75; /* fitted; a transpose that scatters its stores: 16.8 M lines in 252 us are 3.9 */
static const double store_line_sm_cycles = 1.1; /* fitted: within its SM */

/* Measured (tests/hardware/h200-contention.csv): 2.16 M updates of one word take 1592 us, and sums of floats 3812; lanes of one request that meet in no word
 * are taken together. */
static const double atomic_cycles = 1.458, atomic_sum_cycles = 3.49; /* of a slice of L2; of a word */
static const double atomic_sector_cycles = 2.75; /* measured: 4.2 M additions to random words of 4 MB in 44.7 us */
/* Fitted: requests of 4 sectors take an SM 14 cycles where all have 7944 of them, and 19 where one has 512; of 32 sectors 46 and 57. */
static const double atomic_request_cycles = 10, atomic_request_sector_cycles = 1;

/* Measured, of additions of floats in shared memory, which are loops: 95 cycles an iteration, by 1 to 32 warps that do not meet; where 8 to 32 meet in a word, 44
 * to 54 (85 on an H100) for each update of it. */
static const double swap_cycles = 90, swap_serialised_cycles = 60;

static const double pass_cycles = 1;      /* measured: tests/hardware/h100-l1.csv */
static const double miss_line_cycles = 1; /* of a line of which something is missing; 4 MB at random take 30 us on an H200 */
static const double hit_cycles = 0.25; /* of a sector; measured: 7 of 8 hit, 4 to a line: 37.3 us, no more than for the lines */
static const double miss_cycles = 0.5; /* of a sector; measured: 14.9 TB/s from L2 to all SMs, 57 bytes a cycle */
static const double missing_line_cycles = 0.5; /* fitted: more for a line of which something is missing */

static const double wavefront_cycles = 1; /* measured: strides 2 to 32 in shared memory, 0.97 to 1.0 wavefronts a cycle */

/* Measured in clusters of 2 (tests/hardware/h200-dshared.csv), where larger ones take up to 2.6 times as much, which is not modelled: cycles of an SM for what it
 * asks of other blocks' shared memory, 32 warps at a time: a load takes 1.5 for each sector and each line of 128 bytes (7.6 of one line, 60.5 of 8, 96 of 32 lines of a sector each), a store 1.6 a sector, an atomic operation 3.3. A store that
 * leaves out every second word takes 3.2, which is not modelled. Fitted: a request that goes to several blocks takes more for each further one (count_anywhere
 * of h200-neighbours.csv, in clusters of 4 and 8). */
static const double peer_load_cycles = 1.5, peer_store_cycles = 1.6, peer_atomic_cycles = 3.3, peer_further_cycles = 14;

/* Measured: a cluster's barrier takes 342 cycles with 1 warp a block, 375 with 8, 628 with 32, whatever the cluster's size. */
static const double meeting_cycles = 330, meeting_warp_cycles = 9;

static const double insn_share = 0.8; /* fitted: machine instructions that a PTX instruction becomes, of simple kernels */
/* Fitted: by which each wavefront and each line looked up in L1 delays its own warp, and every other one of its block. */
static const double delay_cycles = 1.5;
static const double delay_queue_cycles = 0.35;

static const double barrier_cycles = 10; /* fitted; 14, 20 and 44 ns for blocks of 2, 8 and 32 warps with nothing else to do */
static const double barrier_warp_cycles = 1; /* fitted: for each warp that comes to it */

/* Fitted: a block ends when the slowest of its warps does, and goes on after a barrier when the slowest has come. For twice the warps, so
 * much of a latency more; at a barrier after loads, that share of it again. */
static const double straggler_share = 0.22;
static const double straggler_at_barrier = 0.35;

/* Fitted: by how much device memory does less for blocks that load, meet at a barrier and store, so that their requests come in bursts.
 * A transpose through a tile takes 361 us where a copy with as many loads in flight takes 307. Other blocks fill the gaps: with more than
 * burst_depth times the bytes in flight that keep device memory busy, by so much less, down to burst_least of it. In flight on an SM,
 * 13 KB being enough: 8 blocks of 4 KB (those 361 us), 8 of 8 KB (64.2 us for 268 MB, as a copy), 8 of 16 KB and 4 of 32 KB (0.95 and
 * 0.96 of a copy's speed). */
static const double burst_share = 0.1;
static const double burst_depth = 2;
static const double burst_least = 0.4;

/* --- the time of each resource --- */

typedef struct Shape {
    const ModelInput *input;
    double sms, blocks, warps_per_block, warps;
    double cycle_us;
    double busiest_us; /* of the SM with the most blocks: microseconds for each unit of the whole launch that takes a cycle */
} Shape;

static Shape shape_of(const ModelInput *input) {
    Shape shape = {.input = input, .sms = input->profile->sms, .blocks = (double)input->blocks};
    shape.warps_per_block = ceil((double)input->threads / WARP_LANES);
    shape.warps = shape.blocks * shape.warps_per_block;
    shape.cycle_us = 1e-3 / input->profile->time.clock_ghz;
    shape.busiest_us = shape.cycle_us * ceil(shape.blocks / shape.sms) / shape.blocks;
    return shape;
}

/* Round trips that a warp waits for, on average. */
static double round_trips_of(const Shape *shape) {
    return (shape->input->waits.l1 + shape->input->waits.beyond) / shape->warps;
}

static double barriers_of(const Shape *shape) { return (double)shape->input->counters->barriers / shape->warps; }

/* Bytes that the resident blocks of an SM request beyond L1 in one round trip. */
static double bytes_in_flight(const Shape *shape) {
    const ModelInput *input = shape->input;
    const SectorCounters *load = &input->counters->global[COUNTER_LOAD];
    double resident =
        fmin(profile_resident_blocks(input->profile, input->threads, input->shared_bytes), shape->blocks / shape->sms);
    return (double)(load->sectors - load->l1_hit_sectors) * 32 / shape->blocks / fmax(1, round_trips_of(shape)) * resident;
}

/* By which factor requests in bursts slow device memory down. */
static double bursts_of(const Shape *shape) {
    const TimeConfig *time = &shape->input->profile->time;
    double busy_bytes = time->dram_gb_s * 1e3 * time->dram_cycles * shape->cycle_us / shape->sms; /* Little's law */
    double gaps = fmax(burst_least, fmin(1, burst_depth * busy_bytes / fmax(1, bytes_in_flight(shape))));
    return 1 + burst_share * gaps * fmin(1, fmin(round_trips_of(shape), barriers_of(shape)));
}

static double dram_us(const Shape *shape) {
    const Counters *counters = shape->input->counters;
    double written = (double)counters->dram_write_bytes;
    double stored = (double)(counters->global[COUNTER_STORE].unique_bytes + counters->local[COUNTER_STORE].unique_bytes);
    double bytes = (double)counters->dram_read_bytes + written + kept_share * fmax(0, stored - written) +
                   row_bytes * (double)counters->dram_rows;
    double bursts = bursts_of(shape);
    return bursts * bytes / shape->input->profile->time.dram_gb_s * 1e-3;
}

static double stored_lines(const Counters *counters) {
    return (double)(counters->global[COUNTER_STORE].lines + counters->local[COUNTER_STORE].lines);
}

static double atomics_us(const Shape *shape) {
    const Counters *counters = shape->input->counters;
    const SectorCounters *atomics = &counters->global[COUNTER_ATOMIC];
    const double serialised =
        fmax(atomic_cycles * (double)counters->serialised.slice, atomic_sum_cycles * (double)counters->serialised.sums);
    const double l2_us = shape->cycle_us * (serialised + atomic_sector_cycles / shape->sms * (double)atomics->sectors);
    const double sm_cycles =
        atomic_request_cycles * (double)atomics->requests + atomic_request_sector_cycles * (double)atomics->sectors;
    return fmax(l2_us, sm_cycles * shape->busiest_us);
}

/* Cycles of a block's life in which its warps go round loops of compare-and-swaps: each its own iterations, or one after the other in a word. */
static double swaps_of(const Shape *shape) {
    const Counters *counters = shape->input->counters;
    const double batches = fmax(1, (double)counters->serialised.batches);
    return fmax(swap_cycles * (double)counters->swap_rounds / shape->warps,
                swap_serialised_cycles * (double)counters->serialised.word / batches);
}

/* Cycles of all SMs together in which L1 looks lines up and gives their sectors; the lines of which a sector is missing. */
static double l1_load_cycles(const Counters *counters, double *missing_lines) {
    double cycles = 0;
    *missing_lines = 0;
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) {
        const InsnCounters *insn = &counters->insns[pc];
        double lines = (double)insn->sectors.lines, sectors = (double)insn->sectors.sectors;
        double hits = (double)insn->sectors.l1_hit_sectors;
        if (insn->op != COUNTER_LOAD || sectors == 0) continue;
        const SectorCounters *first = &insn->sectors;
        const double passes = first->first_lines ? lines * (double)first->first_passes / (double)first->first_lines : lines;
        const double missing = lines * (1 - hits / sectors);
        cycles +=
            fmax(fmax(passes * pass_cycles, missing * miss_line_cycles), hits * hit_cycles + (sectors - hits) * miss_cycles);
        *missing_lines += missing;
    }
    return cycles;
}

static double wavefronts(const Counters *counters) {
    double sum = 0;
    for (int op = 0; op < COUNTER_OPS; op++) sum += (double)counters->shared[op].wavefronts;
    return sum;
}

/* Cycles of all SMs together for what they ask of other blocks' shared memory. */
static double peer_cycles(const Counters *counters) {
    const PeerCounters *peers = counters->peers;
    double cycles = peer_load_cycles * (double)(peers[COUNTER_LOAD].sectors + peers[COUNTER_LOAD].lines) +
                    peer_store_cycles * (double)peers[COUNTER_STORE].sectors +
                    peer_atomic_cycles * (double)peers[COUNTER_ATOMIC].sectors;
    for (int op = 0; op < COUNTER_OPS; op++) cycles += peer_further_cycles * (double)peers[op].further;
    return cycles;
}

/* Cycles that a load waits for L2, or for device memory where L2 does not have it; or has asked for it, for another load. */
static double beyond_cycles(const ModelInput *input) {
    const Counters *counters = input->counters;
    const TimeConfig *time = &input->profile->time;
    double asked = (double)counters->l2_read_sectors * 32, read = (double)counters->dram_read_bytes;
    double share = asked > read ? read / asked : 1;
    const double late = counters->timed_reads ? (double)counters->late_cycles / (double)counters->timed_reads : 0;
    return time->l2_cycles + share * (time->dram_cycles - time->l2_cycles) + late;
}

/* The life of a block: its average warp's instructions, waits and barriers one after the other, then the wait for the slowest warp. As
 * many blocks as fit live at once on each SM: few bytes in flight for so long a life are a low bandwidth (Little's law). No launch ends before
 * the warp that runs most instructions. */
static double latency_us(const Shape *shape, double l1_cycles) {
    const ModelInput *input = shape->input;
    const Counters *counters = input->counters;
    double trips = round_trips_of(shape), barriers = barriers_of(shape), beyond = beyond_cycles(input);
    double delay = delay_cycles + delay_queue_cycles * (shape->warps_per_block - 1);
    double life =
        (input->waits.l1 * input->profile->time.l1_cycles + input->waits.beyond * beyond +
         input->waits.peers * input->profile->time.peer_cycles + (double)counters->instructions * ARITHMETIC_INSN_CYCLES +
         input->waits.chains + input->waits.meetings * (meeting_cycles + meeting_warp_cycles * shape->warps_per_block) +
         (wavefronts(counters) + l1_cycles) * delay) /
        shape->warps;
    life += swaps_of(shape);
    life += fmax(0, barriers - input->waits.meetings / shape->warps) *
            (barrier_cycles + barrier_warp_cycles * shape->warps_per_block);
    if (input->waits.beyond > 0)
        life += straggler_share * log2(shape->warps_per_block) * beyond *
                (fmin(trips, 1) + straggler_at_barrier * fmin(trips, barriers));
    double resident = profile_resident_blocks(input->profile, input->threads, input->shared_bytes);
    double busiest = (double)counters->busiest_warp * shape->warps / fmax(1, (double)counters->instructions);
    return shape->cycle_us * life * fmax(busiest, ceil(shape->blocks / (shape->sms * resident)));
}

/* Until the first data arrive nothing else can go on. */
static double ramp_us(const Shape *shape) {
    return shape->cycle_us * beyond_cycles(shape->input) * fmin(1, shape->input->waits.beyond / shape->warps);
}

Model model_time(const ModelInput *input) {
    const Counters *counters = input->counters;
    Model model = {.calibrated = input->profile->time.calibrated};
    Shape shape = shape_of(input);
    double missing_lines, l1_cycles = l1_load_cycles(counters, &missing_lines), stores = stored_lines(counters);
    double *bounds = model.bound_us;
    bounds[BOUND_dram] = dram_us(&shape);
    bounds[BOUND_stores] = stores * store_line_cycles * shape.cycle_us / shape.sms;
    bounds[BOUND_atomics] = atomics_us(&shape);
    bounds[BOUND_l1] = (l1_cycles + missing_lines * missing_line_cycles + stores * store_line_sm_cycles) * shape.busiest_us;
    bounds[BOUND_shared] = (wavefronts(counters) * wavefront_cycles + peer_cycles(counters)) * shape.busiest_us;
    bounds[BOUND_issue] = ((double)counters->instructions * insn_share / input->profile->time.issue +
                           (double)counters->barriers * barrier_warp_cycles) *
                          shape.busiest_us;
    bounds[BOUND_slow] = input->waits.slow / input->profile->time.issue * shape.busiest_us;
    bounds[BOUND_latency] = latency_us(&shape, l1_cycles);
    bounds[BOUND_blocks] = fmax(shape.blocks * block_start_cycles, shape.warps * warp_start_cycles) * shape.cycle_us;
    bounds[BOUND_launch] = input->profile->time.launch_us + ramp_us(&shape);
    /* While blocks are slow to start, fewer wait at a time: the two do not add up. */
    double squares = -pow(fmin(bounds[BOUND_latency], bounds[BOUND_blocks]), 2);
    for (int bound = 0; bound < BOUND_launch; bound++) {
        squares += bounds[bound] * bounds[bound];
        if (bounds[bound] > bounds[model.bound]) model.bound = (ModelBound)bound;
    }
    double work = sqrt(squares);
    if (bounds[BOUND_launch] > work) model.bound = BOUND_launch;
    model.time_us = bounds[BOUND_launch] + work;
    return model;
}

double model_roof_us(const Profile *profile, uint64_t reads, uint64_t writes) {
    uint64_t kept = profile->l2_bytes / 2, written = writes > kept ? writes - kept : 0;
    return profile->time.launch_us + (double)(reads + written) / profile->time.dram_gb_s * 1e-3;
}

Model model_copy(const Profile *profile, uint64_t bytes) {
    enum { THREADS = 256, INSNS = 14 }; /* PTX instructions of a thread, as nvcc 13.0 writes such a kernel */
    uint64_t requests = (bytes + 16 * WARP_LANES - 1) / (16 * WARP_LANES), sectors = (bytes + 31) / 32,
             lines = (bytes + 127) / 128;
    SectorCounters moved = {.requests = requests, .sectors = sectors, .lines = lines, .bytes = bytes, .unique_bytes = bytes};
    InsnCounters insns[] = {{.op = COUNTER_LOAD, .sectors = moved}, {.op = COUNTER_STORE, .sectors = moved}};
    /* L2 ends up holding the last of what was read and written, half of it each. */
    uint64_t kept = bytes < profile->l2_bytes / 2 ? bytes : profile->l2_bytes / 2;
    Counters counters = {.instructions = requests * INSNS,
                         .global = {[COUNTER_LOAD] = moved, [COUNTER_STORE] = moved},
                         .l2_read_sectors = sectors,
                         .l2_write_sectors = sectors,
                         .dram_read_bytes = bytes,
                         .dram_write_bytes = bytes - kept,
                         .dram_rows = (bytes + 1023) / 1024,
                         .n_insns = 2,
                         .insns = insns};
    ModelInput input = {.profile = profile,
                        .counters = &counters,
                        .blocks = bytes ? (bytes + 16 * THREADS - 1) / (16 * THREADS) : 1,
                        .threads = THREADS,
                        .waits = {.beyond = (double)requests}};
    return model_time(&input);
}

double model_copy_time_us(const Profile *profile, uint64_t bytes) { return model_copy(profile, bytes).time_us; }
