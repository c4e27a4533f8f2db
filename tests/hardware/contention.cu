/* contention.cu: how long atomic operations take, by operation and by which words of which lines how many lanes, warps and SMs meet in.
 * Prints h200-contention.csv (README.md).
 *     nvcc -O3 -arch=sm_90 tests/hardware/contention.cu -o contention && ./contention >tests/hardware/h200-contention.csv */
#include <algorithm>
#include <cstdio>

enum { REPEATS = 5, ROUNDS = 64, THREADS = 256, BLOCKS = 132, TABLE_BYTES = 64 << 20 };

/* Lane l of warp w goes to word (l & lanes) * lane_words + (w & groups) * group_words; with `scattered`, to any of groups + 1 words. */
struct Pattern {
    unsigned lanes, lane_words, groups, group_words, scattered;
};

enum Op { RED_U32, ATOM_U32, RED_F32, ATOM_F32, EXCH, CAS, RED_MAX, RED_U64, ATOM_U64, RED_F64, OPS };
static const char *const names[OPS] = {"red_add_u32", "atom_add_u32", "red_add_f32", "atom_add_f32", "atom_exch", "atom_cas", "red_max_u32", "red_add_u64", "atom_add_u64", "red_add_f64"};

template <int OP> static __device__ unsigned act(unsigned *word, unsigned v) {
    unsigned long long *wide = (unsigned long long *)((size_t)word & ~(size_t)7), old;
    unsigned r = 0;
    switch (OP) {
    case RED_U32: asm volatile("red.global.add.u32 [%0], %1;" ::"l"(word), "r"(v) : "memory"); break;
    case ATOM_U32: asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(word), "r"(v) : "memory"); break;
    case RED_F32: asm volatile("red.global.add.f32 [%0], %1;" ::"l"(word), "f"((float)v) : "memory"); break;
    case ATOM_F32: { float f; asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(f) : "l"(word), "f"((float)v) : "memory"); r = __float_as_uint(f); break; }
    case EXCH: asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(r) : "l"(word), "r"(v) : "memory"); break;
    case CAS: asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(word), "r"(0), "r"(v) : "memory"); break;
    case RED_MAX: asm volatile("red.global.max.u32 [%0], %1;" ::"l"(word), "r"(v) : "memory"); break;
    case RED_U64: asm volatile("red.global.add.u64 [%0], %1;" ::"l"(wide), "l"((unsigned long long)v) : "memory"); break;
    case ATOM_U64: asm volatile("atom.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(wide), "l"((unsigned long long)v) : "memory"); r = (unsigned)old; break;
    case RED_F64: asm volatile("red.global.add.f64 [%0], %1;" ::"l"(wide), "d"((double)v) : "memory"); break;
    }
    return r;
}

template <int OP> static __global__ void meet(unsigned *table, Pattern p, unsigned *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = thread / 32, sum = 0;
#pragma unroll 4
    for (unsigned r = 0; r < ROUNDS; r++) {
        unsigned at = (lane & p.lanes) * p.lane_words + (warp & p.groups) * p.group_words;
        if (p.scattered) at = ((thread * ROUNDS + r) * 2654435761u >> 7) & p.groups;
        sum += act<OP>(table + at, thread + r);
    }
    if (sum == 0x12345678) *out = sum;
}

template <int OP> static void time_of(unsigned *table, unsigned blocks, Pattern p) {
    static cudaEvent_t begin, end;
    float us[REPEATS];
    if (!begin) cudaEventCreate(&begin), cudaEventCreate(&end);
    for (int i = -1; i < REPEATS; i++) {
        cudaEventRecord(begin);
        meet<OP><<<blocks, THREADS>>>(table, p, table);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        if (i >= 0) cudaEventElapsedTime(&us[i], begin, end);
    }
    std::sort(us, us + REPEATS);
    printf("%s,%u,%u,%u,%u,%u,%u,%.2f\n", names[OP], blocks, p.lanes + 1, p.lane_words, p.groups + 1, p.group_words, p.scattered, us[REPEATS / 2] * 1000);
}

template <int OP> static void times(unsigned *table) {
    const unsigned lanes[][2] = {{0, 0}, {1, 1}, {3, 1}, {7, 1}, {31, 1}, {1, 8}, {3, 8}, {31, 8}, {1, 32}, {31, 32}};
    const unsigned groups[] = {0, 7, 127, 4095};
    for (auto &l : lanes)
        for (unsigned g : groups) time_of<OP>(table, BLOCKS, {l[0], l[1], g, 2048, 0});
    for (unsigned bits = 0; bits <= 24; bits += 4) time_of<OP>(table, BLOCKS, {0, 0, (1u << bits) - 1, 0, 1});
}

/* Groups of warps, each with a word of its own: where the L2 takes two of them at once. */
template <int OP> static void slices(unsigned *table) {
    for (unsigned words = 1; words <= 4096; words *= words < 8 ? 8 : words < 32 ? 4 : 2)
        for (unsigned n = 1; n <= 4096; n *= 2)
            if ((size_t)words * n * 4 <= TABLE_BYTES) time_of<OP>(table, BLOCKS, {0, 0, n - 1, words, 0});
}

template <int OP> static void sms(unsigned *table) {
    for (unsigned blocks = 1; blocks <= 2112; blocks *= 2) {
        time_of<OP>(table, blocks, {0, 0, 0, 0, 0});
        time_of<OP>(table, blocks, {0, 0, 65535, 32, 0});
        time_of<OP>(table, blocks, {31, 1, 65535, 32, 0});
        time_of<OP>(table, blocks, {31, 8, 16383, 256, 0});
    }
}

/* In shared memory: lane l of warp w acts on word (l & lanes) * lane_words + (w & groups) * group_words of its block's. */
enum SharedOp { SHARED_F32, SHARED_U64, SHARED_EXCH, SHARED_CAS, SHARED_ADD };
static const char *const shared_names[] = {"shared_add_f32", "shared_add_u64", "shared_exch", "shared_cas", "shared_add_u32"};

template <int OP> static __global__ void meet_shared(Pattern p, unsigned *out) {
    __shared__ float floats[2048];
    unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32, at = (lane & p.lanes) * p.lane_words + (warp & p.groups) * p.group_words;
    for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) floats[i] = 0;
    __syncthreads();
#pragma unroll 1
    for (unsigned r = 0; r < ROUNDS; r++) {
        if (OP == SHARED_F32) atomicAdd(&floats[at], 1.0f + r);
        if (OP == SHARED_U64) atomicAdd((unsigned long long *)&floats[at & ~1], (unsigned long long)lane + r);
        if (OP == SHARED_EXCH) atomicExch(&floats[at], (float)r);
        if (OP == SHARED_CAS) atomicCAS((unsigned *)&floats[at], r, lane);
        if (OP == SHARED_ADD) atomicAdd((unsigned *)&floats[at], lane + r);
    }
    __syncthreads();
    if (floats[lane] == 12345.5f) *out = warp;
}

template <int OP> static void time_shared(unsigned *out) {
    static cudaEvent_t begin, end;
    float us[REPEATS];
    if (!begin) cudaEventCreate(&begin), cudaEventCreate(&end);
    const unsigned patterns[][4] = {{0, 0, 0, 0}, {0, 0, 31, 32}, {31, 1, 0, 0}, {31, 1, 31, 32}, {3, 1, 0, 0}, {3, 1, 31, 32}, {31, 32, 0, 0}, {31, 32, 31, 2}};
    for (auto &q : patterns)
        for (unsigned warps = 1; warps <= 32; warps *= 2) {
            Pattern p = {q[0], q[1], q[2], q[3], 0};
            for (int i = -1; i < REPEATS; i++) {
                cudaEventRecord(begin);
                meet_shared<OP><<<132, 32 * warps>>>(p, out);
                cudaEventRecord(end);
                cudaEventSynchronize(end);
                if (i >= 0) cudaEventElapsedTime(&us[i], begin, end);
            }
            std::sort(us, us + REPEATS);
            printf("%s,%u,%u,%u,%u,%u,%u,%.2f\n", shared_names[OP], warps, p.lanes + 1, p.lane_words, p.groups + 1, p.group_words, 0, us[REPEATS / 2] * 1000);
        }
}

int main() {
    unsigned *table;
    if (cudaMalloc(&table, TABLE_BYTES + 4096)) return 1;
    cudaMemset(table, 0, TABLE_BYTES);
    puts("operation,blocks,lane_words_met,lane_step,groups,group_step,scattered,us");
    times<RED_U32>(table), times<ATOM_U32>(table), times<RED_F32>(table), times<ATOM_F32>(table), times<EXCH>(table), times<CAS>(table);
    times<RED_MAX>(table), times<RED_U64>(table), times<ATOM_U64>(table), times<RED_F64>(table);
    slices<RED_U32>(table), slices<RED_F32>(table);
    sms<RED_U32>(table), sms<ATOM_U32>(table), sms<RED_F32>(table);
    time_shared<SHARED_F32>(table), time_shared<SHARED_U64>(table), time_shared<SHARED_EXCH>(table), time_shared<SHARED_CAS>(table);
    time_shared<SHARED_ADD>(table);
    return cudaDeviceSynchronize() != cudaSuccess;
}
