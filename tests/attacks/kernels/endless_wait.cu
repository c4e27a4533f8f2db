// 17 | in the solution | graded | 70 | rotate is wrong: 
    while (*(volatile float *)in != 4711.0f) {}
