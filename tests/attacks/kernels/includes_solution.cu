// 3 | whole | refused | 0 | solutions/05-transpose/kernel.cu
#include "@ROOT@/solutions/05-transpose/kernel.cu"
