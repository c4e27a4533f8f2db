/* markdown.h: the hints of a lab, Markdown as plain text: what terminals show of exercises/NN-slug/hints.md; sentences of chapters. */
#pragma once

#include "base/text.h"

/* How many sections begin with a heading "## NUMBER". */
unsigned markdown_sections(const char *text);

/* Appends the section of this number, without its heading: paragraphs and items of lists wrapped to a page's columns, code and tables as
 * they are. */
void markdown_section(const char *text, unsigned number, Text *out);

/* Appends, as plain text, the longest of the words that stand in emphasis, *so*, below this heading ("## In short"), before the next one. Nothing where there are none. */
void markdown_emphasis(const char *text, const char *heading, Text *out);
