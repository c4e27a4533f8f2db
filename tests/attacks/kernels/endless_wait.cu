// 17 | in the solution | graded | 82 | rotate is wrong: 
    while (*(volatile float *)in != 4711.0f) {}
