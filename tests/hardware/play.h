/* play.h: plays kernels to the counters as the machine would: the blocks of an SM's batch one after the other, a block's warps in turn.
 * A kernel is a function that makes one warp's accesses. */
#pragma once

#include "device/profile.h"
#include "observe/counters.h"
#include "patterns.h"

enum {
    IN = 0x10000000,
    OUT = 0x20000000,
    THIRD = 0x30000000,
    LOAD_PC = 0,
    STORE_PC = 1,
    OTHER_PC = 2,
    APART = 16,
    INSNS = 32 * APART
};

enum { SIDE = 1024 }; /* of the matrices */

/* A launch that is being played. */
typedef struct Play {
    CounterSet *set;
    CounterConfig config;
    uint32_t workers, worker;
    uint64_t grid[2];
    uint32_t block[2];
    Place place;
    uint64_t k; /* the kernel's parameter */
    bool wide;  /* double instead of float */
    uint8_t policy;
    bool in_turn;      /* each access of a warp is an instruction of its own, APART behind the one before */
    uint32_t accesses; /* of the warp so far */
} Play;

/* Index of lane l's thread in its block's x and y, and in the whole grid. */
static inline uint32_t thread_x(const Play *play, uint32_t l) { return (play->place.warp * 32 + l) % play->block[0]; }
static inline uint32_t thread_y(const Play *play, uint32_t l) { return (play->place.warp * 32 + l) / play->block[0]; }
static inline uint64_t thread_id(const Play *play, uint32_t l) {
    return play->place.block * play->place.threads + play->place.warp * 32 + l;
}
static inline uint64_t global_x(const Play *play, uint32_t l) {
    return play->place.block % play->grid[0] * play->block[0] + thread_x(play, l);
}
static inline uint64_t global_y(const Play *play, uint32_t l) {
    return play->place.block / play->grid[0] * play->block[1] + thread_y(play, l);
}

static inline void access_now(Play *play, const Access *access) {
    Fault fault = {0};
    Observer *observer = counters_observer(play->set, play->worker);
    ck_assert(observer->on_access(observer->self, &play->place, access, &fault));
}

typedef uint64_t Index(const Play *play, uint32_t lane); /* of the element; UINT64_MAX: the lane takes no part */

static inline void touch(Play *play, Space space, AccessKind kind, uint64_t base, uint32_t bytes, Index *index) {
    Access access = {.pc = play->in_turn         ? ++play->accesses * APART
                           : base == THIRD       ? OTHER_PC
                           : kind == ACCESS_LOAD ? LOAD_PC
                                                 : STORE_PC,
                     .space = (uint8_t)space,
                     .kind = (uint8_t)kind,
                     .bytes = (uint8_t)bytes,
                     .policy = kind == ACCESS_LOAD ? play->policy : POLICY_NONE};
    for (uint32_t l = 0; l < 32; l++) {
        uint64_t i = index(play, l);
        if (i == UINT64_MAX) continue;
        access.active |= 1u << l;
        access.addr[l] = base + i * bytes;
    }
    if (access.active) access_now(play, &access);
}

static inline void load(Play *play, uint64_t base, Index *index) {
    touch(play, SPACE_GLOBAL, ACCESS_LOAD, base, play->wide ? 8 : 4, index);
}
static inline void store(Play *play, uint64_t base, Index *index) {
    touch(play, SPACE_GLOBAL, ACCESS_STORE, base, play->wide ? 8 : 4, index);
}

/* Starts a launch, plays `warp` for every warp in the machine's order, and returns the counters; the caller frees play->set. */
static inline Counters *play_all(Play *play, void (*warp)(Play *play)) {
    const Profile *h200 = profile_find("h200", NULL);
    uint32_t threads = play->block[0] * play->block[1], resident = profile_resident_blocks(h200, threads, 0);
    uint64_t blocks = play->grid[0] * play->grid[1], wave = (uint64_t)play->config.sms * resident;
    if (play->workers == 0) play->workers = 1;
    play->config.blocks = blocks;
    play->set = counters_new(&play->config, INSNS, play->workers);
    for (uint64_t batch = 0; batch < (blocks + wave - 1) / wave * play->config.sms; batch++) {
        play->worker = (uint32_t)(batch * 7 % play->workers);
        Observer *observer = counters_observer(play->set, play->worker);
        observer->on_batch_begin(observer->self, batch);
        uint32_t sm = (uint32_t)(batch % play->config.sms);
        for (uint32_t slot = 0; slot < resident; slot++) {
            uint64_t block = batch / play->config.sms * wave + (uint64_t)slot * play->config.sms + sm;
            play->place = (Place){.block = block,
                                  .block_slot = slot,
                                  .resident_warp = slot * (threads / 32),
                                  .sm = sm,
                                  .threads = threads,
                                  .block_dim = play->block};
            if (block < blocks) observer->on_block_begin(observer->self, &play->place, 0);
            for (play->place.warp = 0; block < blocks && play->place.warp < threads / 32;
                 play->place.warp++, play->place.resident_warp++) {
                play->accesses = 0;
                warp(play);
            }
        }
        observer->on_batch_end(observer->self, batch);
        observer->on_batch_commit(observer->self, batch);
    }
    return counters_result(play->set);
}

static inline Play play_of(uint64_t blocks_x, uint64_t blocks_y, uint32_t threads_x, uint32_t threads_y) {
    Play play = {.grid = {blocks_x, blocks_y}, .block = {threads_x, threads_y}};
    play.config = profile_counters(profile_find("h200", NULL), threads_x * threads_y, 0, true);
    return play;
}

/* Elements that many kernels touch. */
static inline uint64_t own(const Play *play, uint32_t l) { return thread_id(play, l); }
static inline uint64_t first(const Play *play, uint32_t l) { return (void)play, (void)l, 0; }
static inline uint64_t plus_one(const Play *play, uint32_t l) { return thread_id(play, l) + 1; }
static inline uint64_t row(const Play *play, uint32_t l) { return global_y(play, l) * SIDE + global_x(play, l); }
static inline uint64_t column(const Play *play, uint32_t l) { return global_x(play, l) * SIDE + global_y(play, l); }
