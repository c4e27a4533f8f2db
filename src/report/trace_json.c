#include "report/trace_json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "observe/trace.h"
#include "report/object.h"
#include "report/spot.h"

static void add_compact(json_t *value, Text *out) {
    object_write(value, JSON_COMPACT, out);
    json_decref(value);
}

static json_t *arrays_array(const Trace *trace) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < trace->n_arrays; i++) {
        json_t *object = json_object();
        object_text(object, "name", trace->arrays[i].name);
        object_number(object, "address", trace->arrays[i].address);
        object_number(object, "bytes", trace->arrays[i].bytes);
        json_array_append_new(array, object);
    }
    return array;
}

/* Where the access's first active lane is: index into the arrays, or -1. */
static int array_of(const Trace *trace, const TracedAccess *access) {
    if (access->space != SPACE_GLOBAL && access->space != SPACE_CONST) return -1;
    uint64_t address = access->addr[__builtin_ctz(access->active)];
    for (uint32_t i = 0; i < trace->n_arrays; i++)
        if (address - trace->arrays[i].address < trace->arrays[i].bytes) return (int)i;
    return -1;
}

/* "[1,null,3]": the lanes' values, those of inactive ones null. */
static void add_by_lane(uint32_t active, const int64_t value[WARP_LANES], Text *out) {
    for (unsigned l = 0; l < WARP_LANES; l++) {
        text_add(out, l ? "," : "[");
        if (active >> l & 1)
            text_add(out, "%" PRId64, value[l]);
        else
            text_add(out, "null");
    }
    text_add(out, "]");
}

static void add_offsets(const TracedAccess *access, uint64_t base, Text *out) {
    int64_t offset[WARP_LANES];
    for (unsigned l = 0; l < WARP_LANES; l++) offset[l] = (int64_t)(access->addr[l] - base);
    add_by_lane(access->active, offset, out);
}

static void add_banks(const TracedAccess *access, Text *out) {
    text_add(out, ",\"wavefronts\":%u,\"bank_conflicts\":%u", access->banks.wavefronts, access->banks.conflicts);
    if (access->joined) {
        text_add(out, ",\"joined\":true");
        return;
    }
    int64_t served[WARP_LANES];
    for (unsigned l = 0; l < WARP_LANES; l++) served[l] = access->served[l];
    text_add(out, ",\"late\":%u,\"served\":", access->late);
    add_by_lane(access->active, served, out);
}

/* The lines' numbers have the lower bits of their addresses. */
static void add_lines(const TracedAccess *access, uint64_t base, Text *out) {
    uint64_t high = access->addr[__builtin_ctz(access->active)] / LINE_BYTES & ~(uint64_t)LINE_NUMBERS;
    text_add(out, ",\"lines\":[");
    for (uint32_t i = 0; i < access->n_lines; i++) {
        const TracedLine *line = &access->lines[i];
        text_add(out, "%s[%" PRId64 ",%u,%u]", i ? "," : "", (int64_t)((high | line->number) * LINE_BYTES - base),
                 line->sectors, line->hits);
    }
    text_add(out, "]");
}

static void add_access(const Trace *trace, const TracedAccess *access, Text *out) {
    static const char *const ops[] = {"load", "store", "atomic", "atomic"};
    int array = array_of(trace, access);
    uint64_t base = array < 0 ? 0 : trace->arrays[array].address;
    text_add(out, "{\"space\":\"%s\",\"op\":\"%s\",\"bytes\":%u,\"active\":%u,\"array\":%d,\"at\":", space_names[access->space],
             ops[access->kind], access->bytes, access->active, array);
    add_offsets(access, base, out);
    if (access->space == SPACE_SHARED) {
        add_banks(access, out);
    } else if (access->space == SPACE_CONST) {
        text_add(out, ",\"words\":%u", access->words);
    } else {
        text_add(out, ",\"sectors\":%u,\"ideal_sectors\":%u,\"l1_hit_sectors\":%u", access->sectors,
                 (access->unique_bytes + SECTOR_BYTES - 1) / SECTOR_BYTES, access->hits);
        if (access->space == SPACE_GLOBAL) add_lines(access, base, out);
    }
    text_add(out, "}");
}

/* Nine digits tell a float from its neighbours, seventeen a double. */
static void add_real(double value, int digits, Text *out) {
    if (isfinite(value))
        text_add(out, "%.*g", digits, value);
    else
        text_add(out, "\"%s\"", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
}

static void add_integer(int64_t value, bool is_signed, Text *out) {
    enum { EXACT_BITS = 53 };
    uint64_t size = is_signed && value < 0 ? -(uint64_t)value : (uint64_t)value;
    const char *quote = size >> EXACT_BITS ? "\"" : "";
    text_add(out, is_signed ? "%s%" PRId64 "%s" : "%s%" PRIu64 "%s", quote, value, quote);
}

static void add_lane(uint64_t bits, uint8_t type, unsigned bytes, Text *out) {
    if (type == TYPE_f32) {
        float value;
        memcpy(&value, &bits, sizeof value);
        add_real((double)value, 9, out);
    } else if (type == TYPE_f64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        add_real(value, 17, out);
    } else {
        bool is_signed = type_kinds[type] == KIND_SIGNED;
        add_integer(is_signed && bytes == 4 ? (int32_t)bits : (int64_t)bits, is_signed, out);
    }
}

/* A load's register takes bits; what they mean its own type says. */
static uint8_t type_of(const Insn *insn, const TracedValue *value) {
    uint8_t type = (uint8_t)insn_letter_type(insn, insn_letter(insn, value->index));
    bool is_load =
        type_kinds[insn->type] == KIND_FLOAT && type_bytes[insn->type] == value->bytes && type_kinds[type] == KIND_BITS;
    return is_load ? insn->type : type;
}

/* One value where all active lanes have the same. */
static void add_value(const Insn *insn, const TracedValue *value, Text *out) {
    uint8_t type = type_of(insn, value);
    unsigned first = (unsigned)__builtin_ctz(value->active);
    bool same = true;
    for (unsigned l = 0; l < WARP_LANES; l++) same &= !(value->active >> l & 1) || value->lanes[l] == value->lanes[first];
    text_add(out, "[%u,%u,", value->index, value->active);
    if (same) add_lane(value->lanes[first], type, value->bytes, out);
    for (unsigned l = 0; !same && l < WARP_LANES; l++) {
        text_add(out, l ? "," : "[");
        if (value->active >> l & 1)
            add_lane(value->lanes[l], type, value->bytes, out);
        else
            text_add(out, "null");
    }
    text_add(out, same ? "]" : "]]");
}

static json_t *insn_object(const Report *report, uint32_t pc, uint64_t runs) {
    const Program *program = report->request->launch.kernel->program;
    const Insn *insn = &program->insns[pc];
    json_t *object = json_object(), *writes = json_array();
    object_number(object, "ptx", insn->line);
    Spot spot = spot_of(report, pc);
    if (spot.line) {
        object_text(object, "file", spot.file);
        object_number(object, "line", spot.line);
    }
    object_number(object, "runs", runs);
    const Function *function = program->functions;
    while (pc - function->first >= function->count) function++;
    for (unsigned k = 0; k < insn->n_dst; k++) {
        const Operand *operand = &insn->operands[k];
        json_array_append_new(writes,
                              json_string(operand->kind == OPERAND_REGISTER ? function->registers[operand->index].name : "_"));
    }
    object_set(object, "writes", writes);
    return object;
}

static void add_step(const Report *report, const Trace *trace, const TracedStep *step, Text *out) {
    const Shown *shown = &step->shown;
    text_add(out, "[%u,%u,%u,%u,%u,[", step->warp, shown->pc, shown->lanes, shown->active, shown->live);
    for (uint32_t i = 0; i < step->n_accesses; i++) {
        if (i) text_add(out, ",");
        add_access(trace, &trace->accesses[(uint32_t)step->access + i], out);
    }
    text_add(out, "],[");
    for (uint32_t i = 0; i < step->n_values; i++) {
        if (i) text_add(out, ",");
        add_value(&report->request->launch.kernel->program->insns[shown->pc], &trace->values[(uint32_t)step->value + i], out);
    }
    text_add(out, "],[");
    static const char *const kinds[] = {[WAIT_PATH] = "path", [WAIT_RECONVERGENCE] = "reconvergence", [WAIT_SYNC] = "sync"};
    for (uint32_t i = 0; i < shown->n_waiting; i++) {
        const LaneWait *waiting = &shown->waiting[i];
        text_add(out, "%s[%u,%u,\"%s\"]", i ? "," : "", waiting->pc, waiting->lanes, kinds[waiting->kind]);
    }
    text_add(out, "]]");
}

/* Those that ran, or where lanes wait. */
static void add_insns(const Report *report, const Trace *trace, Text *out) {
    const char *comma = "";
    for (uint32_t pc = 0; pc < report->request->launch.kernel->program->n_insns; pc++) {
        if (!trace->runs[pc] && !trace->awaited[pc]) continue;
        text_add(out, "%s\"%u\":", comma, pc);
        add_compact(insn_object(report, pc, trace->runs[pc]), out);
        comma = ",";
    }
}

void report_trace_json(const Report *report, Text *out) {
    const Trace *trace = report->request->trace;
    const uint32_t *block = trace->place.ctaid;
    bool complete = trace->complete && report->result->fault.kind == FAULT_none;
    text_add(out, "{\"block\":[%u,%u,%u],\"warps\":%u,\"complete\":%s,\"arrays\":", block[0], block[1], block[2],
             (trace->place.threads + WARP_LANES - 1) / WARP_LANES, complete ? "true" : "false");
    add_compact(arrays_array(trace), out);
    text_add(out, ",\"insns\":{");
    add_insns(report, trace, out);
    text_add(out, "},\"steps\":[");
    for (uint32_t i = 0; i < trace->n_steps; i++) {
        if (i) text_add(out, ",");
        add_step(report, trace, &trace->steps[i], out);
    }
    text_add(out, "]}");
}
