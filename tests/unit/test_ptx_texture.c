/* Instructions of textures and surfaces: what the machine is given for each form of the text, and what is refused at which column. */
#include "ptx/opcode.h"
#include "refused.h"

#define FRONT                                                                                                          \
    ".version 8.6\n.target sm_90\n.address_size 64\n.entry k() { .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;" \
    ".reg .f32 %f<9>; .reg .b16 %h<5>;\n"

static Insn insn_of(const char *text) {
    Program *program = parsed_of("%s%s\nret; }\n", FRONT, text);
    const Insn insn = program->insns[0];
    program_free(program);
    return insn;
}

START_TEST(forms_of_textures_and_surfaces_are_told_apart)
{
    Insn insn = insn_of("tex.level.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%f1,%f2,%f3}], %f4;");
    ck_assert(insn.variant == TEX_LEVEL && insn.geometry == GEOMETRY_A2D && insn.n_dst == 4 && insn.n_src == 5);
    insn = insn_of("tex.1d.v4.s32.s32 {%r1,%r2,_,_}, [%rd1, %r1];");
    ck_assert(insn.variant == TEX_BASE && insn.geometry == GEOMETRY_1D && insn.n_src == 2 && insn.type2 == TYPE_s32);
    insn =
        insn_of("tex.grad.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2,%f3,%f3}], {%f1,%f2,%f3,%f3}, {%f1,%f2,%f3,%f3};");
    ck_assert(insn.variant == TEX_GRAD && insn.n_src == 12);
    insn = insn_of("tld4.b.2d.v4.u32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%f1,%f2}];");
    ck_assert(insn.variant == TLD4_B && insn.n_src == 3);
    insn = insn_of("suld.b.3d.v2.b16.zero {%h1,%h2}, [%rd1, {%r1,%r2,%r3,%r3}];");
    ck_assert(insn.variant == SURFACE_ZERO && insn.n_dst == 2 && insn.n_src == 4 && insn.vec == 2);
    insn = insn_of("sust.b.a1d.b32.clamp [%rd1, {%r1,%r2}], {%r3};");
    ck_assert(insn.variant == SURFACE_CLAMP && insn.n_dst == 0 && insn.n_src == 4);
    insn = insn_of("suq.array_size.b32 %r1, [%rd1];");
    ck_assert(insn.variant == QUERY_LAYERS && insn.n_dst == 1 && insn.n_src == 1);
}
END_TEST

START_TEST(what_is_not_emulated_of_them_is_named)
{
    static const struct {
        const char *insn;
        unsigned column;
        const char *part;
    } cases[] = {
        {"tex.cube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2,%f3,%f4}];", 4, "cube maps"},
        {"tex.2dms.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2,%r3,%r4}];", 4, "several samples"},
        {"tex.2d.v2.f32.f32 {%f1,%f2}, [%rd1, {%f1,%f2}];", 1, "four results"},
        {"tex.2d.v4.f32.f32 {%f1,%f2,%f3}, [%rd1, {%f1,%f2}];", 19, "4 registers"},
        {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}];", 49, "','"},
        {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %rd2, {%f1,%f2}];", 45, "sampler"},
        {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}|%p1, [%rd1, {%f1,%f2}];", 36, "sparse"},
        {"tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}], {%r1,%r2};", 55, "offsets"},
        {"tld4.r.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%f1,%f2,%f2}];", 1, ".2d alone"},
        {"suld.p.2d.v4.b32.trap {%r1,%r2,%r3,%r4}, [%rd1, {%r1,%r2}];", 1, "'suld.p'"},
        {"suld.b.2d.v4.b64.trap {%rd1,%rd2,%rd3,%rd4}, [%rd1, {%r1,%r2}];", 1, "at most 16 bytes"},
        {"sust.b.1d.b32 [%rd1, {%r1}], {%r2};", 1, "lacks a modifier"},
        {"sured.b.add.2d.u32.trap [%rd1, {%r1,%r2}], %r3;", 1, "atomic operations on surfaces"},
        {"txq.filter_mode.b32 %r1, [%rd1];", 4, "width, height, depth"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LOCAL_TEXT text = {0};
        text_add(&text, "%s%s\nret; }\n", FRONT, cases[i].insn);
        refuse(text_string(&text), 5, cases[i].column, cases[i].part);
    }
}
END_TEST

SUITE("ptx textures", forms_of_textures_and_surfaces_are_told_apart, what_is_not_emulated_of_them_is_named)
