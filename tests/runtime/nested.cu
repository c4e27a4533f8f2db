/* Kernels that launch kernels, rightly and not: the first word says which. */
#include <cstdio>
#include <cstdlib>

__global__ void child(int *to) { to[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

__global__ void bounded(int *to) __launch_bounds__(64);
__global__ void bounded(int *to) { to[threadIdx.x] = 1; }

__global__ void parent(int *to) { child<<<2, 32>>>(to + blockIdx.x * 64); }

__global__ void of_shared(int *) {
    __shared__ int own[32];
    own[threadIdx.x] = 0;
    child<<<1, 32>>>(own);
}

__global__ void of_local(int *to) {
    int own[4];
    own[threadIdx.x] = 0;
    child<<<1, 1>>>(own + threadIdx.x);
    to[0] = own[threadIdx.x];
}

__global__ void waits(volatile int *to) {
    child<<<1, 1, 0, cudaStreamFireAndForget>>>((int *)to);
    while (to[0] == 0) continue;
}

__global__ void beyond(int *to) { child<<<5, 32>>>(to); } // 160 of 128

__global__ void wrong(int *to) {
    bounded<<<1, 128>>>(to);
    to[0] = cudaGetLastError();
}

// As many as may wait for the grid's end, and two more.
__global__ void many_tails(int *to) {
    for (int i = 0; i < 34; i++) {
        child<<<1, 1, 0, cudaStreamTailLaunch>>>(to);
        const cudaError_t error = cudaGetLastError();
        if (error) to[1]++, to[2] = error;
    }
}

// Of one thread all begin in time.
__global__ void many_by_one(int *to) {
    for (int i = 0; i < 100; i++) child<<<1, 1>>>(to);
    to[1] = cudaGetLastError();
}

// 40 threads, of which 32 may have a launch that waits.
__global__ void many_threads(int *to) {
    child<<<1, 1>>>(to);
    if (cudaGetLastError()) atomicAdd(to + 1, 1);
}

// Each thread has a last error of its own.
__global__ void threads(int *to) {
    if (threadIdx.x == 1) bounded<<<0, 1>>>(to);
    __syncthreads();
    to[threadIdx.x] = cudaPeekAtLastError();
}

// Each of many copies outside is refused, and some are told.
__global__ void outside(int *to) {
    cudaMemcpyAsync(to + 128, to, 4, cudaMemcpyDeviceToDevice, 0);
    atomicAdd(to, cudaGetLastError() == cudaErrorInvalidValue);
    cudaMemsetAsync(to + 1, 1, 4, 0);
}

// What the host sets between two launches, a kernel is answered, and may launch.
__global__ void wide(int *to) {
    extern __shared__ int own[];
    own[0] = 7;
    to[0] = own[0];
}
__global__ void asks(int *to) {
    size_t limit = 0;
    cudaFuncAttributes attributes;
    cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
    cudaFuncGetAttributes(&attributes, wide);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(to + 2, wide, 32, 100000);
    to[0] = limit;
    to[1] = attributes.maxDynamicSharedSizeBytes;
}
__global__ void launches_wide(int *to) {
    wide<<<1, 1, 100000>>>(to);
    to[1] = cudaGetLastError();
}

// Copies from and to what is no memory of the device's: of each call and direction.
__global__ void of_host(int *to, int *host) {
    to[0] = cudaMemcpyAsync(to + 8, (void *)16, 4, cudaMemcpyDefault, 0);
    to[1] = cudaMemcpyAsync(to + 8, host, 4, cudaMemcpyDefault, 0);
    to[2] = cudaMemcpyAsync(host, to, 4, cudaMemcpyDefault, 0);
    to[3] = cudaMemcpy2DAsync(to + 8, 8, host, 8, 4, 2, cudaMemcpyDeviceToDevice, 0);
    to[4] = cudaMemsetAsync(host, 1, 4, 0);
    to[5] = cudaMemcpyAsync(nullptr, to, 4, cudaMemcpyDeviceToDevice, 0);
    to[6] = cudaMemcpyAsync(to + 8, (void *)16, 0, cudaMemcpyDeviceToDevice, 0); // nothing
}

// What a copy, a fill or a launch has wrong but where it leads.
__global__ void ill_formed(int *to, int *pinned) {
    to[0] = cudaMemcpyAsync(to + 8, pinned, 4, cudaMemcpyHostToDevice, 0);
    to[1] = cudaMemcpyAsync(pinned, to, 4, cudaMemcpyDeviceToHost, 0);
    to[2] = cudaMemcpyAsync(pinned, pinned + 1, 4, cudaMemcpyHostToHost, 0);
    to[3] = cudaMemcpyAsync(to + 127, pinned, 4, cudaMemcpyDefault, 0);
    if (cudaMemcpy2DAsync(to + 8, 4, to + 16, 8, 8, 2, cudaMemcpyDeviceToDevice, 0)) to[4]++;
    if (cudaMemset2DAsync(to + 8, 4, 1, 8, 2, 0)) to[4]++;
    if (cudaMemsetAsync(to + 8, 1, 4, (cudaStream_t)0x1234)) to[4]++;
    child<<<1, 1, 0, (cudaStream_t)0x1234>>>(to + 8);
    if (cudaGetLastError()) to[4]++;
}

// Of one byte each, of which 32 may wait.
__global__ void many_fills(int *to) {
    const cudaError_t error = cudaMemsetAsync((char *)(to + 2) + threadIdx.x, 1, 1, 0);
    if (error) atomicAdd(to, 1), atomicMax(to + 1, error);
}
__global__ void many_copies(int *to) {
    if (cudaMemcpyAsync((char *)to + threadIdx.x, (char *)to + 64, 1, cudaMemcpyDeviceToDevice, 0)) atomicAdd(to + 30, 1);
}

// What malloc gives kernels, they may have copied and filled.
__global__ void of_heap(int *to) {
    int *own = (int *)malloc(8);
    own[0] = 5;
    if (cudaMemsetAsync(own + 1, 1, 4, 0)) to[4] = 1;
    if (cudaMemcpyAsync(to + threadIdx.x, own + threadIdx.x % 2, 4, cudaMemcpyDeviceToDevice, 0)) to[5] = 1;
}

// Until it is refused: to[0] deep; there a fill and a launch in the tail stream are refused too.
__global__ void deeper(int *to) {
    to[0]++;
    deeper<<<1, 1>>>(to);
    if (!(to[1] = cudaGetLastError())) return;
    to[2] = cudaMemsetAsync(to + 8, 1, 4, 0);
    child<<<1, 1, 0, cudaStreamTailLaunch>>>(to + 8);
    to[3] = cudaGetLastError();
}
__global__ void next(int *to, int left) {
    if (left) next<<<1, 1, 0, cudaStreamTailLaunch>>>(to, left - 1);
    to[0] += cudaGetLastError() == cudaSuccess;
}

// Constants of the device's library, which stay.
__device__ const char *kept;
__global__ void keeps(int *) { kept = cudaGetErrorString(cudaErrorMemoryAllocation); }
__global__ void uses(int *to) {
    printf("%s\n", kept);
    to[0] = kept == cudaGetErrorString(cudaErrorMemoryAllocation);
}

// What malloc did not give, or not any more.
__global__ void frees(int *to, int how) {
    char *own = (char *)malloc(64);
    if (how == 0) to[0] = cudaFree(to);
    if (how == 1) to[0] = cudaFree(own + 1);
    if (how > 1) to[0] = cudaFree(own), to[1] = cudaFree(own);
}

// An H200's answers.
__global__ void answers(int *to) {
    void *place = to;
    cudaFuncAttributes attributes;
    to[0] = cudaFree(nullptr);
    to[1] = cudaMalloc(&place, 0);
    to[2] = place == to;
    to[3] = cudaMalloc((void **)nullptr, 16);
    to[4] = cudaMalloc(&place, 1ull << 40);
    to[5] = place == to;
    to[6] = cudaFuncGetAttributes(&attributes, (const void *)nullptr);
}

// Of 8 bytes, where 4 would fit.
__global__ void misplaced(int *to) { to[0] = cudaStreamCreateWithFlags((cudaStream_t *)(to + 1), cudaStreamNonBlocking); }

// More than are emulated.
__global__ void fills(int *to) {
    for (int i = 0; i < (1 << 20) + 3; i++)
        if (cudaMemsetAsync(to + 1, 0, 1, 0)) to[0]++;
}

// A copy between memory of the host's, which waits for none of it.
__global__ void copies(int *to) { cudaMemcpyAsync(to, to + 32, 64, cudaMemcpyDeviceToDevice, 0); }
static void beside(void) {
    int *pinned;
    cudaStream_t streams[2];
    cudaMallocHost(&pinned, 512);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++) {
        cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
        if (i) child<<<1, 1, 0, streams[i]>>>(pinned + 16);
        if (!i) copies<<<1, 1, 0, streams[i]>>>(pinned);
    }
    cudaDeviceSynchronize();
    cudaFreeHost(pinned);
}

int main(int argc, char **argv) {
    const int which = argc > 1 ? atoi(argv[1]) : 0;
    int *device, host[128];
    cudaMalloc(&device, sizeof(host));
    cudaMemset(device, 0, sizeof(host));
    switch (which) {
    case 0:
        parent<<<2, 1>>>(device);
        parent<<<2, 1>>>(device);
        break;
    case 1: of_shared<<<1, 1>>>(device); break;
    case 2: of_local<<<1, 1>>>(device); break;
    case 3: waits<<<1, 1>>>(device); break;
    case 4: beyond<<<1, 1>>>(device); break;
    case 5:
        for (int i = 0; i < 2; i++) wrong<<<1, 1>>>(device);
        break;
    case 6:
        cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4); // 32 at least
        many_tails<<<1, 1>>>(device);
        many_by_one<<<1, 1>>>(device + 3);
        many_threads<<<1, 40>>>(device + 5);
        break;
    case 7: threads<<<1, 3>>>(device); break;
    case 8: outside<<<1, 20>>>(device); break;
    case 9:
        for (int i = 0; i < 2; i++) {
            asks<<<1, 1>>>(device + i * 3);
            asks<<<1, 1>>>(device + i * 3); // as before
            launches_wide<<<1, 1>>>(device + 6);
            cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096);
            cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
        }
        break;
    case 10: of_host<<<1, 1>>>(device, host); break;
    case 11:
        cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 32);
        many_fills<<<1, 48>>>(device);
        many_copies<<<1, 40>>>(device + 32);
        break;
    case 12: of_heap<<<1, 4>>>(device); break;
    case 13:
        cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 32);
        deeper<<<1, 1>>>(device);
        next<<<1, 1>>>(device + 4, 100);
        break;
    case 14:
        keeps<<<1, 1>>>(device);
        uses<<<1, 1>>>(device);
        break;
    case 15: frees<<<1, 1>>>(device, argc - 2); break;
    case 16: answers<<<1, 1>>>(device); break;
    case 17: misplaced<<<1, 1>>>(device); break;
    case 18: fills<<<1, 1>>>(device); break;
    case 19: beside(); break;
    case 20: {
        int *pinned;
        cudaMallocHost(&pinned, 8);
        pinned[0] = pinned[1] = 5;
        ill_formed<<<1, 1>>>(device, pinned);
        break;
    }
    }
    const cudaError_t error = cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
    cudaFree(device);
    if (error) return printf("%s\n", cudaGetErrorName(error)), 1;
    for (int i = 0; i < 8; i++) printf("%d ", host[i]);
    printf("%d\n", host[127]);
    return 0;
}
