#define _GNU_SOURCE /* memmem, memrchr */
#include "cuda/message.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    MessageKind kind;
} keys[] = {{": fatal error: ", MESSAGE_ERROR},
            {": error: ", MESSAGE_ERROR},
            {": error #", MESSAGE_ERROR},
            {": warning: ", MESSAGE_WARNING},
            {": warning #", MESSAGE_WARNING}};

/* Reads "(3)" or ":3:5" at the end of what stands before a key. Where the file's name ends; NULL: it is no position. */
static const char *read_position(const char *line, const char *end, unsigned numbers[2]) {
    if (end > line && end[-1] == ')') {
        const char *open = memrchr(line, '(', (size_t)(end - line));
        if (open) numbers[0] = (unsigned)strtoul(open + 1, NULL, 10);
        return open;
    }
    for (int i = 1; i >= 0; i--) {
        const char *colon = memrchr(line, ':', (size_t)(end - line));
        if (!colon || !isdigit((unsigned char)colon[1])) break;
        numbers[i] = (unsigned)strtoul(colon + 1, NULL, 10);
        end = colon;
    }
    if (numbers[0] == 0) { /* a line without a column */
        numbers[0] = numbers[1];
        numbers[1] = 0;
    }
    return end;
}

MessageKind message_read(const char *line, size_t length, Diag *diag) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *key = memmem(line, length, keys[i].text, strlen(keys[i].text));
        unsigned numbers[2] = {0, 0};
        if (!key) continue;
        const char *end = read_position(line, key, numbers), *message = key + strlen(keys[i].text);
        if (!end) return MESSAGE_NONE;
        char file[sizeof diag->file];
        snprintf(file, sizeof file, "%.*s", (int)(end - line), line);
        diag_error(diag, file, numbers[0], numbers[1], "%.*s", (int)(line + length - message), message);
        return keys[i].kind;
    }
    return MESSAGE_NONE;
}

bool message_first_error(const char *messages, Diag *diag) {
    for (const char *at = messages; *at;) {
        const size_t length = strcspn(at, "\n");
        Diag found = {0};
        if (message_read(at, length, &found) == MESSAGE_ERROR) {
            *diag = found;
            return true;
        }
        at += length + (at[length] == '\n');
    }
    return false;
}
