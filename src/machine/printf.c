#include "machine/printf.h"

#include <stdio.h>
#include <string.h>

#include "machine/bounds.h"
#include "machine/effort.h"

enum { FORMAT_LIMIT = 4096, STRING_LIMIT = 1 << 16, FIELD_LIMIT = 4096, ARGUMENTS_MOST = 32 };
enum { QUIET_CHARACTERS = 16 }; /* that are skipped while one is written */

/* CUDA C++ Programming Guide, "Formatted Output": %[flags][width][.precision][size]type, where only the width may be `*` and sizes are h, l and ll.
 * tests/programs/device_formats.cu holds it to what an H200 prints. */
typedef struct Spec {
    char flags[8];
    int width, precision; /* -1: none */
    unsigned bytes;       /* of an integer */
    char conversion;
} Spec;

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

/* Digits; no more than a field is wide. */
static int number(const char **format) {
    int value = 0;
    for (; **format >= '0' && **format <= '9'; ++*format)
        if (value <= FIELD_LIMIT) value = value * 10 + (**format - '0');
    return value > FIELD_LIMIT ? FIELD_LIMIT : value;
}

/* What stands behind a '%' at *format, which it passes; false where devices know no such conversion. */
static bool spec_read(const char **format, Spec *spec, bool *width_is_argument) {
    const char *at = *format;
    size_t n_flags = 0;
    *spec = (Spec){.width = -1, .precision = -1, .bytes = 4};
    for (; *at && strchr("-+ #0", *at); at++)
        if (!strchr(spec->flags, *at)) spec->flags[n_flags++] = *at;
    *width_is_argument = *at == '*';
    if (*width_is_argument)
        at++;
    else if (*at >= '1' && *at <= '9')
        spec->width = number(&at);
    if (*at == '.') {
        at++;
        spec->precision = number(&at);
    }
    const bool is_short = *at == 'h';
    const size_t longs = is_short ? 0 : strspn(at, "l");
    at += is_short ? 1 : longs;
    spec->bytes = is_short ? 2 : longs ? 8 : 4;
    spec->conversion = *at;
    *format = at + 1;
    return longs <= 2 && *at && strchr("diouxXcspfFeEgGaA", *at);
}

static void width_take(ArgumentReader *reader, Spec *spec) {
    const int width = (int)next_argument(reader, 4);
    if (width < 0 && !strchr(spec->flags, '-')) strcat(spec->flags, "-");
    spec->width = width > FIELD_LIMIT || width < -FIELD_LIMIT ? FIELD_LIMIT : width < 0 ? -width : width;
}

/* As the host's printf has it, with another size and conversion. */
static const char *host_format(const Spec *spec, const char *conversion, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "%%%s", spec->flags);
    if (spec->width >= 0) used += (size_t)snprintf(text + used, size - used, "%d", spec->width);
    if (spec->precision >= 0) used += (size_t)snprintf(text + used, size - used, ".%d", spec->precision);
    snprintf(text + used, size - used, "%s", conversion);
    return text;
}

static void add_pointer(uint64_t value, const Spec *spec, Text *out) {
    const bool left = strchr(spec->flags, '-'), zeros = strchr(spec->flags, '0') && !left && spec->precision < 0;
    const char *sign = strchr(spec->flags, '+') ? "+" : strchr(spec->flags, ' ') ? " " : "";
    const int width = spec->width < 0 ? 0 : spec->width, before = (int)strlen(sign) + 2;
    LOCAL_TEXT text = {0};
    if (value)
        text_add(&text, "%s0x%.*llx", sign, zeros && width > before ? width - before : spec->precision,
                 (unsigned long long)value);
    text_add(out, "%*s", left ? -width : width, value ? text_string(&text) : "(nil)");
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void add_string(const ArgumentReader *reader, uint64_t at, const Spec *spec, Text *out) {
    LOCAL_TEXT text = {0};
    char c, format[64];
    const size_t most = spec->precision < 0 ? STRING_LIMIT : (size_t)spec->precision;
    while (at && text.length < most && warp_peek(reader->warp, reader->lane, at + text.length, &c, 1) && c)
        text_add_bytes(&text, &c, 1);
    if (!at && most >= strlen("(null)")) text_add(&text, "(null)");
    text_add(out, host_format(spec, "s", format, sizeof format), text_string(&text));
}

static int64_t as_signed(uint64_t value, unsigned bytes) {
    return bytes == 2 ? (int16_t)value : bytes == 4 ? (int32_t)value : (int64_t)value;
}

static void add_argument(ArgumentReader *reader, const Spec *spec, Text *out) {
    const char conversion[] = {spec->conversion, 0}, wide[] = {'l', 'l', spec->conversion, 0};
    char format[64];
    if (strchr("fFeEgGaA", spec->conversion)) {
        const uint64_t bits = next_argument(reader, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        text_add(out, host_format(spec, conversion, format, sizeof format), value);
    } else if (spec->conversion == 'c') {
        text_add(out, host_format(spec, conversion, format, sizeof format), (int)next_argument(reader, 4));
    } else if (spec->conversion == 's') {
        add_string(reader, next_argument(reader, 8), spec, out);
    } else if (spec->conversion == 'p') {
        add_pointer(next_argument(reader, 8), spec, out);
    } else {
        const uint64_t value = next_argument(reader, spec->bytes == 8 ? 8 : 4);
        const bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
        text_add(out, host_format(spec, wide, format, sizeof format),
                 is_signed ? (unsigned long long)as_signed(value, spec->bytes) : value & UINT64_MAX >> (64 - 8 * spec->bytes));
    }
}
#pragma GCC diagnostic pop

/* One conversion; *format stands behind its '%'. What devices do not know stands as it is, and takes no argument; nor does what is behind the most
 * arguments. A NULL out: only the arguments are counted. */
static void convert(const char **format, ArgumentReader *reader, Text *out) {
    const char *at = *format;
    Spec spec;
    bool width_is_argument;
    const bool known = spec_read(&at, &spec, &width_is_argument);
    if (!known || reader->count + width_is_argument >= ARGUMENTS_MOST) {
        if (out) text_add_bytes(out, "%", 1);
        return;
    }
    *format = at;
    if (!out) {
        reader->count += 1 + width_is_argument;
        return;
    }
    if (width_is_argument) width_take(reader, &spec);
    add_argument(reader, &spec, out);
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
