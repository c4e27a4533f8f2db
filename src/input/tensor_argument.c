#include "input/tensor_argument.h"

#include <string.h>

#include "input/numbers.h"
#include "machine/access.h"

#define TENSOR_FORM "a tensor map is tmap:TYPE:WIDTHxHEIGHT, such as tmap:f32:64x32:box=32x8:swizzle=128:iota"

static const struct {
    const char *name;
    uint8_t element; /* TensorElement */
} elements[] = {{"u8", ELEMENT_U8},   {"u16", ELEMENT_U16}, {"u32", ELEMENT_U32}, {"i32", ELEMENT_S32}, {"u64", ELEMENT_U64},
                {"i64", ELEMENT_S64}, {"f16", ELEMENT_F16}, {"f32", ELEMENT_F32}, {"f64", ELEMENT_F64}, {"bf16", ELEMENT_BF16}};

static bool is_word(const char *text, size_t length, const char *word) {
    return length == strlen(word) && strncmp(text, word, length) == 0;
}

static bool read_element(const char *text, size_t length, TensorArgument *tensor, Diag *diag) {
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        if (!is_word(text, length, elements[i].name)) continue;
        const bool half = elements[i].element == ELEMENT_F16 || elements[i].element == ELEMENT_BF16;
        tensor->map.element = elements[i].element;
        tensor->type = half ? (uint8_t)TYPE_u16 : number_type(text, length);
        return true;
    }
    diag_say(diag, "'%.*s' is no type of a tensor's elements", (int)(length < 60 ? length : 60), text);
    return diag_hint(diag, "the types are u8 u16 u32 i32 u64 i64 f16 bf16 f32 f64");
}

/* WxH…: numbers for each dimension, up to `most`; how many there are. 0 and a message: they are none, or too many. */
static uint32_t read_extents(const char *text, size_t length, uint64_t most, uint64_t extents[TENSOR_DIMENSIONS], Diag *diag) {
    const char *end = text + length;
    uint32_t rank = 0;
    for (const char *at = text; at <= end; rank++) {
        size_t digits = 0;
        while (at + digits < end && at[digits] != 'x') digits++;
        if (rank == TENSOR_DIMENSIONS || !number_unsigned(at, digits, most, &extents[rank])) {
            diag_say(diag, "'%.*s' is not 1 to %d whole numbers with x between", (int)(length < 60 ? length : 60), text,
                     TENSOR_DIMENSIONS);
            return 0;
        }
        at += digits + 1;
    }
    return rank;
}

static bool read_each(const char *text, size_t length, uint32_t rank, uint32_t each[TENSOR_DIMENSIONS], Diag *diag) {
    uint64_t extents[TENSOR_DIMENSIONS];
    const uint32_t count = read_extents(text, length, UINT32_MAX, extents, diag);
    if (count && count != rank)
        diag_say(diag, "'%.*s' has %u number%s, and the tensor %u dimension%s", (int)length, text, count, plural_s(count), rank,
                 plural_s(rank));
    for (uint32_t d = 0; count == rank && d < rank; d++) each[d] = (uint32_t)extents[d];
    return count == rank;
}

/* One of the words, which `all` has with blanks between; *number: which. */
static bool read_word(const char *value, size_t length, const char *all, uint32_t *number, Diag *diag) {
    *number = 0;
    for (const char *at = all; *at; *number += 1) {
        const size_t word = strcspn(at, " ");
        if (length == word && strncmp(value, at, word) == 0) return true;
        at += word + (at[word] == ' ');
    }
    return diag_say(diag, "'%.*s' is none of these: %s", (int)(length < 60 ? length : 60), value, all);
}

/* NAME=VALUE. */
static bool read_option(const char *text, size_t length, TensorArgument *tensor, Diag *diag) {
    const size_t name = strcspn(text, "=");
    const char *value = text + name + 1;
    TensorMap *map = &tensor->map;
    length -= name + 1;
    if (is_word(text, name, "box")) return read_each(value, length, map->rank, map->box, diag);
    if (is_word(text, name, "step")) return read_each(value, length, map->rank, map->step, diag);
    if (is_word(text, name, "swizzle")) return read_word(value, length, "none 32 64 128", &map->swizzle, diag);
    if (is_word(text, name, "outside")) return read_word(value, length, "zero nan", &map->fill, diag);
    if (is_word(text, name, "of")) {
        tensor->of_other = true;
        return number_unsigned(value, length, UINT32_MAX, &tensor->of) ||
               diag_say(diag, "of= is an argument's number, from 0 on, not '%.*s'", (int)(length < 60 ? length : 60), value);
    }
    diag_say(diag, "'%.*s=' is unknown", (int)(name < 60 ? name : 60), text);
    return diag_hint(diag, "box=, step=, swizzle=none|32|64|128, outside=zero|nan and of=ARGUMENT may stand there");
}

/* Elements side by side. False: too many. */
static bool read_sizes(const char *text, size_t length, TensorArgument *tensor, Diag *diag) {
    TensorMap *map = &tensor->map;
    map->rank = read_extents(text, length, UINT64_MAX, map->size, diag);
    map->stride[0] = type_bytes[tensormap_type(map->element)];
    tensor->count = 1;
    for (uint32_t d = 0; d < map->rank; d++) {
        if (__builtin_mul_overflow(tensor->count, map->size[d], &tensor->count) || tensor->count > UINT64_MAX / 16)
            return diag_say(diag, "the tensor is too large"), diag_hint(diag, "its elements fill a buffer of the GPU's memory");
        if (d) map->stride[d] = map->stride[d - 1] * map->size[d - 1];
        map->box[d] = map->size[d] < UINT32_MAX ? (uint32_t)map->size[d] : UINT32_MAX;
        map->step[d] = 1;
    }
    return map->rank != 0;
}

/* Whether with a small box the map would do. */
static bool box_is_why(TensorMap map) {
    for (uint32_t d = 0; d < map.rank; d++) map.box[d] = d ? 1 : 16 / type_bytes[tensormap_type(map.element)];
    return tensormap_check(&map, &(Diag){0});
}

bool tensor_argument_read(const char *text, TensorArgument *tensor, const char **fill, Diag *diag) {
    *tensor = (TensorArgument){0};
    *fill = NULL;
    bool boxed = false;
    size_t length = strcspn(text, ":");
    if (!read_element(text, length, tensor, diag)) return false;
    if (!text[length]) return diag_say(diag, "the tensor's sizes are missing"), diag_hint(diag, TENSOR_FORM);
    text += length + 1;
    length = strcspn(text, ":");
    if (!read_sizes(text, length, tensor, diag)) return diag->hint[0] ? false : diag_hint(diag, TENSOR_FORM);
    while (text[length] && !*fill) {
        text += length + 1;
        length = strcspn(text, ":");
        const size_t name = strcspn(text, "=");
        if (name >= length || *text == '@')
            *fill = text;
        else if (!read_option(text, length, tensor, diag))
            return false;
        boxed |= is_word(text, name, "box");
    }
    if (tensor->of_other && *fill)
        return diag_say(diag, "'%.60s' fills a buffer, and the tensor is argument %llu's", *fill,
                        (unsigned long long)tensor->of);
    if (tensormap_check(&tensor->map, diag)) return true;
    if (!boxed && box_is_why(tensor->map))
        diag_hint(diag, "box=WxH says what is copied at once; without it that is all of the tensor");
    return false;
}
