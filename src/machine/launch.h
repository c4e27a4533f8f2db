/* launch.h: a launch as the machine runs it, and what comes of it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "kernel/kernel.h"
#include "machine/devicecall.h"
#include "machine/findings.h"
#include "machine/heap.h"
#include "machine/memory.h"
#include "machine/observer.h"
#include "machine/schedule.h"

/* Where a host thread is, or several, for who watches from another one: the instruction with which the warp that ran last goes on; NO_INSN before and
 * after. A cache line each. */
typedef struct Sight {
    _Alignas(64) uint32_t pc;
    uint64_t ended; /* blocks, so far */
} Sight;

enum { SIGHTS = 64 }; /* host threads beyond so many share them */

enum { CLUSTER_BLOCKS_MOST = 16, CLUSTER_BLOCKS_PORTABLE = 8 }; /* of one cluster; of every device that has them */

/* What a launch waits for, in which no thread goes on before something changes that it polls. */
typedef struct Awaited {
    bool (*changed)(const void *of);
    const void *of;
    bool counted;   /* its threads count how long they wait: a moment is enough */
    bool of_launch; /* nothing of it is memory that the host has too: another launch may set it */
} Awaited;

typedef enum AwaitedEnd {
    AWAITED_MAY_BE, /* it has changed, or the moment is over */
    AWAITED_NEVER,  /* nobody will set it */
    AWAITED_NO_MORE /* the launch ends at once, and without a fault of its own: another one has had one */
} AwaitedEnd;

/* The host, where it goes on beside the launch and may change memory that both have. */
typedef struct HostBeside {
    void *self;
    AwaitedEnd (*wait)(void *self, const Awaited *awaited);
    /* The name of another launch that waits now; NULL: there is none. */
    const char *(*other)(void *self);
} HostBeside;

/* What is asked for. */
typedef struct Launch {
    const Kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t cluster[3];                 /* blocks of a cluster, of which the grid is a multiple; 0: 1 */
    uint32_t shared_bytes;               /* dynamic shared memory */
    const uint8_t *params;               /* the kernel's parameter block, kernel->function->param_bytes long */
    Memory *memory;                      /* the program's variables are in it: see module.h */
    const struct Module *module;         /* those variables; for device_launch NULL: they are loaded for this launch alone */
    const struct TextureTable *textures; /* what handles of textures and surfaces mean; NULL: there are none */
    Heap *heap;                          /* for kernels' malloc and free; NULL: a kernel that calls them has a fault */
    bool
        cooperative; /* as cudaLaunchCooperativeKernel: all blocks live at once and may wait for each other; a grid that does not fit is refused */
    bool checks;     /* races and uninitialised memory as well; bounds and alignment are always checked */
    bool strict;     /* beside checks: what devices run through and the rules forbid, too: threads that left before a barrier */
    bool imprinted;  /* beside checks: all reads leave marks: for imprint.h, or since a launch strayed */
    bool tells_left; /* of these the findings of barriers alone; strict implies it for device_launch */
    bool quiet;      /* printf prints nothing */
    OnFault on_fault;
    Schedule schedule;      /* any but the usual one takes one host thread */
    uint64_t stack_bytes;   /* of a thread, where calls are nested without a bound: cudaLimitStackSize; 64 calls always fit */
    unsigned threads;       /* host threads; for device_launch 0: as many as there are processors, or one for a small launch */
    DeviceCallHost *nested; /* answers what kernels ask of the device's runtime; NULL: a kernel that asks has a fault */
    const HostBeside *host; /* NULL: it stands still until the launch has ended */
    Sight *sights;          /* SIGHTS of them: where the launch is, for who watches; NULL: nobody does */
    /* Limits, so that it cannot hold up its host; 0: none, but as device_launch says. */
    uint64_t max_steps; /* instructions one warp may run; for device_launch 0: the default */
    uint64_t
        max_effort; /* instructions of all warps, and what blocks, scattered accesses, printf and the like cost: see effort.h */
    uint64_t
        max_unended; /* the same of a batch since it began or a block of it last ended; for device_launch 0: the default, or none with max_effort */
    uint64_t
        max_starts; /* what starting all blocks may cost of that; for device_launch 0: the default, or none with max_effort */
    uint64_t
        max_bytes; /* of host memory for the kernel's variables, and for what a worker's blocks keep, with what checks keep of theirs */
} Launch;

/* Blocks of the grid, and threads of a block. */
static inline uint64_t launch_blocks(const Launch *launch) {
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}
static inline uint32_t launch_threads(const Launch *launch) { return launch->block[0] * launch->block[1] * launch->block[2]; }

static inline uint32_t launch_cluster_extent(const Launch *launch, unsigned axis) {
    return launch->cluster[axis] ? launch->cluster[axis] : 1;
}

/* Blocks of a cluster. */
static inline uint64_t launch_cluster(const Launch *launch) {
    return (uint64_t)launch_cluster_extent(launch, 0) * launch_cluster_extent(launch, 1) * launch_cluster_extent(launch, 2);
}

/* Bytes of shared memory that a block has, static and dynamic. */
static inline uint64_t launch_shared(const Launch *launch) {
    return (uint64_t)launch->kernel->reach.shared_static + launch->shared_bytes;
}

/* What it runs on, and who watches. */
typedef struct Machine {
    uint32_t sms;          /* multiprocessors of the device */
    uint32_t sms_shown;    /* as %nsmid and %smid tell the kernel; the same as sms but in a grader's tests */
    uint32_t resident;     /* blocks of this kernel that fit an SM together, at least 1 */
    uint32_t warps;        /* that an SM can hold, as %nwarpid tells: 64 on an H100, whatever the block */
    uint32_t shared_unit;  /* bytes in whose multiples blocks get shared memory, as %total_smem_size tells */
    uint32_t shared_limit; /* the most bytes a block may have, static and dynamic together */
    Observer **observers;  /* threads × n_observers: worker t's are observers[t * n_observers …] */
    uint32_t n_observers;
    bool traced;        /* observers see each instruction as well: on_insn, on_written */
    uint64_t *executed; /* NULL, or by pc: to it is added how often a warp ran the instruction */
    uint64_t workspace; /* cooperative launches: device address of GRID_WORKSPACE_BYTES zeroed bytes; else 0 */
} Machine;

/* What this_grid().sync() works on, as the driver provides it. %envreg1 holds the upper half of its address and %envreg2 the lower, 0 in
 * other launches: that is how grid_group::is_valid() tells. Word 0 is its size; word 1, the barrier, begins as 0: each block adds 1, the
 * first one 0x80000000 - (blocks - 1), and waits until the top bit has changed. (As the PTX that nvcc 13 makes shows, and the
 * toolkit's cooperative_groups/details/driver_abi.h and sync.h.) */
enum { GRID_WORKSPACE_BYTES = 8 };

enum { OUTPUT_BYTES_MOST = 16 << 20 }; /* of a launch's printf; what a GPU keeps: device/fifo.h */

typedef struct LaunchOutcome {
    uint64_t instructions, thread_instructions;
    uint64_t busiest_warp;  /* instructions of the warp that ran most */
    uint64_t most_accesses; /* of global memory, by one warp; 0 where nobody observes */
    uint64_t effort;        /* see effort.h */
    Fault fault;
    FindingLog findings; /* the caller frees */
    uint64_t prints;     /* calls of printf, by threads */
    Text output;         /* printf; what exceeds the limit is left out, and a last line says so */
    unsigned threads;    /* host threads really used */
} LaunchOutcome;
