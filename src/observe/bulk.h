/* bulk.h: which sectors of global memory a bulk copy moves. Measured on an H100 (tests/hardware/h100-bulk.csv): the engine takes pieces of 128 bytes
 * from the copy's first on, and each moves the sectors that it touches: 128 bytes that begin 16 behind a sector's start are 5, 4096 are 160. No
 * counter of loads, stores or L1 sees them (l1tex__t_requests, l1tex__t_sectors), nor does L1 keep what they read; the crossbar's do
 * (l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld, l1tex__m_l1tex2xbar_write_sectors_pipe_tma), and L2's. */
#pragma once

#include "machine/observer.h"
#include "observe/sectors.h"

enum { BULK_PIECE_BYTES = 128 };

typedef struct BulkCounters { /* each a uint64_t: counters.h */
    uint64_t copies;          /* reductions too */
    uint64_t bytes;
    uint64_t read_sectors, write_sectors; /* of global memory; a reduction's are written */
} BulkCounters;

/* A run's piece of this number, from 0 on; false behind the last. */
bool bulk_piece(const BulkRun *run, uint32_t number, Footprint *piece);

/* All pieces of a copy; the next, false behind the last. */
typedef struct BulkPieces {
    const AsyncEvent *event;
    uint32_t run, number;
} BulkPieces;
bool bulk_piece_next(BulkPieces *at, Footprint *piece);
