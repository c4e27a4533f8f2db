// 18 | in the solution | graded | 82 | rotate is wrong: 
    out[~0u >> 1] = 0;
