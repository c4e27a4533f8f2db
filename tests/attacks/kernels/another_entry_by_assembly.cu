// 7 | before the solution | refused | 0 | the lab does not ask for a kernel
__device__ void inside() { asm volatile("ret; } .visible .entry evil() { ret;"); }
__device__ void (*keep)() = inside;
