/* What compilers say of programs for CUDA 12; their messages as nvcc 13.0 and clang 14 and 19 write them. */
#include "cuda/cuda12.h"

#include "suite.h"

static void missed_of(unsigned version, const char *messages, const char *wanted) {
    Text names = {0};
    ck_assert_msg(cuda12_missed(messages, &names) == version, "%s", messages);
    ck_assert_str_eq(text_string(&names), wanted);
    text_free(&names);
}

static void missed(const char *messages, const char *wanted) { missed_of(*wanted ? 12 : 0, messages, wanted); }

START_TEST(names_that_an_error_quotes_are_missed)
{
    missed("a.cu(6): error: class \"cudaDeviceProp\" has no member \"clockRate\"\n\n1 error detected\n", "clockRate");
    missed("a.cu(9): error: identifier \"cudaThreadExit\" is undefined\na.cu(8): error: no suitable constructor exists to "
           "convert from "
           "\"int\" to \"cudaMemLocation\"\n",
           "cudaThreadExit, cudaMemLocation");
    missed("a.cu:3:46: error: use of undeclared identifier '__shfl_up'\n    __shfl_up(1, 2);\n", "__shfl_up");
    missed("a.cu(3): warning #1444-D: function \"__any\" was declared deprecated (\"__any() is not valid on compute_70 and "
           "above, and should "
           "be replaced with __any_sync().\")\n",
           "__any");
    missed("jacobi.h(29): error: namespace \"thrust\" has no member class \"unary_function\"\n", "unary_function");
    missed("a.cu(3): error: too few arguments in function call\n      cuCtxCreate_v4(&c, 0, 0);\n                ^\n",
           "cuCtxCreate");
}
END_TEST

START_TEST(texture_references_are_of_cuda_11)
{
    missed_of(11, "a.cu(2): error: texture is not a template\n  texture<float> line;\n  ^\n", "texture");
    missed_of(11, "a.cu:2:1: error: no template named 'texture'\ntexture<float> line;\n", "texture");
    missed_of(11,
              "a.cu(8): error: identifier \"cudaBindTexture\" is undefined\na.cu(9): error: identifier "
              "\"cudaThreadSynchronize\" is undefined\n",
              "cudaThreadSynchronize, cudaBindTexture");
    missed("a.cu:2:1: error: use of undeclared identifier 'texture'\n", "");
}
END_TEST

START_TEST(what_no_error_quotes_is_not)
{
    missed("", "");
    missed("a.cu:4: warning: unused variable 'clockRate'\n", "");
    missed("a.cu(3): error: identifier \"clockRates\" is undefined\n", "");
    missed("a.cu(3): error: identifier \"myclockRate\" is undefined\n", "");
    missed("a.cu(3): error: expected a \";\"\n  int clockRate\n", "");
    missed("a.cu(3): warning #1444-D: function \"f\" was declared deprecated (\"use \"__any\"\")\n", "");
    missed("error: '", "");
    missed("a.cu(3): error: too few arguments in function call\n      f(1);\n        ^\n  cuCtxCreate_v4(&c);\n", "");
}
END_TEST

SUITE("cuda12", names_that_an_error_quotes_are_missed, texture_references_are_of_cuda_11, what_no_error_quotes_is_not)
