/* engine.c: what the engine's module exports to the page. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "explore/explore.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/* Room for input, which the next explore_run frees. */
uint8_t *EXPORT(explore_buffer)(uint32_t bytes);

/* input: PTX, then words, each ended by NUL; the first is the source's path, the others are those of `warpscope launch FILE`. Returns the
 * bytes of the JSON. */
uint32_t EXPORT(explore_run)(uint8_t *input, uint32_t ptx_bytes, uint32_t words_bytes);

const uint8_t *EXPORT(explore_result)(void);

static Text result;

uint8_t *explore_buffer(uint32_t bytes) { return alloc_bytes((size_t)bytes + 1); }

const uint8_t *explore_result(void) { return (const uint8_t *)text_string(&result); }

uint32_t explore_run(uint8_t *input, uint32_t ptx_bytes, uint32_t words_bytes) {
    char *ptx = alloc_text((const char *)input, ptx_bytes), *word = (char *)input + ptx_bytes, *end = word + words_bytes;
    *end = 0;
    ExploreRequest request = {.ptx = ptx, .ptx_bytes = ptx_bytes, .path = word};
    request.words = alloc_zeroed(words_bytes + 1, sizeof *request.words);
    for (word += strlen(word) + 1; word < end; word += strlen(word) + 1) request.words[request.n_words++] = word;
    text_free(&result);
    explore_launch(&request, &result);
    free(request.words);
    free(ptx);
    free(input);
    return (uint32_t)result.length;
}
