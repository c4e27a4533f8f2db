// 29 | before the solution | graded | 82 | rotate is wrong: 
#line 1 "/etc/passwd"
//// in rotate
out[~0u >> 1] = 0;
