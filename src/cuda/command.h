/* command.h: a command line that grows. The words are copies. */
#pragma once

#include <stddef.h>

typedef struct Command {
    char **words; /* NULL-terminated; NULL while empty */
    size_t count, capacity;
} Command;

void command_add(Command *command, const char *word);
void command_add_all(Command *command, const char *const *words); /* up to a NULL */

/* One word made of two, as in "-arch=" "sm_75". */
void command_add_pair(Command *command, const char *first, const char *second);

/* A file's name; one that begins with a dash is no option. */
void command_add_input(Command *command, const char *path);

void command_free(Command *command);
