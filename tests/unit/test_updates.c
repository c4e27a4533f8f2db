/* Races of a statement with itself (observe/updates.h): which two instructions are `x += 1`, and which are not. */
#include "observe/updates.h"

#include "parsed.h"
#include "ptx/opcode.h"

#define HEAD                                                                                                         \
    ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"a.cu\"\n.file 2 \"b.cu\"\n.global .u32 v, u;\n"        \
    ".visible .entry k(.param .u64 in)\n{\n.reg .pred %p; .reg .b32 %r<9>; .reg .b64 %d<9>; .shared .b32 tile[4];\n" \
    "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [in];\n.loc 1 5 1\n"
#define LOAD "ld.global.u32 %r1, [%d1];"
#define ADD "add.u32 %r2, %r1, 1;"
#define STORE "st.global.u32 [%d1], %r2;"
#define LINE(file, line) "\n.loc " #file " " #line " 1\n"

/* The nth load or store of line 5 or behind, from 0. */
static uint32_t nth(const Program *program, Opcode op, unsigned n) {
    uint32_t pc = 2;
    for (; pc < program->n_insns; pc++)
        if (program->insns[pc].op == op && !n--) return pc;
    return NO_INSN;
}

#define LOADED "ld.global.u32 %%r1, [%%d1]; add.u32 %%r2, %%r1, 1; st.global.u32 [%%d1], %%r2;"

static Fault fault;

static bool found(const char *body, bool certain, bool blocks, bool turned) {
    Program *program = parsed_of("%s%s\nret;\n}\n", HEAD, body);
    const uint32_t load = nth(program, OP_ld, 0), store = nth(program, OP_st, 0);
    fault = (Fault){.pc = turned ? store : load, .other_pc = turned ? load : store};
    const bool is = updates_hint(program, &fault, certain, blocks);
    program_free(program);
    return is;
}

START_TEST(a_load_and_a_store_of_what_is_made_of_it_update_one_place)
{
    static const struct {
        const char *body; /* its first load and its first store */
        bool update;
    } rows[] = {
        {LOAD ADD STORE, true},
        {LOAD "st.global.u32 [%d1], %r1;", true},
        {LOAD "shl.b32 %r3, %r1, 1; add.u32 %r4, %r3, %r3; mov.u32 %r2, %r4;" STORE, true},
        {LOAD "setp.lt.u32 %p, %r1, 5; @%p bra L; mov.u32 %r2, 5;" STORE "L:", true}, /* whether it is */
        {LOAD "setp.lt.u32 %p, %r3, 5; @%p bra L; mov.u32 %r2, 5;" STORE "L:", false},
        {"ld.global.u32 %r1, [v]; add.u32 %r2, %r1, 1; st.global.u32 [v], %r2;", true},
        /* not made of it */
        {LOAD "add.u32 %r2, %r3, 1;" STORE, false},
        {LOAD "mov.u32 %r1, 7;" ADD STORE, false},
        {LOAD ADD "mov.u32 %r2, 7;" STORE, false},
        {LOAD "st.global.u32 [%d1], 5;", false},
        {"ld.global.u64 %d1, [%d1]; st.global.u32 [%d1], 5;", false}, /* but where it goes */
        /* another place */
        {LOAD ADD "st.global.u32 [%d2], %r2;", false},
        {LOAD ADD "st.global.u32 [%d1+4], %r2;", false},
        {"ld.global.u32 %r1, [v]; add.u32 %r2, %r1, 1; st.global.u32 [u], %r2;", false},
        /* another line, or none */
        {LOAD ADD LINE(1, 6) STORE, false},
        {LOAD ADD LINE(2, 5) STORE, false},
        {LINE(1, 0) LOAD ADD STORE, false},
        /* the other way round, or another kind */
        {STORE LOAD ADD, false},
        {"atom.global.add.u32 %r1, [%d1], 1; ld.global.u32 %r3, [%d2]; st.global.u32 [%d1], %r1;", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int turned = 0; turned < 2; turned++)
            ck_assert_msg(found(rows[i].body, true, false, turned) == rows[i].update, "%s", rows[i].body);
}
END_TEST

/* a[i] += a[i + 1]: the other thread may have come by the other load. */
START_TEST(where_the_line_loads_other_places_it_must_be_certain)
{
    static const struct {
        const char *body;
        bool perhaps;
    } rows[] = {{LOAD ADD STORE, true},
                {LOAD "ld.global.u32 %r3, [%d1+4];" ADD STORE, false},
                {LOAD ADD STORE "ld.global.u32 %r3, [%d1+4];", false},
                {LOAD "ld.shared.u32 %r3, [tile];" ADD STORE, true},
                {LOAD ADD STORE LINE(1, 6) "ld.global.u32 %r3, [%d1+4];", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_msg(found(rows[i].body, false, false, i % 2) == rows[i].perhaps, "%s", rows[i].body);
        ck_assert_msg(found(rows[i].body, true, false, i % 2), "%s", rows[i].body);
    }
}
END_TEST

START_TEST(two_stores_are_updates_where_each_stands_behind_its_load)
{
    static const struct {
        const char *body;
        unsigned one, other; /* stores */
        bool update;
    } rows[] = {{LOAD ADD STORE, 0, 0, true},
                {STORE, 0, 0, false},
                {LOAD ADD STORE STORE, 0, 1, true},
                {LOAD ADD STORE LINE(1, 6) STORE, 0, 1, false},
                {"st.global.u32 [%d2], 5;" LOAD ADD STORE, 0, 1, false}, /* the one that is told is none */
                {"st.global.u32 [%d2], 5;" LOAD ADD STORE, 1, 0, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Program *program = parsed_of("%s%s\nret;\n}\n", HEAD, rows[i].body);
        fault = (Fault){.pc = nth(program, OP_st, rows[i].one), .other_pc = nth(program, OP_st, rows[i].other)};
        ck_assert_msg(updates_hint(program, &fault, true, false) == rows[i].update, "row %zu", i);
        program_free(program);
    }
}
END_TEST

START_TEST(what_is_advised_depends_on_who_the_other_was)
{
    ck_assert(found(LOAD ADD STORE, true, false, false));
    ck_assert(strstr(fault.hint, "use atomicAdd()") && !strstr(fault.hint, "blockIdx"));
    ck_assert(found(LOAD ADD STORE, true, true, false));
    ck_assert_ptr_nonnull(strstr(fault.hint, "let blockIdx go into the index"));
    Program *program = parsed_of("%s%s\nret;\n}\n", HEAD, LOAD ADD STORE);
    const uint32_t load = nth(program, OP_ld, 0), store = nth(program, OP_st, 0);
    ck_assert(!updates_hint(program, &(Fault){.pc = NO_INSN, .other_pc = store}, true, false));
    ck_assert(!updates_hint(program, &(Fault){.pc = load, .other_pc = NO_INSN}, true, false));
    program_free(program);
}
END_TEST

START_TEST(a_barrier_would_only_decide_which_of_two_values_stays)
{
    static const struct {
        const char *body;
        unsigned one, other;
        bool load, hint; /* load: the other is the first load */
    } rows[] = {{STORE, 0, 0, false, true},
                {STORE STORE, 0, 1, false, true},
                {STORE LINE(1, 6) STORE, 0, 1, false, false},
                {LINE(1, 0) STORE, 0, 0, false, true}, /* itself, wherever it stands */
                {LINE(1, 0) STORE STORE, 0, 1, false, false},
                {LOAD STORE, 0, 0, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Program *program = parsed_of("%s%s\nret;\n}\n", HEAD, rows[i].body);
        const uint32_t one = nth(program, OP_st, rows[i].one),
                       other = nth(program, rows[i].load ? OP_ld : OP_st, rows[i].other);
        fault = (Fault){.pc = one, .other_pc = other};
        ck_assert_msg(overwrite_hint(program, &fault) == rows[i].hint && !fault.hint[0] == !rows[i].hint, "row %zu", i);
        ck_assert(overwrite_hint(program, &(Fault){.pc = other, .other_pc = one}) == rows[i].hint);
        ck_assert(!overwrite_hint(program, &(Fault){.pc = NO_INSN, .other_pc = one}));
        ck_assert(!overwrite_hint(program, &(Fault){.pc = one, .other_pc = NO_INSN}));
        program_free(program);
    }
    fault = (Fault){0};
    ck_assert(!same_value_hint(&fault, false) && !fault.hint[0]);
    ck_assert(same_value_hint(&fault, true) && strstr(fault.hint, "let one thread write"));
}
END_TEST

START_TEST(lanes_meet_where_another_that_is_active_is_at_the_place)
{
    const Access access = {.active = 0x17, .addr = {8, 4, 8, 4, 12}}; /* lane 3 is not */
    static const bool meets[] = {true, false, true, [4] = false};
    for (uint32_t l = 0; l < 5; l++)
        if (access.active >> l & 1) ck_assert_msg(updates_meet(&access, l) == meets[l], "lane %u", l);
}
END_TEST

#define CAS "C: atom.global.cas.b32 %r5, [%d2], 0, 1; setp.ne.u32 %p, %r5, 0; @%p bra C;"
#define WAIT(load) "W: " load " setp.eq.u32 %p, %r5, 0; @%p bra W;"
#define WORKSPACE "mov.b32 %r6, %envreg1; mov.b32 %r7, %envreg2; mov.b64 %d3, {%r7, %r6};"

/* By hand from CUDA's guide: who comes to the update has taken a lock, or waited for a flag or a ticket. */
START_TEST(a_lock_or_a_flag_stands_in_front_of_what_it_guards)
{
    static const struct {
        const char *before, *behind;
        bool waits, anywhere, fence, grid;
    } rows[] = {
        {"", "", false, false, false, false},
        {CAS, "", true, true, false, false},
        {"", CAS, false, true, false, false},
        {CAS "membar.gl;", "membar.gl;", true, true, true, false},
        {"membar.cta;", "", false, false, false, false},
        {"fence.acq_rel.gpu;", "", false, false, true, false},
        {"atom.global.exch.b32 %r5, [%d2], 1; st.global.u32 [u], %r5;", "", true, true, false, false},
        {"atom.cta.global.cas.b32 %r5, [%d2], 0, 1;", "", false, false, false, false}, /* of the block alone */
        {"atom.shared.cas.b32 %r5, [tile], 0, 1;", "", false, false, false, false},
        {WAIT("ld.acquire.gpu.global.u32 %r5, [%d2];"), "", true, true, false, false},
        {WAIT("ld.volatile.global.u32 %r5, [%d2];"), "", true, true, false, false},
        {WAIT("ld.global.u32 %r5, [%d2];"), "", false, false, false, false}, /* nothing that must be read again */
        {WAIT("atom.global.add.u32 %r5, [%d2], 0;"), "", true, true, false, false},
        {"ld.acquire.gpu.global.u32 %r5, [%d2]; st.global.u32 [u], %r5;", "", false, false, false, false},
        /* counts elsewhere, of which nobody waits for one */
        {"atom.acq_rel.gpu.global.add.u32 %r5, [%d2], 1;", "", false, false, false, false},
        {"atom.acq_rel.gpu.global.add.u32 %r5, [%d2], 1; st.global.u32 [u], %r5;", "", false, false, false, false},
        /* barriers */
        {"barrier.cluster.arrive; barrier.cluster.wait;", "barrier.cluster.arrive; barrier.cluster.wait;", false, false, false,
         false},
        {WORKSPACE "membar.gl; atom.global.add.u32 %r8, [%d3+4], 1;" WAIT("ld.acquire.gpu.global.u32 %r5, [%d3+4];"), "", false,
         false, false, true},
        {WORKSPACE WAIT("ld.acquire.gpu.global.u32 %r5, [%d3+4];") CAS, "", true, true, false, true},
        {WORKSPACE "mov.u64 %d3, %d2;" WAIT("ld.acquire.gpu.global.u32 %r5, [%d3+4];"), "", true, true, false, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Program *program = parsed_of(".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 u;\n.visible .entry k(.param "
                                     ".u64 in)\n{\n.reg .pred %%p; "
                                     ".reg .b32 %%r<9>; .reg .b64 %%d<9>; .shared .b32 tile[4];\nld.param.u64 %%d1, [in]; "
                                     "ld.param.u64 %%d2, [in];\n%s" LOADED "%s\nret;\n}\n",
                                     rows[i].before, rows[i].behind);
        const Kernel *kernel = prepared(program, "k");
        uint32_t pc = NO_INSN;
        for (uint32_t at = 0; at < program->n_insns; at++)
            if (program->insns[at].op == OP_st && program->insns[at].operands[0].kind == OPERAND_ADDRESS) pc = at;
        ck_assert_uint_ne(pc, NO_INSN);
        ck_assert_msg(waits_for_block(kernel, pc) == rows[i].waits, "row %zu", i);
        ck_assert_msg(waits_for_block(kernel, NO_INSN) == rows[i].anywhere, "row %zu, anywhere", i);
        ck_assert_msg(has_fence(kernel) == rows[i].fence, "row %zu, fences", i);
        ck_assert_msg(syncs_grid(kernel) == rows[i].grid, "row %zu, grid", i);
        program_free(program);
    }
}
END_TEST

SUITE("updates", a_lock_or_a_flag_stands_in_front_of_what_it_guards, a_load_and_a_store_of_what_is_made_of_it_update_one_place,
      where_the_line_loads_other_places_it_must_be_certain, two_stores_are_updates_where_each_stands_behind_its_load,
      what_is_advised_depends_on_who_the_other_was, a_barrier_would_only_decide_which_of_two_values_stays,
      lanes_meet_where_another_that_is_active_is_at_the_place)
