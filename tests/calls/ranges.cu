// Copies in batches and between peers, what is known of ranges of managed memory, what arrays need, pools by their place, and the log of errors.
#include "calls.h"

static const cudaMemLocation device_0 = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation host = {cudaMemLocationTypeHost, 0};

static void peers() {
    int *a, *b, back[64], from[64];
    NEED(cudaMalloc(&a, 1 << 16));
    NEED(cudaMalloc(&b, 1 << 16));
    for (int i = 0; i < 64; i++) from[i] = i;
    NEED(cudaMemcpy(a, from, sizeof(from), cudaMemcpyHostToDevice));
    cudaMemcpy3DPeerParms p;
    memset(&p, 0, sizeof(p));
    p.srcPtr = make_cudaPitchedPtr(a, 32, 32, 4);
    p.dstPtr = make_cudaPitchedPtr(b, 64, 32, 4);
    p.extent = make_cudaExtent(32, 4, 2);
    CALL(cudaMemcpy3DPeer(&p));
    NEED(cudaMemcpy(back, b, sizeof(back), cudaMemcpyDeviceToHost));
    SHOW(back[0]);
    SHOW(back[7]);
    SHOW(back[16]);
    CALL(cudaMemcpy3DPeerAsync(&p, 0));
    CALL(cudaMemcpy3DPeerAsync(&p, cudaStreamPerThread));
    CALL(cudaMemcpy3DPeer(nullptr));
    p.srcDevice = 1;
    CALL(cudaMemcpy3DPeer(&p));
    p.srcDevice = 0;
    p.dstDevice = -1;
    CALL(cudaMemcpy3DPeer(&p));
    p.dstDevice = 0;
    p.extent.width = 0;
    CALL(cudaMemcpy3DPeer(&p));
    p.extent.width = 33;
    CALL(cudaMemcpy3DPeer(&p));
    p.extent.width = 32;
    p.srcPtr.ptr = nullptr;
    CALL(cudaMemcpy3DPeer(&p));
    p.srcPtr.ptr = from;
    CALL(cudaMemcpy3DPeer(&p));
    p.srcPtr.ptr = a;
    p.dstPtr.ptr = back;
    CALL(cudaMemcpy3DPeer(&p));
}

static void batches() {
    int *a, *b, *managed, from[64], back[64];
    NEED(cudaMalloc(&a, 1 << 16));
    NEED(cudaMalloc(&b, 1 << 16));
    NEED(cudaMallocManaged(&managed, 1 << 16));
    cudaStream_t s, gone;
    NEED(cudaStreamCreate(&s));
    NEED(cudaStreamCreate(&gone));
    NEED(cudaStreamDestroy(gone));
    for (int i = 0; i < 64; i++) from[i] = i;
    cudaMemcpyAttributes attributes[2];
    memset(attributes, 0, sizeof(attributes));
    attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    void *to[4] = {a, a + 32, b, back};
    const void *of[4] = {from, from + 32, from, from};
    size_t sizes[4] = {128, 128, 256, 64}, indices[2] = {0, 2};
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 2, s));
    NEED(cudaStreamSynchronize(s));
    NEED(cudaMemcpy(back, a, sizeof(back), cudaMemcpyDeviceToHost));
    SHOW(back[40]);
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 4, attributes, indices, 1, s));
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, 0));
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, cudaStreamPerThread));
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 0, attributes, indices, 1, s));
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 0, s));
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, nullptr, indices, 1, s));
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, nullptr, 1, s));
    CALL(cudaMemcpyBatchAsync(nullptr, of, sizes, 3, attributes, indices, 1, s));
    CALL(cudaMemcpyBatchAsync(to, nullptr, sizes, 3, attributes, indices, 1, s));
    CALL(cudaMemcpyBatchAsync(to, of, nullptr, 3, attributes, indices, 1, s));
    indices[0] = 1;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    indices[0] = 0;
    indices[1] = 0;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 2, s));
    indices[1] = 3;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 2, s));
    sizes[1] = 0;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    sizes[1] = 128;
    to[1] = nullptr;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    to[1] = a + 32;
    sizes[1] = (size_t)1 << 40;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    sizes[1] = 128;
    for (int order = 0; order <= 4; order++) {
        attributes[0].srcAccessOrder = (cudaMemcpySrcAccessOrder)order;
        printf("order %d\n", order);
        CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    }
    attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    attributes[0].flags = 1;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    attributes[0].flags = 8;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    attributes[0].flags = 0;
    attributes[0].srcLocHint = host;
    attributes[0].dstLocHint = device_0;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    attributes[0].dstLocHint.id = 7;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    NEED(cudaStreamSynchronize(s));
    NEED(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    attributes[0].dstLocHint.id = 0;
    CALL(cudaMemcpyBatchAsync(to, of, sizes, 3, attributes, indices, 1, s));
    cudaGraph_t graph = nullptr;
    CALL(cudaStreamEndCapture(s, &graph));
}

static void boxes() {
    int *a, from[64], back[64];
    NEED(cudaMalloc(&a, 1 << 16));
    cudaStream_t s;
    NEED(cudaStreamCreate(&s));
    for (int i = 0; i < 64; i++) from[i] = i, back[i] = -1;
    cudaMemcpy3DBatchOp op[2];
    memset(op, 0, sizeof(op));
    op[0].src.type = op[0].dst.type = cudaMemcpyOperandTypePointer;
    op[0].src.op.ptr.ptr = from;
    op[0].dst.op.ptr.ptr = a;
    op[0].src.op.ptr.rowLength = 16;
    op[0].src.op.ptr.layerHeight = 4;
    op[0].dst.op.ptr.rowLength = 32;
    op[0].dst.op.ptr.layerHeight = 4;
    op[0].src.op.ptr.locHint = host;
    op[0].dst.op.ptr.locHint = device_0;
    op[0].extent = make_cudaExtent(16, 4, 2);
    op[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    CALL(cudaMemcpy3DBatchAsync(1, op, 0, s));
    NEED(cudaStreamSynchronize(s));
    NEED(cudaMemcpy(back, a, sizeof(back), cudaMemcpyDeviceToHost));
    SHOW(back[0]);
    SHOW(back[8]);
    SHOW(back[32]);
    op[1] = op[0];
    op[1].src.op.ptr.rowLength = op[1].src.op.ptr.layerHeight = 0;
    CALL(cudaMemcpy3DBatchAsync(2, op, 0, s));
    CALL(cudaMemcpy3DBatchAsync(0, op, 0, s));
    CALL(cudaMemcpy3DBatchAsync(1, nullptr, 0, s));
    CALL(cudaMemcpy3DBatchAsync(1, op, 1, s));
    CALL(cudaMemcpy3DBatchAsync(1, op, 0, 0));
    op[0].extent.width = 0;
    CALL(cudaMemcpy3DBatchAsync(1, op, 0, s));
    op[0].extent.width = 17;
    CALL(cudaMemcpy3DBatchAsync(1, op, 0, s));
    op[0].extent.width = 16;
    op[0].srcAccessOrder = (cudaMemcpySrcAccessOrder)0;
    CALL(cudaMemcpy3DBatchAsync(1, op, 0, s));
    op[0].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
    CALL(cudaMemcpy3DBatchAsync(1, op, 0, s));
    op[0].src.type = (cudaMemcpy3DOperandType)7;
    CALL(cudaMemcpy3DBatchAsync(1, op, 0, s));
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    NEED(cudaMallocArray(&array, &format, 4, 4));
    op[0].src.type = cudaMemcpyOperandTypeArray;
    memset(&op[0].src.op, 0, sizeof(op[0].src.op));
    op[0].src.op.array.array = array;
    op[0].dst.op.ptr.rowLength = op[0].dst.op.ptr.layerHeight = 0;
    op[0].extent = make_cudaExtent(4, 4, 1);
    CALL(cudaMemcpy3DBatchAsync(1, op, 0, s));
    op[0].src.op.array.offset.x = 1;
    CALL(cudaMemcpy3DBatchAsync(1, op, 0, s));
    op[0].extent.width = 3;
    CALL(cudaMemcpy3DBatchAsync(1, op, 0, s));
}

static void managed() {
    char *p, *q;
    int own[64];
    NEED(cudaMallocManaged(&p, 4 << 20));
    NEED(cudaMalloc(&q, 1 << 20));
    cudaStream_t s;
    NEED(cudaStreamCreate(&s));
    void *to[2] = {p, p + (2 << 20)}, *not_managed[1] = {q}, *of_host[1] = {own};
    size_t sizes[2] = {2 << 20, 2 << 20}, indices[2] = {0, 1}, odd[1] = {100};
    cudaMemLocation places[2] = {device_0, host}, wrong[1] = {{cudaMemLocationTypeDevice, 3}};
    CALL(cudaMemPrefetchBatchAsync(to, sizes, 2, places, indices, 2, 0, s));
    CALL(cudaMemPrefetchBatchAsync(to, sizes, 2, places, indices, 1, 0, s));
    CALL(cudaMemPrefetchBatchAsync(to, sizes, 0, places, indices, 1, 0, s));
    CALL(cudaMemPrefetchBatchAsync(to, sizes, 2, places, indices, 0, 0, s));
    CALL(cudaMemPrefetchBatchAsync(to, sizes, 2, places, indices, 2, 1, s));
    CALL(cudaMemPrefetchBatchAsync(to, sizes, 2, places, indices, 2, 0, 0));
    CALL(cudaMemPrefetchBatchAsync(nullptr, sizes, 2, places, indices, 2, 0, s));
    CALL(cudaMemPrefetchBatchAsync(to, sizes, 1, wrong, indices, 1, 0, s));
    CALL(cudaMemPrefetchBatchAsync(not_managed, sizes, 1, places, indices, 1, 0, s));
    CALL(cudaMemPrefetchBatchAsync(of_host, odd, 1, places, indices, 1, 0, s));
    CALL(cudaMemDiscardBatchAsync(to, sizes, 2, 0, s));
    CALL(cudaMemDiscardBatchAsync(to, odd, 1, 0, s));
    CALL(cudaMemDiscardBatchAsync(to, sizes, 0, 0, s));
    CALL(cudaMemDiscardBatchAsync(to, sizes, 2, 1, s));
    CALL(cudaMemDiscardBatchAsync(to, nullptr, 2, 0, s));
    CALL(cudaMemDiscardBatchAsync(not_managed, sizes, 1, 0, s));
    CALL(cudaMemDiscardBatchAsync(to, sizes, 2, 0, 0));
    CALL(cudaMemDiscardAndPrefetchBatchAsync(to, sizes, 2, places, indices, 2, 0, s));
    CALL(cudaMemDiscardAndPrefetchBatchAsync(to, sizes, 2, places, indices, 0, 0, s));
    CALL(cudaMemDiscardAndPrefetchBatchAsync(not_managed, sizes, 1, places, indices, 1, 0, s));
    NEED(cudaStreamSynchronize(s));
}

static void show_range(const char *p, size_t bytes) {
    for (int attribute = 0; attribute <= 9; attribute++) {
        int data[4] = {77, 77, 77, 77};
        const cudaError_t error =
            cudaMemRangeGetAttribute(data, attribute == 3 ? 16 : 4, (cudaMemRangeAttribute)attribute, p, bytes);
        cudaGetLastError();
        printf("attribute %d: %s %d %d\n", attribute, error_word(error), data[0], data[1]);
    }
}

static void ranges() {
    char *p, *q;
    int data[4], more[4];
    NEED(cudaMallocManaged(&p, 4 << 20));
    NEED(cudaMalloc(&q, 4096));
    show_range(p, 4 << 20);
    CALL(cudaMemAdvise(p, 4 << 20, cudaMemAdviseSetReadMostly, device_0));
    CALL(cudaMemAdvise(p, 4 << 20, cudaMemAdviseSetPreferredLocation, device_0));
    CALL(cudaMemAdvise(p, 4 << 20, cudaMemAdviseSetAccessedBy, host));
    show_range(p, 4 << 20);
    CALL(cudaMemAdvise(p, 4 << 20, cudaMemAdviseSetAccessedBy, device_0));
    CALL(cudaMemAdvise(p, 2 << 20, cudaMemAdviseUnsetReadMostly, device_0));
    CALL(cudaMemAdvise(p, 2 << 20, cudaMemAdviseSetPreferredLocation, host));
    show_range(p, 4 << 20);
    show_range(p, 2 << 20);
    show_range(p + (2 << 20), 2 << 20);
    show_range(p + 100, 50);
    CALL(cudaMemPrefetchAsync(p, 2 << 20, device_0, 0, 0));
    show_range(p, 2 << 20);
    show_range(p, 4 << 20);
    CALL(cudaMemPrefetchAsync(p, 4 << 20, host, 0, 0));
    CALL(cudaMemAdvise(p, 4 << 20, cudaMemAdviseUnsetPreferredLocation, device_0));
    CALL(cudaMemAdvise(p, 4 << 20, cudaMemAdviseUnsetAccessedBy, host));
    show_range(p, 4 << 20);
    show_range(q, 4096);
    CALL(cudaMemRangeGetAttribute(data, 4, cudaMemRangeAttributeReadMostly, p, 0));
    CALL(cudaMemRangeGetAttribute(data, 4, cudaMemRangeAttributeReadMostly, p, 5 << 20));
    CALL(cudaMemRangeGetAttribute(data, 3, cudaMemRangeAttributeReadMostly, p, 4096));
    CALL(cudaMemRangeGetAttribute(data, 8, cudaMemRangeAttributeReadMostly, p, 4096));
    CALL(cudaMemRangeGetAttribute(data, 0, cudaMemRangeAttributeReadMostly, p, 4096));
    CALL(cudaMemRangeGetAttribute(data, 6, cudaMemRangeAttributeAccessedBy, p, 4096));
    CALL(cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributeReadMostly, p, 4096));
    CALL(cudaMemRangeGetAttribute(data, 4, cudaMemRangeAttributeReadMostly, nullptr, 4096));
    CALL(cudaMemRangeGetAttribute(data, 4, cudaMemRangeAttributeReadMostly, &data, 4));
    void *into[2] = {data, more};
    size_t sizes[2] = {4, 16};
    cudaMemRangeAttribute which[2] = {cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributeAccessedBy};
    CALL(cudaMemRangeGetAttributes(into, sizes, which, 2, p, 4 << 20));
    SHOW(data[0]);
    SHOW(more[0]);
    SHOW(more[1]);
    CALL(cudaMemRangeGetAttributes(into, sizes, which, 0, p, 4 << 20));
    CALL(cudaMemRangeGetAttributes(nullptr, sizes, which, 2, p, 4 << 20));
    CALL(cudaMemRangeGetAttributes(into, nullptr, which, 2, p, 4 << 20));
    CALL(cudaMemRangeGetAttributes(into, sizes, nullptr, 2, p, 4 << 20));
    CALL(cudaMemAdvise(p, 4 << 20, (cudaMemoryAdvise)99, device_0));
    CALL(cudaMemAdvise(q, 4096, cudaMemAdviseSetReadMostly, device_0));
}

static void arrays() {
    cudaArray_t array, layered, plane = nullptr;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    NEED(cudaMallocArray(&array, &format, 64, 64));
    NEED(cudaMalloc3DArray(&layered, &format, make_cudaExtent(64, 64, 4), cudaArrayLayered));
    CALL(cudaArrayGetPlane(&plane, array, 0));
    CALL(cudaArrayGetPlane(&plane, array, 1));
    CALL(cudaArrayGetPlane(nullptr, array, 0));
    CALL(cudaArrayGetPlane(&plane, nullptr, 0));
    cudaArrayMemoryRequirements needs;
    memset(&needs, 0, sizeof(needs));
    CALL(cudaArrayGetMemoryRequirements(&needs, array, 0));
    SHOW(needs.size);
    SHOW(needs.alignment);
    CALL(cudaArrayGetMemoryRequirements(&needs, layered, 0));
    CALL(cudaArrayGetMemoryRequirements(&needs, array, 1));
    CALL(cudaArrayGetMemoryRequirements(nullptr, array, 0));
    CALL(cudaArrayGetMemoryRequirements(&needs, nullptr, 0));
    cudaArraySparseProperties sparse;
    CALL(cudaArrayGetSparseProperties(&sparse, array));
    CALL(cudaArrayGetSparseProperties(&sparse, nullptr));
    CALL(cudaArrayGetSparseProperties(nullptr, array));
}

static void pools() {
    cudaMemPool_t own, pool = nullptr, made;
    NEED(cudaDeviceGetDefaultMemPool(&own, 0));
    cudaMemLocation places[] = {
        device_0, host, {cudaMemLocationTypeDevice, 1}, {cudaMemLocationTypeInvalid, 0}, {cudaMemLocationTypeHostNuma, 0}};
    for (cudaMemLocation &place : places)
        for (int type = 0; type <= 3; type++) {
            printf("place %d %d, type %d\n", (int)place.type, place.id, type);
            CALL(cudaMemGetDefaultMemPool(&pool, &place, (cudaMemAllocationType)type));
            CALL(cudaMemGetMemPool(&pool, &place, (cudaMemAllocationType)type));
        }
    CALL(cudaMemGetDefaultMemPool(&pool, places, cudaMemAllocationTypePinned));
    SHOW(pool == own);
    cudaMemPoolProps props;
    memset(&props, 0, sizeof(props));
    props.allocType = cudaMemAllocationTypePinned;
    props.location = device_0;
    NEED(cudaMemPoolCreate(&made, &props));
    CALL(cudaMemSetMemPool(places, cudaMemAllocationTypePinned, made));
    CALL(cudaMemGetMemPool(&pool, places, cudaMemAllocationTypePinned));
    SHOW(pool == made);
    CALL(cudaDeviceGetMemPool(&pool, 0));
    SHOW(pool == made);
    CALL(cudaMemSetMemPool(places + 1, cudaMemAllocationTypePinned, made));
    CALL(cudaMemSetMemPool(places, cudaMemAllocationTypeManaged, made));
    CALL(cudaMemSetMemPool(places, cudaMemAllocationTypePinned, nullptr));
    CALL(cudaMemSetMemPool(nullptr, cudaMemAllocationTypePinned, made));
    CALL(cudaMemGetMemPool(nullptr, places, cudaMemAllocationTypePinned));
    CALL(cudaMemGetMemPool(&pool, nullptr, cudaMemAllocationTypePinned));
    CALL(cudaMemGetDefaultMemPool(nullptr, places, cudaMemAllocationTypePinned));
    int handle = -1;
    void *p = nullptr;
    cudaMemPoolPtrExportData data;
    memset(&data, 0, sizeof(data));
    NEED(cudaMallocFromPoolAsync(&p, 4096, made, 0));
    CALL(cudaMemPoolExportToShareableHandle(&handle, made, cudaMemHandleTypePosixFileDescriptor, 0));
    CALL(cudaMemPoolExportToShareableHandle(&handle, made, cudaMemHandleTypeNone, 0));
    CALL(cudaMemPoolExportToShareableHandle(nullptr, made, cudaMemHandleTypePosixFileDescriptor, 0));
    CALL(cudaMemPoolExportToShareableHandle(&handle, made, cudaMemHandleTypePosixFileDescriptor, 1));
    CALL(cudaMemPoolExportPointer(&data, p));
    CALL(cudaMemPoolExportPointer(nullptr, p));
    CALL(cudaMemPoolExportPointer(&data, nullptr));
    CALL(cudaMemPoolExportPointer(&data, &handle));
}

static void logged(void *data, cudaLogLevel level, char *, size_t length) {
    printf("    log: level %d, text %d, data %d\n", (int)level, length > 0, *(int *)data);
}
static void logs() {
    int data = 42, device = 0;
    cudaLogsCallbackHandle handle = nullptr;
    cudaLogIterator now = 77, later = 77;
    char text[4096] = "";
    size_t size = sizeof(text);
    NEED(cudaFree(nullptr));
    CALL(cudaLogsCurrent(&now, 0));
    SHOW(now);
    CALL(cudaLogsCurrent(&now, 1));
    CALL(cudaLogsDumpToMemory(nullptr, text, &size, 0));
    SHOW(size);
    CALL(cudaLogsRegisterCallback(logged, &data, &handle));
    SHOW(handle != nullptr);
    CALL(cudaSetDevice(7));
    CALL(cudaMemcpy(&device, nullptr, 4, cudaMemcpyDeviceToHost));
    CALL(cudaMallocManaged((void **)nullptr, 4));
    CALL(cudaMemAdvise(nullptr, 0, cudaMemAdviseSetReadMostly, device_0));
    CALL(cudaStreamDestroy(nullptr));
    CALL(cudaLogsCurrent(&later, 0));
    SHOW(later);
    size = sizeof(text);
    CALL(cudaLogsDumpToMemory(nullptr, text, &size, 0));
    SHOW(size > 0);
    SHOW(strlen(text) == size);
    size = sizeof(text);
    CALL(cudaLogsDumpToMemory(&now, text, &size, 0));
    SHOW(size > 0);
    SHOW(now == later);
    size = 10;
    CALL(cudaLogsDumpToMemory(nullptr, text, &size, 0));
    SHOW(size);
    SHOW(strlen(text));
    size = 64;
    CALL(cudaLogsDumpToMemory(nullptr, text, &size, 0));
    SHOW(size <= 64);
    SHOW(strlen(text) <= 64);
    CALL(cudaLogsDumpToMemory(nullptr, nullptr, &size, 0));
    CALL(cudaLogsDumpToMemory(nullptr, text, nullptr, 0));
    CALL(cudaLogsDumpToMemory(nullptr, text, &size, 1));
    CALL(cudaLogsDumpToFile(nullptr, "/dev/null", 0));
    CALL(cudaLogsDumpToFile(nullptr, "/no/such/folder", 0));
    CALL(cudaLogsDumpToFile(nullptr, nullptr, 0));
    CALL(cudaLogsDumpToFile(nullptr, "/dev/null", 1));
    CALL(cudaLogsUnregisterCallback(handle));
}

static const Group groups[] = {GROUP(peers),  GROUP(batches), GROUP(boxes), GROUP(managed),
                               GROUP(ranges), GROUP(arrays),  GROUP(pools), GROUP(logs)};
int main(int argc, char **argv) { return groups_main(argc, argv, groups, sizeof(groups) / sizeof(*groups)); }
