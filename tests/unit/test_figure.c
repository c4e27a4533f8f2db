/* Figures are well-formed XML that says what the access does; words are written as people read them. */
#define _GNU_SOURCE /* memmem */
#include <unistd.h>

#include "base/visible.h"
#include "handmade.h"
#include "report/map.h"
#include "report/page.h"
#include "report/plain.h"
#include "report/svg.h"
#include "suite.h"

/* --- a small checker of XML: tags nest, attributes are quoted, text is escaped and valid UTF-8 --- */

/* ck_assert_msg writes a note to a file each time, which is too much for every character of 300 figures. */
#define hold(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))

static const char *skip_name(const char *at) {
    return at + strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:_");
}

static const char *check_entity(const char *at) {
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0) return at + strlen(known[i]);
    ck_abort_msg("bare ampersand: %.30s", at);
    return at;
}

/* Text up to one of the stop characters. */
static const char *check_characters(const char *at, const char *stop) {
    const char *end = at + strcspn(at, stop);
    while (at < end) {
        if (*at == '&') {
            at = check_entity(at);
            continue;
        }
        const char *start = at;
        uint32_t code = visible_decode(&at, end);
        hold(code != UNICODE_BAD || (unsigned char)*start == 0xef, "invalid UTF-8");
        hold(code >= ' ' || code == '\n', "control character %u", code);
        hold(code != '<', "bare < in %.30s", start);
    }
    return at;
}

static const char *check_attributes(const char *at) {
    for (;;) {
        at += strspn(at, " \n");
        if (*at == '>' || *at == '/') return at;
        const char *name = at;
        at = skip_name(at);
        hold(at > name && strncmp(at, "=\"", 2) == 0, "attribute: %.30s", name);
        at = check_characters(at + 2, "\"");
        hold(*at == '"', "open string: %.30s", at);
        at++;
    }
}

/* How many elements there are. */
static uint32_t check_xml(const char *at) {
    char open[16][40];
    uint32_t depth = 0, elements = 0;
    do {
        hold(*at == '<', "element expected: %.30s", at);
        bool closing = at[1] == '/';
        const char *name = at + 1 + closing, *end = skip_name(name);
        hold(end > name && end - name < 40, "name: %.30s", at);
        if (closing) {
            hold(depth > 0 && strncmp(open[depth - 1], name, (size_t)(end - name)) == 0, "closes nothing: %.30s", at);
            depth--;
            hold(*end == '>', "open tag: %.30s", name);
            at = end + 1;
        } else {
            hold(depth < 16, "too deep: %.30s", at);
            snprintf(open[depth], sizeof open[depth], "%.*s", (int)(end - name), name);
            at = check_attributes(end);
            elements++;
            if (*at == '/')
                at++;
            else
                depth++;
            hold(*at == '>', "open tag: %.30s", name);
            at++;
        }
        at = check_characters(at, "<");
    } while (*at && depth);
    hold(!*at && !depth, "%u elements are left open", depth);
    return elements;
}

static void draw(Sample sample, Text *out) {
    put(1, 1, sample, 1);
    report_svg(&report, &insn_counters[1].worst, out);
    check_xml(text_string(out));
}

static uint32_t occurrences(const Text *text, const char *what) {
    uint32_t count = 0;
    for (const char *at = text_string(text); (at = strstr(at, what)); at++) count++;
    return count;
}

START_TEST(figures_are_well_formed_whatever_the_lanes_do)
{
    for (int i = 0; i < 300; i++) {
        Text text = {0};
        draw(random_sample(), &text);
        text_free(&text);
    }
}
END_TEST

START_TEST(figures_escape_foreign_text)
{
    Text text = {0};
    Allocation *odd = memory_allocate(request.launch.memory, 4096, "<a&\"\x01\xff", false);
    Sample sample = strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 0, LANES_ALL);
    for (int lane = 0; lane < WARP_LANES; lane++) sample.access.addr[lane] += odd->address - input->address;
    report.source_text = "\nif (a < b && \"c\") \x02\xfe x[i] = 1; </text><script>\n";
    draw(sample, &text);
    ck_assert_ptr_nonnull(
        strstr(text_string(&text), "if (a &lt; b &amp;&amp; &quot;c&quot;) ?\? x[i] = 1; &lt;/text&gt;&lt;script&gt;"));
    ck_assert_ptr_nonnull(strstr(text_string(&text), "'&lt;a&amp;&quot;?\?'+0"));
    text_free(&text);
}
END_TEST

START_TEST(a_sector_figure_joins_every_lane_to_its_bytes)
{
    Text text = {0};
    /* 5 sectors of 2 lines: 3 sectors of the second line are not fetched; 31 words and lane 31's alone */
    draw(strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 4, LANES_ALL), &text);
    ck_assert_uint_eq(occurrences(&text, "class=\"ws-wire\""), 32);
    ck_assert_uint_eq(occurrences(&text, "class=\"ws-lane\""), 32);
    ck_assert_uint_eq(occurrences(&text, "class=\"ws-used\""), 32 + 1); /* and the legend's */
    ck_assert_uint_eq(occurrences(&text, "class=\"ws-off\""), 3 + 1);
    ck_assert_uint_eq(occurrences(&text, "class=\"ws-brace\""), 2);
    ck_assert_uint_eq(occurrences(&text, ">28 of 32 used<"), 1);
    ck_assert_uint_eq(occurrences(&text, ">32 of 32 used<"), 3);
    ck_assert_uint_eq(occurrences(&text, ">4 of 32 used<"), 1);
    ck_assert_uint_eq(occurrences(&text, "5 sectors a request, 4 would do: the first byte is 4 past a 32-byte boundary"), 2);
    text_free(&text);
}
END_TEST

START_TEST(a_bank_figure_marks_the_wavefronts_that_are_late)
{
    Text text = {0};
    /* words 0, 2, 4, ...: lanes 16-31 wait for lanes 0-15 */
    draw(strided(SPACE_SHARED, ACCESS_LOAD, 4, 8, 0, LANES_ALL), &text);
    ck_assert_uint_eq(occurrences(&text, "class=\"ws-used\""), 16 + 1);
    ck_assert_uint_eq(occurrences(&text, "class=\"ws-late\""), 16 + 1);
    ck_assert_uint_eq(occurrences(&text, "class=\"ws-idle\""), 32 + 1);
    ck_assert_uint_eq(occurrences(&text, ">wavefront 2<"), 1);
    ck_assert_uint_eq(occurrences(&text, ">!<"), 1);
    text_free(&text);
}
END_TEST

START_TEST(figures_have_a_dark_side_a_title_and_a_description)
{
    Text text = {0};
    draw(strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 0, LANES_ALL), &text);
    ck_assert_ptr_nonnull(strstr(text_string(&text), "@media (prefers-color-scheme: dark)"));
    ck_assert_ptr_nonnull(
        strstr(text_string(&text), "<title id=\"ws-t\">kernel.cu:2, global load: block (0,0,0), warp 0</title>"));
    ck_assert_ptr_nonnull(strstr(text_string(&text), "<desc id=\"ws-d\">fine: 4 sectors a request"));
    text_free(&text);
}
END_TEST

/* The element of the last text that says this. */
static const char *text_of(const Text *text, const char *what) {
    const char *at = strstr(text_string(text), what);
    ck_assert_msg(at != NULL, "no %s", what);
    while (strncmp(at, "<text ", 6) != 0) at--;
    return at;
}

/* Eight sectors share 720 - 2 * 24 pixels less 6 gaps of 3 and one of 8: 80.75 each, the fifth at 24 + 4 * 80.75 + 3 * 3 + 8. Of 21 sectors, four of
 * each line, the last is narrower than its address, which ends where the figure does: at 720 - 24. */
START_TEST(addresses_stand_below_their_lines)
{
    Text text = {0};
    draw(strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 4, LANES_ALL), &text);
    const char *at = text_of(&text, ">'input'+128</text>");
    ck_assert_msg(strncmp(at, "<text x=\"364.0\"", 15) == 0, "%.60s", at);
    ck_assert(memmem(at, strcspn(at, ">"), "text-anchor", 11) == NULL);
    const char *brace = strstr(text_string(&text), "<path d=\"M364.0 ");
    ck_assert(brace != NULL); /* 17 pixels above */
    ck_assert_double_eq(strtod(strstr(at, "y=\"") + 3, NULL), strtod(brace + 16, NULL) + 17);
    text_free(&text);
    Sample narrow = strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 32, 0, LANES_ALL);
    for (int lane = 20; lane < WARP_LANES; lane++) narrow.access.addr[lane] = narrow.access.addr[20];
    draw(narrow, &text);
    at = text_of(&text, ">'input'+640</text>");
    ck_assert_msg(strncmp(at, "<text x=\"696.0\"", 15) == 0, "%.60s", at);
    ck_assert(memmem(at, strcspn(at, ">"), "text-anchor=\"end\"", 17) != NULL);
    text_free(&text);
}
END_TEST

static bool map_has(Sample sample, size_t columns, const char *row) {
    Text text = {0};
    put(1, 1, sample, 1);
    report_map(&report, &sample, (Page){columns, false}, &text);
    const bool has = strstr(text_string(&text), row) != NULL;
    if (!has) printf("%s", text_string(&text));
    text_free(&text);
    return has;
}

/* A device that moves whole lines: of the four sectors of this one lane 0 uses the first. */
START_TEST(sectors_that_nobody_uses_have_no_lanes)
{
    Sample sample = strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 0, 1);
    sample.cost = 4;
    ck_assert(map_has(sample, 80,
                      "'input'+0  | 0| .| .| .| .| .| .| .|  4 of 32 used  lane 0\n"
                      "  'input'+32 | .| .| .| .| .| .| .| .|  0 of 32 used\n"));
}
END_TEST

/* Lanes behind a row of 52 columns, where there are 8 for "  lanes " and 5 for "24-31". Banks without gaps below each other, from column 15 on. */
START_TEST(narrow_maps_leave_out_what_has_no_room)
{
    const Sample words = strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 0, LANES_ALL);
    ck_assert(map_has(words, 64, "|24|25|26|27|28|29|30|31| 32 of 32 used\n"));
    ck_assert(map_has(words, 65, "|24|25|26|27|28|29|30|31| 32 of 32 used  lanes 24-31\n"));
    ck_assert(map_has(strided(SPACE_SHARED, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 79,
                      "  bank                   1111111111222222222233\n"
                      "               01234567890123456789012345678901\n"
                      "               --------------------------------\n"
                      "  wavefront  1 0...............................\n"));
}
END_TEST

static void check_word(Plain plain, const char *expected) { ck_assert_str_eq(plain.text, expected); }

START_TEST(numbers_are_grouped_and_never_too_wide)
{
    check_word(plain_number(0), "0");
    check_word(plain_number(9999), "9999");
    check_word(plain_number(10000), "10,000");
    check_word(plain_number(1048576), "1,048,576");
    check_word(plain_number(UINT64_C(9999999999)), "9,999,999,999");
    check_word(plain_number(UINT64_C(10000000000)), "1.000e+10");
    ck_assert_uint_le(strlen(plain_number(UINT64_MAX).text), 13);
    check_word(plain_ratio(9, 2), "4.50");
    check_word(plain_ratio(9, 0), "-");
    check_word(plain_percent(7, 8), "87.5%");
}
END_TEST

static void check_lanes(uint32_t lanes, size_t columns, const char *expected) {
    Text text = {0};
    plain_lanes(&text, lanes, columns);
    ck_assert_str_eq(text_string(&text), expected);
    ck_assert_uint_le(text.length, columns);
    text_free(&text);
}

START_TEST(lanes_are_listed_in_ranges)
{
    check_lanes(0xff, 20, "0-7");
    check_lanes(UINT32_MAX, 20, "0-31");
    check_lanes(0xc0000011, 20, "0, 4, 30-31");
    check_lanes(0x55555555, 12, "0, 2, 4, ..");
    check_lanes(0x80000000, 4, "31");
    check_lanes(0, 4, "");
}
END_TEST

static void check_line(const char *bytes, size_t columns, const char *expected) {
    Text text = {0};
    plain_line(&text, bytes, strlen(bytes), columns);
    ck_assert_str_eq(text_string(&text), expected);
    text_free(&text);
}

START_TEST(foreign_lines_are_harmless_and_cut)
{
    check_line("\t  x[i]\t= 1;  \r\n", 80, "x[i] = 1;");
    check_line("a\x1b[31mb\x7f", 80, "a?[31mb?");
    check_line("caf\xc3\xa9", 80, "caf\xc3\xa9");
    check_line("\xc3(\xff\xe2\x82", 80, "?(?\??");             /* cut-off sequences: a mark for each byte */
    check_line("\xc0\xaf\xed\xa0\x80\xf5", 80, "\?\?\?\??\?"); /* overlong, surrogate, beyond Unicode */
    check_line("\xe0\x80\xaf", 80, "?\?\?");                   /* overlong in three bytes */
    check_line("a\xe2\x80\xae"
               "b\xc2\x9b",
               80, "a?b?"); /* right-to-left override, C1 control */
    check_line("0123456789", 10, "0123456789");
    check_line("0123456789x", 10, "01234567..");
    check_line("abc", 2, "..");
    check_line("abc", 1, "");
    check_line("\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 5, "\xe4\xb8\xad.."); /* two columns each */
}
END_TEST

START_TEST(a_page_has_sixty_to_two_hundred_columns)
{
    ck_assert_uint_eq(page_with(page_plain, 10).columns, 60);
    ck_assert_uint_eq(page_with(page_plain, 133).columns, 133);
    ck_assert_uint_eq(page_with(page_plain, 1000).columns, 200);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(setenv("COLUMNS", "60", 1), 0);
    Page page = page_of(ends[1]); /* no terminal */
    ck_assert_uint_eq(page.columns, 80);
    ck_assert(!page.colour);
    close(ends[0]), close(ends[1]);
}
END_TEST

static void check_window(const char *line, size_t focus, size_t columns, const char *expected, size_t before) {
    Text text = {0};
    ck_assert_uint_eq(plain_window(&text, line, strlen(line), focus, columns), before);
    ck_assert_str_eq(text_string(&text), expected);
    text_free(&text);
}

START_TEST(long_lines_are_cut_around_what_matters)
{
    static const char line[] = "  0123456789abcdefghijklmnopqrstuvwxyz";
    check_window(line, 2 + 12, 36, line + 2, 12);             /* 'c', in front of which stand 12 */
    check_window(line, 2 + 8, 20, "0123456789abcdefgh..", 8); /* less than two thirds of the columns in front */
    check_window(line, 2 + 11, 20, "0123456789abcdefgh..", 11);
    check_window(line, 2 + 12, 20, "..6789abcdefghijkl..", 8);
    check_window(line, 2 + 30, 20, "..ijklmnopqrstuvwxyz", 14);
    check_window(line, 0, 20, "0123456789abcdefgh..", 0);
    check_window("\t\xc3\xa9 = x[i];", 6, 80, "\xc3\xa9 = x[i];", 4); /* 2 bytes, 1 column */
}
END_TEST

START_TEST(long_texts_are_broken_at_blanks)
{
    Text text = {0};
    plain_wrap(&text, PAGE_COLUMNS, "hint: ",
               "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 012345678 0123456789 "
               "01234567890123456789012345678901"
               "2345678901234567890123456789012345678901234567890123456789");
    ck_assert_str_eq(text_string(&text), "hint: 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\n"
                                         "      012345678 0123456789\n"
                                         "      01234567890123456789012345678901234567890123456789012345678901234567890123\n"
                                         "      4567890123456789\n");
    text_free(&text);
}
END_TEST

SUITE_WITH("figure", setup, teardown, figures_are_well_formed_whatever_the_lanes_do, figures_escape_foreign_text,
           a_sector_figure_joins_every_lane_to_its_bytes, a_bank_figure_marks_the_wavefronts_that_are_late,
           figures_have_a_dark_side_a_title_and_a_description, addresses_stand_below_their_lines,
           sectors_that_nobody_uses_have_no_lanes, narrow_maps_leave_out_what_has_no_room,
           numbers_are_grouped_and_never_too_wide, lanes_are_listed_in_ranges, foreign_lines_are_harmless_and_cut,
           long_texts_are_broken_at_blanks, long_lines_are_cut_around_what_matters, a_page_has_sixty_to_two_hundred_columns)
