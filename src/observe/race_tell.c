#include <stdio.h>
#include <string.h>

#include "machine/access.h"
#include "observe/race_visit.h"
#include "observe/updates.h"

static bool hint_blocks(const RaceVisit *visit, const OtherAccess *other) {
    const Kernel *kernel = visit->race->kernel;
    Fault *fault = visit->fault;
    const uint32_t pc = mark_pc(&visit->race->at, other->mark);
    const bool narrow = visit->of_block || (pc != NO_INSN && kernel->program->insns[pc].of_block);
    if (visit->strong && other->is_strong && narrow)
        return fault_hint(fault,
                          "an atomic operation of block scope is atomic for the threads of one block alone: leave _block out");
    if (visit->strong || other->is_strong)
        return fault_hint(fault,
                          "blocks run in no fixed order: make both accesses atomic, or put the other one into a launch of "
                          "its own");
    if (visit->race->causality && (has_fence(kernel) || waits_for_block(kernel, NO_INSN)))
        return fault_hint(fault,
                          "where one block waits for another: data, then __threadfence(), then the flag or the lock's release, "
                          "both atomic; and __threadfence() behind taking a lock. A fence waits for nobody, and "
                          "__threadfence_block() orders one block alone");
    if (visit->stores && strcmp(other->did, "wrote") == 0)
        return fault_hint(fault,
                          "two blocks write different values to one place: check how blockIdx goes into the index, or use an "
                          "atomic operation");
    if (syncs_grid(kernel))
        return fault_hint(fault,
                          "blocks run in no fixed order: put this_grid().sync() between the two accesses, in a loop at its end "
                          "too, or write to another buffer");
    if (kernel->clusters)
        return fault_hint(
            fault, "blocks run in no fixed order, and cluster.sync() orders those of one cluster alone: write to another "
                   "buffer, or use two launches");
    if (kernel->reach.ordered)
        return fault_hint(fault, "blocks run in no fixed order: use another buffer, or two launches; where one block waits for "
                                 "another's flag, __threadfence() must stand between the data and the flag");
    return fault_hint(fault,
                      "blocks run in no fixed order, and __syncthreads() orders one block alone: write to another buffer, or "
                      "use two launches");
}

static bool hint_block(const RaceVisit *visit, const OtherAccess *other, bool same_warp, bool alone) {
    if (visit->strong != other->is_strong)
        return fault_hint(visit->fault, "make both accesses atomic, or put __syncthreads() between them");
    if (alone)
        return fault_hint(visit->fault,
                          "the lanes of a warp need not run in step since compute capability 7.0: put __syncwarp() "
                          "between the two");
    if (skipped_hint(visit->race->kernel, visit->fault)) return false;
    return fault_hint(visit->fault, "put a __syncthreads() that all threads of the block reach between the two accesses%s",
                      same_warp ? ", or __syncwarp() where only the lanes of one warp share: they need not run in step"
                                : "; a loop may need one at its end too");
}

static bool hint(const RaceVisit *visit, const OtherAccess *other, bool foreign, bool same_warp, bool alone) {
    const bool certain = other->who == WHO_MARK || updates_meet(visit->access, visit->fault->lane);
    const bool waits = foreign && visit->race->causality && waits_for_block(visit->race->kernel, visit->fault->pc);
    if (!waits && updates_hint(visit->race->kernel->program, visit->fault, certain, foreign)) return false;
    if (same_value_hint(visit->fault, strcmp(other->did, GAVE_SAME) == 0)) return false;
    if (!foreign && overwrite_hint(visit->race->kernel->program, visit->fault)) return false;
    return foreign ? hint_blocks(visit, other) : hint_block(visit, other, same_warp, alone);
}

bool race_tell(const RaceVisit *visit, uint32_t lane, uint32_t nth, const OtherAccess *other) {
    const MarkLayout *at = &visit->race->at;
    const Access *access = visit->access;
    Fault *fault = visit->fault;
    const uint32_t thread = mark_thread(at, other->mark), warp = visit->place->warp;
    const bool foreign = other->who == WHO_BLOCK || is_foreign(visit, other->mark);
    const bool same_warp = !foreign && (other->who == WHO_LANE || (other->who == WHO_MARK && is_own_warp(visit, other->mark)));
    const bool alone = same_warp && visit->place->threads <= WARP_LANES;
    char who[60] = "another block", between[60] = " in the same launch";
    if (other->who == WHO_LANE) snprintf(who, sizeof who, "another lane");
    if (other->who == WHO_THREAD) snprintf(who, sizeof who, "another thread");
    if (other->who == WHO_MARK && foreign)
        snprintf(who, sizeof who, "block %llu", (unsigned long long)mark_block(at, other->mark));
    if (other->who == WHO_MARK && !foreign)
        snprintf(who, sizeof who, "lane %u of warp %u", thread % WARP_LANES, thread / WARP_LANES);
    if (!foreign)
        snprintf(between, sizeof between, " with no %s between",
                 alone       ? "__syncwarp()"
                 : same_warp ? "__syncthreads() or __syncwarp()"
                             : "__syncthreads()");
    const uint64_t offset = access->addr[lane] - visit->in->address;
    char which[40] = "which"; /* of a wide access, the byte that both touched */
    if (visit->granules > 1)
        snprintf(which, sizeof which, "whose byte %llu", (unsigned long long)(offset + (uint64_t)nth * visit->granule));
    fault_set(fault, FAULT_global_race, access->pc, "lane %u of warp %u of block %llu %s %u byte%s at '%s'+%llu, %s %s %s%s",
              lane, warp, (unsigned long long)visit->place->block, access_verb(access->kind), access->bytes,
              plural_s(access->bytes), visit->in->name, (unsigned long long)offset, which, who, other->did, between);
    fault->other_pc = mark_pc(at, other->mark);
    fault_blame(fault, visit->place, lane);
    hint(visit, other, foreign, same_warp, alone);
    return findings_take(visit->log, visit->place, fault);
}
