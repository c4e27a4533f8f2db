/* Where things stand in a figure (report/svg_sectors.h, svg_banks.h, figure.h), of 720 columns with 24 free at both sides. The line of source is at 50, and
 * what is drawn begins at 60. Maps in text (report/map.h), to the column. */
#include "handmade.h"
#include "report/layout.h"
#include "report/map.h"
#include "report/svg.h"
#include "suite.h"

static Text drawn;

static void draw(Sample sample) {
    text_free(&drawn);
    put(0, 1, sample, 1);
    report_svg(&report, &insn_counters[0].worst, &drawn);
}

static void end(void) {
    text_free(&drawn);
    teardown();
}

static void holds(const char *wanted) { ck_assert_msg(strstr(text_string(&drawn), wanted), "no %s", wanted); }
static void lacks(const char *unwanted) { ck_assert_msg(!strstr(text_string(&drawn), unwanted), "%s", unwanted); }

static size_t count_of(const char *what) {
    size_t count = 0;
    for (const char *at = text_string(&drawn); (at = strstr(at, what)); at++) count++;
    return count;
}

/* What is drawn begins at 60 below a line of source, of 98 columns at most, without one at 42. */
START_TEST(a_head_has_the_place_and_its_line)
{
    Sample sample = strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 0, LANES_ALL);
    static char source[200] = "\n";
    memset(source + 1, 'x', 98);
    report.source_text = source;
    draw(sample);
    holds("<text x=\"24.0\" y=\"30.0\" class=\"ws-title\">kernel.cu:2, global load</text>");
    holds("<text x=\"696.0\" y=\"30.0\" class=\"ws-small\" text-anchor=\"end\">");
    holds(" 4 bytes a lane</text>");
    lacks("not used</text>");
    source[99] = 0;
    Text line = {0};
    text_add(&line, "<text x=\"24.0\" y=\"50.0\" class=\"ws-code\">%s</text>", source + 1);
    holds(text_string(&line));
    source[99] = 'x';
    draw(sample);
    source[97] = source[98] = '.', source[99] = 0;
    text_free(&line);
    text_add(&line, "<text x=\"24.0\" y=\"50.0\" class=\"ws-code\">%s</text>", source + 1);
    holds(text_string(&line));
    text_free(&line);
    sample.access.bytes = 1;
    report.source_text = NULL;
    draw(sample);
    holds(" 1 byte a lane</text>");
    lacks("ws-code\">");
    holds("y=\"162.00\" width=\"165.75\" height=\"34.00\"");
}
END_TEST

/* --- banks ---------------------------------------------------------------------------------------------------------------- */

/* (672 - 92) / 32 = 18.125 columns a bank, from 24 + 92 = 116 on. Rows of 20 and 2 between begin at 80, below the banks' numbers. */
START_TEST(a_bank_has_its_column_and_a_wavefront_its_row)
{
    draw(strided(SPACE_SHARED, ACCESS_LOAD, 4, 8, 0, LANES_ALL)); /* words 0, 2, 4, …: lanes 16 to 31 are served late */
    holds("<text x=\"24.0\" y=\"72.0\" class=\"ws-small\">bank</text>");
    holds("<text x=\"125.1\" y=\"72.0\" class=\"ws-small\" text-anchor=\"middle\">0</text>");
    holds("<text x=\"686.9\" y=\"72.0\" class=\"ws-small\" text-anchor=\"middle\">31</text>");
    holds("<text x=\"24.0\" y=\"94.0\" class=\"ws-number\">wavefront 1</text>");
    holds("<rect x=\"116.75\" y=\"80.75\" width=\"16.62\" height=\"18.50\" class=\"ws-used\"/>\n"
          "<text x=\"125.1\" y=\"93.5\" class=\"ws-bright\" text-anchor=\"middle\">0</text>");
    holds("<rect x=\"134.62\" y=\"80.50\" width=\"17.12\" height=\"19.00\" class=\"ws-idle\"/>");
    holds("<rect x=\"153.00\" y=\"80.75\" width=\"16.62\" height=\"18.50\" class=\"ws-used\"/>");
    holds("<text x=\"24.0\" y=\"116.0\" class=\"ws-number\">wavefront 2</text>\n"
          "<text x=\"110.0\" y=\"116.0\" class=\"ws-number\" text-anchor=\"end\">!</text>");
    holds("<rect x=\"117.50\" y=\"103.50\" width=\"15.12\" height=\"17.00\" class=\"ws-late\"/>\n"
          "<text x=\"125.1\" y=\"115.5\" class=\"ws-bright\" text-anchor=\"middle\">16</text>");
    /* 80 + 2 * 22 + 10; an entry of the legend takes 19 + 5.6 a letter + 18 */
    holds("<rect x=\"24.00\" y=\"134.00\" width=\"14.00\" height=\"11.00\" class=\"ws-used\"/>\n"
          "<text x=\"43.0\" y=\"143.5\" class=\"ws-small\">the lane that the bank serves</text>\n"
          "<rect x=\"223.40\" y=\"134.00\" width=\"14.00\" height=\"11.00\" class=\"ws-late\"/>\n");
    holds(">! served late: a bank conflict</text>");
    holds(">bank idle</text>");
    holds("<text x=\"24.0\" y=\"166.0\" class=\"ws-small\">2 wavefronts, 1 bank conflict</text>");
    holds("<text x=\"24.0\" y=\"183.0\">2 wavefronts a request, 1 would do: "); /* and 5 below it, and 12 */
    holds("width=\"720\" height=\"200\" viewBox=\"0 0 720 200\"");
    holds("<rect width=\"720\" height=\"200\" class=\"ws-paper\"/>");
    lacks("further lanes");
}
END_TEST

START_TEST(a_bank_that_serves_several_lanes_names_the_first)
{
    Sample sample = strided(SPACE_SHARED, ACCESS_LOAD, 4, 0, 0, 1u << 3 | 1u << 10 | 1u << 11);
    sample.access.addr[3] = 4;
    draw(sample);
    holds("class=\"ws-tight\" text-anchor=\"middle\">10+</text>");
    holds("class=\"ws-bright\" text-anchor=\"middle\">3</text>");
    holds("+ and further lanes, which want the same word and get it at once");
    lacks("served late");
    draw(strided(SPACE_SHARED, ACCESS_LOAD, 4, 4, 0, LANES_ALL));
    lacks("bank idle");
}
END_TEST

/* 32 wavefronts: the first 10, from 80 to 300, a row for 20 of them, and the last 2. Of 16 all are shown. */
START_TEST(many_wavefronts_are_left_out_in_the_middle)
{
    draw(strided(SPACE_SHARED, ACCESS_LOAD, 4, 128, 0, LANES_ALL));
    holds("y=\"292.0\" class=\"ws-number\">wavefront 10</text>");
    holds("<text x=\"116.0\" y=\"315.0\" class=\"ws-small\">... 20 more wavefronts ...</text>");
    holds("y=\"336.0\" class=\"ws-number\">wavefront 31</text>");
    holds("y=\"358.0\" class=\"ws-number\">wavefront 32</text>");
    lacks(">wavefront 11<");
    lacks(">wavefront 30<");
    holds("<rect x=\"24.00\" y=\"376.00\" width=\"14.00\"");
    draw(strided(SPACE_SHARED, ACCESS_LOAD, 4, 64, 0, LANES_ALL));
    holds(">wavefront 16</text>");
    lacks("more wavefronts");
}
END_TEST

/* Elements of 8 bytes are two banks wide, and half-warps are served apart, each below its name. */
START_TEST(wide_elements_are_drawn_in_one)
{
    draw(strided(SPACE_SHARED, ACCESS_LOAD, 8, 8, 0, LANES_ALL));
    holds("<text x=\"24.0\" y=\"93.0\" class=\"ws-small\">lanes 0-15</text>");
    holds("<rect x=\"116.75\" y=\"98.75\" width=\"34.75\" height=\"18.50\" class=\"ws-used\"/>\n"
          "<text x=\"134.1\" y=\"111.5\" class=\"ws-bright\" text-anchor=\"middle\">0</text>");
    holds("<text x=\"24.0\" y=\"133.0\" class=\"ws-small\">lanes 16-31</text>");
    holds("y=\"138.75\" width=\"34.75\"");
    ck_assert_uint_eq(count_of("class=\"ws-used\"/>"), 32 + 1);
    lacks("ws-late\"/>");
    Sample sample = strided(SPACE_SHARED, ACCESS_ATOMIC, 8, 8, 0, LANES_ALL); /* two half-warps, in two wavefronts each */
    sample.access.service = SERVICE_SWAP;
    draw(sample);
    holds(">waves 1-2</text>");
    holds(">waves 3-4</text>");
}
END_TEST

/* As text: a column a bank behind 14 of labels, tens above units. */
START_TEST(a_bank_map_numbers_its_banks)
{
    Text out = {0}, wanted = {0};
    put(0, 1, strided(SPACE_SHARED, ACCESS_LOAD, 4, 4, 0, LANES_ALL), 1);
    report_map(&report, &insn_counters[0].worst, page_plain, &out);
    const char *const rows[] = {"  bank        ", "              ", "              ", "  wavefront  1"};
    for (int row = 0; row < 4; row++) {
        text_add(&wanted, "\n%s", rows[row]);
        for (int bank = 0; bank < 32; bank++) {
            const bool has_tens = bank >= 10;
            if (row % 2)
                text_add(&wanted, " %d", bank % 10);
            else
                text_add(&wanted, has_tens ? " %d" : "  ", bank / 10);
        }
        if (row == 1) text_add(&wanted, "\n%15s%s", "", "---------------------------------------------------------------");
    }
    ck_assert_msg(strstr(text_string(&out), text_string(&wanted)), "%s instead of%s", text_string(&out), text_string(&wanted));
    ck_assert_ptr_null(strstr(text_string(&out), "further lanes"));
    text_free(&out);
    put(0, 1, strided(SPACE_SHARED, ACCESS_LOAD, 4, 0, 0, LANES_ALL), 1);
    report_map(&report, &insn_counters[0].worst, page_plain, &out);
    ck_assert_ptr_nonnull(strstr(text_string(&out), "\n  + and further lanes, which want the same word\n"));
    Sample swap = strided(SPACE_SHARED, ACCESS_ATOMIC, 8, 8, 0, LANES_ALL);
    swap.access.service = SERVICE_SWAP;
    put(0, 1, swap, 1);
    report_map(&report, &insn_counters[0].worst, page_plain, &out);
    ck_assert_ptr_nonnull(strstr(text_string(&out), "\n  waves 1-2   "));
    ck_assert_ptr_nonnull(strstr(text_string(&out), "\n  waves 3-4   "));
    text_free(&out);
    text_free(&wanted);
}
END_TEST

/* Tens stand above the wavefront whose lanes have them, and end with its last. Stores of 8 bytes are served by half-warps. */
START_TEST(a_wavefront_has_tens_for_its_own_lanes)
{
    static const struct {
        int64_t stride;
        uint32_t active;
        const char *wanted;
    } rows[] = {/* banks 0 and 1 for both */
                {8, 1 | 1 << 16,
                 "---\n  lanes 0-15\n"
                 "  wavefront  1 0 0 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
                 "  lanes 16-31\n"
                 "               1 1\n"
                 "  wavefront  2 6 6 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"},
                /* lanes 8 to 15, of which 10 has banks 8 and 9 */
                {16, LANES_ALL,
                 "                               1 1     1 1     1 1     1 1     1 1     1 1\n"
                 "  wavefront  2 8 8 . . 9 9 . . 0 0 . . 1 1 . . 2 2 . . 3 3 . . 4 4 . . 5 5 . .\n"
                 "  lanes 16-31\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text out = {0};
        put(0, 1, strided(SPACE_SHARED, ACCESS_STORE, 8, rows[i].stride, 0, rows[i].active), 1);
        report_map(&report, &insn_counters[0].worst, page_plain, &out);
        ck_assert_msg(strstr(text_string(&out), rows[i].wanted), "%s instead of\n%s", text_string(&out), rows[i].wanted);
        ck_assert_ptr_null(strstr(text_string(&out), "further lanes"));
        text_free(&out);
    }
}
END_TEST

/* --- sectors -------------------------------------------------------------------------------------------------------------- */

/* 21 columns a lane. Bytes 4 to 131 are in 5 sectors of 2 lines, of which 8 are drawn: six gaps of 3, and 8 between the lines, leave 80.75 each. */
START_TEST(a_byte_stands_in_its_sector_and_below_its_lane)
{
    draw(strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 4, LANES_ALL));
    holds("<text x=\"24.0\" y=\"70.0\" class=\"ws-small\">the warp's lanes</text>");
    holds("<rect x=\"25.00\" y=\"76.00\" width=\"19.00\" height=\"20.00\" class=\"ws-lane\"/>\n"
          "<text x=\"34.5\" y=\"90.0\" class=\"ws-number\" text-anchor=\"middle\">0</text>\n"
          "<rect x=\"46.00\" y=\"76.00\" width=\"19.00\" height=\"20.00\" class=\"ws-lane\"/>");
    holds("<rect x=\"24.00\" y=\"180.00\" width=\"80.75\" height=\"34.00\" class=\"ws-ground\"/>\n"
          "<rect x=\"24.00\" y=\"180.00\" width=\"80.75\" height=\"34\" fill=\"url(#ws-hatch)\"/>\n"
          "<rect x=\"107.75\" y=\"180.00\" width=\"80.75\" height=\"34.00\" class=\"ws-ground\"/>");
    holds("<rect x=\"364.00\" y=\"180.00\" width=\"80.75\" height=\"34.00\" class=\"ws-ground\"/>");
    holds("<rect x=\"447.75\" y=\"180.00\" width=\"80.75\" height=\"34.00\" class=\"ws-off\"/>\n"
          "<rect x=\"531.50\" y=\"180.00\" width=\"80.75\" height=\"34.00\" class=\"ws-off\"/>\n"
          "<rect x=\"615.25\" y=\"180.00\" width=\"80.75\" height=\"34.00\" class=\"ws-off\"/>");
    /* four of 32 bytes are 10.09 columns, one free at both sides */
    holds("<rect x=\"35.09\" y=\"181.00\" width=\"8.09\" height=\"32.00\" class=\"ws-used\"/>");
    holds("<rect x=\"365.00\" y=\"181.00\" width=\"8.09\" height=\"32.00\" class=\"ws-used\"/>");
    holds("<rect x=\"24.00\" y=\"180.00\" width=\"80.75\" height=\"34.00\" class=\"ws-edge\"/>\n"
          "<text x=\"64.4\" y=\"226.0\" class=\"ws-small\" text-anchor=\"middle\">28 of 32 used</text>");
    holds("<path d=\"M34.5 96.0C34.5 138.0 39.1 138.0 39.1 180.0\" class=\"ws-wire\"/>");
    holds("<path d=\"M685.5 96.0C685.5 138.0 369.0 138.0 369.0 180.0\" class=\"ws-wire\"/>");
    holds("<path d=\"M24.0 232.0v5H356.0v-5\" class=\"ws-brace\"/>\n<text x=\"24.0\" y=\"249.0\" "
          "class=\"ws-small\">'input'+0</text>\n"
          "<path d=\"M364.0 232.0v5H696.0v-5\" class=\"ws-brace\"/>\n<text x=\"364.0\" y=\"249.0\" "
          "class=\"ws-small\">'input'+128</text>");
    holds("<rect x=\"184.20\" y=\"264.00\" width=\"14.00\" height=\"11.00\" class=\"ws-ground\"/>\n"
          "<rect x=\"184.20\" y=\"264.00\" width=\"14\" height=\"11\" fill=\"url(#ws-hatch)\"/>\n"
          "<rect x=\"184.20\" y=\"264.00\" width=\"14.00\" height=\"11.00\" class=\"ws-edge\"/>\n"
          "<text x=\"203.2\" y=\"273.5\" class=\"ws-small\">fetched, not used</text>");
    holds("<text x=\"24.0\" y=\"296.0\" class=\"ws-small\">5 sectors of 32 bytes: 160 bytes moved, 128 used (80.0%); a brace "
          "is a 128-byte line</text>");
    holds("height=\"330\" viewBox");
    holds(">not fetched</text>");
    lacks("inactive lane");
    holds("<pattern id=\"ws-hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
          "<path d=\"M0 0V5\" class=\"ws-lines\"/></pattern>");
}
END_TEST

/* Sectors that nobody touches stand before, between and behind those of a line: of bytes 32 and 96 of the first, 0 of the second. */
START_TEST(untouched_sectors_of_a_line_are_drawn)
{
    Sample sample = strided(SPACE_GLOBAL, ACCESS_STORE, 4, 0, 0, 7);
    sample.access.addr[0] += 32, sample.access.addr[1] += 96, sample.access.addr[2] += 128;
    draw(sample);
    static const char *const kinds[] = {"off", "ground", "off", "ground", "ground", "off", "off", "off"};
    static const double x[] = {24, 107.75, 191.5, 275.25, 364, 447.75, 531.5, 615.25};
    for (int i = 0; i < 8; i++) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, "<rect x=\"%.2f\" y=\"180.00\" width=\"80.75\" height=\"34.00\" class=\"ws-%s\"/>",
                 x[i], kinds[i]);
        holds(wanted);
    }
    holds(">in a sector written, not used</text>");
    holds(">in no sector written</text>");
    holds(">inactive lane</text>");
    holds("<rect x=\"88.00\" y=\"76.00\" width=\"19.00\" height=\"20.00\" class=\"ws-off\"/>\n"
          "<text x=\"97.5\" y=\"90.0\" class=\"ws-absent\" text-anchor=\"middle\">3</text>");
    holds("<path d=\"M24.0 232.0v5H356.0v-5\"");
}
END_TEST

/* 32 lines of one sector each, 8 apart: (672 - 31 * 8) / 32 = 13.25 columns, too few for numbers. An address of nine letters takes 51 columns and 12
 * behind it, so that after the first the fourth line has room for its own. */
START_TEST(narrow_sectors_have_no_numbers)
{
    draw(strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 128, 0, LANES_ALL));
    holds("<rect x=\"24.00\" y=\"180.00\" width=\"13.25\" height=\"34.00\" class=\"ws-ground\"/>");
    holds("<rect x=\"45.25\" y=\"180.00\" width=\"13.25\" height=\"34.00\" class=\"ws-ground\"/>");
    holds("<rect x=\"24.00\" y=\"181.00\" width=\"1.66\" height=\"32.00\" class=\"ws-used\"/>");
    holds("<path d=\"M24.0 220.0v5H37.2v-5\" class=\"ws-brace\"/>\n<text x=\"24.0\" y=\"237.0\" "
          "class=\"ws-small\">'input'+0</text>");
    holds("<text x=\"87.8\" y=\"237.0\" class=\"ws-small\">'input'+384</text>");
    lacks("'input'+256<");
    lacks("of 32 used<");
    lacks("/32<");
    lacks("not fetched");
}
END_TEST

/* 8 sectors of 4 lines each apart by 64: 16 are drawn with those between, three lines' gaps of 8 and twelve of 3: 612 / 16 = 38.25. */
START_TEST(sixteen_sectors_have_their_numbers)
{
    draw(strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 64, 0, 0xff));
    holds("width=\"38.25\" height=\"34.00\" class=\"ws-ground\"/>");
    holds(">4/32</text>");
    ck_assert_uint_eq(count_of(">4/32</text>"), 8);
    draw(strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 64, 0, 0x3ff)); /* of five lines: those between are left out, 1 and 8 apart */
    lacks("not fetched");
    ck_assert_uint_eq(count_of("class=\"ws-edge\"/>"), 10 + 1);
    /* 19 of five lines: 14 gaps of 1 and 4 of 8 leave 32.9 each, one more 31.2, which is too little */
    draw(strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 32, 0, 0x7ffff));
    ck_assert_uint_eq(count_of(">4/32</text>"), 19);
    draw(strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 32, 0, 0xfffff));
    ck_assert_uint_eq(count_of(">4/32</text>"), 0);
}
END_TEST

START_TEST(serialised_updates_move_a_sector_each)
{
    draw(strided(SPACE_GLOBAL, ACCESS_ATOMIC, 4, 0, 0, LANES_ALL));
    holds("32 sectors of 32 bytes: 1024 bytes moved, 4 used (0.4%); a brace is a 128-byte line; updates");
    ck_assert_uint_eq(count_of("class=\"ws-used\"/>"), 1 + 1); /* once, and the legend's */
    ck_assert_uint_eq(count_of("class=\"ws-wire\"/>"), 32);
}
END_TEST

/* As text: 3 columns and the address, of 8 to 22, then 25 of cells, 9 of " 32 of 32" and 4 of " x32" where updates are serialised, of
 * however many. " used" is added where its 5 go in, and the lanes where 13 more do. */
START_TEST(a_sector_map_says_what_it_has_room_for)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    static const struct {
        const char *name;
        size_t columns;
        uint32_t active;
        const char *address, *end;
    } rows[] = {{"x", 80, 1, "'x'+0   ", " used  lane 0"},
                {"four", 80, 1, "'four'+0", " used  lane 0"},
                {"fives", 80, 1, "'fives'+0", " used  lane 0"},
                {"fourteen_chars", 60, 1, "'fourteen_chars'+0", " used"},
                {"fifteen_letters", 60, 1, "'fifteen_letters'+0", ""},
                {"fourteen_chars", 72, 1, "'fourteen_chars'+0", " used"},
                {"fourteen_chars", 73, 1, "'fourteen_chars'+0", " used  lane 0"},
                {"ten_digits", 60, 3, "'ten_digits'+0", " used x2"},
                {"eleven_long", 60, 3, "'eleven_long'+0", " x2"},
                {"fourteen_chars", 76, 3, "'fourteen_chars'+0", " used x2"},
                {"fourteen_chars", 77, 3, "'fourteen_chars'+0", " used x2  lanes 0-1"},
                {"fourteen_chars", 79, 0x55555555, "'fourteen_chars'+0", " used x16  lanes 0, .."},
                {"fourteen_chars", 80, 0x55555555, "'fourteen_chars'+0", " used x16  lanes 0, 2, .."},
                {letters, 60, 1, "'abcdefghijklmnop..'+0", ""},
                {letters, 60, LANES_ALL, "'abcdefghijklm..'+0", " x32"},
                {letters, 62, LANES_ALL, "'abcdefghijklmno..'+0", " x32"},
                {letters, 63, LANES_ALL, "'abcdefghijklmnop..'+0", " x32"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text out = {0}, wanted = {0};
        const Allocation *buffer = memory_allocate(request.launch.memory, 4096, rows[i].name, false);
        put(0, 1, strided(SPACE_GLOBAL, ACCESS_ATOMIC, 4, 0, buffer->address - input->address, rows[i].active), 1);
        report_map(&report, &insn_counters[0].worst, (Page){rows[i].columns, false}, &out);
        text_add(&wanted, "\n  %s | %s| .| .| .| .| .| .| .|  4 of 32%s\n", rows[i].address, rows[i].active == 1 ? "0" : "*",
                 rows[i].end);
        ck_assert_msg(strstr(text_string(&out), text_string(&wanted)), "%s instead of%s", text_string(&out),
                      text_string(&wanted));
        text_free(&out);
        text_free(&wanted);
    }
}
END_TEST

/* A load that costs more sectors than its lanes touch fetched whole lines. */
START_TEST(whole_lines_are_fetched_with_all_their_sectors)
{
    static SectorLayout layout;
    Sample sample = strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 64, 0xff);
    sample.cost = 4;
    layout_sectors(&sample, &layout);
    ck_assert(layout.whole_lines);
    ck_assert_uint_eq(layout.counted, 4);
    ck_assert_uint_eq(layout.n_sectors, 4);
    for (uint32_t s = 0; s < 4; s++) {
        ck_assert_uint_eq(layout.sector[s].addr, input->address + 32 * s);
        ck_assert_uint_eq(layout.sector[s].bytes, s == 2 ? UINT32_MAX : 0);
    }
    ck_assert_uint_eq(layout.unique_bytes, 32);
}
END_TEST

SUITE_WITH("drawn", setup, end, whole_lines_are_fetched_with_all_their_sectors, a_head_has_the_place_and_its_line,
           a_bank_has_its_column_and_a_wavefront_its_row, a_bank_that_serves_several_lanes_names_the_first,
           many_wavefronts_are_left_out_in_the_middle, wide_elements_are_drawn_in_one, a_bank_map_numbers_its_banks,
           a_wavefront_has_tens_for_its_own_lanes, a_byte_stands_in_its_sector_and_below_its_lane,
           untouched_sectors_of_a_line_are_drawn, narrow_sectors_have_no_numbers, sixteen_sectors_have_their_numbers,
           serialised_updates_move_a_sector_each, a_sector_map_says_what_it_has_room_for)
