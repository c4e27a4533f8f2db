/* origins.h: where undefined values come from, and what is told when something depends on one. To load what was never written is no
 * mistake: padding, unused components of a vector and what a compiler loads ahead of a condition are never looked at. The machine passes
 * undefined bits on from register to register (machine/defined.h); here is kept which load, of which bytes, brought them in. */
#pragma once

#include "kernel/kernel.h"
#include "machine/memory.h"
#include "machine/observer.h"

typedef struct Origins Origins; /* of one worker */

Origins *origins_new(const Kernel *kernel);
void origins_free(Origins *origins);

/* What is known of who writes shared memory that a thread reads unwritten: other warps of its block may not have run so far yet. */
typedef enum Writer {
    WRITER_UNKNOWN,
    WRITER_OF_CLUSTER, /* nor is it known of which block */
    WRITER_LATER,      /* another warp wrote it before the next barrier */
    WRITER_NONE,       /* nobody: before the last barrier, or up to the next one */
    WRITER_PEER,       /* it is another block's */
} Writer;

/* Bytes that a lane of a load reads and nothing has written. */
typedef struct Gap {
    unsigned lane, nth, bytes; /* the first one's number in the access, and how many */
    uint8_t bits;              /* of each, that are undefined */
    bool follows;              /* it stands behind a written byte of the same 16 bytes, as a structure's padding does */
    Writer writer;             /* of shared memory */
} Gap;

enum { PADDING_UNIT = 16 };

/* The gap's bits become undefined. in: of global memory; else NULL. */
void origins_add(Origins *origins, const Place *place, const Access *access, const Allocation *in, Gap gap);

/* What was read there was told as a race. */
void origins_drop(Origins *origins, uint32_t pc);

/* Fills the fault of what the load read, of this lane's value if that is known, and blames its thread; kind none: it was told already. */
void origins_fault(const Origins *origins, const Place *place, const ValueUse *use, Fault *fault);

/* The same of an access that uses at once what it reads, as atomic operations do. */
void origins_fault_now(const Place *place, const Access *access, const Allocation *in, Gap gap, Fault *fault);

/* How to put right that shared memory is read unwritten. */
void origins_hint_shared(Fault *fault, Writer writer);
