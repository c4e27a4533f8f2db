// 6 | before the exercise | refused | 0 | kernel.cu
#define __global__
#define __constant__
#define rows_block rows_block = 4; int other_block
