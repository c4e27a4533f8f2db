// 5 | before the solution | refused | 0 | more than
#define A(x) x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7, x + 8, x + 9, x + 10,
#define B(x) A(x) A(x + 10) A(x + 20) A(x + 30) A(x + 40) A(x + 50) A(x + 60) A(x + 70) A(x + 80) A(x + 90)
#define C(x) B(x) B(x + 100) B(x + 200) B(x + 300) B(x + 400) B(x + 500) B(x + 600) B(x + 700) B(x + 800) B(x + 900)
#define D(x) C(x) C(x + 1000) C(x + 2000) C(x + 3000) C(x + 4000) C(x + 5000) C(x + 6000) C(x + 7000) C(x + 8000)
#define E(x) D(x) D(x + 10000) D(x + 20000) D(x + 30000)
__device__ double large[] = {E(0) E(40000) E(80000) E(120000) E(160000) E(200000)};
