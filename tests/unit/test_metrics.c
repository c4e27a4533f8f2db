/* The numbers of a launch by their names (report/metrics.def): that goals find what JSON and the hardware's counters name, and no more. */
#include "report/metrics.h"

#include "device/ncu.h"
#include "handmade.h"
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

/* Goals are worked out from what is shown: six digits. */
START_TEST(a_modelled_time_is_as_json_shows_it)
{
    result.model.time_us = 1.23456789;
    ck_assert_double_eq(found("model.time_us"), 1.23457);
}
END_TEST

SUITE_WITH("metrics", begin, teardown, goals_find_what_json_shows, what_nsight_compute_counts_has_a_name_of_ours,
           what_a_launch_does_not_have_has_no_value, a_modelled_time_is_as_json_shows_it)
