// 18 | in the solution | graded | 82 | rotate is wrong: 
    __shared__ volatile int few[4];
    few[(rows << 20) + threadIdx.x] = 1;
    few[-(rows << 8)] = 2;
