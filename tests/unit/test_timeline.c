/* When requests leave their SM: warps, what they wait for, and for each other. */
#include "played.h"
#include "suite.h"

/* --- a warp and what it waits for --- */

START_TEST(a_round_trip_waits_for_the_one_before)
{
    play(by(0, 0, reads(WARM, 0)));
    ck_assert(leaves_at(1));
    play(by(0, 0, reads(WARM, 200)));
    ck_assert(leaves_at(201));
    /* 1 and 280 cycles for L2 */
    play(by(0, 0, reads(1, 0)));
    play(by(0, 0, then_reads(WARM, ON)));
    ck_assert(leaves_at(1 + L2 + ON + 1));
    /* 1 and 710 for device memory */
    play(by(0, 0, reads(COLD, 0)));
    play(by(0, 0, then_reads(WARM, ON)));
    ck_assert(leaves_at(1 + DRAM + ON + 1));
    /* a third behind the second */
    play(by(0, 0, reads(COLD, 0)));
    play(by(0, 0, then_reads(1, ON)));
    play(by(0, 0, then_reads(WARM, ON)));
    ck_assert(leaves_at(1 + DRAM + ON + 1 + L2 + ON + 1));
    /* for all that was asked for, not just for the last */
    play(by(0, 0, reads(COLD, 0)));
    play(by(0, 0, reads(1, 0)));
    play(by(0, 0, then_reads(WARM, ON)));
    ck_assert(leaves_at(1 + DRAM + ON + 1));
    /* farther ahead than the wheel goes: 4096 cycles */
    play(by(0, 0, reads(1, 0)));
    play(by(0, 0, then_reads(WARM, 20000)));
    ck_assert(leaves_at(1 + L2 + 20000 + 1));
    /* nothing but time */
    play(by(0, 0, (Note){.kind = NOTE_WORK, .gap = 300}));
    play(by(0, 0, (Note){.kind = NOTE_WORK, .gap = 400, .waits = 1}));
    play(by(0, 0, then_reads(WARM, ON)));
    ck_assert(leaves_at(300 + 400 + ON + 1));
}
END_TEST

/* What one round trip asks for leaves its SM one after the other, 32 sectors in 41 cycles. */
START_TEST(a_round_trip_leaves_sector_by_sector)
{
    /* 2 sectors that do not wait for the first answer: 1.28 and 2.56 cycles */
    play(by(0, 0, reads(COLD, 0)));
    play(by(0, 0, reads(WARM, ON)));
    ck_assert(leaves_at(2));
    /* 8 more: 10 times 1.28 are 12.8 */
    for (uint32_t line = 1; line <= 9; line++) play(by(0, 0, reads(line, 0)));
    play(by(0, 0, reads(WARM, 0)));
    ck_assert(leaves_at(12));
    /* 40 whole lines first: 160 sectors are 205 cycles, and its own 1.28. All leave as the warp comes to them, so that just the last read
     * to join says when. */
    for (uint32_t line = 1; line <= 40; line++) {
        Note whole = by(0, 0, reads(line, 0));
        whole.mask = 0xf;
        play(whole);
    }
    play(by(0, 0, reads(WARM, 0)));
    ck_assert(joins_at(206 + 94) && !joins_at(206 + 95));
    n_played = 0;
}
END_TEST

/* 400 quarters of cycles are 100, and as if by chance up to 18/256 more: 107. A warp's work and what it waits for go on side by side. */
START_TEST(work_takes_the_sm_its_time)
{
    Note works = reads(WARM, 0);
    works.work = 400;
    play(by(0, 0, works));
    ck_assert(leaves_between(101, 108));
    works.gap = 50;
    play(by(0, 0, works));
    ck_assert(leaves_between(101, 108));
    works.gap = 150;
    play(by(0, 0, works));
    ck_assert(leaves_at(151));
    /* two warps of an SM take turns */
    works.gap = 0;
    Note before_it = works;
    before_it.line = COLD;
    play(by(0, 0, before_it));
    play(by(0, 1, works));
    ck_assert(leaves_between(201, 215));
    /* those of two SMs do not */
    play(by(1, 0, before_it));
    play(by(0, 1, works));
    ck_assert(leaves_between(101, 108));
}
END_TEST

/* --- two warps --- */

/* Requests of SMs that read lines 100 to 107 one after the other, and begin so much after the first. */
static uint32_t requests_of(const uint8_t *sms, int n, uint16_t behind) {
    begin();
    for (int i = 0; i < n; i++)
        for (uint32_t line = COLD; line < COLD + 8; line++)
            add(by(sms[i], 0, line == COLD ? reads(line, i ? behind : 0) : then_reads(line, ON)));
    replay();
    uint32_t requests = sectors();
    end();
    return requests;
}

START_TEST(sms_that_read_the_same_are_together_from_the_first_line_on)
{
    static const uint8_t gpc[] = {0, 1, 2, 3}, others[] = {0, 4}, neighbours[] = {0, 1};
    /* The one behind joins the first read, comes back with it, and reads the second at the same time. */
    ck_assert_uint_eq(requests_of(neighbours, 2, 0), 8);
    ck_assert_uint_eq(requests_of(neighbours, 2, 300), 8);
    ck_assert_uint_eq(requests_of(neighbours, 2, DRAM - 185 - 1), 8);
    ck_assert_uint_eq(requests_of(gpc, 4, 300), 8);
    /* 525 behind it asks L2 for the first line, which has come at 806, not at 711; so it is 95 behind at the second, which takes 710, and joins. */
    ck_assert_uint_eq(requests_of(neighbours, 2, DRAM - 185), 9);
    /* 1000 behind it has the first at 1281, where the other has asked for the second at 747: 570 ahead. It has that at 1597 and asks for the third
     * at 1633, where the other did so at 1493: it joins. */
    ck_assert_uint_eq(requests_of(neighbours, 2, 1000), 10);
    /* no one of another GPC joins */
    ck_assert_uint_eq(requests_of(others, 2, 0), 16);
}
END_TEST

START_TEST(a_hit_waits_for_the_line_that_another_warp_asked_for)
{
    /* it comes at 711 */
    play(by(0, 0, reads(COLD, 0)));
    play(by(0, 1, hits(COLD, 10)));
    play(by(0, 1, then_reads(WARM, ON)));
    ck_assert(leaves_at(1 + DRAM + ON + 1));
    /* it is there: L1 answers */
    play(by(0, 0, reads(COLD, 0)));
    play(by(0, 1, hits(COLD, 800)));
    play(by(0, 1, then_reads(WARM, ON)));
    ck_assert(leaves_at(800 + L1 + ON + 1));
    /* nothing was asked for, or another line, or by another SM */
    play(by(0, 1, hits(COLD, 10)));
    play(by(0, 1, then_reads(WARM, ON)));
    ck_assert(leaves_at(10 + L1 + ON + 1));
    play(by(0, 0, reads(COLD + 1, 0)));
    play(by(0, 1, hits(COLD, 10)));
    play(by(0, 1, then_reads(WARM, ON)));
    ck_assert(leaves_at(10 + L1 + ON + 1));
    play(by(1, 0, reads(COLD, 0)));
    play(by(0, 1, hits(COLD, 10)));
    play(by(0, 1, then_reads(WARM, ON)));
    ck_assert(leaves_at(10 + L1 + ON + 1));
    /* L1 is no later than what else the warp asked for */
    play(by(0, 1, reads(1, 0)));
    play(by(0, 1, hits(COLD, 0)));
    play(by(0, 1, then_reads(WARM, ON)));
    ck_assert(leaves_at(1 + L2 + ON + 1));
}
END_TEST

/* --- warps that wait for each other --- */

/* On SM 0 the first blocks begin at 0. From a meeting the warps go on in order, a cycle apart. */
START_TEST(a_meeting_waits_for_the_last_of_its_warps)
{
    static const struct {
        uint32_t first, set;
        uint8_t warps[4]; /* in the set; the second of these is the last to come */
        int n;
        int asked; /* which of them reads WARM then */
    } rows[] = {
        {0, 0x3, {0, 1}, 2, 0},          {0, 0x3, {0, 1}, 2, 1},    {0, 0xf, {0, 1, 2, 3}, 4, 2},
        {8, 0x3, {8, 9}, 2, 0},          {2, 0xb, {2, 3, 5}, 3, 2}, /* not side by side */
        {2, 0xa, {3, 5}, 2, 0},                                     /* not from the block's first warp on */
        {62, 0xd, {62, 0, 1}, 3, 2},                                /* behind an SM's last place comes its first */
        {40, 0x80000001, {40, 7}, 2, 1},                            /* a block's 32nd warp: 71, which is 7 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int w = 0; w < rows[i].n; w++) {
            if (w == 1) play(by(0, rows[i].warps[w], reads(COLD, 0)));
            play(by(0, rows[i].warps[w], meets(rows[i].first, rows[i].set)));
            if (w == rows[i].asked) play(by(0, rows[i].warps[w], then_reads(WARM, ON)));
        }
        ck_assert_msg(leaves_at(1 + DRAM + (uint32_t)rows[i].asked + ON + 1), "row %zu", i);
    }
}
END_TEST

START_TEST(a_meeting_holds_no_other_warp)
{
    /* warp 4 stands between those that meet */
    play(by(0, 2, meets(2, 0xb)));
    play(by(0, 3, reads(COLD, 0)));
    play(by(0, 3, meets(2, 0xb)));
    play(by(0, 5, meets(2, 0xb)));
    play(by(0, 4, reads(WARM, 200)));
    ck_assert(leaves_at(201));
    /* nor that of another SM */
    play(by(0, 0, meets(0, 0x3)));
    play(by(0, 1, reads(COLD, 0)));
    play(by(0, 1, meets(0, 0x3)));
    play(by(1, 0, reads(WARM, 200)));
    ck_assert(leaves_at(201));
}
END_TEST

/* Two halves of a block, each with a barrier of its own. */
START_TEST(two_sets_of_a_block_meet_side_by_side)
{
    play(by(0, 0, meets(0, 0x3)));
    play(by(0, 1, (Note){.kind = NOTE_WORK, .gap = 600}));
    play(by(0, 1, meets(0, 0x3)));
    play(by(0, 2, meets(0, 0xc)));
    play(by(0, 2, then_reads(WARM, ON)));
    play(by(0, 3, (Note){.kind = NOTE_WORK, .gap = 300}));
    play(by(0, 3, meets(0, 0xc)));
    ck_assert(leaves_at(300 + ON + 1));
}
END_TEST

/* A warp that has come to a meeting has what it asked for, whether or not its note waits; the last to come is the last in time. */
START_TEST(a_meeting_waits_for_what_its_warps_asked_for)
{
    for (uint8_t waits = 0; waits < 2; waits++) {
        Note note = by(0, 0, meets(0, 0x3));
        note.waits = waits;
        play(by(0, 0, reads(COLD, 0)));
        play(note);
        play(by(0, 0, then_reads(WARM, ON)));
        play(by(0, 1, (Note){.kind = NOTE_WORK, .gap = 300}));
        play(by(0, 1, meets(0, 0x3)));
        ck_assert(leaves_at(1 + DRAM + ON + 1));
    }
}
END_TEST

/* Two barriers: the first at 711, as warp 0 comes; the second when warp 1 has come again, which read at 712 + 35 and has its answer 711 later. */
START_TEST(warps_meet_again_and_again)
{
    play(by(0, 0, reads(COLD, 0)));
    play(by(0, 0, meets(0, 0x3)));
    play(by(0, 0, meets(0, 0x3)));
    play(by(0, 0, then_reads(WARM, ON)));
    play(by(0, 1, meets(0, 0x3)));
    play(by(0, 1, then_reads(COLD + 1, ON)));
    play(by(0, 1, meets(0, 0x3)));
    ck_assert(leaves_at(711 + 1 + ON + 1 + DRAM + ON + 1));
}
END_TEST

/* --- the order of notes --- */

START_TEST(the_notes_of_a_warp_keep_their_order)
{
    /* Of 100 lines each is written, whole, and read then: from L2. Warps take turns in the order in which notes were added. */
    begin();
    for (uint32_t line = 0; line < 100; line++)
        for (uint8_t warp = 0; warp < 8; warp++)
            add(by(warp / 4, warp, (Note){.kind = NOTE_WRITE, .line = 1000 + line + 1000 * warp, .words = 0xff}));
    for (uint32_t line = 0; line < 100; line++)
        for (uint8_t warp = 0; warp < 8; warp++) add(by(warp / 4, warp, reads(1000 + line + 1000 * warp, 0)));
    uint64_t read = coalescer_totals(coalescer).dram.read;
    replay();
    ck_assert_uint_eq(sectors(), 800);
    ck_assert_uint_eq(coalescer_totals(coalescer).dram.read - read, 0);
    end();
    /* read, and written then: device memory has been asked */
    begin();
    for (uint32_t line = 0; line < 100; line++) {
        add(by(0, 0, reads(1000 + line, 0)));
        add(by(0, 0, (Note){.kind = NOTE_WRITE, .line = 1000 + line, .words = 0xff}));
    }
    read = coalescer_totals(coalescer).dram.read;
    replay();
    ck_assert_uint_eq(coalescer_totals(coalescer).dram.read - read, 100);
    end();
}
END_TEST

/* Of two SMs the earlier comes first, whichever was noted first. */
START_TEST(time_decides_between_warps)
{
    for (int order = 0; order < 2; order++)
        for (int kind = 0; kind < 2; kind++)
            for (uint16_t at = 50; at <= 150; at += 100) {
                const Note writes = by(0, 0,
                                       kind ? (Note){.kind = NOTE_WRITE, .line = COLD, .words = 0xff, .gap = 100}
                                            : (Note){.kind = NOTE_ATOMIC, .line = COLD, .mask = 1, .words = 1, .gap = 100});
                begin();
                if (order) add(writes);
                add(by(1, 0, reads(COLD, at)));
                if (!order) add(writes);
                uint64_t read = coalescer_totals(coalescer).dram.read;
                replay();
                /* What an atomic needs is asked for by itself or by the read before it; what was written first need not be read. */
                ck_assert_uint_eq(coalescer_totals(coalescer).dram.read - read, kind == 0 || at < 100);
                ck_assert_uint_eq(sectors(), 1);
                end();
            }
}
END_TEST

SUITE("timeline", a_round_trip_waits_for_the_one_before, a_round_trip_leaves_sector_by_sector, work_takes_the_sm_its_time,
      sms_that_read_the_same_are_together_from_the_first_line_on, a_hit_waits_for_the_line_that_another_warp_asked_for,
      a_meeting_waits_for_the_last_of_its_warps, a_meeting_holds_no_other_warp, two_sets_of_a_block_meet_side_by_side,
      a_meeting_waits_for_what_its_warps_asked_for, warps_meet_again_and_again, the_notes_of_a_warp_keep_their_order,
      time_decides_between_warps)
