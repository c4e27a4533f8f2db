// The driver API: contexts, a module of PTX text, launches by both kinds of parameter lists, copies, fills, streams, events; and what wrong arguments
// get. Links with -lcuda.
#include <cstdio>
#include <cstring>
#include <cuda.h>

static const char ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 factor = 3;
.visible .entry scale(.param .u64 scale_param_0, .param .u32 scale_param_1)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [scale_param_0];
    ld.param.u32 %r0, [scale_param_1];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.u32 %r1, %r2, %r3, %r1;
    setp.ge.u32 %p, %r1, %r0;
    @%p bra DONE;
    cvta.to.global.u64 %rd0, %rd0;
    mul.wide.u32 %rd1, %r1, 4;
    add.u64 %rd2, %rd0, %rd1;
    ld.global.u32 %r4, [%rd2];
    ld.global.u32 %r5, [factor];
    mul.lo.u32 %r4, %r4, %r5;
    st.global.u32 [%rd2], %r4;
DONE:
    ret;
}
)";

static int failures = 0;

static void expect_as(int line, CUresult got, CUresult expected) {
    const char *name = "?", *wanted = "?";
    if (got == expected) return;
    cuGetErrorName(got, &name);
    cuGetErrorName(expected, &wanted);
    printf("line %d: %s, expected %s\n", line, name, wanted);
    failures++;
}
#define EXPECT(call, expected) expect_as(__LINE__, call, expected)
#define GOOD(call) expect_as(__LINE__, call, CUDA_SUCCESS)
#define HOLDS(what) (what) ? 0 : (printf("line %d: not %s\n", __LINE__, #what), failures++)

enum { N = 100 };

static void before_and_contexts(CUcontext *made) {
    CUcontext primary, current;
    CUdevice device;
    CUdeviceptr pointer;
    int count = 0, active;
    unsigned flags;
    char name[64];
    EXPECT(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    GOOD(cuInit(0));
    GOOD(cuDeviceGetCount(&count));
    HOLDS(count >= 1);
    EXPECT(cuDeviceGet(&device, 1000), CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuDeviceGet(NULL, 0), CUDA_ERROR_INVALID_VALUE);
    GOOD(cuDeviceGet(&device, 0));
    GOOD(cuDeviceGetName(name, sizeof name, device));
    HOLDS(strncmp(name, "NVIDIA", 6) == 0);
    EXPECT(cuMemAlloc(&pointer, 16), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuDevicePrimaryCtxRelease(device), CUDA_ERROR_INVALID_CONTEXT);
    GOOD(cuDevicePrimaryCtxGetState(device, &flags, &active));
    HOLDS(!active);
    GOOD(cuDevicePrimaryCtxRetain(&primary, device));
    GOOD(cuCtxGetCurrent(&current));
    HOLDS(!current);
    GOOD(cuCtxSetCurrent(primary));
    GOOD(cuMemAlloc(&pointer, 16));
    EXPECT(cuMemAlloc(&pointer, 0), CUDA_ERROR_INVALID_VALUE);
    GOOD(cuMemFree(pointer));
    GOOD(cuCtxPopCurrent(&current));
    HOLDS(current == primary);
    EXPECT(cuCtxPopCurrent(&current), CUDA_ERROR_INVALID_CONTEXT);
    GOOD(cuDevicePrimaryCtxRelease(device));
#if CUDA_VERSION >= 13000
    GOOD(cuCtxCreate(made, NULL, 0, device));
#else
    GOOD(cuCtxCreate(made, 0, device));
#endif
    GOOD(cuCtxGetCurrent(&current));
    HOLDS(current == *made);
}

static void modules(CUmodule *module, CUfunction *scale, CUdeviceptr *factor) {
    size_t bytes = 0, offset = 0;
    int threads = 0;
    char log[256] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    EXPECT(cuModuleLoad(module, "/no/such/module.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
    EXPECT(cuModuleLoadData(module, NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuModuleLoadData(module, "no module at all"), CUDA_ERROR_INVALID_IMAGE);
    GOOD(cuModuleLoadDataEx(module, ptx, 2, options, values));
    EXPECT(cuModuleGetFunction(scale, *module, "scales"), CUDA_ERROR_NOT_FOUND);
    GOOD(cuModuleGetFunction(scale, *module, "scale"));
    EXPECT(cuModuleGetGlobal(factor, &bytes, *module, "factors"), CUDA_ERROR_NOT_FOUND);
    GOOD(cuModuleGetGlobal(factor, &bytes, *module, "factor"));
    HOLDS(bytes == 4);
    GOOD(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, *scale));
    HOLDS(threads == 1024);
    GOOD(cuFuncGetParamInfo(*scale, 1, &offset, &bytes)); // after eight bytes of the pointer
    HOLDS(offset == 8 && bytes == 4);
    EXPECT(cuFuncGetParamInfo(*scale, 2, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);
}

static void launches(CUfunction scale, CUdeviceptr factor) {
    CUdeviceptr data;
    CUstream stream;
    CUevent begin, end;
    unsigned numbers[N], n = N, five = 5;
    float ms = -1;
    int wrong = 0;
    GOOD(cuMemAlloc(&data, N * 4));
    for (unsigned i = 0; i < N; i++) numbers[i] = i;
    GOOD(cuMemcpyHtoD(data, numbers, sizeof numbers));
    void *parameters[] = {&data, &n};
    GOOD(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL)); // times 3
    GOOD(cuMemcpyHtoD(factor, &five, 4));
    struct {
        CUdeviceptr data;
        unsigned n;
    } packed = {data, N};
    size_t bytes = 12, few = 8;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    GOOD(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    GOOD(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    GOOD(cuEventCreate(&end, CU_EVENT_DEFAULT));
    GOOD(cuCtxSynchronize());
    GOOD(cuEventRecord(begin, stream));
    GOOD(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, stream, NULL, extra)); // the first 64, times 5
    GOOD(cuEventRecord(end, stream));
    GOOD(cuEventSynchronize(end));
    GOOD(cuEventElapsedTime(&ms, begin, end));
    HOLDS(ms >= 0);
    EXPECT(cuLaunchKernel(scale, 1, 1, 1, 2048, 1, 1, 0, NULL, parameters, NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuLaunchKernel(scale, 0, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, extra), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuLaunchKernel(NULL, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL), CUDA_ERROR_INVALID_HANDLE);
    extra[3] = &few; // an H200 reads on behind what it is given, and says nothing
    EXPECT(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra), CUDA_ERROR_INVALID_VALUE);
    GOOD(cuMemcpyDtoH(numbers, data, sizeof numbers));
    for (unsigned i = 0; i < N; i++) wrong += numbers[i] != (i < 64 ? 15 : 3) * i;
    HOLDS(wrong == 0);
    GOOD(cuEventDestroy(begin));
    GOOD(cuEventDestroy(end));
    GOOD(cuStreamDestroy(stream));
    GOOD(cuMemFree(data));
    EXPECT(cuMemFree(data), CUDA_ERROR_INVALID_VALUE);
}

static void fills_and_rows() {
    CUdeviceptr data, start;
    size_t bytes = 0, pitch = 0;
    unsigned char host[64];
    GOOD(cuMemAlloc(&data, 64));
    GOOD(cuMemsetD8(data, 1, 64));
    GOOD(cuMemsetD16(data + 2, 0x0302, 2)); // bytes 2 to 5: 2 3 2 3
    GOOD(cuMemsetD32(data + 8, 0x07060504, 1));
    EXPECT(cuMemsetD32(data + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
    GOOD(cuMemsetD2D16(data + 16, 16, 0x0908, 2, 2)); // bytes 16 to 19 and 32 to 35
    GOOD(cuMemcpyDtoH(host, data, 64));
    HOLDS(memcmp(host, "\1\1\2\3\2\3\1\1\4\5\6\7\1", 13) == 0);
    HOLDS(memcmp(host + 16, "\10\11\10\11\1", 5) == 0 && memcmp(host + 32, "\10\11\10\11\1", 5) == 0);
    GOOD(cuMemGetAddressRange(&start, &bytes, data + 20));
    HOLDS(start == data && bytes == 64);

    CUdeviceptr rows;
    CUDA_MEMCPY2D copy = {};
    GOOD(cuMemAllocPitch(&rows, &pitch, 8, 4, 4));
    HOLDS(pitch >= 8);
    GOOD(cuMemsetD2D8(rows, pitch, 0, 8, 4));
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = data;
    copy.srcPitch = 16;
    copy.srcY = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = rows;
    copy.dstPitch = pitch;
    copy.dstXInBytes = 4;
    copy.WidthInBytes = 4;
    copy.Height = 2;
    GOOD(cuMemcpy2D(&copy));
    GOOD(cuMemcpyDtoH(host, rows + pitch, 8));
    HOLDS(memcmp(host, "\0\0\0\0\10\11\10\11", 8) == 0);
    EXPECT(cuMemsetD2D8(data, (size_t)1 << 63, 1, 1, 3), CUDA_ERROR_INVALID_VALUE); // two pitches are 2^64, which is 0
    EXPECT(cuMemsetD2D32(data, (size_t)1 << 62, 1, 1, 5), CUDA_ERROR_INVALID_VALUE);
    GOOD(cuMemsetD2D8(data, (size_t)1 << 63, 8, 1, 1)); // of one row the pitch says nothing
    copy.WidthInBytes = pitch;
    EXPECT(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAllocPitch(&rows, &pitch, 8, 4, 3), CUDA_ERROR_INVALID_VALUE);
}

static CUcontext another() {
    CUcontext context;
#if CUDA_VERSION >= 13000
    GOOD(cuCtxCreate(&context, NULL, 0, 0));
#else
    GOOD(cuCtxCreate(&context, 0, 0));
#endif
    return context;
}

// What a context has allocated and the program has freed, by whichever call, is not freed again at its end: the host's addresses come again.
static void freed_before_its_context() {
    CUcontext context = another();
    CUdeviceptr pointer;
    void *pinned, *again, *others[8];
    GOOD(cuMemAlloc(&pointer, 1024));
    HOLDS(cudaFree((void *)pointer) == cudaSuccess);
    GOOD(cuMemAllocHost(&pinned, 4096));
    HOLDS(cudaFreeHost(pinned) == cudaSuccess);
    GOOD(cuCtxPopCurrent(NULL));
    for (void *&other : others) HOLDS(cudaMallocHost(&other, 4096) == cudaSuccess);
    GOOD(cuCtxDestroy(context));
    for (void *other : others) HOLDS(cudaFreeHost(other) == cudaSuccess);
    context = another();
    GOOD(cuMemAllocHost(&again, 4096));
    GOOD(cuMemAlloc(&pointer, 1024));
    HOLDS(cudaDeviceReset() == cudaSuccess);
    GOOD(cuCtxDestroy(context));
    HOLDS(cudaGetLastError() == cudaSuccess);
}

#if CUDA_VERSION >= 12000
static void library_of_no_context() {
    CUcontext context = another();
    CUlibrary library;
    CUkernel kernel;
    GOOD(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    GOOD(cuCtxDestroy(context));
    GOOD(cuLibraryGetKernel(&kernel, library, "scale"));
    GOOD(cuLibraryUnload(library));
}

// By its name, and as the runtime gives it out: nine columns of two bytes and four rows, 32 bytes from row to row.
static void tensor_maps() {
    typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                               const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                               CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    alignas(64) CUtensorMap maps[2];
    void *given = NULL, *data = NULL;
    cudaDriverEntryPointQueryResult result;
    cuuint64_t size[] = {9, 4}, stride[] = {32}, uneven[] = {18};
    cuuint32_t box[] = {16, 4}, step[] = {1, 1};
    HOLDS(cudaMalloc(&data, 128) == cudaSuccess);
    HOLDS(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &given, 12000, cudaEnableDefault, &result) == cudaSuccess);
    const Encode calls[] = {cuTensorMapEncodeTiled, (Encode)given};
    for (int i = 0; i < 2; i++) {
        GOOD(calls[i](&maps[i], CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, size, stride, box, step,
                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
        EXPECT(calls[i](&maps[i], CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, size, uneven, box, step,
                        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
               CUDA_ERROR_INVALID_VALUE); // strides are multiples of 16
    }
    HOLDS(memcmp(&maps[0], &maps[1], sizeof maps[0]) == 0);
    HOLDS(cudaFree(data) == cudaSuccess);
}
#else
static void library_of_no_context() {}
static void tensor_maps() {}
#endif

int main() {
    CUcontext context;
    CUmodule module;
    CUfunction scale;
    CUdeviceptr factor;
    const char *text = "";
    before_and_contexts(&context);
    modules(&module, &scale, &factor);
    launches(scale, factor);
    fills_and_rows(); // what it leaves goes with the context
    GOOD(cuModuleUnload(module));
    GOOD(cuCtxDestroy(context));
    EXPECT(cuMemAlloc(&factor, 16), CUDA_ERROR_INVALID_CONTEXT);
    library_of_no_context();
    tensor_maps();
    freed_before_its_context();
    GOOD(cuGetErrorString(CUDA_ERROR_INVALID_PTX, &text));
    HOLDS(strcmp(text, "a PTX JIT compilation failed") == 0);
    EXPECT(cuGetErrorString((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
    if (!failures) printf("ok\n");
    return failures != 0;
}
