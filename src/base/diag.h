/* diag.h: one message about bad input: what, where, and how to fix it. Library code fills a Diag and returns; programs print it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

typedef struct Diag {
    bool set;          /* false until the first error; later errors are ignored, so the first cause is the one shown */
    char file[256];    /* "" when the message is about no file */
    unsigned line;     /* 1-based; 0 when unknown */
    unsigned column;   /* 1-based; 0 when unknown */
    char message[512]; /* one sentence without the position */
    char hint[256];    /* how to fix it; "" when there is nothing to say */
    char source[160];  /* the offending line's text for the caret display; "" when unknown */
} Diag;

/* Fills diag unless it already holds an error. Returns false, so that callers can write `return diag_error(...)`. */
bool diag_error(Diag *diag, const char *file, unsigned line, unsigned column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The same for a message about no file. */
bool diag_say(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a hint to the error that was just set; ignored when a hint is there already. Returns false. */
bool diag_hint(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies line `diag->line` out of text (length bytes) into diag->source, for the caret display. */
void diag_quote(Diag *diag, const char *text, size_t length);

/* Appends "file:line:column: message", the quoted line, a caret and the hint, each on a line of its own. */
void diag_format(const Diag *diag, Text *out);
