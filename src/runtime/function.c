#include "runtime/function.h"

#include "machine/grid.h"
#include "runtime/replay.h"

uint64_t function_shared(const ImageKernel *kernel) { return image_known(kernel)->reach.shared_static; }

static int most_threads(const Function *function) {
    const uint32_t *bounds = function->required_threads[0] ? function->required_threads : function->max_threads;
    if (!bounds[0]) return 1024;
    uint64_t threads = (uint64_t)bounds[0] * bounds[1] * bounds[2];
    return threads < 1024 ? (int)threads : 1024;
}

/* Until the program sets another. */
static uint64_t usual_limit(const Context *context, const ImageKernel *kernel) {
    const uint64_t fixed = function_shared(kernel), most = context->options.profile->shared_per_block_default;
    return fixed < most ? most - fixed : 0;
}

uint64_t function_dynamic_limit(const Context *context, const ImageKernel *kernel) {
    return kernel->shared_limit >= 0 ? (uint64_t)kernel->shared_limit : usual_limit(context, kernel);
}

uint64_t function_counted_limit(const Context *context, const ImageKernel *kernel) {
    const uint64_t usual = usual_limit(context, kernel), limit = function_dynamic_limit(context, kernel);
    return usual > limit ? usual : limit;
}

/* numRegs is an estimate (see grid_registers) within ptxas's range of 16 to 255; occupancy here does not depend on it. */
static int registers_of(const ImageKernel *kernel) {
    uint32_t registers = grid_registers(image_known(kernel), kernel->image->module);
    return registers < 16 ? 16 : registers > 255 ? 255 : (int)registers;
}

struct cudaFuncAttributes function_attributes(const Context *context, const ImageKernel *kernel) {
    const Program *program = kernel->image->program;
    size_t constant = 0;
    for (uint32_t v = 0; v < program->n_variables; v++)
        if (program->variables[v].space == SPACE_CONST) constant += program->variables[v].bytes;
    const Profile *profile = context->options.profile;
    const uint32_t *cluster = kernel->function->cluster[0] ? kernel->function->cluster : kernel->cluster;
    return (struct cudaFuncAttributes){.sharedSizeBytes = function_shared(kernel),
                                       .constSizeBytes = constant,
                                       .localSizeBytes = kernel->function->frame_bytes,
                                       .maxThreadsPerBlock = most_threads(kernel->function),
                                       .numRegs = registers_of(kernel),
                                       .ptxVersion = (int)program->target,
                                       .binaryVersion = (int)(10 * profile->compute_major + profile->compute_minor),
                                       .maxDynamicSharedSizeBytes = (int)function_dynamic_limit(context, kernel),
                                       .preferredShmemCarveout = kernel->carveout,
                                       .clusterDimMustBeSet = kernel->function->explicit_cluster,
                                       .requiredClusterWidth = (int)cluster[0],
                                       .requiredClusterHeight = (int)cluster[1],
                                       .requiredClusterDepth = (int)cluster[2],
                                       .clusterSchedulingPolicyPreference = kernel->scheduling,
                                       .nonPortableClusterSizeAllowed = kernel->wide_clusters};
}

int function_resident(const Context *context, const ImageKernel *kernel, int threads, size_t shared_bytes) {
    if (threads > 1024 || shared_bytes > function_counted_limit(context, kernel)) return 0;
    const uint32_t shared = (uint32_t)(function_shared(kernel) + shared_bytes);
    return (int)profile_resident_blocks(context->options.profile, (uint32_t)threads, shared);
}

static ImageKernel *kernel_asked(Context *context, const void *stub, cudaError_t *error) {
    ImageKernel *kernel = image_kernel(context, stub, error);
    if (kernel) kernel->loaded = true;
    return kernel;
}

API_CALL(cudaFuncGetAttributes, (struct cudaFuncAttributes * attributes, const void *stub), (attributes, stub));
static cudaError_t cudaFuncGetAttributes_locked(Context *context, struct cudaFuncAttributes *attributes, const void *stub) {
    cudaError_t error;
    const ImageKernel *kernel = kernel_asked(context, stub, &error);
    if (!kernel) return error;
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = function_attributes(context, kernel);
    return cudaSuccess;
}

/* What kernels are set to decides what others that ask for it do, or launch them: no launch of before stands for one of later. */
static cudaError_t set_kept(Context *context, int *kept, int value) {
    if (*kept != value) replay_forget(context);
    *kept = value;
    return cudaSuccess;
}

/* What a kernel is compiled with, __cluster_dims__, stays. Launches in clusters of another size are others. */
static cudaError_t set_cluster(Context *context, ImageKernel *kernel, unsigned dimension, int value) {
    const uint32_t *own = kernel->function->cluster;
    if (value < 0 || (own[0] && own[dimension] != (uint32_t)value)) return cudaErrorInvalidValue;
    if (kernel->cluster[dimension] != (uint32_t)value) replay_forget(context);
    kernel->cluster[dimension] = (uint32_t)value;
    return cudaSuccess;
}

API_CALL(cudaFuncSetAttribute, (const void *stub, enum cudaFuncAttribute attribute, int value), (stub, attribute, value));
static cudaError_t cudaFuncSetAttribute_locked(Context *context, const void *stub, enum cudaFuncAttribute attribute,
                                               int value) {
    cudaError_t error;
    ImageKernel *kernel = kernel_asked(context, stub, &error);
    if (!kernel) return error;
    switch ((int)attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || function_shared(kernel) + (uint64_t)value > context->options.profile->shared_per_block)
            return cudaErrorInvalidValue;
        return set_kept(context, &kernel->shared_limit, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout: /* stored; the model uses the carve-out that the resident blocks need */
        if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared) return cudaErrorInvalidValue;
        return set_kept(context, &kernel->carveout, value);
    case cudaFuncAttributeNonPortableClusterSizeAllowed: return set_kept(context, &kernel->wide_clusters, value);
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        if ((unsigned)value > cudaClusterSchedulingPolicyLoadBalancing) return cudaErrorInvalidValue;
        return set_kept(context, &kernel->scheduling, value);
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
        return set_cluster(context, kernel, (unsigned)attribute - cudaFuncAttributeRequiredClusterWidth, value);
    }
    return cudaErrorInvalidValue;
}

/* A preference that is checked, and changes nothing: caches and banks are those of the profile. */
static API_CALL(check_config, (const void *stub, unsigned config, unsigned greatest), (stub, config, greatest));
static cudaError_t check_config_locked(Context *context, const void *stub, unsigned config, unsigned greatest) {
    cudaError_t error;
    if (!kernel_asked(context, stub, &error)) return error;
    return config > greatest ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *stub, enum cudaFuncCache config) {
    CALLSITE_BEGIN();
    return check_config(stub, config, cudaFuncCachePreferEqual);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *stub, enum cudaSharedMemConfig config) {
    CALLSITE_BEGIN();
    return check_config(stub, config, cudaSharedMemBankSizeEightByte);
}
