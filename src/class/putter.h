/* putter.h: files that others put into a folder: whether they may read them themselves, or only we may. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/text.h"

/* Appends the bytes of the regular file at path beneath the folder (an open descriptor), following no links, not even hard ones to what others may not
 * read, and at most one byte more than limit. False with a message; *refused (unless NULL): what stands there is no file to take, whose fault is
 * whose name it is, and not that of the system. */
bool take_bytes(int folder, const char *path, size_t limit, Text *bytes, bool *refused, Diag *diag);
