// 17 | in the solution | - | <=82 | -
    __shared__ volatile int a[100000];
    a[threadIdx.x] = 1;
