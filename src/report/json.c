#include "report/json.h"

#include <jansson.h>

#include "report/faulttext.h"
#include "report/map.h"
#include "report/metrics.h"
#include "report/object.h"
#include "report/spot.h"
#include "report/svg.h"
#include "report/trace_json.h"
#include "report/verdict.h"

static void set_spot(json_t *object, Spot spot) {
    if (!spot.line) return;
    object_text(object, "file", spot.file);
    object_number(object, "line", spot.line);
    if (spot.column) object_number(object, "column", spot.column);
}

static void set_drawn(json_t *object, const char *key, Text *text) {
    object_text(object, key, text_string(text));
    text_free(text);
}

static void set_pictures(json_t *object, const Report *report, const SourceLine *line) {
    if (!report->pictured || line->worst_pc == NO_INSN) return;
    const Sample *sample = &report->result->counters->insns[line->worst_pc].worst;
    Text text = {0};
    verdict_sentence(sample, &text);
    set_drawn(object, "verdict", &text);
    report_map(report, sample, page_plain, &text);
    set_drawn(object, "map", &text);
    report_svg(report, sample, &text);
    set_drawn(object, "svg", &text);
}

static json_t *lines_array(const Report *report) {
    uint32_t count;
    FREED SourceLine *lines = report_source_lines(report, &count);
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const SourceLine *line = &lines[i];
        json_t *object = json_object();
        set_spot(object, (Spot){line->file, line->line, 0});
        object_text(object, "space", space_names[line->space]);
        object_text(object, "op", spot_op_names[line->op]);
        metrics_set_line(object, line);
        set_pictures(object, report, line);
        json_array_append_new(array, object);
    }
    return array;
}

static void add_fault(const Report *report, const Fault *fault, uint64_t count, json_t *array) {
    if (fault->kind == FAULT_none) return;
    json_t *object = json_object();
    object_text(object, "kind", fault_kinds[fault->kind].name);
    set_spot(object, spot_of(report, fault->pc));
    object_three(object, "block", fault->block);
    object_three(object, "thread", fault->thread);
    bool library;
    Spot inside = spot_inside(report, fault->pc, &library);
    if (inside.line) {
        json_t *called = json_object();
        set_spot(called, inside);
        object_set(called, "library", json_boolean(library));
        object_set(object, "inside", called);
    } else if (spot_is_library(report, spot_of(report, fault->pc))) {
        object_set(object, "library", json_true());
    }
    Spot other = faulttext_other(report, fault);
    if (other.line) {
        json_t *place = json_object();
        set_spot(place, other);
        object_set(object, "other", place);
    }
    if (count) object_number(object, "count", count);
    Text message = {0};
    faulttext_message(report, fault, &message);
    set_drawn(object, "message", &message);
    if (fault->hint[0]) object_text(object, "hint", fault->hint);
    json_array_append_new(array, object);
}

static json_t *faults_array(const Report *report) {
    json_t *array = json_array();
    const FindingLog *findings = &report->result->findings;
    for (size_t i = 0; i < findings->count; i++) add_fault(report, &findings->items[i].fault, findings->items[i].count, array);
    add_fault(report, &report->result->fault, 0, array);
    return array;
}

static json_t *host_object(const LaunchResult *result) {
    json_t *host = json_object();
    object_set(host, "seconds", object_real(result->seconds));
    object_number(host, "threads", result->threads);
    double rate = (double)result->counters->thread_instructions / result->seconds;
    if (result->seconds > 0 && rate < 1e18) object_set(host, "thread_instructions_per_second", object_real(rate));
    return host;
}

void report_json(const Report *report, Text *out) {
    const LaunchRequest *request = report->request;
    json_t *object = json_object();
    object_launch(object, report->kernel_name, request);
    if (report->launcher) object_text(object, "launched_by", report->launcher);
    object_text(object, "device", request->profile->name);
    if (report->compiler) object_text(object, "compiler", report->compiler);
    object_set(object, "l1", json_boolean(request->l1));
    if (!request->joins) object_set(object, "joins", json_false());
    const MetricSource source = metrics_of(request, report->result);
    metrics_set(object, &source, IN_REPORT);
    object_model(object, &report->result->model);
    object_set(object, "lines", lines_array(report));
    object_set(object, "faults", faults_array(report));
    if (report->replayed)
        object_set(object, "replayed", json_true());
    else
        object_set(object, "host", host_object(report->result));
    object_print(object, 2, out);
    if (!request->trace) return;
    out->length -= sizeof "\n}\n" - 1;
    text_add(out, ",\n  \"trace\": ");
    report_trace_json(report, out);
    text_add(out, "\n}\n");
}

/* --- on the real device --------------------------------------------------------------------------------------------------- */

static json_t *measured_faults(const Fault *fault) {
    json_t *array = json_array();
    if (fault->kind == FAULT_none) return array;
    json_t *object = json_object();
    object_text(object, "kind", fault_kinds[fault->kind].name);
    object_text(object, "message", fault->message);
    json_array_append_new(array, object);
    return array;
}

void report_measured_json(const MeasuredReport *report, Text *out) {
    const GpuResult *result = report->result;
    json_t *object = json_object();
    object_launch(object, report->kernel_name, report->request);
    object_text(object, "on", "gpu");
    object_device(object, &result->info);
    if (report->compiler) object_text(object, "compiler", report->compiler);
    object_set(object, "l1", json_boolean(report->request->l1));
    object_set(object, "optimization", json_integer(report->asked->optimization));
    if (report->asked->repeats && result->fault.kind == FAULT_none) object_set(object, "measured", object_measured(report));
    object_set(object, "faults", measured_faults(&result->fault));
    object_print(object, 2, out);
}
