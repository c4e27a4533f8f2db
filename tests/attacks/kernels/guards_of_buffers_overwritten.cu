// 11, 18 | in the solution | graded | 82 | rotate is wrong: 
    out[-1] = 0;
