// Control flow, integer arithmetic, calls, local memory, parameters by value.

extern "C" __global__ void collatz(const unsigned *in, int *steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long x = in[i];
    int count = 0;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        count++;
    }
    steps[i] = count;
}

extern "C" __global__ void breaks_and_continues(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int seed = in[i], sum = 0;
    for (int j = 0; j < 40; j++) {
        if ((seed + j) % 3 == 0) continue;
        if (j > 5 && (seed ^ j) % 11 == 0) break;
        for (int k = 0; k < 6; k++) {
            if (k == (seed & 7)) break;
            if ((k + j) & 1) continue;
            sum += j * k;
        }
        sum += seed & j;
    }
    out[i] = sum;
}

extern "C" __global__ void nested_divergence(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i], r = 0;
    if (v & 1) {
        r += 1;
        if (v & 2) {
            r += 10;
            if (v & 4)
                r += 100;
            else
                for (int k = 0; k < (v >> 3 & 7); k++) r += 1000;
        } else if (v & 8) {
            do {
                r += 7;
                v -= 16;
            } while (v > 0);
        }
        r *= 2;
    } else {
        switch (v & 6) {
        case 0: r = v; // falls through
        case 2: r += 5; break;
        case 4: r = in[n - 1 - i]; break;
        default:
            if (v > 100) goto out;
            r = -v;
        }
    }
    r += 3;
out:
    out[i] = r;
}

// Threads past the end leave before the others meet again; some leave in the middle of a loop.
extern "C" __global__ void early_return(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = -1;
    for (int j = 0; j < 10; j++) {
        if (in[i] == j) {
            out[i] = j * 100;
            return;
        }
    }
    int ballot = __ballot_sync(__activemask(), 1);
    out[i] = __popc(ballot) > 0 ? 5 : 6;
}

extern "C" __global__ void dense_switch(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i], r;
    switch (v) {
    case 0: r = v + i; break;
    case 1: r = i * i; break;
    case 2: r = ~i; break;
    case 3: r = i << 3; break;
    case 4: r = i / 3; break;
    case 5: r = i % 7; break;
    case 6: r = -i; break;
    case 7: r = i ^ 0x55; break;
    case 8: r = i & 12; break;
    case 9: r = i | 12; break;
    case 10: r = i >> 2; break;
    case 11: r = 1; break;
    case 1000: r = 2; break;
    default: r = 99;
    }
    out[i] = r;
}

extern "C" __global__ void divide_64(const long long *a, const long long *b, long long *quotient, long long *remainder, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        quotient[i] = a[i] / b[i];
        remainder[i] = a[i] % b[i];
    }
}

extern "C" __global__ void divide_64_unsigned(const unsigned long long *a, const unsigned long long *b, unsigned long long *quotient,
                                              unsigned long long *remainder, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        quotient[i] = a[i] / b[i];
        remainder[i] = a[i] % b[i];
    }
}

extern "C" __global__ void divide_32(const int *a, const int *b, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[6 * i] = a[i] / b[i];
        out[6 * i + 1] = a[i] % b[i];
        out[6 * i + 2] = (unsigned)a[i] / (unsigned)b[i];
        out[6 * i + 3] = (unsigned)a[i] % (unsigned)b[i];
        out[6 * i + 4] = a[i] / 10;
        out[6 * i + 5] = (short)a[i] / (short)(b[i] | 1);
    }
}

extern "C" __global__ void shifts_and_bits(const unsigned *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = in[i];
    unsigned long long w = ((unsigned long long)v << 32 | ~v) * 0x9e3779b97f4a7c15ull;
    unsigned *o = out + 16 * i;
    o[0] = __popc(v);
    o[1] = __clz(v);
    o[2] = __ffs(v);
    o[3] = __brev(v);
    o[4] = __byte_perm(v, ~v, 0x3615);
    o[5] = __funnelshift_l(v, ~v, 7);
    o[6] = __umulhi(v, 0x12345678u);
    o[7] = (unsigned)__mulhi((int)v, -77);
    o[8] = __popcll(w);
    o[9] = __clzll(w);
    o[10] = (unsigned)(w >> (v & 63));
    o[11] = (unsigned)((long long)w >> (v & 63));
    o[12] = (unsigned)(w << (v & 31));
    o[13] = (unsigned)(unsigned char)v * (unsigned short)(v >> 8);
    o[14] = (unsigned)__umul64hi(w, 0xfedcba9876543210ull);
    o[15] = (unsigned)(int)(signed char)v;
}

__device__ __noinline__ int twice(int x) { return 2 * x + 1; }
__device__ __noinline__ float polynomial(float x, const float *c, int terms) {
    float y = 0;
    for (int i = terms - 1; i >= 0; i--) y = y * x + c[i];
    return y;
}
__device__ __noinline__ void split(int value, int *high, int *low) {
    *high = value / 100;
    *low = value % 100;
}
struct Pair {
    long long sum;
    int product;
};
__device__ __noinline__ Pair combine(Pair a, int b) {
    Pair r;
    r.sum = a.sum + b;
    r.product = a.product * b;
    return r;
}
extern "C" __global__ void calls(const int *in, long long *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int high, low, v = in[i];
    split(twice(v), &high, &low);
    float c[3] = {1, 2, (float)(v & 7)};
    float y = v & 1 ? polynomial(2.0f, c, 3) : polynomial(-1.0f, c, 2);
    Pair p = {v, 3};
    if (v % 3) p = combine(p, high);
    p = combine(p, low);
    out[i] = p.sum * 1000 + p.product + (int)y;
}

typedef int (*Operation)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
__device__ Operation operations[3] = {plus, minus, times};
extern "C" __global__ void function_pointers(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = operations[in[i] % 3](in[i], i);
}

// An array that the compiler cannot keep in registers: counting sort of 16 digits a thread.
extern "C" __global__ void local_array(const unsigned char *in, unsigned char *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    int counts[10];
    for (int i = 0; i < 10; i++) counts[i] = 0;
    for (int i = 0; i < 16; i++) counts[in[t * 16 + i]]++;
    int at = 0;
    for (int d = 0; d < 10; d++)
        for (int c = 0; c < counts[d]; c++) out[t * 16 + at++] = d;
}

struct Settings {
    char mode;
    short offset;
    float factor[3];
    double bias;
    int3 shift;
};
extern "C" __global__ void struct_by_value(Settings s, int *out, int n, char last) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = s.mode + s.offset + (int)(s.factor[i % 3] * 4) + (int)s.bias + s.shift.x + s.shift.y * 2 + s.shift.z * 3 + last;
}

// One lane after another holds the lock: every lane of every warp adds to a plain counter.
__device__ int lock_word;
extern "C" __global__ void spin_lock(int *counter, int rounds) {
    for (int r = 0; r < rounds; r++) {
        bool done = false;
        while (!done) {
            if (atomicCAS(&lock_word, 0, 1) == 0) {
                __threadfence();
                *(volatile int *)counter = *(volatile int *)counter + 1;
                __threadfence();
                atomicExch(&lock_word, 0);
                done = true;
            }
        }
    }
}

__device__ int table[4] = {10, 20, 30, 40};
#ifdef __clang__ // clang 14 cannot initialise a variable with another one's address
#define pointer (&table[1])
#else
__device__ int *pointer = &table[1];
#endif
__device__ double zeroes[8];
__constant__ unsigned char letters[] = "thirty-two";
extern "C" __global__ void global_variables(int *out) {
    int i = threadIdx.x;
    if (i < 4) out[i] = table[i] + pointer[i & 1] + (int)zeroes[i];
    if (i >= 4 && i < 14) out[i] = letters[i - 4];
}

extern "C" __global__ void three_dimensions(int *out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx && y < ny && z < nz)
        out[(z * ny + y) * nx + x] = x + 100 * y + 10000 * z + 1000000 * (gridDim.x * gridDim.y * gridDim.z);
}
