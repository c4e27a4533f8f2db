//run pointers_to_functions --grid 1 --block 32 --arg buf:i32:32:zero --arg i32:1
//run virtual_functions --grid 1 --block 32 --arg buf:i32:32:zero
//run recursion --grid 1 --block 32 --arg buf:i32:32:zero
//run printing --grid 1 --block 1 --arg buf:i32:1:zero --arg f64:1.5
//run lambdas_and_templates --grid 1 --block 32 --arg buf:i32:32:zero
//run bounded --grid 1 --block 32 --arg buf:i32:32:zero
//run several_shared_arrays --grid 1 --block 32 --shared 640 --arg buf:i32:32:zero
//run constants_and_globals --grid 1 --block 32 --arg buf:f32:32:zero
//run structs --grid 1 --block 32 --arg buf:f32:96:zero
//run jumps --grid 1 --block 64 --arg buf:i32:64:zero
//run local_arrays --grid 1 --block 32 --arg buf:i32:32:iota
//run placed_objects --grid 1 --block 32 --arg buf:i32:32:zero
//run volatile_variables --grid 1 --block 32 --arg buf:i32:96:iota
//run wide_integers --grid 1 --block 64 --arg buf:i64:384:iota
//run instantiated<int> --grid 1 --block 64 --arg buf:i32:64:iota
// What C++ brings into kernels.
#include <assert.h>
#include <new>
#include <stdio.h>
#include <type_traits>

typedef int (*Function)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ Function table[3] = {add, multiply, subtract};
__constant__ Function constant_table[2] = {multiply, subtract};
extern "C" __global__ void pointers_to_functions(int *out, int k) {
    int i = threadIdx.x;
    Function chosen = i % 2 ? add : multiply;
    out[i] = chosen(i, 3) + table[i % 3](i, 5) * 1000 + constant_table[k](7, 2) * 100000;
}

struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    int side;
    __device__ Square(int side) : side(side) {}
    __device__ int area() const override { return side * side; }
};
struct Rectangle : Square {
    int other;
    __device__ Rectangle(int a, int b) : Square(a), other(b) {}
    __device__ int area() const override { return side * other; }
};
extern "C" __global__ void virtual_functions(int *out) {
    Square square(threadIdx.x);
    Rectangle rectangle(threadIdx.x, 3);
    Shape *shape = threadIdx.x % 3 == 0 ? &square : &rectangle;
    out[threadIdx.x] = shape->area();
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursion(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x % 12); }

extern "C" __global__ void printing(int *out, double d) {
    printf("print %d %i %u %x %X %o %c %s %f %e %g %a %p %%\n", -5, 6, 7u, 255, 255, 8, 'z', "str", d, d, d, d, (void *)16);
    printf("print %5d|%-5d|%05d|%+d|% d|%#x|%.3f|%10.2e|%-8s|%.2s|%*d\n", 42, 42, 42, 42, 42, 255, d, d, "ab", "xyz", 6, 7);
    printf("print %ld %lld %lu %llu %hd %hhd %zu %lx\n", -1L, -2LL, 3UL, 4ULL, (short)5, (char)6, (size_t)7, 255L);
    printf("print nothing else\n");
    printf("print %s %5.1f%%\n", (const char *)nullptr, 99.44f);
    out[0] = printf("print %d\n", 3);
    assert(d < 2);
}

template <typename F> __device__ int apply(F f, int x) { return f(x); }
template <typename... T> __device__ int sum(T... v) { return (0 + ... + v); }
template <int N> struct Factorial {
    static constexpr int value = N * Factorial<N - 1>::value;
};
template <> struct Factorial<0> {
    static constexpr int value = 1;
};
struct Pair {
    int x, y;
};
extern "C" __global__ void lambdas_and_templates(int *out) {
    int k = threadIdx.x;
    auto by_value = [=](int x) { return x * k; };
    auto by_reference = [&k](int x) { return k += x; };
    auto [x, y] = Pair{4, 5};
    int v = apply(by_value, 3) + apply(by_reference, 4) + apply([](int x) { return x + 1; }, 5) + sum(1, 2, k);
    if constexpr (std::is_same<int, decltype(v)>::value) v += Factorial<5>::value + x * y;
    for (auto i : {1, 2, 3}) v += i;
    out[threadIdx.x] = v;
}

extern "C" __global__ void __launch_bounds__(128, 2) bounded(int *out) { out[threadIdx.x] = blockDim.x; }

extern "C" __global__ void several_shared_arrays(int *out) {
    extern __shared__ unsigned char raw[];
    int *whole = (int *)raw;
    float *single = (float *)&whole[32];
    double *twice = (double *)&single[32];
    short *narrow = reinterpret_cast<short *>(twice + 32);
    static __shared__ int fixed[32];
    int i = threadIdx.x, j = 31 - i;
    whole[i] = i, single[i] = i * 2, twice[i] = i * 3, narrow[i] = i * 4, fixed[i] = i * 5;
    __syncthreads();
    out[i] = whole[j] + single[j] + twice[j] + narrow[j] + fixed[j];
}

struct Parameters {
    float a[4];
    int n;
    struct {
        short x, y;
    } inner;
};
__constant__ Parameters parameters = {{1, 2, 3, 4}, 5, {6, 7}};
__constant__ float values[64] = {9, 8, 7};
__device__ int counter = 3;
__device__ float4 vector = {1, 2, 3, 4};
__device__ const char text[] = "abc";
__managed__ int managed = 12;
extern "C" __global__ void constants_and_globals(float *out) {
    int i = threadIdx.x;
    out[i] = parameters.a[i % 4] + parameters.n + parameters.inner.x * 10 + parameters.inner.y + values[i % 3] * 1000 + counter +
             vector.w + text[1] + managed;
}

struct alignas(16) Particle {
    float x, y;
    int kicks;
};
__device__ Particle kicked(Particle p, float by) {
    p.x += by;
    p.kicks++;
    return p;
}
union Word {
    float f;
    unsigned char c[4];
};
struct Fields {
    unsigned a : 5, b : 11;
    int c : 16;
};
extern "C" __global__ void structs(float *out) {
    Particle p{1, 2, 3};
    for (int i = 0; i < threadIdx.x % 4; i++) p = kicked(p, i);
    out[threadIdx.x] = p.x + p.y + p.kicks;
    Word word;
    word.f = threadIdx.x;
    Fields fields{3, 700, -5};
    fields.b += threadIdx.x;
    out[32 + threadIdx.x] = word.c[3] + fields.a + fields.b + fields.c + sizeof(Fields);
    int4 q = make_int4(1, 2, 3, 4);
    uchar4 u = make_uchar4(1, 2, 3, 4);
    double2 d = make_double2(1, 2);
    dim3 shape(2, 3);
    out[64 + threadIdx.x] = make_float3(1, 2, 3).z + q.w + u.y + d.y + make_longlong2(1, 2).x + make_short4(1, 2, 3, 4).w + shape.z + warpSize;
}

extern "C" __global__ void jumps(int *out) {
    int i = threadIdx.x, r = 0;
    switch (i % 9) {
    case 0: r = 5; break;
    case 1: r = 77; break;
    case 2: r = i + 3; break;
    case 5: r = 99; // falls through
    case 6: r += 3; break;
    default: r = -1;
    }
    if (i == 40) goto end;
    __builtin_assume(i >= 0);
    for (;;) {
        if (i % 7 == 0 || r > 200) break;
        if (i & 1)
            i = i * 3 + 1;
        else
            i /= 2;
        if (r++ % 4 == 0) continue;
        r++;
    }
    do r += i-- & 3;
    while (i > 0);
end:
    out[threadIdx.x] = r;
}

extern "C" __global__ void local_arrays(int *out) {
    int own[40], s = 0;
    for (int i = 0; i < 40; i++) own[i] = i * threadIdx.x;
#pragma unroll 4
    for (int i = 0; i < 40; i++) s += own[(i * 7 + out[threadIdx.x]) % 40];
    unsigned char bytes[40];
    memset(bytes, threadIdx.x, sizeof bytes);
    memcpy(bytes + 3, own, 9);
    out[threadIdx.x] = s * 256 + bytes[threadIdx.x];
}

struct Node {
    int v;
    Node *next;
};
extern "C" __global__ void placed_objects(int *out) {
    alignas(16) char buffer[sizeof(Node) * 4];
    Node *list = nullptr;
    for (int i = 0; i < 4; i++) list = new (buffer + i * sizeof(Node)) Node{i * (int)threadIdx.x, list};
    int s = 0;
    for (Node *n = list; n; n = n->next) s = s * 3 + n->v;
    out[threadIdx.x] = s;
}

extern "C" __global__ void volatile_variables(int *out) {
    volatile int *v = out;
    v[threadIdx.x] = v[threadIdx.x] + 1;
    volatile Pair own;
    own.x = 3;
    own.y = own.x + threadIdx.x;
    out[32 + threadIdx.x] = own.y;
    __shared__ volatile Pair shared;
    if (threadIdx.x == 9) shared.x = 25;
    __syncthreads();
    out[64 + threadIdx.x] = shared.x;
}

// No device divides 128 bits: nvcc's and clang's ways are as different as can be.
extern "C" __global__ void wide_integers(long long *out) {
    int i = threadIdx.x;
    __int128 a = (__int128)(i - 20) * 0x123456789abcdefll * 0x10000000001ll, d = (__int128)(i * i * i - 4999) << i;
    unsigned __int128 b = (unsigned __int128)a * 3 + 5;
    out += i * 6;
    *out++ = (long long)(a / d);
    *out++ = (long long)(a % d >> 32);
    *out++ = (long long)(b / (unsigned)(i + 1) >> 64);
    *out++ = (long long)(b % ((unsigned __int128)(i + 1) << 70) >> 35);
    *out++ = (long long)(a >> 64) ^ (long long)(b >> 17);
    *out++ = a < d;
}

template <typename T> __global__ void instantiated(T *out) {
    __shared__ T shared[8];
    if (threadIdx.x < 8) shared[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = shared[threadIdx.x % 8];
}
template __global__ void instantiated<int>(int *);
