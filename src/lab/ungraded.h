/* ungraded.h: a grader that could not work, a file that is refused, and what their JSON shares with that of a result: no lab's program is needed
 * for it. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "lab/goals.h"

/* A grader that could not work, which says nothing about the file: {"lab", "slug", "title", "file", "error": {"message"}}, or two lines. */
void result_unable(const Goals *goals, const char *file, bool json, const char *why, Text *out);

/* A file with which nothing can be done: why, and that this comes first; or with a head, which it frees, JSON: the head's keys and
 * {"score": 0, "points", "full": false, "refused": why}. */
void result_refusal(const Goals *goals, json_t *head, const char *why, Text *out);

/* {"lab", "slug", "title", "file"}: how each result begins. */
json_t *result_head(const Goals *goals, const char *file);

/* Sets the key, unless the value is NULL or "". */
void result_text(json_t *object, const char *key, const char *value);

/* Appends the object as text, and frees it. */
void result_write(json_t *object, Text *out);
