// The tiles of copies.cu by bulk copies: one thread asks for a whole tile, and all wait at an mbarrier for its bytes. For compute capability 9.0.
constexpr int TILE = 1024, THREADS = 128, TILE_BYTES = 4 * TILE;

__device__ inline unsigned shared_address(const void *at) { return (unsigned)__cvta_generic_to_shared(at); }

__device__ inline void arrive_expecting(unsigned long long *barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
}

__device__ inline void ask_for_bytes(void *to, const void *from, unsigned bytes, unsigned long long *barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
        "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier))
        : "memory");
}

__device__ inline void wait_for_phase(unsigned long long *barrier, unsigned parity) {
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
}

template <int BUFFERS> __device__ inline void by_one_thread(const float *in, float *out, int tiles) {
    __shared__ __align__(128) float ring[BUFFERS][TILE];
    __shared__ unsigned long long arrived[BUFFERS];
    const auto ask = [&](int iteration) {
        const int tile = blockIdx.x + iteration * gridDim.x, b = iteration % BUFFERS;
        if (tile >= tiles) return;
        arrive_expecting(&arrived[b], TILE_BYTES);
        ask_for_bytes(ring[b], in + (size_t)tile * TILE, TILE_BYTES, &arrived[b]);
    };
    if (threadIdx.x == 0) {
        for (int b = 0; b < BUFFERS; b++)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&arrived[b])) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    for (int iteration = 0; threadIdx.x == 0 && iteration < BUFFERS - 1; iteration++) ask(iteration);
    for (int iteration = 0, tile = blockIdx.x; tile < tiles; iteration++, tile += gridDim.x) {
        const int b = iteration % BUFFERS;
        wait_for_phase(&arrived[b], iteration / BUFFERS % 2);
        __syncthreads(); // all have used the buffer that is asked for next
        if (threadIdx.x == 0) ask(iteration + BUFFERS - 1);
#pragma unroll
        for (int i = threadIdx.x; i < TILE; i += THREADS) out[(size_t)tile * TILE + i] = ring[b][TILE - 1 - i];
    }
}

extern "C" __global__ void bulk_two(const float *in, float *out, int tiles) { by_one_thread<2>(in, out, tiles); }
extern "C" __global__ void bulk_four(const float *in, float *out, int tiles) { by_one_thread<4>(in, out, tiles); }
extern "C" __global__ void bulk_eight(const float *in, float *out, int tiles) { by_one_thread<8>(in, out, tiles); }
