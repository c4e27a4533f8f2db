/* watched.h: plays the machine to the checks: a made-up program and the callbacks that its run would cause. */
#pragma once

#include <string.h>

#include "kernel/kernel.h"
#include "machine/memory.h"
#include "observe/checks.h"
#include "ptx/opcode.h"
#include "ptx/program.h"
#include "suite.h"

/* The made-up program: pcs by name, in the order of its text. Nothing uses results, unless a test gives the program other functions. */
/* clang-format off */
enum Pc {
    LD_SHARED, ST_SHARED, ADD_SHARED, CAS_SHARED, LD_SHARED_LATE, LD_VOLATILE_SHARED, ST_VOLATILE_SHARED, LD_SHARED4, ST_SHARED4,
    LD_GLOBAL, ST_GLOBAL, ADD_GLOBAL, CAS_GLOBAL, MAX_GLOBAL, EXCH_GLOBAL, LD_GLOBAL_LATE, LD_VOLATILE_GLOBAL, ST_VOLATILE_GLOBAL,
    LD_GLOBAL4, ST_GLOBAL4, LD_LOCAL, ST_LOCAL, CALL, EXTRA, PCS
};
/* clang-format on */
/* EXTRA is part of the kernel, or of another function, which the kernel may call. */
enum With { WITH_FENCE = 1, WITH_COUNTED_BARRIER = 2, WITH_BYTES = 4, WITH_EXTRA_ELSEWHERE = 8, WITH_CALL = 16 };

typedef struct Watched {
    Program program;
    Insn insns[PCS];
    Function functions[2]; /* the kernel, another */
    CallSite call;
    Memory *memory;
    CheckSet *checks;
    Observer *observer;
    uint32_t dim[3];
    Place place;
    OnFault on_fault;
    bool strict;
    bool meets; /* accesses are an mbarrier's, as Access has it, with `odd` */
    uint32_t odd;
    uint64_t barrier; /* the address of the grid's own; 0: none */
    uint32_t threads; /* of a block, as the next launch says; 0: 1024 */
    uint32_t workers; /* likewise host threads, of which the first has all blocks; 0: 1 */
    struct Prepared *prepared;
    Fault fault;
} Watched;

static const struct {
    uint8_t op, space, vec, order, variant;
} watched_insns[PCS] = {
    [LD_SHARED] = {OP_ld, SPACE_SHARED, 1, ORDER_WEAK, 0},
    [ST_SHARED] = {OP_st, SPACE_SHARED, 1, ORDER_WEAK, 0},
    [ADD_SHARED] = {OP_atom, SPACE_SHARED, 0, ORDER_WEAK, ATOM_ADD},
    [CAS_SHARED] = {OP_atom, SPACE_SHARED, 0, ORDER_WEAK, ATOM_CAS},
    [LD_SHARED_LATE] = {OP_ld, SPACE_SHARED, 1, ORDER_WEAK, 0},
    [LD_VOLATILE_SHARED] = {OP_ld, SPACE_SHARED, 1, ORDER_VOLATILE, 0},
    [ST_VOLATILE_SHARED] = {OP_st, SPACE_SHARED, 1, ORDER_VOLATILE, 0},
    [LD_SHARED4] = {OP_ld, SPACE_SHARED, 4, ORDER_WEAK, 0},
    [ST_SHARED4] = {OP_st, SPACE_SHARED, 4, ORDER_WEAK, 0},
    [LD_GLOBAL] = {OP_ld, SPACE_GLOBAL, 1, ORDER_WEAK, 0},
    [ST_GLOBAL] = {OP_st, SPACE_GLOBAL, 1, ORDER_WEAK, 0},
    [ADD_GLOBAL] = {OP_red, SPACE_GLOBAL, 0, ORDER_WEAK, ATOM_ADD},
    [CAS_GLOBAL] = {OP_atom, SPACE_GLOBAL, 0, ORDER_WEAK, ATOM_CAS},
    [MAX_GLOBAL] = {OP_atom, SPACE_GLOBAL, 0, ORDER_WEAK, ATOM_MAX},
    [EXCH_GLOBAL] = {OP_atom, SPACE_GLOBAL, 0, ORDER_WEAK, ATOM_EXCH},
    [LD_GLOBAL_LATE] = {OP_ld, SPACE_GLOBAL, 1, ORDER_WEAK, 0},
    [LD_VOLATILE_GLOBAL] = {OP_ld, SPACE_GLOBAL, 1, ORDER_VOLATILE, 0},
    [ST_VOLATILE_GLOBAL] = {OP_st, SPACE_GLOBAL, 1, ORDER_VOLATILE, 0},
    [LD_GLOBAL4] = {OP_ld, SPACE_GLOBAL, 4, ORDER_WEAK, 0},
    [ST_GLOBAL4] = {OP_st, SPACE_GLOBAL, 4, ORDER_WEAK, 0},
    [LD_LOCAL] = {OP_ld, SPACE_LOCAL, 1, ORDER_WEAK, 0},
    [ST_LOCAL] = {OP_st, SPACE_LOCAL, 1, ORDER_WEAK, 0},
    [CALL] = {OP_ret, SPACE_GENERIC, 0, ORDER_WEAK, 0},
    [EXTRA] = {OP_ret, SPACE_GENERIC, 0, ORDER_WEAK, 0},
};

static const Operand watched_operands[2] = {{.kind = OPERAND_IMMEDIATE}, {.kind = OPERAND_IMMEDIATE}};

/* Where fences are: those of another kernel count for nothing, those of a function that the kernel calls count like its own. */
static const struct {
    unsigned with;
    bool count;
} watched_fences[] = {
    {0, false},
    {WITH_FENCE, true},
    {WITH_FENCE | WITH_EXTRA_ELSEWHERE, false},
    {WITH_FENCE | WITH_EXTRA_ELSEWHERE | WITH_CALL, true},
};
enum { WATCHED_FENCES = sizeof watched_fences / sizeof *watched_fences };

/* A new launch of the same program on the same memory. */
static inline void watched_relaunch(Watched *watched) {
    checks_free(watched->checks);
    watched->checks = checks_new(watched->memory, kernel_prepare(&watched->program, watched->program.functions),
                                 &(CheckConfig){.on_fault = watched->on_fault,
                                                .strict = watched->strict,
                                                .workers = watched->workers ? watched->workers : 1,
                                                .max_resident = 4,
                                                .blocks = UINT64_C(1) << 31,
                                                .barrier = watched->barrier,
                                                .threads = watched->threads ? watched->threads : 1024});
    watched->observer = checks_observer(watched->checks, 0);
    watched->fault = (Fault){0};
}

/* The same of a program that a test may have changed since the last launch. */
static inline void watched_launch(Watched *watched) {
    watched->prepared = NULL;
    watched_relaunch(watched);
}

/* with: With. The launch is made when the memory has been allocated: watched_launch. */
static inline Watched *watched_new(unsigned with) {
    Watched *watched = calloc(1, sizeof *watched);
    for (int pc = 0; pc < PCS; pc++)
        watched->insns[pc] = (Insn){.op = watched_insns[pc].op,
                                    .space = watched_insns[pc].space,
                                    .type = with & WITH_BYTES && watched_insns[pc].vec == 1 ? TYPE_u8 : TYPE_u32,
                                    .vec = watched_insns[pc].vec,
                                    .order = watched_insns[pc].order,
                                    .variant = watched_insns[pc].variant,
                                    .operands = watched_operands};
    if (with & WITH_FENCE) watched->insns[EXTRA] = (Insn){.op = OP_membar};
    if (with & WITH_COUNTED_BARRIER)
        watched->insns[EXTRA] = (Insn){.op = OP_bar, .variant = BAR_SYNC, .n_src = 2, .operands = watched_operands};
    watched->call.function = 1;
    if (with & WITH_CALL) watched->insns[CALL] = (Insn){.op = OP_call, .call = &watched->call};
    watched->functions[0] =
        (Function){.is_defined = true, .is_entry = true, .count = with & WITH_EXTRA_ELSEWHERE ? EXTRA : PCS};
    watched->functions[1] = (Function){.is_defined = true, .first = EXTRA, .count = 1};
    watched->program = (Program){.arena = arena_new(),
                                 .prepared = &watched->prepared,
                                 .n_insns = PCS,
                                 .insns = watched->insns,
                                 .n_functions = 2,
                                 .functions = watched->functions};
    watched->memory = memory_new();
    watched->dim[0] = 1024;
    watched->dim[1] = watched->dim[2] = 1;
    return watched;
}

/* Of all that was allocated and launched, nothing is left; the program is. */
static inline void watched_empty(Watched *watched) {
    checks_free(watched->checks);
    watched->checks = NULL;
    memory_free(watched->memory);
    watched->memory = memory_new();
}

static inline void watched_free(Watched *watched) {
    checks_free(watched->checks);
    memory_free(watched->memory);
    arena_free(watched->program.arena);
    free(watched);
}

static inline Allocation *watched_buffer(Watched *watched, uint64_t bytes, const char *name, bool initialized) {
    Allocation *allocation = memory_allocate(watched->memory, bytes, name, false);
    allocation->initialized = initialized;
    return allocation;
}

/* A block comes into a place for a resident block; later events are its own until another block or watched_place says otherwise. */
static inline void watched_block(Watched *watched, uint32_t slot, uint64_t block, uint32_t threads, uint32_t shared_bytes) {
    watched->place = (Place){.block = block, .block_slot = slot, .threads = threads, .block_dim = watched->dim};
    watched->observer->on_block_begin(watched->observer->self, &watched->place, shared_bytes);
}

static inline void watched_place(Watched *watched, uint32_t slot, uint64_t block) {
    watched->place.block_slot = slot;
    watched->place.block = block;
}

static inline uint32_t watched_bytes(const Watched *watched, uint32_t pc) {
    const Insn *insn = &watched->insns[pc];
    return type_bytes[insn->type] * (insn->vec ? insn->vec : 1u);
}

/* values: one for each lane, repeated over a wide store's elements; NULL: all 0. */
static inline bool watched_access(Watched *watched, uint32_t pc, uint32_t warp, uint32_t active, const uint64_t *addr,
                                  const uint32_t *values) {
    const Insn *insn = &watched->insns[pc];
    Access access = {.pc = pc, .space = insn->space, .order = insn->order, .active = active};
    access.meets = watched->meets;
    access.odd = watched->odd;
    access.bytes = (uint8_t)watched_bytes(watched, pc);
    access.kind = insn->op == OP_ld     ? ACCESS_LOAD
                  : insn->op == OP_st   ? ACCESS_STORE
                  : insn->op == OP_atom ? ACCESS_ATOMIC
                                        : ACCESS_REDUCTION;
    uint8_t data[WARP_LANES * 16] = {0};
    const uint32_t element = type_bytes[insn->type];
    if (access.kind == ACCESS_STORE) access.data = data;
    for (uint32_t l = 0; l < WARP_LANES && access.data; l++)
        for (uint32_t at = 0; at < access.bytes && values && active >> l & 1; at += element)
            memcpy(data + l * access.bytes + at, &values[l], element);
    /* An inactive lane's address means nothing. */
    for (uint32_t l = 0; l < WARP_LANES; l++) access.addr[l] = active >> l & 1 ? addr[l] : UINT64_C(0xbad0bad0bad0bad0);
    if (insn->space == SPACE_LOCAL) memcpy(access.local, access.addr, sizeof access.local);
    watched->place.warp = warp;
    if (!watched->observer->on_access(watched->observer->self, &watched->place, &access, &watched->fault)) {
        ck_assert_int_ne(watched->fault.kind, FAULT_none);
        ck_assert_uint_eq(watched->fault.pc, pc);
        ck_assert_msg(active >> watched->fault.lane & 1, "the lane that is named does not take part");
        return false;
    }
    if (watched->fault.kind != FAULT_none) ck_abort_msg("a fault, though the access is fine: %s", watched->fault.message);
    for (uint32_t l = 0; l < WARP_LANES && access.kind == ACCESS_STORE && insn->space == SPACE_GLOBAL; l++) {
        if (!(active >> l & 1)) continue;
        Allocation *in = memory_find(watched->memory, addr[l]);
        memcpy(in->host + (addr[l] - in->address), data + l * access.bytes, access.bytes);
    }
    return true;
}

/* Lane l at base + l * stride bytes; stores write the lane's number in the block, plus 1. */
static inline bool watched_lanes(Watched *watched, uint32_t pc, uint32_t warp, uint32_t active, uint64_t base, int64_t stride) {
    uint64_t addr[WARP_LANES];
    uint32_t values[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        addr[l] = base + (uint64_t)((int64_t)l * stride);
        values[l] = warp * WARP_LANES + l + 1;
    }
    return watched_access(watched, pc, warp, active, addr, values);
}

/* One lane at one address; a store writes value. */
static inline bool watched_lane(Watched *watched, uint32_t pc, uint32_t warp, uint32_t lane, uint64_t address, uint32_t value) {
    uint64_t addr[WARP_LANES];
    uint32_t values[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++) addr[l] = address;
    for (uint32_t l = 0; l < WARP_LANES; l++) values[l] = value;
    return watched_access(watched, pc, warp, 1u << lane, addr, values);
}

static inline void watched_barrier(Watched *watched, uint32_t warps) {
    watched->observer->on_barrier(watched->observer->self, &watched->place, warps);
}

static inline bool watched_block_end(Watched *watched) {
    return watched->observer->on_block_end(watched->observer->self, &watched->place, &watched->fault);
}

static inline void watched_warp_sync(Watched *watched, uint32_t warp, uint32_t lanes) {
    watched->place.warp = warp;
    watched->observer->on_warp_sync(watched->observer->self, &watched->place, lanes);
}

/* __threadfence() by the warp, or __threadfence_block(); in a program that has one. */
static inline void watched_fence(Watched *watched, uint32_t warp, bool of_block) {
    watched->place.warp = warp;
    watched->insns[EXTRA].of_block = of_block;
    watched->observer->on_fence(watched->observer->self, &watched->place, EXTRA);
}

#define ALL LANES_ALL
#define FINE(access) ck_assert_msg((access), "%s", w->fault.message)
/* The access must be found to race with an access of other_pc, and say so in these words. RACE_KIND is the suite's. */
#define RACES(access, other_pc, text)                                  \
    do {                                                               \
        ck_assert_msg(!(access), "not found");                         \
        ck_assert_str_eq(watched_fault(w, RACE_KIND, other_pc), text); \
    } while (0)
/* Just that it is found. */
#define RACE(access) ck_assert_msg(!(access), "not found")

/* The fault's text; forgets the fault, so that the test can go on. */
static inline const char *watched_fault(Watched *watched, FaultKind kind, uint32_t other_pc) {
    static char message[400];
    ck_assert_str_eq(fault_kinds[watched->fault.kind].name, fault_kinds[kind].name);
    ck_assert_uint_eq(watched->fault.other_pc, other_pc);
    ck_assert_msg(watched->fault.hint[0] != '\0', "no hint");
    memcpy(message, watched->fault.message, sizeof message);
    watched->fault = (Fault){0};
    return message;
}
