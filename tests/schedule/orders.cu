// What comes out of races in other orders, and of the same without a race.
#include <cstdio>

__global__ void no_barrier(int *out) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = t + 1;
    out[t] = tile[63 - t];
}
__global__ void no_atomic(int *out) { out[0] += 1; }
__global__ void right(int *out) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = t + 1;
    __syncthreads();
    out[t] = tile[63 - t];
    atomicAdd(out + 64, 1);
}

int main() {
    int host[65], *out;
    cudaMalloc(&out, sizeof host);
    auto results = [&] { cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost), cudaMemset(out, 0, sizeof host); };
    cudaMemset(out, 0, sizeof host);
    no_barrier<<<1, 64>>>(out), results();
    printf("%d %d ", host[0] == 64, host[63] == 1);
    no_atomic<<<8, 64>>>(out), results();
    printf("%d ", host[0]);
    right<<<8, 64>>>(out), results();
    printf("%d %d %d\n", host[0], host[63], host[64]);
    cudaFree(out);
}
