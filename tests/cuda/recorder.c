/* A runtime that only prints how it was called; the kernels' arguments are those of recorded.cu. */
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

typedef struct Wrapper {
    unsigned int magic, version;
    const void *data;
    void *unused;
} Wrapper;

static const char *names[16];
static const void *addresses[16];
static int count;
static dim3 grid, block;
static size_t shared;
static cudaStream_t stream;

static const char *name_of(const void *address) {
    for (int i = 0; i < count; i++) {
        if (addresses[i] == address) return names[i];
    }
    return "unknown";
}

static void note(const void *address, const char *name) {
    names[count] = name;
    addresses[count++] = address;
}

/* As our runtime does (warpscope/runtime_mark.h). */
extern const char link_this_program_with_warpscope_cc;
const char link_this_program_with_warpscope_cc = 1;

void **__cudaRegisterFatBinary(void *data);
void **__cudaRegisterFatBinary(void *data) {
    const Wrapper *wrapper = data;
    const char *text = wrapper->data;
    unsigned int magic;
    memcpy(&magic, text, sizeof magic);
    printf("wrapper %x version %u: %s\n", wrapper->magic, wrapper->version,
           strncmp(text, "//", 2) == 0 && strstr(text, ".entry") ? "PTX"
           : magic == 0xba55ed50                                 ? "fat binary"
                                                                 : "unknown");
    return NULL;
}
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }
char __cudaInitModule(void **handle);
char __cudaInitModule(void **handle) { return handle == NULL; }

void __cudaRegisterFunction(void **handle, const char *address, char *device_address, const char *name, int limit, void *tid,
                            void *bid, void *bdim, void *gdim, int *size);
void __cudaRegisterFunction(void **handle, const char *address, char *device_address, const char *name, int limit, void *tid,
                            void *bid, void *bdim, void *gdim, int *size) {
    (void)handle, (void)device_address, (void)limit, (void)tid, (void)bid, (void)bdim, (void)gdim, (void)size;
    note(address, name);
}
void __cudaRegisterVar(void **handle, char *address, char *device_address, const char *name, int external, size_t bytes,
                       int constant, int global);
void __cudaRegisterVar(void **handle, char *address, char *device_address, const char *name, int external, size_t bytes,
                       int constant, int global) {
    (void)handle, (void)device_address, (void)external, (void)global;
    note(address, name);
    printf("variable %s: %zu bytes%s\n", name, bytes, constant ? ", constant" : "");
}

unsigned int __cudaPushCallConfiguration(dim3 wanted_grid, dim3 wanted_block, size_t bytes, void *wanted_stream);
unsigned int __cudaPushCallConfiguration(dim3 wanted_grid, dim3 wanted_block, size_t bytes, void *wanted_stream) {
    grid = wanted_grid;
    block = wanted_block;
    shared = bytes;
    stream = wanted_stream;
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *to_grid, dim3 *to_block, size_t *bytes, void *to_stream);
cudaError_t __cudaPopCallConfiguration(dim3 *to_grid, dim3 *to_block, size_t *bytes, void *to_stream) {
    *to_grid = grid;
    *to_block = block;
    *bytes = shared;
    *(cudaStream_t *)to_stream = stream;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 g, dim3 b, void **arguments, size_t bytes, cudaStream_t on) {
    printf("%s <<<(%u,%u,%u), (%u,%u,%u), %zu, %zu>>>", name_of(kernel), g.x, g.y, g.z, b.x, b.y, b.z, bytes, (size_t)on);
    printf(" %p %d", *(void **)arguments[0], *(int *)arguments[1]);
    if (strstr(name_of(kernel), "scale")) printf(" %g", *(double *)arguments[2]);
    puts("");
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *address);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *address) {
    *kernel = (cudaKernel_t)address;
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 g, dim3 b, void **arguments, size_t bytes, cudaStream_t on);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 g, dim3 b, void **arguments, size_t bytes, cudaStream_t on) {
    return cudaLaunchKernel(kernel, g, b, arguments, bytes, on);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
    printf("to %s: %zu bytes at %zu from %p, kind %d\n", name_of(symbol), bytes, offset, from, kind);
    return cudaSuccess;
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
    printf("from %s%s: %zu bytes at %zu, kind %d\n", name_of(symbol), to == symbol ? " to its shadow" : "", bytes, offset,
           kind);
    return cudaSuccess;
}
