/* argv.h: a command line that grows. The words are copies. */
#pragma once

#include <stddef.h>

typedef struct Argv {
    char **words; /* NULL-terminated; NULL while empty */
    size_t count;
} Argv;

void argv_add(Argv *argv, const char *word);
void argv_add_all(Argv *argv, const char *const *words); /* up to a NULL */
void argv_add_split(Argv *argv, const char *words);      /* each between blanks */

/* One word made of two, as in "-std=" "c++17" and "sm_" 75. */
void argv_add_pair(Argv *argv, const char *first, const char *second);
void argv_add_number(Argv *argv, const char *first, unsigned second);

/* A file's name; one that begins with a dash is no option, and one that begins with @ no file of further words. */
void argv_add_input(Argv *argv, const char *path);

void argv_free(Argv *argv);

/* Declares command lines that are freed where their block ends. */
#define LOCAL_ARGV __attribute__((cleanup(argv_free))) Argv
