/* An access without a mask, against its definition lane by lane (observe/touch.h). */
#include <string.h>

#include "observe/touch.h"
#include "suite.h"

enum { BASE = 4096 };

/* What the fields say, each by itself. */
static void agrees(const uint64_t *addr, uint32_t active, uint32_t bytes) {
    Touch touch;
    const uint32_t first = (uint32_t)__builtin_ctz(active);
    uint64_t offset[WARP_LANES], lowest = UINT64_MAX, highest = 0;
    uint32_t runs = 1;
    bool contiguous = active == LANES_ALL, halves = contiguous, rising = true, fine = true;
    memset(&touch, 0xa5, sizeof touch);
    touch_fill(&touch, addr, active, BASE, bytes);
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint32_t lane = active >> l & 1 ? l : first;
        offset[l] = addr[lane] - BASE;
        fine &= touch.lane[l] == lane && touch.offset[l] == offset[l];
        lowest = offset[l] < lowest ? offset[l] : lowest;
        highest = offset[l] > highest ? offset[l] : highest;
        if (!l) continue;
        runs |= (uint32_t)(offset[l] != offset[l - 1]) << l;
        rising &= offset[l] > offset[l - 1];
        contiguous &= offset[l] == offset[l - 1] + bytes;
        halves &= l == WARP_LANES / 2 || offset[l] == offset[l - 1] + bytes;
    }
    fine &= touch.lowest == lowest && touch.highest == highest && touch.runs == runs;
    fine &= touch.contiguous == contiguous && touch.halves == halves && touch.rising == rising;
    bool rises = true;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        for (uint32_t m = 0; m < l; m++) rises &= !(active >> l & active >> m & 1) || offset[m] < offset[l];
    fine &= touch_rises(&touch, active) == rises;
    if (!fine)
        ck_abort_msg("mask %08x, %u bytes, lane 0 at %llu, lane 1 at %llu", active, bytes, (unsigned long long)addr[0],
                     (unsigned long long)addr[1]);
}

START_TEST(fields_say_what_the_lanes_do)
{
    static const uint32_t masks[] = {LANES_ALL,   1,           0x80000000u, 0xffff0000u,
                                     0x0000ffffu, 0x5a5a5a5au, 0x7fffffffu, 0xfffffffeu};
    static const int strides[] = {0, 1, 4, 8, 16, 128, -4, -128};
    uint64_t addr[WARP_LANES];
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
            for (int moved = -1; moved < WARP_LANES; moved++) { /* one lane elsewhere, or from lane 16 on all */
                for (uint32_t l = 0; l < WARP_LANES; l++)
                    addr[l] = (uint64_t)(BASE + 16384 + strides[s] * (int)l + ((int)l == moved ? 1000 : 0) +
                                         (moved == 16 && l > 16 ? 1000 : 0));
                for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) agrees(addr, masks[m], bytes);
            }
        }
    }
}
END_TEST

/* All lanes by eights of one stride: the same as lane by lane, whatever an access claims of its addresses. */
START_TEST(what_an_access_claims_changes_nothing)
{
    static const int strides[] = {0, 1, 2, 4, 8, 16, 64, -4};
    static const int jumps[] = {-512, -8, -4, 0, 4, 8, 16, 32, 64, 128, 512}; /* from an eight's first lane to the next's */
    const size_t count = sizeof jumps / sizeof *jumps;
    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++)
        for (size_t j = 0; j < count * count * count; j++)
            for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
                Access access = {.active = LANES_ALL, .bytes = (uint8_t)bytes, .stride = strides[s], .eights = true};
                const int starts[] = {0, jumps[j % count], jumps[j / count % count], jumps[j / count / count]};
                int start = 16384;
                for (uint32_t l = 0; l < WARP_LANES; l++) {
                    if (l % EIGHT == 0) start += starts[l / EIGHT];
                    access.addr[l] = (uint64_t)(BASE + start + strides[s] * (int)(l % EIGHT));
                }
                Touch claimed, found;
                memset(&claimed, 0, sizeof claimed);
                memset(&found, 0, sizeof found);
                touch_fill(&found, access.addr, LANES_ALL, BASE, bytes);
                touch_access(&claimed, &access, LANES_ALL, BASE);
                ck_assert_mem_eq(&claimed, &found, sizeof found);
            }
}
END_TEST

SUITE("touch", fields_say_what_the_lanes_do, what_an_access_claims_changes_nothing)
