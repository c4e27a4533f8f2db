#include "input/words.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "ptx/program.h"

/* Nine digits tell a float from its neighbours, seventeen a double. */
static void add_element(uint8_t type, const uint8_t *bytes, Text *out) {
    uint64_t bits = 0;
    float narrow;
    double wide;
    memcpy(&bits, bytes, type_bytes[type]);
    memcpy(&narrow, &bits, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    unsigned unused = 64 - 8 * type_bytes[type];
    if (type == TYPE_f32)
        text_add(out, "%.9g", (double)narrow);
    else if (type == TYPE_f64)
        text_add(out, "%.17g", wide);
    else if (type_kinds[type] == KIND_SIGNED)
        text_add(out, "%" PRId64, (int64_t)(bits << unused) >> unused);
    else
        text_add(out, "%" PRIu64, bits);
}

static bool all_zero(const uint8_t *data, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++)
        if (data[i]) return false;
    return true;
}

void words_add_elements(uint8_t type, uint64_t count, const uint8_t *data, Text *out) {
    if (all_zero(data, count * type_bytes[type])) {
        text_add(out, ":zero");
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        text_add(out, i ? "," : ":list:");
        add_element(type, data + i * type_bytes[type], out);
    }
}

void words_add_buffer(uint8_t type, uint64_t count, const uint8_t *data, Text *out) {
    char letter = type == TYPE_f32 || type == TYPE_f64 ? 'f' : type_kinds[type] == KIND_SIGNED ? 'i' : 'u';
    text_add(out, " --arg buf:%c%u:%" PRIu64, letter, 8 * type_bytes[type], count);
    if (data) words_add_elements(type, count, data, out);
}

void words_add_value(const uint8_t *data, uint64_t bytes, Text *out) {
    uint64_t value = 0;
    if (bytes == 4 || bytes == 8) {
        memcpy(&value, data, bytes);
        text_add(out, " --arg u%u:%" PRIu64, 8 * (unsigned)bytes, value);
        return;
    }
    text_add(out, " --arg bytes:");
    for (uint64_t i = 0; i < bytes; i++) text_add(out, "%02x", data[i]);
}
