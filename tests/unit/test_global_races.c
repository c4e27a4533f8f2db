/* Each test plays the accesses of a small kernel: those that race must be found, with both blocks named, and near misses must pass. The
 * accesses come in three shapes, which go different ways through the check. */
#include <stdio.h>

#include "watched.h"

#define RACE_KIND FAULT_global_race

static Watched *w;

static void end(void) { watched_free(w); }

static void forget(void) { w->fault = (Fault){0}; }

static Allocation *out, *other;
static enum { ONE_LANE, TWO_LANES, ALL_LANES, SHAPES } shape;

static void begin_shaped(unsigned with, int loop) {
    shape = loop;
    w = watched_new(with);
    out = watched_buffer(w, 1 << 20, "out", true);
    other = watched_buffer(w, 65536, "other", true);
    watched_launch(w);
    for (uint32_t b = 0; b < 4; b++) watched_block(w, b, b, 128, 0);
}
#define begin_blocks(with) begin_shaped(with, _i)

/* Lane 3 of warp 1 of the block touches the offset; in other shapes other lanes touch places of their own besides. */
static bool by(uint32_t block, uint32_t pc, uint64_t offset, uint32_t value) {
    uint64_t addr[32] = {0};
    uint32_t values[32];
    for (uint32_t l = 0; l < 32; l++) values[l] = value;
    watched_place(w, block, block);
    if (shape == ALL_LANES) {
        for (uint32_t l = 0; l < 32; l++) addr[l] = out->address + offset / 4 * 128 + 4 * l;
        return watched_access(w, pc, 1, ALL, addr, values);
    }
    addr[3] = out->address + offset;
    addr[20] = out->address + 65536 + offset;
    return watched_access(w, pc, 1, shape == ONE_LANE ? 1u << 3 : 1u << 3 | 1u << 20, addr, values);
}

/* A fence by the block's warp 1. */
static bool fence(uint32_t block) {
    watched_place(w, block, block);
    watched_fence(w, 1, false);
    return true;
}

/* As RACES; with all lanes it is another one that is named. */
#define RACES_AS(access, pc, text)                    \
    do {                                              \
        if (shape == ALL_LANES) {                     \
            RACE(access);                             \
            ck_assert_uint_eq(w->fault.other_pc, pc); \
            forget();                                 \
        } else                                        \
            RACES(access, pc, text);                  \
    } while (0)

START_TEST(two_blocks_are_told_apart_however_far_they_are)
{
    for (uint64_t distance = 1; distance < UINT32_MAX / 2 - 5; distance = distance < 100 ? distance + 1 : distance * 3 / 2) {
        char wanted[200];
        begin_blocks(0);
        watched_block(w, 1, 5 + distance, 128, 0);
        watched_block(w, 0, 5, 128, 0);
        FINE(watched_lane(w, ST_GLOBAL, 1, 3, out->address, 1));
        watched_place(w, 1, 5 + distance);
        ck_assert_msg(!watched_lane(w, LD_GLOBAL, 1, 3, out->address, 0), "blocks 5 and %u", (unsigned)(5 + distance));
        snprintf(wanted, sizeof wanted,
                 "lane 3 of warp 1 of block %u reads 4 bytes at 'out'+0, which block 5 wrote in the same launch",
                 (unsigned)(5 + distance));
        ck_assert_str_eq(w->fault.message, wanted);
        end();
    }
}
END_TEST

START_TEST(a_block_must_not_read_what_another_writes)
{
    begin_blocks(0);
    FINE(by(2, ST_GLOBAL, 4096, 1));
    FINE(by(2, LD_GLOBAL, 4096, 1));
    RACES_AS(by(1, LD_GLOBAL, 4096, 0), ST_GLOBAL,
             "lane 3 of warp 1 of block 1 reads 4 bytes at 'out'+4096, which block 2 wrote in the same launch");
    FINE(by(1, LD_GLOBAL, 4100, 0));
    FINE(by(2, ST_GLOBAL, 8192, 1));
    RACES_AS(by(1, LD_VOLATILE_GLOBAL, 8192, 0), ST_GLOBAL,
             "lane 3 of warp 1 of block 1 reads 4 bytes at 'out'+8192, which block 2 wrote in the same launch");
    end();
}
END_TEST

START_TEST(a_block_must_not_write_what_others_read)
{
    begin_blocks(0);
    FINE(by(0, LD_GLOBAL, 0, 0));
    RACES_AS(by(1, ST_GLOBAL, 0, 7), LD_GLOBAL,
             "lane 3 of warp 1 of block 1 writes 4 bytes at 'out'+0, which block 0 read in the same launch");
    FINE(by(1, LD_GLOBAL, 0, 0));
    RACES_AS(by(0, ST_GLOBAL, 0, 7), LD_GLOBAL,
             "lane 3 of warp 1 of block 0 writes 4 bytes at 'out'+0, which another block read in the same launch");
    end();
}
END_TEST

START_TEST(two_blocks_may_write_one_value_but_not_two)
{
    begin_blocks(0);
    FINE(by(0, ST_GLOBAL, 0, 1));
    FINE(by(1, ST_GLOBAL, 0, 1));
    FINE(by(3, ST_GLOBAL, 0, 1));
    RACES_AS(by(2, ST_GLOBAL, 0, 2), ST_GLOBAL,
             "lane 3 of warp 1 of block 2 writes 4 bytes at 'out'+0, which block 0 wrote in the same launch");
    end();
}
END_TEST

START_TEST(a_thread_alone_never_races)
{
    begin_blocks(0);
    static const uint32_t pcs[] = {LD_GLOBAL,          ST_GLOBAL,          ADD_GLOBAL, LD_GLOBAL_LATE,
                                   ST_VOLATILE_GLOBAL, LD_VOLATILE_GLOBAL, CAS_GLOBAL, EXCH_GLOBAL};
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 8; j++) {
            FINE(by(1, pcs[i], 8 * (8 * i + j), i));
            FINE(by(1, pcs[j], 8 * (8 * i + j), 99));
        }
    end();
}
END_TEST

START_TEST(atomic_and_volatile_accesses_of_blocks_may_meet)
{
    static const uint32_t pcs[] = {ADD_GLOBAL, CAS_GLOBAL, MAX_GLOBAL, EXCH_GLOBAL, ST_VOLATILE_GLOBAL, LD_VOLATILE_GLOBAL};
    begin_blocks(0);
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t j = 0; j < 6; j++) {
            FINE(by(0, pcs[i], 8 * (6 * i + j), 1));
            FINE(by(1, pcs[j], 8 * (6 * i + j), 2));
        }
    end();
}
END_TEST

START_TEST(an_atomic_update_and_a_plain_access_of_another_block_race)
{
    begin_blocks(0);
    FINE(by(0, ADD_GLOBAL, 0, 0));
    RACES_AS(by(1, LD_GLOBAL, 0, 0), ADD_GLOBAL,
             "lane 3 of warp 1 of block 1 reads 4 bytes at 'out'+0, which block 0 updated atomically in the same launch");
    RACE(by(1, ST_GLOBAL, 0, 0));
    forget();
    FINE(by(0, ST_GLOBAL, 4, 0)); /* counter = 0 by the first block, counter++ by the next */
    FINE(by(0, ADD_GLOBAL, 4, 0));
    RACES_AS(by(1, ADD_GLOBAL, 4, 0), ST_GLOBAL,
             "lane 3 of warp 1 of block 1 updates 4 bytes at 'out'+4, which block 0 wrote in the same launch");
    FINE(by(0, ADD_GLOBAL, 8, 0)); /* after several blocks' updates even one of them must not just look */
    FINE(by(1, ADD_GLOBAL, 8, 0));
    RACES_AS(by(0, LD_GLOBAL, 8, 0), ADD_GLOBAL,
             "lane 3 of warp 1 of block 0 reads 4 bytes at 'out'+8, which another block updated atomically in the same launch");
    FINE(by(0, LD_GLOBAL, 12, 0));
    RACE(by(1, ADD_GLOBAL, 12, 0));
    end();
}
END_TEST

START_TEST(what_helps_depends_on_both_accesses)
{
    static const struct {
        uint32_t first, second;
        const char *hint;
    } rows[] = {{ADD_GLOBAL, LD_GLOBAL, "make both accesses atomic"},
                {ST_GLOBAL, ADD_GLOBAL, "make both accesses atomic"},
                {ST_GLOBAL, LD_VOLATILE_GLOBAL, "make both accesses atomic"},
                {LD_GLOBAL, ST_VOLATILE_GLOBAL, "make both accesses atomic"},
                {ST_GLOBAL, ST_GLOBAL, "two blocks write different values to one place"},
                {LD_GLOBAL, ST_GLOBAL, "__threadfence() must stand between the data and the flag"},
                {ST_GLOBAL, LD_GLOBAL, "__threadfence() must stand between the data and the flag"}};
    begin_blocks(0);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FINE(by(0, rows[i].first, 8 * i, 1));
        RACE(by(1, rows[i].second, 8 * i, 2));
        ck_assert_msg(strstr(w->fault.hint, rows[i].hint), "row %u: %s", i, w->fault.hint);
        forget();
    }
    end();
}
END_TEST

START_TEST(a_guess_before_an_atomic_that_corrects_it_is_no_race_between_blocks)
{
    static const uint32_t pcs[] = {CAS_GLOBAL, MAX_GLOBAL};
    for (int i = 0; i < 2; i++) {
        begin_blocks(0);
        for (uint32_t block = 0; block < 4; block++) {
            FINE(by(block, LD_GLOBAL, 0, 0));
            FINE(by(block, pcs[i], 0, 0));
        }
        RACE(by(2, LD_GLOBAL_LATE, 0, 0));
        end();
    }
}
END_TEST

/* The read is the guess, whichever of the two comes first in time: it must stand in front of what corrects it, and that must correct. */
START_TEST(a_guess_may_come_before_another_blocks_correction)
{
    static const struct {
        uint32_t read, update;
        bool fine;
    } rows[] = {{LD_GLOBAL, CAS_GLOBAL, true},       {LD_GLOBAL, MAX_GLOBAL, true},  {LD_GLOBAL_LATE, CAS_GLOBAL, false},
                {LD_GLOBAL_LATE, MAX_GLOBAL, false}, {LD_GLOBAL, ADD_GLOBAL, false}, {LD_GLOBAL, EXCH_GLOBAL, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int update_first = 0; update_first < 2; update_first++) {
            begin_blocks(0);
            FINE(by(0, update_first ? rows[i].update : rows[i].read, 0, 0));
            ck_assert_msg(by(1, update_first ? rows[i].read : rows[i].update, 0, 0) == rows[i].fine, "row %zu, %d: %s", i,
                          update_first, w->fault.message);
            end();
        }
    }
}
END_TEST

START_TEST(the_last_block_may_read_what_all_wrote_before_a_fence_and_a_ticket)
{
    for (int i = 0; i < WATCHED_FENCES; i++) {
        bool fences = watched_fences[i].count;
        begin_blocks(watched_fences[i].with);
        for (uint32_t block = 0; block < 4; block++) {
            FINE(by(block, ST_GLOBAL, 1024 + 4 * block, block + 1)); /* partial[block] */
            if (fences) fence(block);
            FINE(by(block, CAS_GLOBAL, 0, 0)); /* the ticket */
        }
        bool fine = true;
        for (uint32_t block = 0; block < 4 && fine; block++) fine = by(3, LD_GLOBAL, 1024 + 4 * block, 0);
        fine = fine && by(3, ST_GLOBAL, 4, 42) && by(3, ST_GLOBAL, 0, 0);
        ck_assert_int_eq(fine, fences);
        forget();
        if (fences) RACE(by(0, ST_GLOBAL, 1024 + 4 * 3, 9)); /* one that was not the last overwrites what others wrote */
        end();
    }
}
END_TEST

START_TEST(look_back_reads_what_the_block_before_wrote_ahead_of_its_flag)
{
    begin_blocks(WITH_FENCE);
    for (uint32_t block = 0; block < 4; block++) {
        if (block) {
            FINE(by(block, LD_VOLATILE_GLOBAL, 4 * (block - 1), 0)); /* flag[block - 1] */
            FINE(by(block, LD_GLOBAL, 256 + 4 * (block - 1), 0));    /* prefix[block - 1] */
        }
        FINE(by(block, ST_GLOBAL, 256 + 4 * block, block + 1));
        fence(block);
        FINE(by(block, ST_VOLATILE_GLOBAL, 4 * block, 1));
    }
    end();
}
END_TEST

START_TEST(a_lock_orders_blocks_where_the_program_has_fences)
{
    for (int i = 0; i < WATCHED_FENCES; i++) {
        bool fences = watched_fences[i].count;
        begin_blocks(watched_fences[i].with);
        bool fine = true;
        for (uint32_t block = 0; block < 4 && fine; block++)
            fine = by(block, CAS_GLOBAL, 0, 0) && by(block, LD_GLOBAL, 64, 0) && by(block, ST_GLOBAL, 64, block + 1) &&
                   (!fences || fence(block)) && by(block, EXCH_GLOBAL, 0, 0);
        ck_assert_int_eq(fine, fences);
        end();
    }
}
END_TEST

START_TEST(a_fence_alone_orders_nothing)
{
    begin_blocks(WITH_FENCE);
    FINE(by(0, ST_GLOBAL, 0, 1));
    fence(0);
    fence(1);
    RACE(by(1, LD_GLOBAL, 0, 0)); /* neither has touched a flag */
    forget();
    FINE(by(0, ADD_GLOBAL, 64, 1));
    RACE(by(1, LD_GLOBAL, 0, 0)); /* only the writer has */
    forget();
    FINE(by(1, ADD_GLOBAL, 68, 1));
    RACE(by(1, LD_GLOBAL, 0, 0)); /* another one */
    forget();
    FINE(by(1, LD_VOLATILE_GLOBAL, 64, 1));
    FINE(by(1, LD_GLOBAL, 0, 0));
    end();
}
END_TEST

START_TEST(blocks_may_write_neighbouring_bytes)
{
    begin_blocks(WITH_BYTES);
    for (uint32_t block = 0; block < 4; block++) {
        watched_place(w, block, block);
        FINE(watched_lanes(w, ST_GLOBAL, 0, ALL, out->address + block, 4));
    }
    watched_place(w, 0, 0);
    RACE(watched_lane(w, LD_GLOBAL, 0, 0, out->address + 1, 0));
    end();
}
END_TEST

START_TEST(a_new_launch_is_ordered_after_the_last)
{
    begin_blocks(0);
    FINE(by(0, ST_GLOBAL, 0, 1));
    watched_launch(w);
    watched_block(w, 1, 1, 128, 0);
    FINE(by(1, LD_GLOBAL, 0, 0));
    FINE(by(1, ST_GLOBAL, 4, 0));
    end();
}
END_TEST

START_TEST(lanes_in_two_buffers_are_all_looked_at)
{
    begin_blocks(0);
    watched_place(w, 0, 0);
    FINE(watched_lane(w, ST_GLOBAL, 0, 0, other->address + 40, 5));
    watched_place(w, 1, 1);
    uint64_t addr[32];
    for (uint32_t l = 0; l < 32; l++) addr[l] = (l % 2 ? other : out)->address + 4 * l;
    FINE(watched_access(w, LD_GLOBAL, 0, ALL, addr, NULL)); /* bytes 4, 12 … of other: byte 40 is not among them */
    addr[17] = other->address + 40;
    RACES(watched_access(w, LD_GLOBAL, 0, ALL, addr, NULL), ST_GLOBAL,
          "lane 17 of warp 0 of block 1 reads 4 bytes at 'other'+40, which block 0 wrote in the same launch");
    end();
}
END_TEST

START_TEST(wide_accesses_of_blocks_race_in_each_of_their_words)
{
    for (uint32_t lane = 0; lane < 32; lane += 31)
        for (uint32_t word = 0; word < 4; word++) {
            begin_blocks(0);
            watched_place(w, 0, 0);
            FINE(watched_lane(w, ST_GLOBAL, 0, 0, out->address + 16 * lane + 4 * word, 1));
            watched_place(w, 1, 1);
            FINE(watched_lanes(w, LD_GLOBAL4, 0, ~(1u << lane), out->address, 16));
            char expected[200];
            snprintf(expected, sizeof expected,
                     "lane %u of warp 0 of block 1 reads 16 bytes at 'out'+%u, whose byte %u block 0 wrote in the same launch",
                     lane, 16 * lane, 16 * lane + 4 * word);
            RACE(watched_lanes(w, LD_GLOBAL4, 0, ALL, out->address, 16));
            ck_assert_uint_eq(w->fault.lane, lane);
            ck_assert_str_eq(watched_fault(w, RACE_KIND, ST_GLOBAL), expected);
            end();
        }
}
END_TEST

START_TEST(with_a_log_the_other_lanes_of_an_access_are_marked_too)
{
    FindingLog log = {.on_fault = ON_FAULT_GO_ON};
    begin_blocks(0);
    Allocation *fresh = watched_buffer(w, 65536, "fresh", false);
    w->on_fault = ON_FAULT_GO_ON;
    watched_launch(w);
    for (uint32_t b = 0; b < 4; b++) watched_block(w, b, b, 128, 0);
    watched_place(w, 1, 1);
    FINE(watched_lane(w, ST_GLOBAL, 0, 0, fresh->address, 5));
    watched_place(w, 0, 0);
    FINE(watched_lanes(w, ST_GLOBAL, 0, ALL, fresh->address, 4)); /* lane 0 writes another value over block 1's */
    FINE(watched_lanes(w, LD_GLOBAL, 0, ~1u, fresh->address, 4)); /* what the others wrote is there */
    FINE(watched_lane(w, ADD_GLOBAL, 0, 0, fresh->address + 4096, 1));
    FINE(watched_lane(w, ADD_GLOBAL, 0, 0, fresh->address + 4096, 1)); /* by now it has a value */
    FINE(watched_lanes(w, LD_GLOBAL, 0, ALL, fresh->address + 8192, 4));
    FINE(watched_lanes(w, LD_GLOBAL, 0, ALL, fresh->address + 8192, 4));
    checks_tell(w->checks, &log);
    ck_assert_uint_eq(log.count, 3);
    static const struct {
        FaultKind kind;
        uint32_t pc;
        uint64_t count;
    } expected[] = {
        {FAULT_uninitialized, LD_GLOBAL, 2}, {FAULT_global_race, ST_GLOBAL, 1}, {FAULT_uninitialized, ADD_GLOBAL, 1}};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(log.items[i].fault.kind, expected[i].kind);
        ck_assert_uint_eq(log.items[i].fault.pc, expected[i].pc);
        ck_assert_uint_eq(log.items[i].count, expected[i].count);
        ck_assert_uint_eq(log.items[i].fault.lane, 0);
    }
    findings_free(&log);
    end();
}
END_TEST

SUITE_REPEATED("global_races", SHAPES, two_blocks_are_told_apart_however_far_they_are,
               a_block_must_not_read_what_another_writes, a_block_must_not_write_what_others_read,
               two_blocks_may_write_one_value_but_not_two, a_thread_alone_never_races,
               atomic_and_volatile_accesses_of_blocks_may_meet, an_atomic_update_and_a_plain_access_of_another_block_race,
               what_helps_depends_on_both_accesses, a_guess_before_an_atomic_that_corrects_it_is_no_race_between_blocks,
               a_guess_may_come_before_another_blocks_correction,
               the_last_block_may_read_what_all_wrote_before_a_fence_and_a_ticket,
               look_back_reads_what_the_block_before_wrote_ahead_of_its_flag, a_lock_orders_blocks_where_the_program_has_fences,
               a_fence_alone_orders_nothing, blocks_may_write_neighbouring_bytes, a_new_launch_is_ordered_after_the_last,
               with_a_log_the_other_lanes_of_an_access_are_marked_too, lanes_in_two_buffers_are_all_looked_at,
               wide_accesses_of_blocks_race_in_each_of_their_words)
