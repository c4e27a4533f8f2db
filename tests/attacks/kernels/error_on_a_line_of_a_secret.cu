// 4 | whole | refused | 0 | error
#line 1 "@SECRET@"
int x = ;
