// 6 | before the solution | refused | 0 | does not define the kernel
#define rotate turn
