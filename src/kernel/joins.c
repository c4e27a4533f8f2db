#include "kernel/joins.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "kernel/dominance.h"
#include "kernel/traits.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

enum { WINDOW_ELEMENTS = 4, WINDOW_BYTES = 16, ZEROS_MOST = 4 /* more low zero bits mean no more */ };
enum { ALONE = 64, EXTENDS_SIGN = 128 };
enum {
    STEPS_MOST = 64 /* blocks up in which it is looked for how a register that several instructions write was last written */
};

/* An address or what one is computed of: base + offset, modulo 2^32. */
typedef struct Value {
    uint32_t base; /* index of a Base; 0: none, the value is the offset */
    uint32_t offset;
} Value;

typedef enum BaseKind { BASE_OPAQUE, BASE_SPECIAL, BASE_VARIABLE, BASE_SUM, BASE_MULTIPLE } BaseKind;

/* Equal bases have one index, opaque ones aside, of which each is another. */
typedef struct Base {
    uint8_t kind;  /* BaseKind */
    uint8_t zeros; /* low bits that are 0 */
    uint32_t a, b; /* SUM: bases; MULTIPLE: a base and a factor; SPECIAL, VARIABLE: which */
    uint32_t next; /* of the same hash; 0: none */
} Base;

/* An access that may be joined. */
typedef struct Member {
    uint32_t base, window;
    uint8_t element, elements; /* bytes of one, with ALONE where it can be part of no wider access; how many a window has */
    uint8_t mask;              /* of the window's elements */
    uint32_t insn;
    uint32_t stretch, block; /* of loads: see Joining */
} Member;

typedef struct MemberList {
    Member *items;
    size_t count;
} MemberList;

typedef struct Joining {
    Arena *arena; /* temporary */
    const Program *program;
    const Function *function;
    const uint64_t *shared_offset;
    const uint8_t *used;
    const Flow *flow;
    Dominance dominance;
    uint32_t block; /* the one that is gone over */
    uint32_t *
        stretch_of; /* by block: at its end. Loads of one stretch see the same memory: none of what ends it lies on any way between them */
    uint32_t stretch, n_stretches;
    uint8_t *writes;   /* by register: how many instructions write it, 2 at most (a guarded one counts twice) */
    bool *is_extended; /* by register: something makes 32 unsigned bits of its 16 */
    uint8_t *zeros;    /* by register that is written twice: low zero bits, whoever wrote it */
    uint8_t *next_zeros;
    Value *values;   /* by register */
    uint32_t *known; /* by register: the instruction at which its value was last found, plus one; 0: not yet */
    uint32_t at;     /* the instruction that is gone over */
    Base *bases;
    uint32_t n_bases;
    uint32_t *buckets;
    uint32_t n_buckets; /* a power of two */
    MemberList loads, stores;
    uint8_t *joins;
    bool joined; /* anything */
} Joining;

static uint8_t low_zeros(uint64_t number) {
    for (uint8_t zeros = 0; zeros < ZEROS_MOST; zeros++)
        if (number >> zeros & 1) return zeros;
    return ZEROS_MOST;
}

static uint8_t least(uint8_t a, uint8_t b) { return a < b ? a : b; }

/* --- values --- */

static uint32_t base_new(Joining *all, Base base) {
    ARENA_ADD(all->arena, all->bases, all->n_bases) = base;
    return all->n_bases - 1;
}

static uint32_t base_of(Joining *all, BaseKind kind, uint32_t a, uint32_t b, uint8_t zeros) {
    uint32_t *bucket = &all->buckets[((a * 31 + b) * 8 + kind) * UINT32_C(0x9e3779b1) & (all->n_buckets - 1)];
    for (uint32_t at = *bucket; at; at = all->bases[at].next)
        if (all->bases[at].kind == kind && all->bases[at].a == a && all->bases[at].b == b) return at;
    return *bucket = base_new(all, (Base){.kind = kind, .zeros = zeros, .a = a, .b = b, .next = *bucket});
}

static Value number(uint64_t bits) { return (Value){0, (uint32_t)bits}; }

static Value opaque(Joining *all, uint8_t zeros) { return (Value){base_new(all, (Base){.zeros = zeros}), 0}; }

static uint8_t zeros_of(const Joining *all, Value value) {
    return least(all->bases[value.base].zeros, low_zeros(value.offset));
}

static Value sum_of(Joining *all, Value a, Value b) {
    const uint32_t offset = a.offset + b.offset;
    if (!a.base || !b.base) return (Value){a.base + b.base, offset};
    const uint32_t low = a.base < b.base ? a.base : b.base, high = a.base + b.base - low;
    return (Value){base_of(all, BASE_SUM, low, high, least(all->bases[a.base].zeros, all->bases[b.base].zeros)), offset};
}

static Value product_of(Joining *all, Value a, Value b) {
    if (!a.base) return b.base ? product_of(all, b, a) : number((uint64_t)a.offset * b.offset);
    if (b.base) return opaque(all, least(ZEROS_MOST, (uint8_t)(zeros_of(all, a) + zeros_of(all, b))));
    const Base from = all->bases[a.base];
    const uint8_t zeros = least(ZEROS_MOST, (uint8_t)(from.zeros + low_zeros(b.offset)));
    const uint32_t base = from.kind == BASE_MULTIPLE ? base_of(all, BASE_MULTIPLE, from.a, from.b * b.offset, zeros)
                                                     : base_of(all, BASE_MULTIPLE, a.base, b.offset, zeros);
    return (Value){base, a.offset * b.offset};
}

/* Whether what was found at an instruction, and at none between there and here, is so on all ways that lead here. */
static bool still_holds(const Joining *all, uint32_t known) {
    const BasicBlock *blocks = all->flow->blocks;
    uint32_t block = all->block, end = UINT32_MAX;
    for (unsigned steps = 0; steps < STEPS_MOST && block != NO_INDEX; steps++) {
        if (known > blocks[block].first - all->function->first) return known <= end;
        block = all->dominance.above[block];
        if (block != NO_INDEX) end = blocks[block].end - all->function->first;
    }
    return false;
}

static Value register_value(Joining *all, uint32_t index) {
    if (!all->known[index] || (all->writes[index] > 1 && !still_holds(all, all->known[index]))) {
        all->values[index] = opaque(all, all->writes[index] > 1 ? all->zeros[index] : 0);
        all->known[index] = all->at + 1;
    }
    return all->values[index];
}

static Value variable_value(Joining *all, const Operand *operand) {
    const Variable *variable = &all->program->variables[operand->index];
    if (variable->space != SPACE_SHARED) return opaque(all, 0);
    const uint8_t zeros = low_zeros(all->shared_offset[operand->index]);
    return (Value){base_of(all, BASE_VARIABLE, operand->index, 0, zeros), (uint32_t)operand->bits};
}

static Value operand_value(Joining *all, const Operand *operand) {
    switch ((OperandKind)operand->kind) {
    case OPERAND_REGISTER: return register_value(all, operand->index);
    case OPERAND_IMMEDIATE:
    case OPERAND_ADDRESS_IMMEDIATE: return number(operand->bits);
    case OPERAND_SPECIAL: return (Value){base_of(all, BASE_SPECIAL, operand->index, 0, 0), 0};
    case OPERAND_VARIABLE:
    case OPERAND_ADDRESS_VARIABLE: return variable_value(all, operand);
    case OPERAND_ADDRESS: return sum_of(all, register_value(all, operand->index), number(operand->bits));
    case OPERAND_FUNCTION:
    case OPERAND_SINK: break;
    }
    return opaque(all, 0);
}

/* A whole number of 32 or 64 bits, of which addresses of shared memory have the low 32. */
static bool is_whole(Type type) { return type_bytes[type] >= 4 && type_bytes[type] <= 8 && type_kinds[type] != KIND_FLOAT; }

static Value constant_shift(Joining *all, Value value, Value by) {
    return product_of(all, value, number(by.offset > 31 ? 0 : 1u << by.offset));
}

/* An or that adds, since it sets bits that are 0. */
static Value or_of(Joining *all, Value a, Value b) {
    if (!a.base) return b.base ? or_of(all, b, a) : number(a.offset | b.offset);
    if (!b.base && b.offset >> zeros_of(all, a) == 0) return sum_of(all, a, b);
    return opaque(all, least(zeros_of(all, a), zeros_of(all, b)));
}

static Value binary_value(Joining *all, const Insn *insn, Value a, Value b) {
    const uint8_t zeros_a = zeros_of(all, a), zeros_b = zeros_of(all, b);
    if (insn->op == OP_add) return sum_of(all, a, b);
    if (insn->op == OP_sub && !b.base) return sum_of(all, a, number(-(uint64_t)b.offset));
    if (insn->op == OP_mul || insn->op == OP_mul24) return product_of(all, a, b);
    if (insn->op == OP_shl) return b.base ? opaque(all, zeros_a) : constant_shift(all, a, b);
    if (insn->op == OP_or) return or_of(all, a, b);
    if (insn->op == OP_and) return opaque(all, zeros_a > zeros_b ? zeros_a : zeros_b);
    const bool keeps = insn->op == OP_sub || insn->op == OP_xor || insn->op == OP_rem || insn->op == OP_selp;
    return opaque(all, keeps ? least(zeros_a, zeros_b) : 0);
}

/* What the instruction's first result is. */
static Value result_value(Joining *all, const Insn *insn) {
    const Operand *sources = &insn->operands[insn->n_dst];
    const bool low = insn->mode != MODE_HI && !(insn->flags & INSN_CC);
    const bool copies = insn->op == OP_mov || insn->op == OP_cvta || (insn->op == OP_cvt && is_whole((Type)insn->type2));
    const bool computes = opcode_classes[insn->op] == CLASS_ALU && insn->op != OP_cvt;
    if (insn->n_dst != 1 || !is_whole((Type)insn->type) || !low) return opaque(all, 0);
    if (copies && insn->n_src == 1) return operand_value(all, &sources[0]);
    if (insn->op == OP_neg) return opaque(all, zeros_of(all, operand_value(all, &sources[0])));
    if (!computes || insn->n_src < 2) return opaque(all, 0);
    const Value a = operand_value(all, &sources[0]), b = operand_value(all, &sources[1]);
    if (insn->op != OP_mad && insn->op != OP_mad24) return binary_value(all, insn, a, b);
    return sum_of(all, product_of(all, a, b), operand_value(all, &sources[2]));
}

static void set_value(Joining *all, const Operand *operand, Value value) {
    if (operand->kind != OPERAND_REGISTER) return;
    const uint32_t index = operand->index;
    if (all->writes[index] > 1) all->next_zeros[index] = least(all->next_zeros[index], zeros_of(all, value));
    all->values[index] = value;
    all->known[index] = all->at + 1;
}

static void take_results(Joining *all, const Insn *insn) {
    Value value = insn->n_dst ? result_value(all, insn) : number(0);
    for (unsigned k = 0; k < insn->n_dst; k++) {
        const Operand *operand = &insn->operands[k];
        if (insn->guarded && operand->kind == OPERAND_REGISTER) {
            all->next_zeros[operand->index] = least(all->next_zeros[operand->index], zeros_of(all, value));
            value = opaque(all, all->zeros[operand->index]);
        }
        set_value(all, operand, value);
        value = opaque(all, 0);
    }
    for (uint32_t k = 0; insn->op == OP_call && k < insn->call->n_results; k++)
        set_value(all, &insn->call->results[k], opaque(all, 0));
}

/* --- accesses --- */

static void members_add(Joining *all, MemberList *list, Member member) {
    ARENA_ADD(all->arena, list->items, list->count) = member;
}

/* Joins those of a window's accesses that touch the elements of span: the first of them takes the others. */
static void join_span(Joining *all, const Member *members, size_t count, uint8_t span) {
    const Member *leader = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!(members[i].mask & span)) continue;
        uint8_t *join = &all->joins[members[i].insn];
        if (leader)
            *join = JOIN_TAKEN;
        else if (members[i].mask != span)
            *join = (uint8_t)(members[i].element * __builtin_popcount(span));
        all->joined |= leader != NULL;
        leader = leader ? leader : &members[i];
    }
}

/* Loads that no other was joined with, of what one before them has loaded. */
static void drop_repeated(Joining *all, const Member *members, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i && all->joins[members[i].insn] == JOIN_NONE; k++)
            if (!(members[i].mask & ~members[k].mask)) all->joins[members[i].insn] = JOIN_TAKEN, all->joined = true;
}

static void join_window(Joining *all, const Member *members, size_t count, bool stores) {
    uint8_t covered = 0;
    for (size_t i = 0; i < count; i++) covered |= members[i].mask;
    const uint8_t elements = members[0].elements;
    if (count < 2) return;
    if (elements == WINDOW_ELEMENTS && __builtin_popcount(covered) >= (stores ? WINDOW_ELEMENTS : WINDOW_ELEMENTS - 1)) {
        join_span(all, members, count, 0xf);
        return;
    }
    for (unsigned first = 0; first + 1 < elements; first += 2)
        if ((covered >> first & 3) == 3) join_span(all, members, count, (uint8_t)(3 << first));
    if (!stores) drop_repeated(all, members, count);
}

static bool same_window(const Member *a, const Member *b) {
    return a->base == b->base && a->window == b->window && a->element == b->element && a->stretch == b->stretch;
}

static int order_members(const void *a, const void *b) {
    const Member *x = a, *y = b;
    if (x->stretch != y->stretch) return x->stretch < y->stretch ? -1 : 1;
    if (x->base != y->base) return x->base < y->base ? -1 : 1;
    if (x->element != y->element) return x->element < y->element ? -1 : 1;
    if (x->window != y->window) return x->window < y->window ? -1 : 1;
    return x->insn < y->insn ? -1 : x->insn > y->insn;
}

/* The loads of a window, of which some are always reached by way of the first: these are joined, and then the others likewise. */
static void join_reached(Joining *all, Member *members, size_t count) {
    while (count > 1) {
        size_t reached = 1;
        for (size_t i = 1; i < count; i++) {
            if (!dominates(&all->dominance, members[0].block, members[i].block)) continue;
            const Member member = members[i];
            memmove(&members[reached + 1], &members[reached], (i - reached) * sizeof member);
            members[reached++] = member;
        }
        join_window(all, members, reached, false);
        members += reached;
        count -= reached;
    }
}

static void join_loads(Joining *all) {
    MemberList *loads = &all->loads;
    if (loads->count > 1) qsort(loads->items, loads->count, sizeof *loads->items, order_members);
    for (size_t first = 0, next; first < loads->count; first = next) {
        for (next = first + 1; next < loads->count && same_window(&loads->items[first], &loads->items[next]);) next++;
        join_reached(all, &loads->items[first], next - first);
    }
    loads->count = 0;
}

static void end_loads(Joining *all) { all->stretch = ++all->n_stretches; }

static void end_stores(Joining *all) {
    if (all->stores.count) join_window(all, all->stores.items, all->stores.count, true);
    all->stores.count = 0;
}

/* Whether elements of that size are joined. */
static bool is_element(const Joining *all, const Insn *insn) {
    const uint8_t element = type_bytes[insn->type], count = insn->vec ? insn->vec : 1;
    if (element < 2 || element > 8 || element * count > WINDOW_BYTES) return false;
    for (unsigned k = 0; element == 2 && insn->n_dst && k < count; k++) {
        const Operand *data = &insn->operands[k];
        if (data->kind != OPERAND_REGISTER || all->is_extended[data->index]) return false;
        if (type_bytes[all->function->registers[data->index].type] != element) return false;
    }
    return true;
}

static uint8_t used_of(const Joining *all, uint32_t at) { return all->used ? all->used[all->function->first + at] : USED_ALL; }

/* False where the access can neither be joined to any other nor repeat it. */
static bool member_of(Joining *all, uint32_t at, Member *member) {
    const Insn *insn = &all->program->insns[all->function->first + at];
    const uint8_t element = type_bytes[insn->type], count = insn->vec ? insn->vec : 1;
    if (insn->guarded || insn->space != SPACE_SHARED || insn->order == ORDER_VOLATILE) return false;
    Value value = operand_value(all, &insn->operands[insn->n_dst]);
    const Base *base = &all->bases[value.base];
    if (base->kind == BASE_VARIABLE) value = number(all->shared_offset[base->a] + value.offset);
    const uint32_t aligned = UINT32_C(1) << all->bases[value.base].zeros, most = WINDOW_ELEMENTS * element;
    uint32_t window = most < aligned ? most : aligned;
    if (window > WINDOW_BYTES) window = WINDOW_BYTES;
    *member = (Member){.base = value.base, .insn = at, .stretch = all->stretch, .block = all->block};
    if (is_element(all, insn) && window >= 2u * element && value.offset % (element * count) == 0 && element * count <= window) {
        member->window = value.offset / window;
        member->element = element;
        member->elements = (uint8_t)(window / element);
        member->mask = (uint8_t)((((1u << count) - 1) & used_of(all, at)) << value.offset % window / element);
        return true;
    }
    member->window = value.offset;
    member->element = (uint8_t)(ALONE | element | (type_kinds[insn->type] == KIND_SIGNED && element < 4 ? EXTENDS_SIGN : 0));
    member->elements = member->mask = 1;
    return insn->n_dst && count == 1;
}

static void take_load(Joining *all, uint32_t at) {
    Member member;
    end_stores(all);
    if (member_of(all, at, &member)) members_add(all, &all->loads, member);
}

static void take_store(Joining *all, uint32_t at) {
    Member member;
    end_loads(all);
    const bool may_join = member_of(all, at, &member);
    member.stretch = 0; /* each ends one of loads */
    const MemberList *run = &all->stores;
    bool fits = may_join && run->count && same_window(&run->items[0], &member);
    for (size_t i = 0; fits && i < run->count; i++) fits = !(run->items[i].mask & member.mask);
    if (!fits) end_stores(all);
    if (may_join) members_add(all, &all->stores, member);
}

/* --- instructions --- */

/* What ptxas makes a call of, of a function that it keeps for what the quick way does not cover. */
static bool calls_slow_path(const Insn *insn) {
    return insn_expands(insn) && (type_kinds[insn->type] == KIND_FLOAT || type_bytes[insn->type] == 8);
}

/* Division of 32-bit numbers: s32 is several basic blocks. */
static bool branches_inside(const Insn *insn) { return insn_expands(insn) && insn->type == TYPE_s32; }

static bool is_to_next(const Joining *all, uint32_t at) {
    const Insn *insn = &all->program->insns[all->function->first + at];
    return insn->op == OP_bra && insn->target == all->function->first + at + 1;
}

/* Whether other threads may write shared memory meanwhile, or the function leaves for elsewhere. */
static bool orders_memory(const Insn *insn) {
    if (insn->op == OP_cp_async) return insn->variant != CP_ASYNC_COMMIT;
    return opcode_classes[insn->op] == CLASS_SYNC || insn->op == OP_cp_bulk || insn->op == OP_nanosleep ||
           insn->op == OP_call || calls_slow_path(insn);
}

static bool may_be_shared(const Insn *insn) { return insn->space == SPACE_SHARED || insn->space == SPACE_GENERIC; }

/* Goes on with the stretch in which all ways that lead to the block end, or begins one. */
static void begin_block(Joining *all, uint32_t block) {
    const Dominance *dominance = &all->dominance;
    const uint32_t *way = &dominance->way[dominance->ways[block]], *end = &dominance->way[dominance->ways[block + 1]];
    if (block) all->stretch_of[all->block] = all->stretch;
    all->block = block;
    bool same = dominance->above[block] != NO_INDEX;
    for (const uint32_t *at = way; same && at < end; at++) same = all->stretch_of[*at] == all->stretch_of[*way];
    if (same)
        all->stretch = all->stretch_of[*way];
    else
        end_loads(all);
    if (end - way != 1) end_stores(all); /* a branch to elsewhere has ended them */
}

/* Accesses of other kinds, which loads and stores are not moved across. */
static bool is_apart(const Insn *insn) {
    return insn->op == OP_atom || insn->op == OP_red || insn->op == OP_mbarrier || insn->op == OP_ldmatrix ||
           insn->op == OP_stmatrix;
}

static void take_insn(Joining *all, uint32_t at) {
    const Insn *insn = &all->program->insns[all->function->first + at];
    all->at = at;
    if (all->flow->blocks[all->flow->block_of[at]].first == all->function->first + at)
        begin_block(all, all->flow->block_of[at]);
    if (!used_of(all, at)) {
        /* nor does it end anything */
    } else if (insn->op == OP_ld && may_be_shared(insn)) {
        take_load(all, at);
    } else if (insn->op == OP_st && may_be_shared(insn)) {
        take_store(all, at);
    } else if (is_apart(insn) && may_be_shared(insn)) {
        end_loads(all);
        end_stores(all);
    } else if (insn_branches(insn) || insn->op == OP_brkpt) {
        if (!is_to_next(all, at)) end_stores(all);
    } else {
        if (orders_memory(insn)) end_loads(all);
        if (orders_memory(insn) || branches_inside(insn)) end_stores(all);
    }
    take_results(all, insn);
}

/* Whether it makes 32 unsigned bits of 16 that it reads, so that they are loaded like that: for signed ones, floats and minima ptxas has other ways. */
static bool extends(const Insn *insn) {
    const Type from = (Type)(insn->op == OP_cvt ? insn->type2 : insn->type);
    const TypeKind kind = (TypeKind)type_kinds[from];
    if (type_bytes[from] != 2 || kind == KIND_FLOAT || opcode_classes[insn->op] != CLASS_ALU) return false;
    if (insn->op == OP_cvt) return kind != KIND_SIGNED && type_kinds[insn->type] != KIND_FLOAT && type_bytes[insn->type] >= 4;
    if (insn->op == OP_min || insn->op == OP_max) return false;
    return kind != KIND_SIGNED || insn->op == OP_add || insn->op == OP_sub;
}

static void survey(Joining *all) {
    const uint32_t first = all->function->first;
    for (uint32_t i = 0; i < all->function->count; i++) {
        const Insn *insn = &all->program->insns[first + i];
        for (RegisterWalk at = walk_writes(insn); walk_next(&at);)
            all->writes[at.index] = insn->guarded || all->writes[at.index] ? 2 : 1;
        for (RegisterWalk at = walk_reads(insn); extends(insn) && walk_next(&at);) all->is_extended[at.index] = true;
    }
}

/* Goes over the function once; nothing is joined before the low zero bits of all registers are known. */
static void go_over(Joining *all) {
    const uint32_t n_registers = all->function->n_registers;
    all->n_bases = all->block = all->at = 0;
    memset(all->known, 0, n_registers * sizeof *all->known);
    memset(all->next_zeros, ZEROS_MOST, n_registers);
    memset(all->buckets, 0, all->n_buckets * sizeof *all->buckets);
    memset(all->joins, JOIN_NONE, all->function->count);
    base_new(all, (Base){.zeros = ZEROS_MOST});
    for (uint32_t i = 0; i < all->function->count; i++) take_insn(all, i);
    join_loads(all);
    end_stores(all);
}

/* Takes what is assumed of registers that are written twice, at first everything, back to what holds. */
static void settle_zeros(Joining *all) {
    const uint32_t n_registers = all->function->n_registers;
    memset(all->zeros, ZEROS_MOST, n_registers);
    for (bool changed = true; changed;) {
        go_over(all);
        changed = memcmp(all->zeros, all->next_zeros, n_registers) != 0;
        memcpy(all->zeros, all->next_zeros, n_registers);
    }
}

static bool has_candidates(const Program *program, const Function *function) {
    unsigned loads = 0, stores = 0;
    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        const Insn *insn = &program->insns[i];
        loads += insn->op == OP_ld && insn->space == SPACE_SHARED;
        stores += insn->op == OP_st && insn->space == SPACE_SHARED;
    }
    return loads > 1 || stores > 1;
}

bool joins_find(const Program *program, const Function *function, const Flow *flow, const uint64_t *shared_offset,
                const uint8_t *used, uint8_t *joins) {
    const uint32_t count = function->count, n_registers = function->n_registers;
    if (program->debug || !has_candidates(program, function)) return false;
    Joining all = {.arena = arena_new(),
                   .program = program,
                   .function = function,
                   .shared_offset = shared_offset,
                   .used = used,
                   .flow = flow,
                   .n_buckets = 64,
                   .joins = joins};
    while (all.n_buckets < count) all.n_buckets *= 2;
    all.buckets = ARENA_ARRAY(all.arena, uint32_t, all.n_buckets);
    all.dominance = dominance_find(program, function, flow, all.arena);
    all.stretch_of = ARENA_ARRAY(all.arena, uint32_t, flow->n_blocks + 1);
    all.writes = ARENA_ARRAY(all.arena, uint8_t, n_registers);
    all.is_extended = ARENA_ARRAY(all.arena, bool, n_registers);
    all.zeros = ARENA_ARRAY(all.arena, uint8_t, n_registers);
    all.next_zeros = ARENA_ARRAY(all.arena, uint8_t, n_registers);
    all.values = ARENA_ARRAY(all.arena, Value, n_registers);
    all.known = ARENA_ARRAY(all.arena, uint32_t, n_registers);
    survey(&all);
    settle_zeros(&all);
    arena_free(all.arena);
    return all.joined;
}
