/* json.c: a launch as one JSON object. A key is there only when it applies:
 * - global, shared, local, constant: when the kernel made a request there; then with every direction that the space has, also those
 *   that made none, so that a count of a space in use can always be read.
 * - compiler: when a .cu file was compiled. file and line: when the instruction's place in the source is known.
 * - sectors and ideal_sectors of a line: global and local memory; wavefronts and bank_conflicts: shared memory.
 * - replayed: true for a launch of a whole program that was not executed again (then host is absent).
 * - model: when the launch ran to its end.
 * - thread_instructions_per_second: when the launch took a measurable time.
 * A launch on the real device has "on":"gpu", its name as device, the driver, and where it was timed "measured". */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/object.h"
#include "report/place.h"
#include "report/report.h"

void object_set(json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) != 0) abort(); /* out of memory */
}

void object_number(json_t *object, const char *key, uint64_t value) {
    object_set(object, key, json_integer((json_int_t)value));
}

void object_text(json_t *object, const char *key, const char *value) {
    Text text = {0};
    words_utf8(&text, value, strlen(value));
    object_set(object, key, json_stringn(text_string(&text), text.length));
    text_free(&text);
}

void object_three(json_t *object, const char *key, const uint32_t *values) {
    json_t *array = json_array();
    for (int i = 0; i < 3; i++) json_array_append_new(array, json_integer(values[i]));
    object_set(object, key, array);
}

static void set_spot(json_t *object, Spot spot) {
    if (!spot.line) return;
    object_text(object, "file", spot.file);
    object_number(object, "line", spot.line);
}

static const char *const op_names[COUNTER_OPS] = {"load", "store", "atomic"};

static void set_sectors(json_t *report, const char *key, const SectorCounters *counters, int n_ops) {
    json_t *space = json_object();
    uint64_t requests = 0;
    for (int op = 0; op < n_ops; op++) {
        json_t *object = json_object();
        object_number(object, "requests", counters[op].requests);
        object_number(object, "sectors", counters[op].sectors);
        object_number(object, "bytes", counters[op].bytes);
        object_number(object, "unique_bytes", counters[op].unique_bytes);
        object_number(object, "l1_hit_sectors", counters[op].l1_hit_sectors);
        object_set(space, op_names[op], object);
        requests += counters[op].requests;
    }
    if (requests)
        object_set(report, key, space);
    else
        json_decref(space);
}

static void set_banks(json_t *report, const BankCounters *counters) {
    json_t *space = json_object();
    uint64_t requests = 0;
    for (int op = 0; op < COUNTER_OPS; op++) {
        json_t *object = json_object();
        object_number(object, "requests", counters[op].requests);
        object_number(object, "wavefronts", counters[op].wavefronts);
        object_number(object, "bank_conflicts", counters[op].bank_conflicts);
        object_set(space, op_names[op], object);
        requests += counters[op].requests;
    }
    if (requests)
        object_set(report, "shared", space);
    else
        json_decref(space);
}

void object_memory(json_t *report, const Counters *counters) {
    set_sectors(report, "global", counters->global, COUNTER_OPS);
    set_banks(report, counters->shared);
    set_sectors(report, "local", counters->local, COUNTER_ATOMIC); /* there are no atomics on local memory */
    if (counters->constant_requests) {
        json_t *constant = json_object();
        object_number(constant, "requests", counters->constant_requests);
        object_set(report, "constant", constant);
    }
    json_t *l2 = json_object(), *dram = json_object();
    object_number(l2, "read_sectors", counters->l2_read_sectors);
    object_number(l2, "write_sectors", counters->l2_write_sectors);
    object_set(report, "l2", l2);
    object_number(dram, "read_bytes", counters->dram_read_bytes);
    object_number(dram, "write_bytes", counters->dram_write_bytes);
    object_set(report, "dram", dram);
}

static json_t *lines_array(const Report *report) {
    uint32_t count;
    ReportLine *lines = report_lines(report, &count);
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const ReportLine *line = &lines[i];
        json_t *object = json_object();
        set_spot(object, (Spot){line->file, line->line});
        object_text(object, "space", space_names[line->space]);
        object_text(object, "op", op_names[line->op]);
        if (line->space == SPACE_SHARED) {
            object_number(object, "requests", line->banks.requests);
            object_number(object, "wavefronts", line->banks.wavefronts);
            object_number(object, "bank_conflicts", line->banks.bank_conflicts);
        } else {
            object_number(object, "requests", line->sectors.requests);
            object_number(object, "sectors", line->sectors.sectors);
            object_number(object, "ideal_sectors", line->sectors.ideal_sectors);
        }
        json_array_append_new(array, object);
    }
    free(lines);
    return array;
}

static void add_fault(const Report *report, const Fault *fault, json_t *array) {
    if (fault->kind == FAULT_none) return;
    json_t *object = json_object();
    object_text(object, "kind", fault_names[fault->kind]);
    set_spot(object, place_spot(report, fault->pc));
    object_three(object, "block", fault->block);
    object_three(object, "thread", fault->thread);
    object_text(object, "message", fault->message);
    json_array_append_new(array, object);
}

static json_t *faults_array(const Report *report) {
    json_t *array = json_array();
    add_fault(report, &report->result->finding, array);
    add_fault(report, &report->result->fault, array);
    return array;
}

void object_model(json_t *report, const Model *model) {
    if (model->time_us <= 0) return;
    json_t *object = json_object();
    object_set(object, "time_us", json_real(model->time_us));
    object_text(object, "bound", model_bound_names[model->bound]);
    object_set(object, "calibrated", json_boolean(model->calibrated));
    object_set(report, "model", object);
}

static json_t *host_object(const LaunchResult *result) {
    json_t *host = json_object();
    object_set(host, "seconds", json_real(result->seconds));
    object_number(host, "threads", result->threads);
    double rate = (double)result->counters->thread_instructions / result->seconds;
    if (result->seconds > 0 && rate < 1e18) object_set(host, "thread_instructions_per_second", json_real(rate));
    return host;
}

static void print(json_t *object, Text *out) {
    char *text = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    if (!text) abort();
    text_add(out, "%s\n", text);
    free(text);
    json_decref(object);
}

void report_json(const Report *report, Text *out) {
    const LaunchRequest *request = report->request;
    const Counters *counters = report->result->counters;
    json_t *object = json_object();
    object_text(object, "kernel", report->kernel_name);
    object_three(object, "grid", request->grid);
    object_three(object, "block", request->block);
    object_text(object, "device", request->profile->name);
    if (report->compiler) object_text(object, "compiler", report->compiler);
    object_set(object, "l1", json_boolean(request->l1));
    object_number(object, "instructions", counters->instructions);
    object_number(object, "thread_instructions", counters->thread_instructions);
    object_number(object, "busiest_warp", counters->busiest_warp);
    object_memory(object, counters);
    object_model(object, &report->result->model);
    object_set(object, "lines", lines_array(report));
    object_set(object, "faults", faults_array(report));
    if (report->replayed)
        object_set(object, "replayed", json_true());
    else
        object_set(object, "host", host_object(report->result));
    print(object, out);
}

/* --- on the real device --------------------------------------------------------------------------------------------------- */

static json_t *timing_object(const Timing *timing) {
    json_t *object = json_object();
    object_set(object, "time_us", json_real(timing->median_us));
    object_set(object, "low_us", json_real(timing->low_us));
    object_set(object, "high_us", json_real(timing->high_us));
    return object;
}

json_t *object_measured(const MeasuredReport *report) {
    const GpuResult *result = report->result;
    json_t *object = timing_object(&result->kernel);
    object_number(object, "repeats", report->asked->repeats);
    if (!report->asked->copy_bytes) return object;
    object_number(object, "copy_bytes", report->asked->copy_bytes);
    object_set(object, "copy", timing_object(&result->copy));
    object_set(object, "library_copy", timing_object(&result->library));
    object_set(object, "fraction_of_copy", json_real(timing_fraction(&result->kernel, &result->copy).value));
    return object;
}

static json_t *measured_faults(const Fault *fault) {
    json_t *array = json_array();
    if (fault->kind == FAULT_none) return array;
    json_t *object = json_object();
    object_text(object, "kind", fault_names[fault->kind]);
    object_text(object, "message", fault->message);
    json_array_append_new(array, object);
    return array;
}

void object_device(json_t *object, const GpuInfo *info) {
    char driver[32];
    snprintf(driver, sizeof driver, "%d.%d", info->driver_version / 1000, info->driver_version % 1000 / 10);
    object_text(object, "device", info->name);
    object_text(object, "driver", driver);
    object_set(object, "clock_mhz", json_integer(info->clock_khz / 1000));
}

void report_measured_json(const MeasuredReport *report, Text *out) {
    const GpuResult *result = report->result;
    json_t *object = json_object();
    object_text(object, "kernel", report->kernel_name);
    object_three(object, "grid", report->request->grid);
    object_three(object, "block", report->request->block);
    object_text(object, "on", "gpu");
    object_device(object, &result->info);
    if (report->compiler) object_text(object, "compiler", report->compiler);
    object_set(object, "l1", json_boolean(report->request->l1));
    object_set(object, "optimization", json_integer(report->asked->optimization));
    if (report->asked->repeats && result->fault.kind == FAULT_none) object_set(object, "measured", object_measured(report));
    object_set(object, "faults", measured_faults(&result->fault));
    print(object, out);
}
