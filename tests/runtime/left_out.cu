/* One kernel that is not emulated (clusters are not), and one that is. The program does not look at errors. */
#include <cstdio>

__global__ void clusters(float *out) {
    unsigned int rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    out[0] = (float)rank;
}

__global__ void count(float *out) { out[threadIdx.x] = (float)threadIdx.x; }

int main(int argc, char **) {
    float *out, last;
    cudaMalloc(&out, 32 * sizeof(float));
    count<<<1, 32>>>(out);
    cudaMemcpy(&last, out + 31, sizeof last, cudaMemcpyDeviceToHost);
    printf("count: %g\n", last);
    if (argc > 1) {
        clusters<<<1, 1>>>(out);
        printf("clusters: %s\n", cudaGetErrorName(cudaGetLastError()));
    }
    cudaFree(out);
    puts("PASS");
}
