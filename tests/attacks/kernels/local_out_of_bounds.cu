// 18 | in the solution | graded | 70 | rotate is wrong: 
    volatile int few[4];
    few[rows << 22] = 1;
