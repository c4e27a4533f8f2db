#include "ptx/contract.h"

#include "ptx/opcode.h"
#include "ptx/walk.h"

/* A mul that may be contracted. */
typedef struct Product {
    uint32_t insn;
    uint32_t uses;  /* sums that read it */
    bool otherwise; /* something else reads it, or may */
} Product;

/* What a register holds at this point of the block: a product, perhaps negated. */
typedef struct Holds {
    uint32_t product; /* index, plus one; 0: none */
    bool negative;
} Holds;

typedef struct Sum {
    uint32_t insn;
    Holds operands[2];
    bool contracted;
} Sum;

typedef struct Contraction {
    Program *program;
    const Function *function;
    bool *starts_block; /* by instruction, from the function's first */
    bool *exposed;      /* by register: some block reads it before it writes it */
    Holds *holds;       /* by register */
    uint32_t *written;  /* by register: the last instruction that wrote it, plus one */
    uint32_t *touched;  /* registers that hold a product, in this block */
    uint32_t n_touched;
    Product *products; /* of this block */
    uint32_t n_products;
    Sum *sums;
    uint32_t n_sums;
} Contraction;

/* What ptxas makes several basic blocks of, even where it later joins them. u32 is divided without a branch. */
static bool ends_block(const Insn *insn) {
    return opcode_classes[insn->op] == CLASS_CONTROL || insn->op == OP_brkpt || insn->op == OP_membar || insn->op == OP_fence ||
           (insn_expands(insn) && insn->type != TYPE_u32);
}

static void find_blocks(Contraction *all) {
    const uint32_t first = all->function->first;
    for (uint32_t i = 0; i < all->function->count; i++) {
        const Insn *insn = &all->program->insns[first + i];
        const BranchTable to = insn_targets(insn);
        if (ends_block(insn)) all->starts_block[i + 1] = true;
        for (uint32_t t = 0; t < to.count; t++) all->starts_block[to.targets[t] - first] = true;
    }
}

static void forget_written(Contraction *all) {
    while (all->n_touched) all->written[all->touched[--all->n_touched]] = 0;
}

/* written: here whether this block has. */
static void find_exposed(Contraction *all) {
    for (uint32_t i = 0; i < all->function->count; i++) {
        const Insn *insn = &all->program->insns[all->function->first + i];
        if (all->starts_block[i]) forget_written(all);
        for (RegisterWalk at = walk_reads(insn); walk_next(&at);) all->exposed[at.index] |= !all->written[at.index];
        for (RegisterWalk at = walk_writes(insn); !insn->guarded && walk_next(&at); all->written[at.index] = 1)
            if (!all->written[at.index]) all->touched[all->n_touched++] = at.index;
    }
    forget_written(all);
}

static Product *product_in(Contraction *all, Holds holds) { return &all->products[holds.product - 1]; }

static const Insn *mul_of(Contraction *all, Holds holds) { return &all->program->insns[product_in(all, holds)->insn]; }

static void use_otherwise(Contraction *all, uint32_t index) {
    if (all->holds[index].product) product_in(all, all->holds[index])->otherwise = true;
}

/* A guarded write leaves the register with one of two values. */
static void hold_nothing(Contraction *all, uint32_t index) { all->holds[index] = (Holds){0}; }

static void hold(Contraction *all, uint32_t index, Holds holds) {
    all->holds[index] = holds;
    all->touched[all->n_touched++] = index;
}

static Holds held_by(const Contraction *all, const Operand *operand) {
    return operand->kind == OPERAND_REGISTER ? all->holds[operand->index] : (Holds){0};
}

static bool is_rounded_freely(const Insn *insn) { return type_kinds[insn->type] == KIND_FLOAT && insn->rounding == ROUND_NONE; }

static bool is_sum(const Insn *insn) { return (insn->op == OP_add || insn->op == OP_sub) && is_rounded_freely(insn); }

/* Whether the instruction computes in the product's type, and flushes as it does. */
static bool fits(Contraction *all, const Insn *insn, Holds holds) {
    const Insn *mul = mul_of(all, holds);
    return mul->type == insn->type && (mul->flags & INSN_FTZ) == (insn->flags & INSN_FTZ);
}

/* Whether the product's factors still are what they were. */
static bool has_factors(Contraction *all, Holds holds) {
    const uint32_t at = product_in(all, holds)->insn;
    const Operand *factors = &mul_of(all, holds)->operands[1];
    for (int k = 0; k < 2; k++)
        if (factors[k].kind == OPERAND_REGISTER && all->written[factors[k].index] > at) return false;
    return true;
}

static void take_sum(Contraction *all, uint32_t at) {
    const Insn *insn = &all->program->insns[at];
    Sum *sum = &all->sums[all->n_sums];
    *sum = (Sum){.insn = at};
    for (int k = 0; k < 2; k++) {
        const Holds holds = held_by(all, &insn->operands[1 + k]);
        if (!holds.product) continue;
        Product *product = product_in(all, holds);
        if (!fits(all, insn, holds) || !has_factors(all, holds) || (k && sum->operands[0].product == holds.product))
            product->otherwise = true;
        product->uses++;
        sum->operands[k] = holds;
    }
    if (sum->operands[0].product || sum->operands[1].product) all->n_sums++;
}

/* mov and neg of a product are that product still. bf16x2 has no neg that ptxas sees through. */
static bool is_seen_through(Contraction *all, const Insn *insn, Holds holds) {
    if (!holds.product || insn->guarded || insn->n_dst != 1 || insn->n_src != 1) return false;
    const Insn *mul = mul_of(all, holds);
    if (insn->op == OP_neg) return fits(all, insn, holds) && insn->type != TYPE_bf16x2;
    return insn->op == OP_mov && type_bytes[insn->type] == type_bytes[mul->type];
}

static void take_insn(Contraction *all, uint32_t pc) {
    const Insn *insn = &all->program->insns[pc];
    const Holds holds = insn->n_src ? held_by(all, &insn->operands[insn->n_dst]) : (Holds){0};
    const bool copies = is_seen_through(all, insn, holds);
    if (is_sum(insn)) take_sum(all, pc);
    for (RegisterWalk at = walk_reads(insn); !is_sum(insn) && !copies && walk_next(&at);) use_otherwise(all, at.index);
    for (RegisterWalk at = walk_writes(insn); walk_next(&at); hold_nothing(all, at.index))
        if (insn->guarded) use_otherwise(all, at.index);
    if (copies && insn->operands[0].kind == OPERAND_REGISTER)
        hold(all, insn->operands[0].index, (Holds){holds.product, holds.negative != (insn->op == OP_neg)});
    if (insn->op == OP_mul && is_rounded_freely(insn) && !insn->guarded && !(insn->flags & INSN_SAT) &&
        insn->operands[0].kind == OPERAND_REGISTER) {
        all->products[all->n_products++] = (Product){.insn = pc};
        hold(all, insn->operands[0].index, (Holds){.product = all->n_products});
    }
    for (RegisterWalk at = walk_writes(insn); walk_next(&at);) all->written[at.index] = pc + 1;
}

static void contract(Contraction *all, Sum *sum, int which) {
    Insn *insn = &all->program->insns[sum->insn];
    const Operand *factors = &mul_of(all, sum->operands[which])->operands[1];
    Operand *operands = ARENA_ARRAY(all->program->arena, Operand, 4);
    operands[0] = insn->operands[0];
    operands[1] = factors[0];
    operands[2] = factors[1];
    operands[3] = insn->operands[2 - which];
    const bool subtracts = insn->op == OP_sub, product_is_negative = sum->operands[which].negative != (subtracts && which == 1);
    const bool addend_is_negative = subtracts && which == 0;
    insn->op = OP_fma;
    insn->rounding = ROUND_RN;
    insn->variant = product_is_negative  ? addend_is_negative ? FMA_NEGATES_BOTH : FMA_NEGATES_PRODUCT
                    : addend_is_negative ? FMA_NEGATES_ADDEND
                                         : VARIANT_NONE;
    insn->n_src = 3;
    insn->operands = operands;
    sum->contracted = true;
    const Holds addend = sum->operands[1 - which];
    if (addend.product) product_in(all, addend)->otherwise = true;
}

static bool may_contract(Contraction *all, Holds holds, bool single) {
    if (!holds.product) return false;
    const Product *product = product_in(all, holds);
    return !product->otherwise && (!single || product->uses == 1);
}

static void contract_sums(Contraction *all, bool single) {
    for (uint32_t i = 0; i < all->n_sums; i++) {
        Sum *sum = &all->sums[i];
        if (sum->contracted) continue;
        const bool first = may_contract(all, sum->operands[0], single), second = may_contract(all, sum->operands[1], single);
        const bool takes_second =
            second && (!first || product_in(all, sum->operands[1])->uses < product_in(all, sum->operands[0])->uses);
        if (first || second) contract(all, sum, takes_second);
    }
}

static void end_block(Contraction *all) {
    while (all->n_touched) {
        const uint32_t index = all->touched[--all->n_touched];
        if (all->exposed[index]) use_otherwise(all, index);
        hold_nothing(all, index);
    }
    contract_sums(all, true);
    contract_sums(all, false);
    all->n_products = all->n_sums = 0;
}

void contract_products(Program *program, const Function *function) {
    const uint32_t count = function->count;
    bool has_product = false;
    for (uint32_t i = 0; i < count; i++) {
        const Insn *insn = &program->insns[function->first + i];
        has_product |= insn->op == OP_mul && is_rounded_freely(insn);
    }
    if (!has_product) return;
    Arena *arena = arena_new();
    Contraction all = {.program = program,
                       .function = function,
                       .starts_block = ARENA_ARRAY(arena, bool, count + 1),
                       .exposed = ARENA_ARRAY(arena, bool, function->n_registers),
                       .holds = ARENA_ARRAY(arena, Holds, function->n_registers),
                       .written = ARENA_ARRAY(arena, uint32_t, function->n_registers),
                       .touched = ARENA_ARRAY(arena, uint32_t, (size_t)count + function->n_registers),
                       .products = ARENA_ARRAY(arena, Product, count),
                       .sums = ARENA_ARRAY(arena, Sum, count)};
    find_blocks(&all);
    find_exposed(&all);
    for (uint32_t i = 0; i < count; i++) {
        if (all.starts_block[i]) end_block(&all);
        take_insn(&all, function->first + i);
    }
    end_block(&all);
    arena_free(arena);
}
