/* What a warp accesses at once is judged as when its lanes access it one by one: rows of marks, in order, close and split, and pages, packed and split,
 * against marks of single granules (observe/race_rows.h). Made-up runs of accesses by some warps of some blocks, until one races; each is played to two
 * checks. */
#include "observe/race_rows.h"
#include "watched.h"

enum { RUNS = 2000, STEPS = 14, BYTES = 2048, WARPS = 2, FEW_THREADS = 8 };

/* Words have no pages; pairs of words are accessed by eight bytes in place of sixteen. */
enum { FENCED = 1, BORROWED = 2, SMALL_BLOCKS = 4, FEW_CONTEXTS = 8, WORDS = 16, PAIRS = 32, HOST_THREADS = 64 };
enum { WAYS = 32 };

static unsigned way(unsigned number) {
    if (number < 20) return number; /* with words, the first four of the ways without */
    if (number < 24) return number % 4 | WORDS | PAIRS;
    return HOST_THREADS | number % 2 << 1 |
           (number / 2 % 4 == 0   ? 0
            : number / 2 % 4 == 1 ? FEW_CONTEXTS
            : number / 2 % 4 == 2 ? WORDS
                                  : WORDS | PAIRS);
}

static uint64_t state;
static uint32_t pick(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20) % below;
}

typedef struct Played {
    Watched *w;
    uint64_t from; /* the first address that every access is aligned at */
} Played;

static Played played_new(unsigned how) {
    Played played = {.w = watched_new((how & WORDS ? 0 : WITH_BYTES) | (how & FENCED ? WITH_FENCE : 0))};
    played.w->threads = how & SMALL_BLOCKS ? FEW_THREADS : 0;
    played.w->workers = how & HOST_THREADS ? 2 : 1;
    if (how & PAIRS) played.w->insns[LD_GLOBAL4].vec = played.w->insns[ST_GLOBAL4].vec = 2;
    return played;
}

/* A launch on memory of its own. host: the host's own memory for it where that is borrowed, where a buffer may begin anywhere: here a word before. */
static void begin(Played *played, unsigned how, uint32_t blocks, uint8_t *host) {
    watched_empty(played->w);
    Allocation *buffer = how & BORROWED ? memory_borrow(played->w->memory, host + 12, BYTES + 4, "buffer")
                                        : watched_buffer(played->w, BYTES, "buffer", true);
    played->from = buffer->address + (how & BORROWED ? 4 : 0);
    watched_relaunch(played->w);
    /* so many are left that a run comes to the end of them, or begins there */
    if (how & FEW_CONTEXTS) memory_mark_contexts(played->w->memory)->used = CONTEXTS_MOST - CONTEXTS_LEFT_OVER - pick(12);
    for (uint32_t b = 0; b < blocks; b++) watched_block(played->w, b, b, WARPS * WARP_LANES, 0);
}

/* One access: which lanes, and where. */
typedef struct Step {
    uint32_t pc, block, warp, active;
    uint64_t offset[WARP_LANES];
    uint32_t values[WARP_LANES];
} Step;

/* Neighbours from some place on, a few of them or all, two rows of 16, a column, one place, wherever, downwards, each other place; of all these at times
 * each other lane alone. */
static void places(Step *step, uint32_t bytes, uint32_t area) {
    const uint32_t kind = pick(11), cells = area / bytes, first = pick(2) ? pick(4) * 8 : pick(cells), jump = 16 + pick(20);
    const uint32_t from = pick(WARP_LANES), count = 1 + pick(WARP_LANES - from), others = pick(5);
    step->active = kind == 1 || kind == 2 || kind == 10 ? (uint32_t)((UINT64_C(1) << count) - 1) << from : LANES_ALL;
    if (others < 2 && step->active & 0x55555555u << others) step->active &= 0x55555555u << others;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint32_t cell = kind == 3   ? first + l % 16 + l / 16 * jump
                              : kind == 4 ? first + l * (2 + jump % 9)
                              : kind == 5 ? first
                              : kind == 6 ? first + (l * 7) % WARP_LANES
                              : kind == 7 ? first + WARP_LANES - 1 - l
                              : kind >= 9 ? first + l * 2
                                          : first + l;
        step->offset[l] = (uint64_t)(cell % cells) * bytes;
    }
}

static Step draw(const Watched *w, uint32_t blocks, uint32_t area) {
    static const uint32_t pcs[] = {LD_GLOBAL, ST_GLOBAL, LD_GLOBAL4,     ST_GLOBAL4,
                                   LD_GLOBAL, LD_GLOBAL, LD_GLOBAL_LATE, LD_GLOBAL4};
    Step step = {.pc = pcs[pick(8)], .block = pick(blocks), .warp = pick(WARPS)};
    const bool stores = watched_insns[step.pc].op == OP_st;
    places(&step, watched_bytes(w, step.pc), area);
    for (uint32_t l = 0; l < WARP_LANES; l++) step.values[l] = pick(2);
    for (uint32_t l = 0; l < WARP_LANES; l++) /* a store's lanes keep apart: clashes are another matter */
        for (uint32_t m = 0; stores && m < l; m++)
            if (step.active >> m & 1 && step.offset[l] == step.offset[m]) step.active &= ~(1u << l);
    return step;
}

/* The accesses of the block's lanes alone. */
static Step few_threads(Step step) {
    step.warp = 0;
    step.active &= (1u << FEW_THREADS) - 1;
    step.active |= !step.active;
    return step;
}

static bool play(Played *played, const Step *step, uint32_t active) {
    uint64_t addr[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++) addr[l] = played->from + step->offset[l];
    watched_place(played->w, step->block, step->block);
    return watched_access(played->w, step->pc, step->warp, active, addr, step->values);
}

static bool play_lane_by_lane(Played *played, const Step *step) {
    for (uint32_t l = 0; l < WARP_LANES; l++)
        if (step->active >> l & 1 && !play(played, step, 1u << l)) return false;
    return true;
}

static void synchronise(Played *played, uint32_t kind, uint32_t block, uint32_t warp) {
    watched_place(played->w, block, block);
    if (kind)
        watched_warp_sync(played->w, warp, ALL);
    else
        watched_barrier(played->w, (1u << WARPS) - 1);
}

START_TEST(a_warp_at_once_is_judged_as_its_lanes_one_by_one)
{
    static _Alignas(256) uint8_t hosts[2][BYTES + 256];
    const unsigned how = way((unsigned)_i);
    Played at_once = played_new(how), one_by_one = played_new(how);
    uint32_t raced = 0;
    state = 88172645463325252u + how;
    for (int run = 0; run < RUNS; run++) {
        /* with fences many blocks read what is kept of the latest alone */
        const uint32_t blocks = how & FENCED ? 1 : 1 + pick(2), area = pick(3) ? BYTES : 512;
        begin(&at_once, how, blocks, hosts[0]);
        begin(&one_by_one, how & ~FEW_CONTEXTS, blocks, hosts[1]);
        bool fine = true;
        memset(hosts, 0, sizeof hosts);
        for (int s = 0; fine && s < STEPS; s++) {
            const uint32_t kind = pick(4), block = pick(blocks), warp = how & SMALL_BLOCKS ? 0 : pick(WARPS);
            if (kind < 2) {
                synchronise(&at_once, kind, block, warp);
                synchronise(&one_by_one, kind, block, warp);
                continue;
            }
            Step step = draw(at_once.w, blocks, area);
            if (how & SMALL_BLOCKS) step = few_threads(step);
            fine = play(&at_once, &step, step.active);
            /* Check writes to a file at each claim that holds */
            if (play_lane_by_lane(&one_by_one, &step) != fine || strcmp(at_once.w->fault.message, one_by_one.w->fault.message))
                ck_abort_msg("run %d, step %d: '%s', lane by lane '%s'", run, s, at_once.w->fault.message,
                             one_by_one.w->fault.message);
        }
        raced += !fine;
    }
    watched_free(at_once.w);
    watched_free(one_by_one.w);
    ck_assert_msg(raced > RUNS / 10 && raced < RUNS * 9 / 10, "%u runs race", raced); /* the runs are worth making */
}
END_TEST

SUITE_REPEATED("race_rows", WAYS, a_warp_at_once_is_judged_as_its_lanes_one_by_one)
