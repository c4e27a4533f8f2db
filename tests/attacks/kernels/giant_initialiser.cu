// 5 | whole | refused | 0 | -
__device__ char big[1 << 30] = {1};
