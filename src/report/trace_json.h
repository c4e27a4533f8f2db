/* trace_json.h: the trace of a block (observe/trace.h) as JSON. Compact, since there may be many steps:
 *
 *   {"block":[x,y,z],"warps":N,"complete":true,
 *    "arrays":[{"name","address","bytes"}],
 *    "insns":{PC:{"ptx":line,"file":…,"line":…,"runs":times that a warp of the block ran it,"writes":["%r1",…]}},
 *    "steps":[[warp,pc,lanes,active,live,[accesses],[values]],…]}
 *
 * lanes, active and live are masks: bit l is lane l. An access is
 *   {"space","op":"load"|"store"|"atomic","bytes":a lane's,"active","array":index into arrays or -1,"at":[bytes from the array's begin, or in shared
 *    and local memory from its begin; null where a lane is not active],
 *    "sectors","ideal_sectors","l1_hit_sectors","lines":[[bytes from the array's begin,mask of sectors,mask of those that L1 had],…]}
 * or, in shared memory, with "wavefronts" and "bank_conflicts" in place of the last line, and "joined":true where it is part of another's request. A value is [which of writes, active, values by lane, or the one
 * value of all active lanes]; a lane's value is a number, or a string where JavaScript would round it ("nan", "inf", integers from 2^53 on). */
#pragma once

#include "report/report.h"

void report_trace_json(const Report *report, Text *out);
