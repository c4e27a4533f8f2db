// 9 | in the solution | graded | 82 | rotate is wrong: 
    if (blockIdx.x) return;
