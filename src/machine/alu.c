/* alu.c: which loop runs an instruction. */
#include "machine/alu.h"

#include "base/text.h"
#include "machine/alu_lanes.h"

/* The first match counts: alu_cvt's fast loops stand before alu_convert's general ones. */
static const AluTable *const tables[] = {&alu_int_table,  &alu_bits_table,   &alu_compare_table, &alu_float_table,
                                         &alu_half_table, &alu_packed_table, &alu_cvt_table,     &alu_convert_table};

/* Source operands of each opcode. The combined predicate of setp and set is one more; lop3's table is the fourth. */
static const uint8_t sources[OP_COUNT] = {
    [OP_add] = 2,   [OP_sub] = 2,  [OP_mul] = 2,  [OP_mad] = 3,  [OP_mul24] = 2,     [OP_mad24] = 3,     [OP_sad] = 3,
    [OP_div] = 2,   [OP_rem] = 2,  [OP_abs] = 1,  [OP_neg] = 1,  [OP_min] = 2,       [OP_max] = 2,       [OP_addc] = 2,
    [OP_subc] = 2,  [OP_madc] = 3, [OP_fma] = 3,  [OP_rcp] = 1,  [OP_sqrt] = 1,      [OP_rsqrt] = 1,     [OP_sin] = 1,
    [OP_cos] = 1,   [OP_lg2] = 1,  [OP_ex2] = 1,  [OP_tanh] = 1, [OP_testp] = 1,     [OP_copysign] = 2,  [OP_set] = 2,
    [OP_setp] = 2,  [OP_selp] = 3, [OP_slct] = 3, [OP_and] = 2,  [OP_or] = 2,        [OP_xor] = 2,       [OP_not] = 1,
    [OP_cnot] = 1,  [OP_lop3] = 4, [OP_shl] = 2,  [OP_shr] = 2,  [OP_shf] = 3,       [OP_popc] = 1,      [OP_clz] = 1,
    [OP_bfind] = 1, [OP_brev] = 1, [OP_bfe] = 3,  [OP_bfi] = 4,  [OP_prmt] = 3,      [OP_fns] = 3,       [OP_szext] = 2,
    [OP_bmsk] = 2,  [OP_dp4a] = 3, [OP_dp2a] = 3, [OP_cvt] = 1,  [OP_vabsdiff2] = 3, [OP_vabsdiff4] = 3,
};

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
                   .variant = insn->variant == PRMT_NONE ? VARIANT_NONE : insn->variant,
                   .flags = insn->flags};
    const bool to_float = is_float(form.type), from_float = is_float(form.type2);
    if (form.op == OP_mad && to_float) form.op = OP_fma;
    if (form.op == OP_dp2a && form.mode != MODE_NONE) {
        form.variant = form.mode == MODE_HI ? DP2A_HI : DP2A_LO;
        form.mode = MODE_NONE;
    }
    const bool rounds = form.op == OP_add || form.op == OP_sub || form.op == OP_mul || form.op == OP_fma;
    if (rounds && to_float && form.rounding == ROUND_NONE) form.rounding = ROUND_RN;
    if (form.op == OP_cvt && from_float && !to_float) form.flags &= (uint16_t)~INSN_SAT;              /* clamps anyway */
    if (form.op == OP_cvt && !from_float && form.type == TYPE_f32) form.flags &= (uint16_t)~INSN_FTZ; /* integers are normal */
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

static Alu *refuse(const Insn *insn, Diag *diag, const char *before, const char *after) {
    Text form = {0};
    describe(insn, &form);
    diag_error(diag, "", 0, 0, "%s '%s'%s", before, text_string(&form), after);
    text_free(&form);
    return NULL;
}

Alu *alu_select(const Insn *insn, Diag *diag) {
    const AluRow form = canonical(insn);
    Alu *alu = NULL;
    for (unsigned t = 0; !alu && t < sizeof tables / sizeof tables[0]; t++) {
        const AluRow *row = tables[t]->rows, *const end = row + tables[t]->count;
        while (row < end && !same_form(row, &form)) row++;
        if (row < end) alu = row->alu;
    }
    if (!alu) return refuse(insn, diag, "no form", " in PTX");
    const bool compares = insn->op == OP_setp || insn->op == OP_set;
    const bool packs = insn->op == OP_cvt && (insn->type == TYPE_f16x2 || insn->type == TYPE_bf16x2);
    const unsigned expected = sources[insn->op] + packs + (compares && insn->boolop != BOOL_NONE);
    const bool fits = insn->n_src == expected && (insn->n_dst == 1 || (insn->op == OP_setp && insn->n_dst == 2));
    return fits ? alu : refuse(insn, diag, "wrong number of operands for", "");
}
