// What printf makes of formats in kernels: every conversion with flags, widths, precisions and sizes, edges of the types, long texts, as many
// arguments as there may be, and what devices do not know. device_formats.out is what an H200 printed (driver 580.159.04, CUDA 13.0).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

static const int FORMAT_BYTES = 32, LONG_TEXT = 3000;

union Value {
    long long whole;
    double real;
    const char *text;
};

__device__ char format[FORMAT_BYTES], seen[LONG_TEXT + 1];

__global__ void print(char type, Value value) {
    if (type == 's') value.text = seen;
    printf("%s [", format);
    int returned = type == 'i'   ? printf(format, (int)value.whole)
                   : type == 'l' ? printf(format, value.whole)
                   : type == 'd' ? printf(format, value.real)
                                 : printf(format, value.text);
    printf("] %d\n", returned);
}

static void put(const char *text, char type, Value value) {
    char bytes[FORMAT_BYTES] = "";
    strncpy(bytes, text, sizeof(bytes) - 1);
    CHECK(cudaMemcpyToSymbol(format, bytes, sizeof(bytes)));
    print<<<1, 1>>>(type, value);
    CHECK(cudaDeviceSynchronize());
}

static Value whole(long long number) {
    Value value;
    value.whole = number;
    return value;
}

static Value real(double number) {
    Value value;
    value.real = number;
    return value;
}

static void text_is(const char *text) { CHECK(cudaMemcpyToSymbol(seen, text, strlen(text) + 1)); }

static const char *const flags[] = {"", "-", "+", " ", "0", "#", "-0", "+ ", "+0", " 0", "#0", "-#", "- +#0", "--00"};
static const char *const widths[] = {"", "9"};

static void each(const char *conversions, char type, Value value, const char *const precisions[3]) {
    for (const char *c = conversions; *c; c++)
        for (const char *flag : flags)
            for (const char *width : widths)
                for (int p = 0; p < 3; p++) {
                    char text[FORMAT_BYTES];
                    snprintf(text, sizeof(text), "%%%s%s%s%c", flag, width, precisions[p], *c);
                    put(text, type, value);
                }
}

static void conversions() {
    const char *const digits[] = {"", ".", ".4"}, *const places[] = {"", ".0", ".3"}, *const letters[] = {"", ".0", ".2"};
    each("diuoxX", 'i', whole(-42), digits);
    each("dx", 'i', whole(0), digits);
    each("fFeEgGaA", 'd', real(1234.5), places);
    each("c", 'i', whole('w'), letters);
    text_is("text");
    each("s", 's', whole(0), letters);
    each("p", 'l', whole(0x7f001234), letters);
}

static void lengths() {
    for (const char *length : {"h", "", "l", "ll", "j", "z", "t", "L", "q"})
        for (char conversion : {'d', 'i', 'u', 'o', 'x', 'X'}) {
            char text[FORMAT_BYTES];
            snprintf(text, sizeof(text), "%%%s%c", length, conversion);
            for (long long value : {0x123456789abcdef0LL, -2LL, 0x8000LL, 0x80LL}) put(text, 'l', whole(value));
        }
    for (const char *text : {"%lf", "%Lf", "%hf", "%le", "%Lg", "%la"}) put(text, 'd', real(-2.5));
    for (const char *text : {"%hc", "%lc", "%llc"}) put(text, 'i', whole('c'));
    put("%hs", 's', whole(0));
    for (const char *text : {"%hp", "%lp"}) put(text, 'l', whole(16));
}

static void edges() {
    const double infinity = strtod("inf", nullptr), nan = strtod("nan", nullptr);
    for (double value : {0.0, -0.0, infinity, -infinity, nan, -nan, 0.5, 1.5, 2.5, 4.9e-324, 2.2250738585072014e-308,
                         1.7976931348623157e308, 0.1, 1e15, 1e16, 123456789.0, 999999.5, 9.9999995e-5, 1e-4})
        for (const char *text :
             {"%f", "%.0f", "%e", "%.0e", "%g", "%.0g", "%.17g", "%#g", "%a", "%.1a", "%A", "%F", "%G", "%+09.1f", "% -9.1fx"})
            put(text, 'd', real(value));
    for (const char *text : {"%.40f", "%50.30e", "%.60g", "%060.2f", "%-60.2fx", "%.20a", "%.300f"})
        put(text, 'd', real(1.0 / 3));
    for (long long value : {0LL, 1LL, -1LL, 0x7fffffffLL, -0x80000000LL})
        for (const char *text : {"%d", "%u", "%x", "%#o", "%#x", "%.0d", "%+.0d", "% d", "%020d", "%.20d", "%-20dx"})
            put(text, 'i', whole(value));
    for (long long value : {0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1})
        for (const char *text : {"%lld", "%llu", "%llx", "%#llo", "%.25lld", "%lli"}) put(text, 'l', whole(value));
    for (long long value : {0LL, 1LL, -1LL})
        for (const char *text : {"%p", "%20p", "%-20p", "%020p", "%+p"}) put(text, 'l', whole(value));
    for (int value : {9, 200, 321}) put("%c", 'i', whole(value));
}

static void texts() {
    static char text[LONG_TEXT + 1];
    for (int length : {0, 1, 40, 1000, 1023, 1024, 1025, LONG_TEXT}) {
        memset(text, 'a' + length % 26, length);
        text[length] = 0;
        text_is(text);
        put(length > 1000 ? "%s" : "%-50s", 's', whole(0));
    }
    put("%.5s", 's', whole(0));
    put("%10.3s", 's', whole(0));
    put("%.1100s", 's', whole(0));
    text_is("short");
    for (const char *wide : {"%300s", "%-300s", "%300d", "%0300d", "%.300d", "%1100d", "%.1100d"})
        put(wide, wide[strlen(wide) - 1] == 's' ? 's' : 'i', whole(7));
    for (const char *null : {"%s", "%10s", "%.3s", "%-10sx"}) put(null, 'l', whole(0));
}

__global__ void stars() {
    printf("[%*d] [%-*d] [%*d] [%.*d] [%.*d] [%*.*f]\n", 6, 1, 6, 2, -6, 3, 4, 4, -1, 5, 9, 2, 6.125);
    printf("[%0*d] [%*s] [%.*s] [%*.*s] [%.*e]\n", 5, 42, 6, "ab", 2, "abcd", 5, 1, "xyz", 3, 12345.678);
    printf("[%*c] [%*p] [%*lld]\n", 4, 'c', 12, (void *)255, 12, 1LL << 40);
    printf("[%.*d] [%.*f] [%.*s] [%.*d] [%.*g]\n", -1, 0, -1, 1.5, -2, "text", 0, 0, -5, 0.1);
    printf("[%*d] [%0*d] [%*s] [%-*s] [%+*d]\n", -1, 7, -4, 7, -5, "ab", -6, "cd", 0, 7);
    printf("[%*d] [%.*d] [%*.*f]\n", 300, 1, 250, 2, 280, 260, 0.5);
}

#define TEN(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9
#define TEN_OF "%d %d %d %d %d %d %d %d %d %d "
__global__ void many() {
    int returned[4];
    returned[0] = printf(TEN_OF TEN_OF TEN_OF "%d\n", TEN(0), TEN(10), TEN(20), 30);
    returned[1] = printf(TEN_OF TEN_OF TEN_OF "%d %d\n", TEN(0), TEN(10), TEN(20), 30, 31);
    returned[2] = printf("%d %f %d %s %d %lld %c %f\n", 1, 2.5, 3, "four", 5, 6LL, '7', 8.0);
    returned[3] = printf("%d %d %d\n", 1, 2, 3, 4, 5);
    for (int i = 0; i < 4; i++) printf("%d ", returned[i]);
    printf("%d\n", printf(""));
}

// What devices do not know, and print as it stands where nothing follows. (Conversions behind it print what nobody gave.)
static const char *const odd[] = {"%m",     "%k",   "%",    "% ",    "%5",    "%-",    "%ll",  "%.",    "%1$d",
                                  "%'d",    "%Id",  "%C",   "%5%",   "%-5%",  "%.2%",  "%D",   "%U",    "%O",
                                  "%b",     "%B",   "%w",   "%\n",   "%r",    "%y",    "%!",   "%#",    "%5.2k",
                                  "%-+ #0", "%hld", "%lhd", "%hhhd", "%llld", "%-8.3", "%**d", "%.-3d", "%..3d"};

__global__ void without() {
    printf("null format %d\n", printf((const char *)nullptr));
    printf("no conversion %d\n", printf("none\n", 1, 2.0, "three"));
    printf("empty %d\n", printf("", 1));
}

int main() {
    conversions();
    lengths();
    edges();
    texts();
    stars<<<1, 1>>>();
    many<<<1, 1>>>();
    without<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    for (const char *text : odd) put(text, 'i', whole(7));
    for (const char *text : {"%lld%", "%%%d", "%3.d", "%0-5d"}) put(text, 'l', whole(7));
    printf("ok: every format was printed\n");
    return 0;
}
