// 4 | whole | refused | 0 | right_a.cu
#include "@DIR@/right_a.cu"
