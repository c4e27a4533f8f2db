/* The module around the instructions: directives, variables and initialisers, functions, scopes, names, limits. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "left_out.h"
#include "parsed.h"
#include "ptx/opcode.h"
#include "ptx/program.h"
#include "refused.h"

#define MODULE ".version 7.0\n.target sm_75\n.address_size 64\n"

static const Variable *variable(const Program *program, const char *name) {
    for (uint32_t i = 0; i < program->n_variables; i++)
        if (strcmp(program->variables[i].name, name) == 0) return &program->variables[i];
    ck_abort_msg("no variable '%s'", name);
    return NULL;
}

static const Function *function(const Program *program, const char *name) {
    for (uint32_t i = 0; i < program->n_functions; i++)
        if (strcmp(program->functions[i].name, name) == 0) return &program->functions[i];
    ck_abort_msg("no function '%s'", name);
    return NULL;
}

/* -- the module */

START_TEST(version_and_target_are_kept)
{
    Program *program = parsed(".version 8.4\n.target sm_90a, texmode_independent\n.address_size 64\n");
    ck_assert_uint_eq(program->version_major, 8);
    ck_assert_uint_eq(program->version_minor, 4);
    ck_assert_uint_eq(program->target, 90);
    ck_assert_uint_eq(program->n_insns, 0);
    program_free(program);
}
END_TEST

START_TEST(what_is_not_ptx_is_refused_at_its_first_token)
{
    refuse("", 1, 1, ".version");
    refuse("int main() {}", 1, 1, "is this PTX at all");
    refuse(".version 5.0\n.target sm_60\n", 1, 10, "5.0");
    refuse(".version 10.0\n", 1, 10, "10.0");
    refuse(".version 7.0\n.target sm_\n", 2, 9, "sm_");
    refuse(".version 7.0\n", 2, 1, ".target");
    refuse(".version 7.0\n.target sm_75\n.address_size 32\n", 3, 15, "32");
    refuse(MODULE ".frobnicate 3\n", 4, 1, "'.frobnicate'");
    refuse(MODULE "add.s32 %r1, %r2, %r3;\n", 4, 1, "braces");
    refuse(MODULE "#define x\n", 4, 1, "character");
    refuse(MODULE "/* never closed\n\n", 4, 1, "comment never ends");
    refuse(MODULE ".file 1 \"never closed\n", 4, 9, "string never ends");
    refuse(MODULE ".tex .u64 t;\n", 4, 1, "textures");
    refuse(MODULE ".global .texref t;\n", 4, 9, "textures");
    refuse(MODULE ".reg .b32 %r1;\n", 4, 1, "only inside a function");
    refuse(MODULE ".file 70000 \"x\"\n", 4, 7, "out of range");
    refuse(MODULE ".entry k() {\n.loc 4000000000 3 1\nret; }\n", 5, 6, "out of range");
}
END_TEST

START_TEST(nul_bytes_and_high_bytes_are_refused_outside_comments)
{
    char text[] = MODULE "// \x80\xff\n.global .b32 x; \0";
    Diag diag = {0};
    ck_assert_ptr_null(program_parse(text, sizeof text - 1, "a.ptx", &diag));
    ck_assert_uint_eq(diag.line, 5);
    ck_assert_uint_eq(diag.column, 17);
}
END_TEST

START_TEST(the_offending_line_is_quoted)
{
    const char *text = MODULE ".entry k() {\n  lop9.b32 %r1;\n}\n";
    Diag diag = {0};
    ck_assert_ptr_null(program_parse(text, strlen(text), "stride.ptx", &diag));
    ck_assert_str_eq(diag.source, "  lop9.b32 %r1;");
    ck_assert_str_eq(diag.message, "unknown opcode 'lop9'");
    ck_assert_uint_eq(diag.line, 5);
    ck_assert_uint_eq(diag.column, 3);
}
END_TEST

START_TEST(comments_are_white_space)
{
    Program *program =
        parsed(MODULE "/**/.global/* a * b / c **/.u32/*/ .global .u32 x; */y/***/;// to the end /* of the line\n"
                      ".global .u8 z;\n");
    ck_assert_uint_eq(program->n_variables, 2);
    ck_assert_str_eq(program->variables[0].name, "y");
    ck_assert_str_eq(program->variables[1].name, "z");
    program_free(program);
    refuse(MODULE "/* 1\n 2 */ .frobnicate 3\n", 5, 7, "'.frobnicate'");
    refuse(MODULE "  /*/", 4, 3, "comment never ends");
}
END_TEST

START_TEST(debug_sections_and_pragmas_are_skipped)
{
    Program *program =
        parsed(MODULE ".section .debug_info {\n.b32 .debug_abbrev\nL: .b8 1,2\n.b64 L+4\n}\n.pragma \"x\", \"y\";\n"
                      ".entry k() { .pragma \"nounroll\"; ret; }\n");
    ck_assert_uint_eq(program->n_insns, 1);
    program_free(program);
    program = parsed(MODULE ".entry k() { .reg .b32 r; mov.u32 r, 1; .pragma \"nounroll\"; mov.u32 r, 2; mov.u32 r, 3; }\n");
    for (unsigned i = 0; i < 3; i++) ck_assert_int_eq((program->insns[i].flags & INSN_NOUNROLL) != 0, i == 1); /* the next */
    program_free(program);
}
END_TEST

/* -- variables */

/* PTX ISA, "Identifiers"; ptxas 13.0 takes these. A remainder's '%' has a blank behind it. */
START_TEST(registers_may_have_any_name_that_there_is)
{
    Program *program =
        parsed(MODULE ".entry k() { .reg .b32 %4, %5x, _1, $1, %_, a$<2>, %4x<3>; add.u32 %4, %5x, _1; mov.u32 a$1, %4x2; }\n");
    static const char *const names[] = {"%4", "%5x", "_1", "$1", "%_", "a$0", "a$1", "%4x0", "%4x1", "%4x2"};
    ck_assert_uint_eq(program->functions[0].n_registers, sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_str_eq(program->functions[0].registers[i].name, names[i]);
    program_free(program);
}
END_TEST

START_TEST(variables_have_size_alignment_and_space)
{
    Program *program = parsed(MODULE ".visible .global .align 16 .f32 a[2][3];\n.const .u16 b, c[5];\n"
                                     ".extern .shared .align 8 .b8 d[];\n.global .v4 .f32 e;\n.weak .global .u64 f;\n"
                                     ".global .attribute(.managed) .align 4 .u32 g;\n");
    const Variable *a = variable(program, "a"), *d = variable(program, "d"), *e = variable(program, "e");
    ck_assert_uint_eq(a->bytes, 24);
    ck_assert_uint_eq(a->align, 16);
    ck_assert_uint_eq(a->space, SPACE_GLOBAL);
    ck_assert_uint_eq(a->function, NO_INDEX);
    ck_assert_ptr_null(a->init);
    ck_assert_uint_eq(variable(program, "b")->align, 2);
    ck_assert_uint_eq(variable(program, "c")->bytes, 10);
    ck_assert_uint_eq(variable(program, "c")->space, SPACE_CONST);
    ck_assert_uint_eq(d->bytes, 0);
    ck_assert(d->external);
    ck_assert_uint_eq(e->bytes, 16);
    ck_assert_uint_eq(e->align, 16);
    program_free(program);
    program = parsed(
        MODULE ".global .align 1 .u32 a;\n.global .attribute(.unified(1, 2)) .u32 b;\n"
               ".global .attribute(.managed) .u32 c;\n.global .attribute(.managed) .attribute(.unified(1, 2)) .u32 d;\n"
               ".global .attribute(.managed, .unified(1, 2)) .u32 e;\n.global .attribute(.unified(1, 2), .managed) .u32 f;\n");
    ck_assert_uint_eq(variable(program, "a")->align, 1); /* as ptxas takes it, below the natural one */
    static const char *const managed[] = {"c", "d", "e", "f"};
    for (size_t i = 0; i < sizeof managed / sizeof *managed; i++) ck_assert(variable(program, managed[i])->managed);
    ck_assert(!variable(program, "b")->managed);
    program_free(program);
}
END_TEST

START_TEST(initialisers_become_little_endian_bytes)
{
    Program *program =
        parsed(MODULE ".global .u32 a = 0x01020304;\n.global .s16 b[4] = {-2, 3};\n.global .f32 c[2] = {0f3F800000, 2.0};\n"
                      ".global .u8 d[2][3] = {{1}, {4, 5}};\n.global .b8 e[] = \"\\n\\1012\\18\\0337\\x4ag\\q\\x7,\\\"\\\\\";\n"
                      ".global .u8 f[] = {9, 8, 7};\n.global .f64 g = 0d4000000000000000;\n"
                      ".const .v2 .u16 h[2] = {{1, 2}, {3, 4}};\n.global .b8 i[4] = {\"\\xff\", 7}, j[4] = \"a\";\n");
    static const uint8_t a[] = {4, 3, 2, 1}, b[] = {0xfe, 0xff, 3, 0, 0, 0, 0, 0}, c[] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40},
                         d[] = {1, 0, 0, 4, 5, 0}, e[] = {'\n', 'A', '2', 1, '8', 27, '7', 'J', 'g', 'q', 7, ',', '"', '\\'},
                         f[] = {9, 8, 7}, g[] = {0, 0, 0, 0, 0, 0, 0, 0x40}, h[] = {1, 0, 2, 0, 3, 0, 4, 0},
                         i_[] = {0xff, 7, 0, 0}, j[] = {'a', 0, 0, 0};
    static const struct {
        const char *name;
        const uint8_t *bytes;
        size_t count;
    } rows[] = {{"a", a, sizeof a}, {"b", b, sizeof b}, {"c", c, sizeof c}, {"d", d, sizeof d},   {"e", e, sizeof e},
                {"f", f, sizeof f}, {"g", g, sizeof g}, {"h", h, sizeof h}, {"i", i_, sizeof i_}, {"j", j, sizeof j}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Variable *found = variable(program, rows[i].name);
        ck_assert_uint_eq(found->bytes, rows[i].count);
        ck_assert_mem_eq(found->init, rows[i].bytes, rows[i].count);
    }
    program_free(program);
}
END_TEST

START_TEST(addresses_in_initialisers_become_relocations)
{
    Program *program = parsed(MODULE ".func f() { ret; }\n.global .u32 x[4];\n.global .u64 t[4] = {1, x+8, generic(x), f};\n");
    const Variable *t = variable(program, "t");
    ck_assert_uint_eq(t->n_relocations, 3);
    ck_assert_uint_eq(t->relocations[0].at, 8);
    ck_assert_int_eq(t->relocations[0].addend, 8);
    ck_assert(!t->relocations[0].generic && !t->relocations[0].is_function);
    ck_assert_str_eq(program->variables[t->relocations[0].index].name, "x");
    ck_assert(t->relocations[1].generic);
    ck_assert_uint_eq(t->relocations[2].at, 24);
    ck_assert(t->relocations[2].is_function);
    ck_assert_str_eq(program->functions[t->relocations[2].index].name, "f");
    program_free(program);
}
END_TEST

START_TEST(bad_variables_are_refused)
{
    refuse(MODULE ".global .u32 x; .global .u32 x;\n", 4, 30, "declared already");
    refuse(MODULE ".extern .global .u32 x; .const .u32 x;\n", 4, 37, "declared already");
    refuse(MODULE ".global .u32 x; .extern .const .u32 x;\n", 4, 37, "declared already");
    refuse(MODULE ".func x() { ret; } .extern .global .u32 x;\n", 4, 41, "declared already");
    refuse(MODULE ".global .b33 x;\n", 4, 9, "'.b33'");
    static const char *const instructions_alone[] = {"tf32", "bf16", "bf16x2", "u16x2", "s16x2"};
    for (size_t i = 0; i < sizeof instructions_alone / sizeof *instructions_alone; i++) {
        LOCAL_TEXT global = text_from(MODULE ".global .%s x;\n", instructions_alone[i]);
        LOCAL_TEXT reg = text_from(MODULE ".func f() { .reg .%s x; ret; }\n", instructions_alone[i]);
        refuse(text_string(&global), 4, 9, "unknown type");
        refuse(text_string(&reg), 4, 18, "unknown type");
    }
    refuse(MODULE ".global .u32 y; .global .f64 x = y;\n", 4, 34, "does not fit in .f64");
    refuse(MODULE ".global .pred x;\n", 4, 9, "predicate");
    refuse(MODULE ".global .align 3 .u32 x;\n", 4, 16, "power of two");
    refuse(MODULE ".global .u8 x[2][3] = {1, 2};\n", 4, 24, "'{', for a row"); /* ptxas: "Initial value type mismatch" */
    refuse(MODULE ".global .u8 x[][3] = {{1}, 2};\n", 4, 28, "'{', for a row");
    refuse(MODULE ".global .u32 x[];\n", 4, 14, "size");
    refuse(MODULE ".global .u32 x[2] = {1, 2, 3};\n", 4, 28, "room");
    refuse(MODULE ".global .u32 x[2] = {{1}};\n", 4, 22, "braces");
    refuse(MODULE ".global .u32 x[2] = {1, 2;\n", 4, 26, "'}' is expected");
    refuse(MODULE ".global .u32 x[2][2] = {{1, 2;\n", 4, 30, "'}' is expected");
    refuse(MODULE ".global .u32 x = 1.5;\n", 4, 18, "floating");
    refuse(MODULE ".global .f32 x = 1;\n", 4, 18, "integer");
    refuse(MODULE ".global .u32 x = y;\n", 4, 18, "'y'");
    refuse(MODULE ".global .u32 x; .global .u32 y = x;\n", 4, 34, ".u64");
    refuse(MODULE ".global .u32 x; .global .b8 y[2] = {0xFF(x), 0xFF00(x)};\n", 4, 37, "0xFF(x)");
    refuse(MODULE ".shared .u32 x = 1;\n", 4, 14, "initial values");
    refuse(MODULE ".global .b8 x[67108865] = {1};\n", 4, 13, "64 MiB");
    refuse(MODULE ".global .b8 x[4294967295][4294967295];\n", 4, 13, "larger than any memory");
    refuse(MODULE ".global .b8 x[][4294967295][4294967295] = {{{1}}};\n", 4, 13, "larger than any memory");
    refuse(MODULE ".const .b8 x[655361];\n", 4, 12, "640 KiB");
}
END_TEST

START_TEST(an_extern_declaration_and_its_definition_are_one_variable)
{
    Program *program =
        parsed(MODULE ".extern .global .u32 x[2];\n.visible .global .u32 x[2] = {1, 2};\n.extern .global .u32 x[2];\n");
    ck_assert_uint_eq(program->n_variables, 1);
    ck_assert(!program->variables[0].external);
    ck_assert_ptr_nonnull(program->variables[0].init);
    program_free(program);
    /* of two alignments both hold where the larger one does */
    program = parsed(MODULE ".extern .global .align 4 .b8 x[8];\n.visible .global .align 16 .b8 x[8];\n"
                            ".extern .shared .align 16 .b8 y[];\n.extern .shared .align 4 .b8 y[];\n"
                            ".extern .shared .align 4 .b8 z[];\n.extern .shared .align 16 .b8 z[];\n");
    ck_assert_uint_eq(program->n_variables, 3);
    for (uint32_t i = 0; i < 3; i++) ck_assert_uint_eq(program->variables[i].align, 16);
    program_free(program);
    program = parsed(MODULE ".extern .shared .b8 x[];\n.extern .shared .b8 x[];\n.func f() { .shared .b8 x[4]; ret; }\n");
    ck_assert_uint_eq(program->n_variables, 2); /* a function's own hides the module's */
    ck_assert(program->variables[0].external && !program->variables[1].external);
    program_free(program);
}
END_TEST

/* -- functions */

START_TEST(kernel_parameters_are_placed_by_alignment)
{
    /* u8 at 0, u64 at 8, 12 bytes aligned to 4 at 16, f64 at 32: 40 bytes */
    Program *program =
        parsed(MODULE ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 4 b, .param .align 4 .b8 c[12],\n"
                      ".param .f64 d) .maxntid 256, 2 .minnctapersm 2 { ret; }\n");
    const Function *k = function(program, "k");
    static const uint64_t offsets[] = {0, 8, 16, 32};
    ck_assert(k->is_entry && k->is_defined);
    ck_assert_uint_eq(k->n_params, 4);
    ck_assert_uint_eq(k->param_bytes, 40);
    ck_assert_uint_eq(k->frame_bytes, 0);
    ck_assert_uint_eq(k->max_threads[0], 256);
    ck_assert_uint_eq(k->max_threads[1], 2);
    ck_assert_uint_eq(k->max_threads[2], 1);
    ck_assert_uint_eq(k->required_threads[0], 0);
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(program->variables[k->params[i]].offset, offsets[i]);
        ck_assert(program->variables[k->params[i]].formal);
    }
    program_free(program);
}
END_TEST

START_TEST(a_frame_holds_formals_locals_and_call_parameters)
{
    /* formal a at 0 (8 bytes), result at 8 (4), local at 16 (aligned to 16, 20 bytes), then two scopes that reuse 40 (8 bytes): 48 */
    Program *program = parsed(MODULE ".func (.param .b32 r) f(.param .b64 a) { .local .align 16 .b8 l[20];\n"
                                     "{ .param .b64 p; } { .param .b64 p; } ret; }\n");
    const Function *f = function(program, "f");
    ck_assert_uint_eq(program->variables[f->params[0]].offset, 0);
    ck_assert_uint_eq(program->variables[f->result].offset, 8);
    ck_assert_uint_eq(variable(program, "l")->offset, 16);
    ck_assert_uint_eq(variable(program, "p")->offset, 40);
    ck_assert(!variable(program, "p")->formal);
    ck_assert_uint_eq(f->frame_bytes, 48);
    program_free(program);
}
END_TEST

START_TEST(the_last_instruction_is_a_ret_or_exit_that_nothing_skips)
{
    Program *program = parsed(MODULE ".entry a() { }\n.entry b() { exit; }\n.entry c() { .reg .pred p; @p ret; }\n"
                                     ".entry d() { bra L; ret; L: }\n.entry e() { trap; }\n");
    static const struct {
        const char *name;
        uint32_t count;
        uint8_t last;
    } rows[] = {{"a", 1, OP_ret}, {"b", 1, OP_exit}, {"c", 2, OP_ret}, {"d", 3, OP_ret}, {"e", 2, OP_ret}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Function *found = function(program, rows[i].name);
        const Insn *last = &program->insns[found->first + found->count - 1];
        ck_assert_uint_eq(found->count, rows[i].count);
        ck_assert(last->op == rows[i].last && !last->guarded);
    }
    ck_assert_uint_eq(program->insns[function(program, "d")->first].target, function(program, "d")->first + 2);
    program_free(program);
}
END_TEST

START_TEST(register_parameters_pass_through_hidden_variables)
{
    /* ld.param %a; add; st.param; ret */
    Program *program = parsed(MODULE ".func (.reg .u32 r) f(.reg .u32 a) { add.u32 r, a, 1; ret; }\n");
    const Function *f = function(program, "f");
    static const uint8_t ops[] = {OP_ld, OP_add, OP_st, OP_ret};
    ck_assert_uint_eq(f->count, 4);
    for (int i = 0; i < 4; i++) ck_assert_uint_eq(program->insns[f->first + i].op, ops[i]);
    ck_assert_uint_eq(program->insns[f->first].operands[1].index, f->params[0]);
    ck_assert_uint_eq(program->insns[f->first + 2].operands[0].index, f->result);
    program_free(program);
}
END_TEST

START_TEST(declarations_and_aliases_lead_to_the_definition)
{
    Program *program =
        parsed(MODULE ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.func f(.param .b32 a);\n"
                      ".func g(.param .b32 a);\n.alias g, f;\n.weak .func f(.param .b32 a) { ret; }\n"
                      ".func h() .noreturn { trap; }\n");
    ck_assert_uint_eq(program->n_functions, 4);
    ck_assert(!function(program, "vprintf")->is_defined);
    ck_assert_uint_eq(function(program, "vprintf")->n_params, 2);
    ck_assert(function(program, "f")->is_weak);
    ck_assert_uint_eq(function(program, "g")->first, function(program, "f")->first);
    ck_assert(function(program, "g")->is_defined);
    program_free(program);
}
END_TEST

/* Each thing in which a declaration may differ from the one above it, alone; names and types of the same size are no matter. */
START_TEST(declarations_of_one_function_agree)
{
    static const struct {
        const char *again;
        bool agrees;
    } rows[] = {
        {".func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 b[16]);", true},
        {".func (.param .u32 _) f(.param .f32 _, .param .align 8 .b64 x[2]);", true},
        {".func (.param .b64 r) f(.param .b32 a, .param .align 8 .b8 b[16]);", false},
        {".func f(.param .b32 a, .param .align 8 .b8 b[16]);", false},
        {".func () f(.param .b32 a, .param .align 8 .b8 b[16]);", false},
        {".func (.param .b32 r) f(.param .b32 a);", false},
        {".func (.param .b32 r) f(.param .b16 a, .param .align 8 .b8 b[16]);", false},
        {".func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 b[15]);", false},
        {".func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 b[16], .param .b8 c);", false},
        {".entry f(.param .b32 a, .param .align 8 .b8 b[16]) { ret; }", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text text = {0};
        Diag diag = {0};
        text_add(&text, MODULE ".func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 b[16]);\n%s\n", rows[i].again);
        Program *program = program_parse(text_string(&text), text.length, "again.ptx", &diag);
        ck_assert_msg((program != NULL) == rows[i].agrees, "%s: %s", rows[i].again, diag.message);
        ck_assert_msg(program || strstr(diag.message, "'f' was declared with other parameters above"), "%s", diag.message);
        program_free(program);
        text_free(&text);
    }
}
END_TEST

START_TEST(bad_functions_are_refused)
{
    refuse(MODULE ".func f() { ret; }\n.func f() { ret; }\n", 5, 7, "has a body already");
    refuse(MODULE ".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }\n", 5, 7, "other parameters");
    refuse(MODULE ".func (.param .b32 a, .param .b32 b) f();\n", 4, 21, "more than one result");
    refuse(MODULE ".func f(.param .b8 a[]);\n", 4, 22, "unknown size");
    refuse(MODULE ".entry k(.param .b8 a[40000]) { ret; }\n", 4, 10, "32764");
    refuse(MODULE ".entry k() .reqnctapercluster 2, 0 { ret; }\n", 4, 34, "0 blocks");
    refuse(MODULE ".entry k() .blocksareclusters { ret; }\n", 4, 12, "counted in blocks");
    refuse(MODULE ".entry k() { ret;\n", 5, 1, "text ends");
    refuse(MODULE ".entry k(.reg .u32 a) { ret; }\n", 4, 20, ".param");
    refuse(MODULE ".func f();\n.func g();\n.alias g, f;\n", 6, 8, "without a body");
    refuse(MODULE ".entry k();\n.func f() { ret; }\n.alias k, f;\n", 6, 8, "a kernel cannot be");
    refuse(MODULE ".func f();\n.entry k() { ret; }\n.alias f, k;\n", 6, 8, "a kernel cannot be");
    refuse(MODULE ".func f(.param .b32 a);\n.func g() { ret; }\n.alias f, g;\n", 6, 8, "the same parameters");
    refuse(MODULE ".func f();\n.func g(.param .b32 a) { ret; }\n.alias f, g;\n", 6, 8, "the same parameters");
    refuse(MODULE ".visible .version 8.0\n", 4, 10, ".entry, .func or a variable");
    refuse(MODULE ".section .debug_info { .b8 1\n", 5, 1, "'}' is expected");
    refuse(MODULE ".entry k() { .local .b8 x[600000]; }\n", 4, 25, "512 KiB");
    refuse(MODULE ".entry k() { .reg .b32 %r<4000000000>; }\n", 4, 27, "registers");
    refuse(MODULE ".entry k() { .reg .v2 .f32 a; }\n", 4, 19, "vector registers");
    refuse(MODULE ".entry k() { .reg .b32 a, a; }\n", 4, 27, "declared already");
    refuse(MODULE ".entry k() { .reg .b32 a<3>, a1; }\n", 4, 30, "declared already");
}
END_TEST

START_TEST(a_body_that_is_not_emulated_leaves_the_other_functions_alone)
{
    /* The error stands in an inner scope, behind a branch to a label that is not reached any more. */
    Program *program = parsed_partly(MODULE ".entry k() { .reg .b32 r; { bra L; mov.u32 r, %aggr_smem_size; { L: ret; } } }\n"
                                            ".entry l() { .reg .b32 r, L; add.u32 r, r, 1; bra M; M: ret; }\n");
    const Function *left_out = &program->functions[0], *other = &program->functions[1];
    ck_assert_ptr_nonnull(left_out->refused);
    ck_assert_uint_eq(left_out->refused->line, 4);
    ck_assert_ptr_nonnull(strstr(left_out->refused->message, "'%aggr_smem_size' is not emulated"));
    ck_assert_ptr_nonnull(strstr(left_out->refused->source, "bra L; mov.u32"));
    ck_assert_uint_eq(left_out->count, 1);
    ck_assert_ptr_null(other->refused);
    ck_assert_uint_eq(other->count, 3);
    ck_assert_uint_eq(program->insns[other->first].op, OP_add);
    ck_assert_uint_eq(program->insns[other->first + 1].target, other->first + 2);
    program_free(program);
    /* what a function needs is what most of it needs, and of one that is left out nothing; its line is its body's */
    program = parsed_partly(MODULE
                            ".entry k();\n.entry k() { .reg .b32 r; .reg .pred p; redux.sync.add.u32 r, r, -1; elect.sync r|p, "
                            "-1; redux.sync.add.u32 r, r, -1; ret; }\n"
                            ".entry l() { .reg .b32 r; redux.sync.add.u32 r, r, -1; mov.u32 r, %aggr_smem_size; ret; }\n");
    ck_assert_uint_eq(program->functions[0].need.since, 90);
    ck_assert_uint_eq(program->functions[0].line, 5);
    ck_assert_uint_eq(program->functions[1].need.since, 0);
    program_free(program);
    refuse(MODULE ".entry k() { .reg .b32 r; mov.u32 r, %aggr_smem_size; {\n", 5, 1, "'}' is expected");
    refuse(MODULE ".entry k() { .reg .b32 r; mov.u32 r, %aggr_smem_size; }\n.entry l() { nothing; }\n", 5, 14,
           "unknown opcode");
}
END_TEST

/* -- scopes and labels */

START_TEST(inner_scopes_shadow_registers_and_labels)
{
    /* 0 bra 2 (inner L); 1 add on the inner r; 2 add on the inner r; 3 bra 4 (outer L); 4 ret */
    Program *program = parsed(
        MODULE ".entry k() { .reg .b32 r; { .reg .b64 r; bra L; add.u64 r, r, 1; L: add.u64 r, r, 2; } bra L; L: ret; }\n");
    ck_assert_uint_eq(program->insns[0].target, 2);
    ck_assert_uint_eq(program->insns[3].target, 4);
    ck_assert_uint_eq(program->functions[0].registers[program->insns[1].operands[0].index].type, TYPE_b64);
    program_free(program);
}
END_TEST

START_TEST(an_inner_scope_reaches_outer_labels_and_not_the_reverse)
{
    Program *program = parsed(MODULE ".entry k() { { { bra L; } } L: ret; }\n");
    ck_assert_uint_eq(program->insns[0].target, 1);
    program_free(program);
    /* 0 add; 1 bra 2, the L of the scope around it, which hides the one further out; 2 add; 3 bra 0 */
    program = parsed(MODULE ".entry k() { .reg .b32 r; L: add.u32 r, r, 1; { { bra L; } L: add.u32 r, r, 2; } bra L; ret; }\n");
    ck_assert_uint_eq(program->insns[1].target, 2);
    ck_assert_uint_eq(program->insns[3].target, 0);
    program_free(program);
    refuse(MODULE ".entry k() { { L: ret; } bra L; }\n", 4, 30, "undefined label 'L'");
    refuse(MODULE ".entry k() { bra L; }\n.entry l() { L: ret; }\n", 4, 18, "undefined label 'L'");
    refuse(MODULE ".entry k() {\nbra L;\nbra M;\nbra N; M: }\n", 5, 5, "undefined label 'L'"); /* the first of two */
    refuse(MODULE ".entry k() { L: L: ret; }\n", 4, 17, "declared already");
    refuse(MODULE ".func f(.param .b32 a) { ret; }\n.func g(.param .b32 a) { call f, (a); }\n", 5, 35,
           "declared in the function");
    refuse(MODULE ".func (.param .b32 r) f() { ret; }\n.func (.param .b32 r) g() { call (r), f; }\n", 5, 35,
           "declared in the function");
    refuse(MODULE ".func f(.param .b32 a);\n.func (.param .b32 r) g(.param .b32 a);\n.entry k() { t: .calltargets f, g; }\n", 6,
           33, "other parameters than the first");
    refuse(MODULE ".func f(.param .b32 a);\n.func g();\n.entry k() { t: .calltargets f, g; }\n", 6, 33,
           "other parameters than the first");
    refuse(MODULE ".entry k() { .reg .b32 r; bra r; }\n", 4, 31, "not a label");
}
END_TEST

/* -- names of kernels */

#define KERNELS                                                                                                           \
    MODULE                                                                                                                \
    ".entry _Z5scaleIfEvPT_S0_i() { ret; }\n.entry _Z5scaleIdEvPT_S0_i() { ret; }\n.entry _ZN2ns4copyEPfS0_() { ret; }\n" \
    ".entry plain() { ret; }\n.func _Z6helperv() { ret; }\n.entry _ZN12_GLOBAL__N_13addEPi() { ret; }\n"

START_TEST(kernels_answer_to_every_form_of_their_name)
{
    static const struct {
        const char *asked, *found;
    } rows[] = {
        {"_Z5scaleIfEvPT_S0_i", "_Z5scaleIfEvPT_S0_i"},
        {"void scale<float>(float*, float, int)", "_Z5scaleIfEvPT_S0_i"},
        {"scale<float>(float*,float,int)", "_Z5scaleIfEvPT_S0_i"},
        {"scale<double>", "_Z5scaleIdEvPT_S0_i"},
        {"ns::copy", "_ZN2ns4copyEPfS0_"},
        {"copy", "_ZN2ns4copyEPfS0_"},
        {"ns::copy(float*, float*)", "_ZN2ns4copyEPfS0_"},
        {"copy(float*, float*)", "_ZN2ns4copyEPfS0_"},
        {"plain", "plain"},
        {"add", "_ZN12_GLOBAL__N_13addEPi"},
    };
    Program *program = parsed(KERNELS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Diag diag = {0};
        const Function *found = program_kernel(program, rows[i].asked, &diag);
        ck_assert_msg(found, "'%s': %s", rows[i].asked, diag.message);
        ck_assert_str_eq(found->name, rows[i].found);
    }
    program_free(program);
}
END_TEST

START_TEST(an_unknown_or_ambiguous_kernel_is_answered_with_a_list)
{
    Program *program = parsed(KERNELS);
    Diag none = {0}, many = {0}, device = {0}, alone = {0};
    ck_assert_ptr_null(program_kernel(program, "scal", &none));
    ck_assert_str_eq(
        none.message,
        "no kernel is named 'scal'; there are: scale<float>(float*, float, int), scale<double>(double*, double, int), "
        "ns::copy(float*, float*), plain, (anonymous namespace)::add(int*)");
    ck_assert_ptr_null(program_kernel(program, "scale", &many));
    ck_assert_str_eq(
        many.message,
        "'scale' could be any of these kernels: scale<float>(float*, float, int), scale<double>(double*, double, int)");
    ck_assert_ptr_null(program_kernel(program, "helper", &device));
    program_free(program);
    program = parsed(MODULE ".func helper() { ret; }\n");
    ck_assert_ptr_null(program_kernel(program, "helper", &alone));
    ck_assert_str_eq(alone.message, "there is no kernel named 'helper', and no other one");
    program_free(program);
}
END_TEST

/* -- limits: each text is small and asks for much */

/* MODULE, then `front`, `piece` so many times, `back`. */
static void refuse_repeated(const char *front, const char *piece, int times, const char *back, const char *part) {
    Text text = {0};
    Diag diag = {0};
    text_add(&text, MODULE "%s", front);
    for (int i = 0; i < times; i++) text_add(&text, "%s", piece);
    text_add(&text, "%s", back);
    ck_assert_ptr_null(program_parse(text_string(&text), text.length, "a.ptx", &diag));
    ck_assert_msg(strstr(diag.message, part), "'%s' lacks '%s'", diag.message, part);
    text_free(&text);
}

START_TEST(nesting_without_end_is_refused)
{
    refuse_repeated(".entry k() {", "{", 100000, "", "nested too deeply");
    refuse_repeated(".global .u64 x = ", "(", 100000, "", "nested too deeply");
    refuse_repeated(".global .u64 x = ", "- ", 100000, "1;", "nested too deeply");
    refuse_repeated(".global .u64 x = ", "1 ? ", 100000, "1;", "nested too deeply");
    refuse_repeated(".global .u64 x[2] = ", "{", 100000, "", "braces");
    refuse_repeated(".global .u64 x", "[1]", 1000, ";", "dimensions");
}
END_TEST

#define TEN ",L,L,L,L,L,L,L,L,L,L"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define LIST HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED

START_TEST(asking_for_too_much_is_refused)
{
    refuse(MODULE ".func g(){ .reg .b32 a<1048576>, b; }", 4, 34, "1048576 registers");
    refuse(MODULE ".global .b8 a[4294967295], b[4294967295], c[4294967295];", 4, 43, "8 GiB");
    refuse_repeated(".entry k() { .reg .b32 r; t: .branchtargets L" LIST ";", "brx.idx r, t;", 5000, "L: ret; }",
                    "4194304 targets");
    refuse_repeated(".func f(.param .b32 a", ", .param .b32 a", 5000, ");", "4096");
    refuse_repeated(".entry k() { .reg .b64 d; .reg .b32 r1; mov.b64 d, {r1", ",r1", 1000, "}; }", "braces");
}
END_TEST

SUITE("ptx", version_and_target_are_kept, what_is_not_ptx_is_refused_at_its_first_token,
      nul_bytes_and_high_bytes_are_refused_outside_comments, the_offending_line_is_quoted, comments_are_white_space,
      debug_sections_and_pragmas_are_skipped, registers_may_have_any_name_that_there_is,
      variables_have_size_alignment_and_space, initialisers_become_little_endian_bytes,
      addresses_in_initialisers_become_relocations, bad_variables_are_refused,
      an_extern_declaration_and_its_definition_are_one_variable, kernel_parameters_are_placed_by_alignment,
      a_frame_holds_formals_locals_and_call_parameters, the_last_instruction_is_a_ret_or_exit_that_nothing_skips,
      register_parameters_pass_through_hidden_variables, declarations_and_aliases_lead_to_the_definition,
      declarations_of_one_function_agree, bad_functions_are_refused,
      a_body_that_is_not_emulated_leaves_the_other_functions_alone, inner_scopes_shadow_registers_and_labels,
      an_inner_scope_reaches_outer_labels_and_not_the_reverse, kernels_answer_to_every_form_of_their_name,
      an_unknown_or_ambiguous_kernel_is_answered_with_a_list, nesting_without_end_is_refused, asking_for_too_much_is_refused)
