// What h200-dshared.csv has: what a cluster's blocks do with each other's shared memory, by what it is, whom it goes to and how the lanes lie: latencies of one
// warp, and cycles of an SM for a warp's request where 32 warps make them; the cluster's barrier; bulk copies and messages from block to block.
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;
enum { WORDS = 4096, REQUESTS = 256, WARPS = 32 };

static void require(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

template <typename... Parameters, typename... Arguments>
static void launch(void (*kernel)(Parameters...), int blocks, int threads, int cluster, Arguments... arguments) {
    cudaLaunchAttribute size = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = cluster, size.val.clusterDim.y = size.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks, config.blockDim = threads;
    config.attrs = &size, config.numAttrs = 1;
    if (cluster > 8) require(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "16 blocks");
    require(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), "launch");
    require(cudaDeviceSynchronize(), "kernel");
}

enum What { LOAD, LOAD4, STORE, STORE4, REDUCE, ATOMIC };
static const char *const names[] = {"ld", "ld_v4", "st", "st_v4", "red", "atom"};
enum Whom { OWN, NEXT, FIRST, HALF }; // by rank: the own block, the next one, all the first one, only even ranks the next one
static const char *const whom_names[] = {"own", "next", "first", "half"};

__device__ inline uint32_t at_rank(const void *at, uint32_t rank) {
    uint32_t to;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"((uint32_t)__cvta_generic_to_shared(at)), "r"(rank));
    return to;
}

template <int WHAT> __device__ inline uint32_t request(uint32_t at, uint32_t value) {
    uint32_t x = 0, y = 0, z = 0, w = 0;
    switch (WHAT) {
    case LOAD: asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(at)); break;
    case LOAD4:
        asm volatile("ld.shared::cluster.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at));
        break;
    case STORE: asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(value)); break;
    case STORE4: asm volatile("st.shared::cluster.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(at), "r"(value)); break;
    case REDUCE: asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(at), "r"(value)); break;
    case ATOMIC:
        asm volatile("atom.relaxed.cluster.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(x) : "r"(at), "r"(value));
        break;
    }
    return x ^ y ^ z ^ w;
}

// A warp's requests one after the other: the next address depends on what the last one brought, all lanes on one word.
template <int WHAT> __global__ void follow(float *cycles, int away) {
    __shared__ uint32_t own[WORDS];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x) own[i] = 0;
    cluster.sync();
    const uint32_t at = at_rank(own, (cluster.block_rank() + away) % cluster.num_blocks());
    uint32_t x = 0;
    for (int k = 0; k < REQUESTS; k++) x = request<WHAT>(at + x, 0);
    const long long begin = clock64();
    for (int k = 0; k < REQUESTS; k++) x = request<WHAT>(at + x, 0);
    const long long end = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = (float)(end - begin) / REQUESTS + (x == 99999);
    cluster.sync();
}

// step -1: anywhere; else words `step` apart from lane to lane.
template <int WHAT> __global__ void stream(float *cycles, uint32_t *out, int whom, int step) {
    __shared__ __align__(16) uint32_t own[WORDS];
    cg::cluster_group cluster = cg::this_cluster();
    const uint32_t rank = cluster.block_rank(), ranks = cluster.num_blocks();
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x) own[i] = i;
    cluster.sync();
    const uint32_t wide = WHAT == LOAD4 || WHAT == STORE4 ? 4 : 1;
    const uint32_t base = at_rank(own, whom == OWN ? rank : whom == FIRST ? 0 : (rank + 1) % ranks);
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t sum = 0, at = lane * (step < 0 ? 1 : step) * wide + warp * 32 * wide, state = threadIdx.x * 2654435761u + rank;
    const bool works = (whom != FIRST || rank) && (whom != HALF || rank % 2 == 0);
    const long long begin = clock64();
    if (works)
        for (int k = 0; k < REQUESTS; k += 8) {
            uint32_t to[8];
#pragma unroll
            for (int u = 0; u < 8; u++) {
                state = state * 1664525 + 1013904223;
                to[u] = base + 4 * ((step < 0 ? (state >> 16) * wide : at + (k + u) * 32 * wide) % WORDS);
            }
#pragma unroll
            for (int u = 0; u < 8; u++) sum += request<WHAT>(to[u], 1);
        }
    cluster.sync();
    const long long end = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = (float)(end - begin) / REQUESTS / WARPS;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void meet(float *cycles) {
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    const long long begin = clock64();
    for (int k = 0; k < REQUESTS; k++) cluster.sync();
    const long long end = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = (float)(end - begin) / REQUESTS;
}

__device__ inline void wait(uint32_t bar, uint32_t parity) {
    asm volatile(
        "{ .reg .pred p; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1; @!p bra again; }" ::"r"(
            bar),
        "r"(parity)
        : "memory");
}
__device__ inline void expect(uint32_t bar, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}
__device__ inline void send(uint32_t to, uint32_t from, uint32_t bytes, uint32_t bar) {
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "r"(from), "r"(bytes), "r"(bar)
                 : "memory");
}

// Two blocks send `bytes` to and fro, each when the other's have come (0: st.async of 4 bytes, -1: an arrival alone): cycles of one way.
__global__ void to_and_fro(float *cycles, int bytes) {
    extern __shared__ __align__(128) unsigned char data[];
    __shared__ __align__(8) uint64_t bar;
    __shared__ uint32_t word;
    cg::cluster_group cluster = cg::this_cluster();
    const uint32_t rank = cluster.block_rank(), mine = (uint32_t)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(mine));
    cluster.sync();
    const uint32_t theirs = at_rank(&bar, rank ^ 1), to = at_rank(data, rank ^ 1),
                   from = (uint32_t)__cvta_generic_to_shared(data);
    const uint32_t their_word = at_rank(&word, rank ^ 1);
    if (threadIdx.x == 0) {
        long long begin = 0;
        if (bytes >= 0) expect(mine, bytes ? bytes : 4);
        for (int k = 0; k < 2 * REQUESTS; k++) {
            if (k == REQUESTS) begin = clock64();
            if (rank) wait(mine, k & 1);
            if (rank && bytes >= 0) expect(mine, bytes ? bytes : 4);
            if (bytes > 0)
                send(to, from, bytes, theirs);
            else if (bytes == 0)
                asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(their_word),
                             "r"(k), "r"(theirs)
                             : "memory");
            else
                asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(theirs) : "memory");
            if (!rank) wait(mine, k & 1);
            if (!rank && bytes >= 0) expect(mine, bytes ? bytes : 4);
        }
        if (!rank) *cycles = (float)(clock64() - begin) / REQUESTS / 2;
        if (bytes >= 0) { // what is expected still
            asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(mine) : "memory");
        }
    }
    cluster.sync();
}

// Each block sends `count` copies of `bytes` to the next one (own: to itself) and waits for those that come: cycles of each.
__global__ void pour(float *cycles, int bytes, int count, int own) {
    extern __shared__ __align__(128) unsigned char data[];
    __shared__ __align__(8) uint64_t bar;
    cg::cluster_group cluster = cg::this_cluster();
    const uint32_t rank = cluster.block_rank(), other = own ? rank : (rank + 1) % cluster.num_blocks();
    const uint32_t mine = (uint32_t)__cvta_generic_to_shared(&bar), from = (uint32_t)__cvta_generic_to_shared(data);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(mine));
        expect(mine, bytes * count);
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        const uint32_t to = at_rank(data, other) + 16384, theirs = at_rank(&bar, other);
        const long long begin = clock64();
        for (int k = 0; k < count; k++) send(to, from, bytes, theirs);
        wait(mine, 0);
        const long long end = clock64();
        if (blockIdx.x == 0) *cycles = (float)(end - begin) / count;
    }
    cluster.sync();
}

static float *cycles;
static uint32_t *out;
static int sms;

template <int WHAT> static void streams(bool few) {
    static const int steps[] = {0, 1, 2, 8, 32, -1};
    for (int step : steps) {
        if ((WHAT == LOAD4 || WHAT == STORE4) && (step == 2 || step == 32)) continue;
        for (int whom : {OWN, NEXT}) {
            launch(stream<WHAT>, sms / 2 * 2, 1024, 2, cycles, out, whom, step);
            printf("%s/%s/2/%d,%.2f\n", names[WHAT], whom_names[whom], step, *cycles);
        }
    }
    if (few) return;
    for (int step : {1, -1}) {
        for (int cluster : {4, 8, 16}) {
            launch(stream<WHAT>, sms / 16 * 16, 1024, cluster, cycles, out, NEXT, step);
            printf("%s/next/%d/%d,%.2f\n", names[WHAT], cluster, step, *cycles);
        }
        launch(stream<WHAT>, sms / 2 * 2, 1024, 2, cycles, out, HALF, step);
        printf("%s/half/2/%d,%.2f\n", names[WHAT], step, *cycles);
        launch(stream<WHAT>, 2, 1024, 2, cycles, out, NEXT, step);
        printf("%s/alone/2/%d,%.2f\n", names[WHAT], step, *cycles);
        for (int cluster : {4, 8}) {
            launch(stream<WHAT>, sms / 16 * 16, 1024, cluster, cycles, out, FIRST, step);
            printf("%s/first/%d/%d,%.2f\n", names[WHAT], cluster, step, *cycles);
        }
    }
}

template <int WHAT> static void latencies() {
    launch(follow<WHAT>, 2, 32, 2, cycles, 0);
    printf("latency/%s/own/2,%.1f\n", names[WHAT], *cycles);
    for (int cluster : {2, 4, 8, 16}) {
        launch(follow<WHAT>, cluster, 32, cluster, cycles, cluster / 2);
        printf("latency/%s/next/%d,%.1f\n", names[WHAT], cluster, *cycles);
    }
}

template <typename... Arguments>
static float with_bytes(void (*kernel)(Arguments...), int blocks, int cluster, int bytes, Arguments... arguments) {
    cudaLaunchAttribute size = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = cluster, size.val.clusterDim.y = size.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks, config.blockDim = 32, config.dynamicSmemBytes = bytes;
    config.attrs = &size, config.numAttrs = 1;
    require(cudaLaunchKernelEx(&config, kernel, arguments...), "launch");
    require(cudaDeviceSynchronize(), "kernel");
    return *cycles;
}

int main() {
    cudaDeviceProp properties;
    require(cudaGetDeviceProperties(&properties, 0), "device");
    sms = properties.multiProcessorCount;
    fprintf(stderr, "%s, %d SMs\n", properties.name, sms);
    require(cudaMallocManaged(&cycles, sizeof *cycles), "memory");
    require(cudaMalloc(&out, 4 * 1024 * sms), "memory");
    puts("name,cycles");
    latencies<LOAD>();
    latencies<LOAD4>();
    latencies<ATOMIC>();
    streams<LOAD>(false);
    streams<LOAD4>(true);
    streams<STORE>(false);
    streams<STORE4>(true);
    streams<REDUCE>(true);
    streams<ATOMIC>(false);
    for (int cluster : {1, 2, 4, 8, 16})
        for (int threads : {32, 256, 1024}) {
            launch(meet, sms / cluster * cluster > 128 ? 128 : sms / cluster * cluster, threads, cluster, cycles);
            printf("barrier/%d/%d,%.1f\n", cluster, threads, *cycles);
        }
    for (int bytes : {-1, 0, 16, 256, 1024, 4096, 16384})
        printf("to_and_fro/%d,%.1f\n", bytes, with_bytes(to_and_fro, 2, 2, 16384, cycles, bytes));
    for (int own : {1, 0})
        for (int cluster : {2, 8})
            for (int bytes : {16, 128, 1024, 4096, 16384}) {
                const int count = 65536 / bytes > 64 ? 64 : 65536 / bytes;
                printf("pour/%s/%d/%d,%.1f\n", own ? "own" : "next", cluster, bytes,
                       with_bytes(pour, 128, cluster, 32768, cycles, bytes, count, own));
            }
    for (int bytes : {1024, 16384})
        printf("pour/alone/2/%d,%.1f\n", bytes,
               with_bytes(pour, 2, 2, 32768, cycles, bytes, 65536 / bytes > 64 ? 64 : 65536 / bytes, 0));
    return 0;
}
