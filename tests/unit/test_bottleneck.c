/* What is said of a modelled time that is too long (lab/bottleneck.h): what exceeds a copy's, and what in the source changes that. */
#include "lab/bottleneck.h"

#include "device/model.h"

#include "shapes_lab.h"
#include "suite.h"

enum { MB = 1000000 };

/* A run of 4 MB in and 4 MB out, whose times are a copy's but for one. Of each 128 bytes it takes 20 instructions. */
static void begin_as_a_copy(void) {
    begin();
    keep_launch(A);
    runs[A].reads = runs[A].writes = 4 * MB;
    kept.result.model = model_copy(lab.profile, 4 * MB);
    counters.instructions = 8 * MB / 128 * 20;
    counters.dram_read_bytes = 4 * MB;
    counters.dram_rows = 4 * MB / 1024;
}

static void takes(ModelBound bound, double us) { kept.result.model.bound_us[bound] = us; }

static void advises(const char *wanted) {
    LOCAL_TEXT out = {0};
    const bool any = bottleneck_advise(&lab, A, &out);
    ck_assert_int_eq(any, *wanted != 0);
    ck_assert_str_eq(text_string(&out), wanted);
}

START_TEST(what_exceeds_a_copy_most_is_named_and_not_what_takes_longest)
{
    const double memory = kept.result.model.bound_us[BOUND_dram];
    ck_assert_int_eq(bottleneck_of(&lab, A).bound, BOUND_launch); /* nothing does */
    takes(BOUND_issue, memory * 0.9);
    ck_assert_int_eq(bottleneck_of(&lab, A).bound, BOUND_issue);
    advises("A warp executes 20 instructions for every 128 bytes that must be moved: wider accesses, more bytes a lane, "
            "unrolled loops and "
            "indices that are worked out ahead of them need fewer.");
    takes(BOUND_launch, 100); /* which no source changes */
    ck_assert_int_eq(bottleneck_of(&lab, A).bound, BOUND_issue);
}
END_TEST

START_TEST(the_sentence_has_both_times)
{
    LOCAL_TEXT out = {0};
    takes(BOUND_blocks, 7.25);
    kept.result.model.time_us = 9;
    bottleneck_say(&lab, A, &out);
    LOCAL_TEXT wanted =
        text_from("Modelled: 9.0 us, a copy %.1f us. Most of the difference: starting blocks (7.2 us alone, a copy's %.1f)",
                  model_copy_time_us(lab.profile, 4 * MB), model_copy(lab.profile, 4 * MB).bound_us[BOUND_blocks]);
    ck_assert_str_eq(text_string(&out), text_string(&wanted));
    advises(
        "Starting 24 blocks of 64 threads takes longer than their work: let each block do more."); /* the grid is 4 x 3 x 2 */
}
END_TEST

START_TEST(device_memory_is_asked_for_more_in_more_rows_or_in_bursts)
{
    takes(BOUND_dram, 50);
    advises("Device memory has gaps where blocks load, wait at a barrier and store: more of them on an SM, or more loads of "
            "each thread at "
            "once, fill these.");
    counters.dram_rows *= 3;
    advises("Device memory opens its rows 3.0 times as often as for a copy: let a block take longer pieces of each row, and "
            "let blocks "
            "that run at the same time be neighbours.");
    counters.dram_read_bytes *= 2;
    advises("Device memory is read 2.0 times as much as is needed: load each sector once, and all of it.");
}
END_TEST

START_TEST(lines_and_conflicts_are_counted)
{
    counters.global[COUNTER_STORE] = (SectorCounters){.requests = 10, .lines = 325};
    takes(BOUND_stores, 50);
    advises("A request to store touches 32.5 lines of 128 bytes: let neighbouring lanes take neighbouring elements.");
    takes(BOUND_shared, 60);
    counters.shared[COUNTER_STORE] = (BankCounters){.wavefronts = 100, .bank_conflicts = 9};
    advises("Shared memory is asked too often: move 16 bytes a lane, and keep in registers what one thread needs again.");
    counters.shared[COUNTER_STORE].bank_conflicts = 10;
    advises("Of the wavefronts of shared memory 10% are bank conflicts: let the lanes of a warp meet different banks.");
}
END_TEST

SUITE_WITH("bottleneck", begin_as_a_copy, graded_end, what_exceeds_a_copy_most_is_named_and_not_what_takes_longest,
           the_sentence_has_both_times, device_memory_is_asked_for_more_in_more_rows_or_in_bursts,
           lines_and_conflicts_are_counted)
