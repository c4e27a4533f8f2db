/* operations.cu: cycles of single PTX instructions, for src/device/costs.def. Prints h200-operations.csv (README.md): for each, the cycles from one to the
 * next that needs its result, by one warp, and the cycles of a quarter of an SM that each takes where eight warps have many to do.
 *     nvcc -O3 -arch=sm_90 tests/hardware/operations.cu -o operations && ./operations >tests/hardware/h200-operations.csv */
#include <cstdint>
#include <cstdio>

enum { CHAIN = 16, ROUNDS = 64 };

/* One instruction: x becomes f(x, y). The chain is not unrolled by more than CHAIN, so that it stays in the instruction cache. */
#define OPERATION(name, type, letter, code, start, other)                              \
    __global__ void name(long long *cycles, type *sink, type y) {                      \
        __shared__ type shared[1024];                                                  \
        type x = (type)start;                                                          \
        shared[threadIdx.x] = 0;                                                       \
        uint32_t at = (uint32_t)__cvta_generic_to_shared(shared) + threadIdx.x * (uint32_t)sizeof(type); \
        (void)at;                                                                      \
        for (int warm = 0; warm < 2; warm++) {                                         \
            __syncthreads();                                                           \
            long long begin = clock64();                                               \
            _Pragma("unroll 1") for (int r = 0; r < ROUNDS; r++) {                     \
                _Pragma("unroll") for (int i = 0; i < CHAIN; i++) asm volatile(code : "+" letter(x) : letter(y), "r"(at)); \
            }                                                                          \
            __syncthreads();                                                           \
            if (threadIdx.x == 0) *cycles = clock64() - begin;                         \
        }                                                                              \
        sink[threadIdx.x] = x;                                                         \
    }
#include "operations.def"
#undef OPERATION

static void *sink;
static long long *cycles;

template <typename T> static double time_of(void (*kernel)(long long *, T *, T), int threads, T y) {
    long long taken;
    kernel<<<1, threads>>>(cycles, (T *)sink, y);
    if (cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost) != cudaSuccess) return -1;
    return (double)taken / (CHAIN * ROUNDS);
}

int main() {
    cudaMalloc(&sink, 1024 * 8);
    cudaMalloc(&cycles, sizeof *cycles);
    puts("operation,latency,cycles");
#define OPERATION(name, type, letter, code, start, other) \
    printf("%s,%.1f,%.2f\n", #name, time_of<type>(name, 32, (type)other), time_of<type>(name, 1024, (type)other) / 8);
#include "operations.def"
    return cudaDeviceSynchronize() != cudaSuccess;
}
