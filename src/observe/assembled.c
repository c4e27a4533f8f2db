#include "observe/assembled.h"

#include <string.h>

#include "kernel/combines.h"
#include "kernel/joins.h"
#include "machine/lanes.h"
#include "observe/banks.h"

static void copy(const Access *access, Access *made) {
    memcpy(made, access, offsetof(Access, local));
    made->data = NULL;
}

/* The access as the assembler widens it: what is joined lies in the same aligned bytes. */
static Assembled widen(const Access *access, uint8_t bytes, Access *made) {
    const uint64_t off = access->addr[__builtin_ctz(access->active)] & (bytes - 1u);
    copy(access, made);
    made->bytes = bytes;
    for (int lane = 0; lane < WARP_LANES; lane++) made->addr[lane] = access->addr[lane] - off;
    return ASSEMBLED_WIDER;
}

static void take_lanes(Access *made, uint32_t lanes) {
    const bool all = made->active == lanes;
    made->active = lanes;
    made->strided &= all;
    made->eights &= all;
}

static Assembled by_one_lane(const Access *access, Access *made) {
    copy(access, made);
    take_lanes(made, access->active & -access->active);
    return ASSEMBLED_COMBINED;
}

/* Lanes of one word at once. */
static Assembled together(const Access *access, Access *made) {
    copy(access, made);
    made->service = SERVICE_TOGETHER;
    return ASSEMBLED_COMBINED;
}

static Assembled in_loop(const Access *access, bool one_lane, Access *made) {
    if (access->space != SPACE_SHARED) return one_lane ? by_one_lane(access, made) : ASSEMBLED_AS_IS;
    copy(access, made);
    made->service = access->bytes < BANK_BYTES ? SERVICE_SWAP : SERVICE_TRY; /* halves: cas.b16 */
    if (one_lane) take_lanes(made, access->active & -access->active);
    return ASSEMBLED_LOOP;
}

static Assembled assemble_atomic(const Assembly *assembly, const Access *access, Access *made) {
    const bool whole = access->active == LANES_ALL;
    switch ((Combine)assembly->combines[access->pc]) {
    case COMBINE_NONE: break;
    case COMBINE_EQUAL: return by_one_lane(access, made);
    case COMBINE_REDUCE: return assembly->reduces || whole ? by_one_lane(access, made) : ASSEMBLED_AS_IS;
    case COMBINE_SCAN: return whole ? by_one_lane(access, made) : ASSEMBLED_AS_IS;
    case COMBINE_COUNT: return assembly->reduces ? together(access, made) : ASSEMBLED_AS_IS;
    case COMBINE_COUNT_EQUAL: return assembly->reduces ? together(access, made) : by_one_lane(access, made);
    case COMBINE_LOOP: return in_loop(access, false, made);
    case COMBINE_EQUAL_LOOP: return in_loop(access, true, made);
    }
    return ASSEMBLED_AS_IS;
}

Assembled assemble(const Assembly *assembly, const Access *access, Access *made) {
    if (access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION)
        return assembly->combines ? assemble_atomic(assembly, access, made) : ASSEMBLED_AS_IS;
    const uint8_t join = assembly->joins && access->space == SPACE_SHARED ? assembly->joins[access->pc] : JOIN_NONE;
    if (join == JOIN_NONE) return ASSEMBLED_AS_IS;
    return join == JOIN_TAKEN ? ASSEMBLED_TAKEN : widen(access, join, made);
}

bool assembled_combines(const Access *access, const Access *made) {
    if (made->active != access->active) return true;
    return made->service == SERVICE_TOGETHER && (!made->strided || made->stride == 0) &&
           banks_words(made->addr, made->active) != made->active;
}

/* Lanes behind another one with the same address; or, of which one a wavefront can swap, in the same bank. */
uint32_t assembled_left(const Access *made) {
    const bool of_bank = made->service == SERVICE_TRY;
    const uint32_t bytes = made->bytes > BANK_BYTES ? made->bytes : BANK_BYTES, banks = BANKS * BANK_BYTES / bytes,
                   group = made->bytes > BANK_BYTES ? WARP_LANES / 2 : WARP_LANES;
    uint32_t left = 0;
    EACH_ACTIVE_LANE(lane, made->active) {
        for (uint32_t before = made->active & ((UINT32_C(1) << lane) - 1); before; before &= before - 1) {
            const uint32_t other = (uint32_t)__builtin_ctz(before);
            const uint64_t apart = made->addr[lane] / bytes - made->addr[other] / bytes;
            const bool meets = of_bank && lane / group == other / group && apart % banks == 0;
            left |= (uint32_t)(meets || made->addr[lane] == made->addr[other]) << lane;
        }
    }
    return left;
}
