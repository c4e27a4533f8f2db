// 18 | in the solution | graded | 82 | rotate is wrong: 
    if (rows > 740) __trap();
