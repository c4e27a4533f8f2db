/* json.h: a launch as one JSON object, its numbers those of metrics.def. A key is there only when it applies:
 * - compiler: when a .cu file was compiled. file and line: when the instruction's source location is known.
 * - verdict, map and svg of a line: where they were asked for (Report.pictured), of its costliest access.
 * - launched_by: the kernel that launched it, where the host did not.
 * - replayed: true for a launch of a whole program that was not executed again (then host is absent).
 * - trace: where one was asked for (LaunchRequest.trace): see trace_json.h.
 * - model: when the launch ran to its end.
 * - inside of a fault: where a function of another line was inlined, with "library" saying whether that is a library's header. library of a
 *   fault itself: true where its own file is such a header, since from where it was called is not known. Both of whole programs and launches.
 * - count of a fault: when the kernel went on after it: in how many warp instructions it was found. An object without it ended the launch.
 * - thread_instructions_per_second: when the launch took a measurable time.
 * A launch on the real device has "on":"gpu", its name as device, the driver, and where it was timed "measured". */
#pragma once

#include "report/report.h"

void report_json(const Report *report, Text *out);
void report_measured_json(const MeasuredReport *report, Text *out);
