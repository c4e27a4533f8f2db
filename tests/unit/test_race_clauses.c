/* The rules of races, clause by clause: of each row exactly the steps with a '!' behind them race, and each clause of the rules (race_cell.c, race_calm.c,
 * shared_check.c) decides some row alone: one where it must speak, one where it must not. By hand from global_race.h and shared_check.h. */
#include "watched.h"

/* A step: block, warp, lane, what it does, and where: places lie 128 bytes apart.
 *   W writes a value of its own    = writes 7    r reads    l reads behind all else in the text    V v volatile    A adds    a adds, for its block
 *   C compares and swaps    R all lanes of the warp read the one place
 *   B barrier of the block    P barrier of warps 0 and 1, of four    S __syncwarp()    s of lanes 0 and 1 */
typedef struct Row {
    const char *what, *steps;
} Row;

static const Row both[] = {
    /* atomic operations of several threads: the mark is the last one's */
    {"adds by two, a look by the second", "000Aa 010Aa 010ra!"},
    {"by the first", "000Aa 010Aa 000ra!"},
    {"by one alone", "000Aa 000Aa 000ra 000Wa"},
    {"with a barrier", "000Aa 010Aa 0..B 010ra"},
    {"adds go on", "000Aa 010Aa 000Aa 010Aa 0..B 000ra"},
    {"the second adds again", "000Aa 010Aa 010Aa 010ra!"},
    {"not reported: a __syncwarp() between", "000Aa 010Aa 010Sa 010ra"},
    {"nor where it adds again behind that", "000Aa 010Aa 010Sa 010Aa 010ra"},
    {"by lanes of one warp", "000Aa 001Aa 001ra!"},
    {"which meet", "000Aa 001Aa 000Sa 001ra"},
    /* a plain write by the thread that goes on atomically */
    {"a plain write and an add by one, an add by another", "000Wa 000Aa 010Aa!"},
    {"with a barrier before the adds", "000Wa 0..B 000Aa 010Aa"},
    {"not reported: a __syncwarp() before its own", "000Wa 000Sa 000Aa 010Aa"},
    {"an add, then a plain write", "000Aa 010Wa!"},
    {"a plain write, then an add by another", "000Wa 010Aa!"},
    /* writes */
    {"two values", "000Wa 010Wa!"},
    {"one", "000=a 010=a"},
    {"one, read by another", "000=a 010=a 020ra!"},
    {"with a barrier", "000Wa 0..B 010Wa"},
    {"elsewhere", "000Wa 010Wb"},
    {"by lanes of one warp", "000Wa 001Wa!"},
    {"which meet", "000Wa 000Sa 001Wa"},
    {"of which other warps' meeting is none", "000Wa 010Sa 001Wa!"},
    {"a __syncwarp() orders no warps", "000Wa 000Sa 010Wa!"},
    {"a read of it", "000Wa 010ra!"},
    {"by itself", "000Wa 000ra"},
    /* reads that are kept for the next write */
    {"a read, a write by another", "000ra 010Wa!"},
    {"by itself", "000ra 000Wa"},
    {"with a barrier", "000ra 0..B 010Wa"},
    {"two warps read, the first writes", "000ra 010ra 000Wa!"},
    {"the second", "000ra 010ra 010Wa!"},
    {"a third", "000ra 010ra 020Wa!"},
    {"before a barrier", "000ra 010ra 0..B 000Wa"},
    {"one of them again behind it", "000ra 010ra 0..B 000ra 000Wa"},
    {"the other behind it", "000ra 0..B 010ra 000Wa!"},
    {"the first again", "000ra 010ra 000ra 000Wa!"},
    {"behind a __syncwarp() of its own", "000ra 010ra 000Sa 000ra 000Wa!"},
    {"the second's", "000ra 010ra 010Sa 010ra 010Wa!"},
    {"all lanes read, one writes", "000Ra 000Wa!"},
    {"behind a __syncwarp()", "000Ra 000Sa 000Wa"},
    {"behind a barrier", "000Ra 0..B 000Wa"},
    {"behind another warp's __syncwarp()", "000Ra 010Sa 000Wa!"},
    {"two lanes read, the first writes", "000ra 001ra 000Wa!"},
    {"the second", "000ra 001ra 001Wa!"},
    {"with a __syncwarp() between the reads", "000ra 000Sa 001ra 001Wa"},
    {"which does not order the second", "000ra 000Sa 001ra 000Wa!"},
    {"with one of the two lanes behind them", "000ra 001ra 000sa 000Wa"},
    {"not reported: another lane that read, where some meet", "000ra 002ra 000sa 001Wa"},
    /* guesses */
    {"a guess and its correction", "000ra 010Ca"},
    {"the correction first", "010Ca 000ra"},
    {"a look behind it in the text", "000la 010Ca!"},
    {"which comes later as well", "010Ca 000la!"},
    {"an add corrects nothing", "000ra 010Aa!"},
    {"nor did it", "010Aa 000ra!"},
    {"a write corrects nothing", "000ra 010Wa!"},
};

/* With barriers that count: reads by others than the latest are not kept. */
static const Row counted[] = {
    {"two warps meet", "000Wa 0..P 010ra"},
    {"a third does not", "000Wa 0..P 020ra!"},
    {"a third's write", "020Wa 0..P 000ra!"},
    {"not reported: the other reader", "000ra 010ra 0..P 000Wa"},
    {"the reader who is kept", "020ra 0..P 000Wa!"},
    {"all meet", "000ra 010ra 020ra 0..B 000Wa"},
    {"lanes of a warp before it", "000Wa 0..P 001Wa"},
    {"behind it", "0..P 000Wa 001Wa!"},
    {"of a warp that it does not name", "020Wa 0..P 021Wa!"},
};

static const Row shared[] = {
    {"volatile between warps", "000Va 010va 010Va"},
    {"within one", "000Va 001va!"},
    {"within one that meets", "000Va 000Sa 001va"},
    {"by one lane", "000Va 000va 000Va"},
    {"and a plain read", "000Va 010ra!"},
    {"and a plain write", "000va 010Wa"}, /* strong reads are not kept */
    {"and an add", "000Va 010Aa 001Aa"},
    {"a plain write, a volatile read", "000Wa 010va!"},
    /* where a guess is kept, each cell is looked at by itself */
    {"swaps by two behind a guess, a look by the second", "000ra 010Ca 020Ca 020la!"},
    {"not reported: a __syncwarp() between, and a swap", "000ra 010Ca 020Ca 020Sa 020Ca 020la"},
};

static const Row global[] = {
    {"volatile is atomic", "000Va 010va 001va 100Va"},
    {"and a plain read", "000Va 010ra!"},
    {"a volatile read, a plain write", "000va 010Wa!"},
    {"a plain write, a volatile read", "000Wa 010va!"},
    /* blocks */
    {"a barrier orders no blocks", "000Wa 0..B 1..B 100ra!"},
    {"two blocks read, the first writes", "000ra 100ra 000Wa!"},
    {"the second", "000ra 100ra 100Wa!"},
    {"behind a barrier and a read of its own", "000ra 100ra 0..B 000ra 000Wa!"},
    {"the first alone", "000ra 0..B 000ra 000Wa"},
    {"another place", "000ra 100rb 000Wa"},
    {"a volatile read by another block", "000ra 100va 000Wa!"},
    {"which an add may follow", "000ra 100va 000Aa"},
    {"the volatile one first", "100va 000ra 000Wa!"},
    {"then again behind a barrier", "100va 000ra 0..B 000ra 000Wa!"},
    {"both volatile", "000va 100va 000Aa"},
    {"two lanes' volatile reads, an add by another block", "000va 001va 100Aa"},
    {"two warps'", "000va 010va 100Aa"},
    {"and a plain read between", "100va 000ra 200va 000Aa"},
    {"and a plain write", "000va 100va 000Wa!"},
    {"a plain read by one, an add by a third", "000ra 100va 200Aa!"},
    {"a volatile read by another warp of the block", "000ra 010va 000Wa"}, /* not reported */
    {"one value by two blocks", "000=a 100=a"},
    {"read by the first", "000=a 100=a 000ra!"},
    {"written over by the second, behind a barrier", "000=a 100=a 1..B 100Wa!"},
    {"by one block, then itself", "000=a 0..B 010=a 0..B 000ra"},
    {"adds of two blocks", "000Aa 100Aa 000Aa"},
    {"a look by the second", "000Aa 100Aa 100ra!"},
    {"by the first behind a barrier", "000Aa 100Aa 0..B 000ra!"},
    {"of block scope within it", "000aa 010aa 010Aa"},
    {"of block scope, then by another block", "000aa 100Aa!"},
    {"by another block, then of block scope", "100Aa 000aa!"},
    {"an earlier one of block scope counts", "000aa 010Aa 100Aa!"},
    {"as an earlier plain write does", "000Wa 0..B 010Aa 100Aa!"},
    {"and not for the block itself", "000Wa 0..B 010Aa 020Aa"},
    {"a guess of another block", "000ra 100Ca"},
    {"a look of another block", "000la 100Ca!"},
};

static Watched *w;
static uint64_t base;

static uint32_t pc_of(char what, bool is_global) {
    static const struct {
        char what;
        uint32_t shared, global;
    } pcs[] = {{'W', ST_SHARED, ST_GLOBAL},
               {'=', ST_SHARED, ST_GLOBAL},
               {'r', LD_SHARED, LD_GLOBAL},
               {'R', LD_SHARED, LD_GLOBAL},
               {'l', LD_SHARED_LATE, LD_GLOBAL_LATE},
               {'V', ST_VOLATILE_SHARED, ST_VOLATILE_GLOBAL},
               {'v', LD_VOLATILE_SHARED, LD_VOLATILE_GLOBAL},
               {'A', ADD_SHARED, ADD_GLOBAL},
               {'a', ADD_SHARED, ADD_GLOBAL},
               {'C', CAS_SHARED, CAS_GLOBAL}};
    size_t i = 0;
    while (pcs[i].what != what) i++;
    return is_global ? pcs[i].global : pcs[i].shared;
}

/* One lane does it; or, where rows name no lanes, all do it each at a word of its own: what is looked at by rows goes other ways through the checks. */
static bool step(const char *at, bool is_global, bool by_all, uint32_t value) {
    const uint32_t block = (uint32_t)(at[0] - '0'), warp = at[1] == '.' ? 0 : (uint32_t)(at[1] - '0');
    const uint32_t lane = at[2] == '.' ? 0 : (uint32_t)(at[2] - '0');
    const char what = at[3];
    watched_place(w, block, block);
    if (what == 'B' || what == 'P') return watched_barrier(w, what == 'B' ? 0xf : 3), true;
    if (what == 'S' || what == 's') return watched_warp_sync(w, warp, what == 'S' ? ALL : 3), true;
    const uint32_t pc = pc_of(what, is_global);
    const uint64_t address = base + 128 * (uint32_t)(at[4] - 'a');
    w->insns[pc].of_block = what == 'a';
    if (what == 'R') return watched_lanes(w, pc, warp, ALL, address, 0);
    if (what == '=') value = 7;
    if (!by_all) return watched_lane(w, pc, warp, lane, address, value);
    uint64_t addr[WARP_LANES];
    uint32_t values[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++) addr[l] = address + 4 * l, values[l] = value;
    return watched_access(w, pc, warp, ALL, addr, values);
}

static bool names_no_lanes(const char *steps) {
    bool none = true;
    for (const char *at = steps; *at; at += strcspn(at, " "), at += *at == ' ')
        none &= (at[2] == '0' || at[2] == '.') && at[3] != 'R' && at[3] != 's';
    return none;
}

static void play(const Row *row, bool is_global, bool by_all, unsigned with) {
    w = watched_new(with);
    base = is_global ? watched_buffer(w, 4096, "memory", true)->address : 0;
    watched_launch(w);
    for (uint32_t b = 0; b < 3; b++) watched_block(w, b, b, 128, 4096);
    watched_place(w, 0, 0);
    for (uint32_t p = 0; p < 2 && !is_global; p++) ck_assert(watched_lanes(w, ST_SHARED, 0, ALL, 128 * p, 4));
    watched_barrier(w, 0xf);
    uint32_t value = 100;
    for (const char *at = row->steps; *at; at += strcspn(at, " "), at += *at == ' ') {
        const bool fine = step(at, is_global, by_all, ++value), races = at[3] != 'B' && at[3] != 'P' && at[5] == '!';
        ck_assert_msg(fine == !races, "%s, %s%s: %.6s in %s: %s", row->what, is_global ? "global" : "shared",
                      by_all ? ", by all lanes" : "", at, row->steps, fine ? "not found" : w->fault.message);
        if (!fine) ck_assert_int_eq(w->fault.kind, is_global ? FAULT_global_race : FAULT_shared_race);
        w->fault = (Fault){0};
    }
    watched_free(w);
}

static void play_all(const Row *rows, size_t count, bool is_global, unsigned with) {
    for (size_t i = 0; i < count; i++) {
        play(&rows[i], is_global, false, with);
        if (names_no_lanes(rows[i].steps)) play(&rows[i], is_global, true, with);
    }
}
#define PLAY_ALL(rows, is_global, with) play_all(rows, sizeof rows / sizeof *rows, is_global, with)

START_TEST(rules_of_both_spaces)
{
    PLAY_ALL(both, false, 0);
    PLAY_ALL(both, true, 0);
    PLAY_ALL(counted, false, WITH_COUNTED_BARRIER);
    PLAY_ALL(counted, true, WITH_COUNTED_BARRIER);
}
END_TEST

START_TEST(rules_of_shared_memory_alone)
{ PLAY_ALL(shared, false, 0); }
END_TEST

START_TEST(rules_of_global_memory_alone)
{ PLAY_ALL(global, true, 0); }
END_TEST

/* --- what is said ---------------------------------------------------------------------------------------------------------- */

/* Of the row's last step. lacks: what would be wrong advice there; NULL: nothing is asked. */
static const struct {
    const char *steps;
    bool is_global;
    unsigned with;
    uint32_t threads;
    const char *says, *hint, *lacks;
} said[] = {
    /* threads of a block, in either space */
    {"000Wa 010ra", false, 0, 128, "which lane 0 of warp 0 wrote with no __syncthreads() between",
     "; a loop may need one at its end too", "__syncwarp"},
    {"000Wa 010ra", true, 0, 128, "which lane 0 of warp 0 wrote with no __syncthreads() between",
     "; a loop may need one at its end too", "__syncwarp"},
    {"001Wa 000ra", false, 0, 128, "which lane 1 of warp 0 wrote with no __syncthreads() or __syncwarp() between",
     ", or __syncwarp() where only the lanes", "since compute capability 7.0"},
    {"001Wa 000ra", true, 0, 128, "which lane 1 of warp 0 wrote with no __syncthreads() or __syncwarp() between",
     ", or __syncwarp() where only the lanes", "since compute capability 7.0"},
    {"001Wa 000ra", false, 0, 32, "which lane 1 of warp 0 wrote with no __syncwarp() between", "since compute capability 7.0",
     "__syncthreads"},
    {"001Wa 000ra", true, 0, 32, "which lane 1 of warp 0 wrote with no __syncwarp() between", "since compute capability 7.0",
     "__syncthreads"},
    {"001Wa 000ra", true, 0, 33, "which lane 1 of warp 0 wrote with no __syncthreads() or __syncwarp() between",
     ", or __syncwarp() where only the lanes", NULL},
    {"000ra 010ra 000Wa", false, 0, 128, "which another thread read with no __syncthreads() between", "; a loop may need one",
     NULL},
    {"000ra 010ra 000Wa", true, 0, 128, "which another thread read with no __syncthreads() between", "; a loop may need one",
     NULL},
    {"000Ra 000Wa", false, 0, 128, "which another lane read with no __syncthreads() or __syncwarp() between", "__syncwarp()",
     NULL},
    {"000Ra 000Wa", true, 0, 128, "which another lane read with no __syncthreads() or __syncwarp() between", "__syncwarp()",
     NULL},
    {"010ra 000Wa", true, 0, 128, "which lane 0 of warp 1 read with no __syncthreads() between", "__syncthreads()", NULL},
    {"000Aa 010Aa 010ra", true, 0, 128, "which another thread updated with",
     "make both accesses atomic, or put __syncthreads() between", NULL},
    {"000Aa 010Aa 010ra", false, 0, 128, "which another thread updated with", ", or make both atomic", NULL},
    {"000Wa 010Aa", true, 0, 128, "updates 4 bytes at 'memory'+0, which lane 0 of warp 0 wrote",
     "make both accesses atomic, or put __syncthreads() between", NULL},
    {"000Wa 010Aa", false, 0, 128, "which lane 0 of warp 0 wrote", ", or make both atomic", NULL},
    {"000Va 001va", false, 0, 128, "which lane 0 of warp 0 wrote with no __syncwarp() between", "not even with volatile", NULL},
    {"000Wa 010Wa", true, 0, 128, "which lane 0 of warp 0 wrote", "a barrier would only decide which", NULL},
    /* blocks */
    {"000Wa 100ra", true, 0, 128, "of block 1 reads 4 bytes at 'memory'+0, which block 0 wrote in the same launch",
     "blocks run in no fixed order: use another buffer", NULL},
    {"000ra 100ra 000Wa", true, 0, 128, "which another block read in the same launch", "blocks run in no fixed order", NULL},
    {"000Wa 100Wa", true, 0, 128, "which block 0 wrote in the same launch", "two blocks write different values to one place",
     NULL},
    {"000ra 100Wa", true, 0, 128, "which block 0 read in the same launch", "use another buffer", "two blocks write"},
    {"000Aa 100ra", true, 0, 128, "which block 0 updated atomically in the same launch",
     "make both accesses atomic, or put the other one into a launch", "leave _block out"},
    {"000Wa 100va", true, 0, 128, "which block 0 wrote in the same launch",
     "make both accesses atomic, or put the other one into a launch", NULL},
    {"000ra 100va 000Wa", true, 0, 128, "which another block read in the same launch",
     "make both accesses atomic, or put the other one into a launch", NULL},
    {"000Aa 100aa", true, 0, 128, "which block 0 updated atomically in the same launch", "leave _block out", NULL},
    {"000Wa 100ra", true, WITH_FENCE, 128, "which block 0 wrote in the same launch", "where one block waits for another", NULL},
};

START_TEST(each_race_says_who_it_was_and_what_helps)
{
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        w = watched_new(said[i].with);
        base = said[i].is_global ? watched_buffer(w, 4096, "memory", true)->address : 0;
        watched_launch(w);
        for (uint32_t b = 0; b < 2; b++) watched_block(w, b, b, said[i].threads, 4096);
        watched_place(w, 0, 0);
        if (!said[i].is_global) ck_assert(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
        watched_barrier(w, 0xf);
        uint32_t value = 100;
        for (const char *at = said[i].steps; *at; at += strcspn(at, " "), at += *at == ' ') {
            const bool fine = step(at, said[i].is_global, false, ++value);
            ck_assert_msg(fine == (at[5] != 0), "%s: %s", said[i].steps, w->fault.message);
        }
        ck_assert_msg(strstr(w->fault.message, said[i].says), "%s: %s", said[i].steps, w->fault.message);
        ck_assert_msg(strstr(w->fault.hint, said[i].hint), "%s: %s", said[i].steps, w->fault.hint);
        if (said[i].lacks) ck_assert_msg(!strstr(w->fault.hint, said[i].lacks), "%s: %s", said[i].steps, w->fault.hint);
        watched_free(w);
    }
}
END_TEST

/* `a[i] = …` meant to be another than b[i]: both begin at one place. The first is only declared where the launch uses neither. */
START_TEST(arrays_of_extern_shared_memory_are_blamed_where_both_reach_the_byte)
{
    static const struct {
        uint64_t first, second;
        uint32_t bytes; /* of the second; 0: extern */
        uint8_t space;
        bool blamed;
    } rows[] = {{0, 0, 0, SPACE_SHARED, true},           {0, 4, 0, SPACE_SHARED, false},
                {UINT64_MAX, 0, 0, SPACE_SHARED, false}, {0, UINT64_MAX, 0, SPACE_SHARED, false},
                {0, 0, 64, SPACE_SHARED, false},         {0, 0, 0, SPACE_GLOBAL, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Variable variables[2] = {{.space = SPACE_SHARED}, {.space = rows[i].space, .bytes = rows[i].bytes}};
        w = watched_new(0);
        w->program.variables = variables;
        w->program.n_variables = 2;
        watched_launch(w);
        uint64_t *offsets = kernel_prepare(&w->program, w->functions)->reach.shared_offset;
        offsets[0] = rows[i].first, offsets[1] = rows[i].second;
        watched_block(w, 0, 0, 128, 4096);
        FINE(watched_lane(w, ST_SHARED, 0, 0, 0, 1));
        RACE(watched_lane(w, LD_SHARED, 1, 0, 0, 1));
        ck_assert_msg(!strstr(w->fault.hint, "All begin at one place") == !rows[i].blamed, "row %zu: %s", i, w->fault.hint);
        watched_free(w);
    }
}
END_TEST

SUITE("race_clauses", each_race_says_who_it_was_and_what_helps,
      arrays_of_extern_shared_memory_are_blamed_where_both_reach_the_byte, rules_of_both_spaces, rules_of_shared_memory_alone,
      rules_of_global_memory_alone)
