/* library_calls.c: the runtime's calls for kernels by handles: the program's own, and those of libraries that it loads, which are the driver API's modules. */
#include "runtime/driver_module.h"
#include "runtime/image.h"

/* --- a kernel --- */

static API_CALL(find_kernel, (const void *stub, ImageKernel **found), (stub, found));
static cudaError_t find_kernel_locked(Context *context, const void *stub, ImageKernel **found) {
    cudaError_t error;
    *found = image_kernel(context, stub, &error);
    return error;
}

cudaError_t cudaFuncGetName(const char **name, const void *stub) {
    CALLSITE_BEGIN();
    ImageKernel *kernel = NULL;
    if (!name) return api_end(NULL, cudaErrorInvalidValue);
    const cudaError_t error = find_kernel(stub, &kernel);
    if (!error) *name = kernel->name;
    return error;
}

cudaError_t cudaFuncGetParamInfo(const void *stub, size_t index, size_t *offset, size_t *bytes) {
    CALLSITE_BEGIN();
    ImageKernel *kernel = NULL;
    const cudaError_t error = find_kernel(stub, &kernel);
    return error ? error : api_end(NULL, driver_module_parameter(kernel, index, offset, bytes));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *stub) {
    CALLSITE_BEGIN();
    return function ? find_kernel(stub, (ImageKernel **)function) : api_end(NULL, cudaErrorInvalidValue);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *stub) {
    CALLSITE_BEGIN();
    return kernel ? find_kernel(stub, (ImageKernel **)kernel) : api_end(NULL, cudaErrorInvalidValue);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value, int device) {
    CALLSITE_BEGIN();
    if (!kernel || device) return api_end(NULL, device ? cudaErrorInvalidDevice : cudaErrorInvalidResourceHandle);
    return cudaFuncSetAttribute(kernel, attribute, value);
}

/* --- libraries --- */

static bool has_lists(const void *first, const void *second, unsigned count) { return !count || (first && second); }

/* Stands before NAME_called, which does what the call does. Of its options none changes what is loaded. */
#define LOAD_CALL(name, parameters, arguments)         \
    static cudaError_t name##_called parameters;       \
    cudaError_t name parameters {                      \
        CALLSITE_BEGIN();                              \
        return api_end(NULL, name##_called arguments); \
    }

LOAD_CALL(cudaLibraryLoadData,
          (cudaLibrary_t * library, const void *code, enum cudaJitOption *jit_options, void **jit_values, unsigned jit_count,
           enum cudaLibraryOption *options, void **values, unsigned count),
          (library, code, jit_options, jit_values, jit_count, options, values, count))
static cudaError_t cudaLibraryLoadData_called(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options,
                                              void **jit_values, unsigned jit_count, enum cudaLibraryOption *options,
                                              void **values, unsigned count) {
    if (!library || !code || !has_lists(jit_options, jit_values, jit_count) || !has_lists(options, values, count))
        return cudaErrorInvalidValue;
    const ModuleSource source = {.data = code, .jit = {jit_count, (const CUjit_option *)jit_options, jit_values}};
    return driver_module_load(source, (Image **)library);
}

LOAD_CALL(cudaLibraryLoadFromFile,
          (cudaLibrary_t * library, const char *path, enum cudaJitOption *jit_options, void **jit_values, unsigned jit_count,
           enum cudaLibraryOption *options, void **values, unsigned count),
          (library, path, jit_options, jit_values, jit_count, options, values, count))
static cudaError_t cudaLibraryLoadFromFile_called(cudaLibrary_t *library, const char *path, enum cudaJitOption *jit_options,
                                                  void **jit_values, unsigned jit_count, enum cudaLibraryOption *options,
                                                  void **values, unsigned count) {
    if (!library || !path || !has_lists(jit_options, jit_values, jit_count) || !has_lists(options, values, count))
        return cudaErrorInvalidValue;
    return driver_module_load_file(path, NULL, (Image **)library);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
    CALLSITE_BEGIN();
    return driver_module_unload(library);
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
    CALLSITE_BEGIN();
    return driver_module_kernel((ImageKernel **)kernel, library, name);
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library) {
    CALLSITE_BEGIN();
    return driver_module_list(NULL, count, library);
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned count, cudaLibrary_t library) {
    CALLSITE_BEGIN();
    return kernels ? driver_module_list((const void **)kernels, &count, library) : api_end(NULL, cudaErrorInvalidValue);
}

cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name) {
    CALLSITE_BEGIN();
    return driver_module_global((CUdeviceptr *)pointer, bytes, library, name);
}

/* Variables of libraries are the device's own here. */
cudaError_t cudaLibraryGetManaged(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name) {
    CALLSITE_BEGIN();
    CUdeviceptr found;
    const cudaError_t error = pointer || bytes ? driver_module_global(&found, NULL, library, name) : cudaErrorInvalidValue;
    return api_end(NULL, error ? error : cudaErrorSymbolNotFound);
}

/* No function is host and device code in one. */
cudaError_t cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library, const char *name) {
    CALLSITE_BEGIN();
    unsigned count;
    if (!function || !name) return api_end(NULL, cudaErrorInvalidValue);
    const cudaError_t error = driver_module_list(NULL, &count, library);
    return error ? error : api_end(NULL, cudaErrorInvalidValue);
}
