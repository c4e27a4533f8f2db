/* traffic.h: what leaves the SMs: their requests, noted by the host threads that run them.
 *
 * Blocks run on several host threads, but L2 must see one order. So each worker notes its batches' requests in a log, which is handed on when the
 * batch is committed, in order of batches: counts never depend on the number of threads. Once a wave is complete, its requests are replayed as the
 * SMs make them (timeline.h). Where the device has no coalescer, and for some waves after one in which no reads joined others, they reach L2 as they are
 * committed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/observer.h"
#include "observe/cache.h"
#include "observe/coalescer.h"
#include "observe/sectors.h"
#include "observe/timeline.h"

typedef struct Traffic Traffic;       /* shared by all workers */
typedef struct TrafficLog TrafficLog; /* one worker's */

/* blocks: of the grid. */
Traffic *traffic_new(const MergeConfig *merge, uint32_t sms, uint64_t blocks, const CacheConfig *l2);
void traffic_free(Traffic *traffic);

/* traffic NULL: nothing is followed; what is noted is forgotten. */
TrafficLog *traffic_log_new(Traffic *traffic);
void traffic_log_free(TrafficLog *log);

/* Room for the next note, which the caller fills. A full log waits for the commit of the batches before this one (ticket NULL: there are none). */
Note *traffic_note(TrafficLog *log, struct CommitTicket *ticket);

/* The same for a request of this warp that writes; each line joins the last write to it where that is still known. */
void traffic_write(TrafficLog *log, uint32_t sm, uint32_t warp, const Footprint *footprint, struct CommitTicket *ticket);

/* Around the notes of a batch. traffic_begin returns whether what is noted may be replayed: if not, reads, writes and atomics are all that counts,
 * without times. (That depends on how far other threads are; what is replayed does not.) */
bool traffic_begin(TrafficLog *log, uint64_t batch);
void traffic_end(TrafficLog *log);

/* Hands on what was noted of the log's oldest batch, which has ended. To be called in order of batches, on any thread. */
void traffic_commit(TrafficLog *log, uint64_t batch);

/* Of all that was committed; NULL: nothing. */
TrafficTotals traffic_totals(Traffic *traffic);
