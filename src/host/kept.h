/* kept.h: whether what lies at a path can have been laid there by somebody else, so that it is not to be believed. */
#pragma once

#include <stdbool.h>

/* Whether the file or folder is the system's, or the user's, or that of whoever `program` is (a path; NULL: of nobody else), and not everybody's to
 * write. */
bool path_is_kept(const char *path, const char *program);
