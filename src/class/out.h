/* out.h: the folder that --out names, and files for people, spreadsheets and programs below it. Others may write there as well: so below it no link is
 * followed, be it of a folder or of a file, and each folder is the user's own. OUT/state, where the secret and the grades are, is closed to all others. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"

typedef struct Out {
    int folder;       /* open; -1: it is not */
    const char *path; /* for messages; the caller's */
} Out;

/* Makes OUT, if need be, and opens it. within: it lies below that other OUT, which is there; NULL: it is the user's own word, and links to it are
 * followed that are his own or root's. False with a message; out_close in any case. */
bool out_open(Out *out, const char *path, const char *within, Diag *diag);
void out_close(Out *out);

/* The folder of this name below OUT, a descriptor, made if need be. -1 with a message. */
int out_folder(const Out *out, const char *name, Diag *diag);

/* The bytes of OUT/NAME, to be freed; NULL: there is no such file, or it is longer than limit, or not to be trusted. */
char *out_read(const Out *out, const char *name, size_t limit, size_t *length);

/* Replaces OUT/NAME at once, and makes its folder, unless it holds the same already. False with a message. */
bool out_put(const Out *out, const char *name, const void *bytes, size_t length, Diag *diag);
