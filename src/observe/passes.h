/* passes.h: in how many cycles L1 serves a load of global memory whose lines it has.
 *
 * It looks lines up in four banks of tags, one line a cycle in each, and reads words from 32 banks of data, one word a cycle in each; the slower of the two
 * counts. A word's bank is address / 4 mod 32, as of shared memory; a line's is a hash of its number. Measured on an H100 (tests/hardware/l1.cu,
 * h100-l1.csv): strides, lines that the lanes share, random words, elements of 4, 8 and 16 bytes; the counters of both,
 * l1tex__t_output_wavefronts and l1tex__data_pipe_lsu_wavefronts, and the times, which are the greater one. The hash was found as the only one (but for the order of
 * its banks) of the parities of any of a line's lowest 9 bits that gives all 24 of the first counter; what further bits do is not known. */
#pragma once

#include "observe/sectors.h"

enum { TAG_BANKS = 4 };

uint32_t passes_count(const Footprint *footprint);
