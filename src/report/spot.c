#include "report/spot.h"

#include <inttypes.h>
#include <string.h>

#include "report/paint.h"
#include "report/sharedname.h"

static bool is_main(const Report *report, const char *file) {
    return report->source_path && strcmp(text_last_name(file), text_last_name(report->source_path)) == 0;
}

Spot spot_of(const Report *report, uint32_t pc) {
    const Program *program = report->request->launch.kernel->program;
    Spot spot = {"", 0, 0};
    if (pc >= program->n_insns) return spot;
    const Location *location = program_location(program, pc, report->source_path);
    if (location->line) {
        const char *file = program->files[location->file];
        spot = (Spot){is_main(report, file) ? report->source_path : file, location->line, location->column};
    } else if (!report->compiler && report->source_path) {
        spot = (Spot){report->source_path, program->insns[pc].line, 0};
    }
    return spot;
}

bool spot_is_library(const Report *report, Spot spot) {
    return report->sources && spot.line && spot.file != report->source_path && sources_is_library(report->sources, spot.file);
}

Spot spot_inside(const Report *report, uint32_t pc, bool *library) {
    const Program *program = report->request->launch.kernel->program;
    Spot spot = spot_of(report, pc), inside = {"", 0, 0};
    *library = false;
    if (pc >= program->n_insns || !report->sources) return inside;
    const Location *location = &program->locations[program->insns[pc].location];
    const char *file = program->files[location->file];
    if (is_main(report, file)) file = report->source_path;
    if (!location->line || (location->line == spot.line && strcmp(file, spot.file) == 0)) return inside;
    inside = (Spot){file, location->line, location->column};
    *library = spot_is_library(report, inside);
    return inside;
}

void spot_add(Spot spot, Text *out) {
    if (!spot.line) {
        text_add(out, "unknown line");
        return;
    }
    const char *name = text_last_name(spot.file);
    plain_line(out, name, strlen(name), 50);
    text_add(out, ":%u", spot.line);
}

/* The line's text with its length; NULL where it is not known. */
static const char *source_line(const Report *report, Spot spot, size_t *length) {
    if (!spot.line) return NULL;
    const char *text = spot.file == report->source_path ? report->source_text
                       : report->sources                ? sources_text(report->sources, spot.file)
                                                        : NULL;
    if (!text) return NULL;
    for (uint32_t line = 1; line < spot.line; line++) {
        text = strchr(text, '\n');
        if (!text) return NULL;
        text++;
    }
    *length = strcspn(text, "\n");
    return text;
}

void spot_add_source(const Report *report, Spot spot, size_t columns, Text *out) {
    size_t length;
    const char *text = source_line(report, spot, &length);
    if (text) plain_line(out, text, length, columns);
}

/* Where the line accesses the array, if at one place only: the byte behind the one at which its name begins; else 0. */
static size_t array_column(const char *line, size_t length, const char *array) {
    size_t name = strlen(array), column = 0;
    for (size_t i = 0; name && i + name < length; i++) {
        if (memcmp(line + i, array, name) != 0 || line[i + name] != '[' || (i && text_is_word(line[i - 1]))) continue;
        if (column) return 0;
        column = i + 1;
    }
    return column;
}

/* The column that a caret is put below; 0: none. */
static size_t caret_column(const Report *report, Spot spot, const char *line, size_t length, const char *array) {
    size_t column = array_column(line, length, array);
    if (column) return column;
    bool is_statement = !report->compiler || strncmp(report->compiler, "nvcc", 4) == 0;
    bool is_first = spot.column <= 1 + strspn(line, " \t");
    return is_first || is_statement || spot.column > length ? 0 : spot.column;
}

void spot_array(const Report *report, const Access *access, char name[ARRAY_BYTES]) {
    const Memory *memory = report->request->launch.memory;
    name[0] = 0;
    if (!access->active) return;
    uint64_t addr = access->addr[__builtin_ctz(access->active)];
    if (access->space == SPACE_SHARED && sharedname_of(report, (int64_t)addr, name, ARRAY_BYTES)) return;
    const Allocation *allocation = access->space == SPACE_GLOBAL && memory ? memory_find(memory, addr) : NULL;
    if (allocation && strlen(allocation->name) < ARRAY_BYTES) strcpy(name, allocation->name);
}

uint32_t spot_copies(const Report *report, const Sample *sample, uint32_t *pcs) {
    const Counters *counters = report->result->counters;
    Spot spot = spot_of(report, sample->access.pc);
    char array[ARRAY_BYTES], other_array[ARRAY_BYTES];
    size_t length = 0;
    const char *line = source_line(report, spot, &length);
    spot_array(report, &sample->access, array);
    if (!line || !array_column(line, length, array)) return 0;
    uint32_t copies = 0;
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) {
        const Access *access = &counters->insns[pc].worst.access;
        if (!counters->insns[pc].worst.cost || access->space != sample->access.space || access->kind != sample->access.kind)
            continue;
        Spot other = spot_of(report, pc);
        if (other.file != spot.file || other.line != spot.line) continue;
        spot_array(report, access, other_array);
        if (strcmp(other_array, array) != 0) continue;
        if (pcs) pcs[copies] = pc;
        copies++;
    }
    return copies;
}

void spot_add_quote(const Report *report, Spot spot, const char *array, const char *label, Page page, Text *out) {
    size_t length = 0;
    const char *line = source_line(report, spot, &length);
    if (!spot.line || (!line && !label[0])) return;
    LOCAL_TEXT head = text_from("  %s%6u | ", label, spot.line);
    text_add(out, "%s", text_string(&head));
    size_t caret = line ? caret_column(report, spot, line, length, array) : 0, before = 0;
    if (line) before = plain_window(out, line, length, caret ? caret - 1 : 0, page.columns - head.length);
    text_add(out, "\n");
    if (caret) {
        text_add(out, "%*s | %*s", (int)head.length - 3, "", (int)before, "");
        paint(out, page, PAINT_BAD, "^");
        text_add(out, "\n");
    }
}

/* Where the local memory of the access's warp begins: word w of lane l stands at (w * 32 + l) * 4 from there. */
static uint64_t local_base(const Access *access) {
    uint32_t lane = (uint32_t)__builtin_ctz(access->active);
    uint64_t offset = access->local[lane];
    return access->addr[lane] - ((offset / 4 * WARP_LANES + lane) * 4 + offset % 4);
}

void spot_add_address(const Report *report, const Access *access, uint64_t addr, size_t columns, Text *out) {
    if (access->space == SPACE_SHARED) {
        text_add(out, "shared+%" PRIu64, addr);
        return;
    }
    if (access->space == SPACE_LOCAL && addr >= local_base(access)) {
        text_add(out, "local+%" PRIu64, addr - local_base(access));
        return;
    }
    const Memory *memory = report->request->launch.memory;
    const Allocation *allocation = memory ? memory_find(memory, addr) : NULL;
    if (memory && !allocation) allocation = memory_retired(memory, addr);
    if (!allocation) {
        text_add(out, "0x%" PRIx64, addr);
        return;
    }
    LOCAL_TEXT offset = text_from("'+%" PRIu64, addr - allocation->address);
    size_t name = strlen(allocation->name), least = name < 3 ? name : 3; /* of the name; less says nothing */
    bool named = columns >= 1 + least + offset.length;
    if (named) {
        text_add(out, "'");
        plain_line(out, allocation->name, name, columns - offset.length - 1);
    }
    text_add(out, "%s", text_string(&offset) + (named ? 0 : 1));
}

uint8_t spot_op(const Access *access) {
    switch ((AccessKind)access->kind) {
    case ACCESS_LOAD: return COUNTER_LOAD;
    case ACCESS_STORE: return COUNTER_STORE;
    case ACCESS_ATOMIC:
    case ACCESS_REDUCTION: return COUNTER_ATOMIC;
    }
    return COUNTER_LOAD;
}

const char *const spot_op_names[COUNTER_OPS] = {"load", "store", "atomic"};

void spot_add_kind(uint8_t space, uint8_t op, Text *out) { text_add(out, "%s %s", space_names[space], spot_op_names[op]); }

void spot_add_block(const Report *report, const Sample *sample, Text *out) {
    const uint32_t *grid = report->request->launch.grid;
    uint64_t plane = (uint64_t)grid[0] * grid[1], block = sample->block;
    text_add(out, "block (%" PRIu64 ",%" PRIu64 ",%" PRIu64 "), warp %u", block % grid[0], block % plane / grid[0],
             block / plane, sample->warp);
}

void spot_add_sample(const Report *report, const Sample *sample, Text *out) {
    spot_add(spot_of(report, sample->access.pc), out);
    text_add(out, ", ");
    spot_add_kind(sample->access.space, spot_op(&sample->access), out);
    text_add(out, ": ");
    spot_add_block(report, sample, out);
}
