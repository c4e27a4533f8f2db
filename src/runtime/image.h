/* image.h: the device code of one translation unit, or of several that are linked, which their host code registers before main: kernels and variables. The PTX is parsed
 * when one of them is first used. Internal to src/runtime. */
#pragma once

#include "kernel/kernel.h"
#include "machine/module.h"
#include "runtime/context.h"

typedef struct Image {
    struct Image *next;
    const void **data; /* what the compiler embedded: one of each translation unit */
    size_t n_data;
    Program *program; /* NULL until loaded */
    Module *module;
    cudaError_t error; /* why it cannot be loaded: printed once, returned at every use */
    char compiler[40]; /* "nvcc 13.0"; "" when unknown */
    char *name;        /* in messages, of a module that the program loads; NULL: it is the program's own */
    bool nested;       /* its kernels call what nested.c answers */
    const void *owner; /* the driver API's context that it is loaded in */
    char *source_path; /* of the file that most kernels come from, or NULL */
    char *source_text;
    struct ImageKernel *kernels;
    struct DeviceVariable *variables;
} Image;

typedef struct ImageKernel {
    struct ImageKernel *next;
    Image *image;
    const void *stub; /* the host function that stands for it */
    char *name;       /* mangled */
    const Function *function;
    int shared_limit; /* bytes of dynamic shared memory, as cudaFuncSetAttribute set it; -1: what every kernel may have */
    int wide_clusters; /* of more blocks than every device has, where it is not 0: cudaFuncAttributeNonPortableClusterSizeAllowed */
    uint32_t cluster[3]; /* that the program set for its launches: cudaFuncAttributeRequiredClusterWidth … */
    int scheduling;      /* of clusters, likewise */
    int carveout;        /* as cudaFuncSetAttribute set it; -1: no preference */
    bool loaded;         /* as a GPU has it: launched, or asked about */
    bool strayed;        /* a launch of it has: from then on all its reads leave marks */
    FindingLog findings; /* of all its launches, each once: what ended one as well */
    char **names;        /* its parameters' names in the source; NULL until looked up, and NULL for a name that is not known */
} ImageKernel;

typedef struct DeviceVariable {
    struct DeviceVariable *next;
    const void *host; /* the host variable that stands for it */
    char *name;
    size_t bytes;
    void **managed;         /* __managed__: where the host keeps the variable's address; else NULL */
    Allocation *allocation; /* NULL until loaded */
} DeviceVariable;

/* What is known of it. */
static inline const Kernel *image_known(const ImageKernel *kernel) {
    return kernel_prepare(kernel->image->program, kernel->function);
}

/* The size of a launch's clusters: what the launch names, or what the program set for all of the kernel's, of which 1 is what that leaves out; or 0. */
void image_cluster(const ImageKernel *kernel, const uint32_t named[3], uint32_t cluster[3]);

/* The registered kernel or variable, its image loaded; NULL and an error otherwise. */
ImageKernel *image_kernel(Context *context, const void *stub, cudaError_t *error);
DeviceVariable *image_variable(Context *context, const void *host, cudaError_t *error);

/* Its kernel that is this function of its program; NULL: it is none. */
ImageKernel *image_kernel_at(const Image *image, uint64_t function);

/* Loads a module of these texts, which are copied, and makes kernels and variables of all that it defines; NULL with a message otherwise. */
Image *image_load_module(Context *context, const ProgramText *texts, size_t count, Diag *diag);

/* Its variables go, and none of its handles is one any more; what the report says of its kernels stays. */
void image_unload_module(Context *context, Image *image);

/* The variable of which the host has something else at this address, as its code reads and writes it; or NULL. */
const DeviceVariable *image_variable_at(const Context *context, uint64_t host);

/* The variable of this name, which may be any address; or NULL. */
const DeviceVariable *image_variable_named(const Context *context, const char *name);

void image_reset(Context *context); /* gives variables their initial values again, and kernels their attributes */

/* The name of the kernel's parameter in the source, or NULL. */
const char *image_parameter(ImageKernel *kernel, uint32_t index);
