/* Cycles of basic blocks, added up by hand from those that an H200 takes for single instructions (tests/hardware/h200-operations.csv). */
#include <math.h>

#include "device/arithmetic.h"
#include "kernel/kernel.h"
#include "parsed.h"

enum { REGISTERS = 64 };

/* The program of these instructions; pred p, f32 f, f64 d, b32 r, b64 l, and 64 words of shared memory. */
static Program *program_of(const char *body) {
    return parsed_of(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
                     ".reg .pred %%p<5>; .reg .f32 %%f<9>; .reg .f64 %%d<9>; .reg .b32 %%r<9>; .reg .b64 %%l<9>; .shared .b32 "
                     "tile[64];\n%s\n}\n",
                     body);
}

static double cycles_of(const char *body) {
    Program *program = program_of(body);
    const Function *function = &program->functions[0];
    ck_assert_uint_le(function->n_registers, REGISTERS);
    const uint8_t traits[REGISTERS] = {0}; /* all is read */
    double at[REGISTERS] = {0};
    uint32_t block[REGISTERS] = {0};
    ck_assert_uint_le(program->n_insns, REGISTERS);
    uint32_t order[REGISTERS];
    for (uint32_t i = 0; i < function->count; i++) order[i] = i;
    double cycles = arithmetic_block_cycles(&program->insns[function->first], traits, order, function->count,
                                            &(Ready){.at = at, .block = block});
    program_free(program);
    return cycles;
}

typedef struct Block {
    const char *body;
    double cycles;
} Block;

static const Block blocks[] = {
    /* each needs the one before: 4.4 cycles a float, 8.2 a double */
    {"fma.rn.f32 %f1, %f1, %f2, %f2;", 4.4},
    {"fma.rn.f32 %f1, %f1, %f2, %f2; add.f32 %f1, %f1, %f3; mul.f32 %f1, %f1, %f3;", 3 * 4.4},
    {"add.f64 %d1, %d1, %d2; mul.f64 %d1, %d1, %d2; fma.rn.f64 %d1, %d1, %d1, %d2;", 3 * 8.2},
    /* the longer of two chains; and one that each round begins anew costs no more than until its last one starts */
    {"add.f32 %f1, %f1, %f3; add.f64 %d1, %d1, %d2;", 8.2},
    {"add.f32 %f1, %f2, %f3; add.f32 %f4, %f1, %f3; add.f32 %f5, %f4, %f3;", 2 * 4.4},
    {"add.f32 %f1, %f2, %f3; add.f32 %f4, %f2, %f3;", 0},
    /* one's latency after the other: special functions, with and without the scaling of what is too small; shuffles */
    {"ex2.approx.f32 %f1, %f1; sin.approx.f32 %f1, %f1; lg2.approx.f32 %f1, %f1; rsqrt.approx.ftz.f32 %f1, %f1;",
     17 + 23 + 39 + 17},
    {"shfl.sync.bfly.b32 %r1|%p1, %r1, 1, 31, -1; vote.sync.ballot.b32 %r2, %p1, -1;", 24 + 13 - 13},
    {"redux.sync.add.u32 %r1, %r1, -1; match.any.sync.b32 %r1, %r1, -1;", 44 + 28},
    {"popc.b32 %r1, %r1; clz.b32 %r1, %r1; brev.b32 %r1, %r1; bfind.u32 %r1, %r1;", 17 + 23 + 17 + 17},
    /* integers: of 64 bits and high halves take longer, shifts to the right too */
    {"mul.lo.u32 %r1, %r1, %r2; mul.hi.u32 %r1, %r1, %r2; shr.u32 %r1, %r1, 3;", 4.4 + 9.3 + 4.4},
    {"mul.lo.u64 %l1, %l1, %l2; mul.hi.u64 %l1, %l1, %l2; shr.u64 %l1, %l1, 3; add.u64 %l1, %l1, %l2;", 12.5 + 19 + 6.5 + 4.8},
    {"mul.wide.u32 %l1, %r1, %r2; cvt.u32.u64 %r1, %l1;", 2 * 4.4},
    {"cvt.rn.f32.s32 %f1, %r1; cvt.rzi.s32.f32 %r1, %f1;", 2 * 11.6},
    {"cvt.f64.f32 %d1, %f1; cvt.rn.f32.f64 %f1, %d1;", 2 * 18},
    {"min.f64 %d1, %d1, %d2; min.f32 %f1, %f1, %f2;", 24.7},
    /* division and roots have branches: what stands before has ended, and what stands behind has not begun */
    {"div.rn.f32 %f1, %f2, %f1;", 45},
    {"div.full.f32 %f1, %f2, %f1;", 41},
    {"div.rn.f64 %d1, %d2, %d1;", 112},
    {"rem.u32 %r1, %r1, %r2;", 60},
    {"div.u32 %r1, %r2, %r1;", 130},
    {"div.s64 %l1, %l2, %l1;", 303},
    {"sqrt.rn.f32 %f1, %f2; sqrt.rn.f32 %f3, %f4;", 2 * 43},
    {"rcp.rn.f32 %f1, %f1; sqrt.rn.f64 %d1, %d1; rcp.rn.f64 %d1, %d1; rsqrt.approx.f64 %d1, %d1;", 64 + 80 + 61 + 55},
    {"rsqrt.approx.f32 %f1, %f2; sqrt.rn.f32 %f3, %f2; add.f32 %f2, %f1, %f3;", 39 + 43 + 4.4},
    /* a load from shared memory, of an address that was loaded; behind a store it waits until that has what it stores */
    {"ld.shared.u32 %r1, [%r1];", 21},
    {"st.shared.u32 [tile], %r1; ld.shared.u32 %r2, [tile+4]; add.u32 %r1, %r2, 1;", 21 + 4.4},
    {"add.u32 %r1, %r1, 1; st.shared.u32 [tile], %r1; ld.shared.u32 %r2, [tile+4];", 4.4},
    {"ld.global.u32 %r1, [%l1]; add.u32 %r1, %r1, 1;", 0}, /* round trips are counted elsewhere */
    /* a branch waits for its predicate, and the next round for the branch */
    {"loop: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra loop;", 4.4 + 4.4 + 9},
    {"@%p1 add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2;", 2 * 4.4},
    {"mov.u32 %r2, %r1; add.u32 %r1, %r2, 1;", 4.4}, /* moves are the compiler's */
};

START_TEST(instructions_wait_for_what_they_need)
{
    const Block *block = &blocks[_i];
    double cycles = cycles_of(block->body);
    ck_assert_msg(fabs(cycles - block->cycles) < 1e-9, "%s: %g cycles, not %g", block->body, cycles, block->cycles);
}
END_TEST

typedef struct Slow {
    const char *insn;
    double cycles;
} Slow;

/* Of a quarter of an SM, where it is more than ordinary arithmetic's. */
static const Slow slow[] = {
    {"add.f32 %f1, %f1, %f2;", 0},
    {"add.f64 %d1, %d1, %d2;", 2},
    {"setp.lt.f64 %p1, %d1, %d2;", 2},
    {"div.rn.f32 %f1, %f1, %f2;", 17},
    {"div.rn.f64 %d1, %d1, %d2;", 23},
    {"div.approx.f32 %f1, %f1, %f2;", 8.5},
    {"ex2.approx.f32 %f1, %f1;", 8},
    {"sqrt.rn.f32 %f1, %f1;", 9},
    {"rcp.rn.f32 %f1, %f1;", 10},
    {"sqrt.rn.f64 %d1, %d1;", 25},
    {"rcp.rn.f64 %d1, %d1;", 13},
    {"rsqrt.approx.f64 %d1, %d1;", 16},
    {"div.u32 %r1, %r1, %r2;", 28},
    {"rem.u32 %r1, %r1, %r2;", 11},
    {"div.u64 %l1, %l1, %l2;", 117},
    {"mul.lo.u64 %l1, %l1, %l2;", 8},
    {"mul.hi.u64 %l1, %l1, %l2;", 12},
    {"mul.hi.u32 %r1, %r1, %r2;", 4},
    {"mul.lo.u32 %r1, %r1, %r2;", 0},
    {"shr.u64 %l1, %l1, 3;", 4},
    {"shl.b64 %l1, %l1, 3;", 0},
    {"cvt.rn.f32.s32 %f1, %r1;", 4.2},
    {"cvt.rn.f64.s32 %d1, %r1;", 8.5},
    {"cvt.u64.u32 %l1, %r1;", 0},
    {"popc.b32 %r1, %r1;", 8},
    {"clz.b32 %r1, %r1;", 8},
    {"min.f64 %d1, %d1, %d2;", 9.6},
    {"match.any.sync.b32 %r1, %r1, -1;", 8},
    {"redux.sync.add.u32 %r1, %r1, -1;", 8},
    {"shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;", 2},
};

START_TEST(slow_instructions_keep_their_unit_busy)
{
    Program *program = program_of(slow[_i].insn);
    double cycles = arithmetic_cost(&program->insns[program->functions[0].first]).slow;
    ck_assert_msg(fabs(cycles - slow[_i].cycles) < 1e-9, "%s: %g cycles, not %g", slow[_i].insn, cycles, slow[_i].cycles);
    program_free(program);
}
END_TEST

/* A product whose sum contains it is no instruction any more; a store and a vote that nobody reads are. */
START_TEST(what_nobody_reads_is_left_out)
{
    Program *program =
        program_of("mul.f32 %f1, %f2, %f3; st.shared.f32 [tile], %f2; ld.shared.f32 %f1, [tile]; setp.lt.f32 %p1|%p2, %f2, %f3;"
                   "setp.lt.f32 %p3|%p4, %f2, %f3; mul.f32 %f5, %f2, %f3; @%p4 st.shared.f32 [tile], %f5;");
    const Function *function = &program->functions[0];
    static const bool dead[] = {true, false, false, true, false, false};
    for (uint32_t i = 0; i < sizeof dead; i++) {
        const uint32_t pc = function->first + i;
        const uint8_t traits = kernel_prepare(program, function)->traits[pc];
        ck_assert_msg(arithmetic_is_dead(&program->insns[pc], traits) == dead[i], "instruction %u", i);
    }
    program_free(program);
}
END_TEST

SUITE("arithmetic", REPEATED(sizeof blocks / sizeof *blocks, instructions_wait_for_what_they_need),
      REPEATED(sizeof slow / sizeof *slow, slow_instructions_keep_their_unit_busy), what_nobody_reads_is_left_out)
