// Memory: allocating, copying, setting, and what is said of pointers.
#include "calls.h"

__device__ int word;
__device__ int words[16];
__constant__ int fixed[8];
static int host_word;
static const size_t huge = (size_t)1 << 50;

static char *allocated(size_t bytes) {
    void *p = nullptr;
    NEED(cudaMalloc(&p, bytes));
    NEED(cudaMemset(p, 0, bytes));
    return (char *)p;
}

static void allocate() {
    void *p = (void *)16, *q = nullptr;
    CALL(cudaMalloc(&p, 0));
    SHOW(p == nullptr);
    CALL(cudaMalloc((void **)nullptr, 16));
    CALL(cudaMalloc((void **)nullptr, 0));
    p = (void *)16;
    CALL(cudaMalloc(&p, huge));
    SHOW(p == (void *)16);
    SHOW(p == nullptr);
    CALL(cudaMalloc(&p, (size_t)-1));
    CALL(cudaMalloc(&p, 1));
    CALL(cudaMalloc(&q, 1));
    SHOW((size_t)p % 256);
    SHOW((char *)q - (char *)p == 512);
    CALL(cudaFree((char *)p + 1));
    CALL(cudaFree(p));
    CALL(cudaFree(p));
    CALL(cudaFree(nullptr));
    CALL(cudaFree(&host_word));
    CALL(cudaFree((void *)16));
    CALL(cudaFreeHost(q));
    CALL(cudaFree(q));
    void *symbol = nullptr;
    CALL(cudaGetSymbolAddress(&symbol, word));
    CALL(cudaFree(symbol));
}

static void managed() {
    void *p = nullptr;
    CALL(cudaMallocManaged(&p, 64));
    memset(p, 1, 64);
    CALL(cudaFree(p));
    CALL(cudaFree(p));
    CALL(cudaMallocManaged(&p, 0));
    CALL(cudaMallocManaged((void **)nullptr, 64));
    CALL(cudaMallocManaged(&p, 64, 0));
    CALL(cudaMallocManaged(&p, 64, cudaMemAttachHost));
    CALL(cudaMallocManaged(&p, 64, cudaMemAttachSingle));
    CALL(cudaMallocManaged(&p, 64, 99));
    CALL(cudaMallocManaged(&p, huge));
    NEED(cudaMallocManaged(&p, 4096));
    CALL(cudaFreeHost(p));
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0},
                    wrong = {cudaMemLocationTypeDevice, 7};
    cudaMemLocation none = {cudaMemLocationTypeInvalid, 0}, odd = {(cudaMemLocationType)99, 0};
    CALL(cudaMemPrefetchAsync(p, 4096, device, 0));
    CALL(cudaMemPrefetchAsync(p, 4096, host, 0));
    CALL(cudaMemPrefetchAsync(p, 4096, wrong, 0));
    CALL(cudaMemPrefetchAsync(p, 4096, none, 0));
    CALL(cudaMemPrefetchAsync(p, 4096, odd, 0));
    CALL(cudaMemPrefetchAsync(p, 4096, device, 1));
    CALL(cudaMemPrefetchAsync(p, 0, device, 0));
    CALL(cudaMemPrefetchAsync(p, (size_t)1 << 30, device, 0));
    CALL(cudaMemPrefetchAsync((char *)p + 100, 100, device, 0));
    CALL(cudaMemPrefetchAsync(nullptr, 16, device, 0));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseSetReadMostly, device));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseUnsetReadMostly, device));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseSetPreferredLocation, device));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseSetPreferredLocation, host));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseUnsetPreferredLocation, device));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseSetAccessedBy, device));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseUnsetAccessedBy, device));
    CALL(cudaMemAdvise(p, 4096, cudaMemAdviseSetAccessedBy, wrong));
    CALL(cudaMemAdvise(p, 4096, (cudaMemoryAdvise)0, device));
    CALL(cudaMemAdvise(p, 4096, (cudaMemoryAdvise)99, device));
    CALL(cudaMemAdvise(p, 0, cudaMemAdviseSetReadMostly, device));
    CALL(cudaMemAdvise(nullptr, 4096, cudaMemAdviseSetReadMostly, device));
    char *plain = allocated(4096);
    CALL(cudaMemAdvise(plain, 4096, cudaMemAdviseSetReadMostly, device));
    CALL(cudaMemPrefetchAsync(plain, 4096, device, 0));
    CALL(cudaStreamAttachMemAsync(0, p));
    CALL(cudaStreamAttachMemAsync(0, p, 0, cudaMemAttachGlobal));
    CALL(cudaStreamAttachMemAsync(0, p, 0, cudaMemAttachHost));
    CALL(cudaStreamAttachMemAsync(0, p, 0, 99));
    CALL(cudaStreamAttachMemAsync(0, p, 5, cudaMemAttachGlobal));
    CALL(cudaStreamAttachMemAsync(0, plain, 0, cudaMemAttachGlobal));
    CALL(cudaStreamAttachMemAsync(0, (void *)nullptr, 0, cudaMemAttachGlobal));
    cudaStream_t stream;
    NEED(cudaStreamCreate(&stream));
    CALL(cudaStreamAttachMemAsync(stream, p));
    CALL(cudaStreamAttachMemAsync(stream, p, 0, cudaMemAttachSingle));
}

static void host_memory() {
    void *p = nullptr, *device = nullptr;
    unsigned flags = 77;
    CALL(cudaMallocHost(&p, 0));
    CALL(cudaMallocHost((void **)nullptr, 16));
    CALL(cudaMallocHost(&p, 100));
    CALL(cudaHostGetFlags(&flags, p));
    SHOW(flags);
    CALL(cudaHostGetDevicePointer(&device, p, 0));
    SHOW(device == p);
    CALL(cudaHostGetDevicePointer(&device, p, 1));
    CALL(cudaHostGetDevicePointer(&device, (char *)p + 10, 0));
    SHOW((char *)device - (char *)p);
    CALL(cudaHostGetDevicePointer((void **)nullptr, p, 0));
    CALL(cudaHostGetDevicePointer(&device, &host_word, 0));
    CALL(cudaHostGetDevicePointer(&device, nullptr, 0));
    CALL(cudaHostGetFlags(nullptr, p));
    CALL(cudaHostGetFlags(&flags, &host_word));
    CALL(cudaHostGetFlags(&flags, nullptr));
    CALL(cudaHostUnregister(p));
    CALL(cudaFree(p));
    CALL(cudaFreeHost(p));
    CALL(cudaFreeHost(p));
    CALL(cudaFreeHost(nullptr));
    CALL(cudaFreeHost(&host_word));
    for (unsigned f : {0u, 1u, 2u, 4u, 7u, 8u, 16u, 99u}) {
        p = nullptr;
        printf("flags %u\n", f);
        CALL(cudaHostAlloc(&p, 64, f));
        if (!p) continue;
        CALL(cudaHostGetFlags(&flags, p));
        SHOW(flags);
        CALL(cudaFreeHost(p));
    }
    CALL(cudaHostAlloc(&p, 0, 0));
    CALL(cudaHostAlloc((void **)nullptr, 64, 0));
}

static void registered() {
    alignas(4096) static char page[8192];
    char *p = (char *)malloc(3 * 4096);
    unsigned flags = 77;
    CALL(cudaHostRegister(p, 3 * 4096, 0));
    CALL(cudaHostGetFlags(&flags, p));
    SHOW(flags);
    CALL(cudaHostRegister(p, 3 * 4096, 0));
    CALL(cudaHostUnregister(p + 1));
    CALL(cudaHostUnregister(p));
    CALL(cudaHostUnregister(p));
    CALL(cudaHostRegister(p, 0, 0));
    CALL(cudaHostRegister(nullptr, 16, 0));
    CALL(cudaHostUnregister(nullptr));
    CALL(cudaHostRegister(page, sizeof page, cudaHostRegisterMapped));
    CALL(cudaHostUnregister(page));
    CALL(cudaHostRegister(page, sizeof page, cudaHostRegisterPortable | cudaHostRegisterMapped));
    CALL(cudaFreeHost(page));
    CALL(cudaHostUnregister(page));
    CALL(cudaHostRegister(page, sizeof page, 16));
    CALL(cudaHostRegister(page, sizeof page, 99));
    char *device = allocated(64);
    CALL(cudaHostRegister(device, 64, 0));
    CALL(cudaHostUnregister(device));
    free(p);
}

static void pitched() {
    void *p = nullptr;
    size_t pitch = 77;
    CALL(cudaMallocPitch(&p, &pitch, 100, 4));
    SHOW(pitch);
    CALL(cudaFree(p));
    for (size_t width : {1, 512, 513, 1000}) {
        CALL(cudaMallocPitch(&p, &pitch, width, 3));
        SHOW(pitch);
    }
    pitch = 77;
    CALL(cudaMallocPitch(&p, &pitch, 0, 4));
    SHOW(pitch);
    CALL(cudaMallocPitch(&p, &pitch, 100, 0));
    SHOW(pitch);
    CALL(cudaMallocPitch((void **)nullptr, &pitch, 100, 4));
    CALL(cudaMallocPitch(&p, nullptr, 100, 4));
    CALL(cudaMallocPitch(&p, &pitch, huge, 4));
    CALL(cudaMallocPitch(&p, &pitch, 1, huge));
    cudaPitchedPtr box = {};
    CALL(cudaMalloc3D(&box, make_cudaExtent(100, 4, 2)));
    SHOW(box.pitch);
    SHOW(box.xsize);
    SHOW(box.ysize);
    CALL(cudaMemset3D(box, 1, make_cudaExtent(100, 4, 2)));
    CALL(cudaMemset3D(box, 1, make_cudaExtent(100, 4, 3)));
    CALL(cudaMemset3D(box, 1, make_cudaExtent(0, 4, 2)));
    CALL(cudaMemset3D(box, 1, make_cudaExtent(101, 4, 2)));
    CALL(cudaMemset3D(box, 1, make_cudaExtent(600, 4, 2)));
    CALL(cudaMemset3D(box, 1, make_cudaExtent(100, 5, 2)));
    CALL(cudaMemset3D(box, 1, make_cudaExtent(100, 5, 1)));
    CALL(cudaMemset3DAsync(box, 1, make_cudaExtent(100, 4, 2)));
    CALL(cudaMemset3D(make_cudaPitchedPtr(nullptr, 512, 100, 4), 1, make_cudaExtent(100, 4, 2)));
    CALL(cudaMemset3D(make_cudaPitchedPtr(nullptr, 512, 100, 4), 1, make_cudaExtent(0, 4, 2)));
    CALL(cudaMalloc3D(&box, make_cudaExtent(0, 4, 2)));
    CALL(cudaMalloc3D(nullptr, make_cudaExtent(100, 4, 2)));
    CALL(cudaMalloc3D(&box, make_cudaExtent(huge, 4, 2)));
}

static void copies() {
    char host[64] = "host", other[64] = "other", *device = allocated(64), *second = allocated(64);
    CALL(cudaMemcpy(device, host, 64, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(other, device, 64, cudaMemcpyDeviceToHost));
    SHOW(strcmp(other, "host"));
    CALL(cudaMemcpy(second, device, 64, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy(other, host, 64, cudaMemcpyHostToHost));
    CALL(cudaMemcpy(device, host, 64, cudaMemcpyDefault));
    CALL(cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(nullptr, host, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(device, nullptr, 16, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(nullptr, device, 16, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(device, host, 16, (cudaMemcpyKind)5));
    CALL(cudaMemcpy(device, host, 16, (cudaMemcpyKind)-1));
    CALL(cudaMemcpy(device, host, 0, (cudaMemcpyKind)5));
    CALL(cudaMemcpy(device, host, 65, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(device, second, (size_t)1 << 40, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(device, host, 16, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy(device, second, 16, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(host, device, 16, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(host, other, 16, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy(host, other, 16, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(host, other, 16, cudaMemcpyDefault));
    CALL(cudaMemcpy(second, device, 16, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy((void *)16, host, 16, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(device, device + 1, 16, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpyAsync(device, host, 64, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyAsync(device, nullptr, 64, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyAsync(device, host, 64, (cudaMemcpyKind)5));
    CALL(cudaMemcpyAsync(device, host, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyPeer(second, 0, device, 0, 16));
    CALL(cudaMemcpyPeer(second, 1, device, 0, 16));
    CALL(cudaMemcpyPeer(second, 0, device, -1, 16));
    CALL(cudaMemcpyPeer(nullptr, 0, device, 0, 16));
    CALL(cudaMemcpyPeer(second, 0, device, 0, 0));
    CALL(cudaMemcpyPeerAsync(second, 0, device, 0, 16));
    CALL(cudaMemcpyPeerAsync(second, 9, device, 0, 16));
    NEED(cudaFree(second));
    CALL(cudaMemcpy(second, host, 16, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(other, second, 16, cudaMemcpyDeviceToHost));
}

static void copies_2d() {
    static char host[1024];
    char *device = allocated(4096);
    CALL(cudaMemcpy2D(device, 64, host, 64, 32, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, 16, host, 64, 32, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, 64, host, 16, 32, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, 64, host, 64, 0, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, 64, host, 64, 32, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, 0, host, 0, 0, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, 16, host, 64, 32, 1, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, 16, host, 64, 32, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(nullptr, 64, host, 64, 32, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, 64, nullptr, 64, 32, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, 64, host, 64, 32, 4, (cudaMemcpyKind)7));
    CALL(cudaMemcpy2D(device, 64, host, 64, 32, 4, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy2D(device, (size_t)1 << 40, host, 64, 32, 1, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, (size_t)0x7fffffff, host, 64, 32, 1, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(device, (size_t)0x80000000, host, 64, 32, 1, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DAsync(device, 64, host, 64, 32, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DAsync(device, 16, host, 64, 32, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemset(device, 1, 64));
    CALL(cudaMemset(device, 1, 0));
    CALL(cudaMemset(nullptr, 1, 64));
    CALL(cudaMemset(nullptr, 1, 0));
    CALL(cudaMemset(host, 1, 64));
    CALL(cudaMemset(host, 1, 0));
    CALL(cudaMemset(device, 257, 64));
    NEED(cudaMemcpy(host, device, 64, cudaMemcpyDeviceToHost));
    SHOW(host[0]);
    CALL(cudaMemset(device, 0, (size_t)1 << 40));
    CALL(cudaMemsetAsync(device, 1, 64));
    CALL(cudaMemsetAsync(nullptr, 1, 64));
    CALL(cudaMemset2D(device, 64, 1, 32, 4));
    CALL(cudaMemset2D(device, 16, 1, 32, 4));
    CALL(cudaMemset2D(device, 16, 1, 32, 1));
    CALL(cudaMemset2D(device, 64, 1, 0, 4));
    CALL(cudaMemset2D(device, 64, 1, 32, 0));
    CALL(cudaMemset2D(nullptr, 64, 1, 32, 4));
    CALL(cudaMemset2DAsync(device, 64, 1, 32, 4));
    CALL(cudaMemset2DAsync(device, 16, 1, 32, 4));
}

static void copies_3d() {
    static char host[4096];
    char *device = allocated(4096);
    cudaMemcpy3DParms right = {};
    right.srcPtr = make_cudaPitchedPtr(host, 64, 64, 4);
    right.dstPtr = make_cudaPitchedPtr(device, 64, 64, 4);
    right.extent = make_cudaExtent(32, 4, 2);
    right.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3DParms wrong = right;
    CALL(cudaMemcpy3D(&right));
    CALL(cudaMemcpy3DAsync(&right));
    CALL(cudaMemcpy3D(nullptr));
    CALL(cudaMemcpy3DAsync(nullptr));
    wrong.extent = make_cudaExtent(65, 4, 2);
    CALL(cudaMemcpy3D(&wrong));
    wrong.extent = make_cudaExtent(32, 5, 2);
    CALL(cudaMemcpy3D(&wrong));
    wrong.extent = make_cudaExtent(32, 5, 1);
    CALL(cudaMemcpy3D(&wrong));
    wrong.extent = make_cudaExtent(0, 4, 2);
    CALL(cudaMemcpy3D(&wrong));
    wrong.extent = make_cudaExtent(32, 4, 0);
    CALL(cudaMemcpy3D(&wrong));
    wrong = right;
    wrong.kind = (cudaMemcpyKind)9;
    CALL(cudaMemcpy3D(&wrong));
    wrong = right;
    wrong.srcPtr.ptr = nullptr;
    CALL(cudaMemcpy3D(&wrong));
    wrong = right;
    wrong.srcPos.x = 40;
    CALL(cudaMemcpy3D(&wrong));
    wrong = right;
    wrong.dstPtr.pitch = 16;
    CALL(cudaMemcpy3D(&wrong));
    wrong = right;
    wrong.srcPtr.xsize = 0, wrong.srcPtr.ysize = 0;
    CALL(cudaMemcpy3D(&wrong));
    wrong.extent.depth = 1;
    CALL(cudaMemcpy3D(&wrong));
    memset(&wrong, 0, sizeof(wrong));
    CALL(cudaMemcpy3D(&wrong));
}

static void symbols() {
    int value = 5;
    void *p = nullptr;
    size_t bytes = 0;
    CALL(cudaMemcpyToSymbol(word, &value, sizeof(value)));
    CALL(cudaMemcpyToSymbol(word, &value, 5));
    CALL(cudaMemcpyToSymbol(word, &value, 4, 1));
    CALL(cudaMemcpyToSymbol(word, &value, 0));
    CALL(cudaMemcpyToSymbol(word, &value, 0, 4));
    CALL(cudaMemcpyToSymbol(word, &value, 0, 5));
    CALL(cudaMemcpyToSymbol(word, nullptr, 4));
    CALL(cudaMemcpyToSymbol(word, &value, 4, 0, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpyToSymbol(word, &value, 4, 0, cudaMemcpyHostToHost));
    CALL(cudaMemcpyToSymbol(word, &value, 4, 0, (cudaMemcpyKind)9));
    CALL(cudaMemcpyToSymbol(word, &value, 4, 0, cudaMemcpyDefault));
    CALL(cudaMemcpyToSymbol(host_word, &value, 4));
    CALL(cudaMemcpyToSymbol((const void *)nullptr, &value, 4));
    CALL(cudaMemcpyToSymbol(fixed, &value, 4, 28));
    CALL(cudaMemcpyToSymbol(fixed, &value, 4, 29));
    CALL(cudaMemcpyFromSymbol(&value, words, 4, 60));
    CALL(cudaMemcpyFromSymbol(&value, words, 4, 61));
    CALL(cudaMemcpyFromSymbol(&value, words, 4, (size_t)-4));
    CALL(cudaMemcpyFromSymbol(&value, words, 4, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyFromSymbol(nullptr, words, 4));
    CALL(cudaMemcpyFromSymbol(&value, host_word, 4));
    CALL(cudaMemcpyToSymbolAsync(word, &value, 4, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyToSymbolAsync(word, &value, 4, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyFromSymbolAsync(&value, word, 4, 0, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpyFromSymbolAsync(&value, word, 4, 0, cudaMemcpyHostToHost));
    CALL(cudaGetSymbolAddress(&p, words));
    CALL(cudaGetSymbolAddress(&p, host_word));
    CALL(cudaGetSymbolAddress(&p, (const void *)nullptr));
    CALL(cudaGetSymbolAddress((void **)nullptr, words));
    CALL(cudaGetSymbolSize(&bytes, words));
    SHOW(bytes);
    CALL(cudaGetSymbolSize(&bytes, host_word));
    CALL(cudaGetSymbolSize(nullptr, words));
    CALL(cudaMemcpy(p, &value, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(&words, &value, 4, cudaMemcpyHostToDevice));
}

static void said_of(const char *what, const void *p) {
    cudaPointerAttributes attributes;
    memset(&attributes, 0x55, sizeof(attributes));
    called(what, cudaPointerGetAttributes(&attributes, p));
    printf("    type %d, device %d, device pointer %s, host pointer %s\n", attributes.type, attributes.device,
           !attributes.devicePointer       ? "null"
           : attributes.devicePointer == p ? "same"
                                           : "other",
           !attributes.hostPointer       ? "null"
           : attributes.hostPointer == p ? "same"
                                         : "other");
}

static void attributes() {
    void *managed = nullptr, *pinned = nullptr, *symbol = nullptr;
    char *device = allocated(64);
    static char page[4096];
    NEED(cudaMallocManaged(&managed, 64));
    NEED(cudaMallocHost(&pinned, 64));
    NEED(cudaHostRegister(page, sizeof(page), 0));
    NEED(cudaGetSymbolAddress(&symbol, words));
    said_of("of device memory", device);
    said_of("inside it", device + 10);
    said_of("behind it", device + 64);
    said_of("of managed memory", managed);
    said_of("of pinned memory", pinned);
    said_of("of registered memory", page);
    said_of("of a symbol's address", symbol);
    said_of("of a symbol's host address", &words);
    said_of("of the host's own", &host_word);
    said_of("of null", nullptr);
    said_of("of 16", (void *)16);
    NEED(cudaFree(device));
    said_of("of freed memory", device);
    CALL(cudaPointerGetAttributes(nullptr, pinned));
}

static void information() {
    size_t available = 0, total = 0;
    CALL(cudaMemGetInfo(&available, &total));
    SHOW(available <= total);
    CALL(cudaMemGetInfo(&available, nullptr));
    CALL(cudaMemGetInfo(nullptr, &total));
    CALL(cudaMemGetInfo(nullptr, nullptr));
}

static void stream_ordered() {
    void *p = nullptr;
    cudaStream_t stream;
    NEED(cudaStreamCreate(&stream));
    CALL(cudaMallocAsync(&p, 64, 0));
    CALL(cudaFreeAsync(p, 0));
    CALL(cudaFreeAsync(p, 0));
    CALL(cudaMallocAsync(&p, 0, stream));
    SHOW(p == nullptr);
    CALL(cudaMallocAsync((void **)nullptr, 64, stream));
    CALL(cudaMallocAsync(&p, huge, stream));
    CALL(cudaMallocAsync(&p, 64, stream));
    CALL(cudaFree(p));
    CALL(cudaFreeAsync(nullptr, stream));
    CALL(cudaFreeAsync((void *)16, stream));
    CALL(cudaFreeAsync(&host_word, stream));
    char *plain = allocated(64);
    CALL(cudaFreeAsync(plain, stream));
    CALL(cudaStreamSynchronize(stream));
    CALL(cudaMallocAsync(&p, 64, stream));
    CALL(cudaFreeAsync((char *)p + 4, stream));
}

static const Group groups[] = {GROUP(allocate), GROUP(managed),    GROUP(host_memory), GROUP(registered),
                               GROUP(pitched),  GROUP(copies),     GROUP(copies_2d),   GROUP(copies_3d),
                               GROUP(symbols),  GROUP(attributes), GROUP(information), GROUP(stream_ordered)};

int main(int argc, char **argv) { return groups_main(argc, argv, groups, sizeof(groups) / sizeof(*groups)); }
