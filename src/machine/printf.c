#include "machine/printf.h"

#include <stdio.h>
#include <string.h>

#include "machine/bounds.h"
#include "machine/effort.h"

enum { FORMAT_LIMIT = 4096, STRING_LIMIT = 1024, FIELD_LIMIT = 200 };
enum { QUIET_CHARACTERS = 16 }; /* that are skipped while one is written */

typedef struct ArgumentReader {
    const Warp *warp;
    unsigned lane;
    uint64_t at; /* next argument */
    int count;   /* arguments read */
} ArgumentReader;

static uint64_t next_argument(ArgumentReader *reader, unsigned bytes) {
    uint64_t value = 0;
    reader->at = (reader->at + bytes - 1) / bytes * bytes;
    warp_peek(reader->warp, reader->lane, reader->at, &value, bytes);
    reader->at += bytes;
    reader->count++;
    return value;
}

/* A width or precision: digits or '*'. -1 when there is none. */
static int number(const char **format, ArgumentReader *reader) {
    if (**format == '*') {
        ++*format;
        int value = (int)next_argument(reader, 4);
        return value > FIELD_LIMIT ? FIELD_LIMIT : value < -FIELD_LIMIT ? -FIELD_LIMIT : value;
    }
    if (**format < '0' || **format > '9') return -1;
    int value = 0;
    for (; **format >= '0' && **format <= '9'; ++*format)
        if (value <= FIELD_LIMIT) value = value * 10 + (**format - '0');
    return value > FIELD_LIMIT ? FIELD_LIMIT : value;
}

static void add_string(ArgumentReader *reader, const char *spec, Text *out) {
    char text[STRING_LIMIT];
    uint64_t at = next_argument(reader, 8);
    warp_peek_string(reader->warp, reader->lane, at, text, sizeof text);
    char field[STRING_LIMIT + FIELD_LIMIT];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(field, sizeof field, spec, at ? text : "(null)");
#pragma GCC diagnostic pop
    text_add(out, "%s", field);
}

static void add_value(ArgumentReader *reader, const char *spec, char conversion, bool wide, Text *out) {
    char field[FIELD_LIMIT * 3];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (strchr("fFeEgGaA", conversion)) {
        uint64_t bits = next_argument(reader, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        snprintf(field, sizeof field, spec, value);
    } else if (conversion == 'c') {
        snprintf(field, sizeof field, spec, (int)next_argument(reader, 4));
    } else if (conversion == 'd' || conversion == 'i') {
        uint64_t value = next_argument(reader, wide ? 8 : 4);
        snprintf(field, sizeof field, spec, wide ? (long long)value : (long long)(int32_t)value);
    } else {
        snprintf(field, sizeof field, spec, (unsigned long long)next_argument(reader, wide ? 8 : 4));
    }
#pragma GCC diagnostic pop
    text_add(out, "%s", field);
}

/* One conversion; *format stands behind its '%'. A NULL out: only the arguments are counted. */
static void convert(const char **format, ArgumentReader *reader, Text *out) {
    char flags[8] = "", spec[64];
    size_t n_flags = 0;
    for (; **format && strchr("-+ #0", **format); ++*format)
        if (n_flags < 5 && !strchr(flags, **format)) flags[n_flags++] = **format;
    int width = number(format, reader), precision = -1;
    if (**format == '.') {
        ++*format;
        precision = number(format, reader);
        if (precision < 0) precision = 0;
    }
    bool wide = false;
    for (; **format && strchr("hlLzjt", **format); ++*format) wide |= **format != 'h';
    char conversion = **format;
    if (!conversion) return;
    ++*format;
    if (!strchr("diouxXcspfFeEgGaA", conversion)) {
        if (out) text_add(out, "%%%c", conversion);
        return;
    }
    if (!out) {
        reader->count++;
        return;
    }
    if (width < -1 && !strchr(flags, '-')) flags[n_flags++] = '-';
    if (width < -1) width = -width;
    size_t used = (size_t)snprintf(spec, sizeof spec, "%%%s", flags);
    if (width >= 0) used += (size_t)snprintf(spec + used, sizeof spec - used, "%d", width);
    if (precision >= 0) used += (size_t)snprintf(spec + used, sizeof spec - used, ".%d", precision);
    if (conversion == 'p') {
        text_add(out, "0x%llx", (unsigned long long)next_argument(reader, 8));
        return;
    }
    snprintf(spec + used, sizeof spec - used, "%s%c", strchr("diouxX", conversion) ? "ll" : "", conversion);
    if (conversion == 's')
        add_string(reader, spec, out);
    else
        add_value(reader, spec, conversion, wide, out);
}

int printf_lane(const Warp *warp, unsigned lane, uint64_t format, uint64_t arguments, Text *out) {
    char text[FORMAT_LIMIT];
    if (!format) return -1;
    const bool quiet = warp->worker->launch->quiet;
    if (quiet || out->length > OUTPUT_BYTES_MOST) out = NULL; /* it would be cut anyway */
    size_t before = out ? out->length : 0;
    warp_peek_string(warp, lane, format, text, sizeof text);
    ArgumentReader reader = {.warp = warp, .lane = lane, .at = arguments};
    for (const char *c = text; *c;) {
        if (*c != '%') {
            size_t plain = strcspn(c, "%");
            if (out) text_add_bytes(out, c, plain);
            c += plain;
        } else if (c[1] == '%') {
            if (out) text_add(out, "%%");
            c += 2;
        } else {
            c++;
            convert(&c, &reader, out);
        }
    }
    effort_print(warp->worker, quiet ? strlen(text) / QUIET_CHARACTERS : strlen(text) + (out ? out->length - before : 0));
    return reader.count;
}
