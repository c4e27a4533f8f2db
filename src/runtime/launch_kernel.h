/* launch_kernel.h: a kernel's launch, once its stream has come to it. Internal to src/runtime. */
#pragma once

#include "runtime/work.h"

/* Refuses a launch that is not to run yet. */
cudaError_t kernel_check(Context *context, const KernelWork *work);

/* Runs the kernel, or replays an earlier launch that did the same. *duration is its modelled time. A kernel's fault becomes the context's
 * sticky error and is not returned. */
cudaError_t kernel_run(Context *context, const KernelWork *work, Duration *duration);

/* "launch of fill(float*, int) refused: …", with the kernel that launches it, the first time that one call is for one reason; after 64 of these, that there are others. */
void kernel_note_refused(Context *context, const KernelWork *work, const Diag *diag);

/* In the same way "copy by fill(float*, int) refused: …", of a kernel's "copy" or "fill". */
void kernel_note_move_refused(Context *context, const ImageKernel *by, const char *move, const Diag *diag);

/* At the program's end: how often, where it was more than once, and how many were not told. */
void kernel_count_refused(const Context *context);

/* Whether the launch may have so much dynamic shared memory; it is told where not. Without cudaFuncSetAttribute a block has the 48 KiB that every device gives; static and dynamic memory count together. */
bool kernel_shared_fits(Context *context, const KernelWork *work, size_t dynamic);

/* The kernel's parameter block from pointers to the arguments. To be freed. */
uint8_t *kernel_pack(const ImageKernel *kernel, void **arguments);

/* A parameter block that the caller has packed. */
typedef struct PackedParameters {
    const uint8_t *bytes;
    size_t count;
} PackedParameters;

/* Reads a list of CU_LAUNCH_PARAM_… (CUDA Driver API, cuLaunchKernel). False: it has a key that there is not, or no count where one is said. */
bool kernel_read_extra(void **extra, PackedParameters *packed);
