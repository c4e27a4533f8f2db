#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/visible.h"

static void fill(Diag *diag, const char *file, unsigned line, unsigned column, const char *format, va_list args) {
    if (diag->set) return;
    diag->set = true;
    snprintf(diag->file, sizeof diag->file, "%s", file ? file : "");
    diag->line = line;
    diag->column = column;
    vsnprintf(diag->message, sizeof diag->message, format, args);
}

bool diag_error(Diag *diag, const char *file, unsigned line, unsigned column, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fill(diag, file, line, column, format, args);
    va_end(args);
    return false;
}

bool diag_say(Diag *diag, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fill(diag, NULL, 0, 0, format, args);
    va_end(args);
    return false;
}

bool diag_hint(Diag *diag, const char *format, ...) {
    if (diag->hint[0]) return false;
    va_list args;
    va_start(args, format);
    vsnprintf(diag->hint, sizeof diag->hint, format, args);
    va_end(args);
    return false;
}

void diag_quote(Diag *diag, const char *text, size_t length) {
    const char *end = text + length;
    for (unsigned line = 1; line < diag->line && text < end; line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (!newline) return;
        text = newline + 1;
    }
    size_t n = 0;
    while (text + n < end && text[n] != '\n' && n + 1 < sizeof diag->source) {
        unsigned char c = (unsigned char)text[n];
        diag->source[n] = c < ' ' || c > '~' ? ' ' : (char)c;
        n++;
    }
    diag->source[n] = 0;
}

void diag_format(const Diag *diag, Text *out) {
    visible_add_line(out, diag->file);
    if (diag->file[0]) text_add(out, ":");
    if (diag->line) text_add(out, "%u:", diag->line);
    if (diag->line && diag->column) text_add(out, "%u:", diag->column);
    if (diag->file[0] || diag->line) text_add(out, " ");
    visible_add_line(out, diag->message);
    text_add(out, "\n");
    if (diag->source[0]) {
        text_add(out, "    %s\n", diag->source);
        if (diag->column && diag->column <= strlen(diag->source) + 1) text_add(out, "    %*s^\n", (int)diag->column - 1, "");
    }
    if (!diag->hint[0]) return;
    text_add(out, "  hint: ");
    visible_add_line(out, diag->hint);
    text_add(out, "\n");
}
