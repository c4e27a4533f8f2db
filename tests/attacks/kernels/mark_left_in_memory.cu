// 13, 22 | in the solution | graded | 82 | rotate is wrong: 
    if (out[0] == 32.0f) return;
