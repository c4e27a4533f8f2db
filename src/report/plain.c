#include "report/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/visible.h"

Plain plain_number(uint64_t value) {
    Plain plain, digits;
    if (value >= UINT64_C(10000000000)) {
        snprintf(plain.text, sizeof plain.text, "%.3e", (double)value);
        return plain;
    }
    int length = snprintf(digits.text, sizeof digits.text, "%" PRIu64, value), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && length > 4 && (length - i) % 3 == 0) plain.text[at++] = ',';
        plain.text[at++] = digits.text[i];
    }
    plain.text[at] = 0;
    return plain;
}

Plain plain_value(double value) {
    Plain plain;
    if (value >= 0 && value < 1e9 && value == (double)(uint64_t)value) return plain_number((uint64_t)value);
    snprintf(plain.text, sizeof plain.text, "%.6g", value);
    return plain;
}

Plain plain_ratio(uint64_t sum, uint64_t count) {
    Plain plain = {"-"};
    if (!count) return plain;
    double ratio = (double)sum / (double)count;
    snprintf(plain.text, sizeof plain.text, ratio < 1e9 ? "%.2f" : "%.3e", ratio);
    return plain;
}

Plain plain_percent(uint64_t part, uint64_t whole) {
    Plain plain = {"-"};
    if (whole) snprintf(plain.text, sizeof plain.text, "%.1f%%", 100.0 * (double)part / (double)whole);
    return plain;
}

Plain plain_bytes(uint64_t bytes) {
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    unsigned unit = 0;
    Plain plain;
    while (value >= 999.5 && unit < 6) {
        value /= 1000;
        unit++;
    }
    snprintf(plain.text, sizeof plain.text, unit ? "%.3g %s" : "%.0f %s", value, units[unit]);
    return plain;
}

Plain plain_time(double us) {
    Plain plain;
    snprintf(plain.text, sizeof plain.text, us < 1e4 ? "%.1f us" : "%.2f ms", us < 1e4 ? us : us * 1e-3);
    return plain;
}

void plain_count(Text *out, uint64_t count, const char *noun) {
    text_add(out, "%s %s%s", plain_number(count).text, noun, count == 1 ? "" : "s");
}

void plain_lanes(Text *out, uint32_t lanes, size_t columns) {
    size_t used = 0;
    for (uint32_t first = 0; first < 32; first++) {
        if (!(lanes >> first & 1)) continue;
        uint32_t last = first;
        char item[16];
        while (last < 31 && lanes >> (last + 1) & 1) last++;
        int length = snprintf(item, sizeof item, first == last ? "%s%u" : "%s%u-%u", used ? ", " : "", first, last);
        uint32_t remaining = last == 31 ? 0 : lanes >> (last + 1);
        if (used + (size_t)length + (remaining ? 4 : 0) > columns) {
            text_add(out, used ? ", .." : "..");
            return;
        }
        text_add(out, "%s", item);
        used += (size_t)length;
        first = last;
    }
}

/* Columns of a terminal that a code point takes: East Asian wide characters and pictures two, combining marks none. */
static size_t code_columns(uint32_t code) {
    if ((code >= 0x300 && code <= 0x36f) || (code >= 0x20d0 && code <= 0x20ff) || (code >= 0xfe00 && code <= 0xfe0f)) return 0;
    bool wide =
        (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) ||
        (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
        (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1f300 && code <= 0x1faff) || (code >= 0x20000 && code <= 0x3fffd);
    return wide ? 2 : 1;
}

/* One code point of a line: its bytes (as they are, or their stand-in) and width. */
static size_t line_item(const char **at, const char *end, Text *out) {
    const char *start = *at;
    uint32_t code = visible_decode(at, end);
    if (code == '\t')
        text_add(out, " ");
    else if (code == UNICODE_BAD || visible_is_unsafe(code))
        text_add(out, "?");
    else {
        text_add_bytes(out, start, (size_t)(*at - start));
        return code_columns(code);
    }
    return 1;
}

size_t plain_line(Text *out, const char *bytes, size_t count, size_t columns) {
    const char *at = bytes, *end = bytes + count;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r' || end[-1] == '\n')) end--;
    size_t used = 0, whole = 0;
    LOCAL_TEXT item = {0};
    for (const char *ahead = at; ahead < end;) whole += line_item(&ahead, end, &item);
    size_t room = whole <= columns ? columns : columns < 2 ? 0 : columns - 2;
    while (at < end) {
        LOCAL_TEXT next = {0};
        size_t width = line_item(&at, end, &next);
        bool fits = used + width <= room;
        if (fits) text_add_bytes(out, text_string(&next), next.length);
        if (!fits) break;
        used += width;
    }
    if (whole > columns && columns >= 2) {
        text_add(out, "..");
        used += 2;
    }
    return used;
}

size_t plain_window(Text *out, const char *bytes, size_t count, size_t focus, size_t columns) {
    const char *start = bytes, *end = bytes + count, *at;
    while (start < end && (*start == ' ' || *start == '\t')) start++;
    const char *wanted = focus < count && bytes + focus > start ? bytes + focus : start;
    size_t whole = 0, before = 0, skipped = 0;
    LOCAL_TEXT item = {0};
    for (at = start; at < end;) {
        if (at <= wanted) before = whole;
        whole += line_item(&at, end, &item);
    }
    size_t from = before < columns / 3 * 2 ? 0 : before - columns / 3;
    if (from && whole - from + 2 < columns) from = whole + 2 - columns;
    for (at = start; whole > columns && at < end && skipped < from;) skipped += line_item(&at, end, &item);
    if (skipped) text_add(out, "..");
    while (skipped && at < end && *at == ' ') at++, skipped++; /* which plain_line leaves out */
    plain_line(out, at, (size_t)(end - at), columns - (skipped ? 2 : 0));
    return before - skipped + (skipped ? 2 : 0);
}

void plain_utf8(Text *out, const char *bytes, size_t count) {
    const char *at = bytes, *end = bytes + count;
    while (at < end) {
        const char *start = at;
        if (visible_decode(&at, end) == UNICODE_BAD)
            text_add(out, "\xef\xbf\xbd");
        else
            text_add_bytes(out, start, (size_t)(at - start));
    }
}

size_t plain_break(const char *text, size_t columns) {
    const char *at = text, *end = text + strlen(text), *blank = NULL;
    for (size_t used = 0; at < end;) {
        if (*at == ' ') blank = at;
        const char *next = at;
        used += code_columns(visible_decode(&next, end));
        if (used > columns) break;
        at = next;
    }
    return (size_t)((at < end && blank > text ? blank : at) - text);
}

void plain_wrap(Text *out, size_t columns, const char *first, const char *text) {
    size_t indent = strlen(first);
    LOCAL_TEXT clean = {0};
    plain_line(&clean, text, strlen(text), SIZE_MAX);
    text_add(out, "%s", first);
    for (const char *at = text_string(&clean);;) {
        size_t length = plain_break(at, columns - indent);
        text_add_bytes(out, at, length);
        text_add(out, "\n");
        at += length + strspn(at + length, " ");
        if (!*at) break;
        text_add(out, "%*s", (int)indent, "");
    }
}
