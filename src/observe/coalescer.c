#include "observe/coalescer.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "observe/cycles.h"

enum {
    WAYS = 4,
    SETS_LOG2 = 13,
    SENT_LOG2 = 13,
    SMS_MOST = 256,
    RETURN_CYCLES = 185, /* the last part of a read's way, in which none joins it any more: on average */
    TOGETHER_WAVES = 3,  /* of a grid for all SMs, until they are out of step */
    SPOILT = 0xff        /* in place of a mask: other sectors of the line were asked for meanwhile */
};

/* A read in flight to L2, which others of its GPC may join. */
typedef struct InFlight {
    uint32_t line;
    uint32_t issued, answered;
    uint8_t mask; /* sectors, or SPOILT; 0: no read */
    uint8_t gpc;
    uint8_t sm;       /* whose read it was */
    uint8_t requests; /* that it stands for */
} InFlight;

/* What device memory sends: sectors of a line. */
typedef struct Sending {
    uint32_t line, at;
    uint8_t mask, asked; /* asked: those that were wanted, not what comes along */
} Sending;

struct Coalescer {
    MergeConfig config;
    Cache *l2;
    InFlight (*flying)[WAYS];
    Sending *sent; /* by hash of the line, the last one */
    uint8_t gpc[SMS_MOST];
    uint32_t together;                                  /* waves in which all SMs begin their blocks at the same time */
    uint64_t l2_read_sectors, timed_reads, late_cycles; /* as in TrafficTotals */
    uint64_t reads, joined;                             /* since coalescer_was_of_use */
};

/* Few blocks: the first SMs get one each; then all GPCs get as many, one on each pair of SMs before any on a pair's second. */
static void share_out(const MergeConfig *config, uint32_t sms, uint64_t blocks, uint32_t *counts) {
    uint32_t all = blocks < sms ? (uint32_t)blocks : sms, first = all < config->first_sms ? all : config->first_sms;
    uint32_t left = all - first, share[GPCS_MOST] = {0};
    uint32_t half = left <= (sms - config->first_sms) / 2 ? 2 : 1;
    share[0] = first;
    for (bool given = true; left && given;) {
        given = false;
        for (uint32_t g = 0; g < GPCS_MOST && left; g++) {
            uint32_t room = (config->gpc_sms[g] - (g ? 0 : config->first_sms)) / half;
            if (share[g] - (g ? 0 : first) >= room) continue;
            share[g]++;
            left--;
            given = true;
        }
    }
    for (uint32_t g = 0; g < GPCS_MOST; g++) counts[g] = share[g];
}

Coalescer *coalescer_new(const MergeConfig *config, uint32_t sms, uint64_t blocks, const CacheConfig *l2) {
    Coalescer *coalescer = alloc_zeroed(1, sizeof *coalescer);
    coalescer->config = *config;
    coalescer->l2 = cache_new(l2);
    coalescer->together = blocks < sms ? 0 : TOGETHER_WAVES;
    if (config->limit < 2) return coalescer;
    coalescer->flying = alloc_zeroed(1u << SETS_LOG2, sizeof *coalescer->flying);
    coalescer->sent = alloc_zeroed(1u << SENT_LOG2, sizeof *coalescer->sent);
    uint32_t counts[GPCS_MOST], sm = 0;
    share_out(config, sms, blocks, counts);
    for (uint32_t g = 0; g < GPCS_MOST; g++)
        for (uint32_t i = 0; i < counts[g]; i++) coalescer->gpc[sm++] = (uint8_t)g;
    return coalescer;
}

void coalescer_free(Coalescer *coalescer) {
    if (!coalescer) return;
    cache_free(coalescer->l2);
    free(coalescer->flying);
    free(coalescer->sent);
    free(coalescer);
}

/* Reads from L2; returns when the sectors come back. Those that another read has asked device memory for come with that. */
static uint32_t read_l2(Coalescer *coalescer, const Read *read, uint32_t at) {
    const MergeConfig *config = &coalescer->config;
    coalescer->l2_read_sectors += (uint32_t)__builtin_popcount(read->mask);
    uint32_t hit = cache_read(coalescer->l2, read->line, read->mask);
    Sending *sending = &coalescer->sent[line_slot(read->line, SENT_LOG2)];
    uint32_t answered = at + config->l2_cycles, from_dram = at + config->dram_cycles;
    coalescer->timed_reads++;
    if (hit != read->mask) {
        uint32_t missing = read->mask & ~hit;
        *sending = (Sending){read->line, from_dram, (uint8_t)sector_pairs(missing), (uint8_t)missing};
        return from_dram;
    }
    if (sending->line != read->line || !(sending->mask & read->mask) || !before(answered, sending->at)) return answered;
    if (before(from_dram, sending->at)) sending->at = from_dram; /* times came out of order: this one was the first */
    if (sending->asked & read->mask) coalescer->late_cycles += sending->at - answered;
    return sending->at;
}

static inline InFlight *set_of(const Coalescer *coalescer, uint32_t line, uint32_t gpc) {
    return coalescer->flying[line_slot(line + gpc * 0x357, SETS_LOG2)];
}

/* Whether a read that leaves at this time could join it, but for its sectors. */
static inline bool flies(const MergeConfig *config, const InFlight *flight, uint32_t at) {
    uint32_t range = (uint32_t)((uint64_t)(flight->answered - flight->issued) * config->way_noise / 256);
    uint32_t until = flight->answered - RETURN_CYCLES - range / 2 + hash_below(flight->issued, flight->line, range);
    return before(at, until) && before(flight->issued, at + config->l2_cycles);
}

/* Other sectors of a line that is in flight, or any of one that is spoilt. */
static uint32_t read_besides(Coalescer *coalescer, InFlight *other, const Read *read, uint32_t at) {
    uint32_t answered = read_l2(coalescer, read, at);
    other->mask = SPOILT;
    if (read->sm != other->sm || read->wave < coalescer->together) {
        other->issued = at;
        other->answered = later_of(other->answered, answered);
    }
    return answered;
}

uint32_t coalescer_read(Coalescer *coalescer, const Read *read, uint32_t at) {
    const MergeConfig *config = &coalescer->config;
    if (config->limit < 2) {
        coalescer_read_alone(coalescer, read->line, read->mask);
        return at;
    }
    coalescer->reads++;
    uint8_t gpc = coalescer->gpc[read->sm];
    InFlight *set = set_of(coalescer, read->line, gpc), *place = &set[0];
    for (uint32_t way = 0; way < WAYS; way++) {
        InFlight *other = &set[way];
        if (other->mask && other->line == read->line && other->gpc == gpc) {
            place = other;
            if (!flies(config, other, at)) break;
            if (other->mask != read->mask) return read_besides(coalescer, other, read, at);
            if (other->requests >= config->limit || (!read->in_step && other->sm != read->sm)) break;
            other->requests++;
            coalescer->joined++;
            return other->answered;
        }
        if (!other->mask || (place->mask && before(other->answered, place->answered))) place = other;
    }
    uint32_t answered = read_l2(coalescer, read, at);
    *place = (InFlight){
        .line = read->line, .issued = at, .answered = answered, .mask = read->mask, .gpc = gpc, .sm = read->sm, .requests = 1};
    return answered;
}

void coalescer_read_alone(Coalescer *coalescer, uint32_t line, uint32_t mask) {
    coalescer->l2_read_sectors += (uint32_t)__builtin_popcount(mask);
    cache_read(coalescer->l2, line, mask);
}

bool coalescer_was_of_use(Coalescer *coalescer) {
    enum { FEW = 256 };
    bool use = coalescer->joined * FEW > coalescer->reads;
    coalescer->reads = coalescer->joined = 0;
    return use;
}

void coalescer_prefetch(const Coalescer *coalescer, const Read *read) {
    if (coalescer->flying) __builtin_prefetch(set_of(coalescer, read->line, coalescer->gpc[read->sm]), 1);
    cache_prefetch(coalescer->l2, read->line);
}

void coalescer_prefetch_alone(const Coalescer *coalescer, uint32_t line) { cache_prefetch(coalescer->l2, line); }

void coalescer_write(Coalescer *coalescer, uint32_t line, uint32_t words) { cache_write(coalescer->l2, line, words); }

void coalescer_atomic(Coalescer *coalescer, uint32_t line, uint32_t mask, uint32_t words) {
    cache_read(coalescer->l2, line, mask);
    cache_write(coalescer->l2, line, words);
}

TrafficTotals coalescer_totals(const Coalescer *coalescer) {
    return (TrafficTotals){.l2_read_sectors = coalescer->l2_read_sectors,
                           .timed_reads = coalescer->timed_reads,
                           .late_cycles = coalescer->late_cycles,
                           .dram = *cache_traffic(coalescer->l2)};
}
