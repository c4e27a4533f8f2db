/* fatbin.h: the PTX text inside what a compiler embeds in a host program: nvcc's fat binary, or PTX text itself. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* __cudaRegisterFatBinary receives a pointer to this. */
typedef struct FatbinWrapper {
    unsigned magic; /* FATBIN_WRAPPER_MAGIC */
    unsigned version;
    const void *data;
    void *file;
} FatbinWrapper;

enum { FATBIN_WRAPPER_MAGIC = 0x466243b1 };

/* Bytes of the fat binary, or of the text with its NUL, that begins at data, of which so many are there. */
size_t fatbin_bytes(const void *data, size_t left);

/* Whether all of it is there. */
bool fatbin_inside(const void *data, size_t bytes);

/* Finds the PTX text in data, without copying it: that for the newest architecture up to `newest` (75: compute capability 7.5), or for
 * the oldest when all are newer. Bare text, without a fat binary around it, ends with a NUL. False with a message when there is no text
 * that can be read. */
bool fatbin_ptx(const void *data, unsigned newest, const char **text, size_t *length, Diag *diag);
