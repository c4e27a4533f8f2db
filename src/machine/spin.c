#include "machine/spin.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/bounds.h"
#include "machine/lanes.h"

enum { POLLED_MOST = 1024, ITERATIONS_MOST = 1 << 20 };

void spin_reset(Spin *spin) { spin->watching = spin->parked = false; }

void spin_free(Spin *spin) { free(spin->polled); }

static uint64_t mix(uint64_t hash, uint64_t value) {
    uint64_t mixed = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return mixed ^ mixed >> 29;
}

/* Eight sums at a time, which the compiler vectorises. */
typedef struct Hash {
    uint64_t sums[8];
} Hash;

static void hash_bytes(Hash *hash, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    while (count) {
        uint64_t words[8] = {0};
        size_t taken = count < sizeof words ? count : sizeof words;
        memcpy(words, at, taken);
        for (int i = 0; i < 8; i++) hash->sums[i] = mix(hash->sums[i], words[i]);
        at += taken;
        count -= taken;
    }
}

/* All that decides what the warp does next, except memory that others may change. */
static uint64_t state_of(const Warp *warp) {
    const Code *code = warp->worker->code;
    Hash hash = {{1, 2, 3, 4, 5, 6, 7, 8}};
    uint32_t last = 0;
    for (uint32_t i = 0; i < warp->stack.depth; i++) {
        const StackEntry *entry = &warp->stack.entries[i];
        const uint32_t fields[] = {entry->pc, entry->reconverge, entry->mask, entry->frame, entry->blocked, warp->carry};
        hash_bytes(&hash, fields, sizeof fields);
        if (entry->frame > last) last = entry->frame;
    }
    uint32_t slots = 0, local = 0; /* bytes that the frames take */
    for (uint32_t i = 0; i <= last; i++) {
        const Frame *frame = &warp->frames[i];
        const CodeFunction *function = &code->functions[frame->function];
        hash_bytes(&hash, frame, sizeof *frame);
        slots = frame->slots_base + function->frame_slots_bytes;
        if (frame->local_base + function->frame_local_bytes > local) local = frame->local_base + function->frame_local_bytes;
    }
    hash_bytes(&hash, warp->registers, slots);
    hash_bytes(&hash, warp->local, (size_t)local * WARP_LANES);
    uint64_t whole = 0;
    for (int i = 0; i < 8; i++) whole = mix(whole, hash.sums[i]);
    return whole;
}

static void note_read(Spin *spin, const uint8_t *host, unsigned bytes) {
    for (unsigned at = 0; at < bytes; at += 8) {
        Polled polled = {.host = host + at, .bytes = bytes - at < 8 ? bytes - at : 8};
        memcpy(&polled.value, polled.host, polled.bytes);
        spin->values = mix(mix(spin->values, (uintptr_t)polled.host), polled.value);
        if (spin->n_polled && spin->polled[spin->n_polled - 1].host == polled.host) continue;
        if (spin->n_polled == POLLED_MOST) {
            spin->incomplete = true;
            return;
        }
        if (spin->n_polled == spin->capacity) {
            spin->capacity = spin->capacity ? spin->capacity * 2 : 4;
            spin->polled = alloc_resize(spin->polled, spin->capacity, sizeof *spin->polled);
        }
        spin->polled[spin->n_polled++] = polled;
    }
}

void spin_note(Warp *warp, const Step *step, uint32_t active) {
    if (step->space != SPACE_GLOBAL && step->space != SPACE_SHARED && step->space != SPACE_GENERIC) return;
    Spin *spin = &warp->spin;
    uint64_t offset = step->space == SPACE_SHARED ? WINDOW_SHARED : 0;
    bool atomic = step->exec == EXEC_ATOM || step->exec == EXEC_MBARRIER;
    unsigned bytes = step->whole;
    const uint64_t *addr = warp->worker->access.addr;
    warp_addresses(warp, step->s[0], step->address_bytes, step->offset, active);
    for (unsigned l = 0; l < WARP_LANES; l++) {
        uint64_t generic = addr[l] + offset;
        if (l && addr[l] == addr[l - 1]) continue; /* inactive lanes' addresses are the first active one's */
        const uint8_t *host = window_space(generic) == SPACE_CONST ? NULL : block_host(warp->block, generic, bytes);
        if (host) note_read(spin, host, bytes);
    }
    if (!atomic && step->insn->order == ORDER_WEAK && spin->pc != NO_INSN) return;
    unsigned first = lanes_first(active);
    spin->pc = step->pc;
    spin->address = addr[first] + offset;
    spin->lanes = active;
}

static void keep(Warp *warp, uint64_t state) {
    Spin *spin = &warp->spin;
    spin->state = state;
    spin->ended = memory_ended(warp->worker->launch->memory);
    spin->iterations = spin->n_polled = 0;
    spin->incomplete = false;
}

bool spin_iteration(Warp *warp) {
    Spin *spin = &warp->spin;
    uint64_t state = state_of(warp);
    if (!spin->watching) {
        spin->watching = true;
        spin->limit = 1;
        spin->pc = NO_INSN;
        keep(warp, state);
    } else if (state == spin->state && !spin->incomplete) {
        spin->parked = true;
    } else if (++spin->iterations >= spin->limit) {
        if (spin->limit < ITERATIONS_MOST) spin->limit *= 2;
        keep(warp, state);
    }
    bool changed = spin->values != spin->last_values;
    spin->last_values = spin->values;
    spin->values = 0;
    return changed;
}

bool spin_changed(const Warp *warp) {
    const Spin *spin = &warp->spin;
    if (!spin->watching) return false;
    if (spin->ended != memory_ended(warp->worker->launch->memory)) return true;
    for (uint32_t i = 0; i < spin->n_polled; i++)
        if (memcmp(spin->polled[i].host, &spin->polled[i].value, spin->polled[i].bytes) != 0) return true;
    return false;
}

bool spin_wakes(Warp *warp) {
    if (!spin_changed(warp)) return false;
    spin_reset(&warp->spin);
    return true;
}
