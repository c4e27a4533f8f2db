/* Loads and stores: addresses, bounds, observers, then the data. */
#include <stdio.h>
#include <string.h>

#include "machine/each_lane.h"
#include "machine/warp.h"

static const char *verb(uint8_t kind) {
    switch ((AccessKind)kind) {
    case ACCESS_LOAD: return "reads";
    case ACCESS_STORE: return "writes";
    case ACCESS_ATOMIC:
    case ACCESS_REDUCTION: return "atomically updates";
    }
    return "";
}

void warp_addresses(const Warp *warp, Slot slot, unsigned slot_bytes, uint64_t offset, uint32_t active, uint64_t *addr) {
    if (slot == NO_SLOT) {
        for (int l = 0; l < WARP_LANES; l++) addr[l] = offset;
        return;
    }
    if (slot_bytes == 8) {
        const uint64_t *base = __builtin_assume_aligned(warp_at(warp, slot), 64);
        for (int l = 0; l < WARP_LANES; l++) addr[l] = base[l] + offset;
    } else {
        const uint32_t *base = __builtin_assume_aligned(warp_at(warp, slot), 64);
        for (int l = 0; l < WARP_LANES; l++) addr[l] = (uint32_t)(base[l] + (uint32_t)offset);
    }
    if (active == LANES_ALL) return;
    uint64_t filler = addr[__builtin_ctz(active)];
    for (int l = 0; l < WARP_LANES; l++) addr[l] = active >> l & 1 ? addr[l] : filler;
}

/* Lowest and highest address, and all bits that occur in them. */
static void extent(const uint64_t *addr, uint64_t *low, uint64_t *high, uint64_t *bits) {
    uint64_t least = addr[0], most = addr[0], all = 0;
    for (int l = 0; l < WARP_LANES; l++) {
        least = addr[l] < least ? addr[l] : least;
        most = addr[l] > most ? addr[l] : most;
        all |= addr[l];
    }
    *low = least;
    *high = most;
    *bits = all;
}

static bool misaligned(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t lanes, const uint64_t *addr,
                       unsigned bytes) {
    for (unsigned l = 0; l < WARP_LANES; l++) {
        if (!(lanes >> l & 1) || addr[l] % bytes == 0) continue;
        Fault *fault = &warp->worker->fault;
        const Allocation *in =
            space == SPACE_GLOBAL || space == SPACE_CONST ? memory_find(warp->worker->launch->memory, addr[l]) : NULL;
        char where[200];
        if (in)
            snprintf(where, sizeof where, "'%s'+%llu", in->name, (unsigned long long)(addr[l] - in->address));
        else
            snprintf(where, sizeof where, "byte %llu of %s memory", (unsigned long long)addr[l], space_names[space]);
        fault_set(fault, FAULT_misaligned, step->pc, "lane %u of warp %u %s %u bytes at %s, which is not a multiple of %u", l,
                  warp->place.warp, verb(kind), bytes, where, bytes);
        snprintf(fault->hint, sizeof fault->hint, "an access of %u bytes must start at a multiple of %u bytes", bytes, bytes);
        return warp_blame(warp, l);
    }
    return true;
}

static bool outside_global(Warp *warp, const Step *step, uint8_t kind, unsigned lane, uint64_t address, unsigned bytes) {
    const Allocation *near = memory_nearest(warp->worker->launch->memory, address);
    char where[240];
    uint64_t past = near ? address - near->address - near->bytes : 0;
    const Allocation *freed = memory_retired(warp->worker->launch->memory, address);
    if (freed) {
        snprintf(where, sizeof where, "'%s'+%llu, which has been freed", freed->name,
                 (unsigned long long)(address - freed->address));
    } else if (address < 0x10000) {
        snprintf(where, sizeof where, "address 0x%llx: a null pointer%s", (unsigned long long)address,
                 address ? " plus an offset" : "");
    } else if (!near || (address < near->address ? near->address - address : past + near->bytes) > (UINT64_C(1) << 36)) {
        snprintf(where, sizeof where, "address 0x%llx, which is in no buffer", (unsigned long long)address);
    } else if (address < near->address) {
        snprintf(where, sizeof where, "'%s'-%llu, before its start", near->name, (unsigned long long)(near->address - address));
    } else if (address - near->address >= near->bytes) {
        snprintf(where, sizeof where, "'%s'+%llu, %llu bytes past its end", near->name,
                 (unsigned long long)(address - near->address), (unsigned long long)past);
    } else {
        snprintf(where, sizeof where, "'%s'+%llu, reaching past its end at %llu", near->name,
                 (unsigned long long)(address - near->address), (unsigned long long)near->bytes);
    }
    fault_set(&warp->worker->fault, FAULT_out_of_bounds, step->pc, "lane %u of warp %u %s %u bytes at %s", lane,
              warp->place.warp, verb(kind), bytes, where);
    return warp_blame(warp, lane);
}

static bool outside_block(Warp *warp, const Step *step, uint8_t space, uint8_t kind, unsigned lane, uint64_t offset,
                          unsigned bytes, uint64_t limit) {
    const char *of = space == SPACE_SHARED ? "the block's" : space == SPACE_LOCAL ? "the thread's" : "the kernel's";
    fault_set(&warp->worker->fault, FAULT_out_of_bounds, step->pc,
              "lane %u of warp %u %s %u bytes at byte %lld of %s memory, which ends at byte %llu", lane, warp->place.warp,
              verb(kind), bytes, (long long)offset, space_names[space], (unsigned long long)limit);
    if (space == SPACE_SHARED) {
        const Code *code = warp->worker->code;
        snprintf(warp->worker->fault.hint, sizeof warp->worker->fault.hint,
                 "%s %llu bytes of shared memory are %u static and %u dynamic (the launch's third argument)", of,
                 (unsigned long long)limit, code->shared_static, (uint32_t)(limit - code->shared_static));
    }
    return warp_blame(warp, lane);
}

static void prefetch(const Allocation *in, uint64_t address) {
    uint64_t offset = address - in->address;
    if (offset >= in->bytes) return;
    __builtin_prefetch(in->host + offset);
    __builtin_prefetch(in->host + offset + 64);
}

/* Only the first time that an instruction meets the allocation: whoever asks wants to know whether, not how often. */
static void mark(Allocation *in, uint8_t kind) {
    if (kind != ACCESS_STORE) __atomic_store_n(&in->read, true, __ATOMIC_RELAXED);
    if (kind != ACCESS_LOAD) __atomic_store_n(&in->written, true, __ATOMIC_RELAXED);
}

/* The allocation that holds all of the lanes' bytes, or NULL. The host's caches are told where the next warp will probably go, as far
 * from here as this one is from the one before, and the next block's first warp likewise. */
static Allocation *one_allocation(Warp *warp, const Step *step, uint8_t kind, uint64_t low, uint64_t high, unsigned bytes) {
    Recent *recent = &warp->worker->recent[step->pc];
    Allocation *in = recent->allocation;
    if (!in || low - in->address >= in->bytes) {
        in = memory_find(warp->worker->launch->memory, low);
        if (!in) return NULL;
        recent->allocation = in;
        mark(in, kind);
    }
    prefetch(in, low + (low - recent->low));
    recent->low = low;
    if (warp->place.warp == 0) {
        prefetch(in, low + (low - recent->first));
        recent->first = low;
    }
    uint64_t last = high - in->address;
    return last < in->bytes && bytes <= in->bytes - last ? in : NULL;
}

static bool check_lanes(Warp *warp, const Step *step, uint8_t kind, uint32_t lanes, const uint64_t *addr, unsigned bytes) {
    for (unsigned l = 0; l < WARP_LANES; l++) {
        if (!(lanes >> l & 1)) continue;
        const Allocation *in = memory_find(warp->worker->launch->memory, addr[l]);
        if (!in || in->bytes - (addr[l] - in->address) < bytes) return outside_global(warp, step, kind, l, addr[l], bytes);
    }
    return true;
}

static bool read_only(Warp *warp, const Step *step, const Allocation *in, uint32_t lanes, const uint64_t *addr) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    fault_set(&warp->worker->fault, FAULT_read_only, step->pc, "lane %u of warp %u writes constant memory: '%s'+%llu", lane,
              warp->place.warp, in->name, (unsigned long long)(addr[lane] - in->address));
    return warp_blame(warp, lane);
}

static bool notify(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t lanes, unsigned bytes, const void *data,
                   bool contiguous) {
    Worker *worker = warp->worker;
    Access *access = &worker->access;
    access->pc = step->pc;
    access->space = space;
    access->kind = kind;
    access->policy = step->insn->policy;
    access->order = step->insn->order;
    access->bytes = (uint8_t)bytes;
    access->active = lanes;
    access->contiguous = contiguous;
    access->data = data;
    for (uint32_t o = 0; o < worker->n_observers; o++) {
        const Observer *observer = worker->observers[o];
        if (observer->on_access && !observer->on_access(observer->self, &warp->place, access, &worker->fault))
            return warp_blame(warp, worker->fault.lane);
    }
    return true;
}

/* Whether lane l's address is addr[0] + l * bytes; bytes is a power of two. */
static bool is_contiguous(const uint64_t *addr, unsigned bytes) {
    uint64_t wrong = 0, first = addr[0];
    unsigned shift = (unsigned)__builtin_ctz(bytes);
    for (unsigned l = 0; l < WARP_LANES; l++) wrong |= addr[l] - (first + ((uint64_t)l << shift));
    return !wrong;
}

/* Several buffers: one piece for each. */
static bool access_buffers(Warp *warp, const Step *step, uint8_t kind, uint32_t lanes, const uint64_t *addr, unsigned bytes,
                           const void *data, PieceMove *move) {
    if (!check_lanes(warp, step, kind, lanes, addr, bytes)) return false;
    if (!notify(warp, step, SPACE_GLOBAL, kind, lanes, bytes, data, false)) return false;
    Piece piece = {.space = SPACE_GLOBAL, .scattered = true, .addr = addr};
    for (uint32_t left = lanes; left; left &= ~piece.lanes) {
        Allocation *in = memory_find(warp->worker->launch->memory, addr[__builtin_ctz(left)]);
        mark(in, kind);
        if (in->constant && kind != ACCESS_LOAD) return read_only(warp, step, in, left, addr);
        piece.lanes = 0;
        piece.base = in->address;
        piece.host = (uintptr_t)in->host - in->address;
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (left >> l & 1 && addr[l] - in->address < in->bytes) piece.lanes |= 1u << l;
        if (!move(warp, step, &piece)) return false;
    }
    return true;
}

static bool access_global(Warp *warp, const Step *step, uint8_t kind, uint32_t lanes, const uint64_t *addr, unsigned bytes,
                          const void *data, PieceMove *move) {
    uint64_t low = addr[0], high = addr[WARP_LANES - 1], bits = low;
    bool contiguous = lanes == LANES_ALL && is_contiguous(addr, bytes);
    if (!contiguous) extent(addr, &low, &high, &bits);
    uint8_t space = SPACE_GLOBAL;
    if (bits & (bytes - 1) && !misaligned(warp, step, space, kind, lanes, addr, bytes)) return false;
    uint64_t *shown = warp->worker->access.addr;
    if (addr != shown) memcpy(shown, addr, sizeof warp->worker->access.addr);
    const Allocation *in = one_allocation(warp, step, kind, low, high, bytes);
    if (!in) return access_buffers(warp, step, kind, lanes, addr, bytes, data, move);
    if (in->constant) space = SPACE_CONST;
    if (in->constant && kind != ACCESS_LOAD) return read_only(warp, step, in, lanes, addr);
    if (!notify(warp, step, space, kind, lanes, bytes, data, contiguous)) return false;
    Piece piece = {.space = SPACE_GLOBAL,
                   .contiguous = contiguous,
                   .lanes = lanes,
                   .base = in->address,
                   .host = (uintptr_t)in->host - in->address,
                   .addr = addr};
    return move(warp, step, &piece);
}

/* Shared, local and parameter memory: addresses are offsets from 0 to a limit. */
static bool access_block(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t lanes, const uint64_t *addr,
                         unsigned bytes, const void *data, PieceMove *move) {
    const Launch *launch = warp->worker->launch;
    Access *access = &warp->worker->access;
    uint64_t limit = space == SPACE_SHARED  ? warp->block->shared_bytes
                     : space == SPACE_LOCAL ? warp->worker->code->stack_local_bytes
                                            : launch->kernel->param_bytes;
    uint64_t low = addr[0], high = addr[WARP_LANES - 1], bits = low;
    bool contiguous = lanes == LANES_ALL && is_contiguous(addr, bytes);
    if (contiguous)
        high = high < low ? UINT64_MAX : high;
    else
        extent(addr, &low, &high, &bits);
    if (high >= limit || bytes > limit - high)
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (lanes >> l & 1 && (addr[l] >= limit || bytes > limit - addr[l]))
                return outside_block(warp, step, space, kind, l, addr[l], bytes, limit);
    if (bits & (bytes - 1) && !misaligned(warp, step, space, kind, lanes, addr, bytes)) return false;
    Piece piece = {.space = space, .contiguous = contiguous, .lanes = lanes, .addr = addr};
    if (space == SPACE_SHARED) {
        piece.host = (uintptr_t)warp->block->shared;
        if (addr != access->addr) memcpy(access->addr, addr, sizeof access->addr);
        if (!notify(warp, step, space, kind, lanes, bytes, data, contiguous)) return false;
    } else if (space == SPACE_LOCAL) {
        /* Each warp that an SM can hold has local memory of its own. */
        uint64_t warps =
            (uint64_t)(warp->place.sm * launch->resident + warp->place.slot) * warp->block->n_warps + warp->place.warp;
        uint64_t base = WINDOW_LOCAL + warps * warp->worker->code->stack_local_bytes * WARP_LANES;
        memcpy(access->local, addr, sizeof access->local);
        for (unsigned l = 0; l < WARP_LANES; l++)
            access->addr[l] = base + (access->local[l] / 4 * WARP_LANES + l) * 4 + access->local[l] % 4;
        piece.host = (uintptr_t)warp->local;
        piece.addr = access->local;
        if (!notify(warp, step, space, kind, lanes, bytes, data, false)) return false;
    } else {
        if (kind != ACCESS_LOAD) {
            unsigned lane = (unsigned)__builtin_ctz(lanes);
            fault_set(&warp->worker->fault, FAULT_read_only, step->pc, "lane %u of warp %u writes the kernel's parameters",
                      lane, warp->place.warp);
            return warp_blame(warp, lane);
        }
        piece.host = (uintptr_t)launch->params; /* only read, as kind says */
    }
    return move(warp, step, &piece);
}

static uint8_t window_space(uint64_t address) {
    switch (address / WINDOW_BYTES) {
    case WINDOW_SHARED / WINDOW_BYTES: return SPACE_SHARED;
    case WINDOW_LOCAL / WINDOW_BYTES: return SPACE_LOCAL;
    case WINDOW_CONST / WINDOW_BYTES: return SPACE_CONST;
    case WINDOW_PARAM / WINDOW_BYTES: return SPACE_PARAM;
    default: return SPACE_GLOBAL;
    }
}

static uint64_t window_base(uint8_t space) {
    switch ((Space)space) {
    case SPACE_SHARED: return WINDOW_SHARED;
    case SPACE_LOCAL: return WINDOW_LOCAL;
    case SPACE_PARAM: return WINDOW_PARAM;
    case SPACE_GLOBAL:
    case SPACE_CONST:
    case SPACE_GENERIC:
    case SPACE_COUNT: break;
    }
    return 0;
}

bool warp_access(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t active, const uint64_t *addr,
                 unsigned bytes, const void *data, PieceMove *move) {
    if (space == SPACE_GLOBAL || space == SPACE_CONST) return access_global(warp, step, kind, active, addr, bytes, data, move);
    if (space != SPACE_GENERIC) return access_block(warp, step, space, kind, active, addr, bytes, data, move);
    uint64_t generic[WARP_LANES]; /* a copy: addr may be the access that the observers are shown */
    memcpy(generic, addr, sizeof generic);
    addr = generic;
    for (uint32_t left = active; left;) { /* generic: lanes may even be in different spaces */
        unsigned first = (unsigned)__builtin_ctz(left);
        uint8_t found = window_space(addr[first]);
        uint64_t base = window_base(found), inner[WARP_LANES];
        uint32_t lanes = 0;
        for (unsigned l = 0; l < WARP_LANES; l++) {
            bool same = window_space(addr[l]) == found;
            if (same && left >> l & 1) lanes |= 1u << l;
            inner[l] = addr[same ? l : first] - base;
        }
        left &= ~lanes;
        if (!warp_access(warp, step, found, kind, lanes, inner, bytes, data, move)) return false;
    }
    return true;
}

uint64_t local_get(const uint8_t *local, unsigned lane, uint64_t offset, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, local + (offset / 4 * WARP_LANES + lane) * 4 + offset % 4, bytes < 4 ? bytes : 4);
    if (bytes == 8) {
        uint32_t upper;
        memcpy(&upper, local + ((offset / 4 + 1) * WARP_LANES + lane) * 4, 4);
        value |= (uint64_t)upper << 32;
    }
    return value;
}

void local_put(uint8_t *local, unsigned lane, uint64_t offset, unsigned bytes, uint64_t value) {
    memcpy(local + (offset / 4 * WARP_LANES + lane) * 4 + offset % 4, &value, bytes < 4 ? bytes : 4);
    uint32_t upper = (uint32_t)(value >> 32);
    if (bytes == 8) memcpy(local + ((offset / 4 + 1) * WARP_LANES + lane) * 4, &upper, 4);
}

static uint64_t extend(uint64_t value, unsigned bytes, bool sign) {
    if (!sign || bytes == 8) return value;
    unsigned shift = 64 - 8 * bytes;
    return (uint64_t)((int64_t)(value << shift) >> shift);
}

static void lane_put(void *slot, unsigned lane_bytes, unsigned lane, uint64_t value) {
    if (lane_bytes == 8)
        ((uint64_t *)slot)[lane] = value;
    else
        ((uint32_t *)slot)[lane] = (uint32_t)value;
}

static uint64_t lane_get(const void *slot, unsigned lane_bytes, unsigned lane) {
    return lane_bytes == 8 ? ((const uint64_t *)slot)[lane] : ((const uint32_t *)slot)[lane];
}

/* Words anywhere, of any type: written so that compilers gather. */
typedef uint32_t Loose32 __attribute__((aligned(1), may_alias));
typedef uint64_t Loose64 __attribute__((aligned(1), may_alias));

/* Constant sizes: compilers copy these with a few vector moves. */
static void copy_lanes(void *to, const void *from, unsigned bytes) {
    if (bytes == 4)
        memcpy(to, from, 4 * WARP_LANES);
    else
        memcpy(to, from, 8 * WARP_LANES);
}

/* One element of every lane from memory into a register's slot; `at` is the element's offset within the access. */
static void load_element(const Step *step, const Piece *piece, unsigned at, void *slot) {
    uintptr_t host = piece->host + at;
    const uint64_t *addr = piece->addr;
    uint32_t lanes = piece->lanes;
    if (piece->contiguous && step->vec == 1 && step->bytes == step->lane_bytes) {
        copy_lanes(slot, piece_at(piece, 0), step->bytes);
    } else if (step->bytes == 4 && step->lane_bytes == 4 && !piece->scattered) {
        uint32_t *d = __builtin_assume_aligned(slot, 64);
        if (lanes == LANES_ALL)
            EACH_LANE d[i] = *(const Loose32 *)(host + addr[i]);
        else
            EACH_LANE d[i] = lanes >> i & 1 ? *(const Loose32 *)(host + addr[i]) : d[i];
    } else if (step->bytes == 8 && !piece->scattered) {
        uint64_t *d = __builtin_assume_aligned(slot, 64);
        EACH_LANE d[i] = lanes >> i & 1 ? *(const Loose64 *)(host + addr[i]) : d[i];
    } else {
        for (unsigned l = 0; l < WARP_LANES; l++) {
            if (!(lanes >> l & 1)) continue;
            uint64_t value = 0;
            memcpy(&value, piece_at(piece, l) + at, step->bytes);
            lane_put(slot, step->lane_bytes, l, extend(value, step->bytes, step->sign));
        }
    }
}

static bool load_piece(Warp *warp, const Step *step, const Piece *piece) {
    for (unsigned i = 0; i < step->vec; i++) {
        if (step->data[i] == NO_SLOT) continue;
        void *slot = warp_at(warp, step->data[i]);
        unsigned at = i * step->bytes;
        if (piece->space != SPACE_LOCAL) {
            load_element(step, piece, at, slot);
            continue;
        }
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (piece->lanes >> l & 1)
                lane_put(slot, step->lane_bytes, l,
                         extend(local_get(warp->local, l, piece->addr[l] + at, step->bytes), step->bytes, step->sign));
    }
    return true;
}

static void memory_addresses(const Warp *warp, const Step *step, uint32_t active, uint64_t *addr) {
    uint64_t offset = step->offset;
    if (step->frame_relative) offset += warp->frames[warp->paths[warp->n_paths - 1].frame].local_base;
    warp_addresses(warp, step->s[0], step->address_bytes, offset, active, addr);
}

bool warp_load(Warp *warp, const Step *step, uint32_t active) {
    uint64_t *addr = warp->worker->access.addr;
    memory_addresses(warp, step, active, addr);
    if (step->space == SPACE_GLOBAL || step->space == SPACE_GENERIC) warp->read_global = true;
    return warp_access(warp, step, step->space, ACCESS_LOAD, active, addr, step->bytes * step->vec, NULL, load_piece);
}

static void store_element(const Step *step, const Piece *piece, unsigned at, const void *slot) {
    if (piece->contiguous && step->vec == 1 && step->bytes == step->lane_bytes) {
        copy_lanes(piece_at(piece, 0), slot, step->bytes);
    } else if (step->bytes == 4 && step->lane_bytes == 4 && piece->lanes == LANES_ALL) {
        const uint32_t *s = __builtin_assume_aligned(slot, 64);
        for (unsigned l = 0; l < WARP_LANES; l++) memcpy(piece_at(piece, l) + at, &s[l], 4);
    } else {
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint64_t value = lane_get(slot, step->lane_bytes, l);
            if (piece->lanes >> l & 1) memcpy(piece_at(piece, l) + at, &value, step->bytes);
        }
    }
}

static bool store_piece(Warp *warp, const Step *step, const Piece *piece) {
    for (unsigned i = 0; i < step->vec; i++) {
        const void *slot = warp_at(warp, step->data[i]);
        unsigned at = i * step->bytes;
        if (piece->space != SPACE_LOCAL) {
            store_element(step, piece, at, slot);
            continue;
        }
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (piece->lanes >> l & 1)
                local_put(warp->local, l, piece->addr[l] + at, step->bytes, lane_get(slot, step->lane_bytes, l));
    }
    return true;
}

/* The values to be stored, lane after lane, as observers see them: the register itself where that is how it lies. */
static const void *store_data(const Warp *warp, const Step *step, uint8_t *packed) {
    if (!warp->worker->n_observers) return NULL;
    if (step->vec == 1 && step->bytes == step->lane_bytes) return warp_at(warp, step->data[0]);
    unsigned whole = step->bytes * step->vec;
    for (unsigned i = 0; i < step->vec; i++) {
        const void *slot = warp_at(warp, step->data[i]);
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint64_t value = lane_get(slot, step->lane_bytes, l);
            memcpy(packed + l * whole + i * step->bytes, &value, step->bytes);
        }
    }
    return packed;
}

bool warp_store(Warp *warp, const Step *step, uint32_t active) {
    uint64_t *addr = warp->worker->access.addr;
    uint8_t packed[WARP_LANES * 32];
    memory_addresses(warp, step, active, addr);
    if (step->space != SPACE_LOCAL) warp->wrote = warp->changed = true;
    return warp_access(warp, step, step->space, ACCESS_STORE, active, addr, step->bytes * step->vec,
                       store_data(warp, step, packed), store_piece);
}

void warp_param_load(Warp *warp, const Step *step, uint32_t active) {
    for (unsigned i = 0; i < step->vec; i++) {
        if (step->data[i] == NO_SLOT) continue;
        uint64_t value = 0;
        memcpy(&value, warp->worker->launch->params + step->offset + i * step->bytes, step->bytes);
        value = extend(value, step->bytes, step->sign);
        void *slot = warp_at(warp, step->data[i]);
        if (step->lane_bytes == 8) {
            uint64_t *d = slot;
            for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? value : d[l];
        } else {
            uint32_t *d = slot;
            for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? (uint32_t)value : d[l];
        }
    }
}

/* A .param variable in the frame: the same offset for all lanes, seen by no observer. */
static void frame_access(Warp *warp, const Step *step, uint32_t active, PieceMove *move) {
    uint64_t addr[WARP_LANES], offset = warp->frames[warp->paths[warp->n_paths - 1].frame].local_base + step->offset;
    for (int l = 0; l < WARP_LANES; l++) addr[l] = offset;
    Piece piece = {.space = SPACE_LOCAL, .lanes = active, .addr = addr};
    move(warp, step, &piece);
}

void warp_frame_load(Warp *warp, const Step *step, uint32_t active) { frame_access(warp, step, active, load_piece); }

void warp_frame_store(Warp *warp, const Step *step, uint32_t active) { frame_access(warp, step, active, store_piece); }

bool warp_peek(const Warp *warp, unsigned lane, uint64_t generic, void *to, size_t bytes) {
    uint8_t space = window_space(generic), *out = to;
    uint64_t offset = generic - window_base(space);
    if (space == SPACE_LOCAL) {
        if (offset > warp->worker->code->stack_local_bytes || bytes > warp->worker->code->stack_local_bytes - offset)
            return false;
        for (size_t i = 0; i < bytes; i++) out[i] = (uint8_t)local_get(warp->local, lane, offset + i, 1);
        return true;
    }
    const uint8_t *host = NULL;
    if (space == SPACE_SHARED && offset <= warp->block->shared_bytes && bytes <= warp->block->shared_bytes - offset)
        host = warp->block->shared + offset;
    const Allocation *in =
        space == SPACE_GLOBAL || space == SPACE_CONST ? memory_find(warp->worker->launch->memory, generic) : NULL;
    if (in && bytes <= in->bytes - (generic - in->address)) host = in->host + (generic - in->address);
    if (host) memcpy(to, host, bytes);
    return host != NULL;
}
