// 9 | in the solution | graded | 70 | rotate is wrong: 
    if (blockIdx.x) return;
