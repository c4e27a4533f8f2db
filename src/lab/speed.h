/* speed.h: a lab on a real GPU: its tests for right results, and the times of the runs that lab.goals says are MEASURED. */
#pragma once

#include "lab/running.h"

/* Whether a MEASURED goal asks for this run. */
bool measured_is_wanted(const Lab *lab, uint32_t run);

/* Leaves out all kernels but those of these names, with commas between. */
void measured_only(const Lab *lab, const char *names);

/* The case's launch, on the GPU; what goes wrong ends the test, as on the emulated device. */
void measured_launch(LabCase *c);

/* Times the case's launch alternating with copies of so many bytes, again where the times scatter too much for a verdict. */
void measured_time(LabCase *c, uint64_t copy_bytes);

/* The result for people, or as JSON: {"lab", "slug", "title", "file", "compiler", "on": "gpu", "device", "driver", "clock_mhz", "skipped": why,
 * "kernels": [{"name", "correct" | "unable": why nothing could be found out, "cases", "where", "message"}], "goals": [{"name", "kind": "measured", "run", "text", "time_us", "copy_us",
 * "library_copy_us", "repeats", "value", "least", "most", "full", "verdict": passed | failed | inconclusive | skipped}]}. True when every
 * kernel is right and every goal passed. absent: why there is no GPU, or NULL. */
bool measured_result(const Lab *lab, const Diag *absent, bool json, Text *out);
