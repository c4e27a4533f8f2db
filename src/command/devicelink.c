#include "command/devicelink.h"

#include <ar.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "command/deviceobject.h"
#include "machine/calls.h"
#include "ptx/program.h"
#include "runtime/fatbin.h"

#define OBJECT_LIMIT ((size_t)1 << 30) /* bytes */

/* An object, or a member of a library. */
typedef struct Part {
    char *name;
    bool optional; /* of a library: taken where something needs it */
    bool taken;
    bool for_kernels; /* it is taken because host code may launch them: whether it is part of the program the linker decides */
    char **units;
    size_t n_units;
    ProgramText *texts;
    Program **programs; /* of each text alone */
    size_t n_texts, n_programs;
    Diag problem; /* why a library's is not read whole: told where something needs it */
} Part;

struct DeviceLink {
    unsigned newest;
    char **files; /* what the texts lie in */
    size_t n_files;
    Part *parts;
    size_t n_parts;
    char **linked; /* units that an earlier link step has seen to */
    size_t n_linked;
    Diag *diag;
};

DeviceLink *devicelink_new(unsigned newest) {
    DeviceLink *link = alloc_zeroed(1, sizeof *link);
    link->newest = newest;
    return link;
}

static void names_free(char **names, size_t count) {
    for (size_t i = 0; i < count; i++) free(names[i]);
    free(names);
}

void devicelink_free(DeviceLink *link) {
    for (size_t p = 0; p < link->n_parts; p++) {
        Part *part = &link->parts[p];
        for (size_t t = 0; t < part->n_programs; t++) program_free(part->programs[t]);
        names_free(part->units, part->n_units);
        free(part->programs);
        free(part->texts);
        free(part->name);
    }
    free(link->parts);
    names_free(link->files, link->n_files);
    names_free(link->linked, link->n_linked);
    free(link);
}

/* --- reading --- */

static bool is_identifier(const char *name) {
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_') return false;
    return true;
}

static void note_unit(void *self, const char *name, bool defined) {
    DeviceLink *link = self;
    Part *part = &link->parts[link->n_parts - 1];
    if (!is_identifier(name)) return;
    if (defined)
        ALLOC_ADD(link->linked, link->n_linked) = alloc_copy(name);
    else
        ALLOC_ADD(part->units, part->n_units) = alloc_copy(name);
}

static bool note_code(void *self, const char *data, size_t bytes) {
    DeviceLink *link = self;
    Part *part = &link->parts[link->n_parts - 1];
    Diag *problem = part->optional ? &part->problem : link->diag, diag = {0};
    ProgramText text = {.name = part->name};
    if (!fatbin_inside(data, bytes)) return true;
    if (!fatbin_ptx(data, link->newest, &text.text, &text.length, &diag)) {
        diag_error(problem, part->name, 0, 0, "%s", diag.message);
        diag_hint(problem, "%s", diag.hint);
        return part->optional;
    }
    Program *program = program_parse(text.text, text.length, part->name, problem);
    if (!program) return part->optional;
    ALLOC_ADD(part->texts, part->n_texts) = text;
    ALLOC_ADD(part->programs, part->n_programs) = program;
    return true;
}

static bool add_object(DeviceLink *link, char *name, bool optional, const char *bytes, size_t length) {
    const ObjectReader reader = {.self = link, .unit = note_unit, .code = note_code};
    ALLOC_ADD(link->parts, link->n_parts) = (Part){.name = name, .optional = optional, .taken = !optional};
    return deviceobject_read(bytes, length, &reader);
}

/* The name of a member: "b.o/", or "/17", which is where it stands in the library's list of long ones. */
static char *member_name(const char *path, const struct ar_hdr *header, const char *longs, size_t longs_bytes) {
    const char *name = header->ar_name;
    size_t most = sizeof header->ar_name, at = name[0] == '/' ? strtoul(name + 1, NULL, 10) : longs_bytes;
    if (at < longs_bytes) {
        name = longs + at;
        most = longs_bytes - at;
    }
    size_t length = 0;
    while (length < most && name[length] != '/' && name[length] != '\n') length++;
    LOCAL_TEXT whole = text_from("%s(%.*s)", path, (int)length, name);
    return alloc_copy(text_string(&whole));
}

static bool add_library(DeviceLink *link, const char *path, const char *bytes, size_t length) {
    struct ar_hdr header;
    const char *longs = "";
    size_t longs_bytes = 0;
    for (size_t at = SARMAG, size; length - at >= sizeof header; at += size + (size & 1)) {
        memcpy(&header, bytes + at, sizeof header);
        if (memcmp(header.ar_fmag, ARFMAG, sizeof header.ar_fmag) != 0) break; /* which also ends the numbers before it */
        at += sizeof header;
        size = strtoul(header.ar_size, NULL, 10);
        if (size > length - at) break;
        if (memcmp(header.ar_name, "//", 2) == 0) {
            longs = bytes + at;
            longs_bytes = size;
        } else if (!add_object(link, member_name(path, &header, longs, longs_bytes), true, bytes + at, size)) {
            return false;
        }
        if (size == length - at) break;
    }
    return true;
}

bool devicelink_add(DeviceLink *link, const char *path, const char *source, Diag *diag) {
    size_t length;
    char *bytes = text_read_file(path, OBJECT_LIMIT, &length);
    if (!bytes) return true; /* the linker will say so */
    ALLOC_ADD(link->files, link->n_files) = bytes;
    link->diag = diag;
    if (length >= SARMAG && memcmp(bytes, ARMAG, SARMAG) == 0) return add_library(link, path, bytes, length);
    return add_object(link, alloc_copy(source ? source : path), false, bytes, length);
}

/* --- linking --- */

static bool is_missing_function(const Function *function) { return !function->is_defined && !call_is_provided(function->name); }

/* A variable that another module is to define; dynamic shared memory is nobody's. */
static bool is_missing_variable(const Variable *variable) {
    return variable->external && (variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST);
}

/* The first symbol that a program lacks, from *at on; NULL: none. */
static const char *next_missing(const Program *program, uint32_t *at) {
    for (; *at < program->n_functions + program->n_variables; ++*at) {
        const bool function = *at < program->n_functions;
        const Variable *variable = function ? NULL : &program->variables[*at - program->n_functions];
        if (function && is_missing_function(&program->functions[*at])) return program->functions[(*at)++].name;
        if (variable && is_missing_variable(variable)) return program->variables[(*at)++ - program->n_functions].name;
    }
    return NULL;
}

static bool defines(const Program *program, const char *name) {
    for (uint32_t f = 0; f < program->n_functions; f++)
        if (program->functions[f].is_defined && strcmp(program->functions[f].name, name) == 0) return true;
    for (uint32_t v = 0; v < program->n_variables; v++)
        if (program->variables[v].function == NO_INDEX && !program->variables[v].external &&
            strcmp(program->variables[v].name, name) == 0)
            return true;
    return false;
}

static bool part_defines(const Part *part, const char *name) {
    for (size_t t = 0; t < part->n_programs; t++)
        if (defines(part->programs[t], name)) return true;
    return false;
}

/* What device code of all that is taken is together; NULL with a message. */
static Program *link_taken(const DeviceLink *link, Diag *diag) {
    ProgramText *texts = NULL;
    size_t count = 0;
    for (size_t p = 0; p < link->n_parts; p++)
        if (link->parts[p].taken && link->parts[p].problem.set) {
            *diag = link->parts[p].problem;
            return NULL;
        }
    for (size_t p = 0; p < link->n_parts; p++)
        for (size_t t = 0; link->parts[p].taken && t < link->parts[p].n_texts; t++)
            ALLOC_ADD(texts, count) = link->parts[p].texts[t];
    Program *program = program_link(texts, count, diag);
    free(texts);
    return program;
}

/* Takes the members of libraries that define what the program lacks. */
static bool take_members(DeviceLink *link, const Program *program) {
    bool took = false;
    const char *name;
    for (uint32_t at = 0; (name = next_missing(program, &at)) != NULL;)
        for (size_t p = 0; p < link->n_parts; p++) {
            Part *part = &link->parts[p];
            if (part->taken || !part_defines(part, name)) continue;
            took = part->taken = true;
            break;
        }
    return took;
}

static bool taken_defines(const DeviceLink *link, const char *name) {
    for (size_t p = 0; p < link->n_parts; p++)
        if (link->parts[p].taken && part_defines(&link->parts[p], name)) return true;
    return false;
}

/* Whether it has a kernel that nothing has that is taken: a library may be given twice, and have a kernel in two forms. */
static bool has_new_kernel(const DeviceLink *link, const Part *part) {
    for (size_t t = 0; t < part->n_texts; t++)
        for (uint32_t f = 0; f < part->programs[t]->n_functions; f++) {
            const Function *function = &part->programs[t]->functions[f];
            if (function->is_entry && function->is_defined && !taken_defines(link, function->name)) return true;
        }
    return false;
}

/* What host code launches cannot be seen here, so all members of libraries that have kernels are taken. */
static bool take_kernels(DeviceLink *link) {
    bool took = false;
    for (size_t p = 0; p < link->n_parts; p++) {
        Part *part = &link->parts[p];
        if (!part->optional || part->taken || part->problem.set || !has_new_kernel(link, part)) continue;
        took = part->taken = part->for_kernels = true;
    }
    return took;
}

/* Members that have been taken for their kernels and that other code needs as well. */
static void note_needed(DeviceLink *link) {
    for (size_t p = 0; p < link->n_parts; p++)
        for (size_t t = 0; link->parts[p].taken && t < link->parts[p].n_texts; t++) {
            const char *name;
            for (uint32_t at = 0; (name = next_missing(link->parts[p].programs[t], &at)) != NULL;)
                for (size_t q = 0; q < link->n_parts; q++)
                    if (link->parts[q].for_kernels && part_defines(&link->parts[q], name)) link->parts[q].for_kernels = false;
        }
}

/* Of what is surely part of the program; NULL: nothing. */
static const char *who_lacks(const DeviceLink *link, const char *name) {
    for (size_t p = 0; p < link->n_parts; p++) {
        const Part *part = &link->parts[p];
        for (size_t t = 0; part->taken && !part->for_kernels && t < part->n_programs; t++) {
            const char *missing;
            for (uint32_t at = 0; (missing = next_missing(part->programs[t], &at)) != NULL;)
                if (strcmp(missing, name) == 0) return part->name;
        }
    }
    return NULL;
}

/* A function of CUDA's runtime that kernels call, without "cuda" before it; NULL: another one. */
static const char *runtime_function(const char *name) {
    static const char *const begins[] = {"cudaLaunchDevice", "cudaGetParameterBuffer", "cudaGraph"}, nvcc[] = "__cudaCDP2";
    if (text_begins(name, nvcc)) return name + strlen(nvcc);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (text_begins(name, begins[i])) return name + strlen("cuda");
    return NULL;
}

static bool refuse_missing(const DeviceLink *link, const char *who, const char *name, Diag *diag) {
    if (runtime_function(name)) {
        diag_error(diag, who, 0, 0, "a kernel calls cuda%.100s, which is not emulated in kernels", runtime_function(name));
        return diag_hint(diag, "`warpscope doctor` lists what kernels may call; or have the host call it");
    }
    FREED char *shown = program_demangle(name);
    diag_error(diag, who, 0, 0, "its device code needs '%.200s', which no file that is linked defines", shown);
    for (size_t p = 0; p < link->n_parts; p++) {
        const Part *part = &link->parts[p];
        if (part->problem.set) diag_hint(diag, "it may be in %.120s: %.100s", part->name, part->problem.message);
    }
    return diag_hint(diag, "link the object that defines it, compiled with -dc or -rdc=true");
}

/* All that is taken, and what it needs; NULL with a message. */
static Program *link_members(DeviceLink *link, Diag *diag) {
    Program *program = link_taken(link, diag);
    while (program && take_members(link, program)) {
        program_free(program);
        program = link_taken(link, diag);
    }
    return program;
}

static bool check(DeviceLink *link, Diag *diag) {
    Program *program = link_members(link, diag);
    if (program && take_kernels(link)) {
        program_free(program);
        program = link_members(link, diag);
    }
    if (!program) {
        diag->line = diag->column = 0; /* of PTX, which nobody wrote */
        diag->source[0] = 0;
        return false;
    }
    note_needed(link);
    bool fine = true;
    const char *missing;
    for (uint32_t at = 0; fine && (missing = next_missing(program, &at)) != NULL;) {
        const char *who = who_lacks(link, missing);
        fine = !who || refuse_missing(link, who, missing, diag);
    }
    program_free(program);
    return fine;
}

static bool is_linked(const DeviceLink *link, const char *unit) {
    for (size_t i = 0; i < link->n_linked; i++)
        if (strcmp(link->linked[i], unit) == 0) return true;
    return false;
}

/* A member that device code alone needs is the linker's as well, by its wrapper. Any other member's wrapper is there where the linker takes it. */
static void write_unit(DeviceLink *link, const Part *part, const char *unit, Text *code, Text *count) {
    const bool sure = part->taken && !part->for_kernels;
    if (is_linked(link, unit)) return;
    text_add(code, "void " LINKED_PREFIX "%s(void (*with_handle)(void **), const void *wrapper) {\n", unit);
    text_add(code, "    begin();\n    __warpscopeRegisterLinked(&units, with_handle, wrapper);\n}\n");
    if (part->optional || !sure)
        text_add(code, "extern const char " WRAPPER_PREFIX "%s%s;\n", unit, sure ? "" : " __attribute__((weak))");
    if (part->optional && sure) text_add(code, "const void *const warpscope_needs%s = &" WRAPPER_PREFIX "%s;\n", unit, unit);
    if (sure)
        text_add(count, " + 1");
    else
        text_add(count, " + !!&" WRAPPER_PREFIX "%s", unit);
    ALLOC_ADD(link->linked, link->n_linked) = alloc_copy(unit);
}

/* Parts that an earlier link step has seen to are no part of this one. */
static bool leave_linked(DeviceLink *link) {
    bool any = false;
    for (size_t p = 0; p < link->n_parts; p++) {
        Part *part = &link->parts[p];
        const bool done = part->n_units && is_linked(link, part->units[0]);
        if (done) part->n_texts = part->taken = false;
        any |= part->n_units && !done;
    }
    return any;
}

bool devicelink_write(DeviceLink *link, Text *code, Diag *diag) {
    if (!leave_linked(link)) return true;
    if (!check(link, diag)) return false;
    LOCAL_TEXT count = {0}; /* of the units that register */
    text_add(code, "static struct { void *image; unsigned left; } units;\nstatic void begin(void);\n");
    text_add(code, "void __warpscopeRegisterLinked(void *, void (*)(void **), const void *);\n");
    for (size_t p = 0; p < link->n_parts; p++)
        for (size_t u = 0; u < link->parts[p].n_units; u++)
            write_unit(link, &link->parts[p], link->parts[p].units[u], code, &count);
    text_add(code, "static void begin(void) {\n    static int begun;\n");
    text_add(code, "    if (!begun) units.left = 0%s;\n    begun = 1;\n}\n", text_string(&count));
    return true;
}
