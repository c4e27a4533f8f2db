/* race_cell.c: race_cell, race_place and race_cells of race_visit.h. */
#include <string.h>

#include "observe/race_visit.h"
#include "observe/updates.h"

static const uint8_t *data_of(const RaceVisit *visit, uint32_t lane, uint32_t nth) {
    return (const uint8_t *)visit->access->data + (size_t)lane * visit->access->bytes + (size_t)nth * visit->granule;
}

/* What is about to be written, by lanes one behind the other. On several host threads it is there as soon as it is marked: who comes next compares
 * with it, whichever of them stores first. */
void race_place(const RaceVisit *visit, uint32_t lane, uint32_t nth, uint64_t cell, uint32_t count) {
    if (!visit->race->stripes || visit->access->kind != ACCESS_STORE) return;
    memcpy(visit->in->host + cell * visit->granule, data_of(visit, lane, nth), (size_t)count * visit->granule);
}

/* A plain write of what is there already. */
static bool writes_same(const RaceVisit *visit, uint32_t lane, uint32_t nth, uint64_t cell, uint64_t write) {
    const Access *access = visit->access;
    if (access->kind != ACCESS_STORE || visit->strong || write & WRITE_STRONG) return false;
    return memcmp(visit->in->host + cell * visit->granule, data_of(visit, lane, nth), visit->granule) == 0;
}

/* Atomic for each other. */
static bool both_strong(const RaceVisit *visit, uint64_t mark, bool wrote) {
    if (!visit->strong || !(mark & WRITE_STRONG)) return false;
    return !is_foreign(visit, mark) || (!visit->of_block && !(wrote && mark & (WRITE_BLOCK | WRITE_PLAINLY)));
}

static bool tell_write(const RaceVisit *visit, uint32_t lane, uint32_t nth, uint64_t write, KnownBy who, bool same) {
    const bool foreign = who == WHO_BLOCK || is_foreign(visit, write), strong = write & WRITE_STRONG;
    return race_tell(visit, lane, nth,
                     &(OtherAccess){write, who,
                                    same      ? GAVE_SAME
                                    : !strong ? "wrote"
                                    : foreign ? "updated atomically"
                                              : "updated",
                                    strong});
}

/* The last write against this access. */
static bool check_write(const RaceVisit *visit, uint32_t lane, uint32_t nth, uint64_t cell, uint64_t write) {
    if (!write || both_strong(visit, write, true)) return true;
    const bool is_guess =
        !visit->stores && write & WRITE_STRONG && guesses(visit, visit->access->pc, mark_pc(&visit->race->at, write));
    if (is_guess) return true;
    const bool before = is_before(visit, lane, write), blocks = write & WRITE_BLOCKS && !visit->race->causality;
    const bool threads = write & WRITE_THREADS && visit->whole && is_self(visit, lane, write) &&
                         mark_time(&visit->race->at, write) >= visit->unsynced;
    if (before && !blocks && !threads) return true;
    const bool same = writes_same(visit, lane, nth, cell, write);
    return (same && !visit->race->strict) || tell_write(visit, lane, nth, write,
                                                        !before  ? WHO_MARK
                                                        : blocks ? WHO_BLOCK
                                                                 : WHO_THREAD,
                                                        same);
}

/* The reads that are kept against this write. */
static bool check_read(const RaceVisit *visit, uint32_t lane, uint32_t nth, uint64_t read) {
    const uint32_t pc = mark_pc(&visit->race->at, read);
    const bool plain_too = read & READ_STRONG_TOO && !visit->strong && !visit->race->causality;
    if (!read || both_strong(visit, read, false)) return true;
    OtherAccess other = {read, WHO_MARK, "read", read & READ_STRONG};
    if (!(read & READ_STRONG) && guesses(visit, pc, visit->access->pc)) return true;
    if (!is_before(visit, lane, read)) return race_tell(visit, lane, nth, &other);
    const bool fresh = is_fresh(visit, read) && visit->whole;
    const bool lanes = read & READ_LANES && is_own_warp(visit, read) && visit->whole &&
                       mark_time(&visit->race->at, read) >= visit->unsynced && !visit->order->clock.lane_known;
    if (plain_too || (read & READ_BLOCKS && !visit->race->causality)) {
        other.who = WHO_BLOCK;
        other.is_strong |= plain_too;
    } else if (read & READ_WARPS && fresh) {
        other.who = WHO_THREAD;
    } else if (lanes) {
        other.who = WHO_LANE;
    }
    return other.who == WHO_MARK || race_tell(visit, lane, nth, &other);
}

static uint64_t next_read(const RaceVisit *visit, uint32_t lane, uint64_t read) {
    const uint64_t own = own_mark(visit, lane) | (visit->strong ? READ_STRONG : 0);
    if (!read) return own;
    const bool foreign = is_foreign(visit, read), was_strong = read & READ_STRONG;
    if (was_strong != visit->strong) { /* the plain one stays */
        if (visit->strong) return read | (foreign ? READ_STRONG_TOO : 0);
        return own | (foreign || read & READ_BLOCKS ? READ_STRONG_TOO : 0);
    }
    const uint64_t others = read & (READ_BLOCKS | READ_STRONG_TOO);
    if (foreign || read & READ_BLOCKS) {
        if (!visit->race->causality) return read | READ_BLOCKS;
        return is_before(visit, lane, read) ? own : own | READ_BLOCKS;
    }
    if (!is_fresh(visit, read)) return own | others;
    const uint64_t warps = read & READ_WARPS;
    if (is_own_warp(visit, read)) {
        if (mark_time(&visit->race->at, read) != visit->now) return own | others | warps;
        return read | (is_self(visit, lane, read) ? 0 : READ_LANES);
    }
    return is_before(visit, lane, read) ? own | others | warps : read | READ_WARPS;
}

static uint64_t next_write(const RaceVisit *visit, uint32_t lane, uint64_t write) {
    const uint64_t own = own_mark(visit, lane) | (visit->strong ? WRITE_STRONG : 0) | (visit->of_block ? WRITE_BLOCK : 0);
    if (!write) return own;
    const bool strong = write & WRITE_STRONG, before = is_before(visit, lane, write);
    if (is_foreign(visit, write) || write & WRITE_BLOCKS) {
        if (before && visit->race->causality) return own;
        return visit->race->causality ? own | WRITE_BLOCKS : write | WRITE_BLOCKS;
    }
    if (!visit->strong) return own;
    const bool self = is_self(visit, lane, write), recent = mark_time(&visit->race->at, write) >= visit->unsynced;
    if (!strong && self && recent) return write & ~(uint64_t)WRITE_THREADS; /* what this thread did plainly counts */
    const bool many = strong && (self ? write & WRITE_THREADS && recent : !before);
    const uint64_t kept = visit->race->causality ? 0 : write & (WRITE_BLOCK | WRITE_PLAINLY);
    return own | kept | (many ? WRITE_THREADS : 0) | (!strong && !visit->race->causality ? WRITE_PLAINLY : 0);
}

bool race_cell(const RaceVisit *visit, uint32_t lane, uint32_t nth, uint64_t cell) {
    const MarkLayout *at = &visit->race->at;
    const uint64_t write = write_at(visit, cell), read = read_at(visit, cell);
    if (!check_write(visit, lane, nth, cell, write)) return false;
    if (!visit->stores) {
        const uint64_t next = next_read(visit, lane, read);
        if (next != read) mark_set(at, &visit->reads, cell, next);
        return true;
    }
    if (!check_read(visit, lane, nth, read)) return false;
    mark_set(at, &visit->writes, cell, next_write(visit, lane, write));
    race_place(visit, lane, nth, cell, 1);
    return true;
}

bool race_cells(const RaceVisit *visit, uint32_t lane, uint64_t first) {
    bool fine = true;
    for (uint32_t nth = 0; fine && nth < visit->granules; nth++) fine = race_cell(visit, lane, nth, first + nth);
    return fine;
}
