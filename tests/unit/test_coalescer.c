/* What leaves the SMs, request by request, by the rules that stand in coalescer.h and traffic.h. Every expected number is worked out from them by
 * hand; that the rules give an H200's counts is for test_traffic.c to show. */

#include "observe/traffic.h"
#include "suite.h"

enum { SMS = 8, MOST = 200, L2 = 280, DRAM = 710 };

/* Cycles before its answer from which a read is joined no more: the last that join come 94 cycles behind one to L2, 524 behind one to device
 * memory. */
enum { RETURN = 185 };

/* SMs 0 to 3 are a GPC, 4 to 7 another. */
#define TWO_GPCS .gpc_sms = {4, 4}, .l1_cycles = 33, .l2_cycles = L2, .dram_cycles = DRAM

/* --- reads in flight: coalescer_read --- */

static Coalescer *coalescer;

typedef struct Asked {
    int32_t at;
    uint32_t line;
    uint8_t mask;
    uint8_t by; /* the SM, and what is not so for all */
} Asked;

enum { ALONE = 16 /* not in step */, WAVE = 32 /* in wave 1 */, THIRD = 2 * WAVE, LATER = 3 * WAVE };

enum { LONG_AGO = -5000, IN_L2 = 7, TOO = 8 /* another line in L2 */, COLD = 100 };

static uint32_t asks(const Asked *asked) {
    const Read read = {.line = asked->line,
                       .mask = asked->mask,
                       .sm = asked->by % ALONE,
                       .wave = asked->by / WAVE,
                       .in_step = (asked->by & ALONE) == 0};
    return coalescer_read(coalescer, &read, (uint32_t)asked->at);
}

static uint64_t sectors_so_far(void) { return coalescer_totals(coalescer).l2_read_sectors; }

/* L2 has two lines, whose reads came back long ago. */
static uint64_t begin_reads(const MergeConfig *merge) {
    const CacheConfig l2 = {.bytes = 1 << 24, .ways = 16};
    coalescer = coalescer_new(merge, SMS, SMS, &l2);
    asks(&(Asked){.at = LONG_AGO, .line = IN_L2, .mask = 0xf});
    asks(&(Asked){.at = LONG_AGO, .line = TOO, .mask = 0xf});
    return sectors_so_far();
}

/* Sectors that reach L2, of reads in this order; mask 0 ends them. */
static uint64_t sectors_of(const MergeConfig *merge, const Asked *asked) {
    uint64_t before_them = begin_reads(merge);
    for (; asked->mask; asked++) asks(asked);
    uint64_t sectors = sectors_so_far() - before_them;
    coalescer_free(coalescer);
    return sectors;
}

START_TEST(so_many_requests_become_one)
{
    const CacheConfig none = {0};
    for (uint32_t limit = 0; limit <= 5; limit++)
        for (uint32_t n = 1; n <= 12; n++) {
            const uint32_t together = limit < 2 ? 1 : limit;
            coalescer = coalescer_new(&(MergeConfig){.limit = limit, TWO_GPCS}, SMS, SMS, &none);
            for (uint32_t i = 0; i < n; i++) asks(&(Asked){0, 7, 0x6, i % 2 ? ALONE : 0});
            ck_assert_uint_eq(sectors_so_far(), 2 * ((n + together - 1) / together));
            ck_assert_uint_eq(coalescer_totals(coalescer).dram.read, sectors_so_far()); /* there is no L2 */
            coalescer_free(coalescer);
        }
}
END_TEST

/* The first read is answered by device memory, DRAM cycles behind it. A second one finds its sector in L2, which would answer L2 cycles behind it; before
 * device memory has, it waits for that. What device memory sends along with the sector that was asked for is not counted as late. */
START_TEST(what_l2_has_been_promised_comes_late)
{
    const CacheConfig pairs = {.bytes = 1 << 24, .ways = 16, .pairs = true};
    static const struct {
        Asked second;
        uint64_t late;
    } rows[] = {{{100, COLD, 1, 4}, DRAM - 100 - L2}, /* of another GPC */
                {{500, COLD, 1, 4}, 0},
                {{100, COLD, 2, 4}, 0}, /* the other sector of the pair */
                {{100, COLD, 1, 1}, 0}, /* joins the first */
                {{100, COLD + 1, 1, 4}, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        coalescer = coalescer_new(&(MergeConfig){.limit = 4, TWO_GPCS}, SMS, SMS, &pairs);
        asks(&(Asked){0, COLD, 1, 0});
        asks(&rows[i].second);
        const TrafficTotals totals = coalescer_totals(coalescer);
        ck_assert_uint_eq(totals.late_cycles, rows[i].late);
        ck_assert_uint_eq(totals.timed_reads, rows[i].second.by == 1 ? 1 : 2);
        coalescer_free(coalescer);
    }
}
END_TEST

START_TEST(reads_join_others_of_the_same_sectors_and_gpc)
{
    static const struct {
        Asked asked[7];
        uint64_t sectors;
    } rows[] = {
        {{{0, 7, 1, 0}, {0, 7, 1, 0}}, 1},
        {{{0, 7, 1, 0}, {0, 7, 2, 0}}, 2},
        {{{0, 7, 1, 0}, {0, 7, 3, 0}}, 3}, /* a part of the sectors is not enough */
        {{{0, 7, 3, 0}, {0, 7, 1, 0}}, 3},
        {{{0, 7, 0xf, 0}, {0, 7, 0xf, 1}}, 4},
        {{{0, 7, 1, 0}, {0, 8, 1, 0}}, 2},
        {{{0, 7, 1, 0}, {0, 8, 1, 0}, {0, 7, 1, 0}, {0, 8, 1, 0}}, 2}, /* other lines may come between */
        {{{0, 0, 1, 0}, {0, 0, 1, 1}}, 1},                             /* line 0 is one like others */
        /* SMs of a GPC, and of two */
        {{{0, 7, 1, 0}, {0, 7, 1, 1}, {0, 7, 1, 2}, {0, 7, 1, 3}}, 1},
        {{{0, 7, 1, 3}, {0, 7, 1, 4}}, 2},
        {{{0, 7, 1, 0}, {0, 7, 1, 4}, {0, 7, 1, 3}, {0, 7, 1, 7}}, 2},
        /* in later waves the same, and of two waves */
        {{{0, 7, 1, LATER + 0}, {0, 7, 1, LATER + 1}, {0, 7, 1, LATER + 3}}, 1},
        {{{0, 7, 1, LATER + 3}, {0, 7, 1, LATER + 4}}, 2},
        {{{0, 7, 1, 0}, {0, 7, 1, LATER + 0}}, 1},
        /* out of step: with the SM's own alone; but those in step join them */
        {{{0, 7, 1, ALONE + 0}, {0, 7, 1, ALONE + 0}}, 1},
        {{{0, 7, 1, 0}, {0, 7, 1, ALONE + 1}}, 2},
        {{{0, 7, 1, ALONE + 0}, {0, 7, 1, ALONE + 1}}, 2},
        {{{0, 7, 1, ALONE + 0}, {0, 7, 1, 1}}, 1},
        {{{0, 7, 1, 0}, {0, 7, 1, ALONE + 1}, {0, 7, 1, ALONE + 1}}, 2},
        {{{0, 7, 1, ALONE + LATER + 0}, {0, 7, 1, ALONE + LATER + 1}, {0, 7, 1, ALONE + LATER + 1}}, 2},
        /* four become one, whichever SMs they come from */
        {{{0, 7, 1, 0}, {0, 7, 1, 1}, {0, 7, 1, 0}, {0, 7, 1, 1}, {0, 7, 1, 2}, {0, 7, 1, 0}}, 2},
    };
    const MergeConfig merge = {.limit = 4, TWO_GPCS};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t sectors = sectors_of(&merge, rows[i].asked);
        ck_assert_msg(sectors == rows[i].sectors, "row %zu: %u sectors", i, (unsigned)sectors);
    }
}
END_TEST

START_TEST(many_lines_are_in_flight_at_once)
{
    const MergeConfig merge = {.limit = 4, TWO_GPCS};
    begin_reads(&merge);
    uint64_t before_them = sectors_so_far();
    for (int round = 0; round < 4; round++)
        for (uint32_t line = 1000; line < 3000; line++)
            for (uint8_t sm = 0; sm < SMS; sm += 4) asks(&(Asked){0, line, 1, sm});
    ck_assert_uint_eq(sectors_so_far() - before_them, 2 * 2000); /* once for each GPC */
    coalescer_free(coalescer);
}
END_TEST

/* The first read leaves at 1000, the second so many cycles later. */
START_TEST(reads_join_until_the_answer_is_on_its_last_way)
{
    static const struct {
        uint32_t line;
        int32_t behind;
        uint64_t requests;
    } rows[] = {
        {IN_L2, 0, 1},
        {IN_L2, L2 - RETURN - 1, 1},
        {IN_L2, L2 - RETURN, 2},
        {IN_L2, L2, 2},
        {IN_L2, DRAM - RETURN - 1, 2},
        {COLD, 0, 1},
        {COLD, L2 - RETURN, 1},
        {COLD, DRAM - RETURN - 1, 1},
        {COLD, DRAM - RETURN, 2},
        {COLD, DRAM, 2},
        /* Times come nearly in order: one that was sent before may come after it. */
        {IN_L2, -1, 1},
        {IN_L2, 1 - L2, 1},
        {IN_L2, -L2, 2},
        {COLD, 1 - L2, 1},
        {COLD, -L2, 2},
    };
    const MergeConfig merge = {.limit = 4, TWO_GPCS};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Asked asked[] = {{1000, rows[i].line, 1, 0}, {1000 + rows[i].behind, rows[i].line, 1, 1}, {0}};
        uint64_t requests = sectors_of(&merge, asked);
        ck_assert_msg(requests == rows[i].requests, "row %zu: %u requests", i, (unsigned)requests);
    }
    /* Who joins does not hold the answer up for those behind: they go by the first. */
    const Asked chain[] = {{0, IN_L2, 1, 0}, {90, IN_L2, 1, 1}, {95, IN_L2, 1, 2}, {189, IN_L2, 1, 3}, {190, IN_L2, 1, 0}, {0}};
    ck_assert_uint_eq(sectors_of(&merge, chain), 3); /* 0 and 90, 95 and 189, 190 */
    /* Cycles count modulo 2^32. */
    const Asked around[] = {{-50, IN_L2, 1, 0}, {44, IN_L2, 1, 1}, {45, IN_L2, 1, 1}, {0}};
    ck_assert_uint_eq(sectors_of(&merge, around), 2);
}
END_TEST

/* Of how many of 1000 lines a second read joins, so many cycles behind. With noise of a quarter of the way, 70 cycles, some do for 60 to 129. */
START_TEST(until_when_a_read_is_joined_differs_from_line_to_line)
{
    enum { LINES = 1000 };
    static const int32_t rows[][3] = /* behind, least, most */
        {{59, LINES, LINES}, {77, 700, 800}, {95, 450, 550}, {112, 200, 300}, {129, 0, 0}};
    const MergeConfig merge = {.limit = 4, .way_noise = 64, TWO_GPCS};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_reads(&merge);
        for (uint32_t line = 1000; line < 1000 + LINES; line++) asks(&(Asked){LONG_AGO, line, 1, 0});
        const uint64_t before_them = sectors_so_far();
        for (uint32_t line = 1000; line < 1000 + LINES; line++)
            for (int second = 0; second < 2; second++) asks(&(Asked){second * rows[i][0], line, 1, 0});
        int joined = 2 * LINES - (int)(sectors_so_far() - before_them);
        ck_assert_msg(joined >= rows[i][1] && joined <= rows[i][2], "%d behind: %d", rows[i][0], joined);
        coalescer_free(coalescer);
    }
}
END_TEST

START_TEST(answers_come_when_they_are_said_to)
{
    static const struct {
        Asked asked[3];
        int32_t answered; /* the last of them */
    } rows[] = {
        {{{0, IN_L2, 1, 0}}, L2},
        {{{0, COLD, 1, 0}}, DRAM},
        {{{0, IN_L2, 1, 0}, {94, IN_L2, 1, 1}}, L2}, /* that of the one it joins */
        {{{0, IN_L2, 1, 0}, {95, IN_L2, 1, 1}}, 95 + L2},
        {{{0, COLD, 1, 0}, {524, COLD, 1, 1}}, DRAM},
        /* Another GPC's read joins nothing, but what device memory sends comes for it, too. */
        {{{0, COLD, 1, 0}, {100, COLD, 1, 4}}, DRAM},
        {{{0, COLD, 1, 0}, {DRAM - L2 - 1, COLD, 1, 4}}, DRAM},
        {{{0, COLD, 1, 0}, {DRAM - L2, COLD, 1, 4}}, DRAM},
        {{{0, COLD, 1, 0}, {DRAM - L2 + 1, COLD, 1, 4}}, DRAM + 1}, /* it is there before the question */
        {{{0, COLD, 1, 0}, {525, COLD, 1, 1}}, 525 + L2},
        {{{0, COLD, 1, 0}, {100, COLD, 1, ALONE + 1}}, DRAM},
        {{{0, COLD, 1, 0}, {100, TOO, 1, 4}}, 100 + L2}, /* of another line */
        /* Another GPC's was sent before, though it comes after: it was that which asked device memory. */
        {{{1000, COLD, 1, 0}, {900, COLD, 1, 4}}, 900 + DRAM},
        {{{1000, COLD, 1, 0}, {900, COLD, 1, 4}, {1001, COLD, 1, ALONE + 5}}, 900 + DRAM},
        /* A sector that has not come is asked for, with whatever else. */
        {{{0, COLD, 1, 0}, {100, COLD, 3, 0}}, 100 + DRAM},
    };
    const MergeConfig merge = {.limit = 4, TWO_GPCS};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t answered = 0;
        begin_reads(&merge);
        for (const Asked *asked = rows[i].asked; asked < rows[i].asked + 3 && asked->mask; asked++) answered = asks(asked);
        ck_assert_msg(answered == (uint32_t)rows[i].answered, "row %zu: %d", i, (int32_t)answered);
        coalescer_free(coalescer);
    }
    /* However many lines device memory sends, those that it does not send do not wait for them. */
    begin_reads(&merge);
    for (uint32_t line = 1000; line < 41000; line++) asks(&(Asked){0, line, 1, 0});
    ck_assert_uint_eq(asks(&(Asked){100, TOO, 1, 4}), 100 + L2);
    coalescer_free(coalescer);
    const MergeConfig no_coalescer = {.limit = 1, TWO_GPCS};
    begin_reads(&no_coalescer);
    ck_assert_uint_eq(asks(&(Asked){5, COLD, 1, 0}), 5); /* it knows no time */
    coalescer_free(coalescer);
}
END_TEST

/* --- other sectors of the line --- */

START_TEST(other_sectors_of_a_line_in_flight_spoil_it)
{
    static const struct {
        Asked asked[7];
        uint64_t requests;
    } rows[] = {
        {{{0, 7, 1, 0}, {0, 7, 2, 0}, {0, 7, 1, 0}}, 3},
        {{{0, 7, 1, 0}, {0, 7, 2, 0}, {0, 7, 2, 0}}, 3},
        {{{0, 7, 1, 0}, {0, 7, 2, 0}, {0, 7, 4, 0}, {0, 7, 4, 0}}, 4},
        {{{0, 7, 1, 0}, {0, 7, 2, 1}, {0, 7, 2, 2}}, 3},               /* whichever SM asks */
        {{{0, 7, 1, 0}, {0, 7, 2, ALONE + 1}, {0, 7, 1, 0}}, 3},       /* in step or not */
        {{{0, 7, 1, 0}, {0, 7, 2, 4}, {0, 7, 1, 1}, {0, 7, 2, 5}}, 2}, /* but not another GPC */
        {{{0, 7, 1, 0}, {0, 8, 2, 0}, {0, 7, 1, 0}, {0, 8, 2, 0}}, 2}, /* nor another line */
        {{{0, 7, 1, 0}, {94, 7, 2, 0}, {94, 7, 2, 0}}, 3},             /* it flies as long as it may be joined, */
        {{{0, 7, 1, 0}, {95, 7, 2, 0}, {95, 7, 2, 0}}, 2},             /* no longer, whatever the SM asks for: */
        {{{0, 7, 1, LATER}, {50, 7, 2, LATER}, {94, 7, 2, LATER}, {95, 7, 2, LATER}}, 4},
        {{{0, 7, 1, LATER}, {50, 7, 2, LATER}, {95, 7, 2, LATER}, {96, 7, 2, LATER}}, 3},
        {{{0, 7, 1, LATER}, {50, 7, 2, LATER}, {95, 7, 1, LATER}, {96, 7, 1, LATER}}, 3},
        /* Then it is the line of whichever comes next. */
        {{{0, 7, 1, LATER}, {50, 7, 2, LATER}, {95, 7, 4, LATER}, {97, 7, 4, LATER}, {98, 7, 2, LATER}}, 4},
        /* What another SM asks for makes it last longer: 50 + 280 - 185 = 145, 90 + 95 = 185. */
        {{{0, 7, 1, LATER}, {50, 7, 2, LATER + 1}, {144, 7, 2, LATER}, {145, 7, 2, LATER}}, 4},
        {{{0, 7, 1, LATER}, {50, 7, 2, LATER + 1}, {145, 7, 2, LATER}, {146, 7, 2, LATER}}, 3},
        {{{0, 7, 1, LATER}, {50, 7, 2, LATER}, {90, 7, 2, LATER + 1}, {184, 7, 2, LATER}, {185, 7, 2, LATER}}, 5},
        {{{0, 7, 1, LATER}, {50, 7, 2, LATER}, {90, 7, 2, LATER + 1}, {185, 7, 2, LATER}, {186, 7, 2, LATER}}, 4},
        {{{0, 7, 1, LATER}, {50, 7, 2, LATER}, {90, 7, 1, LATER + 1}, {185, 7, 2, LATER}, {186, 7, 2, LATER}}, 4},
        /* While all SMs begin together, so does what the same SM asks for. */
        {{{0, 7, 1, 0}, {50, 7, 2, 0}, {144, 7, 2, 0}, {145, 7, 2, 0}}, 4},
        {{{0, 7, 1, 0}, {50, 7, 2, 0}, {145, 7, 2, 0}, {146, 7, 2, 0}}, 3},
        {{{0, 7, 1, THIRD}, {50, 7, 2, THIRD}, {144, 7, 2, THIRD}, {145, 7, 2, THIRD}}, 4},
        {{{0, 7, 1, 0}, {50, 7, 2, 0}, {90, 7, 2, 0}, {185, 7, 2, 0}, {186, 7, 2, 0}}, 4},
        /* The one that may be joined last need not be the last that came: 90 + 95 = 185. */
        {{{90, 7, 1, 0}, {50, 7, 2, 1}, {184, 7, 2, 0}, {184, 7, 2, 0}}, 4},
        {{{90, 7, 1, 0}, {50, 7, 2, 1}, {185, 7, 2, 0}, {185, 7, 2, 0}}, 3},
    };
    const MergeConfig merge = {.limit = 4, TWO_GPCS};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t requests = sectors_of(&merge, rows[i].asked);
        ck_assert_msg(requests == rows[i].requests, "row %zu: %u requests", i, (unsigned)requests);
    }
    /* A grid with no block for some SMs: they are not many enough to hold L2 up. */
    coalescer = coalescer_new(&merge, SMS, SMS - 1, &(CacheConfig){.bytes = 1 << 24, .ways = 16});
    const Asked few[] = {{LONG_AGO, 7, 0xf, 0}, {0, 7, 1, 0}, {50, 7, 2, 0}, {95, 7, 2, 0}, {96, 7, 2, 0}, {0}};
    for (const Asked *asked = few; asked->mask; asked++) asks(asked);
    ck_assert_uint_eq(sectors_so_far(), 4 + 3);
    coalescer_free(coalescer);
}
END_TEST

/* 32 reads of one line at the same time, of whose sectors two take turns. The first so many may become one, by fours; all others come to a line
 * that is spoilt: 1 + 31, 1 + 30, 1 + 28, 2 + 24. */
START_TEST(sectors_that_take_turns)
{
    static const struct {
        uint32_t turn;
        uint64_t requests;
    } rows[] = {{1, 32}, {2, 31}, {4, 29}, {8, 26}, {32, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t line = IN_L2; line <= COLD; line += COLD - IN_L2) {
            Asked asked[33] = {0};
            for (uint32_t k = 0; k < 32; k++) asked[k] = (Asked){.line = line, .mask = k / rows[i].turn % 2 ? 2 : 1};
            uint64_t requests = sectors_of(&(MergeConfig){.limit = 4, TWO_GPCS}, asked);
            ck_assert_msg(requests == rows[i].requests, "turns of %u: %u", rows[i].turn, (unsigned)requests);
        }
}
END_TEST

/* --- which GPCs run a grid of few blocks --- */

/* Eight blocks run in the first GPC, the others are shared out: as many to each, but to the first no more than one on each of its four other
 * pairs of SMs while that is enough. As seen on an H200. */
START_TEST(few_blocks_are_shared_out_over_gpcs)
{
    enum { H200_SMS = 132 };
    static const struct {
        uint64_t blocks;
        uint32_t sms[GPCS_MOST];
    } rows[] = {
        {5, {5}},
        {8, {8}},
        {16, {9, 1, 1, 1, 1, 1, 1, 1}},
        {32, {11, 3, 3, 3, 3, 3, 3, 3}},
        {64, {12, 8, 8, 8, 7, 7, 7, 7}},
        {100, {16, 12, 12, 12, 12, 12, 12, 12}},
        {132, {16, 16, 16, 16, 16, 16, 18, 18}},
        {1000000, {16, 16, 16, 16, 16, 16, 18, 18}},
    };
    const MergeConfig merge = {
        .limit = 4, .gpc_sms = {16, 16, 16, 16, 16, 16, 18, 18}, .first_sms = 8, .l2_cycles = L2, .dram_cycles = DRAM};
    const CacheConfig none = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t gpc[H200_SMS], sms = 0, line = 0;
        for (uint32_t g = 0; g < GPCS_MOST; g++)
            for (uint32_t k = 0; k < rows[i].sms[g]; k++) gpc[sms++] = g;
        coalescer = coalescer_new(&merge, H200_SMS, rows[i].blocks, &none);
        for (uint32_t a = 0; a < sms; a++)
            for (uint32_t b = 0; b < sms; b++) {
                uint64_t before_them = sectors_so_far();
                const Read first = {.line = ++line, .mask = 1, .sm = (uint8_t)a, .in_step = true};
                const Read second = {.line = line, .mask = 1, .sm = (uint8_t)b, .in_step = true};
                coalescer_read(coalescer, &first, 0);
                coalescer_read(coalescer, &second, 0);
                bool joined = sectors_so_far() - before_them == 1;
                ck_assert_msg(joined == (gpc[a] == gpc[b]), "%u blocks: SMs %u and %u", (unsigned)rows[i].blocks, a, b);
            }
        coalescer_free(coalescer);
    }
}
END_TEST

/* --- from the SMs through the log --- */

static Traffic *traffic;
static TrafficLog *log_of;

/* Without a cache: whatever reaches L2 goes on to device memory. */
static void begin_with(const MergeConfig *merge, uint64_t l2_bytes) {
    const CacheConfig l2 = {.bytes = l2_bytes, .ways = 1};
    traffic = traffic_new(merge, SMS, SMS, &l2);
    log_of = traffic_log_new(traffic);
}

static void begin(MergeConfig merge) { begin_with(&merge, 0); }

static void end(void) {
    traffic_log_free(log_of);
    traffic_free(traffic);
}

static void reads_by(TrafficLog *log, uint64_t batch, uint32_t line, uint32_t mask, bool in_step) {
    const Note note = {.kind = NOTE_READ, .line = line, .mask = mask & 0xf, .sm = (uint8_t)(batch % SMS), .in_step = in_step};
    *traffic_note(log, NULL) = note;
}

static void reads(uint32_t line, uint32_t mask) { reads_by(log_of, 0, line, mask, true); }

static void ends(uint64_t batch) {
    traffic_end(log_of);
    traffic_commit(log_of, batch);
}

static uint64_t sectors(void) { return traffic_totals(traffic).l2_read_sectors; }

/* Two waves of a batch on each SM, all of which read the same line as a whole. What is not in step is no one else's. */
START_TEST(sms_of_a_gpc_ask_once)
{
    static const struct {
        uint32_t gpc_sms[GPCS_MOST], limit, requests;
    } rows[] = {{{4, 4}, MOST, 2 + 2},
                {{2, 2, 2, 2}, MOST, 4 + 4},
                {{1, 1, 1, 1, 1, 1, 1, 1}, MOST, 8 + 8},
                {{8}, MOST, 1 + 1},
                {{8}, 3, 3 + 3},
                {{8}, 1, 16}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int in_step = 0; in_step < 2; in_step++) {
            MergeConfig merge = {.limit = rows[i].limit, .l2_cycles = L2, .dram_cycles = DRAM};
            for (int g = 0; g < GPCS_MOST; g++) merge.gpc_sms[g] = rows[i].gpc_sms[g];
            begin(merge);
            for (uint64_t batch = 0; batch < 16; batch++) {
                traffic_begin(log_of, batch);
                reads_by(log_of, batch, 7, 0xf, in_step);
                ends(batch);
            }
            const uint64_t expected = 4 * (in_step ? rows[i].requests : 16);
            ck_assert_msg(sectors() == expected, "row %zu, in step %d: %u", i, in_step, (unsigned)sectors());
            end();
        }
}
END_TEST

/* Which notes are of a later wave is said by the batch: were it all one wave, the 16 reads of a GPC of 8 SMs would all be one. Nobody asks for
 * totals between the waves. */
START_TEST(a_wave_that_is_complete_is_replayed)
{
    begin((MergeConfig){.limit = MOST, .gpc_sms = {8}, .l2_cycles = L2, .dram_cycles = DRAM});
    for (uint64_t batch = 0; batch < 2 * SMS; batch++) {
        traffic_begin(log_of, batch);
        reads_by(log_of, batch, 7, 1, true);
        ends(batch);
    }
    ck_assert_uint_eq(sectors(), 2);
    end();
}
END_TEST

/* --- writes and atomics, seen by what a cache of one line gives back --- */

static void writes(uint32_t warp, uint32_t line, uint32_t words) {
    Footprint footprint = {.n_lines = 1, .line = {line}, .words = {words}};
    traffic_write(log_of, 0, warp, &footprint, NULL);
}

START_TEST(writes_of_a_batch_to_one_line_are_one)
{
    static const struct {
        uint32_t first, between, second; /* lines; 0: none */
        bool other_batch;
        uint64_t written, filled; /* sectors, when line 99 has come in place of all */
        bool reads; /* the line first, in the log that begins anew: a read stands where the write stood, and none joins it */
    } rows[] = {{7, 0, 7, true, 2, 1, true},   {7, 0, 7, false, 1, 0, false},
                {7, 8, 7, false, 2, 0, false}, /* the second half goes with the first: 7, whole, then 8 */
                {7, 8, 7, true, 3, 2, false},  /* half of 7, 8, the other half */
                {7, 0, 8, false, 2, 2, false}, {7, 7, 7, false, 1, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_with(&(MergeConfig){0}, 128);
        traffic_begin(log_of, 0);
        writes(0, rows[i].first, 0x0f);
        if (rows[i].between) writes(1, rows[i].between, 0xff);
        if (rows[i].other_batch) {
            ends(0);
            traffic_begin(log_of, 1);
        }
        if (rows[i].reads) reads(rows[i].second, 1);
        writes(2, rows[i].second, rows[i].reads ? 0xff00 : 0xf0);
        reads(99, 1);
        ends(rows[i].other_batch);
        const CacheTraffic dram = traffic_totals(traffic).dram;
        ck_assert_msg(dram.written == rows[i].written && dram.filled == rows[i].filled, "row %zu: %u written, %u filled", i,
                      (unsigned)dram.written, (unsigned)dram.filled);
        ck_assert_uint_eq(sectors(), 1 + rows[i].reads);
        end();
    }
}
END_TEST

/* Each of a store's lines is a write of its own, which later ones may join. */
START_TEST(a_store_writes_all_its_lines)
{
    const Footprint lower = {.n_lines = 2, .line = {7, 8}, .words = {0x0f, 0x0f}},
                    upper = {.n_lines = 2, .line = {7, 8}, .words = {0xf0, 0xf000}};
    begin_with(&(MergeConfig){0}, 128);
    traffic_begin(log_of, 0);
    traffic_write(log_of, 0, 0, &lower, NULL);
    traffic_write(log_of, 0, 1, &upper, NULL);
    reads(99, 1);
    ends(0);
    ck_assert_uint_eq(traffic_totals(traffic).dram.written, 1 + 2); /* 7: a whole sector; 8: half of one, and half of another */
    ck_assert_uint_eq(traffic_totals(traffic).dram.filled, 2);
    end();
}
END_TEST

START_TEST(an_atomic_reads_and_writes_in_l2_alone)
{
    const Note atomic = {.kind = NOTE_ATOMIC, .line = 7, .mask = 0x5, .words = 0x10001}; /* a word of sectors 0 and 2 */
    for (uint32_t limit = 0; limit <= 4; limit += 4) {                                   /* at once, and replayed */
        begin_with(&(MergeConfig){.limit = limit, TWO_GPCS}, 128);
        traffic_begin(log_of, 0);
        *traffic_note(log_of, NULL) = atomic;
        *traffic_note(log_of, NULL) = atomic;
        ends(0);
        ck_assert_uint_eq(sectors(), 0);
        ck_assert_uint_eq(traffic_totals(traffic).dram.read, 2);
        traffic_begin(log_of, 1);
        reads(8, 1);
        ends(1);
        ck_assert_uint_eq(sectors(), 1);
        ck_assert_uint_eq(traffic_totals(traffic).dram.written, 2);
        ck_assert_uint_eq(traffic_totals(traffic).dram.filled, 0);
        end();
    }
}
END_TEST

/* --- the log --- */

START_TEST(a_batch_may_have_more_notes_than_the_log_holds)
{
    enum { NOTES = (1 << 20) + 1000 };
    for (uint32_t limit = 0; limit <= 4; limit += 4) {
        begin((MergeConfig){.limit = limit, TWO_GPCS});
        for (uint64_t batch = 0; batch < 2; batch++) {
            traffic_begin(log_of, batch);
            for (uint32_t i = 0; i < NOTES; i++) reads(i, 0x3);
            ends(batch);
            ck_assert_uint_eq(sectors(), (batch + 1) * 2 * NOTES);
        }
        end();
    }
}
END_TEST

/* A write joins none that has been handed on. */
START_TEST(a_write_behind_a_full_log_is_one_of_its_own)
{
    enum { NOTES = 1 << 20 };
    begin_with(&(MergeConfig){0}, 128);
    traffic_begin(log_of, 0);
    writes(0, 7, 0x0f);
    for (uint32_t i = 0; i < NOTES; i++) reads(99, 1);
    writes(0, 7, 0xf0);
    reads(99, 1);
    ends(0);
    ck_assert_uint_eq(traffic_totals(traffic).dram.written, 2);
    ck_assert_uint_eq(traffic_totals(traffic).dram.filled, 2);
    end();
}
END_TEST

/* A worker may have noted several batches before the first is committed. */
START_TEST(batches_wait_in_the_log)
{
    for (uint32_t limit = 0; limit <= 4; limit += 4) { /* 0: each read is a request */
        TrafficLog *other;
        begin((MergeConfig){.limit = limit, TWO_GPCS});
        other = traffic_log_new(traffic);
        traffic_begin(log_of, 0);
        reads_by(log_of, 0, 7, 0xf, true);
        traffic_end(log_of);
        traffic_begin(log_of, 2);
        reads_by(log_of, 2, 7, 0xf, true);
        reads_by(log_of, 2, 8, 0x1, true);
        traffic_end(log_of);
        traffic_begin(other, 1);
        reads_by(other, 1, 7, 0xf, true);
        traffic_end(other);
        ck_assert_uint_eq(sectors(), 0);
        traffic_commit(log_of, 0);
        ck_assert_uint_eq(sectors(), 4);
        traffic_commit(other, 1);
        ck_assert_uint_eq(sectors(), limit ? 4 : 8);
        traffic_commit(log_of, 2);
        ck_assert_uint_eq(sectors(), limit ? 5 : 13);
        traffic_log_free(other);
        end();
    }
}
END_TEST

SUITE("coalescer", so_many_requests_become_one, reads_join_others_of_the_same_sectors_and_gpc, many_lines_are_in_flight_at_once,
      reads_join_until_the_answer_is_on_its_last_way, until_when_a_read_is_joined_differs_from_line_to_line,
      answers_come_when_they_are_said_to, other_sectors_of_a_line_in_flight_spoil_it, sectors_that_take_turns,
      what_l2_has_been_promised_comes_late, few_blocks_are_shared_out_over_gpcs, sms_of_a_gpc_ask_once,
      a_wave_that_is_complete_is_replayed, writes_of_a_batch_to_one_line_are_one, a_store_writes_all_its_lines,
      an_atomic_reads_and_writes_in_l2_alone, a_batch_may_have_more_notes_than_the_log_holds,
      a_write_behind_a_full_log_is_one_of_its_own, batches_wait_in_the_log)
