/* folder.h: temporary folders for what compilers write. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"

/* Makes a new folder in $TMPDIR, or in /tmp where that is relative or not plain (door.h), and appends its path to the empty *path, which the caller frees. Until it is
 * removed, signals that ask this program to end wait (process_hold_signals). */
bool folder_make(Text *path, Diag *diag);

/* Removes such a folder with whatever is in it: compilers leave files of their own behind when they are killed. */
void folder_remove(const char *path);
