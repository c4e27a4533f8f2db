#define _GNU_SOURCE /* memmem */
#include "lab/warnings.h"

#include <ctype.h>
#include <string.h>

#include "cuda/message.h"
#include "input/declared.h"
#include "lab/given.h"
#include "report/plain.h"

enum { WARNINGS_MOST = 3 };

static uint32_t lines_in(const char *text, size_t length) {
    uint32_t lines = 0;
    for (size_t i = 0; i < length; i++) lines += text[i] == '\n';
    return lines;
}

/* "549-D: variable …" of nvcc's and "variable … [-Wuninitialized]" of clang's without the number and the option. */
static void add_sentence(const Diag *diag, Text *out) {
    const char *message = diag->message, *colon = strstr(message, ": ");
    if (isdigit((unsigned char)*message) && colon) message = colon + 2;
    const char *option = strstr(message, " [-W");
    text_add(out, "line %u: ", diag->line);
    text_add_bytes(out, message, option ? (size_t)(option - message) : strlen(message));
}

void warnings_add(const Lab *lab, const char *kernel, Text *out) {
    const char *text = lab->source.text, *messages = text_string(&lab->source.compiled.messages);
    size_t length = 0;
    const char *start = text ? declared_kernel(text, kernel, &length) : NULL;
    if (!start) return;
    uint32_t first = 1 + lines_in(text, (size_t)(start - text)), last = first + lines_in(start, length);
    uint32_t count = 0;
    for (const char *at = messages; *at && count < WARNINGS_MOST;) {
        size_t bytes = strcspn(at, "\n");
        Diag diag = {0};
        bool is_ours = message_read(at, bytes, &diag) == MESSAGE_WARNING && strcmp(diag.file, lab->source.path) == 0;
        if (is_ours && diag.line >= first && diag.line <= last) {
            LOCAL_TEXT sentence = {0};
            add_sentence(&diag, &sentence);
            plain_wrap(out, lab->page.columns, "the compiler warns: ", text_string(&sentence));
            count++;
        }
        at += bytes + (at[bytes] == '\n');
    }
}

/* "2 errors detected in …", "1 warning and 1 error generated …", nvcc's blank line: no longer about a line of the file. */
static bool ends_message(const char *line, size_t length) {
    return !length ||
           (isdigit((unsigned char)*line) && (memmem(line, length, " error", 6) || memmem(line, length, " warning", 8)));
}

void warnings_sift(const char *messages, const char *text, Text *out) {
    bool dropped = false, blank = true;
    for (const char *at = messages; *at;) {
        const char *line = at;
        size_t bytes = strcspn(at, "\n");
        Diag diag = {0};
        MessageKind kind = message_read(line, bytes, &diag);
        at += bytes + (at[bytes] == '\n');
        if (strncmp(line, "Remark: ", 8) == 0) continue;
        if (kind != MESSAGE_NONE) dropped = kind == MESSAGE_WARNING && text && !given_is_yours(text, diag.line);
        if (kind == MESSAGE_NONE && ends_message(line, bytes)) dropped = false;
        if (dropped || (!bytes && blank)) continue;
        text_add_bytes(out, line, (size_t)(at - line));
        blank = !bytes;
    }
}
