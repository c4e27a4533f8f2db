#include "report/measured.h"

#include <stdio.h>

#include "report/paint.h"
#include "report/plain.h"

static void add_time(Text *out, const char *what, const Timing *timing, uint64_t bytes) {
    text_add(out, "  %-16s %10.2f us  (%.2f to %.2f)", what, timing->median_us, timing->low_us, timing->high_us);
    if (bytes) text_add(out, "  %8.1f GB/s", 2e-3 * (double)bytes / timing->median_us);
    text_add(out, "\n");
}

static void add_times(const MeasuredReport *report, Text *out) {
    const GpuResult *result = report->result;
    uint64_t bytes = report->asked->copy_bytes;
    text_add(out, "median of %u launches, interleaved (half of them lie between the times in brackets)\n",
             report->asked->repeats);
    add_time(out, "kernel", &result->kernel, bytes);
    if (!bytes) return;
    add_time(out, "copy kernel", &result->copy, bytes);
    add_time(out, "driver's copy", &result->library, bytes);
    Fraction fraction = timing_fraction(&result->kernel, &result->copy);
    text_add(out, "  %.3f of the copy kernel's speed (%.3f to %.3f), for %llu bytes read and as many written\n", fraction.value,
             fraction.least, fraction.most, (unsigned long long)bytes);
}

void report_measured_table(const MeasuredReport *report, Page page, Text *out) {
    const GpuInfo *info = &report->result->info;
    const Fault *fault = &report->result->fault;
    const uint32_t *grid = report->request->launch.grid, *block = report->request->launch.block;
    char title[64];
    snprintf(title, sizeof title, "%.60s", report->kernel_name);
    paint(out, page, PAINT_HEAD, title);
    text_add(out, "  grid %u x %u x %u, block %u x %u x %u\n", grid[0], grid[1], grid[2], block[0], block[1], block[2]);
    text_add(out, "measured on %s (%d SMs, up to %d MHz), driver for CUDA %d.%d\n", info->name, info->sms,
             info->clock_khz / 1000, info->driver_version / 1000, info->driver_version % 1000 / 10);
    if (fault->kind != FAULT_none) {
        plain_wrap(out, page.columns, "", fault->message);
        plain_wrap(out, page.columns, "  hint: ", fault->hint);
    } else if (report->asked->repeats) {
        add_times(report, out);
    }
}
