/* lines.h: what is said of each line that loads or stores: in a few words, and in full with the map of its lanes. */
#pragma once

#include <jansson.h>

/* reports: [{"title", "report": a launch's JSON, pictured}]. Appends to `lines` (remarks.h) one object a line of the file that the reports call
 * `path`; a line that is in several reports, or does several things, speaks of the worst of each kind. */
void lines_add(const json_t *reports, const char *path, json_t *lines);
