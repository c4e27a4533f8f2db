/* Each test plays the accesses of a small kernel: those that race must be found, with both threads named, and near misses must pass. */
#include <stdio.h>

#include "watched_shared.h"

/* --- shared memory, between warps ------------------------------------------------------------------------------------------ */

START_TEST(a_read_of_what_another_warp_wrote_needs_a_barrier)
{
    begin();
    FINE(watched_lanes(w, ST_SHARED, 1, ALL, 128, 4)); /* lane l of warp 1 writes byte 128 + 4 l */
    RACES(watched_lane(w, LD_SHARED, 0, 3, 144, 0), ST_SHARED,
          "lane 3 of warp 0 reads shared memory at byte 144, which lane 4 of warp 1 wrote with no __syncthreads() between");
    watched_barrier(w, 0xf);
    FINE(watched_lane(w, LD_SHARED, 0, 3, 144, 0));
    end();
}
END_TEST

START_TEST(the_fault_names_the_lane_that_came_second)
{
    begin();
    FINE(watched_lane(w, ST_SHARED, 1, 0, 8, 5));
    RACE(watched_lane(w, LD_SHARED, 2, 7, 8, 0));
    ck_assert_uint_eq(w->fault.lane, 7);
    end();
}
END_TEST

#define EARLY "lane 31 of warp 0 reads 4 bytes of shared memory at byte 128, where byte 128 was never written"

/* A warp that is ahead of others reads what none of them comes to write. */
static void begin_ahead(void) {
    begin();
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    FINE(watched_lane(w, LD_SHARED, 0, 31, 128, 0));
}

static void is_told_as_uninitialised(void) {
    ck_assert_uint_eq(w->fault.pc, LD_SHARED);
    ck_assert_uint_eq(w->fault.thread[0], 31);
    ck_assert_str_eq(watched_fault(w, FAULT_uninitialized, NO_INSN), EARLY);
}

/* What a read did is told at another access: lane 0 of this warp stores to the byte. */
static void fails_at_a_store(uint32_t warp, uint64_t byte) {
    uint32_t data[WARP_LANES] = {7};
    Access access = {
        .pc = ST_SHARED, .space = SPACE_SHARED, .kind = ACCESS_STORE, .bytes = 4, .active = 1, .addr = {byte}, .data = data};
    w->place.warp = warp;
    ck_assert(!w->observer->on_access(w->observer->self, &w->place, &access, &w->fault));
}

static void is_told_at_a_store(uint32_t warp, uint64_t byte) {
    fails_at_a_store(warp, byte);
    is_told_as_uninitialised();
}

START_TEST(a_read_ahead_of_another_warps_write_lacks_a_barrier)
{
    begin(); /* warps run one after the other: 0 comes to its read before 1 to its write */
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    RACES(watched_lanes(w, LD_SHARED, 0, ALL, 4, 4), ST_SHARED,
          "lane 0 of warp 0 reads shared memory at byte 4, which lane 1 of warp 0 wrote with no __syncthreads() or "
          "__syncwarp() between");
    FINE(watched_lane(w, LD_SHARED, 0, 31, 128, 0)); /* until it is known who will write it */
    fails_at_a_store(1, 128);
    ck_assert_uint_eq(w->fault.pc, LD_SHARED); /* the thread that read has the wrong value */
    ck_assert_uint_eq(w->fault.thread[0], 31);
    ck_assert_str_eq(
        watched_fault(w, FAULT_shared_race, ST_SHARED),
        "lane 31 of warp 0 reads shared memory at byte 128, which lane 0 of warp 1 has yet to write, with no __syncthreads() "
        "between");
    FINE(watched_block_end(w));
    end();
}
END_TEST

START_TEST(a_read_of_what_nobody_comes_to_write_is_no_race)
{
    begin_ahead();
    FINE(watched_lanes(w, ST_SHARED, 1, ALL, 256, 4)); /* other bytes, by another warp */
    ck_assert(!watched_block_end(w));
    is_told_as_uninitialised();
    FINE(watched_block_end(w)); /* once */
    end();
    begin_ahead();
    watched_barrier(w, 0xf);
    is_told_at_a_store(2, 128); /* too late to be what was read */
    end();
    begin_ahead();
    is_told_at_a_store(0, 128); /* by a lane of the reading warp, later in the program */
    end();
    begin_ahead(); /* what else is found may come of the value that was read */
    FINE(watched_lanes(w, ST_SHARED, 1, ALL, 512, 4));
    is_told_at_a_store(2, 512);
    end();
    begin(); /* to have read is not to be ahead */
    FINE(watched_lanes(w, ST_SHARED, 1, ALL, 256, 4));
    watched_barrier(w, 0xf);
    FINE(watched_lanes(w, LD_VOLATILE_SHARED, 0, ALL, 256, 4));
    ck_assert(!watched_lane(w, LD_SHARED, 0, 31, 128, 0));
    is_told_as_uninitialised();
    end();
    begin_ahead(); /* another block comes */
    watched_block(w, 0, 1, 128, 4096);
    FINE(watched_block_end(w));
    end();
}
END_TEST

#define HINT_NOBODY "no thread of the block writes it before this read"
#define HINT_BARRIER "is a __syncthreads() missing between the write and this read?"
#define HINT_UNKNOWN "does another warp write it? Then a __syncthreads() is missing"

static void hint_begins(const char *with) {
    ck_assert_uint_eq(w->fault.kind, FAULT_uninitialized);
    ck_assert_msg(strncmp(w->fault.hint, with, strlen(with)) == 0, "the hint is '%s'", w->fault.hint);
}

START_TEST(a_barrier_is_asked_for_only_where_one_can_be_missing)
{
    begin_ahead();
    FINE(watched_lanes(w, ST_SHARED, 1, ALL, 256, 4)); /* nobody came to write it */
    ck_assert(!watched_block_end(w));
    hint_begins(HINT_NOBODY);
    end();
    begin_ahead();
    watched_barrier(w, 0xf); /* nobody up to the next barrier */
    fails_at_a_store(2, 128);
    hint_begins(HINT_NOBODY);
    end();
    begin(); /* a barrier stands between what was written and the read */
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    watched_barrier(w, 0xf);
    ck_assert(!watched_lane(w, ADD_SHARED, 0, 3, 128, 0));
    hint_begins(HINT_NOBODY);
    end();
    begin(); /* nothing was written yet, and warps 1 to 3 have not run */
    ck_assert(!watched_lane(w, ADD_SHARED, 0, 3, 128, 0));
    hint_begins(HINT_UNKNOWN);
    end();
    begin(); /* others have written since the last barrier, and may come to write this */
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    ck_assert(!watched_lane(w, ADD_SHARED, 1, 3, 128, 0));
    hint_begins(HINT_UNKNOWN);
    end();
    begin(); /* what the block before has written is nothing */
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    watched_barrier(w, 0xf);
    watched_block(w, 0, 1, 128, 4096);
    ck_assert(!watched_lane(w, ADD_SHARED, 1, 3, 128, 0));
    hint_begins(HINT_UNKNOWN);
    end();
    begin(); /* volatile accesses of two warps are no race, but one of them came too early */
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    FINE(watched_lane(w, LD_VOLATILE_SHARED, 0, 31, 128, 0));
    FINE(watched_lane(w, ST_VOLATILE_SHARED, 1, 0, 128, 0));
    ck_assert(!watched_block_end(w));
    hint_begins(HINT_BARRIER);
    end();
}
END_TEST

START_TEST(with_a_log_everything_is_told_once)
{
    FindingLog log = {.on_fault = ON_FAULT_GO_ON};
    w = watched_new(0);
    w->on_fault = ON_FAULT_GO_ON;
    watched_launch(w);
    watched_block(w, 0, 0, 128, 4096);
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    FINE(watched_lanes(w, LD_SHARED, 1, ALL, 0, 4)); /* 32 lanes race in one access */
    FINE(watched_lanes(w, LD_SHARED, 2, ALL, 0, 4));
    FINE(watched_lane(w, LD_SHARED_LATE, 2, 0, 0, 0)); /* another place of the program */
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 1024, 4));
    watched_barrier(w, 0xf);
    FINE(watched_lanes(w, LD_SHARED, 1, ALL, 1024, 4)); /* fine: what raced was marked all the same */
    FINE(watched_lane(w, LD_SHARED, 3, 5, 2048, 0));    /* uninitialised, by a warp that is not ahead */
    FINE(watched_block_end(w));
    checks_tell(w->checks, &log);
    ck_assert_uint_eq(log.count, 3);
    ck_assert_str_eq(fault_kinds[log.items[0].fault.kind].name, "shared_race");
    ck_assert_uint_eq(log.items[0].fault.pc, LD_SHARED);
    ck_assert_uint_eq(log.items[0].count, 2);
    ck_assert_uint_eq(log.items[0].fault.warp, 1);
    ck_assert_uint_eq(log.items[0].fault.lane, 0);
    ck_assert_uint_eq(log.items[1].fault.pc, LD_SHARED_LATE);
    ck_assert_str_eq(fault_kinds[log.items[2].fault.kind].name, "uninitialized");
    ck_assert_uint_eq(log.items[2].fault.warp, 3);
    findings_free(&log);
    end();
}
END_TEST

START_TEST(a_write_over_what_another_warp_has_read_needs_a_barrier)
{
    begin();
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    watched_barrier(w, 0xf);
    FINE(watched_lane(w, LD_SHARED, 1, 9, 20, 0));
    RACES(watched_lanes(w, ST_SHARED, 2, ALL, 0, 4), LD_SHARED,
          "lane 5 of warp 2 writes shared memory at byte 20, which lane 9 of warp 1 read with no __syncthreads() between");
    watched_barrier(w, 0xf);
    FINE(watched_lanes(w, ST_SHARED, 2, ALL, 0, 4));
    end();
}
END_TEST

START_TEST(two_warps_that_write_one_place_differently_race)
{
    begin();
    FINE(watched_lane(w, ST_SHARED, 0, 0, 64, 1));
    ck_assert(!watched_lane(w, ST_SHARED, 3, 31, 64, 2));
    /* one statement: the two would be in order with a barrier, and one value lost all the same */
    ck_assert_ptr_nonnull(strstr(w->fault.hint, "one of the two values is lost, and a barrier would only decide which"));
    ck_assert_str_eq(
        watched_fault(w, FAULT_shared_race, ST_SHARED),
        "lane 31 of warp 3 writes shared memory at byte 64, which lane 0 of warp 0 wrote with no __syncthreads() between");
    forget();
    end();
}
END_TEST

START_TEST(a_flag_that_several_warps_set_to_the_same_value_is_no_race)
{
    begin();
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lane(w, ST_SHARED, warp, warp, 64, 1));
    watched_barrier(w, 0xf);
    FINE(watched_lane(w, LD_SHARED, 2, 0, 64, 0));
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, LD_SHARED, warp, ALL, 64, 0));
    watched_barrier(w, 0xf); /* what all read before it is no matter now */
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lane(w, ST_SHARED, warp, 0, 64, 2));
    end();
}
END_TEST

START_TEST(all_read_one_place_then_one_writes_it_after_a_barrier)
{
    begin();
    FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 1));
    watched_barrier(w, 0xf);
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, LD_SHARED, warp, ALL, 0, 0));
    watched_barrier(w, 0xf);
    FINE(watched_lane(w, ST_SHARED, 3, 0, 0, 2));
    end();
}
END_TEST

START_TEST(all_read_one_place_then_one_writes_it_without_a_barrier)
{
    for (uint32_t warp = 0; warp < 4; warp++) { /* also the warp that read first, and the one that read last */
        begin();
        FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 1));
        watched_barrier(w, 0xf);
        for (uint32_t reader = 0; reader < 4; reader++) FINE(watched_lanes(w, LD_SHARED, reader, ALL, 0, 0));
        RACE(watched_lane(w, ST_SHARED, warp, 0, 0, 2));
        end();
    }
}
END_TEST

START_TEST(two_warps_read_a_row_then_one_of_them_writes_it)
{
    for (uint32_t writer = 0; writer < 2; writer++) {
        begin();
        FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
        watched_barrier(w, 0xf);
        FINE(watched_lanes(w, LD_SHARED, 0, ALL, 0, 4));
        FINE(watched_lanes(w, LD_SHARED, 1, ALL, 0, 4));
        watched_warp_sync(w, 0, ALL);
        FINE(watched_lanes(w, LD_SHARED, 0, ALL, 0, 4));
        RACE(watched_lanes(w, ST_SHARED, writer, ALL, 0, 4));
        end();
    }
}
END_TEST

START_TEST(two_tiles_in_turn_need_one_barrier_each_round)
{
    begin();
    for (uint32_t round = 0; round < 5; round++) {
        for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, ST_SHARED, warp, ALL, round % 2 * 512 + warp * 128, 4));
        watched_barrier(w, 0xf);
        for (uint32_t warp = 0; warp < 4; warp++)
            FINE(watched_lanes(w, LD_SHARED, warp, ALL, round % 2 * 512 + (3 - warp) * 128, 4));
    }
    end();
}
END_TEST

START_TEST(one_tile_needs_two_barriers_each_round)
{
    begin();
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, ST_SHARED, warp, ALL, warp * 128, 4));
    watched_barrier(w, 0xf);
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, LD_SHARED, warp, ALL, (3 - warp) * 128, 4));
    RACES(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4), LD_SHARED,
          "lane 0 of warp 0 writes shared memory at byte 0, which lane 0 of warp 3 read with no __syncthreads() between");
    end();
}
END_TEST

START_TEST(a_tile_read_by_columns_with_the_barrier_and_without)
{
    for (int barrier = 0; barrier < 2; barrier++) {
        begin();
        for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, ST_SHARED, warp, ALL, warp * 33 * 4, 4));
        if (barrier) watched_barrier(w, 0xf);
        bool fine = watched_lanes(w, LD_SHARED, 0, 0xf, 0, 33 * 4); /* lane l reads the first word of row l */
        ck_assert_int_eq(fine, barrier);
        if (!barrier)
            RACES(fine, ST_SHARED,
                  "lane 1 of warp 0 reads shared memory at byte 132, which lane 0 of warp 1 wrote with no __syncthreads() "
                  "between");
        end();
    }
}
END_TEST

START_TEST(a_thread_alone_never_races)
{
    begin();
    for (int i = 0; i < 3; i++) {
        FINE(watched_lanes(w, ST_SHARED, 2, 0x0ff00ff0, 256, 4));
        FINE(watched_lanes(w, LD_SHARED, 2, 0x0ff00ff0, 256, 4));
        FINE(watched_lanes(w, ADD_SHARED, 2, 0x0ff00ff0, 256, 4));
        FINE(watched_lanes(w, LD_VOLATILE_SHARED, 2, 0x0ff00ff0, 256, 4));
    }
    end();
}
END_TEST

START_TEST(blocks_do_not_see_each_others_shared_memory)
{
    begin();
    FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 1));
    watched_block(w, 1, 1, 128, 4096); /* resident beside it */
    FINE(watched_lane(w, ST_SHARED, 1, 0, 0, 2));
    watched_block(w, 0, 2, 128, 4096); /* in its place */
    FINE(watched_lane(w, ST_SHARED, 2, 0, 0, 3));
    watched_place(w, 1, 1);
    RACE(watched_lane(w, ST_SHARED, 0, 0, 0, 4));
    end();
}
END_TEST

START_TEST(wide_accesses_race_in_each_of_their_words)
{
    for (uint32_t word = 0; word < 4; word++) {
        begin();
        FINE(watched_lane(w, ST_SHARED, 1, 0, 512 + 16 * 5 + 4 * word, 7)); /* in the bytes of lane 5 below */
        char expected[200]; /* the byte that both wrote: lane 5 begins at 512 + 16 * 5 */
        snprintf(
            expected, sizeof expected,
            "lane 5 of warp 0 writes shared memory at byte %u, which lane 0 of warp 1 wrote with no __syncthreads() between",
            592 + 4 * word);
        RACES(watched_lanes(w, ST_SHARED4, 0, ALL, 512, 16), ST_SHARED, expected);
        FINE(watched_lanes(w, ST_SHARED4, 0, ~(1u << 5), 512, 16));
        end();
    }
}
END_TEST

START_TEST(neighbouring_bytes_are_apart_where_the_program_touches_bytes)
{
    begin_with(WITH_BYTES, 128);
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, ST_SHARED, warp, ALL, warp, 4));
    FINE(watched_lanes(w, LD_SHARED, 2, ALL, 2, 4));
    RACE(watched_lane(w, LD_SHARED, 2, 0, 3, 0));
    forget();
    RACE(watched_lane(w, ADD_SHARED, 2, 0, 0, 0)); /* 4 bytes, the second of which warp 1 wrote */
    end();
}
END_TEST

/* --- barriers ------------------------------------------------------------------------------------------------------------------ */

START_TEST(another_kernels_counted_barrier_does_not_make_one_here)
{
    /* Without counts a barrier is one of all warps, those that have ended before it too; the machine names those that wait. */
    begin_with(WITH_COUNTED_BARRIER | WITH_EXTRA_ELSEWHERE, 128);
    FINE(watched_lanes(w, ST_SHARED, 2, ALL, 0, 4));
    watched_barrier(w, 0x3);
    FINE(watched_lanes(w, LD_SHARED, 0, ALL, 0, 4));
    end();
}
END_TEST

START_TEST(a_counted_barrier_orders_just_the_warps_that_met)
{
    begin_with(WITH_COUNTED_BARRIER, 128);
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, ST_SHARED, warp, ALL, warp * 128, 4));
    watched_barrier(w, 0x3);
    FINE(watched_lanes(w, LD_SHARED, 0, ALL, 128, 4));
    RACE(watched_lanes(w, LD_SHARED, 0, ALL, 256, 4));
    forget();
    RACE(watched_lanes(w, LD_SHARED, 2, ALL, 0, 4));
    forget();
    watched_barrier(w, 0x6); /* warp 1 tells warp 2 what warp 0 did, but not the other way round */
    FINE(watched_lanes(w, LD_SHARED, 2, ALL, 0, 4));
    RACE(watched_lanes(w, LD_SHARED, 0, ALL, 256, 4));
    forget();
    watched_barrier(w, 0xf);
    FINE(watched_lanes(w, LD_SHARED, 0, ALL, 256, 4));
    FINE(watched_lanes(w, LD_SHARED, 3, ALL, 256, 4));
    end();
}
END_TEST

START_TEST(producers_and_consumers_hand_over_by_counted_barriers)
{
    begin_with(WITH_COUNTED_BARRIER, 128); /* warps 0 and 1 fill, 2 and 3 empty */
    for (uint32_t round = 0; round < 4; round++) {
        FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
        FINE(watched_lanes(w, ST_SHARED, 1, ALL, 128, 4));
        watched_barrier(w, 0xf);
        FINE(watched_lanes(w, LD_SHARED, 2, ALL, 128, 4));
        watched_barrier(w, 0xc);
        FINE(watched_lanes(w, ST_SHARED, 3, ALL, 512, 4));
        watched_barrier(w, 0xc);
        FINE(watched_lanes(w, LD_SHARED, 2, ALL, 512, 4));
        if (round == 3) RACE(watched_lanes(w, ST_SHARED, 1, ALL, 128, 4));
        forget();
        watched_barrier(w, 0xf);
    }
    end();
}
END_TEST

START_TEST(a_barrier_without_a_count_orders_warps_that_have_ended_too)
{
    begin();
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, ST_SHARED, warp, ALL, warp * 128, 4));
    watched_barrier(w, 0x7); /* warp 3 has ended */
    FINE(watched_lanes(w, LD_SHARED, 0, ALL, 3 * 128, 4));
    end();
}
END_TEST

/* --- atomic operations on shared memory ------------------------------------------------------------------------------------------ */

static void histogram(void) {
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, ST_SHARED, warp, 0xff, warp * 32, 4));
    watched_barrier(w, 0xf);
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t addr[32];
        for (uint32_t l = 0; l < 32; l++) addr[l] = (l * 7 + i * 5) % 11 % 8 * 4;
        FINE(watched_access(w, ADD_SHARED, i % 4, ALL, addr, NULL));
    }
}

START_TEST(a_histogram_is_read_after_a_barrier)
{
    begin();
    histogram();
    watched_barrier(w, 0xf);
    for (uint32_t warp = 0; warp < 4; warp++) FINE(watched_lanes(w, LD_SHARED_LATE, warp, 0xff, 0, 4));
    end();
}
END_TEST

START_TEST(a_histogram_read_without_a_barrier_is_a_race_for_every_thread)
{
    for (uint32_t thread = 0; thread < 128; thread++) { /* also for the one that updated it last */
        begin();
        histogram();
        RACE(watched_lane(w, LD_SHARED_LATE, thread / 32, thread % 32, 0, 0));
        ck_assert_uint_eq(w->fault.other_pc, ADD_SHARED);
        end();
    }
}
END_TEST

START_TEST(an_own_update_does_not_hide_that_of_another_warp)
{
    static const uint32_t pcs[] = {LD_SHARED_LATE, ST_SHARED};
    for (int i = 0; i < 2; i++) {
        begin();
        FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
        watched_barrier(w, 0xf);
        FINE(watched_lanes(w, ADD_SHARED, 0, ALL, 0, 4));
        FINE(watched_lanes(w, ADD_SHARED, 1, ALL, 0, 4));
        RACE(watched_lanes(w, pcs[i], 1, ALL, 0, 4));
        end();
    }
}
END_TEST

START_TEST(zeroing_a_counter_needs_a_barrier_before_it_is_updated)
{
    begin();
    FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 0));
    FINE(watched_lane(w, ADD_SHARED, 0, 0, 0, 0));
    RACES(watched_lane(w, ADD_SHARED, 1, 0, 0, 0), ADD_SHARED,
          "lane 0 of warp 1 updates shared memory at byte 0, which lane 0 of warp 0 wrote with no __syncthreads() between");
    end();
}
END_TEST

START_TEST(a_guess_before_compare_and_swap_is_no_race_but_a_look_afterwards_is)
{
    begin();
    FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 0));
    watched_barrier(w, 0xf);
    for (uint32_t warp = 0; warp < 4; warp++) { /* old = *p; do … while (atomicCAS(p, …)) */
        FINE(watched_lanes(w, LD_SHARED, warp, ALL, 0, 0));
        FINE(watched_lanes(w, CAS_SHARED, warp, ALL, 0, 0));
    }
    RACE(watched_lane(w, LD_SHARED_LATE, 1, 1, 0, 0));
    end();
}
END_TEST

/* while (atomicCAS(lock)) …; shared[64]++; __threadfence_block(); atomicExch(lock) by a lane of each warp. */
static bool lock_round(uint32_t warp, uint32_t lane, bool fences) {
    bool fine = watched_lane(w, CAS_SHARED, warp, lane, 0, 0) && watched_lane(w, LD_SHARED, warp, lane, 64, 0) &&
                watched_lane(w, ST_SHARED, warp, lane, 64, warp * 32 + lane);
    if (fine && fences) watched_fence(w, warp, true);
    return fine && watched_lane(w, CAS_SHARED, warp, lane, 0, 0);
}

START_TEST(a_lock_orders_where_the_program_has_fences)
{
    for (int i = 0; i < WATCHED_FENCES; i++) {
        bool fences = watched_fences[i].count;
        begin_with(watched_fences[i].with, 128);
        FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 0));
        FINE(watched_lane(w, ST_SHARED, 0, 0, 64, 0));
        watched_barrier(w, 0xf);
        FINE(lock_round(0, 0, fences));
        ck_assert_int_eq(lock_round(1, 3, fences), fences);
        forget();
        if (fences) {
            FINE(lock_round(1, 4, true));                   /* lanes of one warp as well */
            RACE(watched_lane(w, ST_SHARED, 2, 0, 64, 77)); /* without taking the lock */
        }
        end();
    }
}
END_TEST

SUITE("shared_races", a_read_of_what_another_warp_wrote_needs_a_barrier, the_fault_names_the_lane_that_came_second,
      a_read_of_what_nobody_comes_to_write_is_no_race, a_barrier_is_asked_for_only_where_one_can_be_missing,
      with_a_log_everything_is_told_once, a_read_ahead_of_another_warps_write_lacks_a_barrier,
      a_write_over_what_another_warp_has_read_needs_a_barrier, two_warps_that_write_one_place_differently_race,
      a_flag_that_several_warps_set_to_the_same_value_is_no_race, all_read_one_place_then_one_writes_it_after_a_barrier,
      all_read_one_place_then_one_writes_it_without_a_barrier, two_warps_read_a_row_then_one_of_them_writes_it,
      two_tiles_in_turn_need_one_barrier_each_round, one_tile_needs_two_barriers_each_round,
      a_tile_read_by_columns_with_the_barrier_and_without, a_thread_alone_never_races,
      blocks_do_not_see_each_others_shared_memory, wide_accesses_race_in_each_of_their_words,
      neighbouring_bytes_are_apart_where_the_program_touches_bytes, a_counted_barrier_orders_just_the_warps_that_met,
      another_kernels_counted_barrier_does_not_make_one_here, producers_and_consumers_hand_over_by_counted_barriers,
      a_barrier_without_a_count_orders_warps_that_have_ended_too, a_histogram_is_read_after_a_barrier,
      a_histogram_read_without_a_barrier_is_a_race_for_every_thread, an_own_update_does_not_hide_that_of_another_warp,
      zeroing_a_counter_needs_a_barrier_before_it_is_updated,
      a_guess_before_compare_and_swap_is_no_race_but_a_look_afterwards_is, a_lock_orders_where_the_program_has_fences)
