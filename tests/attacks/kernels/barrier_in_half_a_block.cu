// 17 | in the solution | graded | 82 | rotate is wrong: 
    if (threadIdx.x < 16) __syncthreads();
