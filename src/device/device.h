/* device.h: runs one kernel launch on a device and describes what happened. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "device/model.h"
#include "device/profile.h"
#include "machine/findings.h"
#include "machine/heap.h"
#include "machine/memory.h"
#include "observe/counters.h"
#include "ptx/program.h"

typedef struct LaunchRequest {
    const Program *program;
    const Function *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes; /* dynamic shared memory */
    const uint8_t *params; /* the kernel's parameter block, kernel->param_bytes long */
    Memory *memory;
    const struct Module *module; /* the program's variables, loaded into memory already; NULL: loaded for this launch alone */
    Heap *heap;                  /* for kernels' malloc and free; NULL: a kernel that calls them has a fault */
    const Profile *profile;
    bool l1;           /* false: global loads bypass L1 */
    bool joins;        /* shared accesses are counted as ptxas joins them (ptx/joins.h) */
    bool cooperative;  /* as cudaLaunchCooperativeKernel: a grid that does not fit the device is refused */
    bool checks;       /* races and uninitialised memory as well; bounds and alignment are always checked */
    bool prints_aside; /* the stores that hand printf its arguments are not counted */
    bool quiet;        /* printf prints nothing */
    bool
        run_through; /* the first race or uninitialised read goes into the findings, and the kernel runs on as it would on a device */
    bool goes_on;     /* all that a device runs through goes into the findings: those, accesses past a buffer's end, shuffles */
    unsigned threads; /* host threads; 0: as many as there are processors, or one for a small launch */
    uint64_t max_steps; /* instructions one warp may run; 0: the default */
    /* Limits on the whole launch, so that it cannot hold up its host; 0: none. */
    struct Sight *sights; /* machine/grid.h: where the launch is, for who watches; NULL: nobody does */
    struct Trace *trace;  /* of one of its blocks, observe/trace.h; the launch then takes one host thread. NULL: none */
    uint64_t
        max_effort; /* instructions of all warps, and what blocks, scattered accesses, printf and the like cost: see LaunchResult */
    uint64_t
        max_unended; /* the same of the blocks that run together, since one of them ended; 0: the default, or none with max_effort */
    uint64_t max_bytes; /* of host memory for the kernel's variables, and for what its resident blocks keep */
} LaunchRequest;

typedef enum LaunchRefusal {
    REFUSAL_NONE,
    REFUSAL_SHAPE,       /* grid or block are empty or too large */
    REFUSAL_COOPERATIVE, /* a cooperative grid that does not fit the device */
    REFUSAL_BOUNDS,      /* the kernel was compiled for other blocks */
    REFUSAL_MEMORY,      /* too much shared memory, or too large variables */
    REFUSAL_NOT_EMULATED /* an instruction that the device does not have, or that is not emulated */
} LaunchRefusal;

typedef struct LaunchResult {
    LaunchRefusal refusal; /* why device_launch returned false */
    Counters *counters;    /* belongs to the result */
    Fault fault;           /* kind FAULT_none when all went well; the counters then cover what ran until the fault */
    FindingLog findings;   /* what the kernel ran through */
    Text output;           /* of the kernel's printf, in order of blocks */
    uint64_t effort;       /* what the launch cost the host, in instructions: machine/effort.h */
    Model model;           /* the modelled time on the device; time_us is 0 when the kernel faulted */
    double seconds;        /* on the host */
    unsigned threads;      /* host threads used */
    void *owner;           /* frees with device_result_free */
} LaunchResult;

/* False with a message in diag when the launch itself is wrong (a block of 2000 threads, too much shared memory, …): nothing ran then.
 * True when it ran, also when the kernel faulted. */
bool device_launch(const LaunchRequest *request, LaunchResult *result, Diag *diag);
void device_result_free(LaunchResult *result);
