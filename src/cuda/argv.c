#include "cuda/argv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

void argv_add(Argv *argv, const char *word) {
    argv->words = alloc_more(argv->words, argv->count + 1, sizeof *argv->words); /* for the NULL as well */
    argv->words[argv->count] = alloc_copy(word);
    argv->words[++argv->count] = NULL;
}

void argv_add_all(Argv *argv, const char *const *words) {
    for (; *words; words++) argv_add(argv, *words);
}

void argv_add_split(Argv *argv, const char *words) {
    for (size_t length; *(words += strspn(words, " ")); words += length) {
        length = strcspn(words, " ");
        LOCAL_TEXT word = text_from("%.*s", (int)length, words);
        argv_add(argv, text_string(&word));
    }
}

void argv_add_pair(Argv *argv, const char *first, const char *second) {
    LOCAL_TEXT word = text_from("%s%s", first, second);
    argv_add(argv, text_string(&word));
}

void argv_add_number(Argv *argv, const char *first, unsigned second) {
    char number[16];
    snprintf(number, sizeof number, "%u", second);
    argv_add_pair(argv, first, number);
}

void argv_free(Argv *argv) {
    for (size_t i = 0; i < argv->count; i++) free(argv->words[i]);
    free(argv->words);
    *argv = (Argv){0};
}

void argv_add_input(Argv *argv, const char *path) { argv_add_pair(argv, path[0] == '-' || path[0] == '@' ? "./" : "", path); }
