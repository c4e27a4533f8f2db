// 10 | in all kernels | graded | <=15 | is wrong: 
    return;
