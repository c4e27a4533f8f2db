/* Kernels' attributes and occupancy. */
#include "machine/grid.h"
#include "runtime/image.h"

static uint64_t static_shared(const ImageKernel *kernel) { return image_known(kernel)->reach.shared_static; }

static int most_threads(const Function *function) {
    const uint32_t *bounds = function->required_threads[0] ? function->required_threads : function->max_threads;
    if (!bounds[0]) return 1024;
    uint64_t threads = (uint64_t)bounds[0] * bounds[1] * bounds[2];
    return threads < 1024 ? (int)threads : 1024;
}

/* The dynamic shared memory that a launch may request at present. */
static uint64_t dynamic_limit(const Context *context, const ImageKernel *kernel) {
    uint64_t fixed = static_shared(kernel), most = context->options.profile->shared_per_block_default;
    if (kernel->shared_limit > 0) return (uint64_t)kernel->shared_limit;
    return fixed < most ? most - fixed : 0;
}

/* numRegs is an estimate (see grid_registers) within ptxas's range of 16 to 255; occupancy here does not depend on it. */
static int registers_of(const ImageKernel *kernel) {
    uint32_t registers = grid_registers(image_known(kernel), kernel->image->module);
    return registers < 16 ? 16 : registers > 255 ? 255 : (int)registers;
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
    const Program *program = kernel->image->program;
    size_t constant = 0;
    for (uint32_t v = 0; v < program->n_variables; v++)
        if (program->variables[v].space == SPACE_CONST) constant += program->variables[v].bytes;
    const Profile *profile = context->options.profile;
    *attributes = (struct cudaFuncAttributes){.sharedSizeBytes = static_shared(kernel),
                                              .constSizeBytes = constant,
                                              .localSizeBytes = kernel->function->frame_bytes,
                                              .maxThreadsPerBlock = most_threads(kernel->function),
                                              .numRegs = registers_of(kernel),
                                              .ptxVersion = (int)program->target,
                                              .binaryVersion = (int)(10 * profile->compute_major + profile->compute_minor),
                                              .maxDynamicSharedSizeBytes = (int)dynamic_limit(context, kernel),
                                              .preferredShmemCarveout = kernel->carveout,
                                              .clusterDimMustBeSet = kernel->function->explicit_cluster,
                                              .requiredClusterWidth = (int)kernel->function->cluster[0],
                                              .requiredClusterHeight = (int)kernel->function->cluster[1],
                                              .requiredClusterDepth = (int)kernel->function->cluster[2],
                                              .nonPortableClusterSizeAllowed = kernel->wide_clusters};
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
        if (value < 0 || static_shared(kernel) + (uint64_t)value > context->options.profile->shared_per_block)
            return cudaErrorInvalidValue;
        kernel->shared_limit = value;
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout: /* stored; the model uses the carve-out that the resident blocks need */
        if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared) return cudaErrorInvalidValue;
        kernel->carveout = value;
        return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed: kernel->wide_clusters = value != 0; return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference: return cudaSuccess;
    case cudaFuncAttributeClusterDimMustBeSet:
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
        note("cudaFuncSetAttribute: a kernel's own cluster size is emulated where it is compiled with it, __cluster_dims__");
        return cudaErrorNotSupported;
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

API_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
         (int *blocks, const void *stub, int threads, size_t shared_bytes, unsigned flags),
         (blocks, stub, threads, shared_bytes, flags));
static cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_locked(Context *context, int *blocks,
                                                                                 const void *stub, int threads,
                                                                                 size_t shared_bytes, unsigned flags) {
    cudaError_t error;
    const ImageKernel *kernel = kernel_asked(context, stub, &error);
    if (!kernel) return error;
    if (!blocks || threads <= 0 || flags & ~(unsigned)cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
    bool fits = threads <= 1024 && shared_bytes <= dynamic_limit(context, kernel);
    uint32_t shared = (uint32_t)(static_shared(kernel) + (fits ? shared_bytes : 0));
    *blocks = fits ? (int)profile_resident_blocks(context->options.profile, (uint32_t)threads, shared) : 0;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads, size_t shared_bytes) {
    CALLSITE_BEGIN();
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, shared_bytes, cudaOccupancyDefault);
}
