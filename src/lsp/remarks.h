/* remarks.h: what a grading or a launch says of the lines of a file, from the JSON of both:
 *
 * {"lines": [{"line": from 0, "label": "32 sectors a request, 4 would do; 87% hit L1", "hover": Markdown,
 *             "maps": [{"title": "global load", "svg": …}]}],
 *  "diagnostics": [as the protocol has them],
 *  "said": one line about the whole,
 *  "goals": a lab's, those that have points: [{"name", "score", "points", "met", "advice"}]; absent elsewhere,
 *  "unsandboxed": why nothing was compiled, where there is no sandbox; else absent}
 *
 * Lines are those of the file as it was graded. */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "base/text.h"

typedef struct Remarks {
    const char *path; /* as the grader or warpscope was given it */
    const char *text; /* of the file */
    size_t length;
    json_t *reports; /* launches with their lines: [{"title", "report"}] */
    json_t *lines, *diagnostics;
    json_t *goals; /* NULL: none */
    Text said;
    Text unsandboxed;
} Remarks;

typedef enum Severity { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION } Severity;

void remarks_begin(Remarks *remarks, const char *path, const char *text, size_t length);

/* Of a lab's program: its --json --shown --pictures. */
void remarks_add_lab(Remarks *remarks, const json_t *result);

/* Of `warpscope launch --json --pictures`, which the comment in this line asked for. */
void remarks_add_launch(Remarks *remarks, size_t line, const json_t *report);

/* Errors and warnings among a compiler's messages; where they have no error and `line` is not negative, all of them there. */
void remarks_add_messages(Remarks *remarks, const char *messages, long line);

/* line, from 0; column: in bytes, from 1; 0: the whole line. code may be "". */
void remarks_add_diagnostic(Remarks *remarks, size_t line, size_t column, Severity severity, const char *code,
                            const char *message);

/* Appends all of it as JSON, and frees it. */
void remarks_end(Remarks *remarks, Text *out);
