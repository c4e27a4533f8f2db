// Memory in stream order, from the device's own pool and from others: what the runtime answers, right and wrong.
#include "log.h"

__global__ void add(int *to, int value) { *to += value; }

static unsigned long long get(cudaMemPool_t pool, cudaMemPoolAttr which) {
    unsigned long long value = 12345;
    if (cudaMemPoolGetAttribute(pool, which, &value) != cudaSuccess) return 54321;
    return value;
}

static int get_int(cudaMemPool_t pool, cudaMemPoolAttr which) {
    int value = 12345;
    if (cudaMemPoolGetAttribute(pool, which, &value) != cudaSuccess) return 54321;
    return value;
}

static void show(cudaMemPool_t pool) {
    VALUE(get(pool, cudaMemPoolAttrReservedMemCurrent));
    VALUE(get(pool, cudaMemPoolAttrReservedMemHigh));
    VALUE(get(pool, cudaMemPoolAttrUsedMemCurrent));
    VALUE(get(pool, cudaMemPoolAttrUsedMemHigh));
}

static void own(cudaStream_t stream) {
    cudaMemPool_t pool = nullptr, current = nullptr;
    int *a = nullptr, *b = nullptr;
    unsigned long long threshold = 64 << 20, zero = 0, wrong = 5;
    LOG(cudaDeviceGetDefaultMemPool(&pool, 0));
    LOG(cudaDeviceGetMemPool(&current, 0));
    VALUE(pool == current);
    LOG(cudaDeviceGetDefaultMemPool(&current, 1));
    LOG(cudaDeviceGetDefaultMemPool(nullptr, 0));
    VALUE(get(pool, cudaMemPoolAttrReleaseThreshold));
    VALUE(get_int(pool, cudaMemPoolReuseFollowEventDependencies));
    VALUE(get_int(pool, cudaMemPoolReuseAllowOpportunistic));
    VALUE(get_int(pool, cudaMemPoolReuseAllowInternalDependencies));
    show(pool);
    LOG(cudaMallocAsync(&a, 1000, stream));
    show(pool);
    LOG(cudaMallocAsync(&b, 40 << 20, stream));
    show(pool);
    LOG(cudaMemsetAsync(a, 0, 4, stream));
    add<<<1, 1, 0, stream>>>(a, 5);
    int value = 0;
    LOG(cudaMemcpyAsync(&value, a, sizeof value, cudaMemcpyDeviceToHost, stream));
    LOG(cudaStreamSynchronize(stream));
    VALUE(value);
    LOG(cudaFreeAsync(a, stream));
    LOG(cudaFreeAsync(b, stream));
    show(pool);
    LOG(cudaStreamSynchronize(stream));
    show(pool);
    LOG(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    VALUE(get(pool, cudaMemPoolAttrReleaseThreshold));
    LOG(cudaMallocAsync(&b, 40 << 20, stream));
    LOG(cudaFreeAsync(b, stream));
    LOG(cudaStreamSynchronize(stream));
    show(pool);
    LOG(cudaMemPoolTrimTo(pool, 0));
    show(pool);
    LOG(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &wrong));
    LOG(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    LOG(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
    show(pool);
    LOG(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero));
    LOG(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)77, &zero));
    LOG(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)77, &zero));
    LOG(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, nullptr));
    int no = 0;
    LOG(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &no));
    VALUE(get_int(pool, cudaMemPoolReuseAllowOpportunistic));
    LOG(cudaMemPoolDestroy(pool));
    LOG(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &zero));
}

static void others(cudaStream_t stream) {
    cudaMemPoolProps props = {};
    cudaMemPool_t mine = nullptr, current = nullptr, first = nullptr;
    int *a = nullptr, *b = nullptr;
    LOG(cudaMemPoolCreate(&mine, &props));
    props.allocType = cudaMemAllocationTypePinned;
    LOG(cudaMemPoolCreate(&mine, &props));
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 1;
    LOG(cudaMemPoolCreate(&mine, &props));
    props.location.id = 0;
    LOG(cudaMemPoolCreate(nullptr, &props));
    LOG(cudaMemPoolCreate(&mine, nullptr));
    LOG(cudaMemPoolCreate(&mine, &props));
    VALUE(get(mine, cudaMemPoolAttrReleaseThreshold));
    LOG(cudaMallocFromPoolAsync((void **)&a, 4096, mine, stream));
    show(mine);
    LOG(cudaDeviceGetDefaultMemPool(&first, 0));
    LOG(cudaDeviceSetMemPool(0, mine));
    LOG(cudaDeviceSetMemPool(1, mine));
    LOG(cudaDeviceGetMemPool(&current, 0));
    VALUE(current == mine);
    LOG(cudaMallocAsync(&b, 513, stream));
    show(mine);
    LOG(cudaMallocAsync(&b, 0, stream));
    VALUE(b == nullptr);
    LOG(cudaMallocAsync((void **)nullptr, 4, stream));
    LOG(cudaMallocAsync(&b, 1ull << 50, stream));
    LOG(cudaFreeAsync(nullptr, stream));
    LOG(cudaFreeAsync(a + 1, stream));
    LOG(cudaFree(a)); // what stream order gave may be freed at once
    cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    LOG(cudaMemPoolSetAccess(mine, &access, 1));
    LOG(cudaMemPoolGetAccess(&flags, mine, &access.location));
    VALUE(flags);
    access.flags = cudaMemAccessFlagsProtNone;
    LOG(cudaMemPoolSetAccess(mine, &access, 1));
    access.flags = cudaMemAccessFlagsProtReadWrite;
    access.location.id = 1;
    LOG(cudaMemPoolSetAccess(mine, &access, 1));
    LOG(cudaMemPoolGetAccess(&flags, mine, &access.location));
    LOG(cudaMemPoolDestroy(mine));
    LOG(cudaDeviceGetMemPool(&current, 0));
    VALUE(current == first);
    LOG(cudaMemPoolDestroy(nullptr));
    LOG(cudaStreamSynchronize(stream));
}

int main() {
    setvbuf(stdout, nullptr, _IOLBF, 0);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    own(stream);
    others(stream);
    cudaStreamDestroy(stream);
    printf("ok\n");
    return 0;
}
