#include "report/object.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/spot.h"

void object_set(json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) != 0) abort(); /* out of memory */
}

json_t *object_real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

void object_number(json_t *object, const char *key, uint64_t value) {
    object_set(object, key, json_integer((json_int_t)value));
}

void object_text(json_t *object, const char *key, const char *value) {
    LOCAL_TEXT text = {0};
    plain_utf8(&text, value, strlen(value));
    object_set(object, key, json_stringn(text_string(&text), text.length));
}

const char *object_string(const json_t *object, const char *key) {
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

void object_three(json_t *object, const char *key, const uint32_t *values) {
    json_t *array = json_array();
    for (int i = 0; i < 3; i++) json_array_append_new(array, json_integer(values[i]));
    object_set(object, key, array);
}

void object_write(const json_t *value, size_t flags, Text *out) {
    FREED char *text = json_dumps(value, flags);
    if (!text) abort();
    text_add(out, "%s", text);
}

void object_print(json_t *object, size_t indent, Text *out) {
    object_write(object, JSON_INDENT(indent) | JSON_REAL_PRECISION(OBJECT_DIGITS), out);
    text_add(out, "\n");
    json_decref(object);
}

json_t *object_inner(json_t *object, const char *key) {
    if (!*key) return object;
    if (!json_object_get(object, key)) object_set(object, key, json_object());
    return json_object_get(object, key);
}

json_t *object_error(const Diag *diag) {
    json_t *error = json_object();
    object_text(error, "message", diag->message);
    if (diag->hint[0]) object_text(error, "hint", diag->hint);
    if (diag->file[0]) object_text(error, "file", diag->file);
    if (diag->line) object_number(error, "line", diag->line);
    if (diag->column) object_number(error, "column", diag->column);
    if (diag->source[0]) object_text(error, "source", diag->source);
    return error;
}

void object_launch(json_t *object, const char *kernel, const LaunchRequest *request) {
    object_text(object, "kernel", kernel);
    object_three(object, "grid", request->launch.grid);
    object_three(object, "block", request->launch.block);
}

void object_model(json_t *report, const Model *model) {
    if (model->time_us <= 0) return;
    json_t *object = json_object();
    object_set(object, "time_us", object_real(model->time_us));
    object_text(object, "bound", model_bound_names[model->bound]);
    object_set(object, "calibrated", json_boolean(model->calibrated));
    object_set(report, "model", object);
}

void object_device(json_t *object, const GpuInfo *info) {
    char driver[32];
    snprintf(driver, sizeof driver, "%d.%d", info->driver_version / 1000, info->driver_version % 1000 / 10);
    object_text(object, "device", info->name);
    object_text(object, "driver", driver);
    object_set(object, "clock_mhz", json_integer(info->clock_khz / 1000));
}

static json_t *timing_object(const Timing *timing) {
    json_t *object = json_object();
    object_set(object, "time_us", object_real(timing->median_us));
    object_set(object, "low_us", object_real(timing->low_us));
    object_set(object, "high_us", object_real(timing->high_us));
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
    object_set(object, "fraction_of_copy", object_real(timing_fraction(&result->kernel, &result->copy).value));
    return object;
}
