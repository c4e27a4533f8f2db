/* pages.h: a class as pages, in the book's look; nothing is fetched from anywhere. */
#pragma once

#include "class/gradebook.h"
#include "class/tally.h"

void page_of_submission(const Goals *goals, const json_t *result, Text *out);

/* Sorts the tally's groups. */
void page_of_class(const Class *class, const Gradebook *book, ClassTally *tally, Text *out);

/* Writes OUT/style.css: the book's, and what these pages need besides. */
bool page_put_style(const Out *out, Diag *diag);

/* How each page begins; html_end ends it. title: of the page; home: what the link to ROOT/index.html says. */
void page_begin(const char *title, const char *home, const char *root, Text *out);
