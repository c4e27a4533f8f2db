// 5 | whole | refused | 0 | more than
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(A(x))))
__device__ int f() { return 0 B(B(B(+ 1))); }
