#include "machine/loadstore.h"

#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "machine/bounds.h"
#include "machine/defined.h"
#include "machine/lanes.h"

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
    lanes_fill64(addr, addr[lanes_first(active)], ~active);
}

/* Accesses to constant memory have generic addresses. GPUs look at the low 32 bits of its own (tests/conformance: those of an H200 take generic ones). */
static inline void fill_step_addresses(Warp *warp, const Step *step, uint32_t active) {
    uint64_t offset = step->offset;
    if (step->frame_relative) offset += warp_frame(warp)->local_base;
    fill_addresses(warp, step->s[0], step->address_bytes, offset, active);
    if (step->space != SPACE_CONST) return;
    EACH_LANE warp->worker->access.addr[i] = WINDOW_CONST + (uint32_t)warp->worker->access.addr[i];
}

void warp_addresses(Warp *warp, Slot slot, unsigned slot_bytes, uint64_t offset, uint32_t active) {
    fill_addresses(warp, slot, slot_bytes, offset, active);
}

void warp_step_addresses(Warp *warp, const Step *step, uint32_t active) { fill_step_addresses(warp, step, active); }

typedef struct Extent {
    uint64_t low, high; /* the lanes' lowest and highest address */
    uint64_t
        bits; /* bits set in any address, as far as they tell of alignment: of strided ones in the first and in the stride */
} Extent;

/* Whether all lanes have the same distance from their predecessor. It must be less than 2 GiB, so that addresses that wrap around are found
 * out: the first or the last of them is then far outside of all memory. */
static inline bool find_stride(const uint64_t *addr, int64_t *stride) {
    uint64_t first = addr[0], step = addr[1] - first;
    *stride = (int64_t)step;
    if (*stride != (int32_t)step) return false;
#ifdef __AVX512F__ /* compilers do not find this: compare with what is expected, eight lanes at a time */
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

/* The same within each eight lanes, as rows of tiles have it. The stride is the first two lanes'. */
static inline bool find_eights(const uint64_t *addr, int64_t stride) {
#ifdef __AVX512F__
    __m512i by_lane = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), apart = _mm512_mul_epi32(by_lane, _mm512_set1_epi64(stride));
    __mmask8 wrong = 0;
    for (unsigned l = 0; l < WARP_LANES; l += EIGHT) {
        __m512i expected = _mm512_add_epi64(_mm512_set1_epi64((int64_t)addr[l]), apart);
        wrong |= _mm512_cmpneq_epi64_mask(_mm512_load_si512(addr + l), expected);
    }
#else
    uint64_t wrong = 0;
    for (unsigned l = 0; l < WARP_LANES; l++) wrong |= addr[l] ^ (addr[l - l % EIGHT] + l % EIGHT * (uint64_t)stride);
#endif
    return !wrong;
}

static inline Extent find_extent(Access *access, uint32_t lanes) {
    const uint64_t *addr = access->addr;
    access->strided = access->eights = lanes == LANES_ALL && find_stride(addr, &access->stride);
    uint64_t first = addr[0], last = addr[WARP_LANES - 1];
    if (access->strided)
        return (Extent){first < last ? first : last, first < last ? last : first, first | (uint64_t)access->stride};
    access->eights = lanes == LANES_ALL && access->stride == (int32_t)access->stride && find_eights(addr, access->stride);
    uint64_t least = first, most = first, all = access->eights ? (uint64_t)access->stride : 0;
    for (unsigned l = 0; access->eights && l < WARP_LANES; l += EIGHT) {
        uint64_t low = addr[l], high = addr[l + EIGHT - 1];
        all |= low;
        least = low < least ? low : least;
        least = high < least ? high : least;
        most = low > most ? low : most;
        most = high > most ? high : most;
    }
    for (unsigned l = 0; !access->eights && l < WARP_LANES; l++) {
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

/* The allocation that all of the lanes' bytes are in, or NULL. Prefetches on the host what the next warp will probably access, as far from
 * here as this warp's bytes are from the one's before, and for the next block's first warp likewise.
 * warp_mark is called only when the instruction's allocation changes: what is asked later is whether it was accessed, not how often. */
static inline Allocation *one_allocation(Warp *warp, const Step *step, uint8_t kind, uint64_t low, uint64_t high,
                                         unsigned bytes) {
    Recent *recent = &warp->worker->recent[step->pc];
    Allocation *in = recent->allocation;
    if (!in || low - in->address >= in->bytes) {
        in = memory_find(warp->worker->launch->memory, low);
        if (!in) return NULL;
        recent->allocation = in;
        warp_mark(in, kind, step->policy);
    }
    prefetch(in, low + (low - recent->low));
    recent->low = low;
    if (warp->place.warp == 0) {
        prefetch(in, low + (low - recent->first));
        recent->first = low;
    }
    return allocation_holds(in, high, bytes) ? in : NULL;
}

/* The fast path: an access to one allocation or to shared memory, in bounds and aligned. False: any other, be it right or wrong. */
static ALWAYS_INLINE bool resolve(Warp *warp, const Step *step, const Transfer *of, Resolved *at) {
    Access *access = &warp->worker->access;
    const uint8_t space = of->space;
    const unsigned bytes = of->bytes;
    if (space == SPACE_LOCAL || space == SPACE_PARAM) return false;
    Extent extent = find_extent(access, of->lanes);
    if (extent.bits & (bytes - 1)) return false;
    *at = (Resolved){.space = space,
                     .eights = access->eights && access->stride == bytes,
                     .alike = access->eights && access->stride == 0,
                     .contiguous = access->strided && access->stride == bytes,
                     .lanes = of->lanes,
                     .addr = access->addr};
    if (space == SPACE_SHARED) {
        uint64_t limit = warp->block->shared_bytes;
        at->host = (uintptr_t)warp->block->shared;
        return extent.high < limit && bytes <= limit - extent.high;
    }
    const Allocation *in = one_allocation(warp, step, of->kind, extent.low, extent.high, bytes);
    if (!in || (in->constant && of->kind != ACCESS_LOAD)) return false;
    at->space = in->constant ? SPACE_CONST : SPACE_GLOBAL;
    at->host = (uintptr_t)in->host - in->address;
    return true;
}

static ALWAYS_INLINE void describe(Access *access, const Step *step, const Transfer *of, uint8_t space) {
    access->pc = step->pc;
    access->space = space;
    access->kind = of->kind;
    access->policy = step->policy;
    access->order = step->order;
    access->uncounted = step->exec == EXEC_BULK || step->exec == EXEC_TENSOR || step->exec == EXEC_MBARRIER ||
                        step->exec == EXEC_TEXTURE || step->exec == EXEC_SURFACE || step->exec == EXEC_CALL;
    access->service = of->kind >= ACCESS_ATOMIC && step->insn->variant == ATOM_CAS ? SERVICE_SWAP : SERVICE_EACH;
    access->bytes = of->bytes;
    access->active = of->lanes;
    access->data = of->data;
    access->meets = step->exec == EXEC_MBARRIER && of->kind != ACCESS_STORE;
}

static ALWAYS_INLINE bool show(Warp *warp, const Step *step, const Transfer *of, uint8_t space) {
    Worker *worker = warp->worker;
    Access *access = &worker->access;
    warp->accesses += space == SPACE_GLOBAL;
    describe(access, step, of, space);
    if (of->kind == ACCESS_STORE && worker->undefined.any && space == SPACE_GLOBAL &&
        !defined_leaves(warp, of->lanes, of->bytes))
        return false;
    for (uint32_t o = 0; o < worker->n_observers; o++) {
        const Observer *observer = worker->observers[o];
        if (observer->on_access && !observer->on_access(observer->self, &warp->place, access, &worker->fault)) return false;
    }
    return true;
}

bool warp_show(Warp *warp, const Step *step, Transfer transfer) { return show(warp, step, &transfer, transfer.space); }

bool warp_show_peer(Warp *warp, const Step *step, Transfer transfer, const Place *owner) {
    Worker *worker = warp->worker;
    describe(&worker->access, step, &transfer, SPACE_SHARED);
    for (uint32_t o = 0; o < worker->n_observers; o++) {
        const Observer *observer = worker->observers[o];
        if (observer->on_peer_access &&
            !observer->on_peer_access(observer->self, &warp->place, owner, &worker->access, &worker->fault))
            return false;
    }
    return true;
}

/* Inlined into loads and stores, so that `move` is no call through a pointer. */
static ALWAYS_INLINE bool access_inlined(Warp *warp, const Step *step, Transfer transfer) {
    Resolved at;
    if (!resolve(warp, step, &transfer, &at)) return warp_access_slowly(warp, step, transfer);
    if (!show(warp, step, &transfer, at.space)) return false;
    transfer.move(warp, step, &at);
    return true;
}

bool warp_access(Warp *warp, const Step *step, Transfer transfer) { return access_inlined(warp, step, transfer); }

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

/* What gather_element does where each eight lanes have neighbouring elements, or one. */
static ALWAYS_INLINE void gather_eights(const Resolved *at, unsigned offset, uint8_t *slot, unsigned bytes) {
    for (unsigned l = 0; l < WARP_LANES; l += EIGHT) {
        const uint8_t *from = resolved_at(at, l) + offset;
        uint8_t *to = slot + l * bytes;
        if (at->eights)
            memcpy(to, from, EIGHT * bytes);
        else if (bytes == 4)
            for (unsigned i = 0; i < EIGHT; i++) ((uint32_t *)(void *)to)[i] = *(const Loose32 *)from;
        else
            for (unsigned i = 0; i < EIGHT; i++) ((uint64_t *)(void *)to)[i] = *(const Loose64 *)from;
    }
}

/* Elements of 4 bytes likewise, written as they are read afterwards: a processor hands on no 64 bytes that two stores wrote. */
static ALWAYS_INLINE void gather_words(const Resolved *at, unsigned offset, uint8_t *slot) {
#ifdef __AVX512F__
    for (unsigned l = 0; l < WARP_LANES; l += 2 * EIGHT) {
        const uint8_t *low = resolved_at(at, l) + offset, *high = resolved_at(at, l + EIGHT) + offset;
        const __m256i first =
            at->eights ? _mm256_loadu_si256((const void *)low) : _mm256_set1_epi32((int)*(const Loose32 *)low);
        const __m256i second =
            at->eights ? _mm256_loadu_si256((const void *)high) : _mm256_set1_epi32((int)*(const Loose32 *)high);
        _mm512_store_si512(slot + l * 4, _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1));
    }
#else
    gather_eights(at, offset, slot, 4);
#endif
}

/* One element of every lane from memory into a register's slot; offset: of the element within the access. */
static NOINLINE void gather_element(const Step *step, const Resolved *at, unsigned offset, void *slot) {
    uintptr_t host = at->host + offset;
    const uint64_t *addr = at->addr;
    uint32_t lanes = at->lanes;
    bool eights = (at->eights && step->vec == 1) || at->alike;
    if (eights && step->bytes == 4 && step->lane_bytes == 4) {
        gather_words(at, offset, slot);
    } else if (eights && step->bytes == 8) {
        gather_eights(at, offset, slot, 8);
    } else if (step->bytes == 4 && step->lane_bytes == 4 && !at->scattered) {
        uint32_t *d = __builtin_assume_aligned(slot, 64);
        if (lanes == LANES_ALL)
            EACH_LANE d[i] = *(const Loose32 *)(host + addr[i]);
        else
            EACH_LANE d[i] = lanes >> i & 1 ? *(const Loose32 *)(host + addr[i]) : d[i];
    } else if (step->bytes == 8 && !at->scattered) {
        uint64_t *d = __builtin_assume_aligned(slot, 64);
        EACH_LANE d[i] = lanes >> i & 1 ? *(const Loose64 *)(host + addr[i]) : d[i];
    } else {
        EACH_ACTIVE_LANE(l, lanes) {
            uint64_t value = 0;
            memcpy(&value, resolved_at(at, l) + offset, step->bytes);
            lane_put(slot, step->lane_bytes, l, extend(value, step->bytes, step->sign));
        }
    }
}

static NOINLINE void load_elements(Warp *warp, const Step *step, const Resolved *at) {
    for (unsigned i = 0; i < step->vec; i++) {
        if (step->data[i] == NO_SLOT) continue;
        void *slot = warp_at(warp, step->data[i]);
        unsigned offset = i * step->bytes;
        if (at->space != SPACE_LOCAL) {
            gather_element(step, at, offset, slot);
            continue;
        }
        EACH_ACTIVE_LANE(l, at->lanes) {
            uint64_t value = local_get(warp->local, l, at->addr[l] + offset, step->bytes);
            lane_put(slot, step->lane_bytes, l, extend(value, step->bytes, step->sign));
        }
    }
}

/* All lanes, side by side in memory as in a register. */
static inline bool as_in_register(const Step *step, const Resolved *at) {
    return at->contiguous && step->vec == 1 && step->bytes == step->lane_bytes;
}

static ALWAYS_INLINE void load_data(Warp *warp, const Step *step, const Resolved *at) {
    if (as_in_register(step, at) && step->data[0] != NO_SLOT)
        copy_lanes(warp_at(warp, step->data[0]), resolved_at(at, 0), step->bytes);
    else
        load_elements(warp, step, at);
}

bool warp_load(Warp *warp, const Step *step, uint32_t active) {
    fill_step_addresses(warp, step, active);
    if (step->space == SPACE_GLOBAL || step->space == SPACE_GENERIC) warp->read_global = true;
    warp->worker->undefined.any = false;
    return access_inlined(warp, step, (Transfer){step->space, ACCESS_LOAD, step->whole, active, NULL, load_data});
}

static void scatter_element(const Step *step, const Resolved *at, unsigned offset, const void *slot) {
    if (at->eights && step->vec == 1 && step->bytes == 4 && step->lane_bytes == 4) {
        for (unsigned l = 0; l < WARP_LANES; l += EIGHT) memcpy(resolved_at(at, l), (const uint8_t *)slot + l * 4, EIGHT * 4);
    } else if (step->bytes == 4 && step->lane_bytes == 4 && at->lanes == LANES_ALL) {
        const uint32_t *s = __builtin_assume_aligned(slot, 64);
        uintptr_t host = at->host + offset;
        const uint64_t *addr = at->addr;
        IN_LANE_ORDER *(Loose32 *)(host + addr[i]) = s[i];
    } else {
        EACH_ACTIVE_LANE(l, at->lanes) {
            uint64_t value = lane_get(slot, step->lane_bytes, l);
            memcpy(resolved_at(at, l) + offset, &value, step->bytes);
        }
    }
}

static NOINLINE void store_elements(Warp *warp, const Step *step, const Resolved *at) {
    for (unsigned i = 0; i < step->vec; i++) {
        const void *slot = warp_at(warp, step->data[i]);
        unsigned offset = i * step->bytes;
        if (at->space != SPACE_LOCAL) {
            scatter_element(step, at, offset, slot);
            continue;
        }
        EACH_ACTIVE_LANE(l, at->lanes) {
            local_put(warp->local, l, at->addr[l] + offset, step->bytes, lane_get(slot, step->lane_bytes, l));
        }
    }
}

static ALWAYS_INLINE void store_data(Warp *warp, const Step *step, const Resolved *at) {
    if (as_in_register(step, at))
        copy_lanes(resolved_at(at, 0), warp_at(warp, step->data[0]), step->bytes);
    else
        store_elements(warp, step, at);
}

/* One element of every lane: bytes is a constant where this is inlined, so that no copy is a call. */
static ALWAYS_INLINE void pack_element(uint8_t *packed, size_t whole, const void *slot, unsigned lane_bytes, unsigned bytes) {
    for (unsigned l = 0; l < WARP_LANES; l++) {
        uint64_t value = lane_get(slot, lane_bytes, l);
        memcpy(packed + l * whole, &value, bytes);
    }
}

/* The values to be stored, lane after lane, as observers see them. */
static NOINLINE const void *pack_data(const Warp *warp, const Step *step) {
    uint8_t *packed = warp->worker->packed;
    for (unsigned i = 0; i < step->vec; i++) {
        const void *slot = warp_at(warp, step->data[i]);
        uint8_t *to = packed + i * step->bytes;
        switch (step->bytes) {
        case 1: pack_element(to, step->whole, slot, step->lane_bytes, 1); break;
        case 2: pack_element(to, step->whole, slot, step->lane_bytes, 2); break;
        case 4: pack_element(to, step->whole, slot, step->lane_bytes, 4); break;
        default: pack_element(to, step->whole, slot, step->lane_bytes, 8);
        }
    }
    return packed;
}

bool warp_store(Warp *warp, const Step *step, uint32_t active) {
    fill_step_addresses(warp, step, active);
    if (step->space != SPACE_LOCAL) warp->changed = true;
    if (!warp->watched) warp->worker->undefined.any = false;
    bool packed = step->vec == 1 && step->bytes == step->lane_bytes;
    const void *data = packed ? warp_at(warp, step->data[0]) : pack_data(warp, step);
    return access_inlined(warp, step, (Transfer){step->space, ACCESS_STORE, step->whole, active, data, store_data});
}

void warp_param_load(Warp *warp, const Step *step, uint32_t active) {
    for (unsigned i = 0; i < step->vec; i++) {
        if (step->data[i] == NO_SLOT) continue;
        uint64_t value = 0;
        memcpy(&value, warp->worker->launch->params + step->offset + i * step->bytes, step->bytes);
        value = extend(value, step->bytes, step->sign);
        void *slot = warp_at(warp, step->data[i]);
        if (step->lane_bytes == 8)
            lanes_fill64(slot, value, active);
        else
            lanes_fill32(slot, (uint32_t)value, active);
    }
}

/* A .param variable in the frame: the same offset for all lanes, seen by no observer. */
static void frame_access(Warp *warp, const Step *step, uint32_t active, MoveData *move) {
    uint64_t addr[WARP_LANES], offset = warp_frame(warp)->local_base + step->offset;
    lanes_fill64(addr, offset, LANES_ALL);
    move(warp, step, &(Resolved){.space = SPACE_LOCAL, .lanes = active, .addr = addr});
}

void warp_frame_load(Warp *warp, const Step *step, uint32_t active) { frame_access(warp, step, active, load_data); }

void warp_frame_store(Warp *warp, const Step *step, uint32_t active) { frame_access(warp, step, active, store_data); }
