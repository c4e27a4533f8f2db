/* masks.h: random accesses' numbers and active masks, the same in each run; which accesses are strided. */
#pragma once

#include <stdint.h>

#include "machine/access.h"

static inline uint64_t next_random(uint64_t below) { /* xorshift64 */
    static uint64_t seed = 88172645463325252u;
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed % below;
}

/* All lanes often, and what shortcuts may mistake: halves, a quarter, every other lane, one lane, all but one. Never none. */
static inline uint32_t random_mask(void) {
    static const uint32_t masks[] = {LANES_ALL, LANES_ALL,  LANES_ALL, LANES_ALL,  0x0000ffff, 0xff,
                                     0xff00,    0x55555555, 1,         0x80000000, 0xcccccccc, 0x7fffffff};
    enum { MASKS = sizeof masks / sizeof *masks };
    uint64_t choice = next_random(MASKS + 4);
    uint32_t mask = (uint32_t)next_random(UINT64_C(1) << 32);
    return choice < MASKS ? masks[choice] : mask ? mask : 1;
}

/* Within so many lanes each. */
static inline bool is_strided(const Access *access, uint32_t lanes) {
    bool strided = access->active == LANES_ALL;
    uint64_t stride = access->addr[1] - access->addr[0];
    for (uint32_t i = 0; i < 32; i++) strided = strided && access->addr[i] == access->addr[i - i % lanes] + i % lanes * stride;
    return strided;
}
