#include "observe/assembled.h"

#include <string.h>

#include "kernel/combines.h"
#include "kernel/joins.h"
#include "machine/atomics.h"
#include "machine/lanes.h"

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

void assembled_take_lanes(Access *made, uint32_t lanes) {
    const bool all = made->active == lanes;
    made->active = lanes;
    made->strided &= all;
    made->eights &= all;
}

static Assembled by_one_lane(const Access *access, Access *made) {
    copy(access, made);
    assembled_take_lanes(made, access->active & -access->active);
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
    if (one_lane) assembled_take_lanes(made, access->active & -access->active);
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
    if (join == JOIN_NONE)
        return assembly->narrowed && assembly->narrowed[access->pc].changed ? ASSEMBLED_NARROWER : ASSEMBLED_AS_IS;
    return join == JOIN_TAKEN ? ASSEMBLED_TAKEN : widen(access, join, made);
}

bool assembled_part(const Assembly *assembly, const Access *access, unsigned nth, Access *made) {
    const Narrowed *narrowed = &assembly->narrowed[access->pc];
    if (nth >= narrowed->count) return false;
    copy(access, made);
    made->bytes = narrowed->bytes[nth];
    const uint64_t offset = narrowed->offset[nth];
    const bool local = access->space == SPACE_LOCAL;
    /* A lane's next word of local memory lies behind those of all lanes. */
    const uint64_t apart = local ? offset / BANK_BYTES * WARP_LANES * BANK_BYTES + offset % BANK_BYTES : offset;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        made->addr[lane] = access->addr[lane] + apart;
        if (local) made->local[lane] = access->local[lane] + offset;
    }
    return true;
}

bool assembled_combines(const Access *access, const Access *made) {
    if (made->active != access->active) return true;
    return made->service == SERVICE_TOGETHER && (!made->strided || made->stride == 0) &&
           banks_words(made->addr, made->active) != made->active;
}

static bool has_words(const Access *made) { return made->bytes > BANK_BYTES; }

SwapLoop loop_begin(Access *made) {
    SwapLoop loop = {.made = made};
    if (has_words(made))
        EACH_ACTIVE_LANE(lane, made->active) memcpy(&loop.word[lane], made->updates->words + made->addr[lane], made->bytes);
    return loop;
}

BankCount loop_loads(const SwapLoop *loop) {
    Access *made = loop->made;
    const uint8_t kind = made->kind;
    made->kind = ACCESS_LOAD;
    const BankCount loads = banks_count(made);
    made->kind = kind;
    return loads;
}

static uint64_t result_of(const SwapLoop *loop, uint32_t lane) {
    const Updates *updates = loop->made->updates;
    return atomics_result(updates->variant, updates->type, loop->word[lane], updates->with[lane]);
}

uint32_t loop_tries(const SwapLoop *loop) {
    const Access *made = loop->made;
    if (!has_words(made) || (made->updates->variant != ATOM_MIN && made->updates->variant != ATOM_MAX)) return made->active;
    uint32_t tries = 0;
    EACH_ACTIVE_LANE(lane, made->active) tries |= (uint32_t)(result_of(loop, lane) != loop->word[lane]) << lane;
    return tries;
}

/* Of the lanes that try those behind another one with the same address; or, of which one a wavefront can swap, in the same bank. */
static uint32_t behind_others(const Access *made, uint32_t tries) {
    const bool of_bank = made->service == SERVICE_TRY;
    const uint32_t bytes = has_words(made) ? made->bytes : BANK_BYTES, banks = BANKS * BANK_BYTES / bytes,
                   group = has_words(made) ? WARP_LANES / 2 : WARP_LANES;
    uint32_t behind = 0;
    EACH_ACTIVE_LANE(lane, tries) {
        for (uint32_t before = tries & ((UINT32_C(1) << lane) - 1); before; before &= before - 1) {
            const uint32_t other = (uint32_t)__builtin_ctz(before);
            const uint64_t apart = made->addr[lane] / bytes - made->addr[other] / bytes;
            const bool meets =
                of_bank ? lane / group == other / group && apart % banks == 0 : made->addr[lane] == made->addr[other];
            behind |= (uint32_t)meets << lane;
        }
    }
    return behind;
}

/* Swaps the words of those that are first, one after the other; returns those that fail, since the word is another by then. */
static uint32_t swap_words(SwapLoop *loop, uint32_t first) {
    const Access *made = loop->made;
    uint64_t loaded[WARP_LANES];
    uint32_t failed = 0;
    memcpy(loaded, loop->word, sizeof loaded);
    EACH_ACTIVE_LANE(lane, first) {
        const uint64_t word = result_of(loop, lane);
        if (loop->word[lane] != loaded[lane])
            failed |= UINT32_C(1) << lane;
        else
            EACH_ACTIVE_LANE(other, made->active) if (made->addr[other] == made->addr[lane]) loop->word[other] = word;
    }
    return failed;
}

uint32_t loop_step(SwapLoop *loop, uint32_t tries) {
    const uint32_t behind = behind_others(loop->made, tries);
    return has_words(loop->made) ? behind | swap_words(loop, tries & ~behind) : behind;
}
