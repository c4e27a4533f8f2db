/* What a launch costs the host, in instructions (machine/effort.h), and the limit to it. An empty block costs 16 and 6 for each warp, one for each
 * 128 bytes of memory that are filled, and each warp that is run one besides its instructions; a line beyond an access's first 1 or 3; printf 1 and half the characters read and
 * written; each instruction of the module is decoded for 16, each 128 bytes of initial values copied for 1. */
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "parsed.h"

#define MODULE ".version 7.0\n.target sm_75\n.address_size 64\n"
#define EMPTY MODULE ".entry k() { ret; }\n"

typedef struct Shape {
    uint32_t blocks, threads, shared;
} Shape;

typedef struct Limits {
    uint64_t effort, unended, starts; /* 0: device_launch's default */
} Limits;

/* *effort: of the blocks that ended; *instructions: of all that ran. */
static Fault run_ending(const char *text, Shape shape, Limits limits, unsigned threads, uint64_t *effort,
                        uint64_t *instructions) {
    Diag diag = {0};
    LaunchResult result;
    Program *program = parsed(text);
    Memory *memory = memory_new();
    uint8_t params[1] = {0};
    const LaunchRequest request = {.launch.kernel = prepared(program, "k"),
                                   .launch.grid = {shape.blocks, 1, 1},
                                   .launch.block = {shape.threads, 1, 1},
                                   .launch.shared_bytes = shape.shared,
                                   .launch.params = params,
                                   .launch.memory = memory,
                                   .profile = profile_find("h200", &diag),
                                   .l1 = true,
                                   .launch.max_effort = limits.effort,
                                   .launch.max_unended = limits.unended,
                                   .launch.max_starts = limits.starts,
                                   .launch.threads = threads};
    ck_assert_msg(device_launch(&request, &result, &diag), "%s", diag.message);
    const Fault fault = result.fault;
    *effort = result.effort;
    *instructions = result.counters->instructions;
    device_result_free(&result);
    program_free(program);
    memory_free(memory);
    return fault;
}

static Fault run(const char *text, Shape shape, uint64_t most, unsigned threads, uint64_t *effort) {
    uint64_t instructions;
    return run_ending(text, shape, (Limits){.effort = most}, threads, effort, &instructions);
}

static uint64_t cost(const char *text, Shape shape) {
    uint64_t effort;
    ck_assert_int_eq(run(text, shape, 0, 1, &effort).kind, FAULT_none);
    return effort;
}

/* Of one block more. */
static uint64_t block_cost(const char *text, uint32_t threads, uint32_t shared) {
    return cost(text, (Shape){4, threads, shared}) - cost(text, (Shape){3, threads, shared});
}

START_TEST(a_block_costs_its_start_its_warps_and_what_is_filled)
{
    const char *local =
        MODULE ".entry k() { .local .align 16 .b8 l[256]; .reg .b32 r; mov.u32 r, 7; st.local.u32 [l], r; ret; }\n";
    ck_assert_uint_eq(block_cost(EMPTY, 32, 0), 16 + 6 + 2);
    ck_assert_uint_eq(block_cost(EMPTY, 33, 0), 16 + 2 * (6 + 2));
    ck_assert_uint_eq(block_cost(EMPTY, 32, 256), 16 + 6 + 2 + 2);
    ck_assert_uint_eq(block_cost(EMPTY, 32, 255), 16 + 6 + 2 + 1);
    /* 256 bytes for each of 32 lanes and two warps are 16384; three instructions, run at once. */
    ck_assert_uint_eq(block_cost(local, 64, 0), 16 + 2 * (6 + 1 + 3) + 128);
    ck_assert_uint_eq(block_cost(local, 64, 128), 16 + 2 * (6 + 1 + 3) + 129);
}
END_TEST

START_TEST(a_module_costs_its_decoding_and_its_initial_values)
{
    const uint64_t plain = cost(EMPTY, (Shape){1, 32, 0});
    ck_assert_uint_eq(plain, 16 + 16 + 6 + 2); /* one instruction, one block */
    ck_assert_uint_eq(cost(EMPTY ".entry other() { trap; exit; }\n", (Shape){1, 32, 0}), plain + 2 * 16);
    ck_assert_uint_eq(cost(EMPTY ".global .b8 x[1280] = {1};\n.global .b8 y[128000];\n", (Shape){1, 32, 0}), plain + 10);
}
END_TEST

START_TEST(what_is_printed_costs_half_its_characters)
{
    /* 8 characters read, 8 written, of one lane: 1 + 8. The call, two moves, two stores of arguments and ret are 6 instructions. */
    const char *print =
        MODULE ".extern .func (.param .b32 n) vprintf(.param .b64 f, .param .b64 a);\n.global .b8 f[9] = \"12345678\";\n"
               ".entry k() { .reg .b64 d; .reg .b32 r; mov.u64 d, f; cvta.global.u64 d, d;\n"
               "call (r), vprintf, (d, 0); ret; }\n";
    ck_assert_uint_eq(block_cost(print, 1, 0), 16 + 6 + 1 + 4 + 1 + 8);
}
END_TEST

/* Of 32 lanes whose elements are so many bytes apart, in each block on an SM of its own, whose L1 holds nothing. */
static uint64_t access_cost(const char *accesses, unsigned apart) {
    char text[1000];
    snprintf(text, sizeof text,
             MODULE ".global .align 128 .b32 x[1024];\n.entry k() { .reg .b64 d, e; .reg .b32 r, s; mov.u32 r, %%tid.x; "
                    "mul.wide.u32 d, r, %u; mov.u64 e, x; add.u64 d, d, e; %s ret; }\n",
             apart, accesses);
    return block_cost(text, 32, 0);
}

/* A line beyond an access's first costs one where L1 has it, and three where it goes on to L2. 128 bytes apart, each lane has a line of its own. */
START_TEST(lines_of_scattered_accesses_cost)
{
    static const struct {
        const char *accesses;
        unsigned apart, more;
    } rows[] = {
        {"ld.global.u32 s, [d];", 8, 1 * 3},
        {"ld.global.u32 s, [d];", 128, 31 * 3},
        {"ld.global.u32 s, [d]; ld.global.u32 s, [d];", 128, 31 * 3 + 31 * 1},
        {"st.global.u32 [d], r;", 128, 31 * 3},
        {"red.global.add.u32 [d], r;", 128, 31 * 3},
        {"ld.global.u32 s, [x];", 128, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t scattered = access_cost(rows[i].accesses, rows[i].apart), dense = access_cost(rows[i].accesses, 4);
        ck_assert_msg(scattered == dense + rows[i].more, "%s %u bytes apart: %llu more", rows[i].accesses, rows[i].apart,
                      (unsigned long long)(scattered - dense));
    }
}
END_TEST

START_TEST(a_launch_may_cost_its_limit_and_no_more)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        uint64_t effort;
        const Shape shape = {200, 64, 0};
        const uint64_t most = 200 * (16 + 2 * (6 + 2)); /* decoding comes before the launch */
        ck_assert_int_eq(run(EMPTY, shape, most, threads, &effort).kind, FAULT_none);
        ck_assert_uint_eq(effort, most + 16);
        const Fault fault = run(EMPTY, shape, most - 1, threads, &effort);
        ck_assert_int_eq(fault.kind, FAULT_effort_limit);
        ck_assert_ptr_nonnull(strstr(fault.message, "does not end"));
    }
}
END_TEST

/* Each iteration reads, so that the warps take turns: 3 instructions of each. */
static const char endless[] = MODULE ".global .b32 x[1] = {7};\n.entry k() { .reg .b64 d; .reg .b32 r; mov.u64 d, x;\n"
                                     "L: ld.global.u32 r, [d]; add.u32 r, r, 1; bra L; }\n";

/* All warps together, not each of them: 72 in three blocks run one after the other on one SM's worker, and 1000 blocks on several. */
START_TEST(an_endless_launch_costs_its_limit_once)
{
    static const Shape shapes[] = {{1, 32, 0}, {1, 768, 0}, {3, 768, 0}, {1000, 256, 0}};
    const uint64_t most = 100000;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        Fault first = {0};
        for (unsigned threads = 1; threads <= 4; threads++) {
            uint64_t effort, instructions;
            const Fault fault = run_ending(endless, shapes[s], (Limits){.unended = most}, threads, &effort, &instructions);
            ck_assert_int_eq(fault.kind, FAULT_effort_limit);
            ck_assert_ptr_nonnull(strstr(fault.message, "no block has ended while those that run together have run 100000"));
            if (threads == 1) first = fault;
            ck_assert_uint_eq(fault.pc, first.pc);
            ck_assert_str_eq(fault.message, first.message);
            ck_assert_uint_le(instructions, threads * most); /* of each worker's own batch */
            ck_assert_uint_ge(instructions, most / 2);       /* the rest is one for each warp that is run */
        }
    }
}
END_TEST

/* 5000 blocks that cost 24 each. */
START_TEST(a_launch_whose_blocks_end_may_be_long)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        uint64_t effort, instructions;
        ck_assert_int_eq(
            run_ending(EMPTY, (Shape){5000, 32, 0}, (Limits){.unended = 1000}, threads, &effort, &instructions).kind,
            FAULT_none);
        ck_assert_uint_eq(effort, 5000 * 24 + 16);
    }
}
END_TEST

/* Each costs 16 and 6 for its warp, and two more once it runs; those that may not start are told before one has. */
START_TEST(starting_blocks_has_a_limit_of_its_own)
{
    uint64_t effort, instructions;
    const Shape few = {200, 32, 0}, most = {INT32_MAX, 32, 0}, filling = {UINT32_C(1) << 25, 32, 48000};
    ck_assert_int_eq(run_ending(EMPTY, few, (Limits){.starts = 200 * 22}, 1, &effort, &instructions).kind, FAULT_none);
    ck_assert_uint_eq(instructions, 200);
    const Fault fault = run_ending(EMPTY, few, (Limits){.starts = 200 * 22 - 1}, 1, &effort, &instructions);
    ck_assert_int_eq(fault.kind, FAULT_effort_limit);
    ck_assert_ptr_nonnull(strstr(fault.message, "200 blocks costs as much as 22 instructions each, and may cost 4399 in all"));
    ck_assert_uint_eq(instructions, 0);
    ck_assert_int_eq(run_ending(EMPTY, most, (Limits){0}, 2, &effort, &instructions).kind, FAULT_effort_limit);
    ck_assert_uint_eq(instructions, 0);
    ck_assert_int_eq(run_ending(EMPTY, filling, (Limits){0}, 2, &effort, &instructions).kind, FAULT_effort_limit);
    ck_assert_uint_eq(instructions, 0);
}
END_TEST

SUITE("effort", a_block_costs_its_start_its_warps_and_what_is_filled, a_module_costs_its_decoding_and_its_initial_values,
      what_is_printed_costs_half_its_characters, lines_of_scattered_accesses_cost, a_launch_may_cost_its_limit_and_no_more,
      an_endless_launch_costs_its_limit_once, a_launch_whose_blocks_end_may_be_long, starting_blocks_has_a_limit_of_its_own)
