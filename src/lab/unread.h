/* unread.h: what of its place in the launch a kernel never reads, where that leaves threads alike. */
#pragma once

#include "lab/running.h"

/* Appends a sentence, without a full stop, where the case's launch has several blocks or threads along a dimension in which no line of the kernel
 * tells them apart, or a block of another size than this kernel's first case and no line asks for it. False where it does not. */
bool unread_say(const LabCase *c, Text *out);

/* Whether nothing that the kernel does hangs on a condition: it has no guard that could leave elements out. */
bool unread_guards(const LabCase *c);
