/* device.h: runs one kernel launch on a device and describes what happened. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "device/model.h"
#include "device/profile.h"
#include "machine/launch.h"
#include "observe/counters.h"

typedef struct LaunchRequest {
    Launch launch;
    const Profile *profile;
    bool l1;           /* false: global loads bypass L1 */
    bool joins;        /* shared accesses are counted as ptxas joins them (kernel/joins.h) */
    bool prints_aside; /* the stores that hand printf its arguments are not counted */
    bool
        of_lab; /* bulk copies and mma are refused, which a lab's goals do not count, and clusters where the launch names none */
    bool wide_clusters;  /* of up to 16 blocks, not only of the 8 that every device has which has them */
    bool untimed;        /* no time is modelled, and of what leaves the SMs nothing is counted */
    struct Trace *trace; /* of one of its blocks, observe/trace.h; the launch then takes one host thread. NULL: none */
} LaunchRequest;

typedef enum LaunchRefusal {
    REFUSAL_NONE,
    REFUSAL_SHAPE,       /* grid or block are empty or too large */
    REFUSAL_COOPERATIVE, /* a cooperative grid that does not fit the device */
    REFUSAL_CLUSTER,     /* a cluster that the grid, the kernel or the device does not have */
    REFUSAL_BOUNDS,      /* the kernel was compiled for other blocks */
    REFUSAL_MEMORY,      /* too much shared memory, or too large variables */
    REFUSAL_NOT_EMULATED /* an instruction that the device does not have, or that is not emulated */
} LaunchRefusal;

typedef struct LaunchResult {
    LaunchRefusal refusal; /* why device_launch returned false */
    Counters *counters;    /* belongs to the result */
    Fault fault;           /* kind FAULT_none when all went well; the counters then cover what ran until the fault */
    FindingLog findings;   /* what the kernel ran through */
    uint64_t prints;       /* calls of printf, by threads */
    Text output;           /* of the kernel's printf, in order of blocks */
    uint64_t effort;       /* what the launch cost the host, in instructions: machine/effort.h */
    Model model;           /* the modelled time on the device; time_us is 0 when the kernel faulted, and where untimed */
    double seconds;        /* on the host, until all is counted and modelled */
    unsigned threads;      /* host threads used */
    bool strayed;          /* checks should have had all reads leave marks: launch.imprinted */
    void *owner;           /* frees with device_result_free */
} LaunchResult;

/* Why the device does not take the launch, as far as its words and the kernel's text tell; with a message in diag. */
LaunchRefusal device_refusal(const LaunchRequest *request, Diag *diag);

/* Whether clusters that the launch names are those that its kernel is compiled for, if it is for any. False with diag set. */
bool device_has_own_cluster(const Launch *launch, Diag *diag);

/* False with a message in diag when the launch itself is wrong (a block of 2000 threads, too much shared memory, …): nothing ran then.
 * True when it ran, also when the kernel faulted. */
bool device_launch(const LaunchRequest *request, LaunchResult *result, Diag *diag);
void device_result_free(LaunchResult *result);
