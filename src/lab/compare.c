#include "lab/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 200 };
#define NOWHERE UINT64_MAX

/* The wrong elements, in numbers. */
typedef struct Wrong {
    const Comparison *of;
    uint64_t bytes; /* of an element */
    uint64_t count, unwritten, first;
    uint64_t sample[SAMPLES]; /* evenly spread over the wrong elements */
    uint32_t n_samples;
} Wrong;

static const uint8_t *element(const void *data, uint64_t bytes, uint64_t i) { return (const uint8_t *)data + i * bytes; }

static bool same(const Wrong *wrong, const void *a, uint64_t i, const void *b, uint64_t j) {
    return memcmp(element(a, wrong->bytes, i), element(b, wrong->bytes, j), wrong->bytes) == 0;
}

static double number(uint8_t type, const uint8_t *at) {
    double wide;
    float narrow;
    if (type == TYPE_f64) return memcpy(&wide, at, sizeof wide), wide;
    return memcpy(&narrow, at, sizeof narrow), (double)narrow;
}

static bool is_float(uint8_t type) { return type == TYPE_f32 || type == TYPE_f64; }

static bool is_wrong(const Wrong *wrong, uint64_t i) {
    const Comparison *of = wrong->of;
    if (same(wrong, of->got, i, of->expected, i)) return false;
    if (of->tolerance < 0 || !is_float(of->type)) return true;
    double got = number(of->type, element(of->got, wrong->bytes, i));
    double expected = number(of->type, element(of->expected, wrong->bytes, i));
    if (isnan(expected)) return !isnan(got);
    return !(fabs(got - expected) <= of->tolerance);
}

static bool is_unwritten(const Wrong *wrong, uint64_t i) {
    const uint8_t *at = element(wrong->of->got, wrong->bytes, i);
    for (uint64_t b = 0; b < wrong->bytes; b++)
        if (at[b] != COMPARE_POISON) return false;
    return true;
}

static void find_wrong(Wrong *wrong) {
    uint64_t all = wrong->of->rows * wrong->of->cols;
    for (uint64_t i = 0; i < all; i++) {
        if (!is_wrong(wrong, i)) continue;
        if (!wrong->count++) wrong->first = i;
        wrong->unwritten += is_unwritten(wrong, i);
    }
    uint64_t step = wrong->count / SAMPLES + 1, seen = 0;
    for (uint64_t i = wrong->first; i < all && wrong->n_samples < SAMPLES; i++)
        if (is_wrong(wrong, i) && seen++ % step == 0) wrong->sample[wrong->n_samples++] = i;
}

/* --- the sentence about the first one ------------------------------------------------------------------------------------- */

static void add_place(const Comparison *of, uint64_t i, Text *out) {
    if (of->rows > 1)
        text_add(out, "(%" PRIu64 ", %" PRIu64 ")", i / of->cols, i % of->cols);
    else
        text_add(out, "%" PRIu64, i);
}

static void add_value(const Wrong *wrong, const void *data, uint64_t i, Text *out) {
    uint8_t type = wrong->of->type;
    const uint8_t *at = element(data, wrong->bytes, i);
    uint64_t bits = 0;
    memcpy(&bits, at, wrong->bytes < 8 ? wrong->bytes : 8);
    unsigned unused = wrong->bytes < 8 ? 64 - 8 * (unsigned)wrong->bytes : 0;
    if (is_float(type))
        text_add(out, type == TYPE_f64 ? "%.10g" : "%.7g", number(type, at));
    else if (type_kinds[type] == KIND_SIGNED)
        text_add(out, "%" PRId64, (int64_t)(bits << unused) >> unused);
    else
        text_add(out, "%" PRIu64, bits);
}

static void add_first(const Wrong *wrong, Text *out) {
    const Comparison *of = wrong->of;
    text_add(out, "element ");
    add_place(of, wrong->first, out);
    text_add(out, " of '%s' is ", of->name);
    if (is_unwritten(wrong, wrong->first))
        text_add(out, "never written");
    else
        add_value(wrong, of->got, wrong->first, out);
    text_add(out, ", expected ");
    add_value(wrong, of->expected, wrong->first, out);
    text_add(out, "; %" PRIu64 " of %" PRIu64 " elements %s wrong", wrong->count, of->rows * of->cols,
             wrong->count == 1 ? "is" : "are");
}

/* --- never written -------------------------------------------------------------------------------------------------------- */

/* Whether just the rows (columns) r with r % tile >= from are unwritten. */
static bool rows_unwritten(const Wrong *wrong, uint64_t tile, uint64_t from, bool columns) {
    const Comparison *of = wrong->of;
    for (uint64_t i = 0; i < of->rows * of->cols; i++) {
        uint64_t at = columns ? i % of->cols : i / of->cols;
        if (is_unwritten(wrong, i) != (at % tile >= from)) return false;
    }
    return true;
}

static const char *why_unwritten(const Wrong *wrong) {
    const Comparison *of = wrong->of;
    const uint64_t written = of->rows * of->cols - wrong->unwritten;
    if (of->stored_bytes > written * wrong->bytes)
        return "others were written more than once: do several threads have the same ones?";
    if (of->unguarded) return "do too few threads take part, or does no thread's index come to them?";
    return wrong->count == 1 ? "does a guard leave it out?"
                             : "does a guard leave them out, or does no thread's index come to them?";
}

/* The first unwritten row or column decides where a pattern can begin. */
static bool tile_unwritten(const Wrong *wrong, bool columns, Text *out) {
    static const uint64_t tiles[] = {32, 16, 64, 8, 4, 2};
    const Comparison *of = wrong->of;
    uint64_t extent = columns ? of->cols : of->rows, from = columns ? wrong->first % of->cols : wrong->first / of->cols;
    const char *what = of->rows == 1 ? "elements" : columns ? "columns" : "rows";
    if (from == 0) return false;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        uint64_t tile = tiles[i];
        if (from >= tile || extent <= tile || !rows_unwritten(wrong, tile, from, columns)) continue;
        const bool one = from == tile - 1;
        text_add(out, "%.*s %" PRIu64, (int)strlen(what) - one, what, from);
        if (!one) text_add(out, "-%" PRIu64, tile - 1);
        text_add(out, " of each %" PRIu64 " %s never written: does every block, and every thread, do all of its share?", tile,
                 one ? "was" : "were");
        return true;
    }
    if (!rows_unwritten(wrong, UINT64_MAX, from, columns)) return false;
    if (from + 1 == extent)
        text_add(out, "the last %.*s was never written: ", (int)strlen(what) - 1, what);
    else
        text_add(out, "%s %" PRIu64 " and after were never written: ", what, from);
    if (of->rows > 1 && from < 32 && (from & (from - 1)) == 0)
        text_add(out, "does every block, and every thread, do all of its share?");
    else
        text_add(out, "%s", why_unwritten(wrong));
    return true;
}

static bool cause_unwritten(const Wrong *wrong, Text *out) {
    if (!is_unwritten(wrong, wrong->first) || wrong->unwritten < wrong->count) return false;
    if (wrong->count == wrong->of->rows * wrong->of->cols)
        text_add(out, "nothing was written to '%s' at all", wrong->of->name);
    else if (!tile_unwritten(wrong, false, out) && !tile_unwritten(wrong, true, out))
        text_add(out, "%" PRIu64 " element%s never written: %s", wrong->unwritten, wrong->unwritten == 1 ? " was" : "s were",
                 why_unwritten(wrong));
    return true;
}

/* --- values from elsewhere ------------------------------------------------------------------------------------------------ */

/* The element whose value stands at (r, c) by this mistake, or NOWHERE. `size` is the mistake's parameter. */
typedef uint64_t Mistake(const Comparison *of, uint64_t r, uint64_t c, int64_t size);

static uint64_t at(const Comparison *of, uint64_t r, uint64_t c) {
    return r < of->rows && c < of->cols ? r * of->cols + c : NOWHERE;
}

static uint64_t swapped(const Comparison *of, uint64_t r, uint64_t c, int64_t size) {
    (void)size;
    return at(of, c, r);
}

static uint64_t swapped_inside(const Comparison *of, uint64_t r, uint64_t c, int64_t size) {
    uint64_t tile = (uint64_t)size;
    return at(of, r / tile * tile + c % tile, c / tile * tile + r % tile);
}

static uint64_t swapped_tiles(const Comparison *of, uint64_t r, uint64_t c, int64_t size) {
    uint64_t tile = (uint64_t)size;
    return at(of, c / tile * tile + r % tile, r / tile * tile + c % tile);
}

static uint64_t swapped_by_the_other_diagonal(const Comparison *of, uint64_t r, uint64_t c, int64_t size) {
    uint64_t tile = (uint64_t)size;
    return at(of, r / tile * tile + tile - 1 - c % tile, c / tile * tile + tile - 1 - r % tile);
}

static uint64_t reversed_across(const Comparison *of, uint64_t r, uint64_t c, int64_t size) {
    (void)size;
    return at(of, r, of->cols - 1 - c);
}

/* In a single row. */
static uint64_t reversed_alone(const Comparison *of, uint64_t r, uint64_t c, int64_t size) {
    return of->rows == 1 ? reversed_across(of, r, c, size) : NOWHERE;
}

static uint64_t reversed_down(const Comparison *of, uint64_t r, uint64_t c, int64_t size) {
    (void)size;
    return at(of, of->rows - 1 - r, c);
}

static uint64_t reversed_both(const Comparison *of, uint64_t r, uint64_t c, int64_t size) {
    (void)size;
    return at(of, of->rows - 1 - r, of->cols - 1 - c);
}

static uint64_t moved_across(const Comparison *of, uint64_t r, uint64_t c, int64_t size) {
    return at(of, r, c + (uint64_t)size);
}

static uint64_t moved_down(const Comparison *of, uint64_t r, uint64_t c, int64_t size) { return at(of, r + (uint64_t)size, c); }

/* Values that are in many places for reasons of their own: 0, and what the element was before. */
static bool is_common(const Wrong *wrong, uint64_t i) {
    const uint8_t *at = element(wrong->of->got, wrong->bytes, i);
    bool zero = true;
    for (uint64_t b = 0; b < wrong->bytes; b++) zero &= at[b] == 0;
    return zero || (wrong->of->before && same(wrong, wrong->of->got, i, wrong->of->before, i));
}

/* How many elements of an array have the value of the wrong element i. */
static uint64_t count_like(const Wrong *wrong, uint64_t i, const void *data, uint64_t count) {
    uint64_t like = 0;
    for (uint64_t k = 0; k < count; k++) like += same(wrong, wrong->of->got, i, data, k);
    return like;
}

/* Whether elements that have values of an array, each at the place where a mistake looks for it, have them by no chance: some value is there once, or several
 * values are so rare that all together hit one place in a million. */
static bool tells(const Wrong *wrong, const uint64_t *elements, uint32_t n, const void *data, uint64_t count) {
    enum { LOOKED_AT = 32, BITS = 20 };
    double bits = 0;
    for (uint32_t k = 0; k < n && k < LOOKED_AT && bits < BITS; k++) {
        bool known = is_common(wrong, elements[k]);
        for (uint32_t j = 0; j < k && !known; j++)
            known = same(wrong, wrong->of->got, elements[k], wrong->of->got, elements[j]);
        if (known) continue;
        const uint64_t like = count_like(wrong, elements[k], data, count);
        if (like == 1) return true;
        bits += log2((double)count / (double)like);
    }
    return bits >= BITS;
}

/* Whether nearly all wrong elements have the value that the mistake would give them. */
static bool fits(const Wrong *wrong, Mistake *mistake, int64_t size) {
    const Comparison *of = wrong->of;
    uint32_t good = 0, known = 0;
    uint64_t fitting[SAMPLES];
    for (uint32_t s = 0; s < wrong->n_samples; s++) {
        uint64_t i = wrong->sample[s], from = mistake(of, i / of->cols, i % of->cols, size);
        if (from == NOWHERE) continue;
        known++;
        if (same(wrong, of->got, i, of->expected, from)) fitting[good++] = i;
    }
    return known > 0 && known * 2 >= wrong->n_samples && good * 10 >= known * 9 &&
           tells(wrong, fitting, good, of->expected, of->rows * of->cols);
}

static bool is_alike(const Wrong *wrong, const CompareSource *source) {
    return type_bytes[source->type] == wrong->bytes && is_float(source->type) == is_float(wrong->of->type);
}

static bool fits_source(const Wrong *wrong, const CompareSource *source) {
    const Comparison *of = wrong->of;
    if (!is_alike(wrong, source) || source->count < of->rows * of->cols) return false;
    for (uint32_t s = 0; s < wrong->n_samples; s++)
        if (!same(wrong, of->got, wrong->sample[s], source->data, wrong->sample[s])) return false;
    return tells(wrong, wrong->sample, wrong->n_samples, source->data, source->count);
}

static const struct {
    Mistake *mistake;
    int64_t size;
    const char *cause;
} mistakes[] = {
    {swapped, 0, "row and column swapped"},
    {swapped_inside, 32, "row and column swapped inside each 32 x 32 tile, the tiles are in place"},
    {swapped_inside, 16, "row and column swapped inside each 16 x 16 tile, the tiles are in place"},
    {swapped_inside, 64, "row and column swapped inside each 64 x 64 tile, the tiles are in place"},
    {swapped_tiles, 32, "the 32 x 32 tiles are right inside, but row and column of the tiles swapped"},
    {swapped_tiles, 16, "the 16 x 16 tiles are right inside, but row and column of the tiles swapped"},
    {swapped_tiles, 64, "the 64 x 64 tiles are right inside, but row and column of the tiles swapped"},
    {swapped_by_the_other_diagonal, 32,
     "row and column swapped inside each 32 x 32 tile, about the diagonal from the lower left; the tiles are in place"},
    {swapped_by_the_other_diagonal, 16,
     "row and column swapped inside each 16 x 16 tile, about the diagonal from the lower left; the tiles are in place"},
    {reversed_alone, 0, "the elements are in the reverse order"},
    {reversed_across, 0, "each row is in the reverse order"},
    {reversed_down, 0, "the rows are in the reverse order"},
    {reversed_both, 0, "the rows are in the reverse order, and so is each row: turned by 180 degrees"},
    {moved_across, 1, "off by one: it is the value of the next element"},
    {moved_across, -1, "off by one: it is the value of the element before"},
    {moved_down, 1, "off by one: it is the value of the next row"},
    {moved_down, -1, "off by one: it is the value of the row before"},
};

/* Zeros of two signs, or what is not a number twice. */
static bool cause_bits(const Wrong *wrong, Text *out) {
    const Comparison *of = wrong->of;
    if (!is_float(of->type)) return false;
    for (uint32_t s = 0; s < wrong->n_samples; s++) {
        const double got = number(of->type, element(of->got, wrong->bytes, wrong->sample[s])),
                     expected = number(of->type, element(of->expected, wrong->bytes, wrong->sample[s]));
        if (got != expected && !(isnan(got) && isnan(expected))) return false;
    }
    text_add(out, "only bits differ that say nothing of the number: was it computed with, as by + 0, where it is to be moved?");
    return true;
}

/* --- what is updated ------------------------------------------------------------------------------------------------------ */

static uint64_t sum(const Wrong *wrong, const void *data) {
    uint64_t all = 0;
    for (uint64_t i = 0; i < wrong->of->rows * wrong->of->cols; i++) {
        uint64_t value = 0;
        memcpy(&value, element(data, wrong->bytes, i), wrong->bytes);
        all += value;
    }
    return wrong->bytes < 8 ? all & ((UINT64_C(1) << 8 * wrong->bytes) - 1) : all;
}

/* Integers to which the kernel adds: what one lacks others have too much. Values that only change places have the sum that they had. */
static bool is_added_elsewhere(const Wrong *wrong) {
    const Comparison *of = wrong->of;
    if (is_float(of->type) || wrong->bytes < 4 || wrong->bytes > 8) return false;
    const uint64_t right = sum(wrong, of->expected);
    return sum(wrong, of->got) == right && sum(wrong, of->before) != right;
}

/* Integers that are what should have been added to what was there. */
static bool is_stored_over(const Wrong *wrong) {
    enum { ENOUGH = 3 };
    const Comparison *of = wrong->of;
    bool several = false;
    if (is_float(of->type) || wrong->bytes > 8 || wrong->n_samples < ENOUGH) return false;
    for (uint32_t s = 0; s < wrong->n_samples; s++) {
        const uint64_t i = wrong->sample[s];
        uint64_t added = 0, sum_bits = 0, right = 0;
        memcpy(&added, element(of->got, wrong->bytes, i), wrong->bytes);
        memcpy(&sum_bits, element(of->before, wrong->bytes, i), wrong->bytes);
        memcpy(&right, element(of->expected, wrong->bytes, i), wrong->bytes);
        sum_bits += added;
        if (memcmp(&sum_bits, &right, wrong->bytes) != 0) return false; /* the low bytes */
        several |= !same(wrong, of->before, i, of->before, wrong->sample[0]);
    }
    return several;
}

/* Of what had values before the launch. */
static bool cause_updated(const Wrong *wrong, Text *out) {
    const Comparison *of = wrong->of;
    bool kept = of->before != NULL;
    for (uint32_t s = 0; s < wrong->n_samples && kept; s++)
        kept = same(wrong, of->got, wrong->sample[s], of->before, wrong->sample[s]);
    if (kept)
        text_add(out, "%s before the launch: was nothing written, or added, there?",
                 wrong->count == 1 ? "it is as it was" : "the wrong ones are as they were");
    else if (of->before && is_stored_over(wrong))
        text_add(out, "each lacks what it was before the launch: does a = stand for a +=?");
    else if (of->before && is_added_elsewhere(wrong))
        text_add(out, "the sum of all elements is right: is what belongs to one added to another?");
    else
        return false;
    return true;
}

/* --- the first one's value ------------------------------------------------------------------------------------------------ */

/* Other integers lie about the first wrong one's, as counts do: one that is there but once is so by chance. */
static bool is_dense(const Wrong *wrong) {
    enum { NEAR = 8, FEW = 2 };
    const Comparison *of = wrong->of;
    uint32_t near = 0;
    uint64_t value = 0;
    if (is_float(of->type) || wrong->bytes > 8) return false;
    memcpy(&value, element(of->got, wrong->bytes, wrong->first), wrong->bytes);
    for (uint64_t i = 0; i < of->rows * of->cols && near <= FEW; i++) {
        uint64_t other = 0;
        memcpy(&other, element(of->expected, wrong->bytes, i), wrong->bytes);
        near += i != wrong->first && (other > value ? other - value : value - other) <= NEAR;
    }
    return near > FEW;
}

/* Where the first wrong element's value came from: said only where one element alone has it. */
static bool cause_place(const Wrong *wrong, Text *out) {
    const Comparison *of = wrong->of;
    const CompareSource *source = NULL;
    uint64_t count = of->rows * of->cols, from = 0;
    if (wrong->bytes < 4 || is_common(wrong, wrong->first) || is_dense(wrong)) return false;
    const void *data = of->expected;
    uint64_t like = count_like(wrong, wrong->first, data, count);
    for (uint32_t i = 0; i < of->n_sources && (source || !like); i++) {
        const uint64_t more =
            is_alike(wrong, &of->sources[i]) ? count_like(wrong, wrong->first, of->sources[i].data, of->sources[i].count) : 0;
        if (more) source = &of->sources[i], data = source->data;
        like += more;
    }
    if (like != 1) return false;
    while (!same(wrong, of->got, wrong->first, data, from)) from++;
    if (source) {
        text_add(out, "it is element %" PRIu64 " of '%s'", from, source->name);
    } else {
        text_add(out, "it is the value that belongs to element ");
        add_place(of, from, out);
    }
    return true;
}

static bool cause_value(const Wrong *wrong, Text *out) {
    const Comparison *of = wrong->of;
    double value = is_float(of->type) ? number(of->type, element(of->got, wrong->bytes, wrong->first)) : 1;
    if (!isnan(value) && value != 0) return cause_place(wrong, out);
    text_add(out, "%s",
             value == 0
                 ? "it is 0: was it cleared and never added to, or multiplied by a quotient of integers, as 1 / 3, which is 0?"
                 : "it is not a number: was an element used that holds nothing yet?");
    return true;
}

/* All wrong elements are the same simple multiple of what is expected, which is not one value alone: 2 for 1 may be 1 more. */
static bool cause_factor(const Wrong *wrong, Text *out) {
    enum { ENOUGH = 3, SIMPLE = 64 };
    const Comparison *of = wrong->of;
    double factor = 0;
    bool several = false;
    if (!is_float(of->type) || wrong->n_samples < ENOUGH) return false;
    for (uint32_t s = 0; s < wrong->n_samples; s++) {
        double got = number(of->type, element(of->got, wrong->bytes, wrong->sample[s]));
        double expected = number(of->type, element(of->expected, wrong->bytes, wrong->sample[s]));
        if (!isnormal(got) || !isnormal(expected)) return false;
        if (s == 0) factor = got / expected;
        several |= !same(wrong, of->expected, wrong->sample[s], of->expected, wrong->sample[0]);
        if (fabs(got - factor * expected) > 1e-5 * fabs(got)) return false;
    }
    double part = fabs(factor) < 1 ? 1 / factor : factor;
    if (fabs(part) > SIMPLE || fabs(part - round(part)) > 1e-5 * SIMPLE) return false;
    if (!several && round(part) != 1) return false;
    if (round(part) == 1)
        text_add(
            out,
            "each is nearly what is expected: is it computed in a narrower type, as float for double, or in another order?");
    else if (fabs(factor) < 1)
        text_add(out, "each is what is expected, divided by %g", round(part));
    else
        text_add(out, "each is %g times what is expected", round(part));
    return true;
}

static bool cause_moved(const Wrong *wrong, Text *out) {
    const Comparison *of = wrong->of;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        /* A tile that holds the whole matrix says no more than the matrix. */
        if (mistakes[i].size > 1 && (uint64_t)mistakes[i].size >= of->rows && (uint64_t)mistakes[i].size >= of->cols) continue;
        if (!fits(wrong, mistakes[i].mistake, mistakes[i].size)) continue;
        text_add(out, "%s", mistakes[i].cause);
        return true;
    }
    for (uint32_t i = 0; i < of->n_sources; i++) {
        if (!fits_source(wrong, &of->sources[i])) continue;
        text_add(out, "'%s' is copied as it is%s", of->sources[i].name,
                 of->rows > 1 ? ": row and column swapped in one index" : "");
        return true;
    }
    return false;
}

bool compare_arrays(const Comparison *comparison, Text *message, Text *cause) {
    Wrong wrong = {.of = comparison, .bytes = type_bytes[comparison->type]};
    if (memcmp(comparison->got, comparison->expected, comparison->rows * comparison->cols * wrong.bytes) == 0) return true;
    find_wrong(&wrong);
    if (!wrong.count) return true;
    add_first(&wrong, message);
    if (!cause_unwritten(&wrong, cause) && !cause_bits(&wrong, cause) && !cause_updated(&wrong, cause) &&
        !cause_moved(&wrong, cause) && !is_unwritten(&wrong, wrong.first) && !cause_factor(&wrong, cause))
        cause_value(&wrong, cause);
    return false;
}
