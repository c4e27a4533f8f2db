#include "cuda/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void command_add(Command *command, const char *word) {
    if (command->count + 2 > command->capacity) {
        command->capacity = command->capacity ? 2 * command->capacity : 32;
        command->words = realloc(command->words, command->capacity * sizeof *command->words);
        if (!command->words) abort();
    }
    command->words[command->count] = strdup(word);
    if (!command->words[command->count]) abort();
    command->words[++command->count] = NULL;
}

void command_add_all(Command *command, const char *const *words) {
    for (; *words; words++) command_add(command, *words);
}

void command_add_pair(Command *command, const char *first, const char *second) {
    Text word = {0};
    text_add(&word, "%s%s", first, second);
    command_add(command, text_string(&word));
    text_free(&word);
}

void command_free(Command *command) {
    for (size_t i = 0; i < command->count; i++) free(command->words[i]);
    free(command->words);
    *command = (Command){0};
}

void command_add_input(Command *command, const char *path) { command_add_pair(command, path[0] == '-' ? "./" : "", path); }
