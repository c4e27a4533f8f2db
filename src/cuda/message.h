/* message.h: a line that a compiler wrote, read. */
#pragma once

#include <stddef.h>

#include "base/diag.h"

typedef enum MessageKind { MESSAGE_NONE, MESSAGE_ERROR, MESSAGE_WARNING } MessageKind;

/* "a.cu:3:5: error: …" as clang writes it, "a.cu(3): error: …" as nvcc does. Of an error, and of a warning, file, line, column and text become
 * diag's, which is to be unset; nothing of any other line. */
MessageKind message_read(const char *line, size_t length, Diag *diag);

/* The first error of a compiler's messages. False, and diag as it was: there is none. */
bool message_first_error(const char *messages, Diag *diag);
