// Bytes that nothing wrote and that are copied: the case is the argument.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *to, int n) {
    if (threadIdx.x < n) to[threadIdx.x] = threadIdx.x;
}
__global__ void twice(const int *from, int *to) { to[threadIdx.x] = 2 * from[threadIdx.x]; }

struct Padded {
    int n; // 4 bytes of padding behind
    double d;
};
struct Single {
    int a[40];
    double d;
    int b; // likewise
};
__global__ void pad(Padded *to) { to[threadIdx.x].n = 1, to[threadIdx.x].d = 2; }
__global__ void one(Single *to) {
    for (int i = 0; i < 40; i++) to->a[i] = i;
    to->d = 1, to->b = 2;
}
__global__ void three(float4 *to) { to[threadIdx.x].x = 1, to[threadIdx.x].y = 2, to[threadIdx.x].z = 3; }

int main(int, char **words) {
    int *p, *q, *r, host[64];
    cudaMalloc(&r, 256);
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
    case 9: fill<<<1, 64>>>(p, 63), cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost); break;
    case 10: cudaMemset(r, 0, 255), cudaMemcpy(host, r, 256, cudaMemcpyDeviceToHost); break;
    case 11: pad<<<1, 16>>>((Padded *)r), cudaMemcpy(host, r, 256, cudaMemcpyDeviceToHost); break;
    case 12: one<<<1, 1>>>((Single *)r), cudaMemcpy(host, r, sizeof(Single), cudaMemcpyDeviceToHost); break;
    case 13: three<<<1, 16>>>((float4 *)r), cudaMemcpy(host, r, 256, cudaMemcpyDeviceToHost); break;
    case 14: fill<<<1, 64>>>(p + 1, 62), cudaMemcpy(q, p, 256, cudaMemcpyDeviceToDevice), cudaMemcpy(host, q, 256, cudaMemcpyDeviceToHost); break;
    case 15: pad<<<1, 1>>>((Padded *)r), cudaMemset(r + 4, 0, 240), cudaMemcpy(host, r, 256, cudaMemcpyDeviceToHost); break;
    case 8: cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost), cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost); break;
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(p), cudaFree(q), cudaFree(r);
}
