/* host.h: the compiler of host code that nvcc starts, which is g++ unless -ccbin names another. Each nvcc refuses those that are newer
 * than it knows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether nvcc's messages, NVIDIA's or those of Debian's package, say that it refuses the g++ that it found. */
bool host_refused(const char *messages);

/* The newest version of g++ that such messages allow; 0 when they name none. */
unsigned host_newest(const char *messages);

/* What to give -ccbin: the newest g++ in PATH that the messages allow, else the clang that they name. False when there is neither. */
bool host_instead(const char *messages, char *name, size_t name_bytes);
