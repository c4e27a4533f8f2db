/* Loads and stores: addresses, bounds, observers, then the data. What is not plain goes by way of bounds.c. */
#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "machine/each_lane.h"
#include "machine/warp.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

static inline void fill_addresses(Warp *warp, Slot slot, unsigned slot_bytes, uint64_t offset, uint32_t active) {
    uint64_t *addresses = warp->worker->access.addr; /* clang 14 with UBSan crashes on the array's name itself */
    uint64_t *addr = __builtin_assume_aligned(addresses, 64);
    if (slot == NO_SLOT) {
        for (int l = 0; l < WARP_LANES; l++) addr[l] = offset;
        return;
    }
    if (slot_bytes == 8) {
        const uint64_t *base = __builtin_assume_aligned(warp_at(warp, slot), 64);
        EACH_LANE addr[i] = base[i] + offset;
    } else {
        const uint32_t *base = __builtin_assume_aligned(warp_at(warp, slot), 64);
        EACH_LANE addr[i] = (uint32_t)(base[i] + (uint32_t)offset);
    }
    if (active == LANES_ALL) return;
    uint64_t filler = addr[__builtin_ctz(active)];
    for (int l = 0; l < WARP_LANES; l++) addr[l] = active >> l & 1 ? addr[l] : filler;
}

void warp_addresses(Warp *warp, Slot slot, unsigned slot_bytes, uint64_t offset, uint32_t active) {
    fill_addresses(warp, slot, slot_bytes, offset, active);
}

/* How the lanes' addresses lie. */
typedef struct Extent {
    uint64_t low, high; /* lowest and highest */
    uint64_t bits;      /* that occur in them, or, lower ones, in the distance of those that are strided */
} Extent;

/* Whether each lane is as far from its predecessor, less than 2 GiB: no address then wraps around unnoticed, as the first or the last of all
 * would be far outside of everything. */
static inline bool find_stride(const uint64_t *addr, int64_t *stride) {
    uint64_t first = addr[0], step = addr[1] - first;
    *stride = (int64_t)step;
    if (*stride != (int32_t)step) return false;
#ifdef __AVX512F__ /* compilers do not find the short way: compare with what is expected, eight lanes at a time */
    __m512i by_lane = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), steps = _mm512_set1_epi64(*stride);
    __m512i expected = _mm512_add_epi64(_mm512_set1_epi64((int64_t)first), _mm512_mul_epi32(by_lane, steps));
    __mmask8 wrong = 0;
    for (unsigned l = 0; l < WARP_LANES; l += 8) {
        wrong |= _mm512_cmpneq_epi64_mask(_mm512_load_si512(addr + l), expected);
        expected = _mm512_add_epi64(expected, _mm512_slli_epi64(steps, 3));
    }
#else
    uint64_t wrong = 0, expected = first;
    for (unsigned l = 0; l < WARP_LANES; l++, expected += step) wrong |= addr[l] ^ expected;
#endif
    return !wrong;
}

static inline Extent find_extent(Access *access, uint32_t lanes) {
    const uint64_t *addr = access->addr;
    access->strided = lanes == LANES_ALL && find_stride(addr, &access->stride);
    uint64_t first = addr[0], last = addr[WARP_LANES - 1];
    if (access->strided)
        return (Extent){first < last ? first : last, first < last ? last : first, first | (uint64_t)access->stride};
    uint64_t least = first, most = first, all = 0;
    for (int l = 0; l < WARP_LANES; l++) {
        least = addr[l] < least ? addr[l] : least;
        most = addr[l] > most ? addr[l] : most;
        all |= addr[l];
    }
    return (Extent){least, most, all};
}

static void prefetch(const Allocation *in, uint64_t address) {
    uint64_t offset = address - in->address;
    if (offset >= in->bytes) return;
    __builtin_prefetch(in->host + offset);
    __builtin_prefetch(in->host + offset + 64);
}

/* The allocation that holds all of the lanes' bytes, or NULL. The host's caches are told where the next warp will probably go, as far
 * from here as this one is from the one before, and the next block's first warp likewise. */
static inline Allocation *one_allocation(Warp *warp, const Step *step, uint8_t kind, uint64_t low, uint64_t high,
                                         unsigned bytes) {
    Recent *recent = &warp->worker->recent[step->pc];
    Allocation *in = recent->allocation;
    if (!in || low - in->address >= in->bytes) {
        in = memory_find(warp->worker->launch->memory, low);
        if (!in) return NULL;
        recent->allocation = in;
        warp_mark(in, kind);
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

/* An access that is in one buffer, or in shared memory, in bounds and aligned. False: some other, or one that is wrong. */
static ALWAYS_INLINE bool find_piece(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t lanes, unsigned bytes,
                                     Piece *piece) {
    Access *access = &warp->worker->access;
    if (space == SPACE_LOCAL || space == SPACE_PARAM) return false;
    Extent extent = find_extent(access, lanes);
    if (extent.bits & (bytes - 1)) return false;
    *piece =
        (Piece){.space = space, .contiguous = access->strided && access->stride == bytes, .lanes = lanes, .addr = access->addr};
    if (space == SPACE_SHARED) {
        uint64_t limit = warp->block->shared_bytes;
        piece->host = (uintptr_t)warp->block->shared;
        return extent.high < limit && bytes <= limit - extent.high;
    }
    const Allocation *in = one_allocation(warp, step, kind, extent.low, extent.high, bytes);
    if (!in || (in->constant && kind != ACCESS_LOAD)) return false;
    piece->space = in->constant ? SPACE_CONST : SPACE_GLOBAL;
    piece->base = in->address;
    piece->host = (uintptr_t)in->host - in->address;
    return true;
}

static ALWAYS_INLINE bool show(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t lanes, unsigned bytes,
                               const void *data) {
    Worker *worker = warp->worker;
    Access *access = &worker->access;
    access->pc = step->pc;
    access->space = space;
    access->kind = kind;
    access->policy = step->policy;
    access->order = step->order;
    access->bytes = (uint8_t)bytes;
    access->active = lanes;
    access->data = data;
    for (uint32_t o = 0; o < worker->n_observers; o++) {
        const Observer *observer = worker->observers[o];
        if (observer->on_access && !observer->on_access(observer->self, &warp->place, access, &worker->fault))
            return warp_blame(warp, worker->fault.lane);
    }
    return true;
}

bool warp_show(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t lanes, unsigned bytes, const void *data) {
    return show(warp, step, space, kind, lanes, bytes, data);
}

/* Inlined into loads and stores, so that `move` is no call through a pointer. */
static ALWAYS_INLINE bool access_inlined(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t active,
                                         unsigned bytes, const void *data, PieceMove *move) {
    Piece piece;
    if (!find_piece(warp, step, space, kind, active, bytes, &piece))
        return warp_access_unplain(warp, step, space, kind, active, bytes, data, move);
    return show(warp, step, piece.space, kind, active, bytes, data) && move(warp, step, &piece);
}

bool warp_access(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t active, unsigned bytes, const void *data,
                 PieceMove *move) {
    return access_inlined(warp, step, space, kind, active, bytes, data, move);
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
static NOINLINE void gather_element(const Step *step, const Piece *piece, unsigned at, void *slot) {
    uintptr_t host = piece->host + at;
    const uint64_t *addr = piece->addr;
    uint32_t lanes = piece->lanes;
    if (step->bytes == 4 && step->lane_bytes == 4 && !piece->scattered) {
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

static NOINLINE void load_elements(Warp *warp, const Step *step, const Piece *piece) {
    for (unsigned i = 0; i < step->vec; i++) {
        if (step->data[i] == NO_SLOT) continue;
        void *slot = warp_at(warp, step->data[i]);
        unsigned at = i * step->bytes;
        if (piece->space != SPACE_LOCAL) {
            gather_element(step, piece, at, slot);
            continue;
        }
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (piece->lanes >> l & 1)
                lane_put(slot, step->lane_bytes, l,
                         extend(local_get(warp->local, l, piece->addr[l] + at, step->bytes), step->bytes, step->sign));
    }
}

/* Lane after lane in memory as in a register: see Piece. */
static inline bool as_in_register(const Step *step, const Piece *piece) {
    return piece->contiguous && step->vec == 1 && step->bytes == step->lane_bytes;
}

static ALWAYS_INLINE bool load_piece(Warp *warp, const Step *step, const Piece *piece) {
    if (as_in_register(step, piece) && step->data[0] != NO_SLOT)
        copy_lanes(warp_at(warp, step->data[0]), piece_at(piece, 0), step->bytes);
    else
        load_elements(warp, step, piece);
    return true;
}

static void memory_addresses(Warp *warp, const Step *step, uint32_t active) {
    uint64_t offset = step->offset;
    if (step->frame_relative) offset += warp->frames[warp->paths[warp->n_paths - 1].frame].local_base;
    fill_addresses(warp, step->s[0], step->address_bytes, offset, active);
}

bool warp_load(Warp *warp, const Step *step, uint32_t active) {
    memory_addresses(warp, step, active);
    if (step->space == SPACE_GLOBAL || step->space == SPACE_GENERIC) warp->read_global = true;
    return access_inlined(warp, step, step->space, ACCESS_LOAD, active, step->whole, NULL, load_piece);
}

static void scatter_element(const Step *step, const Piece *piece, unsigned at, const void *slot) {
    if (step->bytes == 4 && step->lane_bytes == 4 && piece->lanes == LANES_ALL) {
        const uint32_t *s = __builtin_assume_aligned(slot, 64);
        uintptr_t host = piece->host + at;
        const uint64_t *addr = piece->addr;
        IN_LANE_ORDER *(Loose32 *)(host + addr[i]) = s[i];
    } else {
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint64_t value = lane_get(slot, step->lane_bytes, l);
            if (piece->lanes >> l & 1) memcpy(piece_at(piece, l) + at, &value, step->bytes);
        }
    }
}

static NOINLINE void store_elements(Warp *warp, const Step *step, const Piece *piece) {
    for (unsigned i = 0; i < step->vec; i++) {
        const void *slot = warp_at(warp, step->data[i]);
        unsigned at = i * step->bytes;
        if (piece->space != SPACE_LOCAL) {
            scatter_element(step, piece, at, slot);
            continue;
        }
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (piece->lanes >> l & 1)
                local_put(warp->local, l, piece->addr[l] + at, step->bytes, lane_get(slot, step->lane_bytes, l));
    }
}

static ALWAYS_INLINE bool store_piece(Warp *warp, const Step *step, const Piece *piece) {
    if (as_in_register(step, piece))
        copy_lanes(piece_at(piece, 0), warp_at(warp, step->data[0]), step->bytes);
    else
        store_elements(warp, step, piece);
    return true;
}

/* The values to be stored, lane after lane, as observers see them. */
static NOINLINE const void *pack_data(const Warp *warp, const Step *step) {
    uint8_t *packed = warp->worker->packed;
    for (unsigned i = 0; i < step->vec; i++) {
        const void *slot = warp_at(warp, step->data[i]);
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint64_t value = lane_get(slot, step->lane_bytes, l);
            memcpy(packed + l * step->whole + i * step->bytes, &value, step->bytes);
        }
    }
    return packed;
}

bool warp_store(Warp *warp, const Step *step, uint32_t active) {
    memory_addresses(warp, step, active);
    if (step->space != SPACE_LOCAL) warp->wrote = warp->changed = true;
    bool packed = step->vec == 1 && step->bytes == step->lane_bytes;
    const void *data = packed ? warp_at(warp, step->data[0]) : pack_data(warp, step);
    return access_inlined(warp, step, step->space, ACCESS_STORE, active, step->whole, data, store_piece);
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
