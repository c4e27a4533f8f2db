/* ptxkey.h: what the PTX of a compilation depends on, as one text (ptxcache.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cuda/ptxcache.h"

/* In an entry's PTX, which itself has no such characters, for the name of the CUDA file and of the folder of our headers. */
#define PTXKEY_NAME '\1'
#define PTXKEY_HEADERS '\2'

/* Fills the entry's key and names. The key holds the file's bytes, the options, the compiler's and its parts' paths, sizes and times, for clang our
 * headers' checksum, and that of the code that calls compilers. False: the file cannot be read, or its PTX depends on more than that. */
bool ptxkey_make(const PtxcacheRequest *request, PtxcacheEntry *entry);

/* Adds what is installed of it, and the checksum of the code that calls compilers. headers: the folder of ours; timed: with the times of its files, by
 * which clang knows one that it has read. */
void ptxkey_add_installed(Text *key, CompilerChoice used, const char *compiler, const char *headers, bool timed);

/* Whether the file is still what the key says: an editor may save it while it is compiled. */
bool ptxkey_holds(const PtxcacheEntry *entry);

/* Copies PTX with a character where .file has one of the entry's names; false where the PTX may hold them otherwise too, or has the file's nowhere. */
bool ptxkey_leave_out(const Text *ptx, const PtxcacheEntry *entry, Text *copy);

/* The other way round. */
void ptxkey_fill_in(const char *ptx, size_t length, const PtxcacheEntry *entry, Text *copy);
