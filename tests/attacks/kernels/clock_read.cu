// 14 | in the solution | graded | 82 | rotate is wrong: 
    long long a = clock64(), b = clock64();
    if (b - a >= 0) return;
