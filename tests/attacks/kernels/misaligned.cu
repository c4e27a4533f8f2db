// 18 | in the solution | graded | 82 | rotate is wrong: 
    *(volatile double *)((char *)out + 1) = 1;
