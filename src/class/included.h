/* included.h: the headers that an untrusted CUDA file of somebody's project has beside it: what goes with it into the sandbox, which has no other way to
 * the folder.
 *
 * They are the files that the text and its headers name in #include "…" or __has_include("…"), as far as they lie in the file's own folder or in one
 * within that, whose names end as headers do and do not begin with a dot. No link is followed. A name that leads out of the folder, that a macro
 * makes, or that stands in <…> is not brought, and so not found by the compiler. */
#pragma once

/* path: the file's own, with a '/' in it. to: the folder to copy to, under the same names; it is made. What cannot be read or written is left out. */
void included_copy(const char *path, const char *text, const char *to);
