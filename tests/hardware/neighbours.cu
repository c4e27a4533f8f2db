// What h200-neighbours.csv has: shared memory of the block's own, of a neighbour in the cluster, and L2, by latency and by what they hand out; look-ups of
// a table and counting in one that a cluster keeps (book/examples/clusters.cu);
// and the launches of book/examples/swizzles.cu. With a word, only the launches that are profiled.
#include "clusters.cu"
#include "swizzles.cu"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#ifndef N
#define N (1 << 26) // indices, and values
#endif

static void require(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

template <typename... Parameters, typename... Arguments>
static void launch(void (*kernel)(Parameters...), int blocks, int threads, int cluster, size_t shared, Arguments... arguments) {
    cudaLaunchAttribute size = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = cluster, size.val.clusterDim.y = size.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks, config.blockDim = threads, config.dynamicSmemBytes = shared;
    config.attrs = &size, config.numAttrs = 1;
    if (shared > 48 * 1024)
        require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared), "shared memory");
    require(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), "launch");
}

static float median_us(const std::function<void()> &work) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    std::vector<float> us;
    for (int i = 0; i < 11; i++) {
        cudaEventRecord(begin);
        work();
        cudaEventRecord(end);
        require(cudaEventSynchronize(end), "kernel");
        float ms;
        cudaEventElapsedTime(&ms, begin, end);
        us.push_back(1000 * ms);
    }
    std::sort(us.begin(), us.end());
    cudaEventDestroy(begin), cudaEventDestroy(end);
    return us[5];
}

enum From { OWN, OWN_BY_RANK, NEIGHBOUR, MEMORY };
static const char *const names[] = {"own", "own_by_rank", "neighbour", "l2"};
constexpr int WORDS = 4096;

__device__ inline uint32_t at_rank(const void *at, uint32_t rank) {
    uint32_t to;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"((uint32_t)__cvta_generic_to_shared(at)), "r"(rank));
    return to;
}
template <int FROM> __device__ inline uint32_t word(const uint32_t *own, uint32_t by_rank, const uint32_t *memory, uint32_t i) {
    uint32_t x;
    if (FROM == OWN)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"((uint32_t)__cvta_generic_to_shared(own) + 4 * i));
    else if (FROM == MEMORY)
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(memory + i));
    else
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(by_rank + 4 * i));
    return x;
}

// One lane follows 256 addresses, each read from the one before; cycles of one step.
template <int FROM> __global__ void chase(uint32_t *memory, float *cycles) {
    __shared__ uint32_t own[WORDS];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x) own[i] = memory[i] = (i + 33) % WORDS;
    cluster.sync();
    const uint32_t by_rank = at_rank(own, FROM == NEIGHBOUR ? cluster.block_rank() ^ 1 : cluster.block_rank());
    uint32_t i = 0;
    for (int k = 0; k < 256; k++) i = word<FROM>(own, by_rank, memory, i);
    const long long begin = clock64();
    for (int k = 0; k < 256; k++) i = word<FROM>(own, by_rank, memory, i);
    const long long end = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = (end - begin) / 256.f + (i == 99999);
    cluster.sync();
}

// All threads of all blocks: 256 loads each, of words that are `step` apart from lane to lane; cycles of a warp's load on an SM.
template <int FROM> __global__ void stream(uint32_t *memory, float *cycles, uint32_t *out, int step) {
    __shared__ uint32_t own[WORDS];
    cg::cluster_group cluster = cg::this_cluster();
    memory += blockIdx.x * WORDS;
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x) own[i] = memory[i] = i;
    cluster.sync();
    const uint32_t by_rank = at_rank(own, FROM == NEIGHBOUR ? cluster.block_rank() ^ 1 : cluster.block_rank());
    uint32_t sum = 0, at = threadIdx.x % 32 * step + threadIdx.x / 32 * 32;
    const long long begin = clock64();
    for (int k = 0; k < 256; k += 8) {
#pragma unroll
        for (int u = 0; u < 8; u++) sum += word<FROM>(own, by_rank, memory, (at + (k + u) * 32) % WORDS);
    }
    cluster.sync();
    const long long end = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = (end - begin) / 256.f / (blockDim.x / 32);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Counters of all values: in global memory, in one block's shared memory, over a cluster's.
__global__ void count_in_memory(const unsigned *values, unsigned *counts, int n, int bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[values[i] % bins], 1);
}
__global__ void count_in_cluster(const unsigned *values, unsigned *counts, int n, int bins) { // a cluster of 1 as well
    extern __shared__ unsigned share[];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned each = bins / cluster.num_blocks();
    for (int i = threadIdx.x; i < each; i += blockDim.x) share[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned bin = values[i] % bins;
        atomicAdd(cluster.map_shared_rank(share, bin / each) + bin % each, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < each; i += blockDim.x) atomicAdd(&counts[cluster.block_rank() * each + i], share[i]);
}

template <int FROM> static void latency_and_rate(uint32_t *memory, uint32_t *out, int sms) {
    float *cycles;
    cudaMallocManaged(&cycles, sizeof *cycles);
    launch(chase<FROM>, 2, 32, 2, 0, memory, cycles);
    require(cudaDeviceSynchronize(), "chase");
    printf("latency/%s,,%.1f\n", names[FROM], *cycles);
    for (int step : {1, 2, 8, 32})
        for (int threads : {1024}) {
            launch(stream<FROM>, sms / 2 * 2, threads, 2, 0, memory, cycles, out, step);
            require(cudaDeviceSynchronize(), "stream");
            printf("load/%s/%d,,%.2f\n", names[FROM], step, *cycles);
        }
    cudaFree(cycles);
}

static void look_ups(int sms, int n, bool only_once) {
    std::vector<float> table(TABLE), found(n);
    std::vector<unsigned short> index(n);
    for (int i = 0; i < TABLE; i++) table[i] = 3 * i + 1;
    for (auto &i : index) i = rand() >> 8;
    float *d_table, *d_out;
    unsigned short *d_index;
    cudaMalloc(&d_table, 4 * TABLE), cudaMalloc(&d_out, 4 * (size_t)n), cudaMalloc(&d_index, 2 * (size_t)n);
    cudaMemcpy(d_table, table.data(), 4 * TABLE, cudaMemcpyHostToDevice);
    cudaMemcpy(d_index, index.data(), 2 * (size_t)n, cudaMemcpyHostToDevice);
    for (int in_cluster = 0; in_cluster < 2; in_cluster++)
        for (int threads : {256, 1024}) {
            const int blocks = only_once ? 128 : sms / 8 * 8 * (2048 / threads);
            if (only_once && threads != 256) continue;
            cudaMemset(d_out, 0, 4 * (size_t)n);
            const auto work = [&] {
                launch(in_cluster ? look_up_in_cluster : look_up_in_memory, blocks, threads, in_cluster ? BLOCKS : 1, 0,
                       d_table, d_index, d_out, n);
            };
            if (only_once) {
                work();
                continue;
            }
            const float us = median_us(work);
            require(cudaMemcpy(found.data(), d_out, 4 * (size_t)n, cudaMemcpyDeviceToHost), "found");
            bool right = true;
            for (int i = 0; i < n; i++) right &= found[i] == table[index[i]];
            printf("look_up_%s/%d,%.1f,%s\n", in_cluster ? "cluster" : "memory", threads, us, right ? "" : "WRONG");
        }
    require(cudaDeviceSynchronize(), "look_up");
    cudaFree(d_table), cudaFree(d_out), cudaFree(d_index);
}

static void counting(int sms, int n, int bins, bool same) {
    std::vector<unsigned> values(n), expected(bins), found(bins);
    for (auto &v : values) v = same ? rand() % 8 * 1237 : rand() * 2654435761u >> 7, expected[v % bins]++;
    unsigned *d_values, *d_counts;
    cudaMalloc(&d_values, 4 * (size_t)n), cudaMalloc(&d_counts, 4 * bins);
    cudaMemset(d_counts, 0, 4 * bins);
    cudaMemcpy(d_values, values.data(), 4 * (size_t)n, cudaMemcpyHostToDevice);
    for (int cluster : {0, 1, 2, 4, 8}) {
        const size_t shared = cluster ? 4 * (size_t)bins / cluster : 0;
        if (shared > 200 * 1024) continue;
        const int threads = 1024, each = shared > 100 * 1024 ? 1 : 2, blocks = sms / 8 * 8 * (cluster ? each : 2);
        const auto work = [&] {
            if (cluster)
                launch(count_in_cluster, blocks, threads, cluster, shared, d_values, d_counts, n, bins);
            else
                launch(count_in_memory, blocks, threads, 1, 0, d_values, d_counts, n, bins);
        };
        const float us = median_us(work);
        cudaMemset(d_counts, 0, 4 * bins);
        work();
        require(cudaMemcpy(found.data(), d_counts, 4 * bins, cudaMemcpyDeviceToHost), "counts");
        printf("count_%s/%d/%d,%.1f,%s\n", same ? "in_eight" : "anywhere", bins, cluster, us, found == expected ? "" : "WRONG");
    }
    cudaFree(d_values), cudaFree(d_counts);
}

int main(int argc, char **) {
    const bool only_once = argc > 1;
    int sms;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    uint32_t *memory, *out;
    cudaMalloc(&memory, 4 * WORDS * sms), cudaMalloc(&out, 4 * 1024 * sms);
    if (only_once) {
        for (int step : {1, 2, 8, 32}) launch(read_next, 2, 32, 2, 0, (int *)out, step);
        for (int step : {1, 2, 8, 32}) launch(read_own, 2, 32, 1, 0, (int *)out, step);
        for (int bytes : {32, 64, 128})
            for (int swizzle : {0, bytes}) read_packs<<<1, 32>>>((int4 *)out, bytes, 1, swizzle);
        for (int swizzle : {0, 32, 64, 128}) read_floats<<<1, 32>>>((float *)out, 5, swizzle);
        for (int pitch = 16; pitch <= 144; pitch += 16) read_fragment<<<1, 32>>>(out, pitch);
        look_ups(sms, 1 << 18, true);
        require(cudaDeviceSynchronize(), "once");
        return 0;
    }
    puts("name,median_us,cycles");
    latency_and_rate<OWN>(memory, out, sms);
    latency_and_rate<OWN_BY_RANK>(memory, out, sms);
    latency_and_rate<NEIGHBOUR>(memory, out, sms);
    latency_and_rate<MEMORY>(memory, out, sms);
    look_ups(sms, N, false);
    for (int bins : {4096, 16384, 65536}) counting(sms, N, bins, false);
    counting(sms, N, 16384, true);
    cudaFree(memory), cudaFree(out);
    return 0;
}
