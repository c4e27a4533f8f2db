/* What is printed about a launch: lines, JSON, the table, the maps, figures, faults. */
#include <jansson.h>

#include "handmade.h"
#include "report/json.h"
#include "report/layout.h"
#include "report/map.h"
#include "report/plain.h"
#include "report/spot.h"
#include "report/summary.h"
#include "report/table.h"
#include "suite.h"

static Sample column(uint64_t offset) { return strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4096, offset, LANES_ALL); }
static Sample contiguous(AccessKind kind) { return strided(SPACE_GLOBAL, kind, 4, 4, 0, LANES_ALL); }
static Sample bank_zero(void) { return strided(SPACE_SHARED, ACCESS_LOAD, 4, 128, 0, LANES_ALL); }

/* --- lines and the worst access --- */

START_TEST(lines_stand_in_order_of_file_line_space_op)
{
    uint32_t count;
    put(0, 3, contiguous(ACCESS_LOAD), 1);  /* helper.h:1 */
    put(1, 2, bank_zero(), 1);              /* kernel.cu:3 */
    put(2, 2, contiguous(ACCESS_STORE), 1); /* kernel.cu:3 */
    put(3, 2, contiguous(ACCESS_LOAD), 1);  /* kernel.cu:3 */
    put(4, 1, contiguous(ACCESS_LOAD), 1);  /* kernel.cu:2 */
    put(5, 0, contiguous(ACCESS_LOAD), 1);  /* unknown */
    SourceLine *lines = report_source_lines(&report, &count);
    static const struct {
        const char *file;
        uint32_t line;
        uint8_t space, op;
    } expected[] = {{"", 0, SPACE_GLOBAL, COUNTER_LOAD},
                    {"/home/ada/helper.h", 1, SPACE_GLOBAL, COUNTER_LOAD},
                    {"exercises/kernel.cu", 2, SPACE_GLOBAL, COUNTER_LOAD},
                    {"exercises/kernel.cu", 3, SPACE_GLOBAL, COUNTER_LOAD},
                    {"exercises/kernel.cu", 3, SPACE_GLOBAL, COUNTER_STORE},
                    {"exercises/kernel.cu", 3, SPACE_SHARED, COUNTER_LOAD}};
    ck_assert_uint_eq(count, 6);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_str_eq(lines[i].file, expected[i].file);
        ck_assert_uint_eq(lines[i].line, expected[i].line);
        ck_assert_uint_eq(lines[i].space, expected[i].space);
        ck_assert_uint_eq(lines[i].op, expected[i].op);
    }
    free(lines);
}
END_TEST

START_TEST(instructions_of_one_line_add_up)
{
    uint32_t count;
    put(2, 1, contiguous(ACCESS_LOAD), 10);
    put(5, 1, column(0), 3);
    SourceLine *lines = report_source_lines(&report, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(lines->sectors.requests, 13);
    ck_assert_uint_eq(lines->sectors.sectors, 10 * 4 + 3 * 32);
    ck_assert_uint_eq(lines->sectors.ideal_sectors, 13 * 4);
    ck_assert_uint_eq(lines->sectors.bytes, 13 * 128);
    ck_assert_uint_eq(lines->worst_pc, 5);
    free(lines);
}
END_TEST

/* Sixteen sectors a request each: four words of every lane, which fill them, and every fourth word, for which four sectors would do. */
START_TEST(a_line_is_explained_by_the_access_that_wastes_most)
{
    uint32_t count;
    put(2, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 16, 16, 0, LANES_ALL), 1);
    put(5, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 16, 0, LANES_ALL), 1);
    SourceLine *lines = report_source_lines(&report, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(lines->worst_pc, 5);
    ck_assert_ptr_eq(report_worst(&report), &insn_counters[5].worst);
    free(lines);
}
END_TEST

START_TEST(a_generic_instruction_gives_a_line_for_each_space)
{
    uint32_t count;
    put(1, 1, bank_zero(), 2);
    put(1, 1, contiguous(ACCESS_LOAD), 4);
    SourceLine *lines = report_source_lines(&report, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(lines[0].space, SPACE_GLOBAL);
    ck_assert_uint_eq(lines[0].sectors.requests, 4);
    ck_assert_uint_eq(lines[0].worst_pc, 1);
    ck_assert_uint_eq(lines[1].space, SPACE_SHARED);
    ck_assert_uint_eq(lines[1].banks.wavefronts, 64);
    ck_assert_uint_eq(lines[1].worst_pc, NO_INSN); /* the sample is of the other space */
    free(lines);
}
END_TEST

START_TEST(ptx_without_positions_shows_its_own_lines)
{
    uint32_t count;
    report.compiler = NULL;
    report.source_path = "scale.ptx";
    put(3, 0, contiguous(ACCESS_LOAD), 1);
    SourceLine *lines = report_source_lines(&report, &count);
    ck_assert_str_eq(lines->file, "scale.ptx");
    ck_assert_uint_eq(lines->line, 23);
    free(lines);
}
END_TEST

START_TEST(the_worst_access_wastes_most_over_the_launch)
{
    ck_assert_ptr_null(report_worst(&report));
    put(1, 1, contiguous(ACCESS_LOAD), 1000000);
    ck_assert_ptr_eq(report_worst(&report), &insn_counters[1].worst); /* nothing is wasted: the one there is */
    put(2, 1, column(0), 10);                                         /* 28 sectors wasted, 10 times */
    ck_assert_ptr_eq(report_worst(&report), &insn_counters[2].worst);
    put(3, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 4, LANES_ALL), 281); /* 1 sector wasted, 281 times */
    ck_assert_ptr_eq(report_worst(&report), &insn_counters[3].worst);
    put(4, 1, bank_zero(), 10); /* 31 conflicts, 10 times */
    ck_assert_ptr_eq(report_worst(&report), &insn_counters[4].worst);
    put(0, 1, bank_zero(), 10);
    ck_assert_ptr_eq(report_worst(&report), &insn_counters[0].worst); /* the first of equals */
}
END_TEST

/* --- layouts agree with the counters --- */

START_TEST(layouts_hold_as_many_sectors_and_wavefronts_as_are_counted)
{
    for (int i = 0; i < 3000; i++) {
        Sample sample = random_sample();
        if (sample.access.space == SPACE_SHARED) {
            BankLayout layout;
            BankCount count = banks_count(&sample.access);
            layout_banks(&sample.access, &layout);
            ck_assert_uint_eq(layout.n_rows * layout.row_wavefronts, count.wavefronts);
            ck_assert_uint_eq((layout.n_rows - count.conflicts) * layout.row_wavefronts, layout.least);
        } else {
            static SectorLayout layout;
            Footprint footprint;
            sectors_find(&sample.access, &footprint);
            layout_sectors(&sample, &layout);
            ck_assert_uint_eq(layout.counted, footprint.sectors);
            ck_assert_uint_eq(layout.unique_bytes, footprint.unique_bytes);
            ck_assert(!layout.whole_lines);
        }
    }
}
END_TEST

/* --- JSON --- */

static json_t *report_object(void) {
    Text text = {0};
    json_error_t error;
    report_json(&report, &text);
    json_t *object = json_loads(text_string(&text), JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(object != NULL, "%s", error.text);
    text_free(&text);
    return object;
}

/* The number at a path such as "global.load.sectors". */
static json_int_t number_at(json_t *object, const char *path) {
    char copy[100], *rest = copy, *key;
    snprintf(copy, sizeof copy, "%s", path);
    while ((key = strsep(&rest, "."))) {
        object = json_object_get(object, key);
        ck_assert_msg(object != NULL, "no %s", path);
    }
    ck_assert_msg(json_is_integer(object), "%s is no integer", path);
    return json_integer_value(object);
}

static const char *text_at(json_t *object, const char *key) { return json_string_value(json_object_get(object, key)); }

START_TEST(json_has_the_counts)
{
    put(1, 1, column(0), 7);
    put(2, 2, bank_zero(), 5);
    counters.global[COUNTER_LOAD].l1_hit_sectors = 9;
    insn_counters[1].sectors.l1_hit_sectors = 3;
    counters.constant_requests = 11;
    counters.l2_read_sectors = 12;
    counters.dram_write_bytes = UINT64_C(1) << 40;
    json_t *object = report_object(), *lines = json_object_get(object, "lines");
    ck_assert_str_eq(text_at(object, "kernel"), "scale(float*, int)");
    ck_assert_str_eq(text_at(object, "device"), "h200");
    ck_assert_str_eq(text_at(object, "compiler"), "nvcc 13.0");
    ck_assert(json_is_true(json_object_get(object, "l1")));
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(object, "grid"), 1)), 3);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(object, "block"), 0)), 64);
    ck_assert_int_eq(number_at(object, "instructions"), 1000);
    ck_assert_int_eq(number_at(object, "thread_instructions"), 32000);
    ck_assert_int_eq(number_at(object, "global.load.requests"), 7);
    ck_assert_int_eq(number_at(object, "global.load.sectors"), 7 * 32);
    ck_assert_int_eq(number_at(object, "global.load.bytes"), 7 * 128);
    ck_assert_int_eq(number_at(object, "global.load.unique_bytes"), 7 * 128);
    ck_assert_int_eq(number_at(object, "global.load.l1_hit_sectors"), 9);
    ck_assert_int_eq(number_at(object, "global.store.requests"), 0);
    ck_assert_int_eq(number_at(object, "shared.load.requests"), 5);
    ck_assert_int_eq(number_at(object, "shared.load.wavefronts"), 5 * 32);
    ck_assert_int_eq(number_at(object, "shared.load.bank_conflicts"), 5 * 31);
    ck_assert_int_eq(number_at(object, "constant.requests"), 11);
    ck_assert_int_eq(number_at(object, "l2.read_sectors"), 12);
    ck_assert_int_eq(number_at(object, "dram.write_bytes"), INT64_C(1) << 40);
    ck_assert_int_eq(number_at(object, "host.threads"), 2);
    ck_assert_double_eq(json_real_value(json_object_get(json_object_get(object, "host"), "seconds")), 0.5);
    ck_assert_uint_eq(json_array_size(lines), 2);
    json_t *line = json_array_get(lines, 0);
    ck_assert_str_eq(text_at(line, "file"), "exercises/kernel.cu");
    ck_assert_int_eq(number_at(line, "line"), 2);
    ck_assert_str_eq(text_at(line, "space"), "global");
    ck_assert_str_eq(text_at(line, "op"), "load");
    ck_assert_int_eq(number_at(line, "requests"), 7);
    ck_assert_int_eq(number_at(line, "sectors"), 7 * 32);
    ck_assert_int_eq(number_at(line, "ideal_sectors"), 7 * 4);
    ck_assert_int_eq(number_at(line, "l1_hit_sectors"), 3);
    ck_assert_ptr_null(json_object_get(line, "wavefronts"));
    ck_assert_ptr_null(json_object_get(line, "map"));
    line = json_array_get(lines, 1);
    ck_assert_int_eq(number_at(line, "requests"), 5);
    ck_assert_int_eq(number_at(line, "wavefronts"), 5 * 32);
    ck_assert_int_eq(number_at(line, "bank_conflicts"), 5 * 31);
    ck_assert_ptr_null(json_object_get(line, "sectors"));
    json_decref(object);
}
END_TEST

/* A column of 32 floats, each in a sector of its own. */
START_TEST(json_has_pictures_where_they_are_asked_for)
{
    put(1, 1, column(0), 7);
    report.pictured = true;
    json_t *object = report_object(), *line = json_array_get(json_object_get(object, "lines"), 0);
    ck_assert_ptr_nonnull(strstr(text_at(line, "verdict"), "32 sectors a request, 4 would do"));
    ck_assert_ptr_nonnull(strstr(text_at(line, "map"), "32 sectors = 1024 bytes moved, 128 of them used"));
    ck_assert_ptr_nonnull(strstr(text_at(line, "svg"), "<svg"));
    json_decref(object);
}
END_TEST

START_TEST(the_modelled_time_says_what_bounds_it)
{
    result.model = (Model){.time_us = 12.5, .bound = BOUND_shared, .calibrated = true};
    json_t *object = report_object(), *model = json_object_get(object, "model");
    ck_assert_double_eq(json_real_value(json_object_get(model, "time_us")), 12.5);
    ck_assert_str_eq(text_at(model, "bound"), "shared");
    ck_assert(json_is_true(json_object_get(model, "calibrated")));
    json_decref(object);
    Text text = {0};
    report_table(&report, page_plain, &text);
    ck_assert_ptr_nonnull(strstr(text_string(&text), "\ntime      12.5 us modelled, limited by shared memory\n"));
    text_free(&text);
    result.model = (Model){.time_us = 12345, .bound = BOUND_dram};
    report_table(&report, page_plain, &text);
    ck_assert_ptr_nonnull(
        strstr(text_string(&text), "\ntime      12.35 ms modelled (not calibrated), limited by device memory\n"));
    text_free(&text);
}
END_TEST

START_TEST(json_leaves_out_what_does_not_apply)
{
    report.compiler = NULL;
    report.source_path = NULL;
    result.seconds = 0;
    put(1, 0, strided(SPACE_LOCAL, ACCESS_STORE, 4, 4, 0, LANES_ALL), 1);
    json_t *object = report_object();
    static const char *const absent[] = {"global", "shared", "constant", "compiler", "model"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) ck_assert_ptr_null(json_object_get(object, absent[i]));
    ck_assert_int_eq(number_at(object, "local.store.sectors"), 4);
    ck_assert_ptr_null(json_object_get(json_object_get(object, "local"), "atomic"));
    json_t *line = json_array_get(json_object_get(object, "lines"), 0);
    ck_assert_ptr_null(json_object_get(line, "file"));
    ck_assert_ptr_null(json_object_get(line, "line"));
    ck_assert_uint_eq(json_array_size(json_object_get(object, "faults")), 0);
    ck_assert_ptr_null(json_object_get(json_object_get(object, "host"), "thread_instructions_per_second"));
    json_decref(object);
}
END_TEST

START_TEST(json_names_the_fault)
{
    fault_set(&result.fault, FAULT_out_of_bounds, 1, "lane 3 of warp 0 reads 4 bytes at '\xff\n\"'+4096");
    insns[1].location = 1;
    result.fault.block[2] = 1;
    result.fault.thread[0] = 3;
    json_t *object = report_object(), *fault = json_array_get(json_object_get(object, "faults"), 0);
    ck_assert_str_eq(text_at(fault, "kind"), "out_of_bounds");
    ck_assert_str_eq(text_at(fault, "file"), "exercises/kernel.cu");
    ck_assert_int_eq(number_at(fault, "line"), 2);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(fault, "block"), 2)), 1);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(fault, "thread"), 0)), 3);
    ck_assert_str_eq(text_at(fault, "message"), "lane 3 of warp 0 reads 4 bytes at '\xef\xbf\xbd\n\"'+4096");
    json_decref(object);
}
END_TEST

/* --- text --- */

static size_t widest_line(const char *text) {
    size_t widest = 0;
    for (; *text; text += strcspn(text, "\n") + 1) {
        size_t columns = 0; /* code points: the tests' texts have only narrow ones */
        for (const char *at = text; *at != '\n' && *at; at++) columns += (*at & 0xc0) != 0x80;
        widest = columns > widest ? columns : widest;
        if (!text[strcspn(text, "\n")]) break;
    }
    return widest;
}

static void without_escapes(const char *text, Text *out) {
    while (*text) {
        if (*text == '\x1b')
            text += strcspn(text, "m") + 1;
        else
            text_add_bytes(out, text++, 1);
    }
}

/* Each line is as wide as a terminal at most, plain, and colour adds escapes alone. */
static void check_text(const char *plain, const char *coloured, size_t columns) {
    Text stripped = {0};
    ck_assert_msg(widest_line(plain) <= columns, "%zu columns:\n%s", widest_line(plain), plain);
    ck_assert_ptr_null(strchr(plain, '\x1b'));
    ck_assert_ptr_nonnull(strchr(coloured, '\x1b'));
    without_escapes(coloured, &stripped);
    ck_assert_str_eq(text_string(&stripped), plain);
    text_free(&stripped);
}

START_TEST(a_contiguous_map_shows_each_lane_in_its_word)
{
    Sample sample = contiguous(ACCESS_LOAD);
    Text text = {0};
    put(1, 1, sample, 1);
    insn_counters[1].worst.block = 15; /* grid (4,3,2): 15 = 3 + 4 * (0 + 3 * 1) */
    insn_counters[1].worst.warp = 1;
    report_map(&report, &insn_counters[1].worst, page_plain, &text);
    ck_assert_str_eq(text_string(&text), "kernel.cu:2, global load: block (3,0,1), warp 1, 4 bytes a lane\n"
                                         "  A row is a 32-byte sector, a cell 4 bytes with the lane that uses them\n"
                                         "  'input'+0  | 0| 1| 2| 3| 4| 5| 6| 7| 32 of 32 used  lanes 0-7\n"
                                         "  'input'+32 | 8| 9|10|11|12|13|14|15| 32 of 32 used  lanes 8-15\n"
                                         "  'input'+64 |16|17|18|19|20|21|22|23| 32 of 32 used  lanes 16-23\n"
                                         "  'input'+96 |24|25|26|27|28|29|30|31| 32 of 32 used  lanes 24-31\n"
                                         "  4 sectors = 128 bytes moved, 128 of them used (100.0%)\n");
    text_free(&text);
}
END_TEST

static void check_map_has(Sample sample, const char *const *rows) {
    Text text = {0};
    put(1, 1, sample, 1);
    report_map(&report, &insn_counters[1].worst, page_plain, &text);
    for (; *rows; rows++) ck_assert_msg(strstr(text_string(&text), *rows) != NULL, "no '%s' in\n%s", *rows, text_string(&text));
    text_free(&text);
}

START_TEST(sector_maps_show_gaps_sharing_and_distance)
{
    check_map_has(column(4), (const char *const[]){"  'input'+0      | .| 0| .| .| .| .| .| .|  4 of 32 used  lane 0\n",
                                                   "used  lane 5\n"
                                                   "  ...            24 more, each 4096 bytes after the one before\n"
                                                   "  'input'+122880 | .|30|",
                                                   "  'input'+126976 | .|31| .| .| .| .| .| .|  4 of 32 used  lane 31\n",
                                                   "  32 sectors = 1024 bytes moved, 128 of them used (12.5%)\n", NULL});
    Sample uneven = strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 128, 0, LANES_ALL);
    for (int i = 7; i < WARP_LANES; i++) uneven.access.addr[i] += 128; /* between the first two rows that are left out */
    check_map_has(uneven, (const char *const[]){"  ...          24 more\n", NULL});
    uneven.access.addr[6] += 128; /* before them */
    check_map_has(uneven, (const char *const[]){"  ...          24 more\n", NULL});
    check_map_has(strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 0, 8, LANES_ALL),
                  (const char *const[]){"  A row is a 32-byte sector, a cell 4 bytes with the lane that uses them; *\n"
                                        "  stands for several lanes\n",
                                        "  'input'+0 | .| .| *| .| .| .| .| .|  4 of 32 used  lanes 0-31\n", NULL});
    check_map_has(strided(SPACE_GLOBAL, ACCESS_LOAD, 16, 16, 16, 0xff),
                  (const char *const[]){"  8 of 32 lanes are active: 0-7\n",
                                        "  'input'+0   | .| .| .| .| 0         | 16 of 32 used  lane 0\n",
                                        "  'input'+32  | 1         | 2         | 32 of 32 used  lanes 1-2\n", NULL});
    check_map_has(strided(SPACE_GLOBAL, ACCESS_LOAD, 1, 1, 3, LANES_ALL),
                  (const char *const[]){"  'input'+0  |...#############################| 29 of 32 used  lanes 0-28\n", NULL});
    check_map_has(strided(SPACE_GLOBAL, ACCESS_ATOMIC, 4, 0, 0, LANES_ALL),
                  (const char *const[]){
                      "  4 of 32 used x32  lanes 0-31\n",
                      "  32 sectors = 1024 bytes moved, 4 of them used (0.4%)\n  x: updates of one address are serialised",
                      NULL});
}
END_TEST

START_TEST(local_memory_is_shown_from_the_warps_first_byte)
{
    /* every lane's word 5, bytes 20 to 23 of its own: 5 * 32 words in, wherever the warp's local memory may be */
    Sample sample = strided(SPACE_LOCAL, ACCESS_LOAD, 4, 4, WINDOW_LOCAL + 8192 + 5 * 128, LANES_ALL);
    for (int lane = 0; lane < WARP_LANES; lane++) sample.access.local[lane] = 20;
    check_map_has(sample, (const char *const[]){"  local+640 | 0| 1| 2| 3| 4| 5| 6| 7| 32 of 32 used  lanes 0-7\n", NULL});
}
END_TEST

static void check_quote(const char *compiler, uint32_t column, const char *array, const char *expected) {
    Text text = {0};
    report.compiler = compiler;
    spot_add_quote(&report, (Spot){report.source_path, 2, column}, array, "", page_plain, &text);
    ck_assert_str_eq(text_string(&text), expected);
    text_free(&text);
}

/* Line 2 is "    float v = in[i];": `in` begins at column 15. clang's columns are those of expressions, nvcc's those of statements. */
START_TEST(a_caret_stands_below_the_access_where_its_column_is_known)
{
    check_quote("clang 14.0.6", 15, "", "       2 | float v = in[i];\n         |           ^\n");
    check_quote("nvcc 13.0", 5, "in", "       2 | float v = in[i];\n         |           ^\n");
    check_quote("nvcc 13.0", 15, "", "       2 | float v = in[i];\n");
    check_quote("nvcc 13.0", 5, "n", "       2 | float v = in[i];\n"); /* the end of another name */
    check_quote("clang 14.0.6", 5, "", "       2 | float v = in[i];\n");
    check_quote("clang 14.0.6", 0, "", "       2 | float v = in[i];\n");
    check_quote("clang 14.0.6", 99, "", "       2 | float v = in[i];\n");
}
END_TEST

/* Unicode, EastAsianWidth.txt: the first and last characters of blocks that are wide (W, F), and their neighbours that are not. */
START_TEST(characters_take_the_columns_of_a_terminal)
{
    static const char *const columns[][15] = {
        {"\u0300", "\u036f", "\u20d0", "\ufe00", "\ufe0f"},
        {"a", "\u02ff", "\u0370", "\u10ff", "\ua4d0", "\ud7b0", "\ufb00", "\ufe29", "\ufe70", "\uff61", "\uffe8"},
        {"\u1100", "\u115f", "\u2e80", "\u4e00", "\ua4c6", "\uac00", "\ud7a3", "\uf900", "\ufaff", "\ufe30", "\ufe6b", "\uff01",
         "\uff60", "\uffe0"},
        {NULL}};
    for (size_t width = 0; width < 3; width++)
        for (size_t i = 0; columns[width][i]; i++) {
            Text text = {0};
            size_t used = plain_line(&text, columns[width][i], strlen(columns[width][i]), 10);
            ck_assert_msg(used == width, "%s takes %zu columns, not %zu", columns[width][i], used, width);
            text_free(&text);
        }
}
END_TEST

START_TEST(bank_maps_show_who_waits_for_whom)
{
    /* words i * 32: every lane in bank 0 */
    check_map_has(bank_zero(),
                  (const char *const[]){
                      "\n               ---------------------------------------------------------------\n"
                      "  wavefront  1 0 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n",
                      "  wavefront  2 1 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n",
                      "  ...          28 more wavefronts\n",
                      "               3\n  wavefront 32 1 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n",
                      "  32 wavefronts, 31 bank conflicts\n", NULL});
    /* lanes 0 and 10: only the second wavefront has tens */
    check_map_has(strided(SPACE_SHARED, ACCESS_LOAD, 4, 128, 0, 1 | 1 << 10),
                  (const char *const[]){"---\n  wavefront  1 0 .", " .\n               1\n  wavefront  2 0 .", NULL});
    /* 8-byte stores 16 bytes apart: lanes 0-7 fill every other pair of banks, lanes 8-15 want the same ones */
    check_map_has(
        strided(SPACE_SHARED, ACCESS_STORE, 8, 16, 0, LANES_ALL),
        (const char *const[]){"  lanes 0-15\n  wavefront  1 0 0 . . 1 1 . . 2 2 . . 3 3 . . 4 4 . . 5 5 . . 6 6 . . 7 7 . .\n",
                              "  lanes 16-31\n", "  4 wavefronts, 2 bank conflicts\n", NULL});
    /* bytes: four lanes a word */
    check_map_has(strided(SPACE_SHARED, ACCESS_LOAD, 1, 1, 0, LANES_ALL),
                  (const char *const[]){"  + and further lanes, which want the same word\n",
                                        "                     1 1 2 2 2\n  wavefront  1 0+4+8+2+6+0+4+8+. .", NULL});
}
END_TEST

START_TEST(maps_fit_a_terminal_whatever_the_lanes_do)
{
    Allocation *other = memory_allocate(request.launch.memory, 1 << 22, "a buffer with a long name", false);
    for (int i = 0; i < 1000; i++) {
        Sample sample = random_sample();
        for (int lane = 0; sample.access.space == SPACE_GLOBAL && i % 2 && lane < WARP_LANES; lane++)
            sample.access.addr[lane] += other->address - input->address;
        put(1, 1, sample, 1);
        for (size_t columns = PAGE_COLUMNS_LEAST; columns <= PAGE_COLUMNS_MOST; columns += 20) {
            Text plain = {0}, coloured = {0};
            report_map(&report, &sample, (Page){columns, false}, &plain);
            report_map(&report, &sample, (Page){columns, true}, &coloured);
            check_text(text_string(&plain), text_string(&coloured), columns);
            text_free(&plain);
            text_free(&coloured);
        }
    }
}
END_TEST

static void check_table(void) {
    Text plain = {0}, coloured = {0};
    report_table(&report, page_plain, &plain);
    report_table(&report, (Page){PAGE_COLUMNS, true}, &coloured);
    check_text(text_string(&plain), text_string(&coloured), PAGE_COLUMNS);
    text_free(&plain);
    text_free(&coloured);
}

START_TEST(tables_fit_a_terminal_whatever_is_in_them)
{
    char name[300];
    memset(name, 'k', sizeof name - 1);
    name[sizeof name - 1] = 0;
    report.kernel_name = name;
    Allocation *long_name = memory_allocate(request.launch.memory, 4096, name, false);
    for (int i = 0; i < 200; i++) {
        memset(insn_counters, 0, sizeof insn_counters);
        for (uint32_t pc = 0; pc < INSNS; pc++) {
            Sample sample = random_sample();
            if (sample.access.space == SPACE_GLOBAL && pc % 2)
                for (int lane = 0; lane < WARP_LANES; lane++)
                    sample.access.addr[lane] = long_name->address + (sample.access.addr[lane] - input->address) % 4096;
            put(pc, pc % LOCATIONS, sample, random_next() >> random_next() % 40 >> 24 | 1);
        }
        counters.instructions = counters.l2_read_sectors = counters.dram_read_bytes = random_next();
        check_table();
    }
    report.source_text = "\n\x1b[31m\t\xff out[i] = in[i]; // \xc3\xa9t\xc3\xa9 \xe2\x80\xae "
                         "12345678901234567890123456789012345678901234567890\n";
    check_table();
}
END_TEST

START_TEST(a_table_shows_counts_lines_and_reasons)
{
    static const char *const rows[] = {
        "scale(float*, int)\n",
        "grid (4,3,2), block (64,1,1), NVIDIA H200, L1 on, nvcc 13.0\n",
        "  load           1000        32,000    32.00     4.00    25.0%         12.5%\n",
        "\nkernel.cu:2  float v = in[i];\n    global load, 1000 requests of 32.00 sectors, 0.0% hit L1\n",
        "    ! 32 sectors a request, 4 would do: lanes are 4096 bytes apart\n",
        "\nkernel.cu:3  out[i] = v;\n    shared load, 1 request of 32.00 wavefronts\n",
    };
    Text text = {0};
    put(1, 1, column(0), 1000);
    put(2, 2, bank_zero(), 1);
    counters.global[COUNTER_LOAD].l1_hit_sectors = 8000;
    report_table(&report, page_plain, &text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(strstr(text_string(&text), rows[i]) != NULL, "no '%s' in\n%s", rows[i], text_string(&text));
    text_free(&text);
}
END_TEST

START_TEST(a_fault_comes_first_with_its_thread_and_line)
{
    Text text = {0};
    fault_set(&result.fault, FAULT_shared_race, 1, "lane 3 of warp 1 of block 7 reads 4 bytes at shared byte 8");
    result.fault.other_pc = 2;
    result.fault.thread[0] = 35;
    result.fault.block[0] = 3; /* block 7 of a grid of (4,3,2) is (3,1,0) */
    result.fault.block[1] = 1;
    insns[1].location = 1;
    insns[2].location = 2;
    snprintf(result.fault.hint, sizeof result.fault.hint, "put __syncthreads() between them");
    report_table(&report, page_plain, &text);
    const char *start = "shared race\n"
                        "kernel.cu:2: lane 3 of warp 1 (block (3,1,0), thread (35,0,0)) reads 4 bytes at\n"
                        "shared byte 8\n"
                        "  this access     2 | float v = in[i];\n"
                        "  the other       3 | out[i] = v;\n"
                        "  hint: put __syncthreads() between them\n";
    ck_assert_msg(strncmp(text_string(&text), start, strlen(start)) == 0, "%s", text_string(&text));
    text_free(&text);
}
END_TEST

START_TEST(a_program_s_times_say_where_they_are_not_calibrated)
{
    static const uint32_t one[3] = {1, 1, 1};
    SummaryRow row = {.kernel = "k(int)", .grid = one, .block = one, .launches = 2, .time_us = 3};
    Text known = {0}, unknown = {0}, none = {0};
    summary_add("NVIDIA H200", true, &row, 1, page_plain, &known);
    summary_add("NVIDIA T4", false, &row, 1, page_plain, &unknown);
    summary_add("NVIDIA T4", false, &row, 0, page_plain, &none);
    ck_assert_ptr_nonnull(strstr(text_string(&known), "NVIDIA H200: 2 launches\n"));
    ck_assert_ptr_nonnull(strstr(text_string(&unknown), "NVIDIA T4: 2 launches; the model of its times is not calibrated\n"));
    ck_assert_ptr_null(strstr(text_string(&none), "calibrated"));
    text_free(&known);
    text_free(&unknown);
    text_free(&none);
}
END_TEST

SUITE_WITH("report", setup, teardown, a_program_s_times_say_where_they_are_not_calibrated,
           lines_stand_in_order_of_file_line_space_op, instructions_of_one_line_add_up,
           a_line_is_explained_by_the_access_that_wastes_most, a_generic_instruction_gives_a_line_for_each_space,
           ptx_without_positions_shows_its_own_lines, the_worst_access_wastes_most_over_the_launch,
           layouts_hold_as_many_sectors_and_wavefronts_as_are_counted, json_has_the_counts,
           json_has_pictures_where_they_are_asked_for, the_modelled_time_says_what_bounds_it,
           json_leaves_out_what_does_not_apply, json_names_the_fault, a_contiguous_map_shows_each_lane_in_its_word,
           sector_maps_show_gaps_sharing_and_distance, local_memory_is_shown_from_the_warps_first_byte,
           a_caret_stands_below_the_access_where_its_column_is_known, characters_take_the_columns_of_a_terminal,
           bank_maps_show_who_waits_for_whom, maps_fit_a_terminal_whatever_the_lanes_do,
           tables_fit_a_terminal_whatever_is_in_them, a_table_shows_counts_lines_and_reasons,
           a_fault_comes_first_with_its_thread_and_line)
