#include "observe/passes.h"

static uint32_t tag_bank(uint32_t line) {
    enum { LOW = 0x0b5, HIGH = 0x1da }; /* bits of a line's number whose parities are the two of its bank */
    return (uint32_t)(__builtin_parity(line & LOW) + 2 * __builtin_parity(line & HIGH));
}

/* The most words that lie in one bank: words of a bank are in different lines. All banks are counted at once: bit b of counts[i] is bit i of bank b's. */
static uint32_t data_passes(const Footprint *footprint) {
    enum { BITS = 9 }; /* up to FOOTPRINT_LINES */
    uint32_t counts[BITS] = {0}, banks = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < footprint->n_lines; i++)
        for (uint32_t bit = 0, carry = footprint->words[i]; carry; bit++) {
            const uint32_t sum = counts[bit] ^ carry;
            carry &= counts[bit];
            counts[bit] = sum;
        }
    for (uint32_t bit = BITS; bit-- > 0;) {
        if (!(banks & counts[bit])) continue;
        banks &= counts[bit];
        most |= 1u << bit;
    }
    return most;
}

uint32_t passes_count(const Footprint *footprint) {
    uint32_t lines[TAG_BANKS] = {0}, most = data_passes(footprint);
    for (uint32_t i = 0; i < footprint->n_lines; i++) lines[tag_bank(footprint->line[i])]++;
    for (uint32_t bank = 0; bank < TAG_BANKS; bank++)
        if (lines[bank] > most) most = lines[bank];
    return most;
}
