/* One instruction: its modifiers against those that opcodes.def gives its opcode, then its operands by their letters there. */
#include <string.h>

#include "ptx/opcode.h"
#include "ptx/parser.h"

/* Flags share a group; their values are InsnFlag. Types and vectors are read apart. */
// clang-format off
const Modifier modifiers[] = {
    {"lo", GROUP_MODE, MODE_LO}, {"hi", GROUP_MODE, MODE_HI}, {"wide", GROUP_MODE, MODE_WIDE},
    {"rn", GROUP_ROUND, ROUND_RN}, {"rz", GROUP_ROUND, ROUND_RZ}, {"rm", GROUP_ROUND, ROUND_RM}, {"rp", GROUP_ROUND, ROUND_RP},
    {"rna", GROUP_ROUND, ROUND_RNA}, {"rni", GROUP_ROUND, ROUND_RNI}, {"rzi", GROUP_ROUND, ROUND_RZI},
    {"rmi", GROUP_ROUND, ROUND_RMI}, {"rpi", GROUP_ROUND, ROUND_RPI},
    {"ftz", GROUP_FLAG, INSN_FTZ}, {"sat", GROUP_FLAG, INSN_SAT}, {"cc", GROUP_FLAG, INSN_CC}, {"approx", GROUP_FLAG, INSN_APPROX},
    {"full", GROUP_FLAG, INSN_FULL}, {"uni", GROUP_FLAG, INSN_UNI}, {"NaN", GROUP_FLAG, INSN_NAN},
    {"xorsign", GROUP_FLAG, INSN_XORSIGN_ABS}, {"shiftamt", GROUP_FLAG, INSN_SHIFTAMT}, {"sync", GROUP_FLAG, INSN_SYNC},
    {"aligned", GROUP_FLAG, INSN_ALIGNED}, {"noftz", GROUP_FLAG, INSN_NOFTZ}, {"relu", GROUP_FLAG, INSN_RELU},
    {"unified", GROUP_FLAG, INSN_UNIFIED},
    {"eq", GROUP_COMPARE, CMP_EQ}, {"ne", GROUP_COMPARE, CMP_NE}, {"lt", GROUP_COMPARE, CMP_LT}, {"le", GROUP_COMPARE, CMP_LE},
    {"gt", GROUP_COMPARE, CMP_GT}, {"ge", GROUP_COMPARE, CMP_GE}, {"lo", GROUP_COMPARE, CMP_LO}, {"ls", GROUP_COMPARE, CMP_LS},
    {"hi", GROUP_COMPARE, CMP_HI}, {"hs", GROUP_COMPARE, CMP_HS}, {"equ", GROUP_COMPARE, CMP_EQU}, {"neu", GROUP_COMPARE, CMP_NEU},
    {"ltu", GROUP_COMPARE, CMP_LTU}, {"leu", GROUP_COMPARE, CMP_LEU}, {"gtu", GROUP_COMPARE, CMP_GTU},
    {"geu", GROUP_COMPARE, CMP_GEU}, {"num", GROUP_COMPARE, CMP_NUM}, {"nan", GROUP_COMPARE, CMP_NAN},
    {"and", GROUP_BOOL, BOOL_AND}, {"or", GROUP_BOOL, BOOL_OR}, {"xor", GROUP_BOOL, BOOL_XOR},
    {"global", GROUP_SPACE, SPACE_GLOBAL}, {"shared", GROUP_SPACE, SPACE_SHARED}, {"shared::cta", GROUP_SPACE, SPACE_SHARED},
    {"local", GROUP_SPACE, SPACE_LOCAL}, {"const", GROUP_SPACE, SPACE_CONST}, {"param", GROUP_SPACE, SPACE_PARAM},
    {"param::entry", GROUP_SPACE, SPACE_PARAM}, {"param::func", GROUP_SPACE, SPACE_PARAM},
    {"ca", GROUP_POLICY, POLICY_CA}, {"cg", GROUP_POLICY, POLICY_CG}, {"cs", GROUP_POLICY, POLICY_CS},
    {"lu", GROUP_POLICY, POLICY_LU}, {"cv", GROUP_POLICY, POLICY_CV}, {"wb", GROUP_POLICY, POLICY_WB},
    {"wt", GROUP_POLICY, POLICY_WT}, {"nc", GROUP_NC, POLICY_NC},
    {"weak", GROUP_ORDER, ORDER_WEAK}, {"volatile", GROUP_ORDER, ORDER_VOLATILE}, {"relaxed", GROUP_ORDER, ORDER_RELAXED},
    {"acquire", GROUP_ORDER, ORDER_ACQUIRE}, {"release", GROUP_ORDER, ORDER_RELEASE}, {"acq_rel", GROUP_ORDER, ORDER_ACQ_REL},
    {"sc", GROUP_ORDER, ORDER_SC}, {"mmio", GROUP_MMIO, 0},
    {"cta", GROUP_CTA, 0}, {"cta", GROUP_SCOPE, SCOPE_CTA}, {"cluster", GROUP_SCOPE, SCOPE_CLUSTER}, {"gpu", GROUP_SCOPE, SCOPE_GPU},
    {"sys", GROUP_SCOPE, SCOPE_SYS}, {"gl", GROUP_SCOPE, SCOPE_GL},
    {"v2", GROUP_VECTOR, 2}, {"v4", GROUP_VECTOR, 4}, {"v8", GROUP_VECTOR, 8},
    {"L1::evict_normal", GROUP_CACHE, CACHE_L1}, {"L1::evict_unchanged", GROUP_CACHE, CACHE_L1}, {"L1::evict_first", GROUP_CACHE, CACHE_L1},
    {"L1::evict_last", GROUP_CACHE, CACHE_L1}, {"L1::no_allocate", GROUP_CACHE, CACHE_L1}, {"L2::evict_normal", GROUP_CACHE, CACHE_L2},
    {"L2::evict_first", GROUP_CACHE, CACHE_L2}, {"L2::evict_last", GROUP_CACHE, CACHE_L2}, {"L2::evict_unchanged", GROUP_CACHE, CACHE_L2_UNCHANGED},
    {"L2::64B", GROUP_CACHE, CACHE_BYTES}, {"L2::128B", GROUP_CACHE, CACHE_BYTES}, {"L2::256B", GROUP_CACHE, CACHE_BYTES | CACHE_256B}, {"L2::cache_hint", GROUP_CACHE, CACHE_HINT},
    {"add", GROUP_ATOM, ATOM_ADD}, {"min", GROUP_ATOM, ATOM_MIN}, {"max", GROUP_ATOM, ATOM_MAX}, {"and", GROUP_ATOM, ATOM_AND},
    {"or", GROUP_ATOM, ATOM_OR}, {"xor", GROUP_ATOM, ATOM_XOR}, {"exch", GROUP_ATOM, ATOM_EXCH}, {"cas", GROUP_ATOM, ATOM_CAS},
    {"inc", GROUP_ATOM, ATOM_INC}, {"dec", GROUP_ATOM, ATOM_DEC},
    {"up", GROUP_SHFL, SHFL_UP}, {"down", GROUP_SHFL, SHFL_DOWN}, {"bfly", GROUP_SHFL, SHFL_BFLY}, {"idx", GROUP_SHFL, SHFL_IDX},
    {"all", GROUP_VOTE, VOTE_ALL}, {"any", GROUP_VOTE, VOTE_ANY}, {"uni", GROUP_VOTE, VOTE_UNI}, {"ballot", GROUP_VOTE, VOTE_BALLOT},
    {"any", GROUP_MATCH, MATCH_ANY}, {"all", GROUP_MATCH, MATCH_ALL},
    {"to", GROUP_TO, CVTA_TO}, {"l", GROUP_SHIFT, 0}, {"r", GROUP_SHIFT, 1}, {"clamp", GROUP_WRAP, 0}, {"wrap", GROUP_WRAP, 1},
    {"f4e", GROUP_PRMT, PRMT_F4E}, {"b4e", GROUP_PRMT, PRMT_B4E}, {"rc8", GROUP_PRMT, PRMT_RC8}, {"ecl", GROUP_PRMT, PRMT_ECL},
    {"ecr", GROUP_PRMT, PRMT_ECR}, {"rc16", GROUP_PRMT, PRMT_RC16},
    {"finite", GROUP_TESTP, TESTP_FINITE}, {"infinite", GROUP_TESTP, TESTP_INFINITE}, {"number", GROUP_TESTP, TESTP_NUMBER},
    {"notanumber", GROUP_TESTP, TESTP_NOTANUMBER}, {"normal", GROUP_TESTP, TESTP_NORMAL}, {"subnormal", GROUP_TESTP, TESTP_SUBNORMAL},
    {"sync", GROUP_BARRIER, BAR_SYNC}, {"arrive", GROUP_BARRIER, BAR_ARRIVE}, {"red", GROUP_BARRIER, BAR_RED_POPC},
    {"popc", GROUP_BAR_RED, BAR_RED_POPC}, {"and", GROUP_BAR_RED, BAR_RED_AND}, {"or", GROUP_BAR_RED, BAR_RED_OR},
    {"warp", GROUP_WARP, 0}, {"L1", GROUP_LEVEL, 1}, {"L2", GROUP_LEVEL, 2},
    {"launch_dependents", GROUP_GRID, 0}, {"wait", GROUP_GRID, GRID_WAIT}, {"mask", GROUP_GRID, 0}, {"idx", GROUP_IDX, 0},
    {"async", GROUP_ASYNC, 0}, {"commit_group", GROUP_COPY, CP_ASYNC_COMMIT}, {"wait_group", GROUP_COPY, CP_ASYNC_WAIT_GROUP},
    {"wait_all", GROUP_COPY, CP_ASYNC_WAIT_ALL}, {"noinc", GROUP_NOINC, 0}, {"mbarrier", GROUP_OF_COPIES, 0},
    {"shared::cluster", GROUP_WINDOW, 0}, {"init", GROUP_MBARRIER, MBARRIER_INIT}, {"inval", GROUP_MBARRIER, MBARRIER_INVAL},
    {"complete_tx", GROUP_MBARRIER, MBARRIER_COMPLETE_TX}, {"arrive", GROUP_MBARRIER, MBARRIER_ARRIVE},
    {"arrive_drop", GROUP_MBARRIER, MBARRIER_ARRIVE_DROP}, {"test_wait", GROUP_MBARRIER, MBARRIER_TEST_WAIT},
    {"try_wait", GROUP_MBARRIER, MBARRIER_TRY_WAIT}, {"pending_count", GROUP_MBARRIER, MBARRIER_PENDING_COUNT},
    {"bulk", GROUP_BULK, 0}, {"reduce", GROUP_REDUCE, 0}, {"prefetch", GROUP_PREFETCH, 0}, {"read", GROUP_READ, 0},
    {"mbarrier::complete_tx::bytes", GROUP_COMPLETION, 0}, {"bulk_group", GROUP_COMPLETION, 1},
    {"proxy", GROUP_PROXY, 0}, {"mbarrier_init", GROUP_PROXY, 1}, {"alias", GROUP_ALIAS, 0},
    {"m8n8", GROUP_SHAPE, 0}, {"x1", GROUP_TIMES, 1}, {"x2", GROUP_TIMES, 2}, {"x4", GROUP_TIMES, 4}, {"trans", GROUP_TRANS, 0},
    {"m16n8k4", GROUP_TILE, 4}, {"m16n8k8", GROUP_TILE, 8}, {"m16n8k16", GROUP_TILE, 16}, {"m16n8k32", GROUP_TILE, 32},
    {"row", GROUP_ROW, 0}, {"col", GROUP_COL, 0}, {"satfinite", GROUP_SATFINITE, 0},
    {"expect_tx", GROUP_EXPECT, MBARRIER_EXPECT_TX}, {"noComplete", GROUP_EXPECT, 0}, {"parity", GROUP_PARITY, 0},
    {"tensor", GROUP_TENSOR, 0}, {"1d", GROUP_RANK, 1}, {"2d", GROUP_RANK, 2}, {"3d", GROUP_RANK, 3}, {"4d", GROUP_RANK, 4},
    {"5d", GROUP_RANK, 5}, {"tile", GROUP_TILED, 0}, {"multicast::cluster", GROUP_MULTICAST, 0},
    {"tensormap", GROUP_TENSORMAP, 0}, {"tensormap::generic", GROUP_TENSORMAP, 0},
    {"1d", GROUP_GEOMETRY, GEOMETRY_1D}, {"2d", GROUP_GEOMETRY, GEOMETRY_2D}, {"3d", GROUP_GEOMETRY, GEOMETRY_3D},
    {"a1d", GROUP_GEOMETRY, GEOMETRY_A1D}, {"a2d", GROUP_GEOMETRY, GEOMETRY_A2D},
    {"base", GROUP_LOD, TEX_BASE}, {"level", GROUP_LOD, TEX_LEVEL}, {"grad", GROUP_LOD, TEX_GRAD},
    {"r", GROUP_COMPONENT, TLD4_R}, {"g", GROUP_COMPONENT, TLD4_G}, {"b", GROUP_COMPONENT, TLD4_B}, {"a", GROUP_COMPONENT, TLD4_A},
    {"b", GROUP_FORMAT, 0}, {"p", GROUP_FORMAT, 1},
    {"trap", GROUP_OUTSIDE, SURFACE_TRAP}, {"clamp", GROUP_OUTSIDE, SURFACE_CLAMP}, {"zero", GROUP_OUTSIDE, SURFACE_ZERO},
    {"width", GROUP_QUERY, QUERY_WIDTH}, {"height", GROUP_QUERY, QUERY_HEIGHT}, {"depth", GROUP_QUERY, QUERY_DEPTH},
    {"array_size", GROUP_QUERY, QUERY_LAYERS},
    {"range", GROUP_PRIORITY, 0}, {"fractional", GROUP_PRIORITY, 0}, {"cvt", GROUP_PRIORITY, 0},
};
const size_t modifiers_count = sizeof modifiers / sizeof *modifiers;

/* Known to PTX, not emulated by any instruction here. */
#define IM2COL "tensors are copied as tiles; im2col is not modelled"
#define MMA "only mma of f16, bf16, tf32 and 8-bit integers, m16n8, is modelled"
#define CUBES "cube maps are not modelled"
#define QUERIES "only width, height, depth and array_size can be asked for"
static const struct { const char *text, *reason; } refused_modifiers[] = {
    {"im2col", IM2COL}, {"im2col_no_offs", IM2COL}, {"im2col::w", IM2COL}, {"im2col::w::128", IM2COL},
    {"tile::gather4", "boxes of four rows anywhere (sm_100) are not modelled"},
    {"tile::scatter4", "boxes of four rows anywhere (sm_100) are not modelled"},
    {"cta_group::1", "pairs of blocks (sm_100) are not modelled"}, {"cta_group::2", "pairs of blocks (sm_100) are not modelled"},
    {"m16n16", "fragments of bytes are not modelled"}, {"m16n8", "fragments of bytes are not modelled"},
    {"m8n16", "fragments of bytes are not modelled"}, {"m8n8k4", MMA}, {"m8n8k16", MMA}, {"m8n8k32", MMA}, {"m8n8k128", MMA},
    {"m16n8k64", MMA}, {"m16n8k128", MMA}, {"m16n8k256", MMA}, {"u4", MMA}, {"s4", MMA}, {"b1", MMA},
    {"sp", "sparse matrices are not modelled"}, {"sp::ordered_metadata", "sparse matrices are not modelled"},
    {"cp_mask", "copies of single bytes are not modelled"}, {"ignore_oob", "copies beyond a buffer are not modelled"},
    {"async::generic", "fences of one direction are not modelled"},
    {"e4m3", "8-bit floating point is not modelled"}, {"e5m2", "8-bit floating point is not modelled"},
    {"e4m3x2", "8-bit floating point is not modelled"}, {"e5m2x2", "8-bit floating point is not modelled"},
    {"tf32", "only cvt.rna.tf32.f32, wmma and mma are"}, {"pack", "packing conversions are not modelled"},
    {"satfinite", "saturating to finite values is not modelled"}, {"oob", "out-of-bounds arithmetic is not modelled"},
    {"f32x2", "packed pairs of f32 are not modelled"}, {"s16x2", "only add, min and max take packed pairs of integers"},
    {"u16x2", "only add, min and max take packed pairs of integers"},
    {"cube", CUBES}, {"acube", CUBES}, {"2dms", "textures of several samples are not modelled"}, {"a2dms", "textures of several samples are not modelled"},
    {"f16x2", "textures give 32-bit results here"}, {"samplepos", QUERIES}, {"num_samples", QUERIES}, {"num_mipmap_levels", QUERIES},
    {"channel_data_type", QUERIES}, {"channel_order", QUERIES}, {"normalized_coords", QUERIES}, {"filter_mode", QUERIES},
    {"addr_mode_0", QUERIES}, {"addr_mode_1", QUERIES}, {"addr_mode_2", QUERIES}, {"force_unnormalized_coords", QUERIES},
    {"memory_layout", QUERIES},
};

#define G(name) (UINT64_C(1) << GROUP_##name)
#define T(name) (UINT32_C(1) << TYPE_##name)
enum {
    INTEGERS = T(u16) | T(u32) | T(u64) | T(s16) | T(s32) | T(s64),
    WORDS = T(u32) | T(u64) | T(s32) | T(s64),
    HALVES = T(f16) | T(f16x2) | T(bf16) | T(bf16x2),
    PAIRS = T(u16x2) | T(s16x2),
    FLOATS = T(f32) | T(f64),
    LOGIC = T(b16) | T(b32) | T(b64),
    NUMBERS = T(u8) | T(s8) | INTEGERS | FLOATS,
    MMA_ELEMENTS = T(f16) | T(bf16) | T(tf32) | T(f64) | T(s8) | T(u8),
    MEMORY = T(b8) | LOGIC | NUMBERS,
};

/* The words of opcodes.def. */
#define OF(...) .types = {__VA_ARGS__}
#define AS(name) .type = TYPE_##name
#define MAY(set) .groups = (set)
#define MUST(set) .required = (set)
#define FLAGS(set) .flags = (set)
#define COMMUTES .commutes = true
#define EXPANDS .expands = true
#define OPTIONAL .types_optional = true
#define SINCE(version) .since = (version)
#define BY(reader) .special = reader
#define OP(name, class, operands, ...) [OP_##name] = {__VA_ARGS__},
#define REFUSED(name, reason)
const Form opcode_forms[OP_COUNT] = {
#include "ptx/opcodes.def"
};
#undef OP
#undef REFUSED
// clang-format on

/* Whether a comparison asks alike of both sides. */
static bool is_symmetric(Compare compare) {
    return compare == CMP_EQ || compare == CMP_NE || compare == CMP_EQU || compare == CMP_NEU || compare >= CMP_NUM;
}

unsigned insn_commuting(const Insn *insn) {
    const bool may = insn->op != OP_setp || is_symmetric((Compare)insn->compare);
    return opcode_forms[insn->op].commutes && may ? 2 : 0;
}

bool insn_expands(const Insn *insn) { return opcode_forms[insn->op].expands && !(insn->flags & (INSN_APPROX | INSN_FULL)); }

bool reading_has(const Reading *reading, Group group) { return reading->groups >> group & 1; }

/* -- modifiers */

static bool flag_apply(Reading *reading, const Token *at, unsigned flag) {
    if (reading->insn.flags & flag) return parser_fail(reading->parser, at, "'%.*s' stands twice", TOKEN_TEXT(at));
    reading->insn.flags |= flag;
    if (flag != INSN_XORSIGN_ABS) return true;
    return parser_accept_dot(reading->parser, ".abs") || parser_expected(reading->parser, "'.abs'");
}

/* .shared::cluster is a state space of its own, which has the block's shared memory in it. */
static bool window_apply(Reading *reading, const Token *at) {
    if (reading_has(reading, GROUP_SPACE))
        return parser_fail(reading->parser, at, "'%.*s' contradicts an earlier modifier", TOKEN_TEXT(at));
    reading->groups |= G(SPACE);
    reading->value[GROUP_SPACE] = SPACE_SHARED;
    reading->insn.flags |= INSN_CLUSTER;
    return true;
}

static bool modifier_apply(Reading *reading, const Token *at, const Modifier *modifier) {
    Group group = (Group)modifier->group;
    if (group == GROUP_FLAG) return flag_apply(reading, at, modifier->value);
    bool copies = reading->insn.op == OP_cp_async || reading->insn.op == OP_cp_bulk; /* they name both spaces */
    bool place = copies && (group == GROUP_SPACE || group == GROUP_WINDOW) && reading->n_spaces < 2;
    if (place) reading->spaces[reading->n_spaces++] = group == GROUP_WINDOW ? SPACE_SHARED : (uint8_t)modifier->value;
    bool again = group != GROUP_CACHE && group != GROUP_LEVEL && reading_has(reading, group) && !place;
    if (again) return parser_fail(reading->parser, at, "'%.*s' contradicts an earlier modifier", TOKEN_TEXT(at));
    reading->groups |= UINT64_C(1) << group;
    reading->value[group] = (uint8_t)modifier->value;
    reading->of_function |= group == GROUP_SPACE && strcmp(modifier->text, "param::func") == 0;
    if (group == GROUP_CACHE) reading->cache |= modifier->value;
    return group != GROUP_WINDOW || copies || window_apply(reading, at);
}

static bool modifier_unknown(Reading *reading, const Token *at) {
    const char *text = at->text + 1;
    uint32_t length = at->length - 1;
    for (size_t i = 0; i < sizeof refused_modifiers / sizeof *refused_modifiers; i++) {
        const char *refused = refused_modifiers[i].text;
        if (strlen(refused) == length && memcmp(refused, text, length) == 0)
            return parser_refuse(reading->parser, at, "'%.*s.%s' is not emulated: %s", TOKEN_TEXT(&reading->opcode), refused,
                                 refused_modifiers[i].reason);
    }
    bool known = type_named(at->text, at->length) != TYPE_none;
    for (size_t i = 0; i < modifiers_count; i++)
        known |= strlen(modifiers[i].text) == length && memcmp(modifiers[i].text, text, length) == 0;
    if (known)
        return parser_fail(reading->parser, at, "'%.*s' does not take '%.*s'", TOKEN_TEXT(&reading->opcode), TOKEN_TEXT(at));
    return parser_fail(reading->parser, at, "unknown modifier '%.*s' of '%.*s'", TOKEN_TEXT(at), TOKEN_TEXT(&reading->opcode));
}

static unsigned types_count(const Form *form) {
    unsigned count = 0;
    while (count < FORM_TYPES && form->types[count]) count++;
    return count;
}

static bool modifier_read(Reading *reading, const Form *form) {
    Token at = reading->parser->token;
    const char *text = at.text + 1;
    uint32_t length = at.length - 1;
    parser_advance(reading->parser);
    for (size_t i = 0; i < modifiers_count; i++) {
        const Modifier *modifier = &modifiers[i];
        bool taken = modifier->group == GROUP_FLAG ? form->flags & modifier->value
                                                   : (form->groups | form->required) >> modifier->group & 1;
        if (modifier->text[0] != text[0] || !taken) continue;
        if (strlen(modifier->text) == length && memcmp(modifier->text, text, length) == 0)
            return modifier_apply(reading, &at, modifier);
    }
    Type type = type_named(at.text, at.length);
    bool taken = type != TYPE_none && reading->n_types < types_count(form) && form->types[reading->n_types] >> type & 1;
    if (!taken) return modifier_unknown(reading, &at);
    reading->types[reading->n_types++] = type;
    return true;
}

static bool modifiers_read(Reading *reading, const Form *form) {
    Parser *parser = reading->parser;
    while (parser->token.kind == TOKEN_DOT_WORD)
        if (!modifier_read(reading, form)) return false;
    unsigned wanted = types_count(form);
    if (reading->n_types < wanted && !form->types_optional) {
        static const char *const counts[FORM_TYPES + 1] = {"", "a type", "two types", "three types", "four types"};
        return parser_fail(parser, &reading->opcode, "'%.*s' needs %s", TOKEN_TEXT(&reading->opcode),
                           counts[reading->n_types ? wanted : 1]);
    }
    uint64_t have = reading->groups | (reading->insn.flags ? G(FLAG) : 0);
    if ((form->required & have) != form->required)
        return parser_fail(parser, &reading->opcode, "'%.*s' lacks a modifier", TOKEN_TEXT(&reading->opcode));
    return true;
}

/* -- the instruction's fields */

static uint8_t reading_variant(const Reading *reading) {
    static const Group simple[] = {GROUP_ATOM, GROUP_SHFL, GROUP_VOTE,      GROUP_MATCH,   GROUP_PRMT, GROUP_TESTP,
                                   GROUP_TO,   GROUP_LOD,  GROUP_COMPONENT, GROUP_OUTSIDE, GROUP_QUERY};
    static const uint8_t shifts[2][2] = {{SHF_L_CLAMP, SHF_L_WRAP}, {SHF_R_CLAMP, SHF_R_WRAP}};
    const uint8_t *value = reading->value;
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        if (reading_has(reading, simple[i])) return value[simple[i]];
    if (reading_has(reading, GROUP_SHIFT)) return shifts[value[GROUP_SHIFT]][value[GROUP_WRAP]];
    if (reading_has(reading, GROUP_WRAP)) return value[GROUP_WRAP] ? MASK_WRAP : MASK_CLAMP;
    return VARIANT_NONE;
}

/* PTX ISA, "Comparisons": which of them a type has. No predicates are compared. */
static bool compares(Compare compare, Type type) {
    TypeKind kind = (TypeKind)type_kinds[type];
    if (kind == KIND_BITS) return compare <= CMP_NE;
    if (kind == KIND_UNSIGNED) return compare <= CMP_HS;
    return compare <= CMP_GE || (kind == KIND_FLOAT && compare >= CMP_EQU);
}

/* A result that may have to be rounded, and no word on how. */
static bool lacks_rounding(const Insn *insn, const Form *form) {
    TypeKind to = (TypeKind)type_kinds[insn->type], from = (TypeKind)type_kinds[insn->type2];
    bool inexact = insn->flags & (INSN_APPROX | INSN_FULL);
    if (insn->rounding != ROUND_NONE || to == KIND_NONE) return false;
    uint8_t op = insn->op;
    if (op == OP_fma || op == OP_mad) return to == KIND_FLOAT;
    if (op == OP_cvt && to == KIND_FLOAT && from == KIND_FLOAT) return type_bytes[insn->type] < type_bytes[insn->type2];
    if (op == OP_cvt) return to == KIND_FLOAT || from == KIND_FLOAT;
    return form->flags & INSN_APPROX && to == KIND_FLOAT && !inexact;
}

/* As ptxas has it: "Instruction 'shfl' without '.sync' is not supported on .target sm_70 and higher from PTX ISA version 6.4". */
static bool needs_sync(const Program *program) {
    return program->target >= 70 &&
           (program->version_major > 6 || (program->version_major == 6 && program->version_minor >= 4));
}

/* Hints about a line of a cache are of global memory; local memory's lines can be fetched, but have no priority. */
static bool hint_suits(const Reading *reading) {
    const Insn *insn = &reading->insn;
    if (insn->op != OP_prefetch && insn->op != OP_applypriority && insn->op != OP_discard) return true;
    if (reading_has(reading, GROUP_TENSORMAP)) return true;
    return insn->space == SPACE_GENERIC || insn->space == SPACE_GLOBAL ||
           (insn->space == SPACE_LOCAL && insn->op == OP_prefetch && !reading->cache);
}

/* Combinations that opcodes.def cannot say. */
static bool insn_check(Reading *reading, const Form *form) {
    const Insn *insn = &reading->insn;
    bool is_float = type_kinds[insn->type] == KIND_FLOAT;
    bool bitwise = insn->variant == ATOM_AND || insn->variant == ATOM_OR || insn->variant == ATOM_XOR;
    Parser *parser = reading->parser;
    const Token *at = &reading->opcode;
    if ((insn->op == OP_mul || insn->op == OP_mad) && is_float != (insn->mode == MODE_NONE))
        return parser_fail(parser, at, "'%.*s' takes .lo, .hi or .wide with integers, and only with them", TOKEN_TEXT(at));
    if (insn->mode == MODE_WIDE && (type_bytes[insn->type] == 8 || (insn->op != OP_mul && insn->op != OP_mad)))
        return parser_fail(parser, at, "'%.*s.wide' has no such form", TOKEN_TEXT(at));
    if (!hint_suits(reading))
        return parser_fail(parser, at, "'%.*s' has no such form in .%s memory", TOKEN_TEXT(at), space_names[insn->space]);
    if (lacks_rounding(insn, form))
        return parser_fail(parser, at, "'%.*s' needs a rounding such as .rn, or .approx where it has that", TOKEN_TEXT(at));
    if (insn->compare && !compares((Compare)insn->compare, (Type)(insn->type2 ? insn->type2 : insn->type)))
        return parser_fail(parser, at, "this comparison does not exist for the type");
    if (insn->op == OP_cvt && insn->flags & INSN_SAT && insn->type2 == TYPE_bf16)
        return parser_fail(parser, at, "'cvt' from .bf16 does not take .sat");
    if ((insn->op == OP_isspacep || insn->op == OP_cvta) && reading->of_function)
        return parser_fail(parser, at, "'%.*s' takes .param or .param::entry", TOKEN_TEXT(at));
    if ((insn->op == OP_vabsdiff2 || insn->op == OP_vabsdiff4) && reading->types[1] != reading->types[2])
        return parser_refuse(parser, at, "'%.*s' of sources of two types is not emulated", TOKEN_TEXT(at));
    if (insn->op == OP_vote && (insn->variant == VOTE_BALLOT) != (insn->type == TYPE_b32))
        return parser_fail(parser, at, "'vote' takes .ballot.b32, or .all, .any, .uni with .pred");
    if ((insn->op == OP_shfl || insn->op == OP_vote) && !(insn->flags & INSN_SYNC) && needs_sync(parser->program))
        return parser_fail(parser, at, "from PTX 6.4 on '%.*s' is written with .sync", TOKEN_TEXT(at));
    if (insn->op == OP_redux && (insn->variant > ATOM_XOR || bitwise != (insn->type == TYPE_b32)))
        return parser_fail(parser, at, "'redux' takes .add, .min, .max with .u32 or .s32, and .and, .or, .xor with .b32");
    return true;
}

static bool fields_set(Reading *reading, const Form *form) {
    Insn *insn = &reading->insn;
    const uint8_t *value = reading->value;
    insn->type = form->types[0] ? (uint8_t)reading->types[0] : form->type;
    insn->type2 = (uint8_t)reading->types[1];
    insn->type3 = insn->op == OP_mma ? (uint8_t)reading->types[2] : TYPE_none;
    insn->mode = value[GROUP_MODE];
    insn->rounding = value[GROUP_ROUND];
    insn->compare = value[GROUP_COMPARE];
    insn->boolop = value[GROUP_BOOL];
    insn->space = value[GROUP_SPACE];
    insn->policy = reading_has(reading, GROUP_NC) ? POLICY_NC : value[GROUP_POLICY];
    insn->order = value[GROUP_ORDER];
    insn->of_block = reading_has(reading, GROUP_SCOPE) && value[GROUP_SCOPE] == SCOPE_CTA;
    insn->variant = reading_variant(reading);
    insn->geometry = value[GROUP_GEOMETRY];
    if (insn->op == OP_bar) insn->flags |= INSN_ALIGNED;
    return insn_check(reading, form) && order_check(reading);
}

/* -- operands by their letters */

/* The name in a cvta is one of the space it converts. */
static bool cvta_check(Reading *reading) {
    const Operand *operand = &reading->operands[reading->n_operands - 1];
    bool named = operand->kind == OPERAND_VARIABLE || operand->kind == OPERAND_FUNCTION;
    bool fits = operand->kind == OPERAND_VARIABLE && reading->insn.variant != CVTA_TO &&
                reading->parser->program->variables[operand->index].space == reading->insn.space;
    return !named || fits ||
           parser_fail(reading->parser, &reading->opcode, "the name in '%.*s' lies in another space",
                       TOKEN_TEXT(&reading->opcode));
}

static bool operand_by_letter(Reading *reading, char letter) {
    const Insn *insn = &reading->insn;
    Type type = insn_letter_type(insn, letter);
    const bool bfloat = insn->type == TYPE_bf16 || insn->type == TYPE_bf16x2 || insn->type2 == TYPE_bf16;
    unsigned wider = insn->op == OP_cvt && !bfloat ? RULE_WIDER : 0;
    switch (letter) {
    case 'd': return operand_destination(reading, type, insn->op == OP_elect ? RULE_SINK : wider);
    case 'w': return operand_destination(reading, type, 0);
    case 'P': return operand_destination(reading, type, RULE_SINK);
    case 'a':
    case 'A': return operand_source(reading, type, wider);
    case 'n': return operand_source(reading, type, RULE_NEGATED);
    case 'v': return operand_source(reading, type, RULE_NAMES) && cvta_check(reading);
    case 'm': return operand_address(reading, (Space)insn->space, 0, false);
    case 'i': break;
    default: return operand_source(reading, type, 0);
    }
    uint64_t value;
    if (!parser_take_count(reading->parser, "a table of eight bits", 255, &value)) return false;
    reading->operands[reading->n_operands++] = (Operand){.kind = OPERAND_IMMEDIATE, .bits = value};
    return true;
}

/* Two f32 become a pair of halves. */
static bool packs(const Insn *insn) {
    return insn->op == OP_cvt && (insn->type == TYPE_f16x2 || insn->type == TYPE_bf16x2) && insn->type2 == TYPE_f32;
}

static bool operands_by_letters(Reading *reading, const char *letters) {
    Parser *parser = reading->parser;
    Insn *insn = &reading->insn;
    bool first = true;
    for (const char *letter = letters; *letter; letter++) {
        if (*letter == '?') continue;
        bool pair = *letter == '|';
        if (pair) {
            letter++;
            if (!parser_accept(parser, '|')) continue;
        } else if (!first) {
            bool optional = letter[1] == '?';
            if (optional && (insn->op == OP_cvt ? !packs(insn) : parser_at(parser, ';'))) break;
            if (!parser_expect(parser, ',')) return false;
        }
        first = false;
        if (!operand_by_letter(reading, *letter)) return false;
        insn->n_dst += letter_is_destination(*letter);
    }
    return true;
}

/* Sources that may not be constants, or not all. */
static bool constants_check(Reading *reading) {
    const Insn *insn = &reading->insn;
    const bool is_pair = insn->type == TYPE_u16x2 || insn->type == TYPE_s16x2;
    const bool is_field = insn->op == OP_bfe || insn->op == OP_bfi,
               is_video = insn->op == OP_vabsdiff2 || insn->op == OP_vabsdiff4;
    for (unsigned i = insn->n_dst; i < reading->n_operands; i++) {
        const Operand *operand = &reading->operands[i];
        if (operand->kind != OPERAND_IMMEDIATE) continue;
        if (is_pair || is_video)
            return parser_fail(reading->parser, &reading->opcode, "'%.*s' takes registers here, no constants",
                               TOKEN_TEXT(&reading->opcode));
        if (is_field && i >= reading->n_operands - 2 && operand->bits > 255)
            return parser_fail(reading->parser, &reading->opcode, "a position or length is at most 255");
    }
    return true;
}

/* What .sync and boolean modifiers ask for must be there. */
static bool operands_check(Reading *reading) {
    Parser *parser = reading->parser;
    const Insn *insn = &reading->insn;
    unsigned sources = reading->n_operands - insn->n_dst;
    if (insn->op == OP_setp || insn->op == OP_set) {
        if ((sources == 3) != (insn->boolop != BOOL_NONE))
            return parser_fail(parser, &reading->opcode, "a third source goes with .and, .or or .xor");
    }
    bool sync = insn->flags & INSN_SYNC;
    if (insn->op == OP_shfl && sources != (sync ? 4 : 3)) return parser_expected(parser, sync ? "a lane mask" : "';'");
    if (insn->op == OP_vote && sources != (sync ? 2 : 1)) return parser_expected(parser, sync ? "a lane mask" : "';'");
    if (insn->op == OP_match && insn->n_dst == 2 && insn->variant == MATCH_ANY)
        return parser_fail(parser, &reading->opcode, "only match.all has a second result");
    if (insn->op == OP_elect && insn->n_dst != 2) return parser_expected(parser, "'|' and a predicate");
    if (insn->op == OP_setp && insn->n_dst == 2 && (insn->type == TYPE_f16 || insn->type == TYPE_bf16))
        return parser_fail(parser, &reading->opcode, "'setp' of halves has one result");
    return constants_check(reading);
}

/* -- the instruction */

bool insn_emit(Parser *parser, Insn insn, const Operand *operands, size_t count) {
    Program *program = parser->program;
    if (program->n_insns >= MAX_INSNS) return parser_fail_here(parser, "a module has at most %d instructions", MAX_INSNS);
    Operand *copy = NULL;
    if (count) {
        copy = ARENA_ARRAY(parser->arena, Operand, count);
        memcpy(copy, operands, count * sizeof *copy);
    }
    insn.operands = copy;
    insn.flags |= parser->expands | (parser->body.nounroll ? INSN_NOUNROLL : 0);
    ARENA_ADD(parser->arena, program->insns, program->n_insns) = insn;
    parser->body.label_at_end = parser->body.nounroll = false;
    return true;
}

static bool opcode_unknown(Parser *parser, const Token *opcode) {
    static const struct {
        const char *name, *reason;
    } refused[] = {
#define OP(name, ...)
#define REFUSED(name, reason) {#name, reason},
#include "ptx/opcodes.def"
#undef OP
#undef REFUSED
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (token_is(opcode, refused[i].name))
            return parser_refuse(parser, opcode, "'%s' is not emulated: %s", refused[i].name, refused[i].reason);
    parser_fail(parser, opcode, "unknown opcode '%.*s'", TOKEN_TEXT(opcode));
    return diag_hint(parser->diag, "a label ends with ':', a variable's declaration begins with its state space");
}

/* cp.async or cp.async.bulk, which one more word tells. */
static Opcode copy_find(const Parser *parser) {
    if (parser_at_dot(parser, ".reduce")) return OP_cp_bulk;
    if (!parser_at_dot(parser, ".async")) return OP_COUNT;
    Lexer lexer = parser->lexer;
    Diag ignored = {0};
    lexer.diag = &ignored;
    const Token next = lexer_next(&lexer);
    return token_is(&next, ".bulk") ? OP_cp_bulk : OP_cp_async;
}

static Opcode opcode_find(Parser *parser, const Token *opcode) {
    if (token_is(opcode, "cp")) return copy_find(parser);
    if (token_is(opcode, "st") && parser_at_dot(parser, ".async")) return OP_st_async;
    if (token_is(opcode, "red") && parser_at_dot(parser, ".async")) return OP_red_async;
    if (token_is(opcode, "barrier") && parser_at_dot(parser, ".cluster")) return OP_barrier_cluster;
    if (token_is(opcode, "fence") && (parser_at_dot(parser, ".proxy") || parser_at_dot(parser, ".mbarrier_init")))
        return OP_fence_proxy;
    for (Opcode op = 0; op < OP_COUNT; op++)
        if (opcode_names[op][0] == opcode->text[0] && token_is(opcode, opcode_names[op])) return op;
    return OP_COUNT;
}

bool insn_parse(Parser *parser, const Token *opcode, bool guarded, bool guard_negated, uint32_t guard) {
    if (token_is(opcode, "wmma") && !parser->expands) return wmma_parse(parser, opcode, guarded, guard_negated, guard);
    if (token_is(opcode, "cvt") && parser_at_dot(parser, ".rna"))
        return tf32_parse(parser, opcode, guarded, guard_negated, guard);
    Opcode op = opcode_find(parser, opcode);
    if (op == OP_COUNT) return opcode_unknown(parser, opcode);
    const Form *form = &opcode_forms[op];
    Reading reading = {.parser = parser, .opcode = *opcode};
    const size_t spelt = strlen(opcode_names[op]); /* beyond the token, where it has a dot */
    if (strncmp(opcode->text, opcode_names[op], spelt) == 0) reading.opcode.length = (uint32_t)spelt;
    reading.insn = (Insn){.op = (uint8_t)op,
                          .guarded = guarded,
                          .guard_negated = guard_negated,
                          .guard = guard,
                          .target = NO_INSN,
                          .location = parser->body.location,
                          .line = opcode->line};
    if (!modifiers_read(&reading, form) || !fields_set(&reading, form)) return false;
    bool fine = form->special ? form->special(&reading)
                              : operands_by_letters(&reading, opcode_operands[op]) && operands_check(&reading);
    if (!fine) return false;
    if (parser_at(parser, ',')) return parser_fail_here(parser, "'%.*s' takes fewer operands", TOKEN_TEXT(&reading.opcode));
    if (!parser_expect(parser, ';')) return false;
    reading.insn.n_src = (uint8_t)(reading.n_operands - reading.insn.n_dst);
    if (!parser->expands) since_note(&reading, form);
    if (op == OP_ret && !function_return(parser, &reading.insn)) return false;
    return insn_emit(parser, reading.insn, reading.operands, reading.n_operands);
}
