#define _GNU_SOURCE /* scandir */
#include "serve/listings.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define EXAMPLES "book/examples/"

/* KERNELS_MOST: of one file; LAUNCHED_MOST: elements of all the launches of a save together, which waits for them. */
enum { FILE_BYTES_MOST = 1 << 20, KERNELS_MOST = 64, LAUNCHED_MOST = 8 << 20 };

/* A run of runs.launches, within its text. */
typedef struct BookRun {
    const char *words, *kernel;
    size_t words_length, kernel_length;
    unsigned long long elements; /* of its buffers */
} BookRun;

typedef struct BookRuns {
    BookRun of[KERNELS_MOST]; /* of each kernel the one that touches least */
    size_t count;
} BookRuns;

static size_t word_length(const char *word) { return strcspn(word, " \n"); }

static BookRun read_run(const char *words, const char *end) {
    BookRun run = {.words = words, .words_length = (size_t)(end - words), .kernel = words};
    for (const char *word = words; word < end; word += word_length(word), word += *word == ' ') {
        const char *count = strncmp(word, "buf:", 4) == 0 ? strchr(word + 4, ':') : NULL;
        if (count) run.elements += strtoull(count + 1, NULL, 10);
        if (strncmp(word, "--kernel ", 9) == 0) run.kernel = word + 9;
    }
    run.kernel_length = word_length(run.kernel);
    return run;
}

static void keep_least(BookRuns *runs, BookRun run) {
    size_t i = 0;
    while (i < runs->count &&
           (runs->of[i].kernel_length != run.kernel_length || memcmp(runs->of[i].kernel, run.kernel, run.kernel_length) != 0))
        i++;
    if (i == KERNELS_MOST || (i < runs->count && runs->of[i].elements <= run.elements)) return;
    runs->of[i] = run;
    runs->count += i == runs->count;
}

/* Lines "NAME: FILE words"; a run that is meant to fault has a word before its file. */
static void find_runs(BookRuns *runs, const char *launches, const char *name) {
    LOCAL_TEXT head = text_from(": " EXAMPLES "%s ", name);
    for (const char *at = launches; (at = strstr(at, text_string(&head)));) {
        at += head.length;
        keep_least(runs, read_run(at, at + strcspn(at, "\n")));
    }
}

static int by_elements(const void *a, const void *b) {
    const BookRun *first = a, *second = b;
    return (first->elements > second->elements) - (first->elements < second->elements);
}

/* The words of a run that a comment may have: a picture is drawn in any case. */
static void add_words(const char *mark, const BookRun *run, Text *out) {
    const char *end = run->words + run->words_length;
    text_add(out, "// %s:", mark);
    for (const char *word = run->words; word < end; word += word_length(word), word += *word == ' ')
        if (strncmp(word, "--pictures", 10) != 0) text_add(out, " %.*s", (int)word_length(word), word);
    text_add(out, "\n");
}

static void add_launches(const char *launches, const char *name, Text *out) {
    BookRuns runs = {.count = 0};
    unsigned long long elements = 0;
    find_runs(&runs, launches, name);
    if (!runs.count) return;
    qsort(runs.of, runs.count, sizeof *runs.of, by_elements);
    text_add(out, "\n// What is launched at each save, as in the book. These lines may be changed, too.\n");
    for (size_t i = 0; i < runs.count; i++) {
        bool waits = elements > LAUNCHED_MOST;
        elements += runs.of[i].elements;
        if (!waits && elements > LAUNCHED_MOST)
            text_add(out, "// These would take longer: without the \"not\" they are launched as well.\n");
        add_words(elements > LAUNCHED_MOST ? "not warpscope" : "warpscope", &runs.of[i], out);
    }
}

static int is_listing(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return *entry->d_name != '.' && length > 3 && strcmp(entry->d_name + length - 3, ".cu") == 0;
}

void listings_read(Listings *listings, const char *root) {
    struct dirent **entries = NULL;
    size_t length;
    LOCAL_TEXT folder = text_from("%s/" EXAMPLES, root), runs = text_from("%s/book/runs.launches", root);
    FREED char *launches = text_read_file(text_string(&runs), FILE_BYTES_MOST, &length);
    int count = scandir(text_string(&folder), &entries, is_listing, alphasort);
    *listings = (Listings){.items = calloc(count > 0 ? (size_t)count : 1, sizeof(Listing))};
    for (int i = 0; i < count; i++) {
        LOCAL_TEXT path = text_from("%s%s", text_string(&folder), entries[i]->d_name);
        FREED char *text = text_read_file(text_string(&path), FILE_BYTES_MOST, &length);
        if (text) {
            Listing *listing = &listings->items[listings->count++];
            listing->name = strdup(entries[i]->d_name);
            text_add_bytes(&listing->given, text, length);
            add_launches(launches ? launches : "", listing->name, &listing->given);
        }
        free(entries[i]);
    }
    free(entries);
}

void listings_free(Listings *listings) {
    for (size_t i = 0; i < listings->count; i++) {
        free(listings->items[i].name);
        text_free(&listings->items[i].given);
    }
    free(listings->items);
    *listings = (Listings){0};
}
