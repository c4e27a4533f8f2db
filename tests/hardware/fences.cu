// What a fence, or an access that acquires, leaves in L1 (h200-fences.csv): each thread loads 8 floats, something stands between, and it loads them again.
// Stores whose loads the assembler puts ahead of them (h200-ahead.csv). Blocks of 128 threads.
#define KERNEL extern "C" __global__ void
#define INDEX const int t = threadIdx.x, i = t + blockIdx.x * blockDim.x
#define LOAD(value, address) float value; asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(address))
#define AGAIN(name, between) AGAIN_IN(name, , between)
#define CLUSTERS(blocks) __cluster_dims__(blocks, 1, 1)
#define AGAIN_IN(name, clusters, between) \
    KERNEL clusters name(const float *in, float *out, int *flag) { \
        INDEX; \
        float sum = 0; \
        const float *p = in + blockIdx.x * 8 * 128 + t; \
        for (int k = 0; k < 8; k++) { LOAD(v, p + k * 128); sum += v; } \
        if (sum == 12345.f) flag[1] = 1; \
        between; \
        for (int k = 0; k < 8; k++) { LOAD(v, p + k * 128); sum += v; } \
        out[i] = sum; \
    }
#define PTX(text) asm volatile(text ::: "memory")
#define FLAG(text) { int v; asm volatile(text : "=r"(v) : "l"(flag + 32 * blockIdx.x + 64) : "memory"); if (v == 77) sum += 1; }
#define BY_ONE(what) { __syncthreads(); if (t == 0) what; __syncthreads(); }
AGAIN(none, )
AGAIN(syncthreads, __syncthreads())
AGAIN(fence_block, __threadfence_block())
AGAIN(fence_device, __threadfence())
AGAIN(fence_system, __threadfence_system())
AGAIN(fence_acq_rel_gpu, PTX("fence.acq_rel.gpu;"))
AGAIN(fence_sc_gpu, PTX("fence.sc.gpu;"))
AGAIN(fence_acq_rel_cta, PTX("fence.acq_rel.cta;"))
AGAIN(fence_sc_cta, PTX("fence.sc.cta;"))
AGAIN(fence_acq_rel_cluster, PTX("fence.acq_rel.cluster;"))
AGAIN(fence_proxy_async, PTX("fence.proxy.async;"))
AGAIN(cluster_sync, PTX("barrier.cluster.arrive; barrier.cluster.wait;"))
AGAIN(cluster_relaxed, PTX("barrier.cluster.arrive.relaxed; barrier.cluster.wait;"))
AGAIN(ld_relaxed, FLAG("ld.relaxed.gpu.global.s32 %0, [%1];"))
AGAIN(ld_acquire, FLAG("ld.acquire.gpu.global.s32 %0, [%1];"))
AGAIN(ld_acquire_sys, FLAG("ld.acquire.sys.global.s32 %0, [%1];"))
AGAIN(ld_volatile, FLAG("ld.volatile.global.s32 %0, [%1];"))
AGAIN(st_release, FLAG("mov.u32 %0, 1; st.release.gpu.global.s32 [%1], %0;"))
AGAIN(st_relaxed, FLAG("mov.u32 %0, 1; st.relaxed.gpu.global.s32 [%1], %0;"))
AGAIN(atom_relaxed, FLAG("atom.relaxed.gpu.global.add.s32 %0, [%1], 1;"))
AGAIN(atom_acquire, FLAG("atom.acquire.gpu.global.add.s32 %0, [%1], 1;"))
AGAIN(atom_release, FLAG("atom.release.gpu.global.add.s32 %0, [%1], 1;"))
AGAIN(atom_acq_rel, FLAG("atom.acq_rel.gpu.global.add.s32 %0, [%1], 1;"))
AGAIN(atom_acq_rel_cta, FLAG("atom.acq_rel.cta.global.add.s32 %0, [%1], 1;"))
AGAIN(red_release, FLAG("mov.u32 %0, 1; red.release.gpu.global.add.s32 [%1], %0;"))
AGAIN(fence_one_lane, BY_ONE(__threadfence()))
AGAIN(acquire_one_lane, BY_ONE(FLAG("ld.acquire.gpu.global.s32 %0, [%1];")))
AGAIN(atom_acquire_one_lane, BY_ONE(FLAG("atom.acquire.gpu.global.add.s32 %0, [%1], 1;")))
AGAIN_IN(clusters_of_2, CLUSTERS(2), )
AGAIN_IN(cluster_sync_1, CLUSTERS(1), PTX("barrier.cluster.arrive; barrier.cluster.wait;"))
AGAIN_IN(cluster_sync_2, CLUSTERS(2), PTX("barrier.cluster.arrive; barrier.cluster.wait;"))
AGAIN_IN(cluster_relaxed_2, CLUSTERS(2), PTX("barrier.cluster.arrive.relaxed; barrier.cluster.wait;"))
AGAIN(shared_acquire, {
    __shared__ int x;
    int v;
    asm volatile("atom.acquire.gpu.shared.add.s32 %0, [%1], 1;" : "=r"(v) : "r"((int)__cvta_generic_to_shared(&x)) : "memory");
    if (v == 77) sum += 1;
})
#define STORED(name, between) \
    KERNEL name(const float *in, float *out, int *) { \
        INDEX; \
        out[i] = in[i]; \
        between; \
        __syncthreads(); \
        LOAD(v, out + (i ^ 32)); \
        out[i + 32 * 128] = v; \
    }
STORED(stored_none, )
STORED(stored_fence, __threadfence())

struct Two { float x, y; };
struct Three { float x, y, z; };
struct Four { float x, y, z, w; };
KERNEL two_in_place(Two *p) { INDEX; p[i].x *= 2; p[i].y *= 2; }
KERNEL three_in_place(Three *p) { INDEX; p[i].x *= 2; p[i].y *= 2; p[i].z *= 2; }
KERNEL four_in_place(Four *p) { INDEX; p[i].x *= 2; p[i].y *= 2; p[i].z *= 2; p[i].w *= 2; }
KERNEL sum_in_place(Two *p) { INDEX; p[i].x = p[i].x * 2; p[i].y = p[i].y + p[i].x; }
KERNEL two_volatile(volatile Two *p) { INDEX; p[i].x = p[i].x * 2; p[i].y = p[i].y * 2; }
KERNEL three_two_arrays(Three *a, Three *b) { INDEX; b[i].x = a[i].x; b[i].y = a[i].y; b[i].z = a[i].z; }
KERNEL three_restrict(const Three *__restrict__ a, Three *__restrict__ b) { INDEX; b[i].x = a[i].x; b[i].y = a[i].y; b[i].z = a[i].z; }
