/* folder.h: temporary folders for what compilers write. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"

/* Where temporary files go: $TMPDIR, or /tmp where that is relative or not plain (door.h). */
const char *folder_base(void);

/* Makes a new folder there, and appends its path to the empty *path, which the caller frees. Until it is
 * removed, signals that ask this program to end wait (process_hold_signals). */
bool folder_make(Text *path, Diag *diag);

/* Removes such a folder with whatever is in it: compilers leave files of their own behind when they are killed. */
void folder_remove(const char *path);
