// Every name that programs include, and one use of most families of functions.
#include <builtin_types.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <nvtx3/nvToolsExt.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <cassert>
#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void lanes(int *out, const int *in) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    int v = in[block.thread_rank()];
    v += warp.shfl_down(v, 16) + eight.shfl_xor(v, 4) + (int)eight.ballot(v > 3) + warp.any(v) + (int)eight.meta_group_rank();
    v += __shfl_sync(0xffffffff, v, 3, 8) + __shfl_up_sync(0xffffffff, v, 1) + (int)__ballot_sync(__activemask(), v & 1);
    v += (int)__match_any_sync(0xffffffff, v) + __popc(v) + __clz(v) + __ffs(v) + (int)__brev(v) + __mulhi(v, 3);
    v += (int)__byte_perm(v, 7, 0x3210) + (int)__funnelshift_l(v, v, 3) + __syncthreads_count(v > 0);
#ifndef __CUDACC_DEBUG__ // nvcc 13.4 and 13.5 refuse it with -G
    v += __dp4a(v, v, v);
#endif
    if (v & 1) {
        cg::coalesced_group some = cg::coalesced_threads();
        v += some.shfl(v, 0) + (int)some.size();
    }
    __syncwarp();
    block.sync();
    out[block.thread_rank()] = cg::reduce(warp, v, cg::plus<int>());
}

__global__ void halves(half *a, half2 *b, float *out) {
    int i = threadIdx.x;
    half x = a[i] * a[i] + __float2half(1.5f);
    if (x > __float2half(3.0f)) x = hsqrt(x);
    a[i] = __hfma(x, x, x);
    b[i] = __hfma2(b[i], __shfl_xor_sync(0xffffffff, b[i], 1), __float2half2_rn(2.0f));
    out[i] = __half2float(a[i]) + __low2float(b[i]);
}

__global__ void memory(int *a, unsigned long long *b, float *f, double *d, float4 *v, uchar4 *c) {
    int i = threadIdx.x;
    atomicAdd(a, 1);
    atomicSub(a, 1);
    atomicMin(a, i);
    atomicMax(a, i);
    atomicAnd(a, i);
    atomicOr(a, i);
    atomicXor(a, i);
    atomicExch(f, 1.0f);
    atomicCAS(b, 1ull, 2ull);
    atomicInc((unsigned *)a, 7u);
    atomicAdd_block(a, 2);
    atomicAdd_system(b, 2ull);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.5);
    __stcs(&v[i], __ldcg(&v[i + 1]));
    __stwt(&c[i], __ldg(&c[i + 1]));
    __threadfence();
    __threadfence_block();
    f[i] = __fadd_rn(f[i], __int_as_float(a[i])) + __fdividef(f[i], 3.0f) + __expf(f[i]) + __saturatef(f[i]);
    a[i] = __float2int_rn(f[i]) + __double2hiint(d[i]) + (int)clock64() + (int)__isGlobal(a);
    d[i] = __hiloint2double(a[i], a[i + 1]) + __ll2double_rn((long long)b[i]) + CUDART_PI;
}

__global__ void functions(float *f, double *d, int n) {
    int i = threadIdx.x, e;
    float whole, s, c;
    sincosf(f[i], &s, &c);
    f[i] = s + c + sinf(f[i]) + tanf(f[i]) + powf(f[i], 3.0f) + atan2f(f[i], c) + tgammaf(f[i]) + lgammaf(f[i]) + erfcf(f[i]) +
           cbrtf(f[i]) + fmodf(f[i], 3.0f) + modff(f[i], &whole) + frexpf(f[i], &e) + normcdff(f[i]) + rsqrtf(f[i]) + sinpif(f[i]) +
           hypotf(f[i], s) + roundf(f[i]) + nextafterf(f[i], s) + fmaxf(f[i], max(n, 1)) + exp10f(f[i]) + acoshf(f[i]);
    d[i] = sin(d[i]) + pow(d[i], 2) + exp(d[i]) + log1p(d[i]) + fma(d[i], d[i], 1.0) + tanh(d[i]) + rint(d[i]) + sqrt((double)n) +
           remainder(d[i], 3.0) + erfinv(d[i]) + norm3d(d[i], 1, 2) + ldexp(d[i], n) + (double)llrint(d[i]) + fabs(d[i]);
    if (isnan(f[i]) || isinf(d[i]) || !isfinite(f[i])) printf("thread %d: %f %g %s\n", i, f[i], d[i], "text");
    assert(f[i] >= 0);
}

void launch(int *a) {
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "launch";
    nvtxRangePushEx(&event);
    nvtxRangePush("inner");
    nvtxRangePop();
    lanes<<<dim3(1, 2, 3), 32, 0, cudaStreamPerThread>>>(a, a);
    cudaDeviceSynchronize();
    nvtxRangePop();
}
