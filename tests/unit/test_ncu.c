/* Nsight Compute's tables, as `ncu --csv --page raw --print-units base` of version 2025.3 writes them. */
#include <stdio.h>
#include <string.h>

#include "device/ncu.h"
#include "suite.h"

static int index_of(const char *ncu) {
    for (int i = 0; i < NCU_METRIC_COUNT; i++)
        if (!strcmp(ncu_metrics[i].ncu, ncu)) return i;
    ck_abort_msg("%s", ncu);
}

static const char head[] = "\"ID\",\"Kernel Name\",\"Context\",\"dram__bytes_read.sum\",\"gpu__time_duration.sum\"\n";

START_TEST(launches_come_in_order_with_their_numbers)
{
    char text[1000];
    Arena *arena = arena_new();
    NcuRun run;
    Diag diag = {0};
    snprintf(
        text, sizeof text,
        "==PROF== Connected\nown output\n%s\"\",\"\",\"\",\"byte\",\"ns\"\n\"0\",\"_Z1kPf\",\"1\",\"1,234,567\",\"2,080\"\n"
        "\"1\",\"k\",\"1\",\"n/"
        "a\",\"5.5\"\n\"2\",\"k\",\"1\",\"nan\",\"inf\"\n\"3\",\"k\",\"1\",\"18446744073709551616\",\"9007199254740992\"\n=="
        "PROF== Disconnected\n",
        head);
    ck_assert(ncu_parse(text, arena, &run, &diag));
    int bytes = index_of("dram__bytes_read.sum"), time = index_of("gpu__time_duration.sum");
    ck_assert_uint_eq(run.count, 4);
    ck_assert_str_eq(run.launches[0].kernel, "_Z1kPf");
    ck_assert_double_eq(run.launches[0].values[bytes], 1234567);
    ck_assert_double_eq(run.launches[0].values[time], 2080);
    ck_assert(!run.launches[0].has[index_of("dram__bytes_write.sum")]);
    ck_assert_str_eq(run.launches[1].kernel, "k");
    ck_assert(!run.launches[1].has[bytes] && run.launches[1].has[time]);
    ck_assert_double_eq(run.launches[1].values[time], 5.5);
    ck_assert(!run.launches[2].has[bytes] && !run.launches[2].has[time]);
    ck_assert(!run.launches[3].has[bytes] && run.launches[3].has[time]); /* 2^64, 2^53 */
    arena_free(arena);
}
END_TEST

/* A padded transpose on an H200: a wavefront for each of 131,072 loads by the addresses, and 3,756 more by the pipe. */
START_TEST(wavefronts_are_read_of_the_addresses_and_of_the_pipe)
{
    static const struct {
        const char *ncu, *name;
        double value;
    } rows[] = {{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "pipe_conflicts", 3756},
                {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "pipe_wavefronts", 134828},
                {"sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "wavefronts", 131072}};
    Arena *arena = arena_new();
    NcuRun run;
    Diag diag = {0};
    Text text = {0};
    text_add(&text, "\"ID\",\"Kernel Name\"");
    for (int i = 0; i < 3; i++) text_add(&text, ",\"%s\"", rows[i].ncu);
    text_add(&text, "\n\"0\",\"k\",\"3,756\",\"134,828\",\"131,072\"\n");
    ck_assert(ncu_parse(text_string(&text), arena, &run, &diag));
    for (int i = 0; i < 3; i++) {
        const int at = index_of(rows[i].ncu);
        ck_assert_str_eq(ncu_metrics[at].group, "shared");
        ck_assert_str_eq(ncu_metrics[at].op, "load");
        ck_assert_str_eq(ncu_metrics[at].name, rows[i].name);
        ck_assert_double_eq(run.launches[0].values[at], rows[i].value);
    }
    text_free(&text);
    arena_free(arena);
}
END_TEST

/* The tool describes the device in some 300 columns before it comes to the counters. */
START_TEST(columns_that_are_not_asked_for_do_not_matter)
{
    Arena *arena = arena_new();
    Text text = {0};
    NcuRun run;
    Diag diag = {0};
    text_add(&text, "\"ID\"");
    for (int i = 0; i < 320; i++) text_add(&text, ",\"device__attribute_%d\"", i);
    text_add(&text, ",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"0\"");
    for (int i = 0; i < 320; i++) text_add(&text, ",\"%d\"", i);
    text_add(&text, ",\"k\",\"7\"\n");
    ck_assert(ncu_parse(text_string(&text), arena, &run, &diag));
    ck_assert_uint_eq(run.count, 1);
    ck_assert_double_eq(run.launches[0].values[index_of("gpu__time_duration.sum")], 7);
    text_free(&text);
    arena_free(arena);
}
END_TEST

START_TEST(broken_tables_are_read_as_far_as_they_go)
{
    static const char *const lines[] = {"\"0\"", "\"0\",\"k", "\"0\",\"k\",\"1\",\"2\",\"3\",\"4\",\"5\"", "\"9,\"",
                                        "\"0\"\"k\""};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[1000];
        Arena *arena = arena_new();
        NcuRun run;
        Diag diag = {0};
        snprintf(text, sizeof text, "%s%s", head, lines[i]);
        ck_assert(ncu_parse(text, arena, &run, &diag));
        ck_assert_uint_le(run.count, 1);
        arena_free(arena);
    }
}
END_TEST

START_TEST(a_file_without_a_table_is_refused)
{
    Arena *arena = arena_new();
    NcuRun run;
    Diag diag = {0};
    ck_assert(!ncu_parse("==ERROR== ERR_NVGPUCTRPERM\n\"0\",\"k\"\n", arena, &run, &diag));
    ck_assert_str_eq(diag.message, "no table of Nsight Compute is in it");
    ck_assert(!ncu_parse("", arena, &run, &diag));
    arena_free(arena);
}
END_TEST

SUITE("ncu", launches_come_in_order_with_their_numbers, wavefronts_are_read_of_the_addresses_and_of_the_pipe,
      columns_that_are_not_asked_for_do_not_matter, broken_tables_are_read_as_far_as_they_go, a_file_without_a_table_is_refused)
