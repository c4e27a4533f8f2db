// Boxes of a tensor by its map: what each element of shared memory must be is worked out on the host, from the map's sizes, strides and swizzle.
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
typedef int (*Encode)(CUtensorMap *, CUtensorMapDataType, unsigned, void *, const uint64_t *, const uint64_t *,
                      const uint32_t *, const uint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                      CUtensorMapFloatOOBfill);
enum { WIDTH = 64, HEIGHT = 16, WORDS = 1024 };
static int wrong;
static void same(const char *what, long is, long expected) {
    if (is != expected && ++wrong < 20) printf("%s: %ld, not %ld\n", what, is, expected);
}
__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void wait0(uint32_t bar) {
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra again; }" ::"r"(bar)
                 : "memory");
}
__device__ void begin(uint32_t bar, uint32_t bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}
enum Slip { NONE, EARLY, MISPLACED, UNENCODED, SHORT, ODD, BEFORE };
__global__ void load(const __grid_constant__ CUtensorMap map, int x, int y, uint32_t bytes, uint32_t *out, Slip slip = NONE) {
    __shared__ __align__(1024) uint32_t tile[WORDS];
    __shared__ __align__(8) uint64_t bar;
    for (uint32_t i = threadIdx.x; i < WORDS; i += blockDim.x) tile[i] = 0;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        begin(at(&bar), bytes + (slip == SHORT ? 16 : 0));
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                "r"(at(tile) + (slip == MISPLACED ? 64 : 0)),
            "l"(&map), "r"(x + (slip == ODD)), "r"(y), "r"(at(&bar))
            : "memory");
    }
    __syncthreads();
    if (slip != EARLY) wait0(at(&bar));
    for (uint32_t i = threadIdx.x; i < WORDS; i += blockDim.x) out[i] = tile[i];
}
__global__ void store(const __grid_constant__ CUtensorMap map, int x, int y, uint32_t words, bool adds) {
    __shared__ __align__(1024) uint32_t tile[WORDS];
    for (uint32_t i = threadIdx.x; i < words; i += blockDim.x) tile[i] = 10000 + i;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x) return;
    if (adds)
        asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
                     "r"(x), "r"(y), "r"(at(tile))
                     : "memory");
    else
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x),
                     "r"(y), "r"(at(tile))
                     : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
__global__ void multicast(const __grid_constant__ CUtensorMap map, uint32_t bytes, uint32_t *out) {
    __shared__ __align__(1024) uint32_t tile[WORDS];
    __shared__ __align__(8) uint64_t bar;
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) begin(at(&bar), bytes);
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0 && rank == 0)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(at(tile)),
                     "l"(&map), "r"(0), "r"(0), "r"(at(&bar)), "h"((short)3)
                     : "memory");
    wait0(at(&bar));
    for (uint32_t i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[rank * bytes / 4 + i] = tile[i];
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
static Encode encode;
static CUtensorMap map_of_type(CUtensorMapDataType type, uint32_t *tensor, uint32_t width, const uint32_t *box, uint32_t step_y,
                               int swizzle) {
    CUtensorMap map;
    uint64_t size[2] = {width, HEIGHT}, stride[1] = {WIDTH * 4};
    uint32_t step[2] = {1, step_y};
    same("encode",
         encode(&map, type, 2, tensor, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle,
                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
         0);
    return map;
}
static CUtensorMap map_of(uint32_t *tensor, uint32_t box_x, uint32_t box_y, uint32_t step_y, int swizzle) {
    const uint32_t box[2] = {box_x, box_y};
    return map_of_type(CU_TENSOR_MAP_DATA_TYPE_UINT32, tensor, WIDTH, box, step_y, swizzle);
}
static bool is_inside(int x, int y) { return x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT; }
// Word i of the box, where its bytes go: unit u of 16 in line n of 128 bytes is exchanged with unit u ^ n.
static uint32_t place(uint32_t i, int swizzle) { return i ^ ((i / 32 & ((1u << swizzle) - 1)) << 2); }
int main(int argc, char **argv) {
    void *function = nullptr;
    cudaDriverEntryPointQueryResult result;
    same("entry", cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &result),
         cudaSuccess);
    same("result", result, cudaDriverEntryPointSuccess);
    encode = (Encode)function;
    uint32_t *tensor, *out;
    cudaMallocManaged(&tensor, WIDTH * HEIGHT * 4);
    cudaMallocManaged(&out, WORDS * 4);
    if (argc > 1) { // one of the slips: what is told of it is held to by run
        const Slip slip = (Slip)(*argv[1] - '0');
        cudaMemset(tensor, 0, WIDTH * HEIGHT * 4);
        if (slip == BEFORE)
            store<<<1, 32>>>(map_of(tensor, 32, 8, 1, 0), 0, -1, 256, false);
        else
            load<<<1, 32>>>(slip == UNENCODED ? CUtensorMap{} : map_of(tensor, 32, 8, 1, 0), 0, 0, 1024, out, slip);
        return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
    }
    static const struct {
        int x, y;
        uint32_t wide, high, step;
        int swizzle;
    } loads[] = {{0, 0, 32, 8, 1, 0},
                 {4, 2, 32, 8, 1, 0},
                 {-4, -1, 32, 8, 1, 0},
                 {48, 12, 32, 8, 1, 0},
                 {1000, -2000000000, 8, 2, 1, 0},
                 {0, 0, 32, 8, 1, 3},
                 {0, 0, 16, 8, 1, 2},
                 {4, 1, 8, 8, 1, 1},
                 {0, 0, 16, 8, 1, 3},
                 {0, 0, 8, 8, 1, 2},
                 {0, -1, 16, 8, 2, 0},
                 {0, -2, 16, 8, 3, 0}};
    for (auto c : loads) {
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) tensor[i] = i + 1;
        const uint32_t rows = (c.high + c.step - 1) / c.step, bytes = c.wide * rows * 4;
        const uint32_t span = c.swizzle ? 4u << c.swizzle : 0, pitch = c.wide < span ? span : c.wide; // words
        load<<<1, 32>>>(map_of(tensor, c.wide, c.high, c.step, c.swizzle), c.x, c.y, bytes, out);
        same("load", cudaDeviceSynchronize(), cudaSuccess);
        for (uint32_t i = 0; i < bytes / 4; i++) {
            const int x = c.x + (int)(i % c.wide), y = c.y + (int)(i / c.wide * c.step);
            same("element", out[place(i / c.wide * pitch + i % c.wide, c.swizzle)], is_inside(x, y) ? y * WIDTH + x + 1 : 0);
        }
    }
    // Elements of two bytes, of which a row has nine and the box asks for sixteen.
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) tensor[i] = 0x10001 * (i + 1);
    const uint32_t halves[2] = {16, 4};
    load<<<1, 32>>>(map_of_type(CU_TENSOR_MAP_DATA_TYPE_UINT16, tensor, 9, halves, 1, 0), 0, 0, 128, out);
    same("load of halves", cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 32; i++) {
        const uint32_t x = i % 8, word = 0x10001 * (i / 8 * WIDTH + x + 1);
        same("half", out[i], x < 4 ? word : x == 4 ? word & 0xffff : 0);
    }
    for (int adds = 0; adds < 2; adds++)
        for (int swizzle = 0; swizzle <= 3; swizzle += 3) {
            for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) tensor[i] = i;
            const int left = 48, top = 12, wide = 32, high = 8; // ends outside
            store<<<1, 32>>>(map_of(tensor, wide, high, 1, swizzle), left, top, wide * high, adds);
            same("store", cudaDeviceSynchronize(), cudaSuccess);
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++) {
                    const bool in = x >= left && y >= top; // the box goes on to the tensor's ends
                    const uint32_t before = y * WIDTH + x, moved = 10000 + place((y - top) * wide + x - left, swizzle);
                    same("stored", tensor[before], !in ? before : adds ? before + moved : moved);
                }
        }
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) tensor[i] = i;
    cudaLaunchAttribute cluster;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 2, cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 2, config.blockDim = 32, config.attrs = &cluster, config.numAttrs = 1;
    same("launch", cudaLaunchKernelEx(&config, multicast, map_of(tensor, 32, 8, 1, 0), 1024u, out), cudaSuccess);
    same("multicast", cudaDeviceSynchronize(), cudaSuccess);
    for (uint32_t i = 0; i < 512; i++) same("received", out[i], i % 256 / 32 * WIDTH + i % 32);
    CUtensorMap map;
    uint64_t size[2] = {WIDTH, HEIGHT}, stride[1] = {WIDTH * 4 + 8};
    uint32_t box[2] = {32, 8}, step[2] = {1, 1};
    same("a stride of 264 bytes",
         encode(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, tensor, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
         1);
    puts(wrong ? "wrong" : "ok");
    return wrong != 0;
}
