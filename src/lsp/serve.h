/* serve.h: the language server on two descriptors: what src/command starts. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"

/* Until the client says exit or its end closes, or a signal asks this program to end. True when the client had said shutdown before. False with
 * a message where no temporary folder can be made. program: argv[0]. is_trusting: what is opened is compiled without a sandbox. */
bool lsp_serve(const char *program, bool is_trusting, int input, int output, Diag *diag);
