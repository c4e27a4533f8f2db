#include "report/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/metrics.h"
#include "report/object.h"

struct Record {
    json_t *head, *runs;
};

Record *record_new(void) {
    Record *record = alloc_bytes(sizeof *record);
    *record = (Record){json_object(), json_object()};
    return record;
}

static json_t *run_object(const RecordedRun *run) {
    json_t *object = json_object();
    object_text(object, "file", run->file);
    object_text(object, "arguments", run->arguments);
    return object;
}

void record_emulated(Record *record, const RecordedRun *run, const Report *report) {
    json_t *object = run_object(run);
    if (!json_object_size(record->head)) {
        object_text(record->head, "device", report->request->profile->name);
        if (report->compiler) object_text(record->head, "compiler", report->compiler);
    }
    object_launch(object, report->kernel_name, report->request);
    const MetricSource source = metrics_of(report->request, report->result);
    metrics_set(object, &source, IN_RECORD);
    object_model(object, &report->result->model);
    object_set(record->runs, run->name, object);
}

/* --- on the real device --------------------------------------------------------------------------------------------------- */

static void set_head(Record *record, const GpuInfo *info, const char *compiler) {
    if (json_object_size(record->head)) return;
    object_device(record->head, info);
    object_set(record->head, "memory_clock_mhz", json_integer(info->memory_clock_khz / 1000));
    object_number(record->head, "sms", (uint64_t)info->sms);
    if (compiler) object_text(record->head, "compiler", compiler);
}

static void set_times(json_t *object, const MeasuredReport *report) {
    json_auto_t *times = object_measured(report);
    json_object_update(object, times);
    if (report->asked->copy_bytes)
        object_set(object, "gb_s", object_real(2e-3 * (double)report->asked->copy_bytes / report->result->kernel.median_us));
}

static void add_counter(json_t *object, const char *name, double value) {
    object_number(object, name, (uint64_t)json_integer_value(json_object_get(object, name)) + (uint64_t)value);
}

/* Conflicts that follow from the addresses: the wavefronts beyond the least, which is what the pipe's are without the pipe's conflicts. None are worked
 * out where ldmatrix is in what the pipe did: on an H200 the exact counter of loads does not have it. */
static void set_conflicts(json_t *op) {
    const json_t *exact = json_object_get(op, "wavefronts"), *pipe = json_object_get(op, "pipe_wavefronts"),
                 *conflicts = json_object_get(op, "pipe_conflicts");
    if (!exact || !pipe || !conflicts) return;
    const json_int_t least = json_integer_value(pipe) - json_integer_value(conflicts);
    if (json_integer_value(exact) >= least) object_set(op, "bank_conflicts", json_integer(json_integer_value(exact) - least));
}

static void set_counters(json_t *object, const NcuLaunch *launch) {
    for (int i = 0; i < NCU_METRIC_COUNT; i++) {
        const NcuMetric *metric = &ncu_metrics[i];
        if (!launch->has[i]) continue;
        if (strcmp(metric->name, "device_ns") == 0)
            object_set(object, "device_us", object_real(launch->values[i] * 1e-3));
        else
            add_counter(object_inner(object_inner(object, metric->group), metric->op), metric->name, launch->values[i]);
    }
    json_t *shared = json_object_get(object, "shared");
    set_conflicts(json_object_get(shared, "load"));
    set_conflicts(json_object_get(shared, "store"));
}

void record_measured(Record *record, const RecordedRun *run, const MeasuredReport *report, const NcuLaunch *counters) {
    json_t *object = run_object(run);
    set_head(record, &report->result->info, report->compiler);
    object_launch(object, report->kernel_name, report->request);
    if (report->asked->repeats) set_times(object, report);
    if (counters) set_counters(object, counters);
    object_set(record->runs, run->name, object);
}

void record_geam(Record *record, const RecordedRun *run, const GpuGeam *geam, uint32_t repeats, const GpuResult *result) {
    GpuRequest asked = {.repeats = repeats, .copy_bytes = (uint64_t)geam->element_bytes * geam->rows * geam->cols};
    MeasuredReport report = {.asked = &asked, .result = result};
    json_t *object = run_object(run);
    set_head(record, &result->info, NULL);
    if (repeats) set_times(object, &report);
    object_set(record->runs, run->name, object);
}

static void add_member(Text *out, const char *before, const char *key, json_t *value) {
    json_auto_t *name = json_string(key);
    text_add(out, "%s", before);
    object_write(name, JSON_ENCODE_ANY, out);
    text_add(out, ":");
    object_write(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6), out);
}

void record_end(Record *record, const char *date, Text *out) {
    const char *key, *before = "{";
    json_t *value;
    if (date) object_text(record->head, "date", date);
    json_object_foreach(record->head, key, value) {
        add_member(out, before, key, value);
        before = ",";
    }
    text_add(out, "%s\"runs\":{", before);
    before = "\n";
    json_object_foreach(record->runs, key, value) {
        add_member(out, before, key, value);
        before = "\n,";
    }
    text_add(out, "\n}}\n");
    json_decref(record->head);
    json_decref(record->runs);
    free(record);
}
