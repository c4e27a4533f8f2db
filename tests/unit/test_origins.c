/* Where undefined values come from, and what is told of them (observe/origins.h). */
#include "observe/origins.h"

#include <string.h>

#include "parsed.h"

enum { ALONE = 2, PIECE = 4, SHARED = 6, LOCAL = 7 }; /* loads, by their place in the kernel */

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 at)\n{\n"
    ".reg .b32 %r<9>; .reg .b64 %d<4>; .shared .b32 tile[64]; .local .b32 own[4];\n"
    "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [at];\n"
    "ld.global.u32 %r1, [%d2]; st.global.u32 [%d2], %r1;\n"
    "ld.global.u32 %r2, [%d1]; ld.global.u32 %r3, [%d1+4];\n"
    "ld.shared.u32 %r4, [tile]; ld.local.u32 %r5, [own];\nret;\n}\n";
static Program *program;
static Origins *origins;
static Undefined undefined;
static Allocation out = {.address = 0x1000, .name = (char *)"out"};
static Place place;
static uint32_t dim[3] = {64, 1, 1};
static Fault fault;

static void begin(void) {
    program = parsed(text);
    origins = origins_new(prepared(program, "k"));
    place = (Place){.block = 5, .warp = 1, .threads = 64, .block_dim = dim};
    fault = (Fault){0};
}

static void end(void) {
    origins_free(origins);
    program_free(program);
}

/* Lane l's four bytes `stride` bytes behind its predecessor's, from byte 0x100 of `out` or of shared memory on. */
static Access access_of(uint32_t pc, uint32_t active, uint64_t stride) {
    Access access = {.pc = pc, .space = program->insns[pc].space, .kind = ACCESS_LOAD, .bytes = 4, .active = active};
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        access.local[l] = 8;
        access.addr[l] = (access.space == SPACE_GLOBAL ? out.address : 0) + 0x100 + l * stride;
    }
    access.undefined = &undefined;
    undefined.any = false;
    return access;
}

static const Allocation *in_of(const Access *access) { return access->space == SPACE_GLOBAL ? &out : NULL; }

START_TEST(a_gap_makes_its_bits_undefined_and_no_others)
{
    Access access = access_of(ALONE, LANES_ALL, 4);
    memset(undefined.bits, 0x55, sizeof undefined.bits); /* of an access before */
    origins_add(origins, &place, &access, &out, (Gap){.lane = 3, .nth = 1, .bytes = 2, .bits = 0xff});
    origins_add(origins, &place, &access, &out, (Gap){.lane = 7, .nth = 3, .bytes = 1, .bits = 0x0f});
    for (uint32_t b = 0; b < 4 * WARP_LANES; b++)
        ck_assert_uint_eq(undefined.bits[b], b == 13 || b == 14 ? 0xff : b == 31 ? 0x0f : 0);
    ck_assert(undefined.any && undefined.origin.pc == ALONE && undefined.origin.kind == ORIGIN_MEMORY);
}
END_TEST

/* A structure's padding: a load beside others, behind written bytes, and not of an array's neighbouring elements. */
START_TEST(what_may_be_padding)
{
    static const struct {
        uint32_t pc, active;
        uint64_t stride;
        bool first, second; /* whether the gaps follow written bytes */
        bool padding;
    } rows[] = {{PIECE, LANES_ALL, 16, true, true, true},   {ALONE, LANES_ALL, 16, true, true, false},
                {PIECE, LANES_ALL, 16, false, true, false}, {PIECE, LANES_ALL, 16, true, false, false},
                {PIECE, LANES_ALL, 4, true, true, false},   {PIECE, 1, 4, true, true, true}, /* no neighbour */
                {PIECE, 0x11, 4, true, true, true},         {PIECE, 0x30, 4, true, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Access access = access_of(rows[i].pc, rows[i].active, rows[i].stride);
        const unsigned lane = (unsigned)__builtin_ctz(rows[i].active);
        origins_add(origins, &place, &access, &out,
                    (Gap){.lane = lane, .nth = 1, .bytes = 1, .bits = 0xff, .follows = rows[i].first});
        origins_add(origins, &place, &access, &out,
                    (Gap){.lane = lane, .nth = 3, .bytes = 1, .bits = 0xff, .follows = rows[i].second});
        ck_assert_msg(undefined.origin.padding == rows[i].padding, "row %zu", i);
    }
}
END_TEST

#define SAYS(words) ck_assert_msg(strstr(fault.message, words), "%s", fault.message)
#define HINTS(words) ck_assert_msg(strstr(fault.hint, words), "%s", fault.hint)

static void use(uint32_t pc, uint32_t load, unsigned lane) {
    const ValueUse used = {pc, lane, USE_OF_OPERAND, {.pc = load, .kind = ORIGIN_MEMORY}};
    fault = (Fault){0};
    origins_fault(origins, &place, &used, &fault);
}

START_TEST(the_first_byte_of_the_lanes_own_is_told)
{
    static const unsigned orders[][3] = {{0, 2, 3}, {3, 2, 0}, {2, 0, 3}, {3, 0, 2}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        Access access = access_of(ALONE, LANES_ALL, 4);
        for (unsigned k = 0; k < 3; k++) /* of two lanes; whichever comes first */
            for (unsigned lane = 3; lane <= 9; lane += 6)
                origins_add(origins, &place, &access, &out,
                            (Gap){.lane = lane, .nth = orders[i][k] + (lane == 9 && !orders[i][k]), .bytes = 1, .bits = 0xff});
        use(3, ALONE, 9);
        SAYS("lane 9 of warp 1 reads 4 bytes at 'out'+292, where byte 293 was never written");
        ck_assert(fault.pc == ALONE && fault.other_pc == 3 && fault.lane == 9 && fault.address == out.address + 293);
        use(ALONE, ALONE, 3);
        SAYS("lane 3 of warp 1 reads 4 bytes at 'out'+268, where byte 268 was never written");
        ck_assert_uint_eq(fault.other_pc, NO_INSN);
    }
}
END_TEST

/* A value may have gone from lane to lane, or from warp to warp. */
START_TEST(where_it_is_not_the_users_own_the_first_of_the_load_is_told)
{
    static const struct {
        uint64_t block;
        uint32_t warp;
        unsigned lane, told;
    } rows[] = {{5, 1, 9, 9}, {5, 1, 4, 3}, {6, 1, 9, 3}, {5, 0, 9, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        place.block = 5, place.warp = 1;
        Access access = access_of(ALONE, LANES_ALL, 4);
        origins_add(origins, &place, &access, &out, (Gap){.lane = 9, .bytes = 4, .bits = 0xff});
        origins_add(origins, &place, &access, &out, (Gap){.lane = 3, .bytes = 4, .bits = 0xff});
        place.block = rows[i].block, place.warp = rows[i].warp;
        use(3, ALONE, rows[i].lane);
        ck_assert_msg(fault.lane == rows[i].told && fault.warp == 1, "row %zu: %s", i, fault.message);
    }
}
END_TEST

START_TEST(the_latest_load_of_an_instruction_is_told_and_none_of_others)
{
    Access access = access_of(ALONE, LANES_ALL, 4);
    origins_add(origins, &place, &access, &out, (Gap){.lane = 3, .bytes = 4, .bits = 0xff});
    access = access_of(ALONE, LANES_ALL, 8);
    origins_add(origins, &place, &access, &out, (Gap){.lane = 5, .bytes = 4, .bits = 0xff});
    use(3, ALONE, 3); /* lane 3 of the earlier one means nothing any more */
    SAYS("lane 5 of warp 1 reads 4 bytes at 'out'+296");
    use(3, PIECE, 3);
    ck_assert_int_eq(fault.kind, FAULT_none);
    origins_drop(origins, PIECE); /* of which nothing is known */
    origins_drop(origins, ALONE);
    use(3, ALONE, 5);
    ck_assert_int_eq(fault.kind, FAULT_none);
    use(3, NO_INSN, 5);
    ck_assert_int_eq(fault.kind, FAULT_none);
}
END_TEST

START_TEST(each_memory_has_its_words)
{
    static const struct {
        uint32_t pc;
        Writer writer;
        const char *says, *hint;
        bool has_address;
    } rows[] = {
        {ALONE, WRITER_UNKNOWN, "reads 4 bytes at 'out'+256, where byte 258 was", "fill the buffer before the launch", true},
        {LOCAL, WRITER_UNKNOWN, "reads 4 bytes of local memory at byte 8, where byte 10 was", "initialise it", false},
        {SHARED, WRITER_UNKNOWN, "reads 4 bytes of shared memory at byte 256, where byte 258 was",
         "does another warp write it?", false},
        {SHARED, WRITER_LATER, "at byte 256, where byte 258 was", "is a __syncthreads() missing between", false},
        {SHARED, WRITER_NONE, "at byte 256, where byte 258 was", "no thread of the block writes it before", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int now = 0; now < 2; now++) {
            Access access = access_of(rows[i].pc, 1, 4);
            const Gap gap = {.lane = 0, .nth = 2, .bytes = 2, .bits = 0xff, .writer = rows[i].writer};
            fault = (Fault){0};
            if (now)
                origins_fault_now(&place, &access, in_of(&access), gap, &fault);
            else
                origins_add(origins, &place, &access, in_of(&access), gap), use(3, rows[i].pc, 0);
            SAYS(rows[i].says);
            HINTS(rows[i].hint);
            ck_assert_int_eq(fault.kind, FAULT_uninitialized);
            ck_assert_uint_eq(fault.address, rows[i].has_address ? out.address + 258 : 0);
        }
    }
}
END_TEST

/* The first lane's; later ones say nothing of it. */
START_TEST(who_writes_it_is_what_the_first_lane_knew)
{
    Access access = access_of(SHARED, 3, 4);
    origins_add(origins, &place, &access, NULL, (Gap){.lane = 0, .bytes = 4, .bits = 0xff, .writer = WRITER_LATER});
    origins_add(origins, &place, &access, NULL, (Gap){.lane = 1, .bytes = 4, .bits = 0xff, .writer = WRITER_NONE});
    use(3, SHARED, 1);
    HINTS("is a __syncthreads() missing between");
}
END_TEST

START_TEST(a_register_that_nothing_was_assigned_to_is_a_variable)
{
    const ValueUse used = {3, 9, USE_OF_CONDITION, {.pc = ALONE, .kind = ORIGIN_REGISTER}};
    origins_fault(origins, &place, &used, &fault);
    SAYS("lane 9 of warp 1 uses a variable here that nothing has been assigned to");
    ck_assert(fault.kind == FAULT_uninitialized && fault.pc == ALONE && fault.other_pc == 3 && fault.lane == 9);
}
END_TEST

SUITE_WITH("origins", begin, end, a_gap_makes_its_bits_undefined_and_no_others, what_may_be_padding,
           the_first_byte_of_the_lanes_own_is_told, where_it_is_not_the_users_own_the_first_of_the_load_is_told,
           the_latest_load_of_an_instruction_is_told_and_none_of_others, each_memory_has_its_words,
           who_writes_it_is_what_the_first_lane_knew, a_register_that_nothing_was_assigned_to_is_a_variable)
