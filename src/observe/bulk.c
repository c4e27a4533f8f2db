#include "observe/bulk.h"

static void add_line(Footprint *piece, uint64_t address, uint32_t bytes) {
    const uint32_t first = (uint32_t)(address % LINE_BYTES / 4), words = bytes / 4;
    const uint32_t i = piece->n_lines++;
    piece->line[i] = (uint32_t)(address / LINE_BYTES) & LINE_NUMBERS;
    piece->words[i] = (words == LINE_WORDS ? UINT32_MAX : (1u << words) - 1) << first;
    piece->mask[i] = (uint8_t)sectors_touched(piece->words[i]);
    piece->sectors += (uint32_t)__builtin_popcount(piece->mask[i]);
    piece->n_words += words;
    piece->unique_bytes += bytes;
}

bool bulk_piece(const BulkRun *run, uint32_t number, Footprint *piece) {
    const uint64_t done = (uint64_t)number * BULK_PIECE_BYTES;
    if (done >= run->bytes) return false;
    const uint32_t bytes = run->bytes - done < BULK_PIECE_BYTES ? (uint32_t)(run->bytes - done) : BULK_PIECE_BYTES;
    const uint64_t address = run->address + done;
    const uint32_t room = LINE_BYTES - (uint32_t)(address % LINE_BYTES), here = bytes < room ? bytes : room;
    piece->sectors = piece->n_words = piece->unique_bytes = piece->n_lines = 0;
    piece->spans = false;
    add_line(piece, address, here);
    if (here < bytes) add_line(piece, address + here, bytes - here);
    return true;
}

bool bulk_piece_next(BulkPieces *at, Footprint *piece) {
    for (; at->run < at->event->n_runs; at->run++, at->number = 0)
        if (bulk_piece(&at->event->runs[at->run], at->number++, piece)) return true;
    return false;
}
