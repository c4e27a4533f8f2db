// A whole program around one KERNEL of the file SOURCE: program N launches it on N x N floats. For tests/bench/overhead.
#include <cstdio>
#include <cstdlib>

#include SOURCE

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    if (n <= 0 || n % TILE) return 2;
    float *buffers[3];
    for (float *&buffer : buffers) {
        cudaMalloc(&buffer, sizeof(float) * n * n);
        cudaMemset(buffer, 0, sizeof(float) * n * n);
    }
    dim3 grid(n / TILE, n / TILE), block(TILE, TILE);
#ifdef PRODUCT
    KERNEL<<<grid, block>>>(buffers[0], buffers[1], buffers[2], n, n, n);
#else
    KERNEL<<<grid, block>>>(buffers[0], buffers[1], n, n);
#endif
    cudaError_t error = cudaDeviceSynchronize();
    for (float *buffer : buffers) cudaFree(buffer);
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
