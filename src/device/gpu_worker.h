/* gpu_worker.h: the process that talks to the driver, and the messages on its socket; for gpu.c alone.
 *
 * A request is a WorkerRequest, the kernel's name, the PTX, the parameter block, and for each buffer a WorkerBuffer and its bytes, if it is
 * filled. The answer is a WorkerReply and, when its stage is STAGE_done, each buffer's bytes, unless they are to be discarded, and then
 * repeats times 1 (or 3) doubles. */
#pragma once

#include "device/driver.h"
#include "device/gpu.h"

typedef struct WorkerRequest {
    uint32_t grid[3], block[3], cluster[3], shared_bytes;   /* cluster[0]: 0: the kernel's own, or none */
    uint32_t name_bytes, ptx_bytes, param_bytes, n_buffers; /* name and PTX with their NUL */
    uint32_t n_params;                                      /* whose places among the parameters' bytes follow them */
    uint32_t optimization, warmup, repeats;
    bool wide_clusters; /* they, or the kernel's own, have more than CLUSTER_BLOCKS_PORTABLE blocks */
    bool probe;         /* nothing is launched: is there a GPU? */
    bool l1, fresh;     /* fresh: the module's variables may have been written: load it anew */
    bool discard;       /* the buffers' bytes are not answered */
    uint64_t copy_bytes;
    GpuGeam geam; /* element_bytes 0: the kernel is launched; else it alone, and there is no name, PTX, parameter or buffer */
} WorkerRequest;

typedef struct WorkerBuffer {
    uint64_t address, bytes; /* the address that parameters have for it */
    bool filled;             /* false: its bytes do not follow, and are 0 */
} WorkerBuffer;

typedef enum WorkerStage {
    STAGE_open,
    STAGE_device,
    STAGE_module,
    STAGE_memory,
    STAGE_launch,
    STAGE_run,
    STAGE_done
} WorkerStage;

typedef struct WorkerReply {
    WorkerStage stage;   /* where it went wrong, or STAGE_done */
    DriverStatus status; /* of the call that failed; 0 for STAGE_open */
    char message[512], hint[256];
    GpuInfo info;
} WorkerReply;

/* Serves requests on this socket until the other end closes it or a kernel has broken the context. */
void gpu_worker(int socket);

/* All of it, however many calls that takes. False when the other end is gone. */
bool worker_send(int socket, const void *bytes, size_t count);
bool worker_receive(int socket, void *bytes, size_t count);
