// Lines of a kernel that move 4, 32 and 4 sectors each time: the second is the first that a report shows.
#include <cstdio>

__global__ void lines(const float *in, float *out) {
    float x = in[threadIdx.x];
    float y = in[threadIdx.x * 8];
    out[threadIdx.x] = x + y;
}

int main() {
    float *d;
    cudaMalloc(&d, 512 * sizeof *d);
    cudaMemset(d, 0, 512 * sizeof *d);
    lines<<<1, 32>>>(d, d + 256);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(d);
}
