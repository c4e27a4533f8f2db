#include "runtime/driver_module.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/driver_link.h"
#include "runtime/fatbin.h"
#include "runtime/image.h"
#include "runtime/replay.h"
#include "runtime/submit.h"

#define MODULE_LIMIT ((size_t)256 << 20) /* bytes of a file */

/* A module's handle is its image, and so is a library's; a function's is its kernel. */
static Image *find(const Context *context, const void *handle) {
    for (Image *image = context->images; image; image = image->next)
        if (image == handle && image->name) return image;
    return NULL;
}

/* --- loading --- */

static cudaError_t refuse_binary(Context *context, Diag *diag) {
    context->not_emulated = true;
    diag_say(diag, "it is machine code, which the emulated device does not run");
    diag_hint(diag, "load PTX in its place: nvcc -ptx, or a fat binary with -gencode arch=compute_75,code=compute_75");
    return cudaErrorNoKernelImageForDevice;
}

static bool begins_as(const void *data, const void *magic) { return strncmp(data, magic, sizeof(unsigned)) == 0; }

/* The PTX in what the program has, of which a short text may be all. */
static cudaError_t find_text(Context *context, const ModuleSource *source, ProgramText *text, Diag *diag) {
    static const unsigned wrapped = FATBIN_WRAPPER_MAGIC;
    const Profile *profile = context->options.profile;
    const void *data = begins_as(source->data, &wrapped) ? ((const FatbinWrapper *)source->data)->data : source->data;
    if (begins_as(data, "\177ELF")) return refuse_binary(context, diag);
    text->name = source->name;
    if (fatbin_ptx(data, 10 * profile->compute_major + profile->compute_minor, &text->text, &text->length, diag))
        return cudaSuccess;
    if (!strstr(diag->message, "neither")) context->not_emulated = true; /* a GPU would take it */
    return cudaErrorInvalidKernelImage;
}

/* Of a module, or of all that were linked, in a list to be freed; *count is 0 where there is an error. */
static cudaError_t find_texts(Context *context, const ModuleSource *source, ProgramText **texts, size_t *count, Diag *diag) {
    *count = 0;
    if (driver_link_made(source->data)) {
        *texts = driver_link_texts(source->data, source->bytes, source->name, count);
        return *texts ? cudaSuccess : (diag_say(diag, "what was linked is not whole"), cudaErrorInvalidKernelImage);
    }
    *texts = alloc_zeroed(1, sizeof **texts);
    const cudaError_t error = find_text(context, source, *texts, diag);
    *count = !error;
    return error;
}

static cudaError_t load(Context *context, const ModuleSource *source, Image **image) {
    Diag diag = {0};
    FREED ProgramText *texts = NULL;
    size_t count;
    cudaError_t error = find_texts(context, source, &texts, &count, &diag);
    if (!error && !(*image = image_load_module(context, texts, count, &diag))) {
        context->not_emulated = true;
        error = cudaErrorInvalidPtx;
    }
    LOCAL_TEXT log = {0};
    if (error) {
        LOCAL_TEXT what = text_from("cannot load %s", source->name);
        diag_format(&diag, &log);
        note_diag(text_string(&what), &diag);
    } else {
        (*image)->owner = source->owner;
    }
    const JitLogs logs = jit_logs(source->jit);
    jit_logs_write(&logs, text_string(&log));
    return error;
}

API_CALL(driver_module_load, (ModuleSource source, Image **image), (source, image));
static cudaError_t driver_module_load_locked(Context *context, ModuleSource source, Image **image) {
    if (!image || !source.data || (source.jit.count && (!source.jit.options || !source.jit.values)))
        return cudaErrorInvalidValue;
    LOCAL_TEXT name = text_from("module %u", ++context->modules);
    if (!source.name) source.name = text_string(&name);
    return load(context, &source, image);
}

cudaError_t driver_module_load_file(const char *path, CUcontext owner, Image **image) {
    size_t bytes;
    if (!path || !image) return cudaErrorInvalidValue;
    FREED char *text = text_read_file(path, MODULE_LIMIT, &bytes);
    if (!text) {
        note("%s: '%s' cannot be read: %s", callsite_name(), path, text_file_problem(errno));
        return cudaErrorFileNotFound;
    }
    if (bytes >= 4 && (fatbin_inside(text, bytes + 1) || memcmp(text, "\177ELF", 4) == 0))
        return driver_module_load((ModuleSource){.name = path, .data = text, .bytes = bytes, .owner = owner}, image);
    note("%s: '%s' is not whole", callsite_name(), path);
    return cudaErrorInvalidKernelImage;
}

DRIVER_CALL(DRIVER_CURRENT, cuModuleLoad, (CUmodule * module, const char *path), (module, path)) {
    return driver_module_load_file(path, driver_current(), (Image **)module);
}

DRIVER_CALL(DRIVER_CURRENT, cuModuleLoadData, (CUmodule * module, const void *image), (module, image)) {
    return driver_module_load((ModuleSource){.data = image, .owner = driver_current()}, (Image **)module);
}

DRIVER_CALL(DRIVER_CURRENT, cuModuleLoadDataEx,
            (CUmodule * module, const void *image, unsigned count, CUjit_option *options, void **values),
            (module, image, count, options, values)) {
    return driver_module_load((ModuleSource){.data = image, .owner = driver_current(), .jit = {count, options, values}},
                              (Image **)module);
}

DRIVER_CALL(DRIVER_CURRENT, cuModuleLoadFatBinary, (CUmodule * module, const void *image), (module, image)) {
    return driver_module_load((ModuleSource){.data = image, .owner = driver_current()}, (Image **)module);
}

/* Libraries belong to no context: they are loaded at once, where the driver may wait for their first use. */
DRIVER_CALL(DRIVER_INITIALISED, cuLibraryLoadData,
            (CUlibrary * library, const void *image, CUjit_option *jit_options, void **jit_values, unsigned jit_count,
             CUlibraryOption *options, void **values, unsigned count),
            (library, image, jit_options, jit_values, jit_count, options, values, count)) {
    if (count && (!options || !values)) return cudaErrorInvalidValue;
    return driver_module_load((ModuleSource){.data = image, .jit = {jit_count, jit_options, jit_values}}, (Image **)library);
}

DRIVER_CALL(DRIVER_INITIALISED, cuLibraryLoadFromFile,
            (CUlibrary * library, const char *path, CUjit_option *jit_options, void **jit_values, unsigned jit_count,
             CUlibraryOption *options, void **values, unsigned count),
            (library, path, jit_options, jit_values, jit_count, options, values, count)) {
    if ((jit_count && (!jit_options || !jit_values)) || (count && (!options || !values))) return cudaErrorInvalidValue;
    return driver_module_load_file(path, NULL, (Image **)library);
}

API_CALL(driver_module_unload, (const void *handle), (handle));
static cudaError_t driver_module_unload_locked(Context *context, const void *handle) {
    if (!find(context, handle)) return cudaErrorInvalidResourceHandle;
    const cudaError_t found = stream_wait_until_idle(context);
    Image *image = find(context, handle);
    if (!image) return found ? found : cudaErrorInvalidResourceHandle;
    replay_forget(context);
    image_unload_module(context, image);
    return found;
}

DRIVER_CALL(DRIVER_CURRENT, cuModuleUnload, (CUmodule module), (module)) { return driver_module_unload(module); }

DRIVER_CALL(DRIVER_INITIALISED, cuLibraryUnload, (CUlibrary library), (library)) { return driver_module_unload(library); }

static API_CALL_ALWAYS(unload_owned, (CUcontext owner), (owner));
static cudaError_t unload_owned_locked(Context *context, CUcontext owner) {
    const bool stopped = context->sticky;
    const cudaError_t found = stream_wait_until_idle(context);
    replay_forget(context);
    for (Image *image = context->images, *next; image; image = next) {
        next = image->next;
        if (image->name && image->owner == owner) image_unload_module(context, image);
    }
    return stopped ? cudaSuccess : found;
}

cudaError_t driver_module_unload_all(CUcontext owner) { return unload_owned(owner); }

DRIVER_CALL(DRIVER_ANYTIME, cuModuleGetLoadingMode, (CUmoduleLoadingMode * mode), (mode)) {
    if (!mode) return cudaErrorInvalidValue;
    *mode = CU_MODULE_EAGER_LOADING;
    return cudaSuccess;
}

/* --- what is in it --- */

/* C++ gives kernels names that a program does not expect. */
static void note_mangled(const Image *image, const char *name) {
    for (const ImageKernel *kernel = image->kernels; kernel; kernel = kernel->next) {
        FREED char *plain = program_plain_name(kernel->name);
        if (strcmp(plain, name) != 0) continue;
        note("%s: there is no '%s', but '%s'", callsite_name(), name, kernel->name);
        note_hint("declare the kernel extern \"C\", or ask for it by that name");
        return;
    }
    note("%s: %s has no kernel '%s'", callsite_name(), image->name, name);
}

API_CALL(driver_module_kernel, (ImageKernel * *found, const void *handle, const char *name), (found, handle, name));
static cudaError_t driver_module_kernel_locked(Context *context, ImageKernel **found, const void *handle, const char *name) {
    const Image *image = find(context, handle);
    if (!found || !name) return cudaErrorInvalidValue;
    if (!image) return cudaErrorInvalidResourceHandle;
    for (ImageKernel *kernel = image->kernels; kernel; kernel = kernel->next)
        if (strcmp(kernel->name, name) == 0) return *found = kernel, cudaSuccess;
    note_mangled(image, name);
    return cudaErrorSymbolNotFound;
}

DRIVER_CALL(DRIVER_CURRENT, cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name),
            (function, module, name)) {
    return driver_module_kernel((ImageKernel **)function, module, name);
}

DRIVER_CALL(DRIVER_INITIALISED, cuLibraryGetKernel, (CUkernel * kernel, CUlibrary library, const char *name),
            (kernel, library, name)) {
    return driver_module_kernel((ImageKernel **)kernel, library, name);
}

API_CALL(driver_module_global, (CUdeviceptr * pointer, size_t *bytes, const void *handle, const char *name),
         (pointer, bytes, handle, name));
static cudaError_t driver_module_global_locked(Context *context, CUdeviceptr *pointer, size_t *bytes, const void *handle,
                                               const char *name) {
    const Image *image = find(context, handle);
    if (!name || (!pointer && !bytes)) return cudaErrorInvalidValue;
    if (!image) return cudaErrorInvalidResourceHandle;
    const DeviceVariable *variable = image->variables;
    while (variable && (!variable->allocation || strcmp(variable->name, name) != 0)) variable = variable->next;
    if (!variable) {
        note("%s: %s has no variable '%s'", callsite_name(), image->name, name);
        return cudaErrorSymbolNotFound;
    }
    if (pointer) *pointer = variable->allocation->address;
    if (bytes) *bytes = variable->bytes;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuModuleGetGlobal, (CUdeviceptr * pointer, size_t *bytes, CUmodule module, const char *name),
            (pointer, bytes, module, name)) {
    return driver_module_global(pointer, bytes, module, name);
}

DRIVER_CALL(DRIVER_CURRENT, cuLibraryGetGlobal, (CUdeviceptr * pointer, size_t *bytes, CUlibrary library, const char *name),
            (pointer, bytes, library, name)) {
    return driver_module_global(pointer, bytes, library, name);
}

/* Kernels into as much room as there is; their number where there is no room. */
API_CALL(driver_module_list, (const void **into, unsigned *count, const void *handle), (into, count, handle));
static cudaError_t driver_module_list_locked(Context *context, const void **into, unsigned *count, const void *handle) {
    const Image *image = find(context, handle);
    unsigned n = 0;
    if (!count) return cudaErrorInvalidValue;
    if (!image) return cudaErrorInvalidResourceHandle;
    for (const ImageKernel *kernel = image->kernels; kernel; kernel = kernel->next, n++)
        if (into && n < *count) into[n] = kernel;
    if (!into) *count = n;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuModuleGetFunctionCount, (unsigned *count, CUmodule module), (count, module)) {
    return driver_module_list(NULL, count, module);
}

DRIVER_CALL(DRIVER_CURRENT, cuModuleEnumerateFunctions, (CUfunction * functions, unsigned count, CUmodule module),
            (functions, count, module)) {
    return functions && count ? driver_module_list((const void **)functions, &count, module) : cudaErrorInvalidValue;
}

DRIVER_CALL(DRIVER_INITIALISED, cuLibraryGetKernelCount, (unsigned *count, CUlibrary library), (count, library)) {
    return driver_module_list(NULL, count, library);
}

static API_CALL(get_module, (const void **module, const void *handle), (module, handle));
static cudaError_t get_module_locked(Context *context, const void **module, const void *handle) {
    if (!module) return cudaErrorInvalidValue;
    return (*module = find(context, handle)) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

DRIVER_CALL(DRIVER_CURRENT, cuLibraryGetModule, (CUmodule * module, CUlibrary library), (module, library)) {
    return get_module((const void **)module, library);
}

/* --- functions --- */

API_CALL(driver_module_function, (const void *handle, ImageKernel **kernel), (handle, kernel));
static cudaError_t driver_module_function_locked(Context *context, const void *handle, ImageKernel **kernel) {
    cudaError_t error;
    return (*kernel = handle ? image_kernel(context, handle, &error) : NULL) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

DRIVER_CALL(DRIVER_CURRENT, cuKernelGetFunction, (CUfunction * function, CUkernel kernel), (function, kernel)) {
    return function ? driver_module_function(kernel, (ImageKernel **)function) : cudaErrorInvalidValue;
}

static cudaError_t get_name(const char **name, const void *handle) {
    ImageKernel *kernel = NULL;
    if (!name) return cudaErrorInvalidValue;
    const cudaError_t error = driver_module_function(handle, &kernel);
    if (!error) *name = kernel->name;
    return error;
}

DRIVER_CALL(DRIVER_CURRENT, cuFuncGetName, (const char **name, CUfunction function), (name, function)) {
    return get_name(name, function);
}

DRIVER_CALL(DRIVER_INITIALISED, cuKernelGetName, (const char **name, CUkernel kernel), (name, kernel)) {
    return get_name(name, kernel);
}

DRIVER_CALL(DRIVER_CURRENT, cuFuncGetModule, (CUmodule * module, CUfunction function), (module, function)) {
    ImageKernel *kernel = NULL;
    if (!module) return cudaErrorInvalidValue;
    const cudaError_t error = driver_module_function(function, &kernel);
    if (!error) *module = (CUmodule)kernel->image;
    return error;
}

cudaError_t driver_module_parameter(const void *handle, size_t index, size_t *offset, size_t *bytes) {
    ImageKernel *kernel = NULL;
    if (!offset) return cudaErrorInvalidValue;
    const cudaError_t error = driver_module_function(handle, &kernel);
    if (error) return error;
    if (index >= kernel->function->n_params) return cudaErrorInvalidValue;
    const Variable *parameter = &kernel->image->program->variables[kernel->function->params[index]];
    *offset = parameter->offset;
    if (bytes) *bytes = parameter->bytes;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuFuncGetParamInfo, (CUfunction function, size_t index, size_t *offset, size_t *bytes),
            (function, index, offset, bytes)) {
    return driver_module_parameter(function, index, offset, bytes);
}

DRIVER_CALL(DRIVER_INITIALISED, cuKernelGetParamInfo, (CUkernel kernel, size_t index, size_t *offset, size_t *bytes),
            (kernel, index, offset, bytes)) {
    return driver_module_parameter(kernel, index, offset, bytes);
}

static cudaError_t get_attribute(int *value, CUfunction_attribute attribute, const void *handle) {
    struct cudaFuncAttributes of;
    if (!value) return cudaErrorInvalidValue;
    const cudaError_t error = cudaFuncGetAttributes(&of, handle);
    if (error) return error;
    const int values[] = {of.maxThreadsPerBlock,
                          (int)of.sharedSizeBytes,
                          (int)of.constSizeBytes,
                          (int)of.localSizeBytes,
                          of.numRegs,
                          of.ptxVersion,
                          of.binaryVersion,
                          of.cacheModeCA,
                          of.maxDynamicSharedSizeBytes,
                          of.preferredShmemCarveout,
                          of.clusterDimMustBeSet,
                          of.requiredClusterWidth,
                          of.requiredClusterHeight,
                          of.requiredClusterDepth,
                          of.nonPortableClusterSizeAllowed,
                          of.clusterSchedulingPolicyPreference};
    if ((unsigned)attribute >= sizeof values / sizeof *values) return cudaErrorInvalidValue;
    *value = values[attribute];
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuFuncGetAttribute, (int *value, CUfunction_attribute attribute, CUfunction function),
            (value, attribute, function)) {
    return get_attribute(value, attribute, function);
}

DRIVER_CALL(DRIVER_CURRENT, cuKernelGetAttribute,
            (int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device),
            (value, attribute, kernel, device)) {
    return device ? cudaErrorInvalidDevice : get_attribute(value, attribute, kernel);
}

/* The numbers of those that can be set are the runtime's. */
DRIVER_CALL(DRIVER_CURRENT, cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value),
            (function, attribute, value)) {
    return cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value);
}

DRIVER_CALL(DRIVER_CURRENT, cuKernelSetAttribute, (CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device),
            (attribute, value, kernel, device)) {
    return device ? cudaErrorInvalidDevice : cudaFuncSetAttribute(kernel, (enum cudaFuncAttribute)attribute, value);
}

DRIVER_CALL(DRIVER_CURRENT, cuFuncSetCacheConfig, (CUfunction function, CUfunc_cache config), (function, config)) {
    return cudaFuncSetCacheConfig(function, (enum cudaFuncCache)config);
}

/* Functions are loaded with their modules. */
DRIVER_CALL(DRIVER_CURRENT, cuFuncIsLoaded, (CUfunctionLoadingState * state, CUfunction function), (state, function)) {
    ImageKernel *kernel = NULL;
    if (!state) return cudaErrorInvalidValue;
    const cudaError_t error = driver_module_function(function, &kernel);
    if (!error) *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return error;
}

DRIVER_CALL(DRIVER_CURRENT, cuFuncLoad, (CUfunction function), (function)) {
    ImageKernel *kernel = NULL;
    return driver_module_function(function, &kernel);
}

DRIVER_CALL(DRIVER_CURRENT, cuKernelSetCacheConfig, (CUkernel kernel, CUfunc_cache config, CUdevice device),
            (kernel, config, device)) {
    return device ? cudaErrorInvalidDevice : cudaFuncSetCacheConfig(kernel, (enum cudaFuncCache)config);
}

DRIVER_CALL(DRIVER_INITIALISED, cuKernelGetLibrary, (CUlibrary * library, CUkernel handle), (library, handle)) {
    ImageKernel *kernel = NULL;
    if (!library) return cudaErrorInvalidValue;
    const cudaError_t error = driver_module_function(handle, &kernel);
    if (!error) *library = (CUlibrary)kernel->image;
    return error;
}

DRIVER_CALL(DRIVER_INITIALISED, cuLibraryEnumerateKernels, (CUkernel * kernels, unsigned count, CUlibrary library),
            (kernels, count, library)) {
    return kernels && count ? driver_module_list((const void **)kernels, &count, library) : cudaErrorInvalidValue;
}
