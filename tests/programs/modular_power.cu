// 64-bit integers at work: products modulo m by way of 128 bits, powers, Miller and Rabin's test for primes up to 2^64,
// greatest common divisors, and division, remainder and shifts of signed and unsigned numbers.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

// a * b mod m for a, b < m: the 128-bit product, then its remainder bit by bit.
__device__ uint64_t multiply_mod(uint64_t a, uint64_t b, uint64_t m) {
    uint64_t high = __umul64hi(a, b), low = a * b;
    for (int bit = 63; bit >= 0; bit--) { // high < m throughout
        bool carry = high >> 63;
        high = high << 1 | (low >> bit & 1);
        if (carry || high >= m) high -= m;
    }
    return high;
}

__device__ uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t m) {
    uint64_t result = 1 % m;
    for (base %= m; exponent; exponent >>= 1) {
        if (exponent & 1) result = multiply_mod(result, base, m);
        base = multiply_mod(base, base, m);
    }
    return result;
}

// With these twelve bases the test errs for no number below 2^64.
__constant__ int bases[12] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

__device__ bool is_prime(uint64_t n) {
    if (n < 2) return false;
    for (int base : bases) {
        if (n % base == 0) return n == base;
    }
    int twos = __ffsll((long long)(n - 1)) - 1;
    uint64_t odd = (n - 1) >> twos;
    for (int base : bases) {
        uint64_t x = power_mod(base, odd, n);
        if (x == 1 || x == n - 1) continue;
        int k = 1;
        for (; k < twos && x != n - 1; k++) x = multiply_mod(x, x, n);
        if (x != n - 1) return false;
    }
    return true;
}

__device__ uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

struct Answer {
    uint64_t power, divisor, quotient, rest, mixed;
    int64_t signed_quotient, signed_rest, high;
    int prime, leading, bits;
};

__global__ void answer(const uint64_t *a, const uint64_t *b, Answer *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint64_t x = a[i], y = b[i];
    Answer mine;
    mine.power = power_mod(x, y >> 48, y);
    mine.divisor = greatest_common_divisor(x, y);
    mine.quotient = x / (y >> i % 50 | 1);
    mine.rest = x % (y >> i % 50 | 1);
    mine.signed_quotient = (int64_t)x / ((int64_t)y >> 7 | 1);
    mine.signed_rest = (int64_t)x % ((int64_t)y >> 7 | 1);
    mine.high = __mul64hi((long long)x, (long long)y);
    mine.mixed = (x << i % 64) ^ (y >> (63 - i % 64)) ^ (uint64_t)((int64_t)x >> i % 64);
    mine.prime = is_prime(x);
    mine.leading = __clzll((long long)x);
    mine.bits = __popcll(y);
    out[i] = mine;
}

typedef unsigned __int128 uint128;

static uint64_t host_power(uint64_t base, uint64_t exponent, uint64_t m) {
    uint64_t result = 1 % m;
    for (base %= m; exponent; exponent >>= 1) {
        if (exponent & 1) result = (uint64_t)((uint128)result * base % m);
        base = (uint64_t)((uint128)base * base % m);
    }
    return result;
}

static uint64_t host_divisor(uint64_t a, uint64_t b) { return b ? host_divisor(b, a % b) : a; }

#define COMPARE(field, wanted)                                                                         \
    if (got[i].field != (wanted)) {                                                                    \
        printf("numbers %d: " #field " is %llx, expected %llx\n", i, (unsigned long long)got[i].field, \
               (unsigned long long)(wanted));                                                          \
        return 1;                                                                                      \
    }

int main() {
    // Known beforehand: 2^61 - 1, the largest primes below 2^32 and 2^64, a square, and numbers that pass weaker tests.
    const uint64_t known[] = {2305843009213693951ULL,
                              4294967291ULL,
                              18446744073709551557ULL,
                              4294967291ULL * 4294967291ULL,
                              561,
                              1,
                              2,
                              3215031751ULL,
                              3825123056546413051ULL,
                              1000000007ULL,
                              998244353ULL * 3,
                              101};
    const int prime[] = {1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1};
    const int knowns = sizeof(prime) / sizeof(prime[0]), n = 205;
    std::vector<uint64_t> a(n), b(n);
    uint64_t state = 88172645463325252ULL;
    for (int i = 0; i < n; i++) {
        for (uint64_t *number : {&a[i], &b[i]}) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *number = state;
        }
        a[i] = i < knowns ? known[i] : a[i] & ~1ULL; // even: not prime
    }
    uint64_t *d_a, *d_b;
    Answer *d_out;
    std::vector<Answer> got(n);
    CHECK(cudaMalloc(&d_a, n * sizeof(uint64_t)));
    CHECK(cudaMalloc(&d_b, n * sizeof(uint64_t)));
    CHECK(cudaMalloc(&d_out, n * sizeof(Answer)));
    CHECK(cudaMemcpy(d_a, a.data(), n * sizeof(uint64_t), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(uint64_t), cudaMemcpyHostToDevice));
    answer<<<(n + 63) / 64, 64>>>(d_a, d_b, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), d_out, n * sizeof(Answer), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        const uint64_t x = a[i], y = b[i], divisor = y >> i % 50 | 1;
        const int64_t signed_divisor = (int64_t)y >> 7 | 1;
        COMPARE(power, host_power(x, y >> 48, y))
        COMPARE(divisor, host_divisor(x, y))
        COMPARE(quotient, x / divisor)
        COMPARE(rest, x % divisor)
        COMPARE(signed_quotient, (int64_t)x / signed_divisor)
        COMPARE(signed_rest, (int64_t)x % signed_divisor)
        COMPARE(high, (int64_t)((__int128)(int64_t)x * (int64_t)y >> 64))
        COMPARE(mixed, (x << i % 64) ^ (y >> (63 - i % 64)) ^ (uint64_t)((int64_t)x >> i % 64))
        COMPARE(prime, i < knowns ? prime[i] : 0)
        COMPARE(leading, x ? __builtin_clzll(x) : 64)
        COMPARE(bits, __builtin_popcountll(y))
    }
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_out));
    printf("ok: %d pairs of 64-bit numbers\n", n);
    return 0;
}
