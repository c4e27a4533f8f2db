#include "cuda/imitate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cuda/unroll.h"

/* --- copies --- */

#define WIDEST 16    /* bytes of the widest access */
#define LARGEST 4096 /* bytes of a struct up to which its copy is spelt out; LLVM copies larger ones byte by byte */
#define SHORT 128    /* bytes of a struct whose clearing LLVM spells out itself */

/* One pointer argument of llvm.memcpy, a slice of the module's text. */
typedef struct IrOperand {
    const char *text;
    size_t length;
    unsigned align;
} IrOperand;

typedef struct Copy {
    bool typed; /* i8* rather than ptr */
    IrOperand to, from;
    unsigned bytes;
    const char *scope; /* number of the !tbaa.struct node; NULL when there is none */
    const char *debug; /* ", !dbg !12"; "" when there is none */
    size_t debug_length;
} Copy;

typedef struct IrModule {
    const char *text, *end;
    const char *metadata; /* where the numbered nodes begin */
    const char *function; /* the definition that the current line stands in */
} IrModule;

static bool skip(const char **at, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0) return false;
    *at += length;
    return true;
}

/* "ptr noundef align 16 %3" or "i8* align 16 bitcast (%T* @x to i8*)", up to the comma that ends it. */
static bool read_operand(const char **at, bool typed, IrOperand *operand) {
    operand->align = 1;
    if (!skip(at, typed ? "i8* " : "ptr ")) return false;
    for (;;) {
        if (skip(at, "align ")) {
            char *after;
            operand->align = (unsigned)strtoul(*at, &after, 10);
            *at = after + 1;
        } else if (!skip(at, "noundef ") && !skip(at, "nonnull ") && !skip(at, "noalias ") && !skip(at, "nocapture ") &&
                   !skip(at, "readonly ") && !skip(at, "writeonly ") && !skip(at, "captures(none) ")) {
            break;
        }
    }
    operand->text = *at;
    int depth = 0;
    while (**at && **at != '\n' && (depth > 0 || **at != ',')) {
        if (**at == '(') depth++;
        if (**at == ')') depth--;
        ++*at;
    }
    operand->length = (size_t)(*at - operand->text);
    return skip(at, ", ");
}

/* The position that the rewritten instructions keep. */
static void read_debug(const char *at, const char *line_end, Copy *copy) {
    static const char tag[] = ", !dbg !";
    copy->debug = text_find(at, line_end, tag);
    copy->debug_length = copy->debug ? strlen(tag) + strspn(copy->debug + strlen(tag), "0123456789") : 0;
    if (!copy->debug) copy->debug = "";
}

static bool read_copy(const char *line, const char *line_end, Copy *copy) {
    const char *at = line;
    while (*at == ' ') at++;
    skip(&at, "tail ");
    if (!skip(&at, "call void @llvm.memcpy.")) return false;
    copy->typed = strncmp(at, "p0i8.p0i8.i64(", 14) == 0;
    if (!skip(&at, copy->typed ? "p0i8.p0i8.i64(" : "p0.p0.i64(")) return false;
    if (!read_operand(&at, copy->typed, &copy->to) || !read_operand(&at, copy->typed, &copy->from)) return false;
    if (!skip(&at, "i64 ") || !isdigit((unsigned char)*at)) return false;
    char *after;
    unsigned long bytes = strtoul(at, &after, 10);
    at = after;
    if (bytes > LARGEST || !skip(&at, ", i1 false)")) return false;
    copy->bytes = (unsigned)bytes;
    copy->scope = text_find(at, line_end, "!tbaa.struct !");
    if (copy->scope) copy->scope += strlen("!tbaa.struct !");
    read_debug(at, line_end, copy);
    return true;
}

/* The line that defines a local value in the current function, after its " = "; NULL for an argument or a constant. */
static const char *definition(const IrModule *module, const IrOperand *value, const char *here) {
    if (value->length == 0 || value->text[0] != '%') return NULL;
    LOCAL_TEXT pattern = text_from("\n  %.*s = ", (int)value->length, value->text);
    const char *found = text_find(module->function, here, text_string(&pattern));
    if (found) found += pattern.length;
    return found;
}

/* A local variable stands at the alignment of its type, and both sides of a copy have one type: what clang knows of the one holds
 * for the other too, even where it was reached through a cast from an array of smaller elements. */
static bool is_local_variable(const IrModule *module, IrOperand value, const char *here) {
    const char *line = definition(module, &value, here);
    if (line && skip(&line, "bitcast ")) {
        line = strchr(line, '*');
        while (line && (*line == '*' || *line == ' ')) line++;
        value.text = line;
        value.length = line ? strcspn(line, " \n") : 0;
        line = line ? definition(module, &value, here) : NULL;
    }
    return line && (strncmp(line, "alloca %struct.", 15) == 0 || strncmp(line, "alloca %union.", 14) == 0 ||
                    strncmp(line, "alloca %\"struct.", 16) == 0);
}

/* Bytes of a number's type, "i32, …" or "i32 %5"; 0: it is none. */
static unsigned ir_number_bytes(const char *type) {
    static const struct {
        const char *name;
        unsigned bytes;
    } numbers[] = {{"i8", 1}, {"i16", 2}, {"half", 2}, {"i32", 4}, {"float", 4}, {"i64", 8}, {"double", 8}};
    const size_t length = strcspn(type, ", ]");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i].name) == length && strncmp(type, numbers[i].name, length) == 0) return numbers[i].bytes;
    return 0;
}

static bool has_structure(const char *line, const char *end) {
    return text_find(line, end, "struct.") || text_find(line, end, "union.") || text_find(line, end, "class.");
}

/* "[9 x float]" between these, of numbers smaller than so many bytes, and no structure. An element that is no smaller, and is not known to
 * stand at a multiple of its size, is one of a packed struct's. */
static bool has_array_of_smaller(const char *line, const char *end, unsigned bytes) {
    static const char before[] = " x ";
    const char *element = NULL;
    if (has_structure(line, end)) return false;
    for (const char *at = line; (at = text_find(at, end, before)) != NULL;) element = at += sizeof before - 1;
    const unsigned least = element ? ir_number_bytes(element) : 0;
    return least > 0 && least < bytes;
}

/* Whether the variable "@tile" is such an array. */
static bool is_array_of_smaller(const IrModule *module, const char *name, unsigned bytes) {
    LOCAL_TEXT head = text_from("\n%.*s = ", (int)strcspn(name, " ,)\n"), name);
    const char *line = text_find(module->text, module->end, head.data);
    return line && has_array_of_smaller(line, line + 1 + strcspn(line + 1, "\n"), bytes);
}

/* Whether the last operand before `end` leads, through casts, to an element of an array of numbers that the function or the module declares, each
 * smaller than so many bytes. */
static bool is_in_array(const IrModule *module, const char *line, const char *end, unsigned bytes) {
    const char *variable;
    for (const char *here = line; !(variable = text_find(line, end, "@"));) {
        IrOperand value = {.text = end};
        while (value.text > line && *value.text != '%') value.text--;
        value.length = strspn(value.text + 1, "0123456789") + 1;
        line = value.length > 1 ? definition(module, &value, here) : NULL;
        if (!line) return false;
        here = line; /* what it is made of stands in front of it */
        end = line + strcspn(line, "\n");
        const bool casts = skip(&line, "bitcast ");
        if (!casts && !skip(&line, "getelementptr ")) return false;
        if (!casts && !text_find(line, end, "@")) return has_array_of_smaller(line, end, bytes);
        if (casts) end = text_find(line, end, " to ");
        if (!end) return false;
    }
    return !has_structure(line, variable) && is_array_of_smaller(module, variable, bytes);
}

/* Bytes of the smallest member, from a node such as !{i64 0, i64 4, !7, i64 4, i64 4, !7}: offset, size, type of each. A vector of
 * that element can be taken apart without going through memory. Members of over 8 bytes are arrays and unions: taken as words.
 * 0 when nothing is known. */
static unsigned smallest_member(const IrModule *module, const Copy *copy) {
    unsigned least = 0, field = 0;
    if (!copy->scope) return 0;
    LOCAL_TEXT pattern = text_from("\n!%.*s = !{", (int)strspn(copy->scope, "0123456789"), copy->scope);
    const char *at = text_find(module->metadata, module->end, text_string(&pattern));
    if (at) at += pattern.length;
    while (at && skip(&at, "i64 ")) {
        char *after;
        unsigned long number = strtoul(at, &after, 10);
        if (number > 8) number = 4;
        if (field++ % 2 == 1 && (least == 0 || number < least)) least = (unsigned)number;
        at = after;
        skip(&at, ", ");
        if (field % 2 == 0 && *at == '!') {
            at += 1 + strspn(at + 1, "0123456789");
            skip(&at, ", ");
        }
    }
    return least;
}

/* A vector of two or four elements where the members allow it, else one whole number. */
static void chunk_type(unsigned chunk, unsigned element, char *type, size_t type_bytes) {
    if (element * 2 == chunk || element * 4 == chunk) {
        snprintf(type, type_bytes, "<%u x i%u>", chunk / element, 8 * element);
    } else {
        snprintf(type, type_bytes, "i%u", 8 * chunk);
    }
}

/* What is moved at once. */
typedef struct CopiedChunk {
    char type[32];
    unsigned at, bytes;
    size_t serial;
} CopiedChunk;

/* %widen.N.s or .d: the address of a chunk, as a pointer to its type. */
static void emit_address(const Copy *copy, const IrOperand *operand, char side, const CopiedChunk *chunk, Text *out) {
    text_add(out, "  %%widen.%zu.%c%s = getelementptr i8, %s %.*s, i64 %u%.*s\n", chunk->serial, side, copy->typed ? "8" : "",
             copy->typed ? "i8*" : "ptr", (int)operand->length, operand->text, chunk->at, (int)copy->debug_length, copy->debug);
    if (copy->typed) {
        text_add(out, "  %%widen.%zu.%c = bitcast i8* %%widen.%zu.%c8 to %s*%.*s\n", chunk->serial, side, chunk->serial, side,
                 chunk->type, (int)copy->debug_length, copy->debug);
    }
}

static void emit_chunk(const Copy *copy, const CopiedChunk *chunk, Text *out) {
    char pointer[40];
    snprintf(pointer, sizeof pointer, "%s%s", copy->typed ? chunk->type : "ptr", copy->typed ? "*" : "");
    emit_address(copy, &copy->from, 's', chunk, out);
    emit_address(copy, &copy->to, 'd', chunk, out);
    text_add(out, "  %%widen.%zu.v = load %s, %s %%widen.%zu.s, align %u%.*s\n", chunk->serial, chunk->type, pointer,
             chunk->serial, chunk->bytes, (int)copy->debug_length, copy->debug);
    text_add(out, "  store %s %%widen.%zu.v, %s %%widen.%zu.d, align %u%.*s\n", chunk->type, chunk->serial, pointer,
             chunk->serial, chunk->bytes, (int)copy->debug_length, copy->debug);
}

/* Narrows a chunk to what is left, and gives it a number; false: nothing is. */
static bool next_chunk(const Copy *copy, CopiedChunk *chunk, size_t *serial) {
    if (chunk->at >= copy->bytes) return false;
    while (chunk->bytes > copy->bytes - chunk->at) chunk->bytes /= 2;
    chunk->serial = (*serial)++;
    return true;
}

/* Chunks as wide as the alignment allows; 16 bytes only for members of 4 or 8, since a register is at most 8 wide. */
static void widen(const IrModule *module, Copy *copy, const char *here, size_t *serial, Text *out) {
    if (copy->to.align < copy->from.align && is_local_variable(module, copy->from, here)) copy->to.align = copy->from.align;
    if (copy->from.align < copy->to.align && is_local_variable(module, copy->to, here)) copy->from.align = copy->to.align;
    unsigned element = smallest_member(module, copy),
             align = copy->to.align < copy->from.align ? copy->to.align : copy->from.align;
    unsigned widest = element == 1 || element == 2 ? 8 : WIDEST;
    if (align > widest) align = widest;
    for (CopiedChunk chunk = {.bytes = align}; next_chunk(copy, &chunk, serial); chunk.at += chunk.bytes) {
        chunk_type(chunk.bytes, element ? element : chunk.bytes < 8 ? 1 : 4, chunk.type, sizeof chunk.type);
        emit_chunk(copy, &chunk, out);
    }
}

/* "  call void @llvm.memset.p0.i64(ptr align 16 %3, i8 0, i64 256, i1 false)", as a copy from nowhere. */
static bool read_clear(const char *line, const char *line_end, Copy *copy) {
    const char *at = line;
    while (*at == ' ') at++;
    skip(&at, "tail ");
    if (!skip(&at, "call void @llvm.memset.")) return false;
    copy->typed = strncmp(at, "p0i8.i64(", 9) == 0;
    if (!skip(&at, copy->typed ? "p0i8.i64(" : "p0.i64(")) return false;
    if (!read_operand(&at, copy->typed, &copy->to) || !skip(&at, "i8 0, i64 ") || !isdigit((unsigned char)*at)) return false;
    char *after;
    unsigned long bytes = strtoul(at, &after, 10);
    at = after;
    if (bytes <= SHORT || bytes > LARGEST || !skip(&at, ", i1 false)")) return false;
    copy->bytes = (unsigned)bytes;
    read_debug(at, line_end, copy);
    return true;
}

static void clear(const Copy *copy, size_t *serial, Text *out) {
    unsigned align = copy->to.align > WIDEST ? WIDEST : copy->to.align;
    for (CopiedChunk chunk = {.bytes = align}; next_chunk(copy, &chunk, serial); chunk.at += chunk.bytes) {
        chunk_type(chunk.bytes, chunk.bytes < 8 ? chunk.bytes : 4, chunk.type, sizeof chunk.type);
        emit_address(copy, &copy->to, 'd', &chunk, out);
        text_add(out, "  store %s %s, %s%s %%widen.%zu.d, align %u%.*s\n", chunk.type,
                 chunk.type[0] == '<' ? "zeroinitializer" : "0", copy->typed ? chunk.type : "ptr", copy->typed ? "*" : "",
                 chunk.serial, chunk.bytes, (int)copy->debug_length, copy->debug);
    }
}

static size_t widen_copies(const char *text, size_t length, Text *out) {
    IrModule module = {.text = text, .end = text + length, .function = text};
    module.metadata = text_find(text, module.end, "\n!0 = ");
    if (!module.metadata) module.metadata = module.end;
    size_t count = 0, serial = 0;
    const char *done = text; /* everything before it stands in out */
    for (const char *call = text; (call = text_find(call, module.end, "@llvm.mem")) != NULL;) {
        const char *line = call, *line_end = strchr(call, '\n');
        if (!line_end) line_end = module.end;
        while (line > text && line[-1] != '\n') line--;
        for (const char *next; (next = text_find(module.function, line, "\ndefine ")) != NULL;) module.function = next + 1;
        Copy copy = {0};
        bool copies = read_copy(line, line_end, &copy);
        if (copies || read_clear(line, line_end, &copy)) {
            text_add_bytes(out, done, (size_t)(line - done));
            if (copies) {
                widen(&module, &copy, line, &serial, out);
            } else {
                clear(&copy, &serial, out);
            }
            count++;
            done = line_end < module.end ? line_end + 1 : line_end;
        }
        call = line_end;
    }
    text_add_bytes(out, done, (size_t)(module.end - done));
    return count;
}

/* --- aliasing --- */

/* One access tag !node = !{!base, !access, i64 offset}: base is a struct, or the same as access for a whole type. */
typedef struct Tag {
    unsigned long node, base, access, offset;
} Tag;

/* Reads the line that begins at text. */
static bool read_tag(const char *text, Tag *tag) {
    int length = 0;
    return sscanf(text, "!%lu = !{!%lu, !%lu, i64 %lu%n", &tag->node, &tag->base, &tag->access, &tag->offset, &length) == 4 &&
           length > 0 && (text[length] == '}' || text[length] == ',');
}

typedef struct Tags {
    bool *scalar; /* by node: an access to a whole type rather than to a member */
    size_t count;
    unsigned long last_node;
} Tags;

static void note_scalar(Tags *tags, unsigned long node) {
    if (node >= tags->count) {
        size_t count = 2 * node + 64;
        tags->scalar = alloc_resize(tags->scalar, count, sizeof *tags->scalar);
        memset(tags->scalar + tags->count, 0, (count - tags->count) * sizeof *tags->scalar);
        tags->count = count;
    }
    tags->scalar[node] = true;
}

/* The tags of scalars, and the highest number of a node. A number beyond the text's length is none of LLVM's making. */
static Tags read_tags(const char *metadata, const char *end) {
    Tags tags = {0};
    for (const char *line = metadata; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        Tag tag;
        if (*line != '!' || !isdigit((unsigned char)line[1])) continue;
        unsigned long node = strtoul(line + 1, NULL, 10);
        if (node >= (size_t)(end - metadata)) continue;
        if (node > tags.last_node) tags.last_node = node;
        if (read_tag(line, &tag) && tag.base == tag.access) note_scalar(&tags, tag.node);
    }
    return tags;
}

/* Where on this line, up to `end`, the alignment stands of a number that is loaded or stored by a pointer cast to its type, of which clang knows that it leads
 * to an array of something smaller; NULL: it is no such access. *bytes: the number's. */
static const char *cast_alignment(const IrModule *module, const char *line, const char *end, unsigned *bytes) {
    static const char before[] = ", align ";
    const char *type = text_find(line, end, " = load "), *align = NULL;
    if (type) type += strlen(" = load ");
    if (!type && text_begins(line, "  store ")) type = line + strlen("  store ");
    if (!type) return NULL;
    skip(&type, "volatile ");
    *bytes = ir_number_bytes(type);
    for (const char *at = type; *bytes && (at = text_find(at, end, before)) != NULL;) align = at += sizeof before - 1;
    if (!align || strtoul(align, NULL, 10) >= *bytes) return NULL;
    IrModule of = *module;
    for (const char *next; (next = text_find(of.function, line, "\ndefine ")) != NULL;) of.function = next + 1;
    return is_in_array(&of, type, align - (sizeof before - 1), *bytes) ? align : NULL;
}

/* The functions' text without the tags of scalars. A number that is accessed by a cast is accessed as one, as by nvcc. */
static void drop_scalar_tags(const Tags *tags, const char *text, const char *end, Text *out) {
    const IrModule module = {.text = text, .end = end, .metadata = end, .function = text};
    const char *done = text;
    for (const char *at = text; (at = text_find(at, end, ", !tbaa !")) != NULL;) {
        char *after;
        unsigned long node = strtoul(at + strlen(", !tbaa !"), &after, 10);
        if (node < tags->count && tags->scalar[node]) {
            const char *line = at;
            unsigned bytes;
            while (line > text && line[-1] != '\n') line--;
            const char *align = cast_alignment(&module, line, at, &bytes);
            text_add_bytes(out, done, (size_t)((align ? align : at) - done));
            if (align) text_add(out, "%u", bytes);
            done = after;
        }
        at = after;
    }
    text_add_bytes(out, done, (size_t)(end - done));
}

/* The metadata with every struct in an alias tree of its own, whose leaves are its members by offset: members of one struct differ
 * from each other, and anything may be the same as a member of another struct. */
static void part_structs(const Tags *tags, const char *text, const char *end, Text *out) {
    unsigned long fresh = tags->last_node + 1;
    for (const char *line = text, *next; line < end; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        Tag tag;
        if (*line == '!' && read_tag(line, &tag) && tag.base != tag.access) {
            text_add(out, "!%lu = !{!%lu, !%lu, i64 0}\n", tag.node, fresh, fresh);
            text_add(out, "!%lu = !{!\"member %lu+%lu\", !%lu, i64 0}\n", fresh, tag.base, tag.offset, fresh + 1);
            text_add(out, "!%lu = !{!\"struct %lu\"}\n", fresh + 1, tag.base);
            fresh += 2;
        } else {
            text_add_bytes(out, line, (size_t)(next - line));
        }
    }
}

static void weaken_aliasing(const char *text, size_t length, Text *out) {
    const char *end = text + length, *metadata = text_find(text, end, "\n!0 = ");
    metadata = metadata ? metadata + 1 : end;
    Tags tags = read_tags(metadata, end);
    drop_scalar_tags(&tags, text, metadata, out);
    part_structs(&tags, metadata, end, out);
    free(tags.scalar);
}

/* --- definedness --- */

/* Drops "noundef " at `at`, or all of ", !noundef !12", in which *from, where it begins, lies before `at`: the text behind it. NULL where
 * `at` is no such word. */
static const char *skip_noundef(const char *at, const char **from) {
    static const char word[] = "noundef ", node[] = ", !";
    if (!skip(&at, word)) return NULL;
    *from = at - (sizeof word - 1);
    if ((*from)[-1] != '!') return at;
    *from -= sizeof node - 1;
    return at + 1 + strspn(at + 1, "0123456789");
}

/* The text without noundef, as an attribute of functions and calls or, in newer versions, as metadata of loads. Quoted strings (names,
 * inline assembly) and variables' initialisers stay as they are. */
static void drop_noundef(const char *text, size_t length, Text *out) {
    const char *end = text + length;
    for (const char *line = text, *next; line < end; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        const char *done = line;
        bool quoted = *line == '@' || *line == '!';
        for (const char *at = line; at < next; at++) {
            quoted ^= *at == '"' && *line != '@' && *line != '!';
            const char *from, *after = quoted || *at != 'n' || at == line ? NULL : skip_noundef(at, &from);
            if (!after) continue;
            text_add_bytes(out, done, (size_t)(from - done));
            done = after;
            at = done - 1;
        }
        text_add_bytes(out, done, (size_t)(next - done));
    }
}

/* --- dynamic shared memory --- */

/* The text with every `extern __shared__` array at a multiple of 16 bytes. */
static void align_shared(const char *text, size_t length, Text *out) {
    const char *end = text + length, *done = text;
    for (const char *at = text; (at = text_find(at, end, " addrspace(3) global [0 x ")) != NULL;) {
        const char *line = at, *line_end = memchr(at, '\n', (size_t)(end - at));
        while (line > text && line[-1] != '\n') line--;
        if (!line_end) line_end = end;
        const char *align = text_find(at, line_end, ", align ");
        at = line_end;
        if (*line != '@' || !text_find(line, line_end, " external ") || !align) continue;
        align += strlen(", align ");
        if (strtoul(align, NULL, 10) >= 16) continue;
        text_add_bytes(out, done, (size_t)(align - done));
        text_add(out, "16");
        done = align + strspn(align, "0123456789");
    }
    text_add_bytes(out, done, (size_t)(end - done));
}

size_t imitate_nvcc(const char *module, size_t length, const char *compiler, Text *out) {
    LOCAL_TEXT widened = {0}, aligned = {0}, loose = {0}, weakened = {0};
    size_t count = widen_copies(module, length, &widened);
    align_shared(text_string(&widened), widened.length, &aligned);
    drop_noundef(text_string(&aligned), aligned.length, &loose);
    weaken_aliasing(text_string(&loose), loose.length, &weakened);
    unroll_prepare(text_string(&weakened), weakened.length, compiler, out);
    return count;
}
