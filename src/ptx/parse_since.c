/* Which compute capability a form needs that came later than its opcode, whose own is in opcodes.def. PTX ISA, "Target ISA Notes" of each instruction, as
 * ptxas 13.0 holds to them: tests/conformance/ptxas.txt. */
#include "ptx/opcode.h"
#include "ptx/parser.h"

#define G(name) (UINT64_C(1) << GROUP_##name)
#define T(name) (UINT32_C(1) << TYPE_##name)
#define OPS(...) .ops = (const uint8_t[]){__VA_ARGS__}, .n_ops = sizeof((const uint8_t[]){__VA_ARGS__})
#define WORD(name, word) .group = GROUP_##name, .value = (word)

/* What holds of a form that needs `since`; what a row does not name is any. */
typedef struct Later {
    uint8_t since, n_ops;
    const uint8_t *ops;
    uint32_t types, to, from; /* bits TYPE_t: one that it names; its first, its second */
    unsigned flags, cache;    /* one of these InsnFlags; of these CacheWords */
    uint64_t with, without;   /* groups: has all, has none */
    uint8_t group, value;     /* a group that it has with this value; GROUP_TYPE: any */
    uint8_t operands, bytes;  /* so many, at least; moved by a lane */
    const char *what;         /* completes "'max' …" */
} Later;

enum {
    BFLOATS = T(bf16) | T(bf16x2),
    HALVES = T(f16) | T(f16x2) | BFLOATS,
    PAIRS = T(u16x2) | T(s16x2),
    SINGLE = T(f32),
};

static const Later rows[] = {
    {80, OPS(OP_min, OP_max), .types = HALVES, .what = " of 16-bit floats"},
    {80, .flags = INSN_NAN, .what = ".NaN"},
    {80, .flags = INSN_RELU, .what = ".relu"},
    {90, OPS(OP_min, OP_max), .types = T(s32) | PAIRS, .flags = INSN_RELU, .what = ".relu of integers"},
    {86, .flags = INSN_XORSIGN_ABS, .what = ".xorsign.abs"},
    {90, .types = PAIRS, .what = " of pairs of integers"},
    {80, .types = BFLOATS, .what = " of bf16"},
    {90, OPS(OP_add, OP_sub, OP_mul, OP_ex2, OP_tanh, OP_set, OP_setp, OP_atom, OP_red), .types = BFLOATS, .what = " of bf16"},
    {90, OPS(OP_cvt), .to = BFLOATS, .from = ~(uint32_t)SINGLE, .what = " to bf16, but from f32,"},
    {90, OPS(OP_cvt), .to = ~(uint32_t)SINGLE, .from = BFLOATS, .what = " from bf16, but to f32,"},
    {90, OPS(OP_cvt), .to = SINGLE, .from = BFLOATS, .flags = INSN_FTZ, .what = ".ftz from bf16"},
    {80, OPS(OP_cvt), .to = T(f16x2), .what = " to two halves"},
    {90, WORD(SCOPE, SCOPE_CLUSTER), .what = " of .cluster"},
    {80, .cache = CACHE_HINT, .what = ".L2::cache_hint"},
    {80, .cache = CACHE_256B, .what = ".L2::256B"},
    {80, OPS(OP_prefetch), .with = G(CACHE), .what = ".L2::evict"},
    {100, OPS(OP_ld, OP_st), .bytes = 32, .what = " of 32 bytes a lane"},
    {80, OPS(OP_mma), WORD(TILE, 16), .what = ".m16n8k16"},
    {80, OPS(OP_mma), WORD(TILE, 32), .what = ".m16n8k32"},
    {80, OPS(OP_mma), .types = T(bf16) | T(tf32), .what = " of bf16 or tf32"},
    {90, .with = G(WINDOW), .what = ".shared::cluster"},
    {90, OPS(OP_mbarrier), WORD(EXPECT, MBARRIER_EXPECT_TX), .what = ".expect_tx"},
    {90, OPS(OP_mbarrier), WORD(MBARRIER, MBARRIER_COMPLETE_TX), .what = ".complete_tx"},
    {90, OPS(OP_mbarrier), WORD(MBARRIER, MBARRIER_TRY_WAIT), .what = ".try_wait"},
    {90, OPS(OP_mbarrier), WORD(ORDER, ORDER_RELAXED), .what = ".relaxed"},
    {90, OPS(OP_mbarrier), WORD(MBARRIER, MBARRIER_ARRIVE), .without = G(EXPECT), .operands = 3,
     .what = ".arrive with a count"},
    {90, OPS(OP_mbarrier), WORD(MBARRIER, MBARRIER_ARRIVE_DROP), .without = G(EXPECT), .operands = 3,
     .what = ".arrive_drop with a count"},
    {90, .with = G(TENSORMAP), .what = ".tensormap"},
    {90, OPS(OP_fence_proxy), .with = G(ASYNC), .what = ".async"},
};

static bool names_op(const Later *row, uint8_t op) {
    bool found = !row->n_ops;
    for (unsigned i = 0; i < row->n_ops; i++) found |= row->ops[i] == op;
    return found;
}

static bool names_type(const Later *row, const Reading *reading) {
    bool found = !row->types;
    for (unsigned i = 0; i < reading->n_types; i++) found |= row->types >> reading->types[i] & 1;
    found &= !row->to || row->to >> reading->types[0] & 1;
    return found && (!row->from || row->from >> reading->types[1] & 1);
}

static bool is_later(const Later *row, const Reading *reading) {
    const Insn *insn = &reading->insn;
    bool fits = names_op(row, insn->op) && names_type(row, reading);
    fits &= (!row->flags || insn->flags & row->flags) && (!row->cache || reading->cache & row->cache);
    fits &= (reading->groups & row->with) == row->with && !(reading->groups & row->without);
    fits &= row->group == GROUP_TYPE || (reading_has(reading, (Group)row->group) && reading->value[row->group] == row->value);
    return fits && reading->n_operands >= row->operands && (!row->bytes || insn->vec * type_bytes[insn->type] == row->bytes);
}

void need_note(Parser *parser, unsigned since, const char *what) {
    if (since > parser->body.need.since) parser->body.need = (Need){since, parser->program->n_insns, what};
}

void since_note(const Reading *reading, const Form *form) {
    Need need = {.since = form->since, .what = ""};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].since <= need.since || !is_later(&rows[i], reading)) continue;
        need.since = rows[i].since;
        need.what = rows[i].what;
    }
    need_note(reading->parser, need.since, need.what);
}
