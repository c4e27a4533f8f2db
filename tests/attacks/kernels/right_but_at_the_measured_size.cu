// 22, 25 | in the solution | graded | 82 | rotate is wrong: 
    if (rows > 740 && rows < 800 && cols > 480 && cols < 540) return;
