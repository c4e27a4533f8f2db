// Bytes that nothing wrote and that are copied: the case is the argument.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *to, int n) {
    if (threadIdx.x < n) to[threadIdx.x] = threadIdx.x;
}
__global__ void twice(const int *from, int *to) { to[threadIdx.x] = 2 * from[threadIdx.x]; }

int main(int, char **words) {
    int *p, *q, host[64];
    cudaMalloc(&p, 256), cudaMalloc(&q, 256);
    fill<<<1, 64>>>(p, 32);
    switch (atoi(words[1])) {
    case 1: cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost); break;
    case 2: cudaMemcpy2D(host, 64, p, 128, 64, 2, cudaMemcpyDeviceToHost); break;
    case 3: cudaMemcpy(host, p, 128, cudaMemcpyDeviceToHost); break;
    case 4: cudaMemcpy(q, p, 256, cudaMemcpyDeviceToDevice), twice<<<1, 64>>>(q, p); break;
    case 5: cudaMemcpy(q, p, 256, cudaMemcpyDeviceToDevice), twice<<<1, 32>>>(q, p); break;
    case 6: cudaMemcpy(q, p, 256, cudaMemcpyDeviceToDevice), cudaMemcpy(host, q, 256, cudaMemcpyDeviceToHost); break;
    case 7: cudaMemset(p + 32, 0, 128), cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost); break;
    case 8: cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost), cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost); break;
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(p), cudaFree(q);
}
