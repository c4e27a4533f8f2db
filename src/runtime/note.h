/* note.h: what the runtime says on standard error. Internal to src/runtime. */
#pragma once

#include "base/diag.h"

/* A line on standard error: "warpscope: …". */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note_diag(const char *what, const Diag *diag);
