/* probes.cu: three questions of the book to a GPU. Prints h100-probes.csv (README.md).
 *     nvcc -O3 -arch=sm_90 tests/hardware/probes.cu -o probes && ./probes >tests/hardware/h100-probes.csv */
#include <algorithm>
#include <cstdio>
#include <vector>

enum { WARM_UP = 3, REPEATS = 30, FLUSH_BYTES = 256 << 20, MEGABYTE = 1 << 20, LINE_WORDS = 32, HIT_CYCLES = 150 };

template <typename Launch> static void time_of(float us[REPEATS], void *flush, Launch launch) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = -WARM_UP; i < REPEATS; i++) {
        if (flush) cudaMemset(flush, i, FLUSH_BYTES);
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        if (i < 0) continue;
        cudaEventElapsedTime(&us[i], begin, end);
        us[i] *= 1000;
    }
    std::sort(us, us + REPEATS);
}

/* The kernel of chapter 01, each side by chunks of 16 floats or as a grid-stride loop. */
template <bool LOADS, bool STORES> __global__ void scale(const float *in, float *out) {
    int threads = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 16; k++) {
        int chunk = t * 16 + k, stride = t + k * threads;
        out[STORES ? chunk : stride] = 2 * in[LOADS ? chunk : stride];
    }
}

template <bool LOADS, bool STORES>
static void time_scale(const char *name, const float *in, float *out, void *flush, int blocks) {
    float us[REPEATS];
    time_of(us, flush, [=] { scale<LOADS, STORES><<<blocks, 256>>>(in, out); });
    printf("scale_%s/%d,%.2f,%.2f,%.2f,,,\n", name, blocks * 256 * 16, us[REPEATS / 4], us[REPEATS / 2], us[3 * REPEATS / 4]);
}

/* All threads read n words of 16 bytes `rounds` times, bypassing L1. Each SM reads the same words in each round, or with `turn` others. */
__global__ void again(const float4 *in, size_t n, int rounds, int turn, float *out) {
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        size_t block = (blockIdx.x + (size_t)r * turn) % gridDim.x, threads = (size_t)gridDim.x * blockDim.x;
#pragma unroll 4
        for (size_t i = block * blockDim.x + threadIdx.x; i < n; i += threads) {
            float4 v = __ldcg(in + i);
            sum += v.x + v.y + v.z + v.w;
        }
    }
    if (sum == 12345.0f) *out = sum;
}

static void time_again(const char *name, const float4 *in, float *out, int sms, int turn) {
    for (int mb = 4; mb <= 64; mb += 4) {
        float us[REPEATS];
        int rounds = 2000 / mb;
        time_of(us, nullptr, [=] { again<<<2 * sms, 1024>>>(in, (size_t)mb * MEGABYTE / sizeof *in, rounds, turn, out); });
        printf("l2_%s/%d,%.2f,%.2f,%.2f,%.0f,,\n", name, mb, us[REPEATS / 4], us[REPEATS / 2], us[3 * REPEATS / 4],
               (double)mb * MEGABYTE * rounds / us[REPEATS / 2] / 1000);
    }
}

/* One thread goes three times around a chain of lines; hits gets how many loads of the third round were answered by L1. */
__global__ void around(const unsigned *next, int lines, unsigned *hits) {
    unsigned at = 0, found = 0;
    for (int k = 0; k < 3 * lines; k++) {
        long long begin = clock64();
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(at) : "l"(next + at) : "memory");
        if (at == 0xffffffffu) break; /* waits for the load */
        if (k >= 2 * lines) found += clock64() - begin < HIT_CYCLES;
    }
    *hits = found;
}

static void go_around(unsigned *next, unsigned *hits) {
    cudaFuncSetAttribute(around, cudaFuncAttributePreferredSharedMemoryCarveout, 0);
    for (int lines = 1600; lines <= 2600; lines += 50) {
        std::vector<unsigned> chain(lines * LINE_WORDS);
        unsigned found;
        for (int k = 0; k < lines; k++) chain[k * LINE_WORDS] = (k + 1) % lines * LINE_WORDS;
        cudaMemcpy(next, chain.data(), chain.size() * sizeof chain[0], cudaMemcpyHostToDevice);
        around<<<1, 1>>>(next, lines, hits);
        cudaMemcpy(&found, hits, sizeof found, cudaMemcpyDeviceToHost);
        printf("l1_around/%d,,,,,%u,%d\n", lines, found, lines);
    }
}

int main() {
    float *data, *flush, *out;
    unsigned *hits;
    int sms;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    if (cudaMalloc(&data, FLUSH_BYTES) || cudaMalloc(&flush, FLUSH_BYTES) || cudaMalloc(&out, 64) || cudaMalloc(&hits, 64))
        return 1;
    cudaMemset(data, 0, FLUSH_BYTES);
    puts("name,low_us,median_us,high_us,gb_s,hits,loads");
    for (int blocks = 64; blocks <= 1024; blocks += 960) {
        float *to = data + FLUSH_BYTES / sizeof *data / 2;
        time_scale<true, true>("chunks", data, to, flush, blocks);
        time_scale<true, false>("loads", data, to, flush, blocks);
        time_scale<false, true>("stores", data, to, flush, blocks);
        time_scale<false, false>("strided", data, to, flush, blocks);
    }
    time_again("same", (const float4 *)data, out, sms, 0);
    time_again("others", (const float4 *)data, out, sms, 37);
    go_around((unsigned *)data, hits);
    return cudaDeviceSynchronize() != cudaSuccess;
}
