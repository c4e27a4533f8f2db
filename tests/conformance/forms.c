#include "forms.h"

#include <stdio.h>
#include <string.h>

#include "operands.h"
#include "ptx/opcode.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* -- words: an axis is a place in the text, and what may stand there */

enum { AXES = 24, CHOICES = 24 };

typedef struct Axis {
    const char *words[CHOICES]; /* "" for nothing */
    const Modifier *of[CHOICES];
    Type types[CHOICES];
    unsigned count;
    bool is_type;
} Axis;

typedef struct Axes {
    Axis axis[AXES];
    unsigned count;
    unsigned chosen[AXES];
    Opcode op;
    const char *extra; /* a word too many, or NULL */
    bool beyond;
    CandidateVisit *visit;
    void *self;
} Axes;

/* The order in which PTX writes them; FLAG is where .sync stands, other flags come behind. */
static const uint8_t before_types[] = {GROUP_COMPARE, GROUP_BOOL,   GROUP_MATCH, GROUP_FLAG,  GROUP_SHFL,
                                       GROUP_VOTE,    GROUP_SHIFT,  GROUP_WRAP,  GROUP_MODE,  GROUP_ROUND,
                                       GROUP_TESTP,   GROUP_MMIO,   GROUP_ORDER, GROUP_SCOPE, GROUP_TO,
                                       GROUP_SPACE,   GROUP_POLICY, GROUP_NC,    GROUP_CACHE};
static const uint16_t flag_order[] = {INSN_APPROX, INSN_FULL,        INSN_CC,   INSN_FTZ,      INSN_SAT,
                                      INSN_NAN,    INSN_XORSIGN_ABS, INSN_RELU, INSN_SHIFTAMT, INSN_NOFTZ};

static Axis *axis_new(Axes *axes) {
    Axis *axis = &axes->axis[axes->count++];
    *axis = (Axis){.words = {""}, .count = 1};
    return axis;
}

static void axis_add(Axis *axis, const Modifier *modifier) {
    axis->of[axis->count] = modifier;
    axis->words[axis->count++] = modifier->text;
}

/* All of a group, or of GROUP_FLAG those in `flags`. */
static void axis_group(Axes *axes, unsigned group, unsigned flags) {
    Axis *axis = axis_new(axes);
    for (size_t i = 0; i < modifiers_count; i++)
        if (modifiers[i].group == group && (group != GROUP_FLAG || modifiers[i].value & flags)) axis_add(axis, &modifiers[i]);
}

static void axes_fill(Axes *axes, const Form *form) {
    const uint64_t groups = form->groups | form->required;
    axes->count = 0;
    for (size_t i = 0; i < COUNT(before_types); i++) {
        if (before_types[i] == GROUP_FLAG) {
            if (form->flags & INSN_SYNC) axis_group(axes, GROUP_FLAG, INSN_SYNC);
        } else if (groups >> before_types[i] & 1) {
            axis_group(axes, before_types[i], 0);
        }
    }
    const bool behind = axes->op == OP_vabsdiff2 || axes->op == OP_vabsdiff4;
    if (groups >> GROUP_ATOM & 1 && !behind) axis_group(axes, GROUP_ATOM, 0);
    if (groups >> GROUP_VECTOR & 1) axis_group(axes, GROUP_VECTOR, 0);
    for (size_t i = 0; i < COUNT(flag_order); i++)
        if (form->flags & flag_order[i]) axis_group(axes, GROUP_FLAG, flag_order[i]);
    for (unsigned t = 0; t < FORM_TYPES && form->types[t]; t++) {
        Axis *axis = axis_new(axes);
        axis->is_type = true;
        axis->count = 0;
        for (Type type = 1; type < TYPE_COUNT; type++) {
            if (!(form->types[t] >> type & 1)) continue;
            axis->types[axis->count] = type;
            axis->words[axis->count++] = type_names[type];
        }
    }
    if (groups >> GROUP_PRMT & 1) axis_group(axes, GROUP_PRMT, 0);
    if (groups >> GROUP_ATOM & 1 && behind) axis_group(axes, GROUP_ATOM, 0);
}

static void insn_take(Insn *insn, const Modifier *modifier) {
    if (modifier->group == GROUP_SPACE) insn->space = (uint8_t)modifier->value;
    if (modifier->group == GROUP_VECTOR) insn->vec = (uint8_t)modifier->value;
    if (modifier->group == GROUP_TO) insn->variant = CVTA_TO;
    if (modifier->group == GROUP_FLAG) insn->flags |= modifier->value;
    if (modifier->group == GROUP_MODE) insn->mode = (uint8_t)modifier->value;
    if (modifier->group == GROUP_BOOL) insn->boolop = (uint8_t)modifier->value;
    if (modifier->group == GROUP_COMPARE) insn->compare = (uint8_t)modifier->value;
    if (modifier->group == GROUP_MATCH || modifier->group == GROUP_SHFL || modifier->group == GROUP_VOTE ||
        modifier->group == GROUP_ATOM)
        insn->variant = (uint8_t)modifier->value;
}

static void axes_emit(const Axes *axes) {
    const Form *form = &opcode_forms[axes->op];
    Candidate candidate = {.insn = {.op = (uint8_t)axes->op, .type = opcode_forms[axes->op].type}, .beyond = axes->beyond};
    int length = snprintf(candidate.name, sizeof candidate.name, "%s", opcode_names[axes->op]);
    unsigned n_types = 0;
    bool extra_stands = !axes->extra, own = !axes->extra;
    for (unsigned i = 0; i < axes->count; i++) {
        const Axis *axis = &axes->axis[i];
        const unsigned chosen = axes->chosen[i];
        if (!extra_stands && axis->is_type) {
            length += snprintf(candidate.name + length, sizeof candidate.name - (size_t)length, ".%s", axes->extra);
            extra_stands = true;
        }
        if (axis->is_type) own &= form->types[n_types] >> axis->types[chosen] & 1;
        if (axis->is_type) candidate.types[n_types] = axis->types[chosen];
        if (axis->is_type && n_types++ < 2)
            *(n_types == 2 ? &candidate.insn.type2 : &candidate.insn.type) = (uint8_t)axis->types[chosen];
        if (axis->of[chosen])
            insn_take(&candidate.insn, axis->of[chosen]), candidate.groups |= UINT64_C(1) << axis->of[chosen]->group;
        if (!axis->words[chosen][0]) continue;
        length += snprintf(candidate.name + length, sizeof candidate.name - (size_t)length, ".%s%s", axis->words[chosen],
                           !strcmp(axis->words[chosen], "xorsign") ? ".abs" : "");
    }
    if (!extra_stands) snprintf(candidate.name + length, sizeof candidate.name - (size_t)length, ".%s", axes->extra);
    if (!axes->beyond || !own) axes->visit(axes->self, &candidate);
}

static void axes_each(Axes *axes, unsigned from) {
    if (from == axes->count) {
        axes_emit(axes);
        return;
    }
    for (axes->chosen[from] = 0; axes->chosen[from] < axes->axis[from].count; axes->chosen[from]++) axes_each(axes, from + 1);
}

/* Each axis with one choice: what must be there, and a rounding where one is usual. */
static void axes_narrow(Axes *axes, const Form *form, bool rounded) {
    for (unsigned i = 0; i < axes->count; i++) {
        Axis *axis = &axes->axis[i];
        if (axis->is_type) continue;
        const Modifier *first = axis->of[1];
        const bool must = form->required >> first->group & 1 || (rounded && first->group == GROUP_ROUND);
        if (must) axis->words[0] = axis->words[1], axis->of[0] = first;
        axis->count = 1;
    }
}

static void axis_all_types(Axis *axis) {
    axis->count = 0;
    for (Type type = 1; type < TYPE_COUNT; type++) {
        if (type == TYPE_b128) continue;
        axis->types[axis->count] = type;
        axis->words[axis->count++] = type_names[type];
    }
}

/* Of loads, stores and atomics not all combinations: for each set of groups all of theirs, with one choice of the others. */
#define G(name) (UINT64_C(1) << GROUP_##name)
static const uint64_t slices[] = {
    G(TYPE) | G(VECTOR) | G(SPACE),         G(SPACE) | G(POLICY) | G(NC),  G(SPACE) | G(ORDER) | G(SCOPE) | G(MMIO),
    G(SPACE) | G(TYPE) | G(ATOM) | G(FLAG), G(ORDER) | G(SCOPE) | G(ATOM), G(CACHE)};

static void slices_each(Axes *axes, const Form *form) {
    for (size_t k = 0; k < COUNT(slices); k++) {
        const uint64_t groups = form->groups | form->required | (form->flags ? G(FLAG) : 0) | (form->types[0] ? G(TYPE) : 0);
        if (!(slices[k] & groups & ~(G(TYPE) | G(SPACE))) && slices[k] != slices[0]) continue;
        axes_fill(axes, form);
        for (unsigned i = 0; i < axes->count; i++) {
            Axis *axis = &axes->axis[i];
            const unsigned group = axis->is_type ? GROUP_TYPE : axis->of[1]->group;
            if (slices[k] >> group & 1) continue;
            unsigned keep = 0;
            for (unsigned c = 0; c < axis->count; c++)
                if (axis->is_type ? axis->types[c] == TYPE_u32 : form->required >> group & 1 && c == 1) keep = c;
            axis->words[0] = axis->words[keep], axis->of[0] = axis->of[keep], axis->types[0] = axis->types[keep];
            axis->count = 1;
        }
        axes_each(axes, 0);
    }
}

bool opcode_has_lines(unsigned op) {
    if (op == OP_ldu || op == OP_cp_async || op == OP_createpolicy || op == OP_mapa || op == OP_getctarank) return false;
    if (op == OP_st_async || op == OP_red_async || op == OP_cp_bulk || op == OP_mbarrier || op == OP_ldmatrix ||
        op == OP_stmatrix || op == OP_mma || op == OP_wmma)
        return false; /* unit-test_ptx_insn, unit-test_ptx_wmma */
    return opcode_classes[op] <= CLASS_WARP || op == OP_membar || op == OP_fence;
}

void candidates_each(unsigned op, CandidateVisit *visit, void *self) {
    const Form *form = &opcode_forms[op];
    Axes axes = {.op = (Opcode)op, .visit = visit, .self = self};
    if (opcode_classes[op] == CLASS_MEMORY) {
        slices_each(&axes, form);
        return;
    }
    axes_fill(&axes, form);
    axes_each(&axes, 0);
    axes.beyond = true;
    const bool has_round = (form->groups | form->required) >> GROUP_ROUND & 1;
    for (unsigned rounded = 0; rounded <= has_round; rounded++) {
        axes_fill(&axes, form);
        axes_narrow(&axes, form, rounded);
        for (unsigned i = 0; i < axes.count; i++)
            if (axes.axis[i].is_type) axis_all_types(&axes.axis[i]);
        axes_each(&axes, 0);
    }
    for (size_t i = 0; i < modifiers_count; i++) {
        const Modifier *m = &modifiers[i];
        const bool own = m->group == GROUP_FLAG ? form->flags & m->value : (form->groups | form->required) >> m->group & 1;
        if (own || opcode_classes[op] == CLASS_MOVE || opcode_classes[op] == CLASS_SYNC || !strcmp(m->text, "xorsign") ||
            m->group == GROUP_TESTP)
            continue; /* ptxas takes testp's words with any opcode */
        axes_fill(&axes, form);
        axes_narrow(&axes, form, false);
        axes.extra = m->text;
        axes_each(&axes, 0);
    }
}

/* -- operands */

const char line_result_names[] = "yzwv";
const uint64_t line_block[4] = {UINT64_C(0x8182838485868788), UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210),
                                UINT64_C(0x7f80ff0081007f01)};
const char line_module[] = ".const .align 32 .b64 cn[64] = {%s};\n";
const char line_parameter[] = ".param .align 16 .b8 pblock[32]";
const char line_registers[] =
    ".reg .pred %pa, %pb, %pc, %pd, %pe, %py, %pz, %pw, %pv;\n.reg .b16 %ha, %hb, %hc, %hd, %he, %hy, %hz, %hw, %hv;\n"
    ".reg .b32 %ra, %rb, %rc, %rd, %re, %ry, %rz, %rw, %rv;\n.reg .b64 %qa, %qb, %qc, %qd, %qe, %qy, %qz, %qw, %qv;\n"
    ".reg .b64 %G, %S, %L, %GS, %GL, %C, %N, %T;\n.shared .align 32 .b8 sh[8192];\n.local .align 32 .b8 lo[32];\n";

char line_width(Type type) {
    const unsigned bytes = type_bytes[type];
    return type == TYPE_pred ? 'p' : bytes == 2 ? 'h' : bytes == 8 ? 'q' : 'r';
}

List line_list(Type type) {
    const TypeKind kind = (TypeKind)type_kinds[type];
    if (type == TYPE_u16x2 || type == TYPE_s16x2) return LIST_I16X2;
    if (kind == KIND_FLOAT)
        return type == TYPE_f16     ? LIST_F16
               : type == TYPE_bf16  ? LIST_BF16
               : type == TYPE_f16x2 ? LIST_F16X2
               : type == TYPE_f32   ? LIST_F32
               : type == TYPE_f64   ? LIST_F64
                                    : LIST_BF16X2;
    if (type == TYPE_pred) return LIST_PRED;
    return type_bytes[type] == 1 ? LIST_I8 : type_bytes[type] == 2 ? LIST_I16 : type_bytes[type] == 8 ? LIST_I64 : LIST_I32;
}

static List list_of(const Insn *insn, char letter, unsigned source) {
    const Opcode op = (Opcode)insn->op;
    if (op == OP_fns && source) return source == 1 ? LIST_LANE : LIST_OFFSET;
    if (op == OP_shfl && source) return source == 1 ? LIST_COUNT : source == 2 ? LIST_CLAMP : LIST_MEMBERS;
    if (op == OP_match && !source) return insn->type == TYPE_b64 ? LIST_FEW64 : LIST_FEW;
    if (opcode_classes[op] == CLASS_WARP && letter == 'u') return LIST_MEMBERS;
    if (letter == 'u' && op != OP_dp4a && op != OP_dp2a && op != OP_vabsdiff2 && op != OP_vabsdiff4) return LIST_COUNT;
    return line_list(letter == 'x' ? insn_letter_type(insn, 'x') : insn_letter_type(insn, letter));
}

/* One way to write a line. */
typedef struct Style {
    int immediate; /* the source that is a constant, or -1 */
    bool wider, negated, paired;
    unsigned table; /* of lop3 */
} Style;

static bool takes(const Insn *insn, const char *letter, unsigned n_sources) {
    if (insn->op == OP_cvt)
        return n_sources == 0 || ((insn->type == TYPE_f16x2 || insn->type == TYPE_bf16x2) && insn->type2 == TYPE_f32);
    if (insn->op == OP_set || insn->op == OP_setp) return *letter != 'n' || insn->boolop;
    if (insn->op == OP_shfl || insn->op == OP_vote) return letter[1] != '?' || insn->flags & INSN_SYNC;
    return true;
}

static char widened(char width) { return width == 'h' ? 'r' : 'q'; }

static void source_add(Line *line, const Insn *insn, char letter, const Style *style, char *text, size_t bytes) {
    const unsigned source = line->n_sources;
    const Type type = insn_letter_type(insn, letter);
    char width = line_width(type);
    const bool negated = letter == 'n' && style->negated;
    if (style->wider) width = widened(width);
    line->lists[source] = (uint8_t)list_of(insn, letter, source);
    line->source_width[source] = width;
    line->n_sources++;
    if (style->immediate == (int)source)
        operand_immediate((List)line->lists[source], type, line->text, text, bytes);
    else
        snprintf(text, bytes, "%s%%%c%c", negated ? "!" : "", width, 'a' + source);
}

static Line line_write(const Candidate *candidate, const Style *style) {
    const Insn *insn = &candidate->insn;
    Line line = {.immediate = style->immediate >= 0};
    size_t length = (size_t)snprintf(line.text, sizeof line.text, "%s ", candidate->name);
    bool first = true;
    for (const char *letter = opcode_operands[insn->op]; *letter; letter++) {
        char text[40] = "";
        const bool second = *letter == '|';
        if (*letter == '?' || (second && !style->paired && letter++)) continue;
        if (second) letter++;
        if (letter_is_destination(*letter)) {
            char width = *letter == 'P' ? 'p' : line_width(insn_letter_type(insn, *letter == 'w' ? 'u' : *letter));
            if (style->wider) width = widened(width);
            snprintf(text, sizeof text, "%%%c%c", width, line_result_names[line.n_results]);
            line.result_width[line.n_results++] = width;
        } else if (*letter == 'i') {
            snprintf(text, sizeof text, "%u", style->table);
        } else if (takes(insn, letter, line.n_sources)) {
            source_add(&line, insn, *letter, style, text, sizeof text);
        } else {
            continue;
        }
        length += (size_t)snprintf(line.text + length, sizeof line.text - length, "%s%s",
                                   first    ? ""
                                   : second ? "|"
                                            : ", ",
                                   text);
        first = false;
    }
    line.carries_in = insn->op == OP_addc || insn->op == OP_subc || insn->op == OP_madc;
    line.carries_out = insn->flags & INSN_CC;
    return line;
}

unsigned candidate_lines(const Candidate *candidate, Line lines[LINE_VARIANTS]) {
    const Insn *insn = &candidate->insn;
    const char *letters = opcode_operands[insn->op];
    unsigned count = 0;
    if (opcode_classes[insn->op] == CLASS_MEMORY || opcode_classes[insn->op] == CLASS_MOVE)
        return shape_lines(candidate, lines);
    lines[count++] = line_write(candidate, &(Style){.immediate = -1, .table = 0x96});
    if (candidate->beyond) return count;
    for (unsigned table = 0; insn->op == OP_lop3 && table < 256; table++)
        if (table != 0x96) lines[count++] = line_write(candidate, &(Style){.immediate = -1, .table = table});
    const unsigned n_sources = lines[0].n_sources;
    const bool plain = !insn->boolop && !strchr(letters, 'i');
    for (unsigned s = 0; plain && s < n_sources && count < LINE_VARIANTS - 2; s++)
        if (lines[0].lists[s] != LIST_PRED && lines[0].lists[s] != LIST_MEMBERS)
            lines[count++] = line_write(candidate, &(Style){.immediate = (int)s});
    if (insn->op == OP_cvt && lines[0].source_width[0] != 'q' && lines[0].result_width[0] != 'q')
        lines[count++] = line_write(candidate, &(Style){.immediate = -1, .wider = true});
    if (strchr(letters, '|'))
        lines[count++] = line_write(candidate, &(Style){.immediate = -1, .paired = true, .negated = true});
    else if (strchr(letters, 'n') && (insn->boolop || insn->op == OP_vote))
        lines[count++] = line_write(candidate, &(Style){.immediate = -1, .negated = true});
    return count;
}
