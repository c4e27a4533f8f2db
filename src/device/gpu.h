/* gpu.h: the real device: the same PTX, loaded by NVIDIA's driver, run and timed. Kernels run in a worker process, which is started anew
 * after one that faulted or hung, so that neither affects the next launch.
 *
 * Times are of CUDA events round one launch each. With a yardstick, the kernel, a copy kernel (one 16-byte access a thread each way) and
 * the driver's own copy alternate, so that whatever slows the device down affects all three. Working sets under four times L2 are flushed
 * out by a fill of that size before each timed launch. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "device/device.h"
#include "device/timing.h"

enum { GPU_REPEATS_MOST = 1000, GPU_TIMEOUT_S = 60 };

typedef struct GpuInfo {
    char name[128], bus[16]; /* bus: where it sits, "0000:3b:00.0", whatever number it has for this process */
    int driver_version;      /* 13000: CUDA 13.0 */
    int compute_major, compute_minor;
    int sms, clock_khz, memory_clock_khz; /* clocks: the highest */
    int l2_bytes;
} GpuInfo;

typedef struct GpuRequest {
    const LaunchRequest
        *launch;      /* program, kernel, shape, cluster, params, memory and l1 are used. Buffers hold the results afterwards */
    const char *ptx;  /* the program's text */
    int optimization; /* of the driver's compiler: 0 to 4 */
    uint32_t warmup, repeats; /* launches before and while timing, after the one whose results count; repeats 0: no timing */
    uint64_t copy_bytes;      /* of the yardsticks, which read so many bytes and write as many; 0: none */
    unsigned timeout_s;       /* 0: GPU_TIMEOUT_S */
    bool discard;             /* results are not wanted: buffers stay as they are, and uninitialised ones are 0 */
} GpuRequest;

/* A transpose by NVIDIA's library, cublasSgeam or cublasDgeam, of a rows x cols matrix of elements of 4 or 8 bytes. */
typedef struct GpuGeam {
    uint32_t element_bytes, rows, cols;
} GpuGeam;

typedef struct GpuResult {
    GpuInfo info;
    Fault fault;                  /* kind FAULT_none when all went well. No source line: hardware reports none */
    Timing kernel, copy, library; /* where repeats were asked for; copy and library with copy_bytes only */
} GpuResult;

typedef struct Gpu Gpu;

Gpu *gpu_new(void); /* starts nothing */
void gpu_free(Gpu *gpu);

/* What kernels print goes nowhere, rather than to standard output. Before the first launch. */
void gpu_silence(Gpu *gpu);

/* Whether there is a GPU, and which. False with one message when there is none that can be used. */
bool gpu_probe(Gpu *gpu, GpuInfo *info, Diag *diag);

/* One launch. Each 8-byte word of the parameter block that is the address of a live buffer, or lies in one, becomes that of its copy on
 * the GPU; all buffers travel there and back. False with one message when there is no GPU, when the driver refuses the PTX (its log is in
 * the message), or when the launch is impossible; true when it ran, also when it faulted or took longer than it may. */
bool gpu_launch(Gpu *gpu, const GpuRequest *request, GpuResult *result, Diag *diag);

/* Times the library's transpose alternately with copies of as many bytes, as gpu_launch does a kernel. False with one message when there is no
 * GPU or no libcublas (that which $WARPSCOPE_LIBCUBLAS names, else the usual ones). */
bool gpu_geam(Gpu *gpu, const GpuGeam *geam, uint32_t repeats, GpuResult *result, Diag *diag);
