/* What is said beside a compiler's error. Messages are those that nvcc 13 and clang 14 write; for each that gets advice one that gets none. */
#include "cuda/advice.h"

#include <stdio.h>

#include "suite.h"

static Diag diag;

/* The hint to an error in this line of the text. */
static const char *advice(unsigned line, const char *message, const char *text) {
    diag = (Diag){0};
    diag_error(&diag, line ? "k.cu" : "At end of source", line, 0, "%s", message);
    char messages[1000];
    snprintf(messages, sizeof messages, "k.cu:%u:1: error: %s\n", line, message);
    advice_add(&diag, messages, "k.cu", text);
    return diag.hint;
}

START_TEST(a_name_that_a_header_declares)
{
    ck_assert_str_eq(advice(1, "identifier \"half\" is undefined", ""), "#include <cuda_fp16.h> declares it");
    ck_assert_str_eq(advice(1, "unknown type name 'half'", ""), "#include <cuda_fp16.h> declares it");
    ck_assert_str_eq(advice(1, "identifier \"halves\" is undefined", ""), "");
    ck_assert_str_eq(advice(1, "identifier \"_syncthreads\" is undefined", ""), "did you mean __syncthreads?");
    ck_assert_str_eq(advice(1, "identifier \"threadidx\" is undefined", ""), "did you mean threadIdx?");
    ck_assert_str_eq(advice(1, "use of undeclared identifier 'threadidx'; did you mean 'threadIdx'?", ""), "");
    ck_assert_str_eq(advice(1, "identifier \"thread\" is undefined", ""), "");
    ck_assert_str_eq(advice(1, "identifier \"i\" is undefined", "for (int i = 0; i < (n); i++) ; a[i] = 0;\n"),
                     "the ; behind for (...) ends the loop, and with it i");
    ck_assert_str_eq(advice(1, "identifier \"i\" is undefined", "for (int i = 0; i < n; i++) a[i] = 0;\n"), "");
    ck_assert_str_eq(advice(1, "identifier \"i\" is undefined", "for (int k = 0; k < n; k++); a[i] = 0;\n"), "");
    ck_assert_str_eq(advice(1, "identifier \"i\" is undefined", "for (\n"), "");
    ck_assert_str_eq(advice(1, "identifier \"\" is undefined", ""), "");
    ck_assert_str_eq(advice(1, "expected a \";\"", ""), "");
}
END_TEST

START_TEST(texture_references_have_gone)
{
    static const char objects[] =
        "CUDA 12 removed texture references: make an object by cudaCreateTextureObject, pass it to the "
        "kernel, and read tex2D<float>(object, x, y)";
    ck_assert_str_eq(advice(1, "texture is not a template", "texture<float, 2> t;\n"), objects);
    ck_assert_str_eq(advice(1, "no template named 'texture'", "texture<float, 2> t;\n"), objects);
    ck_assert_str_eq(advice(1, "identifier \"cudaBindTextureToArray\" is undefined", ""), objects);
    ck_assert_str_eq(advice(1, "no template named 'texture2'", ""), "");
    ck_assert_str_eq(advice(1, "identifier \"texture\" is undefined", ""), "");
}
END_TEST

START_TEST(text_that_came_from_elsewhere)
{
    static const char quote[] = "// “fine”\nprintf(“x”);\n";
    ck_assert_str_eq(advice(2, "expected an expression", quote),
                     "line 2 has the character U+201C, a quotation mark of word processors: type it anew");
    ck_assert_str_eq(advice(1, "expected an expression", quote), "");                    /* in a comment */
    ck_assert_str_eq(advice(1, "expected an expression", "printf(\"“x”\" 1);\n"), "");   /* in a string */
    ck_assert_str_eq(advice(3, "expected an expression", "/*\n\n*/ a \xe2\x88\x92 b\n"), /* behind a comment of several lines */
                     "line 3 has the character U+2212, a minus of printed formulas, not that of C++: type it anew");
    ck_assert_str_eq(advice(1, "expected a \")\"", "i &lt; n\n"), "&lt; &gt; and &amp; are HTML: write < > and &");
    ck_assert_str_eq(advice(1, "expected a \";\"", "int größe = 1\n"), ""); /* a name */
    ck_assert_str_eq(advice(1, "expected a \")\"", "i & lt\n"), "");
    ck_assert_str_eq(advice(2, "expected a declaration", "int a;\n<<<<<<< HEAD\n"),
                     "git left both versions here: delete one of them, and the lines <<<<<<<, ======= and >>>>>>>");
    ck_assert_str_eq(advice(1, "expected an expression", "a <<<<<<< b\n"), "");
    ck_assert_str_eq(advice(1, "expected an expression", NULL), "");
    ck_assert_str_eq(advice(9, "expected an expression", "one line\n"), "");
}
END_TEST

START_TEST(where_alignas_stands)
{
    static const char says[] = "an attribute list cannot appear here";
    ck_assert_str_eq(advice(1, says, "__shared__ alignas(16) int a[4];\n"),
                     "clang takes alignas in front of __shared__, or __align__(bytes) behind it");
    ck_assert_str_eq(advice(1, says, "alignas(16) __shared__ int a[4];\n"), "");
    ck_assert_str_eq(advice(1, "expected a \";\"", "__shared__ alignas(16) int a[4]\n"), "");
}
END_TEST

START_TEST(what_a_kernel_may_not_call)
{
    static const char text[] =
        "int f(int);\nfloat turned(float x) { return x; }\n__global__ void k() {\n  return turned(1);\n}\n";
    static const char nvcc[] = "calling a __host__ function(\"%s\") from a __global__ function(\"k\") is not allowed";
    char message[200];
    snprintf(message, sizeof message, nvcc, "turned(float)");
    ck_assert_str_eq(advice(4, message, text),
                     "write __device__ in front of turned in line 2: a kernel calls device code alone");
    static const char library[] =
        "a kernel calls __device__ functions alone: the C++ library's, and cudaMalloc, are the host's";
    snprintf(message, sizeof message, nvcc, "std::vector<float> ::vector(unsigned long)");
    ck_assert_str_eq(advice(4, message, text), library);
    snprintf(message, sizeof message, nvcc, "void  ::std::sort<float *> (T1, T1)");
    ck_assert_str_eq(advice(4, message, text), library);
    ck_assert_str_eq(advice(4, "no matching function for call to 'turned'", text), ""); /* for another reason */
}
END_TEST

START_TEST(braces_that_do_not_match)
{
    static const char open[] = "__global__ void a() {\n  if (1) {\n}\n__global__ void b() {\n}\n";
    ck_assert_str_eq(advice(0, "expected a \"}\"", open), "a { above line 4 is not closed: there the next kernel begins");
    ck_assert_str_eq(advice(5, "expected a declaration", "void a()\n  if (1) {\n  }\n}\n"),
                     "the } in line 4 closes nothing: is a { missing above, or is it one too many?");
    ck_assert_str_eq(advice(1, "expected a declaration", "void a() { /* } */ char c = '}', *s = \"}\"; // }\n}\n"), "");
    ck_assert_str_eq(advice(0, "expected a \"}\"", "#ifdef A\nvoid a() {\n#else\nvoid b() {\n#endif\n}\n"), "");
    ck_assert_str_eq(advice(0, "expected a \"}\"", "void a() {\n"), "the file has 1 { more than }");
}
END_TEST

/* clang's, of which the first error is in a header that another one includes. */
START_TEST(what_clang_does_not_take_of_the_toolkit)
{
    static const struct {
        const char *includes, *counts;
        bool advised;
    } rows[] = {
        {"In file included from k.cu:3:\nIn file included from /usr/include/cublas_v2.h:66:\n",
         "20 errors generated when compiling for sm_75.", true},
        {"In file included from k.cu:3:\nIn file included from /opt/cuda/include/thrust/sort.h:9:\n",
         "1 error generated when compiling for sm_80.", true},
        {"In file included from k.cu:3:\nIn file included from /home/a/cuda/cublas.h:66:\n",
         "1 error generated when compiling for sm_75.", false},
        {"In file included from k.cu:3:\nIn file included from /usr/include/cublas_v2.h:66:\n", "", false}, /* nvcc's gcc */
        {"", "1 error generated when compiling for sm_75.", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char messages[1000];
        diag = (Diag){0};
        diag_error(&diag, "v.h", 137, 1, "unknown type name 'A'");
        snprintf(messages, sizeof messages, "%sv.h:137:1: error: unknown type name 'A'\n%s\n", rows[i].includes,
                 rows[i].counts);
        advice_add(&diag, messages, "v.h", "");
        ck_assert_str_eq(diag.hint, rows[i].advised ? "this comes with NVIDIA's CUDA toolkit: --cc nvcc; no lab needs it" : "");
    }
}
END_TEST

SUITE("advice", a_name_that_a_header_declares, texture_references_have_gone, text_that_came_from_elsewhere,
      where_alignas_stands, what_a_kernel_may_not_call, braces_that_do_not_match, what_clang_does_not_take_of_the_toolkit)
