/* What a whole program cost (report/summary.h), the table of a launch (table.h) and what it is laid out for (page.h). */
#define _GNU_SOURCE /* posix_openpt */
#include "report/summary.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "handmade.h"
#include "report/page.h"
#include "report/table.h"
#include "suite.h"

static const uint32_t wide[3] = {4, 3, 2}, warp[3] = {32, 1, 1}, block[3] = {64, 2, 1};

static void summary_is(const SummaryRow *rows, size_t count, const char *wanted) {
    Text out = {0};
    summary_add("NVIDIA H200", true, rows, count, page_plain, &out);
    ck_assert_str_eq(text_string(&out), wanted);
    text_free(&out);
}

START_TEST(kernels_have_their_share_of_the_time)
{
    SummaryRow rows[] = {
        {.kernel = "void scale<float (*)(int), 2>(float*, int)",
         .grid = wide,
         .block = block,
         .launches = 2,
         .replayed = 1,
         .time_us = 30},
        {.kernel = "(anonymous namespace)::f(int)", .grid = block, .block = warp, .launches = 12345, .time_us = 10}};
    summary_is(
        rows, 2,
        "\nNVIDIA H200: 12,347 launches (1 of them repeated others, and were not executed again)\n"
        "  A timer on the host hardly sees those that were repeated, and no GPU: cudaEventElapsedTime has modelled time.\n"
        "  launches  modelled time   share  kernel, grid, block\n"
        "         2        30.0 us   75.0%  scale<float (*)(int), 2> (4,3,2) (64,2,1)\n"
        "    12,345        10.0 us   25.0%  (anonymous namespace)::f (64,2,1) (32,1,1)\n");
    rows[1].shared_bytes = 48, rows[1].launches = 1, rows[1].time_us = 0,
    rows[1].kernel = "a_name_that_is_longer_than_what_is_left_of_the_page";
    summary_is(rows + 1, 1,
               "\nNVIDIA H200: 1 launch\n  launches  modelled time   share  kernel, grid, block + shared bytes\n"
               "         1         0.0 us    0.0%  a_name_that_is_longer.. (64,2,1) (32,1,1) +48\n");
    summary_is(NULL, 0, "\nNVIDIA H200: 0 launches\n");
}
END_TEST

START_TEST(shapes_that_differ_are_one_row_with_their_range)
{
    static const uint32_t least[3] = {1, 1, 2}, most[3] = {200, 1, 3};
    SummaryRow row = {
        .kernel = "f(int)", .grid = least, .grid_most = most, .block = warp, .block_most = warp, .launches = 1400};
    row.shapes = 1200, row.shared_most = 64;
    summary_is(&row, 1,
               "\nNVIDIA H200: 1400 launches\n  launches  modelled time   share  kernel, grid, block + shared bytes\n"
               "      1400         0.0 us    0.0%  f (1-200,1,2-3) (32,1,1) +0-64, 1200 shapes\n");
}
END_TEST

START_TEST(after_forty_rows_the_others_are_one)
{
    SummaryRow rows[43];
    Text out = {0};
    for (size_t i = 0; i < 43; i++)
        rows[i] = (SummaryRow){.kernel = "f", .grid = wide, .block = warp, .launches = 1, .time_us = 2};
    summary_add("NVIDIA H200", true, rows, 43, page_plain, &out);
    size_t lines = 0;
    for (size_t i = 0; i < out.length; i++) lines += out.data[i] == '\n';
    ck_assert_uint_eq(lines, 3 + 40 + 1); /* 3 of 43 rows with 6 of 86 us */
    ck_assert_ptr_nonnull(strstr(text_string(&out), "\n                   6.0 us    7.0%  3 more rows\n"));
    text_free(&out);
}
END_TEST

/* Of 80 columns the numbers take 35, the shapes here 26 and the digits of their first number: the name has what is left, and 12 at least. */
START_TEST(a_name_is_cut_to_its_room)
{
    static const struct {
        uint32_t grid;
        const char *name;
    } rows[] = {{99999, "abcdefghijkl.."},
                {999999, "abcdefghijk.."},
                {1000000, "abcdefghij.."},
                {10000000, "abcdefghij.."},
                {UINT32_MAX, "abcdefghij.."}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t grid[3] = {rows[i].grid, 65535, 65535}, threads[3] = {1024, 1, 1};
        const SummaryRow row = {.kernel = "abcdefghijklmnopqrstuvwxyz", .grid = grid, .block = threads, .launches = 1};
        Text wanted = {0};
        text_add(&wanted,
                 "\nNVIDIA H200: 1 launch\n  launches  modelled time   share  kernel, grid, block\n"
                 "         1         0.0 us    0.0%%  %s (%u,65535,65535) (1024,1,1)\n",
                 rows[i].name, rows[i].grid);
        summary_is(&row, 1, text_string(&wanted));
        text_free(&wanted);
    }
}
END_TEST

START_TEST(copies_are_added_up)
{
    Text out = {0};
    summary_add_copies("to the device", 0, 0, 0, &out);
    ck_assert_str_eq(text_string(&out), "");
    summary_add_copies("to the device", 3, 4000000, 12, &out);
    ck_assert_str_eq(text_string(&out), "         3        12.0 us          copies to the device, 4 MB\n");
    text_free(&out);
}
END_TEST

/* Ten loads of 32 sectors, where 4 would do, and of shared memory three loads in 2 wavefronts; local stores of 4 sectors. 32 of 320 * 32 bytes: 12.5%. */
static void make_launch(void) {
    put(0, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 10);
    put(1, 2, strided(SPACE_SHARED, ACCESS_LOAD, 4, 8, 0, LANES_ALL), 3);
    insn_counters[0].sectors.l1_hit_sectors = counters.global[COUNTER_LOAD].l1_hit_sectors = 80;
    counters.shared[COUNTER_LOAD].joined = 5, counters.shared[COUNTER_STORE].joined = 1;
    insn_counters[1].banks.joined = 6;
    counters.constant_requests = 7, counters.l2_read_sectors = 1234, counters.l2_write_sectors = 12345;
    counters.dram_read_bytes = 999, counters.dram_write_bytes = 1500000;
    request.launch.shared_bytes = 64;
    result.model = (Model){.time_us = 12.5, .bound = BOUND_shared};
}

START_TEST(a_table_has_totals_then_lines)
{
    Text out = {0};
    make_launch();
    report.launches = 3;
    report_table(&report, page_plain, &out);
    const char *wanted =
        "scale(float*, int)\n"
        "grid (4,3,2), block (64,1,1), 64 bytes of dynamic shared memory, NVIDIA H200, L1\non, nvcc 13.0\n"
        "3 launches, added up\n"
        "1000 warp instructions, 32,000 thread instructions (of PTX)\n"
        "\nglobal       requests       sectors /request    ideal  L1 hits    coalescing\n"
        "  load             10           320    32.00     4.00    25.0%         12.5%\n"
        "\nshared       requests    wavefronts /request    bank conflicts\n"
        "  load              3             6     2.00                 3\n"
        "  6 more accesses are joined to these, as the assembler does\n"
        "\nconstant  7 requests\nL2        1234 sectors read, 12,345 written\nDRAM      999 bytes read, 1.5 MB written\n"
        "time      12.5 us modelled (not calibrated), limited by shared memory\n"
        "\nkernel.cu:2  float v = in[i];\n"
        "    global load, 10 requests of 32.00 sectors, 25.0% hit L1\n"
        "    ! 32 sectors a request, 4 would do: lanes are 128 bytes apart\n"
        "      (the worst: see the map below)\n"
        "\nkernel.cu:3  out[i] = v;\n"
        "    shared load, 3 requests of 2.00 wavefronts, 6 more joined\n"
        "    ! 2 wavefronts a request, 1 would do: lanes are 8 bytes apart, so that 2 of\n"
        "      them meet in bank 0\n"
        "\nkernel.cu:2, global load: block (0,0,0), warp 0, 4 bytes a lane\n";
    ck_assert_msg(strncmp(text_string(&out), wanted, strlen(wanted)) == 0, "%.3500s", text_string(&out));
    text_free(&out);
    result.model.calibrated = true, report.launches = 1, request.l1 = false, request.launch.shared_bytes = 0,
    report.compiler = NULL;
    counters.constant_requests = 0;
    insn_counters[1].banks.requests = 0;
    report_table(&report, page_plain, &out);
    static const char *const parts[] = {"\ngrid (4,3,2), block (64,1,1), NVIDIA H200, L1 off\n1000 warp", "\n\nL2        1234",
                                        "time      12.5 us modelled, limited by shared memory\n",
                                        "\n    shared load, 6 joined to another line's\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ck_assert_msg(strstr(text_string(&out), parts[i]), "%s", parts[i]);
    ck_assert_ptr_null(strstr(text_string(&out), "launches, added up"));
    text_free(&out);
}
END_TEST

/* After a fault there is no map, and the fault is shown unless it was printed before. */
START_TEST(a_table_after_a_fault_says_what_it_covers)
{
    Text out = {0};
    make_launch();
    fault_set(&result.fault, FAULT_trap, NO_INSN, "it traps");
    report_table(&report, page_plain, &out);
    ck_assert(strncmp(text_string(&out), "trap\nit traps\n  in block (0,0,0)\n\nscale(float*, int)\n", 51) == 0);
    ck_assert_ptr_nonnull(strstr(text_string(&out), "(of PTX)\nThe counts below cover what ran until the fault.\n"));
    ck_assert_ptr_null(strstr(text_string(&out), "map below"));
    ck_assert_ptr_null(strstr(text_string(&out), "A row is a 32-byte sector"));
    text_free(&out);
    report.faults_printed = true;
    report_table(&report, page_plain, &out);
    ck_assert(strncmp(text_string(&out), "scale(float*, int)\n", 19) == 0);
    text_free(&out);
}
END_TEST

/* $COLUMNS, or the terminal's own, as far as a page goes; nothing of it for a file. */
START_TEST(a_page_is_as_wide_as_its_terminal)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY), file = open("/dev/null", O_RDONLY);
    if (terminal < 0) return; /* a system without terminals of its own, as a chroot is */
    ck_assert(file >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const int reader = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    struct winsize size = {.ws_col = 123, .ws_row = 40};
    ck_assert(reader >= 0 && ioctl(reader, TIOCSWINSZ, &size) == 0);
    unsetenv("COLUMNS"), unsetenv("NO_COLOR");
    ck_assert(page_of(reader).columns == 123 && page_of(reader).colour);
    ck_assert(page_of(file).columns == 80 && !page_of(file).colour);
    setenv("NO_COLOR", "", 1);
    ck_assert(page_of(reader).colour);
    setenv("NO_COLOR", "1", 1);
    ck_assert(!page_of(reader).colour);
    static const struct {
        const char *columns;
        size_t page;
    } rows[] = {{"100", 100}, {"1", 60}, {"999", 200}, {"0", 123}, {"-5", 123}, {"x", 123}, {"", 123}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setenv("COLUMNS", rows[i].columns, 1);
        ck_assert_msg(page_of(reader).columns == rows[i].page, "'%s'", rows[i].columns);
        ck_assert_uint_eq(page_of(file).columns, 80);
    }
    size.ws_col = 0; /* not known */
    unsetenv("COLUMNS");
    ck_assert_int_eq(ioctl(reader, TIOCSWINSZ, &size), 0);
    ck_assert_uint_eq(page_of(reader).columns, 80);
    close(reader), close(terminal), close(file);
}
END_TEST

SUITE_WITH("summary", setup, teardown, kernels_have_their_share_of_the_time, shapes_that_differ_are_one_row_with_their_range,
           after_forty_rows_the_others_are_one, a_name_is_cut_to_its_room, copies_are_added_up, a_table_has_totals_then_lines,
           a_table_after_a_fault_says_what_it_covers, a_page_is_as_wide_as_its_terminal)
