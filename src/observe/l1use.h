/* l1use.h: what a load does in L1. */
#pragma once

#include "observe/counters.h"

typedef enum L1Use { L1_FILL, L1_PROBE, L1_BYPASS } L1Use;

/* How a load uses L1, as measured on an H200: loads that must see what other SMs have written invalidate the line; a last use (.lu) may hit but
 * allocates nothing. The compiler's option to bypass L1 (-dlcm=cg) concerns plain loads. */
static inline L1Use load_use(const CounterConfig *config, const Access *access) {
    if (access->space == SPACE_LOCAL) return L1_FILL;
    if (access->order != ORDER_WEAK) return L1_BYPASS;
    switch ((Policy)access->policy) {
    case POLICY_NONE: return config->l1 ? L1_FILL : L1_BYPASS;
    case POLICY_LU: return L1_PROBE;
    case POLICY_CA:
    case POLICY_CS:
    case POLICY_NC:
    case POLICY_WB: return L1_FILL;
    case POLICY_CG:
    case POLICY_CV:
    case POLICY_WT: return L1_BYPASS;
    }
    return L1_BYPASS;
}
