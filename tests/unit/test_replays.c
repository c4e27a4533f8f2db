/* Waves of blocks, replayed one after the other, and what is left of notes at the end of one. */
#include "played.h"
#include "suite.h"

/* Two SMs read a line at a time. An SM reads a line's sector 0 at 1, 120 and 130, and sector 1 at 60: while SMs are together, that spoils the line until
 * 60 + 94; later until 1 + 94 only, and the last read is one with the third. */
START_TEST(what_is_out_of_step_or_of_a_later_wave_is_so_in_l2)
{
    for (uint32_t out = 0; out < 2; out++) {
        begin();
        for (uint8_t sm = 0; sm < 3; sm += 2) {
            Note note = by(sm, 0, reads(COLD, 0));
            note.in_step = !out;
            add(note);
        }
        replay();
        ck_assert_uint_eq(sectors(), 1 + out);
        end();
    }
    for (uint32_t wave = 2; wave <= 3; wave++) {
        static const uint16_t at[] = {0, 60, 120, 130};
        begin();
        for (uint8_t warp = 0; warp < 4; warp++) {
            Note note = by(0, warp, reads(WARM, at[warp]));
            note.mask = warp == 1 ? 2 : 1;
            add(note);
        }
        replay_as(wave);
        ck_assert_uint_eq(sectors(), wave == 2 ? 4 : 3);
        end();
    }
}
END_TEST

/* Four SMs of a GPC have 40 places, in each of which a block of a warp begins after so many cycles and reads: those in the same place the same line. */
static void blocks_begin(bool begin_so, uint32_t wave, uint16_t cycles, uint32_t first_line) {
    for (uint8_t sm = 0; sm < 4; sm++)
        for (uint8_t place = 0; place < 40; place++) {
            Note meeting = by(sm, place, meets(place, 0x1));
            meeting.begins = begin_so;
            add(by(sm, place, (Note){.kind = NOTE_WORK, .gap = cycles}));
            add(meeting);
            add(by(sm, place, then_reads(first_line + place, ON)));
        }
    replay_as(wave);
}
static uint32_t requests_of_blocks(bool begin_so, uint32_t wave, uint16_t cycles) {
    begin();
    blocks_begin(begin_so, wave, cycles, 1);
    const uint32_t requests = sectors();
    end();
    return requests;
}

/* First blocks begin within 64 cycles; the next ones within 12/256 of the time that these took. Of 1000 cycles that are 46, and all join; of 50,000 they
 * are 2343, and of two that read the same line some 8 in 100 do so within 94. */
START_TEST(blocks_of_later_waves_begin_apart)
{
    ck_assert_uint_eq(requests_of_blocks(true, 0, 50000), 40);
    ck_assert_uint_eq(requests_of_blocks(false, 1, 50000), 40); /* a barrier */
    for (uint32_t wave = 1; wave < 5; wave++) {
        ck_assert_uint_eq(requests_of_blocks(true, wave, 1000), 40);
        const uint32_t requests = requests_of_blocks(true, wave, 50000);
        ck_assert_msg(requests > 120 && requests < 158, "wave %u: %u", wave, requests);
    }
}
END_TEST

/* What counts is what the block before took, not all that went before: 1000 cycles and those of its read. */
START_TEST(a_block_has_taken_what_went_by_since_it_began)
{
    begin();
    blocks_begin(true, 0, 50000, 1);
    const uint32_t before_them = sectors();
    blocks_begin(true, 1, 1000, COLD);
    ck_assert_uint_lt(sectors() - before_them, 80); /* SMs begin within 64 + 60 */
    end();
}
END_TEST

/* --- where notes end --- */

START_TEST(all_notes_are_applied_though_a_partner_never_comes)
{
    begin();
    for (uint8_t warp = 0; warp < 3; warp++) {
        add(by(0, warp, reads(COLD + warp, 0)));
        add(by(0, warp, meets(0, 0xf)));
        add(by(0, warp, then_reads(COLD + 10 + warp, ON)));
        add(by(0, warp, meets(0, 0xf))); /* nor now */
        add(by(0, warp, then_reads(COLD + 20 + warp, ON)));
    }
    replay();
    ck_assert_uint_eq(sectors(), 3 * 3);
    replay(); /* nothing is left */
    ck_assert_uint_eq(sectors(), 3 * 3);
    end();
    /* the partner has notes, but ends early */
    begin();
    add(by(0, 0, meets(0, 0x3)));
    add(by(0, 0, then_reads(COLD, ON)));
    add(by(0, 0, meets(0, 0x3)));
    add(by(0, 0, then_reads(COLD + 1, ON)));
    add(by(0, 1, meets(0, 0x3)));
    add(by(0, 1, then_reads(COLD + 2, ON)));
    replay();
    ck_assert_uint_eq(sectors(), 3);
    end();
}
END_TEST

/* Of the set, the one who came is not its first: it must not be let go twice. */
START_TEST(an_old_meeting_lets_no_one_go_twice)
{
    begin();
    add(by(0, 1, meets(0, 0x3)));
    replay();
    for (uint8_t warp = 0; warp < 2; warp++) {
        add(by(0, warp, (Note){.kind = NOTE_WORK, .gap = (uint16_t)(800 + 100 * warp), .waits = 1}));
        add(by(0, warp, meets(0, 0x3)));
        add(by(0, warp, then_reads(COLD + warp, ON)));
    }
    replay();
    ck_assert_uint_eq(sectors(), 2);
    end();
}
END_TEST

/* Warp 0 waits for device memory; warp 1, whose line is in L2 and leaves a cycle behind, goes on when that has come. */
START_TEST(a_warp_that_waits_keeps_no_other_from_working)
{
    play(by(0, 0, reads(COLD, 0)));
    play(by(0, 0, then_reads(COLD + 1, ON)));
    play(by(0, 1, reads(1, 0)));
    play(by(0, 1, then_reads(WARM, ON)));
    ck_assert(leaves_at(2 + 280 + ON + 1));
}
END_TEST

/* Who came to a meeting that never was is not counted at the next. */
START_TEST(a_meeting_begins_anew_in_the_next_replay)
{
    for (uint32_t behind = 94; behind <= 95; behind++) { /* the last that joins, and one that does not */
        begin();
        add(by(0, 0, meets(0, 0x3)));
        replay();
        add(by(0, 0, reads(COLD, 0)));
        add(by(0, 0, meets(0, 0x3)));
        add(by(0, 1, meets(0, 0x3)));
        add(by(0, 1, then_reads(WARM, ON))); /* leaves at 712 + 35 + 1 */
        add(by(3, 0, reads(WARM, (uint16_t)(1 + DRAM + 1 + ON + behind))));
        replay();
        ck_assert_uint_eq(sectors(), behind == 94 ? 2 : 3);
        end();
    }
}
END_TEST

/* Two blocks in the same place, one after the other; the second's warps meet as its first warp comes, however far the first's have come. */
START_TEST(blocks_may_follow_each_other_in_a_place)
{
    begin();
    for (uint32_t block = 0; block < 3; block++)
        for (uint8_t warp = 0; warp < 4; warp++) {
            add(by(0, warp, meets(0, block == 1 ? 0x3 << (warp & 2) : 0xf)));
            add(by(0, warp, then_reads(COLD + 10 * block + warp, ON)));
        }
    replay();
    ck_assert_uint_eq(sectors(), 3 * 4);
    end();
}
END_TEST

/* A second wave's notes: the SM goes on when the first's answer has come. */
START_TEST(time_goes_on_from_one_replay_to_the_next)
{
    for (uint32_t behind = 94; behind <= 95; behind++) { /* the last that joins, and one that does not */
        begin();
        add(by(0, 0, reads(COLD, 0)));
        replay();
        add(by(0, 0, reads(WARM, ON)));                                 /* leaves at 711 + 35 + 1 */
        add(by(3, 0, reads(WARM, (uint16_t)(DRAM + 1 + ON + behind)))); /* began at 0 */
        replay();
        ck_assert_uint_eq(sectors(), behind == 94 ? 2 : 3);
        end();
    }
    begin();
    replay(); /* nothing at all */
    ck_assert_uint_eq(sectors(), 0);
    end();
}
END_TEST

/* SMs 0 and 3 read the same lines at a time, and SM 2 others: of 1280 reads 5, one in 256, are hardly any, and 6 are not. */
START_TEST(many_reads_of_different_lines_are_not_replayed)
{
    for (uint32_t again = 5; again <= 6; again++) {
        begin();
        for (uint8_t warp = 0; warp < again; warp++) {
            add(by(0, warp, reads(COLD + warp, 0)));
            add(by(3, warp, reads(COLD + warp, 0)));
        }
        for (uint32_t line = 0; line < 1280 - 2 * again; line++) add(by(2, line % 64, reads(2 * COLD + line, 0)));
        replay();
        ck_assert_uint_eq(sectors(), again == 5 ? 1280 : 1280 - 6);
        add(by(0, 0, reads(3000, 0))); /* what was not replayed is behind all the same */
        add(by(3, 0, reads(3000, 0)));
        replay();
        ck_assert_uint_eq(sectors(), (again == 5 ? 1280 : 1280 - 6) + 1);
        end();
    }
}
END_TEST

/* Fewer than 1024 in any case. */
START_TEST(few_reads_are_replayed)
{
    for (uint32_t count = 1023; count <= 1024; count++) {
        begin();
        add(by(0, 0, reads(COLD, 0)));
        add(by(3, 0, reads(COLD, 0)));
        for (uint32_t line = 0; line < count - 2; line++) add(by(2, line % 64, reads(2 * COLD + line, 0)));
        replay();
        ck_assert_uint_eq(sectors(), count == 1023 ? 1022 : 1024);
        end();
    }
}
END_TEST

SUITE("replays", what_is_out_of_step_or_of_a_later_wave_is_so_in_l2, blocks_of_later_waves_begin_apart,
      a_block_has_taken_what_went_by_since_it_began, all_notes_are_applied_though_a_partner_never_comes,
      an_old_meeting_lets_no_one_go_twice, a_warp_that_waits_keeps_no_other_from_working,
      a_meeting_begins_anew_in_the_next_replay, blocks_may_follow_each_other_in_a_place,
      time_goes_on_from_one_replay_to_the_next, many_reads_of_different_lines_are_not_replayed, few_reads_are_replayed)
