#include "machine/spin.h"

#include <stdlib.h>
#include <string.h>

#include "machine/warp.h"

enum { SEEN_MOST = 1024, TURNS_MOST = 1 << 20 };

void spin_reset(Spin *spin) { spin->watching = spin->parked = false; }

void spin_free(Spin *spin) { free(spin->seen); }

static uint64_t mix(uint64_t hash, uint64_t value) {
    uint64_t mixed = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return mixed ^ mixed >> 29;
}

/* Eight sums at a time, which the compiler vectorises. */
typedef struct Hash {
    uint64_t part[8];
} Hash;

static void hash_bytes(Hash *hash, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    while (count) {
        uint64_t words[8] = {0};
        size_t taken = count < sizeof words ? count : sizeof words;
        memcpy(words, at, taken);
        for (int i = 0; i < 8; i++) hash->part[i] = mix(hash->part[i], words[i]);
        at += taken;
        count -= taken;
    }
}

/* All that decides what the warp does next, but memory that others may change. */
static uint64_t state_of(const Warp *warp) {
    const Code *code = warp->worker->code;
    Hash hash = {{1, 2, 3, 4, 5, 6, 7, 8}};
    uint32_t last = 0;
    for (uint32_t i = 0; i < warp->n_paths; i++) {
        const Path *path = &warp->paths[i];
        const uint32_t fields[] = {path->pc, path->reconverge, path->mask, path->frame, path->blocked, warp->carry};
        hash_bytes(&hash, fields, sizeof fields);
        if (path->frame > last) last = path->frame;
    }
    for (uint32_t i = 0; i <= last; i++) hash_bytes(&hash, &warp->frames[i], sizeof warp->frames[i]);
    const Frame *top = &warp->frames[last];
    const CodeFunction *function = &code->functions[top->function];
    hash_bytes(&hash, warp->registers, top->slots_base + function->frame_slots_bytes);
    hash_bytes(&hash, warp->local, (size_t)(top->local_base + function->frame_local_bytes) * WARP_LANES);
    uint64_t whole = 0;
    for (int i = 0; i < 8; i++) whole = mix(whole, hash.part[i]);
    return whole;
}

static void see(Spin *spin, const uint8_t *host, unsigned bytes) {
    for (unsigned at = 0; at < bytes; at += 8) {
        Seen seen = {.host = host + at, .bytes = bytes - at < 8 ? bytes - at : 8};
        memcpy(&seen.value, seen.host, seen.bytes);
        spin->news = mix(mix(spin->news, (uintptr_t)seen.host), seen.value);
        if (spin->n_seen && spin->seen[spin->n_seen - 1].host == seen.host) continue;
        if (spin->n_seen == SEEN_MOST) {
            spin->missed = true;
            return;
        }
        if (spin->n_seen == spin->capacity) {
            spin->capacity = spin->capacity ? spin->capacity * 2 : 4;
            spin->seen = realloc(spin->seen, spin->capacity * sizeof *spin->seen);
            if (!spin->seen) abort();
        }
        spin->seen[spin->n_seen++] = seen;
    }
}

/* Where these bytes are on the host; NULL for memory that nobody else changes, and outside of all memory. */
static const uint8_t *find(const Warp *warp, uint64_t generic, unsigned bytes) {
    const Block *block = warp->block;
    if (generic - WINDOW_SHARED < WINDOW_BYTES) {
        uint64_t offset = generic - WINDOW_SHARED;
        return offset < block->shared_bytes && bytes <= block->shared_bytes - offset ? block->shared + offset : NULL;
    }
    const Allocation *in = memory_find(warp->worker->launch->memory, generic);
    bool within = in && bytes <= in->bytes - (generic - in->address);
    return within && !in->constant ? in->host + (generic - in->address) : NULL;
}

void spin_note(Warp *warp, const Step *step, uint32_t active) {
    if (step->space != SPACE_GLOBAL && step->space != SPACE_SHARED && step->space != SPACE_GENERIC) return;
    Spin *spin = &warp->spin;
    uint64_t offset = step->space == SPACE_SHARED ? WINDOW_SHARED : 0;
    bool atomic = step->exec == EXEC_ATOM;
    unsigned bytes = step->whole;
    const uint64_t *addr = warp->worker->access.addr;
    warp_addresses(warp, step->s[0], step->address_bytes, step->offset, active);
    for (unsigned l = 0; l < WARP_LANES; l++) {
        bool again = l && addr[l] == addr[l - 1]; /* inactive lanes' addresses are the first active one's */
        const uint8_t *host = again ? NULL : find(warp, addr[l] + offset, bytes);
        if (host) see(spin, host, bytes);
    }
    if (!atomic && step->insn->order == ORDER_WEAK && spin->pc != NO_INSN) return;
    unsigned first = (unsigned)__builtin_ctz(active);
    spin->pc = step->pc;
    spin->address = addr[first] + offset;
    spin->lanes = active;
}

static void keep(Spin *spin, uint64_t state) {
    spin->state = state;
    spin->turns = spin->n_seen = 0;
    spin->missed = false;
}

bool spin_turn(Warp *warp) {
    Spin *spin = &warp->spin;
    uint64_t state = state_of(warp);
    if (!spin->watching) {
        spin->watching = true;
        spin->limit = 1;
        spin->pc = NO_INSN;
        keep(spin, state);
    } else if (state == spin->state && !spin->missed) {
        spin->parked = true;
    } else if (++spin->turns >= spin->limit) {
        if (spin->limit < TURNS_MOST) spin->limit *= 2;
        keep(spin, state);
    }
    bool news = spin->news != spin->old_news;
    spin->old_news = spin->news;
    spin->news = 0;
    return news;
}

bool spin_wakes(Warp *warp) {
    Spin *spin = &warp->spin;
    for (uint32_t i = 0; i < spin->n_seen; i++) {
        const Seen *seen = &spin->seen[i];
        if (!memcmp(seen->host, &seen->value, seen->bytes)) continue;
        spin_reset(spin);
        return true;
    }
    return false;
}
