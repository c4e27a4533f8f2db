#include "runtime/note.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

void note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("warpscope: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

void note_diag(const char *what, const Diag *diag) {
    LOCAL_TEXT text = {0};
    diag_format(diag, &text);
    fflush(stdout);
    fprintf(stderr, "warpscope: %s: %s", what, text_string(&text));
}
