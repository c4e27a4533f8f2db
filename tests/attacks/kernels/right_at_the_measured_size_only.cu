// 12, 23 | in the solution | graded | 82 | rotate is wrong: 
    if (rows != 768 || cols != 512) return;
