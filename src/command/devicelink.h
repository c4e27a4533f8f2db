/* devicelink.h: device code of several files becomes one program. What is compiled with -rdc=true asks for a function of a name of its own, which its
 * constructor calls with its PTX; the link step writes these functions, and says what is missing or there twice. The PTX itself is linked when the
 * program first uses it (ptx/program.h, program_link). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/text.h"

typedef struct DeviceLink DeviceLink;

/* newest: compute capability of the device, 90 for 9.0. */
DeviceLink *devicelink_new(unsigned newest);
void devicelink_free(DeviceLink *link);

/* Takes an object or a library of objects, in the linker's order; any other file, or one that cannot be read, is none of its business. source: the file by
 * which it is told, where it is an object that nobody named; or NULL. False with a message for one whose device code cannot be read. */
bool devicelink_add(DeviceLink *link, const char *path, const char *source, Diag *diag);

/* Adds C for an object to be linked with the others: nothing where no object has device code to be linked. False with a message, by these files' names,
 * where a symbol is missing or defined twice. */
bool devicelink_write(DeviceLink *link, Text *code, Diag *diag);
