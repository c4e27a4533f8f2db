/* record.h: a record of many launches, as JSON: {"device": …, "runs": {"NAME": {…}, …}}, each run on a line of its own.
 *
 * A run has "file", "arguments", "kernel", "grid" and "block". Of an emulated device: "instructions", "thread_instructions", "model" and the
 * counts, as json.c has them. Of a real one: "time_us", "low_us", "high_us", "repeats", "copy_bytes", "copy", "library_copy" and
 * "fraction_of_copy" of the launches timed alternately, "gb_s", twice copy_bytes in the kernel's time, and what Nsight Compute read:
 * "device_us", the time on the device alone, the counts that have a name of its in ncu.h, and "bank_conflicts", which are worked out of them. */
#pragma once

#include "device/ncu.h"
#include "report/report.h"

typedef struct RecordedRun {
    const char *name, *file, *arguments; /* arguments: those of `warpscope launch` behind the file */
} RecordedRun;

typedef struct Record Record;

Record *record_new(void);

/* One more run; its head (device, compiler, …) is taken from the first. */
void record_emulated(Record *record, const RecordedRun *run, const Report *report);
void record_measured(Record *record, const RecordedRun *run, const MeasuredReport *report,
                     const NcuLaunch *counters); /* or NULL */

/* A transpose by NVIDIA's library. */
void record_geam(Record *record, const RecordedRun *run, const GpuGeam *geam, uint32_t repeats, const GpuResult *result);

/* Writes it to out, with the date (YYYY-MM-DD) where there is one, and frees it. */
void record_end(Record *record, const char *date, Text *out);
