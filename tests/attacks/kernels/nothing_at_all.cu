// 10 | for rotate | graded | 70 | rotate is wrong: 
