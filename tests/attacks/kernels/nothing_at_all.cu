// 10 | for rotate | graded | 82 | rotate is wrong: 
