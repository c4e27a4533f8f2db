#include "kernel/uniform.h"

#include <string.h>

#include "ptx/opcode.h"
#include "ptx/walk.h"

enum { SHUFFLE_SEGMENTS = 0x1f00 /* of shfl's clamp: not 0 where it stays within a part of the warp */ };

/* What a block does with a register that is written more than once. */
typedef struct RegisterUse {
    uint32_t block, next; /* next: index of a use of the same register, plus one */
    bool exposed;         /* it reads what comes from blocks before */
    bool writes, kills;   /* kills: whatever lanes run it, and they all */
} RegisterUse;

typedef struct EdgeList {
    uint32_t *first, *to; /* of block b: to[first[b]] up to to[first[b + 1]] */
} EdgeList;

typedef struct Survey {
    const Program *program;
    const Function *function;
    const Flow *flow;
    Arena *arena;
    Uniform uniform;
    uint8_t *writes; /* by register: 0, 1, 2 for more */
    uint32_t *uses;  /* by register: its last use, plus one */
    bool **live;     /* by register, by block: its value is read from the block's beginning on; NULL: not found out yet */
    RegisterUse *pool;
    size_t n_pool;
    EdgeList successors, predecessors;
    bool *spread;      /* by block: lanes go on from it at different blocks, and what follows of that is known */
    uint32_t *label;   /* by block, of one branch: by which way lanes have come */
    bool *joins;       /* by block: lanes of different ways join at its beginning */
    uint32_t *pending; /* blocks */
    uint32_t n_pending;
    bool returns; /* the branch is reached again before its lanes reconverge */
    bool changed;
} Survey;

/* --- the graph --- */

static const Insn *last_of(const Survey *survey, uint32_t block) {
    return &survey->program->insns[survey->flow->blocks[block].end - 1];
}

static void edge_add(EdgeList *edges, bool count, uint32_t from, uint32_t to) {
    if (count)
        edges->first[from + 1]++;
    else
        edges->to[edges->first[from]++] = to;
}

static void edges_of(Survey *survey, bool count, uint32_t block) {
    const Insn *last = last_of(survey, block);
    const BranchTable table = insn_targets(last);
    for (uint32_t t = 0; t <= table.count; t++) {
        const bool falls = t == table.count;
        if (falls && (!insn_falls(last) || block + 1 == survey->flow->n_blocks)) continue;
        const uint32_t to = falls ? block + 1 : survey->flow->block_of[table.targets[t] - survey->function->first];
        edge_add(&survey->successors, count, block, to);
        edge_add(&survey->predecessors, count, to, block);
    }
}

static void edges_begin(Survey *survey, EdgeList *edges) {
    const uint32_t n_blocks = survey->flow->n_blocks;
    for (uint32_t b = 0; b < n_blocks; b++) edges->first[b + 1] += edges->first[b];
    edges->to = ARENA_ARRAY(survey->arena, uint32_t, edges->first[n_blocks] + 1);
}

/* Once filled, each block's first edge has moved on to that of the next. */
static void edges_end(EdgeList *edges, uint32_t n_blocks) {
    memmove(edges->first + 1, edges->first, n_blocks * sizeof *edges->first);
    edges->first[0] = 0;
}

static void edges_find(Survey *survey) {
    const uint32_t n_blocks = survey->flow->n_blocks;
    survey->successors.first = ARENA_ARRAY(survey->arena, uint32_t, n_blocks + 2);
    survey->predecessors.first = ARENA_ARRAY(survey->arena, uint32_t, n_blocks + 2);
    for (uint32_t b = 0; b < n_blocks; b++) edges_of(survey, true, b);
    edges_begin(survey, &survey->successors);
    edges_begin(survey, &survey->predecessors);
    for (uint32_t b = 0; b < n_blocks; b++) edges_of(survey, false, b);
    edges_end(&survey->successors, n_blocks);
    edges_end(&survey->predecessors, n_blocks);
}

/* --- uses of registers that are written more than once --- */

static RegisterUse *use_of(Survey *survey, uint32_t reg, uint32_t block) {
    uint32_t *head = &survey->uses[reg];
    if (*head && survey->pool[*head - 1].block == block) return &survey->pool[*head - 1];
    ARENA_ADD(survey->arena, survey->pool, survey->n_pool) = (RegisterUse){.block = block, .next = *head};
    *head = (uint32_t)survey->n_pool;
    return &survey->pool[*head - 1];
}

static void uses_find(Survey *survey) {
    const uint32_t first = survey->function->first;
    for (uint32_t i = 0; i < survey->function->count; i++) {
        const Insn *insn = &survey->program->insns[first + i];
        for (RegisterWalk at = walk_writes(insn); walk_next(&at);)
            survey->writes[at.index] = insn->guarded || survey->writes[at.index] ? 2 : 1;
    }
    for (uint32_t i = 0; i < survey->function->count; i++) {
        const Insn *insn = &survey->program->insns[first + i];
        if (insn->op == OP_mov && insn->n_src == 1 && insn->operands[insn->n_dst].kind == OPERAND_IMMEDIATE &&
            insn->n_dst == 1 && insn->operands->kind == OPERAND_REGISTER && survey->writes[insn->operands->index] == 1)
            survey->uniform.numbers[insn->operands->index] = &insn->operands[1];
        for (RegisterWalk at = walk_reads(insn); walk_next(&at);) {
            if (survey->writes[at.index] < 2) continue;
            RegisterUse *use = use_of(survey, at.index, survey->flow->block_of[i]);
            use->exposed |= !use->kills;
        }
        for (RegisterWalk at = walk_writes(insn); walk_next(&at);) {
            if (survey->writes[at.index] < 2) continue;
            RegisterUse *use = use_of(survey, at.index, survey->flow->block_of[i]);
            use->writes = true;
            use->kills |= !insn->guarded;
        }
    }
}

static void push(Survey *survey, uint32_t block) { survey->pending[survey->n_pending++] = block; }

static const bool *live_of(Survey *survey, uint32_t reg) {
    if (survey->live[reg]) return survey->live[reg];
    bool *live = survey->live[reg] = ARENA_ARRAY(survey->arena, bool, survey->flow->n_blocks),
         *kills = ARENA_ARRAY(survey->arena, bool, survey->flow->n_blocks);
    survey->n_pending = 0;
    for (uint32_t at = survey->uses[reg]; at; at = survey->pool[at - 1].next) {
        const RegisterUse *use = &survey->pool[at - 1];
        kills[use->block] = use->kills;
        if (!use->exposed) continue;
        live[use->block] = true;
        push(survey, use->block);
    }
    while (survey->n_pending) {
        const uint32_t block = survey->pending[--survey->n_pending];
        for (uint32_t e = survey->predecessors.first[block]; e < survey->predecessors.first[block + 1]; e++) {
            const uint32_t before = survey->predecessors.to[e];
            if (live[before] || kills[before]) continue;
            live[before] = true;
            push(survey, before);
        }
    }
    return live;
}

/* --- a branch whose lanes may go different ways --- */

static void differ(Survey *survey, uint32_t reg) {
    survey->changed |= !survey->uniform.differs[reg];
    survey->uniform.differs[reg] = true;
}

/* Lanes come to the block by the way with this label. */
static void arrive(Survey *survey, uint32_t branch, uint32_t meet, uint32_t block, uint32_t label) {
    uint32_t *here = &survey->label[block];
    if (block == branch) {
        survey->returns = true;
        return;
    }
    if (!*here) {
        *here = label;
        if (block != meet) push(survey, block);
    } else if (*here != label && !survey->joins[block]) {
        survey->joins[block] = true;
        if (block == meet) return;
        *here = UINT32_MAX - block; /* a way of its own from here on; a branch has fewer edges */
        push(survey, block);
    }
}

/* Of a loop that lanes leave after different iterations: where it is entered. */
static void find_headers(Survey *survey, uint32_t branch, uint32_t meet) {
    for (uint32_t b = 0; b < survey->flow->n_blocks; b++) {
        if (b == meet || (b != branch && !survey->label[b])) continue;
        for (uint32_t e = survey->predecessors.first[b]; e < survey->predecessors.first[b + 1]; e++) {
            const uint32_t from = survey->predecessors.to[e];
            survey->joins[b] |= from != branch && !survey->label[from];
        }
        survey->joins[b] |= b == 0;
    }
}

static bool is_live_at_join(Survey *survey, uint32_t reg) {
    const bool *live = live_of(survey, reg);
    for (uint32_t b = 0; b < survey->flow->n_blocks; b++)
        if (survey->joins[b] && live[b]) return true;
    return false;
}

static void follow(Survey *survey, uint32_t branch, uint32_t meet) {
    memset(survey->label, 0, survey->flow->n_blocks * sizeof *survey->label);
    memset(survey->joins, 0, survey->flow->n_blocks * sizeof *survey->joins);
    survey->returns = false;
    survey->n_pending = 0;
    const uint32_t first = survey->successors.first[branch];
    for (uint32_t e = first; e < survey->successors.first[branch + 1]; e++)
        arrive(survey, branch, meet, survey->successors.to[e], e - first + 1);
    while (survey->n_pending) {
        const uint32_t block = survey->pending[--survey->n_pending], label = survey->label[block];
        for (uint32_t e = survey->successors.first[block]; e < survey->successors.first[block + 1]; e++)
            arrive(survey, branch, meet, survey->successors.to[e], label);
    }
    if (survey->returns) find_headers(survey, branch, meet);
}

static void spread(Survey *survey, uint32_t branch) {
    const uint32_t reconverge = survey->flow->blocks[branch].reconverge;
    const uint32_t meet = reconverge == NO_INSN ? NO_INDEX : survey->flow->block_of[reconverge - survey->function->first];
    follow(survey, branch, meet);
    for (uint32_t reg = 0; reg < survey->function->n_registers; reg++) {
        bool written = false;
        for (uint32_t at = survey->uniform.differs[reg] ? 0 : survey->uses[reg]; at && !written;
             at = survey->pool[at - 1].next) {
            const RegisterUse *use = &survey->pool[at - 1];
            const bool inside = use->block == branch ? survey->returns : survey->label[use->block] && use->block != meet;
            written = use->writes && inside;
        }
        if (written && is_live_at_join(survey, reg)) differ(survey, reg);
    }
}

/* --- values --- */

bool uniform_special_differs(uint32_t special) {
    return special <= SPECIAL_tid_z || special == SPECIAL_laneid ||
           (special >= SPECIAL_lanemask_eq && special <= SPECIAL_lanemask_gt);
}

bool uniform_differs(const Uniform *uniform, const Operand *operand) {
    if (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS) return uniform->differs[operand->index];
    return operand->kind == OPERAND_SPECIAL && uniform_special_differs(operand->index);
}

const Operand *uniform_number(const Uniform *uniform, const Operand *operand) {
    if (operand->kind == OPERAND_IMMEDIATE) return operand;
    return operand->kind == OPERAND_REGISTER ? uniform->numbers[operand->index] : NULL;
}

static bool sources_differ(const Survey *survey, const Insn *insn) {
    for (unsigned i = insn->n_dst; i < (unsigned)insn->n_dst + insn->n_src; i++)
        if (uniform_differs(&survey->uniform, &insn->operands[i])) return true;
    return false;
}

static bool is_same_shuffle(const Survey *survey, const Insn *insn) {
    const Operand *lane = &insn->operands[insn->n_dst + 1], *clamp = uniform_number(&survey->uniform, lane + 1);
    return insn->variant == SHFL_IDX && !uniform_differs(&survey->uniform, lane) && clamp &&
           (clamp->bits & SHUFFLE_SEGMENTS) == 0;
}

static bool result_differs(const Survey *survey, const Insn *insn) {
    if (insn->guarded && survey->uniform.differs[insn->guard]) return true;
    if (insn->op == OP_call || insn->op == OP_atom || insn->op == OP_mbarrier || insn->op == OP_ldmatrix ||
        insn->op == OP_mma || insn->op == OP_elect || insn->op == OP_wmma)
        return true;
    if (insn->op == OP_shfl) return !is_same_shuffle(survey, insn);
    if (insn->op == OP_vote || insn->op == OP_activemask || insn->op == OP_redux) return false;
    if (insn->op == OP_match) return insn->variant == MATCH_ANY;
    const bool is_own = insn->space == SPACE_LOCAL || (insn->space == SPACE_PARAM && !survey->function->is_entry);
    if (opcode_classes[insn->op] == CLASS_MEMORY && is_own) return true;
    return sources_differ(survey, insn);
}

static void take_insn(Survey *survey, uint32_t at) {
    const Insn *insn = &survey->program->insns[survey->function->first + at];
    const uint32_t block = survey->flow->block_of[at];
    if (result_differs(survey, insn))
        for (RegisterWalk to = walk_writes(insn); walk_next(&to);) differ(survey, to.index);
    const bool diverges = insn_branches(insn) && ((insn->guarded && survey->uniform.differs[insn->guard]) ||
                                                  (insn->table && sources_differ(survey, insn)));
    if (!diverges || survey->spread[block]) return;
    survey->spread[block] = true;
    spread(survey, block);
}

Uniform uniform_find(const Program *program, const Function *function, const Flow *flow, Arena *arena) {
    const uint32_t n_registers = function->n_registers, n_blocks = flow->n_blocks;
    Survey survey = {
        .program = program,
        .function = function,
        .flow = flow,
        .arena = arena_new(),
        .uniform = {ARENA_ARRAY(arena, bool, n_registers + 1), ARENA_ARRAY(arena, const Operand *, n_registers + 1)}};
    survey.writes = ARENA_ARRAY(survey.arena, uint8_t, n_registers);
    survey.uses = ARENA_ARRAY(survey.arena, uint32_t, n_registers);
    survey.live = ARENA_ARRAY(survey.arena, bool *, n_registers);
    survey.spread = ARENA_ARRAY(survey.arena, bool, n_blocks);
    survey.label = ARENA_ARRAY(survey.arena, uint32_t, n_blocks);
    survey.joins = ARENA_ARRAY(survey.arena, bool, n_blocks);
    survey.pending = ARENA_ARRAY(survey.arena, uint32_t, 2 * (size_t)n_blocks); /* a block comes there twice at most */
    edges_find(&survey);
    uses_find(&survey);
    for (survey.changed = true; survey.changed;) {
        survey.changed = false;
        for (uint32_t i = 0; i < function->count; i++) take_insn(&survey, i);
    }
    arena_free(survey.arena);
    return survey.uniform;
}
