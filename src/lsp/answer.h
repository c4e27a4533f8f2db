/* answer.h: what is known of a document, as the protocol has it. Each returns a new value. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "lsp/document.h"

/* The command that opens a map: its arguments are a document, a line from 0 and which of that line's maps. */
#define ANSWER_MAP_COMMAND "warpscope.showMap"

/* InlayHint[] of the lines in the range (NULL: all); CodeLens[]. */
json_t *answer_hints(const Document *document, const json_t *range);
json_t *answer_lenses(const Document *document);

/* Hover of the line; null where there is nothing to say. */
json_t *answer_hover(const Document *document, size_t line, bool markdown);

/* CodeAction[] of the lines in the range. */
json_t *answer_actions(const Document *document, const json_t *range);

/* Diagnostic[], where their lines are now. */
json_t *answer_diagnostics(const Document *document);

/* The figure that a map command's arguments mean; NULL: there is none. */
const char *answer_svg(const Document *document, size_t line, size_t map);
