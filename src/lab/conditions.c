#include "lab/conditions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/alu.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

enum { SLOT_ALIGNMENT = 64, SOURCES = 4, EVERY_LANE = -1 };

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

static Belongs belongs_to_given(const Conditions *c, uint32_t given) {
    const bool of_thread = given <= SPECIAL_tid_z || (given >= SPECIAL_ctaid_x && given <= SPECIAL_ctaid_z);
    return given >= GIVEN_MOST || !c->known[given] ? OF_UNKNOWN : of_thread ? OF_THREAD : OF_LAUNCH;
}

static Belongs belongs_to_operand(const Conditions *c, const Operand *operand) {
    if (operand->kind == OPERAND_IMMEDIATE) return OF_LAUNCH;
    if (operand->kind == OPERAND_REGISTER) return (Belongs)c->belongs[operand->index];
    return operand->kind == OPERAND_SPECIAL && operand->index < GIVEN_SPECIALS ? belongs_to_given(c, operand->index)
                                                                               : OF_UNKNOWN;
}

/* Of what the instruction gives. */
static Belongs belongs_to(const Conditions *c, const Insn *insn) {
    Belongs of = OF_LAUNCH;
    const bool moves = insn->op == OP_mov && insn->n_src == 1;
    if (insn->guarded || insn->flags & INSN_CC || insn->op == OP_set || insn->op == OP_fma) return OF_UNKNOWN;
    if (opcode_classes[insn->op] != CLASS_ALU && !moves) return belongs_to_given(c, given_param(c, insn));
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

Conditions *conditions_new(const Program *program, const Function *kernel, const bool *known) {
    Conditions *c = alloc_zeroed(1, sizeof *c);
    *c = (Conditions){.program = program,
                      .kernel = kernel,
                      .belongs = alloc_zeroed(kernel->n_registers + 1, 1),
                      .registers = alloc_aligned(SLOT_ALIGNMENT, (kernel->n_registers + 1) * sizeof(LaneValues)),
                      .work = alloc_zeroed(kernel->count + 1, sizeof *c->work)};
    memcpy(c->known, known, sizeof c->known);
    FREED uint32_t *writes = count_writes(c);
    for (uint32_t i = 0; i < kernel->count; i++) {
        const Insn *insn = &program->insns[kernel->first + i];
        const Belongs of = writes_once(insn, writes) ? belongs_to(c, insn) : OF_UNKNOWN;
        if (of) add_work(c, insn, of);
    }
    return c;
}

void conditions_free(Conditions *c) {
    free(c->belongs);
    free(c->registers);
    free(c->work);
    free(c);
}

uint32_t conditions_count(const Conditions *c) { return c->count; }
bool conditions_is_uniform(const Conditions *c, uint32_t condition) { return c->belongs[c->of[condition]] == OF_LAUNCH; }

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

static void store(Conditions *c, const Insn *insn, const Operand *to, unsigned width, const LaneValues *result) {
    if (to->kind != OPERAND_REGISTER) return;
    LaneValues *lanes = &c->registers[to->index];
    if (width == 4 && register_width(c, to->index) == 8)
        widen(result->narrow, type_kinds[insn->type] == KIND_SIGNED, lanes);
    else
        *lanes = *result;
}

static void calculate(Conditions *c, const Worked *work, const GivenThreads *given) {
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
        if (insn->n_dst == 2) store(c, insn, &insn->operands[1], 0, &other);
    }
    store(c, insn, &insn->operands[0], width_of(insn_letter_type(insn, insn_letter(insn, 0))), &result);
}

static void move(Conditions *c, const Insn *insn, const GivenThreads *given) {
    _Alignas(SLOT_ALIGNMENT) LaneValues room;
    const unsigned width = width_of((Type)insn->type);
    const uint32_t param = given_param(c, insn);
    if (param < GIVEN_MOST)
        memcpy(room.narrow, given->of[param], sizeof room.narrow);
    else
        room = *source(c, &insn->operands[1], width, given, &room);
    store(c, insn, &insn->operands[0], width, &room);
}

void conditions_at(Conditions *c, const GivenThreads *given, uint32_t *bits) {
    for (uint32_t i = 0; i < c->n_work; i++) {
        if (c->work[i].alu)
            calculate(c, &c->work[i], given);
        else
            move(c, c->work[i].insn, given);
    }
    for (uint32_t i = 0; i < c->count; i++) bits[i] = c->registers[c->of[i]].bits;
}
