/* attributes.h: what streams and kernels are given besides their work, and keep for who asks. Internal to src/runtime. */
#pragma once

#include <stdbool.h>

#include "runtime/api.h"

typedef struct WorkAttributes {
    struct cudaAccessPolicyWindow window;
    enum cudaSynchronizationPolicy sync_policy; /* 0: never set */
    cudaLaunchMemSyncDomainMap map;
    bool has_map;
    cudaLaunchMemSyncDomain domain;
    enum cudaClusterSchedulingPolicy scheduling;
    int priority;
    unsigned carveout; /* of shared memory, in percent: the model uses what the resident blocks need */
} WorkAttributes;

enum { POLICY_UNSET = -1 }; /* what an H200 says of a stream whose synchronization policy was never set */
enum { PRIORITY_LEAST = 0, PRIORITY_GREATEST = -5 }; /* as recent devices have them */

/* Priorities are clamped to the range (CUDA Runtime API, cudaStreamCreateWithPriority). */
int attributes_priority(int priority);

/* False: it is not one of these, or cannot have that value. */
bool attributes_give(const WorkAttributes *kept, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue *value);
bool attributes_take(WorkAttributes *kept, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue *value);
