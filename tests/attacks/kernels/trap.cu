// 18 | in the solution | graded | 70 | rotate is wrong: 
    if (rows > 740) __trap();
