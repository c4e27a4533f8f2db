/* access.h: one warp-level memory instruction, as observers see it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/program.h"

enum { WARP_LANES = 32 };
#define LANES_ALL 0xffffffffu

/* How an atomic operation's lanes are served in shared memory: one by one; compare-and-swaps, of which each takes twice as long; lanes of one word at
 * once; compare-and-swaps of which one for each bank succeeds, while the others fail at once. */
typedef enum Service { SERVICE_EACH, SERVICE_SWAP, SERVICE_TOGETHER, SERVICE_TRY } Service;

typedef enum AccessKind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_REDUCTION } AccessKind; /* reduction: no result */

/* Where an undefined value comes from: memory or a register that nothing has written, or a shuffle that took what no lane gave. */
typedef enum OriginKind { ORIGIN_NONE, ORIGIN_MEMORY, ORIGIN_REGISTER, ORIGIN_SHUFFLE } OriginKind;
typedef struct Origin {
    uint32_t pc;       /* of the load, the first use of the register or the shuffle; NO_INSN: a register not used so far */
    uint8_t kind;      /* OriginKind */
    bool padding : 1;  /* ORIGIN_MEMORY: it may be a structure's padding, and has been moved only */
    bool extended : 1; /* to more bits, which are defined */
    bool shifted : 1;  /* by some bits, as a product may be: others are defined then */
    uint8_t lane, source, which; /* ORIGIN_SHUFFLE: which lane took the value of which, and why it has none */
} Origin;

enum { ACCESS_BYTES_MOST = 32 };

/* Of an access's values the bits that are undefined, lane i's at bits + i * bytes as Access.data has values. */
typedef struct Undefined {
    bool any; /* else the rest is not valid */
    Origin origin;
    uint8_t bits[WARP_LANES * ACCESS_BYTES_MOST];
} Undefined;

/* What atomic operations of 8 bytes are about to do to shared memory: on some of its words the assembler's loops depend. */
typedef struct Updates {
    const uint8_t *words;  /* a lane's word is at words + its address */
    uint8_t variant, type; /* AtomOp, Type */
    uint64_t with[WARP_LANES];
} Updates;

/* Addresses are final, aligned and in bounds; data has not moved yet.
 * Global and constant: the device address. Shared: byte offset in the block's shared memory. Local: the address as the hardware lays
 * local memory out, where word w of lane l stands at (w * 32 + l) * 4 of the warp's local memory, so that one variable read by all
 * lanes is contiguous; `local` then holds the byte offset in the lane's own local memory. */
typedef struct Access {
    uint64_t addr[WARP_LANES]; /* valid only where active is set. First, so that what is aligned for vectors has them aligned */
    uint32_t pc;               /* index of the instruction in the program */
    uint8_t space;             /* Space: GLOBAL, SHARED, LOCAL or CONST (never GENERIC: it has been resolved) */
    uint8_t kind;              /* AccessKind */
    uint8_t policy;            /* Policy */
    uint8_t order;             /* Order */
    uint8_t service;           /* Service, of atomics */
    bool
        uncounted; /* no access of a load, store or atomic: a bulk copy's, of which AsyncEvent tells, an mbarrier's, a texture's, a call's of devicecall.h */
    bool continued;   /* of another block's memory: lanes of the same instruction that access a third one's have been shown */
    uint8_t bytes;    /* per lane: 1, 2, 4, 8, 16 (or 32 for v4.b64); a vector access is one access */
    bool strided;     /* all 32 lanes are active, and lane i's address is addr[0] + i * stride. False claims nothing */
    bool eights;      /* the same within each eight lanes: lane i's is addr[i - i % 8] + i % 8 * stride */
    bool meets;       /* of mbarriers: arrivals, and waits that are over */
    uint32_t active;  /* bit i set: lane i takes part; never 0 */
    uint32_t odd;     /* where it meets. Bit i set: lane i arrives in, or has waited for, a phase of odd number */
    int64_t stride;   /* valid only where one of the two is set */
    const void *data; /* stores: the values about to be written, lane i's at data + i * bytes; else NULL */
    const Updates *updates;     /* atomics of 8 bytes where the space is SHARED, but compare-and-swaps; else it says nothing */
    Undefined *undefined;       /* stores: of these values; loads: for an observer to fill; NULL: nobody keeps count of it */
    uint64_t local[WARP_LANES]; /* SPACE_LOCAL only */
} Access;

_Static_assert(_Alignof(Access) <= _Alignof(max_align_t), "counts on the heap hold accesses, and calloc aligns no more");

enum { EIGHT = 8 };

/* What lanes do, as messages say it. */
static inline const char *access_verb(uint8_t kind) {
    return kind == ACCESS_LOAD ? "reads" : kind == ACCESS_STORE ? "writes" : "updates";
}

/* "1 byte", "2 bytes". */
static inline const char *plural_s(uint64_t count) { return count == 1 ? "" : "s"; }

/* One element after the other; false claims nothing. */
static inline bool access_contiguous(const Access *access) { return access->strided && access->stride == access->bytes; }
