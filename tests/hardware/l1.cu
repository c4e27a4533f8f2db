// What lines, sectors and banks cost where L1 has all of them. Each block has `words` words of its SM's L1: index table of the lanes,
// then requests, each `step` words further (mod words). UNROLL independent loads at a time. Blocks of 1024 threads, two on each SM.
#include <cstdio>
#include <cstdlib>
#include <cstring>
template <int BYTES> struct Word;
template <> struct Word<4> {
    typedef unsigned type;
    static __device__ unsigned sum(type v) { return v; }
};
template <> struct Word<8> {
    typedef uint2 type;
    static __device__ unsigned sum(type v) { return v.x ^ v.y; }
};
template <> struct Word<16> {
    typedef uint4 type;
    static __device__ unsigned sum(type v) { return v.x ^ v.y ^ v.z ^ v.w; }
};

template <int BYTES>
__global__ void __launch_bounds__(1024, 2) loads(const unsigned *data, const unsigned *table, unsigned *out, unsigned step,
                                                 unsigned mask, int rounds, long long *cycles) {
    const unsigned char *base = (const unsigned char *)data;
    unsigned at = table[threadIdx.x % 32] * 4 + threadIdx.x / 32 * step * 4 * 8, sum = 0;
    for (unsigned i = threadIdx.x * 4; i <= mask; i += blockDim.x * 4)
        sum ^= *(volatile unsigned *)(base + i); // all of it comes to L1
    __syncthreads();
    long long begin = clock64();
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 8; u++)
            sum ^= Word<BYTES>::sum(*(const typename Word<BYTES>::type *)(base + ((at + u * step * 4) & mask)));
        at += 8 * step * 4 + (sum == 12345 ? 4 : 0) * 0;
    }
    __syncthreads();
    long long end = clock64();
    if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
static unsigned seed = 1;
static unsigned draw() { return (seed = seed * 1664525u + 1013904223u) >> 8; }
typedef struct {
    const char *name;
    int bytes;
    unsigned words, step;
    unsigned lane[32];
} Pattern;
static Pattern patterns[100];
static int n;
static Pattern *add(const char *name, int bytes, unsigned words, unsigned step) {
    Pattern *p = &patterns[n++];
    p->name = strdup(name);
    p->bytes = bytes;
    p->words = words;
    p->step = step;
    return p;
}
int main() {
    char name[64];
    for (unsigned s : {0u, 1u, 2u, 4u, 8u, 16u, 24u, 32u, 33u, 36u, 40u, 48u, 64u, 65u, 96u, 128u, 129u, 256u, 257u}) {
        sprintf(name, "stride%u", s);
        Pattern *p = add(name, 4, 8192, 0);
        for (int l = 0; l < 32; l++) p->lane[l] = l * s;
    }
    for (unsigned s : {32u, 33u}) {
        sprintf(name, "stride%u-moving", s);
        Pattern *p = add(name, 4, 8192, 32);
        for (int l = 0; l < 32; l++) p->lane[l] = l * s;
    }
    for (unsigned k : {2u, 4u, 8u, 16u, 32u})
        for (int b = 0; b < 2; b++) {
            sprintf(name, "lines%u-%s", k, b ? "banks" : "onebank");
            Pattern *p = add(name, 4, 8192, 0);
            for (unsigned l = 0; l < 32; l++) p->lane[l] = l % k * 32 + (b ? l : l / k);
        }
    for (unsigned k : {2u, 4u, 8u, 16u}) {
        sprintf(name, "neighbours%u", k);
        Pattern *p = add(name, 4, 8192, 0);
        for (unsigned l = 0; l < 32; l++) p->lane[l] = l / k * 32 + l % k;
    }
    for (unsigned k : {2u, 4u, 8u, 16u}) {
        sprintf(name, "neighbours%u-banks", k);
        Pattern *p = add(name, 4, 8192, 0);
        for (unsigned l = 0; l < 32; l++) p->lane[l] = l / k * 32 + l;
    }
    for (unsigned w : {256u, 1024u, 4096u, 8192u, 16384u})
        for (int t = 0; t < 2; t++) {
            sprintf(name, "random%u-%d", w, t);
            Pattern *p = add(name, 4, w, 0);
            for (int l = 0; l < 32; l++) p->lane[l] = draw() % w;
        }
    for (int bytes : {8, 16})
        for (unsigned s : {1u, 2u, 4u, 8u, 16u}) {
            sprintf(name, "b%d-stride%u", bytes, s * bytes / 4);
            Pattern *p = add(name, bytes, 8192, 0);
            for (int l = 0; l < 32; l++) p->lane[l] = l * s * bytes / 4;
        }
    for (unsigned off : {1u, 8u, 16u}) {
        sprintf(name, "offset%u", off);
        Pattern *p = add(name, 4, 8192, 0);
        for (int l = 0; l < 32; l++) p->lane[l] = l + off;
    }
    unsigned *data, *table, *out;
    long long *cycles, host[264];
    cudaMalloc(&data, 1 << 20);
    cudaMemset(data, 1, 1 << 20);
    cudaMalloc(&table, 128);
    cudaMalloc(&out, 264 * 1024 * 4);
    cudaMalloc(&cycles, sizeof host);
    printf("name,bytes,words,cycles_a_request\n");
    for (int i = 0; i < n; i++) {
        Pattern *p = &patterns[i];
        const int rounds = 64;
        cudaMemcpy(table, p->lane, 128, cudaMemcpyHostToDevice);
        double best = 1e30;
        for (int t = 0; t < 3; t++) {
            unsigned mask = p->words * 4 - 1;
            if (p->bytes == 4) loads<4><<<264, 1024>>>(data, table, out, p->step, mask, rounds, cycles);
            if (p->bytes == 8) loads<8><<<264, 1024>>>(data, table, out, p->step, mask, rounds, cycles);
            if (p->bytes == 16) loads<16><<<264, 1024>>>(data, table, out, p->step, mask, rounds, cycles);
            cudaMemcpy(host, cycles, sizeof host, cudaMemcpyDeviceToHost);
            double sum = 0;
            for (int b = 0; b < 264; b++) sum += host[b];
            double each = sum / 264 / (64.0 * rounds * 8); // two blocks of 32 warps on an SM
            if (each < best) best = each;
        }
        printf("%s,%d,%u,%.3f\n", p->name, p->bytes, p->words, best);
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
