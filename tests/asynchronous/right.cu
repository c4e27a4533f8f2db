// What waits as it must, in every way that there is. Nothing is told, and the value, in the comment above, is the same with --schedule late.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void put(int *to, int value) { *to = value; }
__global__ void copy(const int *from, int *to) { *to = *from; }
__global__ void count(int *to, int times) {
    for (int i = 0; i < times; i++) atomicAdd(to, 1);
}
__global__ void fill(int *to, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = value;
}

enum { N = 5000 }; // more than a page, and no multiple of one
static cudaStream_t s, t;
static cudaEvent_t event;
static int *d, *m, *pinned; // N elements each; at first 1, what the device has alone 0

static int back(const int *from) {
    int value;
    cudaMemcpy(&value, from, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

// 2
static int device() {
    put<<<1, 1>>>(m, 2);
    cudaDeviceSynchronize();
    return *m;
}
// 2
static int stream() {
    put<<<1, 1, 0, t>>>(m, 2);
    cudaStreamSynchronize(t);
    return *m;
}
// 2
static int waited_event() {
    put<<<1, 1, 0, t>>>(pinned, 2);
    cudaEventRecord(event, t);
    put<<<1, 1, 0, t>>>(d, 3);
    cudaEventSynchronize(event);
    return *pinned;
}
// 2
static int asked_until_done() {
    put<<<1, 1, 0, t>>>(m, 2);
    cudaEventRecord(event, t);
    while (cudaEventQuery(event) == cudaErrorNotReady) {}
    return *m;
}
// 2
static int asked_stream() {
    put<<<1, 1, 0, t>>>(m, 2);
    while (cudaStreamQuery(t) == cudaErrorNotReady) {}
    return *m;
}
// 2
static int between_streams() {
    put<<<1, 1, 0, s>>>(d, 2);
    cudaEventRecord(event, s);
    cudaStreamWaitEvent(t, event, 0);
    copy<<<1, 1, 0, t>>>(d, m);
    cudaStreamSynchronize(t);
    return *m;
}
// 3: the default stream waits for s, and s for that one
static int by_default() {
    put<<<1, 1, 0, s>>>(d, 3);
    copy<<<1, 1>>>(d, d + 1);
    cudaMemcpyAsync(pinned, d + 1, 4, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    return *pinned;
}
// 4: a copy that comes back when it is done
static int blocking_copy() {
    put<<<1, 1>>>(d, 4);
    cudaMemcpy(pinned, d, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(m, d, 4, cudaMemcpyDefault);
    return *m == *pinned ? *m : -1;
}
// 5: through a buffer of the driver's
static int pageable() {
    static int from, to; // by the letter the copy comes when this has returned
    from = 5, to = 0;
    cudaMemcpyAsync(d, &from, 4, cudaMemcpyHostToDevice, s);
    from = 6;
    cudaMemcpyAsync(&to, d, 4, cudaMemcpyDeviceToHost, s);
    return to;
}
static void CUDART_CB see(void *to) { *(int *)to = *pinned + 1; }
// 8
static int callback() {
    static int seen;
    put<<<1, 1, 0, t>>>(d, 7);
    cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, t);
    cudaLaunchHostFunc(t, see, &seen);
    cudaStreamSynchronize(t);
    return seen;
}
// 30: one array, each stream its half
static int halves() {
    fill<<<40, 64, 0, s>>>(m, N / 2, 10);
    fill<<<40, 64, 0, t>>>(m + N / 2, N - N / 2, 20);
    cudaStreamSynchronize(s);
    int first = m[N / 2 - 1];
    cudaStreamSynchronize(t);
    return first + m[N / 2];
}
// 2: both read
static int readers() {
    copy<<<1, 1, 0, s>>>(m, d);
    copy<<<1, 1, 0, t>>>(m, d + 1);
    int seen = *m;
    cudaDeviceSynchronize();
    return seen + back(d + 1);
}
// 70: both count
static int counters() {
    count<<<1, 32, 0, s>>>(d, 1);
    count<<<1, 38, 0, t>>>(d, 1);
    cudaDeviceSynchronize();
    return back(d);
}
// 12: two buffers in turn, each waited for before it is filled again
static int two_buffers() {
    cudaEvent_t free_again[2];
    int sum = 0, *out;
    cudaMallocHost(&out, 4 * sizeof *out);
    for (auto &e : free_again) cudaEventCreate(&e);
    for (int i = 0; i < 4; i++) {
        if (i >= 2) cudaEventSynchronize(free_again[i % 2]);
        pinned[i % 2] = i + 1 + (i == 3) * 2;
        cudaMemcpyAsync(d + i, pinned + i % 2, 4, cudaMemcpyHostToDevice, t);
        cudaEventRecord(free_again[i % 2], t);
    }
    cudaMemcpyAsync(out, d, 4 * sizeof *out, cudaMemcpyDeviceToHost, t);
    cudaStreamSynchronize(t);
    for (int i = 0; i < 4; i++) sum += out[i];
    return sum;
}
// 2
static int destroyed() {
    cudaStream_t u;
    cudaStreamCreate(&u);
    put<<<1, 1, 0, u>>>(m, 2);
    cudaStreamDestroy(u);
    cudaDeviceSynchronize();
    return *m;
}
// 2: cudaFree waits for all
static int freed() {
    int *more;
    cudaMalloc(&more, 4);
    put<<<1, 1, 0, t>>>(m, 2);
    cudaFree(more);
    return *m;
}
// 0: memsets of memory that the host has as well wait, as those of an H100 do
static int shared_memset() {
    cudaMemset(pinned, 0, 4);
    cudaMemset(m, 0, 4);
    return *pinned + *m;
}
// 600: a time that nobody has waited for; 0 stays the last error
static int early_time() {
    float ms;
    cudaEvent_t begin;
    cudaEventCreate(&begin);
    cudaEventRecord(begin);
    put<<<1, 1>>>(d, 2);
    cudaEventRecord(event);
    int error = cudaEventElapsedTime(&ms, begin, event);
    if (cudaStreamQuery(0) != cudaErrorNotReady || cudaGetLastError()) return -1;
    cudaEventSynchronize(event);
    return cudaEventElapsedTime(&ms, begin, event) ? -2 : error;
}
// 9
static int graph() {
    cudaGraph_t made;
    cudaGraphExec_t run;
    cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal);
    put<<<1, 1, 0, t>>>(d, 9);
    cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, t);
    cudaStreamEndCapture(t, &made);
    cudaGraphInstantiate(&run, made, 0);
    cudaGraphLaunch(run, t);
    cudaStreamSynchronize(t);
    return *pinned;
}
// 2: what one thread has waited for is done for all; another array is the host's own
static int another_array() {
    int *mine;
    cudaMallocManaged(&mine, 4 * N);
    put<<<1, 1>>>(m, 2);
    for (int i = 0; i < N; i++) mine[i] = i;
    cudaDeviceSynchronize();
    return *m;
}

static const struct {
    const char *name;
    int (*run)();
} cases[] = {
#define CASE(name) {#name, name}
    CASE(device), CASE(stream), CASE(waited_event), CASE(asked_until_done), CASE(asked_stream), CASE(between_streams),
    CASE(by_default), CASE(blocking_copy), CASE(pageable), CASE(callback), CASE(halves), CASE(readers), CASE(counters),
    CASE(two_buffers), CASE(destroyed), CASE(freed), CASE(shared_memset), CASE(early_time), CASE(graph), CASE(another_array),
};

int main() {
    for (auto &c : cases) {
        cudaStreamCreate(&s);
        cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
        cudaEventCreate(&event);
        cudaMalloc(&d, N * sizeof *d);
        cudaMemset(d, 0, N * sizeof *d);
        cudaMallocManaged(&m, N * sizeof *m);
        cudaMallocHost(&pinned, N * sizeof *pinned);
        cudaDeviceSynchronize();
        for (int i = 0; i < N; i++) m[i] = pinned[i] = 1;
        printf("%s %d\n", c.name, c.run());
        cudaDeviceSynchronize();
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
