// 18 | in the solution | graded | 82 | rotate is wrong: 
    *(volatile float *)0xfffffffffffffff0 = 1;
