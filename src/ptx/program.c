#include "ptx/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const char *const type_names[TYPE_COUNT] = {"none",
#define TYPE(name, bytes, kind) #name,
                                            PTX_TYPES(TYPE)
#undef TYPE
};

const uint8_t type_bytes[TYPE_COUNT] = {0,
#define TYPE(name, bytes, kind) bytes,
                                        PTX_TYPES(TYPE)
#undef TYPE
};

const uint8_t type_kinds[TYPE_COUNT] = {KIND_NONE,
#define TYPE(name, bytes, kind) KIND_##kind,
                                        PTX_TYPES(TYPE)
#undef TYPE
};

const char *const space_names[SPACE_COUNT] = {"generic", "global", "shared", "local", "const", "param"};

char insn_letter(const Insn *insn, unsigned index) {
    const bool destination = index < insn->n_dst;
    unsigned before = destination ? index : index - insn->n_dst;
    for (const char *at = opcode_operands[insn->op]; at && *at; at++) {
        if (*at == '|' || *at == '?' || letter_is_destination(*at) != destination) continue;
        if (before-- == 0) return *at;
    }
    return 0;
}

Type insn_letter_type(const Insn *insn, char letter) {
    static const uint8_t doubled[TYPE_COUNT] = {
        [TYPE_u16] = TYPE_u32, [TYPE_s16] = TYPE_s32, [TYPE_u32] = TYPE_u64, [TYPE_s32] = TYPE_s64};
    switch (letter) {
    case 'd':
    case 'x': return (Type)(insn->mode == MODE_WIDE ? doubled[insn->type] : insn->type);
    case 'a':
    case 'v': return (Type)insn->type;
    case 'A': return (Type)insn->type2;
    case 'P':
    case 'p':
    case 'n': return TYPE_pred;
    default: return TYPE_b32;
    }
}

void program_free(Program *program) {
    if (program) arena_free(program->arena);
}

/* -- names */

/* The C++ runtime's: <cxxabi.h> is no C header. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* A mangled name repeats earlier parts by reference (S1_, T_), and parts of references by references: the readable name can be
 * exponentially longer. Each reference makes it at most about 1.5 times as long (three that mean the same: 3 times). Pack
 * expansions (Dp) repeat a part for each member of a pack. Names that could grow without measure stay mangled. */
static bool readable_is_short(const char *mangled) {
    enum { BYTES_MOST = 1024, REFERENCES_MOST = 24, PACKS_MOST = 2 };
    size_t references = 0, packs = 0;
    if (strlen(mangled) > BYTES_MOST) return false;
    for (const char *at = mangled; *at; at++) {
        packs += at[0] == 'D' && at[1] == 'p';
        if (*at != 'S' && *at != 'T') continue;
        size_t digits = strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        references += at[1 + digits] == '_';
    }
    return references <= REFERENCES_MOST && packs <= PACKS_MOST;
}

char *program_demangle(const char *mangled) {
    int status = -1;
    bool is_mangled = strncmp(mangled, "_Z", 2) == 0 && readable_is_short(mangled);
    char *name = is_mangled ? __cxa_demangle(mangled, NULL, NULL, &status) : NULL;
    if (name && status == 0) return name;
    free(name);
    name = alloc_bytes(strlen(mangled) + 1);
    return strcpy(name, mangled);
}

/* A function's name in its parts: "void ns::scale<float>(float*, int)". */
typedef struct NameParts {
    const char *name; /* "ns::scale<float>(float*, int)" */
    const char *last; /* "scale<float>(…" */
    size_t plain;     /* length of "ns::scale", without the arguments of its template */
    size_t full;      /* length of "ns::scale<float>" */
} NameParts;

/* Start of the bracket that closes at `end`, or `start` when there is none. */
static const char *opening(const char *start, const char *end, char open, char close) {
    int depth = 0;
    for (const char *at = end; at >= start; at--) {
        depth += (*at == close) - (*at == open);
        if (depth == 0) return at;
        if (at == start) break;
    }
    return start;
}

static NameParts name_split(const char *demangled) {
    NameParts parts = {demangled, demangled, strlen(demangled), strlen(demangled)};
    const char *end = demangled + strlen(demangled);
    if (end > demangled && end[-1] == ')') end = opening(demangled, end - 1, '(', ')');
    int depth = 0;
    const char *name = demangled, *last = NULL, *plain_end = end;
    if (end > demangled && end[-1] == '>') plain_end = opening(demangled, end - 1, '<', '>');
    for (const char *at = plain_end; at > demangled; at--) {
        char c = at[-1];
        depth += (c == '>' || c == ')') - (c == '<' || c == '(');
        if (depth == 0 && c == ':' && !last) last = at;
        if (depth == 0 && c == ' ') {
            name = at;
            break;
        }
    }
    parts.name = name;
    parts.last = last ? last : name;
    parts.plain = (size_t)(plain_end - name);
    parts.full = (size_t)(end - name);
    return parts;
}

/* Equal but for blanks: "scale(float*,int)" means "scale(float*, int)". */
static bool same_text(const char *a, size_t length, const char *b) {
    const char *end = a + length;
    for (;;) {
        while (a < end && *a == ' ') a++;
        while (*b == ' ') b++;
        if (a == end || !*b) return a == end && !*b;
        if (*a++ != *b++) return false;
    }
}

static bool name_matches(const char *demangled, const char *asked) {
    NameParts parts = name_split(demangled);
    size_t before = (size_t)(parts.last - parts.name), whole = strlen(parts.name);
    return same_text(demangled, strlen(demangled), asked) || same_text(parts.name, whole, asked) ||
           same_text(parts.name, parts.full, asked) || same_text(parts.name, parts.plain, asked) ||
           same_text(parts.last, whole - before, asked) || same_text(parts.last, parts.full - before, asked) ||
           same_text(parts.last, parts.plain - before, asked);
}

char *program_plain_name(const char *mangled) {
    FREED char *readable = program_demangle(mangled);
    NameParts parts = name_split(readable);
    return alloc_text(parts.last, parts.plain - (size_t)(parts.last - parts.name));
}

static bool is_kernel(const Function *function) { return function->is_entry && function->is_defined; }

/* Names as a user can type them, as many as fit. With `among`, only kernels that match it. */
static void kernels_list(const Program *program, const char *among, Text *list) {
    for (uint32_t i = 0; i < program->n_functions; i++) {
        if (!is_kernel(&program->functions[i])) continue;
        char *demangled = program_demangle(program->functions[i].name);
        if (!among || name_matches(demangled, among)) {
            bool room = list->length + strlen(demangled) < 380;
            text_add(list, "%s%.100s", list->length ? ", " : "", room ? name_split(demangled).name : "…");
            if (!room) i = program->n_functions - 1;
        }
        free(demangled);
    }
}

const Function *program_kernel(const Program *program, const char *name, Diag *diag) {
    const Function *found = NULL;
    unsigned count = 0;
    for (uint32_t i = 0; i < program->n_functions; i++)
        if (is_kernel(&program->functions[i]) && strcmp(program->functions[i].name, name) == 0) return &program->functions[i];
    for (uint32_t i = 0; i < program->n_functions; i++) {
        if (!is_kernel(&program->functions[i])) continue;
        char *demangled = program_demangle(program->functions[i].name);
        if (name_matches(demangled, name)) {
            found = &program->functions[i];
            count++;
        }
        free(demangled);
    }
    if (count == 1) return found;
    LOCAL_TEXT list = {0};
    kernels_list(program, count ? name : NULL, &list);
    if (count)
        diag_error(diag, program->name, 0, 0, "'%.60s' could be any of these kernels: %s", name, text_string(&list));
    else if (list.length)
        diag_error(diag, program->name, 0, 0, "no kernel is named '%.60s'; there are: %s", name, text_string(&list));
    else
        diag_error(diag, program->name, 0, 0, "there is no kernel named '%.60s', and no other one", name);
    return NULL;
}

/* -- source positions */

const Location *program_location(const Program *program, uint32_t insn, const char *main_file) {
    enum { MAX_INLINED = 1000 }; /* deeper than any compiler inlines */
    const Location *location = &program->locations[insn < program->n_insns ? program->insns[insn].location : 0];
    const char *wanted = main_file ? text_last_name(main_file) : NULL;
    for (int depth = 0; depth < MAX_INLINED; depth++) {
        if (wanted && location->line && strcmp(text_last_name(program->files[location->file]), wanted) == 0) return location;
        if (!location->inlined_at) break;
        location = &program->locations[location->inlined_at];
    }
    return location;
}

uint32_t program_lined(const Program *program, uint32_t insn) {
    for (uint32_t f = 0; f < program->n_functions; f++) {
        const Function *function = &program->functions[f];
        if (insn - function->first >= function->count) continue; /* below the first: it wraps */
        for (uint32_t i = insn; i < function->first + function->count; i++)
            if (program_location(program, i, NULL)->line) return i;
    }
    return insn;
}
