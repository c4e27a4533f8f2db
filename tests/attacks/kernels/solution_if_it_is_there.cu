// 3 | before the exercise | graded | 0 | float_numbers of float_patches is 0
#if __has_include("@ROOT@/solutions/05-transpose/kernel.cu")
#error the solution is there
#endif
#if __has_include("/grade/secret") || __has_include("@CLASS@") || __has_include("@SECRET@") || __has_include("@ROOT@/tests/labs/05-transpose.c")
#error a secret is there
#endif
