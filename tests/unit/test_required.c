/* Kernels that a lab asks for and a file has not, or has besides (lab/required.h): PTX as compilers make it of such files. */
#include "lab/required.h"

#include "parsed.h"

#define KERNEL(name) ".visible .entry " name "() { ret; }\n"

static const char facts[] = "LAB(\"07\", \"slug\", \"Title\", 1) KERNEL(one) KERNEL(two) RUN(r, one, \"\") CORRECT(r, 1)";

static const struct {
    const char *ptx, *text; /* the file, as far as it matters */
    uint32_t line;
    const char *message, *hint; /* NULL: all is as it should be */
} files[] = {
    {KERNEL("one") KERNEL("two"), "", 0, NULL, NULL},
    {KERNEL("one") KERNEL("two") ".func f() { ret; }\n.extern .func _Z1gv();\n", "", 0, NULL, NULL},
    {KERNEL("one"), "\n__global__ void one() {}\n", 0, "the file does not define the kernel 'two'",
     "put it back as the exercise has it, also when it is not done yet"},
    {KERNEL("two"), "void one() {}\n", 1, "the file does not define the kernel 'one'",
     "line 1 has it without __global__, which makes a function a kernel"},
    {KERNEL("two") ".func one() { ret; }\n", "\nvoid one() {}\n", 2, "the file does not define the kernel 'one'",
     "line 2 has it without __global__, which makes a function a kernel"},
    {KERNEL("one"), "#if 0\n__global__ void two() {}\n#endif\n", 2, "the file does not define the kernel 'two'",
     "line 2 has it, but the compiler saw no body of it: is it in a comment or an #if?"},
    {KERNEL("one") KERNEL("_Z3twov"), "\n\n__global__ void two() {}\n", 3, "the lab does not ask for a kernel 'two()'",
     "it needs the words extern \"C\" in front and no template"},
    {KERNEL("one") KERNEL("_Z3twoIfEvv"), "", 0, "the lab does not ask for a kernel 'void two<float>()'", NULL},
    {KERNEL("one") KERNEL("_Z3tooPf"), "__global__ void too(float *x) {}\n", 1,
     "the lab does not ask for a kernel 'too(float*)'", "'two' is missing: was its name changed?"},
    {KERNEL("one") KERNEL("two") KERNEL("_Z4morev"), "\n__global__ void more() {}\n", 2,
     "the lab does not ask for a kernel 'more()'",
     "make it a __device__ function and call it from a kernel that the lab asks for"},
    {KERNEL("one") KERNEL("two") KERNEL("_ZN1n4moreEv"), "", 0, "the lab does not ask for a kernel 'n::more()'",
     "it comes with a header that the file includes: leave the #include out, the lab needs none"},
    {KERNEL("one") KERNEL("two") KERNEL("_ZN1n4moreEv"), "namespace n {}", 0, "the lab does not ask for a kernel 'n::more()'",
     "make it a __device__ function and call it from a kernel that the lab asks for"},
    {KERNEL("_Z4morei"), "", 0, "the file has 'more' and none of the kernels that lab 07 asks for",
     "is it the file of another lab? make reset LAB=07 puts the exercise back"},
};

START_TEST(a_file_has_the_kernels_that_its_lab_asks_for)
{
    Diag diag = {0};
    Goals *goals = goals_parse("", facts, "lab.goals", &diag);
    ck_assert_msg(goals, "%s", diag.message);
    Lab lab = {.goals = goals, .name = "kernel.cu"};
    Program *program = parsed_of(".version 7.0\n.target sm_75\n.address_size 64\n%s", files[_i].ptx);
    lab.source.program = program;
    lab.source.text = (char *)files[_i].text;
    ck_assert_int_eq(required_kernels(&lab, &diag), !files[_i].message);
    if (files[_i].message) ck_assert_str_eq(diag.message, files[_i].message);
    if (files[_i].hint) ck_assert_str_eq(diag.hint, files[_i].hint);
    ck_assert_uint_eq(diag.line, files[_i].line);
    program_free(program);
    goals_free(goals);
}
END_TEST

SUITE("wanted", REPEATED(sizeof files / sizeof *files, a_file_has_the_kernels_that_its_lab_asks_for))
