/* unable.h: a grader that could not work, and what its JSON shares with that of a result: no lab's program is needed for it. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "lab/goals.h"

/* A grader that could not work, which says nothing about the file: {"lab", "slug", "title", "file", "error": {"message"}}, or two lines. */
void result_unable(const Goals *goals, const char *file, bool json, const char *why, Text *out);

/* {"lab", "slug", "title", "file"}: how each result begins. */
json_t *result_head(const Goals *goals, const char *file);

/* Sets the key, unless the value is NULL or "". */
void result_text(json_t *object, const char *key, const char *value);

/* Appends the object as text, and frees it. */
void result_write(json_t *object, Text *out);
