#include "lab/conditions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/alu.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

enum { SLOT_ALIGNMENT = 64, SOURCES = 4, EVERY_LANE = -1, WAY_STEPS = 768 };

/* A register's lanes as alu.h has them. */
typedef union LaneValues {
    uint64_t wide[WARP_LANES];
    uint32_t narrow[WARP_LANES];
    uint32_t bits; /* of a predicate */
} LaneValues;

/* Whether a value can be worked out, and from what. */
typedef enum Belongs { OF_UNKNOWN, OF_LAUNCH, OF_THREAD } Belongs;

typedef struct Worked {
    const Insn *insn;
    Alu *alu; /* NULL: it only moves */
} Worked;

struct Conditions {
    const Program *program;
    const Function *kernel;
    bool known[GIVEN_MOST];
    uint8_t *belongs; /* by register: Belongs */
    LaneValues *registers;
    Worked *work;
    uint32_t n_work, count, of[CONDITIONS_MOST]; /* registers */
    /* What is found out by following threads, behind a loop: */
    uint32_t n_worked; /* conditions that are not */
    Worked *steps;     /* by instruction; without one: it gives nothing that can be worked out */
    uint8_t *decides;  /* by instruction: which condition, counted from 1; 0: none */
    uint32_t *has;     /* by register: the lanes in which it is known */
};

static unsigned width_of(Type type) { return type == TYPE_pred ? 0 : type_bytes[type] == 8 ? 8 : 4; }

static unsigned register_width(const Conditions *c, uint32_t index) { return width_of((Type)c->kernel->registers[index].type); }

/* --- what can be worked out ----------------------------------------------------------------------------------------------- */

/* The number by which a thread is given what the instruction loads; GIVEN_MOST: it is given nothing of the kind. */
static uint32_t given_param(const Conditions *c, const Insn *insn) {
    const Operand *from = &insn->operands[insn->n_dst];
    const bool is_param = insn->op == OP_ld && insn->space == SPACE_PARAM && from->kind == OPERAND_ADDRESS_VARIABLE;
    if (!is_param || insn->n_dst != 1 || from->bits || type_bytes[insn->type] != 4) return GIVEN_MOST;
    for (uint32_t i = 0; i < c->kernel->n_params && i < GIVEN_PARAMS; i++)
        if (c->kernel->params[i] == from->index) return GIVEN_SPECIALS + i;
    return GIVEN_MOST;
}

/* Of the file's own variables, which are as the file has them when a launch begins. Their addresses are numbers of ours: 2^32 apart, from 2^32 on. */
static const Variable *table_at(const Conditions *c, uint64_t address) {
    const uint64_t number = address >> 32;
    const Variable *variable = number && number <= c->program->n_variables ? &c->program->variables[number - 1] : NULL;
    if (!variable || variable->n_relocations) return NULL; /* addresses are known when it is loaded */
    return variable->space == SPACE_CONST || variable->space == SPACE_GLOBAL ? variable : NULL;
}

static uint64_t address_of(const Operand *operand) { return ((uint64_t)operand->index + 1) << 32; }

static bool loads_table(const Insn *insn) {
    return insn->op == OP_ld && (insn->space == SPACE_CONST || insn->space == SPACE_GLOBAL) && insn->n_dst == 1;
}

static Belongs belongs_to_given(const Conditions *c, uint32_t given) {
    const bool of_thread = given <= SPECIAL_tid_z || (given >= SPECIAL_ctaid_x && given <= SPECIAL_ctaid_z);
    return given >= GIVEN_MOST || !c->known[given] ? OF_UNKNOWN : of_thread ? OF_THREAD : OF_LAUNCH;
}

static Belongs belongs_to_operand(const Conditions *c, const Operand *operand) {
    if (operand->kind == OPERAND_IMMEDIATE) return OF_LAUNCH;
    if (operand->kind == OPERAND_REGISTER) return (Belongs)c->belongs[operand->index];
    if (operand->kind == OPERAND_ADDRESS && register_width(c, operand->index) == 8) return (Belongs)c->belongs[operand->index];
    if (operand->kind == OPERAND_VARIABLE || operand->kind == OPERAND_ADDRESS_VARIABLE)
        return table_at(c, address_of(operand)) ? OF_LAUNCH : OF_UNKNOWN;
    return operand->kind == OPERAND_SPECIAL && operand->index < GIVEN_SPECIALS ? belongs_to_given(c, operand->index)
                                                                               : OF_UNKNOWN;
}

static bool moves(const Insn *insn) { return insn->op == OP_mov && insn->n_src == 1; }
static bool is_left_out(const Insn *insn) { return insn->flags & INSN_CC || insn->op == OP_set || insn->op == OP_fma; }

/* Of what the instruction gives. */
static Belongs belongs_to(const Conditions *c, const Insn *insn) {
    Belongs of = OF_LAUNCH;
    if (insn->guarded || is_left_out(insn)) return OF_UNKNOWN;
    if (opcode_classes[insn->op] != CLASS_ALU && !moves(insn) && !loads_table(insn))
        return belongs_to_given(c, given_param(c, insn));
    for (unsigned i = insn->n_dst; of && i < (unsigned)insn->n_dst + insn->n_src; i++) {
        const Belongs source = belongs_to_operand(c, &insn->operands[i]);
        of = source == OF_UNKNOWN || source > of ? source : of;
    }
    return of;
}

/* How often each register is written. */
static uint32_t *count_writes(const Conditions *c) {
    uint32_t *writes = alloc_zeroed(c->kernel->n_registers + 1, sizeof *writes);
    for (uint32_t i = 0; i < c->kernel->count; i++)
        for (RegisterWalk at = walk_writes(&c->program->insns[c->kernel->first + i]); walk_next(&at);) writes[at.index]++;
    return writes;
}

static bool writes_once(const Insn *insn, const uint32_t *writes) {
    for (RegisterWalk at = walk_writes(insn); walk_next(&at);)
        if (writes[at.index] != 1) return false;
    return insn->n_dst && (insn->n_dst == 1 || insn->op == OP_setp);
}

static void add_work(Conditions *c, const Insn *insn, Belongs of) {
    Diag diag = {0};
    Alu *alu = opcode_classes[insn->op] == CLASS_ALU ? alu_select(insn, &diag) : NULL;
    if (!alu && opcode_classes[insn->op] == CLASS_ALU) return;
    c->work[c->n_work++] = (Worked){insn, alu};
    for (RegisterWalk at = walk_writes(insn); walk_next(&at);) {
        c->belongs[at.index] = (uint8_t)of;
        if (!register_width(c, at.index) && c->count < CONDITIONS_MOST) c->of[c->count++] = at.index;
    }
}

/* --- what is known behind a loop ------------------------------------------------------------------------------------------ */

static void find_step(Conditions *c, uint32_t i) {
    const Insn *insn = &c->program->insns[c->kernel->first + i];
    Diag diag = {0};
    Alu *alu = opcode_classes[insn->op] == CLASS_ALU ? alu_select(insn, &diag) : NULL;
    const uint32_t param = given_param(c, insn);
    const bool is_known = alu || moves(insn) || loads_table(insn) || (param < GIVEN_MOST && c->known[param]);
    if (is_known && !is_left_out(insn) && insn->n_dst && (insn->n_dst == 1 || insn->op == OP_setp))
        c->steps[i] = (Worked){insn, alu};
}

/* Whether a register's value comes of what is the same for all threads, in whichever iteration: no if any of its values does not. */
static bool *find_mixed(const Conditions *c) {
    bool *mixed = alloc_zeroed(c->kernel->n_registers + 1, sizeof *mixed);
    for (bool changes = true; changes;) {
        changes = false;
        for (uint32_t i = 0; i < c->kernel->count; i++) {
            const Insn *insn = &c->program->insns[c->kernel->first + i];
            bool is_mixed = !c->steps[i].insn;
            for (unsigned s = insn->n_dst; s < (unsigned)insn->n_dst + insn->n_src; s++)
                is_mixed |= insn->operands[s].kind == OPERAND_SPECIAL && belongs_to_operand(c, &insn->operands[s]) != OF_LAUNCH;
            for (RegisterWalk at = walk_reads(insn); walk_next(&at);) is_mixed |= mixed[at.index];
            for (RegisterWalk at = walk_writes(insn); is_mixed && walk_next(&at);)
                changes |= !mixed[at.index], mixed[at.index] = true;
        }
    }
    return mixed;
}

/* In an iteration, or in one of some. */
static bool *find_repeated(const Conditions *c) {
    bool *repeated = alloc_zeroed(c->kernel->count + 1, sizeof *repeated);
    for (uint32_t i = 0; i < c->kernel->count; i++) {
        const BranchTable targets = insn_targets(&c->program->insns[c->kernel->first + i]);
        for (uint32_t t = 0; t < targets.count; t++)
            for (uint32_t k = targets.targets[t] - c->kernel->first; k <= i; k++) repeated[k] = true;
    }
    return repeated;
}

/* Predicates that stand behind a loop, are the same for all threads and have not been found yet. */
static void find_decisions(Conditions *c) {
    for (uint32_t i = 0; i < c->kernel->count; i++) find_step(c, i);
    FREED bool *mixed = find_mixed(c), *repeated = find_repeated(c);
    for (uint32_t i = 0; i < c->kernel->count; i++) {
        const Insn *insn = c->steps[i].insn;
        if (!insn || insn->op != OP_setp || repeated[i] || c->count == CONDITIONS_MOST) continue;
        const Operand *to = &insn->operands[0];
        if (to->kind != OPERAND_REGISTER || mixed[to->index] || c->belongs[to->index] != OF_UNKNOWN) continue;
        c->of[c->count++] = to->index;
        c->decides[i] = (uint8_t)c->count;
    }
}

Conditions *conditions_new(const Program *program, const Function *kernel, const bool *known) {
    Conditions *c = alloc_zeroed(1, sizeof *c);
    *c = (Conditions){.program = program,
                      .kernel = kernel,
                      .belongs = alloc_zeroed(kernel->n_registers + 1, 1),
                      .registers = alloc_aligned(SLOT_ALIGNMENT, (kernel->n_registers + 1) * sizeof(LaneValues)),
                      .work = alloc_zeroed(kernel->count + 1, sizeof *c->work),
                      .steps = alloc_zeroed(kernel->count + 1, sizeof *c->steps),
                      .decides = alloc_zeroed(kernel->count + 1, 1),
                      .has = alloc_zeroed(kernel->n_registers + 1, sizeof *c->has)};
    memcpy(c->known, known, sizeof c->known);
    FREED uint32_t *writes = count_writes(c);
    for (uint32_t i = 0; i < kernel->count; i++) {
        const Insn *insn = &program->insns[kernel->first + i];
        const Belongs of = writes_once(insn, writes) ? belongs_to(c, insn) : OF_UNKNOWN;
        if (of) add_work(c, insn, of);
    }
    c->n_worked = c->count;
    find_decisions(c);
    return c;
}

void conditions_free(Conditions *c) {
    free(c->belongs);
    free(c->registers);
    free(c->work);
    free(c->steps);
    free(c->decides);
    free(c->has);
    free(c);
}

uint32_t conditions_count(const Conditions *c) { return c->count; }
bool conditions_is_uniform(const Conditions *c, uint32_t condition) {
    return condition >= c->n_worked || c->belongs[c->of[condition]] == OF_LAUNCH;
}

/* --- working it out ------------------------------------------------------------------------------------------------------- */

static void widen(const uint32_t *from, bool sign, LaneValues *to) {
    for (unsigned lane = WARP_LANES; lane-- > 0;) to->wide[lane] = sign ? (uint64_t)(int64_t)(int32_t)from[lane] : from[lane];
}

static void narrow(const LaneValues *from, LaneValues *to) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++) to->narrow[lane] = (uint32_t)from->wide[lane];
}

static void fill(uint64_t bits, unsigned width, LaneValues *to) {
    if (!width) to->bits = (uint32_t)bits;
    for (unsigned lane = 0; width && lane < WARP_LANES; lane++)
        if (width == 8)
            to->wide[lane] = bits;
        else
            to->narrow[lane] = (uint32_t)bits;
}

/* The operand's lanes of this width, in their own place or in `room`. */
static const LaneValues *source(const Conditions *c, const Operand *operand, unsigned width, const GivenThreads *given,
                                LaneValues *room) {
    if (operand->kind == OPERAND_IMMEDIATE) {
        fill(operand->bits, width, room);
    } else if (operand->kind == OPERAND_VARIABLE) {
        fill(address_of(operand) + operand->bits, width, room);
    } else if (operand->kind == OPERAND_SPECIAL) {
        memcpy(room->narrow, given->of[operand->index], sizeof room->narrow);
        if (width == 8) widen(given->of[operand->index], false, room);
    } else {
        const LaneValues *lanes = &c->registers[operand->index];
        const unsigned have = register_width(c, operand->index);
        if (have == width) return lanes;
        if (have == 8)
            narrow(lanes, room);
        else
            widen(lanes->narrow, false, room);
    }
    return room;
}

static uint32_t combine(uint8_t boolop, uint32_t bits, uint32_t with) {
    return boolop == BOOL_AND ? bits & with : boolop == BOOL_OR ? bits | with : boolop == BOOL_XOR ? bits ^ with : bits;
}

static void store(Conditions *c, const Insn *insn, const Operand *to, unsigned width, const LaneValues *result,
                  uint32_t lanes) {
    if (to->kind != OPERAND_REGISTER) return;
    LaneValues *into = &c->registers[to->index], room;
    const unsigned have = register_width(c, to->index);
    if (width == 4 && have == 8) {
        widen(result->narrow, type_kinds[insn->type] == KIND_SIGNED, &room);
        result = &room;
    }
    if (!have) into->bits = (into->bits & ~lanes) | (result->bits & lanes);
    for (unsigned lane = 0; have && lane < WARP_LANES; lane++) {
        if (!(lanes >> lane & 1)) continue;
        if (have == 8)
            into->wide[lane] = result->wide[lane];
        else
            into->narrow[lane] = result->narrow[lane];
    }
}

static void calculate(Conditions *c, const Worked *work, const GivenThreads *given, uint32_t lanes) {
    const Insn *insn = work->insn;
    _Alignas(SLOT_ALIGNMENT) LaneValues room[SOURCES], result;
    const LaneValues *s[SOURCES] = {0};
    AluMore more = {0};
    bool negated = false;
    for (unsigned i = 0, n = 0; i < insn->n_src && n < SOURCES; i++) {
        const unsigned at = insn->n_dst + i;
        const char letter = insn_letter(insn, at);
        if (letter == 'i') {
            more.imm = (uint32_t)insn->operands[at].bits;
            continue;
        }
        s[n] = source(c, &insn->operands[at], width_of(insn_letter_type(insn, letter)), given, &room[n]);
        negated |= insn->operands[at].negated;
        n++;
    }
    more.c = s[2], more.e = s[3];
    work->alu(&result, s[0], s[1], (uint32_t)EVERY_LANE, &more);
    if (insn->op == OP_setp) {
        const uint32_t with = s[2] ? (negated ? ~s[2]->bits : s[2]->bits) : 0, bits = result.bits;
        result.bits = combine(insn->boolop, bits, with);
        const LaneValues other = {.bits = combine(insn->boolop, ~bits, with)};
        if (insn->n_dst == 2) store(c, insn, &insn->operands[1], 0, &other, lanes);
    }
    store(c, insn, &insn->operands[0], width_of(insn_letter_type(insn, insn_letter(insn, 0))), &result, lanes);
}

static void move(Conditions *c, const Insn *insn, const GivenThreads *given, uint32_t lanes) {
    _Alignas(SLOT_ALIGNMENT) LaneValues room;
    const unsigned width = width_of((Type)insn->type);
    const uint32_t param = given_param(c, insn);
    if (param < GIVEN_MOST)
        memcpy(room.narrow, given->of[param], sizeof room.narrow);
    else
        room = *source(c, &insn->operands[1], width, given, &room);
    store(c, insn, &insn->operands[0], width, &room, lanes);
}

/* What stands at an address as a register has it; 0 outside of all tables. */
static uint64_t table_value(const Conditions *c, uint64_t address, Type type) {
    const Variable *table = table_at(c, address);
    const uint64_t place = address & UINT32_MAX, bytes = type_bytes[type];
    uint64_t value = 0;
    if (!table || !table->init || place + bytes > table->bytes) return 0;
    memcpy(&value, table->init + place, bytes);
    const unsigned beyond = 64 - 8 * (unsigned)bytes;
    return type_kinds[type] == KIND_SIGNED ? (uint64_t)((int64_t)(value << beyond) >> beyond) : value;
}

static void load_table(Conditions *c, const Insn *insn, uint32_t lanes) {
    const Operand *from = &insn->operands[insn->n_dst];
    const unsigned width = register_width(c, insn->operands[0].index);
    _Alignas(SLOT_ALIGNMENT) LaneValues room;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t base = from->kind == OPERAND_ADDRESS ? c->registers[from->index].wide[lane] : address_of(from),
                       value = table_value(c, base + from->bits, (Type)insn->type);
        if (width == 8)
            room.wide[lane] = value;
        else
            room.narrow[lane] = (uint32_t)value;
    }
    store(c, insn, &insn->operands[0], width, &room, lanes);
}

static void work_out(Conditions *c, const Worked *work, const GivenThreads *given, uint32_t lanes) {
    if (work->alu)
        calculate(c, work, given, lanes);
    else if (loads_table(work->insn))
        load_table(c, work->insn, lanes);
    else
        move(c, work->insn, given, lanes);
}

/* --- following threads ---------------------------------------------------------------------------------------------------- */

/* Where each thread is: the number of an instruction in the kernel; or the kernel's count, where it has left, or cannot be followed. */
typedef struct Way {
    uint32_t at[WARP_LANES], *bits, *known;
} Way;

static uint32_t lanes_that_have(const Conditions *c, const Insn *insn) {
    uint32_t lanes = UINT32_MAX;
    if (given_param(c, insn) < GIVEN_MOST) return lanes;
    for (unsigned i = insn->n_dst; i < (unsigned)insn->n_dst + insn->n_src; i++) {
        const Operand *operand = &insn->operands[i];
        if (operand->kind == OPERAND_REGISTER || (operand->kind == OPERAND_ADDRESS && register_width(c, operand->index) == 8))
            lanes &= c->has[operand->index];
        else if (belongs_to_operand(c, operand) == OF_UNKNOWN)
            return 0;
    }
    return lanes;
}

/* The lanes that execute the instruction, and those of which nobody knows whether they do. */
static void take_step(Conditions *c, const GivenThreads *given, uint32_t at, uint32_t goes, uint32_t lost, Way *way) {
    const Worked *step = &c->steps[at];
    const uint32_t known = step->insn ? goes & lanes_that_have(c, step->insn) : 0, decides = c->decides[at];
    if (known) work_out(c, step, given, known);
    for (RegisterWalk to = walk_writes(&c->program->insns[c->kernel->first + at]); walk_next(&to);)
        c->has[to.index] = (c->has[to.index] & ~(goes | lost)) | known;
    if (!decides) return;
    way->bits[decides - 1] = (way->bits[decides - 1] & ~known) | (c->registers[c->of[decides - 1]].bits & known);
    way->known[decides - 1] |= known;
}

static uint32_t next_of(const Conditions *c, uint32_t at, bool goes, bool is_lost) {
    const Insn *insn = &c->program->insns[c->kernel->first + at];
    const BranchTable targets = insn_targets(insn);
    if (!insn_branches(insn)) return at + 1;
    if (is_lost || (goes && targets.count != 1)) return c->kernel->count;
    return goes ? targets.targets[0] - c->kernel->first : at + 1;
}

/* Each lane goes its own way, those that are furthest behind first. */
static void follow(Conditions *c, const GivenThreads *given, Way *way) {
    memset(c->has, 0, c->kernel->n_registers * sizeof *c->has);
    for (uint32_t steps = 0; steps < WAY_STEPS; steps++) {
        uint32_t at = c->kernel->count, lanes = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) at = way->at[lane] < at ? way->at[lane] : at;
        if (at == c->kernel->count) return;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) lanes |= (uint32_t)(way->at[lane] == at) << lane;
        const Insn *insn = &c->program->insns[c->kernel->first + at];
        const uint32_t guard =
                           insn->guarded ? c->registers[insn->guard].bits ^ (insn->guard_negated ? UINT32_MAX : 0) : UINT32_MAX,
                       sure = insn->guarded ? c->has[insn->guard] : UINT32_MAX;
        take_step(c, given, at, lanes & sure & guard, lanes & ~sure, way);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (lanes >> lane & 1) way->at[lane] = next_of(c, at, sure & guard & 1u << lane, ~sure & 1u << lane);
    }
}

void conditions_at(Conditions *c, const GivenThreads *given, uint32_t *bits, uint32_t *known) {
    Way way = {.bits = bits, .known = known};
    for (uint32_t i = 0; i < c->count; i++) bits[i] = 0, known[i] = i < c->n_worked ? UINT32_MAX : 0;
    if (c->count > c->n_worked) follow(c, given, &way);
    for (uint32_t i = 0; i < c->n_work; i++) work_out(c, &c->work[i], given, UINT32_MAX);
    for (uint32_t i = 0; i < c->n_worked; i++) bits[i] = c->registers[c->of[i]].bits;
}
