// 18 | in the solution | graded | 70 | rotate is wrong: 
    *(volatile float *)0xfffffffffffffff0 = 1;
