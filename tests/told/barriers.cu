// Threads that are not at a barrier when others come there: -DSHAPE=1 ... 17. What is printed an H100 prints as well.
#include <cooperative_groups.h>
#include <cstdio>
__device__ bool beyond(int i, int n) { return i >= n; }
__device__ __noinline__ int swapped(int *s, int i, int n) {
    if (i >= n) return -1; // IN A CALL
    s[i] = i;
    __syncthreads();
    return s[n - 1 - i];
}
__global__ void move(int *out, int n, int flag) {
    __shared__ int s[128];
    int i = threadIdx.x;
#if SHAPE == 1
    if (i >= n) return; // BEYOND
    s[i] = i;
    __syncthreads();
    out[i] = s[n - 1 - i];
#elif SHAPE == 2
    if (i < n) return; // BELOW
    s[i] = i;
    __syncthreads();
    out[i] = s[127 - (i - n)];
#elif SHAPE == 3
    s[i] = i;
    __syncthreads();
    if (i >= n) return; // BETWEEN
    int v = s[n - 1 - i];
    __syncthreads();
    out[i] = v;
#elif SHAPE == 4
    if (beyond(i, n)) return; // ASKED
    for (int k = 0; k < 2; k++) {
        s[i] = i + k;
        __syncthreads();
        out[i] = s[n - 1 - i];
        __syncthreads();
    }
#elif SHAPE == 5
    if (i >= n) return; // COUNTED
    out[i] = __syncthreads_count(i % 2) + 100 * __syncthreads_and(i < n) + 1000 * __syncthreads_or(i >= n);
#elif SHAPE == 6
    if (i >= n) return; // A GROUP
    s[i] = i;
    cooperative_groups::this_thread_block().sync();
    out[i] = s[n - 1 - i];
#elif SHAPE == 7
    for (; i < n; i += 64) { // A LOOP
        atomicAdd(&out[i % 64], 1);
        __syncthreads();
    }
#elif SHAPE == 8
    if (flag) return;
    if (i >= n) return; // THE SECOND
    s[i] = i;
    __syncthreads();
    out[i] = s[n - 1 - i];
#elif SHAPE == 9
    if (flag == 2) out[0] = 1;
    if (i >= n) { // WITH WORK
        out[i] = 2;
        return;
    }
    s[i] = i;
    __syncthreads(); // BEHIND WORK
    out[i] = s[n - 1 - i];
#elif SHAPE == 10
    if (i < n) { // ROUND
        s[i] = i;
        __syncthreads();
    }
    out[i] = i;
#elif SHAPE == 11
    if (i < n) {
        s[i] = i;
        __syncthreads(); // HERE
    } else {
        s[i] = -i;
        __syncthreads(); // THERE
    }
    out[i] = s[i];
#elif SHAPE == 12
    for (int k = 0; k <= i % 2; k++) {
        s[i] += k;
        __syncthreads(); // WITHIN
    }
    s[i] = 0;
    __syncthreads(); // BEHIND
    out[i] = s[i];
#elif SHAPE == 13
    out[i] = swapped(s, i, n);
#elif SHAPE == 14
    if (i >= 32) return; // A WARP
    asm volatile("bar.sync 1, 64;" ::: "memory"); // FOR 64
    out[i] = i;
#elif SHAPE == 15
    if (i >= n) return;
    s[i] = i;
    __syncwarp();
    out[i] = s[i ^ 1];
#elif SHAPE == 16
    volatile int *data = out;
    data[i] = i;
    if (flag == 3) return;
    if (data[i] >= n) return; // BY DATA
    s[i] = i;
    __syncthreads();
    out[i] = s[n - 1 - i];
#elif SHAPE == 17
    volatile int *data = out;
    data[i] = i;
    for (int k = 0; k < 3; k++) {
        if (flag == 7) return;
        if (data[i] + k > n) return; // IN A LOOP
    }
    s[i] = i;
    __syncthreads();
    out[i] = s[n - 2 - i];
#endif
}
int main() {
    int *out, host[128];
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    move<<<1, SHAPE < 3 ? 128 : 64>>>(out, SHAPE == 7 ? 100 : SHAPE < 3 ? 100 : 40, 0);
    printf("%s", cudaGetErrorString(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost)));
    printf(" %d %d %d %d\n", host[0], host[39], host[63], host[127]);
    cudaFree(out);
    return 0;
}
