// 31 | before the solution | graded | 0 | __constant__ variables take
__device__ char large[3u << 30];
