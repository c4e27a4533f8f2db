// 17 | in the solution | graded | 82 | rotate is wrong: 
    while (rows) rows |= 1;
