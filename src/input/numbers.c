#include "input/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    char name[4];
    uint8_t type;
} element_types[] = {{"u8", TYPE_u8},   {"i8", TYPE_s8},   {"u16", TYPE_u16}, {"i16", TYPE_s16}, {"u32", TYPE_u32},
                     {"i32", TYPE_s32}, {"u64", TYPE_u64}, {"i64", TYPE_s64}, {"f32", TYPE_f32}, {"f64", TYPE_f64}};

enum { ELEMENT_TYPES = sizeof element_types / sizeof *element_types };

uint8_t number_type(const char *name, size_t length) {
    for (int i = 0; i < ELEMENT_TYPES; i++) {
        const char *known = element_types[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) return element_types[i].type;
    }
    return TYPE_none;
}

const char *number_type_name(uint8_t type) {
    for (int i = 0; i < ELEMENT_TYPES; i++)
        if (element_types[i].type == type) return element_types[i].name;
    return type_names[type];
}

/* Digits alone, without sign: decimal, or hexadecimal after 0x. errno is ERANGE when they need more than 64 bits. */
static bool parse_digits(const char *text, bool *is_hex, uint64_t *value) {
    *is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (*is_hex) text += 2;
    if (*is_hex ? !isxdigit((unsigned char)*text) : !isdigit((unsigned char)*text)) return false;
    char *end;
    errno = 0;
    *value = strtoull(text, &end, *is_hex ? 16 : 10);
    return !*end;
}

static const char *parse_integer(const char *text, uint8_t type, uint8_t bytes[8]) {
    static _Thread_local char range[80];
    unsigned bits = type_bytes[type] * 8u;
    bool is_signed = type_kinds[type] == KIND_SIGNED;
    uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t top = is_signed ? all >> 1 : all;
    bool negative = *text == '-';
    if (*text == '-' || *text == '+') text++;
    uint64_t value;
    bool is_hex;
    if (!parse_digits(text, &is_hex, &value)) return "is not a number";
    uint64_t limit = !negative ? (is_hex ? all : top) : is_signed ? top + 1 : 0;
    if (errno == ERANGE || value > limit) {
        if (is_signed)
            snprintf(range, sizeof range, "does not fit in %s (-%" PRIu64 " to %" PRIu64 ")", number_type_name(type), top + 1,
                     top);
        else
            snprintf(range, sizeof range, "does not fit in %s (0 to %" PRIu64 ")", number_type_name(type), top);
        return range;
    }
    if (negative) value = -value;
    memcpy(bytes, &value, 8);
    return NULL;
}

static const char *parse_float(const char *text, uint8_t type, uint8_t bytes[8]) {
    char *end;
    double value;
    float narrow;
    if (isspace((unsigned char)*text)) return "is not a number";
    errno = 0;
    if (type == TYPE_f32)
        value = narrow = strtof(text, &end);
    else
        value = strtod(text, &end);
    if (end == text || *end) return "is not a number";
    if (errno == ERANGE && isinf(value)) return type == TYPE_f32 ? "does not fit in f32" : "does not fit in f64";
    memset(bytes, 0, 8);
    if (type == TYPE_f32)
        memcpy(bytes, &narrow, 4);
    else
        memcpy(bytes, &value, 8);
    return NULL;
}

const char *number_parse(const char *text, size_t length, uint8_t type, uint8_t bytes[8]) {
    char copy[400];
    if (!length) return "is missing";
    if (length >= sizeof copy || memchr(text, 0, length)) return "is not a number";
    memcpy(copy, text, length);
    copy[length] = 0;
    return type_kinds[type] == KIND_FLOAT ? parse_float(copy, type, bytes) : parse_integer(copy, type, bytes);
}

bool number_unsigned(const char *text, size_t length, uint64_t limit, uint64_t *value) {
    uint8_t bytes[8];
    if (number_parse(text, length, TYPE_u64, bytes)) return false;
    memcpy(value, bytes, 8);
    return *value <= limit;
}
