/* alu.c: which loop runs an instruction. */
#include "machine/alu.h"

#include "base/text.h"
#include "machine/alu_lanes.h"
#include "ptx/opcode.h"

/* The first match counts: alu_cvt's fast loops stand before alu_convert's general ones. */
static const AluTable *const tables[] = {&alu_int_table,    &alu_bits_table,   &alu_compare_table,
                                         &alu_float_table,  &alu_approx_table, &alu_half_table,
                                         &alu_packed_table, &alu_cvt_table,    &alu_convert_table};

static bool is_float(unsigned type) { return type_kinds[type] == KIND_FLOAT; }

/* One spelling for what PTX spells in several ways, or what changes nothing. */
static AluRow canonical(const Insn *insn) {
    AluRow form = {.op = insn->op,
                   .type = insn->type,
                   .type2 = insn->type2,
                   .mode = insn->mode,
                   .rounding = insn->rounding,
                   .compare = insn->compare,
                   .boolop = insn->op == OP_setp ? BOOL_NONE : insn->boolop,
                   .variant = insn->op == OP_fma ? VARIANT_NONE : insn->variant, /* signs are lowered apart */
                   .flags = insn->flags};
    const bool to_float = is_float(form.type), from_float = is_float(form.type2);
    if (form.op == OP_mad && to_float) form.op = OP_fma;
    const bool rounds = form.op == OP_add || form.op == OP_sub || form.op == OP_mul || form.op == OP_fma;
    if (rounds && to_float && form.rounding == ROUND_NONE) form.rounding = ROUND_RN;
    if (form.op == OP_cvt && from_float && !to_float) form.flags &= ~(uint32_t)INSN_SAT;              /* clamps anyway */
    if (form.op == OP_cvt && !from_float && form.type == TYPE_f32) form.flags &= ~(uint32_t)INSN_FTZ; /* integers are normal */
    return form;
}

static bool same_form(const AluRow *row, const AluRow *form) {
    return row->op == form->op && row->type == form->type && row->type2 == form->type2 && row->mode == form->mode &&
           row->rounding == form->rounding && row->compare == form->compare && row->boolop == form->boolop &&
           row->variant == form->variant && row->flags == form->flags;
}

/* "cvt.rni.ftz.s32.f32", in the order of the PTX manual. */
static void describe(const Insn *insn, Text *out) {
    static const char *const modes[] = {"", ".lo", ".hi", ".wide"};
    static const char *const roundings[] = {"", ".rn", ".rz", ".rm", ".rp", ".rna", ".rni", ".rzi", ".rmi", ".rpi"};
    static const char *const compares[] = {"",    ".eq",  ".ne",  ".lt",  ".le",  ".gt",  ".ge",  ".lo",  ".ls", ".hi",
                                           ".hs", ".equ", ".neu", ".ltu", ".leu", ".gtu", ".geu", ".num", ".nan"};
    static const struct {
        uint16_t flag;
        const char *text;
    } flags[] = {{INSN_APPROX, ".approx"},           {INSN_FULL, ".full"}, {INSN_FTZ, ".ftz"},   {INSN_NAN, ".NaN"},
                 {INSN_XORSIGN_ABS, ".xorsign.abs"}, {INSN_SAT, ".sat"},   {INSN_RELU, ".relu"}, {INSN_CC, ".cc"},
                 {INSN_SHIFTAMT, ".shiftamt"}};
    text_add(out, "%s%s%s%s", opcode_names[insn->op], compares[insn->compare], modes[insn->mode], roundings[insn->rounding]);
    for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (insn->flags & flags[i].flag) text_add(out, "%s", flags[i].text);
    }
    if (insn->type != TYPE_none) text_add(out, ".%s", type_names[insn->type]);
    if (insn->type2 != TYPE_none) text_add(out, ".%s", type_names[insn->type2]);
}

Alu *alu_select(const Insn *insn, Diag *diag) {
    const AluRow form = canonical(insn);
    Alu *alu = NULL;
    for (unsigned t = 0; !alu && t < sizeof tables / sizeof tables[0]; t++) {
        const AluRow *row = tables[t]->rows, *const end = row + tables[t]->count;
        while (row < end && !same_form(row, &form)) row++;
        if (row < end) alu = row->alu;
    }
    if (alu) return alu;
    LOCAL_TEXT text = {0};
    describe(insn, &text);
    diag_say(diag, "this form of an instruction is not emulated: '%s'", text_string(&text));
    return NULL;
}
