// 17 | in the solution | - | <=70 | -
    __shared__ volatile int a[100000];
    a[threadIdx.x] = 1;
