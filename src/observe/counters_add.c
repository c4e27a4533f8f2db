/* Sums of counters.h. */
#include "observe/counters.h"

#include <stddef.h>

#include "observe/sectors.h"

static void add_counts(void *sum, const void *from, size_t bytes) {
    uint64_t *to = sum;
    const uint64_t *count = from;
    for (size_t i = 0; i < bytes / sizeof *to; i++) to[i] += count[i];
}

void counters_add_sectors(SectorCounters *sum, const SectorCounters *from) { add_counts(sum, from, sizeof *sum); }
void counters_add_banks(BankCounters *sum, const BankCounters *from) { add_counts(sum, from, sizeof *sum); }
void counters_add_peers(PeerCounters *sum, const PeerCounters *from) { add_counts(sum, from, sizeof *sum); }
void counters_add_bulk(BulkCounters *sum, const BulkCounters *from) { add_counts(sum, from, sizeof *sum); }

static void count_peers(PeerCounters *peers, const Access *access) {
    Access distinct = *access; /* also an atomic operation asks for each sector once */
    Footprint footprint;
    distinct.kind = ACCESS_LOAD;
    distinct.space = SPACE_GLOBAL;
    sectors_find(&distinct, &footprint);
    peers->requests += !access->continued;
    peers->further += access->continued;
    peers->sectors += footprint.sectors;
    peers->lines += footprint.n_lines;
}

bool peers_count(PeerCounters *peers, const Assembly *assembly, const Access *access) {
    Access part;
    const bool narrower = assembly->narrowed && assembly->narrowed[access->pc].changed;
    if (!narrower) count_peers(peers, access);
    for (unsigned nth = 0; narrower && assembled_part(assembly, access, nth, &part); nth++) count_peers(peers, &part);
    return true;
}

void counters_add_totals(Counters *sum, const Counters *from) {
    uint64_t busiest = sum->busiest_warp > from->busiest_warp ? sum->busiest_warp : from->busiest_warp;
    uint64_t most = sum->most_accesses > from->most_accesses ? sum->most_accesses : from->most_accesses;
    add_counts(sum, from, offsetof(Counters, n_insns));
    sum->busiest_warp = busiest;
    sum->most_accesses = most;
}
