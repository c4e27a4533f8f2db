/* ncu.h: what Nsight Compute's command line tool wrote of a run: the counters of each launch on a real device, under this project's names.
 * Written with `ncu --csv --page raw --print-units base --print-kernel-base mangled --metrics …`. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

/* METRIC(group, op, name, ncu): group.op.name, or group.name where op is "". Counters of one name are added up: the tool counts ldmatrix and
 * stmatrix apart. Wavefronts follow from the addresses, as ours do; what the pipe does has no count here (appendix C, #conflicts). */
#define NCU_METRICS(METRIC)                                                                                   \
    METRIC("", "", "device_ns", "gpu__time_duration.sum")                                                     \
    METRIC("global", "load", "requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")                   \
    METRIC("global", "load", "sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")                     \
    METRIC("global", "load", "l1_hit_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum")   \
    METRIC("global", "store", "requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum")                  \
    METRIC("global", "store", "sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")                    \
    METRIC("shared", "load", "requests", "smsp__inst_executed_op_shared_ld.sum")                              \
    METRIC("shared", "load", "requests", "smsp__inst_executed_op_ldsm.sum")                                   \
    METRIC("shared", "load", "wavefronts", "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")    \
    METRIC("shared", "load", "wavefronts", "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum")  \
    METRIC("shared", "load", "pipe_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")       \
    METRIC("shared", "load", "pipe_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum")    \
    METRIC("shared", "store", "requests", "smsp__inst_executed_op_shared_st.sum")                             \
    METRIC("shared", "store", "requests", "smsp__inst_executed_op_shared_stsm.sum")                           \
    METRIC("shared", "store", "wavefronts", "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum")   \
    METRIC("shared", "store", "wavefronts", "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_stsm.sum") \
    METRIC("shared", "store", "pipe_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")      \
    METRIC("shared", "store", "pipe_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum")   \
    METRIC("l2", "", "read_sectors", "lts__t_sectors_srcunit_tex_op_read.sum")                                \
    METRIC("l2", "", "write_sectors", "lts__t_sectors_srcunit_tex_op_write.sum")                              \
    METRIC("dram", "", "read_bytes", "dram__bytes_read.sum")                                                  \
    METRIC("dram", "", "write_bytes", "dram__bytes_write.sum")

enum {
#define METRIC(group, op, name, ncu) +1
    NCU_METRIC_COUNT = 0 NCU_METRICS(METRIC)
#undef METRIC
};

typedef struct NcuMetric {
    const char *group, *op, *name, *ncu;
} NcuMetric;

extern const NcuMetric ncu_metrics[NCU_METRIC_COUNT];

typedef struct NcuLaunch {
    const char *kernel; /* mangled */
    double values[NCU_METRIC_COUNT];
    bool has[NCU_METRIC_COUNT]; /* whether the tool gave a number for it */
} NcuLaunch;

typedef struct NcuRun {
    size_t count;
    NcuLaunch *launches; /* in order */
} NcuRun;

/* Reads the tool's output, in which other lines may stand as well. False and a message when it has no table. Everything is the arena's. */
bool ncu_parse(const char *text, Arena *arena, NcuRun *run, Diag *diag);
