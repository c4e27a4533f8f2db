/* What a kernel runs through: one finding for each kind and place, the earliest, and how often (machine/findings.h). */
#include <stdio.h>
#include <string.h>

#include "machine/findings.h"
#include "ptx/opcode.h"
#include "suite.h"

static Finding finding(uint32_t pc, const char *message, uint64_t block, uint32_t warp) {
    Finding found = {
        .fault = {.kind = FAULT_out_of_bounds, .pc = pc, .other_pc = NO_INSN, .warp = warp}, .block = block, .count = 1};
    snprintf(found.fault.message, sizeof found.fault.message, "%s", message);
    return found;
}

START_TEST(one_is_kept_for_each_kind_and_place_the_earliest)
{
    FindingLog log = {0};
    Finding late = finding(7, "late", 3, 2), warp = finding(7, "warp", 3, 1), block = finding(7, "block", 2, 9),
            other = finding(8, "other", 0, 0), kind = finding(7, "kind", 0, 0), second = finding(7, "second", 0, 0);
    kind.fault.kind = FAULT_misaligned;
    second.fault.other_pc = 5;
    ck_assert(findings_add(&log, &late));
    ck_assert(!findings_add(&log, &warp));
    ck_assert_str_eq(log.items[0].fault.message, "warp");
    ck_assert(!findings_add(&log, &late));
    ck_assert_str_eq(log.items[0].fault.message, "warp");
    const Finding again = finding(7, "again", 3, 1); /* of the same warp the first stays */
    ck_assert(!findings_add(&log, &again));
    ck_assert_str_eq(log.items[0].fault.message, "warp");
    ck_assert(!findings_add(&log, &block));
    ck_assert_str_eq(log.items[0].fault.message, "block");
    ck_assert_uint_eq(log.items[0].count, 5);
    ck_assert(findings_add(&log, &other) && findings_add(&log, &kind) && findings_add(&log, &second));
    ck_assert_uint_eq(log.count, 4);
    findings_free(&log);
    ck_assert_uint_eq(log.count, 0);
}
END_TEST

START_TEST(several_lanes_of_an_access_count_once)
{
    FindingLog log = {0};
    Finding found = finding(1, "a", 0, 0);
    found.access = 5;
    found.launches = 1;
    findings_add(&log, &found);
    findings_add(&log, &found);
    ck_assert_uint_eq(log.items[0].count, 1);
    ck_assert_uint_eq(log.items[0].launches, 2);
    found.access = 6;
    findings_add(&log, &found);
    findings_add(&log, &found);
    ck_assert_uint_eq(log.items[0].count, 2);
    FindingLog total = {0}; /* accesses of other logs are others */
    findings_merge(&total, &log);
    findings_merge(&total, &log);
    ck_assert_uint_eq(total.items[0].count, 4);
    findings_free(&log);
    findings_free(&total);
}
END_TEST

/* Instructions 0 and 1 are loads of one line, 2 is a store there, 3 a load of another, 4 and 5 loads of no known line. */
START_TEST(copies_of_an_instruction_are_one_place_by_line_opcode_and_buffer)
{
    Insn insns[6] = {{.op = OP_ld, .location = 1},
                     {.op = OP_ld, .location = 1},
                     {.op = OP_st, .location = 1},
                     {.op = OP_ld, .location = 2},
                     {.op = OP_ld},
                     {.op = OP_ld}};
    const Program program = {.insns = insns, .n_insns = 6};
    static const struct {
        uint32_t pc;
        const char *message;
        bool is_new;
    } rows[] = {
        {0, "lane 0 reads at 'a'+512", true},
        {1, "lane 3 reads at 'a'+8", false},
        {1, "lane 0 reads at 'ab'+8", true},
        {0, "lane 0 reads at 'b'+8", false}, /* the same instruction */
        {2, "lane 0 writes at 'a'+8", true},
        {3, "lane 0 reads at 'a'+8", true},
        {4, "lane 0 reads at 'a'+8", true},
        {5, "lane 0 reads at 'a'+8", true},
        {1, "no name", false},
    };
    FindingLog log = {.program = &program}, each = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Finding found = finding(rows[i].pc, rows[i].message, i, 0);
        ck_assert_msg(findings_add(&log, &found) == rows[i].is_new, "%zu", i);
        findings_add(&each, &found);
    }
    ck_assert_uint_eq(each.count, 6); /* without a program each instruction is a place */
    findings_free(&log);
    findings_free(&each);
}
END_TEST

START_TEST(a_log_keeps_a_thousand)
{
    FindingLog log = {0};
    for (uint32_t pc = 0; pc < FINDINGS_MOST; pc++) {
        const Finding found = finding(pc, "", pc, 0);
        ck_assert(findings_add(&log, &found));
    }
    const Finding more = finding(FINDINGS_MOST, "", 0, 0), known = finding(3, "", 0, 0);
    ck_assert(!findings_add(&log, &more) && !findings_add(&log, &known));
    ck_assert_uint_eq(log.count, FINDINGS_MOST);
    ck_assert_uint_eq(log.items[3].count, 2);
    findings_free(&log);
}
END_TEST

START_TEST(the_order_is_that_of_blocks_warps_and_instructions)
{
    FindingLog log = {0};
    const Finding items[] = {finding(4, "", 2, 1), finding(3, "", 2, 1), finding(9, "", 2, 0), finding(1, "", 3, 0),
                             finding(8, "", 1, 5)};
    static const uint32_t pcs[] = {8, 9, 3, 4, 1};
    for (size_t i = 0; i < 5; i++) findings_add(&log, &items[i]);
    findings_sort(&log);
    for (size_t i = 0; i < 5; i++) ck_assert_uint_eq(log.items[i].fault.pc, pcs[i]);
    findings_free(&log);
}
END_TEST

START_TEST(a_fault_is_taken_where_the_launch_goes_on)
{
    const Place place = {.block = 6};
    Fault fault = finding(2, "x", 0, 0).fault;
    FindingLog log = {.accesses = 3};
    static const OnFault stay[] = {ON_FAULT_STOP, ON_FAULT_NOTE};
    for (size_t i = 0; i < 2; i++) {
        log.on_fault = stay[i];
        ck_assert(!findings_take(&log, &place, &fault));
        ck_assert_int_eq(fault.kind, FAULT_out_of_bounds);
    }
    log.on_fault = ON_FAULT_GO_ON;
    ck_assert(findings_take(&log, &place, &fault));
    ck_assert_int_eq(fault.kind, FAULT_none);
    ck_assert(log.count == 1 && log.items[0].block == 6 && log.items[0].access == 3 && log.items[0].count == 1);
    findings_free(&log);
}
END_TEST

/* threadIdx of a lane, by its warp and the block's extents. */
START_TEST(a_fault_names_its_thread)
{
    static const struct {
        uint32_t dim[3], warp, lane, thread[3];
    } rows[] = {{{4, 2, 2}, 0, 13, {1, 1, 1}},        {{3, 5, 7}, 2, 5, {0, 3, 4}}, /* thread 69 = 4 * 15 + 3 * 3 */
                {{1024, 1, 1}, 31, 31, {1023, 0, 0}}, {{1, 1, 64}, 1, 3, {0, 0, 35}},
                {{1, 64, 1}, 1, 3, {0, 35, 0}},       {{32, 4, 8}, 6, 7, {7, 2, 1}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Place place = {.warp = rows[i].warp, .block_dim = rows[i].dim, .ctaid = {7, 8, 9}};
        Fault fault = {0};
        fault_blame(&fault, &place, rows[i].lane);
        for (unsigned axis = 0; axis < 3; axis++)
            ck_assert_msg(fault.thread[axis] == rows[i].thread[axis], "row %zu, axis %u: %u", i, axis, fault.thread[axis]);
        ck_assert(fault.warp == rows[i].warp && fault.lane == rows[i].lane && fault.block[0] == 7 && fault.block[1] == 8 &&
                  fault.block[2] == 9);
    }
}
END_TEST

SUITE("findings", a_fault_names_its_thread, one_is_kept_for_each_kind_and_place_the_earliest,
      several_lanes_of_an_access_count_once, copies_of_an_instruction_are_one_place_by_line_opcode_and_buffer,
      a_log_keeps_a_thousand, the_order_is_that_of_blocks_warps_and_instructions, a_fault_is_taken_where_the_launch_goes_on)
