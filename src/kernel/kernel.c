#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kernel/ahead.h"
#include "kernel/printargs.h"
#include "ptx/opcode.h"

/* What is known of all functions, whichever kernel calls them, and the kernels that have been asked for, by function. */
typedef struct Prepared {
    Flow *flows;
    Regions *regions;
    uint8_t *traits, *used, *combines;
    Narrowed *narrowed;
    Trip *trips;
    bool prints, combined, narrows;
    Kernel **kernels;
} Prepared;

static void find_trips(const Program *program, const Function *function, const Prepared *prepared) {
    FREED uint8_t *errands = alloc_zeroed(function->count + 1, sizeof *errands);
    Trip *trips = prepared->trips + function->first;
    for (uint32_t i = 0; i < function->count; i++) {
        const uint32_t pc = function->first + i;
        errands[i] = trips_errand(&program->insns[pc]) | (prepared->traits[pc] & TRAIT_AHEAD ? ERRAND_AHEAD : 0);
    }
    trips_find(program, function, &prepared->regions[function - program->functions], errands, trips);
    trips_follow(program, function, trips);
}

static Prepared *prepare(const Program *program) {
    Arena *arena = program->arena;
    Prepared *prepared = ARENA_NEW(arena, Prepared);
    *prepared = (Prepared){.flows = ARENA_ARRAY(arena, Flow, program->n_functions),
                           .regions = ARENA_ARRAY(arena, Regions, program->n_functions),
                           .traits = ARENA_ARRAY(arena, uint8_t, program->n_insns + 1),
                           .combines = ARENA_ARRAY(arena, uint8_t, program->n_insns + 1),
                           .narrowed = ARENA_ARRAY(arena, Narrowed, program->n_insns + 1),
                           .used = ARENA_ARRAY(arena, uint8_t, program->n_insns + 1),
                           .trips = ARENA_ARRAY(arena, Trip, program->n_insns + 1),
                           .kernels = ARENA_ARRAY(arena, Kernel *, program->n_functions)};
    for (uint32_t f = 0; f < program->n_functions; f++) {
        const Function *function = &program->functions[f];
        if (!function->is_defined) continue;
        prepared->flows[f] = flow_find(program, function, arena);
        prepared->regions[f] = regions_find(program, function, &prepared->flows[f], arena);
        traits_find(program, function, prepared->traits, prepared->used);
        prepared->narrows |= narrow_find(program, function, prepared->used, prepared->narrowed);
        prepared->combined |= combines_find(program, function, &prepared->flows[f], prepared->traits + function->first,
                                            prepared->combines + function->first);
        ahead_find(program, function, &prepared->regions[f], prepared->traits);
        find_trips(program, function, prepared);
        prepared->prints |= printargs_find(program, function, prepared->traits);
    }
    return prepared;
}

static void find_joins(Kernel *kernel, const uint8_t *used) {
    const Program *program = kernel->program;
    FREED uint8_t *joins = alloc_zeroed(program->n_insns + 1, sizeof *joins);
    bool joined = false;
    for (uint32_t f = 0; f < kernel->reach.n_functions; f++) {
        const Function *function = &program->functions[kernel->reach.functions[f]];
        joined |= joins_find(program, function, &kernel->flows[kernel->reach.functions[f]], kernel->reach.shared_offset, used,
                             joins + function->first);
    }
    if (joined) kernel->joins = memcpy(ARENA_ARRAY(program->arena, uint8_t, program->n_insns), joins, program->n_insns);
}

static void narrow(uint32_t *granule, const Insn *insn, Space space) {
    const uint32_t width = type_bytes[insn->type] * (insn->vec > 1 ? insn->vec : 1u);
    if ((insn->space == space || insn->space == SPACE_GENERIC) && width && width < *granule) *granule = width;
}

/* A parameter of a device function that is in memory: the call writes it, unseen by observers. */
static bool hides_writes(const Program *program, const Insn *insn) {
    for (int i = 0; i < insn->n_dst + insn->n_src && (insn->op == OP_mov || insn->op == OP_cvta); i++) {
        if (insn->operands[i].kind != OPERAND_VARIABLE) continue;
        const Variable *variable = &program->variables[insn->operands[i].index];
        const bool of_kernel = variable->function != NO_INDEX && program->functions[variable->function].is_entry;
        if (variable->space == SPACE_PARAM && !of_kernel) return true;
    }
    return false;
}

static bool reads_clock(const Insn *insn) {
    for (int i = 0; i < insn->n_dst + insn->n_src; i++)
        if (insn->operands[i].kind == OPERAND_SPECIAL && special_is_clock(insn->operands[i].index)) return true;
    return false;
}

static void take_insn(Kernel *kernel, const Insn *insn) {
    const OpClass class = (OpClass)opcode_classes[insn->op];
    kernel->bulk |= insn->op == OP_cp_bulk;
    kernel->clusters |=
        insn->op == OP_mapa || insn->op == OP_barrier_cluster || (insn->flags & INSN_CLUSTER && insn->op != OP_mbarrier);
    kernel->mma |= insn->op == OP_mma;
    kernel->textured |= insn->geometry != GEOMETRY_NONE || insn->op == OP_txq || insn->op == OP_suq;
    const bool of_rows = insn->op == OP_ldmatrix || insn->op == OP_stmatrix;
    if (class == CLASS_MEMORY && insn->op != OP_cp_async && !of_rows) {
        narrow(&kernel->global_granule, insn, SPACE_GLOBAL);
        narrow(&kernel->shared_granule, insn, SPACE_SHARED);
    }
    /* What an element of a tensor or a texel has of bytes is known when it runs. */
    if (insn->flags & INSN_TENSOR) kernel->global_granule = kernel->shared_granule = 1;
    if (insn->op == OP_tex || insn->op == OP_tld4) kernel->global_granule = 1;
    kernel->fenced |= insn->op == OP_membar || insn->op == OP_fence || insn->op == OP_cp_bulk || kernel->clusters ||
                      insn->order >= ORDER_ACQUIRE;
    kernel->counted_barriers |= insn_waits(insn) && insn->n_src >= (insn->n_dst ? 3 : 2);
    kernel->reads_clock |= reads_clock(insn);
    kernel->local_seen &= !hides_writes(kernel->program, insn);
}

static void take_function(Kernel *kernel, const Function *function) {
    if (!kernel->refused) kernel->refused = function->refused;
    if (function->need.since > kernel->need.since) kernel->need = function->need;
    for (uint32_t i = 0; i < function->count; i++) take_insn(kernel, &kernel->program->insns[function->first + i]);
}

/* Of the kernel's own function: whether what it calls waits at barriers is known of all together. */
static const uint8_t *find_leaving(const Kernel *kernel) {
    const Program *program = kernel->program;
    const uint32_t own = kernel->reach.functions[0];
    bool calls_wait = false;
    for (uint32_t f = 1; f < kernel->reach.n_functions; f++) {
        const Function *function = &program->functions[kernel->reach.functions[f]];
        for (uint32_t i = 0; i < function->count; i++) calls_wait |= insn_waits(&program->insns[function->first + i]);
    }
    return leaving_find(program, &program->functions[own], &kernel->flows[own], calls_wait, program->arena);
}

static Kernel *kernel_new(const Program *program, const Function *function, const Prepared *prepared) {
    Kernel *kernel = ARENA_NEW(program->arena, Kernel);
    *kernel = (Kernel){.program = program,
                       .function = function,
                       .flows = prepared->flows,
                       .regions = prepared->regions,
                       .traits = prepared->traits,
                       .combines = prepared->combined ? prepared->combines : NULL,
                       .narrowed = prepared->narrows ? prepared->narrowed : NULL,
                       .trips = prepared->trips,
                       .prints = prepared->prints,
                       .global_granule = 4,
                       .shared_granule = 4,
                       .local_seen = true};
    reach_find(program, function, prepared->traits, program->arena, &kernel->reach);
    for (uint32_t f = 0; f < kernel->reach.n_functions; f++)
        take_function(kernel, &program->functions[kernel->reach.functions[f]]);
    find_joins(kernel, prepared->used);
    kernel->stored = bases_find(program, &kernel->reach, program->arena);
    kernel->leaving = find_leaving(kernel);
    return kernel;
}

const Kernel *kernel_prepare(const Program *program, const Function *function) {
    if (!*program->prepared) *program->prepared = prepare(program);
    Kernel **kernel = &(*program->prepared)->kernels[function - program->functions];
    if (!*kernel) *kernel = kernel_new(program, function, *program->prepared);
    return *kernel;
}
