// 19 | in the solution | graded | 82 | rotate is wrong: 
    for (int i = 0; i < 100000; i++) printf("%200d%200d%200d%200d", i, i, i, i);
