/* What races by the strict rule alone: one rule for shared and for global memory. One value that several threads store to one place is a race by C++;
 * GPUs run through it. Stores that are not of one kind race whatever they store: atomic beside plain ones (PTX ISA, memory consistency model: data
 * races are of accesses that are not both morally strong). A plain read before the atomic operation that corrects it is the same. */
#include "watched.h"

typedef struct Row {
    const char *what;
    unsigned with;
    const char *steps, *strictly; /* exactly those with a '!' behind them race */
} Row;

/* A step: warp, lane, what it does, at which byte:
 *   = stores 7    - stores 8    v stores 7, volatile    4 stores four words of 7    + adds    r reads, C compares and swaps    B barrier of the block
 *   * all lanes store 7 at once, ; in two places, : each in its own */
static const Row rows[] = {
    {"by two warps", 0, "00=0 10=0", "00=0 10=0!"},
    {"by two lanes", 0, "00=0 01=0", "00=0 01=0!"},
    {"by lanes at once", 0, "00*0", "00*0!"},
    {"by lanes at once, in two places", 0, "00;0", "00;0!"},
    {"by lanes apart", 0, "00:0 10:8", "00:0 10:8!"},
    {"by one lane", 0, "00=0 00=0 00-0 00=0", "00=0 00=0 00-0 00=0"},
    {"with a barrier between", 0, "00=0 00B0 11=0", "00=0 00B0 11=0"},
    {"beside another value", 0, "00=0 10-0!", "00=0 10-0!"},
    {"by three, behind another value of the first", 0, "00-0 00=0 10=0 11=0", "00-0 00=0 10=0! 11=0!"},
    {"in the words of a vector", 0, "0040 1040", "0040 1040!"},
    {"in one of them", 0, "0040 10=8", "0040 10=8!"},
    {"and another there", 0, "0040 10-8!", "0040 10-8!"},
    {"a vector over a word", 0, "00=4 1040", "00=4 1040!"},
    {"in a byte", WITH_BYTES, "00=1 10=1", "00=1 10=1!"},
    {"in a byte, at once", WITH_BYTES, "00*1", "00*1!"},
    {"in two bytes of a word", WITH_BYTES, "00=1 10=2", "00=1 10=2"},
    {"volatile, by two warps", 0, "00v0 10v0", "00v0 10v0!"},
    {"volatile, by two lanes", 0, "00v0 01v0", "00v0 01v0!"},
    {"volatile by one alone", 0, "00v0 10=0!", "00v0 10=0!"},
    {"volatile by the other alone", 0, "00=0 10v0!", "00=0 10v0!"},
    {"behind an atomic operation", 0, "00=0 00B0 00+0 10=0!", "00=0 00B0 00+0 10=0!"},
    {"a guess and its correction", 0, "00=0 00B0 00r0 10C0", "00=0 00B0 00r0 10C0!"},
    {"a guess of what was corrected", 0, "00=0 00B0 10C0 00r0", "00=0 00B0 10C0 00r0!"},
    {"before an atomic operation", 0, "00=0 10+0!", "00=0 10+0!"},
};

static const struct {
    FaultKind kind;
    uint32_t store, vector, of_volatile, add, read, swap;
} spaces[] = {
    {FAULT_shared_race, ST_SHARED, ST_SHARED4, ST_VOLATILE_SHARED, ADD_SHARED, LD_SHARED, CAS_SHARED},
    {FAULT_global_race, ST_GLOBAL, ST_GLOBAL4, ST_VOLATILE_GLOBAL, ADD_GLOBAL, LD_GLOBAL, CAS_GLOBAL},
};

/* 7 by all lanes. */
static bool store_at_once(Watched *w, uint32_t pc, uint32_t warp, uint64_t address, uint32_t places) {
    uint64_t addr[WARP_LANES];
    uint32_t values[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++) addr[l] = address + (uint64_t)(l % places) * watched_bytes(w, pc);
    for (uint32_t l = 0; l < WARP_LANES; l++) values[l] = 7;
    return watched_access(w, pc, warp, ALL, addr, values);
}

static bool step(Watched *w, int space, const char *at, uint64_t base) {
    const uint32_t warp = (uint32_t)(at[0] - '0'), lane = (uint32_t)(at[1] - '0'), store = spaces[space].store;
    const uint64_t address = base + (uint32_t)(at[3] - '0');
    switch (at[2]) {
    case 'B': watched_barrier(w, 3); return true;
    case '*': return store_at_once(w, store, warp, address, 1);
    case ';': return store_at_once(w, store, warp, address, 2);
    case ':': return store_at_once(w, store, warp, address, WARP_LANES);
    case '4': return watched_lane(w, spaces[space].vector, warp, lane, address, 7);
    case 'v': return watched_lane(w, spaces[space].of_volatile, warp, lane, address, 7);
    case '+': return watched_lane(w, spaces[space].add, warp, lane, address, 1);
    case 'r': return watched_lane(w, spaces[space].read, warp, lane, address, 0);
    case 'C': return watched_lane(w, spaces[space].swap, warp, lane, address, 0);
    case '-': return watched_lane(w, store, warp, lane, address, 8);
    }
    return watched_lane(w, store, warp, lane, address, 7);
}

static void play(const Row *row, const char *steps, int space, bool strict) {
    Watched *w = watched_new(row->with);
    w->strict = strict;
    const uint64_t base = watched_buffer(w, 4096, "memory", true)->address;
    watched_launch(w);
    watched_block(w, 0, 0, 64, 4096);
    for (const char *at = steps; *at; at += strcspn(at, " "), at += *at == ' ') {
        const bool fine = step(w, space, at, space ? base : 0);
        ck_assert_msg(fine == (at[4] != '!'), "%s, %s%s: %.5s in %s: %s", row->what,
                      spaces[space].kind == FAULT_shared_race ? "shared" : "global", strict ? ", strictly" : "", at, steps,
                      fine ? "not found" : w->fault.message);
        if (!fine) ck_assert_int_eq(w->fault.kind, spaces[space].kind);
        w->fault = (Fault){0};
    }
    watched_free(w);
}

START_TEST(each_row_races_where_it_says_in_either_space)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int space = 0; space < 2; space++) {
            play(&rows[i], rows[i].steps, space, false);
            play(&rows[i], rows[i].strictly, space, true);
        }
    }
}
END_TEST

/* "different values" and a barrier would be the wrong advice. */
START_TEST(it_is_said_that_the_value_is_one)
{
    for (int space = 0; space < 2; space++) {
        for (int at_once = 0; at_once < 2; at_once++) {
            Watched *w = watched_new(0);
            w->strict = true;
            const uint64_t base = watched_buffer(w, 4096, "memory", true)->address;
            watched_launch(w);
            watched_block(w, 0, 0, 64, 4096);
            if (!at_once) FINE(step(w, space, "00=0", space ? base : 0));
            RACE(step(w, space, at_once ? "10*0" : "10=0", space ? base : 0));
            const char *words = at_once ? "write one value, but not atomically," : "gave the same value";
            ck_assert_msg(strstr(w->fault.message, words), "%s", w->fault.message);
            ck_assert_msg(strstr(w->fault.hint, "let one thread write"), "%s", w->fault.hint);
            watched_free(w);
        }
    }
}
END_TEST

SUITE("strict_races", each_row_races_where_it_says_in_either_space, it_is_said_that_the_value_is_one)
