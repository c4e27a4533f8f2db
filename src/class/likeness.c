#include "class/likeness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "class/wording.h"

/* That a file has a fingerprint. */
typedef struct Posting {
    uint64_t hash;
    uint32_t file;
    float counted; /* as often as it counts there */
} Posting;

/* The files that have each fingerprint of a part. */
typedef struct Index {
    Posting *postings;
    size_t *starts; /* of each fingerprint; and the end */
    size_t count;   /* of fingerprints */
} Index;

void likeness_begin(Likeness *likeness, const char *const *names, size_t n_kernels) {
    *likeness = (Likeness){.names = names, .n_kernels = n_kernels, .n_parts = n_kernels + 1, .own = SIZE_MAX};
    likeness->given = alloc_zeroed(likeness->n_parts, sizeof *likeness->given);
    likeness->rare = alloc_zeroed(likeness->n_parts, sizeof *likeness->rare);
}

void likeness_end(Likeness *likeness) {
    for (size_t k = 0; k < likeness->n_parts; k++) {
        fingerprints_free(&likeness->given[k]);
        free(likeness->rare[k]);
        for (size_t i = 0; i < likeness->count; i++) fingerprints_free(&likeness->files[i].parts[k]);
    }
    for (size_t i = 0; i < likeness->count; i++) {
        free(likeness->files[i].parts);
        free(likeness->files[i].weights);
    }
    free(likeness->given);
    free(likeness->rare);
    free(likeness->files);
    free(likeness->pairs);
    *likeness = (Likeness){0};
}

static void take_parts(const Likeness *likeness, const Program *program, const char *main_file, const Text *source,
                       Fingerprints *parts) {
    for (size_t k = 0; k < likeness->n_kernels; k++) {
        const Function *kernel = program_kernel(program, likeness->names[k], &(Diag){0});
        if (kernel) fingerprints_take(program, kernel, main_file, &parts[k]);
    }
    wording_take(text_string(source), source->length, &parts[likeness->n_kernels]);
}

void likeness_give(Likeness *likeness, const Program *program, const char *main_file, const Text *source) {
    take_parts(likeness, program, main_file, source, likeness->given);
}

void likeness_others(Likeness *likeness) { likeness->own = likeness->count; }

/* Both are in order. */
static void take_away(Fingerprints *prints, const Fingerprints *given) {
    size_t kept = 0, g = 0;
    for (size_t i = 0; i < prints->count; i++) {
        while (g < given->count && given->items[g].hash < prints->items[i].hash) g++;
        if (g < given->count && given->items[g].hash == prints->items[i].hash) continue;
        prints->items[kept++] = prints->items[i];
    }
    prints->count = kept;
}

void likeness_add(Likeness *likeness, const Program *program, const char *main_file, const Text *source) {
    LikenessFile *file = &ALLOC_ADD(likeness->files, likeness->count);
    *file = (LikenessFile){alloc_zeroed(likeness->n_parts + 1, sizeof *file->parts),
                           alloc_zeroed(likeness->n_parts + 1, sizeof *file->weights), (uint32_t)likeness->count - 1};
    take_parts(likeness, program, main_file, source, file->parts);
    for (size_t k = 0; k < likeness->n_parts; k++) take_away(&file->parts[k], &likeness->given[k]);
}

/* --- weights -------------------------------------------------------------------------------------------------------------- */

static int by_hash(const void *a, const void *b) {
    const Posting *left = a, *right = b;
    if (left->hash != right->hash) return left->hash < right->hash ? -1 : 1;
    return left->file < right->file ? -1 : left->file > right->file;
}

static double counted(uint32_t count) { return 1 + log2(count); }

/* Numbers, in the order of hashes, take the hashes' place in the files. */
static void index_part(Likeness *likeness, size_t part, Index *index) {
    size_t total = 0;
    for (size_t i = 0; i < likeness->count; i++) total += likeness->files[i].parts[part].count;
    *index = (Index){alloc_zeroed(total + 1, sizeof *index->postings), alloc_zeroed(total + 1, sizeof *index->starts), 0};
    size_t at = 0, *seen = alloc_zeroed(likeness->count + 1, sizeof *seen);
    for (uint32_t i = 0; i < likeness->count; i++) {
        const Fingerprints *prints = &likeness->files[i].parts[part];
        for (size_t p = 0; p < prints->count; p++)
            index->postings[at++] = (Posting){prints->items[p].hash, i, (float)counted(prints->items[p].count)};
    }
    if (total) qsort(index->postings, total, sizeof *index->postings, by_hash);
    for (size_t p = 0; p < total; p++) {
        if (!p || index->postings[p].hash != index->postings[p - 1].hash) index->starts[index->count++] = p;
        Fingerprints *prints = &likeness->files[index->postings[p].file].parts[part];
        prints->items[seen[index->postings[p].file]++].hash = index->count - 1;
    }
    index->starts[index->count] = total;
    free(seen);
}

static void weigh_part(Likeness *likeness, size_t part, const Index *index) {
    double files = likeness->count < RARE_LEAST ? RARE_LEAST : (double)likeness->count;
    double *rare = likeness->rare[part] = alloc_zeroed(index->count + 1, sizeof *rare);
    for (size_t p = 0; p < index->count; p++)
        rare[p] = log2(files / (double)(index->starts[p + 1] - index->starts[p])) / log2(files);
    for (size_t i = 0; i < likeness->count; i++) {
        const Fingerprints *prints = &likeness->files[i].parts[part];
        double weight = 0;
        for (size_t p = 0; p < prints->count; p++) weight += rare[prints->items[p].hash] * counted(prints->items[p].count);
        likeness->files[i].weights[part] = weight;
    }
}

/* --- pairs ---------------------------------------------------------------------------------------------------------------- */

bool likeness_says(const Likeness *likeness, size_t part, uint32_t file) {
    return likeness->files[file].weights[part] >= LEAST_WEIGHT;
}

static double rounded(double share) { return round(1000 * (share > 1 ? 1 : share)) / 1000; }

static double share_of(const Likeness *likeness, size_t part, uint32_t a, uint32_t b, double shared) {
    if (!likeness_says(likeness, part, a) || !likeness_says(likeness, part, b)) return 0;
    return rounded(2 * shared / (likeness->files[a].weights[part] + likeness->files[b].weights[part]));
}

/* Calls each for what both have. */
static void meet(const Likeness *likeness, size_t part, uint32_t a, uint32_t b, void *self,
                 void (*each)(void *self, const Fingerprint *a, const Fingerprint *b, double shared)) {
    const Fingerprints *left = &likeness->files[a].parts[part], *right = &likeness->files[b].parts[part];
    for (size_t i = 0, j = 0; i < left->count; i++) {
        while (j < right->count && right->items[j].hash < left->items[i].hash) j++;
        if (j == right->count) return;
        const Fingerprint *one = &left->items[i], *other = &right->items[j];
        if (one->hash != other->hash) continue;
        each(self, one, other,
             likeness->rare[part][one->hash] * counted(one->count < other->count ? one->count : other->count));
    }
}

static void add_shared(void *self, const Fingerprint *a, const Fingerprint *b, double shared) {
    (void)a, (void)b;
    *(double *)self += shared;
}

double likeness_of_part(const Likeness *likeness, size_t part, uint32_t a, uint32_t b, double *shared) {
    double both = 0;
    meet(likeness, part, a, b, &both, add_shared);
    if (shared) *shared = both;
    return share_of(likeness, part, a, b, both);
}

/* Adds to sums[b] what b shares with a, for all b behind a. */
static void share_part(const Likeness *likeness, size_t part, const Index *index, uint32_t a, double *sums) {
    const Fingerprints *prints = &likeness->files[a].parts[part];
    for (size_t p = 0; p < prints->count; p++) {
        size_t number = prints->items[p].hash;
        double rare = likeness->rare[part][number];
        float mine = (float)counted(prints->items[p].count);
        if (rare == 0) continue;
        for (size_t q = index->starts[number + 1]; q-- > index->starts[number];) {
            const Posting *posting = &index->postings[q];
            if (posting->file <= a) break;
            sums[posting->file] += rare * (double)(posting->counted < mine ? posting->counted : mine);
        }
    }
}

static void note_pair(Likeness *likeness, LikenessPair pair) { ALLOC_ADD(likeness->pairs, likeness->n_pairs) = pair; }

/* Of a and each b behind it the largest likeness of a kernel, and that of the text. */
static void liken_to_all(const Likeness *likeness, const Index *indexes, uint32_t a, double *sums, double *code, double *text) {
    size_t count = likeness->count;
    memset(code, 0, count * sizeof *code);
    memset(text, 0, count * sizeof *text);
    for (size_t k = 0; k < likeness->n_parts; k++) {
        double *best = k < likeness->n_kernels ? code : text;
        if (!likeness_says(likeness, k, a)) continue;
        memset(sums, 0, count * sizeof *sums);
        share_part(likeness, k, &indexes[k], a, sums);
        for (uint32_t b = a + 1; b < count; b++) best[b] = fmax(best[b], share_of(likeness, k, a, b, sums[b]));
    }
}

static void find_pairs(Likeness *likeness, const Index *indexes, double threshold) {
    size_t count = likeness->count, own = likeness->own < count ? likeness->own : count;
    double *sums = alloc_zeroed(count + 1, sizeof *sums), *code = alloc_zeroed(count + 1, sizeof *code),
           *text = alloc_zeroed(count + 1, sizeof *text);
    for (uint32_t a = 0; a < own; a++) {
        liken_to_all(likeness, indexes, a, sums, code, text);
        for (uint32_t b = a + 1; b < count; b++) {
            LikenessPair pair = {a, b, fmax(code[b], text[b]), code[b], text[b], 0};
            if (pair.likeness <= 0 || pair.likeness < threshold) continue;
            for (size_t k = 0; k < likeness->n_parts; k++) {
                double shared = 0;
                likeness_of_part(likeness, k, a, b, &shared);
                pair.shared += shared;
            }
            note_pair(likeness, pair);
        }
    }
    free(sums);
    free(code);
    free(text);
}

/* By what a person sees; weights in whole bits, which do not hang on the last digit of a logarithm. */
static int by_likeness(const void *x, const void *y) {
    const LikenessPair *left = x, *right = y;
    double more = round(left->shared), less = round(right->shared);
    if (left->likeness != right->likeness) return left->likeness > right->likeness ? -1 : 1;
    if (more != less) return more > less ? -1 : 1;
    if (left->a != right->a) return left->a < right->a ? -1 : 1;
    return left->b < right->b ? -1 : left->b > right->b;
}

static uint32_t cluster_of(Likeness *likeness, uint32_t file) {
    LikenessFile *files = likeness->files;
    while (files[file].cluster != file) file = files[file].cluster = files[files[file].cluster].cluster;
    return file;
}

static void find_clusters(Likeness *likeness) {
    for (size_t p = 0; p < likeness->n_pairs; p++) {
        if (likeness->pairs[p].b >= likeness->own) continue;
        uint32_t a = cluster_of(likeness, likeness->pairs[p].a), b = cluster_of(likeness, likeness->pairs[p].b);
        likeness->files[a > b ? a : b].cluster = a > b ? b : a;
    }
    for (uint32_t i = 0; i < likeness->count; i++) likeness->files[i].cluster = cluster_of(likeness, i);
}

void likeness_compare(Likeness *likeness, double threshold) {
    FREED Index *indexes = alloc_zeroed(likeness->n_parts + 1, sizeof *indexes);
    for (size_t k = 0; k < likeness->n_parts; k++) {
        index_part(likeness, k, &indexes[k]);
        weigh_part(likeness, k, &indexes[k]);
    }
    find_pairs(likeness, indexes, threshold);
    if (likeness->n_pairs) qsort(likeness->pairs, likeness->n_pairs, sizeof *likeness->pairs, by_likeness);
    find_clusters(likeness);
    for (size_t k = 0; k < likeness->n_parts; k++) {
        free(indexes[k].postings);
        free(indexes[k].starts);
    }
}

/* --- lines ---------------------------------------------------------------------------------------------------------------- */

typedef struct Lines {
    LikenessLine *items;
    size_t count;
} Lines;

static void note_line(void *self, const Fingerprint *a, const Fingerprint *b, double shared) {
    Lines *lines = self;
    if (!a->line || !b->line || shared == 0) return;
    ALLOC_ADD(lines->items, lines->count) = (LikenessLine){a->line, b->line, shared};
}

static int by_lines(const void *x, const void *y) {
    const LikenessLine *left = x, *right = y;
    if (left->a != right->a) return left->a < right->a ? -1 : 1;
    return left->b < right->b ? -1 : left->b > right->b;
}

LikenessLine *likeness_lines(const Likeness *likeness, size_t part, uint32_t a, uint32_t b, size_t *count) {
    Lines lines = {0};
    meet(likeness, part, a, b, &lines, note_line);
    if (lines.count) qsort(lines.items, lines.count, sizeof *lines.items, by_lines);
    size_t kept = 0;
    for (size_t i = 0; i < lines.count;) {
        LikenessLine sum = lines.items[i++];
        while (i < lines.count && lines.items[i].a == sum.a && lines.items[i].b == sum.b) sum.shared += lines.items[i++].shared;
        LikenessLine *last = kept ? &lines.items[kept - 1] : NULL;
        if (!last || last->a != sum.a)
            lines.items[kept++] = sum;
        else if (round(sum.shared) > round(last->shared))
            *last = sum;
    }
    *count = kept;
    return lines.items;
}
