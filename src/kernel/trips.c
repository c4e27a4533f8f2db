#include "kernel/trips.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

uint8_t trips_errand(const Insn *insn) {
    bool far = insn->space == SPACE_GLOBAL || insn->space == SPACE_LOCAL || insn->space == SPACE_GENERIC;
    if (opcode_classes[insn->op] != CLASS_MEMORY || !far) return 0;
    if (insn->op == OP_cp_async) return insn->variant == CP_ASYNC_COPY ? ERRAND_LOAD : 0;
    if (insn->op == OP_ld || insn->op == OP_ldu || insn->op == OP_tex || insn->op == OP_tld4 || insn->op == OP_suld)
        return ERRAND_LOAD;
    return insn->op == OP_st || insn->op == OP_red || insn->op == OP_sust ? ERRAND_STORE : ERRAND_LOAD | ERRAND_STORE;
}

static bool reads_any(const Insn *insn, const bool *registers) {
    for (RegisterWalk at = walk_reads(insn); walk_next(&at);)
        if (registers[at.index]) return true;
    return false;
}

/* What a called function returns does not count as loaded, whatever it was called with. */
void trips_follow(const Program *program, const Function *function, Trip *trips) {
    FREED bool *loaded = alloc_zeroed(function->n_registers + 1, sizeof *loaded);
    const Insn *insns = program->insns;
    const uint32_t end = function->first + function->count;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t pc = function->first; pc < end; pc++) {
            if (insns[pc].op == OP_call || (!(trips_errand(&insns[pc]) & ERRAND_LOAD) && !reads_any(&insns[pc], loaded)))
                continue;
            for (RegisterWalk at = walk_writes(&insns[pc]); walk_next(&at); loaded[at.index] = true)
                changed |= !loaded[at.index];
        }
    }
    for (uint32_t pc = function->first; pc < end; pc++)
        if (trips_errand(&insns[pc]) & ERRAND_LOAD) trips[pc - function->first].follows = reads_any(&insns[pc], loaded);
}

/* A register's round trip, where it was set in this basic block; or a variable's. */
typedef struct Level {
    uint32_t block;
    uint16_t level;
} Level;

enum { GROUPS = 8 /* of asynchronous copies, the latest; what a wait leaves out beyond them is waited for */ };

/* Along a region. Each level is the first round trip in which something is known, or done. */
typedef struct Follower {
    const Program *program;
    uint32_t block;
    Level *registers, *variables;       /* variables: parameters of calls, through which a value may go */
    uint16_t after_store, after_shared; /* what was stored */
    uint16_t done;                      /* all that was asked of memory */
    uint16_t guard, next_guard;         /* the condition of a branch round this basic block, and round the next one */
    bool guarded, next_guarded;         /* there is one, though it be known from the beginning */
    uint16_t after_wait;                /* nothing goes on before that */
    uint16_t copies, groups[GROUPS];    /* asynchronous copies: those of no group yet, then groups, the latest first */
} Follower;

static uint16_t later(uint16_t a, uint16_t b) { return a > b ? a : b; }

static uint16_t next_trip(uint16_t level) { return level + (level < UINT16_MAX); }

static void begin_block(Follower *follower, uint32_t first) {
    *follower = (Follower){
        .program = follower->program, .block = first, .registers = follower->registers, .variables = follower->variables};
}

static uint16_t level_at(const Follower *follower, const Level *level) {
    return level->block == follower->block ? level->level : 0;
}

/* The parameter that the instruction loads, stores. */
static Level *parameter_of(const Follower *follower, const Insn *insn) {
    if (insn->space != SPACE_PARAM || (insn->op != OP_ld && insn->op != OP_st)) return NULL;
    for (unsigned i = 0; i < (unsigned)insn->n_dst + insn->n_src; i++)
        if (insn->operands[i].kind == OPERAND_ADDRESS_VARIABLE) return &follower->variables[insn->operands[i].index];
    return NULL;
}

/* When an instruction has what it works on. */
static uint16_t ready(const Follower *follower, const Insn *insn) {
    uint16_t level = later(follower->guard, follower->after_wait);
    for (RegisterWalk of = walk_reads(insn); walk_next(&of);)
        level = later(level, level_at(follower, &follower->registers[of.index]));
    const Level *parameter = insn->op == OP_ld ? parameter_of(follower, insn) : NULL;
    return parameter ? later(level, level_at(follower, parameter)) : level;
}

static void commit_copies(Follower *follower) {
    uint16_t *groups = follower->groups;
    groups[GROUPS - 1] = later(groups[GROUPS - 1], groups[GROUPS - 2]);
    memmove(&groups[1], groups, (GROUPS - 2) * sizeof *groups);
    groups[0] = follower->copies;
    follower->copies = 0;
}

/* cp.async is over where its group is waited for: what stands behind begins then. */
static void follow_copies(Follower *follower, const Insn *insn, uint16_t level) {
    if (insn->variant == CP_ASYNC_COPY) {
        follower->copies = later(follower->copies, next_trip(level));
    } else if (insn->variant == CP_ASYNC_COMMIT) {
        commit_copies(follower);
    } else if (insn->variant == CP_ASYNC_WAIT_GROUP || insn->variant == CP_ASYNC_WAIT_ALL) {
        const bool all = insn->variant == CP_ASYNC_WAIT_ALL;
        if (all) follower->after_wait = later(follower->after_wait, follower->copies);
        for (uint64_t g = all ? 0 : insn->operands[0].bits; g < GROUPS; g++)
            follower->after_wait = later(follower->after_wait, follower->groups[g]);
    }
}

/* What an instruction leaves behind, whose results come in this round trip. A guarded one may leave them as they were. */
static void leave(Follower *follower, const Insn *insn, uint16_t level) {
    Level *parameter = insn->op == OP_st ? parameter_of(follower, insn) : NULL;
    if (parameter) *parameter = (Level){follower->block, later(level, level_at(follower, parameter))};
    for (RegisterWalk of = walk_writes(insn); walk_next(&of);) {
        Level *result = &follower->registers[of.index];
        const bool kept = insn->guarded || follower->guarded;
        *result = (Level){follower->block, kept ? later(level, level_at(follower, result)) : level};
    }
    if (insn->op != OP_bra) return;
    follower->next_guarded = insn->guarded;
    follower->next_guard = insn->guarded ? level : 0;
}

/* What stands behind it must not be done before. */
static bool is_acquired(const Insn *insn) {
    return insn->order == ORDER_ACQUIRE || insn->order == ORDER_ACQ_REL || insn->order == ORDER_SC;
}

static bool is_warp_sync(const Insn *insn) { return insn->op == OP_bar && insn->variant == BAR_WARP_SYNC; }

static bool is_waited_at(const Insn *insn) {
    return (insn->op == OP_bar && !is_warp_sync(insn)) || insn->op == OP_barrier || insn->op == OP_membar ||
           insn->op == OP_fence;
}

/* The round trip that an instruction makes, or the first in which it is done. */
static uint16_t follow(Follower *follower, const Insn *insn, uint8_t errand) {
    uint16_t level = ready(follower, insn);
    if (opcode_classes[insn->op] == CLASS_MEMORY) follower->done = later(follower->done, level);
    if (is_warp_sync(insn)) follower->after_wait = later(follower->after_wait, follower->done);
    if (errand & ERRAND_STORE) follower->after_store = later(follower->after_store, level);
    if (errand & ERRAND_SHARED_STORE) follower->after_shared = later(follower->after_shared, level);
    if (errand & ERRAND_SHARED_LOAD) level = later(level, follower->after_shared);
    if (errand & ERRAND_LOAD && insn->policy != POLICY_NC && !(errand & ERRAND_AHEAD))
        level = later(level, follower->after_store);
    if (insn->op == OP_cp_async) follow_copies(follower, insn, level);
    if (errand & ERRAND_LOAD && is_acquired(insn)) follower->after_wait = later(follower->after_wait, next_trip(level));
    leave(follower, insn, errand & ERRAND_LOAD ? next_trip(level) : level);
    return level;
}

static void begin_guarded(Follower *follower) {
    follower->guard = follower->next_guard;
    follower->guarded = follower->next_guarded;
    follower->next_guard = 0;
    follower->next_guarded = false;
}

/* Once more along a region that leads back to its beginning: what makes its round trip as early as before need not wait for an iteration's end. */
static void follow_again(Follower *follower, const Insn *insns, const uint32_t *order, uint32_t count, const uint8_t *errands,
                         Trip *trips) {
    for (uint32_t at = 0; at < count; at++) {
        const uint32_t i = order[at];
        const uint16_t level =
            follow(follower, &insns[i], errands[i] & ~ERRAND_AHEAD); /* of its own iteration's stores alone */
        if (errands[i] & ERRAND_LOAD) trips[i].again = level == trips[i].level && trips[i].block == follower->block;
    }
}

void trips_find(const Program *program, const Function *function, const Regions *regions, const uint8_t *errands, Trip *trips) {
    Follower follower = {.program = program,
                         .block = NO_INSN,
                         .registers = alloc_zeroed(function->n_registers + 1, sizeof *follower.registers),
                         .variables = alloc_zeroed(program->n_variables + 1, sizeof *follower.variables)};
    const Insn *insns = &program->insns[function->first];
    uint32_t from = 0;
    for (uint32_t r = 0; r < function->n_registers; r++) follower.registers[r].block = NO_INSN - 1;
    for (uint32_t v = 0; v < program->n_variables; v++) follower.variables[v].block = NO_INSN - 1;
    for (uint32_t at = 0; at < function->count; at++) {
        const uint32_t i = regions->order[at];
        if (regions->begins[at]) from = at;
        if (regions->begins[at] || is_waited_at(&insns[i])) begin_block(&follower, function->first + i);
        if (regions->heads[at] && !regions->elses[at]) begin_guarded(&follower);
        const uint16_t level = follow(&follower, &insns[i], errands[i]);
        if (errands[i] & ERRAND_LOAD) trips[i] = (Trip){.block = follower.block, .level = level};
        const uint32_t head = function->first + regions->order[from];
        if (insns[i].op == OP_bra && insns[i].target == head && follower.block == head)
            follow_again(&follower, insns, &regions->order[from], at + 1 - from, errands, trips);
    }
    free(follower.registers);
    free(follower.variables);
}
