/* What fences and atomic operations order, and what they do not: each row is a run of accesses by warps of blocks, in which exactly those with
 * a '!' behind them race. By hand from the PTX ISA's memory consistency model: release and acquire patterns, scopes, release sequences. */
#include "watched.h"

typedef struct Row {
    const char *what;
    bool strict;
    const char *steps;
} Row;

/* A step: block, warp, what it does, and where: d and e are data, l a lock, others flags.
 *   W R plain write, read    V v volatile ones    A X C add, exchange, compare-and-swap    a x c those of block scope
 *   z is the word of the grid's own barrier, at which a block arrives by Ez and waits by Lz
 *   S L a store that releases, a load that acquires    E Q an exchange that releases, a compare-and-swap that acquires
 *   F f fence, of block scope    B barrier of the block    = write of 7    H adds to a flag in shared memory
 *   M m arrive at an mbarrier in phases of even and odd number, N n have waited for one
 * A write is of a value that nobody has written. Lane 3 does it all. */
static const Row rows[] = {
    /* fences */
    {"data, fence, flag", false, "00Wd 00F 00Xf 10Xf 10Rd"},
    {"no fence", false, "00Wd 00Xf 10Xf 10Rd!"},
    {"no flag that the other has read", false, "00Wd 00F 00Xf 10Xg 10Rd!"},
    {"no flag at all", false, "00Wd 00F 10F 10Rd!"},
    {"the fence before the data", false, "00F 00Wd 00Xf 10Xf 10Rd!"},
    {"data after the flag", false, "00Rd 00F 00Xf 00Rd 10Xf 10Wd!"},
    {"volatile flags", false, "00Wd 00F 00Vf 10vf 10Rd"},
    {"a flag that is plain", false, "00Wd 00F 00Wf 10vf! 10Rd!"},
    {"a reduction takes nothing over", false, "00Wd 00F 00Xf 10Af 10Rd!"},
    {"a ticket: all but the last add to it", false, "00Wd 00F 00Cf 10We 10F 10Cf 20Cf 20Rd 20Re"},
    {"an update in between hands over what was there", false, "00Wd 00F 00Xf 10Af 20Xf 20Rd"},
    {"a store in between does not", false, "00Wd 00F 00Xf 10Vf 20Xf 20Rd!"},
    {"from one to the next to the third", false, "00Wd 00F 00Xf 10vf 10F 10Xg 20vg 20Rd"},
    {"the same without the second's fence", false, "00Wd 00F 00Xf 10vf 10Xg 20vg 20Rd!"},
    /* scopes */
    {"a fence of block scope between blocks", false, "00Wd 00f 00Xf 10Xf 10Rd!"},
    {"a fence of block scope within one", false, "00Wd 00f 00Xf 01Xf 01Rd"},
    {"a flag of block scope between blocks", false, "00Wd 00F 00xf 10xf! 10Rd!"},
    {"a flag of block scope within one", false, "00Wd 00f 00xf 01xf 01Rd"},
    {"a flag of block scope on one side", false, "00Xf 10xf!"},
    {"a flag for all that is read for the block alone", false, "00Wd 00F 00Xf 10xf! 10Rd!"},
    {"within one block that is enough", false, "00Wd 00F 00Xf 01xf 01Rd"},
    {"of what another block handed over it has the block's part", false, "00Wd 00F 00Xf 10Xf 11xf 10Rd 11Rd!"},
    {"by the block, then for all", false, "00Wd 00f 00Xf 01vf 01F 01Xg 10vg 10Rd"},
    {"by the block, then no further", false, "00Wd 00f 00Xf 01vf 01f 01Xg 10vg 10Rd!"},
    /* barriers hand on */
    {"one warp takes it over for its block", false, "00Wd 00F 00Xf 10vf 1.B 11Rd"},
    {"but not before the barrier", false, "00Wd 00F 00Xf 10vf 11Rd!"},
    {"one warp hands over for its block", false, "01Wd 0.B 00F 00Xf 10vf 10Rd"},
    {"but not without the barrier", false, "01Wd 00F 00Xf 10vf 10Rd!"},
    {"a fence of each, and one flag behind the barrier", false, "01Wd 01F 0.B 00Xf 10vf 10Rd"},
    /* flags in shared memory are their block's */
    {"a flag in shared memory", false, "00Wd 00F 00Hf 01Hf 01Rd"},
    {"another one", false, "00Wd 00F 00Hf 01Hg 01Rd!"},
    {"another block's at that place", false, "00Wd 00F 00Hf 10Hf 10Rd!"},
    {"with a fence of block scope", false, "00Wd 00f 00Hf 01Hf 01Rd"},
    /* locks */
    {"a lock", false, "00Cl 00F 00Rd 00Wd 00F 00Xl 10Cl 10F 10Rd 10Wd"},
    {"a lock within a block", false, "00cl 00f 00Rd 00Wd 00f 00xl 01cl 01f 01Rd 01Wd"},
    {"no fence before it is given back", false, "00Cl 00F 00Wd 00Xl 10Cl 10F 10Wd!"},
    {"a lock of block scope between blocks", false, "00cl 00F 00Wd 00F 00xl 10cl! 10F 10Wd!"},
    {"without the lock", false, "00Cl 00F 00Wd 00F 00Xl 10Wd!"},
    {"another lock", false, "00Cl 00F 00Wd 00F 00Xl 10Cm 10F 10Wd!"},
    {"no fence behind the compare-and-swap", false, "00Cl 00F 00Wd 00F 00Xl 10Cl 10Wd"},
    {"strictly one is needed", true, "00Cl 00F 00Wd 00F 00Xl 10Cl 10Wd!"},
    {"also where the other came first", true, "00Cl 00Wd 00F 00Xl 10Cl 10F 10Wd!"},
    {"of block scope is none between blocks", true, "00Cl 00f 00Wd 00F 00Xl 10Cl 10F 10Wd!"},
    {"of block scope within one is", true, "00Cl 00f 00Wd 00F 00Xl 01Cl 01F 01Wd"},
    {"a lock, strictly", true, "00Cl 00F 00Rd 00Wd 00F 00Xl 10Cl 10F 10Rd 10Wd"},
    {"a flag needs no fence behind it", true, "00Wd 00F 00Xf 10Xf 10Rd"},
    {"what comes behind a lock that was taken without a fence", true, "00Cl 00Wd 00F 00Xl 00We 00F 00Xl 10Cl 10F 10Re"},
    {"what came within is not handed over", true, "00Cl 00Wd 00F 00Xl 10Cl 10F 10Rd!"},
    /* orders in place of fences */
    {"a releasing store, an acquiring load", false, "00Wd 00Sf 10Lf 10Rd"},
    {"a store and a load that do not", false, "00Wd 00Vf 10Lf 10Rd!"},
    {"a releasing exchange", false, "00Wd 00Ef 10Xf 10Rd"},
    {"which hands over nothing of later", false, "00Ef 00Wd 10Xf 10Rd!"},
    {"an acquiring compare-and-swap needs no fence, strictly", true, "00Cl 00F 00Wd 00F 00Xl 10Ql 10Wd"},
    {"nor does the first that takes the lock", true, "00Ql 00Wd 00El 10Ql 10Wd"},
    {"a lock that is given back without a release", true, "00Ql 00Wd 00Xl 10Ql 10Wd!"},
    /* the grid's barrier */
    {"what was before it", false, "00Wd 00Ez 10Ez 00Lz 10Lz 10Rd"},
    {"what another block does behind it", false, "00Ez 10Ez 10Lz 10Wd 00Lz 00Rd!"},
    {"of which a late reader knows no more", false, "00Ez 10Ez 10Lz 10Wd 10Ez 00Lz 00Rd!"},
    {"before it has come to the next as well", false, "00Ez 10Ez 10Lz 10Wd 10Ez 00Lz 00Ez 00Lz 00Rd"},
    {"a third one, likewise", false, "00Ez 10Ez 00Lz 10Lz 00Ez 10Ez 00Lz 10Lz 00Ez 10Ez 10Lz 10Wd 10Ez 00Lz 00Rd!"},
    {"who has arrived, and not waited", false, "00Wd 00Ez 10Ez 10Rd!"},
    {"the others of its block", false, "01Wd 0.B 00Ez 10Ez 10Lz 1.B 11Rd"},
    {"strictly as well", true, "00Ez 10Ez 10Lz 10Wd 10Ez 00Lz 00Rd!"},
    /* phases of an mbarrier */
    {"what was before a phase", false, "00Wd 00Mf 01Mf 01Nf 01Rd"},
    {"what another warp does behind it", false, "00Mf 01Mf 01Nf 01Wd 00Nf 00Rd!"},
    {"of which a late waiter knows no more", false, "00Mf 01Mf 01Nf 01Wd 01mf 00Nf 00Rd!"},
    {"before it has waited for the next as well", false, "00Mf 01Mf 01Nf 01Wd 01mf 00Nf 00mf 00nf 00Rd"},
    {"a phase hands on what the one before it did", false, "00Wd 00Mf 01mf 01nf 01Rd"},
    {"who has arrived, and not waited", false, "00Wd 00Mf 01Mf 01Rd!"},
    {"another mbarrier", false, "00Wd 00Mf 01Mg 01Ng 01Rd!"},
    /* the strict rule, and the other */
    {"volatile is atomic by PTX", false, "00Vf 10vf 10Vf"},
    {"not strictly", true, "00Vf 10vf! 20Xf!"},
    {"one value by two", false, "00=d 10=d 01=d"},
    {"strictly", true, "00=d 10=d! 01=d!"},
    {"a guess and its correction", false, "00Rf 10Cf"},
    {"strictly", true, "00Rf 10Cf!"},
    /* the order in which blocks run makes no difference */
    {"a volatile read before a plain write", false, "00vf 10Wf!"},
    {"a plain read and update by one, an update by another", false, "00Re 00Ae 10Ae!"},
    {"one value by two, read by the first", false, "00=d 10=d 00Rd!"},
};

/* In a kernel without fences, where nothing is handed over. */
static const Row unfenced[] = {
    {"no fences", false, "00Wd 00Xf 10Xf 10Rd!"},
    {"an operation of block scope, then a wider one", false, "00xf 00Xf 10Xf!"},
    {"a plain write, a barrier, updates by one, an update by another", false, "00We 0.B 01Ae 10Ae!"},
    {"after a plain read by the writer", false, "00vf 10Rf 10Wf!"},
    {"the other way round", false, "00Ae 10Ae 10We!"},
};

static Watched *w;
static Allocation *memory;

static uint32_t pc_of(char what) {
    static const struct {
        char what;
        uint32_t pc;
    } pcs[] = {{'W', ST_GLOBAL},          {'=', ST_GLOBAL},   {'R', LD_GLOBAL},          {'V', ST_VOLATILE_GLOBAL},
               {'v', LD_VOLATILE_GLOBAL}, {'A', ADD_GLOBAL},  {'X', EXCH_GLOBAL},        {'C', CAS_GLOBAL},
               {'a', ADD_GLOBAL},         {'x', EXCH_GLOBAL}, {'c', CAS_GLOBAL},         {'S', ST_VOLATILE_GLOBAL},
               {'L', LD_VOLATILE_GLOBAL}, {'E', EXCH_GLOBAL}, {'Q', CAS_GLOBAL},         {'H', ADD_SHARED},
               {'M', ADD_SHARED},         {'m', ADD_SHARED},  {'N', LD_VOLATILE_SHARED}, {'n', LD_VOLATILE_SHARED}};
    size_t i = 0;
    while (pcs[i].what != what) i++;
    return pcs[i].pc;
}

static Order order_of(char what) {
    if (strchr("SEMm", what)) return ORDER_RELEASE;
    if (strchr("LQNn", what)) return ORDER_ACQUIRE;
    return what == 'V' || what == 'v' ? ORDER_VOLATILE : ORDER_WEAK;
}

static void step(const Row *row, const char *at, uint32_t value) {
    const uint32_t block = (uint32_t)(at[0] - '0'), warp = at[1] == '.' ? 0 : (uint32_t)(at[1] - '0');
    watched_place(w, block, block);
    if (at[2] == 'B') {
        watched_barrier(w, 3);
        return;
    }
    if (at[2] == 'F' || at[2] == 'f') {
        watched_fence(w, warp, at[2] == 'f');
        return;
    }
    const uint32_t pc = pc_of(at[2]);
    w->insns[pc].of_block = at[2] == 'a' || at[2] == 'x' || at[2] == 'c';
    w->insns[pc].order = (uint8_t)order_of(at[2]);
    const uint64_t base = strchr("HMmNn", at[2]) ? 0 : memory->address, unit = strchr("MmNn", at[2]) ? 8 : 4;
    w->meets = unit == 8;
    w->odd = at[2] == 'm' || at[2] == 'n' ? ALL : 0;
    const bool fine = watched_lane(w, pc, warp, 3, base + unit * (uint32_t)(at[3] - 'a'), at[2] == '=' ? 7 : value);
    ck_assert_msg(fine == (at[4] != '!'), "%s: %.5s in %s: %s", row->what, at, row->steps,
                  fine ? "not found" : w->fault.message);
    ck_assert_msg(fine || w->fault.kind == FAULT_global_race, "%s", w->fault.message);
    w->fault = (Fault){0};
}

static void play(const Row *row, unsigned with) {
    w = watched_new(with);
    w->strict = row->strict;
    memory = watched_buffer(w, 4096, "memory", true);
    w->barrier = memory->address + 4 * ('z' - 'a');
    watched_launch(w);
    for (uint32_t b = 0; b < 3; b++) {
        watched_block(w, b, b, 64, 128);
        ck_assert(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
        watched_barrier(w, 3);
    }
    uint32_t value = 100;
    for (const char *at = row->steps; *at; at += strcspn(at, " "), at += *at == ' ') step(row, at, ++value);
    watched_free(w);
}

START_TEST(each_row_races_where_it_says)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) play(&rows[i], WITH_FENCE);
    for (size_t i = 0; i < sizeof unfenced / sizeof *unfenced; i++) play(&unfenced[i], 0);
}
END_TEST

SUITE("fences", each_row_races_where_it_says)
