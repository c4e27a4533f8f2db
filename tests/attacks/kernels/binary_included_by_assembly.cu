// 7 | before the solution | refused | 0 | -
__device__ void inside() { asm volatile(".incbin \"@SECRET@\";"); }
__device__ void (*keep)() = inside;
