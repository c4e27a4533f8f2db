#include "report/layout.h"

#include <stdlib.h>

static int order_sectors(const void *a, const void *b) {
    const SectorUse *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static bool is_atomic(const Access *access) { return access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION; }

static SectorUse *layout_sector(SectorLayout *layout, uint64_t addr) {
    for (uint32_t i = layout->n_sectors; i-- > 0;)
        if (layout->sector[i].addr == addr) return &layout->sector[i];
    SectorUse *sector = &layout->sector[layout->n_sectors++];
    *sector = (SectorUse){.addr = addr, .transfers = 1};
    return sector;
}

/* Aligned ranges of at most 32 bytes never cross the end of a sector. */
static void layout_range(SectorLayout *layout, LaneRange range) {
    SectorUse *sector = layout_sector(layout, range.addr & ~(uint64_t)(SECTOR_BYTES - 1));
    uint32_t mask = range.bytes >= SECTOR_BYTES ? UINT32_MAX : (1u << range.bytes) - 1;
    sector->bytes |= mask << range.addr % SECTOR_BYTES;
    sector->lanes |= 1u << range.lane;
    layout->ranges[layout->n_ranges++] = range;
}

/* Atomics on one address transfer its sector once for each lane. */
static void layout_transfers(SectorLayout *layout) {
    for (uint32_t i = 0; i < layout->n_ranges; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k <= i; k++) same += layout->ranges[k].addr == layout->ranges[i].addr;
        SectorUse *sector = layout_sector(layout, layout->ranges[i].addr & ~(uint64_t)(SECTOR_BYTES - 1));
        if (same > sector->transfers) sector->transfers = same;
    }
}

void layout_sectors(const Sample *sample, SectorLayout *layout) {
    const Access *access = &sample->access;
    *layout = (SectorLayout){0};
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        if (!(access->active >> lane & 1)) continue;
        bool words = access->space == SPACE_LOCAL && access->bytes > 4;
        uint32_t bytes = words ? 4 : access->bytes;
        for (uint32_t word = 0; word < access->bytes / bytes; word++)
            layout_range(layout, (LaneRange){access->addr[lane] + word * LINE_BYTES, bytes, lane});
    }
    for (uint32_t i = 0; i < layout->n_sectors; i++)
        layout->unique_bytes += (uint32_t)__builtin_popcount(layout->sector[i].bytes);
    uint32_t touched = layout->n_sectors;
    layout->whole_lines = access->kind == ACCESS_LOAD && sample->cost > touched;
    if (is_atomic(access)) layout_transfers(layout);
    for (uint32_t i = 0; layout->whole_lines && i < touched; i++) {
        uint64_t line = layout->sector[i].addr & ~(uint64_t)(LINE_BYTES - 1);
        for (uint32_t s = 0; s < LINE_SECTORS; s++) layout_sector(layout, line + s * SECTOR_BYTES);
    }
    for (uint32_t i = 0; i < layout->n_sectors; i++) layout->counted += layout->sector[i].transfers;
    qsort(layout->sector, layout->n_sectors, sizeof layout->sector[0], order_sectors);
}

/* True when every active lane has the address of its partner, lane XOR x, wherever that is active. */
static bool partners_equal(const Access *access, uint32_t x) {
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        bool both = access->active >> i & 1 && access->active >> (i ^ x) & 1;
        if (both && access->addr[i] != access->addr[i ^ x]) return false;
    }
    return true;
}

/* Puts the lanes of one group into as few rows as their banks allow. Lanes share a word, but not in atomics. */
static void layout_group(const Access *access, uint32_t group, BankLayout *layout) {
    uint32_t first_row = layout->n_rows, words = access->bytes > 4 ? access->bytes / 4 : 1;
    uint64_t served[WARP_LANES][BANKS] = {{0}};
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        if (!(access->active & group & 1u << lane)) continue;
        uint64_t word = access->addr[lane] / BANK_BYTES;
        uint32_t bank = word % BANKS, row = first_row;
        while (row < layout->n_rows && layout->row[row].lanes[bank] && !banks_try(access) &&
               (banks_serve_each(access) || served[row][bank] != word))
            row++;
        if (row == layout->n_rows) layout->row[layout->n_rows++] = (BankRow){.group = group};
        for (uint32_t w = 0; w < words; w++) {
            layout->row[row].lanes[(bank + w) % BANKS] |= 1u << lane;
            served[row][(bank + w) % BANKS] = word + w;
        }
    }
}

void layout_banks(const Access *access, BankLayout *layout) {
    uint32_t size = access->bytes <= 4 ? WARP_LANES : BANKS * BANK_BYTES / access->bytes;
    bool wide_load = access->kind == ACCESS_LOAD && (access->bytes == 8 || access->bytes == 16);
    if (wide_load && (partners_equal(access, 1) || partners_equal(access, 2))) size *= 2;
    *layout = (BankLayout){.row_wavefronts = banks_turn(access)};
    for (uint32_t first = 0; first < WARP_LANES; first += size) {
        uint32_t group = (uint32_t)(((UINT64_C(1) << size) - 1) << first);
        if (access->active & group) layout->least += layout->row_wavefronts;
        layout_group(access, group, layout);
    }
}
