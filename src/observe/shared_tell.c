#include <stdio.h>
#include <string.h>

#include "observe/shared_visit.h"
#include "observe/updates.h"

/* Since the last barrier this warp has stored to shared memory and another warp has not. */
static bool is_ahead(const SharedVisit *visit) {
    const SharedCheck *check = visit->check;
    if (check->stored_time[visit->place->warp] < visit->epoch) return false;
    for (uint32_t w = 0; w < check->order->clock.warps; w++)
        if (check->stored_time[w] < visit->epoch) return true;
    return false;
}

void shared_take_early(SharedCheck *check, bool ended, Fault *fault) {
    const SharedClock *clock = &check->order->clock;
    const bool written = shared_mark_time(check->cells.write[check->early_cell]) > clock->base;
    const bool settled = ended || check->early_epoch < clock->epoch;
    *fault = check->early;
    const bool clusters = check->kernel->clusters;
    origins_hint_shared(fault, written && !clusters  ? WRITER_LATER
                               : settled && !written ? WRITER_NONE
                               : clusters            ? WRITER_OF_CLUSTER
                                                     : WRITER_UNKNOWN);
    check->early = (Fault){0};
}

/* The fault is complete but for its thread. True when the check goes on. Where only one is wanted, an early read comes first: the values that
 * were never written may have a part in this one. But a race at the same instruction says more, unless volatile keeps it within a warp. */
bool shared_tell(const SharedVisit *visit, uint32_t lane) {
    SharedCheck *check = visit->check;
    Fault *fault = visit->fault;
    bool says_more = fault->kind == FAULT_shared_race && fault->pc == check->early.pc && visit->strength == STRENGTH_PLAIN;
    fault_blame(fault, visit->place, lane);
    if (check->log->on_fault != ON_FAULT_GO_ON && check->early.kind != FAULT_none && !says_more)
        shared_take_early(check, false, fault);
    if (check->log->on_fault != ON_FAULT_GO_ON) check->early = (Fault){0};
    return findings_take(check->log, visit->place, fault);
}

/* What another warp has read too early, before this one writes it, is told of the thread that read: its value is the wrong one. */
static bool tell_early_race(const SharedVisit *visit, uint32_t lane, uint32_t cell, uint32_t other) {
    SharedCheck *check = visit->check;
    Fault *fault = visit->fault;
    Place reader = *visit->place;
    uint32_t other_lane = other & LANE_MASK;
    reader.warp = (other & WARP_MASK) / WARP_LANES;
    *fault = (Fault){0};
    fault_set(fault, FAULT_shared_race, tag_pc(other),
              "lane %u of warp %u reads shared memory at byte %llu, which lane %u of warp %u has yet to write, with no "
              "__syncthreads() between",
              other_lane, reader.warp, (unsigned long long)cell * check->granule, lane, visit->place->warp);
    fault_hint(fault,
               "put __syncthreads()%s between the writes and this access: the other warps may not have reached theirs yet",
               or_cluster_sync(check->kernel));
    fault->other_pc = visit->access->pc;
    fault_blame(fault, &reader, other_lane);
    origins_drop(check->origins, fault->pc);
    if (check->log->on_fault != ON_FAULT_GO_ON || check->early.pc == fault->pc) check->early = (Fault){0};
    return findings_take(check->log, &reader, fault);
}

static bool tell_race(const SharedVisit *visit, uint32_t lane, uint32_t cell, uint32_t other) {
    bool unwritten = shared_mark_time(visit->check->cells.write[cell]) <= visit->base;
    bool is_early = unwritten && visit->writes && (other & WARP_MASK) != (visit->tag & WARP_MASK);
    return is_early ? tell_early_race(visit, lane, cell, other) : shared_tell(visit, lane);
}

bool shared_check_defers(SharedCheck *check, const Place *place, Fault *fault) {
    const uint8_t space = check->kernel->program->insns[fault->pc].space;
    const bool shared = space == SPACE_SHARED || space == SPACE_GENERIC, early = check->early.kind != FAULT_none;
    if (early && shared && check->early_epoch == check->order->clock.epoch && check->early.warp == place->warp)
        return check->early_used = true;
    if (early && check->early_used && check->log->on_fault != ON_FAULT_GO_ON) shared_take_early(check, false, fault);
    return false;
}

/* The first such read of this time by a warp that is ahead. */
void shared_keep_early(const SharedVisit *visit, Gap gap) {
    SharedCheck *check = visit->check;
    if (check->early.kind != FAULT_none || !is_ahead(visit)) return;
    origins_fault_now(visit->place, visit->access, NULL, gap, &check->early);
    check->early_cell = ((uint32_t)visit->access->addr[gap.lane] + gap.nth) / check->granule;
    check->early_epoch = visit->epoch;
    check->early_used = false;
}

/* Whether the byte is in several arrays of extern __shared__, which all begin at one place. */
static bool is_in_several(const Kernel *kernel, uint64_t byte) {
    unsigned count = 0;
    for (uint32_t v = 0; v < kernel->program->n_variables; v++) {
        const Variable *variable = &kernel->program->variables[v];
        count += variable->space == SPACE_SHARED && !variable->bytes && kernel->reach.shared_offset[v] <= byte;
    }
    return count > 1;
}

/* Of a wide access the byte is named that both touched. */
bool shared_tell_race(const SharedVisit *visit, uint32_t lane, uint32_t cell, uint32_t other, const char *did, Who whose) {
    const Access *access = visit->access;
    Fault *fault = visit->fault;
    uint32_t warp = visit->place->warp, other_lane = other & LANE_MASK, other_warp = (other & WARP_MASK) / WARP_LANES;
    bool same_warp = whose == WHO_OTHER_LANE || (whose == WHO_TAG && other_warp == warp);
    char who[40] = "another thread";
    if (whose == WHO_OTHER_LANE) snprintf(who, sizeof who, "another lane");
    if (whose == WHO_TAG) snprintf(who, sizeof who, "lane %u of warp %u", other_lane, other_warp);
    /* Where a block has several warps, what its threads share mostly concerns the whole block. */
    bool within = same_warp && (visit->check->order->clock.warps == 1 || visit->strength == STRENGTH_VOLATILE);
    const char *barrier = within ? "__syncwarp()" : same_warp ? "__syncthreads() or __syncwarp()" : "__syncthreads()";
    fault_set(fault, FAULT_shared_race, access->pc,
              "lane %u of warp %u %s shared memory at byte %llu, which %s %s with no %s between", lane, warp,
              access_verb(access->kind), (unsigned long long)cell * visit->check->granule, who, did, barrier);
    fault->other_pc = tag_pc(other);
    const bool mixed = visit->strength == STRENGTH_ATOMIC || strcmp(did, "updated") == 0;
    const bool certain = whose == WHO_TAG || updates_meet(access, lane);
    if (updates_hint(visit->check->kernel->program, fault, certain, false) ||
        same_value_hint(fault, strcmp(did, GAVE_SAME) == 0) || overwrite_hint(visit->check->kernel->program, fault) ||
        (!within && skipped_hint(visit->check->kernel, fault)))
        return tell_race(visit, lane, cell, other);
    if (within)
        fault_hint(
            fault,
            "the lanes of a warp need not run in step since compute capability 7.0, not even with volatile: put __syncwarp()%s "
            "between the two",
            or_cluster_sync(visit->check->kernel));
    else
        fault_hint(fault, "put a __syncthreads() that all threads of the block reach%s between the two accesses%s",
                   or_cluster_sync(visit->check->kernel),
                   is_in_several(visit->check->kernel, (uint64_t)cell * visit->check->granule)
                       ? "; or are two extern __shared__ arrays meant to lie apart? All begin at one place"
                   : mixed     ? ", or make both atomic"
                   : same_warp ? ", or __syncwarp() where only the lanes of one warp share: they need not run in step"
                               : "; a loop may need one at its end too");
    return tell_race(visit, lane, cell, other);
}
