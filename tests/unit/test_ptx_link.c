/* Modules that are linked: which names are one thing, which are each module's own, and what is missing or there twice. */
#include <stdlib.h>

#include "parsed.h"
#include "ptx/opcode.h"

#define MODULE ".version 7.0\n.target sm_75\n.address_size 64\n"
#define DECLARED ".extern .func (.param .b32 r) twice (.param .b32 x);\n"
#define CALL "{ .param .b32 x; .param .b32 r; call (r), twice, (x); }"
#define TWICE \
    ".func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r<2>; ld.param.b32 %r1, [x]; st.param.b32 [r], %r1; ret; }\n"

static Program *link_two(const char *a, const char *b, Diag *diag) {
    const ProgramText texts[] = {{a, strlen(a), "a.o"}, {b, strlen(b), "b.o"}};
    return program_link(texts, 2, diag);
}

static Program *linked(const char *a, const char *b) {
    Diag diag = {0};
    Program *program = link_two(a, b, &diag);
    ck_assert_msg(program && !diag.set, "%s:%u: %s", diag.file, diag.line, diag.message);
    return program;
}

static const Function *called(const Program *program, const char *kernel) {
    const Function *function = program_kernel(program, kernel, &(Diag){0});
    ck_assert_ptr_nonnull(function);
    for (uint32_t i = function->first; i < function->first + function->count; i++)
        if (program->insns[i].op == OP_call) return &program->functions[program->insns[i].call->function];
    ck_abort_msg("'%s' calls nothing", kernel);
    return NULL;
}

/* The variable whose address the kernel's first mov takes. */
static uint32_t taken(const Program *program, const char *kernel) {
    const Function *function = program_kernel(program, kernel, &(Diag){0});
    ck_assert_ptr_nonnull(function);
    return program->insns[function->first].operands[1].index;
}

START_TEST(a_function_is_called_in_another_module_before_and_behind_its_own)
{
    const char *caller = MODULE DECLARED ".visible .entry k() {" CALL " ret; }\n", *callee = MODULE ".visible " TWICE;
    for (int order = 0; order < 2; order++) {
        Program *program = linked(order ? callee : caller, order ? caller : callee);
        ck_assert(called(program, "k")->is_defined);
        ck_assert_uint_eq(called(program, "k")->count, 3);
        program_free(program);
    }
}
END_TEST

START_TEST(what_is_not_visible_is_its_modules_own)
{
    Program *program =
        linked(MODULE TWICE ".visible .entry j() {" CALL " ret; }\n", MODULE TWICE ".visible .entry k() {" CALL " ret; }\n");
    ck_assert_ptr_ne(called(program, "j"), called(program, "k"));
    program_free(program);
}
END_TEST

#define ADDRESS "{ .reg .b64 %rd<2>; mov.u64 %rd1, at; ret; }\n"

START_TEST(variables_of_other_modules_have_their_initial_values)
{
    const char *user = MODULE ".extern .const .align 4 .b8 at[];\n.visible .entry k() " ADDRESS;
    const char *owner = MODULE ".visible .const .align 4 .b8 at[8] = {7, 8};\n.visible .entry j() " ADDRESS;
    for (int order = 0; order < 2; order++) {
        Program *program = linked(order ? owner : user, order ? user : owner);
        const Variable *at = &program->variables[taken(program, "k")];
        ck_assert_uint_eq(taken(program, "k"), taken(program, "j"));
        ck_assert(!at->external);
        ck_assert_uint_eq(at->bytes, 8);
        ck_assert_uint_eq(at->init[1], 8);
        program_free(program);
    }
}
END_TEST

/* A template's, or an inline one's: both modules have it, and the first stands for both. */
START_TEST(of_weak_ones_the_first_is_taken)
{
    const char *first = MODULE ".weak .global .align 4 .u32 at = 1;\n.weak " TWICE ".visible .entry j() {" CALL " ret; }\n";
    const char *second = MODULE ".weak .global .align 4 .u32 at = 2;\n.weak " TWICE ".visible .entry k() {" CALL
                                " ret; }\n.weak .entry m() " ADDRESS;
    Program *program = linked(first, second);
    ck_assert_ptr_eq(called(program, "j"), called(program, "k"));
    const Variable *at = &program->variables[taken(program, "m")];
    ck_assert_uint_eq(at->init[0], 1);
    program_free(program);
}
END_TEST

/* PTX ISA, ".weak": it "will be chosen only if there are no global symbols matching that name". The strong function has four instructions, the weak
 * ones three. */
START_TEST(weak_ones_give_way_in_either_order)
{
    const char *weak = MODULE ".weak .global .align 8 .u32 at = 1;\n.weak " TWICE ".visible .entry j() {" CALL " ret; }\n";
    const char *strong =
        MODULE ".visible .global .align 4 .b8 at[8] = {2};\n"
               ".visible .func (.param .b32 r) twice(.param .b32 y) { .reg .b32 %r<3>; ld.param.b32 %r1, [y];\n"
               "add.u32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret; }\n"
               ".visible .entry k() {" CALL " ret; }\n.visible .entry m() " ADDRESS;
    for (int order = 0; order < 2; order++) {
        Program *program = linked(order ? strong : weak, order ? weak : strong);
        ck_assert_ptr_eq(called(program, "j"), called(program, "k"));
        ck_assert_uint_eq(called(program, "j")->count, 4);
        ck_assert(!called(program, "j")->is_weak);
        const Variable *at = &program->variables[taken(program, "m")];
        ck_assert_uint_eq(at->bytes, 8);
        ck_assert_uint_eq(at->align, 8);
        ck_assert_uint_eq(at->init[0], 2);
        program_free(program);
    }
}
END_TEST

/* Also where a weak one stands before them, or between them. */
START_TEST(two_strong_ones_are_refused_beside_weak_ones)
{
    static const char *const rows[][2] = {
        {MODULE ".weak " TWICE, MODULE ".visible " TWICE},
        {MODULE ".weak .global .align 4 .u32 at;\n", MODULE ".visible .global .align 4 .u32 at;\n"}};
    for (size_t i = 0; i < 2; i++)
        for (int between = 0; between < 2; between++) {
            const char *weak = rows[i][0], *strong = rows[i][1];
            const char *first = between ? strong : weak, *second = between ? weak : strong;
            const ProgramText texts[] = {
                {first, strlen(first), "a.o"}, {second, strlen(second), "b.o"}, {strong, strlen(strong), "c.o"}};
            Diag diag = {0};
            ck_assert_ptr_null(program_link(texts, 3, &diag));
            ck_assert_str_eq(diag.file, "c.o");
            ck_assert_msg(strstr(diag.message, between ? "is defined in a.o too" : "is defined in b.o too"), "%s",
                          diag.message);
        }
}
END_TEST

START_TEST(a_declaration_leaves_the_limits_of_what_is_defined)
{
    const char *defined = MODULE ".visible .entry k() .maxntid 64, 2 .reqnctapercluster 2 { ret; }\n",
               *declared = MODULE ".extern .entry k();\n";
    for (int order = 0; order < 2; order++) {
        Program *program = linked(order ? declared : defined, order ? defined : declared);
        const Function *k = program_kernel(program, "k", &(Diag){0});
        ck_assert_ptr_nonnull(k);
        ck_assert_uint_eq(k->max_threads[0], 64);
        ck_assert_uint_eq(k->max_threads[1], 2);
        ck_assert_uint_eq(k->cluster[0], 2);
        program_free(program);
    }
}
END_TEST

START_TEST(places_are_those_of_each_modules_own_files)
{
    Program *program = linked(MODULE ".file 1 \"a.cu\"\n.visible .entry j() { .loc 1 5 0\n ret; }\n",
                              MODULE ".file 1 \"b.cu\"\n.visible .entry k() { .loc 1 6 0\n ret; }\n");
    const Function *k = program_kernel(program, "k", &(Diag){0});
    const Location *place = program_location(program, k->first, NULL);
    ck_assert_str_eq(program->files[place->file], "b.cu");
    ck_assert_uint_eq(place->line, 6);
    program_free(program);
}
END_TEST

START_TEST(what_is_defined_twice_is_told_with_both_modules)
{
    static const char *const both[] = {MODULE ".visible " TWICE, MODULE ".visible .global .align 4 .u32 at;\n"};
    for (size_t i = 0; i < 2; i++) {
        Diag diag = {0};
        ck_assert_ptr_null(link_two(both[i], both[i], &diag));
        ck_assert_str_eq(diag.file, "b.o");
        ck_assert_msg(strstr(diag.message, "is defined in a.o too"), "%s", diag.message);
    }
}
END_TEST

START_TEST(what_no_module_defines_stays_undefined)
{
    Program *program =
        linked(MODULE DECLARED ".visible .entry k() {" CALL " ret; }\n", MODULE ".extern .global .align 4 .u32 at;\n");
    ck_assert(!called(program, "k")->is_defined);
    bool external = false;
    for (uint32_t v = 0; v < program->n_variables; v++) external |= program->variables[v].external;
    ck_assert(external);
    program_free(program);
}
END_TEST

SUITE("ptx link", a_function_is_called_in_another_module_before_and_behind_its_own, what_is_not_visible_is_its_modules_own,
      variables_of_other_modules_have_their_initial_values, of_weak_ones_the_first_is_taken, weak_ones_give_way_in_either_order,
      two_strong_ones_are_refused_beside_weak_ones, a_declaration_leaves_the_limits_of_what_is_defined,
      places_are_those_of_each_modules_own_files, what_is_defined_twice_is_told_with_both_modules,
      what_no_module_defines_stays_undefined)
