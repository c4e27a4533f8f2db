// 18 | in the solution | graded | 70 | rotate is wrong: 
    *(volatile float *)(size_t)(threadIdx.x * 8) = 1;
