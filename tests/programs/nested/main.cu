// Kernels that launch kernels, of this file and of another: a recursive sort, squares that are divided where they must be, the order of what a block
// has launched, launches behind the whole grid, and what comes back where a launch is wrong.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "../check.h"
#include "children.h"

// --- a recursive sort: each half in a stream of its own ---

enum { DEPTH_MOST = 12, SORTED_ALONE = 8 };

__device__ static void sort_alone(int *data, int left, int right) {
    for (int i = left + 1; i <= right; i++) {
        const int value = data[i];
        int at = i;
        for (; at > left && data[at - 1] > value; at--) data[at] = data[at - 1];
        data[at] = value;
    }
}

__global__ void sort(int *data, int left, int right, int depth) {
    if (depth == DEPTH_MOST || right - left < SORTED_ALONE) {
        sort_alone(data, left, right);
        return;
    }
    const int pivot = data[(left + right) / 2];
    int low = left, high = right;
    while (low <= high) {
        while (data[low] < pivot) low++;
        while (data[high] > pivot) high--;
        if (low > high) break;
        const int value = data[low];
        data[low++] = data[high];
        data[high--] = value;
    }
    cudaStream_t stream;
    if (left < high) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        sort<<<1, 1, 0, stream>>>(data, left, high, depth + 1);
        cudaStreamDestroy(stream);
    }
    if (low < right) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        sort<<<1, 1, 0, stream>>>(data, low, right, depth + 1);
        cudaStreamDestroy(stream);
    }
}

static bool sorts() {
    enum { N = 500 };
    int host[N], *device;
    unsigned state = 1;
    for (int i = 0; i < N; i++) host[i] = (int)((state = state * 1664525u + 1013904223u) >> 20);
    CHECK(cudaMalloc(&device, sizeof(host)));
    CHECK(cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToDevice));
    sort<<<1, 1>>>(device, 0, N - 1, 0);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
    for (int i = 1; i < N; i++)
        if (host[i - 1] > host[i]) return printf("sort: element %d is %d, after %d\n", i, host[i], host[i - 1]), false;
    return true;
}

// --- a disc in a picture: squares that are neither in it nor outside are divided ---

enum { SIDE = 96, SMALL = 6 };

struct Square {
    short x, y;
    int side;
};

__device__ __host__ static int distance2(int x, int y) { return (x - 40) * (x - 40) + (y - 50) * (y - 50); }
__device__ __host__ static bool is_in(int x, int y) { return distance2(x, y) <= 30 * 30; }

__global__ void fill(unsigned char *picture, Square square, unsigned char value) {
    for (int i = threadIdx.x; i < square.side * square.side; i += blockDim.x)
        picture[(square.y + i / square.side) * SIDE + square.x + i % square.side] = value;
}

__global__ void each(unsigned char *picture, Square square) {
    const int x = square.x + threadIdx.x, y = square.y + threadIdx.y;
    picture[y * SIDE + x] = is_in(x, y) ? 1 : 2;
}

__device__ static int nearest(int from, int side, int to) {
    return to < from ? from : to > from + side - 1 ? from + side - 1 : to;
}

__global__ void divide(unsigned char *picture, Square square) {
    square.x += blockIdx.x * square.side;
    square.y += blockIdx.y * square.side;
    const int end = square.side - 1;
    const int x = threadIdx.x & 1 ? end : 0, y = threadIdx.x & 2 ? end : 0; // a corner for each of four threads
    const bool corners = __all_sync(0xf, is_in(square.x + x, square.y + y));
    if (threadIdx.x != 0) return;
    const bool apart = !is_in(nearest(square.x, square.side, 40), nearest(square.y, square.side, 50));
    if (corners || apart) {
        fill<<<1, 64, 0, cudaStreamFireAndForget>>>(picture, square, corners ? 1 : 2);
    } else if (square.side <= SMALL) {
        each<<<1, dim3(square.side, square.side)>>>(picture, square);
    } else {
        square.side /= 2;
        divide<<<dim3(2, 2), 4>>>(picture, square);
    }
}

static bool divides() {
    static unsigned char host[SIDE * SIDE];
    unsigned char *device;
    CHECK(cudaMalloc(&device, sizeof(host)));
    CHECK(cudaMemset(device, 0, sizeof(host)));
    divide<<<dim3(2, 2), 4>>>(device, Square{0, 0, SIDE / 2});
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
    for (int i = 0; i < SIDE * SIDE; i++)
        if (host[i] != (is_in(i % SIDE, i / SIDE) ? 1 : 2)) return printf("divide: pixel %d is %d\n", i, host[i]), false;
    return true;
}

// --- the order of one block's launches, and what is behind the whole grid ---

__device__ int steps[8];
__device__ unsigned at_step;

__global__ void note_step(int value) { steps[at_step++] = value; }

// Launches in the tail stream run in their order, behind all other work of the grid; those of a child behind it, and before its parent's.
__global__ void child_with_tail() {
    note_step<<<1, 1, 0, cudaStreamTailLaunch>>>(2);
    note_step<<<1, 1>>>(1);
}

__global__ void parent_with_tail() {
    note_step<<<1, 1, 0, cudaStreamTailLaunch>>>(4);
    note_step<<<1, 1, 0, cudaStreamTailLaunch>>>(5);
    child_with_tail<<<1, 1>>>();
    note_step<<<1, 1>>>(3);
}

// 64 blocks, each of which works on a row of its own: 7, then + 3, then * 2, then its sum.
__global__ void rows(int *data, int *copies, int *sums, int n) {
    if (threadIdx.x != 0) return;
    int *row = data + blockIdx.x * n;
    cudaMemsetAsync(row, 0, n * sizeof(int), 0);
    add<<<(n + 31) / 32, 32>>>(row, n, 7 + blockIdx.x);
    add<<<(n + 31) / 32, 32>>>(row, n, 3);
    scale<<<(n + 31) / 32, 32>>>(row, n, 2);
    cudaMemcpyAsync(copies + blockIdx.x * n, row, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
    sum<<<1, 64, 64 * sizeof(int)>>>(row, n, sums + blockIdx.x);
}

// A second stream waits for the first by an event.
__global__ void two_streams(int *data, int n) {
    cudaStream_t first, second;
    cudaEvent_t ready;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    add<<<1, n, 0, first>>>(data, n, 5);
    cudaEventRecord(ready, first);
    cudaStreamWaitEvent(second, ready, 0);
    scale<<<1, n, 0, second>>>(data, n, 10);
    cudaEventDestroy(ready);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

static void orders() {
    enum { N = 50, ROWS = 64 };
    int *data, *copies, *sums, row[ROWS * N], copied[ROWS * N], total[ROWS], noted[8];
    parent_with_tail<<<1, 1>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbol(noted, steps, sizeof(noted)));
    printf("tails:");
    for (int i = 0; i < 5; i++) printf(" %d", noted[i]);
    CHECK(cudaMalloc(&data, sizeof(row)));
    CHECK(cudaMalloc(&copies, sizeof(row)));
    CHECK(cudaMalloc(&sums, sizeof(total)));
    for (int times = 0; times < 2; times++) rows<<<ROWS, 32>>>(data, copies, sums, N);
    CHECK(cudaGetLastError());
    two_streams<<<1, 1>>>(data, N);
    CHECK(cudaMemcpy(row, data, sizeof(row), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(copied, copies, sizeof(copied), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(total, sums, sizeof(total), cudaMemcpyDeviceToHost));
    printf("\nrows: %d %d, %d %d, %d %d\n", row[0], row[N], copied[0], copied[63 * N], total[0], total[63]);
    CHECK(cudaFree(data));
    CHECK(cudaFree(copies));
    CHECK(cudaFree(sums));
}

// --- what is wrong, and what the device says of itself ---

__global__ void nothing() {}

__global__ void wrong(int *codes) {
    nothing<<<1, 2000>>>();
    *codes++ = cudaPeekAtLastError();
    *codes++ = cudaGetLastError();
    *codes++ = cudaGetLastError();
    nothing<<<0, 32>>>();
    *codes++ = cudaGetLastError();
    sum<<<1, 32, 1 << 20>>>(codes, 0, codes);
    *codes++ = cudaGetLastError();
    cudaStream_t stream;
    *codes++ = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
    *codes++ = cudaMemcpyAsync(codes, codes + 1, 4, cudaMemcpyHostToDevice, 0);
    cudaGetLastError();
}

__global__ void ask(int *answers) {
    cudaFuncAttributes attributes;
    cudaDeviceGetAttribute(answers++, cudaDevAttrWarpSize, 0);
    cudaGetDevice(answers++);
    cudaGetDeviceCount(answers++);
    cudaFuncGetAttributes(&attributes, sum);
    *answers++ = attributes.maxThreadsPerBlock;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(answers++, nothing, 256, 0);
    int *own = 0;
    *answers++ = cudaMalloc(&own, 4 * sizeof(int));
    own[3] = 77;
    *answers++ = own[3];
    *answers++ = cudaFree(own);
    printf("%s: %s\n", cudaGetErrorName(cudaErrorInvalidConfiguration), cudaGetErrorString(cudaErrorInvalidConfiguration));
}

static void show(const char *what, void (*kernel)(int *), int count) {
    int *device, host[16];
    CHECK(cudaMalloc(&device, sizeof(host)));
    CHECK(cudaMemset(device, 0, sizeof(host)));
    kernel<<<1, 1>>>(device);
    CHECK(cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
    printf("%s:", what);
    for (int i = 0; i < count; i++) printf(" %d", host[i]);
    printf("\n");
}

int main() {
    if (!sorts() || !divides()) return 1;
    orders();
    show("wrong", wrong, 7);
    show("answers", ask, 8);
    CHECK(cudaDeviceSynchronize());
    printf("ok\n");
    return 0;
}
