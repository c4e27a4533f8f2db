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

#include "report/place.h"
#include "report/report.h"

static void set(json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) != 0) abort(); /* out of memory */
}

static void set_number(json_t *object, const char *key, uint64_t value) { set(object, key, json_integer((json_int_t)value)); }

static void set_text(json_t *object, const char *key, const char *value) {
    Text text = {0};
    words_utf8(&text, value, strlen(value));
    set(object, key, json_stringn(text_string(&text), text.length));
    text_free(&text);
}

static void set_three(json_t *object, const char *key, const uint32_t *values) {
    json_t *array = json_array();
    for (int i = 0; i < 3; i++) json_array_append_new(array, json_integer(values[i]));
    set(object, key, array);
}

static void set_spot(json_t *object, Spot spot) {
    if (!spot.line) return;
    set_text(object, "file", spot.file);
    set_number(object, "line", spot.line);
}

static const char *const op_names[COUNTER_OPS] = {"load", "store", "atomic"};

static void set_sectors(json_t *report, const char *key, const SectorCounters *counters, int n_ops) {
    json_t *space = json_object();
    uint64_t requests = 0;
    for (int op = 0; op < n_ops; op++) {
        json_t *object = json_object();
        set_number(object, "requests", counters[op].requests);
        set_number(object, "sectors", counters[op].sectors);
        set_number(object, "bytes", counters[op].bytes);
        set_number(object, "unique_bytes", counters[op].unique_bytes);
        set_number(object, "l1_hit_sectors", counters[op].l1_hit_sectors);
        set(space, op_names[op], object);
        requests += counters[op].requests;
    }
    if (requests)
        set(report, key, space);
    else
        json_decref(space);
}

static void set_banks(json_t *report, const BankCounters *counters) {
    json_t *space = json_object();
    uint64_t requests = 0;
    for (int op = 0; op < COUNTER_OPS; op++) {
        json_t *object = json_object();
        set_number(object, "requests", counters[op].requests);
        set_number(object, "wavefronts", counters[op].wavefronts);
        set_number(object, "bank_conflicts", counters[op].bank_conflicts);
        set(space, op_names[op], object);
        requests += counters[op].requests;
    }
    if (requests)
        set(report, "shared", space);
    else
        json_decref(space);
}

static void set_memory(json_t *report, const Counters *counters) {
    set_sectors(report, "global", counters->global, COUNTER_OPS);
    set_banks(report, counters->shared);
    set_sectors(report, "local", counters->local, COUNTER_ATOMIC); /* there are no atomics on local memory */
    if (counters->constant_requests) {
        json_t *constant = json_object();
        set_number(constant, "requests", counters->constant_requests);
        set(report, "constant", constant);
    }
    json_t *l2 = json_object(), *dram = json_object();
    set_number(l2, "read_sectors", counters->l2_read_sectors);
    set_number(l2, "write_sectors", counters->l2_write_sectors);
    set(report, "l2", l2);
    set_number(dram, "read_bytes", counters->dram_read_bytes);
    set_number(dram, "write_bytes", counters->dram_write_bytes);
    set(report, "dram", dram);
}

static json_t *lines_array(const Report *report) {
    uint32_t count;
    ReportLine *lines = report_lines(report, &count);
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const ReportLine *line = &lines[i];
        json_t *object = json_object();
        set_spot(object, (Spot){line->file, line->line});
        set_text(object, "space", space_names[line->space]);
        set_text(object, "op", op_names[line->op]);
        if (line->space == SPACE_SHARED) {
            set_number(object, "requests", line->banks.requests);
            set_number(object, "wavefronts", line->banks.wavefronts);
            set_number(object, "bank_conflicts", line->banks.bank_conflicts);
        } else {
            set_number(object, "requests", line->sectors.requests);
            set_number(object, "sectors", line->sectors.sectors);
            set_number(object, "ideal_sectors", line->sectors.ideal_sectors);
        }
        json_array_append_new(array, object);
    }
    free(lines);
    return array;
}

static void add_fault(const Report *report, const Fault *fault, json_t *array) {
    if (fault->kind == FAULT_none) return;
    json_t *object = json_object();
    set_text(object, "kind", fault_names[fault->kind]);
    set_spot(object, place_spot(report, fault->pc));
    set_three(object, "block", fault->block);
    set_three(object, "thread", fault->thread);
    set_text(object, "message", fault->message);
    json_array_append_new(array, object);
}

static json_t *faults_array(const Report *report) {
    json_t *array = json_array();
    add_fault(report, &report->result->finding, array);
    add_fault(report, &report->result->fault, array);
    return array;
}

static void set_model(json_t *report, const Model *model) {
    if (model->time_us <= 0) return;
    json_t *object = json_object();
    set(object, "time_us", json_real(model->time_us));
    set_text(object, "bound", model_bound_names[model->bound]);
    set(object, "calibrated", json_boolean(model->calibrated));
    set(report, "model", object);
}

static json_t *host_object(const LaunchResult *result) {
    json_t *host = json_object();
    set(host, "seconds", json_real(result->seconds));
    set_number(host, "threads", result->threads);
    double rate = (double)result->counters->thread_instructions / result->seconds;
    if (result->seconds > 0 && rate < 1e18) set(host, "thread_instructions_per_second", json_real(rate));
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
    set_text(object, "kernel", report->kernel_name);
    set_three(object, "grid", request->grid);
    set_three(object, "block", request->block);
    set_text(object, "device", request->profile->name);
    if (report->compiler) set_text(object, "compiler", report->compiler);
    set(object, "l1", json_boolean(request->l1));
    set_number(object, "instructions", counters->instructions);
    set_number(object, "thread_instructions", counters->thread_instructions);
    set_number(object, "busiest_warp", counters->busiest_warp);
    set_memory(object, counters);
    set_model(object, &report->result->model);
    set(object, "lines", lines_array(report));
    set(object, "faults", faults_array(report));
    if (report->replayed)
        set(object, "replayed", json_true());
    else
        set(object, "host", host_object(report->result));
    print(object, out);
}

/* --- on the real device --------------------------------------------------------------------------------------------------- */

static json_t *timing_object(const Timing *timing) {
    json_t *object = json_object();
    set(object, "time_us", json_real(timing->median_us));
    set(object, "low_us", json_real(timing->low_us));
    set(object, "high_us", json_real(timing->high_us));
    return object;
}

static json_t *measured_object(const MeasuredReport *report) {
    const GpuResult *result = report->result;
    json_t *object = timing_object(&result->kernel);
    set_number(object, "repeats", report->asked->repeats);
    if (!report->asked->copy_bytes) return object;
    set_number(object, "copy_bytes", report->asked->copy_bytes);
    set(object, "copy", timing_object(&result->copy));
    set(object, "library_copy", timing_object(&result->library));
    set(object, "fraction_of_copy", json_real(timing_fraction(&result->kernel, &result->copy).value));
    return object;
}

static json_t *measured_faults(const Fault *fault) {
    json_t *array = json_array();
    if (fault->kind == FAULT_none) return array;
    json_t *object = json_object();
    set_text(object, "kind", fault_names[fault->kind]);
    set_text(object, "message", fault->message);
    json_array_append_new(array, object);
    return array;
}

void report_measured_json(const MeasuredReport *report, Text *out) {
    const GpuResult *result = report->result;
    json_t *object = json_object();
    char driver[32];
    snprintf(driver, sizeof driver, "%d.%d", result->info.driver_version / 1000, result->info.driver_version % 1000 / 10);
    set_text(object, "kernel", report->kernel_name);
    set_three(object, "grid", report->request->grid);
    set_three(object, "block", report->request->block);
    set_text(object, "on", "gpu");
    set_text(object, "device", result->info.name);
    set_text(object, "driver", driver);
    set(object, "clock_mhz", json_integer(result->info.clock_khz / 1000));
    if (report->compiler) set_text(object, "compiler", report->compiler);
    set(object, "l1", json_boolean(report->request->l1));
    set(object, "optimization", json_integer(report->asked->optimization));
    if (report->asked->repeats && result->fault.kind == FAULT_none) set(object, "measured", measured_object(report));
    set(object, "faults", measured_faults(&result->fault));
    print(object, out);
}
