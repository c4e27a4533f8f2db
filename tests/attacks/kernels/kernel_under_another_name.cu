// 6 | before the solution | refused | 0 | the lab does not ask for a kernel
#define rotate turn
