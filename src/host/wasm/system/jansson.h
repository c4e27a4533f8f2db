/* jansson.h: as much of that library as reports use of it: values are made, and written as text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct JsonValue json_t;
typedef long long json_int_t;

json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *text);
json_t *json_stringn(const char *text, size_t bytes);
json_t *json_integer(json_int_t number);
json_t *json_real(double number);
json_t *json_boolean(bool is_true);
json_t *json_null(void);
#define json_true() json_boolean(true)
#define json_false() json_boolean(false)

/* They take the value. */
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_array_append_new(json_t *array, json_t *value);

/* Of an object: the value of a key; of a string: its text. NULL where there is none. */
json_t *json_object_get(const json_t *object, const char *key);
const char *json_string_value(const json_t *value);

void json_decref(json_t *value); /* with all that it holds: a value has one owner */

enum { JSON_COMPACT = 0x20 };
#define JSON_INDENT(blanks) ((size_t)(blanks)&0x1f)
#define JSON_REAL_PRECISION(digits) ((size_t)(digits) << 11)

char *json_dumps(const json_t *value, size_t flags); /* the caller frees it */
