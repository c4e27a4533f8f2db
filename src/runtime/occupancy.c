/* occupancy.c: how many blocks and clusters are resident together. Registers, which PTX does not tell, are not counted. */
#include <string.h>

#include "machine/grid.h"
#include "runtime/function.h"

API_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
         (int *blocks, const void *stub, int threads, size_t shared_bytes, unsigned flags),
         (blocks, stub, threads, shared_bytes, flags));
static cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_locked(Context *context, int *blocks,
                                                                                 const void *stub, int threads,
                                                                                 size_t shared_bytes, unsigned flags) {
    cudaError_t error;
    ImageKernel *kernel = image_kernel(context, stub, &error);
    if (!kernel) return error;
    kernel->loaded = true;
    if (!blocks || threads <= 0 || flags & ~(unsigned)cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
    *blocks = function_resident(context, kernel, threads, shared_bytes);
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads, size_t shared_bytes) {
    CALLSITE_BEGIN();
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, shared_bytes, cudaOccupancyDefault);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The most that as many blocks may have each, as an H200 says: a multiple of 128 bytes, of which what the system takes of each is not taken off. */
API_CALL(cudaOccupancyAvailableDynamicSMemPerBlock, (size_t * bytes, const void *stub, int blocks, int threads),
         (bytes, stub, blocks, threads));
static cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock_locked(Context *context, size_t *bytes, const void *stub,
                                                                    int blocks, int threads) {
    enum { SHARED_UNIT = 128 };
    cudaError_t error;
    const Profile *profile = context->options.profile;
    const ImageKernel *kernel = image_kernel(context, stub, &error);
    if (!kernel) return error;
    if (!bytes || blocks <= 0 || threads <= 0 || threads > 1024) return cudaErrorInvalidValue;
    const uint64_t fixed = function_shared(kernel);
    if ((uint32_t)blocks > profile_resident_blocks(profile, (uint32_t)threads, (uint32_t)fixed)) return cudaErrorInvalidValue;
    const uint64_t each = profile->shared_per_sm / (uint32_t)blocks / SHARED_UNIT * SHARED_UNIT;
    *bytes = least(least(each, profile->shared_per_block) - fixed, function_dynamic_limit(context, kernel));
    return cudaSuccess;
}

/* --- clusters --- */

enum { CLUSTERED_BLOCKS_MOST = 8 }; /* of an SM that are counted, as an H200 has it, however many are resident */

/* What is asked for: of a launch that could not be there are none, or an error. */
typedef struct ClusterQuestion {
    const ImageKernel *kernel;
    uint32_t size[3];  /* 0: none is asked for */
    uint32_t resident; /* blocks on an SM */
} ClusterQuestion;

static uint32_t most_blocks(const ImageKernel *kernel) {
    return kernel->wide_clusters ? CLUSTER_BLOCKS_MOST : CLUSTER_BLOCKS_PORTABLE;
}

/* That of the launch, or of the kernel, as the program set it or it was compiled. Whether the launch names one. */
static bool take_size(const cudaLaunchConfig_t *config, ClusterQuestion *question) {
    uint32_t named[3] = {0};
    bool asked = false;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const struct WarpscopeClusterSize size = config->attrs[i].val.clusterDim;
        if (config->attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
        memcpy(named, (const uint32_t[]){size.x, size.y, size.z}, sizeof named);
        asked = true;
    }
    if (asked)
        memcpy(question->size, named, sizeof named);
    else
        image_cluster(question->kernel, named, question->size);
    if (!asked && !question->size[0]) memcpy(question->size, question->kernel->function->cluster, sizeof question->size);
    return asked;
}

/* A size that is asked for divides the grid, and is the kernel's own where that has one. */
static bool is_size(const cudaLaunchConfig_t *config, const ClusterQuestion *question, bool asked) {
    const uint32_t *size = question->size, *own = question->kernel->function->cluster;
    const uint32_t grid[] = {config->gridDim.x, config->gridDim.y, config->gridDim.z};
    if (!asked && !size[0]) return true;
    bool good = (uint64_t)size[0] * size[1] * size[2] <= most_blocks(question->kernel);
    for (int d = 0; good && d < 3; d++) good = size[d] && grid[d] % size[d] == 0 && (!own[0] || own[d] == size[d]);
    return good;
}

static cudaError_t cluster_question(Context *context, const void *stub, const cudaLaunchConfig_t *config,
                                    ClusterQuestion *question) {
    cudaError_t error;
    const Profile *profile = context->options.profile;
    const ImageKernel *kernel = image_kernel(context, stub, &error);
    if (!kernel) return error;
    if (!config || (config->numAttrs && !config->attrs)) return cudaErrorInvalidValue;
    if (profile->compute_major < 9) return cudaErrorNotSupported;
    const uint64_t threads = (uint64_t)config->blockDim.x * config->blockDim.y * config->blockDim.z;
    if (!threads || !config->gridDim.x || !config->gridDim.y || !config->gridDim.z) return cudaErrorInvalidValue;
    *question = (ClusterQuestion){.kernel = kernel};
    const bool asked = take_size(config, question);
    if (!is_size(config, question, asked)) return cudaErrorInvalidClusterSize;
    if (threads > 1024 || config->dynamicSmemBytes > function_counted_limit(context, kernel)) return cudaSuccess;
    const uint64_t shared = function_shared(kernel) + config->dynamicSmemBytes;
    question->resident = profile_resident_blocks(profile, (uint32_t)threads, (uint32_t)shared);
    if (question->resident > CLUSTERED_BLOCKS_MOST) question->resident = CLUSTERED_BLOCKS_MOST;
    return cudaSuccess;
}

/* A cluster lies in one GPC. */
static uint32_t clusters_of(const Profile *profile, const ClusterQuestion *question) {
    const uint32_t blocks = question->size[0] * question->size[1] * question->size[2];
    uint32_t clusters = 0;
    for (unsigned gpc = 0; blocks && gpc < GPCS_MOST && profile->merge.gpc_sms[gpc]; gpc++)
        clusters += profile->merge.gpc_sms[gpc] * question->resident / blocks;
    return clusters;
}

API_CALL(cudaOccupancyMaxActiveClusters, (int *clusters, const void *stub, const cudaLaunchConfig_t *config),
         (clusters, stub, config));
static cudaError_t cudaOccupancyMaxActiveClusters_locked(Context *context, int *clusters, const void *stub,
                                                         const cudaLaunchConfig_t *config) {
    ClusterQuestion question;
    const cudaError_t error = cluster_question(context, stub, config, &question);
    if (error) return error;
    if (!clusters) return cudaErrorInvalidValue;
    *clusters = (int)clusters_of(context->options.profile, &question);
    return cudaSuccess;
}

API_CALL(cudaOccupancyMaxPotentialClusterSize, (int *size, const void *stub, const cudaLaunchConfig_t *config),
         (size, stub, config));
static cudaError_t cudaOccupancyMaxPotentialClusterSize_locked(Context *context, int *size, const void *stub,
                                                               const cudaLaunchConfig_t *config) {
    ClusterQuestion question;
    const cudaError_t error = cluster_question(context, stub, config, &question);
    if (error) return error;
    if (!size) return cudaErrorInvalidValue;
    *size = question.resident ? (int)most_blocks(question.kernel) : 0;
    return cudaSuccess;
}
