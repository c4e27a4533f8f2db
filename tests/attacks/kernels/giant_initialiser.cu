// 5 | whole | refused | 0 | more than
__device__ char big[1 << 30] = {1};
