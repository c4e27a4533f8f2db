/* Places in the source: .loc and .file, and which of the places of inlined code is shown. Names of kernels. */
#include "base/text.h"
#include "parsed.h"
#include "ptx/program.h"

#define MODULE ".version 7.0\n.target sm_75\n.address_size 64\n"

START_TEST(locations_follow_inlining_to_the_file_that_is_shown)
{
    Program *program = parsed(MODULE ".entry k() { .reg .b32 r;\n"
                                     "add.u32 r, r, 1;\n"
                                     ".loc 1 20 3\nadd.u32 r, r, 1;\n"
                                     ".loc 2 7 5, function_name $L__info_string0, inlined_at 1 20 3\nadd.u32 r, r, 1;\n"
                                     ".loc 2 99 1, function_name $L__info_string1+8, inlined_at 2 7 5\nadd.u32 r, r, 1;\n"
                                     ".loc 1 20 3\nret; }\n"
                                     ".file 1 \"/home/x/kernel.cu\"\n.file 2 \"/usr/include\" \"vector.h\"\n");
    ck_assert_uint_eq(program_location(program, 0, "kernel.cu")->line, 0);
    ck_assert_str_eq(program->files[program_location(program, 0, NULL)->file], "");
    ck_assert_uint_eq(program_location(program, 1, NULL)->line, 20);
    for (uint32_t insn = 1; insn < 5; insn++) ck_assert_uint_eq(program_location(program, insn, "kernel.cu")->line, 20);
    ck_assert_uint_eq(program_location(program, 3, "/elsewhere/vector.h")->line, 99);
    ck_assert_uint_eq(program_location(program, 3, NULL)->line, 20);
    ck_assert_uint_eq(program_location(program, 3, "other.cu")->line, 20);
    ck_assert_str_eq(program->files[2], "/usr/include/vector.h");
    ck_assert_uint_eq(program->n_locations, 4); /* unknown, 20, 7 at 20, 99 at 7: the second `.loc 1 20 3` is the first */
    ck_assert_uint_eq(program->insns[4].location, program->insns[1].location);
    program_free(program);
}
END_TEST

/* Compilers may inline all code of a line, which no .loc has then. */
START_TEST(code_is_inlined_at_places_that_have_none_of_their_own)
{
    Program *program = parsed(MODULE ".entry k() { .reg .b32 r;\n"
                                     ".loc 2 7 5, function_name $L__info_string0, inlined_at 1 20 3\nadd.u32 r, r, 1;\n"
                                     ".loc 2 8 5, inlined_at 1 21 3\nadd.u32 r, r, 1;\n"
                                     ".loc 2 9 1, inlined_at 2 8 5\nret; }\n"
                                     ".file 1 \"kernel.cu\"\n.file 2 \"vector.h\"\n");
    static const uint32_t own[] = {20, 21, 21}, header[] = {7, 8, 9};
    for (uint32_t insn = 0; insn < 3; insn++) {
        ck_assert_uint_eq(program_location(program, insn, "kernel.cu")->line, own[insn]);
        ck_assert_uint_eq(program_location(program, insn, "vector.h")->line, header[insn]);
    }
    program_free(program);
}
END_TEST

START_TEST(what_has_no_line_shows_that_of_what_follows_it)
{
    Program *program = parsed(MODULE ".entry k() { .reg .b32 r;\n"
                                     ".loc 1 4 5\nadd.u32 r, r, 1;\n"
                                     ".loc 1 0 5\nadd.u32 r, r, 1;\nadd.u32 r, r, 1;\n"
                                     ".loc 1 5 5\nadd.u32 r, r, 1;\n"
                                     ".loc 1 0 5\nret; }\n"
                                     ".entry next() {\n.loc 1 9 1\nret; }\n"
                                     ".file 1 \"/home/x/kernel.cu\"\n");
    static const uint32_t shown[] = {0, 3, 3, 3, 4, 5}; /* no line of another kernel's */
    for (uint32_t insn = 0; insn < 6; insn++) ck_assert_uint_eq(program_lined(program, insn), shown[insn]);
    ck_assert_uint_eq(program_lined(program, NO_INSN), NO_INSN);
    program_free(program);
}
END_TEST

START_TEST(a_file_stands_in_its_directory_if_it_is_not_absolute)
{
    static const struct {
        const char *given, *path;
    } rows[] = {{"\"/a\" \"b.h\"", "/a/b.h"},
                {"\"/a\" \"/b.h\"", "/b.h"},
                {"\"/a\" \"b/c.h\"", "/a/b/c.h"},
                {"\"/a\" \"b\"", "/a/b"},
                {"\"a\" \"/\"", "/"},
                {"\"/a\" \"\"", ""},
                {"\"\" \"b.h\"", "b.h"},
                {"\"b.h\"", "b.h"},
                {"\"b.h\", 1700000000", "b.h"},
                {"\"b.h\", 1700000000, 4096", "b.h"},
                {"\"/a\" \"b.h\", 18446744073709551615, 0", "/a/b.h"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text text = {0};
        text_add(&text, MODULE ".file 1 %s\n.entry k() {\n.loc 1 3 1\nret; }\n", rows[i].given);
        Program *program = parsed(text_string(&text));
        ck_assert_str_eq(program->files[1], rows[i].path);
        program_free(program);
        text_free(&text);
    }
}
END_TEST

START_TEST(a_file_number_without_a_file_has_an_empty_name)
{
    Program *program = parsed(MODULE ".entry k() {\n.loc 7 3 1\nret; }\n");
    const Location *location = program_location(program, 0, NULL);
    ck_assert_str_eq(program->files[location->file], "");
    ck_assert_uint_eq(location->line, 3);
    program_free(program);
}
END_TEST

/* Three hundred lines of a.h, each inlined into a line of its own of k.cu; nine hundred of b.h, each inlined into seventeen lines of k.cu; then one of a.h's again, from
 * code that it inlines: of k.cu it is its own line still, however often others were inlined meanwhile. */
START_TEST(a_place_is_found_among_many_that_are_inlined_often)
{
    enum { ONCE = 300, OFTEN = 900, TIMES = 17 };
    Text text = {0};
    text_add(&text, MODULE ".file 1 \"k.cu\"\n.file 2 \"a.h\"\n.file 3 \"b.h\"\n.entry k() {\n");
    for (int i = 1; i <= ONCE; i++) text_add(&text, ".loc 1 %d 1\n.loc 2 %d 1, inlined_at 1 %d 1\n", 100 + i, i, 100 + i);
    for (int time = 1; time <= TIMES; time++) {
        text_add(&text, ".loc 1 %d 1\n", time);
        for (int i = 1; i <= OFTEN; i++) text_add(&text, ".loc 3 %d 1, inlined_at 1 %d 1\n", i, time);
    }
    for (int i = 1; i <= ONCE; i++) text_add(&text, ".loc 1 %d 1\n.loc 3 1 2, inlined_at 2 %d 1\nbar.sync 0;\n", 100 + i, i);
    text_add(&text, "ret; }\n");
    Program *program = parsed(text_string(&text));
    for (uint32_t i = 0; i < ONCE; i++) {
        ck_assert_uint_eq(program_location(program, i, "a.h")->line, i + 1);
        ck_assert_uint_eq(program_location(program, i, "k.cu")->line, i + 101);
    }
    ck_assert_uint_eq(program->n_locations, 1 + 3 * ONCE + (1 + OFTEN) * TIMES); /* each once, and the unknown one */
    program_free(program);
    text_free(&text);
}
END_TEST

/* void ns::scale<float>(float*), by all that may be typed of it; blanks are no matter. */
START_TEST(a_kernel_is_found_by_what_may_be_typed_of_its_name)
{
    static const char *const names[] = {"_ZN2ns5scaleIfEEvPT_",
                                        "void ns::scale<float>(float*)",
                                        "ns::scale<float>(float*)",
                                        "ns::scale<float>",
                                        "ns::scale",
                                        "scale<float>(float*)",
                                        "scale<float>",
                                        "scale",
                                        "scale < float > (float *)"},
                             *const others[] = {"",
                                                "ns",
                                                "scal",
                                                "cale",
                                                "s::scale",
                                                "float",
                                                "scale<int>",
                                                "scale<float",
                                                "scale(float*)",
                                                "ns::scale(float*)",
                                                "scale<float>(int*)",
                                                "Scale"};
    Program *program = parsed(MODULE ".entry _ZN2ns5scaleIfEEvPT_() { ret; }\n.entry other() { ret; }\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Diag diag = {0};
        ck_assert_msg(program_kernel(program, names[i], &diag) == &program->functions[0], "%s: %s", names[i], diag.message);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Diag diag = {0};
        ck_assert_msg(!program_kernel(program, others[i], &diag), "%s", others[i]);
    }
    program_free(program);
}
END_TEST

SUITE("locations", locations_follow_inlining_to_the_file_that_is_shown, a_kernel_is_found_by_what_may_be_typed_of_its_name,
      code_is_inlined_at_places_that_have_none_of_their_own, what_has_no_line_shows_that_of_what_follows_it,
      a_file_stands_in_its_directory_if_it_is_not_absolute, a_file_number_without_a_file_has_an_empty_name,
      a_place_is_found_among_many_that_are_inlined_often)
