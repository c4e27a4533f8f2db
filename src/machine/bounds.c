/* Accesses that are not plain: in several buffers or spaces, in local or parameter memory, out of bounds or misaligned. What is wrong with
 * one is said here. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

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

static bool read_only(Warp *warp, const Step *step, const Allocation *in, uint32_t lanes, const uint64_t *addr) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    fault_set(&warp->worker->fault, FAULT_read_only, step->pc, "lane %u of warp %u writes constant memory: '%s'+%llu", lane,
              warp->place.warp, in->name, (unsigned long long)(addr[lane] - in->address));
    return warp_blame(warp, lane);
}

static bool check_lanes(Warp *warp, const Step *step, uint8_t kind, uint32_t lanes, const uint64_t *addr, unsigned bytes) {
    for (unsigned l = 0; l < WARP_LANES; l++) {
        if (!(lanes >> l & 1)) continue;
        const Allocation *in = memory_find(warp->worker->launch->memory, addr[l]);
        if (!in || in->bytes - (addr[l] - in->address) < bytes) return outside_global(warp, step, kind, l, addr[l], bytes);
        if (in->constant && kind != ACCESS_LOAD) return read_only(warp, step, in, 1u << l, addr);
    }
    return true;
}

/* One piece for each buffer. */
static bool access_buffers(Warp *warp, const Step *step, uint8_t kind, uint32_t lanes, unsigned bytes, const void *data,
                           PieceMove *move) {
    const uint64_t *addr = warp->worker->access.addr;
    if (!misaligned(warp, step, SPACE_GLOBAL, kind, lanes, addr, bytes)) return false;
    if (!check_lanes(warp, step, kind, lanes, addr, bytes)) return false;
    if (!warp_show(warp, step, SPACE_GLOBAL, kind, lanes, bytes, data)) return false;
    Piece piece = {.space = SPACE_GLOBAL, .scattered = true, .addr = addr};
    for (uint32_t left = lanes; left; left &= ~piece.lanes) {
        Allocation *in = memory_find(warp->worker->launch->memory, addr[__builtin_ctz(left)]);
        warp_mark(in, kind);
        piece.lanes = 0;
        piece.base = in->address;
        piece.host = (uintptr_t)in->host - in->address;
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (left >> l & 1 && addr[l] - in->address < in->bytes) piece.lanes |= 1u << l;
        if (!move(warp, step, &piece)) return false;
    }
    return true;
}

/* Shared, local and parameter memory: addresses are offsets from 0 to a limit. */
static bool check_block(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t lanes, unsigned bytes,
                        uint64_t limit) {
    const uint64_t *addr = warp->worker->access.addr;
    for (unsigned l = 0; l < WARP_LANES; l++)
        if (lanes >> l & 1 && (addr[l] >= limit || bytes > limit - addr[l]))
            return outside_block(warp, step, space, kind, l, addr[l], bytes, limit);
    return misaligned(warp, step, space, kind, lanes, addr, bytes);
}

static bool access_local(Warp *warp, const Step *step, uint8_t kind, uint32_t lanes, unsigned bytes, const void *data,
                         PieceMove *move) {
    const Launch *launch = warp->worker->launch;
    Access *access = &warp->worker->access;
    uint64_t lane_bytes = warp->worker->code->stack_local_bytes;
    if (!check_block(warp, step, SPACE_LOCAL, kind, lanes, bytes, lane_bytes)) return false;
    /* Each warp that an SM can hold has local memory of its own. */
    uint64_t warps = (uint64_t)(warp->place.sm * launch->resident + warp->place.slot) * warp->block->n_warps + warp->place.warp;
    uint64_t base = WINDOW_LOCAL + warps * lane_bytes * WARP_LANES;
    memcpy(access->local, access->addr, sizeof access->local);
    for (unsigned l = 0; l < WARP_LANES; l++)
        access->addr[l] = base + (access->local[l] / 4 * WARP_LANES + l) * 4 + access->local[l] % 4;
    if (!warp_show(warp, step, SPACE_LOCAL, kind, lanes, bytes, data)) return false;
    Piece piece = {.space = SPACE_LOCAL, .lanes = lanes, .host = (uintptr_t)warp->local, .addr = access->local};
    return move(warp, step, &piece);
}

static bool access_params(Warp *warp, const Step *step, uint8_t kind, uint32_t lanes, unsigned bytes, PieceMove *move) {
    const Launch *launch = warp->worker->launch;
    if (!check_block(warp, step, SPACE_PARAM, kind, lanes, bytes, launch->kernel->param_bytes)) return false;
    if (kind != ACCESS_LOAD) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        fault_set(&warp->worker->fault, FAULT_read_only, step->pc, "lane %u of warp %u writes the kernel's parameters", lane,
                  warp->place.warp);
        return warp_blame(warp, lane);
    }
    Piece piece = {.space = SPACE_PARAM, .lanes = lanes, .host = (uintptr_t)launch->params, .addr = warp->worker->access.addr};
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

/* Lanes may even be in different spaces. */
static bool access_generic(Warp *warp, const Step *step, uint8_t kind, uint32_t lanes, unsigned bytes, const void *data,
                           PieceMove *move) {
    uint64_t *inner = warp->worker->access.addr, generic[WARP_LANES];
    memcpy(generic, inner, sizeof generic);
    for (uint32_t left = lanes; left;) {
        unsigned first = (unsigned)__builtin_ctz(left);
        uint8_t space = window_space(generic[first]);
        uint64_t base = window_base(space);
        uint32_t together = 0;
        for (unsigned l = 0; l < WARP_LANES; l++) {
            bool same = window_space(generic[l]) == space;
            if (same && left >> l & 1) together |= 1u << l;
            inner[l] = generic[same ? l : first] - base;
        }
        left &= ~together;
        if (!warp_access(warp, step, space, kind, together, bytes, data, move)) return false;
    }
    return true;
}

bool warp_access_unplain(Warp *warp, const Step *step, uint8_t space, uint8_t kind, uint32_t lanes, unsigned bytes,
                         const void *data, PieceMove *move) {
    warp->worker->access.strided = false;
    switch ((Space)space) {
    case SPACE_GENERIC: return access_generic(warp, step, kind, lanes, bytes, data, move);
    case SPACE_GLOBAL:
    case SPACE_CONST: return access_buffers(warp, step, kind, lanes, bytes, data, move);
    case SPACE_SHARED: {
        bool fine = check_block(warp, step, space, kind, lanes, bytes, warp->block->shared_bytes);
        assert(!fine); /* what is right in shared memory is plain */
        return fine;
    }
    case SPACE_LOCAL: return access_local(warp, step, kind, lanes, bytes, data, move);
    case SPACE_PARAM: return access_params(warp, step, kind, lanes, bytes, move);
    case SPACE_COUNT: break;
    }
    return true;
}

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
