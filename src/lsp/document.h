/* document.h: a file that is open in the editor: its text as it is there, what the last grading found, and where those lines are now. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "lsp/job.h"
#include "lsp/linemap.h"

enum { DOCUMENT_BYTES = 2 << 20 }; /* of a text that is followed */

typedef struct Document {
    struct Document *next;
    char *uri, *path; /* path NULL: a URI that is no file's */
    Text text;
    json_int_t version; /* -1: the client does not say */
    json_t *remarks;    /* remarks.h; NULL: none */
    LineMap shown;      /* from the lines of the remarks */
    LineMap graded;     /* from the lines of the text that is being graded */
    bool wants_work;    /* was opened or saved, and no job has begun on that */
    bool
        is_large; /* than DOCUMENT_BYTES: its text is not kept, nor anything found in it, until a whole text comes that is not */
    bool is_closed; /* kept for its job's end alone */
    Job job;
} Document;

/* uri is copied. */
Document *document_new(const char *uri);
void document_free(Document *document);

/* One of the contentChanges of a didChange: a range and its new text, or a whole text. Anything else is ignored. */
void document_change(Document *document, const json_t *change);
void document_set_text(Document *document, const json_t *text);

/* A job begins on the text as it is, or brought these remarks. */
void document_begin(Document *document);
void document_finish(Document *document, json_t *remarks);

/* From {"line", "character"}; false where it is none. */
bool document_read_position(const json_t *object, Position *position);

/* Where the text of the line begins and ends, in UTF-16. */
void document_line_ends(const Document *document, size_t line, size_t *begin, size_t *end);
