/* note.h: what the runtime says on standard error. Internal to src/runtime. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"

/* A line on standard error: "warpscope: host.cu:14: …", with the program's call within one, whose file has lines; for editors as a warning there. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note_hint(const char *text); /* how to put it right: behind a note */
void note_diag(const char *what, const Diag *diag);

/* Of what has places of its own, or none. */
void note_unplaced(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on. */
void note_to_editor(bool yes);
