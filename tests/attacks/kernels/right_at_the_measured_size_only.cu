// 12, 23 | in the solution | graded | 70 | rotate is wrong: 
    if (rows != 768 || cols != 512) return;
