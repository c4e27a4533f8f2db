/* ptxcache.h: PTX of earlier compilations, in $XDG_CACHE_HOME/warpscope or ~/.cache/warpscope, for the same bytes, options and compiler. What is
 * found there is what compiling would give, to the byte: an entry holds all that it depends on (standalone.h says which files have that in
 * themselves) and is compared with it. One thing excepted: nvcc's debug information names an inlined function without a name of its own by a
 * hash of its file's path, which is that of the first compilation.
 *
 * - Whose: the folder and each entry belong to this process's user, and nobody else may write there; else nothing is read or written.
 * - Damage: an entry that was cut off or changed does not match its checksum, and is passed over.
 * - Writers: an entry appears whole, by a rename. Any number of processes may read and write at once.
 * - Size: PTXCACHE_BYTES, of which PTXCACHE_HEADER_BYTES are our headers' (precompiled.h) and of all else each of 256 folders has a 256th: whoever adds an entry removes the oldest of its folder beyond that. Reading an entry makes
 *   it new.
 * - Hostile files: their compilers write no entry themselves, since they run in a sandbox (grade/sandbox). What came out of one is kept for the
 *   same bytes in a sandbox alone.
 * - Failures are no reason to fail: what cannot be read or kept is compiled.
 *
 * WARPSCOPE_CACHE=off does without, WARPSCOPE_CACHE=headers with our headers alone, as a sandbox does. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "cuda/compile.h"

#define PTXCACHE_BYTES ((uint64_t)256 << 20)
#define PTXCACHE_HEADER_BYTES ((uint64_t)64 << 20)

/* One compilation, as the cache knows it. */
typedef struct PtxcacheEntry {
    Text key;           /* all that the result depends on; empty: it is not cached */
    Text path;          /* the entry's file */
    Text name, headers; /* the CUDA file and the folder of our headers, as PTX names them */
    Text file;          /* where the CUDA file was read, */
    size_t file_bytes;  /* which end the key; */
    struct timespec changed;
    bool by_name; /* it depends on the names too */
} PtxcacheEntry;

typedef struct PtxcacheRequest {
    const CompileRequest *compile;
    CompilerChoice used;  /* the compiler, never COMPILER_AUTO, */
    const char *compiler; /* its path */
    unsigned arch;
    const char *name,
        *headers; /* in a sandbox: what the compiler there calls compile->path and compile->include_dir; else NULL */
} PtxcacheRequest;

/* Fills *entry, which the caller frees in any case with ptxcache_end. Reads the CUDA file. False: the cache is off, or does not take this
 * compilation. */
bool ptxcache_begin(PtxcacheEntry *entry, const PtxcacheRequest *request);
void ptxcache_end(PtxcacheEntry *entry);

/* The result that there is, as compile_cu gives it. False: none, with the result as it was. */
bool ptxcache_find(const PtxcacheEntry *entry, CompileResult *result);

/* Keeps what was compiled, unless the file has changed since ptxcache_begin. */
void ptxcache_keep(const PtxcacheEntry *entry, const CompileResult *result);

/* --- for what else is kept (precompiled.h) --- */

#define PTXCACHE_UNFINISHED "new-" /* so begins the name of a file that is being written */

/* Appends the path of a folder in the cache's, made if need be. False: the cache is off, or there is none that is this user's alone. */
bool ptxcache_folder(Text *path, const char *inner);

/* Opens a regular file of this user's, of at most limit bytes, to be read, and makes it the newest of its folder; -1: it is none. */
int ptxcache_open(const char *path, uint64_t limit, size_t *length);

/* Removes what is beyond limit bytes in the folder, the oldest first, and what a process left that ended while it wrote. */
void ptxcache_trim(const char *folder, uint64_t limit);

/* --- for `warpscope cache` --- */

typedef struct PtxcacheTotals {
    uint64_t entries, bytes;
    uint64_t hits, misses,
        passed; /* compilations since it was last cleared; passed: those of files that the cache does not take */
} PtxcacheTotals;

/* Writes the folder's path; false: there is none, or it is not this user's alone, with diag set. */
bool ptxcache_totals(Text *folder, PtxcacheTotals *totals, Diag *diag);

/* Removes every entry, and begins to count anew. */
bool ptxcache_clear(Diag *diag);
