/* Every function that the runtime covers refuses what it must: functions.def makes the list, so that a function without its row here does
 * not compile, nor a row without its function. Expected: the errors that the CUDA Runtime API 13.0 names for the call; for a call for
 * which it names none, what it says of a kernel's fault: "any further CUDA work will return the same error" (cudaErrorIllegalAddress). */
#include "runtime_test.h"
#include "suite.h"

static const char *row; /* the function whose turn it is */
static int refusals;    /* of that function */

/* The call gives the error, which is then the thread's last one. */
static void refuses(cudaError_t expected, cudaError_t got, const char *call) {
    ck_assert_msg(got == expected, "%s gives %s, not %s", call, cudaGetErrorName(got), cudaGetErrorName(expected));
    ck_assert_msg(cudaPeekAtLastError() == expected, "%s is not the last error after %s", cudaGetErrorName(expected), call);
    size_t length = strlen(row);
    refusals += strncmp(call, row, length) == 0 && call[length] == '(';
}

#define REFUSES(error, call) refuses(error, (call), #call)
#define FAILS(name) static void name##_fails(void)

/* What the rows share, made anew for each. */
static char host[64];
static void *device, *pinned, *managed;
static cudaStream_t stream, gone;
static cudaEvent_t event, gone_event;
static cudaGraph_t graph;
static cudaGraphExec_t executable;
#define NO_STREAM ((cudaStream_t)host)
#define NO_EVENT ((cudaEvent_t)host)
static const struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, elsewhere = {cudaMemLocationTypeDevice, 1};
static const dim3 one = {1, 1, 1};

static void prepare(void) {
    runtime_register();
    device = device_memory(64);
    FINE(cudaMallocHost(&pinned, 64));
    FINE(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal));
    FINE(cudaStreamCreate(&stream));
    FINE(cudaEventCreate(&event));
    FINE(cudaEventCreate(&gone_event));
    FINE(cudaEventDestroy(gone_event));
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    FINE(cudaMemsetAsync(device, 0, 4, stream));
    FINE(cudaStreamEndCapture(stream, &graph));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaStreamCreate(&gone));
    FINE(cudaStreamDestroy(gone));
}

/* A kernel writes past the end of device. */
static void fault(void) { FINE(launch_fill(device, 1, 17)); }

/* --- errors --- */

FAILS(cudaGetErrorName) {
    ck_assert_str_eq(cudaGetErrorName((cudaError_t)12345), "unrecognized error code");
    refusals++;
}
FAILS(cudaGetErrorString) {
    ck_assert_str_eq(cudaGetErrorString((cudaError_t)12345), "unrecognized error code");
    refusals++;
}
FAILS(cudaGetLastError) {
    fault();
    REFUSES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    GIVES(cudaErrorIllegalAddress, cudaGetLastError());
    FINE(cudaGetLastError());
    refusals++;
}
FAILS(cudaPeekAtLastError) {
    GIVES(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
    REFUSES(cudaErrorInvalidValue, cudaPeekAtLastError());
}

/* --- devices --- */

FAILS(cudaDriverGetVersion) { REFUSES(cudaErrorInvalidValue, cudaDriverGetVersion(NULL)); }
FAILS(cudaRuntimeGetVersion) { REFUSES(cudaErrorInvalidValue, cudaRuntimeGetVersion(NULL)); }
FAILS(cudaGetDeviceCount) { REFUSES(cudaErrorInvalidValue, cudaGetDeviceCount(NULL)); }
FAILS(cudaGetDevice) { REFUSES(cudaErrorInvalidValue, cudaGetDevice(NULL)); }
FAILS(cudaSetDevice) { REFUSES(cudaErrorInvalidDevice, cudaSetDevice(1)); }
FAILS(cudaInitDevice) {
    REFUSES(cudaErrorInvalidDevice, cudaInitDevice(-1, 0, 0));
    REFUSES(cudaErrorInvalidValue, cudaInitDevice(0, 0, 2));
}
FAILS(cudaSetDeviceFlags) { REFUSES(cudaErrorInvalidValue, cudaSetDeviceFlags(0x1000)); }
FAILS(cudaGetDeviceFlags) { REFUSES(cudaErrorInvalidValue, cudaGetDeviceFlags(NULL)); }
FAILS(cudaGetDeviceProperties) {
    struct cudaDeviceProp properties;
    REFUSES(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 1));
    REFUSES(cudaErrorInvalidValue, cudaGetDeviceProperties(NULL, 0));
}
FAILS(cudaDeviceGetAttribute) {
    int value;
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)100000, 0));
}
FAILS(cudaDeviceGetPCIBusId) {
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(host, sizeof host, 1));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(NULL, 32, 0));
}
FAILS(cudaDeviceSynchronize) {
    fault();
    REFUSES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}
FAILS(cudaDeviceReset) {
    fault();
    FINE(cudaDeviceReset());
    GIVES(cudaErrorIllegalAddress, cudaMalloc(&device, 4)); /* it mends nothing */
    GIVES(cudaErrorIllegalAddress, cudaGetLastError());
    refusals++;
}
FAILS(cudaDeviceSetLimit) { REFUSES(cudaErrorInvalidValue, cudaDeviceSetLimit((enum cudaLimit)99, 1)); }
FAILS(cudaDeviceGetLimit) {
    size_t bytes;
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetLimit(&bytes, (enum cudaLimit)99));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetLimit(NULL, cudaLimitStackSize));
}
FAILS(cudaDeviceSetCacheConfig) { REFUSES(cudaErrorInvalidValue, cudaDeviceSetCacheConfig((enum cudaFuncCache)9)); }
FAILS(cudaDeviceGetCacheConfig) { REFUSES(cudaErrorInvalidValue, cudaDeviceGetCacheConfig(NULL)); }
FAILS(cudaDeviceSetSharedMemConfig) {
    REFUSES(cudaErrorInvalidValue, cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)9));
}
FAILS(cudaDeviceGetSharedMemConfig) { REFUSES(cudaErrorInvalidValue, cudaDeviceGetSharedMemConfig(NULL)); }
FAILS(cudaDeviceGetStreamPriorityRange) {
    int least, greatest;
    fault();
    REFUSES(cudaErrorIllegalAddress, cudaDeviceGetStreamPriorityRange(&least, &greatest));
}
FAILS(cudaDeviceCanAccessPeer) {
    int can;
    REFUSES(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 1));
}
FAILS(cudaDeviceEnablePeerAccess) {
    REFUSES(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
    REFUSES(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(0, 1));
}
FAILS(cudaDeviceDisablePeerAccess) {
    REFUSES(cudaErrorInvalidDevice, cudaDeviceDisablePeerAccess(1));
    REFUSES(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
}
/* The documentation names no error of these two; they do no work on the device. */
FAILS(cudaProfilerStart) {
    FINE(cudaProfilerStart());
    refusals++;
}
FAILS(cudaProfilerStop) {
    FINE(cudaProfilerStop());
    refusals++;
}

/* --- memory --- */

static void *p;
static size_t bytes;

FAILS(cudaMalloc) {
    REFUSES(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
    REFUSES(cudaErrorMemoryAllocation, cudaMalloc(&p, (size_t)1 << 50));
}
FAILS(cudaMallocPitch) {
    REFUSES(cudaErrorInvalidValue, cudaMallocPitch(&p, NULL, 4, 4));
    REFUSES(cudaErrorInvalidValue, cudaMallocPitch(NULL, &bytes, 4, 4));
    REFUSES(cudaErrorMemoryAllocation, cudaMallocPitch(&p, &bytes, 512, (size_t)1 << 40));
}
FAILS(cudaMalloc3D) {
    struct cudaPitchedPtr box;
    REFUSES(cudaErrorInvalidValue, cudaMalloc3D(NULL, make_cudaExtent(1, 1, 1)));
    REFUSES(cudaErrorMemoryAllocation, cudaMalloc3D(&box, make_cudaExtent(512, 1 << 20, 1 << 20)));
}
FAILS(cudaMallocAsync) {
    REFUSES(cudaErrorInvalidValue, cudaMallocAsync(NULL, 4, stream));
    REFUSES(cudaErrorInvalidResourceHandle, cudaMallocAsync(&p, 4, NO_STREAM));
    REFUSES(cudaErrorMemoryAllocation, cudaMallocAsync(&p, (size_t)1 << 50, stream));
}
FAILS(cudaMallocHost) { REFUSES(cudaErrorInvalidValue, cudaMallocHost(NULL, 4)); }
FAILS(cudaMallocManaged) {
    REFUSES(cudaErrorInvalidValue, cudaMallocManaged(&p, 4, 9));
    REFUSES(cudaErrorInvalidValue, cudaMallocManaged(&p, 4, 9));
}
FAILS(cudaFree) {
    REFUSES(cudaErrorInvalidValue, cudaFree(host));
    REFUSES(cudaErrorInvalidValue, cudaFree((char *)device + 4));
}
FAILS(cudaFreeHost) { REFUSES(cudaErrorInvalidValue, cudaFreeHost(host)); }
FAILS(cudaFreeAsync) { REFUSES(cudaErrorInvalidValue, cudaFreeAsync(host, stream)); }
FAILS(cudaHostAlloc) {
    REFUSES(cudaErrorInvalidValue, cudaHostAlloc(NULL, 4, 0));
    REFUSES(cudaErrorInvalidValue, cudaHostAlloc(&p, 4, 0x80));
}
FAILS(cudaHostRegister) {
    REFUSES(cudaErrorInvalidValue, cudaHostRegister(NULL, 4, 0));
    FINE(cudaHostRegister(host, sizeof host, 0));
    REFUSES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(host, sizeof host, 0));
}
FAILS(cudaHostUnregister) { REFUSES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(host)); }
FAILS(cudaHostGetDevicePointer) { REFUSES(cudaErrorInvalidValue, cudaHostGetDevicePointer(&p, host, 0)); }
FAILS(cudaHostGetFlags) {
    unsigned flags;
    REFUSES(cudaErrorInvalidValue, cudaHostGetFlags(&flags, host));
}
FAILS(cudaMemGetInfo) {
    fault();
    REFUSES(cudaErrorIllegalAddress, cudaMemGetInfo(&bytes, &bytes));
}
FAILS(cudaPointerGetAttributes) { REFUSES(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, device)); }
FAILS(cudaMemAdvise) {
    REFUSES(cudaErrorInvalidValue, cudaMemAdvise(device, 64, cudaMemAdviseSetReadMostly, here));
    REFUSES(cudaErrorInvalidValue, cudaMemAdvise(managed, 65, cudaMemAdviseSetReadMostly, here));
}
FAILS(cudaMemPrefetchAsync) {
    REFUSES(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 64, elsewhere, 0, NULL));
    REFUSES(cudaErrorInvalidValue, cudaMemPrefetchAsync(device, 64, here, 0, NULL));
}

/* --- copies and fills --- */

#define WRONG_WAY ((enum cudaMemcpyKind)9)

FAILS(cudaMemcpy) {
    REFUSES(cudaErrorInvalidValue, cudaMemcpy(device, host, 65, cudaMemcpyHostToDevice));
    REFUSES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 4, WRONG_WAY));
}
FAILS(cudaMemcpyAsync) {
    REFUSES(cudaErrorInvalidValue, cudaMemcpyAsync(device, NULL, 4, cudaMemcpyHostToDevice, stream));
    REFUSES(cudaErrorInvalidMemcpyDirection, cudaMemcpyAsync(device, host, 4, WRONG_WAY, stream));
    REFUSES(cudaErrorInvalidResourceHandle, cudaMemcpyAsync(device, host, 4, cudaMemcpyHostToDevice, gone));
}
FAILS(cudaMemcpy2D) {
    REFUSES(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, 8, host, 4, 8, 2, cudaMemcpyHostToDevice));
    REFUSES(cudaErrorInvalidMemcpyDirection, cudaMemcpy2D(device, 8, host, 8, 8, 2, WRONG_WAY));
    REFUSES(cudaErrorInvalidValue, cudaMemcpy2D(device, 8, host, 8, 8, 9, cudaMemcpyHostToDevice)); /* 72 bytes */
    /* of several faults, the one that an H100's runtime tells: the pitch of several rows, the direction, the pitch of one, null pointers */
    REFUSES(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, 4, host, 8, 8, 2, WRONG_WAY));
    REFUSES(cudaErrorInvalidPitchValue, cudaMemcpy2D(NULL, 4, host, 8, 8, 2, cudaMemcpyHostToDevice));
    REFUSES(cudaErrorInvalidMemcpyDirection, cudaMemcpy2D(device, 4, host, 8, 8, 1, WRONG_WAY));
    REFUSES(cudaErrorInvalidMemcpyDirection, cudaMemcpy2D(NULL, 8, host, 8, 8, 2, WRONG_WAY));
    REFUSES(cudaErrorInvalidValue, cudaMemcpy2D(NULL, 4, host, 8, 8, 1, cudaMemcpyHostToDevice));
}
FAILS(cudaMemcpy2DAsync) {
    REFUSES(cudaErrorInvalidPitchValue, cudaMemcpy2DAsync(device, 4, host, 8, 8, 2, cudaMemcpyHostToDevice, stream));
    REFUSES(cudaErrorInvalidMemcpyDirection, cudaMemcpy2DAsync(device, 8, host, 8, 8, 2, WRONG_WAY, stream));
    REFUSES(cudaErrorInvalidValue, cudaMemcpy2DAsync(device, 8, host, 8, 8, 9, cudaMemcpyHostToDevice, stream));
    REFUSES(cudaErrorInvalidResourceHandle, cudaMemcpy2DAsync(device, 8, host, 8, 8, 2, cudaMemcpyHostToDevice, gone));
}

/* From the host to the device: width bytes in 2 rows in `depth` slices, 4 bytes apart. */
static struct cudaMemcpy3DParms box_of(size_t width, size_t depth, enum cudaMemcpyKind kind) {
    return (struct cudaMemcpy3DParms){.srcPtr = make_cudaPitchedPtr(host, 4, 4, 2),
                                      .dstPtr = make_cudaPitchedPtr(device, 4, 4, 2),
                                      .extent = make_cudaExtent(width, 2, depth),
                                      .kind = kind};
}

FAILS(cudaMemcpy3D) {
    struct cudaMemcpy3DParms wide = box_of(5, 2, cudaMemcpyHostToDevice), deep = box_of(4, 9, cudaMemcpyHostToDevice),
                             wrong = box_of(4, 2, WRONG_WAY);
    REFUSES(cudaErrorInvalidPitchValue, cudaMemcpy3D(&wide));
    REFUSES(cudaErrorInvalidValue, cudaMemcpy3D(&deep)); /* 72 bytes */
    REFUSES(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&wrong));
    REFUSES(cudaErrorInvalidValue, cudaMemcpy3D(NULL));
}
FAILS(cudaMemcpy3DAsync) {
    struct cudaMemcpy3DParms wide = box_of(5, 2, cudaMemcpyHostToDevice), deep = box_of(4, 9, cudaMemcpyHostToDevice),
                             good = box_of(4, 2, cudaMemcpyHostToDevice);
    REFUSES(cudaErrorInvalidPitchValue, cudaMemcpy3DAsync(&wide, stream));
    REFUSES(cudaErrorInvalidValue, cudaMemcpy3DAsync(&deep, stream));
    REFUSES(cudaErrorInvalidResourceHandle, cudaMemcpy3DAsync(&good, gone));
    FINE(cudaMemcpy3DAsync(&good, stream));
}
FAILS(cudaMemcpyPeer) {
    REFUSES(cudaErrorInvalidDevice, cudaMemcpyPeer(device, 1, device, 0, 4));
    REFUSES(cudaErrorInvalidValue, cudaMemcpyPeer(device, 0, device, 0, 65));
}
FAILS(cudaMemcpyPeerAsync) { REFUSES(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(device, 0, device, -1, 4, stream)); }
FAILS(cudaMemset) {
    REFUSES(cudaErrorInvalidValue, cudaMemset(device, 0, 65));
    REFUSES(cudaErrorInvalidValue, cudaMemset(host, 0, 4));
}
FAILS(cudaMemsetAsync) { REFUSES(cudaErrorInvalidValue, cudaMemsetAsync(device, 0, 65, stream)); }
FAILS(cudaMemset2D) { REFUSES(cudaErrorInvalidValue, cudaMemset2D(device, 8, 0, 8, 9)); }
FAILS(cudaMemset2DAsync) { REFUSES(cudaErrorInvalidValue, cudaMemset2DAsync(device, 8, 0, 8, 9, stream)); }
FAILS(cudaMemset3D) {
    REFUSES(cudaErrorInvalidValue, cudaMemset3D(make_cudaPitchedPtr(device, 4, 4, 2), 0, make_cudaExtent(4, 2, 9)));
}
FAILS(cudaMemset3DAsync) {
    struct cudaPitchedPtr box = make_cudaPitchedPtr(device, 4, 4, 2);
    REFUSES(cudaErrorInvalidValue, cudaMemset3DAsync(box, 0, make_cudaExtent(4, 2, 9), stream));
    REFUSES(cudaErrorInvalidResourceHandle, cudaMemset3DAsync(box, 0, make_cudaExtent(4, 2, 2), gone));
}

/* --- symbols --- */

FAILS(cudaGetSymbolAddress) { REFUSES(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&p, host)); }
FAILS(cudaGetSymbolSize) { REFUSES(cudaErrorInvalidSymbol, cudaGetSymbolSize(&bytes, host)); }
FAILS(cudaMemcpyToSymbol) {
    REFUSES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(host, host, 4, 0, cudaMemcpyHostToDevice));
    REFUSES(cudaErrorInvalidValue, cudaMemcpyToSymbol(&total, host, 4, 1, cudaMemcpyHostToDevice));
    REFUSES(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(&total, host, 4, 0, cudaMemcpyDeviceToHost));
}
FAILS(cudaMemcpyFromSymbol) {
    REFUSES(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(host, host, 4, 0, cudaMemcpyDeviceToHost));
    REFUSES(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(host, &total, 4, 0, cudaMemcpyHostToDevice));
}
FAILS(cudaMemcpyToSymbolAsync) {
    REFUSES(cudaErrorInvalidSymbol, cudaMemcpyToSymbolAsync(host, host, 4, 0, cudaMemcpyHostToDevice, stream));
    REFUSES(cudaErrorInvalidValue, cudaMemcpyToSymbolAsync(&total, host, 8, 0, cudaMemcpyHostToDevice, stream));
}
FAILS(cudaMemcpyFromSymbolAsync) {
    REFUSES(cudaErrorInvalidSymbol, cudaMemcpyFromSymbolAsync(host, host, 4, 0, cudaMemcpyDeviceToHost, stream));
    REFUSES(cudaErrorInvalidValue, cudaMemcpyFromSymbolAsync(host, &total, 8, 0, cudaMemcpyDeviceToHost, stream));
}

/* --- streams and events --- */

static void nothing(void *data) { (void)data; }
static void nothing_more(cudaStream_t of, cudaError_t status, void *data) { (void)of, (void)status, (void)data; }

FAILS(cudaStreamCreate) { REFUSES(cudaErrorInvalidValue, cudaStreamCreate(NULL)); }
FAILS(cudaStreamCreateWithFlags) { REFUSES(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 9)); }
FAILS(cudaStreamCreateWithPriority) {
    REFUSES(cudaErrorInvalidValue, cudaStreamCreateWithPriority(NULL, cudaStreamDefault, 0));
    REFUSES(cudaErrorInvalidValue, cudaStreamCreateWithPriority(&stream, 9, 0));
}
FAILS(cudaStreamGetFlags) {
    unsigned flags;
    REFUSES(cudaErrorInvalidValue, cudaStreamGetFlags(stream, NULL));
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamGetFlags(gone, &flags));
}
FAILS(cudaStreamGetPriority) {
    int priority;
    REFUSES(cudaErrorInvalidValue, cudaStreamGetPriority(stream, NULL));
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamGetPriority(gone, &priority));
}
FAILS(cudaStreamDestroy) {
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(NULL));
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(gone));
}
FAILS(cudaStreamSynchronize) {
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(gone));
    fault();
    REFUSES(cudaErrorIllegalAddress, cudaStreamSynchronize(stream));
}
FAILS(cudaStreamQuery) { REFUSES(cudaErrorInvalidResourceHandle, cudaStreamQuery(gone)); }
FAILS(cudaStreamWaitEvent) {
    REFUSES(cudaErrorInvalidValue, cudaStreamWaitEvent(stream, event, 9));
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(gone, event, 0));
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(stream, gone_event, 0));
}
FAILS(cudaStreamAddCallback) {
    REFUSES(cudaErrorInvalidValue, cudaStreamAddCallback(stream, nothing_more, NULL, 1));
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamAddCallback(gone, nothing_more, NULL, 0));
}
FAILS(cudaStreamAttachMemAsync) {
    REFUSES(cudaErrorInvalidValue, cudaStreamAttachMemAsync(stream, device, 0, cudaMemAttachGlobal));
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamAttachMemAsync(gone, managed, 0, cudaMemAttachGlobal));
}
FAILS(cudaLaunchHostFunc) {
    REFUSES(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, NULL, NULL));
    REFUSES(cudaErrorInvalidResourceHandle, cudaLaunchHostFunc(gone, nothing, NULL));
}
FAILS(cudaStreamBeginCapture) {
    REFUSES(cudaErrorInvalidValue, cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)9));
    REFUSES(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal));
}
FAILS(cudaStreamEndCapture) {
    REFUSES(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    REFUSES(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
    REFUSES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
}
FAILS(cudaStreamIsCapturing) { REFUSES(cudaErrorInvalidValue, cudaStreamIsCapturing(stream, NULL)); }
FAILS(cudaEventCreate) { REFUSES(cudaErrorInvalidValue, cudaEventCreate(NULL)); }
FAILS(cudaEventCreateWithFlags) { REFUSES(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 0x100)); }
FAILS(cudaEventRecord) {
    REFUSES(cudaErrorInvalidResourceHandle, cudaEventRecord(NO_EVENT, stream));
    REFUSES(cudaErrorInvalidResourceHandle, cudaEventRecord(event, gone));
}
FAILS(cudaEventRecordWithFlags) { REFUSES(cudaErrorInvalidValue, cudaEventRecordWithFlags(event, stream, 9)); }
FAILS(cudaEventQuery) { REFUSES(cudaErrorInvalidResourceHandle, cudaEventQuery(gone_event)); }
FAILS(cudaEventSynchronize) { REFUSES(cudaErrorInvalidResourceHandle, cudaEventSynchronize(gone_event)); }
FAILS(cudaEventDestroy) { REFUSES(cudaErrorInvalidResourceHandle, cudaEventDestroy(gone_event)); }
FAILS(cudaEventElapsedTime) {
    float ms;
    REFUSES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, event)); /* never recorded */
    REFUSES(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, event, event));
    REFUSES(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, NULL, event)); /* in an H100's order */
}

/* --- graphs --- */

FAILS(cudaGraphGetNodes) { REFUSES(cudaErrorInvalidValue, cudaGraphGetNodes(graph, NULL, NULL)); }
FAILS(cudaGraphInstantiate) { REFUSES(cudaErrorInvalidValue, cudaGraphInstantiate(NULL, graph, 0)); }
FAILS(cudaGraphInstantiateWithFlags) {
    REFUSES(cudaErrorInvalidValue, cudaGraphInstantiateWithFlags(&executable, NULL, 0));
    REFUSES(cudaErrorInvalidValue, cudaGraphInstantiateWithFlags(&executable, graph, 4096));
}
FAILS(cudaGraphLaunch) { REFUSES(cudaErrorInvalidValue, cudaGraphLaunch(NULL, stream)); }
FAILS(cudaGraphExecDestroy) {
    FINE(cudaGraphExecDestroy(executable));
    REFUSES(cudaErrorInvalidValue, cudaGraphExecDestroy(executable));
}
FAILS(cudaGraphDestroy) {
    FINE(cudaGraphDestroy(graph));
    REFUSES(cudaErrorInvalidValue, cudaGraphDestroy(graph));
}

/* --- kernels --- */

static void *no_arguments[3] = {&p, &p, &p};
static struct cudaFuncAttributes attributes;
static int blocks;

FAILS(cudaLaunchKernel) {
    REFUSES(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(unknown_kernel, one, one, NULL, 0, NULL));
    REFUSES(cudaErrorInvalidConfiguration, cudaLaunchKernel(fill, one, (dim3){1025, 1, 1}, no_arguments, 0, NULL));
}
FAILS(cudaLaunchCooperativeKernel) {
    REFUSES(cudaErrorInvalidDeviceFunction, cudaLaunchCooperativeKernel(unknown_kernel, one, one, NULL, 0, NULL));
    /* 132 SMs hold two blocks of 1024 threads each */
    FINE(cudaLaunchCooperativeKernel(fill, (dim3){264, 1, 1}, (dim3){1024, 1, 1}, no_arguments, 0, NULL));
    REFUSES(cudaErrorCooperativeLaunchTooLarge,
            cudaLaunchCooperativeKernel(fill, (dim3){265, 1, 1}, (dim3){1024, 1, 1}, no_arguments, 0, NULL));
}
FAILS(cudaLaunchKernelExC) {
    cudaLaunchConfig_t config = {.gridDim = one, .blockDim = {0, 1, 1}};
    REFUSES(cudaErrorInvalidConfiguration, cudaLaunchKernelExC(&config, fill, no_arguments));
}
FAILS(cudaFuncSetCacheConfig) {
    REFUSES(cudaErrorInvalidDeviceFunction, cudaFuncSetCacheConfig(unknown_kernel, cudaFuncCachePreferL1));
}
FAILS(cudaFuncSetSharedMemConfig) {
    REFUSES(cudaErrorInvalidDeviceFunction, cudaFuncSetSharedMemConfig(unknown_kernel, cudaSharedMemBankSizeDefault));
}
FAILS(cudaFuncSetAttribute) {
    REFUSES(cudaErrorInvalidDeviceFunction,
            cudaFuncSetAttribute(unknown_kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    REFUSES(cudaErrorInvalidValue, cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
}
FAILS(cudaFuncGetAttributes) { REFUSES(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, unknown_kernel)); }
FAILS(cudaOccupancyMaxActiveBlocksPerMultiprocessor) {
    REFUSES(cudaErrorInvalidDeviceFunction, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, unknown_kernel, 32, 0));
    REFUSES(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, fill, 32, 0));
}
FAILS(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) {
    REFUSES(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, fill, 32, 0, 8));
}

/* --- arrays, textures and surfaces --- */

static const struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat},
                                          thirds = {32, 32, 32, 0, cudaChannelFormatKindFloat},
                                          integers = {32, 0, 0, 0, cudaChannelFormatKindSigned};
static const struct cudaTextureDesc points = {.filterMode = cudaFilterModePoint}, lines = {.filterMode = cudaFilterModeLinear};
#define NO_ARRAY ((cudaArray_t)host)

/* Of 4 floats in 2 rows. */
static cudaArray_t array_of(const struct cudaChannelFormatDesc *format) {
    cudaArray_t array;
    FINE(cudaMallocArray(&array, format, 4, 2, cudaArrayDefault));
    return array;
}
static struct cudaResourceDesc resource_of(cudaArray_t array) {
    return (struct cudaResourceDesc){.resType = cudaResourceTypeArray, .res.array.array = array};
}

FAILS(cudaMallocArray) {
    cudaArray_t array;
    REFUSES(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &thirds, 4, 2, 0));
    REFUSES(cudaErrorInvalidValue, cudaMallocArray(&array, &floats, 0, 2, 0));
    REFUSES(cudaErrorInvalidValue, cudaMallocArray(&array, &floats, SIZE_MAX, SIZE_MAX, 0));
    REFUSES(cudaErrorInvalidValue, cudaMallocArray(&array, &floats, 4, 2, cudaArrayLayered));
    REFUSES(cudaErrorNotSupported, cudaMallocArray(&array, &floats, 4, 2, cudaArraySparse));
    REFUSES(cudaErrorInvalidValue, cudaMallocArray(NULL, &floats, 4, 2, 0));
}
FAILS(cudaMalloc3DArray) {
    cudaArray_t array;
    REFUSES(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &floats, make_cudaExtent(4, 0, 2), 0));
    REFUSES(cudaErrorNotSupported, cudaMalloc3DArray(&array, &floats, make_cudaExtent(4, 4, 6), cudaArrayCubemap));
}
FAILS(cudaFreeArray) { REFUSES(cudaErrorInvalidResourceHandle, cudaFreeArray(NO_ARRAY)); }
FAILS(cudaArrayGetInfo) { REFUSES(cudaErrorInvalidResourceHandle, cudaArrayGetInfo(NULL, NULL, NULL, NO_ARRAY)); }
FAILS(cudaGetChannelDesc) { REFUSES(cudaErrorInvalidValue, cudaGetChannelDesc(NULL, array_of(&floats))); }
FAILS(cudaCreateChannelDesc) { /* what it makes is refused where it is used */
    const struct cudaChannelFormatDesc made = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t array;
    REFUSES(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &made, 4, 2, 0));
    refusals++;
}
FAILS(cudaMemcpy2DToArray) {
    cudaArray_t to = array_of(&floats);
    REFUSES(cudaErrorInvalidValue, cudaMemcpy2DToArray(to, 4, 0, host, 16, 16, 2, cudaMemcpyHostToDevice));
    REFUSES(cudaErrorInvalidValue, cudaMemcpy2DToArray(to, 0, SIZE_MAX, host, 16, 16, 2, cudaMemcpyHostToDevice));
    REFUSES(cudaErrorInvalidPitchValue, cudaMemcpy2DToArray(to, 0, 0, host, 8, 16, 2, cudaMemcpyHostToDevice));
    REFUSES(cudaErrorInvalidResourceHandle, cudaMemcpy2DToArray(NO_ARRAY, 0, 0, host, 16, 16, 2, cudaMemcpyHostToDevice));
}
FAILS(cudaMemcpy2DToArrayAsync) {
    REFUSES(cudaErrorInvalidValue,
            cudaMemcpy2DToArrayAsync(array_of(&floats), 0, 1, host, 16, 16, 2, cudaMemcpyHostToDevice, stream));
}
FAILS(cudaMemcpy2DFromArray) {
    REFUSES(cudaErrorInvalidValue, cudaMemcpy2DFromArray(host, 16, array_of(&floats), 8, 0, 16, 1, cudaMemcpyDeviceToHost));
}
FAILS(cudaMemcpy2DFromArrayAsync) {
    REFUSES(cudaErrorInvalidValue,
            cudaMemcpy2DFromArrayAsync(NULL, 16, array_of(&floats), 0, 0, 16, 1, cudaMemcpyDeviceToHost, stream));
}
FAILS(cudaMemcpy2DArrayToArray) {
    cudaArray_t from = array_of(&floats);
    REFUSES(cudaErrorInvalidValue, cudaMemcpy2DArrayToArray(from, 0, 0, from, 8, 0, 12, 1, cudaMemcpyDeviceToDevice));
}
FAILS(cudaMemcpyToArray) {
    REFUSES(cudaErrorInvalidValue, cudaMemcpyToArray(array_of(&floats), 4, 0, host, 32, cudaMemcpyHostToDevice));
}
FAILS(cudaMemcpyToArrayAsync) {
    REFUSES(cudaErrorInvalidValue, cudaMemcpyToArrayAsync(array_of(&floats), 0, 2, host, 4, cudaMemcpyHostToDevice, stream));
}
FAILS(cudaMemcpyFromArray) {
    REFUSES(cudaErrorInvalidValue, cudaMemcpyFromArray(host, array_of(&floats), 0, 1, 20, cudaMemcpyDeviceToHost));
}
FAILS(cudaMemcpyFromArrayAsync) {
    REFUSES(cudaErrorInvalidResourceHandle, cudaMemcpyFromArrayAsync(host, NO_ARRAY, 0, 0, 4, cudaMemcpyDeviceToHost, stream));
}
FAILS(cudaMemcpyArrayToArray) {
    cudaArray_t from = array_of(&floats);
    REFUSES(cudaErrorInvalidValue, cudaMemcpyArrayToArray(from, 0, 0, from, 0, 1, 20, cudaMemcpyDeviceToDevice));
}
FAILS(cudaCreateTextureObject) {
    struct cudaResourceDesc of_ints = resource_of(array_of(&integers)), of_none = resource_of(NO_ARRAY), buffer = {0};
    const struct cudaResourceViewDesc view = {0};
    cudaTextureObject_t texture;
    REFUSES(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&texture, &of_ints, &lines, NULL));
    REFUSES(cudaErrorNotSupported, cudaCreateTextureObject(&texture, &of_ints, &points, &view));
    REFUSES(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&texture, &of_none, &points, NULL));
    buffer.resType = cudaResourceTypeLinear;
    buffer.res.linear.devPtr = device;
    buffer.res.linear.desc = floats;
    buffer.res.linear.sizeInBytes = 68;
    REFUSES(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &buffer, &points, NULL));
    buffer.res.linear.desc = integers; /* for which CUDA Runtime API, cudaTextureDesc, takes no notice of the filter */
    buffer.res.linear.sizeInBytes = 64;
    FINE(cudaCreateTextureObject(&texture, &buffer, &lines, NULL));
    buffer.resType = cudaResourceTypeMipmappedArray;
    REFUSES(cudaErrorNotSupported, cudaCreateTextureObject(&texture, &buffer, &points, NULL));
}
FAILS(cudaDestroyTextureObject) { REFUSES(cudaErrorInvalidValue, cudaDestroyTextureObject(77)); }
FAILS(cudaGetTextureObjectResourceDesc) {
    struct cudaResourceDesc resource;
    REFUSES(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(&resource, 77));
}
FAILS(cudaGetTextureObjectTextureDesc) {
    struct cudaTextureDesc sampling;
    REFUSES(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&sampling, 77));
}
FAILS(cudaGetTextureObjectResourceViewDesc) {
    struct cudaResourceViewDesc view;
    REFUSES(cudaErrorInvalidValue, cudaGetTextureObjectResourceViewDesc(&view, 77));
}
FAILS(cudaCreateSurfaceObject) {
    const struct cudaResourceDesc of_none = resource_of(NO_ARRAY);
    cudaSurfaceObject_t surface;
    REFUSES(cudaErrorInvalidResourceHandle, cudaCreateSurfaceObject(&surface, &of_none));
}
FAILS(cudaDestroySurfaceObject) { REFUSES(cudaErrorInvalidValue, cudaDestroySurfaceObject(77)); }
FAILS(cudaGetSurfaceObjectResourceDesc) {
    struct cudaResourceDesc resource;
    REFUSES(cudaErrorInvalidValue, cudaGetSurfaceObjectResourceDesc(&resource, 77));
}

#include "graph_refusals.h"

#include "asked_refusals.h"

/* --- all of them --- */

static const struct {
    const char *name;
    void (*fails)(void);
} table[] = {
#define GROUP(name, remedy)
#define COVERED(name) {#name, name##_fails},
#define MISSING(name)
#include "runtime/functions.def"
};

START_TEST(it_refuses_what_is_wrong)
{
    prepare();
    row = table[_i].name;
    table[_i].fails();
    ck_assert_msg(refusals > 0, "no call of %s was refused", row);
}
END_TEST

SUITE("runtime refusals", REPEATED(sizeof table / sizeof *table, it_refuses_what_is_wrong))
