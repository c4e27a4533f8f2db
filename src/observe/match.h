/* match.h: which of 16 words equal one. */
#pragma once

#include <stdint.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

enum { MATCH_WORDS = 16 };

/* Bit i: words[i] == word. With AVX-512 this is one comparison, which compilers do not find: they make a tree of shifts and ors. */
static inline uint32_t match_words(const uint32_t *words, uint32_t word) {
#ifdef __AVX512F__
    return _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(words), _mm512_set1_epi32((int32_t)word));
#else
    uint32_t match = 0;
    for (uint32_t i = 0; i < MATCH_WORDS; i++) match |= (uint32_t)(words[i] == word) << i;
    return match;
#endif
}
