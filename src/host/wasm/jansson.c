#include <jansson.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

typedef enum JsonKind { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_INTEGER, JSON_REAL, JSON_BOOLEAN, JSON_NULL } JsonKind;

struct JsonValue {
    JsonKind kind;
    json_t *next; /* in the object or array that holds it */
    char *key;
    json_t *first, **last;
    Text text;
    json_int_t integer;
    double real;
};

static json_t *value_new(JsonKind kind) {
    json_t *value = alloc_zeroed(1, sizeof *value);
    value->kind = kind;
    value->last = &value->first;
    return value;
}

json_t *json_object(void) { return value_new(JSON_OBJECT); }

json_t *json_array(void) { return value_new(JSON_ARRAY); }

json_t *json_stringn(const char *text, size_t bytes) {
    json_t *value = value_new(JSON_STRING);
    text_add_bytes(&value->text, text, bytes);
    return value;
}

json_t *json_string(const char *text) { return json_stringn(text, strlen(text)); }

json_t *json_integer(json_int_t number) {
    json_t *value = value_new(JSON_INTEGER);
    value->integer = number;
    return value;
}

json_t *json_real(double number) {
    json_t *value = value_new(JSON_REAL);
    value->real = number;
    return value;
}

json_t *json_boolean(bool is_true) {
    json_t *value = value_new(JSON_BOOLEAN);
    value->integer = is_true;
    return value;
}

json_t *json_null(void) { return value_new(JSON_NULL); }

int json_array_append_new(json_t *array, json_t *value) {
    *array->last = value;
    array->last = &value->next;
    return 0;
}

/* A key is set once. */
int json_object_set_new(json_t *object, const char *key, json_t *value) {
    value->key = alloc_copy(key);
    return json_array_append_new(object, value);
}

json_t *json_object_get(const json_t *object, const char *key) {
    json_t *held = object->first;
    while (held && strcmp(held->key, key) != 0) held = held->next;
    return held;
}

const char *json_string_value(const json_t *value) {
    return value && value->kind == JSON_STRING ? text_string(&value->text) : NULL;
}

void json_decref(json_t *value) {
    for (json_t *held = value->first, *next; held; held = next) {
        next = held->next;
        json_decref(held);
    }
    text_free(&value->text);
    free(value->key);
    free(value);
}

/* --- as text -------------------------------------------------------------------------------------------------------------- */

static void add_string(const char *text, size_t bytes, Text *out) {
    static const char letters[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    text_add_bytes(out, "\"", 1);
    for (size_t i = 0; i < bytes; i++) {
        const char *letter = text[i] ? strchr(letters, text[i]) : NULL;
        if (letter)
            text_add(out, "\\%c", names[letter - letters]);
        else if ((unsigned char)text[i] < ' ')
            text_add(out, "\\u%04X", (unsigned char)text[i]);
        else
            text_add_bytes(out, text + i, 1);
    }
    text_add_bytes(out, "\"", 1);
}

/* "1e-05" becomes "1e-5", "1e+06" becomes "1e6", and "3" becomes "3.0". */
static void add_real(double number, size_t digits, Text *out) {
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits ? (int)digits : 17, number);
    char *exponent = strchr(text, 'e');
    if (!exponent) {
        text_add(out, strchr(text, '.') ? "%s" : "%s.0", text);
        return;
    }
    int power = atoi(exponent + 1);
    *exponent = 0;
    text_add(out, "%se%d", text, power);
}

static void add_line(size_t flags, unsigned depth, Text *out) {
    size_t blanks = flags & 0x1f;
    if (blanks) text_add(out, "\n%*s", (int)(blanks * depth), "");
}

static void add_value(const json_t *value, size_t flags, unsigned depth, Text *out);

static void add_held(const json_t *holder, const char *brackets, size_t flags, unsigned depth, Text *out) {
    text_add_bytes(out, brackets, 1);
    for (const json_t *held = holder->first; held; held = held->next) {
        add_line(flags, depth + 1, out);
        if (held->key) {
            add_string(held->key, strlen(held->key), out);
            text_add(out, flags & JSON_COMPACT ? ":" : ": ");
        }
        add_value(held, flags, depth + 1, out);
        if (held->next) text_add(out, flags & (JSON_COMPACT | 0x1f) ? "," : ", ");
    }
    if (holder->first) add_line(flags, depth, out);
    text_add_bytes(out, brackets + 1, 1);
}

static void add_value(const json_t *value, size_t flags, unsigned depth, Text *out) {
    switch (value->kind) {
    case JSON_OBJECT: add_held(value, "{}", flags, depth, out); break;
    case JSON_ARRAY: add_held(value, "[]", flags, depth, out); break;
    case JSON_STRING: add_string(text_string(&value->text), value->text.length, out); break;
    case JSON_INTEGER: text_add(out, "%lld", value->integer); break;
    case JSON_REAL: add_real(value->real, flags >> 11 & 0x1f, out); break;
    case JSON_BOOLEAN: text_add(out, value->integer ? "true" : "false"); break;
    case JSON_NULL: text_add(out, "null"); break;
    }
}

char *json_dumps(const json_t *value, size_t flags) {
    Text text = {0};
    add_value(value, flags, 0, &text);
    return text.data;
}
