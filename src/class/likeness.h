/* likeness.h: which files of a class are alike: a hint for a person, never a score. Two things are compared, each kernel by what it does
 * (class/fingerprint.h) and the whole file by how it is written (class/wording.h), since each sees copies that the other misses. They are the parts of a
 * file: the kernels, then the text.
 *
 * What stands in the given code does not count. A fingerprint that m of n files have weighs log(n / m) / log(n): 1 where no other file has it,
 * nothing where all have it; n is RARE_LEAST at least. One that stands c times in a kernel counts 1 + log2(c) times. Likeness of two parts is
 * the weight of what both have, twice, over the weights of both: from 0 to 1. A part of less than LEAST_WEIGHT, which is 15 instructions or 30 tokens
 * that nobody else has, says nothing. Likeness of two files is that of the part which is most alike.
 *
 * Of weights alone: what all but one file of a class copied from it looks like the one right way to do it. */
#pragma once

#include "base/text.h"
#include "class/fingerprint.h"

enum { RARE_LEAST = 8, LEAST_WEIGHT = 30 };

/* a < b: in the order in which they were added. */
typedef struct LikenessPair {
    uint32_t a, b;
    double likeness;   /* thousandths, rounded: the larger of the two */
    double code, text; /* of the kernel that is most alike; of the text */
    double shared;     /* the weight, of all parts */
} LikenessPair;

/* Two lines that share fingerprints, and their weight. */
typedef struct LikenessLine {
    uint32_t a, b;
    double shared;
} LikenessLine;

typedef struct LikenessFile {
    Fingerprints *parts; /* of each kernel; of the text */
    double *weights;     /* likewise */
    uint32_t cluster;    /* files that pairs connect have the smallest of their numbers */
} LikenessFile;

typedef struct Likeness {
    const char *const *names;  /* of kernels: the caller's */
    size_t n_kernels, n_parts; /* the text is part n_kernels */
    Fingerprints *given;       /* of each part */
    LikenessFile *files;
    size_t count;
    size_t own;    /* of the files: those before likeness_others */
    double **rare; /* [part][fingerprint]: what it weighs. Set by likeness_compare, which puts numbers in place of hashes */
    LikenessPair *pairs; /* the most alike first */
    size_t n_pairs;
} Likeness;

void likeness_begin(Likeness *likeness, const char *const *names, size_t n_kernels);
void likeness_end(Likeness *likeness);

/* The code that everyone was given, before the first file. source: its text; empty where that is unknown. */
void likeness_give(Likeness *likeness, const Program *program, const char *main_file, const Text *source);

void likeness_add(Likeness *likeness, const Program *program, const char *main_file, const Text *source);

/* Files that are added from here on are no part of the class: each makes pairs with those before, none with another, and no cluster. */
void likeness_others(Likeness *likeness);

/* Finds the pairs from the threshold on, once, when all files are there. Time grows with the pairs of files that share a fingerprint. */
void likeness_compare(Likeness *likeness, double threshold);

/* After that: two files' part, in thousandths, rounded; 0 where one of them says nothing. shared, the weight, may be NULL. */
double likeness_of_part(const Likeness *likeness, size_t part, uint32_t a, uint32_t b, double *shared);
bool likeness_says(const Likeness *likeness, size_t part, uint32_t file);

/* For each line of a that shares some the line of b with which it shares most, in order of a's lines. The caller frees. */
LikenessLine *likeness_lines(const Likeness *likeness, size_t part, uint32_t a, uint32_t b, size_t *count);
