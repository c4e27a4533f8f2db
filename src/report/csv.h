/* csv.h: cells of CSV that no spreadsheet takes for anything but text, whatever its country separates fields by.
 *
 * A file of commas is read with semicolons in half of Europe, and a reader who splits there knows none of our quotes: what then begins a field
 * must not begin a formula either. So a field begins anew behind ; | and a tab in the middle of a cell as well, and where a formula could
 * begin a ' goes before it, which says that it is text. */
#pragma once

#include "base/text.h"

/* Adds a cell, behind a comma unless it is the first of its line: control characters shown; in quotes where it holds what separates or quotes
 * anywhere, or a blank at an end. A field could be a formula that begins with = + - @ or a form of these of another width, behind any
 * blanks, quotes, opening brackets and what is invisible. All other text is read back as it was. */
void csv_cell(Text *out, const char *value);
