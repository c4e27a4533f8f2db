#include "runtime/note.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/problem.h"
#include "runtime/callsite.h"
#include "runtime/logs.h"

static bool to_editor;

void note_to_editor(bool yes) { to_editor = yes; }

void note_unplaced(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("warpscope: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

void note(const char *format, ...) {
    const HostSpot spot = callsite_of_program(callsite_now.address, callsite_around());
    LOCAL_TEXT text = {0}, line = {0};
    va_list args;
    callsite_now.told = true;
    va_start(args, format);
    text_add_list(&text, format, args);
    va_end(args);
    callsite_add(&spot, &line);
    LOCAL_TEXT logged = text_from("%s%s%s", text_string(&line), spot.line ? ": " : "", text_string(&text));
    if (spot.line && to_editor) {
        LOCAL_TEXT problem = {0};
        problem_add((Spot){.file = spot.file, .line = spot.line}, "warning", text_string(&text), &problem);
        fflush(stdout);
        fputs(text_string(&problem), stderr);
    } else {
        note_unplaced("%s", text_string(&logged));
    }
    logs_add(text_string(&logged));
}

void note_hint(const char *text) {
    if (to_editor)
        note("%s", text);
    else
        fprintf(stderr, "  hint: %s\n", text);
}

void note_diag(const char *what, const Diag *diag) {
    LOCAL_TEXT text = {0};
    diag_format(diag, &text);
    note("%s: %.*s", what, (int)strcspn(text_string(&text), "\n"), text_string(&text));
    if (diag->hint[0]) note_hint(diag->hint);
}
