/* trace_json.h: the trace of a block (observe/trace.h) as JSON. Compact, since there may be many steps:
 *
 *   {"block":[x,y,z],"warps":N,"complete":true,
 *    "arrays":[{"name","address","bytes"}],
 *    "insns":{PC:{"ptx":line,"file":…,"line":…,"runs":times that a warp of the block ran it,"writes":["%r1",…]}},
 *    "steps":[[warp,pc,lanes,active,live,[accesses],[values],[waits]],…]}
 *
 * lanes, active and live are masks: bit l is lane l. An access is
 *   {"space","op":"load"|"store"|"atomic","bytes":a lane's,"active","array":index into arrays or -1,"at":[bytes from the array's begin, or in shared
 *    and local memory from its begin; null where a lane is not active],
 *    "sectors","ideal_sectors","l1_hit_sectors","lines":[[bytes from the array's begin,mask of sectors,mask of those that L1 had],…]}
 * or, in place of the last line, in shared memory with "wavefronts", "bank_conflicts" and "served":[by lane the first wavefront that serves it], "late":mask (banks_serve),
 * or with "joined":true where it is part of another's request; in constant memory with "words": how many differ. A wait is
 * [pc,lanes,"path"|"reconvergence"|"sync"]: why lanes that have not left the kernel are not here, and where they go on (machine/observer.h). A value is [which of writes, active, values by lane, or the one
 * value of all active lanes]; a lane's value is a number, or a string where JavaScript would round it ("nan", "inf", integers from 2^53 on). */
#pragma once

#include "report/report.h"

void report_trace_json(const Report *report, Text *out);
