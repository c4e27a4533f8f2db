#include "base/visible.h"

#include <string.h>

uint32_t visible_decode(const char **at, const char *end) {
    const unsigned char *byte = (const unsigned char *)*at;
    size_t left = (size_t)(end - *at);
    *at += 1;
    if (byte[0] < 0x80) return byte[0];
    uint32_t more = byte[0] >= 0xf0 ? 3 : byte[0] >= 0xe0 ? 2 : 1;
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (byte[0] < 0xc2 || byte[0] > 0xf4 || left <= more) return UNICODE_BAD;
    uint32_t code = byte[0] & (0x3fu >> more);
    for (uint32_t i = 1; i <= more; i++) {
        if ((byte[i] & 0xc0) != 0x80) return UNICODE_BAD;
        code = code << 6 | (byte[i] & 0x3fu);
    }
    if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return UNICODE_BAD;
    *at += more;
    return code;
}

bool visible_is_unsafe(uint32_t code) {
    return code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0xad || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || (code >= 0xd800 && code <= 0xdfff) ||
           (code >= 0xfdd0 && code <= 0xfdef) || code == 0xfeff || (code & 0xfffe) == 0xfffe;
}

static void add(Text *out, const char *bytes, size_t count, const char *allowed) {
    for (const char *at = bytes, *end = bytes + count; at < end;) {
        const char *start = at;
        uint32_t code = visible_decode(&at, end);
        bool shown = (code && code < ' ' && strchr(allowed, (int)code)) || (code != UNICODE_BAD && !visible_is_unsafe(code));
        if (shown) text_add_bytes(out, start, (size_t)(at - start));
        for (; !shown && start < at; start++) text_add(out, "\\x%02x", (unsigned char)*start);
    }
}

void visible_add(Text *out, const char *bytes, size_t count) { add(out, bytes, count, "\n\t"); }

void visible_add_line(Text *out, const char *line) { add(out, line, strlen(line), ""); }
