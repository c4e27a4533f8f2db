// Boxes of tensors of 1 to 5 dimensions that reach out of them on every side: what each byte must be is worked out on the host, element by element, from what the
// driver API says of sizes, strides, steps and swizzles. An H200 gives the same ("ok"). With a word, the bytes that stand for NaN are printed as well.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>
typedef int (*Encode)(CUtensorMap *, CUtensorMapDataType, unsigned, void *, const uint64_t *, const uint64_t *,
                      const uint32_t *, const uint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                      CUtensorMapFloatOOBfill);
enum { MOST = 16384, DIMENSIONS = 5, INT_LEAST = -2147483647 - 1, INT_MOST = 2147483647 };
struct Corner {
    int at[DIMENSIONS];
};
__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

template <int RANK> __device__ void load_box(uint32_t to, const CUtensorMap *map, const int *c, uint32_t bar) {
#define LOAD(rank, places, ...)                                                                                              \
    if (RANK == rank)                                                                                                        \
        asm volatile("cp.async.bulk.tensor." #rank                                                                           \
                     "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" places "}], [%2];" ::"r"(to), \
                     "l"(map), "r"(bar), __VA_ARGS__                                                                         \
                     : "memory");
    LOAD(1, "%3", "r"(c[0]))
    LOAD(2, "%3, %4", "r"(c[0]), "r"(c[1]))
    LOAD(3, "%3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]))
    LOAD(4, "%3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))
    LOAD(5, "%3, %4, %5, %6, %7", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]))
#undef LOAD
}
template <int RANK> __device__ void store_box(const CUtensorMap *map, const int *c, uint32_t from) {
#define STORE(rank, places, ...)                                                                        \
    if (RANK == rank)                                                                                   \
        asm volatile("cp.async.bulk.tensor." #rank "d.global.shared::cta.tile.bulk_group [%0, {" places \
                     "}], [%1];" ::"l"(map),                                                            \
                     "r"(from), __VA_ARGS__                                                             \
                     : "memory");
    STORE(1, "%2", "r"(c[0]))
    STORE(2, "%2, %3", "r"(c[0]), "r"(c[1]))
    STORE(3, "%2, %3, %4", "r"(c[0]), "r"(c[1]), "r"(c[2]))
    STORE(4, "%2, %3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))
    STORE(5, "%2, %3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]))
#undef STORE
}

// Shared memory begins as 0x11 everywhere. *came: the bytes that were expected.
template <int RANK>
__global__ void load(const __grid_constant__ CUtensorMap map, Corner corner, uint32_t bytes, uint8_t *out, int *came) {
    __shared__ __align__(1024) uint8_t tile[MOST];
    __shared__ __align__(8) uint64_t bar;
    for (uint32_t i = threadIdx.x; i < MOST; i += blockDim.x) tile[i] = 0x11;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&bar)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"(bytes) : "memory");
        load_box<RANK>(at(tile), &map, corner.at, at(&bar));
    }
    __syncthreads();
    uint32_t done = 0;
    for (int k = 0; !done && k < 1000; k++)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0, 1000; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(at(&bar))
                     : "memory");
    if (threadIdx.x == 0) *came = done;
    if (!done) return;
    for (uint32_t i = threadIdx.x; i < MOST; i += blockDim.x) out[i] = tile[i];
}
template <int RANK> __global__ void store(const __grid_constant__ CUtensorMap map, Corner corner, const uint8_t *in) {
    __shared__ __align__(1024) uint8_t tile[MOST];
    for (uint32_t i = threadIdx.x; i < MOST; i += blockDim.x) tile[i] = in[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x) return;
    store_box<RANK>(&map, corner.at, at(tile));
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void add(const __grid_constant__ CUtensorMap map, Corner corner, const uint8_t *in) {
    __shared__ __align__(1024) uint8_t tile[MOST];
    for (uint32_t i = threadIdx.x; i < MOST; i += blockDim.x) tile[i] = in[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x) return;
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
                 "r"(corner.at[0]), "r"(corner.at[1]), "r"(at(tile))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

struct Box {
    const char *name;
    CUtensorMapDataType type;
    uint32_t element, rank;
    uint64_t size[DIMENSIONS];
    uint32_t box[DIMENSIONS], step[DIMENSIONS];
    int at[DIMENSIONS];
    int swizzle, fill;
};
#define T(name) CU_TENSOR_MAP_DATA_TYPE_##name
static const Box boxes[] = {
    {"1d, before and behind", T(UINT32), 4, 1, {20}, {32}, {1}, {-4}, 0, 0},
    {"1d, all of it outside", T(UINT32), 4, 1, {20}, {32}, {1}, {INT_LEAST}, 0, 0},
    {"2d of bytes", T(UINT8), 1, 2, {40, 6}, {32, 8}, {1, 1}, {16, -1}, 0, 0},
    {"3d inside", T(UINT32), 4, 3, {16, 8, 6}, {8, 4, 3}, {1, 1, 1}, {4, 2, 1}, 0, 0},
    {"3d, out of each side", T(UINT32), 4, 3, {12, 6, 4}, {16, 8, 6}, {1, 1, 1}, {-4, -1, -1}, 0, 0},
    {"3d by steps", T(UINT32), 4, 3, {16, 9, 9}, {8, 8, 7}, {1, 2, 3}, {12, 1, 2}, 0, 0},
    {"3d by steps from before", T(UINT32), 4, 3, {16, 9, 9}, {8, 8, 7}, {1, 3, 2}, {0, -1, -3}, 0, 0},
    {"2d, step in dimension 0", T(UINT32), 4, 2, {64, 8}, {16, 4}, {2, 1}, {4, 1}, 0, 0},
    {"3d, swizzle 128", T(UINT16), 2, 3, {72, 7, 5}, {64, 4, 3}, {1, 1, 1}, {16, 5, -1}, 3, 0},
    {"3d, swizzle 64", T(UINT16), 2, 3, {72, 7, 5}, {32, 5, 3}, {1, 1, 1}, {48, 3, 3}, 2, 0},
    {"4d inside", T(UINT32), 4, 4, {8, 5, 4, 3}, {4, 3, 2, 2}, {1, 1, 1, 1}, {4, 1, 2, 1}, 0, 0},
    {"4d, out of each side", T(FLOAT32), 4, 4, {8, 5, 4, 3}, {12, 7, 6, 5}, {1, 1, 1, 1}, {-4, -1, -1, -1}, 0, 0},
    {"4d, swizzle 32", T(UINT8), 1, 4, {48, 5, 4, 3}, {32, 3, 3, 2}, {1, 1, 1, 1}, {32, 3, -1, 2}, 1, 0},
    {"4d by steps", T(UINT16), 2, 4, {16, 7, 7, 7}, {16, 5, 7, 6}, {1, 2, 3, 4}, {8, 1, -1, 0}, 0, 0},
    {"5d inside", T(UINT32), 4, 5, {8, 4, 3, 3, 3}, {4, 2, 2, 2, 2}, {1, 1, 1, 1, 1}, {4, 1, 1, 0, 1}, 0, 0},
    {"5d, out of each side", T(UINT16), 2, 5, {8, 3, 3, 2, 2}, {24, 5, 4, 4, 3}, {1, 1, 1, 1, 1}, {-8, -1, -1, -1, -1}, 0, 0},
    {"5d, far outside", T(UINT32), 4, 5, {8, 3, 3, 2, 2}, {8, 2, 2, 2, 2}, {1, 1, 1, 1, 1}, {0, 0, 0, INT_MOST, 0}, 0, 0},
    {"5d by steps, swizzle 64", T(FLOAT64), 8, 5, {6, 5, 4, 4, 3}, {8, 3, 4, 3, 4}, {1, 2, 3, 1, 2}, {-2, 0, 2, 2, 0}, 2, 0},
    {"bytes behind a row's end", T(UINT8), 1, 2, {40, 6}, {32, 4}, {1, 1}, {16, 1}, 0, 0},
    {"halves behind a row's end", T(UINT16), 2, 2, {11, 3}, {16, 4}, {1, 1}, {0, 1}, 0, 0},
    {"words behind a row's end", T(UINT32), 4, 2, {10, 3}, {16, 2}, {1, 1}, {0, 0}, 0, 0},
    {"halves behind a row's end, swizzle 64", T(UINT16), 2, 3, {27, 4, 3}, {32, 2, 2}, {1, 1, 1}, {16, 1, 1}, 2, 0},
    {"f32 filled with NaN", T(FLOAT32), 4, 3, {8, 3, 3}, {12, 4, 2}, {1, 1, 1}, {-4, -1, 2}, 0, 1},
    {"f64 filled with NaN", T(FLOAT64), 8, 2, {8, 3}, {4, 4}, {1, 1}, {6, 1}, 0, 1},
    {"f16 filled with NaN", T(FLOAT16), 2, 4, {8, 3, 3, 2}, {16, 2, 2, 2}, {1, 1, 1, 1}, {-8, 2, 0, 1}, 0, 1},
    {"bf16 filled with NaN", T(BFLOAT16), 2, 2, {11, 3}, {16, 4}, {1, 1}, {0, 1}, 0, 1},
};

// Tensors lie with 16 bytes between rows and a row between planes.
static void strides_of(const Box &b, uint64_t *stride) {
    stride[0] = b.element;
    for (uint32_t d = 1; d < DIMENSIONS; d++)
        stride[d] = d == 1 ? (b.size[0] * b.element + 31) / 16 * 16 : stride[d - 1] * (b.size[d - 1] + (d == 2));
}
static uint32_t count_of(const Box &b, uint32_t d) {
    return d >= b.rank ? 1 : d ? (b.box[d] + b.step[d] - 1) / b.step[d] : b.box[d];
}

// Calls each(place of an element in shared memory, its offset in the tensor, or -1 where it has none). whole: 16 bytes of which the tensor has some are all its own,
// as those are that an H200 writes.
template <typename Each> static void each_element(const Box &b, bool whole, const Each &each) {
    uint64_t stride[DIMENSIONS];
    strides_of(b, stride);
    const uint32_t span = b.swizzle ? 16u << b.swizzle : 0, row = b.box[0] * b.element, pitch = row < span ? span : row;
    uint64_t size[DIMENSIONS];
    memcpy(size, b.size, sizeof size);
    if (whole) size[0] = (size[0] * b.element + 15) / 16 * 16 / b.element;
    uint32_t i[DIMENSIONS], line = 0;
    for (i[4] = 0; i[4] < count_of(b, 4); i[4]++)
        for (i[3] = 0; i[3] < count_of(b, 3); i[3]++)
            for (i[2] = 0; i[2] < count_of(b, 2); i[2]++)
                for (i[1] = 0; i[1] < count_of(b, 1); i[1]++, line++)
                    for (i[0] = 0; i[0] < count_of(b, 0); i[0]++) {
                        int64_t offset = 0;
                        for (uint32_t d = 0; d < b.rank; d++) {
                            const int64_t x = (int64_t)b.at[d] + (int64_t)i[d] * (d ? b.step[d] : 1);
                            offset = offset < 0 || x < 0 || x >= (int64_t)size[d] ? -1 : offset + x * (int64_t)stride[d];
                        }
                        const uint32_t place = line * pitch + i[0] * b.element;
                        each(place ^ ((place / 128 & ((1u << b.swizzle) - 1)) << 4), offset);
                    }
}

static int wrong;
static void same(const Box &b, const char *what, long at, long is, long expected) {
    if (is != expected && ++wrong < 40) printf("%s, %s %ld: %lx, not %lx\n", b.name, what, at, is, expected);
}
static bool tried(const Box &b, const char *what) {
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("%s, %s: %s\n", b.name, what, cudaGetErrorString(error)), wrong++;
    return error == cudaSuccess;
}

template <int RANK> static void run(const Box &b, Encode encode, bool tells) {
    uint64_t stride[DIMENSIONS + 1];
    strides_of(b, stride);
    const uint64_t bytes = stride[RANK - 1] * b.size[RANK - 1] + 64;
    uint8_t *tensor, *tile;
    int *came;
    cudaMallocManaged(&tensor, bytes), cudaMallocManaged(&tile, MOST), cudaMallocManaged(&came, 4);
    std::vector<uint8_t> before(bytes), expected(MOST, 0x11);
    for (uint64_t i = 0; i < bytes; i++) tensor[i] = before[i] = (uint8_t)(i * 37 + i / 251 + 3) | 0x80;
    CUtensorMap map;
    const int encoded = encode(&map, b.type, RANK, tensor, b.size, stride + 1, b.box, b.step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                               (CUtensorMapSwizzle)b.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, (CUtensorMapFloatOOBfill)b.fill);
    same(b, "encode", 0, encoded, 0);
    Corner corner;
    memcpy(corner.at, b.at, sizeof corner.at);
    uint32_t moved = 0, shown = 0;
    each_element(b, false, [&](uint32_t place, int64_t offset) {
        for (uint32_t k = 0; k < b.element; k++)
            expected[place + k] = offset < 0 ? b.fill ? k % 2 ? 0x7f : 0xf7 : 0 : before[offset + k];
        moved += b.element;
    });
    load<RANK><<<1, 32>>>(map, corner, moved, tile, came);
    if (!tried(b, "load")) return;
    same(b, "bytes expected", moved, *came, 1);
    for (uint32_t i = 0; *came && i < MOST; i++) same(b, "byte of the tile", i, tile[i], expected[i]);
    if (tells && b.fill && *came)
        each_element(b, false, [&](uint32_t place, int64_t offset) {
            if (offset >= 0 || shown++) return;
            printf("%s:", b.name);
            for (uint32_t k = 0; k < 16; k++) printf(" %02x", tile[place + k]);
            puts("");
        });
    bool begins_inside = true;
    for (uint32_t d = 0; d < b.rank; d++) begins_inside &= b.at[d] >= 0;
    for (uint32_t i = 0; i < MOST; i++) tile[i] = (uint8_t)(i * 11 + i / 256) & 0x7f;
    if (begins_inside) {
        each_element(b, true, [&](uint32_t place, int64_t offset) {
            for (uint32_t k = 0; offset >= 0 && k < b.element; k++) before[offset + k] = tile[place + k];
        });
        store<RANK><<<1, 32>>>(map, corner, tile);
        if (!tried(b, "store")) return;
        for (uint64_t i = 0; i < bytes; i++) same(b, "byte of the tensor", i, tensor[i], before[i]);
    }
    if (begins_inside && RANK == 2 && b.type == T(UINT32)) {
        each_element(b, true, [&](uint32_t place, int64_t offset) {
            if (offset >= 0) *(uint32_t *)&before[offset] += *(uint32_t *)&tile[place];
        });
        add<<<1, 32>>>(map, corner, tile);
        if (!tried(b, "sum")) return;
        for (uint64_t i = 0; i < bytes; i++) same(b, "byte of the sum", i, tensor[i], before[i]);
    }
    cudaFree(tensor), cudaFree(tile), cudaFree(came);
}

int main(int argc, char **) {
    void *function = nullptr;
    cudaDriverEntryPointQueryResult result;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &result) != cudaSuccess)
        return puts("wrong"), 1;
    void (*const runs[])(const Box &, Encode, bool) = {run<1>, run<2>, run<3>, run<4>, run<5>};
    for (const Box &b : boxes) runs[b.rank - 1](b, (Encode)function, argc > 1);
    puts(wrong ? "wrong" : "ok");
    return wrong != 0;
}
