#include "class/fingerprint.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "ptx/opcode.h"

/* Steps back along the flow of data: with constants one less than without, since each of them makes an instruction rarer. */
enum { EXACT_STEPS = 2, SHAPE_STEPS = 3, KEPT_PRINTS = 8192 };

typedef struct Hashes {
    uint64_t exact, shape;
} Hashes;

/* One function while it is looked at. */
typedef struct DataFlow {
    const Program *program;
    const Function *function;
    uint32_t *joined;  /* a register's forefather among those that moves connect; the first is its own */
    Hashes *registers; /* of a forefather: the sum over what defines it */
    Hashes *insns;
} DataFlow;

/* The finalizer of SplitMix64: each bit of the result depends on all bits of x. */
static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static void add(Hashes *to, uint64_t exact, uint64_t shape) {
    to->exact = mix(to->exact ^ mix(exact));
    to->shape = mix(to->shape ^ mix(shape));
}

static void add_both(Hashes *to, uint64_t value) { add(to, value, value); }

static uint32_t forefather(uint32_t *joined, uint32_t index) {
    while (joined[index] != index) index = joined[index] = joined[joined[index]];
    return index;
}

static bool is_register(const Operand *operand) { return operand->kind == OPERAND_REGISTER; }

/* Hands on what it is given: the same value, or the same address by another way of writing it. */
static bool is_move(const Insn *insn) {
    bool moves = insn->op == OP_cvta || insn->op == OP_mov;
    return moves && insn->n_dst == 1 && insn->n_src == 1 && is_register(&insn->operands[0]) && is_register(&insn->operands[1]);
}

static bool says_something(const Insn *insn) {
    switch ((OpClass)opcode_classes[insn->op]) {
    case CLASS_MOVE: return insn->op != OP_mov && insn->op != OP_cvta;
    case CLASS_MEMORY: return insn->space != SPACE_PARAM;
    case CLASS_CONTROL: return insn->guarded || (insn->op != OP_bra && insn->op != OP_ret && insn->op != OP_exit);
    case CLASS_NOTHING: return false;
    case CLASS_ALU:
    case CLASS_WARP:
    case CLASS_SYNC: break;
    }
    return true;
}

static unsigned kind_of_type(uint8_t type) {
    bool number = type_kinds[type] == KIND_FLOAT;
    return type_bytes[type] * 4u + (number ? 1 : type_kinds[type] == KIND_PRED ? 2 : 0);
}

/* What stands in the instruction itself. */
static Hashes operation(const Insn *insn) {
    Hashes hashes = {0};
    add_both(&hashes, insn->op | insn->vec << 8 | insn->mode << 16 | (uint64_t)insn->boolop << 24 |
                          (uint64_t)insn->space << 32 | (uint64_t)insn->variant << 40);
    add(&hashes, insn->type | insn->type2 << 8, kind_of_type(insn->type) | kind_of_type(insn->type2) << 8);
    add(&hashes,
        insn->rounding | insn->compare << 8 | insn->policy << 16 | (uint64_t)insn->order << 24 | (uint64_t)insn->flags << 32,
        0);
    add_both(&hashes, insn->guarded);
    return hashes;
}

static void add_variable(const Program *program, const Operand *operand, Hashes *hashes) {
    const Variable *variable = &program->variables[operand->index];
    add_both(hashes, variable->space);
    if (variable->space == SPACE_PARAM)
        add_both(hashes, variable->offset);
    else
        add(hashes, variable->bytes, 0);
}

/* steps: how many of them have been made; in the first registers say nothing. */
static Hashes source(const DataFlow *flow, const Operand *operand, unsigned steps) {
    Hashes hashes = {0};
    bool addresses = operand->kind == OPERAND_ADDRESS || operand->kind == OPERAND_ADDRESS_VARIABLE;
    add_both(&hashes, addresses ? OPERAND_ADDRESS : operand->kind);
    add(&hashes, operand->negated, 0);
    switch ((OperandKind)operand->kind) {
    case OPERAND_REGISTER:
    case OPERAND_ADDRESS:
        if (!steps) break;
        Hashes from = flow->registers[forefather(flow->joined, operand->index)];
        add(&hashes, from.exact, from.shape);
        break;
    case OPERAND_SPECIAL: add_both(&hashes, operand->index); break;
    case OPERAND_VARIABLE:
    case OPERAND_ADDRESS_VARIABLE: add_variable(flow->program, operand, &hashes); break;
    case OPERAND_IMMEDIATE:
    case OPERAND_ADDRESS_IMMEDIATE:
    case OPERAND_FUNCTION:
    case OPERAND_SINK: break;
    }
    if (operand->kind != OPERAND_REGISTER && operand->kind != OPERAND_SPECIAL) add(&hashes, operand->bits, 0);
    return hashes;
}

static Hashes look_at(const DataFlow *flow, const Insn *insn, unsigned steps) {
    Hashes hashes = operation(insn), unordered = {0};
    unsigned free_order = insn_commuting(insn);
    for (unsigned i = 0; i < insn->n_src; i++) {
        Hashes one = source(flow, &insn->operands[insn->n_dst + i], steps);
        if (i < free_order)
            unordered.exact += mix(one.exact), unordered.shape += mix(one.shape);
        else
            add(&hashes, one.exact, one.shape);
        if (i + 1 == free_order) add(&hashes, unordered.exact, unordered.shape);
    }
    if (insn->call) add_both(&hashes, insn->call->n_arguments << 1 | insn->call->n_results);
    if (insn->guarded) {
        Hashes guard =
            source(flow, &(Operand){.kind = OPERAND_REGISTER, .negated = insn->guard_negated, .index = insn->guard}, steps);
        add(&hashes, guard.exact, guard.shape);
    }
    return hashes;
}

static void join_moves(const DataFlow *flow) {
    for (uint32_t i = 0; i < flow->function->n_registers; i++) flow->joined[i] = i;
    for (uint32_t i = 0; i < flow->function->count; i++) {
        const Insn *insn = &flow->program->insns[flow->function->first + i];
        if (!is_move(insn)) continue;
        uint32_t to = forefather(flow->joined, insn->operands[0].index),
                 from = forefather(flow->joined, insn->operands[1].index);
        flow->joined[to > from ? to : from] = to > from ? from : to;
    }
}

static void sum_definitions(const DataFlow *flow) {
    for (uint32_t i = 0; i < flow->function->n_registers; i++) flow->registers[i] = (Hashes){0};
    for (uint32_t i = 0; i < flow->function->count; i++) {
        const Insn *insn = &flow->program->insns[flow->function->first + i];
        for (unsigned d = 0; d < insn->n_dst && !is_move(insn); d++) {
            if (!is_register(&insn->operands[d])) continue;
            Hashes *to = &flow->registers[forefather(flow->joined, insn->operands[d].index)];
            to->exact += mix(flow->insns[i].exact + d);
            to->shape += mix(flow->insns[i].shape + d);
        }
    }
}

typedef struct Taking {
    Fingerprint *items;
    size_t count;
    const char *main_file;
} Taking;

static void take_hash(Taking *taking, uint64_t hash, uint32_t line) {
    ALLOC_ADD(taking->items, taking->count) = (Fingerprint){hash, 1, line};
}

static uint32_t line_of(const Program *program, uint32_t insn, const char *main_file) {
    const Location *location = program_location(program, insn, main_file);
    return location ? location->line : 0;
}

static void take_function(const Program *program, const Function *function, Taking *taking) {
    DataFlow flow = {program, function, alloc_zeroed(function->n_registers + 1, sizeof *flow.joined),
                     alloc_zeroed(function->n_registers + 1, sizeof *flow.registers),
                     alloc_zeroed(function->count + 1, sizeof *flow.insns)};
    join_moves(&flow);
    for (unsigned steps = 0; steps <= SHAPE_STEPS; steps++) {
        for (uint32_t i = 0; i < function->count; i++) {
            const Insn *insn = &program->insns[function->first + i];
            Hashes hashes = look_at(&flow, insn, steps);
            flow.insns[i].shape = hashes.shape;
            if (steps <= EXACT_STEPS) flow.insns[i].exact = hashes.exact;
        }
        sum_definitions(&flow);
    }
    for (uint32_t i = 0; i < function->count; i++) {
        if (!says_something(&program->insns[function->first + i])) continue;
        uint32_t line = line_of(program, function->first + i, taking->main_file);
        take_hash(taking, flow.insns[i].exact, line);
        take_hash(taking, ~flow.insns[i].shape, line);
    }
    free(flow.joined);
    free(flow.registers);
    free(flow.insns);
}

/* Marks what the function calls, and what that calls. */
static void find_called(const Program *program, const Function *kernel, bool *called) {
    uint32_t *waiting = alloc_zeroed(program->n_functions + 1, sizeof *waiting), count = 0;
    waiting[count++] = (uint32_t)(kernel - program->functions);
    called[waiting[0]] = true;
    while (count) {
        const Function *function = &program->functions[waiting[--count]];
        for (uint32_t i = 0; i < function->count; i++) {
            const CallSite *call = program->insns[function->first + i].call;
            if (!call || call->function == NO_INDEX || called[call->function]) continue;
            called[call->function] = true;
            waiting[count++] = call->function;
        }
    }
    free(waiting);
}

static int by_hash(const void *a, const void *b) {
    const Fingerprint *left = a, *right = b;
    if (left->hash != right->hash) return left->hash < right->hash ? -1 : 1;
    return left->line < right->line ? -1 : left->line > right->line;
}

Fingerprints fingerprints_of(Fingerprint *items, size_t count) {
    if (count) qsort(items, count, sizeof *items, by_hash);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        Fingerprint *last = kept ? &items[kept - 1] : NULL;
        if (last && last->hash == items[i].hash) {
            last->count++;
            if (!last->line) last->line = items[i].line;
        } else {
            items[kept++] = items[i];
        }
    }
    if (kept > KEPT_PRINTS) kept = KEPT_PRINTS;
    return (Fingerprints){alloc_resize(items, kept + 1, sizeof *items), kept};
}

void fingerprints_take(const Program *program, const Function *kernel, const char *main_file, Fingerprints *prints) {
    Taking taking = {.main_file = main_file};
    FREED bool *called = alloc_zeroed(program->n_functions + 1, sizeof *called);
    find_called(program, kernel, called);
    for (uint32_t i = 0; i < program->n_functions; i++)
        if (called[i] && program->functions[i].is_defined) take_function(program, &program->functions[i], &taking);
    *prints = fingerprints_of(taking.items, taking.count);
}

void fingerprints_free(Fingerprints *prints) {
    free(prints->items);
    *prints = (Fingerprints){0};
}
