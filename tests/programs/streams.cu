// Work in several streams: pinned memory, chunks that are copied in, computed and copied out behind each other, events that
// make one stream wait for another, and what the default stream waits for.
#include <cstdio>
#include <cuda_runtime.h>

#include "check.h"

const int STREAMS = 4, CHUNK = 5001, N = 6 * CHUNK + 77; // more chunks than streams, the last one short

__global__ void polynomial(const float *x, float *y, int n, float c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (x[i] + c) * x[i];
}

__global__ void add_scaled(const float *a, const float *b, float *sum, int n, float factor) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum[i] = a[i] + factor * b[i];
}

static int chunks(const float *in, float *out, float *d_in, float *d_out) {
    cudaStream_t streams[STREAMS];
    for (int s = 0; s < STREAMS; s++) CHECK(cudaStreamCreate(&streams[s]));
    for (int first = 0, k = 0; first < N; first += CHUNK, k++) {
        cudaStream_t stream = streams[k % STREAMS];
        int count = first + CHUNK <= N ? CHUNK : N - first;
        size_t bytes = count * sizeof(float);
        CHECK(cudaMemcpyAsync(d_in + first, in + first, bytes, cudaMemcpyHostToDevice, stream));
        polynomial<<<(count + 127) / 128, 128, 0, stream>>>(d_in + first, d_out + first, count, 2.0f);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, stream));
    }
    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaStreamSynchronize(streams[s]));
        CHECK(cudaStreamQuery(streams[s])); // nothing is left to do
        CHECK(cudaStreamDestroy(streams[s]));
    }
    for (int i = 0; i < N; i++) {
        float expected = (in[i] + 2.0f) * in[i];
        if (out[i] != expected) {
            printf("chunks: element %d is %g, expected %g\n", i, out[i], expected);
            return 1;
        }
    }
    return 0;
}

// Two streams compute, a third waits for both by events; the events also tell the time between them.
static int join(const float *in, float *out, float *d_in, float *d_out) {
    cudaStream_t left, right, last;
    cudaEvent_t begin, left_done, right_done, end;
    int lowest, highest;
    CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    CHECK(cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithPriority(&right, cudaStreamNonBlocking, highest));
    CHECK(cudaStreamCreateWithFlags(&last, cudaStreamDefault));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventCreateWithFlags(&left_done, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&right_done, cudaEventDisableTiming));
    float *a, *b;
    CHECK(cudaMalloc(&a, N * sizeof(float)));
    CHECK(cudaMalloc(&b, N * sizeof(float)));
    CHECK(cudaMemcpy(d_in, in, N * sizeof(float), cudaMemcpyHostToDevice));

    CHECK(cudaEventRecord(begin, left));
    polynomial<<<(N + 255) / 256, 256, 0, left>>>(d_in, a, N, 1.0f);
    CHECK(cudaEventRecord(left_done, left));
    CHECK(cudaMemsetAsync(b, 0, N * sizeof(float), right));
    polynomial<<<(N + 95) / 96, 96, 0, right>>>(d_in, b, N, -1.0f);
    CHECK(cudaEventRecord(right_done, right));
    CHECK(cudaStreamWaitEvent(last, left_done, 0));
    CHECK(cudaStreamWaitEvent(last, right_done, 0));
    add_scaled<<<11, 192, 0, last>>>(a, b, d_out, N, 2.0f);
    CHECK(cudaMemcpyAsync(out, d_out, N * sizeof(float), cudaMemcpyDeviceToHost, last));
    CHECK(cudaEventRecord(end, last));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventQuery(end));
    float milliseconds = -1.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (!(milliseconds >= 0.0f)) {
        printf("join: %g ms went by\n", milliseconds);
        return 1;
    }
    for (int i = 0; i < N; i++) {
        float expected = (in[i] + 1.0f) * in[i] + 2.0f * ((in[i] - 1.0f) * in[i]);
        if (out[i] != expected) {
            printf("join: element %d is %g, expected %g\n", i, out[i], expected);
            return 1;
        }
    }
    for (cudaEvent_t event : {begin, left_done, right_done, end}) CHECK(cudaEventDestroy(event));
    for (cudaStream_t stream : {left, right, last}) CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return 0;
}

// A stream of the default kind and the default stream wait for each other: no synchronisation is needed between these.
static int with_default_stream(const float *in, float *out, float *d_in, float *d_out) {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMemcpyAsync(d_in, in, N * sizeof(float), cudaMemcpyHostToDevice, stream));
    polynomial<<<(N + 127) / 128, 128>>>(d_in, d_out, N, 0.0f);
    add_scaled<<<5, 64, 0, stream>>>(d_out, d_in, d_out, N, 3.0f);
    CHECK(cudaMemcpy(out, d_out, N * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaStreamDestroy(stream));
    for (int i = 0; i < N; i++) {
        float expected = in[i] * in[i] + 3.0f * in[i];
        if (out[i] != expected) {
            printf("default stream: element %d is %g, expected %g\n", i, out[i], expected);
            return 1;
        }
    }
    return 0;
}

int main() {
    float *in, *out, *d_in, *d_out;
    CHECK(cudaMallocHost(&in, N * sizeof(float)));
    CHECK(cudaHostAlloc((void **)&out, N * sizeof(float), cudaHostAllocDefault));
    CHECK(cudaMalloc(&d_in, N * sizeof(float)));
    CHECK(cudaMalloc(&d_out, N * sizeof(float)));
    for (int i = 0; i < N; i++) in[i] = (float)(i % 251 - 120); // small integers: exact, with fma or without
    if (chunks(in, out, d_in, d_out) || join(in, out, d_in, d_out) || with_default_stream(in, out, d_in, d_out)) return 1;
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    printf("ok: %d elements through %d streams\n", N, STREAMS);
    return 0;
}
