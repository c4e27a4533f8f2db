/* report.h: everything that is printed about a launch, gathered once and shown as a table, JSON or a figure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "device/device.h"
#include "device/gpu.h"
#include "report/sources.h"

typedef struct Report {
    const LaunchRequest *request;
    const LaunchResult *result;
    const char *kernel_name; /* demangled */
    const char *compiler;    /* "nvcc 13.0", "clang 14.0.6"; NULL for a .ptx file */
    const char *source_path; /* the file given on the command line; its lines' text is shown */
    const char *source_text; /* NUL-terminated, or NULL */
    Sources *sources;        /* the texts of all other files; NULL: they are not shown */
    const char *launcher;    /* the kernel that launched it, demangled; NULL: the host did */
    uint64_t launches;       /* the counts are the sums over so many; 0 and 1: one launch */
    bool replayed;           /* not executed: the counts are those of an earlier launch that did the same */
    bool by_cost;        /* the table's lines come by what they move, sectors and wavefronts; else in the order of the source */
    bool faults_printed; /* its faults were printed before: the table leaves them out */
    bool pictured;       /* the JSON has a verdict, a map and a figure of each line */
} Report;

/* The loads, stores or atomics of one source line in one space: the sum over its instructions. */
typedef struct SourceLine {
    const char *file;
    uint32_t line;     /* 0: unknown */
    uint8_t space, op; /* Space, CounterOp */
    SectorCounters sectors;
    BankCounters banks;
    uint32_t worst_pc; /* the instruction with the costliest sample */
} SourceLine;

/* The lines in order of file, line, space, op. Caller frees with free(). */
SourceLine *report_source_lines(const Report *report, uint32_t *count);

/* The access worth showing: one of the instruction with the most sectors or wavefronts beyond the fewest, summed over the launch; where
 * none has any, of the instruction whose access costs most; the first of equals. NULL when there is none. */
const Sample *report_worst(const Report *report);

/* A launch on the real device. */
typedef struct MeasuredReport {
    const LaunchRequest *request;
    const GpuRequest *asked;
    const GpuResult *result;
    const char *kernel_name, *compiler; /* as in Report */
} MeasuredReport;
