/* explore.h: one launch for a page: PTX and the words of `warpscope launch` in, one JSON object out. Nothing is read, nothing printed, and
 * what it may cost is bounded, so that a page may be given any PTX. */
#pragma once

#include "base/text.h"

#include <stdbool.h>

typedef struct ExploreRequest {
    const char *ptx; /* NUL-terminated behind ptx_bytes */
    size_t ptx_bytes;
    const char *path; /* the source's, for its name; of PTX that nobody compiled it ends in .ptx */
    int n_words;
    char **words; /* as after `warpscope launch FILE` */
} ExploreRequest;

/* Appends one JSON object: {"launch":…, "output":"printf's text"}, where "launch" is what `warpscope launch --json` prints; or
 * {"error":{"message":…,"hint":…}}, with "file", "line", "column" and "source" where it is about a line of the PTX. False where it is an
 * error. */
bool explore_launch(const ExploreRequest *request, Text *out);
