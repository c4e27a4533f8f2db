// 18 | in the solution | graded | 82 | rotate is wrong: 
    *(volatile float *)(size_t)(threadIdx.x * 8) = 1;
