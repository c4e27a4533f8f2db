/* wmma: products of tiles of 16 rows and columns; and conversions to what they take. Each is read as the instructions that an H100 executes in its place: loads and stores of the
 * elements that a lane has, and two mma, of the tile's left half and its right, of tf32 four, of half the depth. Which elements those are is documented nowhere;
 * tests/runtime/wmma.out has what an H100 gave. */
#include <string.h>

#include "base/text.h"
#include "ptx/parser.h"

enum { TILE = 16, HALF_TILE = 8, LANES_ACROSS = 4, REGISTERS_MOST = 8, TYPES_MOST = 4 };

typedef enum Matrix { MATRIX_A, MATRIX_B, MATRIX_SUMS } Matrix;

/* What a fragment is made of: registers of 32 bits, each of elements that follow each other. */
typedef struct Fragment {
    Matrix matrix;
    Type type;
    unsigned depth;     /* of a and b: how many elements a row of a, or a column of b, has */
    unsigned registers; /* that differ */
    unsigned listed;    /* f16 lists those of a and b twice */
    unsigned packed;    /* elements in a register */
} Fragment;

typedef struct Wmma {
    Parser *parser;
    Token opcode;
    char space[24]; /* ".global", or empty */
    Matrix matrix;
    bool loads, stores;
    bool by_rows[2]; /* the matrix, or a and b */
    bool sync, aligned;
    unsigned n_layouts, depth;
    Type types[TYPES_MOST];
    unsigned n_types;
    bool satfinite;
    Token registers[4][REGISTERS_MOST];
    Text text; /* the instructions in its place */
} Wmma;

static bool refuse(Wmma *wmma) {
    return parser_refuse(wmma->parser, &wmma->opcode, "'wmma' of this shape with these types is not emulated");
}

/* As ptxas does, of what PTX does not have. */
static bool lacks(Wmma *wmma, const char *what) {
    return parser_fail(wmma->parser, &wmma->opcode, "'wmma.%s' needs %s",
                       wmma->loads    ? "load"
                       : wmma->stores ? "store"
                                      : "mma",
                       what);
}

/* --- the words --- */

static bool take_type(Wmma *wmma, const Token *word) {
    const Type type = type_named(word->text, word->length);
    if (type == TYPE_none || wmma->n_types == TYPES_MOST) return false;
    wmma->types[wmma->n_types++] = type;
    return true;
}

static bool take_space(Wmma *wmma, const Token *word) {
    static const char *const spaces[] = {".global", ".shared", ".shared::cta"};
    if (wmma->space[0] || !(wmma->loads || wmma->stores)) return false;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (token_is(word, spaces[i])) return strcpy(wmma->space, spaces[i]), true;
    return false;
}

static bool take_word(Wmma *wmma, const Token *word) {
    if (token_is(word, ".row") || token_is(word, ".col")) {
        if (wmma->n_layouts == 2) return false;
        wmma->by_rows[wmma->n_layouts++] = token_is(word, ".row");
        return true;
    }
    if (token_is(word, ".m16n16k16") || token_is(word, ".m16n16k8")) {
        if (wmma->depth) return false;
        wmma->depth = token_is(word, ".m16n16k8") ? 8 : 16;
        return true;
    }
    if (token_is(word, ".sync")) return wmma->sync = true;
    if (token_is(word, ".aligned")) return wmma->aligned = true;
    if (token_is(word, ".satfinite")) return wmma->satfinite = !wmma->loads && !wmma->stores;
    return take_space(wmma, word) || take_type(wmma, word);
}

/* The word behind .load and .store; .mma has none. */
static bool take_matrix(Wmma *wmma) {
    static const char *const matrices[] = {".a", ".b", ".c"};
    wmma->matrix = MATRIX_SUMS;
    if (wmma->stores) return parser_accept_dot(wmma->parser, ".d") || lacks(wmma, ".d behind it");
    for (unsigned i = 0; wmma->loads && i < 3; i++)
        if (parser_accept_dot(wmma->parser, matrices[i])) return wmma->matrix = (Matrix)i, true;
    return !wmma->loads || lacks(wmma, ".a, .b or .c behind it");
}

static bool take_words(Wmma *wmma) {
    Parser *parser = wmma->parser;
    wmma->loads = parser_accept_dot(parser, ".load");
    wmma->stores = !wmma->loads && parser_accept_dot(parser, ".store");
    const bool multiplies = !wmma->loads && !wmma->stores;
    if (multiplies && !parser_accept_dot(parser, ".mma")) return refuse(wmma);
    if (!take_matrix(wmma)) return false;
    while (parser->token.kind == TOKEN_DOT_WORD) {
        if (!take_word(wmma, &parser->token)) return refuse(wmma);
        parser_advance(parser);
    }
    if (!wmma->sync || !wmma->aligned) return lacks(wmma, ".sync and .aligned");
    if (wmma->depth && wmma->n_layouts != (multiplies ? 2 : 1))
        return lacks(wmma, multiplies ? "two of .row and .col" : "one of .row and .col");
    return (wmma->depth && wmma->n_types) || refuse(wmma);
}

/* False for a fragment that mma has no registers for. */
static bool fragment_of(Matrix matrix, Type type, unsigned depth, Fragment *fragment) {
    *fragment = (Fragment){.matrix = matrix, .type = type, .depth = depth};
    if (matrix == MATRIX_SUMS) {
        fragment->packed = type == TYPE_f16 ? 2 : 1;
        fragment->registers = fragment->listed = HALF_TILE / fragment->packed;
        return (type == TYPE_f16 || type == TYPE_f32 || type == TYPE_s32) && (depth == 16 || type == TYPE_f32);
    }
    const bool shallow = type == TYPE_tf32;
    if (type != TYPE_f16 && type != TYPE_bf16 && type != TYPE_s8 && type != TYPE_u8 && !shallow) return false;
    fragment->packed = 4 / type_bytes[type];
    fragment->registers = 2 * depth / (LANES_ACROSS * fragment->packed);
    fragment->listed = type == TYPE_f16 ? 2 * fragment->registers : fragment->registers;
    return depth == (shallow ? 8 : 16);
}

/* --- where elements are --- */

/* Row and column, of b column and row, of a register's first element, beside those of the lane: lane / 4, and packed * (lane % 4), of sums 2 * (lane % 4). */
static void place_of(const Fragment *fragment, unsigned i, unsigned *across, unsigned *along) {
    const unsigned step = LANES_ACROSS * fragment->packed, deep = fragment->registers / 2;
    switch (fragment->matrix) {
    case MATRIX_A:
        *across = i % 2 * HALF_TILE;
        *along = i / 2 * step;
        break;
    case MATRIX_B:
        *across = i / deep * HALF_TILE;
        *along = i % deep * step;
        break;
    case MATRIX_SUMS: {
        const unsigned element = i * fragment->packed;
        *across = element / 2 % 2 * HALF_TILE;
        *along = element / 4 * HALF_TILE + element % 2;
        break;
    }
    }
}

/* --- loads and stores --- */

/* Their scratch registers, of all wmma of a scope. */
static bool scratch(Wmma *wmma) {
    static const struct {
        const char *name;
        Type type;
    } registers[] = {{"%wmma_place", TYPE_b64},   {"%wmma_at", TYPE_b64},    {"%wmma_stride", TYPE_b32},
                     {"%wmma_lane", TYPE_b32},    {"%wmma_along", TYPE_b32}, {"%wmma_0", TYPE_b32},
                     {"%wmma_1", TYPE_b32},       {"%wmma_2", TYPE_b32},     {"%wmma_3", TYPE_b32},
                     {"%wmma_finite", TYPE_pred}, {"%wmma_from", TYPE_b32},  {"%wmma_half", TYPE_b32}};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        Token name = wmma->opcode;
        uint32_t index;
        name.text = registers[i].name;
        name.length = (uint32_t)strlen(name.text);
        if (!parser_find(wmma->parser, &name) &&
            !register_add(wmma->parser, &wmma->opcode, name.text, name.length, registers[i].type, &index))
            return false;
    }
    return true;
}

/* Of a register; of another word it must be clear from elsewhere that it is none. */
static bool register_bytes(Parser *parser, const Token *word, unsigned *bytes) {
    uint32_t index;
    if (!register_find(parser, word, &index)) return false;
    const Type type = (Type)parser->registers[index].type;
    *bytes = type_kinds[type] == KIND_FLOAT || type_kinds[type] == KIND_PRED ? 0 : type_bytes[type];
    return true;
}

/* [address]: into %wmma_place. */
static bool take_address(Wmma *wmma) {
    Parser *parser = wmma->parser;
    Token word;
    uint64_t offset;
    if (!parser_expect(parser, '[') || !parser_take_word(parser, "an address", &word) ||
        !constant_parse_offset(parser, &offset) || !parser_expect(parser, ']'))
        return false;
    const Symbol *symbol = parser_find(parser, &word);
    unsigned bytes = 8; /* of a variable's address */
    const bool is_variable = symbol && symbol->kind == SYMBOL_VARIABLE;
    if (!is_variable && !register_bytes(parser, &word, &bytes)) return false;
    if (bytes != 4 && bytes != 8)
        return parser_fail(parser, &word, "'%.*s' is not a 32- or 64-bit register for an address", TOKEN_TEXT(&word));
    text_add(&wmma->text, "%s %%wmma_place, %.*s; add.u64 %%wmma_place, %%wmma_place, %llu; ",
             bytes == 4 ? "cvt.u64.u32" : "mov.b64", (int)word.length, word.text, (unsigned long long)offset);
    return true;
}

/* , stride: in elements, between rows, or columns. */
static bool take_stride(Wmma *wmma, unsigned most) {
    Parser *parser = wmma->parser;
    if (!parser_accept(parser, ',')) return text_add(&wmma->text, "mov.b32 %%wmma_stride, %u; ", most), true;
    uint64_t value;
    if (constant_starts(parser)) {
        if (!parser_take_count(parser, "a stride", UINT32_MAX, &value)) return false;
        text_add(&wmma->text, "mov.b32 %%wmma_stride, %llu; ", (unsigned long long)value);
        return true;
    }
    Token word;
    unsigned bytes;
    if (!parser_take_word(parser, "a stride", &word) || !register_bytes(parser, &word, &bytes)) return false;
    if (bytes != 4) return parser_fail(parser, &word, "'%.*s' is not a 32-bit register for a stride", TOKEN_TEXT(&word));
    text_add(&wmma->text, "mov.b32 %%wmma_stride, %.*s; ", (int)word.length, word.text);
    return true;
}

/* Where the lane's first element is: its row and column, one of them times the stride. */
static void add_place(Wmma *wmma, const Fragment *fragment, bool contiguous) {
    const unsigned bytes = type_bytes[fragment->type], packed = fragment->matrix == MATRIX_SUMS ? 2 : fragment->packed;
    text_add(&wmma->text, "wmma.b32 %%wmma_lane; and.b32 %%wmma_along, %%wmma_lane, 3; shr.u32 %%wmma_lane, %%wmma_lane, 2; ");
    if (!contiguous && bytes == 2) { /* add_transposed */
        text_add(&wmma->text, "shl.b32 %%wmma_0, %%wmma_along, 3; shr.u32 %%wmma_from, %%wmma_lane, 1; "
                              "add.u32 %%wmma_from, %%wmma_from, %%wmma_0; and.b32 %%wmma_0, %%wmma_lane, 1; "
                              "mad.lo.u32 %%wmma_half, %%wmma_0, 0x2222, 0x5410; ");
        contiguous = true;
    }
    text_add(&wmma->text,
             "mul.lo.u32 %%wmma_along, %%wmma_along, %u; mad.lo.u32 %%wmma_lane, %s; "
             "mad.wide.u32 %%wmma_place, %%wmma_lane, %u, %%wmma_place; ",
             packed, contiguous ? "%wmma_lane, %wmma_stride, %wmma_along" : "%wmma_along, %wmma_stride, %wmma_lane", bytes);
}

/* %wmma_at is so many strides behind the lane's first element. */
static void add_at(Wmma *wmma, const Fragment *fragment, unsigned strides) {
    text_add(&wmma->text, "mad.wide.u32 %%wmma_at, %%wmma_stride, %u, %%wmma_place; ", strides * type_bytes[fragment->type]);
}

/* Halves that do not follow each other: 8 by 8 of them are moved as they lie, and turned round between the lanes, as movmatrix does: lane l has those in
 * row l % 4 * 2 and in the one behind it, in column l / 4, of which lanes l % 4 * 8 + l / 8, and 4 further, have moved the low or the high one. */
static void add_transposed(Wmma *wmma, const Fragment *fragment, const Token *to, unsigned across, unsigned along) {
    static const char turn[] = "shfl.sync.idx.b32 %wmma_1, %wmma_0, %wmma_from, 31, -1; add.u32 %wmma_2, %wmma_from, 4; "
                               "shfl.sync.idx.b32 %wmma_2, %wmma_0, %wmma_2, 31, -1; ";
    add_at(wmma, fragment, along);
    if (wmma->loads)
        text_add(&wmma->text, "ld%s.b32 %%wmma_0, [%%wmma_at+%u]; %sprmt.b32 %.*s, %%wmma_1, %%wmma_2, %%wmma_half; ",
                 wmma->space, 2 * across, turn, (int)to->length, to->text);
    else
        text_add(
            &wmma->text,
            "mov.b32 %%wmma_0, %.*s; %sprmt.b32 %%wmma_1, %%wmma_1, %%wmma_2, %%wmma_half; st%s.b32 [%%wmma_at+%u], %%wmma_1; ",
            (int)to->length, to->text, turn, wmma->space, 2 * across);
}

/* One register of other elements that do not follow each other in memory. */
static void add_scattered(Wmma *wmma, const Fragment *fragment, const Token *to, unsigned across, unsigned along) {
    const unsigned bytes = type_bytes[fragment->type];
    if (bytes == 2) {
        add_transposed(wmma, fragment, to, across, along);
        return;
    }
    for (unsigned i = 0; i < fragment->packed; i++) {
        add_at(wmma, fragment, along + i);
        if (wmma->stores)
            text_add(&wmma->text, "st%s.b32 [%%wmma_at+%u], %.*s; ", wmma->space, across * bytes, (int)to->length, to->text);
        else if (bytes == 4)
            text_add(&wmma->text, "ld%s.b32 %.*s, [%%wmma_at+%u]; ", wmma->space, (int)to->length, to->text, across * bytes);
        else
            text_add(&wmma->text, "ld%s.u8 %%wmma_%u, [%%wmma_at+%u]; ", wmma->space, i, across * bytes);
    }
    if (bytes == 1)
        text_add(&wmma->text,
                 "bfi.b32 %%wmma_0, %%wmma_1, %%wmma_0, 8, 8; bfi.b32 %%wmma_0, %%wmma_2, %%wmma_0, 16, 8; "
                 "bfi.b32 %.*s, %%wmma_3, %%wmma_0, 24, 8; ",
                 (int)to->length, to->text);
}

/* One register, or of wide sums two, whose elements follow each other. */
static void add_contiguous(Wmma *wmma, const Fragment *fragment, const Token *to, unsigned across, unsigned along) {
    const bool pair = fragment->matrix == MATRIX_SUMS && fragment->packed == 1;
    LOCAL_TEXT list = {0};
    add_at(wmma, fragment, across);
    if (pair)
        text_add(&list, "{%.*s, %.*s}", (int)to[0].length, to[0].text, (int)to[1].length, to[1].text);
    else
        text_add(&list, "%.*s", (int)to->length, to->text);
    const char *vector = pair ? ".v2" : "", *names = text_string(&list);
    const unsigned offset = along * type_bytes[fragment->type];
    if (wmma->stores)
        text_add(&wmma->text, "st%s%s.b32 [%%wmma_at+%u], %s; ", wmma->space, vector, offset, names);
    else
        text_add(&wmma->text, "ld%s%s.b32 %s, [%%wmma_at+%u]; ", wmma->space, vector, names, offset);
}

static void add_list(Wmma *wmma, const Token *registers, unsigned count, const char *end) {
    for (unsigned i = 0; i < count; i++)
        text_add(&wmma->text, "%s%.*s", i ? ", " : "{", (int)registers[i].length, registers[i].text);
    text_add(&wmma->text, "}%s", end);
}

/* From shared memory one ldmatrix, of whose 8 by 8 elements lane l has the address of a row: of l / 8, l % 8. */
static void add_ldmatrix(Wmma *wmma, const Fragment *fragment, bool contiguous) {
    const bool four = fragment->registers == 4, swapped = four && fragment->matrix == MATRIX_B;
    const char *across = swapped ? "%wmma_2" : "%wmma_1", *along = swapped ? "%wmma_1" : "%wmma_2";
    const char *outer = contiguous ? across : along, *inner = contiguous ? along : across;
    text_add(&wmma->text,
             "wmma.b32 %%wmma_lane; and.b32 %%wmma_0, %%wmma_lane, 7; and.b32 %%wmma_1, %%wmma_lane, 8; "
             "and.b32 %%wmma_2, %%wmma_lane, %u; shr.u32 %%wmma_2, %%wmma_2, 1; ",
             four ? 16 : 0);
    text_add(&wmma->text,
             "add.u32 %s, %s, %%wmma_0; mad.lo.u32 %%wmma_lane, %s, %%wmma_stride, %s; "
             "mad.wide.u32 %%wmma_place, %%wmma_lane, %u, %%wmma_place; ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16 ",
             outer, outer, outer, inner, type_bytes[fragment->type], fragment->registers, contiguous ? "" : ".trans");
    add_list(wmma, wmma->registers[0], fragment->registers, ", [%wmma_place]; ");
}

static bool by_ldmatrix(const Wmma *wmma, const Fragment *fragment, bool contiguous) {
    const unsigned bytes = type_bytes[fragment->type];
    return wmma->loads && fragment->matrix != MATRIX_SUMS && strncmp(wmma->space, ".shared", 7) == 0 &&
           (bytes == 2 || (bytes == 1 && contiguous));
}

static void add_accesses(Wmma *wmma, const Fragment *fragment) {
    const bool contiguous = wmma->by_rows[0] != (fragment->matrix == MATRIX_B);
    const unsigned step = contiguous && fragment->matrix == MATRIX_SUMS ? 2 / fragment->packed : 1;
    const Token *registers = wmma->registers[0];
    const bool at_once = by_ldmatrix(wmma, fragment, contiguous);
    if (at_once)
        add_ldmatrix(wmma, fragment, contiguous);
    else
        add_place(wmma, fragment, contiguous);
    for (unsigned i = 0; i < fragment->registers && !at_once; i += step) {
        unsigned across = 0, along = 0;
        place_of(fragment, i, &across, &along);
        (contiguous ? add_contiguous : add_scattered)(wmma, fragment, &registers[i], across, along);
    }
    for (unsigned i = fragment->registers; i < fragment->listed; i++)
        text_add(&wmma->text, "mov.b32 %.*s, %.*s; ", (int)registers[i].length, registers[i].text,
                 (int)registers[i - fragment->registers].length, registers[i - fragment->registers].text);
}

/* --- operands --- */

/* As ptxas 13.0 has it: 32 bits, or where elements are f32, f16 or integers, of these. */
static bool holds(Type have, Type element) {
    if (type_bytes[have] != 4 || type_kinds[have] == KIND_PRED) return false;
    if (type_kinds[have] == KIND_BITS) return true;
    if (type_kinds[have] == KIND_FLOAT) return have == element || (have == TYPE_f16x2 && element == TYPE_f16);
    return type_kinds[element] != KIND_FLOAT && type_kinds[element] != KIND_BITS;
}

/* A register of a fragment, or where it is read a number as well, as a word. */
static bool take_operand(Parser *parser, Type element, bool reads, Token *word) {
    Constant constant;
    uint64_t bits;
    uint32_t index;
    *word = parser->token;
    if (reads && constant_starts(parser)) {
        const Type type = type_bytes[element] == 4 && element != TYPE_tf32 ? element : TYPE_b32;
        if (!constant_parse(parser, &constant) || !constant_convert(parser, &constant, word, type, &bits)) return false;
        LOCAL_TEXT text = text_from(type == TYPE_f32 ? "0f%08X" : "0x%08X", (unsigned)bits);
        word->length = (uint32_t)text.length;
        word->text = arena_copy(parser->scratch, text_string(&text), text.length);
        return true;
    }
    if (!parser_take_word(parser, "a register", word) || !register_find(parser, word, &index)) return false;
    const Type have = (Type)parser->registers[index].type;
    return holds(have, element) || parser_fail(parser, word, "'%.*s' is a .%s register, which does not hold .%s here",
                                               TOKEN_TEXT(word), type_names[have], type_names[element]);
}

static bool take_registers(Wmma *wmma, unsigned k, const Fragment *fragment, bool reads) {
    Parser *parser = wmma->parser;
    if (!parser_expect(parser, '{')) return false;
    for (unsigned i = 0; i < fragment->listed; i++) {
        if (i && !parser_expect(parser, ',')) return false;
        if (!take_operand(parser, fragment->type, reads, &wmma->registers[k][i])) return false;
    }
    return parser_expect(parser, '}');
}

static bool take_access(Wmma *wmma) {
    Fragment fragment;
    const Type type = wmma->types[0];
    if (wmma->n_types != 1 || !fragment_of(wmma->matrix, type, wmma->depth, &fragment)) return refuse(wmma);
    const unsigned along = fragment.matrix == MATRIX_SUMS ? TILE : wmma->depth;
    const bool contiguous = wmma->by_rows[0] != (fragment.matrix == MATRIX_B);
    if (!scratch(wmma)) return false;
    if (wmma->loads && !(take_registers(wmma, 0, &fragment, false) && parser_expect(wmma->parser, ','))) return false;
    if (!take_address(wmma)) return false;
    if (wmma->stores && !(parser_expect(wmma->parser, ',') && take_registers(wmma, 0, &fragment, true))) return false;
    if (!take_stride(wmma, contiguous ? along : TILE)) return false;
    add_accesses(wmma, &fragment);
    return true;
}

/* Whether sums would overwrite what is still to be read: any of a and b, or the second half of c. */
static bool overlaps(const Wmma *wmma, const Fragment *fragments) {
    for (unsigned k = 1; k < 4; k++)
        for (unsigned i = 0; i < fragments[k].registers; i++)
            for (unsigned j = 0; j < fragments[0].registers / (k < 3 ? 1 : 2); j++) {
                const Token *to = &wmma->registers[0][j], *from = &wmma->registers[k][i];
                if ((k < 3 || i >= fragments[3].registers / 2) && to->length == from->length &&
                    memcmp(to->text, from->text, to->length) == 0)
                    return true;
            }
    return false;
}

/* wmma.mma d, a, b, c: types of d, a, b and c, or where those of a and b are f16, which are not written, of d and c. */
static bool take_product(Wmma *wmma) {
    Type types[4] = {wmma->types[0], TYPE_f16, TYPE_f16, wmma->types[1]};
    if (wmma->n_types == 4) memcpy(types, wmma->types, sizeof types);
    static const Matrix matrices[] = {MATRIX_SUMS, MATRIX_A, MATRIX_B, MATRIX_SUMS};
    Fragment fragments[4];
    const bool named = wmma->n_types == 4 && types[1] == types[2] && types[1] != TYPE_f16;
    bool fine = (wmma->n_types == 2 || named) && types[0] == types[3] && (!wmma->satfinite || types[0] == TYPE_s32);
    for (unsigned k = 0; k < 4; k++) fine = fine && fragment_of(matrices[k], types[k], wmma->depth, &fragments[k]);
    if (!fine) return refuse(wmma);
    for (unsigned k = 0; k < 4; k++)
        if ((k && !parser_expect(wmma->parser, ',')) || !take_registers(wmma, k, &fragments[k], k > 0)) return false;
    if (overlaps(wmma, fragments)) return refuse(wmma);
    const unsigned sums = fragments[0].registers / 2, right = fragments[2].registers / 2;
    const unsigned steps = types[1] == TYPE_tf32 ? 2 : 1,
                   left = fragments[1].registers / steps; /* of tf32 half the depth each */
    for (unsigned i = 0; i < 2 * steps; i++) {
        const unsigned half = i / steps, step = i % steps;
        text_add(&wmma->text, "mma.sync.aligned.m16n8k%u.row.col%s", wmma->depth / steps, wmma->satfinite ? ".satfinite" : "");
        for (unsigned k = 0; k < 4; k++) text_add(&wmma->text, ".%s", type_names[types[k]]);
        text_add(&wmma->text, " ");
        add_list(wmma, wmma->registers[0] + half * sums, sums, ", ");
        add_list(wmma, wmma->registers[1] + step * left, left, ", ");
        add_list(wmma, wmma->registers[2] + half * right + step * right / steps, right / steps, ", ");
        add_list(wmma, wmma->registers[step ? 0 : 3] + half * sums, sums, "; ");
    }
    return true;
}

/* --- the instructions in its place --- */

/* The predicate that the instruction stands behind, which each of them then stands behind. */
typedef struct WmmaGuard {
    bool guarded, negated;
    uint32_t index;
} WmmaGuard;

static bool read_in_place(Wmma *wmma, WmmaGuard guard, unsigned flag) {
    Parser *parser = wmma->parser;
    const Lexer outer = parser->lexer;
    const Token next = parser->token;
    const size_t length = wmma->text.length;
    const char *copy = arena_copy(parser->scratch, text_string(&wmma->text), length); /* its tokens stay */
    lexer_start(&parser->lexer, copy, length, outer.name, parser->diag);
    parser->lexer.line = wmma->opcode.line;
    parser->expands = flag;
    parser_advance(parser);
    bool fine = true;
    while (fine && parser->token.kind != TOKEN_END) {
        Token opcode;
        fine = parser_take_word(parser, "an instruction", &opcode) &&
               insn_parse(parser, &opcode, guard.guarded, guard.negated, guard.index);
    }
    fine &= !parser->lexer.failed;
    parser->expands = 0;
    parser->lexer = outer;
    parser->token = next;
    if (!fine) parser->diag->column = wmma->opcode.column;
    return fine;
}

/* PTX ISA, "Target ISA Notes" of wmma, as ptxas holds to them. */
static void note_need(const Wmma *wmma) {
    bool brief = false, integer = false;
    for (unsigned i = 0; i < wmma->n_types; i++) {
        brief |= wmma->types[i] == TYPE_bf16;
        integer |= type_kinds[wmma->types[i]] != KIND_FLOAT;
    }
    if (brief || wmma->depth == 8)
        need_note(wmma->parser, 80, brief ? " of bf16" : ".m16n16k8");
    else
        need_note(wmma->parser, integer ? 72 : 70, integer ? " of integers" : "");
}

bool wmma_parse(Parser *parser, const Token *opcode, bool guarded, bool guard_negated, uint32_t guard) {
    Wmma wmma = {.parser = parser, .opcode = *opcode};
    bool fine = take_words(&wmma) && (wmma.loads || wmma.stores ? take_access(&wmma) : take_product(&wmma));
    if (fine) note_need(&wmma);
    fine = fine && parser_expect(parser, ';') && read_in_place(&wmma, (WmmaGuard){guarded, guard_negated, guard}, INSN_OF_WMMA);
    text_free(&wmma.text);
    return fine;
}

/* cvt.rna.tf32.f32: to the nearest, of two the one that is further from zero; of a NaN the first bits, which may be an infinite value's. */
bool tf32_parse(Parser *parser, const Token *opcode, bool guarded, bool guard_negated, uint32_t guard) {
    static const char *const words[] = {".rna", ".tf32", ".f32"};
    Wmma wmma = {.parser = parser, .opcode = *opcode};
    Token to, from;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!parser_accept_dot(parser, words[i])) return parser_refuse(parser, opcode, "'cvt' to tf32 is .rna.tf32.f32 here");
    if (!take_operand(parser, TYPE_tf32, false, &to) || !parser_expect(parser, ',') ||
        !take_operand(parser, TYPE_f32, true, &from) || !parser_expect(parser, ';') || !scratch(&wmma))
        return false;
    text_add(&wmma.text,
             "mov.b32 %%wmma_0, %.*s; and.b32 %%wmma_1, %%wmma_0, 0x7f800000; setp.ne.u32 %%wmma_finite, %%wmma_1, 0x7f800000; "
             "selp.b32 %%wmma_1, 0x1000, 0, %%wmma_finite; add.u32 %%wmma_0, %%wmma_0, %%wmma_1; "
             "and.b32 %.*s, %%wmma_0, 0xffffe000; ",
             (int)from.length, from.text, (int)to.length, to.text);
    need_note(parser, 80, ".rna.tf32");
    const bool fine = read_in_place(&wmma, (WmmaGuard){guarded, guard_negated, guard}, INSN_OF_TF32);
    text_free(&wmma.text);
    return fine;
}
