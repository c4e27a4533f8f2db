// Many copies by one call: rows, boxes with their pitches, to and from an array; copies between devices, of which there is one; and managed memory by
// ranges, with what is known of them.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

static const cudaMemLocation on_device = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation on_host = {cudaMemLocationTypeHost, 0};

static void rows(cudaStream_t stream) {
    int from[96], back[96], *a, *b;
    for (int i = 0; i < 96; i++) from[i] = i, back[i] = -1;
    CHECK(cudaMalloc(&a, sizeof(from)));
    CHECK(cudaMalloc(&b, sizeof(from)));
    void *up[] = {a, a + 32, b};
    const void *of[] = {from + 64, from, from + 32};
    size_t sizes[] = {128, 256, 384 - 128}, first[] = {0, 2};
    cudaMemcpyAttributes how[2];
    memset(how, 0, sizeof(how));
    how[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    how[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    CHECK(cudaMemcpyBatchAsync(up, of, sizes, 3, how, first, 2, stream));
    void *down[] = {back, back + 64};
    const void *device[] = {a + 16, b + 32};
    size_t bytes[] = {256, 128};
    CHECK(cudaMemcpyBatchAsync(down, device, bytes, 2, how, first, 1, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("rows: %d %d %d %d\n", back[0], back[16], back[63], back[95]); // from + 80, from, from + 47, from + 95
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

static void boxes(cudaStream_t stream) {
    unsigned char from[64], back[64], *a;
    for (int i = 0; i < 64; i++) from[i] = (unsigned char)i, back[i] = 99;
    CHECK(cudaMalloc(&a, 4096));
    CHECK(cudaMemset(a, 0, 4096));
    cudaMemcpy3DBatchOp copy;
    memset(&copy, 0, sizeof(copy));
    copy.src.type = copy.dst.type = cudaMemcpyOperandTypePointer;
    copy.src.op.ptr.ptr = from;
    copy.src.op.ptr.rowLength = 8;
    copy.src.op.ptr.layerHeight = 4;
    copy.src.op.ptr.locHint = on_host;
    copy.dst.op.ptr.ptr = a;
    copy.dst.op.ptr.rowLength = 16;
    copy.dst.op.ptr.layerHeight = 8;
    copy.dst.op.ptr.locHint = on_device;
    copy.extent = make_cudaExtent(4, 3, 2);
    copy.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    CHECK(cudaMemcpy3DBatchAsync(1, &copy, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(back, a, 64, cudaMemcpyDeviceToHost));
    printf("boxes: %d %d %d", back[3], back[4], back[35]); // the third row's last byte: 2 * 8 + 3
    CHECK(cudaMemcpy(back, a + 128, 64, cudaMemcpyDeviceToHost));
    printf(" %d\n", back[16]); // the second slice's second row: 32 + 8

    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&array, &format, 8, 4));
    int texels[32], corner[6];
    for (int i = 0; i < 32; i++) texels[i] = 100 + i;
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, 32, 32, 4, cudaMemcpyHostToDevice));
    memset(&copy, 0, sizeof(copy));
    copy.src.type = cudaMemcpyOperandTypeArray;
    copy.src.op.array.array = array;
    copy.src.op.array.offset.x = 5;
    copy.src.op.array.offset.y = 2;
    copy.dst.type = cudaMemcpyOperandTypePointer;
    copy.dst.op.ptr.ptr = a;
    copy.dst.op.ptr.locHint = on_device;
    copy.extent = make_cudaExtent(3, 2, 1);
    copy.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    CHECK(cudaMemcpy3DBatchAsync(1, &copy, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(corner, a, sizeof(corner), cudaMemcpyDeviceToHost));
    printf("of an array: %d %d %d\n", corner[0], corner[2], corner[5]); // 100 + 2 * 8 + 5, then 7, then 3 * 8 + 7
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(a));
}

static void peers() {
    int from[16], back[16], *a, *b;
    for (int i = 0; i < 16; i++) from[i] = i;
    CHECK(cudaMalloc(&a, sizeof(from)));
    CHECK(cudaMalloc(&b, 256));
    CHECK(cudaMemset(b, 0, 256));
    CHECK(cudaMemcpy(a, from, sizeof(from), cudaMemcpyHostToDevice));
    cudaMemcpy3DPeerParms copy;
    memset(&copy, 0, sizeof(copy));
    copy.srcPtr = make_cudaPitchedPtr(a, 16, 16, 4);
    copy.dstPtr = make_cudaPitchedPtr(b, 32, 16, 4);
    copy.extent = make_cudaExtent(8, 4, 1);
    CHECK(cudaMemcpy3DPeer(&copy));
    CHECK(cudaMemcpy(back, b, sizeof(back), cudaMemcpyDeviceToHost));
    printf("peers: %d %d %d\n", back[1], back[2], back[9]); // 1, nothing, the second row's second
    copy.dstDevice = 1;
    printf("another device: %s\n", cudaGetErrorName(cudaMemcpy3DPeer(&copy)));
    cudaGetLastError();
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

static void ranges(cudaStream_t stream) {
    const size_t half = 2 << 20;
    char *p;
    CHECK(cudaMallocManaged(&p, 2 * half));
    int mostly = 9, preferred = 9, by[3] = {9, 9, 9}, last = 9;
    CHECK(cudaMemRangeGetAttribute(&mostly, sizeof(mostly), cudaMemRangeAttributeReadMostly, p, 2 * half));
    CHECK(cudaMemRangeGetAttribute(&preferred, sizeof(preferred), cudaMemRangeAttributePreferredLocation, p, 2 * half));
    printf("at first: %d %d\n", mostly, preferred == cudaInvalidDeviceId);
    CHECK(cudaMemAdvise(p, 2 * half, cudaMemAdviseSetReadMostly, on_device));
    CHECK(cudaMemAdvise(p, half, cudaMemAdviseSetPreferredLocation, on_host));
    CHECK(cudaMemAdvise(p + half, half, cudaMemAdviseSetPreferredLocation, on_device));
    CHECK(cudaMemAdvise(p, 2 * half, cudaMemAdviseSetAccessedBy, on_device));
    void *into[] = {&mostly, &preferred, by, &last};
    size_t bytes[] = {4, 4, 12, 4};
    cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation,
                                     cudaMemRangeAttributeAccessedBy, cudaMemRangeAttributeLastPrefetchLocation};
    CHECK(cudaMemRangeGetAttributes(into, bytes, which, 4, p, 2 * half));
    printf("all: %d %d, %d %d, %d\n", mostly, preferred == cudaInvalidDeviceId, by[0], by[1] == cudaInvalidDeviceId,
           last == cudaInvalidDeviceId);
    CHECK(cudaMemRangeGetAttributes(into, bytes, which, 2, p, half));
    printf("one half: %d %d\n", mostly, preferred == cudaCpuDeviceId);
    CHECK(cudaMemRangeGetAttributes(into, bytes, which, 2, p + half, half));
    printf("the other: %d %d\n", mostly, preferred);
    void *parts[] = {p, p + half};
    size_t sizes[] = {half, half}, first[] = {0, 1};
    cudaMemLocation places[] = {on_device, on_host};
    CHECK(cudaMemPrefetchBatchAsync(parts, sizes, 2, places, first, 2, 0, stream));
    CHECK(cudaStreamSynchronize(stream));
    int ends[2];
    CHECK(cudaMemRangeGetAttribute(&ends[0], 4, cudaMemRangeAttributeLastPrefetchLocation, p, half));
    CHECK(cudaMemRangeGetAttribute(&ends[1], 4, cudaMemRangeAttributeLastPrefetchLocation, p + half, half));
    printf("prefetched: %d %d\n", ends[0], ends[1] == cudaCpuDeviceId);
    CHECK(cudaFree(p));
}

int main() {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    rows(stream);
    boxes(stream);
    peers();
    ranges(stream);
    CHECK(cudaStreamDestroy(stream));
    printf("ok\n");
    return 0;
}
