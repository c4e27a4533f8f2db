/* A program for CUDA 8 to 12: what CUDA 13 has no longer. */
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#if __has_include(<cuda/atomic>)
#include <cuda/atomic>
#endif

#if __has_include(<thrust/functional.h>)
#include <thrust/functional.h>
struct Same : thrust::unary_function<int, int> {
    __host__ __device__ result_type operator()(argument_type i) const { return i; }
};
/* As programs put back what is missing themselves. */
namespace thrust {
template <class A, class B, class R> struct binary_function { typedef R result_type; };
} // namespace thrust
static_assert(sizeof(thrust::binary_function<int, int, short>::result_type) == 2, "the program's own");
#else
struct Same {
    __host__ __device__ int operator()(int i) const { return i; }
};
#endif

#include <cstdio>

__global__ void ask(int *to) {
    register int lane = Same()(threadIdx.x);
    to[lane] = __shfl(lane, 3) + __any(lane == 3) + __popc(__ballot(1));
}

int main() {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    int *data;
    cudaMallocManaged(&data, 32 * sizeof *data);
    cudaMemAdvise(data, 32 * sizeof *data, cudaMemAdviseSetReadMostly, 0);
    cudaMemPrefetchAsync(data, 32 * sizeof *data, 0, 0);
    ask<<<1, 32>>>(data);
    cudaThreadSynchronize();
    printf("%d %d %d\n", data[5], properties.clockRate, properties.deviceOverlap);
    cudaFree(data);
    cudaThreadExit();
    return 0;
}
