/* The numbers of a launch by their names (report/metrics.def): that goals find what JSON and the hardware's counters name, and no more. */
#include "report/metrics.h"

#include "device/ncu.h"
#include "handmade.h"
#include "ptx/opcode.h"
#include "report/json.h"
#include "suite.h"

enum { CONSTANT = 5, TIME_US = 7 };

/* Each count of these is another number, from 1 on. */
static uint64_t number(void *counters, size_t bytes, uint64_t last) {
    for (size_t i = 0; i < bytes / sizeof(uint64_t); i++) ((uint64_t *)counters)[i] = ++last;
    return last;
}

static MetricSource source;

static void begin(void) {
    setup();
    number(counters.shared, sizeof counters.shared,
           number(counters.local, sizeof counters.local, number(counters.global, sizeof counters.global, 0)));
    counters.constant_requests = CONSTANT;
    counters.l2_write_sectors = 6;
    counters.dram_read_bytes = 8;
    result.model.time_us = TIME_US;
    source = metrics_of(&request, &result);
}

static double found(const char *name) {
    double value = -1;
    ck_assert_msg(metrics_find(&source, name, &value), "there is no %s", name);
    return value;
}

/* Every number below an object of the launch's JSON is what its path finds. */
static unsigned paths_are_found(const char *path, json_t *object) {
    const char *key;
    json_t *value;
    unsigned count = 0;
    json_object_foreach(object, key, value) {
        char name[100];
        snprintf(name, sizeof name, "%s%s%s", path, *path ? "." : "", key);
        if (strcmp(name, "host") == 0) continue; /* differs each time */
        count += json_is_object(value) ? paths_are_found(name, value) : json_is_number(value);
        if (json_is_number(value)) ck_assert_double_eq(found(name), json_number_value(value));
    }
    return count;
}

/* By hand: 3 of the launch, 6 of 5 operations on global and local memory, 5 of 3 on shared memory, constant, 2, 2 and the model's time. */
START_TEST(goals_find_what_json_shows)
{
    Text text = {0};
    report_json(&report, &text);
    json_t *object = json_loads(text_string(&text), 0, NULL);
    ck_assert_uint_eq(paths_are_found("", object), 3 + 6 * 5 + 5 * 3 + 1 + 4 + 1);
    json_decref(object);
    text_free(&text);
}
END_TEST

START_TEST(what_nsight_compute_counts_has_a_name_of_ours)
{
    double value;
    for (int i = 1; i < NCU_METRIC_COUNT; i++) { /* the first is a time that the emulator does not have */
        const NcuMetric *metric = &ncu_metrics[i];
        if (strncmp(metric->name, "pipe_", 5) == 0) continue; /* nor what else takes the banks */
        char name[100];
        snprintf(name, sizeof name, "%s.%s%s%s", metric->group, metric->op, *metric->op ? "." : "", metric->name);
        ck_assert_msg(metrics_find(&source, name, &value), "%s is no name of metrics.def", name);
    }
}
END_TEST

START_TEST(what_a_launch_does_not_have_has_no_value)
{
    static const char *const none[] = {"global.load.most",     "global.swap.sectors",
                                       "local.atomic.sectors", "shared.load.sectors",
                                       "global.load",          "l2",
                                       "dram.write",           "sectors"};
    double value;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!metrics_find(&source, none[i], &value), "%s", none[i]);
    ck_assert(metrics_find(&source, "constant.requests", &value) && value == CONSTANT);
    counters.constant_requests = 0, result.model.time_us = 0, counters.shared[COUNTER_LOAD].joined = 0;
    memset(counters.local, 0, sizeof counters.local);
    static const char *const gone[] = {"constant.requests", "model.time_us", "shared.load.joined", "local.load.sectors"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        ck_assert_msg(!metrics_find(&source, gone[i], &value), "%s", gone[i]);
}
END_TEST

/* What the modelled time is without instructions: an empty kernel's. */
START_TEST(the_time_of_data_hangs_on_no_instruction)
{
    request.profile = profile_find("h200", NULL);
    counters = (Counters){.n_insns = INSNS, .insns = insn_counters};
    const double none = found("model.data_us");
    ck_assert_double_ge(none, request.profile->time.launch_us);
    counters.instructions = 1000000000, counters.busiest_warp = 1000000;
    ck_assert_double_eq(found("model.data_us"), none);
    counters.shared[COUNTER_LOAD].wavefronts = 1000000;
    ck_assert_double_gt(found("model.data_us"), none);
}
END_TEST

/* Three copies by a warp of one and the same 16 bytes, and one of 16 bytes each. */
START_TEST(copies_of_the_same_bytes_are_copied_once_a_request)
{
    insns[1].op = insns[2].op = OP_cp_async, insns[3].op = OP_ld;
    insn_counters[1].sectors = (SectorCounters){.requests = 3, .bytes = 3 * 32 * 16, .unique_bytes = 3 * 16};
    insn_counters[2].sectors = (SectorCounters){.requests = 1, .bytes = 32 * 16, .unique_bytes = 32 * 16};
    insn_counters[3].sectors = (SectorCounters){.requests = 1, .bytes = 128, .unique_bytes = 128};
    ck_assert_double_eq(found("async.bytes"), 4 * 32 * 16);
    ck_assert_double_eq(found("async.unique_bytes"), 35 * 16);
}
END_TEST

/* Goals are worked out from what is shown: six digits. */
START_TEST(a_modelled_time_is_as_json_shows_it)
{
    result.model.time_us = 1.23456789;
    ck_assert_double_eq(found("model.time_us"), 1.23457);
}
END_TEST

SUITE_WITH("metrics", begin, teardown, goals_find_what_json_shows, what_nsight_compute_counts_has_a_name_of_ours,
           what_a_launch_does_not_have_has_no_value, the_time_of_data_hangs_on_no_instruction,
           copies_of_the_same_bytes_are_copied_once_a_request, a_modelled_time_is_as_json_shows_it)
