/* handmade.h: a launch made by hand for the tests of reports: one address pattern an instruction, so that every expected count can be
 * read off it. Each suite that includes this has its own. */
#pragma once

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/banks.h"
#include "observe/sectors.h"
#include "report/report.h"
#include "report/spot.h"

/* --- a launch made by hand --- */

enum { INSNS = 8, LOCATIONS = 5 };

static const char *files[] = {"", "/home/ada/kernel.cu", "/home/ada/helper.h"};
static Location locations[LOCATIONS] = {{0, 0, 0, 0}, {1, 2, 1, 0}, {1, 3, 1, 0}, {2, 1, 1, 0}, {1, 400, 1, 0}};
static Insn insns[INSNS];
static Program program = {
    .n_insns = INSNS, .n_locations = LOCATIONS, .n_files = 3, .insns = insns, .locations = locations, .files = files};
static Kernel made = {.program = &program};
static const Profile profile = {.name = "h200", .full_name = "NVIDIA H200"};
static InsnCounters insn_counters[INSNS];
static Counters counters;
static LaunchRequest request;
static LaunchResult result;
static Report report;
static Allocation *input;

__attribute__((unused)) static void setup(void) {
    memset(insns, 0, sizeof insns);
    memset(insn_counters, 0, sizeof insn_counters);
    for (uint32_t pc = 0; pc < INSNS; pc++) insns[pc].line = 20 + pc;
    request = (LaunchRequest){
        .launch.kernel = &made, .launch.grid = {4, 3, 2}, .launch.block = {64, 1, 1}, .profile = &profile, .l1 = true};
    request.launch.memory = memory_new();
    input = memory_allocate(request.launch.memory, 1 << 22, "input", false);
    counters = (Counters){.n_insns = INSNS, .insns = insn_counters, .instructions = 1000, .thread_instructions = 32000};
    result = (LaunchResult){.counters = &counters, .seconds = 0.5, .threads = 2, .fault = {.pc = NO_INSN, .other_pc = NO_INSN}};
    report = (Report){.request = &request,
                      .result = &result,
                      .kernel_name = "scale(float*, int)",
                      .compiler = "nvcc 13.0",
                      .source_path = "exercises/kernel.cu",
                      .source_text = "__global__ void scale(float *x, int n) {\n    float v = in[i];\n\tout[i] = v;\n}\n"};
}

__attribute__((unused)) static void teardown(void) { memory_free(request.launch.memory); }

/* --- accesses --- */

/* Lane i at offset + i * stride. Global addresses count from the start of 'input'. */
static Sample strided(Space space, AccessKind kind, uint32_t bytes, int64_t stride, uint64_t offset, uint32_t active) {
    Sample sample = {.access = {.space = (uint8_t)space, .kind = (uint8_t)kind, .bytes = (uint8_t)bytes, .active = active}};
    uint64_t base = space == SPACE_GLOBAL ? input->address : 0;
    for (int i = 0; i < WARP_LANES; i++) sample.access.addr[i] = base + offset + (uint64_t)(i * stride);
    return sample;
}

__attribute__((unused)) static void fill_cost(Sample *sample) {
    Footprint footprint;
    if (sample->access.space == SPACE_SHARED) {
        sample->cost = banks_count(&sample->access).wavefronts;
    } else {
        sectors_find(&sample->access, &footprint);
        sample->cost = footprint.sectors;
    }
}

/* Runs of lanes: base + (i / run) * jump + (i % run) * stride. */
__attribute__((unused)) static Sample in_runs(Space space, uint32_t run, int64_t stride, int64_t jump, uint64_t offset) {
    Sample sample = strided(space, ACCESS_LOAD, 4, 0, offset, LANES_ALL);
    for (uint32_t i = 0; i < WARP_LANES; i++) sample.access.addr[i] += (uint64_t)(i / run * jump + i % run * stride);
    return sample;
}

/* Makes the instruction the only one that ran at this pc: so many requests like the sample. */
__attribute__((unused)) static void put(uint32_t pc, uint32_t location, Sample sample, uint64_t requests) {
    InsnCounters *insn = &insn_counters[pc];
    fill_cost(&sample);
    insns[pc].location = location;
    sample.access.pc = pc;
    insn->space = sample.access.space;
    insn->op = spot_op(&sample.access);
    insn->worst = sample;
    if (sample.access.space == SPACE_SHARED) {
        BankCount count = banks_count(&sample.access);
        insn->banks = (BankCounters){
            .requests = requests, .wavefronts = requests * count.wavefronts, .bank_conflicts = requests * count.conflicts};
        counters.shared[insn->op].requests += requests;
        counters.shared[insn->op].wavefronts += requests * count.wavefronts;
        counters.shared[insn->op].bank_conflicts += requests * count.conflicts;
        return;
    }
    Footprint footprint;
    sectors_find(&sample.access, &footprint);
    SectorCounters *totals = sample.access.space == SPACE_LOCAL ? counters.local : counters.global;
    insn->sectors =
        (SectorCounters){.requests = requests,
                         .sectors = requests * footprint.sectors,
                         .ideal_sectors = requests * ((footprint.unique_bytes + 31) / 32),
                         .bytes = requests * sample.access.bytes * (uint64_t)__builtin_popcount(sample.access.active),
                         .unique_bytes = requests * footprint.unique_bytes};
    totals[insn->op] = insn->sectors;
}

static uint64_t random_state = 1;

static uint64_t random_next(void) { /* splitmix64 */
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

__attribute__((unused)) static Sample random_sample(void) {
    static const Space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL};
    Space space = spaces[random_next() % 3];
    AccessKind kind = space == SPACE_LOCAL ? random_next() % 2 : random_next() % 4;
    bool atomic = kind == ACCESS_ATOMIC || kind == ACCESS_REDUCTION;
    uint32_t bytes = atomic ? 2u << random_next() % 3 : 1u << random_next() % 5;
    uint32_t active = random_next() % 3 ? LANES_ALL : (uint32_t)random_next() & (uint32_t)random_next();
    Sample sample = strided(space, kind, bytes, (int64_t)(random_next() % 64 * bytes), 0, active ? active : 1);
    sample.access.service = atomic && space == SPACE_SHARED ? (uint8_t)(random_next() % 4) : SERVICE_EACH;
    uint64_t base = space == SPACE_GLOBAL ? input->address : 0, range = random_next() % 3 ? 1 << 16 : 256,
             shape = random_next() % 3;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (space == SPACE_LOCAL) { /* word w of lane i at (w * 32 + i) * 4 */
            uint64_t own = shape ? random_next() % (256 / bytes) * bytes : 64;
            sample.access.local[i] = own;
            sample.access.addr[i] = WINDOW_LOCAL + (1 << 20) + (own / 4 * 32 + i) * 4 + own % 4;
        } else if (shape == 1) {
            sample.access.addr[i] = base + random_next() % (range / bytes) * bytes;
        } else if (shape == 2 && i % 2 && bytes > 4) {
            sample.access.addr[i] = sample.access.addr[i - 1];
        }
    }
    sample.block = random_next() % 24;
    sample.warp = (uint32_t)(random_next() % 32);
    fill_cost(&sample);
    return sample;
}
