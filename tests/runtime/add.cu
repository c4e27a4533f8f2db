/* Vector addition: prints the first three sums and the last. The number of elements is the argument, or 1000. */
#include <cstdio>
#include <cstdlib>

#ifndef STATUS
#define STATUS 0
#endif

__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = n * sizeof(float);
    float *host = (float *)malloc(bytes), *a, *b, *c;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    for (int i = 0; i < n; i++) host[i] = i;
    cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
    for (int i = 0; i < n; i++) host[i] = 2 * i;
    cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    if (cudaGetLastError() != cudaSuccess) return 1;
    if (cudaMemcpy(host, c, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    printf("%g %g %g %g\n", host[0], host[1], host[2], host[n - 1]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    free(host);
    return STATUS;
}
