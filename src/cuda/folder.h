/* folder.h: temporary folders for what compilers write. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"

/* Makes a new folder in $TMPDIR, or else /tmp, and appends its path to the empty *path, which the caller frees. */
bool folder_make(Text *path, Diag *diag);

/* Removes the folder with whatever is in it: compilers leave files of their own behind when they are killed. */
void folder_remove(const char *path);
