//run inline_ptx --grid 1 --block 32 --arg buf:i32:1024:iota
//run labels_in_ptx --grid 1 --block 32 --arg buf:i32:32:zero
//run lanes --grid 1 --block 64 --arg buf:i32:2048:zero
//run compare_and_swap --grid 2 --block 64 --arg buf:i32:32:zero
//run atomics --grid 2 --block 64 --arg buf:i32:64:zero
//run sums --grid 2 --block 64 --arg buf:f64:8:zero
//run bits --grid 16 --block 64 --arg buf:u32:40960:zero
//run conversions --grid 4 --block 64 --arg buf:i64:22016:zero
//run rounded --grid 4 --block 64 --arg buf:f64:15360:zero
//run barriers --grid 1 --block 64 --arg buf:i32:64:zero
//run read_only_loads --grid 1 --block 32 --arg buf:u8:8192:zero --arg buf:u8:1024:iota
//run cached --grid 1 --block 32 --arg buf:i32:128:zero --arg buf:i32:32:iota
// Functions that are one instruction or a few.

extern "C" __global__ void inline_ptx(int *io) {
    int i = threadIdx.x, v = io[i], other;
    unsigned lane, r;
    long long wide;
    int *out = io + 128 + i;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(other) : "l"(io + 32 + i));
    *out = other + lane, out += 32;
    asm("prmt.b32 %0, %1, %2, 0x3210;" : "=r"(r) : "r"(v), "r"(other));
    *out = r, out += 32;
    asm("bfe.u32 %0, %1, 1, 3;" : "=r"(r) : "r"(v));
    *out = r, out += 32;
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(r) : "r"(v), "r"(other));
    *out = r, out += 32;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(v), "r"(other), "r"(lane));
    *out = r, out += 32;
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(wide) : "r"(v), "r"(-other), "l"(5ll));
    *out = (int)wide, out += 32;
    asm("{ .reg .pred p; setp.gt.s32 p, %1, 10; selp.s32 %0, 1, 2, p; }" : "=r"(r) : "r"(v));
    *out = r, out += 32;
    asm("{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, 0, 0; }" : "=r"(r) : "r"(v), "r"(0xfffffff0));
    *out = r, out += 32;
    asm("{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.u32 %0, 7, 0; }" : "=r"(r) : "r"(v), "r"(10));
    *out = r, out += 32;
    asm("vote.sync.ballot.b32 %0, 1, 0xffffffff;" : "=r"(r));
    *out = r, out += 32;
    asm("shf.l.wrap.b32 %0, %1, %2, 5;" : "=r"(r) : "r"(v), "r"(other));
    *out = r, out += 32;
    int a, b, c, d;
    asm volatile("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(io + 4 * (i % 8)));
    *out = a + b + c + d, out += 32;
    float f;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"((float)(v % 8)));
    *out = (int)f, out += 32;
    double e;
    asm("add.f64 %0, %1, 0d3FF0000000000000;" : "=d"(e) : "d"((double)v));
    *out = (int)e, out += 32;
    short s;
    asm("cvt.u16.u32 %0, %1;" : "=h"(s) : "r"(70000 + v));
    *out = s;
    asm volatile("prefetch.global.L2 [%0];" ::"l"(io));
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("red.global.add.s32 [%0], %1;" ::"l"(io + 1000), "r"(1) : "memory");
}

extern "C" __global__ void labels_in_ptx(int *out) {
    unsigned n;
    asm volatile("{\n.reg .pred p;\n.reg .u32 t;\nmov.u32 t, 0;\nagain%=:\nadd.u32 t, t, 3;\nsetp.lt.u32 p, t, %1;\n@p bra again%=;\n"
                 "mov.u32 %0, t;\n}"
                 : "=r"(n)
                 : "r"(threadIdx.x));
    out[threadIdx.x] = n;
}

extern "C" __global__ void lanes(int *out) {
    int i = threadIdx.x, same;
    out += i * 32;
    for (int width = 2; width <= 32; width *= 2) {
        *out++ = __shfl_sync(~0u, i, 1, width), *out++ = __shfl_up_sync(~0u, i, 1, width);
        *out++ = __shfl_down_sync(~0u, i, 1, width), *out++ = __shfl_xor_sync(~0u, i, 1, width);
    }
    *out++ = __match_any_sync(~0u, i / 5), *out++ = __match_all_sync(~0u, 3, &same) + same;
    *out++ = __ballot_sync(~0u, i % 3 == 0), *out++ = __any_sync(~0u, i == 3) + 2 * __all_sync(~0u, i < 40);
    *out++ = __activemask(), *out++ = __uni_sync(~0u, 1);
    *out++ = (int)__shfl_xor_sync(~0u, (long long)i << 33, 1) + (int)(__shfl_xor_sync(~0u, (long long)i << 33, 1) >> 33);
    *out++ = (int)__shfl_down_sync(~0u, i * 0.5, 2) + (int)__shfl_up_sync(~0u, i * 2.0f, 3);
    if (i % 2) *out++ = __ballot_sync(__activemask(), 1);
}

extern "C" __global__ void compare_and_swap(int *out) {
    unsigned *word = (unsigned *)out, old = *(volatile unsigned *)word, seen;
    do seen = old, old = atomicCAS(word, seen, seen + 1);
    while (old != seen);
    unsigned long long *wide = (unsigned long long *)(out + 2), old_wide = *(volatile unsigned long long *)wide, seen_wide;
    do seen_wide = old_wide, old_wide = atomicCAS(wide, seen_wide, seen_wide + (3ull << 31));
    while (old_wide != seen_wide);
    unsigned short *half = (unsigned short *)(out + 4) + 1, old_half = *(volatile unsigned short *)half, seen_half;
    do seen_half = old_half, old_half = atomicCAS(half, seen_half, (unsigned short)(seen_half + 2));
    while (old_half != seen_half);
    atomicCAS_block(word + 6, 0u, 5u), atomicCAS_system(word + 7, 0u, 6u);
}

extern "C" __global__ void atomics(int *out) {
    int i = threadIdx.x;
    unsigned *word = (unsigned *)out;
    unsigned long long *wide = (unsigned long long *)(out + 32);
    atomicAdd(out, i), atomicAdd_block(out + 1, 1), atomicAdd_system(out + 2, 1), atomicAdd(word + 3, 2u), atomicAdd(wide, 3ull);
    atomicSub(out + 4, i), atomicSub(word + 5, 3u), atomicInc(word + 6, 5), atomicDec(word + 7, 5);
    atomicMin(out + 8, -i), atomicMax(out + 9, i), atomicMin(word + 10, 3u), atomicMax(word + 11, (unsigned)-i);
    atomicMin((long long *)wide + 1, -(long long)i << 33), atomicMax((long long *)wide + 2, (long long)i << 33);
    atomicMin(wide + 3, 0ull), atomicMax(wide + 4, 5ull);
    atomicAnd(out + 12, 7), atomicOr(out + 13, 1 << i % 32), atomicXor(out + 14, 1 << i % 7), atomicAnd(wide + 5, 7ull);
    atomicOr(wide + 6, 1ull << i), atomicXor(wide + 7, 1ull << i % 13), atomicAnd(word + 15, 3u), atomicOr(word + 16, 3u);
    atomicExch(out + 17, 7), atomicExch(word + 18, 8u), atomicExch(wide + 8, 9ull), atomicExch((float *)(out + 19), 2.5f);
    __threadfence(), __threadfence_block(), __threadfence_system();
}

extern "C" __global__ void sums(double *out) {
    atomicAdd(out, 1.5), atomicAdd_block(out + 1, 2.0), atomicAdd_system(out + 2, 3.0);
    atomicAdd((float *)(out + 3), 0.5f), atomicAdd((float *)(out + 4), -1.0f);
}

extern "C" __global__ void bits(unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = i % 9 ? i * 2654435761u : 0, b = a ^ 0x55aa * i;
    unsigned long long q = (unsigned long long)a << 32 | b;
    out += i * 40;
    *out++ = __popc(a), *out++ = __popcll(q), *out++ = __clz(a), *out++ = __clzll(q), *out++ = __ffs(a), *out++ = __ffsll(q);
    *out++ = __brev(a), *out++ = (unsigned)__brevll(q), *out++ = __byte_perm(a, b, 0x7531), *out++ = __byte_perm(a, b, i);
    *out++ = __funnelshift_l(a, b, i), *out++ = __funnelshift_r(a, b, i), *out++ = __funnelshift_lc(a, b, i);
    *out++ = __funnelshift_rc(a, b, i), *out++ = __mulhi((int)a, (int)b), *out++ = __umulhi(a, b);
    *out++ = (unsigned)__mul64hi(q, q), *out++ = (unsigned)__umul64hi(q, q), *out++ = __mul24(a, b), *out++ = __umul24(a, b);
    *out++ = __sad(a, b, 3), *out++ = __usad(a, b, 3), *out++ = __hadd((int)a, (int)b), *out++ = __rhadd((int)a, (int)b);
    *out++ = __uhadd(a, b), *out++ = __urhadd(a, b), *out++ = __dp4a((int)a, (int)b, 5), *out++ = __dp4a(a, b, 5u);
    *out++ = __dp2a_lo((int)a, (int)b, 5), *out++ = __dp2a_hi(a, b, 5u), *out++ = __fns(a, i % 32, i % 5 - 2);
    *out++ = min((int)a, (int)b), *out++ = max(a, b), *out++ = abs((int)a), *out++ = (unsigned)min(q, 7ull * a);
    *out++ = (unsigned)llmax(q, -5) ^ umin(a, 9) ^ (unsigned)ullmin(q, 1ull << 40);
}

#define ALL(name, v) *out++ = name##_rn(v), *out++ = name##_rz(v), *out++ = name##_ru(v), *out++ = name##_rd(v);
extern "C" __global__ void conversions(long long *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double d = (i - 128) * 1234567.89012345;
    float f = (float)d;
    out += i * 86;
    ALL(__double2int, d) ALL(__double2uint, d) ALL(__double2ll, d * 1e9) ALL(__double2ull, d * 1e9)
    ALL(__float2int, f) ALL(__float2uint, f) ALL(__float2ll, f * 1e9f) ALL(__float2ull, f * 1e9f)
#define AS_INT(name, v) *out++ = __float_as_int(name##_rn(v)), *out++ = __float_as_int(name##_rz(v)), \
                        *out++ = __float_as_int(name##_ru(v)), *out++ = __float_as_int(name##_rd(v));
    AS_INT(__double2float, d) AS_INT(__int2float, (int)d) AS_INT(__uint2float, (unsigned)(int)d) AS_INT(__ll2float, (long long)(d * 1e6))
    AS_INT(__ull2float, (unsigned long long)(long long)(d * 1e6))
#define AS_LONG(name, v) *out++ = __double_as_longlong(name##_rn(v)), *out++ = __double_as_longlong(name##_rz(v)), \
                         *out++ = __double_as_longlong(name##_ru(v)), *out++ = __double_as_longlong(name##_rd(v));
    AS_LONG(__ll2double, (long long)(d * 1e9) + 1) AS_LONG(__ull2double, (unsigned long long)(long long)(d * 1e9) + 1)
    *out++ = __double_as_longlong(__int2double_rn((int)d)), *out++ = __double_as_longlong(__uint2double_rn((unsigned)(int)d));
    *out++ = __double2hiint(d), *out++ = __double2loint(d), *out++ = __double_as_longlong(__hiloint2double(i, -i));
    *out++ = __float_as_int(__int_as_float(i)), *out++ = __float_as_uint(__uint_as_float(i)), *out++ = (int)__longlong_as_double(i);
    *out++ = __float_as_int(__saturatef(f * 1e-8f));
}

#define TWO(name, a, b) *out++ = name##_rn(a, b), *out++ = name##_rz(a, b), *out++ = name##_ru(a, b), *out++ = name##_rd(a, b);
#define THREE(name) *out++ = name##_rn(a, b, 3), *out++ = name##_rz(a, b, 3), *out++ = name##_ru(a, b, 3), *out++ = name##_rd(a, b, 3);
extern "C" __global__ void rounded(double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = (i + 1) * 0.7123456789, b = i * 1.3333333 - 100.1;
    float x = (float)a, y = (float)b;
    out += i * 60;
    TWO(__dadd, a, b) TWO(__dsub, a, b) TWO(__dmul, a, b) TWO(__ddiv, a, b) ALL(__drcp, a) ALL(__dsqrt, a) THREE(__fma)
    TWO(__fadd, x, y) TWO(__fsub, x, y) TWO(__fmul, x, y) TWO(__fdiv, x, y) ALL(__frcp, x) ALL(__fsqrt, x)
    { float a = x, b = y; THREE(__fmaf) THREE(__fmaf_ieee) }
}

extern "C" __global__ void barriers(int *out) {
    int i = threadIdx.x;
    out[i] = __syncthreads_count(i % 3 == 0) + 100 * __syncthreads_and(i < 64) + 1000 * __syncthreads_or(i == 9);
    __syncwarp();
    __syncwarp(0xffffffff);
    if (i < 32) asm volatile("bar.sync 1, 32;");
    __barrier_sync(0);
    __barrier_sync_count(0, 64);
    __prof_trigger(1);
    __nanosleep(20);
}

#define LOAD(T, at) ((T *)(out + at))[i] = __ldg((const T *)in + i);
extern "C" __global__ void read_only_loads(unsigned char *out, const unsigned char *in) {
    int i = threadIdx.x;
    LOAD(char, 0) LOAD(signed char, 64) LOAD(unsigned char, 128) LOAD(short, 192) LOAD(unsigned short, 256) LOAD(int, 320)
    LOAD(unsigned, 512) LOAD(long, 640) LOAD(unsigned long, 896) LOAD(long long, 1152) LOAD(unsigned long long, 1536)
    LOAD(float, 2048) LOAD(double, 2304) LOAD(char2, 2560) LOAD(uchar4, 2688) LOAD(short2, 2816) LOAD(ushort4, 3072) LOAD(int2, 3328)
    LOAD(uint2, 3584) LOAD(int4, 3840) LOAD(uint4, 4352) LOAD(float2, 4864) LOAD(float4, 5120) LOAD(double2, 5632)
    LOAD(longlong2, 6144) LOAD(ulonglong2, 6656) LOAD(char4, 7168) LOAD(uchar2, 7296) LOAD(short4, 7424) LOAD(ushort2, 7680)
}

extern "C" __global__ void cached(int *out, const int *in) {
    int i = threadIdx.x;
    out[i] = __ldca(in + i) + __ldcg(in + i) + __ldcs(in + i) + __ldlu(in + i) + __ldcv(in + i);
    __stwb(out + 32 + i, i), __stcg(out + 64 + i, i), __stcs(out + 96 + i, i);
    __stwt(out + 96 + i, i + 1);
}
