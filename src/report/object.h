/* object.h: what the JSON objects of reports, records and labs are made of. */
#pragma once

#include <jansson.h>

#include "report/report.h"

void object_set(json_t *object, const char *key, json_t *value); /* takes the value */
json_t *object_real(double value); /* null for what JSON has no number for, which json_real makes no value of */
void object_number(json_t *object, const char *key, uint64_t value);
void object_text(json_t *object, const char *key, const char *value); /* in any encoding */
void object_three(json_t *object, const char *key, const uint32_t *values);

/* The text of a key; "" where there is none. Valid as long as the object. */
const char *object_string(const json_t *object, const char *key);

/* Appends the value as text; flags are jansson's. */
void object_write(const json_t *value, size_t flags, Text *out);

enum { OBJECT_DIGITS = 6 }; /* of reals */

/* Appends the object as text with a newline, and frees it. indent: blanks a level. */
void object_print(json_t *object, size_t indent, Text *out);

/* The object under a key, made where there is none; the object itself under "". */
json_t *object_inner(json_t *object, const char *key);

/* {"message", "hint", "file", "line", "column", "source"}, as far as they are known. */
json_t *object_error(const Diag *diag);

/* Sets kernel, grid and block. */
void object_launch(json_t *object, const char *kernel, const LaunchRequest *request);

/* Sets time_us, bound and calibrated of the model. */
void object_model(json_t *report, const Model *model);

/* Sets device, driver and clock_mhz. */
void object_device(json_t *object, const GpuInfo *info);

/* The times of a launch and of its yardsticks; to be freed by the caller. */
json_t *object_measured(const MeasuredReport *report);
