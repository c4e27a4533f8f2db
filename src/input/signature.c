#include "input/signature.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The '(' that the text's last ')' closes, or NULL. Template arguments may hold parentheses of their own: "f<(int)32>(float*)". */
static const char *parameter_list(const char *text) {
    size_t length = strlen(text);
    if (!length || text[length - 1] != ')') return NULL;
    int depth = 0;
    for (const char *at = text + length; at-- > text;) {
        if (*at == ')') depth++;
        if (*at == '(' && --depth == 0) return at;
    }
    return NULL;
}

static void split_types(Signature *signature, const char *start, const char *end) {
    int depth = 0;
    uint32_t count = 0;
    for (const char *at = start; at <= end; at++) {
        if (at == end || (*at == ',' && !depth)) {
            if (count == SIGNATURE_PARAMETERS) return;
            while (*start == ' ') start++;
            signature->types[count].start = start;
            signature->types[count++].length = (uint32_t)(at - start);
            start = at + 1;
        } else if (strchr("(<[{", *at)) {
            depth++;
        } else if (strchr(")>]}", *at)) {
            depth--;
        }
    }
    signature->count = count;
}

Signature signature_of(const Function *kernel) {
    Signature signature = {.text = program_demangle(kernel->name)};
    const char *open = parameter_list(signature.text);
    if (open) split_types(&signature, open + 1, signature.text + strlen(signature.text) - 1);
    if (signature.count != kernel->n_params) signature.count = 0;
    return signature;
}

void signature_free(Signature *signature) {
    free(signature->text);
    *signature = (Signature){0};
}

static bool type_is_one_of(const Signature *signature, uint32_t index, const char *const *names) {
    for (; *names; names++)
        if (strlen(*names) == signature->types[index].length &&
            memcmp(*names, signature->types[index].start, signature->types[index].length) == 0)
            return true;
    return false;
}

ParamKind signature_kind(const Signature *signature, uint32_t index) {
    static const char *const integers[] = {"bool",
                                           "char",
                                           "signed char",
                                           "unsigned char",
                                           "short",
                                           "int",
                                           "unsigned int",
                                           "unsigned short",
                                           "long",
                                           "unsigned long",
                                           "wchar_t",
                                           "long long",
                                           "unsigned long long",
                                           NULL};
    static const char *const floats[] = {"float", "double", NULL};
    if (index >= signature->count) return PARAM_UNKNOWN;
    if (signature->types[index].start[signature->types[index].length - 1] == '*') return PARAM_POINTER;
    if (type_is_one_of(signature, index, integers)) return PARAM_INTEGER;
    return type_is_one_of(signature, index, floats) ? PARAM_FLOAT : PARAM_UNKNOWN;
}

void signature_describe(const Signature *signature, uint32_t index, uint64_t bytes, char *text, uint32_t size) {
    const char *plural = bytes == 1 ? "" : "s";
    if (index < signature->count) {
        const char *start = signature->types[index].start;
        snprintf(text, size, "%s %.*s (%" PRIu64 " byte%s)", strchr("aeiouAEIOU", *start) ? "an" : "a",
                 (int)signature->types[index].length, start, bytes, plural);
    } else if (bytes == 8) {
        snprintf(text, size, "8 bytes (a pointer or a 64-bit number)");
    } else if (bytes == 4) {
        snprintf(text, size, "4 bytes (an int or a float)");
    } else {
        snprintf(text, size, "%" PRIu64 " byte%s", bytes, plural);
    }
}
