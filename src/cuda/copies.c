#define _GNU_SOURCE /* memmem */
#include "cuda/copies.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDEST 16   /* bytes of the widest access */
#define LARGEST 128 /* bytes of a struct up to which its copy is spelt out; LLVM makes a loop of larger ones */

/* One pointer argument of llvm.memcpy, a slice of the module's text. */
typedef struct Operand {
    const char *text;
    size_t length;
    unsigned align;
} Operand;

typedef struct Copy {
    bool typed; /* i8* rather than ptr */
    Operand to, from;
    unsigned bytes;
    const char *scope; /* number of the !tbaa.struct node; NULL when there is none */
    const char *debug; /* ", !dbg !12" */
    size_t debug_length;
} Copy;

typedef struct Module {
    const char *text, *end;
    const char *metadata; /* where the numbered nodes begin */
    const char *function; /* the definition that the current line stands in */
} Module;

static const char *find(const char *from, const char *end, const char *what) {
    return from < end ? memmem(from, (size_t)(end - from), what, strlen(what)) : NULL;
}

static bool skip(const char **at, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0) return false;
    *at += length;
    return true;
}

/* "ptr noundef align 16 %3" or "i8* align 16 bitcast (%T* @x to i8*)", up to the comma that ends it. */
static bool read_operand(const char **at, bool typed, Operand *operand) {
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
    copy->scope = find(at, line_end, "!tbaa.struct !");
    if (copy->scope) copy->scope += strlen("!tbaa.struct !");
    copy->debug = find(at, line_end, ", !dbg !");
    copy->debug_length = 0;
    if (copy->debug) copy->debug_length = strlen(", !dbg !") + strspn(copy->debug + strlen(", !dbg !"), "0123456789");
    return true;
}

/* The line that defines a local value in the current function, after its " = "; NULL for an argument or a constant. */
static const char *definition(const Module *module, const Operand *value, const char *here) {
    if (value->length == 0 || value->text[0] != '%') return NULL;
    Text pattern = {0};
    text_add(&pattern, "\n  %.*s = ", (int)value->length, value->text);
    const char *found = find(module->function, here, text_string(&pattern));
    if (found) found += pattern.length;
    text_free(&pattern);
    return found;
}

/* A local variable stands at the alignment of its type, and both sides of a copy have one type: what clang knows of the one holds
 * for the other too, even where it was reached through a cast from an array of smaller elements. */
static bool is_local_variable(const Module *module, Operand value, const char *here) {
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

/* Bytes of the smallest member, from a node such as !{i64 0, i64 4, !7, i64 4, i64 4, !7}: offset, size, type of each. A vector of
 * that element can be taken apart without going through memory. Members of over 8 bytes are arrays and unions: taken as words. */
static unsigned smallest_member(const Module *module, const Copy *copy) {
    unsigned smallest = copy->bytes == 8 ? 4 : copy->bytes < 8 ? 1 : 0;
    if (copy->scope) {
        Text pattern = {0};
        text_add(&pattern, "\n!%.*s = !{", (int)strspn(copy->scope, "0123456789"), copy->scope);
        const char *at = find(module->metadata, module->end, text_string(&pattern));
        if (at) at += pattern.length;
        text_free(&pattern);
        unsigned field = 0, least = 0;
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
        if (least) return least;
    }
    return smallest ? smallest : 4;
}

static void emit_piece(const Copy *copy, unsigned piece, unsigned element, size_t serial, unsigned at, Text *out) {
    const struct {
        char name;
        const Operand *operand;
    } sides[] = {{'s', &copy->from}, {'d', &copy->to}};
    int debug_length = (int)copy->debug_length;
    const char *debug = copy->debug ? copy->debug : "";
    const char *star = copy->typed ? "i8*" : "ptr";
    char type[32], pointer[40];
    snprintf(type, sizeof type, "<%u x i%u>", piece / element, 8 * element);
    snprintf(pointer, sizeof pointer, "%s%s", copy->typed ? type : "ptr", copy->typed ? "*" : "");
    for (int i = 0; i < 2; i++) {
        text_add(out, "  %%widen.%zu.%c%s = getelementptr i8, %s %.*s, i64 %u%.*s\n", serial, sides[i].name,
                 copy->typed ? "8" : "", star, (int)sides[i].operand->length, sides[i].operand->text, at, debug_length, debug);
        if (copy->typed) {
            text_add(out, "  %%widen.%zu.%c = bitcast i8* %%widen.%zu.%c8 to %s%.*s\n", serial, sides[i].name, serial,
                     sides[i].name, pointer, debug_length, debug);
        }
    }
    text_add(out, "  %%widen.%zu.v = load %s, %s %%widen.%zu.s, align %u%.*s\n", serial, type, pointer, serial, piece,
             debug_length, debug);
    text_add(out, "  store %s %%widen.%zu.v, %s %%widen.%zu.d, align %u%.*s\n", type, serial, pointer, serial, piece,
             debug_length, debug);
}

/* True when the copy was rewritten; out is untouched otherwise. */
static bool widen(const Module *module, Copy *copy, const char *here, size_t *serial, Text *out) {
    unsigned piece = copy->bytes < WIDEST ? copy->bytes : WIDEST;
    if (piece < 2 || (piece & (piece - 1)) != 0 || copy->bytes % piece != 0) return false;
    if (copy->to.align < copy->from.align && is_local_variable(module, copy->from, here)) copy->to.align = copy->from.align;
    if (copy->from.align < copy->to.align && is_local_variable(module, copy->to, here)) copy->from.align = copy->to.align;
    unsigned element = smallest_member(module, copy);
    if (copy->to.align < piece || copy->from.align < piece) return false;
    if (element * 2 != piece && element * 4 != piece) return false;
    for (unsigned at = 0; at < copy->bytes; at += piece) emit_piece(copy, piece, element, (*serial)++, at, out);
    return true;
}

size_t copies_widen(const char *text, size_t length, Text *out) {
    Module module = {.text = text, .end = text + length, .function = text};
    module.metadata = find(text, module.end, "\n!0 = ");
    if (!module.metadata) module.metadata = module.end;
    size_t count = 0, serial = 0;
    const char *done = text; /* everything before it stands in out */
    for (const char *call = text; (call = find(call, module.end, "@llvm.memcpy.p0")) != NULL;) {
        const char *line = call, *line_end = strchr(call, '\n');
        if (!line_end) line_end = module.end;
        while (line > text && line[-1] != '\n') line--;
        for (const char *next; (next = find(module.function, line, "\ndefine ")) != NULL;) module.function = next + 1;
        Copy copy;
        if (read_copy(line, line_end, &copy)) {
            text_add_bytes(out, done, (size_t)(line - done));
            done = line;
            if (widen(&module, &copy, line, &serial, out)) {
                count++;
                done = line_end < module.end ? line_end + 1 : line_end;
            }
        }
        call = line_end;
    }
    text_add_bytes(out, done, (size_t)(module.end - done));
    return count;
}
