// 11, 18 | in the solution | graded | 70 | rotate is wrong: 
    out[-1] = 0;
