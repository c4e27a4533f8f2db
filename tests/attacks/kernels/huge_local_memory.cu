// 17, 31 | in the solution | graded | 82 | rotate is wrong: 
    volatile int a[100000];
    a[threadIdx.x] = 1;
    a[rows] = 2;
