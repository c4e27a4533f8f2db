// 30 | in the solution | graded | 82 | -
    volatile int idle = 0;
    for (int i = 0; i < 300; i++) idle += i;
