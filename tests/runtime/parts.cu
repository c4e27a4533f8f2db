/* Uses a variable (PART_VARIABLE) or a function (PART_FUNCTION) of another file's device code, or neither. */
#include <cstdio>

#ifdef PART_VARIABLE
extern __device__ int factor;
#else
__device__ int factor = 21;
#endif

#ifdef PART_FUNCTION
__device__ int twice(int x);
#else
static __device__ int twice(int x) { return 2 * x; }
#endif

__global__ void product(int *p) { *p = twice(factor); }

int main() {
    int *p, result = 0;
    cudaMalloc(&p, sizeof *p);
    product<<<1, 1>>>(p);
    cudaError_t error = cudaMemcpy(&result, p, sizeof result, cudaMemcpyDeviceToHost);
    printf("%s %d\n", cudaGetErrorName(error), result);
    cudaFree(p);
    return error != cudaSuccess;
}
