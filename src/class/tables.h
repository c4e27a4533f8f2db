/* tables.h: files for people, spreadsheets and programs. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"

/* Replaces OUT/NAME at once, unless it holds the same already. False with a message. */
bool table_put(const char *out, const char *name, const Text *text, Diag *diag);
