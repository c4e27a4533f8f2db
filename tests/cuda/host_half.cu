// Halves in host code: every value, and a quarter of a million pairs, against half_oracle.c. NaN may have any bits.
#include <cuda_fp16.h>
#include <stdio.h>

extern "C" unsigned short oracle(char operation, unsigned short a, unsigned short b);
extern "C" float oracle_value(unsigned short bits);
extern "C" unsigned short oracle_bits(float value);

static long wrong, compared;

static bool same(unsigned short a, unsigned short b) { return a == b || ((a & 0x7fff) > 0x7c00 && (b & 0x7fff) > 0x7c00); }
static void check(char operation, unsigned a, unsigned b, unsigned short got, unsigned short want) {
    compared++;
    if (same(got, want) || wrong++ > 5) return;
    printf("%04x %c %04x is %04x, not %04x\n", a, operation, b, got, want);
}

int main() {
    for (unsigned i = 0; i < 65536; i++) {
        float value = __half2float(__ushort_as_half((unsigned short)i));
        if (value == value) check('v', i, 0, value == oracle_value((unsigned short)i), 1);
        // The value itself, between this half and the next, and just beside the middle: ties, both sides, overflow, denormals.
        float next = oracle_value((unsigned short)(i + 1)), middle = (value + next) / 2;
        const float samples[] = {value, middle, middle * (1 + 0x1p-22f), middle * (1 - 0x1p-22f)};
        for (float sample : samples) check('r', i, 0, __half_as_ushort(__float2half(sample)), oracle_bits(sample));
    }
    for (unsigned i = 0; i < 65536; i += 127) {
        for (unsigned j = 0; j < 65536; j += 131) {
            half a = __ushort_as_half((unsigned short)i), b = __ushort_as_half((unsigned short)j);
            check('+', i, j, __half_as_ushort(a + b), oracle('+', i, j));
            check('-', i, j, __half_as_ushort(a - b), oracle('-', i, j));
            check('*', i, j, __half_as_ushort(a * b), oracle('*', i, j));
            check('/', i, j, __half_as_ushort(a / b), oracle('/', i, j));
            check('<', i, j, a < b, oracle('<', i, j));
            check('=', i, j, a == b, oracle('=', i, j));
            check('!', i, j, a != b, oracle('!', i, j));
        }
    }
    printf("wrong %ld of %ld\n", wrong, compared);
    return 0;
}
