// 30 | in all kernels | graded | <=15 | does a loop run without need
    volatile int idle = 0;
    for (int i = 0; i < 400000; i++) idle += i;
