#include "runtime/attributes.h"

int attributes_priority(int priority) {
    return priority < PRIORITY_GREATEST ? PRIORITY_GREATEST : priority > PRIORITY_LEAST ? PRIORITY_LEAST : priority;
}

bool attributes_give(const WorkAttributes *kept, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue *value) {
    switch ((int)attribute) {
    case cudaLaunchAttributeAccessPolicyWindow: value->accessPolicyWindow = kept->window; return true;
    case cudaLaunchAttributeSynchronizationPolicy:
        value->syncPolicy = kept->sync_policy ? kept->sync_policy : (enum cudaSynchronizationPolicy)POLICY_UNSET;
        return true;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        value->clusterSchedulingPolicyPreference = kept->scheduling;
        return true;
    case cudaLaunchAttributePriority: value->priority = kept->priority; return true;
    case cudaLaunchAttributeMemSyncDomainMap:
        value->memSyncDomainMap = kept->has_map ? kept->map : (cudaLaunchMemSyncDomainMap){0, 1};
        return true;
    case cudaLaunchAttributeMemSyncDomain: value->memSyncDomain = kept->domain; return true;
    case cudaLaunchAttributePreferredSharedMemoryCarveout: value->sharedMemCarveout = kept->carveout; return true;
    }
    return false;
}

/* cudaDevAttrMaxAccessPolicyWindowSize is an H200's here, whatever the device: of none is known what it keeps. */
static bool is_window(const struct cudaAccessPolicyWindow *window) {
    enum { MOST_BYTES = 128 << 20 };
    return window->num_bytes <= MOST_BYTES && window->hitRatio >= 0 && window->hitRatio <= 1 &&
           (unsigned)window->hitProp <= cudaAccessPropertyPersisting &&
           (unsigned)window->missProp <= cudaAccessPropertyStreaming;
}

bool attributes_take(WorkAttributes *kept, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue *value) {
    switch ((int)attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
        if (!is_window(&value->accessPolicyWindow)) return false;
        kept->window = value->accessPolicyWindow;
        return true;
    case cudaLaunchAttributeSynchronizationPolicy:
        if (value->syncPolicy < cudaSyncPolicyAuto || value->syncPolicy > cudaSyncPolicyBlockingSync) return false;
        kept->sync_policy = value->syncPolicy;
        return true;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        if ((unsigned)value->clusterSchedulingPolicyPreference > cudaClusterSchedulingPolicyLoadBalancing) return false;
        kept->scheduling = value->clusterSchedulingPolicyPreference;
        return true;
    case cudaLaunchAttributePriority: kept->priority = attributes_priority(value->priority); return true;
    case cudaLaunchAttributePreferredSharedMemoryCarveout: kept->carveout = value->sharedMemCarveout; return true;
    case cudaLaunchAttributeMemSyncDomainMap: kept->map = value->memSyncDomainMap; return kept->has_map = true;
    case cudaLaunchAttributeMemSyncDomain:
        if ((unsigned)value->memSyncDomain > cudaLaunchMemSyncDomainRemote) return false;
        kept->domain = value->memSyncDomain;
        return true;
    }
    return false;
}
