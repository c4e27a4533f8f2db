/* Kernels that are not emulated, for a performance counter, and one that is. The program does not look at errors. */
#include <cstdio>
#include <cstring>

__global__ void monitor(float *out) {
    unsigned int events;
    asm volatile("mov.u32 %0, %%pm0;" : "=r"(events));
    out[0] = (float)events;
}

__global__ void count(float *out) { out[threadIdx.x] = (float)threadIdx.x; }

int main(int argc, char **argv) {
    float *out, last;
    cudaMalloc(&out, 32 * sizeof(float));
    count<<<1, 32>>>(out);
    cudaMemcpy(&last, out + 31, sizeof last, cudaMemcpyDeviceToHost);
    printf("count: %g\n", last);
    if (argc > 1) {
        monitor<<<1, 1>>>(out);
        printf("monitor: %s\n", cudaGetErrorName(cudaGetLastError()));
    }
    cudaFree(out);
    puts("PASS");
}
