/* tables.h: files for spreadsheets and programs. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"

/* Replaces OUT/NAME at once, unless it holds the same already. False with a message. */
bool table_put(const char *out, const char *name, const Text *text, Diag *diag);

/* Adds a cell of CSV, behind a comma unless it is the first of its line: in quotes where needed, control characters shown. A spreadsheet takes what
 * begins with = + - @ for a formula: a ' before it says that it is text. */
void table_cell(Text *out, const char *value);
