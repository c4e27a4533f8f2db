// 19 | before the exercise | graded | 0 | -
#pragma GCC system_header
#pragma comment(lib, "answer")
#pragma push_macro("__global__")
#pragma nv_exec_check_disable
