/* Races between the lanes of a warp. Each test plays the accesses of a small kernel: those that race must be found, with both lanes
 * named, and near misses must pass. */
#include <stdio.h>

#include "watched_shared.h"

START_TEST(one_warp_broadcasts_a_place_and_one_of_its_lanes_writes_it)
{
    begin_with(0, 32);
    FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 1));
    watched_barrier(w, 1);
    FINE(watched_lanes(w, LD_SHARED, 0, ALL, 0, 0));
    RACES(watched_lane(w, ST_SHARED, 0, 0, 0, 2), LD_SHARED,
          "lane 0 of warp 0 writes shared memory at byte 0, which another lane read with no __syncwarp() between");
    watched_warp_sync(w, 0, ALL);
    FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 2));
    end();
}
END_TEST

START_TEST(both_halves_of_a_warp_read_a_row_then_one_writes_it)
{
    uint64_t addr[32];
    for (uint32_t l = 0; l < 32; l++) addr[l] = l % 16 * 4;
    for (int half = 0; half < 2; half++) {
        begin();
        FINE(watched_lanes(w, ST_SHARED, 0, 0xffff, 0, 4));
        watched_barrier(w, 0xf);
        FINE(watched_access(w, LD_SHARED, 0, ALL, addr, NULL));
        RACE(watched_access(w, ST_SHARED, 0, half ? 0xffff0000 : 0xffff, addr, NULL));
        forget();
        watched_warp_sync(w, 0, ALL);
        FINE(watched_access(w, ST_SHARED, 0, half ? 0xffff0000 : 0xffff, addr, NULL));
        end();
    }
}
END_TEST

START_TEST(lanes_read_a_row_and_its_neighbours_then_write_it)
{
    for (int sync = 0; sync < 2; sync++) {
        begin();
        FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
        FINE(watched_lanes(w, ST_SHARED, 0, ALL, 128, 4));
        watched_barrier(w, 0xf);
        FINE(watched_lanes(w, LD_SHARED, 0, ALL, 0, 4));
        if (sync) watched_warp_sync(w, 0, ALL); /* orders the first reads, not the next */
        FINE(watched_lanes(w, LD_SHARED, 0, ALL, 4, 4));
        RACE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
        forget();
        watched_warp_sync(w, 0, ALL);
        FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
        end();
    }
}
END_TEST

START_TEST(two_lanes_read_a_place_and_meet_before_one_writes_it)
{
    begin();
    FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 1));
    watched_barrier(w, 0xf);
    FINE(watched_lanes(w, LD_SHARED, 0, 0x3, 0, 0));
    watched_warp_sync(w, 0, 0x7);
    FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 2));
    end();
}
END_TEST

START_TEST(two_lanes_read_a_place_each_and_one_of_them_writes_it)
{
    /* Lanes 2i and 2i + 1 read word i, so that the reads are neither in one place nor in 32. */
    begin_with(0, 32);
    uint64_t addr[32];
    for (uint32_t l = 0; l < 32; l++) addr[l] = l / 2 * 4;
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    watched_barrier(w, 1);
    FINE(watched_access(w, LD_SHARED, 0, ALL, addr, NULL));
    RACE(watched_lane(w, ST_SHARED, 0, 10, 20, 9));
    forget();
    RACE(watched_lane(w, ST_SHARED, 0, 11, 20, 9));
    end();
}
END_TEST

START_TEST(lanes_that_exchange_values_need_a_warp_barrier)
{
    begin_with(0, 32);
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    RACES(watched_lanes(w, LD_SHARED, 0, ALL, 124, -4), ST_SHARED,
          "lane 0 of warp 0 reads shared memory at byte 124, which lane 31 of warp 0 wrote with no __syncwarp() between");
    watched_warp_sync(w, 0, ALL);
    FINE(watched_lanes(w, LD_SHARED, 0, ALL, 124, -4));
    end();
}
END_TEST

START_TEST(volatile_does_not_order_the_lanes_of_a_warp)
{
    begin_with(0, 32);
    FINE(watched_lanes(w, ST_VOLATILE_SHARED, 0, ALL, 0, 4));
    RACE(watched_lanes(w, LD_VOLATILE_SHARED, 0, 0xffff, 64, 4));
    ck_assert_msg(strstr(w->fault.hint, "__syncwarp()") && strstr(w->fault.hint, "volatile"), "%s", w->fault.hint);
    end();
}
END_TEST

START_TEST(a_volatile_flag_between_warps_is_no_race)
{
    begin();
    FINE(watched_lane(w, ST_VOLATILE_SHARED, 0, 0, 0, 1));
    FINE(watched_lane(w, LD_VOLATILE_SHARED, 1, 0, 0, 0));
    RACE(watched_lane(w, LD_SHARED, 1, 0, 0, 0)); /* but not where it is read as if nobody else wrote it */
    end();
}
END_TEST

START_TEST(a_warp_barrier_orders_the_lanes_it_names)
{
    begin_with(0, 32);
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    watched_warp_sync(w, 0, 0x0000ffff);
    FINE(watched_lanes(w, LD_SHARED, 0, 0x00ff, 32, 4)); /* lanes 0-7 read what 8-15 wrote */
    RACE(watched_lanes(w, LD_SHARED, 0, 0x00ff, 96, 4)); /* and what 24-31 wrote */
    forget();
    watched_warp_sync(w, 0, 0x00f000f0);              /* lanes 4-7 learn what 20-23 did */
    watched_warp_sync(w, 0, 0x000000f3);              /* and tell lanes 0 and 1 */
    FINE(watched_lanes(w, LD_SHARED, 0, 0x3, 80, 4)); /* lanes 0 and 1 read what 20 and 21 wrote */
    RACE(watched_lanes(w, LD_SHARED, 0, 0x4, 80, 4)); /* lane 2 has not been told */
    end();
}
END_TEST

START_TEST(a_warp_barrier_of_a_short_warp_names_the_lanes_there_are)
{
    begin_with(0, 40); /* warp 1 has 8 threads */
    FINE(watched_lanes(w, ST_SHARED, 1, 0xff, 0, 4));
    watched_warp_sync(w, 1, 0xff);
    FINE(watched_lanes(w, LD_SHARED, 1, 0xff, 28, -4));
    end();
}
END_TEST

START_TEST(a_warp_barrier_does_not_order_warps)
{
    begin();
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    watched_warp_sync(w, 0, ALL);
    watched_warp_sync(w, 1, ALL);
    RACE(watched_lanes(w, LD_SHARED, 1, ALL, 0, 4));
    end();
}
END_TEST

/* s[lane] += s[lane + n] for n = 16, 8 … 1 by the lanes below n. */
static bool tree(bool syncs) {
    for (uint32_t n = 16; n; n /= 2) {
        uint32_t lanes = (1u << n) - 1;
        if (!watched_lanes(w, LD_SHARED, 0, lanes, 0, 4) || !watched_lanes(w, LD_SHARED, 0, lanes, 4 * n, 4)) return false;
        if (!watched_lanes(w, ST_SHARED, 0, lanes, 0, 4)) return false;
        if (syncs) watched_warp_sync(w, 0, ALL);
    }
    return true;
}

START_TEST(a_reduction_tree_in_a_warp_needs_a_barrier_each_step)
{
    begin_with(0, 32);
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    watched_warp_sync(w, 0, ALL);
    FINE(tree(true));
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    watched_barrier(w, 1);
    /* With n = 8 lane 0 reads byte 32, which lane 8 wrote with n = 16. */
    RACES(tree(false), ST_SHARED,
          "lane 0 of warp 0 reads shared memory at byte 32, which lane 8 of warp 0 wrote with no __syncwarp() between");
    end();
}
END_TEST

START_TEST(lanes_of_one_instruction_may_write_one_value_to_one_place_but_not_two)
{
    uint64_t addr[32];
    uint32_t values[32];
    for (uint32_t l = 0; l < 32; l++) {
        addr[l] = l % 8 * 4;
        values[l] = 100 + l % 8;
    }
    begin();
    FINE(watched_access(w, ST_SHARED, 0, ALL, addr, values));
    watched_barrier(w, 0xf);
    values[19] = 1; /* lanes 3, 11, 19 and 27 write byte 12 */
    ck_assert(!watched_access(w, ST_SHARED, 0, ALL, addr, values));
    ck_assert_uint_eq(w->fault.other_pc, ST_SHARED);
    ck_assert_msg(strstr(w->fault.message, "write different values to shared memory at byte 12 at once"), "%s",
                  w->fault.message);
    ck_assert_msg(strstr(w->fault.message, "19"), "%s", w->fault.message);
    forget();
    FINE(watched_access(w, ST_SHARED, 0, ~(1u << 19), addr, values)); /* an inactive lane writes nothing */
    watched_barrier(w, 0xf);
    FINE(watched_access(w, ADD_SHARED, 0, ALL, addr, NULL)); /* atomic operations may meet */
    end();
}
END_TEST

/* Any two lanes, between others that write places of their own, whose order is neither rising nor falling. */
START_TEST(each_two_lanes_that_write_one_place_at_once_are_named)
{
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t j = i + 1; j < 32; j++) {
            char wanted[100];
            uint64_t addr[32];
            uint32_t values[32];
            for (uint32_t l = 0; l < 32; l++) addr[l] = (l ^ 21) * 4, values[l] = l;
            addr[j] = addr[i];
            begin();
            ck_assert_msg(!watched_access(w, ST_SHARED, 0, ALL, addr, values), "lanes %u and %u", i, j);
            snprintf(wanted, sizeof wanted,
                     "lanes %u and %u of warp 0 write different values to shared memory at byte %u at once", i, j,
                     (i ^ 21) * 4);
            ck_assert_str_eq(w->fault.message, wanted);
            ck_assert_uint_eq(w->fault.lane, i);
            end();
        }
}
END_TEST

/* Another warp's additions are still there when the thread adds once more, in an instruction of which another lane needs a closer look: it comes
 * after a volatile write by another warp. */
START_TEST(additions_by_others_are_not_forgotten)
{
    for (int others = 0; others < 2; others++) {
        uint64_t addr[32] = {[1] = 4, [2] = 8};
        begin();
        FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
        watched_barrier(w, 0xf);
        if (others) FINE(watched_lane(w, ADD_SHARED, 0, 0, 4, 0));
        FINE(watched_lane(w, ADD_SHARED, 1, 1, 4, 0));
        FINE(watched_lane(w, ST_VOLATILE_SHARED, 0, 5, 8, 1));
        FINE(watched_access(w, ADD_SHARED, 1, 1u << 1 | 1u << 2, addr, NULL));
        if (others)
            RACE(watched_lane(w, ST_SHARED, 1, 1, 4, 7));
        else
            FINE(watched_lane(w, ST_SHARED, 1, 1, 4, 7));
        end();
    }
}
END_TEST

/* Warp 1 of 40 threads has 8 lanes: all of them together are the whole warp, after which a race is found as well as ever. */
START_TEST(a_race_is_found_after_a_barrier_of_a_short_warp)
{
    for (uint32_t threads = 33; threads < 64; threads++) {
        const uint32_t lanes = (1u << (threads - 32)) - 1;
        begin_with(0, threads);
        FINE(watched_lane(w, ST_SHARED, 1, 0, 0, 1));
        watched_warp_sync(w, 1, lanes);
        FINE(watched_lanes(w, LD_SHARED, 1, lanes, 0, 0));
        if (lanes == 1)
            FINE(watched_lane(w, ST_SHARED, 1, 0, 0, 2));
        else
            RACE(watched_lane(w, ST_SHARED, 1, 0, 0, 2));
        forget();
        watched_warp_sync(w, 1, ALL);
        FINE(watched_lane(w, ST_SHARED, 1, 0, 0, 2));
        end();
    }
}
END_TEST

/* Bins of a warp's own: each lane clears one, and after the warp's barrier all count in all of them. */
START_TEST(a_cleared_place_is_counted_in_after_a_warp_barrier)
{
    for (int sync = 0; sync < 2; sync++) {
        begin();
        FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
        if (sync) watched_warp_sync(w, 0, ALL);
        FINE(watched_lane(w, ADD_SHARED, 0, 5, 20, 0)); /* the lane that cleared the place comes first */
        if (sync)
            FINE(watched_lane(w, ADD_SHARED, 0, 6, 20, 0));
        else
            RACE(watched_lane(w, ADD_SHARED, 0, 6, 20, 0));
        end();
    }
}
END_TEST

SUITE("warp_races", one_warp_broadcasts_a_place_and_one_of_its_lanes_writes_it,
      both_halves_of_a_warp_read_a_row_then_one_writes_it, lanes_read_a_row_and_its_neighbours_then_write_it,
      two_lanes_read_a_place_and_meet_before_one_writes_it, two_lanes_read_a_place_each_and_one_of_them_writes_it,
      lanes_that_exchange_values_need_a_warp_barrier, volatile_does_not_order_the_lanes_of_a_warp,
      a_volatile_flag_between_warps_is_no_race, a_warp_barrier_orders_the_lanes_it_names,
      a_warp_barrier_of_a_short_warp_names_the_lanes_there_are, a_warp_barrier_does_not_order_warps,
      a_reduction_tree_in_a_warp_needs_a_barrier_each_step,
      lanes_of_one_instruction_may_write_one_value_to_one_place_but_not_two,
      each_two_lanes_that_write_one_place_at_once_are_named, additions_by_others_are_not_forgotten,
      a_race_is_found_after_a_barrier_of_a_short_warp, a_cleared_place_is_counted_in_after_a_warp_barrier)
