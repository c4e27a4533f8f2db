/* replace.h: a file's contents replaced at once: whoever reads it, and whatever interrupts us, finds the old ones or the new ones. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* Writes all of them, however many calls that takes. False, and errno, when that fails. */
bool file_write(int fd, const char *bytes, size_t count);

/* Writes PATH.new, which a kill may leave behind and the next call replaces, whatever is there: no link to a file elsewhere is written through. Renames it to PATH once it is on the disk. Signals wait
 * meanwhile. A device is not replaced. Permissions of the user's own file stay. Callers that may run at the same time have a lock of their own. False with a message, and with the old
 * contents, when that fails. */
bool file_replace(const char *path, const void *bytes, size_t count, Diag *diag);

/* The same in an open folder. False, and errno, when that fails. */
bool file_replace_at(int folder, const char *name, const void *bytes, size_t count);

/* Writes a copy that nothing is replaced by, a link neither, with the permissions of the file that it is a copy of. False, and errno, when that fails: EEXIST where something has its name. */
bool file_keep(const char *copy, const char *of, const void *bytes, size_t count);
