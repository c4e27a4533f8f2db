// 18 | in the solution | graded | 82 | rotate is wrong: 
    volatile int few[4];
    few[rows << 22] = 1;
