/* Sectors that bulk copies move, launch by launch as an H100 counted them (tests/hardware/h100-bulk.csv). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/bulk.h"
#include "suite.h"

enum { BASE = 0x700000 };

static uint64_t sectors_of(const BulkRun *run) {
    uint64_t sectors = 0, bytes = 0;
    Footprint piece;
    for (uint32_t p = 0; bulk_piece(run, p, &piece); p++) {
        sectors += piece.sectors;
        bytes += piece.unique_bytes;
    }
    ck_assert_uint_eq(bytes, run->bytes);
    return sectors;
}

START_TEST(bulk_copies_move_the_sectors_that_an_h100_counts)
{
    FILE *file = fopen("tests/hardware/h100-bulk.csv", "r");
    char line[400], kernel[32];
    unsigned rows = 0;
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        unsigned size, offset, copies, step, blocks, gap;
        unsigned long long read, written;
        ck_assert_int_eq(sscanf(line, "%31[^,],%u,%u,%u,%u,%u,%u,%llu,%llu", kernel, &size, &offset, &copies, &step, &blocks,
                                &gap, &read, &written),
                         9);
        if (!strcmp(kernel, "pre")) continue; /* a prefetch moves nothing to the SM */
        const bool reads = !strcmp(kernel, "g2s");
        uint64_t sectors = 0;
        for (unsigned b = 0; b < blocks; b++)
            for (unsigned i = 0; i < copies; i++) {
                const uint64_t address = BASE + (uint64_t)b * gap + offset + (uint64_t)i * step;
                sectors += sectors_of(&(BulkRun){address, size});
            }
        ck_assert_msg(sectors == (reads ? read : written), "%s: %llu", line, (unsigned long long)sectors);
        rows++;
    }
    fclose(file);
    ck_assert_uint_eq(rows, 66);
}
END_TEST

/* 48 bytes from 16 before a line's end: 16 in the one, 32 in the next, which is two words' worth of its first sector. */
START_TEST(a_piece_names_the_lines_and_words_that_it_moves)
{
    const BulkRun run = {BASE + 112, 48};
    Footprint piece;
    ck_assert(bulk_piece(&run, 0, &piece));
    ck_assert_uint_eq(piece.n_lines, 2);
    ck_assert_uint_eq(piece.line[0], BASE / 128);
    ck_assert_uint_eq(piece.mask[0], 8);
    ck_assert_uint_eq(piece.words[0], 0xf0000000);
    ck_assert_uint_eq(piece.line[1], BASE / 128 + 1);
    ck_assert_uint_eq(piece.mask[1], 1);
    ck_assert_uint_eq(piece.words[1], 0xff);
    ck_assert_uint_eq(piece.sectors, 2);
    ck_assert_uint_eq(piece.n_words, 12);
    ck_assert(!bulk_piece(&run, 1, &piece));
}
END_TEST

SUITE("bulk", bulk_copies_move_the_sectors_that_an_h100_counts, a_piece_names_the_lines_and_words_that_it_moves)
