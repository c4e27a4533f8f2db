/* Which stores hand printf its arguments: frames as nvcc and clang lay them out, the arguments at byte 16 behind an array of the kernel's own. */
#include "kernel/printargs.h"

#include "base/text.h"
#include "kernel/kernel.h"
#include "parsed.h"

static const char head[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                           ".extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments);\n"
                           ".visible .entry k(.param .u64 format) {\n"
                           "    .local .align 16 .b8 depot[48];\n"
                           "    .reg .b64 %SP, %SPL, %rd<9>; .reg .b32 %r<9>;\n"
                           "    mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL;\n"        /* 0, 1 */
                           "    ld.param.u64 %rd1, [format]; mov.u32 %r1, %tid.x;\n"     /* 2, 3 */
                           "    add.u64 %rd2, %SPL, 0; st.local.u32 [%rd2], %r1;\n"      /* 4, 5: the kernel's own */
                           "    add.u64 %rd3, %SP, 16; add.u64 %rd4, %SPL, 16;\n"        /* 6, 7 */
                           "    st.local.u32 [%rd4], %r1; st.local.u32 [%rd4+4], %r1;\n" /* 8, 9 */
                           "    add.u64 %rd5, %rd2, %rd1; st.local.u32 [%rd5], %r1;\n";  /* 10, 11: by a computed index */

static const char call[] =
    "    { .param .b64 a; st.param.b64 [a+0], %rd1; .param .b64 b; st.param.b64 [b+0], %rd3;\n" /* 12, 13 */
    "      .param .b32 c; call.uni (c), vprintf, (a, b); ld.param.b32 %r2, [c+0]; }\n";         /* 14, 15 */

static Program *parse(const char *tail) { return parsed_of("%s%s    ret;\n}\n", head, tail); }

START_TEST(the_stores_of_arguments_are_found_and_no_others)
{
    Program *program = parse(call);
    const Kernel *kernel = prepared(program, "k");
    ck_assert(kernel->prints);
    for (uint32_t i = 0; i < program->n_insns; i++)
        ck_assert_msg(!(kernel->traits[i] & TRAIT_PRINTS) == (i != 8 && i != 9), "instruction %u", i);
    program_free(program);
}
END_TEST

/* 8 and 8 are 16; 8 more are elsewhere. */
START_TEST(sums_of_sums_lead_to_the_arguments)
{
    LOCAL_TEXT tail = {0};
    text_add(&tail,
             "add.u64 %%rd6, %%SPL, 8; add.u64 %%rd7, %%rd6, 8; st.local.u32 [%%rd7+8], %%r1;\n" /* 12, 13, 14 */
             "add.u64 %%rd8, %%rd7, 8; st.local.u32 [%%rd8], %%r1;\n%s",                         /* 15, 16 */
             call);
    Program *program = parse(text_string(&tail));
    const Kernel *kernel = prepared(program, "k");
    for (uint32_t i = 0; i < program->n_insns; i++)
        ck_assert_msg(!(kernel->traits[i] & TRAIT_PRINTS) == (i != 8 && i != 9 && i != 14), "instruction %u", i);
    program_free(program);
}
END_TEST

START_TEST(a_kernel_that_prints_nothing_has_none)
{
    Program *program = parse("");
    ck_assert(!prepared(program, "k")->prints);
    program_free(program);
}
END_TEST

START_TEST(printf_is_what_is_called_so_and_has_a_format_and_arguments)
{
    static const struct {
        const char *declared, *call;
        bool prints;
    } rows[] = {
        {".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);", "call (%r1), vprintf, (%d1, %d2);", true},
        {".extern .func (.param .b32 r) vprintg(.param .b64 f, .param .b64 a);", "call (%r1), vprintg, (%d1, %d2);", false},
        {".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a, .param .b64 b);",
         "call (%r1), vprintf, (%d1, %d2, %d2);", false},
        {".extern .func (.param .b32 r) vprintf(.param .b64 f);", "call (%r1), vprintf, (%d1);", false},
        {".func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a) { ret; }", "call (%r1), vprintf, (%d1, %d2);", false},
        {".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);", "", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Program *program = parsed_of(".version 7.0\n.target sm_75\n.address_size 64\n%s\n.visible .entry k() {\n"
                                     ".reg .b32 %%r<2>; .reg .b64 %%d<4>;\nmov.u64 %%d1, 0; mov.u64 %%d2, 0; %s\nret;\n}\n",
                                     rows[i].declared, rows[i].call);
        ck_assert_msg(prepared(program, "k")->prints == rows[i].prints, "%s %s", rows[i].declared, rows[i].call);
        program_free(program);
    }
}
END_TEST

SUITE("printargs", printf_is_what_is_called_so_and_has_a_format_and_arguments, the_stores_of_arguments_are_found_and_no_others,
      sums_of_sums_lead_to_the_arguments, a_kernel_that_prints_nothing_has_none)
