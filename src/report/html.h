/* html.h: pages beside the book, in its look; nothing is fetched from anywhere. */
#pragma once

#include "base/text.h"

/* Adds text that others wrote, as HTML and XML take it, also between quotes. */
void html_add(Text *out, const char *text);

/* The same between two pieces of HTML. */
void html_put(Text *out, const char *before, const char *text, const char *after);

/* Adds a text in a block of its own, as it is laid out. */
void html_add_pre(Text *out, const char *text);

/* Adds the book's style sheet, which the current folder's tree has, and what these pages need besides. */
void html_style(Text *out);

/* How each page begins and ends. home: what the link to home_link says, or where that is NULL, whose page it is; head: HTML for the page's head, such as its style. */
void html_begin(const char *title, const char *home, const char *home_link, const char *head, Text *out);
void html_end(Text *out);
