// Host code whose calls of the runtime are known one by one: recorder.c prints them.
#include <cstdio>

__constant__ float weights[3];
__device__ int counter;

template <typename T> __global__ void add(T *data, T value) { data[threadIdx.x] += value; }
__global__ void scale(float *data, int n, double factor) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = weights[0];
    if ((int)threadIdx.x < n) data[threadIdx.x] *= (float)factor * tile[threadIdx.x];
}

struct Launcher {
    template <typename Kernel, typename... Arguments> void operator()(Kernel kernel, Arguments... arguments) const {
        kernel<<<dim3(4, 5, 6), dim3(7, 8)>>>(arguments...);
    }
};

int main() {
    printf("main begins\n");
    float *data = (float *)0x1000;
    scale<<<2, 64, 256, cudaStreamPerThread>>>(data, 3, 0.5);
    Launcher()(add<int>, (int *)0x2000, 9);
    cudaMemcpyToSymbol(weights, data, sizeof weights);
    cudaMemcpyFromSymbol(&counter, counter, sizeof counter);
    printf("main ends\n");
    return 0;
}
