/* When lanes of an unrolled loop may be at different iterations (report/drift.h): loops in PTX, each as it may be written. */
#include "ptx/opcode.h"
#include "report/drift.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/source.h"
#include "suite.h"

static const char text[] = "__global__ void k(float *in) {\n    s += in[i];\n    t += in[i] + in[j];\n}\n";

/* A loop of two loads; %d: the first one's line, the second one's file and line; %s: how %p comes about, by which it goes on, and what comes behind it. */
static const char loop[] = ".version 7.0\n.target sm_75\n.address_size 64\n.file 1 \"kernel.cu\"\n.file 2 "
                           "\"other.cuh\"\n.visible .entry k(.param .u64 in, .param .u32 n) {\n"
                           ".reg .u64 %%rd<3>; .reg .u32 %%r<9>; .reg .f32 %%f<3>; .reg .pred %%p; .reg .pred %%q;\n"
                           "ld.param.u64 %%rd1, [in];\nld.param.u32 %%r8, [n];\n"
                           "again:\n.loc 1 %d 0\nld.global.f32 %%f1, [%%rd1];\n.loc %d %d 0\nld.global.f32 %%f2, "
                           "[%%rd1+4];\n.loc 1 4 0\n%s\n%s\nret; }\n";

/* What the second access is. */
typedef struct Second {
    uint8_t space, kind;
    bool of_another_array;
    uint32_t cost; /* 0: it was never made */
} Second;
static const Second a_copy = {SPACE_GLOBAL, ACCESS_LOAD, false, 4};

/* Whether the first load may drift, launched with blocks of so many columns; loads: of all lanes, or some of fewer. */
static bool drifts_with(int line, int other_file, int other_line, const char *condition, const char *branch, uint32_t columns,
                        bool partial, Second second) {
    enum { REQUESTS = 10 };
    char ptx[4000];
    Source source;
    Diag diag = {0};
    snprintf(ptx, sizeof ptx, loop, line, other_file, other_line, condition, branch);
    ck_assert_msg(source_from_ptx("k.ptx", ptx, strlen(ptx), &source, &diag), "%u: %s", diag.line, diag.message);
    const Program *program = source.program;
    Memory *memory = memory_new();
    const Allocation *in = memory_allocate(memory, 4096, "in", false), *other = memory_allocate(memory, 4096, "s", false);
    Counters counters = {.n_insns = program->n_insns, .insns = calloc(program->n_insns, sizeof *counters.insns)};
    const LaunchRequest request = {.launch.kernel = kernel_prepare(program, &program->functions[0]),
                                   .launch.memory = memory,
                                   .launch.block = {columns, 4, 1}};
    const LaunchResult result = {.counters = &counters};
    const Report report = {
        .request = &request, .result = &result, .compiler = "nvcc 13.0", .source_path = "kernel.cu", .source_text = text};
    uint32_t first = NO_INSN;
    for (uint32_t pc = 0; pc < program->n_insns; pc++) {
        if (program->insns[pc].op != OP_ld || program->insns[pc].space != SPACE_GLOBAL) continue;
        InsnCounters *insn = &counters.insns[pc];
        const Second of = first == NO_INSN ? a_copy : second;
        const Allocation *array = of.of_another_array ? other : in;
        insn->worst = (Sample){.cost = of.cost,
                               .access = {.pc = pc, .space = of.space, .kind = of.kind, .bytes = 4, .active = LANES_ALL}};
        for (int lane = 0; lane < WARP_LANES; lane++) insn->worst.access.addr[lane] = array->address + 4 * (uint64_t)lane;
        insn->sectors = (SectorCounters){.requests = REQUESTS, .bytes = REQUESTS * 32 * 4 - (partial && first != NO_INSN)};
        if (first == NO_INSN) first = pc;
    }
    ck_assert(first != NO_INSN);
    const bool found = drift_is_possible(&report, &counters.insns[first].worst);
    free(counters.insns);
    memory_free(memory);
    source_free(&source);
    return found;
}

/* The loads are copies of one. */
static bool drifts(int line, const char *condition, const char *branch, uint32_t columns, bool partial) {
    return drifts_with(line, 1, line, condition, branch, columns, partial, a_copy);
}

#define BACK "@%p bra again;"
#define BY_TID "mov.u32 %r1, %tid.x; setp.lt.u32 %p, %r1, 3;"

START_TEST(lanes_that_leave_a_loop_one_by_one_drift)
{
    static const struct {
        const char *condition, *branch;
        uint32_t columns;
        bool drifts;
    } rows[] = {
        {BY_TID, BACK, 32, true},
        {BY_TID, "@!%p bra again;", 32, true},
        {BY_TID, "bra again;", 32, false},
        {BY_TID, "@%p bra done; done:", 32, false},
        {BY_TID, "", 32, false},
        {"mov.u32 %r1, %laneid; setp.lt.u32 %p, %r1, 3;", BACK, 32, true},
        {"mov.u32 %r1, %ctaid.x; setp.lt.u32 %p, %r1, 3;", BACK, 32, false},
        {"mov.u32 %r1, %tid.y; setp.lt.u32 %p, %r1, 3;", BACK, 32, false},
        {"mov.u32 %r1, %tid.y; setp.lt.u32 %p, %r1, 3;", BACK, 64, false},
        {"mov.u32 %r1, %tid.y; setp.lt.u32 %p, %r1, 3;", BACK, 16, true},
        {"mov.u32 %r1, %tid.z; setp.lt.u32 %p, %r1, 3;", BACK, 33, true},
        {"mov.u32 %r1, %tid.z; setp.lt.u32 %p, %r1, 3;", BACK, 96, false},
        {"setp.lt.u32 %p, %r8, 3;", BACK, 32, false}, /* a parameter is the same for all */
        {"ld.global.u32 %r1, [%rd1+8]; setp.lt.u32 %p, %r1, 3;", BACK, 32, true},
        {"atom.global.add.u32 %r1, [%rd1], 1; setp.lt.u32 %p, %r1, 3;", BACK, 32, true},
        {"mov.u32 %r1, %tid.x; add.u32 %r2, %r8, %r1; mov.u32 %r3, %r2; setp.lt.u32 %p, %r3, 3;", BACK, 32, true},
        {"mov.u32 %r1, %tid.x; add.u32 %r2, %r8, 7; setp.lt.u32 %p, %r2, 3;", BACK, 32, false},
        {"setp.lt.u32 %q, %r8, 3; mov.u32 %r2, 1; @%q mov.u32 %r2, 2; setp.lt.u32 %p, %r2, 2;", BACK, 32, false},
        {"mov.u32 %r1, %tid.x; setp.lt.u32 %q, %r1, 3; mov.u32 %r2, 1; @%q mov.u32 %r2, 2; setp.lt.u32 %p, %r2, 2;", BACK, 32,
         true},
        /* %r2 varies by what a later instruction makes of it */
        {"setp.lt.u32 %p, %r2, 2; mov.u32 %r2, %r3; mov.u32 %r3, %tid.x;", BACK, 32, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(drifts(2, rows[i].condition, rows[i].branch, rows[i].columns, true) == rows[i].drifts, "row %zu: %s %s",
                      i, rows[i].condition, rows[i].branch);
}
END_TEST

/* Where every request is of all lanes none has left; where a line has two accesses, the copies cannot be told apart. */
START_TEST(lanes_that_stay_together_do_not)
{
    ck_assert(!drifts(2, BY_TID, BACK, 32, false));
    ck_assert(!drifts(3, BY_TID, BACK, 32, true));
    ck_assert(!drifts(9, BY_TID, BACK, 32, true)); /* a line that is not there */
}
END_TEST

/* A load of another line, or of the same line of another file, is no copy: a loop that was not unrolled leaves nothing to drift. */
START_TEST(loads_of_other_lines_are_no_copies)
{
    ck_assert(drifts_with(2, 1, 2, BY_TID, BACK, 32, true, a_copy));
    ck_assert(!drifts_with(2, 1, 3, BY_TID, BACK, 32, true, a_copy));
    ck_assert(!drifts_with(2, 2, 2, BY_TID, BACK, 32, true, a_copy));
}
END_TEST

/* Of one line, too: what is stored, elsewhere, in another array, or never. */
START_TEST(copies_are_of_one_kind_space_and_array)
{
    static const Second others[] = {{SPACE_GLOBAL, ACCESS_STORE, false, 4},
                                    {SPACE_GLOBAL, ACCESS_ATOMIC, false, 4},
                                    {SPACE_LOCAL, ACCESS_LOAD, false, 4},
                                    {SPACE_GLOBAL, ACCESS_LOAD, true, 4},
                                    {SPACE_GLOBAL, ACCESS_LOAD, false, 0}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!drifts_with(2, 1, 2, BY_TID, BACK, 32, true, others[i]), "row %zu", i);
}
END_TEST

SUITE("drift", copies_are_of_one_kind_space_and_array, lanes_that_leave_a_loop_one_by_one_drift,
      lanes_that_stay_together_do_not, loads_of_other_lines_are_no_copies)
