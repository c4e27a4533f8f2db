// Boxes of a matrix by its tensor map, which one thread asks for: the transpose of 32 x 32 floats at a time, with the map's swizzle and without.
// For compute capability 9.0: nvcc -std=c++17 -arch=sm_90 boxes.cu, or warpscope run -arch=sm_90 boxes.cu -- 512
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>

constexpr int TILE = 32, THREADS = 256, BOX_BYTES = 4 * TILE * TILE;

__device__ inline unsigned shared_address(const void *at) { return (unsigned)__cvta_generic_to_shared(at); }

__device__ inline void ask_for_box(void *to, const CUtensorMap *map, //
                                   int col, int row, unsigned long long *barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile" //
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :
                 : "r"(shared_address(to)), "l"(map), "r"(col), "r"(row), //
                   "r"(shared_address(barrier))
                 : "memory");
}

__device__ inline void begin(unsigned long long *barrier, unsigned bytes) { // one arrival, and so many bytes
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
}

__device__ inline void wait_for(unsigned long long *barrier) {
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(barrier))
                     : "memory");
}

// Where the box has float (row, col), counted in floats. With the swizzle of 128 bytes the packs of a row have changed places.
template <bool SWIZZLED> __device__ inline int place(int row, int col) {
    return TILE * row + (SWIZZLED ? col ^ row % 8 * 4 : col);
}

template <bool SWIZZLED> __device__ inline void turn_box(const CUtensorMap *map, float *out, int rows) {
    __shared__ __align__(1024) float box[TILE * TILE];
    __shared__ unsigned long long arrived;
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        begin(&arrived, BOX_BYTES);
        ask_for_box(box, map, col, row, &arrived);
    }
    __syncthreads(); // the barrier is there to be waited at
    wait_for(&arrived);
    for (int i = threadIdx.x / 32; i < TILE;
         i += THREADS / 32) // a warp writes row i of the result, which is column i of the box
        out[(size_t)(col + i) * rows + row + lane] = box[place<SWIZZLED>(lane, i)];
}

__global__ void turn_plain(const __grid_constant__ CUtensorMap map, float *out, int rows) { turn_box<false>(&map, out, rows); }
__global__ void turn_swizzled(const __grid_constant__ CUtensorMap map, float *out, int rows) {
    turn_box<true>(&map, out, rows);
}

// By way of registers, into rows of 33.
__global__ void turn_padded(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE, lane = threadIdx.x % 32;
    for (int i = threadIdx.x / 32; i < TILE; i += THREADS / 32) tile[i][lane] = in[(size_t)(row + i) * cols + col + lane];
    __syncthreads();
    for (int i = threadIdx.x / 32; i < TILE; i += THREADS / 32) out[(size_t)(col + i) * rows + row + lane] = tile[lane][i];
}

static void require(bool fine, const char *what) {
    if (fine) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
    exit(1);
}

// The matrix is described once: where it is, how long its rows are, what a box of it is, and how a box lies in shared memory.
static CUtensorMap describe(float *in, int rows, int cols, CUtensorMapSwizzle swizzle) {
    static decltype(cuTensorMapEncodeTiled) *encode; // the driver's, found by the runtime
    cudaDriverEntryPointQueryResult found;
    require(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found) ==
                    cudaSuccess &&
                found == cudaDriverEntryPointSuccess,
            "cuTensorMapEncodeTiled");
    const cuuint64_t sizes[] = {(cuuint64_t)cols, (cuuint64_t)rows}, row_bytes[] = {4 * (cuuint64_t)cols};
    const cuuint32_t box[] = {TILE, TILE}, steps[] = {1, 1};
    CUtensorMap map;
    require(encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in, sizes, row_bytes, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                   swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS,
            "the map");
    return map;
}

template <typename Launch> static bool time_and_check(const char *name, Launch launch, const float *out, int rows, int cols) {
    cudaEvent_t begin, end;
    std::vector<float> us;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    for (int i = 0; i < 21; i++) {
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        require(cudaEventSynchronize(end) == cudaSuccess, name);
        float ms;
        cudaEventElapsedTime(&ms, begin, end);
        us.push_back(1000 * ms);
    }
    std::sort(us.begin(), us.end());
    std::vector<float> host((size_t)rows * cols);
    require(cudaMemcpy(host.data(), out, 4 * host.size(), cudaMemcpyDeviceToHost) == cudaSuccess, name);
    size_t wrong = 0;
    for (size_t i = 0; i < host.size(); i++) wrong += host[i] != (float)(i % rows * cols + i / rows);
    printf("%s,%.1f,%.0f%s\n", name, us[10], 8e-3 * host.size() / us[10], wrong ? ",WRONG" : "");
    cudaEventDestroy(begin), cudaEventDestroy(end);
    return wrong == 0;
}

int main(int argc, char **argv) {
    const int side = argc > 1 ? atoi(argv[1]) / TILE * TILE : 4096, rows = side,
              cols = side; // 4096: all floats are whole numbers
    const size_t bytes = 4 * (size_t)rows * cols;
    float *in, *out;
    require(side > 0 && side <= 4096, "a side of 32 to 4096");
    require(cudaMalloc(&in, bytes) == cudaSuccess && cudaMalloc(&out, bytes) == cudaSuccess, "memory");
    std::vector<float> host((size_t)rows * cols);
    for (size_t i = 0; i < host.size(); i++) host[i] = i;
    cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
    const CUtensorMap plain = describe(in, rows, cols, CU_TENSOR_MAP_SWIZZLE_NONE),
                      swizzled = describe(in, rows, cols, CU_TENSOR_MAP_SWIZZLE_128B);
    const dim3 grid(cols / TILE, rows / TILE);
    puts("name,median_us,gb_s");
    bool right = time_and_check(
        "turn_padded", [&] { turn_padded<<<grid, THREADS>>>(in, out, rows, cols); }, out, rows, cols);
    right &= time_and_check(
        "turn_plain", [&] { turn_plain<<<grid, THREADS>>>(plain, out, rows); }, out, rows, cols);
    right &= time_and_check(
        "turn_swizzled", [&] { turn_swizzled<<<grid, THREADS>>>(swizzled, out, rows); }, out, rows, cols);
    cudaFree(in), cudaFree(out);
    return right ? 0 : 1;
}
