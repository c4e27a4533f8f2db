// 17 | in the solution | graded | 70 | rotate is wrong: 
    while (rows) rows |= 1;
