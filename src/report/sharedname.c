#include "report/sharedname.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/declared.h"

typedef struct SharedArray {
    char name[64];
    uint64_t offset, bytes; /* bytes 0: dynamic */
    int64_t dimensions[DECLARED_DIMENSIONS];
    size_t n_dimensions; /* 0: not known */
    uint64_t element_bytes;
    uint64_t part
        [DECLARED_DIMENSIONS]; /* LLVM has split the variable: this is its [part[0]][part[1]] …, or a member of a structure */
    size_t n_parts;
} SharedArray;

/* Takes the _$_1_$_0 off that LLVM gives to what was name[1][0]. False where it has more of them than arrays have dimensions here. */
static bool take_parts(SharedArray *array, char *mangled) {
    for (char *at; (at = strstr(mangled, "_$_"));) {
        const char *next = at;
        for (; strncmp(next, "_$_", 3) == 0; array->n_parts++) {
            if (array->n_parts == DECLARED_DIMENSIONS) return false;
            array->part[array->n_parts] = strtoull(next + 3, NULL, 10);
            next += 3 + strspn(next + 3, "0123456789");
        }
        *at = 0;
    }
    return true;
}

/* "rotate" of _ZZ6rotatePfE4tile, rotate(float*)::tile: the function that declares the array. The caller frees. */
static char *owner_name(const char *mangled) {
    char *readable = program_demangle(mangled), *end = strstr(readable, "::"), *start = readable;
    for (char *at = readable; (at = strstr(at, "::")); at += 2) end = at;
    if (end) *end = 0;
    readable[strcspn(readable, "<(")] = 0;
    for (char *at = readable; *at; at++)
        if (*at == ' ' || *at == ':') start = at + 1;
    memmove(readable, start, strlen(start) + 1);
    return readable;
}

static bool is_aligned(const char *text) { return strstr(text, "__align__") || strstr(text, "alignas"); }

/* In the text of the function that declares it, with the file's constants, else anywhere in the file. */
static void find_shape(const Report *report, SharedArray *array, const char *mangled, uint64_t align) {
    const char *text = report->source_text;
    size_t length;
    FREED char *owner = owner_name(mangled);
    const char *kernel = text ? declared_kernel(text, owner, &length) : NULL;
    if (!text || !array->bytes) return;
    bool asks;    /* for an alignment of its own: then it may be more than that of the elements */
    if (kernel) { /* what the kernel declares is found before what others do */
        LOCAL_TEXT both = {0};
        text_add_bytes(&both, kernel, length);
        asks = is_aligned(text_string(&both));
        text_add(&both, ";\n%s", text);
        array->n_dimensions = declared_dimensions(text_string(&both), array->name, "__shared__", array->dimensions);
    } else {
        asks = is_aligned(text);
        array->n_dimensions = declared_dimensions(text, array->name, "__shared__", array->dimensions);
    }
    const size_t split = array->n_parts < array->n_dimensions ? array->n_parts : array->n_dimensions;
    uint64_t elements = 1;
    for (size_t i = split; i < array->n_dimensions && elements <= array->bytes; i++) elements *= (uint64_t)array->dimensions[i];
    array->element_bytes = elements <= array->bytes ? array->bytes / elements : 0;
    const uint64_t element = array->element_bytes;
    bool aligned = element && (element % align == 0 || (asks && align % element == 0));
    bool fills = aligned && array->bytes % elements == 0 && element <= 64;
    if (!fills) array->n_dimensions = 0;
}

/* The array that the byte belongs to; behind all of them the only one, if the kernel has just one. */
static bool find_array(const Report *report, int64_t byte, SharedArray *array) {
    const Kernel *kernel = report->request->launch.kernel;
    if (!kernel) return false;
    const Program *program = kernel->program;
    uint32_t found = NO_INDEX, count = 0, only = NO_INDEX;
    for (uint32_t v = 0; v < program->n_variables; v++) {
        uint64_t offset = kernel->reach.shared_offset[v];
        if (program->variables[v].space != SPACE_SHARED || offset == UINT64_MAX) continue;
        const Variable *variable = &program->variables[v];
        count++;
        only = v;
        bool is_dynamic = variable->bytes == 0;
        if (byte >= 0 && (uint64_t)byte >= offset && (is_dynamic || (uint64_t)byte < offset + variable->bytes)) found = v;
    }
    if (found == NO_INDEX && count == 1) found = only;
    *array = (SharedArray){0};
    if (found != NO_INDEX) {
        array->offset = kernel->reach.shared_offset[found];
        array->bytes = program->variables[found].bytes;
        char *mangled = alloc_copy(program->variables[found].name);
        if (!take_parts(array, mangled)) array->n_parts = 0;
        char *plain = program_plain_name(mangled);
        snprintf(array->name, sizeof array->name, "%s", plain);
        free(plain);
        /* clang numbers those elements alone that are used: its numbers are no indices. */
        bool is_index = !array->n_parts || (report->compiler && strncmp(report->compiler, "nvcc", 4) == 0);
        if (is_index) find_shape(report, array, mangled, program->variables[found].align);
        free(mangled);
    }
    return found != NO_INDEX;
}

bool sharedname_of(const Report *report, int64_t byte, char *name, size_t size) {
    SharedArray array;
    if (!find_array(report, byte, &array)) return false;
    snprintf(name, size, "%s", array.name);
    return true;
}

/* A number, or a member of a structure that LLVM has split: where its bytes are says nothing. */
static bool is_whole(const SharedArray *array) {
    return !array->n_dimensions && array->bytes && (array->n_parts || array->bytes <= 8);
}

static void add_element(const SharedArray *array, int64_t byte, Text *out) {
    int64_t from = byte - (int64_t)array->offset;
    bool whole = is_whole(array) && !from;
    if (!array->n_dimensions || from < 0) {
        text_add(out, whole ? "'%s'" : "'%s'%+" PRId64, array->name, from);
        return;
    }
    const size_t split = array->n_parts < array->n_dimensions ? array->n_parts : array->n_dimensions;
    uint64_t element = (uint64_t)from / array->element_bytes, inner = 1;
    for (size_t d = split + 1; d < array->n_dimensions; d++) inner *= (uint64_t)array->dimensions[d];
    text_add(out, "'%s", array->name);
    for (size_t d = 0; d < split; d++) text_add(out, "[%" PRIu64 "]", array->part[d]);
    for (size_t d = split; d < array->n_dimensions; d++) {
        text_add(out, "[%" PRIu64 "]", element / inner);
        element %= inner;
        if (d + 1 < array->n_dimensions) inner /= (uint64_t)array->dimensions[d + 1];
    }
    text_add(out, "'");
}

static void add_shape(const SharedArray *array, Text *out) {
    text_add(out, ", outside %s", array->name);
    for (size_t d = 0; d < array->n_dimensions; d++) text_add(out, "[%" PRId64 "]", array->dimensions[d]);
}

/* One way in which messages name a byte of shared memory, and what stands in front of its name instead. */
static const struct {
    const char *format, *lead;
} ways[] = {
    {"byte %lld of shared memory%n", ""}, {"of shared memory at byte %lld%n", "at "}, {"shared memory at byte %lld%n", ""}};

/* The bytes of the sentence that were replaced; 0: here no byte of shared memory is named. */
static size_t put_name(const Report *report, const char *at, Text *out) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        long long byte, other;
        int length = 0, more = 0;
        SharedArray array;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        bool named = sscanf(at, ways[i].format, &byte, &length) == 1 && length;
#pragma GCC diagnostic pop
        if (!named || !find_array(report, byte, &array)) continue;
        text_add(out, "%s", ways[i].lead);
        add_element(&array, byte, out);
        if (!array.n_dimensions && !is_whole(&array)) return (size_t)length;
        if (array.n_dimensions && sscanf(at + length, ", which ends at byte %lld%n", &other, &more) == 1 && more) {
            add_shape(&array, out);
        } else if (sscanf(at + length, ", where byte %lld was never written%n", &other, &more) == 1 && more) {
            text_add(out, ", which was never written");
        }
        return (size_t)(length + more);
    }
    return 0;
}

void sharedname_put(const Report *report, const char *sentence, Text *out) {
    while (*sentence) {
        size_t replaced = *sentence == 'b' || *sentence == 'o' || *sentence == 's' ? put_name(report, sentence, out) : 0;
        if (replaced)
            sentence += replaced;
        else
            text_add_bytes(out, sentence++, 1);
    }
}
