// 5 | whole | refused | 0 | error
constexpr unsigned long f() { unsigned long n = 0; while (n + 1) n++; return n; }
__device__ unsigned long x = f();
static_assert(f() != 0, "");
