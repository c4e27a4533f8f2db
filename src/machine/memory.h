/* memory.h: the device's global and constant memory: allocations at device addresses of our own, each with its bytes on the host.
 * Shared and local memory belong to blocks and warps: see warp.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/wordpool.h"

typedef struct Memory Memory;

/* Generic addresses of the windows through which shared, local, constant and parameter memory are seen; everything else is global. All of
 * the device's own addresses, from MEMORY_FIRST to the end of the last window, are where a 64-bit host has nothing: Linux maps from
 * 0x7efb... up when the stack's limit is usual, AddressSanitizer's heap ends a little above 0x6400..., ThreadSanitizer's begins at 0x7200.... */
#define MEMORY_FIRST UINT64_C(0x644000000000) /* the lowest address of memory_allocate */
#define WINDOW_BYTES UINT64_C(0x10000000000)
#define WINDOW_SHARED UINT64_C(0x6d0000000000)
#define WINDOW_LOCAL UINT64_C(0x6e0000000000)
#define WINDOW_CONST UINT64_C(0x6f0000000000)
#define WINDOW_PARAM UINT64_C(0x700000000000)
#define WINDOW_FUNCTION UINT64_C(0x710000000000) /* addresses of functions: this + 16 * (index + 1) */

typedef struct Allocation {
    uint64_t address; /* device address of the first byte, a multiple of 256 as cudaMalloc gives */
    uint64_t bytes;   /* as asked for; host has room for 64 more */
    uint8_t *host;
    char *name;    /* as messages show it: "input", "argument 2" */
    bool constant; /* a .const variable: in the constant window, not writable by kernels */
    /* For checkers, which the machine knows nothing of; NULL until they make it, freed with the allocation. */
    uint8_t *bytes_written; /* what of it was written, while it is not `initialized`: see written.h */
    uint8_t widest_written; /* bytes of the widest store that wrote something first; 0: none did */
    uint8_t *undefined; /* one byte for each, by memory_undefined: which of its bits are undefined although it was written */
    /* For them as well, of granules of `marks_granule` bytes: a word for each row of MARKS_ROW, first all rows' of writes, then of reads, then
     * likewise one for each page of MARKS_PAGE. NULL until memory_marks. */
    uint64_t *marks;
    uint32_t marks_granule;
    bool marks_written, marks_read; /* the launch has left some of the kind */
    bool only_read;                 /* no store of the launch leads here, so that reads leave no marks: see global_race.h */
    bool initialized;               /* the host or an initialiser has written all of it */
    bool in_chunks;                 /* parts of it are renewed: memory_renew */
    bool borrowed;                  /* host bytes belong to someone else: see memory_borrow */
    bool unified;                   /* the host uses the same address: it may change the bytes at any time */
    /* Set when an instruction of a launch first loads or stores here; who reads them clears them before the launch. */
    bool read, written;
    bool promised; /* likewise, by .nc: that nobody writes here */
    /* For the owner, to count changes and to tell kinds apart: the machine leaves them alone. */
    uint64_t version;
    uint32_t tag;
    uint64_t pitch;                 /* bytes from row to row, where it was asked for in rows; else 0 */
    const void *owner;              /* the context of the driver API that frees it at its end; NULL: none */
    const void *site, *site_around; /* the call that asked for it: runtime/callsite.h */
} Allocation;

/* Whether all of these bytes are in it. */
static inline bool allocation_holds(const Allocation *allocation, uint64_t address, uint64_t bytes) {
    uint64_t offset = address - allocation->address;
    return offset < allocation->bytes && bytes <= allocation->bytes - offset;
}

Memory *memory_new(void);
void memory_free(Memory *memory);

/* A new allocation with zeroed host bytes (never NULL). bytes may be 0. Host bytes are mapped lazily: untouched pages cost nothing. */
Allocation *memory_allocate(Memory *memory, uint64_t bytes, const char *name, bool constant);

/* Addresses for an allocation that is to come, and, as often as it ends, that allocation; none may be there. */
uint64_t memory_reserve(Memory *memory, uint64_t bytes);
Allocation *memory_allocate_at(Memory *memory, uint64_t address, uint64_t bytes, const char *name);

/* The same at one address for host and device, as managed and pinned memory have it; initialised. NULL where the host has no such room. */
Allocation *memory_allocate_unified(Memory *memory, uint64_t bytes, const char *name);

/* An allocation over host memory that the caller keeps and that outlives it: its device address is its host address. Must overlap no live
 * allocation and none of the windows. */
Allocation *memory_borrow(Memory *memory, void *host, uint64_t bytes, const char *name);

/* Ends an allocation. Its addresses are not used again, so that a later access is out of bounds. */
void memory_release(Memory *memory, Allocation *allocation);

/* The same, but its place, size and name stay known for a while, for messages about what has been freed. */
void memory_retire(Memory *memory, Allocation *allocation);

/* How many allocations have ended so far. */
uint64_t memory_ended(const Memory *memory);

/* Around a launch in which allocations may end: what of such a one it may know stays, as an allocation of no bytes. */
void memory_keep(Memory *memory);
void memory_keep_no_more(Memory *memory);

/* The retired allocation that this address was in, without host bytes; or NULL. */
const Allocation *memory_retired(const Memory *memory, uint64_t address);

/* The live allocation that this address is in, or NULL. */
Allocation *memory_find(const Memory *memory, uint64_t address);

/* The live allocation nearest to an address that is in none, for messages; NULL when there is none at all. */
Allocation *memory_nearest(const Memory *memory, uint64_t address);

/* All live allocations in order of address, for checkers. */
size_t memory_count(const Memory *memory);
Allocation *memory_at(const Memory *memory, size_t index);

/* Forgets what the checks know of bytes that malloc allocates anew, with all of the rows of marks that they are in; pages have none of such an
 * allocation, which is `in_chunks`. */
void memory_renew(Allocation *allocation, uint64_t offset, uint64_t bytes);

/* Gives the allocation zeroed marks, if it has none. Lazily mapped; several threads may ask at once. */
void memory_marks(Allocation *allocation, uint32_t granule);

/* What marks have no room for otherwise, and what several of them share; all of both is free before a launch. */
WordPool *memory_mark_words(Memory *memory);
WordPool *memory_mark_contexts(Memory *memory);

/* Before a launch: a number from 1 to most, above those of earlier launches, whose marks stay. All are removed where there is none, and those
 * that have another granule. */
uint32_t memory_generation(Memory *memory, uint32_t granule, uint32_t most);

/* The number that the last launch was given; 0: none was. */
uint32_t memory_last_generation(const Memory *memory);

enum { MARKS_ROW = 8, MARKS_PAGE = 256 };

/* How many there are. */
static inline uint64_t allocation_rows(const Allocation *allocation) {
    return allocation->bytes / allocation->marks_granule / MARKS_ROW + 1;
}

/* Rows are let go in so many bytes, from a multiple of them on: hostpages_leave. */
enum { LEAF_BYTES = 4096, LEAF_ROWS = LEAF_BYTES / 8, LEAF_PAGES = LEAF_ROWS * MARKS_ROW / MARKS_PAGE };

/* Words of a kind: for rows, for pages. */
static inline uint64_t allocation_row_room(const Allocation *allocation) {
    return (allocation_rows(allocation) + LEAF_ROWS - 1) / LEAF_ROWS * LEAF_ROWS;
}
static inline uint64_t allocation_page_room(const Allocation *allocation) {
    return allocation_row_room(allocation) / LEAF_ROWS * LEAF_PAGES;
}
static inline uint64_t *allocation_rows_of(const Allocation *allocation, bool reads) {
    return allocation->marks + (reads ? allocation_row_room(allocation) : 0);
}
static inline uint64_t *allocation_pages_of(const Allocation *allocation, bool reads) {
    return allocation->marks + 2 * allocation_row_room(allocation) + (reads ? allocation_page_room(allocation) : 0);
}

/* The allocation's undefined bits, which are made, all 0, when there are none. Threads of a launch may call it. */
uint8_t *memory_undefined(Allocation *allocation);

/* All that was written is defined. */
void memory_define(Allocation *allocation);
