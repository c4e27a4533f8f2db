/* asked.h: the sandbox, asked about a file of a class. */
#pragma once

#include "class/class.h"
#include "class/sandboxed.h"

/* How it is asked for JSON. */
SandboxRequest asked_request(const Class *class);

/* The result that the lab's program prints, or NULL where it could not work: *why says so. The caller frees both, and *graded. */
json_t *asked_result(const SandboxRequest *request, const Text *bytes, SandboxResult *graded, Text *why);

/* The exercise as it was given, to the empty text. */
void asked_exercise(const Class *class, Text *given);
