// Shuffles that take what their masks do not promise, and what an H200 gives: the values of lanes that shuffle as well, 0 of lanes that are
// elsewhere.
#include <cstdio>

__global__ void take(int *out) {
    int lane = threadIdx.x, value = 100 + lane, got;
    unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    out[lane] = __shfl_sync(half, value, (lane + 20) & 31);
    out[32 + lane] = -1;
    if (lane < 16) out[32 + lane] = __shfl_sync(0x0000ffffu, value, lane + 16);
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0x0000ffff;" : "=r"(got) : "r"(value), "r"((lane + 16) & 31));
    out[64 + lane] = got;
    out[96 + lane] = __shfl_down_sync(half, value, 8);
    out[128 + lane] = __shfl_xor_sync(half, value, 16);
}

int main() {
    int *out;
    cudaMallocManaged(&out, 160 * sizeof *out);
    take<<<1, 32>>>(out);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 160; i++) printf("%d%c", out[i], i % 32 == 31 ? '\n' : ' ');
    cudaFree(out);
}
