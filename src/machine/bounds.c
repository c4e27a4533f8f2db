#include "machine/bounds.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "kernel/guard.h"
#include "machine/lanes.h"
#include "machine/peers.h"
#include "machine/warp_fault.h"
#include "ptx/opcode.h"

/* --- windows of the generic addresses --- */

uint8_t window_space(uint64_t generic) {
    switch (generic / WINDOW_BYTES) {
    case WINDOW_SHARED / WINDOW_BYTES: return SPACE_SHARED;
    case WINDOW_LOCAL / WINDOW_BYTES: return SPACE_LOCAL;
    case WINDOW_CONST / WINDOW_BYTES: return SPACE_CONST;
    case WINDOW_PARAM / WINDOW_BYTES: return SPACE_PARAM;
    default: return SPACE_GLOBAL;
    }
}

/* The window's start, which is 0 in the space's own addresses (of global and constant memory those are the generic ones). */
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

/* --- faults --- */

static const char *does(uint8_t kind) { return kind < ACCESS_ATOMIC ? access_verb(kind) : "atomically updates"; }

/* Farther from every allocation than this, an address is no index gone wrong. */
#define NEAR_BYTES (UINT64_C(1) << 36)
/* Elements: an unsigned index of 32 bits is taken to have gone below 0 by no more than this. */
#define WRAPPED_MOST (UINT64_C(1) << 16)

/* The array whose unsigned index went below 0, which leads so far away that another one may be nearer; NULL: none. */
static const Allocation *wrapped_from(const Memory *memory, uint64_t address, unsigned bytes) {
    for (size_t i = 0; i < memory_count(memory); i++) {
        const Allocation *of = memory_at(memory, i);
        uint64_t index = (address - of->address) / bytes;
        if (!of->constant && (address - of->address) % bytes == 0 && index <= UINT32_MAX && index >= UINT32_MAX - WRAPPED_MOST)
            return of;
    }
    return NULL;
}

/* Addresses below count as null pointers with an offset. */
#define NULL_BYTES UINT64_C(0x10000)

/* An address in global memory, beside the buffers. */
typedef struct Where {
    const Allocation *freed, *near, *wrapped; /* that it lies in; the nearest; of an index below 0 */
    uint64_t distance;                        /* from the nearest one's start */
    char text[240];
} Where;

static Where where_of(const Memory *memory, uint64_t address, unsigned bytes) {
    Where where = {.freed = memory_retired(memory, address), .near = memory_nearest(memory, address)};
    const Allocation *freed = where.freed, *near = where.near;
    const bool below = near && address < near->address;
    const unsigned long long distance = !near ? UINT64_MAX : below ? near->address - address : address - near->address;
    char *text = where.text;
    const size_t size = sizeof where.text;
    where.distance = distance;
    where.wrapped = near ? wrapped_from(memory, address, bytes) : NULL;
    if (freed)
        snprintf(text, size, "'%s'+%llu, which has been freed", freed->name, (unsigned long long)(address - freed->address));
    else if (address < NULL_BYTES)
        snprintf(text, size, "address 0x%llx: a null pointer%s", (unsigned long long)address, address ? " plus an offset" : "");
    else if (where.wrapped && distance <= NEAR_BYTES)
        snprintf(text, size, "'%s'[%llu], in elements of %u byte%s", where.wrapped->name,
                 (unsigned long long)(address - where.wrapped->address) / bytes, bytes, plural_s(bytes));
    else if (distance > NEAR_BYTES)
        snprintf(text, size, "address 0x%llx, which is in no buffer", (unsigned long long)address);
    else if (below)
        snprintf(text, size, "'%s'-%llu, before its start", near->name, distance);
    else if (distance == near->bytes)
        snprintf(text, size, "'%s'+%llu, just past its end", near->name, distance);
    else if (distance > near->bytes)
        snprintf(text, size, "'%s'+%llu, %llu byte%s past its end", near->name, distance,
                 (unsigned long long)(distance - near->bytes), plural_s(distance - near->bytes));
    else
        snprintf(text, size, "'%s'+%llu, reaching past its end at %llu", near->name, distance, (unsigned long long)near->bytes);
    return where;
}

static bool misaligned(Warp *warp, const Step *step, const Transfer *of, unsigned lane) {
    const uint64_t address = warp->worker->access.addr[lane];
    const unsigned bytes = of->bytes;
    const Allocation *in = of->space == SPACE_GLOBAL ? memory_find(warp->worker->launch->memory, address) : NULL;
    char where[300];
    if (in)
        snprintf(where, sizeof where, "'%s'+%llu, which is not", in->name, (unsigned long long)(address - in->address));
    else if (of->space == SPACE_GLOBAL)
        snprintf(where, sizeof where, "%s; nor is that", where_of(warp->worker->launch->memory, address, bytes).text);
    else
        snprintf(where, sizeof where, "byte %llu of %s memory, which is not", (unsigned long long)address,
                 space_names[of->space]);
    fault_hint(&warp->worker->fault, "an access of %u bytes must start at a multiple of %u bytes", bytes, bytes);
    return warp_fault(warp, lane, FAULT_misaligned, step->pc, "lane %u of warp %u %s %u bytes at %s a multiple of %u", lane,
                      warp->place.warp, does(of->kind), bytes, where, bytes);
}

/* Elements: an index so far below 0 is one that has gone past the largest int. */
#define OVERFLOWN (UINT64_C(1) << 24)

/* What let the lanes come here, or one of them; of functions that are called it is not known. */
static void add_condition(const Warp *warp, uint32_t pc, bool one, Text *out) {
    const Kernel *kernel = warp->worker->code->kernel;
    const Program *program = kernel->program;
    const Function *own = kernel->function;
    const bool known = pc - own->first < own->count;
    const uint32_t guard = known ? guard_find(program, own, &kernel->flows[own - program->functions], pc) : NO_INSN;
    const uint32_t line = guard == NO_INSN ? 0 : program_location(program, guard, NULL)->line;
    LOCAL_TEXT condition = text_from("a guard");
    /* A line behind the access is that of something else which the compiler has moved. */
    if (line && line <= program_location(program, pc, NULL)->line)
        text_free(&condition), text_add(&condition, "the condition of line %u", line);
    if (known && guard == NO_INSN)
        text_add(out, "is a guard missing? No condition decides who comes here");
    else if (one)
        text_add(out, "does %s let one too many in, as <= for < does, or is the index one too large?", text_string(&condition));
    else
        text_add(out, "does %s compare what the index is made of, by the right bound? Else look at the index",
                 text_string(&condition));
}

/* What the index must have been. */
static bool hint_index(Warp *warp, const Step *step, const Transfer *of, const Allocation *near, uint64_t address) {
    Fault *fault = &warp->worker->fault;
    const unsigned bytes = of->bytes;
    const unsigned long long below = near->address - address, behind = address - near->address - near->bytes;
    if (address < near->address)
        return below % bytes == 0 &&
               fault_hint(fault, "the index is negative: -%llu, in elements of %u byte%s%s", below / bytes, bytes,
                          plural_s(bytes), below / bytes > OVERFLOWN ? ": has an int overflowed, as a product may?" : "");
    if (address < near->address + near->bytes)
        return fault_hint(fault, "only %llu of its %u bytes are there: take the last elements one by one", 0 - behind, bytes);
    unsigned past = 0;
    EACH_ACTIVE_LANE(l, of->lanes) past += warp->worker->access.addr[l] - near->address >= near->bytes;
    if (near->bytes < bytes || (past <= 1 && behind / bytes > OVERFLOWN)) return false;
    const unsigned long long last = (unsigned long long)(near->bytes / bytes) - 1;
    const bool one = past <= 1 && !behind;
    LOCAL_TEXT condition = {0};
    add_condition(warp, step->pc, one, &condition);
    if (one)
        return fault_hint(fault, "elements count from 0, and the last one is number %llu: %s", last, text_string(&condition));
    return fault_hint(fault, "the last element is number %llu, and %u lane%s of this warp go%s past it: %s", last, past,
                      plural_s(past), past == 1 ? "es" : "", text_string(&condition));
}

static bool outside_global(Warp *warp, const Step *step, const Transfer *of, unsigned lane) {
    const uint64_t address = warp->worker->access.addr[lane];
    const Where where = where_of(warp->worker->launch->memory, address, of->bytes);
    const bool known = !where.freed && address >= NULL_BYTES && where.distance <= NEAR_BYTES;
    if (!where.freed) {
        warp->worker->fault.address = address;
        warp->worker->fault.bytes = of->bytes;
    }
    if (known && where.wrapped)
        fault_hint(&warp->worker->fault, "an unsigned index that went below 0? 0 - 1 is the largest number there is");
    else if (known && where.near)
        hint_index(warp, step, of, where.near, address);
    return warp_fault(warp, lane, FAULT_out_of_bounds, step->pc, "lane %u of warp %u %s %u byte%s at %s", lane,
                      warp->place.warp, does(of->kind), of->bytes, plural_s(of->bytes), where.text);
}

static bool outside_block(Warp *warp, const Step *step, const Transfer *of, unsigned lane, uint64_t limit) {
    const uint64_t offset = warp->worker->access.addr[lane];
    uint32_t fixed = warp->worker->code->kernel->reach.shared_static;
    if (of->space == SPACE_SHARED && !limit)
        fault_hint(
            &warp->worker->fault,
            "extern __shared__ has as many bytes as the launch's third argument says, and it says 0: where the launch is "
            "not yours, write the size into the brackets, without extern");
    else if (of->space == SPACE_LOCAL)
        fault_hint(
            &warp->worker->fault,
            "a thread's own arrays that are indexed take %llu bytes: is one too small, or does its index go past its end?",
            (unsigned long long)limit);
    else if (of->space == SPACE_SHARED && limit == fixed)
        fault_hint(&warp->worker->fault,
                   "the kernel's __shared__ arrays take %u bytes in all: is one too small, or does its index go past its end?",
                   fixed);
    else if (of->space == SPACE_SHARED)
        fault_hint(&warp->worker->fault,
                   "the block's %llu bytes of shared memory are %u static and %u dynamic (the launch's third argument)",
                   (unsigned long long)limit, fixed, (uint32_t)(limit - fixed));
    return warp_fault(warp, lane, FAULT_out_of_bounds, step->pc,
                      "lane %u of warp %u %s %u byte%s at byte %lld of %s memory, which ends at byte %llu", lane,
                      warp->place.warp, does(of->kind), of->bytes, plural_s(of->bytes), (long long)offset,
                      space_names[of->space], (unsigned long long)limit);
}

static bool read_only(Warp *warp, const Step *step, unsigned lane, const Allocation *in, uint64_t address) {
    return warp_fault(warp, lane, FAULT_read_only, step->pc, "lane %u of warp %u writes constant memory: '%s'+%llu", lane,
                      warp->place.warp, in->name, (unsigned long long)(address - in->address));
}

/* --- checks, lane by lane: false after a fault --- */

static bool check_alignment(Warp *warp, const Step *step, const Transfer *of) {
    EACH_ACTIVE_LANE(l, of->lanes) {
        if (warp->worker->access.addr[l] % of->bytes) return misaligned(warp, step, of, l);
    }
    return true;
}

/* Devices map memory in pages of 2 MiB (the granularity that cuMemGetAllocationGranularity gives): an access behind an allocation, in its
 * last page, is no illegal address there. Here nothing else is in that page. Before the start of a small one that is not the first lies the
 * one before it, in the same page. */
static bool is_mapped(const Memory *memory, uint64_t address, unsigned bytes) {
    enum { PAGE_BYTES = 2 << 20, UNIT_BYTES = 512 };
    const Allocation *near = memory_nearest(memory, address);
    if (!near || near->unified || near->constant || memory_retired(memory, address)) return false;
    uint64_t end = (near->bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES, offset = address - near->address;
    const bool is_first = near == memory_at(memory, 0);
    if (near->address - address <= UNIT_BYTES && near->bytes < PAGE_BYTES) return !is_first;
    return offset < end && bytes <= end - offset;
}

/* behind: the lanes that go on although they access what no allocation has. */
static bool check_global(Warp *warp, const Step *step, const Transfer *of, uint32_t *behind) {
    Worker *worker = warp->worker;
    const Memory *memory = worker->launch->memory;
    const uint64_t *addr = worker->access.addr;
    *behind = 0;
    EACH_ACTIVE_LANE(l, of->lanes) {
        const Allocation *in = memory_find(memory, addr[l]);
        if (!in || !allocation_holds(in, addr[l], of->bytes)) {
            if (worker->findings.on_fault != ON_FAULT_GO_ON || !is_mapped(memory, addr[l], of->bytes))
                return outside_global(warp, step, of, l);
            *behind |= 1u << l;
        } else if (in->constant && of->kind != ACCESS_LOAD) {
            return read_only(warp, step, l, in, addr[l]);
        }
    }
    if (!*behind) return true;
    outside_global(warp, step, of, lanes_first(*behind));
    return findings_take(&worker->findings, &warp->place, &worker->fault);
}

/* What is read there is arbitrary, and what is written does not come back. */
static void move_behind(Warp *warp, const Step *step, uint32_t lanes, MoveData *move) {
    enum { BYTES_MOST = 32 };
    uint64_t nowhere[WARP_LANES * BYTES_MOST / sizeof(uint64_t)];
    uint64_t addr[WARP_LANES];
    memset(nowhere, 0xff, sizeof nowhere);
    for (unsigned l = 0; l < WARP_LANES; l++) addr[l] = (uint64_t)l * BYTES_MOST;
    move(warp, step,
         &(Resolved){.space = SPACE_GLOBAL, .scattered = true, .lanes = lanes, .host = (uintptr_t)nowhere, .addr = addr});
}

/* Shared, local and parameter memory: addresses are offsets from 0 to a limit. */
static bool check_block(Warp *warp, const Step *step, const Transfer *of, uint64_t limit) {
    const uint64_t *addr = warp->worker->access.addr;
    EACH_ACTIVE_LANE(l, of->lanes) {
        if (addr[l] >= limit || of->bytes > limit - addr[l]) return outside_block(warp, step, of, l, limit);
    }
    return check_alignment(warp, step, of);
}

/* --- accesses, by space --- */

static bool access_global(Warp *warp, const Step *step, Transfer transfer) {
    const uint64_t *addr = warp->worker->access.addr;
    uint32_t behind;
    transfer.space = SPACE_GLOBAL;
    if (!check_alignment(warp, step, &transfer) || !check_global(warp, step, &transfer, &behind)) return false;
    if (behind) move_behind(warp, step, behind, transfer.move);
    transfer.lanes &= ~behind;
    if (transfer.lanes && !warp_show(warp, step, transfer)) return false;
    Resolved at = {.space = SPACE_GLOBAL, .scattered = true, .addr = addr};
    for (uint32_t left = transfer.lanes; left; left &= ~at.lanes) {
        Allocation *in = memory_find(warp->worker->launch->memory, addr[lanes_first(left)]);
        warp_mark(in, transfer.kind, step->policy);
        at.lanes = 0;
        at.host = (uintptr_t)in->host - in->address;
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (left >> l & 1 && addr[l] - in->address < in->bytes) at.lanes |= 1u << l;
        transfer.move(warp, step, &at);
    }
    return true;
}

static bool access_local(Warp *warp, const Step *step, Transfer transfer) {
    Access *access = &warp->worker->access;
    uint64_t lane_bytes = warp->worker->code->stack_local_bytes;
    if (!check_block(warp, step, &transfer, lane_bytes)) return false;
    /* Each warp that an SM can hold has local memory of its own. */
    uint32_t blocks = warp->place.sm * warp->worker->machine->resident + warp->place.block_slot;
    uint64_t warps = (uint64_t)blocks * warp->block->n_warps + warp->place.warp;
    uint64_t base = WINDOW_LOCAL + warps * lane_bytes * WARP_LANES;
    memcpy(access->local, access->addr, sizeof access->local);
    for (unsigned l = 0; l < WARP_LANES; l++)
        access->addr[l] = base + (access->local[l] / 4 * WARP_LANES + l) * 4 + access->local[l] % 4;
    if (!warp_show(warp, step, transfer)) return false;
    transfer.move(
        warp, step,
        &(Resolved){.space = SPACE_LOCAL, .lanes = transfer.lanes, .host = (uintptr_t)warp->local, .addr = access->local});
    return true;
}

/* --- shared memory, of the block's own cluster as well --- */

/* Of a block that there is not, or no longer. */
static bool no_peer(Warp *warp, const Step *step, const Transfer *of, uint32_t rank) {
    const unsigned lane = lanes_first(of->lanes), count = warp->block->cluster->count;
    if (rank < count)
        fault_hint(&warp->worker->fault, "a block must not end while others use its shared memory: cluster.sync() behind the "
                                         "last use, before the kernel's end");
    else
        fault_hint(&warp->worker->fault, "ranks count from 0, and this cluster has %u block%s", count, plural_s(count));
    return warp_fault(warp, lane, FAULT_out_of_bounds, step->pc,
                      "lane %u of warp %u %s %u byte%s of the shared memory of the block of rank %u, which %s", lane,
                      warp->place.warp, does(of->kind), of->bytes, plural_s(of->bytes), rank,
                      rank < count ? "has left the kernel" : "its cluster does not have");
}

/* CUDA C++ Programming Guide, "Distributed Shared Memory": all of the cluster's blocks must have begun, which its barrier says. */
static bool has_not_begun(Warp *warp, const Step *step, const Transfer *of, uint32_t rank) {
    const unsigned lane = lanes_first(of->lanes);
    fault_hint(&warp->worker->fault, "cluster.sync() first: only it says that all blocks of the cluster have begun");
    warp_fault(warp, lane, FAULT_shared_race, step->pc,
               "lane %u of warp %u %s %u byte%s of the shared memory of the block of rank %u, which may not have begun", lane,
               warp->place.warp, does(of->kind), of->bytes, plural_s(of->bytes), rank);
    return findings_take(&warp->worker->findings, &warp->place, &warp->worker->fault);
}

/* Whether the instruction may be about another block's memory: not ld.shared, which an H200 then calls illegal. */
static bool names_cluster(const Insn *insn) { return insn->flags & INSN_CLUSTER || insn->op == OP_cp_bulk; }

static bool not_its_own(Warp *warp, const Step *step, const Transfer *of, uint32_t rank) {
    const unsigned lane = lanes_first(of->lanes);
    fault_hint(&warp->worker->fault, "an address that mapa gave is of .shared::cluster; .shared is the block's own memory");
    return warp_fault(
        warp, lane, FAULT_out_of_bounds, step->pc,
        "lane %u of warp %u %s %u byte%s of the shared memory of the block of rank %u by an instruction for its own", lane,
        warp->place.warp, does(of->kind), of->bytes, plural_s(of->bytes), rank);
}

static bool access_peer(Warp *warp, const Step *step, Transfer transfer, uint32_t rank, bool continued) {
    const Cluster *cluster = warp->block->cluster;
    const Block *peer = rank < cluster->count ? cluster->blocks[rank] : NULL;
    if (!peer) return no_peer(warp, step, &transfer, rank);
    if (step->insn->space == SPACE_SHARED && !names_cluster(step->insn)) return not_its_own(warp, step, &transfer, rank);
    if (!check_block(warp, step, &transfer, peer->shared_bytes)) return false;
    if (!cluster->phase && warp->worker->launch->checks && !has_not_begun(warp, step, &transfer, rank)) return false;
    warp->worker->access.continued = continued;
    if (!warp_show_peer(warp, step, transfer, &peer->warps[0].place)) return false;
    transfer.move(warp, step,
                  &(Resolved){.space = SPACE_SHARED,
                              .scattered = true,
                              .lanes = transfer.lanes,
                              .host = (uintptr_t)peer->shared,
                              .addr = warp->worker->access.addr});
    return true;
}

/* What is right in the own block's memory takes the fast path, but for addresses that have its rank in them. */
static bool access_shared(Warp *warp, const Step *step, Transfer transfer) {
    uint64_t *addr = warp->worker->access.addr, given[WARP_LANES], offset[WARP_LANES];
    uint32_t rank[WARP_LANES], ranked = 0;
    memcpy(given, addr, sizeof given);
    for (unsigned l = 0; l < WARP_LANES; l++) {
        peers_owner(warp->block, given[l], &offset[l], &rank[l]);
        ranked |= (uint32_t)(offset[l] != given[l]) << l;
    }
    if (!(ranked & transfer.lanes)) {
        bool fine = check_block(warp, step, &transfer, warp->block->shared_bytes);
        assert(!fine);
        return fine;
    }
    bool continued = false;
    for (uint32_t left = transfer.lanes; left; left &= ~transfer.lanes) {
        const unsigned first = lanes_first(left);
        transfer.lanes = 0;
        for (unsigned l = 0; l < WARP_LANES; l++) {
            const bool same = left >> l & 1 && rank[l] == rank[first];
            transfer.lanes |= (uint32_t)same << l;
            addr[l] = offset[same ? l : first];
        }
        const bool own = rank[first] == warp->block->rank;
        if (!(own ? warp_access(warp, step, transfer) : access_peer(warp, step, transfer, rank[first], continued)))
            return false;
        continued |= !own;
    }
    return true;
}

static bool access_params(Warp *warp, const Step *step, Transfer transfer) {
    const Launch *launch = warp->worker->launch;
    if (!check_block(warp, step, &transfer, launch->kernel->function->param_bytes)) return false;
    unsigned first = lanes_first(transfer.lanes);
    if (transfer.kind != ACCESS_LOAD)
        return warp_fault(warp, first, FAULT_read_only, step->pc, "lane %u of warp %u writes the kernel's parameters", first,
                          warp->place.warp);
    transfer.move(warp, step,
                  &(Resolved){.space = SPACE_PARAM,
                              .lanes = transfer.lanes,
                              .host = (uintptr_t)launch->params,
                              .addr = warp->worker->access.addr});
    return true;
}

/* Lanes may even be in different spaces. */
static bool access_generic(Warp *warp, const Step *step, Transfer transfer) {
    uint64_t *inner = warp->worker->access.addr, generic[WARP_LANES];
    memcpy(generic, inner, sizeof generic);
    for (uint32_t left = transfer.lanes; left;) {
        unsigned first = lanes_first(left);
        uint8_t space = transfer.space = window_space(generic[first]);
        uint64_t base = window_base(space);
        transfer.lanes = 0;
        for (unsigned l = 0; l < WARP_LANES; l++) {
            bool same = window_space(generic[l]) == space;
            if (same && left >> l & 1) transfer.lanes |= 1u << l;
            inner[l] = generic[same ? l : first] - base;
        }
        left &= ~transfer.lanes;
        if (!warp_access(warp, step, transfer)) return false;
    }
    return true;
}

bool warp_access_slowly(Warp *warp, const Step *step, Transfer transfer) {
    warp->worker->access.strided = warp->worker->access.eights = false;
    switch ((Space)transfer.space) {
    case SPACE_GENERIC: return access_generic(warp, step, transfer);
    case SPACE_GLOBAL:
    case SPACE_CONST: return access_global(warp, step, transfer);
    case SPACE_SHARED: return access_shared(warp, step, transfer);
    case SPACE_LOCAL: return access_local(warp, step, transfer);
    case SPACE_PARAM: return access_params(warp, step, transfer);
    case SPACE_COUNT: break;
    }
    return true;
}

/* --- reading for the machine itself --- */

const uint8_t *block_host(const Block *block, uint64_t generic, size_t bytes) {
    uint8_t space = window_space(generic);
    uint64_t offset = generic - window_base(space);
    uint32_t rank;
    if (space == SPACE_SHARED && !(block = peers_owner(block, offset, &offset, &rank))) return NULL;
    if (space == SPACE_SHARED)
        return offset <= block->shared_bytes && bytes <= block->shared_bytes - offset ? block->shared + offset : NULL;
    const Allocation *in =
        space == SPACE_GLOBAL || space == SPACE_CONST ? memory_find(block->worker->launch->memory, generic) : NULL;
    return in && allocation_holds(in, generic, bytes) ? in->host + (generic - in->address) : NULL;
}

bool warp_peek(const Warp *warp, unsigned lane, uint64_t generic, void *to, size_t bytes) {
    uint64_t offset = generic - WINDOW_LOCAL, limit = warp->worker->code->stack_local_bytes;
    if (window_space(generic) == SPACE_LOCAL) {
        if (offset > limit || bytes > limit - offset) return false;
        for (size_t i = 0; i < bytes; i++) ((uint8_t *)to)[i] = (uint8_t)local_get(warp->local, lane, offset + i, 1);
        return true;
    }
    const uint8_t *host = block_host(warp->block, generic, bytes);
    if (host) memcpy(to, host, bytes);
    return host != NULL;
}

void warp_peek_string(const Warp *warp, unsigned lane, uint64_t generic, char *to, size_t size) {
    size_t n = 0;
    while (n + 1 < size && warp_peek(warp, lane, generic + n, to + n, 1) && to[n]) n++;
    to[n] = 0;
}
