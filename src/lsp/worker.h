/* worker.h: compiles and grades, or launches, one file; what a job does in its process. */
#pragma once

#include "lsp/job.h"

/* Appends the remarks (remarks.h) as JSON; nothing where the file cannot be read or asks for nothing. */
void worker_run(const Workplace *place, const char *path, Text *remarks);
